#!/usr/bin/env python3
"""gpu_would.py BUILD METHOD PROBLEM...: prints the speed-up by a GPU, if there is none that the build can use.

It comes from the newest record of relinked programs on a GPU, for these inputs (names without .inp) and the same two
mains. Prints nothing if there is no record.
"""
import json
import os
import subprocess
import sys
from pathlib import Path


def reason(build):
    """Why there is no GPU for this build. Empty if there is one."""
    try:
        subprocess.run(["nvidia-smi", "-L"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return "no GPU here"
    with_cuda = "LEGATO_CUDA:BOOL=ON" in (build / "CMakeCache.txt").read_text().splitlines()
    return "" if with_cuda else "a GPU is here, but no CUDA in this build (nvcc compiles it)"


def main():
    build, method, *problems = sys.argv[1:]
    why = reason(Path(build))
    records = sorted(Path(os.environ.get("LEGATO_DEMO_RECORDS", "benchmarks/results")).glob("*-relinked-demo.json"))
    if not why or not records:
        return
    record = json.loads(records[-1].read_text())
    for row in record["rows"]:
        problem = row["problem"].removesuffix(".inp")
        if (row["room"], row["backend"]) == (method, "cuda") and problem in problems:
            print(f"    {why}: with an {record['gpu']} the same main on Legato was {row['ratio']:.3g} times as fast as "
                  f"the serial program on one core of its host ({problem}, {record['date']})")


if __name__ == "__main__":
    main()
