#!/usr/bin/env bash
# dfr.sh BUILD: runs the Dirac-Fock-Roothaan program on the nine atoms of legacy_drivers/dfr/inputs. Radon with seven
# symmetries of 35 functions shows the speed. The runs use the serial Fortran routines, the same main linked with
# Legato, and a batch of all atoms. Then all elements of the library hennessey are calculated in one batch, and the basis
# sets of helium and neon are optimised side by side. The script prints tables. It writes BUILD/demo-dfr.png (densities
# and shells of xenon and radon) and BUILD/demo-dfr-basis.png (paths of the optimisations). demo.sh calls it after
# building the programs.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/common.sh"

atoms="he c o ne ar cr xe au rn profile_rn_35"

# result FILE: prints energy and iterations, and "nan" for anything that is not a number.
result() {
  awk '
    function number(x) { return x ~ /^-?[0-9]+[.][0-9]+$/ ? x : "nan" }
    /^ Total energy / { energy = number($3) }
    /^ Converged after / { iterations = $3 }
    END { print energy == "" ? "nan" : energy, iterations == "" ? "nan" : iterations }' "$1"
}

for name in serial legato; do
  for atom in $atoms; do run "dfratom_$name" "$name-$atom" "$inputs/$atom.inp"; done
done
paths=()
for atom in $atoms; do paths+=("$inputs/$atom.inp"); done
mkdir -p "$work/out"
run dfratom_batch batch --output "$work/out" "${paths[@]}"
run dfratom_batch elements --elements --basis hennessey
for atom in he ne; do sed 's/iprint = 1/iprint = 3/' "$inputs/${atom}_bsopt.inp" > "$work/${atom}_bsopt.inp"; done
run dfratom_serial serial-he_bsopt "$work/he_bsopt.inp"
run dfratom_batch bsopt --output "$work/out" "$work/he_bsopt.inp" "$work/ne_bsopt.inp"

# Each line has energies and iterations of an atom: of both mains and of the batch.
for atom in $atoms; do
  echo "$atom $(result "$work/serial-$atom/stdout") $(result "$work/legato-$atom/stdout") $(result "$work/out/$atom.out")"
done > "$work/results"

# Runs agree at an atom if their energies agree to 1e-10 and are numbers.
echo
awk -v out="$work/wrong" '
  function abs(x) { return x < 0 ? -x : x }
  function deviation(x) { return x == "nan" || $2 == "nan" ? "-" : abs(x - $2) / abs($2) }
  function shown(d) { return d == "-" ? d : sprintf("%.1e", d) }
  BEGIN {
    printf "%-14s %31s   %26s   %26s\n", "", "serial Fortran", "same main on Legato", "all atoms at once"
    printf "%-14s %20s %10s   %15s %10s   %15s %10s\n", "input", "energy", "iterations", "difference", "iterations", "difference",
      "iterations"
  }
  {
    main = deviation($4)
    batch = deviation($6)
    wrong += !(main != "-" && main <= 1e-10 && batch != "-" && batch <= 1e-10)
    printf "%-14s %20s %10s   %15s %10s   %15s %10s\n", $1, $2, $3, shown(main), $5, shown(batch), $7
  }
  END { print NR ? wrong + 0 : "no" > out }' "$work/results"

echo
serial=() legato=()
for atom in $atoms; do serial+=("serial-$atom"); legato+=("legato-$atom"); done
speed "same main" "${serial[@]}" -- "${legato[@]}"
speed "radon, 7 x 35" serial-profile_rn_35 -- legato-profile_rn_35
speed "all atoms at once" "${serial[@]}" -- batch
backends
# shellcheck disable=SC2086 # words
gpu_would $atoms

echo
echo "The library hennessey in one batch (dfratom_batch --elements --basis hennessey):"
awk 'NR == 1 || / (He|Ne|Ar|Kr|Xe|Rn) .* converged$/' "$work/elements/stdout"
tail -n 3 "$work/elements/stdout"

