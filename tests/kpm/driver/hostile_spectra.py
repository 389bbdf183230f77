#!/usr/bin/env python3
"""hostile_spectra.py SPECTRA: broken inputs, matrix files and command lines of kpm_spectra.

Each must end in one line on standard error that names the file, the line, the field, its value and what is allowed, and no
file may be left.
"""
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check  # noqa: E402

GOOD = """[constants]
W = 1
[crystal]
vector = 1 0
vector = 1/2 sqrt(3)/2
orbital = A 0 0
orbital = B 1/3 1/3 0.5
hopping = A B 0 0 -1
hopping = A B -1 0 -1
cells = 4 4
boundary = periodic hard_wall
twist = 0 0
flux = 0
disorder = box W
vacancies = B 0.1
vacancy = A 3 3
[method]
moments = 16
vectors = 2
realisations = 2
[dos]
energies = -1:1:0.5
[electrons]
temperatures = 0 0.1
potentials = 0
[ldos]
site = A 0 0
energies = nodes
[spectral]
point = G 0 0
point = K 2/3 1/3
steps = 3
energies = -1:1:0.5 2
[conductivity]
moments = 8
current = x
field = y
temperatures = 0 0.2
potentials = 0
frequencies = 1 2
[evolution]
site = B 1 1
width = 1
wave = 0.1 0.2
times = 0:1:0.5
"""

