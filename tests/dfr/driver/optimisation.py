#!/usr/bin/env python3
"""optimisation.py BATCH SERIAL: basis sets optimised and reduced by dfratom_batch.

They are compared with the optimisation of dfratom_serial. A run that is killed and resumed must give the same numbers.
State files that do not fit are refused.
"""
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, expect, has, wrong  # noqa: E402

INPUTS = driver.INPUTS / "dfr/inputs"
HELIUM = (INPUTS / "he_bsopt.inp").read_text()
# Few functions, so that it is quick.
NEON = """Neon
 $contrl jobtype = 'bsopt' $end
 $nuc znuc = 10 $end
 $bas nsym = 3, bastype = 'wtbs' $end
 $wtbs wtbspara = 0.2, 2.4, 4.5, 1.0
       nbs = 9, 5, 5 $end
 $newuoa rhobeg = 0.1, rhoend = 1.0e-4, iprint = 0, maxfun = 400 $end
 $econfig nclose = 2, 1, 1 $end
 $scf $end
"""
SLOW = NEON.replace("rhoend = 1.0e-4", "rhoend = 1.0e-5").replace("maxfun = 400", "maxfun = 120")
ION = SLOW.replace("znuc = 10", "znuc = 11").replace("Neon", "Sodium ion")
GROUPS = f"""Nine groups, which have 36 parameters
 $contrl jobtype = 'bsopt' $end
 $nuc znuc = 10 $end
 $bas nsym = 9, bastype = 'wtbs', ngroup = 9 $end
 $wtbs wtbspara = {", ".join(9 * ["0.15, 2.2, 4.5, 1.5"])}
       nbs = 8, 6, 6, 6*2, groups = 1, 2, 3, 4, 5, 6, 7, 8, 9 $end
 $newuoa rhobeg = 0.1, rhoend = 1.0e-4, iprint = 3, maxfun = 2 $end
 $econfig nclose = 2, 1, 1 $end
 $scf $end
"""
BEST = r"the optimisation has not converged after 7 energies; the best is -2\.8617"


def changed(text, *changes):
    """The text with each pattern replaced. Each must be in it."""
    for pattern, new in changes:
        text, count = re.subn(pattern, new, text)
        assert count, pattern
    return text


def write(**texts):
    for name, text in texts.items():
        Path(f"{name}.inp").write_text(text)


def refused(batch, pattern, *arguments):
    """Runs with an error message. Returns the output."""
    output, messages = expect(1, batch, *arguments)
    has(pattern, messages)
    return output


def steady(output):
    """What is the same in every run: all but the time."""
    return [line for line in output.splitlines() if not re.search(" converged, .* s$", line)]


def optimised(output, name):
    """Of the table: energies at the start, at the end and above the limit, their number, and the status."""
    rows = re.findall(rf"^ *{re.escape(name)} +(.*)", output[output.find("\n Basis set "):], re.M)
    return rows[0].split(None, 4) if rows else 5 * [""]


def converges(output, name):
    check(optimised(output, name)[4] == "converged", f"{name}: {optimised(output, name)}")


def total_energies(output):
    return re.findall("^ Total energy +.*", output, re.M)


def options(output):
    """The lines before the optimisation."""
    return [line for line in output.split("\n newuoa")[0].splitlines() if line]


def check_helium(batch, serial):
    write(he=HELIUM, ne=NEON, all=changed(HELIUM, ("iprint = 1", "iprint = 3")))
    output, _ = expect(0, batch, "-o", ".", "he.inp")
    by_serial, _ = expect(0, serial, "he.inp")
    by_batch = Path("he.out").read_text()
    converges(output, "he")
    begin, end, above, number = map(float, optimised(output, "he")[:4])
    energy = float(total_energies(by_serial)[-1].split()[2])
    check(abs(end + 2.86185) < 5e-5 and abs(end - energy) < 2e-9 and begin > end + 1e-5
          and 1e-6 < above < 1e-5 and number > 50,
          f"helium: {optimised(output, 'he')}, dfratom: {energy}")
    has("^ newuoa: ended after [0-9]+ energies: converged$", by_batch)
    check(options(by_serial) == options(by_batch), "other options than those of dfratom")
    check(total_energies(by_serial) == total_energies(by_batch), "another energy than that of dfratom")
    output, _ = expect(0, batch, "-v", "all.inp")
    calls = len(re.findall("^ newuoa: call ", output, re.M))
    check(str(calls) == optimised(output, "all")[3], f"every energy: {calls} lines, {optimised(output, 'all')}")
    together, _ = expect(0, batch, "he.inp", "ne.inp", INPUTS / "he.inp")
    converges(together, "ne")
    alone, _ = expect(0, batch, "he.inp")
    table = alone[alone.index(" Basis set "):].splitlines()
    check(together[together.index(" Basis set "):].splitlines()[:len(table)] == table,
          "beside others: another basis than alone")


