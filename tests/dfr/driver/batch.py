#!/usr/bin/env python3
"""batch.py BATCH SERIAL: dfratom_batch against dfratom_serial on the atoms of energies.dat, and in libraries of basis sets.

Also tests atoms that fail beside others that do not, and wrong arguments.
"""
import math
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, expect, has, number  # noqa: E402
from energies import INPUTS, KNOWN, close, energy  # noqa: E402

HE, NE = -2.861813332, -128.691968097
# Neon with c = 137.03599976; tests/dfr/breit_test.cpp compares the interactions with another program.
BY_GAUNT, BY_BREIT = -128.674429255, -128.675327015
HENNESSEY, NOT_IN_HENNESSEY = ("--basis", "hennessey"), (58, 64, 65, 67, 70)
DEPENDENT = """T
 $contrl jobtype = "energy" /
 $nuc znuc = 4 /
 $bas nsym = 1, bastype = "rdin" /
2
0.5
0.5
 $econfig nclose = 2 /
 $scf /
"""
batch = ""


def row(output, name):
    """Energy, virial ratio, iterations and status from the table."""
    table = re.split(r"^ Atom .* Status$", output, flags=re.M)[-1]
    found = re.search(rf"^ {re.escape(str(name))} +(.*)$", table, re.M)
    return found[1].split(None, 3) if found else 4 * [""]


def check_row(output, name, expected):
    found, _, _, status = row(output, name)
    check(close(number(found), expected), f"{name}: energy {found}, expected {expected}")
    check(status == "converged", f"{name}: {status}")


def computes(arguments, **expected):
    """All atoms converge. Returns the output."""
    output, _ = expect(0, batch, *arguments)
    for name, value in expected.items():
        check_row(output, name, value)
    return output


def fails(pattern, *arguments):
    """A message matches. Returns the output."""
    output, messages = expect(1, batch, *arguments)
    has(pattern, messages)
    return output


def fails_with(*arguments):
    """Returns the messages."""
    return expect(1, batch, *arguments)[1]


def refused(pattern, *arguments):
    """One line gives the reason, and nothing is computed."""
    driver.label = f"refused: {arguments}"
    output, messages = expect(1, batch, *arguments)
    check(messages.count("\n") == 1, f"not one line: {messages[:300]}")
    has(pattern, messages)
    check(output == "", f"output: {output[:300]}")


def options(output, end):
    return output[:re.search(end, output, re.M).start()]


def results(output):
    """The words from the results on, without times."""
    return [line.split() for line in output[output.index("\n Total energy "):].splitlines() if not line.endswith(" s")]


def same_words(a, b):
    """Numbers agree to one unit of the sixth decimal, large ones to one of the fifth."""
    if not re.fullmatch(r"-?\d+\.\d+", a):
        return a == b
    return abs(number(a) - number(b)) < (1.01e-5 if abs(number(a)) > 1e4 else 1.01e-6)


def check_known(serial):
    driver.label = "the atoms of energies.dat"
    Path("results").mkdir()
    output = computes(("--output", "results", *(INPUTS / f"{name}.inp" for name in KNOWN)))
    check(len(KNOWN) == 9, f"{len(KNOWN)} atoms")
    has("^ 9 atoms, 9 converged,", output)
    for name, expected in KNOWN.items():
        check_row(output, INPUTS / name, expected)
        run = driver.run(serial, INPUTS / f"{name}.inp")
        check(run.returncode == 0, f"{name}: exit status {run.returncode} of the serial program")
        by_serial, by_batch = run.stdout, Path(f"results/{name}.out").read_text()
        check_row(output, INPUTS / name, energy(by_serial))
        check(options(by_serial, "^ Iteration ") == options(by_batch, "^ Converged "), f"{name}: other options")
        mine, others = ([word for line in results(text) for word in line] for text in (by_batch, by_serial))
        check(len(mine) == len(others) and all(map(same_words, mine, others)), f"{name}: other results")
    output = computes(("-v", INPUTS / "he.inp", INPUTS / "ne.inp"))
    check(len(re.findall("^ Total energy ", output, re.M)) == 2, "not two results")
    check_row(output, INPUTS / "ne", NE)


def elements(output):
    """The rows of the table, until an empty line."""
    return [line.split() for line in re.search(r"^ Atom .*\n((?:.+\n)*)", output, re.M)[1].splitlines()]


