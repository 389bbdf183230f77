#!/usr/bin/env python3
"""restart.py PROGRAM: runs that are killed, or whose output file is damaged, and resumed with IKeepFlag = 1.

They must end with the same bytes as an undisturbed run.
"""
import re
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, killed_after  # noqa: E402
from runs import INPUT, changed, results  # noqa: E402

# Three widths of 21 points, which take about a second or two.
SWEEP = changed("NOfIter=1000000000 Width0=4 Width1=8 dWidth=2 DiagDis0=2.0 DiagDis1=2.0 Energy0=-3.0 Energy1=1.0 "
                "dEnergy=0.2 NOfGamma=3 Epsilon=0.015 IKeepFlag=1")
SECOND = "Avg-2D-W0006.raw"


def begin(label, **files):
    """A folder with the input and the files of a case."""
    driver.label = label
    driver.cases += 1
    for path in Path().iterdir():
        path.unlink()
    INPUT.write_text(SWEEP)
    for name, contents in files.items():
        Path(name).write_bytes(contents)


def finish(program, whole):
    """The files are those of the whole run, and every point is either kept or computed. Returns what is printed."""
    files, _ = results(program, SWEEP)
    output, all_points = files.pop("stdout"), len(re.findall("^end:", whole["stdout"], re.M))
    for name in whole.keys() - {"stdout"}:
        check(files.get(name) == whole[name], f"{name} is not the same")
    points = sum(map(int, re.findall(r"^kept: +(\d+)", output, re.M))) + len(re.findall("^end:", output, re.M))
    check(points == all_points, f"{points} points kept or computed, {all_points} expected")
    return output


def check_kills(program, whole, seconds):
    killed = 0
    for percent in 1, 5, 10, 25, 40, 55, 70, 85, 95:
        begin(f"killed after {percent} %")
        killed += killed_after(seconds * percent / 100, program)
        finish(program, whole)
    begin("killed again and again")     # only complete points count as progress
    for _ in range(8):
        if not killed_after(seconds / 5, program):
            break
        killed += 1
    finish(program, whole)
    check(killed, "no kill has hit a running program")
    return killed


def check_damages(program, whole):
    """The file of the second width is cut in the header, in and between rows, between points, and in the last line."""
    sound = {name: text.encode() for name, text in whole.items() if name != "stdout"}
    second = sound[SECOND]
    size, head = len(second), second.index(b"\n  {") + 1
    point = 3 * (second.index(b"\n", head) + 1 - head)
    for cut in (0, 1, 50, head - 1, head, head + 1, head + point - 1, head + point, head + point + point // 2,
                head + 20 * point + 7, size - 3, size - 2, size - 1, size):
        begin(f"cut to {cut} bytes", **sound | {SECOND: second[:cut]})
        output = finish(program, whole)
    check("\nend:" not in f"\n{output}", "a finished point was computed again")
    five, eight = head + 5 * point, head + 7 * point + 30
    for label, contents in (("zeros behind the fifth point, as after a power cut", second[:five] + bytes(size - five)),
                            ("a damaged point", second[:eight] + b"x" + second[eight + 1:]),
                            ("more behind the end", second + b"garbage\n")):
        begin(label, **sound | {SECOND: contents})
        finish(program, whole)


def main():
    program, = driver.start(1, "PROGRAM")
    began = time.monotonic()
    whole, _ = results(program, SWEEP)
    points = len(re.findall("^end:", whole["stdout"], re.M))
    check(points == 63, f"{points} points, 63 expected")
    killed = check_kills(program, whole, time.monotonic() - began)
    check_damages(program, whole)
    driver.label = ""
    driver.end("restart", f"{driver.cases} cases, {killed} runs killed, ")


if __name__ == "__main__":
    main()
