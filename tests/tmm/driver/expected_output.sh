#!/usr/bin/env bash
# expected_output.sh PROGRAM [OPTION]...: runs PROGRAM on every input of legacy_drivers/tmm except the long demo, and
# compares the results with those of the serial program in expected/. Processors and layouts round differently, and ten
# multiplications at strong disorder amplify the differences. The default tolerance allows for that. Options are those
# of compare_runs.sh.
set -eu
. "$(dirname "$(realpath "$0")")/common.sh"
find_program "$@"
shift

runs=0
for input in "$inputs"/*.inp; do
  name=$(basename "$input" .inp)
  [ "$name" != demo ] || continue
  runs=$((runs + 1))
  mkdir "$scratch/$name"; cd "$scratch/$name"
  cp "$input" tmseXd.inp
  "$program" > stdout || fail "$program failed on $name"
  "$here/compare_runs.sh" -r 1e-7 -a 1e-9 "$@" "$here/expected/$name" . > comparison || { echo "$name"; cat comparison; bad=$((bad + 1)); }
done
echo "expected_output: $runs inputs, $bad differ"
[ "$runs" -gt 0 ] && [ "$bad" -eq 0 ]
