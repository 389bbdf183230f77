#!/usr/bin/env python3
"""basis.py BASIS: basis sets of dfr_basis, runs that are killed or out of time, files, and refusals."""
import json
import math
import os
import re
import stat
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, has, is_refusal  # noqa: E402

ATOMS = ("--elements", "H-He,1,Ne", "--errors", "1e-3,1e-4")
SMALL = ("--elements", "H-He,Be", "--errors", "1e-3,1e-4")


def table(*arguments, status=0):
    """The rows of the table: symbol, largest error, functions, their number, error, collapse, energy, five errors of
    spinors, and the norms that the set misses."""
    output, messages = driver.expect(status, basis, *arguments)
    check(status != 0 or messages == "", messages)
    rows = [line.split() for line in output.splitlines() if not line.startswith("#")]
    return [[row[0], float(row[1]), [int(n) for n in row[2].split(",")], *map(float, row[3:])] for row in rows], output


def exponents_of(element):
    """The exponents of each l in a file of the Basis Set Exchange."""
    by_l = {}
    for shell in element["electron_shells"]:
        l, = shell["angular_momentum"]
        check(shell["function_type"] == ("gto" if l < 2 else "gto_spherical") and shell["coefficients"] == [["1.0"]],
              f"shell {shell}")
        by_l.setdefault(l, []).extend(float(text) for text in shell["exponents"])
    return by_l


def test_table():
    driver.label = "the table"
    rows, output = table(*ATOMS, "--output", "sets", "--orbitals", "orbitals.txt")
    check([row[:2] for row in rows] == [[name, error] for name in ("H", "He", "Ne") for error in (1e-3, 1e-4)], f"{rows}")
    for name, allowed, functions, count, error, collapse, energy, *_ in rows:
        driver.label = f"{name} {allowed}"
        check(sum(functions) == count and len(functions) == (2 if name == "Ne" else 1), "functions")
        check(0 < error <= allowed, f"error {error}")
        check(0 <= collapse < 0.1 * error, f"collapse {collapse}")
        # Limits from numerical calculations; that of hydrogen is sqrt(1 - alpha^2).
        limit = {"H": -0.500006657, "He": -2.861813342, "Ne": -128.691931}[name]
        check(abs((energy - limit) / -limit - error) < 0.006 * error + 2e-8, f"energy {energy}")
    driver.label = "a smaller error needs more functions"
    check(all(a[3] < b[3] for a, b in zip(rows[::2], rows[1::2])), f"{rows}")
    has(r"^# dfr_basis: nucleus gaussian, spinor weight 0\.01$", output)
    return rows


def test_files(rows):
    for number, error in enumerate(("1e-3", "1e-4")):
        driver.label = f"sets-{error}.json"
        content = json.loads(Path(f"sets-{error}.json").read_text())
        check(content["molssi_bse_schema"] == {"schema_type": "minimal", "schema_version": "0.1"}, "schema")
        check(list(content["elements"]) == ["1", "2", "10"], f"{list(content['elements'])}")
        for element, row in zip(content["elements"].values(), rows[number::2]):
            by_l = exponents_of(element)
            check([len(by_l[l]) for l in range(len(row[2]))] == row[2], f"{row[0]}: functions")
            check(all(a < b for zetas in by_l.values() for a, b in zip(zetas, zetas[1:])), f"{row[0]}: the order")


def test_orbitals(rows):
    driver.label = "orbitals.txt"
    spinors = [line.split() for line in Path("orbitals.txt").read_text().splitlines() if not line.startswith("#")]
    check([spinor[0] for spinor in spinors] == ["H"] * 2 + ["He"] * 2 + ["Ne"] * 8, f"{spinors}")
    for name, allowed, *numbers in rows:
        driver.label = f"spinors of {name} {allowed}"
        error, collapse, energy, *largest = numbers[2:]
        of_set = [spinor for spinor in spinors if spinor[0] == name and float(spinor[1]) == allowed]
        columns = [[abs(float(number)) for number in column] for column in list(zip(*of_set))[5:]]
        found = [max(columns[i]) for i in range(5)]
        check(all(abs(a - b) <= 0.06 * b for a, b in zip(largest, found)), f"{largest} are not {found}")
        check(all(1e-9 < value < 0.1 for value in largest), f"{largest}")
        if name == "H":     # the energy of the spinor is that of the atom
            check(abs(largest[0] - 0.5 * (error - collapse)) < 0.06 * largest[0], f"{largest[0]}")
        # J. P. Desclaux, At. Data Nucl. Data Tables 12, 311 (1973)
        limits = {"He": {"1s1/2": -0.91799}, "Ne": {"1s1/2": -32.8175, "2s1/2": -1.9358, "2p1/2": -0.8528, "2p3/2": -0.8483}}
        for _, _, spinor, electrons, limit, *_ in of_set:
            check(float(electrons) == {"H": 1, "2p3/2": 4}.get(name if name == "H" else spinor, 2), f"{spinor}: {electrons}")
            check(abs(float(limit) - limits.get(name, {}).get(spinor, -0.500007)) < 6e-5, f"{spinor}: {limit}")
    driver.label = "a smaller error of the energy has smaller errors of spinors"
    check(all(b < a for first, second in zip(rows[::2], rows[1::2]) for a, b in zip(first[7:], second[7:])), f"{rows}")


