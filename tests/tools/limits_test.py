#!/usr/bin/env python3
"""Every range and default that a public header documents for an input struct is the one that the library applies.

    limits_test.py LIBRARY

For each member of the structs below: the default is what the struct's _init function fills in. A value just outside the
range, and NaN and infinity of a real number, are refused with LEGATO_INVALID_ARGUMENT and a message that begins with the
member's name and holds the value. The ends of the range are not refused.
"""
import ctypes
import math
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "tools"))
import headers  # noqa: E402
from library import Library  # noqa: E402

INVALID_ARGUMENT = 1


class Caller:
    """Makes an object from one struct, by a context, and tells the status and the message."""

    def __init__(self, library):
        self.library = library
        self.context = self.made("legato_context_create", None)

    def made(self, name, *arguments):
        handle = ctypes.c_void_p()
        status = getattr(self.library, name)(*arguments, ctypes.byref(handle))
        assert status == 0, f"{name}: {status}"
        return handle

    def call(self, name, destroy, *arguments):
        handle = ctypes.c_void_p()
        status = getattr(self.library, name)(self.context, *arguments, ctypes.byref(handle))
        message = self.library.legato_context_message(self.context).decode()
        getattr(self.library, destroy)(handle)
        return status, message

    def kpm_lattice(self, struct):
        return self.call("legato_kpm_lattice_create", "legato_kpm_hamiltonian_destroy", struct, 0, None)

    def kpm_params(self, struct):
        lattice = self.library.initialised("legato_kpm_lattice")
        lattice.extents[0] = 4
        hamiltonian = self.made("legato_kpm_lattice_create", self.context, ctypes.byref(lattice), 0, None)
        answer = self.call("legato_kpm_create", "legato_kpm_destroy", struct, hamiltonian)
        self.library.legato_kpm_hamiltonian_destroy(hamiltonian)
        return answer


# Members whose ends are not tried, with the reason.
NO_ENDS = {
    "legato_kpm_lattice.extents": "2^40 sites in all",
    "legato_kpm_params.start_vectors": "LEGATO_KPM_SITES and LEGATO_KPM_CALLER have functions of their own",
    "legato_kpm_params.lowest": "highest must exceed it", "legato_kpm_params.highest": "it must exceed lowest",
}
STRUCTS = ("kpm_lattice", "kpm_params")


def outside(kind, limits):
    """Values that must be refused."""
    if kind == "double":
        values = [math.nan, math.inf, -math.inf]
        if limits.low is not None:
            values += [math.nextafter(limits.low, -math.inf), math.nextafter(limits.high, math.inf)]
        if limits.low is not None and not limits.low_allowed:
            values.append(limits.low)
        return values
    most = 2**31 - 1 if kind == "int32_t" else 2**63 - 1
    return [v for v in (limits.low - 1, limits.high + 1, -most - 1, most)
            if -most - 1 <= v <= most and not limits.low <= v <= limits.high]


class Limits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.library = Library(sys.argv[1])
        cls.caller = Caller(cls.library)

    def members(self, short):
        """Each member that has limits, with the limits; those of an enumeration are its first and last value."""
        declaration = self.library.declarations[f"legato_{short}"]
        for member in declaration.values:
            limits = headers.limits_of(member, declaration.name)
            if limits is None:
                continue
            if limits.choices:
                values = [v.value for v in self.library.declarations[limits.choices].values]
                limits.low, limits.high = min(values), max(values)
            yield member, limits

    def start(self, short, limits):
        """The defaults, with the mode in which the member is used."""
        struct = self.library.initialised(f"legato_{short}")
        if limits.used_with and not limits.unless:
            enumeration = next(d.name for d in self.library.declarations.values()
                               if d.kind == "enum" and any(v.name == limits.used_with for v in d.values))
            mode = next(m for m, of_mode in self.members(short) if of_mode.choices == enumeration)
            setattr(struct, mode.name, self.library.enumerators[limits.used_with])
        return struct

    def answers(self, short, member, limits, values):
        """The value, the status and the message of a call for each value, in each element of an array."""
        for value in values:
            for index in range(member.extents[0]) if member.extents else [None]:
                struct = self.start(short, limits)
                if index is None:
                    setattr(struct, member.name, value)
                else:
                    getattr(struct, member.name)[index] = value
                status, message = getattr(self.caller, short)(ctypes.addressof(struct))
                yield value, status, message

    def test_defaults(self):
        for short in STRUCTS:
            struct = self.library.initialised(f"legato_{short}")
            for member, limits in self.members(short):
                with self.subTest(f"{short}.{member.name}"):
                    default = self.library.enumerators.get(limits.default)
                    default = headers.number(limits.default) if default is None else default
                    value = getattr(struct, member.name)
                    self.assertEqual(list(value) if member.extents else [value], [default] * max(1, *member.extents, 1))

    def test_outside(self):
        for short in STRUCTS:
            for member, limits in self.members(short):
                if limits.low is None and member.type != "double":
                    continue
                for value, status, message in self.answers(short, member, limits, outside(member.type, limits)):
                    with self.subTest(f"{short}.{member.name}", value=value):
                        self.assertEqual(status, INVALID_ARGUMENT, message)
                        self.assertTrue(message.startswith(f"{short.replace('_', '.', 1)}.{member.name}"), message)
                        self.assertIn("%.15g" % value if member.type == "double" else str(value), message)

    def test_ends(self):
        for short in STRUCTS:
            for member, limits in self.members(short):
                if limits.low is None or f"legato_{short}.{member.name}" in NO_ENDS:
                    continue
                ends = [v for v, allowed in ((limits.low, limits.low_allowed), (limits.high, limits.high_allowed)) if allowed]
                for value, status, message in self.answers(short, member, limits, ends):
                    with self.subTest(f"{short}.{member.name}", value=value):
                        refused = status == INVALID_ARGUMENT and message.startswith(f"{short.replace('_', '.', 1)}.{member.name}")
                        self.assertFalse(refused and "is not in" in message, message)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
