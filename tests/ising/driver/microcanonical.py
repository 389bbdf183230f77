#!/usr/bin/env python3
"""microcanonical.py PROGRAM: lattices that keep their energy.

Averages and errors of four of them are compared with the enumeration of 4 x 4 sites, by Student's distribution with
three degrees of freedom. A single lattice has no errors. The beta of the demons is tested, too.
"""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, has, number, rows  # noqa: E402

BETA = 0.3


def compute(program, seed, replicas):
    """The output, the row of the table, and the beta of the demons with its error."""
    driver.label = f"seed {seed}, {replicas} lattices"
    output = driver.succeed(program, f"""{driver.label}
 $lattice extents = 4, 4 $end
 $model betas = {BETA} $end
 $run algorithm = 'demon_microcanonical', seed = {seed}, start = 'random', replicas = {replicas}, thermalisation = 200,
   measurements_per_bin = 50, bins = 8 $end
 $output plotname = 'run', time_series = F $end
""")
    row, = rows("run_table.dat")
    beta = re.search(r"^# beta of the demons +(\S+) +(\S+)$", Path("run_table.dat").read_text(), re.M)
    return output, row, list(map(number, beta.groups()))


def check_distribution(name, deviations):
    """On average 2 of 40 numbers exceed 3.18, and 0.4 exceed 5.84. More than 6 and 2 occur once in a hundred times."""
    far, farther = (sum(not abs(off) <= limit for off in deviations) for limit in (3.182, 5.841))
    print(f"{name}: {far} of {len(deviations)} beyond 95 %, {farther} beyond 99 %")
    check(len(deviations) == 40 and far <= 6 and farther <= 2, f"{name}: errors are too small")


def main():
    program, = driver.start(1, "PROGRAM")
    energies, betas = [], []
    for seed in range(101, 141):
        output, row, (beta, error) = compute(program, seed, 4)
        energies.append((row[7] + 0.844054074) / row[8])
        betas.append((beta - BETA) / error)
        has(r"^ *beta of the demons: 0\.[0-9]*, error [0-9]", output)
        check("warning" not in output, output)
    check_distribution("energy", energies)
    check_distribution("beta of the demons", betas)
    output, row, (_, error) = compute(program, 5, 1)
    check(row[2::2] == 5 * [-1] and error == -1, f"has errors: {row}, beta {error}")
    has("warning: .* single microcanonical lattice", output)
    driver.end("microcanonical")


if __name__ == "__main__":
    main()
