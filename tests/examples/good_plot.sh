#!/usr/bin/env bash
# good_plot.sh EXAMPLE PROGRAM: checks that the output is complete and as expected. If the program gets a name, it
# writes the same to NAME.dat, and also NAME.gp. If gnuplot is installed, it must make NAME.png from NAME.gp.
set -eu
here=$(dirname "$(realpath "$0")")
program=$(realpath "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
"$program" plot > out
"$here/good_table.py" "$1" out
cmp out plot.dat
grep -q '^plot .*"plot.dat"' plot.gp
command -v gnuplot > /dev/null || exit 0
gnuplot plot.gp 2> err || { cat err; exit 1; }
if grep -v '^$' err; then echo "good_plot: gnuplot complains" >&2; exit 1; fi
[ -s plot.png ]
