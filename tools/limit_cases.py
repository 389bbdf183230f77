"""Cases that test the limits which the public headers document. tests/tools/limits_test.py tries them from C, and
fortran_limits.py from Fortran.

The table CHECKED lists the input structs. A case is a list of members to set beside the defaults, and the message that
follows.
"""
import dataclasses
import math

import headers


@dataclasses.dataclass
class Checked:
    """A struct, and a call that is valid if the struct is valid. A setting is (member, index or None, value)."""
    name: str                     # of the struct, without legato_
    function: str                 # that checks the struct, without legato_
    field: str                    # beginning of its messages
    arguments: dict = dataclasses.field(default_factory=dict)  # by their names in C; all others are NULL or 0
    settings: tuple = ()          # beside the defaults
    procedure: str = "create"     # the function in Fortran
    in_fortran: str = ""          # arguments that this function has beside those
    no_ends: tuple = ()           # members whose ends are not tried, as another member or function restricts them
    narrower: tuple = ()          # members or elements whose messages state a narrower range, for the same reason


CHECKED = (
    Checked("tmm_params", "tmm_create", "tmm.params.", {"n_points": 1, "energy": [0.1], "disorder": [1]},
            no_ends=("anisotropy", "transverse_flux", "longitudinal_flux"), narrower=("max_growth",)),
    Checked("dfr_params", "dfr_create", "dfr.params."),
    Checked("dfr_nucleus", "dfr_add_atom", "dfr.atoms[0].nucleus.",
            {"n_species": 1, "n_functions": [3], "exponents": [1, 2, 3], "closed": [1], "electrons": [0]},
            (("model", None, 1), ("charge", None, 2), ("radius", None, 1e-5), ("exponent", None, 1e8)), "add_atom"),
    Checked("dfr_optimiser_params", "dfr_optimiser_create", "dfr.optimiser.", no_ends=("last_step",)),
    Checked("dfr_pruner_params", "dfr_pruner_create", "dfr.pruner."),
    Checked("dfr_reducer_params", "dfr_reducer_create", "dfr.reducer.",
            {"n_species": 1, "closed": [1], "electrons": [0], "start": [0.1, 2, 1, 1]}),
    Checked("kpm_lattice", "kpm_lattice_create", "kpm.lattice.", procedure="create_lattice"),
    Checked("kpm_cell_lattice", "kpm_cell_lattice_create", "kpm.cell_lattice.", procedure="create_cell_lattice",
            in_fortran="from=[integer ::], to=[integer ::], offsets=reshape([integer ::], [3, 0]), "
                       "amplitudes=[complex(c_double) ::]"),
    Checked("kpm_params", "kpm_create", "kpm.params.", no_ends=("start_vectors", "highest")),
    Checked("vmc_params", "vmc_create", "vmc.params.", no_ends=("extents", "electrons", "sweeps_per_bin"),
            narrower=("electrons",)),
    Checked("vmc_optimiser_params", "vmc_optimiser_create", "vmc.optimiser."),
    Checked("fss_params", "fss_create", "fss.params.",
            {"n_data": 99, "length": [4, 8, 16] * 33, "control": [*range(99)], "value": [1] * 99, "error": [1] * 99},
            no_ends=("irrelevant_expansion",)),
    Checked("ising_params", "ising_create", "ising.params.",
            no_ends=("extents", "boundary", "sweeps_per_measurement", "measurements_per_bin"),
            narrower=("extents", "boundary[2]", "sweeps_per_measurement", "measurements_per_bin")),
)


@dataclasses.dataclass
class Case:
    member: headers.Value
    limits: headers.Limits
    settings: list                # beside those of the struct; the last one is that of the member
    label: str                    # name of the member, or of the element, in messages
    refusal: str                  # beginning of the message that refuses the value

    def value(self):
        return self.settings[-1][2]


def all_declarations():
    """The declarations of all headers, by their names."""
    return {d.name: d for path in headers.all_headers() for d in headers.read_header(path)}


