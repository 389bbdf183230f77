"""Shared by the tests of programs. A test runs in a scratch folder, counts complaints, and ends with their number."""
import atexit
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

INPUTS = Path(__file__).resolve().parents[1] / "legacy_drivers"
complaints = []     # the label of each
label = ""          # what a complaint is about
cases = 0


def wrong(text):
    print(f"  {label}{': ' if label else ''}{text}", flush=True)
    complaints.append(label)


def check(condition, text):
    if not condition:
        wrong(text)


def has(pattern, text):
    check(re.search(pattern, text, re.M), f'no "{pattern}" in: {text[:300]}')


def name_label(kind, error, trace):
    """What an exception was about."""
    print(f"  {label}", flush=True)
    sys.__excepthook__(kind, error, trace)


def start(number, usage):
    """Changes into the scratch folder. Returns absolute paths of so many programs, and the other arguments."""
    paths = [str(Path(name).resolve()) for name in sys.argv[1:number + 1]]
    if len(paths) < number or not all(os.access(path, os.X_OK) for path in paths):
        sys.exit(f"usage: {Path(sys.argv[0]).name} {usage}")
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.excepthook = name_label
    os.chdir(folder)
    return [*paths, *sys.argv[number + 1:]]


def run(*command, closed=(), memory=None, file_size=None, stdout=subprocess.PIPE, timeout=500, **environment):
    """The ended program, with these descriptors closed, and so many kB of address space or a file.

    Status 124: the timeout.
    """
    def prepare():
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory << 10, memory << 10))
        if file_size:
            resource.setrlimit(resource.RLIMIT_FSIZE, 2 * (int(1024 * file_size),))
        for descriptor in closed:
            os.close(descriptor)

    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, preexec_fn=prepare,
                          start_new_session=True, env=os.environ | environment) as job:
        try:
            output, messages = job.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, 124, "", f"it has run for {timeout} seconds")
        finally:
            if job.poll() is None:
                os.killpg(job.pid, signal.SIGKILL)
    return subprocess.CompletedProcess(command, job.returncode, (output or b"").decode(errors="replace"),
                                       messages.decode(errors="replace"))


def is_refusal(ended):
    """Whether the program has ended with an error of its own, and not by a signal or the timeout."""
    return 0 < ended.returncode < 124


def can_mount(folder):
    """Whether this user may mount a file system, in a name space of its own."""
    command = ("unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", folder)
    return bool(shutil.which("unshare")) and run(*command).returncode == 0


def killed_after(seconds, *command, **environment):
    """Kills a program. False if it has ended before."""
    return run(*command, timeout=seconds, **environment).returncode == 124


def killed_when(happens, *command, **environment):
    """Kills a program when the condition holds, but after 20 seconds at the latest. False if it has ended before."""
    job = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           env=os.environ | environment)
    last = time.monotonic() + 20
    while job.poll() is None and not happens() and time.monotonic() < last:
        time.sleep(0.0005)
    job.kill()
    return job.wait() == -signal.SIGKILL


def out_of_time(run_with, stopped):
    """Calls run_with(minutes) until it does not end with status 2, which means that its time was over.

    The limits grow from 0, so that a computer of any speed stops, and ends. stopped(ended) looks at each stop. Returns the
    number of stops, and how the last run has ended."""
    stops = 0
    while (ended := run_with(f"{0.0002 * stops:.4f}")).returncode == 2 and stops < 500:
        stops += 1
        stopped(ended)
    return stops, ended


def expect(status, *command, **how):
    """The output and the messages of a case, which must end with this status."""
    global cases
    cases += 1
    ended = run(*command, timeout=300, **how)
    check(ended.returncode == status, f"{command[1:]}: exit status {ended.returncode}: {ended.stderr[:300]}")
    return ended.stdout, ended.stderr


def number(word):
    """NaN for what is no finite number: no comparison accepts it."""
    try:
        value = float(word)
    except ValueError:
        return math.nan
    return value if math.isfinite(value) else math.nan


def lines(path):
    """The words of each line of a result file, without the lines that begin with #."""
    return [line.split() for line in Path(path).read_text().splitlines() if not line.startswith("#")]


def rows(path):
    """The numbers in a result file."""
    return [list(map(number, line)) for line in lines(path)]


def succeed(program, text, name="run.inp", **environment):
    """The output of a program with this input. It must succeed."""
    Path(name).write_text(text)
    ended = run(program, name, **environment)
    check(ended.returncode == 0, f"exit status {ended.returncode}: {ended.stderr[:300]}")
    return ended.stdout


def both(programs, *texts):
    """The outputs of two programs with the same or two inputs. NAME in an input becomes serial and legato."""
    return [succeed(program, text.replace("NAME", name), f"{name}.inp")
            for program, text, name in zip(programs, 2 * texts, ("serial", "legato"))]


class Deviations(list):
    """Deviations of averages from what is expected, in standard errors. Each must be less than 4."""

    def add(self, name, value, expected, error):
        off = value - expected
        self.append(off / error if error else math.inf if off else 0.0)
        check(abs(self[-1]) < 4, f"{name} is {value}, expected {expected}: off by {self[-1]:.2f} errors")

    def __str__(self):
        square = sum(off**2 for off in self) / len(self)
        return f"{len(self)} numbers, mean square deviation {square:.2f} squared errors, "


def compare_averages(name, runs, compare):
    """A whole test: compare(programs, deviations, *run) of two programs for each of the runs."""
    programs = start(2, "SERIAL LEGATO")
    deviations = Deviations()
    for run_of_test in runs:
        compare(programs, deviations, *run_of_test)
    end_of_runs(name, len(runs), deviations)


def end(name, text="", least=0):
    """Ends a test, of at least so many cases."""
    check(cases >= least, f"only {cases} cases")
    print(f"{name}: {text}{len(complaints)} wrong")
    sys.exit(bool(complaints))


def end_of_runs(name, runs, text=""):
    """Ends a comparison of two programs in so many runs, each with its own label."""
    print(f"{name}: {runs} runs, {text}{len(set(complaints))} differ")
    sys.exit(bool(complaints) or not runs)