def steady(text):
    return re.sub(".* s\n", "", text)


def check_hennessey():
    driver.label = "the library hennessey"
    output = computes(("--elements", *HENNESSEY))
    has("^ 80 atoms, 80 converged,", output)
    has(r"^ Virial ratio: off from 1 by at most [0-9.]+E-0[5-9] \(Rn\)", output)
    has("Not in the basis library hennessey: H Ce Gd Tb Ho Yb Fr .* Og$", output)
    charges = [z for z in range(2, 87) if z not in NOT_IN_HENNESSEY]
    last = 0
    for z, (name, value, virial, _, status) in zip(charges, elements(output), strict=True):
        check(status == "converged" and abs(number(virial) - 1) < 2e-5 * (z / 86)**4 + 2e-7 and number(value) < last,
              f"{name}: {value} {virial} {status}")
        last = number(value)
    output = computes((*HENNESSEY, "--elements", "rn,He-ne,18"), Rn=-23610.758853903, He=HE, Ar=-528.684433595)
    check([words[0] for words in elements(output)] == "Rn He Li Be B C N O F Ne Ar".split(), "another order")
    computes(("--c", "137.0359895", "--nucmdl", "3", "--elements", "Xe", *HENNESSEY), Xe=-7446.892608307)
    computes(("--c", "137.0359895", "--nucmdl", "4", "--elements", "Xe", *HENNESSEY), Xe=-7446.891575045)
    output = computes(("--nonrelativistic", "--elements", "Cr,79", *HENNESSEY), Cr=-1043.141750435, Au=-17865.399993887)
    has("^ Virial ratio: off from 2 by at most", output)
    output = computes(("--nonrelativistic", "-v", "ne.inp"), ne=-128.547097540)
    has(r"<p\^2/2>", output)
    computes(("--interaction", "coulomb", "--elements", "Ne", *HENNESSEY), Ne=-128.691968076)
    computes(("--interaction", "gaunt", "--c", "137.03599976", "ne.inp"), ne=BY_GAUNT)
    output = computes(("-v", "--interaction", "breit", "--elements", "Ne", *HENNESSEY), Ne=BY_BREIT)
    has("interaction: breit", output)
    computes(("--c", "137.03599976", "ne.inp"), ne=-128.691968076)
    has(r"^   2p1/2 +0\.666667 .* open$", computes(("-v", "--elements", "6", *HENNESSEY)))


def check_default():
    """The energy is within the error of the library; the limit is a calculation without a basis."""
    driver.label = "the default library"
    output = computes(("--c", "137.0359895", "--elements", "H,Hg,Ce,Og"))
    limit = -19648.896156
    check(0 < (number(row(output, "Hg")[0]) - limit) / -limit < 5e-9, f"mercury: {row(output, 'Hg')}")
    check(len(re.findall("^ (?:H|Ce|Og) .* converged$", output, re.M)) == 3, "an element is missing")
    of_size = {size: number(row(computes(("--elements", "Ne", "--nucmdl", "3", "--basis", f"legato-{size}")), "Ne")[0])
               for size in ("1e-5", "1e-6", "1e-7", "5e-9")}
    check(of_size["1e-5"] > of_size["1e-6"] > of_size["1e-7"] > of_size["5e-9"], f"energies of the sizes: {of_size}")
    plain = computes(("-v", "--elements", "Ne", "--nucmdl", "3"), Ne=of_size["5e-9"])
    has("^ Ne, element 10, basis legato-5e-9; nucleus: Gaussian; c = 137.03599976", plain)
    has("nucleus: point;", computes(("-v", "--elements", "Ne", *HENNESSEY), Ne=-128.691968076))


