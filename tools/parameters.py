#!/usr/bin/env python3
"""Writes the C++ parameters of each method from the public headers.

    parameters.py             writes the files
    parameters.py --check     names the files that are not as it would write them; exit status 1 if there is one

cpp/METHOD/params.hpp holds the enumerations and the struct with its defaults, and for_each_parameter(), which lists its
members with their names and ranges: range checks and saved states go through this list. capi/METHOD_params.hpp converts the
struct from and to C. Optimisers have files of their own, cpp/METHOD/optimiser_params.hpp and so on. capi/enumerators.cpp
compares the enumerations that C++ code defines by hand with those of C.
"""
import re
import sys
from pathlib import Path

import headers

ROOT = Path(__file__).resolve().parent.parent
# C struct: method and header.
STRUCTS = {f"legato_{method}_params": (method, f"{method}.h") for method in ("tmm", "dfr", "kpm", "vmc", "ising", "fss")}
STRUCTS |= {f"legato_{name}_params": (name.split("_")[0], f"{name}.h") for name in ("dfr_optimiser", "dfr_pruner", "dfr_reducer", "vmc_optimiser")}
# Beginnings of the fields' names in messages that are not METHOD.params.
FIELDS = {"legato_dfr_optimiser_params": "dfr.optimiser", "legato_dfr_pruner_params": "dfr.pruner",
          "legato_dfr_reducer_params": "dfr.reducer",
          "legato_vmc_optimiser_params": "vmc.optimiser"}
# Members that form a struct of their own in C++: its name and the name of the member, by C struct.
GROUPS = {
    "legato_vmc_params": {
        "lattice": ("Lattice", ("cluster", "length", "extents", "boundary")),
        "couplings": ("Couplings", ("t", "t_prime", "t_double_prime", "j")),
        "pair": ("PairParameters", ("gap", "variational_t", "variational_t_prime", "variational_t_double_prime", "delta", "mu")),
    },
    "legato_ising_params": {"lattice": ("Lattice", ("dimension", "extents", "boundary"))},
}
# Parameters whose largest value is needed elsewhere, as max_NAME.
LIMITS = {"legato_kpm_params": ("moments", "vectors", "realisations", "block_width"), "legato_vmc_params": ("chains",),
          "legato_ising_params": ("extents", "bins")}
# Arrays whose elements are separate entries of a saved state.
ENTRIES = {"legato_ising_params": {"dimension": ("dimensions",)},
           "legato_vmc_params": {"thermalisation": ("warm_up",), "extents": ("extent_x", "extent_y"),
                                "boundary": ("boundary_x", "boundary_y")}}
# Enumerations that C++ code defines by hand, and the headers that define them.
OTHER_ENUMERATIONS = {
    "legato_backend": "core/context.hpp", "legato_log_level": "core/context.hpp", "legato_status": "core/error.hpp",
    "legato_tmm_layout": "tmm/building_blocks.hpp", "legato_tmm_point_status": "tmm/result.hpp",
    "legato_kpm_boundary": "kpm/lattice.hpp", "legato_kpm_function_kind": "kpm/expansion.hpp", "legato_kpm_kernel": "kpm/spectrum.hpp", "legato_kpm_on_site": "kpm/lattice.hpp",
    "legato_dfr_atom_status": "dfr/result.hpp", "legato_dfr_basis_format": "dfr/basis_files.hpp", "legato_dfr_contraction": "dfr/basis_sets.hpp", "legato_dfr_energy_kind": "dfr/optimiser.hpp",
    "legato_dfr_level_space": "dfr/levels.hpp",
    "legato_dfr_nuclear_model": "dfr/problem.hpp", "legato_dfr_group_form": "dfr/grouped_basis.hpp", "legato_dfr_optimiser_status": "dfr/optimiser.hpp",
    "legato_dfr_stage_kind": "dfr/reducer.hpp", "legato_fss_fit_status": "fss/result.hpp", "legato_ising_reweighting_quantity": "ising/reweighting.hpp",
    "legato_vmc_observable": "vmc/result.hpp", "legato_vmc_parameter": "vmc/pair_function.hpp", "legato_vmc_stage": "vmc/optimiser.hpp",
}
ONLY_IN_C = ("legato_vmc_proposal", "legato_vmc_optimiser_status")
KEYWORDS = {"auto", "double", "float", "default", "register", "static"}
TYPES = {"int32_t": "int", "int64_t": "std::int64_t", "double": "double"}


