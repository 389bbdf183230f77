#!/usr/bin/env bash
# fuzz.sh [RUNS]: builds the fuzz targets (build.sh) and runs each RUNS times (LEGATO_FUZZ_RUNS, 5000) from its seeds. Needs the
# packages clang, libclang-rt-dev and libomp-dev, and is skipped (77) without them. Options by environment:
#     LEGATO_FUZZ_BUILD      build folder (build-fuzz); findings are left in it, one folder a target
#     LEGATO_FUZZ_SEED       another sequence of mutations (1)
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
  findings=$PWD/$name/     # a whole path, for the parsers run in another folder
  # libFuzzer measures wall time, which says little on a busy machine. So an input of more than 10 s is kept, and must take
  # less when it runs alone.
  again() {
    for unit in "$name"/slow-unit-*; do
      [ ! -e "$unit" ] || { ./"$target" -timeout=10 "$unit" >> "$name/log" 2>&1 && rm "$unit"; } || return 1
    done
  }
  # First the corpus as it is, then onwards from it.
  ./"$target" -runs=0 "-artifact_prefix=$findings" "${options[@]}" "corpus-$name" "${target}_seed_corpus" > "$name/log" 2>&1 &&
    ./"$target" -runs="$runs" -seed="${LEGATO_FUZZ_SEED:-1}" "-artifact_prefix=$findings" "${options[@]}" "corpus-$name" \
      "${target}_seed_corpus" > "$name/log" 2>&1 && again ||
    { tail -40 "$name/log"; echo "fuzz: $name FAILED, see $build/$name"; exit 1; }
  echo "fuzz: $name: $(sed -n 's/^Done //p' "$name/log"), corpus of $(ls "corpus-$name" | wc -l)"
done
