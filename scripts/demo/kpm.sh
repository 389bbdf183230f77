#!/usr/bin/env bash
# kpm.sh BUILD: the kernel polynomial program on a cubic lattice with box disorder near the localisation transition, and on
# a clean chain, whose density is known: by the serial Fortran routine and by the same main linked with Legato. Prints a table,
# writes BUILD/demo-kpm.png. A part of demo.sh, which builds the programs.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/common.sh"
build=$1
work=$build/demo/kpm
inputs=$PWD/legacy_drivers/kpm/inputs
# Many short stretches of work: threads that wait must not take the processors from those of other programs.
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}
export LEGATO_LOG=${LEGATO_LOG:-info}

# run NAME INPUT: runs kpmdos_NAME in the folder $work/NAME-INPUT; its wall time goes to the file seconds there.
run() {
  local name=$1 program=$build/legacy_drivers/kpm/kpmdos_$1 folder=$work/$1-$2 began
  [ -x "$program" ] || fail "kpmdos_$name is not part of this build"
  mkdir "$folder"
  echo "demo: running kpmdos_$name on $2.inp"
  began=$(now)
  if ! (cd "$folder" && "$program" "$inputs/$2.inp" > stdout 2> stderr); then
    tail -q -n 5 "$folder/stderr" "$folder/stdout"
    fail "kpmdos_$name failed"
  fi
  seconds_since "$began" > "$folder/seconds"
}

lattices="chain cubic_box"
for lattice in $lattices; do
  for name in serial legato; do run "$name" "$lattice"; done
done

# Largest difference of moments (mu_0 is 1) and of densities, in units of the largest density.
echo
printf '%-10s %9s %9s %6s   %12s %12s\n' lattice 'serial, s' 'Legato, s' ratio moments density
disagree=0
for lattice in $lattices; do
  moments=$(paste "$work"/{serial,legato}-"$lattice"/moments.dat | awk '
    !/^#/ { d = $2 - $5; d = d < 0 ? -d : d; if (!(d <= most)) most = d; n++ } END { printf "%.1e", n ? most : 1 }')
  density=$(paste "$work"/{serial,legato}-"$lattice"/dos.dat | awk '
    !/^#/ { d = $2 - $5; d = d < 0 ? -d : d; if (!(d <= most)) most = d; if ($2 > top) top = $2; n++ }
    END { printf "%.1e", n ? most / top : 1 }')
  paste "$work"/{serial,legato}-"$lattice"/seconds |
    awk -v lattice="$lattice" -v m="$moments" -v d="$density" \
      '{ printf "%-10s %9.2f %9.2f %6.2f   %12s %12s\n", lattice, $1, $2, $1 / $2, m, d }'
  awk -v m="$moments" -v d="$density" 'BEGIN { exit !(m <= 1e-12 && d <= 1e-10) }' || disagree=1
done
# Which backend was taken, and why, in the library's own words.
sed -n 's/^legato info: \(kpm: [bf][ao].*\)/    \1/p' "$work/legato-cubic_box/stderr" | sort -u | head -3

echo
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
