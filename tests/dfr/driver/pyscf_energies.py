#!/usr/bin/env python3
"""pyscf_energies.py LIBLEGATO [ELEMENTS]: exported basis sets in PySCF, a program that shares no code with Legato.

The sets of the library "hennessey" are written in every format. The Python package basis_set_exchange must read the same
exponents from all files, and its validator must accept the JSON. It cannot read uncontracted blocks of DIRAC, but must read
the contracted sets in this format. PySCF then computes the Dirac-Fock energy with restricted kinetic balance, a point nucleus
and the same speed of light, and the Hartree-Fock energy in the set that is contracted by the non-relativistic orbitals. Both
must be Legato's energies within 1e-9 hartree. ELEMENTS, closed-shell atoms, are He,Be,Ne,Ar if they are not given.

PySCF leaves out eigenvectors of the overlap matrix below 1e-6. In a basis with kinetic balance the overlap of the small
components is smaller by 4 c^2, so that most of them would be lost: here PySCF leaves out none.

Without PySCF or basis_set_exchange the test is skipped (exit status 77). They can be installed by pip in a virtual environment.
"""
import ctypes
import json
import sys
import tempfile
from pathlib import Path

try:
    import basis_set_exchange
    from pyscf import gto, lib, scf
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))
from library import Legato  # noqa: E402

SPEED_OF_LIGHT = 137.03599976
DATA = ROOT / "data/basis/hennessey.json"
# Number of the format in legato/dfr_basis_sets.h, extension, and name in basis_set_exchange.
FORMATS = ((0, "json", "json"), (1, "nw", "nwchem"), (2, "gbs", "gaussian94"))
DIRAC = 3
TOLERANCE = 1e-9


def sets_of(legato, elements):
    """A list with the sets of some elements."""
    everything = legato.handle("dfr_basis_sets_read", legato.context, str(DATA).encode(), 0)
    some = legato.handle("dfr_basis_sets_create", legato.context)
    for z in elements:
        functions, exponents = basis_of(legato, everything, z)
        legato.call("dfr_basis_sets_add", some, z, len(functions), functions, exponents)
    return some


def basis_of(legato, sets, z):
    """The numbers of functions of all species, and the exponents, in arrays of C."""
    at, species = ctypes.c_int64(), ctypes.c_int32()
    legato.call("dfr_basis_sets_find", sets, z, ctypes.byref(at))
    legato.call("dfr_basis_sets_exponents", sets, at, ctypes.byref(species), None, None)
    functions = (ctypes.c_int32 * species.value)()
    legato.call("dfr_basis_sets_exponents", sets, at, None, functions, None)
    exponents = (ctypes.c_double * sum(functions))()
    legato.call("dfr_basis_sets_exponents", sets, at, None, None, exponents)
    return functions, exponents