def check_failures(batch, serial):
    """Optimisations that end early or cannot begin. Others in the same run converge."""
    short = changed(HELIUM, ("maxfun = 500", "maxfun = 7"))
    light = changed(HELIUM, (r"znuc *= *[0-9.]*", "znuc = 120"))
    write(short=short, silent=changed(short, ("iprint = 1", "iprint = 0")), light=light, groups=GROUPS,
          bad=changed(HELIUM, ("wtbspara = 0.1, 2.0", "wtbspara = 1.0e7, 90.0")),
          odd=changed(light, ("maxitr = [0-9]*", "maxitr = 77")),
          hasty=changed(HELIUM, ("maxitr = [0-9]*", "maxitr = 2")))
    ended_early = ["7", "not converged"]
    check(optimised(refused(batch, f"short: {BEST}", "short.inp"), "short")[3:] == ended_early,
          "maxfun comes first: not 7 energies")
    for name in "short", "silent":
        output, messages = expect(1, serial, f"{name}.inp")
        check(messages.count("\n") == 1, f"{name}: not one line: {messages[:300]}")
        has(f"^dfratom: {BEST}", messages)
        has("^ Optimised parameters.*\n.*wtbspara", output)
        check(total_energies(output)[-1].split()[2] == messages.split()[-1], f"{name}: not the best energy")
    for pattern, name in (("^dfratom_batch: ", "bad"), ("odd: .*limit: 0, but for a relativistic point nucleus", "odd"),
                          ("hasty: the optimisation has failed: its start gives no good energy", "hasty")):
        converges(refused(batch, pattern, f"{name}.inp", "he.inp"), "he")
    _, messages = expect(1, batch, "--state", "fresh", "light.inp", "he.inp")
    has("light: .*limit: 0", messages)
    has("no optimisation begins", messages)
    check(not Path("fresh").exists(), "a state was written")
    refused(batch, "hasty: the reduction has failed: its start gives no good energy", "--reduce", "hasty.inp")
    long = f"{200 * 'x'}/{200 * 'x'}"
    os.makedirs(long)
    Path(f"{long}/short.inp").write_text(short)
    check(optimised(expect(1, batch, f"{long}/short.inp")[0], f"{long}/short")[3:] == ended_early,
          "a long name: not 7 energies")
    for output in expect(1, batch, "-v", "groups.inp")[0], driver.run(serial, "groups.inp").stdout:
        check(len(re.findall("^ newuoa: call ", output, re.M)) == 2, "many groups: not two energies")


def killed_until_done(program, *arguments):
    """The output of a run that is killed again and again, each time later, and resumed."""
    killed = 0
    for seconds in 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 3, 5, 10, 20, 60, 120:
        ended = driver.run(program, *arguments, timeout=seconds)
        if ended.returncode != 124:
            check(killed, "done before it was killed")
            return ended.stdout
        killed += 1
    wrong("never done")
    return ""


