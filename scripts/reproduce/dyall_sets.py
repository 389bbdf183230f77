#!/usr/bin/env python3
"""Compares Dyall's relativistic basis sets with sets of the same numbers of functions that Legato optimises.

    dyall_sets.py LIBLEGATO [--elements Ne,Rn] [--sets dyall-v2z,dyall-v3z] [--start FILE] [--functions 23,22,13,8]
                  [--tolerance 1e-12]

LIBLEGATO is the shared library, such as build/release/capi/liblegato.so. The Python package basis_set_exchange (version
0.12 or newer) has Dyall's sets; it can be installed by pip in a virtual environment. Of each set all functions are taken
whose l has electrons in the ground configuration; the others cannot lower the energy. Legato optimises free exponents of
each l, with extended kinetic balance. The start is a set of the file FILE of Basis Set Exchange (default: the library
legato-1e-5), whose exponents are interpolated to the same number of functions. So Dyall's exponents are no input.

Energies are those of the average of the ground configuration with a Gaussian nucleus. An error is (E - E0) / |E0|, where E0
is the limit energy. The collapse is the energy with extended minus that with restricted kinetic balance, divided by |E0|.
"""
import argparse
import ctypes
import json
import math
import sys
from pathlib import Path

import basis_set_exchange

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from library import Legato  # noqa: E402

GAUSSIAN, RESTRICTED, EXTENDED, FREE, LBFGS, CONVERGED = 3, 0, 1, 2, 1, 2     # enumerators
ELEMENTS = "Ne,Ar,Kr,Ag,Xe,Gd,Au,Hg,Rn,U"


def field_with(legato, balance):
    field = legato.library.initialised("legato_dfr_params")
    field.kinetic_balance, field.max_iterations = balance, 100
    return field


def integers(*values):
    return (ctypes.c_int32 * len(values))(*values)


def reals(*values):
    return (ctypes.c_double * len(values))(*values)


