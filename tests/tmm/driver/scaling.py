#!/usr/bin/env python3
"""scaling.py PROGRAM: tmm_scaling on data with known parameters, its files, and inputs that it must refuse.

The data are made here by formulas of their own: Lambda = 0.576 - 0.05 phi + 0.002 phi^2 + 0.3 / M^2 with phi = (w + 0.01 w^2)
M^(1/1.57) and w = W - 16.54, with normal noise.
"""
import math
import random
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, has, is_refusal  # noqa: E402

EXACT = {"W_c": 16.54, "nu": 1.57, "y": -2, "b_2": 0.01, "a_0,0": 0.576, "a_1,0": -0.05, "a_2,0": 0.002, "a_0,1": 0.3, "a_1,1": 0, "a_2,1": 0}


def points(relative):
    numbers = random.Random(5)
    for width in (4, 6, 8, 10, 12, 14):
        for i in range(21):
            disorder = 15 + 0.15 * i
            w = disorder - 16.54
            phi = (w + 0.01 * w * w) * width ** (1 / 1.57)
            exact = 0.576 - 0.05 * phi + 0.002 * phi * phi + 0.3 / width**2
            yield width, disorder, exact + numbers.gauss(0, relative * exact), relative * exact


def write_table(name, rows, heading="# M W Lambda error\n"):
    Path(name).write_text(heading + "".join(" ".join(repr(x) for x in row) + "\n" for row in rows))


def parameters_of(output):
    found = re.findall(r"^ +(\S+) +(\S+E[+-]\d+) +(\S+E[+-]\d+) +(\S+E[+-]\d+) +(\S+E[+-]\d+)$", output, re.M)
    return {name: tuple(float(x) for x in rest) for name, *rest in found}


def values_of(output):
    return {name: float(value) for name, value in re.findall(r"^ +(\S+) +(\S+E[+-]\d+) +NaN", output, re.M)}


def test_fit():
    driver.label = "fit"
    write_table("table", points(1e-3))
    ended = driver.run(program, "--orders", "2,1,2,0", "--resamples", "300", "-o", "out", "table")
    check(ended.returncode == 0 and ended.stderr == "", f"status {ended.returncode}: {ended.stderr}")
    has(r"^# data: 126, M from 4 to 14, W from 15 to 18$", ended.stdout)
    has(r"^ +2 +1 +2 +0 +10( +[-+.0-9E]+){10}  converged$", ended.stdout)
    found = parameters_of(ended.stdout)
    check(list(found) == list(EXACT), f"parameters {list(found)}")
    for name, exact in EXACT.items():
        value, error, low, high = found.get(name, (math.nan,) * 4)
        check(abs(value - exact) < 3.5 * error and low < value < high, f"{name}: {value} +- {error}, {low} to {high}, exact {exact}")
    # The same numbers again, and in another order of columns with separators of other kinds.
    Path("other").write_text("".join(f"{e!r};\t{x!r}, {m} comment {v!r}\r\n" for m, x, v, e in points(1e-3)))
    other = driver.run(program, "--orders", "2,1,2,0", "--resamples", "300", "--columns", "3,2,5,1", "other")
    check(parameters_of(other.stdout) == found, "other columns")
    few = driver.run(program, "--orders", "2,1,2,0", "--resamples", "0", "table")
    has(r"^ +nu +1\.\d+E\+00 +NaN +NaN +NaN$", few.stdout)


def test_files():
    driver.label = "files"
    rows = {name: [[float(x) for x in line.split()] for line in Path(f"out-{name}.dat").read_text().splitlines()
                   if line.strip() and line[0] != "#"] for name in ("data", "curves", "collapse", "function")}
    check([tuple(row) for row in rows["data"]] == [tuple(map(float, row)) for row in points(1e-3)], "data")
    check(len(rows["curves"]) == 6 * 200 and len(rows["function"]) == 200, "lengths")
    for width, field, value, error in rows["collapse"]:
        curve = 0.576 - 0.05 * field + 0.002 * field * field
        check(abs(value - curve) < 0.01 * curve, f"collapse: M = {width}, {value} is not {curve} at {field}")
    if shutil.which("gnuplot"):
        ended = driver.run("gnuplot", "out.gp")
        check(ended.returncode == 0 and Path("out.png").stat().st_size > 5000, f"plot: {ended.stderr}")
    long = "x" * 200
    ended = driver.run(program, "--resamples", "0", "-o", long, "table")
    check(ended.returncode == 0, ended.stderr)
    if shutil.which("gnuplot"):
        check(driver.run("gnuplot", f"{long}.gp").returncode == 0, "plot with a long name")


