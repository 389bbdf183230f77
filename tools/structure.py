#!/usr/bin/env python3
"""Checks that the five methods keep one structure, from the sources alone.

    structure.py [FOLDER]       FOLDER: another tree than this repository

Each finding is a line "FILE:LINE: what", and the exit status is 1 if there is one:

    includes    No method includes another, and shared code includes no method. cpp/ and capi/ include no CUDA header, cuda/
                nothing of capi/. fortran/, legacy_drivers/ and programs/ see the public headers only.
    circles     No file includes itself, also not through others.
    files       No file has more than 700 lines.
    functions   No function has more than 80 lines, except in the serial programs.
    repeats     No ten successive lines of code stand in two methods, except in tests and examples.
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

MOST_LINES, MOST_FUNCTION_LINES, FEWEST_REPEATED = 700, 80, 10
FOLDERS = ("benchmarks", "capi", "cpp", "cuda", "examples", "fortran", "legacy_drivers", "mpi", "programs", "scripts", "tests", "tools")
SHARED = {"core", "random", "statistics"}
C_SUFFIXES = {".c", ".h", ".cpp", ".hpp", ".cu", ".cuh"}
CUDA_HEADER = re.compile(r"\.cuh$|^(cuda|cublas|cusolver|cusparse|cooperative_groups|cub/|thrust/)")
FORTRAN_BEGIN = re.compile(r"^(?!end)([a-z0-9_()=*, ]+ )?(subroutine|function) +[a-z]")
FORTRAN_END = re.compile(r"^end *(subroutine|function)\b")
# Words that ctags takes for names of functions.
CUDA_WORDS = "__global__,__device__,__host__,__forceinline__,__noinline__,__launch_bounds__+,__cluster_dims__+,__shared__,alignas+,LEGATO_HOST_DEVICE"
# Lines that do not count as repeated code: comments, includes, and the frame of every Fortran module.
FRAME = {".f90": r"!|use[ ,]|(implicit none|private|contains)$", ".sh": r"#", ".txt": r"#", ".py": r"#|import |from "}


class Tree:
    """The source files of a folder. Paths are relative to it."""

    def __init__(self, root):
        self.root = Path(root)
        files = [p.relative_to(self.root) for folder in FOLDERS for p in (self.root / folder).rglob("*") if p.is_file()]
        wanted = C_SUFFIXES | {".f90", ".sh", ".py"}
        self.files = sorted(p for p in files if (p.suffix in wanted or p.name == "CMakeLists.txt") and p.parts[:2] != ("capi", "abi"))
        self.methods = {p.name for p in (self.root / "cpp").iterdir() if p.is_dir()} - SHARED

    def lines(self, path):
        return (self.root / path).read_text(errors="replace").splitlines()

    def method(self, path):
        """The method that a file belongs to, or an empty string."""
        name = path.name
        if path.parts[0] in ("cpp", "cuda", "legacy_drivers", "programs") and len(path.parts) > 2:
            name = path.parts[1]
        name = re.sub(r"^legato_(c_)?", "", name)
        name = re.sub(r"[_.].*", "", name)
        return name if name in self.methods else ""


def included(tree, path, name):
    """The file that an include in `path` names."""
    for folder in (path.parent, "cpp", "cuda", "capi", "capi/include", "tests"):
        target = Path(os.path.normpath(Path(folder, name)))
        if (tree.root / target).is_file():
            return target
    return Path(name)


def include_lines(tree, path):
    """Line number, name and file of each include."""
    if path.suffix in C_SUFFIXES:
        for number, line in enumerate(tree.lines(path), 1):
            match = re.match(r"\s*#\s*include\s*[<\"]([^>\"]+)", line)
            if match:
                yield number, match.group(1), included(tree, path, match.group(1))


def includes(tree):
    for path in tree.files:
        if path.parts[0] not in ("cpp", "cuda", "capi", "fortran", "legacy_drivers", "programs"):
            continue
        own, top = tree.method(path), path.parts[0]
        for number, name, target in include_lines(tree, path):
            where = f"{path}:{number}: includes {name}"
            other = tree.method(target)
            if other and other != own and path.name != "legato.h" and path != Path("capi/enumerators.cpp"):
                yield f"{where}: that is {other}"
            if top != "cuda" and (target.parts[0] == "cuda" or CUDA_HEADER.search(name)):
                yield f"{where}: that is CUDA"
            public = target.parts[:2] == ("capi", "include")
            if top in ("fortran", "legacy_drivers", "programs"):
                if target.parts[0] in ("cpp", "capi") and not public:
                    yield f"{where}: that is behind the C interface"
            elif top != "capi" and target.parts[0] == "capi":
                yield f"{where}: that is the C interface"


def circles(tree):
    graph = {path: list(include_lines(tree, path)) for path in tree.files}
    done, way = set(), []

    def follow(path):
        way.append(path)
        for number, name, target in graph.get(path, ()):
            if target in way:
                yield f"{path}:{number}: includes {name}: a circle, {' '.join(map(str, way[way.index(target):]))}"
            elif target not in done:
                yield from follow(target)
        done.add(way.pop())

    for path in graph:
        if path not in done:
            yield from follow(path)


def files(tree):
    for path in tree.files:
        count = len(tree.lines(path))
        if count > MOST_LINES:
            yield f"{path}:{MOST_LINES + 1}: the file has {count} lines, more than {MOST_LINES}"


def tagged_functions(tree, paths):
    """Path, first and last line of the functions of C, C++, CUDA and Python files, as ctags finds them."""
    command = ["ctags", "--output-format=json", "--fields=+ne", "--kinds-C=f", "--kinds-C++=f",
               "--kinds-CUDA=f", "-I", CUDA_WORDS, "--kinds-Python=fm", "-f", "-", "-L", "-"]
    output = subprocess.run(command, cwd=tree.root, input="\n".join(map(str, paths)), capture_output=True, text=True, check=True).stdout
    for line in output.splitlines():
        tag = json.loads(line)
        if "end" in tag:
            yield tag["path"], tag["line"], tag["end"]


def fortran_procedures(tree, path):
    """Internal procedures count for themselves and within the one that contains them."""
    began = []
    for number, line in enumerate(tree.lines(path), 1):
        code = re.sub(r"!.*", "", re.sub(r"\"[^\"]*\"|'[^']*'", "", line.strip().lower()))
        if FORTRAN_END.match(code) and began:
            yield path, began.pop(), number
        elif FORTRAN_BEGIN.match(code):
            began.append(number)


def shell_functions(tree, path):
    began = 0
    for number, line in enumerate(tree.lines(path), 1):
        if re.match(r"[a-z_]+\(\) *[{(]", line):
            began = number
        if line[:1] in ("}", ")") and began:
            yield path, began, number
            began = 0


def functions(tree):
    paths = [p for p in tree.files if p.parts[0] != "legacy_drivers"]
    found = list(tagged_functions(tree, [p for p in paths if p.suffix in C_SUFFIXES | {".py"}]))
    for path in paths:
        if path.suffix == ".f90":
            found += fortran_procedures(tree, path)
        elif path.suffix == ".sh":
            found += shell_functions(tree, path)
    for path, first, last in found:
        if last - first + 1 > MOST_FUNCTION_LINES:
            yield f"{path}:{first}: a function has {last - first + 1} lines, more than {MOST_FUNCTION_LINES}"


def code_lines(tree, path):
    """Line numbers and code: without comments, white space, lines of punctuation alone, and the frame."""
    frame = re.compile(FRAME.get(path.suffix, r"//|# ?include"))
    within = False
    for number, line in enumerate(tree.lines(path), 1):
        code = " ".join(line.split())
        if within or code.startswith("/*"):
            within = "*/" not in code
        elif re.search(r"[A-Za-z0-9]", code) and not frame.match(code):
            yield number, code


def repeats(tree):
    seen = {}  # lines in a row: method and place
    for path in tree.files:
        method = tree.method(path)
        if not method or path.parts[0] in ("tests", "examples"):
            continue
        lines = list(code_lines(tree, path))
        run = 0
        for i in range(len(lines) - FEWEST_REPEATED + 2):
            block = tuple(code for _, code in lines[i:i + FEWEST_REPEATED])
            first = seen.setdefault(block, (method, f"{path}:{lines[i][0]}")) if len(block) == FEWEST_REPEATED else (method, "")
            if first[0] != method:
                if not run:
                    began, as_in = lines[i][0], first[1]
                run += 1
            elif run:
                yield f"{path}:{began}: {run + FEWEST_REPEATED - 1} lines as in {as_in}"
                run = 0


def main():
    tree = Tree(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    findings = [finding for check in (includes, circles, files, functions, repeats) for finding in check(tree)]
    print("\n".join(findings), end="\n" if findings else "")
    sys.exit(bool(findings))


if __name__ == "__main__":
    main()
