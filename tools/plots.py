#!/usr/bin/env python3
"""Draws the tables of docs/scaling.md into docs/plots.

    plots.py [FOLDER]     FOLDER: the repository, or a copy of these files

gnuplot must be installed. Run the script again after a change of these tables.
"""
import re
import subprocess
import sys
from pathlib import Path

STYLE = """set terminal svg size 760,520 font 'sans-serif,14' background rgb 'white'
set grid lc rgb '#d0d0d0'
set key below left Left reverse samplen 3
"""


def rows_below(page, heading):
    """The cells of the rows of the table whose first line is `heading`."""
    lines = page.splitlines()
    rows = []
    for line in lines[lines.index(heading) + 2:]:
        if not line.startswith("|"):
            return rows
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def number(cell):
    return float(re.match(r"[0-9.]+", cell).group())


def draw(path, commands):
    subprocess.run(["gnuplot"], input=f"{STYLE}set output '{path}'\n{commands}\n", text=True, check=True)


def draw_devices(page, folder):
    """The speed-up of a job on P devices, from the two terms of its time: measured up to two devices, predicted beyond."""
    plots = ["x title 'ideal' with lines lc rgb '#808080' dashtype 3"]
    data = []
    for i, (job, alone, shared, *_) in enumerate(rows_below(page, "| job | a | b | predicted for 8 devices |"), 1):
        a, b = number(alone), number(shared)
        job = job.replace("'", "")
        plots += [f"({a}+{b})/({a}+{b}/x) title '{job}' with lines lc {i} lw 2 dashtype 2",
                  f"$measured_{i} notitle with points lc {i} pt 7 ps 0.8"]
        data.append(f"$measured_{i} << end\n1 1\n2 {(a + b) / (a + b / 2):.4f}\nend\n")
    draw(folder / "devices.svg", "".join(data) + f"""set xlabel 'devices'
set ylabel 'speed-up'
set logscale xy 2
set xrange [0.9:8.8]
set yrange [0.9:8.8]
plot {", ".join(plots)}""")


def draw_wide_points(page, folder):
    """The time of a cycle of a wide point on one and on two devices."""
    rows = rows_below(page, "| M | sites in a slice | one device | two devices | speed-up |")
    lines = "\n".join(" ".join(str(number(cell)) for cell in row) for row in rows)
    draw(folder / "wide_points.svg", f"""$cycles << end
{lines}
end
set xlabel 'M'
set ylabel 'microseconds for a cycle'
set logscale y
set xrange [30:66]
set yrange [500:30000]
plot $cycles using 1:3 title 'one device' with linespoints lw 2 pt 7, \\
     $cycles using 1:4 title 'two devices' with linespoints lw 2 pt 5""")


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    page, folder = (root / "docs/scaling.md").read_text(), root / "docs/plots"
    folder.mkdir(exist_ok=True)
    draw_devices(page, folder)
    draw_wide_points(page, folder)


if __name__ == "__main__":
    main()
