#!/usr/bin/env python3
"""same_energies.py SERIAL LEGATO: the same main on both, with different seeds.

Averages must agree to 4 standard errors of their difference, and errors and acceptances to a few percent.
"""
import math
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, number  # noqa: E402

# L, x, neifrac, gap, sweeps and other parameters of the model.
RUNS = ((3, 0.2, 0.3, "B", 20000, ""), (5, 0.1, 0.0, "A", 10000, ""),
        (5, 0.3, 0.5, "A", 10000, "tp = -0.3, tpp = 0.1, Jex = 0.5"), (9, 0.1, 0.5, "A", 3000, ""))


def attempts(output):
    """The numbers of moves that had no effect or were accepted, of any site and of neighbours."""
    return [int(count) for pair in re.findall(r"^ +(?:null|accepted) +(\d+) +(\d+)$", output, re.M) for count in pair]


def compare(programs, deviations, l, x, neifrac, gap, sweeps, more):
    driver.label = f"L = {l}, x = {x}, neifrac = {neifrac}, gap {gap}, {more}"
    outputs = driver.both(programs, *(f"""Problem
 $model L = {l}, x = {x}, {more} $end
 $state gap = '{gap}' $end
 $sampling nMarkov = 8, iseedseed = {seed}, neqlsweeps = 100, nsweeps = {sweeps}, nbins = 50, neifrac = {neifrac} $end
 $output plotname = 'NAME' $end
""" for seed in (2, 3)))
    averages = list(zip(driver.lines("serial_averages.dat"), driver.lines("legato_averages.dat"), strict=True))
    check(len(averages) == 4, f"{len(averages)} averages")
    for serial, legato in averages:
        value, error = map(number, serial[1:3])
        other, its_error = map(number, legato[1:3])
        deviations.add(serial[0], other, value, math.hypot(error, its_error))
        check(error == 0 or 0.6 < its_error / error < 1.6, f"errors of {serial[0]}: {error}, {its_error}")
    ratios = [b / a for a, b in zip(*map(attempts, outputs), strict=True) if a > 3000]
    check(ratios and all(0.9 < ratio < 1.1 for ratio in ratios), f"other numbers of attempts: {ratios}")


if __name__ == "__main__":
    driver.compare_averages("same_energies", RUNS, compare)
