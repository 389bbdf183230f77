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
from fortran_interfaces import all_modules  # noqa: E402

NUMBERS = {"double": "double", "int8_t": "signed char", "int32_t": "int", "int64_t": "long", "size_t": "long", "int": "int", "char": "char"}
HANDLE_TYPES = """module handle_types
   use, intrinsic :: iso_c_binding
   type, bind(c) :: pointer
      integer(c_int) :: a
   end type
   type, bind(c) :: function
      integer(c_int) :: a
   end type
end module
"""
OWN_NAME = r"(legato|tmm|dfr|fss|kpm|vmc|ising)(_.*)?"


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


def declared(gfortran, name, folder):
    """The same of the Fortran module of a header. gfortran cannot tell type(c_ptr) by value from one by reference, but of
    structs it can: the copies in the folder have such types in a module of their own."""
    text = (ROOT / f"fortran/legato_c_{name}.f90").read_text().replace("type(c_ptr)", "type(pointer)")
    text = text.replace("type(c_funptr)", "type(function)").replace("iso_c_binding\n", "iso_c_binding\n   use handle_types\n", 1)
    Path(folder, f"{name}.f90").write_text(text)
    prototypes = subprocess.run([gfortran, "-fsyntax-only", "-fc-prototypes", f"{name}.f90"], cwd=folder, check=True,
                                capture_output=True, text=True).stdout
    own = set(re.findall(r"(?:type, bind\(c\) ::|function|subroutine) (legato_\w+)", text))  # gfortran repeats those of used modules
    lines = set()
    for struct, body in re.findall(r"typedef struct (\w+) \{(.*?)\}", prototypes, re.S):
        if struct in own:
            lines |= {f"{struct} {i} {member.strip()}" for i, member in enumerate(body.split(";")[:-1])}
    for result, procedure, arguments in re.findall(r"^(\w+) (legato_\w+) \((.*)\);$", prototypes, re.M):
        if procedure in own:
            lines.add(f"{result} {procedure}({'' if arguments == 'void' else re.sub(r' [*]', '* ', arguments)})")
    return lines


def in_order_of_use(paths):
    """The headers, each behind those that it includes."""
    ordered = []

    def add(path):
        for name in headers.included(path):
            add(path.with_name(f"{name}.h"))
        if path not in ordered:
            ordered.append(path)

    for path in paths:
        add(path)
    return ordered


def difference(what, first, second):
    """Prints what only one of two sets has."""
    found = [f"  {sign} {line}" for sign, side in (("<", first - second), (">", second - first)) for line in sorted(side)]
    if found:
        print("\n".join([f"interface_test: {what}:"] + found), file=sys.stderr)
    return bool(found)


def main():
    gfortran, modules, library = sys.argv[1:]
    read = {path.stem: headers.read_header(path) for path in in_order_of_use(headers.all_headers())}
    everything = [d for declarations in read.values() for d in declarations]
    kinds = {d.name: d.kind for d in everything}
    wrong = False
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "handle_types.f90").write_text(HANDLE_TYPES)
        subprocess.run([gfortran, "-fsyntax-only", "handle_types.f90"], cwd=folder, check=True)
        for name, declarations in read.items():
            wrong |= difference(f"legato/{name}.h (<) and legato_c_{name}.f90 (>)", expected(declarations, kinds),
                                declared(gfortran, name, folder))
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
