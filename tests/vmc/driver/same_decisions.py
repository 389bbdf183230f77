#!/usr/bin/env python3
"""same_decisions.py SERIAL LEGATO: a chain of the same seed takes the same decisions in both programs.

Both must propose and accept the same numbers of moves in thousands of attempts, and have the electrons on the same
sites at the end. The energies of all bins must agree to 1e-9.
"""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check  # noqa: E402

# L, x, neifrac, sweeps, seed and other parameters of the model.
RUNS = [*((l, x, neifrac, sweeps, seed, "") for seed in (1, 13213, 2147483647)
          for l, x, neifrac, sweeps in (*((3, 0.2, share, 500) for share in (0.0, 0.5, 1.0)),
                                        *((5, 0.1, share, 400) for share in (0.0, 0.5, 1.0)),
                                        *((9, 0.1, share, 100) for share in (0.0, 0.5, 1.0)), (15, 0.1, 0.2, 40))),
        (5, 0.0, 0.5, 400, 7, ""),              # half filling: only exchanges
        (5, 0.3, 0.5, 400, 7, "tp = -0.3, tpp = 0.1"),
        (5, 0.1, 0.5, 400, 7, "tp = 2.0"),      # infinite amplitudes at both (0, 0) and (pi, pi)
        (5, 0.1, 0.5, 400, 7, "t = -1.0"),      # only at (pi, pi)
        (9, 0.9, 0.5, 400, 7, ""),
        (15, 0.1, 0.0, 200, 99, "")]            # 40800 attempts and more


def compare(programs, l, x, neifrac, sweeps, seed, more):
    """Returns the number of attempts, and by how much the energies of bins differ."""
    driver.label = f"L = {l}, x = {x}, neifrac = {neifrac}, seed {seed}, {more}"
    outputs = driver.both(programs, f"""One chain
 $model L = {l}, x = {x}, {more} $end
 $sampling nMarkov = 1, iseedseed = {seed}, neqlsweeps = 10, nsweeps = {sweeps}, nbins = 10, neifrac = {neifrac} $end
 $output plotname = 'NAME' $end
""")
    moves, other_moves = (re.search(r"^ Attempts.*?(?=^ Chains)", output, re.M | re.S)[0] for output in outputs)
    check(moves.count("\n") >= 7 and moves == other_moves, f"other moves: {moves}{other_moves}")
    sites, other_sites = (driver.lines(f"{name}_chains.dat")[0][3:] for name in ("serial", "legato"))
    check(len(sites) >= 8 and sites == other_sites, f"other sites: {sites}, {other_sites}")
    bins = list(zip(driver.rows("serial_energy.dat"), driver.rows("legato_energy.dat"), strict=True))
    differences = [abs(a[1] - b[1]) for a, b in bins]
    check(len(bins) == 10 and all(d < 1e-9 for d in differences), f"energies differ: {differences}")
    return sum(map(int, re.search(r"^ +all +(\d+) +(\d+)$", moves, re.M).groups())), max(differences)


def main():
    programs = driver.start(2, "SERIAL LEGATO")
    attempts, differences = zip(*(compare(programs, *run) for run in RUNS))
    driver.end_of_runs("same_decisions", len(RUNS),
                       f"{sum(attempts)} attempts, energies of bins within {max(differences):.2e}, ")


if __name__ == "__main__":
    main()
