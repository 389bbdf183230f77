#!/usr/bin/env python3
"""Runs clang-format or clang-tidy on the sources.

    style.py format                     lists the files that clang-format would change, with the numbers of places
    style.py tidy BUILD [--jobs N]      what clang-tidy finds in the libraries, which have been configured in BUILD

The exit status is 1 if something was found. It is 77 if the version that counts is not installed, because other
versions judge differently. clang-tidy does not read a source again in which it has found nothing, as long as the source,
everything that it includes, its command and the rules are the same. $XDG_CACHE_HOME/legato-tidy (~/.cache/legato-tidy)
has an empty file for each such source, which can be removed at any time.
"""
import argparse
import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = "14"
FORMATTED = ("cpp", "capi", "cuda", "fortran", "mpi", "tests", "benchmarks", "examples")


def output(*command, text=""):
    return subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout


def tool_named(name):
    """The command of the version that counts. Ends the program if there is none."""
    for command in (f"{name}-{VERSION}", name):
        if shutil.which(command) and re.search(rf"version {VERSION}\b", output(command, "--version")):
            return command
    print(f"{name} {VERSION} is not installed")
    sys.exit(77)


def sources(folders, suffixes):
    files = (path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file())
    return sorted(path for path in files if path.suffix in suffixes)


def check_format():
    tool = tool_named("clang-format")
    files = [path.relative_to(ROOT) for path in sources(FORMATTED, {".c", ".h", ".cpp", ".hpp", ".cu", ".cuh"})]
    run = subprocess.run([tool, "--dry-run", "-Werror", *files], cwd=ROOT, check=False, capture_output=True, text=True)
    places = Counter(re.findall(r"^([^ :]*):\d+:\d+: error:", run.stderr, re.M))
    if places:
        print(f"places that differ from what {tool} makes of them, and the file (repair: {tool} -i FILE):")
        print(*(f"{count:7d} {file}" for file, count in sorted(places.items())), sep="\n")
    elif run.returncode:
        print(run.stderr)
    return run.returncode != 0


def write_openmp_header(folder):
    """Clang does not find the compiler's own omp.h, beside headers that it must not see. It refuses one attribute."""
    lines = output("g++", "-fopenmp", "-E", "-x", "c++", "-", text="#include <omp.h>\n")
    original = re.search(r'^# 1 "(.*/omp\.h)"', lines, re.M)[1]
    folder.mkdir(exist_ok=True)
    (folder / "omp.h").write_text(Path(original).read_text().replace("__malloc__ (omp_free)", "__malloc__"))


def included(build):
    """The files that each source includes, itself among them, as Ninja has noted them in the last build. Sources whose files have
    been changed since are left out, because they may include others now."""
    found, changed = {}, set()
    if not shutil.which("ninja") or not (build / ".ninja_deps").exists():
        return found
    for entry in output("ninja", "-C", build, "-t", "deps").split("\n\n"):
        first, *files = entry.split("\n    ")
        if not first.endswith("(VALID)"):
            continue
        files = [absolute(build, file) for file in files]
        compiled = os.stat(absolute(build, first.split(":")[0])).st_mtime
        if any(is_newer(file, compiled) for file in files):
            changed.add(files[0])
        found.setdefault(files[0], set()).update(files)
    return {source: files for source, files in found.items() if source not in changed}


@functools.cache
def absolute(folder, name):
    return os.path.normpath(os.path.join(folder, name.strip()))


@functools.cache
def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def is_newer(path, time):
    """Whether a file has been changed after the time, or is not there."""
    return not os.path.exists(path) or os.stat(path).st_mtime > time


def keys(build, tool, arguments):
    """A name for all that clang-tidy takes of each source. Sources that have not been compiled, or have changed since, have none."""
    @functools.cache
    def local(words):
        return words.replace(str(build), "BUILD").replace(str(ROOT), "ROOT")

    rules = [output(tool, "--version"), local(str(arguments)), digest(ROOT / ".clang-tidy"), digest(build / "tidy/omp.h")]
    files = included(build)
    made = {}
    if not files:
        return made
    for command in json.loads((build / "compile_commands.json").read_text()):
        path = absolute(build, command["file"])
        if path in files:
            lines = [*rules, local(command["command"]), *(f"{local(file)} {digest(file)}" for file in sorted(files[path]))]
            made[path] = made.get(path, "") + "\n".join(lines)
    return {path: hashlib.sha256(text.encode()).hexdigest() for path, text in made.items()}


def check_tidy(build, jobs):
    tool = tool_named("clang-tidy")
    arguments = ["-p", build, "--quiet", f"--extra-arg=-isystem{build / 'tidy'}",
                 "--extra-arg=-Wno-unknown-warning-option", "--extra-arg=-Wno-ignored-optimization-argument"]
    write_openmp_header(build / "tidy")
    clean = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "legato-tidy"
    clean.mkdir(parents=True, exist_ok=True)
    for old in clean.iterdir():
        try:
            if time.time() - old.stat().st_mtime > 60 * 24 * 3600:
                old.unlink()
        except FileNotFoundError:  # another check has removed it
            pass
    key_of = keys(build, tool, arguments)

    def check(path):
        key = key_of.get(str(path))
        if key and (clean / key).exists():
            (clean / key).touch()
            return 0
        run = subprocess.run([tool, *arguments, path], cwd=ROOT, check=False, stdout=subprocess.PIPE, text=True)
        print(run.stdout, end="")
        if key and run.returncode == 0 and not run.stdout:
            (clean / key).touch()
        return run.returncode

    files = [path for path in sources(("cpp", "capi", "fortran", "mpi"), {".cpp", ".c"}) if path.name != "device_none.cpp"]
    with ThreadPoolExecutor(jobs) as pool:
        return any(list(pool.map(check, files)))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    checks = arguments.add_subparsers(dest="check", required=True)
    checks.add_parser("format")
    tidy = checks.add_parser("tidy")
    tidy.add_argument("build", type=Path)
    tidy.add_argument("--jobs", type=int, default=os.cpu_count())
    given = arguments.parse_args()
    sys.exit(check_format() if given.check == "format" else check_tidy(given.build.resolve(), given.jobs))


if __name__ == "__main__":
    main()
