#!/usr/bin/env python3
"""Every range and default that a public header documents for an input struct is the one that the library applies.

    limits_test.py LIBRARY

For each member of the structs below: the default is what the struct's _init function fills in. A value just outside the
range, and NaN and infinity of a real number, are refused with LEGATO_STATUS_INVALID_ARGUMENT and a message that begins with the
member's name and holds the value. The ends of the range are not refused as out of range.
"""
import ctypes
import math
import os
import resource
import signal
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "tools"))
import headers  # noqa: E402
from library import Library  # noqa: E402

INVALID_ARGUMENT = 1


def doubles(*values):
    return (ctypes.c_double * len(values))(*values)


def integers(*values):
    return (ctypes.c_int32 * len(values))(*values)


class Caller:
    """Makes an object from one struct, by a context, and gives the status and the message."""

    def __init__(self, library):
        self.library = library
        self.context = self.made("legato_context_create", None)

    def made(self, name, *arguments):
        handle = ctypes.c_void_p()
        status = getattr(self.library, name)(*arguments, ctypes.byref(handle))
        assert status == 0, f"{name}: {status}"
        return handle

    def message(self):
        return self.library.legato_context_message(self.context).decode()

    def call(self, name, destroy, *arguments):
        handle = ctypes.c_void_p()
        status = getattr(self.library, name)(self.context, *arguments, ctypes.byref(handle))
        message = self.message()
        getattr(self.library, destroy)(handle)
        return status, message

    def nucleus(self):
        nucleus = self.library.structs["legato_dfr_nucleus"]()
        nucleus.struct_size, nucleus.model, nucleus.charge = ctypes.sizeof(nucleus), 1, 2
        nucleus.radius, nucleus.exponent = 1e-5, 1e8
        return nucleus

    def tmm_params(self, struct):
        return self.call("legato_tmm_create", "legato_tmm_destroy", struct, 1, doubles(0.1), doubles(1))

    def kpm_lattice(self, struct):
        return self.call("legato_kpm_lattice_create", "legato_kpm_hamiltonian_destroy", struct, 0, None)

    def kpm_params(self, struct):
        lattice = self.library.initialised("legato_kpm_lattice")
        lattice.extents[0] = 4
        hamiltonian = self.made("legato_kpm_lattice_create", self.context, ctypes.byref(lattice), 0, None)
        answer = self.call("legato_kpm_create", "legato_kpm_destroy", struct, hamiltonian)
        self.library.legato_kpm_hamiltonian_destroy(hamiltonian)
        return answer

    def dfr_params(self, struct):
        return self.call("legato_dfr_create", "legato_dfr_destroy", struct)

    def dfr_nucleus(self, struct):
        atoms = self.made("legato_dfr_create", self.context, None)
        status = self.library.legato_dfr_add_atom(atoms, struct, 1, integers(3), doubles(1, 2, 3), integers(1), doubles(0), None, None)
        message = self.message()
        self.library.legato_dfr_destroy(atoms)
        return status, message

    def dfr_optimiser_params(self, struct):
        return self.call("legato_dfr_optimiser_create", "legato_dfr_optimiser_destroy", None, struct)

    def dfr_reducer_params(self, struct):
        return self.call("legato_dfr_reducer_create", "legato_dfr_reducer_destroy", None, None, struct, ctypes.byref(self.nucleus()), 1,
                         integers(1), doubles(0), None, doubles(0.1, 2, 1, 1))

    def vmc_params(self, struct):
        return self.call("legato_vmc_create", "legato_vmc_destroy", struct)

    def vmc_optimiser_params(self, struct):
        return self.call("legato_vmc_optimiser_create", "legato_vmc_optimiser_destroy", None, struct)

    def ising_params(self, struct):
        return self.call("legato_ising_create", "legato_ising_destroy", struct, 0, None, 0, None)


STRUCTS = ("tmm_params", "dfr_params", "dfr_nucleus", "dfr_optimiser_params", "dfr_reducer_params", "kpm_lattice", "kpm_params",
           "vmc_params", "vmc_optimiser_params", "ising_params")