def camel_case(name):
    return "".join(part.capitalize() for part in name.split("_"))


def real(value):
    """A C++ literal of type double."""
    return repr(float(value)).replace("e+", "e")


class Enumeration:
    """An enumeration in C and in C++."""

    def __init__(self, declaration, method):
        self.c = declaration
        self.name = camel_case(declaration.name.removeprefix("legato_").removeprefix(f"{method}_"))
        self.scope = f"{method}::{self.name}" if method else self.name  # in namespace legato

    def enumerator(self, c_name):
        """The C++ name: what remains of the C name without that of the enumeration."""
        name = c_name.removeprefix(f"{self.c.name.upper()}_").lower()
        return name + "_" if name in KEYWORDS else name

    def comparison(self):
        """The lines that compare the enumerators of C++ with those of C."""
        lines = []
        for value in self.c.values:
            left, right = f"static_assert(static_cast<int>({self.scope}::{self.enumerator(value.name)}) ==", f"{value.name});"
            is_long = len(left) + 1 + len(right) > headers.WIDTH
            lines += [left, " " * len("static_assert(") + right] if is_long else [f"{left} {right}"]
        return lines

    def definition(self):
        lines = headers.comment(self.c.text, "//") + [f"enum class {self.name} : int {{"]
        for value in self.c.values:
            lines += headers.comment(value.text, "    //") + [f"    {self.enumerator(value.name)} = {value.value},"]
        return lines + ["};"]


