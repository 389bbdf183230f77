#!/usr/bin/env bash
# ising.sh BUILD: simulates square lattices of 64 x 64 and 512 x 512 sites around the critical temperature, by
# Metropolis' algorithm and by demons. The runs use the serial Fortran routines and the same main linked with Legato.
# The script prints a table and writes BUILD/demo-ising.png. demo.sh calls it after building the programs.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/common.sh"

problems="demo demo_demons demo_512"
for name in serial legato; do
  for problem in $problems; do run "ising_mc_$name" "$name-$problem" "$inputs/$problem.inp"; done
done

# Prints the averages of both programs, and their difference in standard errors. The programs draw different random
# numbers.
echo
printf '%-12s %9s   %-22s %-22s %-12s %s\n' input beta '|m|, serial' '|m|, Legato' '  apart' 'chi, U, e, c apart (errors)'
disagree=0
for problem in $problems; do
  paste <(grep -v '^#' "$work/serial-$problem/${problem}_table.dat") <(grep -v '^#' "$work/legato-$problem/${problem}_table.dat") |
    awk -v name="$problem" '
    function apart(c) { d = ($(c + 11) - $(c)) / sqrt($(c + 1)^2 + $(c + 12)^2); if (!(d < 5 && d > -5)) bad = 1; return d }
    { printf "%-12s %9.6f   %8.5f +- %-10.5f %8.5f +- %-10.5f %5.1f errors %6.1f %5.1f %5.1f %5.1f\n", name, $1, $2, $3, $13, $14,
        apart(2), apart(4), apart(6), apart(8), apart(10) }
    END { exit bad || !NR }' || disagree=1
done

# The infinite lattice has m = (1 - sinh(2 beta)^-4)^(1/8). 512 sites are large enough at these temperatures.
echo
grep -v '^#' "$work/legato-demo_512/demo_512_table.dat" | awk '
  { s = (exp(2 * $1) - exp(-2 * $1)) / 2; m = exp(log(1 - s^-4) / 8); d = ($2 - m) / $3
    printf "512 x 512    beta %.3f: |m| %.6f +- %.6f by Legato, exactly %.6f (infinite lattice): %.1f errors\n", $1, $2, $3, m, d
    if (!(d < 5 && d > -5)) bad = 1 } END { exit bad || !NR }' || disagree=1

echo
for problem in $problems; do speed "$problem" "serial-$problem" -- "legato-$problem"; done
backends
# shellcheck disable=SC2086 # words
gpu_would $problems

# data NAME COLUMN: prints a column with its errors.
data() { echo "'$work/$1-demo/demo_table.dat' using 1:$2:$(($2 + 1)) with yerrorbars pointtype 7"; }
draw "$build/demo-ising.png" <<GNUPLOT
set multiplot layout 2,1 title '64 x 64 spins by Monte Carlo'
set grid
set samples 2000
set xrange [0.36:0.54]
set arrow from 0.440686794, graph 0 to 0.440686794, graph 1 nohead dashtype 2 linecolor rgb '#aaaaaa'
set key top left
set ylabel '<|m|>'
plot x < 0.4406868 ? 0 : (1 - sinh(2 * x)**-4)**0.125 with lines linecolor rgb '#aaaaaa' title 'exact, infinite lattice', \
     $(data serial 2) pointsize 1.2 linecolor rgb '#222222' title 'serial Fortran', \
     $(data legato 2) pointsize 0.7 linecolor rgb '#cc3311' title 'same main on Legato'
set key bottom right
set xlabel 'J / kT'
set ylabel 'Binder cumulant U'
plot 0.61069 with lines linecolor rgb '#aaaaaa' title 'critical, infinite lattice', \
     $(data serial 6) pointsize 1.2 linecolor rgb '#222222' title 'serial Fortran', \
     $(data legato 6) pointsize 0.7 linecolor rgb '#cc3311' title 'same main on Legato'
GNUPLOT
[ $disagree -eq 0 ] || fail "the runs disagree"
