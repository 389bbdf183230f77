#!/usr/bin/env python3
"""same_spins.py SERIAL LEGATO: both programs have bitwise identical spins and measurements.

Both use the random numbers of the library. All files must have the same bytes.
"""
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check  # noqa: E402

RANDOM = "start = 'random'"
SHORT = "thermalisation = 7, sweeps_per_measurement = 3, measurements_per_bin = 4, bins = 5"
# Lattice, model and run.
RUNS = (
    ("extents = 34, 62", "betas = 0.44068679350977151", f"seed = 1, {SHORT}"),
    ("extents = 34, 62", "betas = 0.1, 0.44068679350977151, 0.9",
     f"seed = 2147483646, {RANDOM}, replicas = 3, {SHORT}"),
    ("extents = 66, 6, boundary = 'antiperiodic', 'periodic'", "betas = 0.5, 0.4", f"{RANDOM}, {SHORT}"),
    ("extents = 64, 10, boundary = 'periodic', 'antiperiodic'", "betas = 0.5", f"{RANDOM}, {SHORT}"),
    ("extents = 130, 4, boundary = 'antiperiodic', 'antiperiodic'", "betas = 0.2, 0.6", f"replicas = 2, {SHORT}"),
    ("extents = 34, 62", "betas = 0.3, 0.5, field = 0.3", f"{RANDOM}, {SHORT}"),
    ("extents = 4, 6", "betas = 0.4, field = -1.7", f"{RANDOM}, replicas = 5, {SHORT}"),
    ("extents = 2, 2", "betas = 0.4", f"{RANDOM}, replicas = 5, {SHORT}"),
    ("extents = 8, 8", "betas = -0.4, 0.3", f"{RANDOM}, {SHORT}"),
    ("extents = 12, 8", "betas = 1000.0, 1e-9, 1e-17", f"{RANDOM}, {SHORT}"),
    ("dimensions = 3, extents = 34, 6, 10", "betas = 0.22165462, 0.3", f"{RANDOM}, replicas = 2, {SHORT}"),
    ("dimensions = 3, extents = 8, 4, 6, boundary = 'antiperiodic', 'periodic', 'antiperiodic'", "betas = 0.25",
     f"{RANDOM}, replicas = 4, {SHORT}"),
    ("dimensions = 3, extents = 66, 8, 4, boundary = 2*'periodic', 'antiperiodic'", "betas = 0.2, field = 0.1", SHORT),
    ("extents = 64, 64", "betas = 0.3, 0.44, 0.6",
     f"{RANDOM}, thermalisation = 0, measurements_per_bin = 100, bins = 10"),
    ("extents = 256, 254", "betas = 0.44",
     "thermalisation = 100, sweeps_per_measurement = 20, measurements_per_bin = 2, bins = 5"))


def results(program, text):
    """The messages and the files."""
    Path("run.inp").write_text(text)
    ended = driver.run(program, "run.inp")
    check(ended.returncode == 0, ended.stderr)
    files = [Path(f"ising_{kind}.dat") for kind in ("table", "series", "spins")]
    contents = [file.read_text() for file in files]
    for file in files:
        file.unlink()
    return ended.stderr, contents


def compare(programs, lattice, model, run):
    """Returns the input and the number of spins."""
    driver.label = f"{lattice}, {model}, {run}"
    text = f"""The same run
 $lattice {lattice} $end
 $model {model} $end
 $run generator = 'philox', {run} $end
 $output configurations = T $end
"""
    (_, serial), (messages, legato) = (results(program, text) for program in programs)
    check("Philox" not in messages, messages)
    for name, mine, other in zip(("table", "series", "spins"), serial, legato):
        check(mine == other, name)
    return text, len(re.findall("[+-]", re.sub("^(#|beta).*", "", serial[2], flags=re.M)))


def check_other_generator(serial, legato, text):
    """If the input names another generator, the library says which random numbers it uses."""
    text = text.replace("'philox'", "'park_miller'")
    driver.label = "another generator"
    warned = re.findall("^legato warning: .* Philox, not .* generator = park_miller$", results(legato, text)[0], re.M)
    check(len(warned) == 1, f"{len(warned)} warnings")
    os.environ["LEGATO_LOG"] = "error"
    check(results(legato, text)[0] == "", "not silent")
    del os.environ["LEGATO_LOG"]
    check(results(serial, text)[0] == "", "serial: not silent")


def main():
    programs = driver.start(2, "SERIAL LEGATO")
    spins = 0
    for run in RUNS:
        text, number = compare(programs, *run)
        spins += number
    check(spins > 100000, f"only {spins} spins")
    check_other_generator(*programs, text)
    driver.end_of_runs("same_spins", len(RUNS), f"{spins} spins at their ends, ")


if __name__ == "__main__":
    main()
