#!/usr/bin/env bash
# good_output.sh EXAMPLE PROGRAM: checks that the output is complete and as expected.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$2" > "$scratch/out"
"$(dirname "$(realpath "$0")")/good_table.py" "$1" "$scratch/out"
