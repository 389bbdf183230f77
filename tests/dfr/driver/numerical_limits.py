#!/usr/bin/env python3
"""numerical_limits.py LIMITS PRINT_1S: limits of dfr_limits against numerical calculations and exact solutions, and refusals."""
import math
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, has, is_refusal  # noqa: E402

C = 137.0359895
# Numerical Dirac-Fock and Hartree-Fock energies, with all digits that are known; those of tests/dfr/large_basis_test.cpp.
DIRAC_FOCK = {"He": "-2.861813342", "C": "-37.676044322", "O": "-74.824999833", "Ne": "-128.691969515", "Ar": "-528.684450719",
              "Cr": "-1049.598848994", "Xe": "-7447.162761961", "Rn": "-23611.192830600"}
HARTREE_FOCK = {"He": "-2.861679996", "Ne": "-128.5470981", "Ar": "-526.8175128"}

GAUSSIAN_NUCLEUS = {"Hg": "-19648.896156"}


def table(*arguments, status=0):
    """Limit, error and number of functions for each element and charge."""
    output, messages = driver.expect(status, limits, *arguments)
    check(status != 0 or messages == "", messages)
    rows = [line.split() for line in output.splitlines() if not line.startswith("#")]
    return {(row[0], int(row[1])): (float(row[2]), float(row[3]), int(row[4])) for row in rows}


def spinors(name):
    """Charges, names, electrons, and pairs of a limit and its error, of all spinors in a file."""
    for words in (line.split() for line in Path(name).read_text().splitlines() if not line.startswith("#")):
        numbers = [float(word) for word in words[4:]]
        yield words[0], int(words[1]), words[2], float(words[3]), list(zip(numbers[::2], numbers[1::2]))


def test_known_energies():
    for known, most, options in ((DIRAC_FOCK, 8e-11, ("--nucleus", "point", "--c", str(C))),
                                 (HARTREE_FOCK, 3e-11, ("--nonrelativistic", "--nucleus", "point")),
                                 (GAUSSIAN_NUCLEUS, 5e-12, ("--c", str(C)))):
        found = table("--elements", ",".join(known), *options)
        check(len(found) == len(known), f"{found}")
        for name, digits in known.items():
            driver.label = name
            limit, error, _ = found[name, 0]
            half_a_digit = 0.5 * 10.0 ** -len(digits.split(".")[1])
            check(abs(limit - float(digits)) <= error + half_a_digit, f"{limit} +- {error}, expected {digits}")
            check(error <= most * abs(limit), f"error {error}")


def test_lost_files():
    """Results stay where there is room for them, and a message names the file."""
    driver.label = "a limit of the file size"
    output, messages = driver.expect(1, limits, "--elements", "He-Ar", "--orbitals", "spinors.txt", file_size=4)
    has(r"^dfr_limits: spinors\.txt\.part: File too large$", messages)
    check(messages.count("\n") == 1 and output.count("\n") == 19, messages + output)
    check(not list(Path().glob("spinors.txt*")), "an unfinished file remains")
    driver.label = "standard output is full"
    with open("/dev/full", "w") as full:
        _, messages = driver.expect(1, limits, "--elements", "He", "--orbitals", "spinors.txt", stdout=full)
    has("^dfr_limits: standard output: No space left", messages)
    check(len(list(spinors("spinors.txt"))) == 1, "the spinors are lost")


def exact(charge, c):
    """Energy, <r^-2>, <r^-1>, <r>, <r^2>, <r^3>, <r^4> of 1s1/2 in the field of a point charge."""
    gamma = math.sqrt(1 - (charge / c)**2)
    moments = [math.gamma(2 * gamma + 1 + k) / math.gamma(2 * gamma + 1) / (2 * charge)**k for k in (-2, -1, 1, 2, 3, 4)]
    return [-charge**2 / (1 + gamma), *moments]


def check_one_electron(charge, expected, *options):
    """Energy, energy of the spinor and, if they are expected, its moments. The error of the energy is returned."""
    (limit, error, _), = table("--elements", str(charge), "--charges", str(charge - 1), *options, "--orbitals", "one.txt").values()
    (_, _, name, electrons, pairs), = spinors("one.txt")
    check(abs(limit - expected[0]) <= error, f"{limit} +- {error}, expected {expected[0]}")
    check(name == "1s1/2" and electrons == 1, f"{name}: {electrons}")
    if math.isnan(pairs[0][1]):
        return error
    for (found, uncertain), value in zip(pairs, expected):
        digit = 5.1e-12 * abs(value)     # the last one of the file
        check(abs(found - value) <= uncertain + digit, f"{found} +- {uncertain}, expected {value}")
        check(uncertain < 1e-3 * abs(value), f"{found} +- {uncertain}")
    return error


