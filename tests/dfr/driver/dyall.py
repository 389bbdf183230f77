#!/usr/bin/env python3
"""dyall.py LIBLEGATO: scripts/reproduce/dyall_sets.py computes the rows of Ne and Ar in the record, from another start.

Dyall's errors must agree with the record to all its digits, and Legato's to 1e-4 of the error, because another start ends
elsewhere within the tolerance. Numbers of functions with another sum are refused. Without the Python package
basis_set_exchange the test is skipped (exit status 77).
"""
import subprocess
import sys
from pathlib import Path

try:
    import basis_set_exchange  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

ROOT = Path(__file__).resolve().parents[3]
COMMAND = [sys.executable, ROOT / "scripts/reproduce/dyall_sets.py", sys.argv[1], "--sets", "dyall-v2z", "--start",
           ROOT / "data/basis/hennessey.json"]


def rows_of(text):
    """For each element and set: functions, limit, and Dyall's and Legato's errors, restricted and extended."""
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return {(row[0], row[1]): (row[2], *(float(row[k]) for k in (3, 4, 5, 7, 8))) for row in rows}


def main():
    record = rows_of((ROOT / "benchmarks/results/2026-11-28-dfr-dyall.dat").read_text())
    found = rows_of(subprocess.run([*COMMAND, "--elements", "Ne,Ar"], check=True, capture_output=True, text=True).stdout)
    assert sorted(found) == [("Ar", "dyall-v2z"), ("Ne", "dyall-v2z")], found
    for key, (functions, limit, *errors) in found.items():
        expected = record[key]
        assert functions == expected[0] and abs(limit - expected[1]) < 5e-11 * abs(limit), (key, functions, limit)
        for error, known, tolerance in zip(errors, expected[2:], (2e-6, 2e-6, 1e-4, 1e-4)):
            assert abs(error - known) < tolerance * known, (key, errors, expected)
    refused = subprocess.run([*COMMAND, "--elements", "Ne", "--functions", "9,6"], check=False, capture_output=True, text=True)
    message = "dyall_sets: --functions 9,6 is not 2 numbers with the sum 16, as in dyall-v2z of Ne\n"
    assert refused.returncode == 1 and refused.stderr == message, refused


if __name__ == "__main__":
    main()
