#!/usr/bin/env python3
"""reproducible.py PROGRAM: the same input gives the same bytes, and another seed other numbers.

A chain must not depend on the number of chains, nor on whether they are counted as chains or as seeds. Files must have
the given name. selfrac has no effect.
"""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, lines, number, rows  # noqa: E402

KINDS = ("energy", "averages", "chains")
LARGE = """The largest energies
 $model L = 3, x = 0.2, t = -1.0e6, Jex = 1.0e6 $end
 $sampling nMarkov = 1, neqlsweeps = 5, nsweeps = 20, nbins = 1 $end
"""


def compute(program, name, chains, seeds, seed, selfrac=0.75):
    return driver.succeed(program, f"""Two holes
 $model L = 5 $end
 &sampling nMarkov = {chains}, naveseeds = {seeds}, iseedseed = {seed}, neqlsweeps = 20, nsweeps = 300, nbins = 6,
    neifrac = 0.3, selfrac = {selfrac} &end
 $output plotname = '{name}' /
""", f"{name}.inp")


def check_files():
    for kind in KINDS:
        first = Path(f"first_{kind}.dat").read_text()
        check(Path(f"again_{kind}.dat").read_text().replace("again", "first") == first,
              f"{kind}: other bytes when run again")
        for name in "six", "select":
            check(lines(f"{name}_{kind}.dat") == lines(f"first_{kind}.dat"), f"{kind}: other numbers in {name}")
        check(lines(f"other_{kind}.dat") != lines(f"first_{kind}.dat"), f"{kind}: another seed, the same numbers")


def check_numbers():
    chains, bins = lines("first_chains.dat"), rows("first_energy.dat")
    check(lines("one_chains.dat") == chains[:1], "the first of six chains is not the same alone")
    check(len({chain[1] for chain in chains}) == 6, "two chains are the same")
    check(len(bins) == 6, f"{len(bins)} bins")
    # The mean up to the last bin is that of the averages, with its error.
    mean, error = bins[-1][3:5]
    value, its_error = rows("first_averages.dat")[0][1:3]
    check(abs(mean - value) < 1e-13 and abs(error / its_error - 1) < 1e-9, "the running mean")
    for _, _, _, *sites in chains:
        check(len(sites) == len(set(sites)) == 24 and all(0 <= int(site) <= 25 for site in sites),
              f"electrons where none can be: {sites}")


def check_large(program):
    """All numbers that an input can cause must fit into the output."""
    output = driver.succeed(program, LARGE)
    check("*" not in output, f"asterisks for numbers: {output}")
    averages = {name: number(value) for name, value, *_ in lines("vmc_averages.dat")}
    for name in "energy", "kinetic", "exchange":
        value, error = re.search(rf"^   {name} +(\S+) +(\S+)", output, re.M).groups()
        expected = averages[name]
        check(abs(number(value) / expected - 1) < 1e-12 and abs(expected) > 9999 and error == "unknown",
              f"{name}: {value} {error}, {expected}")
    driver.has("autocorrelation time unknown$", output)


def main():
    program, = driver.start(1, "PROGRAM")
    output = compute(program, "first", 3, 2, 5)
    driver.has(r"autocorrelation time [0-9.]+ sweeps$", output)
    compute(program, "again", 3, 2, 5)
    compute(program, "six", 6, 1, 5)
    compute(program, "select", 3, 2, 5, selfrac=0.1)
    compute(program, "other", 3, 2, 6)
    compute(program, "one", 1, 1, 5)
    check_files()
    check_numbers()
    check_large(program)
    driver.end("reproducible")


if __name__ == "__main__":
    main()
