#!/usr/bin/env bash
# same_table.sh PROGRAM PROGRAM: both print the same table of 11 points with an error of a hundredth or less.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$1" > "$scratch/1" 2> "$scratch/progress"
"$2" > "$scratch/2" 2>> "$scratch/progress"
cat "$scratch/1"
diff "$scratch/1" "$scratch/2"
awk 'NR > 1 && $2 > 0 && $3 > 0 && $3 <= 0.0101 * $2 + 0.0005 { ++good } END { exit good != 11 }' "$scratch/1"
grep -q "of 11 points" "$scratch/progress"
