#!/usr/bin/env bash
# same_table.sh EXAMPLE PROGRAM PROGRAM: both print the same table, a good one, and their progress.
set -eu
here=$(dirname "$(realpath "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$2" > "$scratch/1" 2> "$scratch/progress_1"
"$3" > "$scratch/2" 2> "$scratch/progress_2"
cat "$scratch/1"
diff "$scratch/1" "$scratch/2"
"$here/good_table.sh" "$1" "$scratch/1"
grep -Eq 'of [0-9]+ (points|atoms|basis sets)' "$scratch/progress_1"
grep -Eq 'of [0-9]+ (points|atoms|basis sets)' "$scratch/progress_2"
