#!/usr/bin/env bash
# reproducible.sh PROGRAM: checks that the same input gives the same bytes, and another seed other numbers. Files must
# have the given name, and exist only if they are requested. Measurements, bins and averages must agree. All numbers
# must be readable.
set -eu
. "$(dirname "$(realpath "$0")")/../../driver.sh"
find_program "$@"
cd "$scratch"
# input NAME SEED ALGORITHM [MORE]: writes an input.
input() {
  cat > "$1.inp" <<INPUT
A small cubic lattice
 \$lattice dimensions = 3, extents = 4, 6, 8, boundary = 'periodic', 'antiperiodic', 'periodic' \$end
 &model betas = 0.15, 0.25 &end
 &run algorithm = '$3', seed = $2, start = 'random', replicas = 3, thermalisation = 10, sweeps_per_measurement = 2,
   measurements_per_bin = 5, bins = 4 &end
 \$output plotname = '$1' ${4:-} /
INPUT
  "$program" "$1.inp" > "$1.out" 2> "$1.err"
}

for algorithm in metropolis demon_naive demon_binomial demon_microcanonical; do
  input first 5 $algorithm ', configurations = T'
  input again 5 $algorithm ', configurations = T'
  input other 6 $algorithm ', configurations = T'
  for kind in table series spins; do
    cmp -s first_$kind.dat again_$kind.dat || wrong "$algorithm, $kind: other bytes when run again"
    if cmp -s <(numbers first_$kind.dat) <(numbers other_$kind.dat); then wrong "$algorithm, $kind: another seed, the same numbers"; fi
  done
  [ "$(numbers first_series.dat | wc -l)" -eq 120 ] || wrong "$algorithm: $(numbers first_series.dat | wc -l) measurements"
  # The last measurement of each lattice must be that of its spins. All replicas must differ. The table must have the
  # means.
  numbers first_series.dat | awk 'NR % 20 == 0 { print $1 + 0, $2, $3 }' > ends
  numbers first_spins.dat | awk '/beta/ { if (NR > 1) printf "%s %.15g\n", label, m / 192; label = $2 + 0 " " $3; m = 0; next }
    { if (length($1) != 4) m = 1e9; u = gsub(/\+/, "+"); m += 2 * u - 4 } END { printf "%s %.15g\n", label, m / 192 }' > ends_of_spins
  paste ends ends_of_spins | awk '{ d = $3 - $6; if ($1 != $4 || $2 != $5 || !(d < 1e-12 && d > -1e-12)) bad = 1 }
    END { exit bad || NR != 6 }' || wrong "$algorithm: spins do not have the magnetisation that was measured"
  [ "$(numbers first_series.dat | awk '{ print $1, $3, $4 }' | sort -u | wc -l)" -gt 60 ] || wrong "$algorithm: replicas repeat"
  numbers first_series.dat | awk '{ m[$1] += $3 > 0 ? $3 : -$3; e[$1] += $4; n[$1]++ } END { for (b in n) print b, m[b] / n[b], e[b] / n[b] }' |
    sort > means
  paste means <(numbers first_table.dat) | awk '{ a = $2 - $5; b = $3 - $11
    if (!(a < 2e-6 && a > -2e-6 && b < 2e-5 && b > -2e-5)) bad = 1 } END { exit bad || NR != 2 }' || wrong "$algorithm: the table has other means"
done
input few 5 metropolis ', time_series = F'
[ -f few_table.dat ] && [ ! -e few_series.dat ] && [ ! -e few_spins.dat ] || wrong "files that were not asked for"
cmp -s <(numbers few_table.dat) <(input first 5 metropolis; numbers first_table.dat) || wrong "files change the numbers"
# told LATTICE BETAS FIELD RUN: checks that all numbers fit into their columns, and that files have the betas of the
# input.
told() {
  label="betas = $2, field = $3"
  cat > told.inp <<INPUT
Numbers of any size
 \$lattice extents = $1 \$end
 \$model betas = $2, field = $3 \$end
 \$run start = 'random', thermalisation = 0, bins = 10, $4 \$end
 \$output plotname = 'told', configurations = T \$end
INPUT
  "$program" told.inp > told.out 2> told.err || wrong "exit status $?"
  if grep -m 1 -F '*' told.out told_*.dat; then wrong 'asterisks'; fi
  for kind in table series spins; do
    numbers told_$kind.dat | sed 's/^beta//' | awk '/[0-9]/ { print $1 + 0 }' | sort -gu | paste -sd, > betas
    [ "$(cat betas)" = "$2" ] || wrong "$kind: betas are $(cat betas)"
  done
}
told '4, 4' -1000,1e-09,1000 1e6 'measurements_per_bin = 2'
told '4, 4' -1000,1e-09,1000 -1e6 'measurements_per_bin = 2'
# The cumulant is large, because hardly any measurement has m > 0.
told '2, 2' -1000,1000 0 'replicas = 8, measurements_per_bin = 500'
echo "reproducible: $bad wrong"
[ "$bad" -eq 0 ]
