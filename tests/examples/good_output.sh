#!/usr/bin/env bash
# good_output.sh EXAMPLE PROGRAM: what it prints is complete and what was to be expected.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$2" > "$scratch/out"
"$(dirname "$(realpath "$0")")/good_table.sh" "$1" "$scratch/out"
