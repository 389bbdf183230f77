#!/usr/bin/env python3
"""The Fortran interfaces declare what the public headers declare.

    interface_test.py GFORTRAN MODULES LIBRARY

gfortran writes the interfaces fortran/legato_c_*.f90 as C prototypes, which are compared with the headers: the members of
structs with their types and order, and the functions and callbacks with the types and passing of their arguments. The module
legato (compiled, in the folder MODULES) must hand on every enumerator, and no name of another library. LIBRARY must export
every function of the headers and no other.
"""
import gzip
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import headers  # noqa: E402
from fortran_interfaces import MODULES, all_modules  # noqa: E402

NUMBERS = {"double": "double", "int8_t": "signed char", "int32_t": "int", "int64_t": "long", "size_t": "long", "int": "int", "char": "char"}
OWN_NAME = r"(legato|tmm|dfr|kpm|vmc|ising)(_.*)?"


def expected(declarations, kinds):
    """A line for each struct member and each procedure of the headers, in the form of gfortran."""
    lines = set()
    for d in declarations:
        if d.kind == "struct":
            for i, member in enumerate(d.values):
                size = 1
                for extent in member.extents:
                    size *= extent
                kind = NUMBERS.get(member.type, member.type)
                lines.add(f"{d.name} {i} {kind} {member.name}" + (f"[{size}]" if member.extents else ""))
        elif d.kind in ("function", "callback"):
            result = {"int32_t": "int", "int": "int", "void": "void", "const char*": "pointer"}[d.result]
            lines.add(f"{result} {d.name}({', '.join(f'{passed(value, kinds)} {value.name}' for value in d.values)})")
    return lines


def passed(value, kinds):
    """How an argument is passed. Handles and callbacks are the types `pointer` and `function` to Fortran."""
    kind = kinds.get(value.type)
    reference = "*" if value.pointers or value.array else ""
    if kind == "handle" or value.type == "void" or (value.type == "char" and value.pointers == 2):
        return "pointer" + ("*" if value.pointers == 2 else "")
    if kind == "callback":
        return "function" + reference
    const = "const " if value.const else ""
    return const + (value.type if kind == "struct" else NUMBERS[value.type]) + reference


def declared(gfortran, source, folder):
    """The same of a Fortran file. gfortran cannot tell type(c_ptr) by value from one by reference, but structs it can."""
    types = "".join(f"\ntype, bind(c) :: {name}; integer(c_int) :: a; end type" for name in ("pointer", "function"))
    text = source.read_text().replace("type(c_ptr)", "type(pointer)").replace("type(c_funptr)", "type(function)")
    copy = Path(folder, source.name)
    copy.write_text(text.replace("   implicit none", "   implicit none" + types, 1))
    prototypes = subprocess.run([gfortran, "-fsyntax-only", "-fc-prototypes", copy.name], cwd=folder, check=True, capture_output=True,
                                text=True).stdout
    lines = set()
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\}", prototypes, re.S):
        if name not in ("pointer", "function"):
            lines |= {f"{name} {i} {member.strip()}" for i, member in enumerate(body.split(";")[:-1])}
    for result, name, arguments in re.findall(r"^(\w+) (legato_\w+) \((.*)\);$", prototypes, re.M):
        lines.add(f"{result} {name}({'' if arguments == 'void' else re.sub(r' [*]', '* ', arguments)})")
    return lines


def difference(what, first, second):
    """Prints what only one of two sets has."""
    found = [f"  {sign} {line}" for sign, side in (("<", first - second), (">", second - first)) for line in sorted(side)]
    if found:
        print("\n".join([f"interface_test: {what}:"] + found), file=sys.stderr)
    return bool(found)


def main():
    gfortran, modules, library = sys.argv[1:]
    read = {name: [d for source in sources for d in headers.read_header(headers.include_folder() / f"{source}.h")]
            for name, sources in MODULES.items()}
    everything = [d for declarations in read.values() for d in declarations]
    kinds = {d.name: d.kind for d in everything}
    wrong = False
    with tempfile.TemporaryDirectory() as folder:
        for name, declarations in read.items():
            source = ROOT / f"fortran/legato_c_{name}.f90"
            wrong |= difference(f"headers (<) and {source.name} (>)", expected(declarations, kinds), declared(gfortran, source, folder))
    values = {f"{value.name} = {value.value}" for d in everything if d.kind == "enum" for value in d.values}
    in_fortran = {line for path in all_modules() for line in re.findall(r"enumerator :: (LEGATO_\w+ = -?\d+)", path.read_text())}
    wrong |= difference("enumerators of headers (<) and of Fortran (>)", values, in_fortran)
    # The names at the end of a module file, which is compressed. gfortran's own ones begin with a capital or an underscore.
    text = " ".join(gzip.decompress(Path(modules, "legato.mod").read_bytes()).decode().split())
    names = set(re.findall(r"'([a-z][a-z0-9_]*)' 0 \d+", text))
    wrong |= difference("names of module legato that are not the library's", {n for n in names if not re.fullmatch(OWN_NAME, n)}, set())
    enumerators = {value.name.lower() for d in everything if d.kind == "enum" for value in d.values}
    wrong |= difference("enumerators that module legato does not hand on", enumerators - names, set())
    functions = {d.name for d in everything if d.kind == "function"}
    symbols = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    exported = set(re.findall(r" T (legato_\w+)", symbols))
    wrong |= difference("functions of headers (<) and of the library (>)", functions, exported)
    print(f"{len(everything)} declarations, {len(functions)} functions")
    sys.exit(wrong)


if __name__ == "__main__":
    main()
