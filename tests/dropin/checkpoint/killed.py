#!/usr/bin/env python3
"""killed.py PROGRAM INPUT KILLS: kills a relinked main with LEGATO_CHECKPOINT and resumes it.

It kills once when a file has been saved, and then at KILLS random moments. Each time the program must write the same
bytes as an undisturbed run without LEGATO_CHECKPOINT. So must a run that is killed again and again. INPUT is the only
argument of the program.
"""
import os
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from checkpoint import WITH_CHECKPOINT, Main, states  # noqa: E402
from driver import check  # noqa: E402


def main():
    program, path, kills = driver.start(1, "PROGRAM INPUT KILLS")
    random.seed(int(os.environ.get("LEGATO_TEST_SEED", "1")))
    job = Main(program, path)
    killed = resumed = 0

    def kill(share):
        return driver.killed_after(job.seconds * share, *job.command, **WITH_CHECKPOINT)

    for _ in range(50):     # until one is hit between its first saved file and its end
        job.begin("killed when it has saved")
        driver.killed_when(states, *job.command, **WITH_CHECKPOINT)
        if states():
            break
    check(job.finish(), "no run was hit between its first saved file and its end")
    for number in range(int(kills)):
        job.begin(f"kill {number}")
        killed += kill(random.random())
        resumed += job.finish()
    job.begin("killed again and again")
    for _ in range(8):
        if not kill(0.3):
            break
        killed += 1
    resumed += job.finish()
    driver.label = "random kills"
    check(killed, "none has hit a running program")
    driver.end("killed", f"{driver.cases} cases; {killed} runs killed, {resumed} taken up from a file; ")


if __name__ == "__main__":
    main()