def check_basis_sets():
    driver.label = "--basis"
    library = Path(__file__).resolve().parents[3] / "data/basis"
    known, wanted = computes((*HENNESSEY, "--elements", "Rn,He-Ne")), ("--elements", "Rn,He-Ne", "--basis")
    check(steady(computes((*wanted, library / "hennessey.json"))) == steady(known), "other energies in the file")
    os.environ["LEGATO_BASIS_PATH"] = "libraries"
    Path("libraries").mkdir()
    Path("libraries/own.json").write_bytes((library / "hennessey.json").read_bytes())
    check(steady(computes((*wanted, "own"))) == steady(known), "other energies of a library of the user")
    output = computes(("-v", "--elements", "Ne", *HENNESSEY), Ne=-128.691968076)
    has("^ Ne, element 10, basis hennessey; nucleus: point", output)
    exponents = re.findall(r"(?<=^ Exponents\n)(?:   .*\n)+", output, re.M)
    check(len(exponents) == 1 and "9.943000000000000E-02" in exponents[0], "other exponents")
    driver.label = "--basis with sets of some elements"
    Path("two.nw").write_text("BASIS SPHERICAL\nHe S\n 0.3 1.0\nHe S\n 1.5 1.0\nHe S\n 9 1.0\nNe S\n 1 1\nEND\n")
    output = computes(("--elements", "H-Li", "--basis", "two.nw"))
    has("^ 1 atoms, 1 converged", output)
    has("Not in the basis library two.nw: H Li$", output)
    fails("Ne: .*2 is not in 0..1, because the basis set has 1 function of this species", "--elements", "He,Ne", "--basis", "two.nw")
    Path("boron.nw").write_text("BASIS SPHERICAL\nB S\n 0.3 1.0\nB S\n 3 1.0\nEND\n")
    fails(r"B: .*electrons\[p1/2\]: 0.33.* is not 0, but the basis set has no functions of this species", "--elements", "B",
          "--basis", "boron.nw")
    fails("Xe: .*there is no set for 54, Xe; there are sets for: He, Ne", "--elements", "He,Xe", "--basis", "two.nw")
    Path("psi4.gbs").write_text("spherical\n****\nHe 0\nS 1 1.0\n 0.3 1.0\nS 1 1.0\n 1.5 1.0\n****\n")
    has("^ 1 atoms, 1 converged", computes(("--elements", "He", "--basis", "psi4.gbs")))
    Path("bad.gbs").write_text("He 0\nS x 1.0\n")
    refused(r'bad\.gbs, line 2: "x" is not the number of exponents', "--elements", "He", "--basis", "bad.gbs")
    refused('there is no library "unknown" in the folders libraries, .*share/legato/basis, where there are: hennessey, .*own; '
            "the environment variable LEGATO_BASIS_PATH adds folders", "--elements", "He", "--basis", "unknown")
    refused("none of these", "--elements", "Li-B", "--basis", "two.nw")
    refused("--basis needs --elements", "ne.inp", "--basis", "hennessey")
    refused("--basis needs a value", "--elements", "He", "--basis")
    del os.environ["LEGATO_BASIS_PATH"]


def check_shells():
    """The energy of a hole is that of another program (dfr_open_shells_test). Terms of carbon are apart as in LS coupling."""
    driver.label = "shells"
    computes((*HENNESSEY, "--elements", "Ne", "--shells", "2s2,2p-2 2p+4,1s1", "--nonrelativistic"), Ne=-96.625720091)
    output, messages = expect(1, batch, *HENNESSEY, "--elements", "Ne", "--shells", "1s1 2s2 2p6")
    check(row(output, "Ne")[3] == "not compared", output)
    has("Ne: the energy -96.727662430 is not a minimum, .*--balance extended prevents this", messages)
    computes((*HENNESSEY, "--elements", "Ne", "--shells", "1s1 2s2 2p6", "--balance", "extended", "--nucmdl", "3", "--vectors", "hole.h5"), Ne=-96.727639659)
    output, messages = expect(1, batch, *HENNESSEY, "--elements", "Ne", "--shells", "1s1 2s2 2p6 3d1")
    has("Ne: .*open: d3/2 has 1 shell, but the basis set has no functions of this species", messages)
    has("Ne: dfr.shells.2..electrons: 7 is not in 0..6", fails_with(*HENNESSEY, "--elements", "Ne", "--shells", "1s1 2s2 2p7"))
    output = computes(("--nonrelativistic", *HENNESSEY, "--elements", "C,Ne", "--levels"))
    levels = [line.split() for line in output[output.index(" Levels"):].splitlines()[2:]]
    check(len(levels) == 6 and all(level[0] == "C" and level[2] == "even" for level in levels[:5]), output)
    check(sorted(level[1] for level in levels[:3]) + [level[1] for level in levels[3:5]] == list("01220"), output)
    energies = [number(level[3]) for level in levels]
    check(abs((energies[4] - energies[3]) / (energies[3] - energies[0]) - 1.5) < 1e-5, f"terms: {energies}")
    check(levels[5][0] == "Ne" and levels[5][1] == "0" and energies[5] == 0, output)
    output, messages = expect(1, batch, "--elements", "Gd,He", "--nucmdl", "3", "--levels")
    has("Gd: dfr.levels: the open shells have 3106 determinants with the smallest .M.; allowed are 2000", messages)
    has("^ 2 atoms, 2 converged", output)
    has("^ He +0 +even ", output)


