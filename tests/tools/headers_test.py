#!/usr/bin/env python3
"""tools/headers.py, tools/parameters.py, tools/parameter_tables.py and tools/fortran_interfaces.py, on small headers."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "tools"))
import fortran_interfaces  # noqa: E402
import headers  # noqa: E402
import parameter_tables  # noqa: E402
import parameters  # noqa: E402

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
    LEGATO_X_KIND_ONE = 1,  /**< the first */
    LEGATO_X_KIND_LESS = -2 /**< a long
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
        self.assertEqual([(v.name, v.value) for v in kind.values], [("LEGATO_X_KIND_ONE", 1), ("LEGATO_X_KIND_LESS", -2)])
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
        for text in ("int legato_x(void);", "typedef enum legato_x { LEGATO_X_A, } legato_x;", "typedef enum legato_x { LEGATO_A = 0 } legato_x;",
                     "LEGATO_API int32_t legato_x(double);",
                     "typedef struct legato_x { double a : 3; } legato_x;", "typedef struct legato_x { double a; } legato_y;",
                     "LEGATO_API int32_t legato_x(double a[3]);", "LEGATO_API int32_t legato_x(int32_t** a);",
                     "LEGATO_API int32_t legato_x(const char* a[]);", "typedef struct legato_x { double* a; } legato_x;",
                     "#if 0\nLEGATO_API int32_t legato_x(void);\n#endif"):
            with self.subTest(text), self.assertRaises(headers.HeaderError):
                read(text)


class Limits(unittest.TestCase):
    def limits(self, text):
        return headers.limits_of(headers.Value("a", text=text), "x")

    def test_ranges(self):
        found = self.limits("Steps, used with LEGATO_X_KIND_ONE. Range [2, 1000],\n default 60.")
        self.assertEqual((found.low, found.high, found.default, found.used_with, found.unless), (2, 1000, "60", ("LEGATO_X_KIND_ONE",), False))
        self.assertEqual(self.limits("Set by. Range [1, 2], default 1.").low, 1)
        found = self.limits("A, not used with LEGATO_X_KIND_ONE. Range (0, 1e6], default 1.")
        self.assertEqual((found.low, found.high, found.low_allowed, found.high_allowed, found.unless), (0, 1e6, False, True, True))
        self.assertIsInstance(found.high, float)

    def test_several_modes(self):
        found = self.limits("A, used with LEGATO_X_KIND_ONE and LEGATO_X_KIND_LESS. Range [1, 2], default 1.")
        self.assertEqual(found.used_with, ("LEGATO_X_KIND_ONE", "LEGATO_X_KIND_LESS"))

    def test_others(self):
        found = self.limits("Boundary. One of legato_x_kind, default LEGATO_X_KIND_ONE.")
        self.assertEqual((found.choices, found.default, found.low), ("legato_x_kind", "LEGATO_X_KIND_ONE", None))
        self.assertEqual(self.limits("Seed. Any value, default 1277.").default, "1277")
        self.assertIsNone(self.limits("Not used."))
        self.assertIsNone(self.limits("Set by the caller."))
        for text in ("Steps.", "Steps. Range [2, 1000].", "Range [2, 1000], default 60", "Range 2..1000, default 60.",
                     "A, used only with LEGATO_X. Range [1, 2], default 1.",
                     "Range [1, 2], default 1,2."):
            with self.subTest(text), self.assertRaises(headers.HeaderError):
                self.limits(text)


class CppParameters(unittest.TestCase):
    MEMBERS = (("int32_t", "n", "Number. Range [1, 9], default 3."), ("int64_t", "far", "Far. Range [0, 5000000000], default 0."),
               ("double", "w", "Width, used with LEGATO_X_KIND_TWO or LEGATO_X_KIND_AUTO. Range [0, 1e6], default 1."),
               ("int32_t", "flag", "1: yes, 0: no. Range [0, 1], default 1."), ("int64_t", "seed", "Seed. Any value, default 1."),
               ("int32_t", "kind", "One of legato_x_kind, default LEGATO_X_KIND_AUTO."), ("int32_t", "unused", "Not used."))

    def setUp(self):
        members = [headers.Value(name, kind, text=text) for kind, name, text in self.MEMBERS]
        values = [headers.Value("LEGATO_X_KIND_AUTO", value=0), headers.Value("LEGATO_X_KIND_TWO", value=1)]
        struct = headers.Declaration("struct", "legato_x_params", "Parameters.", values=members)
        kind = parameters.Enumeration(headers.Declaration("enum", "legato_x_kind", "Kinds.", values=values), "x")
        self.arguments = ("x", "x.h", struct, {"legato_x_kind": kind})

    def test_struct(self):
        text = parameters.cpp_header(*self.arguments)
        for line in ("enum class Kind : int {", "    auto_ = 0,", "    two = 1,", "    int n = 3;", "    std::int64_t far = 0;",
                     "    bool flag = true;", "    std::int64_t seed = 1;", "    Kind kind = Kind::auto_;", "    double w = 1;",
                     '    visit(p.n, Range("n", 1, 9));', '    visit(p.far, Range("far", 0LL, 5000000000LL));',
                     '    visit(p.w, Range("w", 0.0, 1000000.0, p.kind == Kind::two || p.kind == Kind::auto_));', '    visit(p.flag, Range("flag", 0, 1));',
                     '    visit(p.seed, Range("seed"));', '    visit(p.kind, Range("kind", 0, 1));'):
            self.assertIn(f"\n{line}\n", text)
        self.assertNotIn("unused", text)

    def test_arrays_and_groups(self):
        members = [headers.Value("extents", "int64_t", extents=(3,), text="E. Range [1, 9], default 6,6,1."),
                   headers.Value("weights", "double", extents=(2,), text="W. Range [0, 1], default 0.5.")]
        struct = headers.Declaration("struct", "legato_ising_params", "Parameters.",
                                     values=[headers.Value("dimension", "int32_t", text="D. Range [2, 3], default 2."), *members])
        text = parameters.cpp_header("ising", "ising.h", struct, {})
        for line in ("#include <array>", "struct Lattice {", "    std::array<std::int64_t, 3> extents{6, 6, 1};", "    Lattice lattice;",
                     "    std::array<double, 2> weights{0.5, 0.5};", '    visit(p.extents, Range("extents", 1, 9));',
                     "    for_each_parameter(p.lattice, visit);"):
            self.assertIn(f"\n{line}\n", text)
        text = parameters.capi_header("ising", "ising.h", struct, {})
        self.assertIn("\n    c.extents[2] = p.lattice.extents[2];\n", text)

    def test_entries_of_elements(self):
        members = [headers.Value("cluster", "int32_t", text="One of legato_vmc_cluster, default LEGATO_VMC_CLUSTER_TILTED."),
                   headers.Value("extents", "int32_t", extents=(2,), text="E, used with LEGATO_VMC_CLUSTER_TILTED. Range [1, 9], default 6."),
                   headers.Value("chains", "int32_t", text="C, used with LEGATO_VMC_CLUSTER_TILTED. Range [1, 9], default 6."),
                   headers.Value("t", "double", text="T. Range [0, 1], default 1.")]
        kind = headers.Declaration("enum", "legato_vmc_cluster", "Kinds.", values=[headers.Value("LEGATO_VMC_CLUSTER_TILTED", value=0)])
        struct = headers.Declaration("struct", "legato_vmc_params", "Parameters.", values=members)
        enumerations = {kind.name: parameters.Enumeration(kind, "vmc")}
        text = parameters.cpp_header("vmc", "vmc.h", struct, enumerations)
        for line in ('    visit(p.extents[1], Range("extents[1]", 1, 9, p.cluster == Cluster::tilted).saved_as("extent_y"));',
                     '    visit(p.chains, Range("chains", 1, 9, p.lattice.cluster == Cluster::tilted));'):
            self.assertIn(f"\n{line}\n", text)
        members[3].text = "T, used with LEGATO_VMC_CLUSTER_TILTED. Range [0, 1], default 1."  # a mode of another group
        with self.assertRaises(headers.HeaderError):
            parameters.cpp_header("vmc", "vmc.h", struct, enumerations)

    def test_entries_of_older_versions(self):
        """Files of version 0.1 have these names. Without them their runs could not be resumed."""
        texts = {path.relative_to(parameters.ROOT).as_posix(): text for path, text in parameters.all_files().items()}
        for file, entries in (("cpp/ising/params.hpp", ("dimensions",)),
                              ("cpp/vmc/params.hpp", ("warm_up", "extent_x", "extent_y", "boundary_x", "boundary_y"))):
            for entry in entries:
                self.assertIn(f'.saved_as("{entry}")', texts[file])

    def test_conversion(self):
        text = parameters.capi_header(*self.arguments)
        for line in ("static_assert(static_cast<int>(x::Kind::two) == LEGATO_X_KIND_TWO);", "    c.n = p.n;",
                     "    c.kind = static_cast<int32_t>(p.kind);", "    p.kind = static_cast<x::Kind>(c.kind);",
                     '    p.flag = flag_from_c("x.params.flag", c.flag);', "    p.w = c.w;"):
            self.assertIn(f"\n{line}\n", text)


class Tables(unittest.TestCase):
    def test_numbers(self):
        for number, text in ((2, "2"), (1000, "1000"), (4096, "4096"), (1 << 20, "2²⁰"), (-(1 << 20), "-2²⁰"), (2**63 - 1, "2⁶³ - 1"),
                             (1e6, "10⁶"), (-1e100, "-10¹⁰⁰"), (1e-12, "10⁻¹²"), (0.01, "0.01"), (5e-9, "5 × 10⁻⁹"), (137.03599976, "137.03599976"), (1e5, "10⁵"), (99999, "99999"),
                             (1000000000, "10⁹"), (0, "0"), (0.0, "0")):
            with self.subTest(number):
                self.assertEqual(parameter_tables.shown(number), text)

    def test_rows(self):
        kind = headers.Declaration("enum", "legato_x_kind", "Kinds.", values=[headers.Value("LEGATO_X_KIND_A"), headers.Value("LEGATO_X_KIND_B")])
        for text, expected in (("Steps. Range [2, 1000], default 60.", "| `a` | 2 to 1000 | 60 | Steps. |"),
                               ("1: yes, 0: no. Range [0, 1], default 1.", "| `a` | 0, 1 | 1 | 1: yes, 0: no. |"),
                               ("Seed. Any value, default 1.", "| `a` | any | 1 | Seed. |"),
                               ("One of legato_x_kind, default LEGATO_X_KIND_B.", "| `a` | `LEGATO_X_KIND_A`, `LEGATO_X_KIND_B` | `LEGATO_X_KIND_B` | Kinds. |"),
                               ("Extents. Range [1, 9], default 6,6,1.", "| `a` | 1 to 9 | 6, 6, 1 | Extents. |"),
                               ("Charge. Range (0, 137], no default.", "| `a` | more than 0 to 137 | none | Charge. |")):
            with self.subTest(text):
                member = headers.Value("a", "int32_t", text=text, extents=(3,) if "6,6,1" in text else ())
                self.assertEqual(parameter_tables.row(member, headers.limits_of(member), {"legato_x_kind": kind}), expected)


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
        self.assertTrue(all(len(line) <= headers.WIDTH for line in lines) and len(lines) > 2)
        self.assertTrue(all(line.endswith(" &") for line in lines[:-1]) and not lines[-1].endswith("&"))


if __name__ == "__main__":
    unittest.main()
