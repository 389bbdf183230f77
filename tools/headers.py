"""Reads Legato's public headers (capi/include/legato/*.h) into plain objects.

The headers are the one description of the interface. Their declarations are regular C, so that a small parser is enough:

    enumerations         typedef enum NAME { NAME_A = 0, /**< text */ ... } NAME;
    structs              typedef struct NAME { TYPE member[N]; /**< text */ ... } NAME;
    handles              typedef struct NAME NAME;
    callbacks            typedef RESULT (*NAME)(PARAMETERS);
    functions            LEGATO_API RESULT NAME(PARAMETERS);

`TYPE name[]` is an array and `TYPE* name` a single value. LEGATO_NULLABLE marks a pointer that may be NULL, LEGATO_BORROWED
an array that the library goes on reading after the call. Anything else in a header is refused.
"""
import re
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

NAME = r"[A-Za-z_]\w*"


class HeaderError(Exception):
    """A declaration that is not regular. The text names the header and the declaration."""


@dataclass
class Value:
    """An enumerator, a member of a struct or a parameter."""
    name: str
    type: str = ""            # of C, without const and pointers
    pointers: int = 0         # number of asterisks
    const: bool = False
    array: bool = False       # a parameter with []
    extents: tuple = ()       # of a member
    nullable: bool = False
    borrowed: bool = False
    value: int = 0            # of an enumerator
    text: str = ""


@dataclass
class Declaration:
    """An enumeration, a struct, a handle, a callback or a function."""
    kind: str
    name: str
    text: str = ""            # of the comment above it
    result: str = ""          # C type
    values: list = field(default_factory=list)


def words(comment):
    """The text of a comment without its frame, on one line for each paragraph line."""
    lines = [re.sub(r"^\s*\*? ?", "", line) for line in comment.strip().splitlines()]
    return "\n".join(lines).strip()


def value_of(text, where):
    """A member or a parameter."""
    nullable, borrowed = "LEGATO_NULLABLE" in text, "LEGATO_BORROWED" in text
    plain = re.sub(r"\bLEGATO_(NULLABLE|BORROWED)\b", "", text).strip()
    match = re.fullmatch(rf"(const\s+)?({NAME})(\s+|\s*\*+\s*)({NAME})((?:\[\d*\])*)", plain)
    if not match:
        raise HeaderError(f"{where}: cannot read \"{text.strip()}\"")
    const, kind, stars, name, extents = match.groups()
    numbers = re.findall(r"\[(\d*)\]", extents)
    return Value(name, kind, stars.count("*"), bool(const), numbers == [""], tuple(int(n) for n in numbers if n), nullable, borrowed)


def parameters_of(text, where):
    text = " ".join(text.split())
    values = [] if text in ("", "void") else [value_of(part, where) for part in text.split(",")]
    for value in values:
        is_number = value.type in ("double", "int", "size_t") or value.type.endswith("_t")
        if value.extents or (value.array and value.pointers) or (value.pointers > 1 and is_number) or value.pointers > 2:
            raise HeaderError(f"{where}: cannot read parameter \"{value.name}\"")
    return values


def member_of(text, where):
    value = value_of(text, where)
    if value.pointers or value.array or value.const:
        raise HeaderError(f"{where}: cannot read member \"{value.name}\"")
    return value


def members_of(body, where, make):
    """The entries of an enumeration or a struct, each with the comment behind it."""
    values = []
    position = 0
    entry = re.compile(r"\s*([^;,/]+?)\s*([;,]|(?=\s*/\*\*<)|(?=\s*$))\s*(?:/\*\*<(.*?)\*/)?", re.S)
    while body[position:].strip():
        match = entry.match(body, position)
        if not match or match.end() == position:
            raise HeaderError(f"{where}: cannot read \"{body[position:].strip()[:60]}\"")
        made = make(match.group(1), where)
        made.text = words(match.group(3) or "")
        values.append(made)
        position = match.end()
    return values


