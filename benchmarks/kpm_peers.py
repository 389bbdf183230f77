#!/usr/bin/env python3
"""Times Legato, kwant and KITE on the same complex problem, with one thread each.

    kpm_peers.py LIBRARY [--cells 256] [--moments 512] [--vectors 8] [--pairs 3]

LIBRARY is liblegato.so. The problem is the Haldane model on cells x cells unit cells, two orbitals each: t = 1, phi = pi / 2, t2 = 0.1, a
staggered potential of 0.2, periodic boundaries, without disorder. All programs compute the moments of the density of states in double
precision. Programs whose Python packages (kwant; quantum-kite) are not installed are left out. The packages' own preparation of the
lattice is not timed. KITE's time is that of its compute program, which also reads the input file and writes the moments. kwant's and
Legato's times include the start vectors. Legato is timed without a matrix and with one, in compressed rows.

The time of a program is the median of its runs, in nanoseconds for each site, vector and moment. The programs run in turn.
"""
import argparse
import contextlib
import ctypes
import os
import statistics
import tempfile
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "LEGATO_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402  the threads of its libraries are limited above

T2, MASS = 0.1, 0.2
# from, to, offset, amplitude: H_(n + offset, to), (n, from) = amplitude
HOPPINGS = [(0, 1, (0, 0), -1), (0, 1, (-1, 0), -1), (0, 1, (0, -1), -1)]
HOPPINGS += [(o, o, offset, (1j if o == 0 else -1j) * T2) for o in (0, 1) for offset in ((1, 0), (-1, 1), (0, -1))]


class Lattice(ctypes.Structure):
    """legato_kpm_cell_lattice of version 0.2."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("extents", ctypes.c_int64 * 3), ("boundary", ctypes.c_int32 * 3),
                ("orbitals", ctypes.c_int32), ("on_site", ctypes.c_int32), ("twist", ctypes.c_double * 3), ("flux", ctypes.c_double * 3),
                ("disorder", ctypes.c_double), ("concentration", ctypes.c_double)]


class Params(ctypes.Structure):
    """legato_kpm_params of version 0.2."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("moments", ctypes.c_int32), ("start_vectors", ctypes.c_int32),
                ("vectors", ctypes.c_int32), ("realisations", ctypes.c_int32), ("seed", ctypes.c_int64), ("bounds", ctypes.c_int32),
                ("lanczos_steps", ctypes.c_int32), ("format", ctypes.c_int32), ("block_width", ctypes.c_int32), ("lowest", ctypes.c_double),
                ("highest", ctypes.c_double), ("margin", ctypes.c_double), ("memory_budget", ctypes.c_int64), ("precision", ctypes.c_int32),
                ("division", ctypes.c_int32)]


class Legato:
    """The library through its C interface. `form` is kpm.params.format: 1 for compressed rows, 3 without a matrix."""

    def __init__(self, options, form):
        self.library = ctypes.CDLL(options.library)
        self.library.legato_context_message.restype = ctypes.c_char_p
        self.options, self.context, self.hamiltonian = options, ctypes.c_void_p(), ctypes.c_void_p()
        os.environ["LEGATO_BACKEND"] = "cpu"
        self.call("legato_context_create", None, ctypes.byref(self.context))
        lattice = Lattice()
        self.call("legato_kpm_cell_lattice_init_sized", ctypes.byref(lattice), ctypes.c_size_t(ctypes.sizeof(lattice)))
        lattice.extents[:], lattice.orbitals = [options.cells, options.cells, 1], 2
        count = len(HOPPINGS)
        energies = (ctypes.c_double * 2)(MASS, -MASS)
        source = (ctypes.c_int32 * count)(*[h[0] for h in HOPPINGS])
        to = (ctypes.c_int32 * count)(*[h[1] for h in HOPPINGS])
        offsets = (ctypes.c_int32 * (3 * count))(*[x for h in HOPPINGS for x in (*h[2], 0)])
        amplitudes = (ctypes.c_double * (2 * count))(*[x for h in HOPPINGS for x in (complex(h[3]).real, complex(h[3]).imag)])
        self.call("legato_kpm_cell_lattice_create", self.context, ctypes.byref(lattice), None, energies, ctypes.c_int64(count), source, to,
                  offsets, amplitudes, ctypes.c_int64(0), None, ctypes.byref(self.hamiltonian))
        self.params = Params()
        self.call("legato_kpm_params_init_sized", ctypes.byref(self.params), ctypes.c_size_t(ctypes.sizeof(self.params)))
        self.params.moments, self.params.vectors, self.params.format = options.moments, options.vectors, form

    def call(self, name, *arguments):
        if getattr(self.library, name)(*arguments) != 0:
            raise RuntimeError(self.library.legato_context_message(self.context).decode())

    def seconds(self):
        kpm = ctypes.c_void_p()
        self.call("legato_kpm_create", self.context, ctypes.byref(self.params), self.hamiltonian, ctypes.byref(kpm))
        begun = time.perf_counter()
        self.call("legato_kpm_run", kpm, None, None)
        elapsed = time.perf_counter() - begun
        self.call("legato_kpm_destroy", kpm)
        return elapsed


