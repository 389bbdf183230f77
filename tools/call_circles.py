#!/usr/bin/env python3
"""Checks that no calls between source files go in a circle, from the object files of a build.

    call_circles.py BUILD

A file calls another if its object file needs a function or a variable that the other one defines. Functions that the compiler
writes into each file that uses them (inline functions and templates) belong to no file. The libraries of cpp/, cuda/, capi/ and
fortran/ are checked as one program, and so are the drop-ins, and the programs of each method. Each circle is a line, and the exit status is 1 if there is one.
"""
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

LIBRARY = ("cpp", "cuda", "capi", "fortran")  # the object files of liblegato and of its Fortran modules
FOLDERS = LIBRARY + ("fortran/dropin", "legacy_drivers", "programs")


def symbols(objects):
    """For each object file the symbols that it defines, and those that it needs."""
    defined, needed = defaultdict(set), defaultdict(set)
    output = subprocess.run(["nm", "-A", "-P", *map(str, objects)], capture_output=True, text=True, check=True).stdout
    for line in output.splitlines():
        match = re.match(r"(.*?): (\S+) (\S)", line)
        if match and match.group(3) in "TDBRC":
            defined[match.group(1)].add(match.group(2))
        elif match and match.group(3) == "U":
            needed[match.group(1)].add(match.group(2))
    return defined, needed


def circles(calls):
    """The groups of files that call each other (strongly connected components, after R. E. Tarjan, SIAM J. Comput. 1, 146 (1972))."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in calls[node]:
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            group = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(calls):
        if node not in index:
            visit(node)
    return found


def source(path):
    return re.sub(r"CMakeFiles/[^/]*\.dir/|\.o$", "", path)


def things(build):
    """The object files that are linked together, by name. Variants of a drop-in or of a serial routine define the same symbols."""
    found = defaultdict(list)
    for path in sorted(build.rglob("*.o")):
        folder = str(path.relative_to(build)).partition("/CMakeFiles/")[0]
        if folder in LIBRARY:
            found["liblegato"].append(path)
        elif folder.startswith(FOLDERS):
            found[folder].append(path)
    return found


def findings(build):
    for name, objects in things(build).items():
        defined, needed = symbols(objects)
        where = defaultdict(set)
        for path, names in defined.items():
            for symbol in names:
                where[symbol].add(path)
        calls = {str(path): {other for symbol in needed[str(path)] for other in where[symbol] if other != str(path)} for path in objects}
        for group in circles(calls):
            yield f"{name}: a circle of {', '.join(source(str(Path(path).relative_to(build))) for path in group)}"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = Path(sys.argv[1]).resolve()
    if not any(symbols(objects)[0] for objects in things(build).values()):
        sys.exit(f"call_circles: {build} has no object files with symbols")
    found = list(findings(build))
    print("\n".join(found), end="\n" if found else "")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
