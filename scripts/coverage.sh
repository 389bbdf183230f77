#!/usr/bin/env bash
# coverage.sh [BUILD]: prints the coverage of lines and branches by the ordinary tests on the CPU, for each folder of
# capi, cpp and fortran. It fails if the coverage is below the target. Branches that the compiler adds to calls for
# exceptions do not count. The tests of failures, ABI, installation, killed runs and limits of the host are left out,
# because they take long and would add little. BUILD (default: build-coverage in the repository) keeps the instrumented
# build. Needs the package gcovr.
set -euo pipefail
build=$(realpath -m -- "${1:-$(dirname "$(realpath "$0")")/../build-coverage}")
cd "$(dirname "$(realpath "$0")")/.."
export OMP_WAIT_POLICY=passive OPENBLAS_NUM_THREADS=1

command -v gcovr > /dev/null || { echo "coverage: gcovr is not installed (package gcovr)" >&2; exit 1; }
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLEGATO_CUDA=OFF -DLEGATO_COVERAGE=ON -DLEGATO_BENCHMARKS=OFF
cmake --build "$build" -j "${LEGATO_CHECK_JOBS:-$(nproc)}"
find "$build" -name '*.gcda' -delete
ctest --test-dir "$build" -LE 'slow|gpu' -E '^(failures|abi|install|random_calls)|restart|limits|optimisation' -j 2 --output-on-failure --no-label-summary
gcovr --root . --object-directory "$build" --filter 'capi/' --filter 'cpp/' --filter 'fortran/' --exclude 'build' \
  --exclude-throw-branches --exclude-unreachable-branches --gcov-ignore-parse-errors \
  --json-summary "$build/coverage.json" > /dev/null
tools/coverage_table.py "$build/coverage.json"
