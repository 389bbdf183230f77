#!/usr/bin/env bash
# microcanonical.sh PROGRAM: tests lattices that keep their energy. Averages and errors of four of them are compared
# with the enumeration of 4 x 4 sites, by Student's distribution with three degrees of freedom. A single lattice has no
# errors. The beta of the demons is tested, too.
set -eu
. "$(dirname "$(realpath "$0")")/../../driver.sh"
find_program "$@"
cd "$scratch"
# run SEED REPLICAS: runs the program.
run() {
  label="seed $1, $2 lattices"
  cat > run.inp <<INPUT
$label
 \$lattice extents = 4, 4 \$end
 \$model betas = 0.3 \$end
 \$run algorithm = 'demon_microcanonical', seed = $1, start = 'random', replicas = $2, thermalisation = 200,
   measurements_per_bin = 50, bins = 8 \$end
 \$output plotname = 'run', time_series = F \$end
INPUT
  "$program" run.inp > out 2> err || wrong "exit status $?"
}
: > deviations
for seed in $(seq 101 140); do
  run "$seed" 4
  numbers run_table.dat | awk '{ print ($8 + 0.844054074) / $9 }' >> deviations
  grep -q '^ *beta of the demons: 0\.[0-9]*, error [0-9]' out || wrong "no beta of the demons: $(tail -n 5 out)"
  grep '^# beta of the demons ' run_table.dat | awk '{ print ($5 - 0.3) / $6 }' >> deviations_of_beta
  if grep -q warning out; then wrong "$(grep -m 1 warning out)"; fi
done
# On average 2 of 40 numbers exceed 3.18, and 0.4 exceed 5.84. More than 6 and 2 occur once in a hundred times.
for file in deviations deviations_of_beta; do
  awk -v file=$file '{ a = $1 < 0 ? -$1 : $1; far += a > 3.182; farther += a > 5.841 }
    END { printf "%s: %d of %d beyond 95 %%, %d beyond 99 %%\n", file, far, NR, farther; exit !(NR == 40 && far <= 6 && farther <= 2) }' $file ||
    wrong "$file: errors are too small"
done
run 5 1
numbers run_table.dat | awk '{ exit !($3 == -1 && $5 == -1 && $7 == -1 && $9 == -1 && $11 == -1) }' || wrong "has errors: $(numbers run_table.dat)"
grep -q 'warning: .* single microcanonical lattice' out || wrong "no warning: $(tail -n 4 out)"
grep -q '^# beta of the demons .* -1\.0*E+000$' run_table.dat || wrong "beta has an error: $(grep '^# beta of' run_table.dat)"
[ "$bad" -eq 0 ]
