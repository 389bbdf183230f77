#!/usr/bin/env python3
"""Compares what the README and docs/ claim with a build folder, in which everything has been built with tests.

    claims.py [--names] BUILD

  1. Every test, case, file, section and place in the architecture that they name must exist. With --names that is all.
  2. Every fenced block marked `claim` is run by bash in a scratch folder, which has the repository's folders in it and
     the programs of BUILD on the PATH. Its output must be as the lines at its end that begin with "= " say: "= 87" is
     that text, "= 0.69 +- 1e-10" a number within so much, and "= > 1" a number above. `claim slow` takes minutes.
  3. All tests that they name are run.

What needs a GPU or is not in this build counts as skipped. On two cores the blocks take a minute and the tests ten to
twenty. LEGATO_CLAIMS_SLOW=1 adds the slow ones, an hour.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import namedtuple
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = "benchmarks|capi|cmake|cpp|cuda|data|docs|examples|fortran|legacy_drivers|mpi|programs|scripts|tests|tools"
TESTS = ("*_test", "*_test/*", "*_client", "*_numbers", "*_inputs", "*_restart", "*_driver_*", "*_dropin_*", "batch_*",
         "dropin_*", "example_*",
         "failures_*", "fortran_*", "mpi_re*", "abi", "install", "reference")
NUMBER = re.compile(r" *[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)? *")
# A result of a check is a message, an empty one for a claim that holds, or this.
SKIPPED = None

Block = namedtuple("Block", "where slow script expected")
# `scripts` are names of files without their folders. `here` are the tests of the build.
# `anywhere` are the words of all CMakeLists.txt.
Known = namedtuple("Known", "scripts cases here anywhere")


def documents(root):
    return [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").glob("*.md"))]


def words(text):
    """Line and word of what is between backticks or in a command of ctest; of a command with arguments its script."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        fenced ^= line.startswith("```")
        command = re.match("    .*ctest .*-R ([^ ]*)", line)
        if fenced or line.startswith(("```", "    ")):
            yield from [(number, command[1])] if command and not fenced else []
            continue
        for part in line.split("`")[1::2]:
            split = part.split()
            yield from ((number, word) for word in split if len(split) == 1 or word.endswith((".sh", ".py")))


def known_names(root, build):
    listed = subprocess.run(["ctest", "--test-dir", build, "-N"], check=True, capture_output=True, text=True).stdout
    files = [path for path in (root / "tests").rglob("*") if path.is_file()]
    tests = "\n".join(path.read_text(errors="replace") for path in files)
    lists = " ".join(path.read_text() for path in files if path.name == "CMakeLists.txt")
    scripts = {path.name for folder in ("scripts", "tests", "tools") for path in (root / folder).rglob("*")}
    return Known(scripts, set(re.findall(r"^[A-Z_]*TEST[A-Z_]*\((\w+)", tests, re.M)),
                 set(re.findall(r"^ *Test *#\d+: (.*)", listed, re.M)), set(re.findall(r"\w+", lists)))


def is_test(word):
    return not re.search(r"[.*{}<>-]|^/|ROOM|METHOD|NAME",
                         word) and any(fnmatchcase(word, pattern) for pattern in TESTS)


def check_word(root, word, known):
    """The result in a list, which is empty for another word. A test may be TEST/CASE of Boost.Test."""
    if is_test(word):
        test, _, case = word.partition("/")
        if case and case not in known.cases or test not in known.here | known.anywhere:
            return [f"there is no test {word}"]
        return ["" if test in known.here else SKIPPED]
    if re.search(r"[*{}<>]|ROOM|METHOD|NAME", word):
        return []
    if re.match(rf"({FOLDERS})/.*\.", word):
        return ["" if (root / word).exists() else f"there is no {word}"]
    return ["" if word in known.scripts else f"there is no script {word}"] if word.endswith((".sh", ".py")) else []


def sections(path):
    headings = re.findall("^#+ (.*)", path.read_text(), re.M)
    return {re.sub("[^a-z0-9_-]", "", heading.lower().replace(" ", "-")) for heading in headings}


def check_link(document, link):
    name, _, section = link.partition("#")
    file = document.parent / name if name else document
    if not file.exists():
        return f"there is no {name}"
    return f"{file.name} has no section {section}" if section and section not in sections(file) else ""


def check_names(root, known):
    for document in documents(root):
        text = document.read_text()
        results = [(number, result) for number, word in words(text) for result in check_word(root, word, known)]
        results += [(number, check_link(document, link)) for number, line in enumerate(text.splitlines(), 1)
                    for link in re.findall(r"\]\((?!https?://)([^)]*)\)", line)]
        yield from (result and f"{document.relative_to(root)}:{number}: {result}" for number, result in results)


