#!/usr/bin/env python3
"""Draws the records of the basis sets of all elements into docs/plots.

    basis_plots.py [FOLDER]                  FOLDER: the repository, or a copy of these files
    basis_plots.py --compact ORBITALS FILE   writes the part of a file of dfr_basis --orbitals that the maps need

gnuplot must be installed. The records are benchmarks/results/2026-11-28-dfr-library.dat (the table of dfr_basis),
-library-spinors.dat (written by --compact) and -dyall.dat (the table of scripts/reproduce/dyall_sets.py).
"""
import math
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from plots import draw  # noqa: E402

RECORDS = "benchmarks/results/2026-11-28-dfr-"
SIZES = ("1e-5", "1e-6", "1e-7", "5e-9")
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00")
# A colour for each decade of an error: below 1e-9, 1e-9 to 1e-8, ..., above 0.1.
MAP = ("#440154", "#482878", "#3e4a89", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725")


def rows_of(path):
    return [line.split() for line in path.read_text().splitlines() if line and not line.startswith("#")]


def spelt(error):
    """1.0E-05 as 1e-5."""
    return f"{float(error):.0e}".replace("e-0", "e-")


def block(name, rows):
    return f"${name} << end\n" + "\n".join(" ".join(map(str, row)) for row in rows) + "\nend\n"


def library(root):
    """For each size the rows of all elements, in the order of Z."""
    sizes = defaultdict(list)
    for row in rows_of(root / f"{RECORDS}library.dat"):
        sizes[spelt(row[1])].append(row)
    return sizes


def draw_errors(sizes, folder):
    """The error of the energy, and the collapse, against Z."""
    data, plots = "", []
    for size, colour in zip(SIZES, COLOURS):
        name = size.replace("-", "_")
        data += block(f"e{name}", [(z, row[4], row[5]) for z, row in enumerate(sizes[size], 1)])
        plots += [f"$e{name} using 1:2 title 'error, set {size}' with lines lw 2 lc rgb '{colour}'",
                  f"$e{name} using 1:3 title 'collapse, set {size}' with lines lw 1 dashtype 2 lc rgb '{colour}'"]
    draw(folder / "basis_errors.svg", data + f"""set xlabel 'Z'
set ylabel 'relative error of the total energy'
set logscale y
set format y '10^{{%T}}'
set xrange [0:119]
set yrange [1e-13:2e-5]
set key below maxcols 2
plot {", ".join(plots)}""")


def draw_sizes(sizes, folder):
    """The number of functions of all l together and of each l, against Z."""
    data, sums = "", []
    for size, colour in zip(SIZES, COLOURS):
        name = size.replace("-", "_")
        counts = [[*map(int, row[2].split(",")), "NaN", "NaN", "NaN"][:4] for row in sizes[size]]
        data += block(f"n{name}", [(z, row[3], *count) for z, (row, count) in enumerate(zip(sizes[size], counts), 1)])
        sums.append(f"$n{name} using 1:2 title '{size}' with lines lw 2 lc rgb '{colour}'")
    style = (("1e-5", 1, 2), ("5e-9", 2, 1))
    parts = [f"$n{size.replace('-', '_')} using 1:{3 + l} title '{'spdf'[l]}, {size}' "
             f"with lines lw {width} dashtype {dash} lc rgb '{COLOURS[l]}'" for l in range(4) for size, width, dash in style]
    common = "set xlabel 'Z'\nset xrange [0:119]\nset yrange [0:*]\n"
    draw(folder / "basis_sizes.svg", data + common + f"set ylabel 'functions of all l'\nplot {', '.join(sums)}")
    draw(folder / "basis_sizes_of_l.svg",
         data + common + f"set ylabel 'functions of an l'\nset key below maxcols 4\nplot {', '.join(parts)}")


def order(name):
    """Of a spinor such as 4d3/2: n, l, j."""
    return int(name[0]), "spdfgh".index(name[1]), int(name[2:].split("/")[0])


def draw_map(path, title, errors):
    """A map of spinor against Z. `errors` has the error of each (Z, spinor). The cells of a decade are one path."""
    names = sorted({name for _, name in errors}, key=order)
    cells, width, height, left, top = defaultdict(str), 6, 13, 60, 34
    for (z, name), error in errors.items():
        decade = min(max(math.floor(math.log10(max(abs(error), 1e-30))) + 10, 0), len(MAP) - 1)
        cells[decade] += f"M{left + width * (z - 1)},{top + height * names.index(name)}h{width}v{height}h-{width}z"
    low = top + height * len(names)
    lines = [f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 780 {low + 66}' font-family='sans-serif' font-size='11'>",
             "<rect width='100%' height='100%' fill='white'/>", f"<text x='{left}' y='20' font-size='14'>{title}</text>"]
    lines += [f"<path fill='{MAP[decade]}' d='{cells[decade]}'/>" for decade in sorted(cells)]
    lines += [f"<text x='{left - 6}' y='{top + height * i + 10}' text-anchor='end'>{name}</text>"
              for i, name in enumerate(names)]
    lines += [f"<text x='{left + width * (z - 0.5)}' y='{low + 13}' text-anchor='middle'>{z}</text>"
              for z in range(10, 119, 10)]
    lines += [f"<text x='{left + width * 59}' y='{low + 28}' text-anchor='middle'>Z</text>"]
    for i, decade in enumerate(sorted(cells)):
        text = {0: "&lt; 1e-9", 9: "&gt; 0.1"}.get(decade, f"1e{decade - 10} to 1e{decade - 9}")
        lines += [f"<rect x='{left + 88 * i}' y='{low + 40}' width='12' height='12' fill='{MAP[decade]}'/>",
                  f"<text x='{left + 88 * i + 15}' y='{low + 50}'>{text}</text>"]
    path.write_text("\n".join([*lines, "</svg>"]) + "\n")


def draw_maps(root, sizes, folder):
    numbers = {row[0]: z for z, row in enumerate(sizes[SIZES[0]], 1)}
    rows = rows_of(root / f"{RECORDS}library-spinors.dat")
    for size, quantity, first, name in (("1e-5", "orbital energy", 2, "energies"), ("5e-9", "orbital energy", 2, "energies"),
                                        ("5e-9", "<r>", 6, "radii")):
        errors = {(numbers[row[0]], row[1]): float(row[first + SIZES.index(size)]) for row in rows}
        shown = quantity.replace("<", "&lt;").replace(">", "&gt;")
        draw_map(folder / f"basis_{name}_{size}.svg", f"relative error of {shown}, sets {size}", errors)


def draw_dyall(root, folder):
    """The errors of Dyall's sets and of optimised ones. A line goes from the error with extended to that with restricted
    balance, so that its length is the collapse. Energies below the limit energy have a cross instead of a circle."""
    rows = rows_of(root / f"{RECORDS}dyall.dat")
    elements, names = (list(dict.fromkeys(row[k] for row in rows)) for k in (0, 1))
    data, plots = "", []
    for who, first, shift, colour in (("Dyall", 4, -0.34, COLOURS[3]), ("Legato", 7, 0.1, COLOURS[0])):
        points = [(elements.index(row[0]) + shift + 0.12 * names.index(row[1]), abs(float(row[first])), row[first + 1],
                   float(row[first]) < 0) for row in rows]
        data += block(who, [(x, restricted, extended, int(below)) for x, restricted, extended, below in points])
        plots += [f"${who} using 1:2:(0):($3-$2) notitle with vectors nohead lw 1.5 lc rgb '{colour}'",
                  f"${who} using 1:3 title '{who}, extended' with points pt 7 ps 0.8 lc rgb '{colour}'",
                  f"${who} using 1:($4==0 ? $2 : NaN) title '{who}, restricted' with points pt 6 ps 0.8 lc rgb '{colour}'"]
        if any(below for *_, below in points):
            plots.append(f"${who} using 1:($4==1 ? $2 : NaN) title '{who}, below the limit energy' "
                         f"with points pt 2 ps 1 lc rgb '{colour}'")
    tics = ", ".join(f"'{element}' {i}" for i, element in enumerate(elements))
    draw(folder / "basis_dyall.svg", data + f"""set ylabel 'relative error of the total energy'
set logscale y
set format y '10^{{%T}}'
set xrange [-0.6:{len(elements) - 0.4}]
set xtics ({tics})
set key below maxcols 2
plot {", ".join(plots)}""")


def compact(orbitals, path):
    """Keeps of each spinor the relative errors of its energy and of <r> in the sets of all sizes."""
    found = defaultdict(dict)
    for element, allowed, name, _, _, _, energy, radius, *_ in rows_of(Path(orbitals)):
        found[element, name][spelt(allowed)] = f"{float(energy):.1e}", f"{float(radius):.1e}"
    lines = ["# dfr_basis --orbitals, compacted by tools/basis_plots.py: element, spinor, and the relative errors of the",
             "# orbital energy, then those of <r>, in the sets 1e-5, 1e-6, 1e-7 and 5e-9, with restricted kinetic balance"]
    lines += [f"{element} {name} " + " ".join(of[size][k] for k in (0, 1) for size in SIZES)
              for (element, name), of in found.items()]
    Path(path).write_text("\n".join(lines) + "\n")


def main():
    if sys.argv[1:2] == ["--compact"]:
        compact(*sys.argv[2:])
        return
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    folder, sizes = root / "docs/plots", library(root)
    folder.mkdir(exist_ok=True)
    draw_errors(sizes, folder)
    draw_sizes(sizes, folder)
    draw_maps(root, sizes, folder)
    draw_dyall(root, folder)


if __name__ == "__main__":
    main()