# The line that is replaced, what replaces it, and what the message says.
CASES = """
W = 1|W = |line 2: W has no value
W = 1|W = 1 2|line 2: W has 2 words (allowed: W = an expression
W = 1|W = x|line 2: W = "x": there is no constant "x"
W = 1|pi = 3|line 2: the name of the constant "pi" is not allowed (allowed: a letter
W = 1|2W = 3|line 2: the name of the constant "2W"
W = 1|W = 1/0|there is a division by zero
W = 1|W = 1e999|it is not a finite number
W = 1|W = 10^400|it is not a finite number
W = 1|W = exp(1e4)|it is not a finite number
W = 1|W = (1|a bracket is not closed
W = 1|W = 1)|")" is not expected in an expression
W = 1|W = 1+|the expression ends too early
W = 1|W = 2x|"x" is not expected in an expression
W = 1|W = 1..2|"1..2" is not a number
W = 1|W = .|"." is not a number
W = 1|W = sqrt(-1)|the argument of sqrt is negative
W = 1|W = sqrt(i)|the argument of sqrt is not real
W = 1|W = cos|cos has no argument in brackets
W = 1|W = 0^-1|0 has a power that is not positive
W = 1|W = (-1)^0.5|a number that is not positive has a power
W = 1|W = 2^i|an exponent is not a real number in -1000..1000
W = 1|W = nan|there is no constant "nan"
W = 1|W = #|"#" is not expected in an expression
W = 1|W = i|line 14: disorder, word 2: "W" is not a real number (allowed: 0.0..1000000.0)
W = 1|W = -1|line 14: disorder, word 2: "W" is out of range (allowed: 0.0..1000000.0)
[crystal]|[crystals]|line 3: there is no section "crystals" (allowed: constants, crystal, method, dos, electrons, ldos, spectral, conductivity, evolution)
[crystal]|[crystal|line 3: the section "[crystal" does not end with ]
[crystal]|crystal|line 3: "crystal" is neither [SECTION] nor KEY = VALUE
[method]|[crystal]|line 17: [crystal] is given twice
[dos]|moments = 32|line 21: [method] moments is given twice
vector = 1 0|vector = 1 0 0 0|line 4: vector has 4 words (allowed: vector = X [Y [Z]])
vector = 1 0|vector = a 0|line 4: vector, word 1: "a": there is no constant "a"
vector = 1 0|vector = 1e7 0|line 4: vector, word 1: "1e7" is out of range (allowed: -1000000.0..1000000.0)
vector = 1 0|vector = 0 0|line 4: this vector is zero or depends on those before
vector = 1 0|vector = 1/4 sqrt(3)/4|line 5: this vector is zero or depends on those before
vector = 1 0|cells = 4 4|line 4: cells is before the first vector
vector = 1 0|orbital = A 0 0|line 4: orbital is before the first vector
vector = 1 0|boundary = periodic periodic|line 4: boundary is before the first vector
vector = 1 0|crystal = graphene|line 4: [crystal] has no field "crystal" (allowed: vector, orbital,
orbital = A 0 0|orbital = A 0|line 6: orbital has 2 words (allowed: orbital = NAME, 2 coordinates
orbital = A 0 0|orbital = A 0 0 0 0|line 6: orbital has 5 words
orbital = A 0 0|orbital = 1A 0 0|line 6: orbital, word 1: "1A" (allowed: a letter, then letters, digits and _)
orbital = A 0 0|orbital = B 0 0|line 7: the orbital B is given twice
orbital = A 0 0|orbital = A 2000 0|"2000" is out of range (allowed: -1000.0..1000.0)
orbital = A 0 0|orbital = A 0 0 2e6|"2e6" is out of range
hopping = A B 0 0 -1|hopping = A B 0 -1|line 8: hopping has 4 words (allowed: hopping = FROM TO, 2 cells between them, AMPLITUDE)
hopping = A B 0 0 -1|hopping = A C 0 0 -1|line 8: hopping, word 2: "C" is not an orbital of a line before (allowed: A, B)
hopping = A B 0 0 -1|hopping = A B 0.5 0 -1|"0.5" is not a whole number in the range (allowed: -4096..4096)
hopping = A B 0 0 -1|hopping = A B 5000 0 -1|"5000" is not a whole number in the range (allowed: -4096..4096)
hopping = A B 0 0 -1|hopping = A B 0 0 1e7|"1e7" is out of range (allowed: parts in -1000000.0..1000000.0)
hopping = A B 0 0 -1|hopping = A B 0 0 i*1e7|"i*1e7" is out of range
hopping = A B 0 0 -1|hopping = A A 0 0 -1|line 8: this hopping is from an orbital to itself
hopping = A B 0 0 -1|hopping = A B -1 0 -1|line 9: hopping number 1 is between the same orbitals
hopping = A B 0 0 -1|hopping = B A 1 0 -1|line 9: hopping number 1 is between the same orbitals
cells = 4 4|cells = 4|line 10: cells has 1 word (allowed: cells = 2 numbers of cells)
cells = 4 4|cells = 4 0|line 10: cells, word 2: "0" is not a whole number in the range (allowed: 1..1099511627776)
cells = 4 4|cells = 4 4.5|"4.5" is not a whole number
cells = 4 4|cells = 1000000 1000000|[crystal] kpm.
cells = 4 4|boundary = periodic periodic|line 11: [crystal] boundary is given twice
boundary = periodic hard_wall|boundary = periodic open|"open" (allowed: hard_wall, periodic)
boundary = periodic hard_wall|boundary = periodic|boundary has 1 word
twist = 0 0|twist = 0 0 0|twist has 3 words (allowed: twist = 2 phases in radians)
twist = 0 0|twist = 0 0.5|kpm.cell_lattice.twist[1]: 0.5 is not 0, but boundary[1] is a hard wall
twist = 0 0|twist = 0 1e4|"1e4" is out of range (allowed: -1000.0..1000.0)
flux = 0|flux = 0 0 0|flux has 3 words (allowed: flux = flux quanta through a cell)
flux = 0|flux = 1e4|"1e4" is out of range
disorder = box W|disorder = box|disorder has 1 word (allowed: disorder = box WIDTH, normal DEVIATION, or binary
disorder = box W|disorder = boxes 1|"boxes" (allowed: box, normal, binary)
disorder = box W|disorder = box 1 1|disorder has 3 words (allowed: disorder = box WIDTH)
disorder = box W|disorder = binary 1|disorder has 2 words (allowed: disorder = binary DIFFERENCE CONCENTRATION)
disorder = box W|disorder = binary 1 1.5|"1.5" is out of range (allowed: 0.0..1.0)
vacancies = B 0.1|vacancies = B 1|"1" is out of range (allowed: 0.0..0.999999)
vacancies = B 0.1|vacancies = C 0.1|line 15: vacancies, word 1: "C" is not an orbital
vacancies = B 0.1|vacancies = A B 0.1|vacancies has 3 words (allowed: vacancies = [ORBITAL] CONCENTRATION)
vacancy = A 3 3|vacancy = A 3|line 16: vacancy has 2 words
vacancy = A 3 3|vacancy = A 3 4|"4" is not a whole number in the range (allowed: 0..3)
vacancies = B 0.1|vacancy = A 3 3|line 16: this vacancy is given twice
vacancy = A 3 3|vacancy = A 0 0|[ldos] site = A 0 0 is a vacancy
disorder = box W|matrix = m.mtx|line 14: [crystal] has lattice vectors and also a matrix
moments = 16|moments = 1|line 18: moments = "1" is not a whole number in the range (allowed: 2..1048576)
moments = 16|moments = 16.5|moments = "16.5" is not a whole number
moments = 16|moments = 16 17|moments has 2 words
moments = 16|moment = 16|[method] has no field "moment" (allowed: moments, vectors,
vectors = 2|vectors = 0|vectors = "0" is not a whole number in the range (allowed: 1..1048576)
realisations = 2|realisations = -1|realisations = "-1" is not a whole number
vectors = 2|seed = -1|seed = "-1" is not a whole number in the range (allowed: 0..
vectors = 2|start_vectors = normal|"normal" (allowed: sign, gaussian, uniform, phase)
vectors = 2|start_vectors = phase|kpm.params.start_vectors
vectors = 2|precision = half|"half" (allowed: double, single)
vectors = 2|margin = 11|margin = "11" is out of range (allowed: 0.0..10.0)
vectors = 2|block_width = 65|block_width = "65" is not a whole number in the range (allowed: 0..64)
vectors = 2|bounds = tight|"tight" (allowed: gershgorin, lanczos, interval)
vectors = 2|bounds = gershgorin 3|bounds has 2 words
vectors = 2|bounds = lanczos 1|"1" is not a whole number in the range (allowed: 2..1000)
vectors = 2|bounds = interval 1|bounds has 2 words
vectors = 2|bounds = interval 1 1|bounds: the highest energy 1.0 is not above the lowest one, 1.0
vectors = 2|bounds = interval -0.1 0.1|late: kpm.
vectors = 2|kernel = gauss|"gauss" (allowed: jackson, lorentz, fejer, dirichlet)
vectors = 2|kernel = jackson 4|kernel has 2 words
vectors = 2|kernel = lorentz 0|"0" is out of range
energies = -1:1:0.5|energies = -1:1|"-1:1" is neither a number nor FIRST:LAST:STEP
energies = -1:1:0.5|energies = -1:1:0|"-1:1:0": the step is not positive
energies = -1:1:0.5|energies = 1:-1:1|"1:-1:1": the last value is less than the first
energies = -1:1:0.5|energies = -1:1:1e-9|"-1:1:1e-9": 2.0E+009 values more are too many (allowed: 1..10000000 values of energies)
energies = -1:1:0.5|energies = -1::1|the expression ends too early
energies = -1:1:0.5|energies = nodes 1|"1" is not a whole number in the range (allowed: 2..67108864)
energies = -1:1:0.5|energies = nodes 8|[dos] energies = nodes 8 (allowed: at least as many nodes as there are moments, 16)
energies = -1:1:0.5|energies = nodes 32 2|energies has 3 words (allowed: energies = nodes [COUNT])
energies = -1:1:0.5|integrated = maybe|"maybe" (allowed: no, yes)
energies = -1:1:0.5|energy = 1|[dos] has no field "energy" (allowed: energies, integrated)
temperatures = 0 0.1|temperatures = -1|temperatures = "-1" is out of range
potentials = 0|numbers = 1.5|numbers = "1.5" is out of range (allowed: 0.0..1.0)
potentials = 0|numbers = 0.5 ! and no potentials, but a second field:|OK
potentials = 0|potential = 0|[electrons] has no field "potential" (allowed: temperatures, potentials, numbers)
temperatures = 0 0.1|numbers = 0.5|[electrons] has both or none of potentials and numbers (allowed: one of them)
site = A 0 0|site = C 0 0|site, word 1: "C" is not an orbital of a line before (allowed: A, B)
site = A 0 0|site = A 0|site has 2 words (allowed: site = ORBITAL and 2 numbers of a cell, from 0)
site = A 0 0|site = A 0 4|site, word 3: "4" is not a whole number in the range (allowed: 0..3)
site = A 0 0|site = A -1 0|"-1" is not a whole number in the range (allowed: 0..3)
site = A 0 0|sites = A 0 0|[ldos] has no field "sites" (allowed: energies, site)
energies = nodes|site = A 0 0|line 28: this site is given twice
energies = nodes|energies = x|there is no constant "x"
point = G 0 0|point = G 0|line 30: point has 2 words (allowed: point = NAME, 2 components
point = G 0 0|point = 1 0 0|point, word 1: "1" (allowed: a letter
point = G 0 0|point = G 0 2000|"2000" is out of range (allowed: -1000.0..1000.0)
point = G 0 0|points = G 0 0|[spectral] has no field "points" (allowed: point, steps, energies)
steps = 3|steps = 0|steps = "0" is not a whole number in the range (allowed: 1..10000)
energies = -1:1:0.5 2|energies = 1:0:1|the last value is less than the first
moments = 8|moments = 1|line 35: moments = "1" is not a whole number in the range (allowed: 2..65536)
current = x|current = w|current = "w" (allowed: x, y, z)
current = x|current = z|[conductivity] current = z: the vectors have no component in this direction
field = y|field = x y|field has 2 words (allowed: field = x, y or z)
field = y|field = z|[conductivity] field = z: the vectors have no component in this direction
field = y|fields = y|[conductivity] has no field "fields" (allowed: current, field, moments, temperatures, potentials, frequencies)
temperatures = 0 0.2|temperatures = -1|temperatures = "-1" is out of range
frequencies = 1 2|frequencies = 0|frequencies = "0" is out of range
frequencies = 1 2|frequencies = 1 -2|"-2" is out of range
site = B 1 1|site = B 4 1|site, word 2: "4" is not a whole number in the range (allowed: 0..3)
site = B 1 1|width = 2|line 43: [evolution] width is given twice
width = 1|site = A 0 0|line 43: [evolution] site is given twice
width = 1|width = -1|width = "-1" is out of range (allowed: 0.0..1000000.0)
width = 1|width = 0|[evolution] has a wave vector, but the width is 0
wave = 0.1 0.2|wave = 0.1|wave has 1 word (allowed: wave = a wave vector
wave = 0.1 0.2|waves = 1 1|[evolution] has no field "waves" (allowed: site, width, wave, times)
times = 0:1:0.5|times = -1|times = "-1" is out of range
times = 0:1:0.5|times = 1 0|line 45: times: 0.0 follows 1.0 (allowed: times that ascend)
times = 0:1:0.5|times = 1e8|late: kpm.function
"""