def shown(value, kind):
    """A number as the library's messages show it."""
    if kind != "double":
        return str(value)
    text = "%.15g" % value
    return text if not math.isfinite(value) or float(text) == value else "%.17g" % value


def outside(kind, limits):
    """Values that must be refused."""
    if kind == "double":
        values = [math.nan, math.inf, -math.inf]
        if limits.low is not None:
            values += [math.nextafter(limits.low, -math.inf), math.nextafter(limits.high, math.inf)]
            values += [limits.low] if not limits.low_allowed else []
            values += [0.0] if limits.low > 0 else []
        return values
    most = 2**31 - 1 if kind == "int32_t" else 2**63 - 1
    allowed_in_32_bits = 2**32 + limits.low
    return [v for v in (limits.low - 1, limits.high + 1, allowed_in_32_bits, -most - 1, most)
            if -most - 1 <= v <= most and not limits.low <= v <= limits.high]


class Cases:
    """The cases of one struct."""

    def __init__(self, checked, declarations):
        self.checked = checked
        self.declarations = declarations
        self.struct = declarations[f"legato_{checked.name}"]

    def members(self):
        """Each member that has limits, with the limits; those of an enumeration are its first and last value."""
        for member in self.struct.values:
            limits = headers.limits_of(member, self.struct.name)
            if limits is None:
                continue
            if limits.choices:
                values = [v.value for v in self.declarations[limits.choices].values]
                limits.low, limits.high = min(values), max(values)
            yield member, limits

    def mode(self, limits):
        """The settings that make the library use a member."""
        if not limits.used_with or limits.unless:
            return []
        enumeration, value = next((d.name, v.value) for d in self.declarations.values() if d.kind == "enum"
                                  for v in d.values if v.name == limits.used_with[0])
        return [(next(m.name for m, of_mode in self.members() if of_mode.choices == enumeration), None, value)]

    def range_in_words(self, member, element, limits):
        """What a message says after "is not in"."""
        if limits.low is None or {member.name, element} & set(self.checked.narrower):
            return ""
        if member.type != "double":
            return f"{limits.low}..{limits.high}"
        low, high = (shown(v, "double") for v in (limits.low, limits.high))
        return f"{'[' if limits.low_allowed else '('}{low}, {high}{']' if limits.high_allowed else ')'}"

    def of(self, member, limits, values):
        """A case for each value; for each element of an array."""
        for value in values:
            for index in range(member.extents[0]) if member.extents else [None]:
                element = member.name if index is None else f"{member.name}[{index}]"
                label = self.checked.field + element
                range_text = self.range_in_words(member, element, limits)
                refusal = f"{label}: {shown(value, member.type)} is not in {range_text}"
                yield Case(member, limits, [*self.mode(limits), (member.name, index, value)], label, refusal)

    def defaults(self):
        """Each member that has a default, with the texts of the defaults: one, or one for each element."""
        return [(member, limits.default.split(",")) for member, limits in self.members() if limits.default]

    def outside(self):
        for member, limits in self.members():
            if limits.low is not None or member.type == "double":
                yield from self.of(member, limits, outside(member.type, limits))

    def ends(self):
        for member, limits in self.members():
            if limits.low is not None and member.name not in self.checked.no_ends:
                ends = (limits.low, limits.low_allowed), (limits.high, limits.high_allowed)
                yield from self.of(member, limits, [value for value, allowed in ends if allowed])


def role(parameter, checked, declarations):
    """What a call passes for a parameter."""
    kind = declarations[parameter.type].kind if parameter.type in declarations else ""
    if parameter.type == "legato_context":
        return "context"
    if parameter.type == f"legato_{checked.name}":
        return "struct"
    if kind == "handle":
        return "object" if parameter.pointers == 1 else "result"
    return "other struct" if kind == "struct" and not parameter.nullable else "value"


def checked_as(struct):
    return next(checked for checked in CHECKED if f"legato_{checked.name}" == struct)


def maker_of(handle, declarations):
    """The struct from which an object is created."""
    results = {declarations[f"legato_{checked.function}"].values[-1].type: checked for checked in reversed(CHECKED)}
    return results[handle]
