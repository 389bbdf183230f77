#!/usr/bin/env python3
"""refused.py PROGRAM INPUT OLD/NEW: unusable values of LEGATO_CHECKPOINT and LEGATO_CHECKPOINT_INTERVAL, and bad files.

The files are damaged, belong to another input, or are on a full disk. Each case must give a message and no wrong
number. INPUT with NEW in place of OLD is another input.
"""
import os
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from checkpoint import SAVED, WITH_CHECKPOINT, Main, printed, states  # noqa: E402
from driver import check, has  # noqa: E402

NO_FOLDER = "it must be a folder that can be written$"


def saved_state(job):
    """Kills the program when its first file exists. Returns this file."""
    driver.killed_when(states, *job.command, **WITH_CHECKPOINT)
    return states()[0]


def refuses(job, pattern, **environment):
    ended = driver.run(*job.command, **environment)
    check(driver.is_refusal(ended), f"exit status {ended.returncode}")
    has(pattern, ended.stderr)
    check(ended.stderr.count("\n") == 1, f"not one line: {ended.stderr}")


def check_settings(job):
    for folder, reason in ("nowhere", "No such file or directory"), (job.command[1], "Not a directory"):
        job.begin(f"folder {folder}")
        refuses(job, f'^legato: LEGATO_CHECKPOINT: "{folder}": {reason}; {NO_FOLDER}', LEGATO_CHECKPOINT=folder)
    for seconds in "-1", "86401", "nan", "5s", "x", "1e400":
        job.begin(f"interval {seconds}")
        refuses(job, rf'^legato: LEGATO_CHECKPOINT_INTERVAL: "{seconds}" is not a number of seconds in 0\.\.86400$',
                LEGATO_CHECKPOINT="saved", LEGATO_CHECKPOINT_INTERVAL=seconds)
    if os.getuid():
        job.begin("a folder that cannot be written")
        SAVED.chmod(0o555)
        refuses(job, f'"saved": Permission denied; {NO_FOLDER}', LEGATO_CHECKPOINT="saved")
        SAVED.chmod(0o755)


def check_files(job, change):
    job.begin("a damaged file")
    state = saved_state(job)
    sound, middle = state.read_bytes(), state.stat().st_size // 2
    state.write_bytes(sound[:middle] + b"\xff\x01\xff" + sound[middle + 3:])
    refuses(job, re.escape(str(state)), **WITH_CHECKPOINT)
    driver.label = "a file that is cut short"
    state.write_bytes(sound[:-7])
    refuses(job, re.escape(str(state)), **WITH_CHECKPOINT)
    driver.label = "a file under the name of another input's"
    other_text = job.text.replace(*change.split("/"))
    check(other_text != job.text, "the input is as before")
    job.write(other_text)
    state.unlink()
    others = saved_state(job)
    others.write_bytes(sound)
    refuses(job, f"{re.escape(str(others))}.*another", **WITH_CHECKPOINT)
    driver.label = "another input beside it"
    others.unlink()
    state.write_bytes(sound)
    output = job.run(**WITH_CHECKPOINT)
    shutil.rmtree(SAVED)
    check(output == job.run(), "its result is not what it is alone")


def check_full_disk(job):
    job.begin("a full disk")
    if driver.can_mount("saved"):
        ended = driver.run("unshare", "-m", "sh", "-c", 'mount -t tmpfs -o size=4k tmpfs saved && exec "$@"', "sh",
                           *job.command, **WITH_CHECKPOINT)
        check(ended.returncode == 0, f"the program has ended: {ended.stderr}")
        has("^legato: LEGATO_CHECKPOINT: the run cannot be saved: .*No space left on device", ended.stderr)
        job.check_same(printed(ended.stdout))


def main():
    program, path, change = driver.start(1, "PROGRAM INPUT OLD/NEW")
    job = Main(program, path)
    check_settings(job)
    check_files(job, change)
    check_full_disk(job)
    driver.label = ""
    driver.end("refused", f"{driver.cases} cases, ")


if __name__ == "__main__":
    main()
