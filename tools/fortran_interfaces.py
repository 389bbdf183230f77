#!/usr/bin/env python3
"""Writes the Fortran interfaces fortran/legato_c_*.f90 from the public headers.

    fortran_interfaces.py             writes the files
    fortran_interfaces.py --check     names the files that are not as it would write them; exit status 1 if there is one

A header legato/NAME.h has a module legato_c_NAME. Handles become type(c_ptr), callbacks type(c_funptr), structs derived types,
and an array name(*). An argument that a failed call leaves unchanged is intent(inout). A nullable argument is optional.
"""
import sys
import textwrap
from pathlib import Path

import headers

ROOT = Path(__file__).resolve().parent.parent
NUMBERS = {
    "double": "real(c_double)", "int8_t": "integer(c_int8_t)", "int32_t": "integer(c_int32_t)", "int64_t": "integer(c_int64_t)",
    "size_t": "integer(c_size_t)", "int": "integer(c_int)", "char": "character(kind=c_char)",
}


def continued(text, indent):
    """A statement on as many lines as it needs."""
    if len(indent) + len(text) <= headers.WIDTH:
        return [indent + text]
    lines = textwrap.wrap(text, headers.WIDTH - len(indent) - 5, break_long_words=False)
    return [(indent if i == 0 else indent + "   ") + line + (" &" if i + 1 < len(lines) else "") for i, line in enumerate(lines)]


class Types:
    """What the names of C types mean."""

    def __init__(self, declarations):
        self.kinds = {d.name: d.kind for d in declarations}

    def declaration(self, value, of_function):
        """The attributes of a dummy argument."""
        kind = self.kinds.get(value.type)
        intent = "intent(in)" if value.const else "intent(inout)"
        if kind == "callback":
            attributes = ["type(c_funptr)", "value" if value.pointers == 0 else intent]
        elif value.type == "void" or (kind == "handle" and value.pointers == 1):
            attributes = ["type(c_ptr)", "value"]
        elif kind == "handle":
            attributes = ["type(c_ptr)", "intent(out)"]
        elif value.type == "char" and value.pointers == 2:
            attributes = ["type(c_ptr)", "intent(inout)"]
        elif kind == "struct":
            attributes = [f"type({value.type})", "intent(out)" if of_function.endswith("_init_sized") else intent]
        elif value.pointers or value.array:
            attributes = [NUMBERS[value.type], intent]
        else:
            attributes = [NUMBERS[value.type], "value"]
        if value.nullable and "value" not in attributes:
            attributes.append("optional")
        if value.borrowed:
            attributes.append("target")
        dimension = "(*)" if value.array or (value.type == "char" and value.pointers == 1) else ""
        return ", ".join(attributes), value.name + dimension

    def procedure(self, d):
        """The interface of a function or a callback."""
        result = {"void": None, "int32_t": ("status", NUMBERS["int32_t"]), "int": ("stop", NUMBERS["int"]),
                  "const char*": ("text", "type(c_ptr)")}[d.result]
        kind = "function" if result else "subroutine"
        head = f"{kind} {d.name}({', '.join(v.name for v in d.values)}) bind(c)" + (f" result({result[0]})" if result else "")
        inner = " " * 9
        lines = headers.comment(d.text, "      !") + continued(head, " " * 6) + [inner + "import"]
        for value in d.values:
            attributes, name = self.declaration(value, d.name)
            lines.append(f"{inner}{attributes} :: {name}")
        if result:
            lines.append(f"{inner}{result[1]} :: {result[0]}")
        return lines + [f"      end {kind} {d.name}"]

    def derived_type(self, d):
        lines = headers.comment(d.text, "   !") + [f"   type, bind(c) :: {d.name}"]
        for member in d.values:
            extents = f"({', '.join(map(str, reversed(member.extents)))})" if member.extents else ""
            kind = f"type({member.type})" if self.kinds.get(member.type) == "struct" else NUMBERS[member.type]
            declaration = f"      {kind} :: {member.name}{extents}"
            text = " ".join(member.text.split())
            if len(declaration) + 4 + len(text) <= headers.WIDTH:
                lines.append(f"{declaration}  ! {text}" if text else declaration)
            else:
                lines += headers.comment(text, "      !") + [declaration]
        return lines + [f"   end type {d.name}"]


def enumeration(d):
    lines = headers.comment(d.text, "   !") + ["   enum, bind(c)"]
    for value in d.values:
        declaration = f"      enumerator :: {value.name} = {value.value}"
        text = " ".join(value.text.split())
        if len(declaration) + 4 + len(text) <= headers.WIDTH:
            lines.append(f"{declaration}  ! {text}" if text else declaration)
        else:
            lines += headers.comment(text, "      !") + [declaration]
    return lines + ["   end enum"]


def join(parts):
    """Lists of lines with an empty line between them."""
    return [line for i, part in enumerate(parts) for line in ([""] if i else []) + part]


def module(name, declarations, uses, types):
    of_kind = {kind: [d for d in declarations if d.kind == kind] for kind in ("enum", "struct", "callback", "function")}
    lines = [f"! Written by tools/fortran_interfaces.py from capi/include/legato/{name}.h. Change that instead.", f"module legato_c_{name}"]
    lines += [f"   use legato_c_{used}" for used in uses] + ["   use, intrinsic :: iso_c_binding", "   implicit none", "   public", ""]
    parts = [[enumeration(d) for d in of_kind["enum"]] + [types.derived_type(d) for d in of_kind["struct"]]]
    for kind, begin in (("callback", "   abstract interface"), ("function", "   interface")):
        if of_kind[kind]:
            parts.append([[begin] + join([types.procedure(d) for d in of_kind[kind]]) + ["   end interface"]])
    return "\n".join(lines + join([part for group in parts for part in group]) + [f"end module legato_c_{name}", ""])


def all_modules():
    """Paths and texts of all files: a module for each header, which uses those of the headers that this one includes."""
    read = {path.stem: headers.read_header(path) for path in headers.all_headers()}
    types = Types([d for declarations in read.values() for d in declarations])
    return {ROOT / f"fortran/legato_c_{path.stem}.f90": module(path.stem, read[path.stem], headers.included(path), types)
            for path in headers.all_headers()}


if __name__ == "__main__":
    headers.write_or_check(all_modules(), ROOT, "fortran_interfaces", "--check" in sys.argv[1:])
