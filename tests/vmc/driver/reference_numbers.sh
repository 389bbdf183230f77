#!/usr/bin/env bash
# reference_numbers.sh PROGRAM [slow]: compares energies per site with enumerations of all configurations (t = 1, J =
# 0.3, infinite amplitude at k = 0), in units of the standard error. `slow` adds 82 and 226 sites, with numbers that
# another program has sampled.
set -eu
. "$(dirname "$(realpath "$0")")/../../driver.sh"
find_program "$@"
slow=${2:-}
cd "$scratch"
compared=0 squares=0

# sample L X GAP DELTA MU NEIFRAC SWEEPS MOST: runs the program. The error of the energy must not exceed MOST.
sample() {
  label="L = $1, x = $2, gap $3, Delta $4, mu $5, neifrac $6"
  cat > run.inp <<INPUT
$label
 \$model L = $1, x = $2 \$end
 \$state Delta = $4, mu = $5, gap = '$3' \$end
 \$sampling nMarkov = 4, neqlsweeps = 200, nsweeps = $7, nbins = 100, neifrac = $6, iseedseed = 2026 \$end
INPUT
  "$program" run.inp > out || wrong "exit status $?"
  awk -v most="$8" '$1 == "energy" && !/^#/ { exit !($3 > 0 && $3 <= most && $4 > 0) }' vmc_averages.dat ||
    wrong "error: $(grep ^energy vmc_averages.dat)"
}
# is WHAT EXPECTED [ITS-ERROR]: checks a number to 4 standard errors.
is() {
  local off
  off=$(awk -v what="$1" -v x="$2" -v e="${3:-0}" "$number"'$1 == what && number($2) && number($3) { s = sqrt($3^2 + e^2); d = $2 - x
    print (s > 0 ? d / s : d == 0 ? 0 : 1e9) }' vmc_averages.dat)
  compared=$((compared + 1))
  squares=$(awk -v s="$squares" -v d="$off" 'BEGIN { print s + d^2 }')
  awk -v d="$off" 'BEGIN { exit !(d != "" && d < 4 && d > -4) }' || wrong "$1 is off by $off errors: $(grep "^$1" vmc_averages.dat)"
}

#      L   x   gap Delta mu  neifrac sweeps error
sample 3  0.0  A   1.5   0.0  0.5    20000 2e-3; is energy -0.351689472877; is spin_spin -0.336149121461
is kinetic 0
sample 3  0.0  A   1.0  -0.4  0.0    20000 2e-3; is energy -0.342009306532; is spin_spin -0.320015510887
sample 3  0.2  A   1.5   0.0  0.5    20000 3e-3; is energy -0.632746826903; is kinetic -0.436233654424
is exchange -0.196513172479; is spin_spin -0.170986233028
sample 3  0.2  A   1.0  -0.4  1.0    20000 3e-3; is energy -0.643252134921; is kinetic -0.457293631707
is exchange -0.185958503214; is spin_spin -0.153755561156
sample 3  0.2  B   1.5   0.0  0.0    20000 3e-3; is energy -0.587947218304; is kinetic -0.371472456650
is exchange -0.216474761654; is spin_spin -0.203256771370
sample 5  0.1  A   1.5   0.0  0.0    30000 4e-4; is energy -0.480060581975; is kinetic -0.196534971401
is exchange -0.283525610574; is spin_spin -0.259554374833
sample 5  0.1  B   0.75  0.0  0.7    30000 4e-4; is energy -0.480060581975; is kinetic -0.196534971401
sample 5  0.0  A   1.5   0.0  0.5    20000 4e-4; is energy -0.345997832763; is spin_spin -0.326663054605
if [ -n "$slow" ]; then
  sample 9 0.1 A 1.5 0.0 0.5 100000 2e-4; is energy -0.506139 2.7e-5; is kinetic -0.238648 3.7e-5
  is exchange -0.267490 1.4e-5; is spin_spin -0.241894 2.2e-5
  sample 15 0.1 A 1.5 0.0 0.0 20000 3e-4; is energy -0.50401 1.2e-4; is kinetic -0.23613 1.6e-4
  is exchange -0.267872 6e-5; is spin_spin -0.242273 9.2e-5
fi

echo "reference_numbers: $compared numbers, $bad wrong; mean square deviation $(awk -v s="$squares" -v n=$compared \
  'BEGIN { printf "%.2f", s / n }') squared errors"
[ "$bad" -eq 0 ]
