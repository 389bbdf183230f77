#!/usr/bin/env bash
# good_plot.sh EXAMPLE PROGRAM: what it prints is complete and what was to be expected; with a name it writes the same to
# NAME.dat, and NAME.gp, which gnuplot, where it is there, makes into NAME.png.
set -eu
here=$(dirname "$(realpath "$0")")
program=$(realpath "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
"$program" plot > out
"$here/good_table.sh" "$1" out
cmp out plot.dat
grep -q '^plot .*"plot.dat"' plot.gp
command -v gnuplot > /dev/null || exit 0
gnuplot plot.gp 2> err || { cat err; exit 1; }
if grep -v '^$' err; then echo "good_plot: gnuplot complains" >&2; exit 1; fi
[ -s plot.png ]