class Parameter:
    """A member of a parameter struct."""

    def __init__(self, member, enumerations, struct):
        self.member = member
        self.group = next((group for group, (_, names) in GROUPS.get(struct, {}).items() if member.name in names), "")
        self.path = f"{self.group}.{member.name}" if self.group else member.name  # in C++
        self.entries = ENTRIES.get(struct, {}).get(member.name, ())
        self.limits = headers.limits_of(member, struct)
        if not (self.limits.low_allowed and self.limits.high_allowed):
            raise headers.HeaderError(f"{struct}.{member.name}: class Range has no open ends")
        self.enumeration = enumerations.get(self.limits.choices)
        self.flag = member.type == "int32_t" and (self.limits.low, self.limits.high) == (0, 1)

    def type(self):
        scalar = self.enumeration.name if self.enumeration else "bool" if self.flag else TYPES[self.member.type]
        for extent in reversed(self.member.extents):
            scalar = f"std::array<{scalar}, {extent}>"
        return scalar

    def default(self, text):
        if self.enumeration:
            return f"{self.enumeration.name}::{self.enumeration.enumerator(text)}"
        return {"1": "true", "0": "false"}[text] if self.flag else text

    def definition(self):
        defaults = [self.default(text) for text in self.limits.default.split(",")]
        initial = f" = {defaults[0]}"
        if self.member.extents:
            initial = "{" + ", ".join(defaults * (self.member.extents[0] // len(defaults))) + "}"
        return headers.comment(self.member.text, "    //") + [f"    {self.type()} {self.member.name}{initial};"]

    def ends(self):
        """The arguments of Range behind the name, without the condition."""
        if self.enumeration:
            values = [v.value for v in self.enumeration.c.values]
            return f", {min(values)}, {max(values)}"
        if self.limits.low is None:
            return ""
        if self.member.type == "double":
            return f", {real(self.limits.low)}, {real(self.limits.high)}"
        suffix = "LL" if max(abs(self.limits.low), abs(self.limits.high)) >= 2**31 else ""
        return f", {int(self.limits.low)}{suffix}, {int(self.limits.high)}{suffix}"

    def listed(self, condition):
        """The lines of for_each_parameter()."""
        since = ".since_later()" if self.limits.since else ""
        ends = self.ends() + condition if self.ends() else ""
        if not self.entries:
            beginning = f"    visit(p.{self.member.name}, Range("
            line = f"{beginning}\"{self.member.name}\"{ends}){since});"
            if len(line) <= 120:
                return [line]
            return [f"{beginning}\"{self.member.name}\"{self.ends()},"] + wrapped(f"{condition[2:]}){since});", len(beginning))
        name = self.member.name
        elements = ((f"{name}[{i}]" if self.member.extents else name, entry) for i, entry in enumerate(self.entries))
        return [f"    visit(p.{element}, Range(\"{element}\"{ends}){since}.saved_as(\"{entry}\"));" for element, entry in elements]


def wrapped(condition, indent):
    """The lines of a condition. All but the first are indented by four more."""
    lines, parts = [], re.split(r"(?<=\|\||&&) ", condition)
    for part in parts:
        if lines and len(lines[-1]) + 1 + len(part) <= 120:
            lines[-1] += " " + part
        else:
            lines.append(" " * (indent + 4 * bool(lines)) + part)
    return lines


def used_condition(parameter, parameters):
    """Tells when a parameter counts: ", p.bounds == Bounds::lanczos"."""
    names = parameter.limits.used_with
    if not names:
        return ""
    mode = next(p for p in parameters if p.enumeration and any(v.name == names[0] for v in p.enumeration.c.values))
    if parameter.group not in ("", mode.group):
        raise headers.HeaderError(f"{parameter.member.name}: {mode.member.name} is not in the group {parameter.group}")
    path = mode.member.name if parameter.group else mode.path
    relation, join = ("!=", " && ") if parameter.limits.unless else ("==", " || ")
    return ", " + join.join(f"p.{path} {relation} {mode.enumeration.name}::{mode.enumeration.enumerator(name)}" for name in names)


def parameters_of(struct, enumerations):
    return [Parameter(member, enumerations, struct.name) for member in struct.values if headers.limits_of(member, struct.name)]


def stem_of(method, struct):
    """The name of the C++ file, "params" or "optimiser_params"."""
    return struct.name.removeprefix(f"legato_{method}_")


def struct_definition(name, text, parameters, groups):
    """A struct with the parameters, behind the groups."""
    lines = headers.comment(text, "//") + [f"struct {name} {{"] + [f"    {struct} {member};" for struct, member in groups]
    for parameter in parameters:
        lines += parameter.definition()
    return lines + ["};", ""]


def list_definition(name, parameters, groups, all_parameters):
    """The function for_each_parameter() of a struct."""
    lines = [f"template <std::derived_from<{name}> P, class Visit>", "void for_each_parameter(P& p, const Visit& visit) {"]
    lines += [f"    for_each_parameter(p.{member}, visit);" for _, member in groups]
    for parameter in parameters:
        lines += parameter.listed(used_condition(parameter, all_parameters))
    return lines + ["}", ""]


def written_from(header, guard):
    return [f"// Written by tools/parameters.py from capi/include/legato/{header}. Change that instead.", "#pragma once", ""] + guard


def cpp_header(method, header, struct, enumerations):
    name, parameters = camel_case(stem_of(method, struct)), parameters_of(struct, enumerations)
    used = [e for e in enumerations.values() if any(p.enumeration is e for p in parameters)]
    groups = [(group, member) for member, (group, _) in GROUPS.get(struct.name, {}).items()]
    structs = [(group, "", member, []) for group, member in groups] + [(name, struct.text, "", groups)]
    standard = (["#include <array>"] if any(p.member.extents for p in parameters) else []) + ["#include <concepts>", "#include <cstdint>"]
    lines = written_from(header, standard + ["", "#include \"core/range.hpp\"", "", f"namespace legato::{method} {{", ""])
    for enumeration in used:
        lines += enumeration.definition() + [""]
    for cpp_name, text, group, inner in structs:
        lines += struct_definition(cpp_name, text, [p for p in parameters if p.group == group], inner)
    limits = [f"inline constexpr {TYPES[p.member.type]} max_{p.member.name} = {p.limits.high};" for p in parameters
              if p.member.name in LIMITS.get(struct.name, ())]
    lines += limits + ([""] if limits else [])
    lines += ["// Calls visit(member, Range) for each parameter. P may be const."]
    for cpp_name, _, group, inner in structs:
        lines += list_definition(cpp_name, [p for p in parameters if p.group == group], inner, parameters)
    return "\n".join(lines + [f"}}  // namespace legato::{method}", ""])


def capi_header(method, header, struct, enumerations):
    stem, parameters = stem_of(method, struct), parameters_of(struct, enumerations)
    name = camel_case(stem)
    used = [e for e in enumerations.values() if any(p.enumeration is e for p in parameters)]
    field = FIELDS.get(struct.name, f"{method}.params")
    includes = sorted(["#include \"arguments.hpp\"", f"#include \"{method}/{stem}.hpp\"", f"#include \"legato/{header}\""])
    lines = written_from(header, includes + ["", "namespace legato::capi {", ""])
    for enumeration in used:
        lines += enumeration.comparison()
    to_c, from_c = [], []
    for p in parameters:
        for index in range(p.member.extents[0]) if p.member.extents else [None]:
            at = "" if index is None else f"[{index}]"
            own, c = f"p.{p.path}{at}", f"c.{p.member.name}{at}"
            to_c.append(f"    {c} = static_cast<int32_t>({own});" if p.enumeration else f"    {c} = {own};")
            value = f"static_cast<{method}::{p.enumeration.name}>({c})" if p.enumeration else c
            from_c.append(f"    {own} = flag_from_c(\"{field}.{p.member.name}{at}\", {c});" if p.flag else f"    {own} = {value};")
    lines += [""] if used else []
    lines += [f"inline {struct.name} to_c(const {method}::{name}& p) {{", f"    {struct.name} c{{}};", "    c.struct_size = sizeof(c);"]
    lines += to_c + ["    return c;", "}", "", f"inline void from_c(const {struct.name}& c, {method}::{name}& p) {{"] + from_c + ["}"]
    return "\n".join(lines + ["", "}  // namespace legato::capi", ""])


def enumerators():
    declarations = {d.name: d for header in headers.all_headers() for d in headers.read_header(header)}
    limits = [headers.limits_of(member) for name in STRUCTS for member in declarations[name].values]
    of_parameters = {one.choices for one in limits if one}
    for d in declarations.values():
        if d.kind == "enum" and d.name not in {*OTHER_ENUMERATIONS, *of_parameters, *ONLY_IN_C}:
            raise headers.HeaderError(f"{d.name}: add it to OTHER_ENUMERATIONS of parameters.py")
    lines = ["// Written by tools/parameters.py. Enumerators of C++ have the values of those of C."]
    lines += [f"#include \"{header}\"" for header in sorted({*OTHER_ENUMERATIONS.values(), "legato/legato.h"})]
    lines += ["", "namespace legato {", ""]
    for name, header in OTHER_ENUMERATIONS.items():
        method = header.split("/")[0]
        lines += Enumeration(declarations[name], "" if method == "core" else method).comparison() + [""]
    return "\n".join(lines + ["}  // namespace legato", ""])


def all_files():
    """Paths and texts."""
    texts = {ROOT / "capi/enumerators.cpp": enumerators()}
    for c_name, (method, header) in STRUCTS.items():
        declarations = headers.read_header(headers.include_folder() / header)
        struct = next(d for d in declarations if d.name == c_name)
        enumerations = {d.name: Enumeration(d, method) for d in declarations if d.kind == "enum"}
        stem = stem_of(method, struct)
        texts[ROOT / f"cpp/{method}/{stem}.hpp"] = cpp_header(method, header, struct, enumerations)
        texts[ROOT / f"capi/{method}_{stem}.hpp"] = capi_header(method, header, struct, enumerations)
    return texts


if __name__ == "__main__":
    headers.write_or_check(all_files(), ROOT, "parameters", "--check" in sys.argv[1:])
