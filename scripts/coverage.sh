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
python3 - "$build/coverage.json" << 'END'
import json, sys
from collections import defaultdict
target = {"line": 97, "branch": 85}  # per cent of all

counts = defaultdict(lambda: defaultdict(int))
for file in json.load(open(sys.argv[1]))["files"]:
    folder = "/".join(file["filename"].split("/")[:2]) if file["filename"].startswith("cpp") else file["filename"].split("/")[0]
    for name in (folder, "all"):
        for key in ("line_covered", "line_total", "branch_covered", "branch_total"):
            counts[name][key] += file[key]

def percent(name, kind):
    return 100 * counts[name][kind + "_covered"] / max(1, counts[name][kind + "_total"])

for name in sorted(counts, key=lambda name: (name == "all", name)):
    of = counts[name]
    print(f"{name:<16} {percent(name, 'line'):5.1f} % of {of['line_total']:6d} lines  "
          f"{percent(name, 'branch'):5.1f} % of {of['branch_total']:6d} branches")
missed = [f"{kind}s: {percent('all', kind):.1f} %, target {least} %" for kind, least in target.items() if percent("all", kind) < least]
sys.exit("coverage: " + "; ".join(missed) if missed else 0)
END
