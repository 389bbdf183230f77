#!/usr/bin/env bash
# coverage.sh [BUILD]: line coverage of the ordinary tests, on the CPU, for each folder of capi, cpp and fortran.
# BUILD (build-coverage in the repository) keeps the instrumented build. Needs gcovr (package gcovr).
set -euo pipefail
build=$(realpath -m -- "${1:-$(dirname "$(realpath "$0")")/../build-coverage}")
cd "$(dirname "$(realpath "$0")")/.."
export OMP_WAIT_POLICY=passive OPENBLAS_NUM_THREADS=1

command -v gcovr > /dev/null || { echo "coverage: gcovr is not installed (package gcovr)" >&2; exit 1; }
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLEGATO_CUDA=OFF -DLEGATO_COVERAGE=ON -DLEGATO_BENCHMARKS=OFF
cmake --build "$build" -j "${LEGATO_CHECK_JOBS:-$(nproc)}"
find "$build" -name '*.gcda' -delete
ctest --test-dir "$build" -LE 'slow|gpu' -j 2 --output-on-failure --no-label-summary
gcovr --root . --object-directory "$build" --filter 'capi/' --filter 'cpp/' --filter 'fortran/' --exclude 'build' \
  --gcov-ignore-parse-errors --json-summary "$build/coverage.json" > /dev/null
python3 - "$build/coverage.json" << 'END'
import json, sys
from collections import defaultdict
lines = defaultdict(lambda: [0, 0])
for file in json.load(open(sys.argv[1]))["files"]:
    folder = "/".join(file["filename"].split("/")[:2]) if file["filename"].startswith("cpp") else file["filename"].split("/")[0]
    for name in (folder, "all"):
        lines[name][0] += file["line_covered"]
        lines[name][1] += file["line_total"]
for name in sorted(lines, key=lambda name: (name == "all", name)):
    covered, total = lines[name]
    print(f"{name:<16} {covered:6d} of {total:6d} lines  {100 * covered / total:5.1f} %")
END
