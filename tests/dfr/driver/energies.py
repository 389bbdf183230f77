#!/usr/bin/env python3
"""energies.py PROGRAM [SERIAL]: the total energies of energies.dat to 1e-10.

A second program, the serial one, must have the same energy to 1e-10, the same orbital energies to 1e-8, and the same
number of iterations within one.
"""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, number  # noqa: E402

INPUTS = driver.INPUTS / "dfr/inputs"
KNOWN = {name: float(energy) for name, energy in driver.lines(Path(__file__).with_name("energies.dat"))}


def close(a, b):
    return abs(a - b) <= 1e-10 * abs(b)


def energy(output):
    return number(re.search(r"^ Total energy +(\S+)", output, re.M)[1])


def iterations(output):
    return int(re.search(r"^ Converged after (\d+)", output, re.M)[1])


def orbitals(output):
    """The energies of the spinors by their names."""
    found = re.findall(r"^ +(\d+[a-z]\S*) +\S+ +(\S+)", output[output.index("\n Spinor "):], re.M)
    return {name: number(energy) for name, energy in found}


def compare(output, by_serial):
    check(close(energy(output), energy(by_serial)), "another energy than the serial one")
    check(abs(iterations(output) - iterations(by_serial)) <= 1, "another number of iterations than the serial program")
    mine, others = orbitals(output), orbitals(by_serial)
    check(others and mine.keys() == others.keys()
          and all(abs(mine[name] - e) <= 1e-8 + 1e-11 * abs(e) for name, e in others.items()),
          f"other orbital energies: {mine}, {others}")


def main():
    program, *serial = driver.start(max(1, len(sys.argv) - 1), "PROGRAM [SERIAL]")
    for driver.label, expected in KNOWN.items():
        path = INPUTS / f"{driver.label}.inp"
        output, _ = driver.expect(0, program, path)
        check(close(energy(output), expected), f"{energy(output)}, expected {expected}")
        if serial:
            by_serial = driver.run(*serial, path)
            check(by_serial.returncode == 0, f"the serial program: exit status {by_serial.returncode}")
            compare(output, by_serial.stdout)
    driver.label = ""
    driver.end("energies", f"{driver.cases} atoms, ", least=9)


if __name__ == "__main__":
    main()
