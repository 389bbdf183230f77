#!/usr/bin/env bash
# vmc.sh BUILD: runs the variational Monte Carlo program on clusters of 26 sites, whose energy is known, of 82 and of
# 226 sites. The runs use the serial Fortran routine and the same main linked with Legato. The state on 26 sites is also
# optimised. The script prints tables and writes BUILD/demo-vmc.png and demo-vmc-optimum.png. demo.sh calls it after
# building the programs.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/common.sh"

problems="small demo_9 demo_15"
for name in serial legato; do
  for problem in $problems; do run "vmcrvb_$name" "$name-$problem" "$inputs/$problem.inp"; done
done

# Prints energies per site, and their difference in standard errors. It is 0 as long as rounding changes no decision,
# because both programs draw the same random numbers.
echo
printf '%-8s   %-24s %-24s %s\n' cluster '  energy, serial' '  energy, Legato' 'difference'
disagree=0
for problem in $problems; do
  paste <(grep '^energy' "$work/serial-$problem/vmc_averages.dat") <(grep '^energy' "$work/legato-$problem/vmc_averages.dat") |
    awk -v sites="$(awk '/^ Cluster/ { print $2 }' "$work/legato-$problem/stdout")" "$number"'
    { s = sqrt($3^2 + $7^2); d = $6 - $2
      printf "%-8s   %10.6f +- %-10.6f %10.6f +- %-10.6f %5.1f errors\n", sites, $2, $3, $6, $7, d / s
      exit !(number($2) && number($6) && s > 0 && d <= 4 * s && d >= -4 * s) }' || disagree=1
done
awk '/^energy/ { d = ($2 + 0.480060581975) / $3
  printf "%-8s enumeration of all configurations: -0.480061, %.1f errors from that by Legato\n", 26, d
  exit !(d < 4 && d > -4) }' "$work/legato-small/vmc_averages.dat" || disagree=1

echo
for problem in $problems; do speed "$problem" "serial-$problem" -- "legato-$problem"; done
backends
# shellcheck disable=SC2086 # words
gpu_would $problems

# panel PROBLEM SITES: plots the bins, and the mean of all bins so far with its error.
panel() {
  cat <<GNUPLOT
set xlabel 'bin ($2 sites)'
plot '$work/serial-$1/vmc_energy.dat' using 1:2 with points pointtype 7 pointsize 0.5 linecolor rgb '#aaaaaa' title 'bins', \
     '$work/legato-$1/vmc_energy.dat' using 1:(\$4 - \$5):(\$4 + \$5) with filledcurves fillcolor rgb '#cc3311' fillstyle transparent solid 0.25 noborder notitle, \
     '$work/legato-$1/vmc_energy.dat' using 1:4 with lines linecolor rgb '#cc3311' title 'mean so far, same main on Legato', \
     '$work/serial-$1/vmc_energy.dat' using 1:4:5 every 4 with yerrorbars pointtype 7 pointsize 0.6 linecolor rgb '#222222' title 'serial Fortran'
GNUPLOT
}
draw "$build/demo-vmc.png" <<GNUPLOT
set multiplot layout 2,1 title 'Energy per site of the t-J model at doping 0.1, J = 0.3 t, by variational Monte Carlo'
set grid
set ylabel 'energy per site / t'
set key top right
$(panel demo_9 82)
$(panel demo_15 226)
GNUPLOT

optimise=$build/examples/vmc_optimise_f
[ -x "$optimise" ] || fail "vmc_optimise_f is not part of this build"
echo "demo: running vmc_optimise_f"
"$optimise" > "$work/optimum" 2> "$work/optimum.err" || { tail -n 5 "$work/optimum.err"; fail "vmc_optimise_f failed"; }
tail -n 3 "$work/optimum"

# stage NAME COLOUR: plots the steps of a stage in the plane of the parameters.
stage() {
  echo "'< grep $1 $work/optimum' using 3:4 with points pointtype 7 linecolor rgb '$2' title '$1'"
}
draw "$build/demo-vmc-optimum.png" <<GNUPLOT
set multiplot layout 2,1 title '26 sites, 24 electrons: the optimisation and its errors'
set grid
set key top right
set xlabel 'Delta / t'
set ylabel 'mu / t'
plot '$work/optimum' using 3:4 every ::1 with lines linecolor rgb '#aaaaaa' notitle, $(stage descent '#222222'), \
     $(stage survey '#0077bb'), $(stage refinement '#cc3311')
set xlabel 'step'
set ylabel 'energy per site / t'
plot '< grep -E "descent|survey|refinement" $work/optimum' using 1:5:6 with yerrorbars pointtype 7 linecolor rgb '#222222' notitle
GNUPLOT
[ $disagree -eq 0 ] || fail "the runs disagree"
