#!/usr/bin/env python3
"""restart.py PROGRAM KIND...: kills a run that saves its state, and resumes it from the file.

Its results and errors must be bitwise identical to those of an undisturbed run. PROGRAM KIND STATE RESULT begins a run,
or resumes it from STATE if this file exists, and says so.
"""
import os
import re
import sys
import time
from pathlib import Path

import driver
from driver import check, killed_after, killed_when

STATE, RESULT = Path("state.h5"), Path("result")


def unfinished():
    """Incomplete files of a program that is saving."""
    return list(Path().glob(".legato-state-*"))


class Kind:
    """Runs of one kind, and how many were killed, killed while saving, and resumed."""

    def __init__(self, program, kind):
        self.command, self.kind = (program, kind, str(STATE), str(RESULT)), kind
        self.killed = self.saving = self.resumed = 0
        self.begin("left alone")
        began = time.monotonic()
        self.run()
        self.seconds = time.monotonic() - began
        self.whole = RESULT.read_bytes()

    def begin(self, label):
        driver.label = f"{self.kind}, {label}"
        driver.cases += 1
        for path in Path().iterdir():
            path.unlink()

    def run(self):
        ended = driver.run(*self.command)
        check(ended.returncode == 0, f"exit status {ended.returncode}: {ended.stderr}")
        return ended.stdout

    def kill(self, kill, when):
        """An incomplete file may remain. False if the run has ended before."""
        for path in unfinished():
            path.unlink()
        if not kill(when, *self.command):
            return False
        self.killed += 1
        self.saving += bool(unfinished())
        return True

    def finish(self):
        self.resumed += bool(re.search("^begins with [1-9]", self.run(), re.M))
        check(RESULT.read_bytes() == self.whole, "the result is not the same")

    def test(self):
        for percent in 2, 10, 25, 40, 55, 70, 85, 95:
            self.begin(f"killed after {percent} %")
            self.kill(killed_after, self.seconds * percent / 100)
            self.finish()
        self.begin("killed again and again")
        for _ in range(10):
            if not self.kill(killed_after, self.seconds / 5):
                break
        self.finish()
        self.begin("killed while it saves")
        enough = self.saving + 2
        for _ in range(50):
            if self.saving < enough and not self.kill(killed_when, unfinished):
                STATE.unlink(missing_ok=True)     # the run was faster; begin again
        self.finish()
        self.begin("a finished run")
        self.run()
        self.finish()


def main():
    program, *names = driver.start(1, "PROGRAM KIND...")
    os.environ.setdefault("LEGATO_NUM_THREADS", "1")
    kinds = [Kind(program, name) for name in names]
    for kind in kinds:
        kind.test()
    driver.label = "all kills"
    killed, saving, resumed = (sum(getattr(kind, name) for kind in kinds) for name in ("killed", "saving", "resumed"))
    check(killed, "none has hit a running program")
    check(saving, "none has hit a program that was saving")
    check(resumed, "no run went on from a file")
    driver.end("restart", f"{driver.cases} cases; {killed} runs killed, {saving} while saving; {resumed} resumed; ")


if __name__ == "__main__":
    main()
