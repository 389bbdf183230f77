#!/usr/bin/env bash
# not_a_number.sh PROGRAM: checks that NaN in place of a number counts as a difference in the comparisons of other
# tests.
set -eu
. "$(dirname "$(realpath "$0")")/common.sh"
find_program "$@"
cd "$scratch"
cat > spoiling <<END
#!/bin/sh
"$program" || exit
sed -i "s/, *[^,]*\(,[^,]*, [01] }\)/, NaN\1/" Avg-*.raw
END
chmod +x spoiling

grep -v '^#' "$here/reference_numbers.dat" | head -n 1 > list
"$here/reference_numbers.sh" "$program" list || fail "reference_numbers.sh differs as it is"
! "$here/reference_numbers.sh" ./spoiling list || fail "reference_numbers.sh took NaN for a number"

mkdir sound spoilt
for case in "sound $program" "spoilt ../spoiling"; do
  (cd "${case% *}" && write_input && "${case#* }" > stdout) || fail "${case#* } failed"
done
"$here/compare_runs.sh" sound sound && "$here/compare_runs.sh" spoilt spoilt || fail "compare_runs.sh differs from itself"
! "$here/compare_runs.sh" sound spoilt || fail "compare_runs.sh took NaN for a number"
! "$here/compare_runs.sh" spoilt sound || fail "compare_runs.sh took a number for NaN"