def test_table_of_orders():
    driver.label = "table of orders"
    ended = driver.run(program, "--orders", "2-3,0-1,1-2,0-1", "--resamples", "0", "table")
    orders = re.findall(r"^ +(\d+) +(\d+) +(\d+) +(\d+) .*converged$", ended.stdout, re.M)
    wanted = [(n1, n2, m1, m2) for n1 in "23" for n2 in "01" for m1 in "12" for m2 in "01" if n2 > "0" or m2 == "0"]
    check(orders == wanted, f"orders {orders}")
    # Nine data suffice for some orders only. Numbers of any size have their columns.
    write_table("nine", [row for i, row in enumerate(points(1e-3)) if i % 14 == 0])
    few = driver.run(program, "--orders", "1-2,0-1,2,0", "--resamples", "0", "nine")
    check(few.returncode == 1 and few.stderr == "", few.stderr)
    has(r"^ +1 +0 +2 +0 +5 .*converged$", few.stdout)
    has(r"^ +2 +0 +2 +0 +6 .*converged$", few.stdout)
    has(r"^ +2 +1 +2 +0  refused: fss\.n_data: 9 is not in 10\.\.", few.stdout)
    write_table("large", ((m, 1e8 * x, 1e-7 * v, 1e-7 * e) for m, x, v, e in points(1e-3)))
    has(r"^ +3 +0 +2 +0 +7( +[-+.0-9E]+){6}( +NaN){2}( +[-+.0-9E]+){2}  converged$", driver.run(program, "--resamples", "100", "large").stdout)
    inverse = driver.run(program, "--orders", "2,1,2,0", "--resamples", "0", "--inverse", "--widths", "6:", "--controls", "15.5:17.5", "table")
    has(r"^# data: 65, M from 6 to 14, W from 15\.6 to 17\.4", inverse.stdout)
    value = values_of(inverse.stdout)["a_0,0"]
    check(abs(value * 0.576 - 1) < 0.1, f"1 / Lambda: {value}")


def test_raw_files():
    driver.label = "files of tmsexd"
    for width in (4, 6, 8):
        rows = [(m, x, v, e) for m, x, v, e in points(1e-3) if m == width]
        Path(f"Avg-3D-W{width:04}.raw").write_text(
            "(* tmsexd: Lyapunov exponents, per slice *)\n" + f"Width = {width};\n(* {{ index, disorder, energy, exponent, error, flag }} *)\n"
            "table = {\n" + ", ".join(f"{{ 1, {x!r}, 0.0E0, {1 / (v * m)!r}, {e / v!r}, {int((m, x) == (4, 15))} }}\n"
                                     f", {{ 2, {x!r}, 0.0E0, 1.0, 0.1, 0 }}\n" for m, x, v, e in rows) + "};\n")
        # The same with the energy in place of the disorder.
        text = Path(f"Avg-3D-W{width:04}.raw").read_text()
        Path(f"energy-{width}").write_text(re.sub(r"\{ 1, ([^,]*), 0\.0E0", r"{ 1, 5.0, \1", text))
    write_table("three", (row for row in points(1e-3) if row[0] <= 8))
    raw = driver.run(program, *(f"Avg-3D-W{width:04}.raw" for width in (4, 6, 8)))
    table = driver.run(program, "three")
    has("^tmm_scaling: warning: tmsexd gives all points the same random numbers", raw.stderr)
    has("^tmm_scaling: warning: 1 of 63 points of tmsexd have not converged", raw.stderr)
    one, other = parameters_of(raw.stdout), parameters_of(table.stdout)
    check(len(one) == 7 and all(abs(one[name][0] / other[name][0] - 1) < 1e-6 for name in other), "other fit")
    energies = driver.run(program, "--resamples", "0", "energy-4", "energy-6", "energy-8")
    check(abs(values_of(energies.stdout)["W_c"] / other["W_c"][0] - 1) < 1e-6, "energies")
    refused("the energy and the disorder of the files of tmsexd both vary", "energy-4", "Avg-3D-W0006.raw")


