#!/usr/bin/env python3
"""limits.py SERIAL LEGATO BATCH: energies below the limit energy and unbound electrons are no results.

The three programs have the same ranges and count the same functions.
"""
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, expect, has  # noqa: E402
from energies import energy  # noqa: E402

ONE_P, NEON = "nopen = 0, 1, freeel = 1, nconf = 1 $end\n1.0", "nclose = 2, 1, 1 $end"
# By Dirac's formula it is -1070.0952476.
COLLAPSED = r"-1070\.10[0-9]+ is below the limit energy -1070\.09524"


def write(name, jobtype, charge, parameters, functions, configuration):
    text = f"""{name}
 $contrl jobtype = '{jobtype}' $end
 $nuc znuc = {charge} $end
 $bas nsym = {functions.count(",") + 1}, bastype = 'wtbs' $end
 $wtbs wtbspara = {parameters}
       nbs = {functions} $end
 $newuoa rhobeg = 0.1, rhoend = 1.0e-3 $end
 $econfig {configuration}
 $scf ixtrp = 1 $end
"""
    Path(f"{name}.inp").write_text(text)
    return text


def check_optimised(output):
    check(-1070.0952477 <= energy(output) < -1070, f"energy {energy(output)}")


def check_program(program):
    driver.label = Path(program).name
    output, messages = expect(1, program, "collapsed.inp")
    has(f"^dfratom: the energy {COLLAPSED}[0-9]+: .* diffuse functions", messages)
    has("^ COLLAPSED, below the limit energy", output)
    has(r"^ Total energy +-1070\.10", output)
    check(" Converged" not in output, "Converged")
    output, messages = expect(1, program, "ten.inp")
    has("^dfratom: the energy of an occupied spinor is positive", messages)
    has("^ NOT BOUND", output)
    has(f"the energy {COLLAPSED}", expect(1, program, "start.inp")[1])
    check_optimised(expect(0, program, "small.inp")[0])


def check_batch(batch):
    driver.label = "batch"
    output, messages = expect(1, batch, "-v", "collapsed.inp")
    has(f"^dfratom_batch: collapsed: the energy {COLLAPSED}", messages)
    has("^ COLLAPSED", output)
    has(r"^ collapsed +-1070\.10.* below the limit$", output)
    output, messages = expect(1, batch, "ten.inp")
    has("ten: the energy of an occupied spinor is positive", messages)
    has("^ ten .* not bound$", output)
    output, messages = expect(1, batch, "start.inp")
    has(f"start: the optimisation has failed: the energy of its start {COLLAPSED}", messages)
    check(" 0.000000000" not in output, "an energy of 0")
    check_optimised(expect(0, batch, "-v", "small.inp")[0])


def check_counts(serial, batch):
    driver.label = "the same counts"
    mine, others = (re.findall(".*left out.*", driver.run(*command, "dependent.inp").stdout)
                    for command in ((batch, "-v"), [serial]))
    check(mine and mine == others, f"{others}, {mine} in batch")


def check_ranges(programs, dependent):
    driver.label = "the same ranges"
    inputs = [(dependent.replace("znuc = 10", f"znuc = {charge}, nucmdl = 3, alpha = 1.0e8"),
               rf"znuc = {re.escape(charge)}.*1\.0\.\.137") for charge in ("150", "0.5", "137.5")]
    inputs += [(dependent.replace("'energy'", f"'energy', c = {c}"), ": c = ") for c in ("2e5", "1e8")]
    for text, pattern in inputs:
        Path("range.inp").write_text(text)
        for program in programs:
            has(pattern, expect(1, program, "range.inp")[1])


def main():
    os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}
    serial, legato, batch = programs = driver.start(3, "SERIAL LEGATO BATCH")
    write("collapsed", "energy", 86, "30.0, 2.0, 4.5, 0.5", "1, 24", ONE_P)     # 2p1/2 without diffuse functions
    write("start", "bsopt", 86, "30.0, 2.0, 4.5, 0.5", "1, 24", ONE_P)          # the same is optimised
    write("small", "bsopt", 86, "40.0, 3.0, 4.5, 1.0", "1, 12", ONE_P)
    write("ten", "energy", 2, "0.15, 2.2, 4.5, 1.5", "12, 8, 8", NEON)          # helium with ten electrons
    dependent = write("dependent", "energy", 10, "0.02, 1.2, 4.5, 0.0", "80, 60, 60", NEON)
    check_program(serial)
    check_program(legato)
    check_batch(batch)
    check_counts(serial, batch)
    check_ranges(programs, dependent)
    driver.label = ""
    driver.end("limits", f"{driver.cases} cases, ", least=27)


if __name__ == "__main__":
    main()