def by_l(functions, exponents):
    """Exponents of s, p, d, ... without empty lists."""
    lists, first = {}, 0
    for species, count in enumerate(functions):
        if count > 0:
            lists[(species + 1) // 2] = list(exponents[first:first + count])
        first += count
    return lists


def solve(legato, z, functions, exponents, relativistic):
    """The list with the atom in its ground configuration, and its energy."""
    params = legato.library.initialised("legato_dfr_params")
    params.relativistic = relativistic
    atoms = legato.handle("dfr_create", legato.context, ctypes.byref(params))
    nucleus = legato.struct("dfr_nucleus")
    nucleus.model, nucleus.charge = legato.library.enumerators["LEGATO_DFR_NUCLEAR_MODEL_POINT"], z
    closed, electrons, pairs = configuration_of(legato, z)
    count = len(closed)
    legato.call("dfr_add_atom", atoms, ctypes.byref(nucleus), count, functions, exponents, closed, electrons, pairs, None)
    legato.call("dfr_run", atoms, None, None)
    atom = legato.struct("dfr_atom")
    legato.call("dfr_result", atoms, 0, ctypes.byref(atom))
    if atom.status != legato.library.enumerators["LEGATO_DFR_ATOM_STATUS_CONVERGED"]:
        sys.exit(f"Legato, element {z}: status {atom.status}")
    return atoms, atom.energy


def configuration_of(legato, z):
    count, species = ctypes.c_int32(), ctypes.c_int32()
    legato.call("dfr_ground_configuration", legato.context, z, 0, ctypes.byref(count), None, None, None)
    n, l, electrons = ((ctypes.c_int32 * count.value)() for _ in range(3))
    legato.call("dfr_ground_configuration", legato.context, z, count, None, n, l, electrons)
    average = (legato.context, count, n, l, electrons)
    legato.call("dfr_average_of_configuration", *average, 0, ctypes.byref(species), None, None, None)
    size = species.value
    closed, opened, pairs = (ctypes.c_int32 * size)(), (ctypes.c_double * size)(), (ctypes.c_double * size**2)()
    legato.call("dfr_average_of_configuration", *average, size, None, closed, opened, pairs)
    return closed, opened, pairs


def shells_in(path, name, z):
    """Exponents and coefficients of each l, as basis_set_exchange reads them."""
    found = {}
    for shell in basis_set_exchange.readers.read_formatted_basis_file(str(path), name)["elements"][str(z)]["electron_shells"]:
        exponents, coefficients = found.setdefault(shell["angular_momentum"][0], ([], []))
        exponents.extend(map(float, shell["exponents"]))
        coefficients.extend(list(map(float, function)) for function in shell["coefficients"])
    return found


def check_files(legato, sets, elements, folder):
    """Writes all formats; basis_set_exchange must read the same exponents. Returns the text of the NWChem file."""
    for number, extension, name in FORMATS:
        path = folder / f"sets.{extension}"
        legato.call("dfr_basis_sets_write", sets, str(path).encode(), number, b"hennessey", None)
        for z in elements:
            found = {l: exponents for l, (exponents, _) in shells_in(path, name, z).items()}
            if found != by_l(*basis_of(legato, sets, z)):
                sys.exit(f"{name}: basis_set_exchange reads other exponents for element {z}")
        print(f"{name}: basis_set_exchange reads the same exponents")
    basis_set_exchange.validator.validate_data("minimal", json.loads((folder / "sets.json").read_text()))
    return (folder / "sets.nw").read_text()


def molecule(symbol, text):
    return gto.M(atom=f"{symbol} 0 0 0", basis={symbol: gto.parse(text, symb=symbol)}, verbose=0)


def run(field):
    field.conv_tol, field.max_cycle, field.direct_scf_tol, field.init_guess = 1e-11, 100, 1e-16, "1e"
    energy = field.kernel()
    if not field.converged:
        sys.exit("PySCF has not converged")
    return energy


def contracted_text(legato, atoms, z, folder):
    """The set that is contracted by the orbitals of an atom, in NWChem's format."""
    sets = legato.handle("dfr_basis_sets_create", legato.context)
    legato.call("dfr_basis_sets_add_contracted", sets, atoms, ctypes.c_int64(0), 1, 0)
    nwchem, dirac = folder / "contracted.nw", folder / "contracted.dirac"
    legato.call("dfr_basis_sets_write", sets, str(nwchem).encode(), 1, None, None)
    legato.call("dfr_basis_sets_write", sets, str(dirac).encode(), DIRAC, None, None)
    if shells_in(nwchem, "nwchem", z) != shells_in(dirac, "dalton", z):
        sys.exit(f"basis_set_exchange reads other functions from DIRAC's format for element {z}")
    return nwchem.read_text()


def main():
    legato = Legato(sys.argv[1])
    symbols = (sys.argv[2] if len(sys.argv) > 2 else "He,Be,Ne,Ar").split(",")
    elements = [gto.charge(symbol) for symbol in symbols]
    lib.param.LIGHT_SPEED = SPEED_OF_LIGHT
    scf.hf.remove_overlap_zero_eigenvalue = False
    worst = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sets = sets_of(legato, elements)
        text = check_files(legato, sets, elements, folder)
        for symbol, z in zip(symbols, elements):
            basis = basis_of(legato, sets, z)
            atoms, hartree_fock = solve(legato, z, *basis, 0)
            _, dirac_fock = solve(legato, z, *basis, 1)
            for what, ours, theirs in (
                ("contracted, non-relativistic", hartree_fock, run(scf.RHF(molecule(symbol, contracted_text(legato, atoms, z, folder))))),
                ("uncontracted, Dirac-Fock", dirac_fock, run(scf.DHF(molecule(symbol, text)))),
            ):
                print(f"{symbol:2} {what:28} Legato {ours:.12f} PySCF {theirs:.12f} difference {theirs - ours:.1e}", flush=True)
                worst = max(worst, abs(theirs - ours))
    print(f"largest difference {worst:.1e} hartree, allowed {TOLERANCE:.0e}")
    sys.exit(not worst <= TOLERANCE)


if __name__ == "__main__":
    main()
