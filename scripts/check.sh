#!/usr/bin/env bash
# Checks what must hold before a change goes in: the build without warnings, format, structure, clang-tidy and ABI, the
# CPU tests under the sanitizers, races between threads, and at the end all tests except the slow ones. Every step runs,
# even if an earlier one has failed. The exit status is 0 only if all steps succeed. Environment variables are the
# options:
#     LEGATO_CHECK_BUILD          build folder, relative to the current folder (default: build-check in the repository)
#     LEGATO_CHECK_JOBS           number of parallel jobs (default: number of processors)
#     LEGATO_CHECK_SANITIZE=0     leaves out the sanitizers
#     LEGATO_CHECK_TIDY=0         leaves out clang-tidy
#     LEGATO_CHECK_SLOW=1         adds the slow tests: statistics of long runs, with fixed seeds
#     LEGATO_CHECK_WEEKLY=1       adds the slow tests, those that are labelled weekly, a million runs of each fuzz
#                                 target, the claims of the documents, faults planted one at a time, and restarted
#                                 programs and long computations under the sanitizers
#     LEGATO_CHECK_CMAKE_ARGS     further arguments for CMake, such as -DLEGATO_CUDA=OFF
set -euo pipefail
build=${LEGATO_CHECK_BUILD:+$(realpath -m -- "$LEGATO_CHECK_BUILD")}
cd "$(dirname "$(realpath "$0")")/.."
build=${build:-$PWD/build-check}
jobs=${LEGATO_CHECK_JOBS:-$(nproc)}
weekly=${LEGATO_CHECK_WEEKLY:-0}
# Two tests with threads run at a time. Waiting threads of one must not take the processors from the other.
export OMP_WAIT_POLICY=passive OPENBLAS_NUM_THREADS=1
# ccache compiles only what has changed since an earlier check, in any clone. Tests that build use it as well.
if command -v ccache > /dev/null; then
  export CMAKE_{C,CXX,CUDA}_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
  export CCACHE_IGNOREOPTIONS="-Xcompiler=-ffile-prefix-map=*"     # of nvcc; ccache knows the one of gcc
fi
failed=() skipped=()

step() {
  local name=$1 began=$SECONDS
  shift
  echo; echo "== $name"
  # A subshell, so that the first failing command ends the step.
  set +e
  (set -e; "$@")
  local status=$?
  set -e
  if [ $status -eq 0 ]; then echo "-- $name: passed in $((SECONDS - began)) s"
  elif [ $status -eq 77 ]; then echo "-- $name: skipped"; skipped+=("$name")
  else echo "-- $name: FAILED after $((SECONDS - began)) s"; failed+=("$name"); fi
  return 0
}
failed_step() { [[ " ${failed[*]-} " == *" $1 "* ]]; }

configure() {
  local cuda=() capability
  capability=$(scripts/compute_capability.sh)
  # The check compiles only for the architecture of the device, to save time. A release compiles for all in
  # LegatoOptions.cmake.
  [ -z "${CUDACXX:-$(command -v nvcc || true)}" ] || cuda=("-DCMAKE_CUDA_ARCHITECTURES=${capability:-90}")
  # shellcheck disable=SC2086
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLEGATO_WERROR=ON "${cuda[@]}" ${LEGATO_CHECK_CMAKE_ARGS:-}
}

compile() { cmake --build "$build" -j "$jobs"; }

abi() { tests/abi/compare.sh "$build/capi/liblegato.so"; }

# tests BUILD [OPTION]...: runs ctest.
tests() { ctest --test-dir "$1" --output-on-failure --no-label-summary --no-tests=error -j 2 "${@:2}"; }

# With these options the build takes half the time of RelWithDebInfo, and reports still name file and line. Innermost
# loops keep -O3. The first build has checked the warnings.
sanitize() {
  local options="-O1 -g1" left_out=(-LE "slow|weekly" -E restart)
  cmake -S . -B "$build/sanitize" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DLEGATO_SANITIZE=ON -DLEGATO_CUDA=OFF \
    -DLEGATO_BENCHMARKS=OFF -DLEGATO_EXAMPLES=OFF -DCMAKE_C_FLAGS_RELWITHDEBINFO="$options" \
    -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="$options" -DCMAKE_Fortran_FLAGS_RELWITHDEBINFO="$options"
  cmake --build "$build/sanitize" -j "$jobs"
  # The tests that kill and restart programs concern files, and take long with the sanitizers.
  [ "$weekly" = 0 ] || left_out=(-LE slow)
  tests "$build/sanitize" "${left_out[@]}"
}

# Finds races between threads. Only tests with many threads are run, because the other builds have checked the numbers.
races() {
  local options="-O1 -g1" method
  local targets=(guest parallel_test ising_clusters_test ranks_communicator_test ranks_kpm_test ranks_kpm_slabs_test)
  for method in tmm dfr kpm vmc ising; do targets+=("${method}_threads" "${method}_threads_serial"); done
  cmake -S . -B "$build/races" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DLEGATO_SANITIZE=thread -DLEGATO_CUDA=OFF \
    -DLEGATO_BENCHMARKS=OFF -DLEGATO_EXAMPLES=OFF -DCMAKE_C_FLAGS_RELWITHDEBINFO="$options" \
    -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="$options" -DCMAKE_Fortran_FLAGS_RELWITHDEBINFO="$options"
  cmake --build "$build/races" -j "$jobs" --target "${targets[@]}"
  tests "$build/races" -R \
    '^(guest_many_threads|(parallel|ising_clusters)_test|ranks_(communicator|kpm|kpm_slabs)_test|.*_(dropin_threads|serial_realisations))$'
}

run_tests() {
  local left_out=(-LE slow)
  [ "${LEGATO_CHECK_SLOW:-0}" = 0 ] || left_out=(-LE weekly)
  [ "$weekly" = 0 ] || left_out=()
  [ "$weekly" = 0 ] || export LEGATO_FUZZ_RUNS=1000000 LEGATO_FUZZ_SEED=$((10#$(date +%Y%m%d)))
  tests "$build" "${left_out[@]}"
}

step set-up scripts/setup.sh
failed_step set-up && exit 1
step configure configure
failed_step configure && exit 1
step build compile
step format tools/style.py format
step structure tools/structure.py
[ "${LEGATO_CHECK_TIDY:-1}" = 0 ] || step clang-tidy tools/style.py tidy "$build" --jobs "$jobs"
if ! failed_step build; then
  step ABI abi
  [ "${LEGATO_CHECK_SANITIZE:-1}" = 0 ] || step sanitizers sanitize
  [ "${LEGATO_CHECK_SANITIZE:-1}" = 0 ] || step races races
  [ "$weekly" = 0 ] || step claims tools/claims.py "$build"
  [ "$weekly" = 0 ] || step mutation tests/mutation/mutate.py --folder "$build/mutation" --jobs "$jobs"

  # The tests come last, so that their summary ends the output if all steps succeed.
  echo; echo "== tests"
  run_tests || failed+=(tests)
fi
[ ${#skipped[@]} -eq 0 ] || { echo; echo "check: skipped: ${skipped[*]}"; }
if [ ${#failed[@]} -gt 0 ]; then
  echo; echo "check: FAILED: ${failed[*]}"
  exit 1
fi