def write_broken():
    """One input of each kind that fails."""
    carbon, neon = (Path(INPUTS / f"{name}.inp").read_text() for name in ("c", "ne"))
    for name, text in (("slow", carbon.replace("maxitr = 50", "maxitr = 3")),
                       ("broken", carbon.replace("znuc = 6.0", "znuc = six")), ("dependent", DEPENDENT),
                       ("short", 'T\n $contrl jobtype = "energy" /\n $nuc znuc = 6'),
                       ("he", (INPUTS / "he.inp").read_text()), ("ne", neon), ("-ne", neon),
                       ("light", re.sub("maxitr = [0-9]*", "maxitr = 77",
                                        re.sub(r"znuc *= *10\.0", "znuc = 0.5, nucmdl = 3, alpha = 1.0e9", neon)))):
        Path(f"{name}.inp").write_text(text)


def check_bad_among_good():
    """All atoms that can be computed are computed."""
    driver.label = "bad ones among good ones"
    output, messages = expect(1, batch, *(f"{name}.inp" for name in "he slow broken none short dependent ne".split()))
    check_row(output, "he", HE)
    check_row(output, "ne", NE)
    check(row(output, "slow")[3] == "not converged", f"slow: {row(output, 'slow')}")
    for name, status in ("broken", "refused"), ("none", "refused"), ("short", "refused"), ("dependent", "failed"):
        check(row(output, name) == ["-", "-", "-", status], f"{name}: {row(output, name)}")
    for pattern in (r"slow: .*not converged after 3 iterations; last energy -37\.6", r"broken\.inp, line 3:.*znuc",
                    r"none\.inp", r"short\.inp", "dependent: .*failed"):
        has(pattern, messages)
    check(len(re.findall("^dfratom_batch: ", messages, re.M)) == 5, f"not five complaints: {messages}")
    has("^ 7 atoms, 2 converged,", output)
    check("nan" not in output.lower(), "NaN in the output")
    check_row(fails("Ce: .*there is no set for 58, Ce", "--elements", "Ne,Ce", *HENNESSEY), "Ne", -128.691968076)
    check(row(fails("Xe: ", "--c", "50", "--elements", "Ne,Xe", "--nucmdl", "1"), "Ne")[3] == "converged", "Ne has not converged")
    driver.label = "a list of which none is left"
    output, messages = expect(1, batch, "ne.inp", "light.inp")
    check_row(output, "ne", NE)
    has(r"light\.inp.*znuc = 0\.5", messages)
    check(messages.count("\n") == 1, f"not one line: {messages[:300]}")


