#!/usr/bin/env bash
# kpm.sh BUILD: runs the kernel polynomial program on a cubic lattice with box disorder near the localisation
# transition, and on a clean chain, whose density is known. The runs use the serial Fortran routine and the same main
# linked with Legato. The script prints a table and writes BUILD/demo-kpm.png. demo.sh calls it after building the
# programs.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/common.sh"

lattices="chain cubic_box"
for name in serial legato; do
  for lattice in $lattices; do run "kpmdos_$name" "$name-$lattice" "$inputs/$lattice.inp"; done
done

# Prints the largest difference of moments (mu_0 is 1), and of densities in units of the largest density.
echo
printf '%-10s %12s %12s\n' lattice moments density
disagree=0
for lattice in $lattices; do
  moments=$(paste "$work"/{serial,legato}-"$lattice"/moments.dat | awk "$number"'
    !/^#/ { d = $2 - $5; d = d < 0 ? -d : d; if (!number($2) || !number($5)) d = 1e99; if (d > most) most = d; n++ } END { printf "%.1e", n ? most : 1 }')
  density=$(paste "$work"/{serial,legato}-"$lattice"/dos.dat | awk "$number"'
    !/^#/ { d = $2 - $5; d = d < 0 ? -d : d; if (!number($2) || !number($5)) d = 1e99; if (d > most) most = d; if ($2 > top) top = $2; n++ }
    END { printf "%.1e", n ? most / top : 1 }')
  printf '%-10s %12s %12s\n' "$lattice" "$moments" "$density"
  awk -v m="$moments" -v d="$density" 'BEGIN { exit !(m <= 1e-12 && d <= 1e-10) }' || disagree=1
done

echo
for lattice in $lattices; do speed "$lattice" "serial-$lattice" -- "legato-$lattice"; done
backends
# shellcheck disable=SC2086 # words
gpu_would $lattices

draw "$build/demo-kpm.png" <<GNUPLOT
set multiplot layout 2,1 title 'Densities of states by the kernel polynomial method'
set grid
set samples 2001
set key bottom center
set ylabel 'density of states'
set xlabel 'energy (cubic lattice, box disorder of width 16.5)'
plot '$work/serial-cubic_box/dos.dat' using 1:2:3 every 8 with yerrorbars pointtype 7 pointsize 0.4 linecolor rgb '#222222' title 'serial Fortran', \
     '$work/legato-cubic_box/dos.dat' using 1:2 with lines linecolor rgb '#cc3311' title 'same main on Legato'
set xlabel 'energy (infinite chain)'
set logscale y
set key top center
plot '$work/serial-chain/dos.dat' using 1:2 every 4 with points pointtype 7 pointsize 0.5 linecolor rgb '#222222' title 'serial Fortran', \
     '$work/legato-chain/dos.dat' using 1:2 with lines linecolor rgb '#cc3311' title 'same main on Legato', \
     (abs(x) < 2 ? 1 / (pi * sqrt(4 - x**2)) : 1/0) with lines dashtype 2 linecolor rgb '#0077bb' title 'exact'
GNUPLOT
[ $disagree -eq 0 ] || fail "the runs disagree"
