#!/usr/bin/env python3
"""progress.py PROGRAM: the progress line on a terminal counts the points of all widths.

k is the number of cycles of a point, which is 0 before it begins.
"""
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, number  # noqa: E402
from runs import INPUT, changed  # noqa: E402

# Three widths of 1001 points with 500 cycles take some seconds on one thread.
SWEEP = changed("Width0=4 Width1=16 dWidth=6 Energy0=-2.0 Energy1=2.0 dEnergy=0.004 NOfIter=5000 Epsilon=1e-15 "
                "NOfGamma=1")


def on_terminal(program):
    """What a program writes on a terminal. Reading fails once the program has closed the terminal."""
    master, terminal = pty.openpty()
    job = subprocess.Popen([program], stdin=terminal, stdout=subprocess.DEVNULL, stderr=terminal,
                           env=os.environ | {"LEGATO_NUM_THREADS": "1"})
    os.close(terminal)
    written = b""
    try:
        while piece := os.read(master, 4096):
            written += piece
    except OSError:
        pass
    check(job.wait() == 0, f"exit status {job.returncode}")
    return written.decode()


def main():
    program, = driver.start(1, "PROGRAM")
    INPUT.write_text(SWEEP)
    lines = [line for line in re.split("[\r\n]+", on_terminal(program)) if " of " in line]
    check(lines, "no progress line")
    for line in lines:
        found = re.match(r"(\d+) of 3003 .*?(?:(\S+) \S+ left.*)? k = (\d+)$", line.strip())
        check(found and int(found[1]) <= 3003 and number(found[2] or 0) >= 0 and int(found[3]) <= 500, line)
    print(f"{len(lines)} lines, the last: {lines[-1]}")
    driver.end("progress")


if __name__ == "__main__":
    main()