MATRIX = """%%MatrixMarket matrix coordinate real symmetric
% comment
2 2 2
1 1 0.5
2 1 -1
"""
MATRIX_CASES = """
%%MatrixMarket|%MatrixMarket|line 1: "%matrixmarket" (allowed: %%MatrixMarket)
coordinate|array|line 1: the format "array" (allowed: coordinate)
matrix coordinate|vector coordinate|line 1: "vector" (allowed: matrix)
real symmetric|real|line 1: this is not the first line of a Matrix Market file
real symmetric|real skew-symmetric|line 1: the symmetry "skew-symmetric" (allowed: general, symmetric, hermitian)
real symmetric|complex symmetric|line 1: a complex symmetric matrix is not Hermitian
real symmetric|double symmetric|line 1: elements of the kind "double" (allowed: real, integer, complex, pattern)
real symmetric|complex hermitian|line 4: there are 3 words (allowed: 4: row, column and the parts of the value)
real symmetric|real general|kpm.matrix: the element in row 2 and column 1
2 2 2|2 2|line 3: "2 2" is not the size of a matrix
2 2 2|2 3 2|line 3: 2 rows and 3 columns (allowed: a square matrix with 1..2147483647 rows)
2 2 2|0 0 0|line 3: 0 rows and 0 columns
2 2 2|2 2 3|line 6: the file ends after 2 of 3 elements
2 2 2|2 2 1|line 5: there are more than 1 elements
2 2 2|2 2 99999999999999999|line 3: 99999999999999999 elements are more than the file can have
1 1 0.5|1 3 0.5|line 4: column "3" (allowed: 1..2)
1 1 0.5|0 1 0.5|line 4: row "0" (allowed: 1..2)
1 1 0.5|1 1 half|line 4: "half" is not a number
1 1 0.5|1 1 nan|line 4: "nan" is not a number
1 1 0.5|1 1 1e200|kpm.matrix.values
1 1 0.5|1 1|line 4: there are 2 words (allowed: 3
"""


