#!/usr/bin/env bash
# reference_numbers.sh PROGRAM [slow]: compares averages with exact ones, in units of the standard error. Those of 4 x 4
# and 2 x 2 sites come from an enumeration of all configurations. `slow` adds 32 x 32 and 64 x 64 sites, from B.
# Kaufman, Phys. Rev. 76, 1232 (1949).
set -eu
. "$(dirname "$(realpath "$0")")/../../driver.sh"
find_program "$@"
slow=${2:-}
cd "$scratch"
compared=0 squares=0

# sample LENGTH BETAS ALGORITHM GENERATOR REPLICAS MEASUREMENTS: runs the program.
sample() {
  label="L = $1, $3, $4"
  cat > run.inp <<INPUT
$label
 \$lattice extents = $1, $1 \$end
 \$model betas = $2 \$end
 \$run algorithm = '$3', generator = '$4', start = 'random', replicas = $5, thermalisation = 2000,
   measurements_per_bin = $6, bins = 32 \$end
 \$output plotname = 'run', time_series = F \$end
INPUT
  "$program" run.inp > out || wrong "exit status $?"
  if grep -q warning out; then wrong "$(grep -m 1 warning out)"; fi
}
# is BETA COLUMN EXPECTED MOST: checks an average to 4 standard errors, which must not exceed MOST. Columns: 2 <|m|>, 4
# chi, 6 U, 8 e, 10 c.
is() {
  local off
  off=$(awk -v b="$1" -v c="$2" -v x="$3" -v most="$4" '!/^#/ && $1 - b < 1e-9 && b - $1 < 1e-9 && $(c + 1) > 0 && $(c + 1) < most {
    print ($(c) - x) / $(c + 1) }' run_table.dat)
  compared=$((compared + 1))
  squares=$(awk -v s="$squares" -v d="${off:-0}" 'BEGIN { print s + d^2 }')
  awk -v d="$off" 'BEGIN { exit !(d != "" && d < 4 && d > -4) }' ||
    wrong "beta = $1, column $2 is off by \"$off\" errors: $(grep -v '^#' run_table.dat | awk -v c="$2" '{ print $1, $(c), $(c + 1) }')"
}
# enumeration prints the table of 4 x 4 sites, enumeration_of_four that of 2 x 2 sites.
enumeration() {
  is 0.3       2 0.520358003 2e-3; is 0.3       4 1.389989531 5e-3; is 0.3       6 0.412028291 2e-3
  is 0.3       8 -0.844054074 3e-3; is 0.3      10 0.440992654 3e-3
  is 0.4406868 2 0.843860456 2e-3; is 0.4406868 4 0.788135280 1e-2; is 0.4406868 6 0.617199323 1e-3
  is 0.4406868 8 -1.565623814 3e-3; is 0.4406868 10 0.783266813 6e-3
  is 0.6       2 0.972867450 5e-4; is 0.6       4 0.102831716 4e-3; is 0.6       6 0.660753564 2e-4
  is 0.6       8 -1.908069528 2e-3; is 0.6      10 0.315553797 7e-3
}
enumeration_of_four() {
  is 0.1  2 0.487101361 1e-3; is 0.1  4 0.538232484 2e-3; is 0.1  6 0.311971050 1e-3
  is 0.1  8 -0.409507459 3e-3; is 0.1 10 0.042627662 2e-4
  is 0.3  2 0.760970947 1e-3; is 0.3  4 0.493848442 2e-3; is 0.3  6 0.555127606 1e-3
  is 0.3  8 -1.277612005 3e-3; is 0.3 10 0.347521776 1e-3
}
for generator in marsaglia_zaman park_miller park_miller_48271 philox; do
  sample 4 '0.3, 0.4406868, 0.6' metropolis $generator 4 2000; enumeration
done
for algorithm in demon_naive demon_binomial; do
  sample 4 '0.3, 0.4406868, 0.6' $algorithm marsaglia_zaman 32 500; enumeration
done
# In a quarter of the states of 2 x 2 sites no flip changes the energy. Metropolis leaves these states slowly.
for algorithm in demon_naive demon_binomial; do
  sample 2 '0.1, 0.3' $algorithm marsaglia_zaman 32 1000; enumeration_of_four
done
# cold ALGORITHM: exp(beta E) overflows for some or all levels; no demon has energy, all spins stay up.
cold() {
  label="cold, $1"
  cat > run.inp <<INPUT
$label
 \$lattice extents = 4, 4 \$end
 \$model betas = 44, 45, 50, 200, 1000 \$end
 \$run algorithm = '$1', thermalisation = 100, measurements_per_bin = 10 \$end
 \$output plotname = 'run', time_series = F \$end
INPUT
  timeout 20 "$program" run.inp > out || { wrong "exit status $?"; return 0; }
  numbers run_table.dat | awk '{ if ($2 != 1 || $4 != 0 || $8 != -2 || $10 != 0) bad = 1 } END { exit bad || NR != 5 }' ||
    wrong "other numbers than those of spins that all are up: $(numbers run_table.dat)"
}
for algorithm in metropolis demon_naive demon_binomial demon_microcanonical; do
  cold $algorithm
done
if [ -n "$slow" ]; then
  sample 32 '0.40, 0.4406868' metropolis marsaglia_zaman 4 20000
  is 0.40 8 -1.107291661 5e-4; is 0.40 10 0.8858125 5e-3; is 0.4406868 8 -1.433658528 2e-3; is 0.4406868 10 1.8467674 2e-2
  sample 64 '0.46' metropolis marsaglia_zaman 4 5000
  is 0.46 8 -1.581175865 5e-4; is 0.46 10 1.2536903 2e-2
  sample 32 '0.40' demon_binomial marsaglia_zaman 32 1000
  is 0.40 8 -1.107291661 1e-3; is 0.40 10 0.8858125 1e-2
fi
echo "reference_numbers: $compared numbers, $bad wrong; mean square deviation $(awk -v s="$squares" -v n=$compared \
  'BEGIN { printf "%.2f", s / n }') squared errors"
[ "$bad" -eq 0 ]
