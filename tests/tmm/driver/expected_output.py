#!/usr/bin/env python3
"""expected_output.py PROGRAM: every input of legacy_drivers/tmm except the long demo.

The results are compared with those of the serial program in expected/. Processors and layouts round differently, and
ten multiplications at strong disorder amplify the differences. The bounds allow for that.
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from runs import Comparison, results  # noqa: E402


def main():
    program, = driver.start(1, "PROGRAM")
    inputs = [path for path in sorted((driver.INPUTS / "tmm/inputs").glob("*.inp")) if path.stem != "demo"]
    comparison = Comparison(1e-7, 1e-9)
    for path in inputs:
        driver.label = path.stem
        expected = sorted((Path(__file__).parent / "expected" / path.stem).iterdir(), reverse=True)
        comparison.compare({each.name: each.read_text() for each in expected}, results(program, path.read_text())[0])
    driver.end_of_runs("expected_output", len(inputs), f"largest deviation {comparison.worst:.2e} relative, ")


if __name__ == "__main__":
    main()