def refused(label, message, *arguments):
    driver.label = label
    driver.cases += 1
    ended = driver.run(spectra, *arguments, timeout=60)
    check(driver.is_refusal(ended), f"status {ended.returncode}: {ended.stderr[:200]}")
    check(ended.stderr.startswith("kpm_spectra: ") and message in ended.stderr and ended.stderr.count("\n") == 1,
          f'not one line with "{message}": {ended.stderr[:300]}')
    check(not ended.stdout, f"output {ended.stdout[:100]}")
    check(not list(Path().glob("*.part")) and not list(Path().glob("input-*")), "a file is left")


def changed(text, old, new):
    lines = text.splitlines()
    check(old in lines, f"no line {old}")
    lines[lines.index(old)] = new
    return "\n".join(lines) + "\n"


def test_inputs():
    Path("good.inp").write_text(GOOD)
    driver.label = "the good input"
    driver.expect(0, spectra, "good.inp")
    for name in ("m.mtx", "input.mtx"):
        Path(name).write_text(MATRIX)
    for case in CASES.strip().splitlines():
        old, new, message = case.split("|")
        Path("input.inp").write_text(changed(GOOD, old, new))
        if message == "OK":
            driver.label = new
            driver.expect(0, spectra, "--output", "other", "input.inp")
        elif message.startswith("late: "):     # an error of the library: tables of the tasks before are complete
            driver.label = new
            ended = driver.run(spectra, "input.inp", timeout=60)
            check(ended.returncode == 1 and message[6:] in ended.stderr and ended.stderr.count("\n") == 1, ended.stderr)
            for path in Path().glob("input-*"):
                path.unlink()
        else:
            refused(new, message, "input.inp")
            if "line " in message:
                refused(new, "input.inp, line ", "input.inp")
    head, rest = GOOD.split("[crystal]")
    Path("input.inp").write_text(head + rest[rest.index("[method]"):].replace("box W", "box 1"))
    refused("without [crystal]", "line 8: the section [crystal] is not before [dos]", "input.inp")
    Path("input.inp").write_text(GOOD.split("[dos]")[0])
    refused("no task", "there is no task (allowed: at least one of the sections dos, ", "input.inp")
    Path("input.inp").write_text("[method]\nmoments = 8\n[dos]\n")
    refused("no crystal", "the section [crystal] is missing", "input.inp")
    for lines, message in (("", "the section [crystal] is not before [dos]"), ("disorder = box 1", "[crystal] has neither vector nor matrix"),
                           ("vector = 1", "[crystal] has no orbital"), ("vector = 1\norbital = A 0", "[crystal] has no cells"),
                           ("vector = 1\norbital = A 0\ncells = 2\nflux = 1", "a chain has no flux"),
                           ("matrix = m.mtx\ndisorder = binary 1 0.5", "[crystal] disorder = binary with a matrix"),
                           ("matrix = m.mtx\n[conductivity]\npotentials = 0", "[conductivity] needs a crystal"),
                           ("matrix = m.mtx\n[spectral]\npoint = G 0", "[spectral] needs a crystal"),
                           ("vector = 1\norbital = A 0\ncells = 2\n[conductivity]\nmoments = 8", "[conductivity] has no potentials"),
                           ("vector = 1\norbital = A 0\ncells = 2\n[spectral]\nsteps = 8", "[spectral] has no point"),
                           ("vector = 1\norbital = A 0\ncells = 2\n[spectral]\nsteps = 10000\n" + 11 * "point = G 0\n",
                            "[spectral] has more than 100000 wave vectors"),
                           ("matrix = m.mtx\ncells = 2", "[crystal] has a matrix and also cells"),
                           ("matrix = none.mtx", "none.mtx: cannot be opened"), ("matrix = .", ".: cannot be opened: is a directory"),
                           ("vector = 1\nvector = 0 1\norbital = A 0 0\nhopping = A A 1 0 1\nhopping = A A 0 1 1\ncells = 3 3\nflux = 1/2",
                            "[crystal] kpm.")):
        Path("input.inp").write_text(f"[crystal]\n{lines}\n[dos]\nenergies = 0\n")
        refused(lines, message, "input.inp")
    driver.label = "a single wave vector"
    Path("input.inp").write_text("[crystal]\nvector = 1\norbital = A 0\ncells = 2\n[spectral]\npoint = G 0\n")
    driver.expect(0, spectra, "--output", "other", "input.inp")
    many = "".join(f"orbital = A{k} 0\n" for k in range(17))
    Path("input.inp").write_text(f"[crystal]\nvector = 1\n{many}cells = 2\n[dos]\n")
    refused("17 orbitals", "line 19: there are more than 16 orbitals", "input.inp")
    Path("input.inp").write_text("[crystal]\n" + 4 * "vector = 1 2 3\n")
    refused("dependent vectors", "line 3: this vector is zero or depends", "input.inp")
    Path("input.inp").write_text("[constants]\na = " + 200 * "(" + "1" + 200 * ")" + "\n")
    refused("deep brackets", "too many levels of brackets", "input.inp")
    Path("input.inp").write_text("L = 1\n")
    refused("no section", 'line 1: "L = 1" is before the first section', "input.inp")
    Path("input.inp").write_text("[dos]\n= 1\n")
    refused("no key", 'line 2: "= 1" is neither', "input.inp")
    Path("input.inp").write_text(GOOD.replace("cells = 4 4\n", ""))
    refused("no cells", "line 15: vacancy is given, but [crystal] has no cells", "input.inp")