def test_formats():
    """All formats have the same exponents with the same digits."""
    atoms, wanted = ("--elements", "He,Be", "--errors", "1e-2"), None
    for name, extension in (("bse-json", "json"), ("nwchem", "nw"), ("gaussian94", "gbs"), ("dirac", "dirac")):
        driver.label = name
        table(*atoms, "--output", "formats", "--format", name)
        words = re.findall(r"\d\.\d{16}E[-+]\d\d", Path(f"formats-1e-2.{extension}").read_text())
        wanted = wanted or words
        check(len(words) > 6 and words == wanted, "other exponents")
        check(not list(Path().glob("*.part")), "a part of a file remains")


def test_lost_files():
    """The table and the other files remain, and a message names the file."""
    driver.label = "a limit of the file size"
    he = ("--elements", "He", "--errors", "1e-2,1e-5", "--format", "dirac")
    table(*he, "--output", "whole", "--orbitals", "whole.txt")
    small, large, orbitals = (Path(f"whole{end}").stat().st_size for end in ("-1e-2.dirac", "-1e-5.dirac", ".txt"))
    room = (small + large) // 2
    check(small < room < large, f"files of {small} and {large} bytes")
    output, messages = driver.expect(1, basis, *he, "--output", "piece", "--orbitals", "piece.txt", file_size=room / 1024)
    has(r"^dfr_basis: basis file piece-1e-5\.dirac: .*File too large", messages)
    check(output.count("\n") == 4, output)
    check(Path("piece-1e-2.dirac").stat().st_size == small and not Path("piece-1e-5.dirac").exists(), "other files")
    check(Path("piece.txt").exists() == (orbitals <= room), "the errors of the spinors")
    driver.label = "standard output is full"
    with open("/dev/full", "w") as full:
        driver.expect(1, basis, *he, "--output", "final", stdout=full)
    check(Path("final-1e-5.dirac").stat().st_size == large, "the sets are lost")


def test_field_that_fails():
    """The table of a run is printed even if an energy with restricted balance is unknown."""
    driver.label = "a field that fails"
    driver.expect(0, write_pruning, "fails.h5")
    options = ("--elements", "Be", "--errors", "1e-2", "--spinor-weight", "0", "--state", "fails.h5")
    output, messages = driver.expect(1, basis, *options, "--output", "fails")
    row = output.splitlines()[-1].split()
    check(row[:4] == ["Be", "1.0E-02", "2", "2"] and math.isclose(float(row[4]), (14.5758 - 14.5) / 14.5758, rel_tol=2e-3), f"{row}")
    check(float(row[6]) == -14.5, f"energy {row[6]}")
    check(row[5] == "NaN" and row[7:] == 6 * ["NaN"], f"{row}: collapse and errors of the spinors are not NaN")
    has(r"^dfr_basis: Be, error 0\.01: the collapse is unknown, because the energy with restricted kinetic balance", messages)
    check(Path("fails-1e-2.json").exists(), "no file of sets")