class Atom:
    """The nucleus and the ground configuration of an element, as the library takes them."""

    def __init__(self, legato, z):
        self.z = z
        self.nucleus = legato.struct("dfr_nucleus")
        legato.call("dfr_element_nucleus", legato.context, z, GAUSSIAN, ctypes.addressof(self.nucleus))
        count, species = ctypes.c_int32(), ctypes.c_int32()
        legato.call("dfr_ground_configuration", legato.context, z, 0, ctypes.addressof(count), None, None, None)
        n, l, electrons = (integers(*[0] * count.value) for _ in range(3))
        legato.call("dfr_ground_configuration", legato.context, z, count, None, n, l, electrons)
        average = (legato.context, count, n, l, electrons)
        legato.call("dfr_average_of_configuration", *average, 0, ctypes.addressof(species), None, None, None)
        size = species.value
        self.closed, self.electrons, self.pairs = integers(*[0] * size), reals(*[0] * size), reals(*[0] * size**2)
        legato.call("dfr_average_of_configuration", *average, size, None, self.closed, self.electrons, self.pairs)

    def average(self):
        return self.closed, self.electrons, self.pairs

    def functions(self, exponents):
        """The number of functions of each species, and its l. Both j have the same."""
        by_species = [(s + 1) // 2 for s in range(len(self.closed))]
        return integers(*[len(exponents[l]) for l in by_species]), by_species

    def largest_l(self):
        return len(self.closed) // 2


def exponents_of(shells, largest_l):
    """The exponents of s, p, ... in ascending order, without those that are listed twice."""
    found = [set() for _ in range(largest_l + 1)]
    for shell in shells:
        for l in shell["angular_momentum"]:
            if l <= largest_l:
                found[l] |= set(map(float, shell["exponents"]))
    return [sorted(exponents) for exponents in found]


def resized(exponents, count):
    """`count` exponents between the same ends, by linear interpolation of the logarithms."""
    if min(count, len(exponents)) < 2:
        sys.exit("dyall_sets: each l needs at least two functions")

    def at(x):
        k = min(int(x), len(exponents) - 2)
        return math.log(exponents[k]) + (x - k) * math.log(exponents[k + 1] / exponents[k])

    return [math.exp(at(i * (len(exponents) - 1) / (count - 1))) for i in range(count)]


def energies(legato, atoms, sets, balance):
    """The energy of every atom in its set, NaN if it has not converged."""
    field = field_with(legato, balance)
    solver = legato.handle("dfr_create", legato.context, ctypes.addressof(field))
    for atom, exponents in zip(atoms, sets):
        functions, by_species = atom.functions(exponents)
        listed = reals(*[zeta for l in by_species for zeta in exponents[l]])
        legato.call("dfr_add_atom", solver, ctypes.addressof(atom.nucleus), len(by_species), functions, listed,
                    *atom.average(), None)
    legato.call("dfr_run", solver, None, None)
    known = [legato.library.enumerators["LEGATO_DFR_ATOM_STATUS_" + name]
             for name in ("CONVERGED", "COLLAPSED", "NOT_COMPARED")]
    found = []
    for index in range(len(atoms)):
        result = legato.struct("dfr_atom")
        legato.call("dfr_result", solver, index, ctypes.addressof(result))
        found.append(result.energy if result.status in known else math.nan)
    legato.call("dfr_destroy", solver)
    return found


def optimise(legato, atoms, starts, tolerance):
    """Returns for each atom the optimised set, the limit energy and the number of energies."""
    params, field = legato.library.initialised("legato_dfr_optimiser_params"), field_with(legato, EXTENDED)
    params.method, params.max_energies, params.energy_tolerance = LBFGS, 1000, tolerance
    optimiser = legato.handle("dfr_optimiser_create", legato.context, ctypes.addressof(field), ctypes.addressof(params))
    for atom, exponents in zip(atoms, starts):
        functions, by_species = atom.functions(exponents)
        first, group = integers(*[1] * len(by_species)), integers(*by_species)
        legato.call("dfr_optimiser_add_groups", optimiser, ctypes.addressof(atom.nucleus), len(by_species), functions, first,
                    group, len(exponents), integers(*[FREE] * len(exponents)), reals(*sum(exponents, [])), *atom.average(),
                    0.0, None)
    legato.call("dfr_optimiser_run", optimiser, None, None)
    found = []
    for index, exponents in enumerate(starts):
        result = legato.struct("dfr_optimisation")
        legato.call("dfr_optimiser_result", optimiser, index, ctypes.addressof(result))
        parameters = reals(*[0] * sum(map(len, exponents)))
        legato.call("dfr_optimiser_groups", optimiser, index, None, None, None, parameters)
        values = iter(parameters)
        found.append(([sorted(next(values) for _ in one) for one in exponents], result.limit, result.energies))
        if result.status != CONVERGED:
            print(f"dyall_sets: element {atoms[index].z}: the optimisation has status {result.status} after "
                  f"{result.energies} energies", file=sys.stderr)
            if not result.limit < 0:
                sys.exit("dyall_sets: the limit energy is unknown")
    legato.call("dfr_optimiser_destroy", optimiser)
    return found


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--elements", default=ELEMENTS)
    parser.add_argument("--sets", default="dyall-v2z,dyall-v3z,dyall-v4z")
    parser.add_argument("--start", default=ROOT / "data/basis/legato-1e-5.json")
    parser.add_argument("--functions", help="numbers of functions of s, p, ... of Legato's sets, with the same sum")
    parser.add_argument("--tolerance", type=float, default=1e-12,
                        help="relative change of the energy at which an optimisation ends")
    return parser.parse_args()


def counts_of(given, what, theirs):
    """The numbers of functions of Legato's set."""
    counts = list(map(int, given.functions.split(","))) if given.functions else [len(one) for one in theirs]
    total = sum(map(len, theirs))
    if len(counts) != len(theirs) or sum(counts) != total:
        sys.exit(f"dyall_sets: --functions {given.functions} is not {len(theirs)} numbers with the sum {total}, as in {what}")
    return counts


def problems(legato, given):
    """The names of elements and sets, the atoms, Dyall's sets, and the sets with which the optimisations start."""
    starts = json.loads(Path(given.start).read_text())["elements"]
    for name in given.sets.split(","):
        for symbol in given.elements.split(","):
            atom = Atom(legato, basis_set_exchange.lut.element_Z_from_sym(symbol))
            shells = basis_set_exchange.get_basis(name, elements=[atom.z])["elements"][str(atom.z)]["electron_shells"]
            theirs = exponents_of(shells, atom.largest_l())
            start = exponents_of(starts[str(atom.z)]["electron_shells"], atom.largest_l())
            counts = counts_of(given, f"{name} of {symbol}", theirs)
            yield f"{symbol:2} {name}", atom, theirs, [resized(ours, count) for ours, count in zip(start, counts)]


def main():
    given = arguments()
    legato = Legato(given.library)
    names, atoms, theirs, first = zip(*problems(legato, given))
    optimised = optimise(legato, atoms, first, given.tolerance)
    lists = [energies(legato, atoms, sets, balance) for sets in (theirs, [ours for ours, _, _ in optimised])
             for balance in (RESTRICTED, EXTENDED)]
    print("# dyall_sets: Gaussian nuclei; errors (E - E0) / |E0| with restricted and extended balance, and collapse")
    print("# element set functions | limit energy | Dyall: restricted extended collapse | Legato: restricted extended collapse"
          " | energies of the optimisation")
    for name, exponents, (ours, limit, count), *found in zip(names, theirs, optimised, *lists):
        functions = ",".join(str(len(one)) for one in (ours if given.functions else exponents))
        errors = [(energy - limit) / abs(limit) for energy in found]
        print(f"{name} {functions:12} {limit:18.9f}",
              *(f"{restricted:13.6e} {extended:13.6e} {extended - restricted:9.1e}"
                for restricted, extended in (errors[:2], errors[2:])), f"{count:4}", flush=True)


if __name__ == "__main__":
    main()
