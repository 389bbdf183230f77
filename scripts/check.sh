#!/usr/bin/env bash
# Everything that must hold before a change goes in: build without warnings, format, structure, clang-tidy, ABI, the CPU's tests
# under the sanitizers, races between threads, and last all tests but the slow ones. Every step runs even where an earlier one
# failed; the exit status is 0 only if all held. Options by environment:
#     LEGATO_CHECK_BUILD          build folder, from where the script is called (build-check in the repository)
#     LEGATO_CHECK_JOBS           jobs at a time (number of processors)
#     LEGATO_CHECK_SANITIZE=0     without the sanitizers
#     LEGATO_CHECK_TIDY=0         without clang-tidy
#     LEGATO_CHECK_SLOW=1         slow tests too: statistics of long runs, with fixed seeds
#     LEGATO_CHECK_WEEKLY=1       slow tests, a million runs of each fuzz target, what the documents claim, faults planted
#                                 one at a time, and what is killed and restarted under the sanitizers too
#     LEGATO_CHECK_CMAKE_ARGS     further arguments for CMake, such as -DLEGATO_CUDA=OFF
set -euo pipefail
build=${LEGATO_CHECK_BUILD:+$(realpath -m -- "$LEGATO_CHECK_BUILD")}
cd "$(dirname "$(realpath "$0")")/.."
build=${build:-$PWD/build-check}
jobs=${LEGATO_CHECK_JOBS:-$(nproc)}
weekly=${LEGATO_CHECK_WEEKLY:-0}
# Two tests at a time, each with threads of its own: those that wait must not take the processors from the others.
export OMP_WAIT_POLICY=passive OPENBLAS_NUM_THREADS=1
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
  # One architecture, the device's own, keeps the check short; a release compiles for all that LegatoOptions.cmake names.
  [ -z "${CUDACXX:-$(command -v nvcc || true)}" ] || cuda=("-DCMAKE_CUDA_ARCHITECTURES=${capability:-90}")
  # shellcheck disable=SC2086
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLEGATO_WERROR=ON "${cuda[@]}" ${LEGATO_CHECK_CMAKE_ARGS:-}
}

compile() { cmake --build "$build" -j "$jobs"; }

abi() { tests/abi/compare.sh "$build/capi/liblegato.so"; }

# tests BUILD [OPTION]...
tests() { ctest --test-dir "$1" --output-on-failure --no-label-summary --no-tests=error -j 2 "${@:2}"; }

# Compiled in half the time of RelWithDebInfo's own options, and still told by file and line; innermost loops keep -O3. The build
# before has judged the warnings.
sanitize() {
  local options="-O1 -g1" restart=(-E restart)
  cmake -S . -B "$build/sanitize" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DLEGATO_SANITIZE=ON -DLEGATO_CUDA=OFF \
    -DLEGATO_BENCHMARKS=OFF -DLEGATO_EXAMPLES=OFF -DCMAKE_C_FLAGS_RELWITHDEBINFO="$options" \
    -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="$options" -DCMAKE_Fortran_FLAGS_RELWITHDEBINFO="$options"
  cmake --build "$build/sanitize" -j "$jobs"
  # Killing and restarting is a matter of files, and takes long here.
  [ "$weekly" = 0 ] || restart=()
  tests "$build/sanitize" -LE slow "${restart[@]}"
}

# Races between threads: the tests that have many. Their sums are those of the build before, so that nothing else is run.
races() {
  local options="-O1 -g1" room targets=(guest parallel_test)
  for room in tmm dfr kpm vmc ising; do targets+=("${room}_threads" "${room}_threads_serial"); done
  cmake -S . -B "$build/races" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DLEGATO_SANITIZE=thread -DLEGATO_CUDA=OFF \
    -DLEGATO_BENCHMARKS=OFF -DLEGATO_EXAMPLES=OFF -DCMAKE_C_FLAGS_RELWITHDEBINFO="$options" \
    -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="$options" -DCMAKE_Fortran_FLAGS_RELWITHDEBINFO="$options"
  cmake --build "$build/races" -j "$jobs" --target "${targets[@]}"
  tests "$build/races" -R '^(guest_many_threads|parallel_test|.*_(dropin_threads|serial_realisations))$'
}

run_tests() {
  local slow=(-LE slow)
  [ "${LEGATO_CHECK_SLOW:-0}$weekly" = 00 ] || slow=()
  [ "$weekly" = 0 ] || export LEGATO_FUZZ_RUNS=1000000 LEGATO_FUZZ_SEED=$((10#$(date +%Y%m%d)))
  tests "$build" "${slow[@]}"
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

  # Last, so that the summary of the tests ends the output where all went well.
  echo; echo "== tests"
  run_tests || failed+=(tests)
fi
[ ${#skipped[@]} -eq 0 ] || { echo; echo "check: skipped: ${skipped[*]}"; }
if [ ${#failed[@]} -gt 0 ]; then
  echo; echo "check: FAILED: ${failed[*]}"
  exit 1
fi