def test_matrices():
    text = "[crystal]\nmatrix = input.mtx\n[dos]\nenergies = 0\n[ldos]\nsite = {site}\n"
    Path("good.inp").write_text(text.format(site=2))
    Path("input.inp").write_text(text.format(site=2))
    Path("input.mtx").write_text(MATRIX)
    driver.label = "the good matrix"
    driver.expect(0, spectra, "good.inp")
    for case in MATRIX_CASES.strip().splitlines():
        old, new, message = case.split("|")
        check(old in MATRIX, old)
        Path("input.mtx").write_text(MATRIX.replace(old, new, 1))
        refused(new, message, "input.inp")
        refused(new, "input.mtx", "input.inp")
    for name, content in (("empty", b""), ("binary", os.urandom(5000)), ("zeros", bytes(5000)), ("long", b"%%MatrixMarket" + b" " * 2000)):
        Path("input.mtx").write_bytes(content)
        refused(name, "input.mtx", "input.inp")
    Path("input.mtx").write_text(MATRIX)
    Path("input.inp").write_text(text.format(site=0))
    refused("site 0", 'site = "0" is not a whole number in the range (allowed: 1..2147483647)', "input.inp")


def test_files():
    Path("folder.inp").mkdir()
    for name, content in (("input.dat", GOOD.encode()), ("empty.inp", b""), ("binary.inp", os.urandom(4000)), ("zeros.inp", bytes(4000)),
                          ("long.inp", GOOD.encode() + b"0" * 5000)):
        Path(name).write_bytes(content)
    for name, message in (("input.dat", "its name must end in .inp"), ("empty.inp", "the section [crystal] is missing"),
                          ("binary.inp", "binary.inp"), ("zeros.inp", "zeros.inp"), ("long.inp", "too long"), ("none.inp", "none.inp: cannot be opened"),
                          ("folder.inp", "is a directory")):
        refused(name, message, name)
    Path("input.inp").write_text(GOOD)
    Path("taken-dos.dat").mkdir()
    refused("a directory in the way", "taken-dos.dat: it is a directory", "input.inp", "--output", "taken")
    refused("no folder", "missing/x-dos.dat.part", "input.inp", "--output", "missing/x")
    driver.label = "a full disk"
    ended = driver.run(spectra, "input.inp", file_size=1)
    check(ended.returncode == 1 and ended.stderr == "kpm_spectra: input-dos.dat.part: File too large\n", ended.stderr)
    check(not list(Path().glob("input-*")), "a file is left")
    with open("/dev/full", "w") as full:
        ended = driver.run(spectra, "input.inp", "--output", "full", stdout=full)
    check(ended.returncode == 1 and ended.stderr == "kpm_spectra: standard output: No space left on device\n", ended.stderr)
    Path("bad-dos.h5").write_text("x")
    refused("a state that is none", "state file bad-dos.h5", "input.inp", "--state", "bad")


