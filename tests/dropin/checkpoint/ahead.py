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


def compare(legato, serial, file):
    """Waits for a line of the serial program, stops both and compares. False if one of them has ended."""
    before = lines("serial", file)
    while lines("serial", file) <= before and serial.poll() is None:
        time.sleep(0.05)
    time.sleep(0.1)
    running = [job for job in (legato, serial) if job.poll() is None]
    for job in running:
        job.send_signal(signal.SIGSTOP)
    found, expected = lines("legato", file), lines("serial", file)
    print(f"  {found} lines, the serial program has {expected}")
    check(found >= expected, "fewer lines than the serial program")
    for job in running:
        job.send_signal(signal.SIGCONT)
    return len(running) == 2


def main():
    serial, legato, path, file = driver.start(2, "SERIAL LEGATO INPUT FILE")
    text = Path(path).read_text()
    jobs = []
    compared = 0
    try:
        jobs.append(begin("legato", legato, text))
        jobs.append(begin("serial", serial, text))
        while compared < STOPS and compare(*jobs, file):
            compared += 1
    finally:
        for job in jobs:
            job.kill()
            job.wait()
    check(compared, "both ended too soon")
    driver.end("ahead", f"compared at {compared} moments, ")


if __name__ == "__main__":
    main()