def check_refusals():
    for pattern, *arguments in (
            ["either"], ("either", "--elements", "Ne", "ne.inp"), ("either", "-v"),
            ('there is no option "--element"', "--element"), ('there is no option "-x"', "-x", "ne.inp"),
            ("--c needs a value", "ne.inp", "--c"), ("--interaction needs a value", "ne.inp", "--interaction"),
            ("--interaction gaunt excludes --nonrelativistic", "--interaction", "gaunt", "--nonrelativistic", "ne.inp"),
            ('--interaction "Breit" .allowed: coulomb, gaunt, breit', "--interaction", "Breit", "ne.inp"), ("--nucmdl needs --elements", "--nucmdl", "2", "ne.inp"),
            ("--shells needs --elements", "--shells", "1s1", "ne.inp"), ("--shells excludes --verbose", "--shells", "1s1", "-v", "--elements", "He"),
            ("--shells excludes", "--shells", "1s1", "-o", "results", "--elements", "He"), ('--shells " " has no shells', "--shells", " ", "--elements", "He"),
            *((f'--shells "{item}" .allowed: shells such as', "--shells", item, "--elements", "He")
              for item in ("1s", "s1", "1q1", "0s1", "1s-1", "1s1.5", "1s2s", "2px1")),
            ('--balance "none" .allowed: restricted, extended', "--balance", "none", "--elements", "He"),
            ("--balance extended excludes --nonrelativistic", "--balance", "extended", "--nonrelativistic", "--elements", "He"),
            ("--balance extended excludes --verbose", "--balance", "extended", "-v", "--elements", "He"),
            *(("--shells and --levels exclude --optimise and --reduce", *option, job, "--elements", "He")
              for option in (("--shells", "1s1"), ("--levels",)) for job in ("--optimise", "--reduce")),
            ("--levels excludes --interaction breit", "--levels", "--interaction", "breit", "--elements", "He"),
            ("none of these", "--elements", "87-118", *HENNESSEY), ("needs a value", "--elements", "Ne", "--output"),
            ("two atoms would write", "-o", ".", "ne.inp", INPUTS / "ne.inp"),
            ("the option --verbose is given twice", "-v", "--verbose", "ne.inp"), ("--nucmdl is given twice", "--nucmdl", "1", "--nucmdl", "2"),
            (r"nowhere/ne\.out\.part: No such file", "-o", "nowhere", "ne.inp")):
        refused(pattern, *arguments)
    has(" 1 atoms, 1 converged", computes(("--elements", "Ne,10", *HENNESSEY), Ne=-128.691968076))
    for c in "0", "-1", "abc", "NaN", "1e7", "", "1e400", "Inf":
        refused("--c", "--c", c, "ne.inp")
    for model in "0", "5", "12", "x", "":
        refused("--nucmdl", "--nucmdl", model, "--elements", "Ne")
    for some in ("Xx", "0", "119", "-5", "9-3", "2-", "2,,3", "2,", ",", "", "1e3", "Hee", "2-86-90", "*",
                 "99999999999", "2 3"):
        refused("there is no option" if some.startswith("-") else "--elements", "--elements", some)


def check_files():
    neon, dependent = Path("ne.out"), Path("dependent.out")
    neon.mkdir()
    refused(r"ne\.out: it is a directory", "-o", ".", "ne.inp")
    neon.rmdir()
    refused(r'the file "\./He\.out" is named twice', "-o", ".", "--elements", "He", "--optimise", "--state", "./He.out")
    driver.label = "a result of an earlier run"
    dependent.write_text("old\n")
    neon.write_text("old\n")
    Path("ne.out.part").write_text("half\n")
    fails(r"dependent: there is no result; \./dependent\.out still has that of an earlier run", "-o", ".",
          "dependent.inp", "ne.inp")
    check(dependent.read_text() == "old\n", "dependent.out is touched")
    has(r"^ Total energy +-128\.691968097", neon.read_text())
    check(not list(Path().glob("*.part")), "a .part file is left behind")
    driver.label = "no result and none of an earlier run"
    dependent.unlink()
    _, messages = expect(1, batch, "-o", ".", "dependent.inp")
    check(messages.count("\n") == 2, messages)
    check(not dependent.exists(), "there is one")
    driver.label = "a folder that is full"
    neon.write_text("old\n")
    output, messages = expect(1, batch, "-o", ".", "ne.inp", file_size=2)
    has(r"ne\.out\.part: File too large", messages)
    check_row(output, "ne", NE)
    check(neon.read_text() == "old\n", "ne.out is touched")
    check(not Path("ne.out.part").exists(), "its part is left behind")
    output, messages = expect(1, batch, "--vectors", "small.h5", "ne.inp", file_size=2)
    has(r"^dfratom_batch: vectors file small\.h5: .*File too large", messages)
    check_row(output, "ne", NE)
    check(not list(Path().glob("small.h5*")), "an unfinished file of vectors remains")


def columns(name):
    """The words of a file, column after column, and the comments."""
    lines = Path(name).read_text().splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    return list(zip(*rows)), [line for line in lines if line.startswith("#")]


def integral(r, values):
    """The integral over equal distances in ln r."""
    step = math.log(r[-1] / r[0]) / (len(r) - 1)
    return step * sum(value * radius for value, radius in zip(values, r))


