#!/usr/bin/env python3
"""Prints a public header or a Fortran module as doxygen is to read it.

    reference_source.py FILE

Of a header, < and > in the text of comments become characters of HTML. Of a module, what its users see remains: public
types and procedures, and the procedures bound to a public type. A procedure behind a public interface takes the
interface's name.
"""
import re
import sys
from pathlib import Path

DECLARATION = re.compile(r"   (type)[ ,].*?::\W*(\w+)|(?! *end ) +(?:[a-z_0-9()]+ )*(subroutine|function) +(\w+)")
INTERFACE = re.compile(r"   interface ([a-z]\w*)")
BOUND = re.compile(r"      (?:procedure|generic) ::\W*(\w+) *=>(.*)")
NOT_SHOWN = re.compile(r"   private$|      (procedure, private|final|generic :: assignment)")


def header(text):
    """Formulas, which are indented, and lines of the preprocessor remain."""
    for line in text.splitlines():
        if not re.match(r" \* {5}| *#", line):
            line = re.sub(r"(?<=[^*-])>", "&gt;", re.sub(r"(?<=[^*])<", "&lt;", line))
        yield line


def declaration(line):
    """What a line begins, "type", "subroutine", "function" or nothing, and its name."""
    match = DECLARATION.match(line)
    return (match[1] or match[3], match[2] or match[4]) if match else ("", "")


def public_names(text):
    """The names that users see, and the public interface of each procedure that is behind one."""
    public, interface_of = set(), {}
    for names in re.findall(r"^   public ::((?:.*&\n)*.*)", text, re.M):
        public.update(re.findall(r"\w+", names) if "! not re-exported" not in names else ())
    of_type = interface = ""
    for line in text.splitlines():
        if declaration(line)[0] == "type":
            of_type = declaration(line)[1]
        elif BOUND.match(line) and of_type in public:
            public.update(re.findall(r"\w+", BOUND.match(line)[2]))
        elif INTERFACE.match(line):
            interface = INTERFACE.match(line)[1]
        elif line.startswith("   end interface"):
            interface = ""
        elif line.startswith("      procedure ::") and interface in public:
            interface_of.update(dict.fromkeys(re.findall(r"\w+", line.split("::")[1]), interface))
    return public, interface_of


def shown(line, comment):
    """A line as it is shown, with its comment. Those that bind a procedure are replaced by the procedure."""
    bound = BOUND.match(line)
    if bound:
        return "".join(f"      !> Called as {bound[1]}.\n      procedure :: {name}\n" for name in re.findall(r"\w+",
                                                                                                             bound[2]))
    # Doxygen takes an interface for a thing of its own, and its procedure for another.
    again = comment if re.match(r"      (subroutine|function) ", line) else ""
    return f"{comment}{line}\n{again}"


def module(text):
    public, interface_of = public_names(text)
    comments = {}       # of interfaces
    comment = end = ""
    private = False
    for line in text.splitlines():
        kind, name = declaration(line)
        interface = INTERFACE.match(line)
        if end:
            end = "" if re.match(end, line) else end
            continue
        if re.match(" *!", line):
            comment += line + "\n"
            continue
        if interface:
            comments[interface[1]] = comment
            end = "   end interface"
        elif name in interface_of:
            line = line.replace(name, interface_of[name], 1)
            comment = comments[interface_of[name]] + comment
        elif kind and name not in public:
            end = f" *end {kind} {name}$"
        private = line == "      private" or private and kind != "type" and not re.match("   (contains$|end type)",
                                                                                         line)
        if not (end or private or NOT_SHOWN.match(line)):
            yield shown(line, comment).removesuffix("\n")
        comment = ""


if __name__ == "__main__":
    path = Path(sys.argv[1])
    print(*(header if path.suffix == ".h" else module)(path.read_text()), sep="\n")
