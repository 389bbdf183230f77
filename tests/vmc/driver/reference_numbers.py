#!/usr/bin/env python3
"""reference_numbers.py PROGRAM [slow]: energies per site against enumerations of all configurations.

Here t = 1 and J = 0.3, and the amplitude is infinite at k = 0. "slow" adds 82 and 226 sites, with numbers that another
program has sampled.
"""
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, number  # noqa: E402

NAMES = ("energy", "kinetic", "exchange", "spin_spin")
# L, x, gap, Delta, mu, neifrac, sweeps and largest error. Then the averages, of which None is not compared.
ENUMERATED = (
    ((3, 0.0, "A", 1.5, 0.0, 0.5, 20000, 2e-3), -0.351689472877, 0.0, None, -0.336149121461),
    ((3, 0.0, "A", 1.0, -0.4, 0.0, 20000, 2e-3), -0.342009306532, None, None, -0.320015510887),
    ((3, 0.2, "A", 1.5, 0.0, 0.5, 20000, 3e-3), -0.632746826903, -0.436233654424, -0.196513172479, -0.170986233028),
    ((3, 0.2, "A", 1.0, -0.4, 1.0, 20000, 3e-3), -0.643252134921, -0.457293631707, -0.185958503214, -0.153755561156),
    ((3, 0.2, "B", 1.5, 0.0, 0.0, 20000, 3e-3), -0.587947218304, -0.371472456650, -0.216474761654, -0.203256771370),
    ((5, 0.1, "A", 1.5, 0.0, 0.0, 30000, 4e-4), -0.480060581975, -0.196534971401, -0.283525610574, -0.259554374833),
    ((5, 0.1, "B", 0.75, 0.0, 0.7, 30000, 4e-4), -0.480060581975, -0.196534971401),
    ((5, 0.0, "A", 1.5, 0.0, 0.5, 20000, 4e-4), -0.345997832763, None, None, -0.326663054605))
# Here an average is followed by its error.
SAMPLED = (
    ((9, 0.1, "A", 1.5, 0.0, 0.5, 100000, 2e-4),
     (-0.506139, 2.7e-5), (-0.238648, 3.7e-5), (-0.267490, 1.4e-5), (-0.241894, 2.2e-5)),
    ((15, 0.1, "A", 1.5, 0.0, 0.0, 20000, 3e-4),
     (-0.50401, 1.2e-4), (-0.23613, 1.6e-4), (-0.267872, 6e-5), (-0.242273, 9.2e-5)))


def compare(program, deviations, parameters, *expected):
    l, x, gap, delta, mu, neifrac, sweeps, largest = parameters
    driver.label = f"L = {l}, x = {x}, gap {gap}, Delta {delta}, mu {mu}, neifrac {neifrac}"
    driver.succeed(program, f"""{driver.label}
 $model L = {l}, x = {x} $end
 $state Delta = {delta}, mu = {mu}, gap = '{gap}' $end
 $sampling nMarkov = 4, neqlsweeps = 200, nsweeps = {sweeps}, nbins = 100, neifrac = {neifrac}, iseedseed = 2026 $end
""")
    averages = {name: list(map(number, words)) for name, *words in driver.lines("vmc_averages.dat")}
    _, error, of_chains = averages["energy"]
    check(0 < error <= largest and of_chains > 0, f"errors of the energy: {error}, {of_chains}")
    for name, known in zip(NAMES, expected):
        if known is not None:
            mean, its_error = known if isinstance(known, tuple) else (known, 0.0)
            value, error, _ = averages[name]
            deviations.add(name, value, mean, math.hypot(error, its_error))


def main():
    program, *slow = driver.start(1, "PROGRAM [slow]")
    deviations = driver.Deviations()
    for case in ENUMERATED + (SAMPLED if slow == ["slow"] else ()):
        compare(program, deviations, *case)
    driver.label = ""
    driver.end("reference_numbers", deviations)


if __name__ == "__main__":
    main()