def enumerator_of(text, where):
    match = re.fullmatch(rf"({NAME})\s*=\s*(-?\d+)", text.strip())
    if not match:
        raise HeaderError(f"{where}: cannot read \"{text.strip()}\"")
    return Value(match.group(1), value=int(match.group(2)))


DECLARATION = re.compile(
    rf"""(?:/\*\*(?P<text>(?:(?!\*/).)*)\*/\s*)?
    (?: typedef\s+enum\s+(?P<enum>{NAME})\s*\{{(?P<enumerators>.*?)\}}\s*(?P=enum)\s*;
      | typedef\s+struct\s+(?P<struct>{NAME})\s*\{{(?P<members>.*?)\}}\s*(?P=struct)\s*;
      | typedef\s+struct\s+(?P<handle>{NAME})\s+(?P=handle)\s*;
      | typedef\s+(?P<gives>{NAME})\s*\(\*(?P<callback>{NAME})\)\((?P<arguments>[^)]*)\)\s*;
      | LEGATO_API\s+(?P<result>(?:const\s+)?{NAME}\s*\**)\s*(?P<function>{NAME})\((?P<parameters>[^)]*)\)\s*;
      | static\s+inline\s+[^{{]*\{{[^}}]*\}}
    )""", re.S | re.X)


def read_header(path):
    """All declarations of a header, in their order."""
    source = path.read_text()
    source = re.sub(r"/\*\* @file.*?\*/", "", source, count=1, flags=re.S)
    source = re.sub(r"/\*\* @[a-z{}](?:(?!\*/).)*\*/", "", source, flags=re.S)     # groups of functions
    source = re.sub(r"^#ifdef __cplusplus\n[^#]*^#endif$", "", source, flags=re.M)
    source = re.sub(r"^#if defined\(_WIN32\)\n(#(define|else).*\n)*#endif$", "#define LEGATO_API", source, flags=re.M)
    for condition in re.findall(r"^#\s*(?:if|elif).*$", source, flags=re.M):
        if not re.fullmatch(r"#ifndef LEGATO_\w+_H", condition):
            raise HeaderError(f"{path.name}: cannot read \"{condition}\"")
    source = re.sub(r"(/\*\*(?:(?!\*/).)*\*/\s*)?^#.*$", "", source, flags=re.M)
    source = re.sub(r"^#.*$", "", source, flags=re.M)
    declarations = []
    position = 0
    while source[position:].strip():
        start = position + len(source[position:]) - len(source[position:].lstrip())
        match = DECLARATION.match(source, start)
        if not match:
            raise HeaderError(f"{path.name}: cannot read \"{source[start:start + 80]}\"")
        position = match.end()
        found = {name: text for name, text in match.groupdict().items() if text is not None}
        where = f"{path.name}: " + next((found[k] for k in ("enum", "struct", "handle", "callback", "function") if k in found), "")
        text = words(found.get("text", ""))
        if "enum" in found:
            values = members_of(found["enumerators"], where, enumerator_of)
            for value in values:
                if not value.name.startswith(f"{found['enum'].upper()}_"):
                    raise HeaderError(f"{where}: {value.name} does not begin with {found['enum'].upper()}_")
            declarations.append(Declaration("enum", found["enum"], text, values=values))
        elif "struct" in found:
            declarations.append(Declaration("struct", found["struct"], text, values=members_of(found["members"], where, member_of)))
        elif "handle" in found:
            declarations.append(Declaration("handle", found["handle"], text))
        elif "callback" in found:
            declarations.append(Declaration("callback", found["callback"], text, found["gives"], parameters_of(found["arguments"], where)))
        elif "function" in found:
            result = re.sub(r"\s*\*", "*", " ".join(found["result"].split()))
            declarations.append(Declaration("function", found["function"], text, result, parameters_of(found["parameters"], where)))
    return declarations


WIDTH = 120  # columns of written files


def include_folder():
    return Path(__file__).resolve().parent.parent / "capi/include/legato"


