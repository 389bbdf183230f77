#!/usr/bin/env python3
"""growth.py SERIAL LEGATO: bars at strong disorder with more and more multiplications between two orthonormalisations.

The columns grow apart by a factor of up to about 1e13. If the library prints no warning, the program has the iteration
counts of the serial program, and its exponents within 1e-6. If precision is lost, the library prints one warning. Both
cases must occur. WIDTHS are the widths of the bars (7 8).
"""
import itertools
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, has  # noqa: E402
from runs import Comparison, changed, results  # noqa: E402


def main():
    serial, legato = driver.start(2, "SERIAL LEGATO")
    comparison = Comparison(1e-6, 1e-6)
    quiet = warned = 0
    for width, disorder, multiplications in itertools.product(os.environ.get("WIDTHS", "7 8").split(), (8.5, 16.5),
                                                              (4, 10, 16, 20)):
        driver.label = f"M = {width}, W = {disorder}, {multiplications} multiplications"
        text = changed(f"IDimenFlag=3 Width0={width} Width1={width} DiagDis0={disorder} DiagDis1={disorder} "
                       f"Energy1=0.0 NOfOrtho={multiplications} Epsilon=0.04")
        expected, _ = results(serial, text)
        files, messages = results(legato, text)
        if messages:
            warned += 1
            has("legato warning: .*NOfOrtho", messages)
            check(messages.count("\n") == 1, f"more than one warning: {messages}")
            check(multiplications > 10, "a false alarm")
        else:
            quiet += 1
            comparison.compare(expected, files)
    driver.label = ""
    check(quiet and warned, f"{quiet} inputs without the warning, {warned} with it")
    driver.end_of_runs("growth", quiet + warned, f"{warned} with the warning, ")


if __name__ == "__main__":
    main()