def test_one_electron():
    """Every fifth element, or all of them with LEGATO_TEST_ALL_ELEMENTS=1."""
    step = 1 if os.environ.get("LEGATO_TEST_ALL_ELEMENTS") == "1" else 5
    of_gaussian = {int(z): float(energy) for z, energy in (line.split() for line in driver.expect(0, print_1s)[0].splitlines())}
    for charge in sorted({*range(1, 119, step), 2, 55, 97, 98, 118}):
        driver.label = f"one electron, point nucleus, Z = {charge}"
        values = exact(charge, C)
        error = check_one_electron(charge, values, "--nucleus", "point", "--c", str(C))
        check(error < (5e-11 if charge < 98 else 2e-7) * abs(values[0]), f"error {error}")
        driver.label = f"one electron, Gaussian nucleus, Z = {charge}"
        error = check_one_electron(charge, [of_gaussian[charge]])
        check(error < 1e-11 * abs(of_gaussian[charge]), f"error {error}")


def test_ions():
    driver.label = "ions"
    found = table("--elements", "H,Be,Fe", "--charges", "0:2", "--orbitals", "ions.txt")
    check(list(found) == [("H", 0), ("Be", 0), ("Be", 1), ("Be", 2), ("Fe", 0), ("Fe", 1), ("Fe", 2)], f"{list(found)}")
    check(all(found[name, q][0] < found[name, q + 1][0] for name in ("Be", "Fe") for q in (0, 1)), "energies")
    electrons = {}
    for element, charge, name, number, _ in spinors("ions.txt"):
        shells = electrons.setdefault((element, charge), {})
        shells[name[:2]] = shells.get(name[:2], 0) + number
    for ion, shells in electrons.items():
        check(abs(sum(shells.values()) + ion[1] - {"H": 1, "Be": 4, "Fe": 26}[ion[0]]) < 1e-3, f"{ion}: {shells}")
    check([round(electrons["Fe", q].get(shell, 0)) for q in range(3) for shell in ("3d", "4s")] == [6, 2, 6, 1, 6, 0], f"{electrons}")


def test_anions():
    """The electron is added to the subshell of which the next element has more electrons."""
    driver.label = "anions"
    added = {"Li": "2s", "C": "2p", "Cl": "3p", "Ti": "3d", "Cr": "4s"}
    found = table("--elements", ",".join(added), "--charges", "-1:0", "--orbitals", "anions.txt")
    check(list(found) == [(name, q) for name in added for q in (-1, 0)], f"{list(found)}")
    shells = {}
    for element, charge, name, number, _ in spinors("anions.txt"):
        shells[element, charge, name[:2]] = shells.get((element, charge, name[:2]), 0) + number
    for (element, charge, name), number in shells.items():
        before = shells.get((element, 0, name), 0)
        check(charge == 0 or abs(number - before - (name == added[element])) < 1e-3, f"{element} {name}: {before}, {number}")
    # Closed shells, with the digits that are known of the numerical Hartree-Fock energies.
    known = {"H": "-0.4879297", "F": "-99.459454", "Cl": "-459.576925"}
    found = table("--elements", ",".join(known), "--charges", "-1", "--nonrelativistic", "--nucleus", "point")
    for name, digits in known.items():
        limit, error, _ = found[name, -1]
        half_a_digit = 0.5 * 10.0 ** -len(digits.split(".")[1])
        check(abs(limit - float(digits)) <= error + half_a_digit and error < 1e-6, f"{name}: {limit} +- {error}")
    driver.label = "an anion that is not bound"
    output, messages = driver.expect(1, limits, "--elements", "Ne", "--charges", "-1")
    check("NaN" in output and "Ne 1-: the limit is unknown, because an electron is not bound" in messages, messages)


def refused(message, *options):
    driver.label = " ".join(options)
    ended = driver.run(limits, *options)
    check(is_refusal(ended), f"status {ended.returncode}")
    check(ended.stderr.startswith("dfr_limits: ") and message in ended.stderr and ended.stderr.count("\n") == 1, ended.stderr)
    check(not list(Path().glob("*.part")), "a part of a file remains")


def test_refusals():
    for options, message in (
        ((), "--elements is needed"),
        (("--elements",), "--elements needs a value"),
        (("--elements", "He", "--c", "130", "--c", "130"), "the option --c is given twice"),
        (("--elements", "Zz"), '--elements "Zz"'),
        (("--elements", "He", "--charges", "0.5"), "charges are whole numbers"),
        (("--elements", "He", "--charges", "2"), "none of these ions has an electron"),
        (("--elements", "He", "--charges", "-2"), '--charges "-2"'),
        (("--elements", "He", "--nucleus", "round"), "is not one of point, sphere, gaussian"),
        (("--elements", "He", "--c", "0"), "--c"),
        (("--elements", "Xe", "--c", "50", "--nucleus", "point"), "is not below dfr.params.speed_of_light (50)"),
        (("--elements", "He", "--orbitals", "missing/one"), "missing/one.part"),
        (("--elements", "He", "extra"), 'there is no option "extra"'),
    ):
        refused(message, *options)
    driver.label = "--help"
    has("^usage: dfr_limits --elements LIST", driver.expect(0, limits, "--help")[0])


limits, print_1s = driver.start(2, "LIMITS PRINT_1S")
test_known_energies()
test_one_electron()
test_ions()
test_anions()
test_lost_files()
test_refusals()
sys.exit(len(driver.complaints))
