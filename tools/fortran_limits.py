#!/usr/bin/env python3
"""Writes a Fortran program that tests the limits of the public headers through the Fortran modules.

    fortran_limits.py FILE

For each struct in limit_cases.py the program compares the defaults and the kinds of the members with the header. It
gives each member the values just outside its range, and checks that stat and errmsg report the refusal. It also tries
the ends of the range, except the upper ends of integers, which may take much memory. The program uses the module of
tests/fortran/checks.f90.
"""
import math
import sys
from pathlib import Path

import headers
from fortran_interfaces import continued
from limit_cases import CHECKED, Cases, all_declarations, checked_as, maker_of, role

KINDS = {"double": "c_double", "int32_t": "c_int32_t", "int64_t": "c_int64_t"}
MODULE = """! Written by tools/fortran_limits.py from the public headers.
module limits
   use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan, ieee_positive_inf, ieee_negative_inf
   use, intrinsic :: iso_c_binding, only: c_double, c_int32_t, c_int64_t, c_sizeof
   use legato
   use checks
   implicit none
   type(legato_context) :: context

contains
"""
SUBROUTINE = """
   subroutine limits_of_{name}()
{variables}

      call reset()
{checks}
   contains
      subroutine reset()
{reset}
      end subroutine reset

      subroutine refused(words)
         character(*), intent(in) :: words

{call}
         call check(stat == LEGATO_STATUS_INVALID_ARGUMENT .and. index(message, words) == 1, words)
         call reset()
      end subroutine refused

      subroutine accepted(member, words)
         character(*), intent(in) :: member, words

{call}
         call check(stat /= LEGATO_STATUS_INVALID_ARGUMENT .or. index(message(:index(message, ':')), member) == 0, &
                    words)
         call reset()
      end subroutine accepted
   end subroutine limits_of_{name}
"""
PROGRAM = """end module limits

program fortran_limits
   use legato
   use limits
   implicit none

   call context%create(backend=LEGATO_BACKEND_CPU, threads=1, log_level=LEGATO_LOG_LEVEL_SILENT)
{calls}
   print '(a)', 'fortran limits: all checks passed'
end program fortran_limits
"""


def literal(value, kind):
    """A number in Fortran. NaN, infinity and the least integer have no literal."""
    if kind == "double" and not math.isfinite(value):
        name = "quiet_nan" if math.isnan(value) else "positive_inf" if value > 0 else "negative_inf"
        return f"ieee_value(0.0_c_double, ieee_{name})"
    if kind == "double":
        return f"{float(value)!r}_c_double"
    if value in (-2**31, -2**63):
        return f"-huge(0_{KINDS[kind]}) - 1_{KINDS[kind]}"
    return f"{value}_{KINDS[kind]}"


def call_with_words(procedure, argument, words):
    """The words are on a line of their own if the line would be too long."""
    line = f"call {procedure}({argument}'{words}')"
    return [line] if len(line) <= headers.WIDTH - 6 else [f"call {procedure}({argument}&", f"   '{words}')"]


def indented(lines, indent):
    return "\n".join(part for line in lines for part in continued(line, " " * indent))


class Writer:
    """Writes the test of one struct."""

    def __init__(self, checked, declarations):
        self.checked = checked
        self.declarations = declarations
        self.variables = {}  # types by names

    def set(self, name, settings):
        kinds = {member.name: member.type for member in self.declarations[self.variables[name]].values}
        return [f"{name}%{member}{'' if index is None else f'({index + 1})'} = {literal(value, kinds[member])}"
                for member, index, value in settings]

    def reset(self, name):
        """Gives a struct its defaults, or zeros if there are none, and the settings."""
        struct = self.declarations[self.variables[name]]
        checked = checked_as(struct.name)
        if f"{struct.name}_init_sized" in self.declarations:
            value = f"{checked.name.removesuffix('_params')}_defaults()"
        else:
            value = f"{struct.name}(c_sizeof({name}){', 0' * (len(struct.values) - 1)})"
        return [f"{name} = {value}"] + self.set(name, checked.settings)

    def object(self, handle):
        """The creation of an object that another call needs."""
        maker = maker_of(handle, self.declarations)
        call = self.call(maker, [])
        return self.reset(self.variable_of(maker)) + call

    def variable_of(self, checked):
        return next(name for name, kind in self.variables.items() if kind == f"legato_{checked.name}")

    def call(self, checked, keywords):
        """The call that checks a struct, behind the creation of everything else that it needs."""
        parameters = self.declarations[f"legato_{checked.function}"].values
        target = next((p for p in parameters if p.pointers == 2), parameters[0])
        before, arguments = [], []
        for parameter in parameters:
            name, part = parameter.name, role(parameter, checked, self.declarations)
            if part == "context":
                arguments.append("context")
            elif part == "value" and parameter.array and name in checked.arguments:
                values = ", ".join(literal(value, parameter.type) for value in checked.arguments[name])
                arguments.append(f"{name.removeprefix('n_')}=[{values}]")
            elif part != "value":
                self.variables[name] = parameter.type
                before += self.object(parameter.type) if part == "object" else []
                before += self.reset(name) if part == "other struct" else []
                arguments += [f"{name}={name}"] if parameter is not target else []
        more = [checked.in_fortran] if checked.in_fortran else []
        return before + [f"call {target.name}%{checked.procedure}({', '.join(arguments + more + keywords)})"]

    def default(self, name, member, texts):
        values = [text if text.startswith("LEGATO_") else literal(headers.number(text), member.type) for text in texts]
        equal = f"{name}%{member.name} == " + (values[0] if len(values) == 1 else f"[{', '.join(values)}]")
        condition = f"all({equal}), " if member.extents else f"{equal}, "
        return call_with_words("check", condition, f"{self.checked.field}{member.name}: default")

    def checks(self, name):
        cases = Cases(self.checked, self.declarations)
        lines = []
        for member, _ in cases.members():
            lines += call_with_words("check", f"kind({name}%{member.name}) == {KINDS[member.type]}, ",
                                     f"{self.checked.field}{member.name}: kind")
        for member, texts in cases.defaults():
            lines += self.default(name, member, texts)
        for case in cases.outside():
            lines += self.set(name, case.settings) + call_with_words("refused", "", case.refusal)
        for case in cases.ends():
            if case.member.type == "double" or case.limits.choices or case.value() == case.limits.low:
                words = f"{case.label}: {case.value()} is allowed"
                lines += self.set(name, case.settings) + call_with_words("accepted", f"'{case.member.name}', ", words)
        return lines

    def subroutine(self):
        call = self.call(self.checked, ["stat=stat", "errmsg=message"])
        name = self.variable_of(self.checked)
        variables = [f"type({kind}) :: {variable}" for variable, kind in self.variables.items()]
        return SUBROUTINE.format(name=self.checked.name, variables=indented(variables, 6),
                                 checks=indented(self.checks(name), 6), reset=indented(self.reset(name), 9),
                                 call=indented(call, 9))


def program():
    declarations = all_declarations()
    subroutines = [Writer(checked, declarations).subroutine() for checked in CHECKED]
    calls = [f"call limits_of_{checked.name}()" for checked in CHECKED]
    return MODULE + "".join(subroutines) + PROGRAM.format(calls=indented(calls, 3))


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(program())
