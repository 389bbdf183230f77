#!/usr/bin/env python3
"""Every range and default that a public header documents for an input struct is the one that the library applies.

    limits_test.py LIBRARY

For each member of the structs in tools/limit_cases.py: the default is what the struct's _init function fills in. A
value just outside the range, and NaN and infinity of a real number, are refused with LEGATO_STATUS_INVALID_ARGUMENT and
a message that begins with the member's name, the value and the range. The ends of the range are not refused as out of
range.
"""
import ctypes
import os
import resource
import signal
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "tools"))
import headers  # noqa: E402
from library import NUMBERS, Library  # noqa: E402
from limit_cases import CHECKED, Cases, checked_as, maker_of, role  # noqa: E402

INVALID_ARGUMENT = 1


class Caller:
    """Makes an object from one struct, by a context, and gives the status and the message."""

    def __init__(self, library):
        self.library = library
        self.context = ctypes.c_void_p()
        status = library.legato_context_create(None, ctypes.byref(self.context))
        assert status == 0, f"legato_context_create: {status}"

    def struct(self, checked, settings):
        """The defaults, or zeros if there are none, with the settings of the table and these."""
        name = f"legato_{checked.name}"
        if f"{name}_init_sized" in self.library.declarations:
            struct = self.library.initialised(name)
        else:
            struct = self.library.structs[name](ctypes.sizeof(self.library.structs[name]))
        for member, index, value in (*checked.settings, *settings):
            if index is None:
                setattr(struct, member, value)
            else:
                getattr(struct, member)[index] = value
        return struct

    def object(self, kind, objects):
        """An object that another call needs."""
        maker = maker_of(kind, self.library.declarations)
        status, message = self.status_of(maker, self.struct(maker, ()), objects)
        assert status == 0, message
        return objects[-1][1]

    def argument(self, parameter, checked, struct, objects):
        match role(parameter, checked, self.library.declarations):
            case "context":
                return self.context
            case "struct":
                return ctypes.byref(struct)
            case "object":
                return self.object(parameter.type, objects)
            case "result":
                objects.append((parameter.type, ctypes.c_void_p()))
                return ctypes.byref(objects[-1][1])
            case "other struct":
                return ctypes.byref(self.struct(checked_as(parameter.type), ()))
        value = checked.arguments.get(parameter.name, None if parameter.pointers or parameter.array else 0)
        return (NUMBERS[parameter.type] * len(value))(*value) if isinstance(value, list) else value

    def status_of(self, checked, struct, objects):
        """The status and message of a call; the objects of the call are added to the list."""
        function = self.library.declarations[f"legato_{checked.function}"]
        arguments = [self.argument(parameter, checked, struct, objects) for parameter in function.values]
        status = getattr(self.library, function.name)(*arguments)
        return status, self.library.legato_context_message(self.context).decode()

    def call(self, checked, settings):
        objects = []
        answer = self.status_of(checked, self.struct(checked, settings), objects)
        for kind, handle in objects:
            getattr(self.library, f"{kind}_destroy")(handle)
        return answer


class Limits(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.environ.update(LEGATO_BACKEND="cpu", LEGATO_LOG="silent", LEGATO_NUM_THREADS="1")
        cls.library = Library(sys.argv[1])
        cls.caller = Caller(cls.library)
        cls.cases = [Cases(checked, cls.library.declarations) for checked in CHECKED]

    def in_child(self, checked, settings):
        """The status and message of a call that may take much memory; -1 if it did not return."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
                signal.alarm(30)
                status, message = Caller(self.library).call(checked, settings)
                os.write(writing, f"{status} {message}".encode()[:4000])
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            status, _, message = pipe.read().partition(" ")
        os.waitpid(child, 0)
        return int(status or -1), message

    def test_all_structs(self):
        """The table misses no struct that has defaults, except the context's, which the environment changes."""
        names = {name.removesuffix("_init_sized") for name in self.library.declarations if name.endswith("_init_sized")}
        self.assertEqual(names - {f"legato_{c.name}" for c in CHECKED}, {"legato_context_params"})

    def test_defaults(self):
        for cases in self.cases:
            for member, texts in cases.defaults():
                with self.subTest(f"{cases.checked.name}.{member.name}"):
                    value = getattr(self.caller.struct(cases.checked, ()), member.name)
                    values = list(value) if member.extents else [value]
                    enumerators = self.library.enumerators
                    defaults = [enumerators[text] if text in enumerators else headers.number(text) for text in texts]
                    self.assertEqual(values, defaults * (len(values) // len(defaults)))

    def test_outside(self):
        for cases in self.cases:
            for case in cases.outside():
                with self.subTest(case.label, value=case.value()):
                    status, message = self.caller.call(cases.checked, case.settings)
                    self.assertEqual(status, INVALID_ARGUMENT, message)
                    self.assertEqual(message[:len(case.refusal)], case.refusal)

    def test_ends(self):
        for cases in self.cases:
            for case in cases.ends():
                with self.subTest(case.label, value=case.value()):
                    status, message = self.in_child(cases.checked, case.settings)
                    refused = status == INVALID_ARGUMENT and case.member.name in message.split(":")[0]
                    self.assertGreaterEqual(status, 0, "the call did not return")
                    self.assertFalse(refused, message)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
