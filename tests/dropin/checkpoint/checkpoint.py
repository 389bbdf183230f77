"""Shared by the tests of LEGATO_CHECKPOINT. The library saves to the folder `saved`."""
import re
import shutil
import time
from pathlib import Path

import driver
from driver import check

SAVED = Path("saved")
WITH_CHECKPOINT = {"LEGATO_CHECKPOINT": "saved", "LEGATO_CHECKPOINT_INTERVAL": "0.02"}


def states():
    return sorted(SAVED.glob("legato-*"))


def printed(output):
    """The output without the times."""
    return re.sub(r"[0-9]+\.[0-9]+ (s|us|ns)\b", r"TIME \1", output)


class Main:
    """A relinked main, its input, and what an undisturbed run without LEGATO_CHECKPOINT prints and writes."""

    def __init__(self, program, path):
        self.text, self.command = Path(path).read_text(), (program, Path(path).name)
        self.begin("left alone")
        began = time.monotonic()
        output = self.run()
        self.seconds = time.monotonic() - began
        check(not list(SAVED.iterdir()), "something is saved")
        self.whole = self.results(output)

    def begin(self, label):
        driver.label = label
        driver.cases += 1
        shutil.rmtree(SAVED, ignore_errors=True)
        for path in Path().iterdir():
            path.unlink()
        SAVED.mkdir()
        self.write(self.text)

    def write(self, text):
        Path(self.command[1]).write_text(text)

    def run(self, **environment):
        ended = driver.run(*self.command, **environment)
        check(ended.returncode == 0, f"exit status {ended.returncode}: {ended.stderr}")
        return printed(ended.stdout)

    def results(self, output):
        return {"": output} | {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()}

    def check_same(self, output):
        """The run gives what the undisturbed run gives. Files that a kill has truncated may be left."""
        results = self.results(output)
        for name, contents in self.whole.items():
            check(results.get(name) == contents, f"{name or output} is not the same")

    def finish(self):
        """Runs to the end. True if there was a saved file. Afterwards none is left."""
        resumes = bool(states())
        self.check_same(self.run(**WITH_CHECKPOINT))
        check(not states(), f"left behind: {states()}")
        return resumes