def places(text):
    """Line, file and name, or no name, in the tables. A file without a folder is in that of the file before it."""
    for number, line in enumerate(text.splitlines(), 1):
        for cell in line.split("|")[1:-1] if line.startswith("|") else []:
            file = None
            for part in cell.split("`")[1::2]:
                if re.search(r"\.[a-z]+$", part):
                    file = Path(part) if "/" in part or not file else file.parent / part
                    yield number, file, ""
                elif file and re.fullmatch("[a-zA-Z_]+", part):
                    yield number, file, part


def check_places(root):
    text = (root / "docs/architecture.md").read_text()
    for number, file, name in places(text):
        if not (root / file).exists():
            yield f"docs/architecture.md:{number}: there is no {file}"
        else:
            found = not name or re.search(rf"\b{name}\b", (root / file).read_text())
            yield "" if found else f"docs/architecture.md:{number}: {file} has no {name}"
    for folder in {path.name for path in (root / "cpp").iterdir() if path.is_dir()} - {"core", "random", "statistics"}:
        yield "" if f"cpp/{folder}/" in text else f"docs/architecture.md: cpp/{folder} has no places"


def blocks(root):
    for document in documents(root):
        text = document.read_text()
        for match in re.finditer(r"^```claim(.*)\n((?:.*\n)*?)```", text, re.M):
            lines = match[2].splitlines()
            where = f"{document.relative_to(root)}:{text[:match.start()].count(chr(10)) + 1}"
            yield Block(where, match[1].strip() == "slow",
                        "\n".join(line for line in lines if not line.startswith("= ")) + "\n",
                        [line[2:] for line in lines if line.startswith("= ")])


def as_said(shown, expected):
    """Whether a line of output is as its claim says."""
    said, _, tolerance = expected.partition(" +- ")
    if not (tolerance or expected.startswith("> ")):
        return shown == expected
    if not NUMBER.fullmatch(shown):
        return False
    return abs(float(shown) - float(said)) <= float(tolerance) if tolerance else float(shown) > float(expected[2:])


def run_block(root, block, environment):
    with tempfile.TemporaryDirectory() as scratch:
        for entry in root.iterdir():
            if entry.is_dir() and not entry.name.startswith("."):
                Path(scratch, entry.name).symlink_to(entry)
        run = subprocess.run(["bash", "-euo", "pipefail", "-c", block.script], cwd=scratch, env=environment,
                             capture_output=True, text=True,
                             check=False)
    lines = run.stdout.splitlines()
    if run.returncode == 0 and len(lines) == len(block.expected) > 0 and all(map(as_said, lines, block.expected)):
        print(f"passed  {block.where}: {' '.join(lines)}", flush=True)
        return ""
    return "\n".join([block.where, *lines, "expected:", *block.expected, *run.stderr.splitlines()[-3:]])


def run_blocks(root, build, slow):
    tops = [build / name for name in ("legacy_drivers", "programs", "examples", "benchmarks")]
    folders = [*tops, *(folder for top in tops for folder in top.glob("*/"))]
    environment = os.environ | {"PATH": ":".join([*map(str, folders), os.environ["PATH"]])}
    for block in blocks(root):
        yield SKIPPED if block.slow and not slow else run_block(root, block, environment)


def run_tests(root, build, known, slow):
    named = {word.partition("/")[0] for document in documents(root) for _,
             word in words(document.read_text()) if is_test(word)} & known.here
    command = ["ctest", "--test-dir", build, "--no-label-summary", "--output-on-failure", "--no-tests=error", "-j", "2",
               *([] if slow else ["-LE", "slow"])]
    run = subprocess.run([*command, "-R", f"^({'|'.join(sorted(named))})$"], check=False)
    yield "tests" if run.returncode else ""


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--names", action="store_true", help="only the names: a second or two")
    arguments.add_argument("build", type=Path, help="a folder that has been built with tests")
    given = arguments.parse_args()
    build = given.build.resolve()
    if not (build / "CTestTestfile.cmake").is_file():
        sys.exit(f"claims: {given.build} has not been built with tests")
    began = time.monotonic()
    known = known_names(ROOT, build)
    slow = os.environ.get("LEGATO_CLAIMS_SLOW", "0") != "0"
    steps = [check_names(ROOT, known), check_places(ROOT)]
    if not given.names:
        steps += [run_blocks(ROOT, build, slow), run_tests(ROOT, build, known, slow)]
    results = []
    for result in (result for step in steps for result in step):
        results.append(result)
        if result:
            print(f"FAILED  {result}", flush=True)
    holding, skipped = results.count(""), results.count(SKIPPED)
    wrong = len(results) - holding - skipped
    print(f"claims: {holding} hold, {wrong} do not, {skipped} skipped (slow, a GPU or another build); "
          f"{time.monotonic() - began:.0f} s")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
