#!/usr/bin/env python3
"""tools/headers.py and tools/fortran_interfaces.py, on small headers."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "tools"))
import fortran_interfaces  # noqa: E402
import headers  # noqa: E402

HEADER = """/** @file
 * What it is about. */
#ifndef LEGATO_X_H
#define LEGATO_X_H

#ifdef __cplusplus
extern "C" {
#endif

/** Marks something. */
#define LEGATO_MARK

/** A thing. */
typedef struct legato_x legato_x;

/** Kinds,
 * two of them. */
typedef enum legato_x_kind {
    LEGATO_X_ONE = 1,  /**< the first */
    LEGATO_X_LESS = -2 /**< a long
                            text */
} legato_x_kind;

/** Parameters. */
typedef struct legato_x_params {
    size_t struct_size;  /**< set by legato_x_init */
    double table[2][3];  /**< a; b, c */
    int32_t plain;
} legato_x_params;

/** Called. */
typedef int (*legato_x_callback)(void* user, const double values[]);

/** @name Results
 * All of them. */
/** @{ */
/** Makes one:
 *
 *     a = b
 *
 * as often as it is called. */
LEGATO_API int32_t legato_x_create(LEGATO_NULLABLE const legato_x_params* params, LEGATO_BORROWED const double data[],
                                   const char* path, legato_x_callback callback, void* user, legato_x** x);
/** @} */

/** Inline. */
static inline int32_t legato_x_init(legato_x_params* params) {
    return 0;
}

LEGATO_API const char* legato_x_text(void);

#ifdef __cplusplus
}
#endif

#endif
"""


def read(text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.h")
        path.write_text(text)
        return headers.read_header(path)


class Headers(unittest.TestCase):
    def setUp(self):
        self.all = {d.name: d for d in read(HEADER)}

    def test_kinds_in_order(self):
        self.assertEqual([(d.kind, d.name) for d in read(HEADER)],
                         [("handle", "legato_x"), ("enum", "legato_x_kind"), ("struct", "legato_x_params"),
                          ("callback", "legato_x_callback"), ("function", "legato_x_create"), ("function", "legato_x_text")])

    def test_enumeration(self):
        kind = self.all["legato_x_kind"]
        self.assertEqual([(v.name, v.value) for v in kind.values], [("LEGATO_X_ONE", 1), ("LEGATO_X_LESS", -2)])
        self.assertEqual(kind.text, "Kinds,\ntwo of them.")
        self.assertEqual(" ".join(kind.values[1].text.split()), "a long text")

    def test_struct(self):
        members = self.all["legato_x_params"].values
        self.assertEqual([(m.type, m.name, m.extents, m.text) for m in members],
                         [("size_t", "struct_size", (), "set by legato_x_init"), ("double", "table", (2, 3), "a; b, c"),
                          ("int32_t", "plain", (), "")])

    def test_function(self):
        create = self.all["legato_x_create"]
        params, data, path, callback, user, made = create.values
        self.assertTrue(params.nullable and params.const and params.pointers == 1 and not params.array)
        self.assertTrue(data.borrowed and data.array and data.const)
        self.assertEqual([(v.type, v.pointers) for v in (path, callback, user, made)],
                         [("char", 1), ("legato_x_callback", 0), ("void", 1), ("legato_x", 2)])
        self.assertEqual((create.result, self.all["legato_x_text"].result, self.all["legato_x_text"].values),
                         ("int32_t", "const char*", []))

    def test_refuses_what_is_not_regular(self):
        for text in ("int legato_x(void);", "typedef enum legato_x { LEGATO_A, } legato_x;", "LEGATO_API int32_t legato_x(double);",
                     "typedef struct legato_x { double a : 3; } legato_x;", "typedef struct legato_x { double a; } legato_y;"):
            with self.subTest(text), self.assertRaises(headers.HeaderError):
                read(text)


class Fortran(unittest.TestCase):
    def test_interface(self):
        declarations = read(HEADER)
        types = fortran_interfaces.Types(declarations)
        create = next(d for d in declarations if d.name == "legato_x_create")
        self.assertEqual(types.procedure(create), [
            "      ! Makes one:", "      !", "      !     a = b", "      !", "      ! as often as it is called.",
            "      function legato_x_create(params, data, path, callback, user, x) bind(c) result(status)",
            "         import",
            "         type(legato_x_params), intent(in), optional :: params",
            "         real(c_double), intent(in), target :: data(*)",
            "         character(kind=c_char), intent(in) :: path(*)",
            "         type(c_funptr), value :: callback",
            "         type(c_ptr), value :: user",
            "         type(c_ptr), intent(out) :: x",
            "         integer(c_int32_t) :: status",
            "      end function legato_x_create"])

    def test_struct(self):
        declarations = read(HEADER)
        lines = fortran_interfaces.Types(declarations).derived_type(declarations[2])
        self.assertEqual(lines, ["   ! Parameters.", "   type, bind(c) :: legato_x_params",
                                 "      integer(c_size_t) :: struct_size  ! set by legato_x_init",
                                 "      real(c_double) :: table(3, 2)  ! a; b, c", "      integer(c_int32_t) :: plain",
                                 "   end type legato_x_params"])

    def test_long_lines_go_on(self):
        lines = fortran_interfaces.continued("call " + ", ".join(["argument"] * 30), "   ")
        self.assertTrue(all(len(line) <= fortran_interfaces.WIDTH for line in lines) and len(lines) > 2)
        self.assertTrue(all(line.endswith(" &") for line in lines[:-1]) and not lines[-1].endswith("&"))


if __name__ == "__main__":
    unittest.main()