def check_states(batch):
    write(slow=SLOW, ion=ION)
    both = ("slow.inp", "ion.inp")
    uninterrupted = steady(driver.run(batch, *both, timeout=300).stdout)
    driver.cases += 1
    check(steady(killed_until_done(batch, "--state", "state", *both)) == uninterrupted,
          "killed and resumed: other numbers")
    check(steady(expect(1, batch, "--state", "state", *both)[0]) == uninterrupted,
          "a state that is done: other numbers")
    before = Path("state").read_bytes()
    write(functions=changed(SLOW, ("nbs = 9, 5, 5", "nbs = 9, 6, 6")), start=changed(SLOW, (r"0\.2, 2\.4", "0.2, 2.5")),
          longer=changed(SLOW, ("maxfun = 120", "maxfun = 121")),
          longer_ion=changed(ION, ("maxfun = 120", "maxfun = 121")),
          nucleus=changed(SLOW, ("znuc = 10", "znuc = 12")),
          shells=changed(SLOW, ("nclose = 2, 1, 1", "nclose = 2, 1, 0")))
    Path("part").write_bytes(before[:3000])
    Path("text").write_text("text\n")
    for pattern, state, *inputs in (
            ("more basis sets than there are inputs", "state", "slow.inp"),
            ("must have the same", "state", "ion.inp", "he.inp"),
            ("is not that of slow", "state", *both, "slow.inp"),
            ("is not that of functions", "state", "functions.inp", "ion.inp"),
            ("is not that of start", "state", "start.inp", "ion.inp"),
            ("another rhobeg, rhoend or maxfun", "state", "longer.inp", "longer_ion.inp"),
            ("nonrelativistic", "state", "--nonrelativistic", *both),
            ("no optimisation begins", "state", "slow.inp", "none.inp"),
            ("no input has jobtype", "new", INPUTS / "he.inp"),
            ("is not that of nucleus", "state", "nucleus.inp", "ion.inp"),
            ("is not that of shells", "state", "shells.inp", "ion.inp"), ("part", "part", *both),
            ("text", "text", *both),
            ("nowhere", "nowhere/state", "he.inp"), (".", ".", "he.inp"),
            ("^dfratom_batch: text/state: Not a directory", "text/state", "he.inp")):
        refused(batch, pattern, "--state", state, *inputs)
    check(Path("state").read_bytes() == before, "the state has changed")


def check_reduction(batch):
    """Helium from 14 functions."""
    reduced = changed(HELIUM, ("nbs = 10", "nbs = 14"), ("rhoend = 1.0e-6", "rhoend = 1.0e-4"),
                      ("maxfun = 500", "maxfun = 200"))
    write(reduced=reduced, lithium=changed(reduced, (r"znuc *= *2[.0]*", "znuc = 3.0")),
          start=changed(reduced, (r"wtbspara = 0\.1,", "wtbspara = 0.11,")))
    accurate = ("--reduce", "--accuracy", "1e-6")
    output, _ = expect(0, batch, *accurate, "-o", ".", "reduced.inp")
    has("^ Reduction of reduced$", output)
    has(r"^   whole set +-2\.86181[0-9]+ ", output)
    functions, loss = re.findall(r"^   s to +(\d+) +\S+ +(\S+)", output, re.M)[-1]
    check(8 <= int(functions) < 14 and 0 < float(loss) <= 1e-6, f"reduction: {functions} functions, {loss}")
    has(f"^   nbs           = {functions}$", output)
    has(f"^   s1/2   {functions} functions", Path("reduced.out").read_text())
    driver.cases += 1
    resumed = killed_until_done(batch, *accurate, "--state", "reduction", "reduced.inp")
    check(steady(resumed) == steady(output), "reduction, killed and resumed: other numbers")
    other_start = "it belongs to another nucleus, configuration or start"
    for pattern, *arguments in (
            ("another reduction", "--reduce", "--accuracy", "1e-7", "--state", "reduction", "reduced.inp"),
            (other_start, *accurate, "--state", "reduction", "lithium.inp"),
            (other_start, *accurate, "--state", "reduction", "start.inp"),
            (".", "--state", "reduction", "reduced.inp"), (".", "--reduce", "--state", "state", "reduced.inp"),
            ("not within the accuracy", "--reduce", "--accuracy", "1e-12", "reduced.inp"),
            ("^dfratom_batch: text/state: Not a directory", "--reduce", "--state", "text/state", "reduced.inp"),
            ("needs ngroup = 1, and the same nbs", "--reduce", "ne.inp"),
            ("needs jobtype", "--reduce", INPUTS / "he.inp"),
            ("--state needs --optimise, --reduce, or input files", "--state", "x", "--elements", "He"),
            ("--optimise needs --elements", "--optimise", "he.inp"),
            ("--optimise excludes --reduce", "--optimise", "--reduce", "--elements", "He"),
            ("only one input file or element", "--reduce", "--state", "x", "--elements", "He,Be"),
            ("--accuracy needs --reduce", "--accuracy", "1e-6", "he.inp"),
            ("--accuracy", "--reduce", "--accuracy", "2", "he.inp"),
            ("only one input file", "--reduce", "--state", "x", "he.inp", "reduced.inp")):
        refused(batch, pattern, *arguments)


