"""Shared by the tests of tmsexd: its input, its output, and the comparison of two runs."""
import math
import re
from pathlib import Path
from typing import NamedTuple

import driver
from driver import check, number

# A small, quick, valid value of each field.
FIELDS = {"ISeed": 1277, "NOfIter": 1000000, "NOfOrtho": 10, "NOfPrint": 100, "NOfGamma": 4096, "IDimenFlag": 2,
          "IBCFlag": 1, "IRNGFlag": 0, "IKeepFlag": 0, "IWriteFlag": 0, "ISortFlag": 0, "IFluxFlag": 1, "Width0": 4,
          "Width1": 4, "dWidth": 1, "DiagDis0": "4.0", "DiagDis1": "4.0", "dDiagDis": "1.0", "Energy0": "0.0",
          "Energy1": "1.0", "dEnergy": "1.0", "Kappa": "1.0", "Epsilon": "0.05"}
INPUT = Path("tmseXd.inp")
END = re.compile(r"end: " + " *".join(rf"{name} = +(\S+)" for name in (
    "width", "k", "disorder", "energy", "exponent", "error")) + " +(.*)")


def changed(settings="", **more):
    """The input with other values, which are words NAME=VALUE or arguments."""
    values = FIELDS | dict(setting.split("=", 1) for setting in settings.split()) | more
    return "".join(f"{name:<10} = {value}\n" for name, value in values.items())


def results(program, text):
    """What is printed and the output files, by their names, and the messages. The program must succeed."""
    INPUT.write_text(text)
    ended = driver.run(program)
    check(ended.returncode == 0, f"exit status {ended.returncode}: {ended.stderr[:300]}")
    files = {"stdout": ended.stdout}
    for path in sorted(Path().glob("Avg-*.raw")):
        files[path.name] = path.read_text()
        path.unlink()
    return files, ended.stderr


class Line(NamedTuple):
    """A line of data. The point and the text must be the same in both runs."""
    point: tuple
    text: str
    count: int = 0
    exponent: str = "0"
    error: str = "0"

    def __str__(self):
        return " ".join(map(str, (*self.point, *self[1:])))


def data(text):
    """The printed lines of points, or the parameters and rows of an output file."""
    width = ""
    for line in text.splitlines():
        if found := END.match(line):
            width, count, disorder, energy, exponent, error, outcome = found.groups()
            yield Line((width, disorder, energy), outcome, int(count), exponent, error)
        elif line.startswith("end:"):
            yield Line((), line)
        elif re.match(r"[ ,] \{", line):
            index, disorder, energy, exponent, error, flag = re.sub("[{},]", " ", line).split()
            yield Line((width, disorder, energy), f"row {index}, flag {flag}", 0, exponent, error)
        elif re.search(" = .*;$", line):
            if line.startswith("Width "):
                width = line.split()[2].rstrip(";")
            yield Line((), line)


class Comparison:
    """Compares runs, and counts what it sees.

    Exponents and errors may differ by a relative or an absolute number. Iteration counts may differ by `count`, if the
    error is close to epsilon. The two runs have then ended at different cycles, and the numbers of the point are not
    compared. Parameters, points and their order must be the same, and the same points must have converged.
    """

    def __init__(self, relative=1e-10, absolute=1e-11, count=0):
        self.relative, self.absolute, self.count = relative, absolute, count
        self.points = self.grazing = 0
        self.worst = 0.0

    def same_number(self, a, b):
        x, y = number(a), number(b)
        if not (math.isfinite(x) and math.isfinite(y)):
            return a == b
        if y:
            self.worst = max(self.worst, abs(x - y) / abs(y))
        return abs(x - y) <= max(self.absolute, self.relative * abs(y))

    def differences(self, a, b, grazing):
        """The lines that differ in two texts. Points whose counts differ are added to `grazing`."""
        lines, others = list(data(a)), list(data(b))
        if not lines or len(lines) != len(others):
            yield f"{len(lines)} and {len(others)} lines of data"
        for line, other in zip(lines, others):
            off = abs(line.count - other.count)
            if line[:2] != other[:2] or off > self.count:
                yield f"{line} and {other}"
            elif off:
                grazing.add(line.point)
            elif line.count or line.point not in grazing:
                if not (self.same_number(line.exponent, other.exponent) and self.same_number(line.error, other.error)):
                    yield f"{line} and {other}"

    def compare(self, a, b):
        """Two runs, as `results` returns them. What is printed comes first, because only that has the counts."""
        check(a.keys() == b.keys(), f"other files: {[*a]}, {[*b]}")
        check(len(a) > 1, "no output files")
        grazing = set()
        for name in [name for name in a if name in b]:
            different = list(self.differences(a[name], b[name], grazing))
            check(not different, f"{name}: {len(different)} lines differ: {'; '.join(different[:10])}")
        self.points += len(re.findall("^end:", b["stdout"], re.M))
        self.grazing += len(grazing)
