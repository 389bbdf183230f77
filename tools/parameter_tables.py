#!/usr/bin/env python3
"""Writes the tables of parameters in docs/*.md from the public headers.

    parameter_tables.py             writes the files
    parameter_tables.py --check     names the files that are not as it would write them; exit status 1 if there is one

A table stands between the lines "<!-- parameters STRUCT -->" and "<!-- end of parameters -->" of a page.
"""
import re
import sys
from pathlib import Path

import headers

ROOT = Path(__file__).resolve().parent.parent
TABLE = re.compile(r"(<!-- parameters (\w+) -->\n).*?(<!-- end of parameters -->\n)", re.S)


def shown(number):
    """A number as a reader writes it. Large powers of 2 and 10, and small ones of 10, have superscript digits."""
    value = float(number)
    if number == int(value) and abs(value) >= 1 << 16 and int(abs(value)).bit_count() == 1:
        return ("-" if value < 0 else "") + "2" + superscript(int(abs(value)).bit_length() - 1)
    if number == 2**63 - 1:
        return "2⁶³ - 1"
    mantissa, exponent = f"{value:.15e}".split("e")
    mantissa, exponent = float(mantissa), int(exponent)
    if value and (exponent >= 5 or exponent <= -4):
        factor = "" if mantissa == 1 else "-" if mantissa == -1 else f"{mantissa:.12g} × "
        return f"{factor}10{superscript(exponent)}"
    return f"{number:.12g}" if isinstance(number, float) else str(number)


def superscript(number):
    return str(number).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def default_of(limits):
    numbers = [shown(headers.number(d)) if re.match(r"[-\d.]", d) else f"`{d}`" for d in limits.default.split(",") if d]
    return ", ".join(numbers) or "none"


def values_of(member_type, limits, enumerations):
    if limits.choices:
        return ", ".join(f"`{value.name}`" for value in enumerations[limits.choices].values)
    if limits.low is None:
        return "any"
    if (limits.low, limits.high) == (0, 1) and member_type == "int32_t":
        return "0, 1"
    words = f"{shown(limits.low)} to {shown(limits.high)}"
    return words if limits.low_allowed else f"more than {words}"


def row(member, limits, enumerations):
    text = " ".join(member.text.split())
    meaning = re.sub(r"\s*(Range [\[(][^\])]*[\])]|Any value|One of \w+), (no default|default \S+)\.$", "", text)
    if not meaning:
        meaning = " ".join(enumerations[limits.choices].text.split())
    return f"| `{member.name}` | {values_of(member.type, limits, enumerations)} | {default_of(limits)} | {meaning} |"


def table(struct, enumerations):
    lines = [f"| member of `{struct.name}` | values | default | meaning |", "|---|---|---|---|"]
    for member in struct.values:
        limits = headers.limits_of(member, struct.name)
        if limits:
            lines.append(row(member, limits, enumerations))
    return "\n".join(lines) + "\n"


def all_pages():
    """Paths and texts of the pages that have such tables."""
    declarations = {d.name: d for header in sorted(headers.include_folder().glob("*.h")) for d in headers.read_header(header)}
    enumerations = {name: d for name, d in declarations.items() if d.kind == "enum"}

    def written(match):
        return match[1] + table(declarations[match[2]], enumerations) + match[3]

    for path in sorted((ROOT / "docs").glob("*.md")):
        text = path.read_text()
        if len(TABLE.findall(text)) != text.count("<!-- parameters ") or text.count("<!-- parameters ") != text.count("<!-- end of parameters"):
            sys.exit(f"parameter_tables: {path.name}: a table of parameters has no end, or an end no table")
    pages = {path: path.read_text() for path in sorted((ROOT / "docs").glob("*.md"))}
    return {path: TABLE.sub(written, text) for path, text in pages.items() if TABLE.search(text)}


if __name__ == "__main__":
    headers.write_or_check(all_pages(), ROOT, "parameter_tables", "--check" in sys.argv[1:])
