#!/usr/bin/env python3
"""ahead.py SERIAL LEGATO INPUT FILE: at any moment the relinked main has written as many lines as the serial one.

LEGATO_CHECKPOINT is not set. A kill then loses no more than before. Both run side by side. They are stopped at several
numbers of lines of FILE, and compared.
"""
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check  # noqa: E402

STOPS = 6


def begin(name, program, text):
    """Starts a program in a folder of its own."""
    folder = Path(name)
    folder.mkdir()
    (folder / "run.inp").write_text(text)
    with open(folder / "out", "w") as output:
        return subprocess.Popen([program, "run.inp"], cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
                                stderr=subprocess.DEVNULL,
                                env=os.environ | {"LEGATO_LOG": "error", "LEGATO_NUM_THREADS": "1"})


def lines(name, file):
    return sum(path.read_bytes().count(b"\n") for path in Path(name).glob(file))


def compare(jobs, file):
    """Waits for a line of the serial program, and stops both. False if one of them has ended."""
    before = lines("serial", file)
    while lines("serial", file) <= before and jobs[0].poll() is None:
        time.sleep(0.05)
    time.sleep(0.1)
    if any(job.poll() is not None for job in jobs):
        return False
    for job in jobs:
        job.send_signal(signal.SIGSTOP)
    serial, legato = lines("serial", file), lines("legato", file)
    print(f"  {legato} lines, the serial program has {serial}")
    check(legato >= serial, "fewer lines than the serial program")
    for job in jobs:
        job.send_signal(signal.SIGCONT)
    return True


def main():
    serial, legato, path, file = driver.start(2, "SERIAL LEGATO INPUT FILE")
    text = Path(path).read_text()
    jobs = [begin("serial", serial, text), begin("legato", legato, text)]
    compared = 0
    try:
        while compared < STOPS and compare(jobs, file):
            compared += 1
    finally:
        for job in jobs:
            job.kill()
            job.wait()
    check(compared, "both ended too soon")
    driver.end("ahead", f"compared at {compared} moments, ")


if __name__ == "__main__":
    main()
