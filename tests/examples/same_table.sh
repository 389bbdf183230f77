#!/usr/bin/env bash
# same_table.sh EXAMPLE PROGRAM PROGRAM: checks that both programs print the same table, as expected, and their
# progress. The first one, in C, must fail if it cannot print. The second one, in Fortran, must stop with one line after
# an error of the library.
set -eu
here=$(dirname "$(realpath "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$2" > "$scratch/1" 2> "$scratch/progress_1"
"$3" > "$scratch/2" 2> "$scratch/progress_2"
cat "$scratch/1"
diff "$scratch/1" "$scratch/2"
"$here/good_table.py" "$1" "$scratch/1"
grep -Eq 'of [0-9]+ (points|atoms|basis sets|vectors|bins)' "$scratch/progress_1"
grep -Eq 'of [0-9]+ (points|atoms|basis sets|vectors|bins)' "$scratch/progress_2"
if "$2" > /dev/full 2> "$scratch/err"; then echo "same_table: a full disk goes unnoticed" >&2; exit 1; fi
grep -q 'cannot be written' "$scratch/err"
if LEGATO_BACKEND=none "$3" > "$scratch/out" 2> "$scratch/err"; then echo "same_table: an error goes unnoticed" >&2; exit 1; fi
if [ "$(wc -l < "$scratch/err")" != 1 ] || ! grep -q LEGATO_BACKEND "$scratch/err"; then cat "$scratch/err"; exit 1; fi