def matrix(cells):
    """The Hamiltonian as a scipy matrix."""
    import scipy.sparse
    n0, n1 = np.meshgrid(np.arange(cells), np.arange(cells), indexing="ij")
    rows, columns, values = [], [], []
    for source, to, (d0, d1), amplitude in HOPPINGS:
        rows.append((to + 2 * ((n0 + d0) % cells + cells * ((n1 + d1) % cells))).ravel())
        columns.append((source + 2 * (n0 + cells * n1)).ravel())
        values.append(np.full(rows[-1].size, amplitude, complex))
    sites = 2 * cells * cells
    half = scipy.sparse.coo_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), (sites, sites)).tocsr()
    return (half + half.getH() + scipy.sparse.diags(np.where(np.arange(sites) % 2 == 0, MASS, -MASS))).tocsr()


class Kwant:
    def __init__(self, options):
        import kwant
        self.kwant, self.options, self.matrix = kwant, options, matrix(options.cells)
        self.bounds = (-3.3, 3.3)

    def seconds(self):
        begun = time.perf_counter()
        self.kwant.kpm.SpectralDensity(self.matrix, num_moments=self.options.moments, num_vectors=self.options.vectors, bounds=self.bounds,
                                       rng=1, kernel=self.kwant.kpm.jackson_kernel)
        return time.perf_counter() - begun


class Kite:
    def __init__(self, options):
        import kite
        import pybinding
        self.kite = kite
        lattice = pybinding.Lattice(a1=[1, 0], a2=[0, 1])
        lattice.add_sublattices(("A", [0, 0], MASS), ("B", [0.5, 0.5], -MASS))
        lattice.add_hoppings(*[(list(offset), "AB"[source], "AB"[to], amplitude) for source, to, offset, amplitude in HOPPINGS])
        configuration = kite.Configuration(divisions=[1, 1], length=[options.cells, options.cells], boundaries=["periodic", "periodic"],
                                           is_complex=True, precision=1, spectrum_range=[-3.3, 3.3])
        calculation = kite.Calculation(configuration)
        calculation.dos(num_points=1000, num_moments=options.moments, num_random=options.vectors, num_disorder=1)
        self.file = os.path.join(tempfile.mkdtemp(), "haldane.h5")
        with silent():
            kite.config_system(lattice, configuration, calculation, filename=self.file)

    def seconds(self):
        begun = time.perf_counter()
        with silent():
            self.kite.execute.kitex(self.file)
        return time.perf_counter() - begun


@contextlib.contextmanager
def silent():
    """Discards what libraries print, also those that are not written in Python."""
    saved, null = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    try:
        yield
    finally:
        os.dup2(saved, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    for name, default in (("cells", 256), ("moments", 512), ("vectors", 8), ("pairs", 3)):
        parser.add_argument("--" + name, type=int, default=default)
    options = parser.parse_args()
    programs = {}
    for name, make in (("Legato", lambda: Legato(options, 3)), ("Legato, compressed rows", lambda: Legato(options, 1)),
                       ("kwant", lambda: Kwant(options)), ("KITE", lambda: Kite(options))):
        try:
            programs[name] = make()
        except ImportError as error:
            print(f"{name}: left out, {error}")
    work = 2 * options.cells**2 * options.moments * options.vectors
    times = {name: [] for name in programs}
    for _ in range(options.pairs):
        for name, program in programs.items():
            times[name].append(program.seconds() * 1e9 / work)
    print(f"Haldane model, {options.cells} x {options.cells} cells, N = {options.moments}, R = {options.vectors}, one thread")
    first = statistics.median(times["Legato"])
    for name, values in times.items():
        ratios = [value / own for value, own in zip(values, times["Legato"])]
        print(f"{name:24s} {statistics.median(values):8.3f} ns  {statistics.median(values) / first:6.2f} times Legato "
              f"(pairs {min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()
