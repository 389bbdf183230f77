#!/usr/bin/env python3
"""Compares conductivities with kwant.kpm, which computes the Kubo-Bastin formula in another way.

    kwant_conductivity.py LIBRARY      LIBRARY: liblegato.so

The systems are open flakes of graphene and of Haldane's model with 288 sites, clean and with box disorder. Both programs get the
same matrix, positions, energy interval and number of moments, and all unit vectors as start vectors, so that the trace is exact.
kwant exchanges the two operators. It integrates by Simpson's rule over 2 N nodes of the energy, which needs a high temperature.
The exit status is 1 if the largest relative difference is above 1e-4. kwant is not a dependency of Legato; version 1.5.0 needs
numpy 1.
"""
import ctypes
import sys

import kwant
import kwant.kpm
import numpy
import scipy.sparse

SIZE, MOMENTS, BOUNDS, EPSILON, TEMPERATURE = 12, 64, (-4.6, 4.6), 0.05, 0.3
POTENTIALS = numpy.array([-2.1, -1.3, -0.4, 0.0, 0.6, 1.7])
VECTOR = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.POINTER(ctypes.c_double))


class Params(ctypes.Structure):
    """legato_kpm_params."""
    _fields_ = [("struct_size", ctypes.c_size_t)] + [(name, ctypes.c_int32) for name in ("moments", "start_vectors", "vectors", "realisations")] \
        + [("seed", ctypes.c_int64)] + [(name, ctypes.c_int32) for name in ("bounds", "lanczos_steps", "format", "block_width")] \
        + [(name, ctypes.c_double) for name in ("lowest", "highest", "margin")] + [("memory_budget", ctypes.c_int64)] \
        + [(name, ctypes.c_int32) for name in ("precision", "division")]


@VECTOR
def unit_vector(_, sample, sites, vector):
    elements = numpy.ctypeslib.as_array(vector, (2 * sites,))
    elements[:] = 0
    elements[2 * sample] = numpy.sqrt(sites)
    return 0


def pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


def conductivity(library, matrix, positions, first, second):
    """Returns Legato's conductivity of two directions."""
    library.legato_context_message.restype = ctypes.c_char_p
    context, hamiltonian, correlation = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()

    def require(status):
        if status != 0:
            sys.exit(f"kwant_conductivity: {library.legato_context_message(context).decode()}")

    require(library.legato_context_create(None, ctypes.byref(context)))
    sites, values = matrix.shape[0], matrix.data.astype(complex)
    row_pointers, columns = matrix.indptr.astype(numpy.int64), matrix.indices.astype(numpy.int32)
    require(library.legato_kpm_complex_matrix_create(context, ctypes.c_int64(sites), ctypes.c_int64(len(values)), 0, pointer(row_pointers),
                                                     pointer(columns), pointer(values), ctypes.byref(hamiltonian)))
    velocities = []
    for direction in (first, second):
        velocities.append(ctypes.c_void_p())
        along = numpy.ascontiguousarray(positions[:, "xy".index(direction)])
        require(library.legato_kpm_matrix_velocity_create(context, hamiltonian, ctypes.c_int64(sites), pointer(along), ctypes.c_double(0),
                                                          ctypes.byref(velocities[-1])))
    params = Params()
    require(library.legato_kpm_params_init_sized(ctypes.byref(params), ctypes.c_size_t(ctypes.sizeof(params))))
    params.moments, params.vectors, params.bounds = MOMENTS, sites, 2
    (params.lowest, params.highest), params.margin = BOUNDS, 1 / (1 - EPSILON / 2) - 1
    require(library.legato_kpm_correlation_create_given(context, ctypes.byref(params), hamiltonian, *velocities, unit_vector, None,
                                                        ctypes.byref(correlation)))
    require(library.legato_kpm_correlation_run(correlation, None, None))
    sigma = numpy.zeros_like(POTENTIALS)
    require(library.legato_kpm_conductivity_bastin(correlation, 0, ctypes.c_double(0), ctypes.c_double(TEMPERATURE), len(sigma),
                                                   pointer(POTENTIALS), pointer(sigma), None))
    return sigma


def flake(second_neighbours, disorder):
    lattice, system, random = kwant.lattice.honeycomb(norbs=1), kwant.Builder(), numpy.random.default_rng(0)
    for x in range(SIZE):
        for y in range(SIZE):
            for orbital in (lattice.a, lattice.b):
                system[orbital(x, y)] = disorder * (random.random() - 0.5)
    system[lattice.neighbors()] = -1
    if second_neighbours != 0:
        system[lattice.a.neighbors()] = -1j * second_neighbours
        system[lattice.b.neighbors()] = 1j * second_neighbours
    return system.finalized()


def main():
    library, largest = ctypes.CDLL(sys.argv[1]), 0
    for second_neighbours, disorder, directions in ((0, 0, "xx"), (0, 2, "xx"), (0.2, 0, "xy"), (0.2, 1, "xy")):
        system = flake(second_neighbours, disorder)
        matrix, positions = scipy.sparse.csr_matrix(system.hamiltonian_submatrix(sparse=True)), numpy.array([site.pos for site in system.sites])
        of_kwant = kwant.kpm.conductivity(matrix, alpha=directions[0], beta=directions[1], positions=positions, num_moments=MOMENTS,
                                          vector_factory=kwant.kpm.LocalVectors(system), num_vectors=None, bounds=BOUNDS, eps=EPSILON)
        expected = numpy.array([of_kwant(mu=mu, temperature=TEMPERATURE).real / (2 * numpy.pi) for mu in POTENTIALS])
        found = conductivity(library, matrix, positions, directions[1], directions[0])
        difference = numpy.max(numpy.abs(found / expected - 1))
        largest = max(largest, difference)
        print(f"second neighbours {second_neighbours}, disorder {disorder}, {directions}: largest relative difference {difference:.1e}")
    return 1 if largest > 1e-4 else 0


if __name__ == "__main__":
    sys.exit(main())
