#!/usr/bin/env bash
# Writes capi/abi/liblegato.abi from the public headers. It describes the ABI, and every later state is compared with it
# (docs/abi.md). Run the script at a release that has additions, and after a decided break.
set -eu
cd "$(dirname "$(realpath "$0")")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tests/abi/describe.sh "$scratch/liblegato.so"
mkdir -p capi/abi
abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed "$scratch/liblegato.so" \
  --out-file capi/abi/liblegato.abi
echo "abi_baseline: $(grep -c '<function-decl' capi/abi/liblegato.abi) functions written to capi/abi/liblegato.abi"
