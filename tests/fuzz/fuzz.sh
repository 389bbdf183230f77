#!/usr/bin/env bash
# fuzz.sh [SECONDS]: builds the fuzz targets with clang and runs each for SECONDS (LEGATO_FUZZ_SECONDS, 10) from a corpus made here. Needs the
# packages clang, libclang-rt-dev and libomp-dev, and is skipped (77) without them. Options by environment:
#     LEGATO_FUZZ_BUILD      build folder (build-fuzz); findings are left in it, one folder a target
set -eu
seconds=${1:-${LEGATO_FUZZ_SECONDS:-10}} source=$(dirname "$(realpath "$0")")/../..
build=${LEGATO_FUZZ_BUILD:-$source/build-fuzz}
mkdir -p "$build"
cd "$build"

echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' > probe.cpp
clang++ -fopenmp -fsanitize=fuzzer,address,undefined probe.cpp -o probe > probe.log 2>&1 ||
  { echo "fuzz: skipped, clang cannot link libFuzzer or OpenMP here"; exit 77; }
command -v gfortran > /dev/null || { echo "fuzz: skipped, no gfortran"; exit 77; }

cmake -S "$source" -B . -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
  -DLEGATO_FUZZ=ON -DLEGATO_WERROR=ON -DLEGATO_CUDA=OFF -DLEGATO_TESTS=OFF -DLEGATO_BENCHMARKS=OFF -DLEGATO_EXAMPLES=OFF > cmake.log ||
  { tail cmake.log; exit 1; }
cmake --build . --target state_file_fuzz input_fuzz > build.log || { tail -30 build.log; exit 1; }

# fuzz TARGET [OPTION]...: first the corpus as it is, then onwards from it.
fuzz() {
  local target=$1
  shift
  mkdir -p $target
  ./tests/fuzz/$target -runs=0 "$@" corpus-$target > $target/log 2>&1 &&
    ./tests/fuzz/$target -max_total_time="$seconds" -seed=1 -artifact_prefix=$target/ "$@" corpus-$target > $target/log 2>&1 ||
    { tail -40 $target/log; echo "fuzz: $target FAILED, see $build/$target"; exit 1; }
  echo "fuzz: $target: $(sed -n 's/^Done //p' $target/log), corpus of $(ls corpus-$target | wc -l)"
}

mkdir -p corpus-input_fuzz corpus-state_file_fuzz
cp "$source"/legacy_drivers/tmm/inputs/*.inp corpus-input_fuzz
sed -n 's/^ *\([A-Za-z0-9]*\) *=.*/"\1"/p' "$source"/legacy_drivers/tmm/inputs/demo.inp > dictionary
fuzz input_fuzz -dict=dictionary -max_len=8000 -only_ascii=0 -close_fd_mask=2
LEGATO_FUZZ_CORPUS=corpus-state_file_fuzz fuzz state_file_fuzz -max_len=20000 -malloc_limit_mb=256