def all_headers():
    """The paths of all headers but legato.h, which includes them."""
    return sorted(path for path in include_folder().glob("*.h") if path.name != "legato.h")


def included(path):
    """The names of the public headers that a header includes, without .h."""
    return re.findall(r"^#include <legato/(\w+)\.h>", path.read_text(), re.M)


def comment(text, mark):
    """Lines of a comment that begin with a mark, as "   !" or "//". An indented line, as of a formula, is kept as it is."""
    lines, paragraph = [], []

    def flush():
        if paragraph:
            lines.extend(textwrap.wrap(" ".join(paragraph), WIDTH - len(mark) - 1))
            paragraph.clear()

    for line in text.splitlines():
        if not line or line.startswith("    "):
            flush()
            lines.append(line)
        else:
            paragraph.append(line.strip())
    flush()
    return [f"{mark} {line}".rstrip() for line in lines]


@dataclass
class Limits:
    """What the text of a struct member says about its values."""
    low: float = None         # None: unlimited
    high: float = None
    low_allowed: bool = True  # False for an open end
    high_allowed: bool = True
    default: str = ""         # a number, the name of an enumerator, or numbers with commas between; empty if there is none
    choices: str = ""         # name of an enumeration
    used_with: tuple = ()     # names of enumerators of one enumeration
    unless: bool = False      # used with all others instead
    since: str = ""           # the version that has it first; empty for those of 0.1


def number(text):
    """An int where the text has no point or exponent."""
    return int(text) if re.fullmatch(r"-?\d+", text) else float(text)


def limits_of(member, where=""):
    """The limits of a member of an input struct; None for one that has none, as "Not used." and "Set by ...".

    "Since version V." says that saved states of earlier versions do not have it. "Range [a, b], default d.", "Any value, default d." and "One of ENUMERATION, default ENUMERATOR." end the text.
    """
    text = " ".join(member.text.split())
    if re.fullmatch(r"Set by \w+( \w+)?\.|Not used\.", text):
        return None
    default = r", (?:no default|default (\S+))\.$"
    used = re.search(r"(not )?used with (LEGATO_\w+(?:,?(?: and| or)? LEGATO_\w+)*)", text)
    if len(re.findall(r"\bused\b[^.;]* with\b", text, re.I)) > bool(used):
        raise HeaderError(f"{where}.{member.name}: cannot read \"used with\" in \"{text}\"")
    since = re.search(r"Since version (\d+(?:\.\d+)*)\.", text)
    found = Limits(since=since.group(1) if since else "", used_with=tuple(re.findall(r"LEGATO_\w+", used.group(2))) if used else (), unless=bool(used and used.group(1)))
    if match := re.search(r"Range ([\[(])([-+.e\d]+), ([-+.e\d]+)([\])])" + default, text):
        found.low, found.high = number(match.group(2)), number(match.group(3))
        found.low_allowed, found.high_allowed = match.group(1) == "[", match.group(4) == "]"
        found.default = match.group(5) or ""
    elif match := re.search(r"One of (\w+)" + default, text):
        found.choices, found.default = match.group(1), match.group(2) or ""
    elif match := re.search("Any value" + default, text):
        found.default = match.group(1) or ""
    else:
        raise HeaderError(f"{where}.{member.name}: no range and default in \"{text}\"")
    if len(found.default.split(",")) not in {1, *member.extents}:
        raise HeaderError(f"{where}.{member.name}: {found.default} are not defaults of {member.extents} elements")
    return found


def write_or_check(texts, root, tool, check):
    """Writes files, by their paths; with `check` only ends the program with a message if one of them has another text."""
    stale = [path for path, text in texts.items() if not path.is_file() or path.read_text() != text]
    if check and stale:
        sys.exit(f"{tool}: run tools/{tool}.py, which changes {', '.join(str(path.relative_to(root)) for path in stale)}")
    for path in [] if check else stale:
        path.write_text(texts[path])
