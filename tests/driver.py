"""Shared by the tests of programs. A test runs in a scratch folder, counts complaints, and ends with their number."""
import atexit
import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

INPUTS = Path(__file__).resolve().parents[1] / "legacy_drivers"
complaints = []
label = ""      # what a complaint is about


def wrong(text):
    print(f"  {label}{': ' if label else ''}{text}", flush=True)
    complaints.append(text)


def check(condition, text):
    if not condition:
        wrong(text)


def start(number, usage):
    """Changes into the scratch folder. Returns absolute paths of so many programs, and the other arguments."""
    paths = [str(Path(name).resolve()) for name in sys.argv[1:number + 1]]
    if len(paths) < number or not all(os.access(path, os.X_OK) for path in paths):
        sys.exit(f"usage: {Path(sys.argv[0]).name} {usage}")
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    os.chdir(folder)
    return [*paths, *sys.argv[number + 1:]]


def run(*command, closed=(), memory=None, stdout=subprocess.PIPE, timeout=600, **environment):
    """The ended program, with these descriptors closed and so many kB of address space. Status 124: the timeout."""
    def prepare():
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory << 10, memory << 10))
        for descriptor in closed:
            os.close(descriptor)

    try:
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                               timeout=timeout, check=False,
                               preexec_fn=prepare, env=os.environ | environment)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "")
    ended.stdout = (ended.stdout or b"").decode(errors="replace")
    ended.stderr = ended.stderr.decode(errors="replace")
    return ended


def number(word):
    """NaN for what is no number: no comparison accepts it."""
    try:
        return float(word)
    except ValueError:
        return math.nan


def rows(path):
    """The numbers in a result file, without the lines that begin with #."""
    return [list(map(number, line.split())) for line in Path(path).read_text().splitlines() if not line.startswith("#")]


def end(name, text=""):
    print(f"{name}: {text}{len(complaints)} wrong")
    sys.exit(bool(complaints))
