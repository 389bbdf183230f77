#!/usr/bin/env python3
"""The measured figures in README.md and in the performance tables of docs/, held against the records in benchmarks/results.

    figures.py [FOLDER]     FOLDER: the repository, or a copy of these files

Each figure must be a rounding of what the record says, and each row of these tables must be known here. The records are the newest
of their kind: *-all.json of legato-bench, and of whole relinked programs *-relinked-cpu.json and *-relinked-gpu.json, written by

    LEGATO_BACKEND=cpu benchmarks/relinked.py BUILD --grid readme --seconds 5 --json FILE      # one thread
    benchmarks/relinked.py BUILD --grid readme --seconds 5 --json FILE                         # on the GPU's host, by AUTO

and *-relinked-large.json, by the same with --grid large.

What no record has is "not measured". Each finding is a line, and the exit status is 1 where there is one.
"""
import json
import re
import sys
from decimal import Decimal
from pathlib import Path

UNKNOWN = "not measured"
NUMBER = r"\d+(?:\.\d+)?(?:e-?\d+)?"


def newest(root, pattern, rows):
    """The rows of the newest record of a kind, by method and problem; none where there is no record."""
    found = sorted((root / "benchmarks/results").glob(pattern))
    if not found:
        return {}
    room = "method" if rows == "measurements" else "room"
    return {(row[room], row["problem"]): row for row in json.loads(found[-1].read_text())[rows]}


def is_rounding(shown, value):
    """Of `value`, to the digits that are shown, with a hair for values that lie half-way."""
    if not re.fullmatch(NUMBER, shown):
        return False
    number = Decimal(shown)
    unit = 10.0 ** number.as_tuple().exponent
    return abs(float(number) - value) <= 0.5001 * unit


# What a column shows, of a row of the record.
def time(name):
    return lambda row: row[name]


def rate(name, scale):
    return lambda row: scale / row[name] if row[name] else 0


def times_serial(name):
    return lambda row: row["serial"] / row[name] if row["serial"] and row[name] else 0


def percent(name):
    return lambda row: 100 * row[name]


# Document, the first cells of the table's head, method, the columns behind the row's name, and the record's name of each row.
TABLES = [
    ("docs/tmm.md", ["problem", "serial"], "tmm",
     [rate("serial", 1e6), rate("one_thread", 1e6), times_serial("one_thread"), rate("gpu", 1e6), times_serial("gpu")],
     {"2D M = 8, 1841 energies": "2D M = 8, 1841 points", "3D M = 10, 64 values of disorder": "3D M = 10, 64 points",
      "3D M = 16, one point": "3D M = 16, one point", "3D M = 32, one point": "3D M = 32, one point"}),
    ("docs/dfr.md", ["atom, functions of s1/2, p1/2, p3/2, ...", "serial"], "dfr",
     [time("serial"), time("one_thread"), times_serial("one_thread"), time("all_threads"), time("gpu"), times_serial("gpu")],
     {"Xe, 30, 25, 25, 20, 20": "Xe", "Rn, 32, 27, 27, 21, 21, 14, 14": "Rn", "Rn, 7 x 45": "Rn, 7 x 45",
      "80 elements in one batch": "80 elements in one batch",
      "200 energies of an optimisation of Xe": "Xe, 200 energies of an optimisation"}),
    ("docs/kpm.md", ["sites", "serial", "one thread"], "kpm",
     [time("serial"), time("one_thread"), times_serial("one_thread"), time("all_threads"), time("gpu"), times_serial("gpu"),
      percent("gpu_reached")],
     {"64³": "64^3, N = 128, R = 16", "128³": "128^3, N = 64, R = 16",
      "128³, vectors in single precision": "128^3, single precision, N = 64, R = 16",
      "128³, as a matrix of the caller's": "128^3 as a matrix, N = 64, R = 16", "512³, R = 32": "512^3, N = 128, R = 32"}),
    ("docs/vmc.md", ["sites", "serial", "one thread"], "vmc",
     [time("serial"), time("one_thread"), times_serial("one_thread"), time("all_threads"), time("gpu"), times_serial("gpu")],
     {"26": "L = 5, share 0.0, 8448 chains on a GPU", "82": "L = 9, share 0.0, 4224 chains on a GPU",
      "226": "L = 15, share 0.0, 528 chains on a GPU"}),
    ("docs/ising.md", ["lattice", "serial", "one thread"], "ising",
     [rate("serial", 1e3), rate("one_thread", 1e3), times_serial("one_thread"), rate("all_threads", 1e3), rate("gpu", 1e3),
      times_serial("gpu")],
     {"2048²": "2048^2, Metropolis", "8192²": "8192^2, Metropolis", "65536²": "65536^2, Metropolis",
      "1024 x 128²": "1024 x 128^2, Metropolis", "128³": "128^3, Metropolis", "512³": "512^3, Metropolis"}),
]

# README's problems: method, and the names that legato-bench and relinked.py have for them.
README = {
    "3D M = 10, 64 values of disorder": ("tmm", "3D M = 10, 64 points", "3D M = 10, 64 values of disorder"),
    "Rn, 7 x 45 functions": ("dfr", "Rn, 7 x 45", "profile_rn_45.inp"),
    "128³ sites, 64 moments, 16 vectors": ("kpm", "128^3, N = 64, R = 16", "128 x 128 x 128, N = 64, R = 16"),
    "82 sites, 74 electrons, 4224 chains at once": ("vmc", "L = 9, share 0.0, 4224 chains on a GPU",
                                                    "L = 9, neifrac = 0.0, 4224 chains"),
    "2048² at the critical point": ("ising", "2048^2, Metropolis", "metropolis 2048^2, 1 replicas"),
}


