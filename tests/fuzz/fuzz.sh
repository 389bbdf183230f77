#!/usr/bin/env bash
# fuzz.sh [RUNS]: builds the fuzz targets (build.sh) and runs each RUNS times from its seeds. The default of RUNS is
# LEGATO_FUZZ_RUNS, or 5000. The test needs the packages clang, libclang-rt-dev and libomp-dev, and is skipped (77)
# without them. Environment variables are the options:
#     LEGATO_FUZZ_BUILD      build folder (default: build-fuzz); it keeps the findings, in a folder for each target
#     LEGATO_FUZZ_SEED       seed of the mutations (default: 1)
set -eu
runs=${1:-${LEGATO_FUZZ_RUNS:-5000}} here=$(dirname "$(realpath "$0")")
build=${LEGATO_FUZZ_BUILD:-$here/../../build-fuzz}
mkdir -p "$build"
cd "$build"

echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' > probe.cpp
clang++ -fopenmp -fsanitize=fuzzer,address,undefined probe.cpp -o probe > probe.log 2>&1 ||
  { echo "fuzz: skipped, clang cannot link libFuzzer or OpenMP here"; exit 77; }
command -v gfortran > /dev/null || { echo "fuzz: skipped, no gfortran"; exit 77; }
rm -rf out
WORK=$PWD OUT=$PWD/out "$here/build.sh" > build.log 2>&1 || { tail -30 build.log; exit 1; }

# Reports of memory errors name the 8 innermost calls of each allocation. The default, 30, costs a tenth of the time.
export ASAN_OPTIONS=malloc_context_size=8${ASAN_OPTIONS:+:$ASAN_OPTIONS}
for target in out/*_fuzz; do
  name=${target#out/} options=(-timeout=300 -report_slow_units=10 -malloc_limit_mb=256 -max_len=40000 -close_fd_mask=2)
  [ ! -e "$target.dict" ] || options+=("-dict=$target.dict")
  mkdir -p "$name" "corpus-$name"
  findings=$PWD/$name/     # an absolute path, because the parsers run in another folder
  # libFuzzer measures wall time, which is unreliable on a busy machine. An input that takes more than 10 s is therefore
  # run again alone, and must then take less.
  again() {
    for unit in "$name"/slow-unit-*; do
      [ ! -e "$unit" ] || { ./"$target" -timeout=10 "$unit" >> "$name/log" 2>&1 && rm "$unit"; } || return 1
    done
  }
  # The corpus is run first, and then mutated.
  ./"$target" -runs=0 "-artifact_prefix=$findings" "${options[@]}" "corpus-$name" "${target}_seed_corpus" > "$name/log" 2>&1 &&
    ./"$target" -runs="$runs" -seed="${LEGATO_FUZZ_SEED:-1}" "-artifact_prefix=$findings" "${options[@]}" "corpus-$name" \
      "${target}_seed_corpus" > "$name/log" 2>&1 && again ||
    { tail -40 "$name/log"; echo "fuzz: $name FAILED, see $build/$name"; exit 1; }
  echo "fuzz: $name: $(sed -n 's/^Done //p' "$name/log"), corpus of $(ls "corpus-$name" | wc -l)"
done
