#!/usr/bin/env bash
# compare.sh LIBRARY: checks that the shared library exports exactly what the public headers declare, and that the
# headers agree with the saved description of the ABI (docs/abi.md). New functions are allowed; any other change fails.
# Exit status 77: skipped, because libabigail is missing.
set -eu
here=$(dirname "$(realpath "$0")")
if ! command -v abidiff > /dev/null; then
  echo "skipped: abidiff (package abigail-tools) is not installed"
  exit 77
fi
library=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$here/describe.sh" "$scratch/liblegato.so"

# Prints kind and name of all exported symbols, including weak, unique and data symbols, without the variables of
# describe.sh.
symbols() { nm -D --defined-only "$1" | awk '$3 !~ /^legato_abi_/ { print $2, $3 }' | LC_ALL=C sort; }
symbols "$scratch/liblegato.so" > "$scratch/declared"
symbols "$library" > "$scratch/exported"
[ -s "$scratch/declared" ] || { echo "No function is declared" >&2; exit 1; }
if ! diff "$scratch/declared" "$scratch/exported"; then
  echo "The library exports (>) other symbols than the headers declare (<)" >&2
  exit 1
fi

status=0
abidiff --no-added-syms "$here/../../capi/abi/liblegato.abi" "$scratch/liblegato.so" || status=$?
if [ $status -eq 0 ]; then
  echo "the ABI is as described, additions aside"
  exit 0
fi
# Bits of the status: 1 and 2 are errors of the tool, 4 is a change, 8 an incompatible one. From 128 on it is a signal.
if [ $((status & 3)) -ne 0 ] || [ $status -ge 128 ]; then
  echo "abidiff itself failed (status $status)" >&2
  exit 1
fi
echo "The ABI has changed. If that is meant: see docs/abi.md, then scripts/abi_baseline.sh" >&2
exit 1
