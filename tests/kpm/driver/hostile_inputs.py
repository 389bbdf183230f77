#!/usr/bin/env python3
"""hostile_inputs.py PROGRAM [SPEAKER]: broken inputs and surroundings, as tests/hostile.py says."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from hostile import Program, moved, substitute  # noqa: E402

GOOD = """A cubic lattice with disorder
 $lattice lx = 6, ly = 5, lz = 4, bcx = 'periodic', bcy = 'open', hopping = 1.0 $end
 $site onsite = 'box', energy = 0.5, strength = 2.0 $end
 $kpm nmom = 32, nvec = 3, nreal = 2, vectors = 'sign', seed = 11 $end
 $bounds method = 'gershgorin', margin = 0.01 $end
 $dos kernel = 'lorentz', lambda = 4.0, nenergy = 64 $end
"""
CASES = r"""
lx = 6/lx = 0/lx = 0 .*1\.\./lx = -3/lx = -3/lx = 2.5/lx/lx = six/lx = six.*allowed: 1\.\./lx = 99999999999/lx
lx = 6/lx = 1 2/lx
lx = 6,/lx = ,/lx has no value/hopping = 1,/lx is missing|twice
lx = 6, /bcz = "open", /lx is missing
ly = 5/ly = 0/ly = 0
lz = 4/lz = -1/lz = -1
lx = 6, ly = 5, lz = 4/lx = 2000000000, ly = 2000000000, lz = 2000000000/lx, ly, lz
lx = 6, ly = 5, lz = 4/lx = 1300, ly = 1300, lz = 1300/lx, ly, lz.*sites
bcy = 'open'/bcy = 'opne'/bcy = .opne. .*periodic/bcy = 3/bcy/bcy = ''/bcy/bcy = 'open/bcy|lattice|end
hopping = 1.0/hopping = NaN/hopping/hopping = 1e400/hopping/hopping = -1e300/hopping
onsite = 'box'/onsite = 'bx'/onsite = .bx./onsite = 'constant'/strength
energy = 0.5/energy = Inf/energy/energy = 1e10, strength = 1e-7, foo = /foo
strength = 2.0/strength = -1/strength = -1/strength = NaN/strength/strength = 1e11/strength
nmom = 32/nmom = 1/nmom = 1 .*2\.\./nmom = 0/nmom/nmom = 100000/nmom
nvec = 3/nvec = 0/nvec = 0/nvec = 70000/nvec
nmom = 32, nvec = 3/nmom = 32/nvec is missing
nreal = 2/nreal = 0/nreal = 0/nreal = 40000/nreal
seed = 11/seed = 0/seed/seed = -7/seed/seed = 2147483647/seed
vectors = 'sign'/vectors = 'sing'/vectors = .sing./vectors = 'sites'/nvec
method = 'gershgorin'/method = 'lanczos'/method = .lanczos./method = 'given'/lowest is missing
method = 'gershgorin'/method = 'given', lowest = -8/highest is missing/lowest = -8/lowest
method = 'gershgorin'/method = 'given', lowest = 8, highest = -8/highest = -8.*allowed: above 8\.0, up to 1\.0E
method = 'gershgorin'/method = 'given', lowest = 8, highest = 8/highest
method = 'gershgorin'/method = 'given', lowest = NaN, highest = 8/lowest
method = 'gershgorin'/method = 'given', lowest = -1, highest = 1/enclose
method = 'gershgorin'/method = 'given', lowest = -0.001, highest = 0.001/enclose
method = 'gershgorin'/method = 'given', lowest = -4.5, highest = 4.5/enclose
method = 'gershgorin'/method = 'given', lowest = 100, highest = 101/enclose
margin = 0.01/margin = -0.5/margin = -0.5/margin = NaN/margin
kernel = 'lorentz'/kernel = 'lorenz'/kernel = .lorenz.
lambda = 4.0/lambda = 0/lambda/lambda = 1000/lambda/lambda = -NaN/lambda
nenergy = 64/nenergy = 31/nenergy = 31/nenergy = 0/nenergy/nenergy = 2000000/nenergy
"""

program = Program("kpmdos", GOOD, ["moments.dat", "dos.dat"])
program.good_input()
program.no_input()
program.groups("lattice site kpm bounds dos")
program.without_group("lattice kpm")
program.broken("groups in another order", moved(GOOD, "$site", "$kpm"), "site")
program.broken("a field twice", substitute(GOOD, ("lx = 6", "lx = 6, lx = 7")), "lx is given twice")
program.each(CASES)
program.unreadable("lx ly lz bcx bcy hopping onsite energy strength nmom nvec nreal vectors seed method margin "
                   "kernel lambda nenergy")
for number in ("lowest", "highest"):
    program.broken(f"{number} unreadable",
                   substitute(GOOD, ("method = 'gershgorin'", f"method = 'given', {number} = low")),
                   rf"{number} = low.*allowed: -1\.0E\+012\.\.")
program.broken("a single level", substitute(GOOD, ("lx = 6, ly = 5, lz = 4", "lx = 1"), ("'box'", "'constant'"),
                                            ("strength = 2.0", "strength = 0")),
               "interval")
program.broken("an interval below rounding",
               substitute(GOOD, ("hopping = 1.0", "hopping = 1e-9"),
                          ("energy = 0.5, strength = 2.0", "energy = 1e9, strength = 1e-9")), "interval")
program.broken("all sites of a large lattice",
               substitute(GOOD, ("lx = 6", "lx = 6000"), ("nvec = 3, ", ""), ("'sign'", "'sites'")), "sites")
program.short_of_memory("no memory for the matrix", ("lx = 6, ly = 5, lz = 4", "lx = 1000, ly = 1000, lz = 1000"))
program.short_of_memory("no memory for the moments", ("nmom = 32, nvec = 3", "nmom = 65536, nvec = 65535"),
                        (", nenergy = 64", ""))
program.no_output()
program.end(130)
