"""Legato's shared library for Python: ctypes structs and functions, made from the public headers."""
import ctypes
import sys

import headers

NUMBERS = {"double": ctypes.c_double, "int8_t": ctypes.c_int8, "int32_t": ctypes.c_int32, "int64_t": ctypes.c_int64,
           "size_t": ctypes.c_size_t, "int": ctypes.c_int, "char": ctypes.c_char}


class Library:
    """Attributes are the functions of the library; `structs` and `declarations` go by their C names."""

    def __init__(self, path):
        self._library = ctypes.CDLL(path)
        declarations = [d for header in sorted(headers.include_folder().glob("*.h")) for d in headers.read_header(header)]
        self.declarations = {d.name: d for d in declarations}
        self.enumerators = {v.name: v.value for d in declarations if d.kind == "enum" for v in d.values}
        self.structs = {}
        for d in declarations:
            if d.kind == "struct":
                self._struct(d.name)

    def _struct(self, name):
        if name not in self.structs:
            members = []
            for member in self.declarations[name].values:
                kind = NUMBERS.get(member.type) or self._struct(member.type)
                for extent in reversed(member.extents):
                    kind = kind * extent
                members.append((member.name, kind))
            self.structs[name] = type(name, (ctypes.Structure,), {"_fields_": members})
        return self.structs[name]

    def __getattr__(self, name):
        declaration = self.declarations[name]
        function = getattr(self._library, name)
        function.restype = {"int32_t": ctypes.c_int32, "const char*": ctypes.c_char_p}[declaration.result]
        function.argtypes = [NUMBERS[v.type] if v.type in NUMBERS and not v.pointers and not v.array else ctypes.c_void_p
                             for v in declaration.values]
        return function

    def initialised(self, name):
        """A struct with its defaults."""
        made = self.structs[name]()
        status = getattr(self, f"{name}_init_sized")(ctypes.addressof(made), ctypes.sizeof(made))
        assert status == 0, f"{name}_init_sized: {status}"
        return made


class Legato:
    """Calls the library, and ends the program if a call fails."""

    def __init__(self, path):
        self.library = Library(path)
        self.context = self.handle("context_create", None)

    def call(self, name, *arguments):
        if getattr(self.library, "legato_" + name)(*arguments) != 0:
            sys.exit(f"legato_{name}: {self.library.legato_context_message(self.context).decode()}")

    def handle(self, name, *arguments):
        made = ctypes.c_void_p()
        self.call(name, *arguments, ctypes.addressof(made))
        return made

    def struct(self, name):
        kind = self.library.structs["legato_" + name]
        return kind(ctypes.sizeof(kind))