# Members whose ends are not tried, as another member or function restricts them.
NO_ENDS = {
    "dfr_optimiser_params": {"last_step"}, "kpm_params": {"start_vectors", "highest"},
    "vmc_params": {"extents", "electrons", "sweeps_per_bin"},
    "ising_params": {"extents", "boundary", "sweeps_per_measurement", "measurements_per_bin"},
}
# Beginnings of the messages' field names that differ from those of the structs.
FIELDS = {"dfr_optimiser_params": "dfr.optimiser", "dfr_reducer_params": "dfr.reducer", "dfr_nucleus": "dfr.", "vmc_optimiser_params": "vmc.optimiser"}


def outside(kind, limits):
    """Values that must be refused."""
    if kind == "double":
        values = [math.nan, math.inf, -math.inf]
        if limits.low is not None:
            values += [math.nextafter(limits.low, -math.inf), math.nextafter(limits.high, math.inf)]
            values += [limits.low] if not limits.low_allowed else []
        return values
    most = 2**31 - 1 if kind == "int32_t" else 2**63 - 1
    return [v for v in (limits.low - 1, limits.high + 1, -most - 1, most)
            if -most - 1 <= v <= most and not limits.low <= v <= limits.high]


class Limits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.environ.update(LEGATO_BACKEND="cpu", LEGATO_LOG="silent", LEGATO_NUM_THREADS="1")
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
        struct = self.caller.nucleus() if short == "dfr_nucleus" else self.library.initialised(f"legato_{short}")
        if limits.used_with and not limits.unless:
            enumeration = next(d.name for d in self.library.declarations.values()
                               if d.kind == "enum" and any(v.name == limits.used_with[0] for v in d.values))
            mode = next(m for m, of_mode in self.members(short) if of_mode.choices == enumeration)
            setattr(struct, mode.name, self.library.enumerators[limits.used_with[0]])
        return struct

    def structs(self, short, member, limits, values):
        """Each value in a struct; in each element of an array."""
        for value in values:
            for index in range(member.extents[0]) if member.extents else [None]:
                struct = self.start(short, limits)
                if index is None:
                    setattr(struct, member.name, value)
                else:
                    getattr(struct, member.name)[index] = value
                yield value, struct

    def in_child(self, short, struct):
        """The status and message of a call that may take much memory; -1 if it did not return."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
                signal.alarm(30)
                status, message = getattr(Caller(self.library), short)(ctypes.addressof(struct))
                os.write(writing, f"{status} {message}".encode()[:4000])
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            status, _, message = pipe.read().partition(" ")
        os.waitpid(child, 0)
        return int(status or -1), message

    def test_defaults(self):
        for short in STRUCTS:
            for member, limits in self.members(short):
                if not limits.default:
                    continue
                with self.subTest(f"{short}.{member.name}"):
                    value = getattr(self.library.initialised(f"legato_{short}"), member.name)
                    values = list(value) if member.extents else [value]
                    defaults = [self.library.enumerators[d] if d in self.library.enumerators else headers.number(d)
                                for d in limits.default.split(",")]
                    self.assertEqual(values, defaults * (len(values) // len(defaults)))

    def test_outside(self):
        for short in STRUCTS:
            for member, limits in self.members(short):
                if limits.low is None and member.type != "double":
                    continue
                field = FIELDS.get(short, short.replace("_", ".", 1))
                for value, struct in self.structs(short, member, limits, outside(member.type, limits)):
                    with self.subTest(f"{short}.{member.name}", value=value):
                        status, message = getattr(self.caller, short)(ctypes.addressof(struct))
                        self.assertEqual(status, INVALID_ARGUMENT, message)
                        self.assertRegex(message, rf"^{field}.*\b{member.name}\b")
                        self.assertIn("%.15g" % value if member.type == "double" else str(value), message)

    def test_ends(self):
        for short in STRUCTS:
            for member, limits in self.members(short):
                if limits.low is None or member.name in NO_ENDS.get(short, ()):
                    continue
                ends = [v for v, allowed in ((limits.low, limits.low_allowed), (limits.high, limits.high_allowed)) if allowed]
                for value, struct in self.structs(short, member, limits, ends):
                    with self.subTest(f"{short}.{member.name}", value=value):
                        status, message = self.in_child(short, struct)
                        refused = status == INVALID_ARGUMENT and member.name in message.split(":")[0]
                        self.assertGreaterEqual(status, 0, "the call did not return")
                        self.assertFalse(refused, message)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