def test_command_lines():
    Path("input.inp").write_text(GOOD)
    for message, *arguments in (
            ("the input file NAME.inp is missing",), ("there are two input files", "input.inp", "input.inp"),
            ('there is no option "--outputs"', "--outputs", "x"), ("--minutes needs --state", "input.inp", "--minutes", "1"),
            ('--minutes "x" (allowed: 0.0..1.0E+007)', "input.inp", "--minutes", "x", "--state", "s"),
            ('--backend "gpu" (allowed: auto, cpu, cuda)', "input.inp", "--backend", "gpu"),
            ('--set "W": it is not NAME=VALUE', "input.inp", "--set", "W"), ('--set "W=": the expression ends too early', "input.inp", "--set", "W="),
            ('--set "=1": it is not NAME=VALUE', "input.inp", "--set", "=1"), ("--set \"1=1\": it does not begin", "input.inp", "--set", "1=1"),
            ('--set V: the section [constants] has no such name', "input.inp", "--set", "V=1"), ("--set needs a value", "input.inp", "--set"),
            ('--output "a"b" has a character', "input.inp", "--output", 'a"b')):
        refused(" ".join(arguments), message, *arguments)


spectra, = driver.start(1, "SPECTRA")
for test in (test_inputs, test_matrices, test_files, test_command_lines):
    test()
driver.end("kpm_spectra refusals", least=150)
