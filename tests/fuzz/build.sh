#!/usr/bin/env bash
# build.sh: builds the fuzz targets with clang into $OUT, with a folder of seeds and a dictionary for each, in the form
# of OSS-Fuzz:
#     <method>_input_fuzz    the parser of a program's input file: tmm dfr kpm vmc ising
#     basis_file_fuzz    files of basis sets
#     <kind>_state_fuzz    a kind of state file: these and dfr_optimiser dfr_pruner dfr_reducer vmc_optimiser
# Environment variables with the names of OSS-Fuzz are the options:
#     OUT        output folder (default: build-fuzz/out)
#     WORK       build folder (default: build-fuzz)
set -eu
source=$(realpath "$(dirname "$(realpath "$0")")/../..")
work=${WORK:-$source/build-fuzz} out=${OUT:-$source/build-fuzz/out}
mkdir -p "$work" "$out"
# One instruction set and little optimisation suffice: the targets read input files and state files.
cmake -S "$source" -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
  -DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -DLEGATO_HAS_X86_64_LEVELS=OFF -DLEGATO_FUZZ=ON -DLEGATO_WERROR=ON -DLEGATO_CUDA=OFF -DLEGATO_TESTS=OFF -DLEGATO_BENCHMARKS=OFF -DLEGATO_EXAMPLES=OFF
cmake --build "$work" --target state_file_fuzz basis_file_fuzz {tmm,dfr,kpm,vmc,ising}_input_fuzz

for method in tmm dfr kpm vmc ising; do
  target=$out/${method}_input_fuzz
  cp "$work/tests/fuzz/${method}_input_fuzz" "$target"
  mkdir -p "${target}_seed_corpus"
  cp "$source"/legacy_drivers/$method/inputs/*.inp "${target}_seed_corpus"
  # The dictionary has names before '=', groups, and words in quotation marks.
  grep -hoE "^ *[A-Za-z0-9]+ *=|[$][a-z]+|'[a-z_]+'" "${target}_seed_corpus"/*.inp | tr -d ' =' | sort -u | sed 's/.*/"&"/' > "$target.dict"
done
for kind in tmm dfr_optimiser dfr_pruner dfr_reducer kpm vmc vmc_optimiser ising; do
  target=$out/${kind}_state_fuzz
  cp "$work/tests/fuzz/state_file_fuzz" "$target"
  mkdir -p "${target}_seed_corpus"
  LEGATO_FUZZ_SEEDS=${target}_seed_corpus "$target" -runs=0
done
# The first byte of a seed is the format.
target=$out/basis_file_fuzz
cp "$work/tests/fuzz/basis_file_fuzz" "$target"
mkdir -p "${target}_seed_corpus"
number=0
for extension in json nw gbs dalton; do
  for file in "$source"/tests/dfr/basis/*."$extension"; do
    { printf "\\$(printf %03o "$number")"; cat "$file"; } > "${target}_seed_corpus/$(basename "$file")"
  done
  number=$((number + 1))
done