def refused(message, *arguments):
    driver.label = " ".join(arguments)[:60]
    ended = driver.run(program, *arguments)
    check(is_refusal(ended), f"status {ended.returncode}")
    check(ended.stderr.startswith(f"tmm_scaling: {message}"), ended.stderr)


def test_refusals():
    def with_line(line, name="bad"):
        write_table(name, points(1e-3))
        with Path(name).open("a", encoding="utf-8") as file:
            file.write(line)
        return name

    refused("no file with data is given")
    refused("missing: cannot be opened", "missing")
    Path("folder").mkdir()
    refused("folder: cannot be opened: is a directory", "folder")
    Path("empty").touch()
    refused("no data lie in the ranges", "empty")
    refused("no data lie in the ranges", "--widths", "20:", "table")
    refused("bad:128: there is no column 3", with_line("4 16\n"))
    for word in ("nan", "inf", "abc", "1e999", "1*3", "/", "--", "1-2", "1e", "1.2.3", "1e5.0", ".", "+"):
        refused(f'bad:128: column 3: "{word}" is not a number', with_line(f"4 16 {word} 0.1\n"))
    refused("bad:128: the error 0.0 is not positive", with_line("4 16 1 0\n"))
    refused("bad:128: the line has 10000 characters or more", with_line("4 16 1 0.1" + 10000 * " " + "#\n"))
    refused("bad:128: a number has a decimal comma", with_line("4 16,5 1 0,1\n"))
    refused("fss.length[126]: 0.5 is not in [1, 1000000000000]", with_line("0.5 16 1 0.1"))
    refused("--inverse: the value -1.0 at M = 4.0, W = 16.0 is not positive", "--inverse", with_line("4 16 -1 0.1\n"))
    refused("fss.n_data: 5 is not in 7..100000", "--widths", "4:4", "--controls", ":15.65", "table")
    refused("fss.length: all are 4", "--widths", "4:4", "table")
    refused("--orders has an empty value", "--orders", "", "table")
    for value in ("3,0,2", "3,0,2,0,1", "a,0,2,0", "3,,2,0", "1-,0,2,0", "99999,0,1,0x"):
        refused(f'--orders "{value}" is not four numbers', "--orders", value, "table")
    for value in ("0,0,1,0", "13,0,1,0", "3,5,1,0", "3-2,0,1,0"):
        refused(f'--orders "{value}" (allowed', "--orders", value, "table")
    refused("fss.params.irrelevant_expansion: 1 is not 0", "--orders", "3,0,2,1", "table")
    refused('--columns "0,1,2,3": columns count from 1', "--columns", "0,1,2,3", "table")
    for value in ("5", ":", "a:b", "1:2:3"):
        refused(f'--widths "{value}" is not FIRST:LAST', "--widths", value, "table")
    refused('--widths "8:4" contains nothing', "--widths", "8:4", "table")
    for name in ("folder/", ".", "folder/.."):
        refused(f'--output "{name}" ends with a folder', "-o", name, "table")
    refused('--output "missing/out": there is no folder "missing/"', "-o", "missing/out", "table")
    refused("--output ", "-o", 'a"b', "table")
    refused("--orders: M2 is not 0", "--orders", "2-3,0,1,1-2", "table")
    for value in ("-1", "1.5", "100001", "x"):
        refused(f'--resamples "{value}" is not a whole number in 0..100000', "--resamples", value, "table")
    refused("--seed needs a value", "table", "--seed")
    refused('there is no option "--order"', "--order", "1", "table")
    refused("--output needs one set of orders", "-o", "x", "--orders", "1-2,0,1,0", "table")


def test_help():
    driver.label = "help"
    ended = driver.run(program, "--help")
    check(ended.returncode == 0 and ended.stdout.startswith("usage: tmm_scaling"), "help")


program, = driver.start(1, "PROGRAM")
for test in (test_fit, test_files, test_table_of_orders, test_raw_files, test_refusals, test_help):
    test()
sys.exit(len(driver.complaints))