def check_elements(batch):
    """Elements are optimised and reduced as inputs with the same basis set are."""
    neon = changed((INPUTS / "ne.inp").read_text(), ("jobtype *= *['\"]energy['\"]", "jobtype = 'bsopt'"), (r"c *= *137\.0359895", "c = 137.03599976"),
                   (r"\$econfig", "$newuoa $end\n $econfig"))
    write(Ne=neon)
    by_input, _ = expect(0, batch, "Ne.inp")
    output, _ = expect(0, batch, "-o", ".", "--elements", "Ne", "--optimise", "--basis", "hennessey")
    output = "".join(line + "\n" for line in output.splitlines() if not line.startswith(" Virial ratio:"))
    check(steady(output) == steady(by_input), "neon: other numbers than with the input")
    has("^ Ne, element 10, basis hennessey; nucleus: point; c = ", Path("Ne.out").read_text())
    has("^ Parameters at the start$", Path("Ne.out").read_text())
    has(r"^   2p3/2 .*4\.0000", Path("Ne.out").read_text())
    extended, _ = expect(0, batch, "--elements", "Ne", "--optimise", "--basis", "hennessey", "--balance", "extended")
    collapse = float(optimised(extended, "Ne")[1]) - float(optimised(output, "Ne")[1])
    check(1e-8 < collapse < 1e-5, f"neon: the optimum with extended balance is {collapse} hartree above the other one")
    both = ("--elements", "He,Be", "--optimise", "--nucmdl", "4")
    output, _ = expect(0, batch, *both)
    for name in "He", "Be":
        converges(output, name)
        begin, end, above = map(float, optimised(output, name)[:3])
        check(end <= begin and 0 < above < 5e-9, f"{name}: {optimised(output, name)}")
    resumed = killed_until_done(batch, *both, "--state", "elements")
    check(steady(resumed) == steady(output), "elements, killed and resumed: other numbers")
    refused(batch, "basis set number 1 is not that of Be", "--elements", "Be,He", "--optimise", "--nucmdl", "4", "--state", "elements")
    output, _ = expect(0, batch, "--reduce", "--accuracy", "1e-6", "--elements", "He", "--basis", "hennessey")
    has("^ Reduction of He$", output)
    functions, loss = re.findall(r"^   s to +(\d+) +\S+ +(\S+)", output, re.M)[-1]
    check(8 <= int(functions) < 18 and 0 < float(loss) <= 1e-6, f"reduction: {functions} functions, {loss}")
    Path("free.nw").write_text("BASIS SPHERICAL\n" + "".join(f"He S\n {zeta} 1.0\n" for zeta in (0.3, 1.5, 9, 20))
                               + "B S\n 0.3 1\nB S\n 3 1\nEND\n")
    refused(batch, "He: the set in free.nw is not well-tempered", "--elements", "He", "--optimise", "--basis", "free.nw")
    refused(batch, "B: the set in free.nw has no functions of p1/2", "--elements", "B", "--optimise", "--basis", "free.nw")


def main():
    os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}
    batch, serial = driver.start(2, "BATCH SERIAL")
    check_helium(batch, serial)
    check_failures(batch, serial)
    check_states(batch)
    check_reduction(batch)
    check_elements(batch)
    driver.end("optimisation", f"{driver.cases} cases, ", least=46)


if __name__ == "__main__":
    main()