# README's longer jobs of relinked mains: method, and relinked.py's name.
LONGER = {
    "`kpmdos`, 128³ sites, R = 16, N = 64": ("kpm", "128 x 128 x 128, N = 64, R = 16"),
    "`kpmdos`, 128³ sites, R = 16, N = 512": ("kpm", "128 x 128 x 128, N = 512, R = 16"),
    "`tmsexd`, 3D M = 16, 20000 cycles of one point": ("tmm", "3D M = 16"),
    "`vmcrvb`, 226 sites, 528 chains, 4000 sweeps": ("vmc", "L = 15, neifrac = 0.0, 528 chains"),
    "`ising_mc`, Metropolis, 8192², 40000 sweeps": ("ising", "metropolis 8192^2, 1 replicas"),
}


def table(root, document, head):
    """Cells of the rows below the head that begins with these cells."""
    rows, inside = [], False
    for line in (root / document).read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        if inside and cells:
            rows.append(cells)
        elif cells[:len(head)] == head:
            inside = True
        else:
            inside = False
    return rows[1:]


def check_tables(root, record):
    for document, head, method, columns, names in TABLES:
        rows = table(root, document, head)
        if [row[0] for row in rows] != list(names):
            yield f"{document}: the rows of the table are {[row[0] for row in rows]}, known are {list(names)}"
            continue
        for key, *cells in rows:
            measured = record[method, names[key]]
            for cell, column in zip(cells, columns, strict=True):
                value = column(measured)
                shown = cell.split(",")[0].removesuffix(" %")     # a number of chains may follow
                if not (is_rounding(shown, value) if shown else value == 0):
                    yield f'{document}, "{key}": "{cell}", the record has {value:.4g}'


def check_readme(root, record):
    text = (root / "README.md").read_text()
    rows = table(root, "README.md", ["method", "what comes out, with errors"])
    if sorted(row[3] for row in rows) != sorted(README):
        yield f"README.md: the problems are {[row[3] for row in rows]}, known are {list(README)}"
        return
    relinked = [newest(root, f"*-relinked-{place}.json", "rows") for place in ("cpu", "gpu")]
    on_cpu = " on the CPU"     # behind a figure of the last column where AUTO took it
    for row in rows:
        method, bench, program = README[row[3]]
        expected = [times_serial(name)(record[method, bench]) for name in ("one_thread", "gpu")]
        expected += [rows_of.get((method, program), {}).get("ratio") for rows_of in relinked]
        if expected[-1] is not None and relinked[1][method, program]["backend"] != "cuda":
            if not row[-1].endswith(on_cpu):
                yield f'README.md, {row[3]}: "{row[-1]}" does not say{on_cpu}'
            row[-1] = row[-1].removesuffix(on_cpu)
        for cell, value in zip(row[4:], expected, strict=True):
            if not (is_rounding(cell, value) if value is not None else cell == UNKNOWN):
                yield f'README.md, {row[3]}: "{cell}", the record has {UNKNOWN if value is None else format(value, ".4g")}'
    said = re.search(rf"is\s+({NUMBER})\s+with\s+32\s+chains\s+and\s+({NUMBER})\s+with\s+4224", text)
    serial = record["vmc", "L = 9, share 0.0, 4224 chains on a GPU"]["serial"]
    values = [serial / record["vmc", f"L = 9, share 0.0, {chains} chains on a GPU"]["gpu"] for chains in (32, 4224)]
    if not said or not all(map(is_rounding, said.groups(), values)):
        yield f"README.md: of 32 chains it says {said and said.group()}, the record has {values[0]:.4g} and {values[1]:.4g}"


def check_longer_jobs(root):
    rows = table(root, "README.md", ["relinked main, a longer job"])
    if [row[0] for row in rows] != list(LONGER):
        yield f"README.md: the longer jobs are {[row[0] for row in rows]}, known are {list(LONGER)}"
        return
    record = newest(root, "*-relinked-large.json", "rows")
    for key, *cells, taken in rows:
        measured = record[LONGER[key]]
        for cell, value in zip(cells, [*measured["seconds"], measured["ratio"]], strict=True):
            if not is_rounding(cell, value):
                yield f'README.md, {key}: "{cell}", the record has {value:.4g}'
        if taken != measured["backend"]:
            yield f'README.md, {key}: "{taken}", the record has {measured["backend"]}'


def check_accuracy_table(root):
    """The cost of accuracy in tmm.md, whose record is a text."""
    record = (root / "benchmarks/results/2026-11-23-h200-tmm.md").read_text()
    recorded = [float(number) for number in re.findall(NUMBER, record)]
    rows = table(root, "docs/tmm.md", ["problem", "0.1.0"])
    if not rows:
        yield "docs/tmm.md: the table of the cost of accuracy is not there"
    for key, *cells in rows:
        for cell in cells:
            if not any(is_rounding(cell, value) for value in recorded):
                yield f'docs/tmm.md, "{key}": "{cell}" is not in the record'


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    record = newest(root, "*-all.json", "measurements")
    findings = [*check_tables(root, record), *check_readme(root, record), *check_longer_jobs(root),
                *check_accuracy_table(root)]
    print("\n".join(findings) or "figures: all are in the record")
    sys.exit(bool(findings))


if __name__ == "__main__":
    main()