def test_restarts():
    driver.label = "killed"
    whole, _ = table(*SMALL)
    check(driver.killed_when(Path("run.h5").exists, basis, *SMALL, "--state", "run.h5"), "the program was not killed")
    check(table(*SMALL, "--state", "run.h5")[0] == whole, "another table after kill -9")
    check(table(*SMALL, "--state", "run.h5")[0] == whole, "another table from the finished run")
    driver.label = "out of time"
    stops, job = driver.out_of_time(lambda minutes: driver.run(basis, *SMALL, "--state", "pieces.h5", "--minutes", minutes), lambda job:
                                    has("the time is over: [0-2] of 3 elements are done; the same command goes on", job.stderr))
    check(job.returncode == 0 and stops > 0, f"status {job.returncode} after {stops} stops")
    check([line.split()[6] for line in job.stdout.splitlines()[2:]] == [f"{row[6]:.9f}" for row in whole], "another table")
    for options, what in (
        (("--elements", "H-He", "--errors", "1e-3,1e-4"), "number of elements 3 there, 2 here"),
        (("--elements", "H-He,F", "--errors", "1e-3,1e-4"), "charge of nucleus 3 4.0 there, 9.0 here"),
        (("--elements", "H-He,Ne", "--errors", "1e-4"), "largest error"),
        ((*SMALL, "--nucleus", "point"), "model of nucleus 1 3 there, 1 here"),
    ):
        driver.label = what
        refused(f'"run.h5" has another run: {what}', *options, "--state", "run.h5")


def refused(message, *options):
    driver.label = " ".join(options)
    ended = driver.run(basis, *options)
    check(is_refusal(ended), f"status {ended.returncode}")
    check(ended.stderr.startswith("dfr_basis: ") and message in ended.stderr and ended.stderr.count("\n") == 1, ended.stderr)
    check(not list(Path().glob("*.part")), "a part of a file remains")


def test_refusals():
    for options, message in (
        ((), "--elements is needed"),
        (("--elements",), "--elements needs a value"),
        (("--elements", "He", "--elements", "Ne"), "the option --elements is given twice"),
        (("--elements", "Zz"), '--elements "Zz"'),
        (("--elements", "119"), '--elements "119"'),
        (("--elements", "He", "--errors", "1e-4,1e-3"), "each error must be smaller than the one before it"),
        (("--elements", "He", "--errors", "1e-4,1e-4"), "each error must be smaller than the one before it"),
        (("--elements", "He", "--errors", "1e-12"), '--errors "1e-12"'),
        (("--elements", "He", "--nucleus", "round"), "is not one of point, sphere, gaussian, fermi"),
        (("--elements", "H", "--nucleus", "fermi"), "dfr.element: 1 is not in 2..118 with a Fermi nucleus"),
        (("--elements", "He", "--minutes", "1"), "--minutes needs --state"),
        (("--elements", "He", "extra"), 'there is no option "extra"'),
        (("--elements", "Ne-118", "--nucleus", "point"), "none can be calculated; give the limit"),
        (("--elements", "He", "--format", "xml"), '--format "xml" is not one of bse-json, nwchem, gaussian94, dirac'),
        (("--elements", "He", "--output", "missing/sets", "--format", "dirac"), "missing/sets-1e-5.dirac.part"),
        (("--elements", "He", "--output", "missing/sets"), "missing/sets-1e-5.json.part"),
        (("--elements", "He", "--orbitals", "missing/orbitals"), "missing/orbitals.part"),
        (("--elements", "He", "--state", "missing/run.h5", "--errors", "1e-2"), "missing/run.h5"),
    ):
        refused(message, *options)
    refused('the file "run.h5" is named twice', "--elements", "He", "--state", "run.h5", "--orbitals", "run.h5")
    refused('the file "x-1e-3.json" is named twice', "--elements", "He", "--state", "x-1e-3.json", "--output", "x",
            "--errors", "1e-3")
    refused("two results would be written to this file", "--elements", "He", "--output", "x", "--errors", "1.0004e-3,1.0001e-3")
    os.mkfifo("pipe")
    refused("pipe: it is not a regular file", "--elements", "He", "--orbitals", "pipe")
    check(stat.S_ISFIFO(os.stat("pipe").st_mode), "the pipe is gone")
    Path("text.h5").write_text("no state")
    refused("text.h5", "--elements", "He", "--state", "text.h5")
    driver.label = "--help"
    output, _ = driver.expect(0, basis, "--help")
    has("^usage: dfr_basis --elements LIST", output)


basis, write_pruning = driver.start(2, "BASIS WRITE_PRUNING")
rows_of_table = test_table()
test_files(rows_of_table)
test_orbitals(rows_of_table)
test_formats()
test_lost_files()
test_field_that_fails()
test_restarts()
test_refusals()
sys.exit(len(driver.complaints))
