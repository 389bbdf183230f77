#!/usr/bin/env bash
# same_averages.sh SERIAL LEGATO: compares the same main on both, with different random numbers. Averages must agree to
# 4 standard errors of their difference, and errors to a factor of two.
set -eu
. "$(dirname "$(realpath "$0")")/../../driver.sh"
find_both "$@"
cd "$scratch"
runs=0
: > deviations
# both LATTICE MODEL RUN [COLUMNS [BINS]]: runs both programs and compares the columns.
both() {
  local name
  for name in serial legato; do
    cat > $name.inp <<INPUT
$*
 \$lattice $1 \$end
 \$model $2 \$end
 \$run thermalisation = 500, bins = ${5:-16}, $3 \$end
 \$output plotname = '$name', time_series = F \$end
INPUT
    "${!name}" $name.inp > $name.out
  done
  runs=$((runs + 1))
  paste <(grep -v '^#' serial_table.dat) <(grep -v '^#' legato_table.dat) | awk -v label="$*" -v columns="${4:-2 4 6 8 10}" '
    { k = split(columns, column); for (i = 1; i <= k; i++) { c = column[i]; n++
      s = sqrt($(c + 1)^2 + $(c + 12)^2); d = ($(c) - $(c + 11)) / s; print d >> "deviations"
      if (!(d < 4 && d > -4)) { print "  " label ": beta " $1 ", column " c " differs by " d " errors"; bad = 1 }
      r = $(c + 1) / $(c + 12); if (!(r < 2 && r > 0.5)) { print "  " label ": beta " $1 ", errors of " c ": ratio " r; bad = 1 } } }
    END { exit bad || !n }' || bad=$((bad + 1))
}
square='extents = 16, 16' cubic='dimensions = 3, extents = 8, 8, 8'
# Far below the critical temperature rare excursions determine the errors, so the bins are long.
for generator in marsaglia_zaman park_miller park_miller_48271; do
  both "$square" 'betas = 0.35, 0.44, 0.5' "generator = '$generator', replicas = 8, measurements_per_bin = 4000"
done
both "extents = 16, 16, boundary = 'antiperiodic', 'periodic'" 'betas = 0.4, 0.5' 'replicas = 8, measurements_per_bin = 500'
both "$square" 'betas = 0.4, field = 0.05' 'replicas = 8, measurements_per_bin = 500'
both "$cubic" 'betas = 0.2, 0.22165462' 'replicas = 8, measurements_per_bin = 500'
for algorithm in demon_naive demon_binomial; do
  both "$square" 'betas = 0.35, 0.42' "algorithm = '$algorithm', replicas = 32, measurements_per_bin = 200"
  both "$cubic" 'betas = 0.2' "algorithm = '$algorithm', replicas = 32, measurements_per_bin = 200"
done
both "$square" 'betas = 0.38' "algorithm = 'demon_binomial', refresh_interval = 4, replicas = 48, measurements_per_bin = 200"
# Each lattice keeps its energy, so it has a single bin.
both 'extents = 32, 32' 'betas = 0.35' "algorithm = 'demon_microcanonical', replicas = 96, measurements_per_bin = 200" '2 8' 1
awk -v runs=$runs -v bad=$bad '{ s += $1^2 } END {
  printf "same_averages: %d runs, %d averages, %d runs differ; mean square deviation %.2f squared errors\n", runs, NR, bad, s / NR }' deviations
[ "$bad" -eq 0 ] && [ "$runs" -eq 12 ]
