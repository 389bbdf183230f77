#!/usr/bin/env python3
"""Plants faults in a copy of the sources, one at a time, and asks whether the ordinary tests notice.

    mutate.py --folder FOLDER [--only REGEX] [--shard I/N] [--jobs N] [--results FILE] [--anew]
    mutate.py --check

The lists of faults are faults/*.toml beside this file. `--check` compares them with the sources and plants nothing.
FOLDER keeps the copy, its build and the results, so that a run that was stopped goes on where it was. The exit status
is 0 if at least 95 % of the faults are caught and every survivor is explained in the list (`survives`).
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WANTED_SHARE = 0.95
TEST_SECONDS = int(os.environ.get("LEGATO_MUTATION_SECONDS", "300"))  # a fault that makes a test hang is caught
FIELDS = {"name", "file", "find", "replace", "wrong", "tests", "survives"}


class ListError(Exception):
    pass


def read_faults(folder):
    """All faults of folder/*.toml, in the order of files and lists."""
    faults, names = [], set()
    for path in sorted(Path(folder).glob("*.toml")):
        with open(path, "rb") as stream:
            table = tomllib.load(stream)
        for fault in table.get("fault", []):
            fault.setdefault("tests", table.get("tests"))
            unknown = set(fault) - FIELDS
            missing = {"name", "file", "find", "replace", "wrong"} - set(fault)
            if unknown or missing or not fault["tests"]:
                raise ListError(f"{path.name}: fault {fault.get('name')}: unknown {sorted(unknown)}, "
                                f"missing {sorted(missing)}, tests {fault['tests']!r}")
            if fault["name"] in names:
                raise ListError(f"{path.name}: the name {fault['name']} is used twice")
            names.add(fault["name"])
            faults.append(fault)
    return faults


def planted(text, fault):
    """The text with the fault in it. The place must be found exactly once, and the fault must change it."""
    found = text.count(fault["find"])
    if found != 1:
        raise ListError(f"fault {fault['name']}: its text stands {found} times in {fault['file']}, expected once")
    changed = text.replace(fault["find"], fault["replace"])
    if changed == text:
        raise ListError(f"fault {fault['name']}: it changes nothing")
    return changed


def stale(faults, root):
    """What is wrong with the list, a line for each fault that does not fit the sources."""
    complaints = []
    for fault in faults:
        try:
            planted((Path(root) / fault["file"]).read_text(), fault)
        except (OSError, ListError) as error:
            complaints.append(str(error))
    return complaints


def copy_tree(root, target):
    """The files that git knows or would take, written only where they differ: the build sees no other change."""
    listing = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                             check=True, stdout=subprocess.PIPE).stdout
    wanted = {name for name in listing.decode().split("\0") if name and (Path(root) / name).is_file()}
    for name in wanted:
        source, copy = Path(root) / name, Path(target) / name
        if copy.is_file() and copy.read_bytes() == source.read_bytes():
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)
    for path in list(Path(target).rglob("*")):
        if path.is_file() and str(path.relative_to(target)) not in wanted:
            path.unlink()


class Build:
    """A build of the copy without CUDA."""

    def __init__(self, source, folder, jobs, log):
        self.source, self.folder, self.jobs, self.log = source, folder, jobs, log

    def call(self, *command, seconds=None):
        with open(self.log, "a") as log:
            log.write("\n$ " + " ".join(map(str, command)) + "\n")
            log.flush()
            process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                       start_new_session=True)
            try:
                return process.wait(seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                process.wait()
                return None

    def configure(self):
        launcher = shutil.which("ccache")
        options = [f"-DCMAKE_{language}_COMPILER_LAUNCHER={launcher}" for language in ("C", "CXX") if launcher]
        return self.call("cmake", "-S", self.source, "-B", self.folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                         "-DLEGATO_CUDA=OFF", "-DLEGATO_BENCHMARKS=OFF", "-DLEGATO_EXAMPLES=OFF", *options) == 0

    def tests(self, regex):
        """Names and commands of the ordinary tests whose names match."""
        listing = subprocess.run(["ctest", "--test-dir", self.folder, "--show-only=json-v1", "-R", regex, "-LE",
                                  "slow|gpu"], check=True, stdout=subprocess.PIPE).stdout
        return [(test["name"], test.get("command", [])) for test in json.loads(listing)["tests"]]

    def build(self, commands):
        """Builds the programs and libraries of the build folder that the commands name."""
        targets = set()
        for command in commands:
            for word in command:
                path = Path(word)
                if path.is_absolute() and path.is_relative_to(self.folder):
                    targets.add(str(path.relative_to(self.folder)))
        known = subprocess.run(["ninja", "-C", self.folder, "-t", "targets", "all"], check=True,
                               stdout=subprocess.PIPE, text=True).stdout
        outputs = {line.rsplit(": ", 1)[0] for line in known.splitlines()}
        chosen = sorted(targets & outputs)
        # A test whose command names no target is one of a whole folder: everything is built for it.
        return self.call("ninja", "-C", self.folder, "-j", str(self.jobs), *chosen) == 0

    def failing_test(self, regex):
        """The first test that fails or hangs; None if all pass."""
        junit = Path(self.folder) / "mutation.xml"
        junit.unlink(missing_ok=True)
        status = self.call("ctest", "--test-dir", self.folder, "-R", regex, "-LE", "slow|gpu", "--stop-on-failure",
                           "-j", str(self.jobs), "--timeout", str(TEST_SECONDS), "--output-junit", junit)
        if status == 0:
            return None
        found = re.search(r'<testcase name="([^"]*)"[^>]*status="fail"', junit.read_text()) if junit.exists() else None
        return found.group(1) if found else "ctest"


def judge(build, fault):
    """'caught' with the test, 'survived', or 'does not build'."""
    path = Path(build.source) / fault["file"]
    original = path.read_text()
    tests = build.tests(fault["tests"])
    if not tests:
        raise ListError(f"fault {fault['name']}: no ordinary test matches {fault['tests']}")
    try:
        path.write_text(planted(original, fault))
        if not build.build([command for _, command in tests]):
            return "does not build", ""
        test = build.failing_test(fault["tests"])
        return ("caught", test) if test else ("survived", "")
    finally:
        path.write_text(original)


def sound(build, faults):
    """Without a fault all the tests that judge must pass."""
    regexes = sorted({fault["tests"] for fault in faults})
    commands = [command for regex in regexes for _, command in build.tests(regex)]
    if not build.build(commands):
        print(f"mutate: the sources do not build without a fault; see {build.log}", file=sys.stderr)
        return False
    test = build.failing_test("|".join(f"({regex})" for regex in regexes))
    if test:
        print(f"mutate: test {test} fails without a fault; see {build.log}", file=sys.stderr)
    return test is None


def summary(faults, results):
    """The last lines, and whether they are good enough."""
    judged = [(fault, results[fault["name"]]) for fault in faults if fault["name"] in results]
    caught = [fault for fault, result in judged if result["verdict"] == "caught"]
    broken = [fault for fault, result in judged if result["verdict"] == "does not build"]
    survivors = [fault for fault, result in judged if result["verdict"] == "survived"]
    counted = len(caught) + len(survivors)
    print(f"\n{len(judged)} of {len(faults)} faults judged: {len(caught)} caught, {len(survivors)} survived, "
          f"{len(broken)} do not build")
    for fault in survivors:
        print(f"  survived: {fault['name']} ({fault['file']}): {fault.get('survives', 'NOT EXPLAINED')}")
    for fault in broken:
        print(f"  does not build: {fault['name']} ({fault['file']})")
    share = len(caught) / counted if counted else 0.0
    print(f"caught: {100 * share:.1f} % (wanted: {100 * WANTED_SHARE:.0f} %)")
    return (len(judged) == len(faults) and share >= WANTED_SHARE and not broken
            and all("survives" in fault for fault in survivors))


def chosen_faults(faults, only, shard):
    chosen = [fault for fault in faults if re.search(only, fault["name"] + " " + fault["file"])]
    index, count = map(int, shard.split("/"))
    if not 1 <= index <= count:
        raise ListError(f"--shard {shard}: the first number must be in 1..{count}")
    return chosen[index - 1::count]


def run(arguments, faults, root=ROOT):
    folder = Path(arguments.folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    results_path = Path(arguments.results) if arguments.results else folder / "results.json"
    results = {} if arguments.anew or not results_path.exists() else json.loads(results_path.read_text())
    copy_tree(str(root), str(folder / "source"))
    build = Build(str(folder / "source"), str(folder / "build"), arguments.jobs, str(folder / "log"))
    if not build.configure():
        print(f"mutate: cmake fails; see {build.log}", file=sys.stderr)
        return False
    left = [fault for fault in faults if fault["name"] not in results]
    if left and not sound(build, left):
        return False
    for number, fault in enumerate(left, 1):
        began = time.monotonic()
        verdict, test = judge(build, fault)
        results[fault["name"]] = {"verdict": verdict, "test": test, "seconds": round(time.monotonic() - began, 1)}
        results_path.write_text(json.dumps(results, indent=1) + "\n")
        print(f"{number}/{len(left)} {fault['name']}: {verdict} {test} ({results[fault['name']]['seconds']} s)",
              flush=True)
    return summary(faults, results)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only compare the lists with the sources")
    parser.add_argument("--folder", help="where the copy, its build and the results are kept")
    parser.add_argument("--only", default="", metavar="REGEX", help="faults whose name or file matches")
    parser.add_argument("--shard", default="1/1", metavar="I/N", help="every N-th fault from the I-th on")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="jobs of the build and of the tests")
    parser.add_argument("--results", metavar="FILE", help="default: results.json in the folder")
    parser.add_argument("--anew", action="store_true", help="forget the results of earlier runs")
    arguments = parser.parse_args()
    try:
        faults = read_faults(HERE / "faults")
        complaints = stale(faults, ROOT)
        for complaint in complaints:
            print(f"mutate: {complaint}", file=sys.stderr)
        if arguments.check:
            print(f"{len(faults)} faults, {len(complaints)} do not fit the sources")
        if complaints or arguments.check:
            return bool(complaints)
        if not arguments.folder:
            parser.error("--folder is needed")
        return not run(arguments, chosen_faults(faults, arguments.only, arguments.shard))
    except ListError as error:
        print(f"mutate: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
