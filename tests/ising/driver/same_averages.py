#!/usr/bin/env python3
"""same_averages.py SERIAL LEGATO: the same main on both, with different random numbers.

Averages must agree to 4 standard errors of their difference, and errors to a factor of two.
"""
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, rows  # noqa: E402

SQUARE, CUBIC = "extents = 16, 16", "dimensions = 3, extents = 8, 8, 8"
SHORT = "replicas = 8, measurements_per_bin = 500"
COLUMNS = (1, 3, 5, 7, 9)
# Lattice, model, run, and if they are others, the compared columns of the table and the number of bins.
RUNS = (
    # Far below the critical temperature rare excursions determine the errors, so the bins are long.
    *((SQUARE, "betas = 0.35, 0.44, 0.5", f"generator = '{generator}', replicas = 8, measurements_per_bin = 4000")
      for generator in ("marsaglia_zaman", "park_miller", "park_miller_48271")),
    ("extents = 16, 16, boundary = 'antiperiodic', 'periodic'", "betas = 0.4, 0.5", SHORT),
    (SQUARE, "betas = 0.4, field = 0.05", SHORT), (CUBIC, "betas = 0.2, 0.22165462", SHORT),
    *((lattice, model, f"algorithm = '{algorithm}', replicas = 32, measurements_per_bin = 200")
      for algorithm in ("demon_naive", "demon_binomial")
      for lattice, model in ((SQUARE, "betas = 0.35, 0.42"), (CUBIC, "betas = 0.2"))),
    (SQUARE, "betas = 0.38",
     "algorithm = 'demon_binomial', refresh_interval = 4, replicas = 48, measurements_per_bin = 200"),
    # Each lattice keeps its energy, so it has a single bin.
    ("extents = 32, 32", "betas = 0.35",
     "algorithm = 'demon_microcanonical', replicas = 96, measurements_per_bin = 200", (1, 7), 1))


def compare(programs, deviations, lattice, model, run, columns=COLUMNS, bins=16):
    driver.label = f"{lattice}, {model}, {run}"
    driver.both(programs, f"""Averages
 $lattice {lattice} $end
 $model {model} $end
 $run thermalisation = 500, bins = {bins}, {run} $end
 $output plotname = 'NAME', time_series = F $end
""")
    tables = list(zip(rows("serial_table.dat"), rows("legato_table.dat"), strict=True))
    check(tables, "no averages")
    for serial, legato in tables:
        for column in columns:
            error, its_error = serial[column + 1], legato[column + 1]
            name = f"beta {serial[0]}, column {column + 1}"
            deviations.add(name, legato[column], serial[column], math.hypot(error, its_error))
            check(0.5 < error / its_error < 2, f"{name}: errors {error}, {its_error}")


if __name__ == "__main__":
    driver.compare_averages("same_averages", RUNS, compare)
