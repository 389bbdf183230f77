#!/usr/bin/env python3
"""figures_test.py: tools/figures.py accepts the repository as it is, and finds each figure that is changed in a copy."""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENTS = ["README.md", *(f"docs/{method}.md" for method in ("tmm", "dfr", "kpm", "vmc", "ising"))]


def findings(root):
    ended = subprocess.run([sys.executable, ROOT / "tools/figures.py", root], capture_output=True, text=True, check=False)
    if ended.returncode not in (0, 1) or ended.stderr:
        sys.exit(ended.stdout + ended.stderr)
    return ended.stdout.splitlines() if ended.returncode else []


def expect(condition, message):
    if not condition:
        sys.exit(f"figures_test: {message}")


def changed(root, document, old, new):
    """What is found while one text of a document is another."""
    path = root / document
    text = path.read_text()
    expect(text.count(old) >= 1, f"{document} has no {old}")
    path.write_text(text.replace(old, new, 1))
    found = findings(root)
    path.write_text(text)
    return found


def check_every_figure(root):
    """The last figure of some rows of each table, with another first digit."""
    keys = {"README.md": ["3D M = 10, 64 values", "Rn, 7 x 45", "64 moments, 16 vectors", "4224 chains at once", "critical point",
                          "128³ sites, R = 16, N = 512", "`ising_mc`"],
            "docs/tmm.md": ["| 2D M = 8, 1841 energies | 3.43e5", "| 3D M = 32, one point | 1.06", "| 3D M = 24, one point | 375"],
            "docs/dfr.md": ["| Xe, 30", "| Rn, 32", "| 80 elements"], "docs/kpm.md": ["| 64³ |", "| 512³, R = 32"],
            "docs/vmc.md": ["| 26 | 5.46", "| 226 | 749"], "docs/ising.md": ["| 2048² |", "| 512³ |"]}
    for document, begins in keys.items():
        lines = (root / document).read_text().splitlines()
        for begin in begins:
            line = next((line for line in lines if line.startswith("|") and begin in line), None)
            expect(line, f"{document} has no row with {begin}")
            cells = line.split("|")
            at = next(i for i in range(len(cells) - 1, 0, -1) if re.search(r"\d", cells[i]))
            number = re.findall(r"\d", cells[at])[0]
            other = cells[at].replace(number, str((int(number) + 3) % 10), 1)
            new = "|".join([*cells[:at], other, *cells[at + 1:]])
            expect(changed(root, document, line, new), f'{document}: "{other.strip()}" was not found in {new}')


def check_relinked(root):
    """With a record the column must be filled, with its figure and its backend."""
    row = {"room": "kpm", "problem": "128 x 128 x 128, N = 64, R = 16", "ratio": 12.34}
    old = next(line for line in (root / "README.md").read_text().splitlines() if "64 moments, 16 vectors" in line)
    record = root / "benchmarks/results/9999-01-01-test-relinked-gpu.json"
    cells = old.split("|")
    for backend, shown, good in (("cuda", "12.3", True), ("cuda", "12", True), ("cuda", "12.4", False), ("cuda", "not measured", False),
                                 ("cpu", "12.3", False), ("cpu", "12.3 on the CPU", True), ("cuda", "12.3 on the CPU", False)):
        record.write_text(json.dumps({"rows": [{**row, "backend": backend}]}))
        cells[-2] = f" {shown} "
        found = [line for line in changed(root, "README.md", old, "|".join(cells)) if "64 moments" in line]
        expect(bool(found) != good, f"README.md with {shown} for 12.34, backend {backend}: {found}")
    record.unlink()


def main():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for document in DOCUMENTS:
            (root / document).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / document, root / document)
        shutil.copytree(ROOT / "benchmarks/results", root / "benchmarks/results")
        found = findings(root)
        expect(not found, "\n".join(found))
        check_every_figure(root)
        check_relinked(root)
        expect(changed(root, "README.md", "is 78\n  with 32 chains", "is 50\n  with 32 chains"), "the figure of 32 chains is not looked at")
        expect(changed(root, "docs/kpm.md", "| 512³, R = 32 |", "| 1024³, R = 32 |"), "an unknown row is not found")


if __name__ == "__main__":
    main()