echo
echo "Basis sets, optimised side by side:"
awk '/^ Basis set / { on = 1 } on' "$work/bsopt/stdout" | sed "s|$work/||"
# The two optimisers end at different points, because the energy is flat there.
echo "$(result "$work/serial-he_bsopt/stdout") $(result "$work/out/he_bsopt.out")" | awk '{
  known = ($1 != "nan" && $3 != "nan")
  d = $1 - $3
  if (d < 0) d = -d
  if (known) printf("dfratom_serial ends helium at %s, which is %.1e off\n", $1, d)
  exit !(known && d < 1e-8)
}' || echo he_bsopt > "$work/wrong_basis"
# energies FILE LIMIT: prints for each good energy its number, its height above the limit, and the best height so far.
energies() {
  awk -v limit="$2" '/^ newuoa: call / && !/, (below|no) / { sub(",", "", $3); number = $3; e = $5
    if (!any++ || e < best) best = e
    print number, e - limit, best - limit }' "$1"
}
limit() { awk '/^ newuoa: energy in a complete basis/ { print $7 }' "$work/out/$1_bsopt.out"; }
energies "$work/serial-he_bsopt/stdout" "$(limit he)" > "$work/way-serial"
for atom in he ne; do energies "$work/out/${atom}_bsopt.out" "$(limit $atom)" > "$work/way-$atom"; done
best='using 1:3 with steps linewidth 2'
draw "$build/demo-dfr-basis.png" <<GNUPLOT
set title 'Optimisation of well-tempered basis sets'
set xlabel 'energies calculated'
set ylabel 'energy above that of a complete basis / hartree'
set logscale y
set format y '10^{%L}'
set grid
set key top right
plot '$work/way-ne' using 1:2 with points pointtype 6 linecolor rgb '#cc3311' notitle, '' $best linecolor rgb '#cc3311' title 'Ne, 12 s, 8 p, Legato', \
  '$work/way-he' using 1:2 with points pointtype 6 linecolor rgb '#0077bb' notitle, '' $best linecolor rgb '#0077bb' title 'He, 10 s, Legato', \
  '$work/way-serial' $best dashtype 2 linecolor rgb '#222222' title 'He, 10 s, serial Fortran'
GNUPLOT

echo
"$build/examples/dfr_density_f" 54 86 > "$work/density" 2> "$work/density.stderr" || { cat "$work/density.stderr"; fail "dfr_density failed"; }
xenon="linecolor rgb '#0077bb' title 'Xe'"
radon="linecolor rgb '#cc3311' title 'Rn'"
draw "$build/demo-dfr.png" <<GNUPLOT
set multiplot layout 2,1 title 'Dirac-Fock-Roothaan, point nuclei'
set xlabel 'r / bohr'
set logscale x
set format x '10^{%L}'
set xrange [1e-3:10]
set grid
set lmargin 10
set ylabel 'radial density / electrons per bohr'
set key top right
plot '$work/density' index 0 using 1:2 with lines linewidth 2 $xenon, '' index 0 using 1:3 with lines linewidth 2 $radon
set xlabel 'mean radius of the shell / bohr'
set ylabel '-orbital energy / hartree'
set logscale y
set format y '10^{%L}'
# Only s shells are named, because all names would be too many.
name(column) = strcol(column)[2:2] eq 's' ? strcol(column)[1:2] : ''
plot '$work/density' index 1 using 4:(-\$3) with points pointtype 7 $xenon, '' index 2 using 4:(-\$3) with points pointtype 5 $radon, \
  '' index 1 using 4:(-\$3):(name(1)) with labels offset -1.6,-0.6 textcolor rgb '#0077bb' notitle, \
  '' index 2 using 4:(-\$3):(name(1)) with labels offset 1.6,0.6 textcolor rgb '#cc3311' notitle
GNUPLOT

read -r wrong < "$work/wrong"
[ "$wrong" = 0 ] || fail "dfratom: the runs disagree at $wrong atoms"
[ ! -e "$work/wrong_basis" ] || fail "dfratom: the optimisations of helium disagree"
