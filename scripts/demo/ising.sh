#!/usr/bin/env bash
# ising.sh BUILD: the square lattice around its critical temperature, 64 x 64 sites, by the serial Fortran routines and by the same
# main linked with Legato, by Metropolis' algorithm and by demons; and 512 x 512 sites. Prints tables, writes
# BUILD/demo-ising.png. A part of demo.sh, which builds the programs.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/common.sh"
build=$1
work=$build/demo/ising
inputs=$PWD/legacy_drivers/ising/inputs
export LEGATO_LOG=${LEGATO_LOG:-info}
# Sweeps of small lattices are short: threads that wait for one another busily are slow where others use the cores too.
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}

# run NAME INPUT: runs ising_mc_NAME in the folder $work/NAME-INPUT; its wall time goes to the file seconds there.
run() {
  local name=$1 program=$build/legacy_drivers/ising/ising_mc_$1 folder=$work/$1-$2 began
  [ -x "$program" ] || fail "ising_mc_$name is not part of this build"
  mkdir "$folder"
  echo "demo: running ising_mc_$name on $2.inp"
  began=$(now)
  if ! (cd "$folder" && "$program" "$inputs/$2.inp" > stdout 2> stderr); then
    tail -q -n 5 "$folder/stderr" "$folder/stdout"
    fail "ising_mc_$name failed"
  fi
  seconds_since "$began" > "$folder/seconds"
}

problems="demo demo_demons demo_512"
for problem in $problems; do
  for name in serial legato; do run "$name" "$problem"; done
done

echo
printf '%-12s %10s %10s %7s\n' input 'serial, s' 'Legato, s' ratio
for problem in $problems; do
  paste "$work"/{serial,legato}-"$problem"/seconds |
    awk -v name="$problem" '{ printf "%-12s %10.2f %10.2f %7.1f\n", name, $1, $2, $1 / $2 }'
done

# Averages of both, and how many standard errors they are apart. The random numbers are others, so that they never are the same.
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

# Of the infinite lattice, m = (1 - sinh(2 beta)^-4)^(1/8); 512 sites are as good at these temperatures.
echo
grep -v '^#' "$work/legato-demo_512/demo_512_table.dat" | awk '
  { s = (exp(2 * $1) - exp(-2 * $1)) / 2; m = exp(log(1 - s^-4) / 8); d = ($2 - m) / $3
    printf "512 x 512    beta %.3f: |m| %.6f +- %.6f by Legato, exactly %.6f (infinite lattice): %.1f errors\n", $1, $2, $3, m, d
    if (!(d < 5 && d > -5)) bad = 1 } END { exit bad || !NR }' || disagree=1
# Which backend was taken, and why, in the library's own words.
sed -n 's/^legato info: \(ising: backend.*\)/    \1/p' "$work"/legato-demo*/stderr | sort -u | head -3

# data NAME COLUMN: with errors.
data() { echo "'$work/$1-demo/demo_table.dat' using 1:$2:$(($2 + 1)) with yerrorbars pointtype 7"; }
echo
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
