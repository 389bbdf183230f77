#!/usr/bin/env python3
"""Compares the moments of double expansions with those of kwant.kpm, sample by sample, with the same vectors.

    kwant_moments.py LIBRARY      LIBRARY: liblegato.so

The Hamiltonian and both operators are random sparse Hermitian matrices of 200 sites. The exit status is 1 if the largest difference
is above 1e-10 of the largest moment. kwant is not a dependency of Legato; version 1.5.0 needs numpy 1.
"""
import ctypes
import sys

import kwant.kpm
import numpy
import scipy.sparse

SITES, MOMENTS, VECTORS, EPSILON = 200, 50, 4, 0.05
VECTOR = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.POINTER(ctypes.c_double))


class Params(ctypes.Structure):
    """legato_kpm_params."""
    _fields_ = [("struct_size", ctypes.c_size_t)] + [(name, ctypes.c_int32) for name in ("moments", "start_vectors", "vectors", "realisations")] \
        + [("seed", ctypes.c_int64)] + [(name, ctypes.c_int32) for name in ("bounds", "lanczos_steps", "format", "block_width")] \
        + [(name, ctypes.c_double) for name in ("lowest", "highest", "margin")] + [("memory_budget", ctypes.c_int64)] \
        + [(name, ctypes.c_int32) for name in ("precision", "division")]


def pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


def hermitian(random, is_complex):
    matrix = scipy.sparse.random(SITES, SITES, density=0.03, random_state=random, data_rvs=random.standard_normal)
    if is_complex:
        matrix = matrix + 1j * scipy.sparse.random(SITES, SITES, density=0.03, random_state=random, data_rvs=random.standard_normal)
    return scipy.sparse.csr_matrix(matrix + matrix.conj().T)


def moments_of_legato(library, matrices, vectors, bounds):
    """Returns the moments of each sample, [vectors][m][n]."""
    library.legato_context_message.restype = ctypes.c_char_p
    context, correlation = ctypes.c_void_p(), ctypes.c_void_p()

    def require(status):
        if status != 0:
            sys.exit(f"kwant_moments: {library.legato_context_message(context).decode()}")

    @VECTOR
    def given(_, sample, sites, vector):
        numpy.ctypeslib.as_array(vector, (2 * sites,))[:] = vectors[sample].view(float)
        return 0

    require(library.legato_context_create(None, ctypes.byref(context)))
    handles = []
    for matrix in matrices:
        handles.append(ctypes.c_void_p())
        rows, columns, values = matrix.indptr.astype(numpy.int64), matrix.indices.astype(numpy.int32), matrix.data.astype(complex)
        require(library.legato_kpm_complex_matrix_create(context, ctypes.c_int64(SITES), ctypes.c_int64(len(values)), 0, pointer(rows),
                                                         pointer(columns), pointer(values), ctypes.byref(handles[-1])))
    params = Params()
    require(library.legato_kpm_params_init_sized(ctypes.byref(params), ctypes.c_size_t(ctypes.sizeof(params))))
    params.moments, params.vectors, params.bounds = MOMENTS, VECTORS, 2
    (params.lowest, params.highest), params.margin = bounds, 1 / (1 - EPSILON / 2) - 1
    require(library.legato_kpm_correlation_create_given(context, ctypes.byref(params), *handles, given, None, ctypes.byref(correlation)))
    require(library.legato_kpm_correlation_run(correlation, None, None))
    moments = numpy.zeros((VECTORS, MOMENTS, MOMENTS), complex)
    for sample in range(VECTORS):
        require(library.legato_kpm_correlation_sample(correlation, ctypes.c_int64(sample), MOMENTS, pointer(moments[sample])))
    return moments


def main():
    library, random, largest = ctypes.CDLL(sys.argv[1]), numpy.random.default_rng(5), 0
    for is_complex in (False, True):
        h, a, b = (hermitian(random, is_complex) for _ in range(3))
        energies = numpy.linalg.eigvalsh(h.toarray())
        bounds = energies[0] - 0.1, energies[-1] + 0.1
        vectors = random.standard_normal((VECTORS, SITES)) + 1j * random.standard_normal((VECTORS, SITES))
        correlator = kwant.kpm.Correlator(h, operator1=a, operator2=b, num_vectors=VECTORS, num_moments=MOMENTS, bounds=bounds, eps=EPSILON,
                                          vector_factory=iter(vectors), mean=False)
        expected = correlator.moments_matrix / SITES
        found = moments_of_legato(library, (h, a, b), vectors, bounds)
        difference = numpy.max(numpy.abs(found - expected)) / numpy.max(numpy.abs(expected))
        largest = max(largest, difference)
        print(f"{'complex' if is_complex else 'real'}: largest difference {difference:.1e} of the largest moment")
    return 1 if largest > 1e-10 else 0


if __name__ == "__main__":
    sys.exit(main())
