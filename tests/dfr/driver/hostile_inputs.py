#!/usr/bin/env python3
"""hostile_inputs.py PROGRAM [SPEAKER]: broken inputs and surroundings, as tests/hostile.py says.

Unusual inputs that are right must give the usual energy.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests"))
import driver  # noqa: E402
from driver import check  # noqa: E402
from hostile import Program, moved, substitute  # noqa: E402

INPUTS = ROOT / "legacy_drivers/dfr/inputs"
GOOD = (INPUTS / "c.inp").read_text()
TITLE, REST = GOOD.split("\n", 1)
ENERGY = re.compile(r"^ Total energy +-37\.676044081", re.M)
CASES = r"""
jobtype = 'energy'/jobtype = 'enrgy'/jobtype
znuc = 6\.0/znuc = 0/znuc/znuc = -6/znuc/znuc = 138/znuc/znuc = NaN/znuc/znuc = six/znuc/znuc = 1e400/znuc
znuc = 6\.0/znuc = 6.0, znuc = 7.0/znuc is given twice/znuc = 6.0 7.0/znuc/zeff = 6.0/zeff.*no such field/znuc/znuc
nuc znuc/nuc nucmdl = 4, znuc/nucmdl/nuc nucmdl = 0, znuc/nucmdl/nuc nucmdl = 2, rnuc = -1, znuc/rnuc
nuc znuc/nuc nucmdl = 3, alpha = -1, znuc/alpha
nsym = 3/nsym = 0/nsym/nsym = 10/nsym/nsym = -1/nsym/nsym = 2.5/nsym
bastype = 'wtbs'/bastype = 'wtb'/bastype/bastype = 'wtbs', ngroup = 0/ngroup
c = 137.0359895/c = -1/c = -1|\bc\b/c = NaN/\bc\b/c = 3/znuc|\bc\b
wtbspara = [0-9.]+,/wtbspara = -0.1,/wtbspara|alpha/wtbspara = NaN,/wtbspara|alpha/wtbspara = /wtbspara
nbs = 23/nbs = 0/nbs/nbs = -3/nbs/nbs = 1000/nbs/nbs = 1/nclose|nbs|shell
wtbs wtbspara/wtbs start = 200, wtbspara/start/wtbs start = 0, wtbspara/start/wtbs groups = 2, wtbspara/groups
nclose = [0-9]+/nclose = -1/nclose/nclose = 50/nclose/nclose = x/nclose
nopen = 0, 1/nopen = 0, 2/nopen/nopen = 0, -1/nopen
freeel = [0-9]+/freeel = -1/freeel/freeel = 100/freeel/freeel = 1000000000000/freeel
maxitr = [0-9]+/maxitr = 0/maxitr/maxitr = -5/maxitr/maxitr = 1/converge
ixtrp = 1/ixtrp = 7/ixtrp/ixtrp = 1, dfctr = 1.5/dfctr/ixtrp = 1, foo = 1/foo
thdll = [0-9.e-]+/thdll = -1/thdll/thdll = NaN/thdll
thdsl = [0-9.e-]+/thdsl = 0/thdsl
thdss = [0-9.e-]+/thdss = 2/thdss
nbs = 23, 15, 15/nbs = 23, 15, 15, nbs(1) = 22/nbs is given twice
nbs = 23, 15, 15/nbs(1) = 23, NBS ( 1 ) = 22, nbs(2) = 15, nbs(3) = 15/nbs is given twice/nbs = 1000000000*15/nbs
nclose = 2, 0, 0/nclose(4) = 1/nclose has shells/nclose(0) = 1/nclose/nclose = 12*0/nclose
start = 1, 1, 1/start = 1, 1, 187/start/start = 1, 1, 180/exponents out of range
autogen = .true./autogen = maybe/autogen
wtbspara = 0.04613/wtbspara = 1e-320/wtbspara
\$end ?/$end 7/after the end
Carbon/$contrl/title
$/ and more/end|after
"""
# Occupations of carbon with two 2p electrons.
OCCUPATIONS = r"""
more than the shell has room for/3 -1/occupation.*out of range
the same, the other shell/0 5/occupation.*out of range
below nothing/-1 3/occupation.*out of range
more electrons than freeel/2 2/4\.0 electrons
half an electron/1.5 0.5/not a whole number
too few/2/1 occupations
too many/1 1 0/3 occupations
no number/1 x/"x" is not a number
repeated too often/99*1/99 occupations
repeated without an end/9999999999*1/occupations|not a number
nothing repeated/2*/not a number|occupations
a shell always empty/0 2/nopen\(2\)
"""
# Numbers of functions and exponents of helium.
EXPONENTS = r"""
negative/3 0.5 -2.0 8.0/exponent 2 .*out of range
zero/3 0 2.0 8.0/exponent 1 .*out of range
beyond all/1 1e21/exponent 1 .*out of range
no number/1 half/exponent 1 .*not a number
not a number/1 NaN/exponent 1 .*not a number
no functions/0/number of functions.*out of range
too many/201 1/number of functions.*out of range
half a one/1.5 1/not a whole number
one too few/2 1.0/exponent 2 .*not a number
one too many/1 1.0 2.0/econfig is missing
"""
OPTIMISATION = r"""
rhobeg = [0-9.e-]+/rhobeg = -1/rhobeg/rhobeg = x/rhobeg = x.*allowed: [0-9]
rhoend = [0-9.e-]+/rhoend = 0.2/rhoend/rhoend = x/rhoend = x.*allowed: [0-9]
maxfun = [0-9.e-]+/maxfun = 0/maxfun/maxfun = x/maxfun = x.*allowed: [0-9]
iprint = [0-9.e-]+/iprint = 9/iprint/iprint = x/iprint = x.*allowed: [0-9]
'wtbs'/'rdin'/bastype
.*newuoa.*\n//newuoa
"""


def with_configurations(lines):
    return substitute(GOOD, ("autogen = .true.", f"nconf = {lines.count(chr(10)) + 1}"),
                      (r"(.*econfig.*\n)", rf"\g<1>{lines}\n"))


def in_basis(charge, exponents, configuration):
    lines = "\n".join(exponents.split())
    return (f"T\n $contrl jobtype = 'energy' /\n $nuc znuc = {charge} /\n $bas nsym = 1, bastype = 'rdin' /\n{lines}\n"
            f" $econfig {configuration}\n $scf /\n")


def other_contents(program):
    """Contents that are not text, and files that are none."""
    Path("endless.inp").symlink_to("/dev/zero")
    program.refused("zeros without an end", "line 1", "endless.inp")
    program.broken("one line without an end", "x" * 3000000, "line 1.*too long")
    for byte in "\0\x1b":
        for at in (20, 160):
            program.broken(f"byte {byte!r} at {at}", GOOD[:at] + byte + GOOD[at:], "control character")
    Path("loop.inp").symlink_to("loop.inp")
    program.refused("a link to itself", r"loop\.inp", "loop.inp")
    if os.getuid():     # root may read everything
        Path("unreadable.inp").write_text(GOOD)
        Path("unreadable.inp").chmod(0)
        program.refused("unreadable", r"unreadable\.inp", "unreadable.inp")


def refused_bases(program):
    for label, lines, pattern in (line.split("/", 2) for line in OCCUPATIONS.split("\n")[1:-1]):
        program.broken(label, with_configurations(lines), pattern)
    program.broken("a configuration short",
                   substitute(GOOD, ("autogen = .true.", "nconf = 2"), (r"(.*econfig.*\n)", r"\g<1>1 1\n")),
                   "configuration 2")
    for label, numbers, pattern in (line.split("/", 2) for line in EXPONENTS.split("\n")[1:-1]):
        program.broken(label, in_basis(2, numbers, "nclose = 1 /"), pattern)
    # Two functions that are the same.
    for label, charge, configuration in (("two closed shells", 4, "nclose = 2 /"),
                                         ("an open shell above a closed one", 3,
                                          "nclose = 1, nopen = 1, freeel = 1, nconf = 1 /\n1")):
        program.broken(label, in_basis(charge, "2 1.0 1.0", configuration),
                       "near linear dependence leaves 1 of 2 functions of s1/2 for 2 shells")
    program.each(OPTIMISATION, (INPUTS / "he_bsopt.inp").read_text())


def accepted_inputs():
    """Labels and texts of other ways to write the input of carbon."""
    yield "lines end as elsewhere", GOOD.replace("\n", "\r\n")
    yield "& for $", substitute(GOOD, (r"\$(contrl|nuc|bas|wtbs|econfig|scf|end)", r"&\1"))
    yield "/ for $end", GOOD.replace("$end", "/")
    yield "upper case", GOOD.upper()
    yield "mixed case", substitute(GOOD, ("contrl", "ConTrl"), ("znuc", "ZnUc"), ("jobtype", "JOBTYPE"))
    yield "double quotation marks", GOOD.replace("'energy'", '"energy"')
    yield "repeat counts", substitute(GOOD, ("23, 15, 15", "23, 2*15"), ("start = 1, 1, 1", "start = 3*1"))
    yield "D exponents", substitute(GOOD, ("0.04613", "4.613D-2"), ("137.0359895", "1.370359895d+2"),
                                    ("1.0e-8", "1.0d-8"))
    yield "comments", substitute(GOOD, (r"\$end", '$end ! the end = x $foo "'),
                                 ("^( *nbs.*)", r"! nbs = 3\n\1 ! more = 1"))
    yield "tabs", GOOD.replace(" ", "\t")
    yield "empty lines", GOOD.replace("\n", "\n\n\n")
    yield "no commas", f"{TITLE}\n{REST.replace(',', ' ')}"
    yield "a field a line", TITLE + "\n" + re.sub(", ([a-z])", r"\n\1", REST)
    yield "elements one by one", substitute(GOOD, ("nbs = 23, 15, 15", "nbs(1) = 23, nbs ( 2 ) = 15, nbs(3) = 15"),
                                            ("nclose = 2, 0, 0", "nclose(1:3) = 2, 0, 0"))
    yield "a title as long as may be", f"{'x' * 200}\n{REST}"
    yield "a title in another script", f"Kohlenstoff für alle\n{REST}"
    yield "all configurations, by hand", with_configurations("2 0\n1, 1.0\n0.0d0 2")
    yield "the same, repeated", with_configurations("2 0\n2*1\n0 2")


def check_accepted(program):
    """The energy to as many digits as there are: rounding may differ."""
    for driver.label, text in accepted_inputs():
        program.cases += 1
        Path("input.inp").write_text(text)
        ended = program.run("input.inp")
        check(text != GOOD and ended.returncode == 0 and ENERGY.search(ended.stdout),
              f"exit status {ended.returncode}, not the usual energy, or the input is as before: {ended.stderr[:300]}")
    driver.label = "a pipe"
    program.cases += 1
    os.mkfifo("pipe.inp")
    with subprocess.Popen(["cp", "good.inp", "pipe.inp"]) as writer:
        ended = program.run("pipe.inp")
        check(ENERGY.search(ended.stdout), ended.stderr)
        writer.kill()


def main():
    program = Program("dfratom", GOOD, [])
    program.good_input()
    program.no_input()
    program.groups("contrl nuc bas wtbs econfig scf")
    program.without_group("contrl nuc bas wtbs econfig scf")
    program.each(CASES)
    # The last energy of a field that has not converged is told, and the output says so too.
    output = program.broken("no convergence", substitute(GOOD, ("maxitr = 50", "maxitr = 3")),
                            r"not converged after 3 iterations.*last energy -37\.67604")
    check("NOT CONVERGED after 3 iterations" in output, "the output does not say so")
    program.unreadable("jobtype c znuc nsym bastype wtbspara nbs start nclose nopen freeel autogen maxitr ixtrp thdll "
                       "thdsl thdss")
    for field in ("nucmdl", "rnuc", "alpha"):
        program.broken(f"{field} unreadable", substitute(GOOD, ("nuc znuc", f"nuc {field} = x, znuc")),
                       f"{field} = x.*cannot be read.*allowed: 1")
    program.broken("groups out of order", moved(GOOD, "nuc znuc", "bas nsym"), r"\$nuc is missing")
    program.broken("no title", REST, "title")
    program.broken("a quotation mark that is not closed", GOOD.replace("'energy'", "'energy"), "contrl|jobtype")
    program.broken("a line too long", f"{TITLE}\n{' ' * 2500}{REST}", "line 2.*too long")
    program.broken("a title too long", "x" * 300 + GOOD, "title has 3[0-9][0-9] characters")
    other_contents(program)
    refused_bases(program)
    check_accepted(program)
    program.no_output()
    program.end(186)


if __name__ == "__main__":
    main()
