#!/usr/bin/env bash
# Writes capi/abi/liblegato.abi, the description of the ABI that every later state is compared with (docs/abi.md), from the
# public headers. Run it for additions at a release, and for a break that was decided.
set -eu
cd "$(dirname "$(realpath "$0")")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tests/abi/describe.sh "$scratch/liblegato.so"
mkdir -p capi/abi
abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed "$scratch/liblegato.so" \
  --out-file capi/abi/liblegato.abi
echo "abi_baseline: $(grep -c '<function-decl' capi/abi/liblegato.abi) functions written to capi/abi/liblegato.abi"