def check_spinors(name, electrons, relativistic):
    """The moments follow from the radial functions, and the density from both."""
    driver.label = f"spinors of {name}"
    (spinors, kappa, occupations, *numbers), comments = columns(f"{name}.moments")
    check(comments[0] == f"# {name}: occupied spinors; energies in hartree, <r^k> in bohr^k", comments[0])
    occupations, (energies, *moments) = [float(n) for n in occupations], [[float(n) for n in row] for row in numbers]
    check(abs(sum(occupations) - electrons) < 1e-5 and len(moments) == 7, f"{occupations}")
    out = Path(f"{name}.out").read_text()
    table, comments = columns(f"{name}.radial")
    r, density, *functions = ([float(n) for n in column] for column in table)
    check(len(r) == 1500 and comments[1].split()[:6] == "# r 4 pi r^2 rho".split(), f"{comments[1][:80]}")
    titles = [word for word in comments[1].split()[6:] if word not in "PQ"]
    width = 2 if relativistic else 1
    check(titles == [spinor for spinor in spinors for _ in range(width)], f"{titles}")
    for number_of, spinor in enumerate(spinors):
        check(int(kappa[number_of]) == {"s": -1, "p1/2": 1, "p3/2": -2, "d3/2": 2, "d5/2": -3}[spinor[1:].replace("s1/2", "s")], spinor)
        has(rf"{spinor} .*{energies[number_of]:.9f}", out)
        of_spinor = functions[width * number_of:width * (number_of + 1)]
        square = [sum(value**2 for value in values) for values in zip(*of_spinor)]
        check(next(value for value in of_spinor[0] if abs(value) > 1e-4) > 0, f"{spinor}: the sign of P")
        for power in range(-1, 5):
            found, expected = integral(r, [value * radius**power for value, radius in zip(square, r)]), moments[power + 2][number_of]
            check(abs(found / expected - 1) < 1e-6, f"{spinor}: <r^{power}> = {found}, expected {expected}")
        density = [value - occupations[number_of] * part for value, part in zip(density, square)]
    check(max(map(abs, density)) < 2e-4, f"rest of the density {max(map(abs, density))}")


def check_spinor_files():
    driver.label = "files of spinors"
    wanted = ("-o", ".", "--moments", "--radial", "1500")
    computes(("--elements", "Ne,Cr", *wanted, "--vectors", "vectors.h5"))
    check_spinors("Ne", 10, True)
    check_spinors("Cr", 24, True)
    check(b"\x89HDF\r\n" in Path("vectors.h5").read_bytes(), "not an HDF5 file")
    computes(("--nonrelativistic", "--elements", "Ne", *wanted))
    check_spinors("Ne", 10, False)
    has(r"nowhere/vectors\.h5", fails_with("--elements", "Ne", "--vectors", "nowhere/vectors.h5"))
    for pattern, *arguments in (
            ("--moments and --radial need --output", "--moments", "--elements", "Ne"),
            ("--moments and --radial need --output", "--radial", "100", "--elements", "Ne"),
            ("--radial", "-o", ".", "--radial", "1", "--elements", "Ne"),
            ("--radial", "-o", ".", "--radial", "1000001", "--elements", "Ne"),
            ("--radial", "-o", ".", "--radial", "many", "--elements", "Ne"),
            ("--vectors needs a value", "--elements", "Ne", "--vectors"),
            (r"--vectors needs atoms with the same c and maxitr; these have 2 different pairs", "--vectors", "v.h5", "ne.inp", "slow.inp")):
        refused(pattern, *arguments)


def check_surroundings():
    driver.label = "names"
    long = f"{200 * 'x'}/{200 * 'x'}"
    os.makedirs(long)
    Path(f"{long}/ne.inp").write_text(Path("ne.inp").read_text())
    check_row(computes([f"{long}/ne.inp"]), f"{long}/ne", NE)
    check_row(computes(("--", "-ne.inp")), "-ne", NE)
    has("^usage: ", computes(["--help"]))
    driver.label = "a full disk"
    with open("/dev/full", "w") as full:
        _, messages = expect(1, batch, "ne.inp", stdout=full)
    has("standard output: No space left", messages)
    driver.label = "a backend that is none"
    has("LEGATO_BACKEND", expect(1, batch, "ne.inp", LEGATO_BACKEND="none")[1])


def main():
    global batch
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    batch, serial = driver.start(2, "BATCH SERIAL")
    write_broken()
    check_known(serial)
    check_hennessey()
    check_default()
    check_basis_sets()
    check_shells()
    check_bad_among_good()
    check_refusals()
    check_files()
    check_spinor_files()
    check_surroundings()
    driver.label = ""
    driver.end("batch", f"{driver.cases} cases, ", least=60)


if __name__ == "__main__":
    main()
