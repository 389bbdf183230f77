#!/usr/bin/env python3
"""reference_numbers.py PROGRAM [LIST]: every point of LIST, which is reference_numbers.dat without an argument.

Iteration counts must be the same, exponents and errors agree to 1e-10 relative or 1e-11 absolute. LEGATO_TEST_RELATIVE
sets another relative bound, such as 1e-9 with LEGATO_BACKEND=cuda.
"""
import itertools
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check  # noqa: E402
from runs import Comparison, changed, data, results  # noqa: E402

BOUNDARIES = {"hard": 0, "periodic": 1, "antiperiodic": 2}


def compare(program, comparison, point, known):
    """`known` are the rows of the list: dimension, boundary, width, disorder, energy, count, index, exponent, error."""
    dimension, boundary, width, disorder, energy, count = point
    driver.label = " ".join(point)
    files, _ = results(program, changed(
        f"NOfIter=1000000000 IDimenFlag={dimension} IBCFlag={BOUNDARIES[boundary]} Width0={width} Width1={width} "
        f"IFluxFlag=1 DiagDis0={disorder} DiagDis1={disorder} Energy0={energy} Energy1={energy} Epsilon=0.5E-2"))
    end, = data(files.pop("stdout"))
    check(end.count == int(count), f"k = {end.count}")
    raw, = files.values()
    rows = {line.text: line for line in data(raw)}
    for *_, index, exponent, error in known:
        row = rows.get(f"row {index}, flag 0")
        check(row and comparison.same_number(row.exponent, exponent) and comparison.same_number(row.error, error),
              f"row {index}: {row}, expected {exponent}, {error}")


def main():
    program, *name = driver.start(1, "PROGRAM [LIST]")
    known = driver.lines(Path(__file__).parent / (name or ["reference_numbers.dat"])[0])
    comparison = Comparison(float(os.environ.get("LEGATO_TEST_RELATIVE", "1e-10")))
    number = 0
    for point, rows in itertools.groupby(known, lambda row: row[:6]):
        compare(program, comparison, point, rows)
        number += 1
    driver.end_of_runs("reference_numbers", number, f"largest deviation {comparison.worst:.2e} relative, ")


if __name__ == "__main__":
    main()
