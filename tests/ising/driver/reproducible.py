#!/usr/bin/env python3
"""reproducible.py PROGRAM: the same input gives the same bytes, and another seed other numbers.

Files must have the given name, and exist only if they are requested. Measurements, bins and averages must agree. All
numbers must be readable.
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, lines, number, rows  # noqa: E402

KINDS = ("table", "series", "spins")
SITES = 4 * 6 * 8


def compute(program, name, seed, algorithm="metropolis", more=", configurations = T"):
    driver.succeed(program, f"""A small cubic lattice
 $lattice dimensions = 3, extents = 4, 6, 8, boundary = 'periodic', 'antiperiodic', 'periodic' $end
 &model betas = 0.15, 0.25 &end
 &run algorithm = '{algorithm}', seed = {seed}, start = 'random', replicas = 3, thermalisation = 10,
   sweeps_per_measurement = 2, measurements_per_bin = 5, bins = 4 &end
 $output plotname = '{name}' {more} /
""", f"{name}.inp")


def lattices():
    """Beta, replica and magnetisation per site of each lattice in the file of spins."""
    found = []
    for words in lines("first_spins.dat"):
        if words and words[0] == "beta":
            found.append([number(words[1]), number(words[2]), 0])
        elif words:
            check(len(words[0]) == 4, f"not four spins: {words}")
            found[-1][2] += words[0].count("+") - words[0].count("-")
    return [(beta, replica, up / SITES) for beta, replica, up in found]


def check_algorithm(program, algorithm):
    driver.label = algorithm
    for name, seed in ("first", 5), ("again", 5), ("other", 6):
        compute(program, name, seed, algorithm)
    for kind in KINDS:
        first = Path(f"first_{kind}.dat")
        check(Path(f"again_{kind}.dat").read_bytes() == first.read_bytes(), f"{kind}: other bytes when run again")
        check(lines(f"other_{kind}.dat") != lines(first), f"{kind}: another seed, the same numbers")
    series = rows("first_series.dat")
    check(len(series) == 120, f"{len(series)} measurements")
    # The last measurement of each lattice is that of its spins.
    ends = [(a[:2] == list(b[:2]), abs(a[2] - b[2]) < 1e-12) for a, b in zip(series[19::20], lattices(), strict=True)]
    check(ends == 6 * [(True, True)], f"spins do not have the magnetisation that was measured: {ends}")
    check(len({(beta, m, e) for beta, _, m, e in series}) > 60, "replicas repeat")
    table = rows("first_table.dat")
    check(len(table) == 2, f"{len(table)} rows")
    for row in table:
        of_beta = [(abs(m), e) for beta, _, m, e in series if beta == row[0]]
        m, e = (sum(column) / len(of_beta) for column in zip(*of_beta))
        check(abs(m - row[1]) < 2e-6 and abs(e - row[7]) < 2e-5, f"the table has other means: {m}, {e}, {row}")


def check_files(program):
    driver.label = "files"
    compute(program, "few", 5, more=", time_series = F")
    check([Path(f"few_{kind}.dat").exists() for kind in KINDS] == [True, False, False], "files that were not asked for")
    compute(program, "first", 5)
    check(lines("few_table.dat") == lines("first_table.dat"), "files change the numbers")


def check_betas(program, lattice, betas, field, run):
    """All numbers fit into their columns, and files have the betas of the input."""
    driver.label = f"betas = {betas}, field = {field}"
    output = driver.succeed(program, f"""Numbers of any size
 $lattice extents = {lattice} $end
 $model betas = {betas}, field = {field} $end
 $run start = 'random', thermalisation = 0, bins = 10, {run} $end
 $output plotname = 'told', configurations = T $end
""")
    check("*" not in output, "asterisks")
    for kind in KINDS:
        check("*" not in Path(f"told_{kind}.dat").read_text(), f"{kind}: asterisks")
        words = [line[-2] if line[0] == "beta" else line[0] for line in lines(f"told_{kind}.dat")
                 if line and line[0].strip("+-")]
        check({float(f"{number(word):.6g}") for word in words} == set(map(float, betas.split(","))),
              f"{kind}: betas are {sorted(set(words))}")


def main():
    program, = driver.start(1, "PROGRAM")
    for algorithm in "metropolis", "demon_naive", "demon_binomial", "demon_microcanonical":
        check_algorithm(program, algorithm)
    check_files(program)
    check_betas(program, "4, 4", "-1000,1e-09,1000", "1e6", "measurements_per_bin = 2")
    check_betas(program, "4, 4", "-1000,1e-09,1000", "-1e6", "measurements_per_bin = 2")
    # The cumulant is large, because hardly any measurement has m > 0.
    check_betas(program, "2, 2", "-1000,1000", "0", "replicas = 8, measurements_per_bin = 500")
    driver.end("reproducible")


if __name__ == "__main__":
    main()
