#!/usr/bin/env python3
"""hostile_inputs.py PROGRAM [LIMIT]...: broken inputs and broken surroundings.

Each must end in one clear line on standard error that names what is wrong and in an exit status that is an error and no
signal. Complete results must survive. A LIMIT is kB of address space in which the program's own arrays fit and the
library's do not. LEGATO_TEST_MEMORY is empty if that cannot be limited, as under a sanitizer.
"""
import os
import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check  # noqa: E402
from runs import FIELDS, INPUT, changed  # noqa: E402

NAMES = list(FIELDS)
INTEGERS, REALS = NAMES[:15], NAMES[15:]
RESULT = Path("Avg-2D-W0004.raw")
OVERFLOW = "NOfOrtho=1000 Energy0=100 Energy1=101"
INCONSISTENT = r"""
Width0=5 Width1=4; Width1 = "4" is out of range .allowed: 5\.\.
Width0=4 Width1=5 dWidth=0; dWidth = "0"
IDimenFlag=1 IBCFlag=0; Width0 = "4" .*allowed: 1\.\.1
IDimenFlag=1 Width0=1 Width1=1; IBCFlag = "1" .*allowed: 0\.\.0
IDimenFlag=3 Width1=65; Width1 = "65" .*allowed: 4\.\.64
dEnergy=0; dEnergy = "0" does not lead from Energy0
dEnergy=-0.1; dEnergy = "-0.1" does not lead from Energy0
dEnergy=1e-300; dEnergy = .* more than 1000000 points
dEnergy=1e-6; dEnergy = .* more than 1000000 points
IFluxFlag=0 DiagDis1=5 dDiagDis=0; dDiagDis = "0" does not lead from DiagDis0
IFluxFlag=0 DiagDis1=3; dDiagDis = "1.0" does not lead
ISeed=-2147483648; ISeed = "-2147483648" is out of range .allowed: -2147483647\.\.2147483647
"""
# A file system of one page holds the header and some points.
ON_PAGE = """#!/bin/sh
mount -t tmpfs -o size=4k page page || exit 125
ln -s page/raw Avg-2D-W0004.raw
"$PROGRAM"; status=$?
rm Avg-2D-W0004.raw; cp page/raw Avg-2D-W0004.raw
exit $status
"""
program, scratch = "", Path()
cases = 0


def begin(label, text=None):
    """An empty directory for the next case, with an input."""
    global cases
    cases += 1
    driver.label = label
    os.chdir(scratch)
    shutil.rmtree("case", ignore_errors=True)
    os.mkdir("case")
    os.chdir("case")
    if text is not None:
        INPUT.write_bytes(text if isinstance(text, bytes) else text.encode())


def refuses(pattern, command=(), **how):
    """The program must fail with one line that matches, warnings of the library aside."""
    ended = driver.run(*(command or [program]), timeout=60, **how)
    lines = [line for line in ended.stderr.split("\n")[:-1] if not line.startswith("legato warning: ")]
    check(0 < ended.returncode < 124, f"exit status {ended.returncode}")
    check(len(lines) == 1, f"{len(lines)} lines on standard error: {ended.stderr[:300]}")
    check(re.search(pattern, ended.stderr), f'no "{pattern}" in: {ended.stderr[:300]}')
    return ended.stdout


def refuses_input(pattern):
    """The program must fail before anything is written."""
    refuses(pattern)
    check(not list(Path().glob("Avg-*")), "an output file was written")


def refused(label, text, pattern):
    begin(label, text)
    refuses_input(pattern)


def accepted(text=None):
    """Runs the input, which must succeed in silence. Returns the output."""
    if text is not None:
        INPUT.write_text(text)
    ended = driver.run(program, timeout=60)
    check(ended.returncode == 0 and not ended.stderr, f"exit status {ended.returncode}: {ended.stderr[:300]}")
    return ended.stdout


def complete_rows(path):
    return len(re.findall(r"^[ ,] \{.*\}$", path.read_text(errors="replace"), re.M))


def check_fields():
    """Every field is missing, empty, misnamed, or not a number."""
    lines = changed().splitlines(keepends=True)
    for n, name in enumerate(NAMES, 1):
        missing = f"line {n}: {name} is missing"
        refused(f"{name} missing", "".join(lines[:n - 1] + lines[n:]), f"tmseXd.inp, {missing}")
        refused(f"{name} empty", changed(**{name: ""}), f"line {n}: {name} has no value")
        refused(f"{name} misnamed", changed().replace(f"{name:<10} ", "Foo ", 1), f'{missing}.*"Foo"')
        for value in ("ten", "1 2", "NaN"):
            refused(f"{name} {value}", changed(**{name: value}),
                    f'line {n}: {name} = "{value}" is not a' + ".*allowed: " * (value == "ten"))
        refused(f"file ends before {name}", "".join(lines[:n - 1]), f"{missing}: the file ends")


def check_values():
    for name in INTEGERS:
        for value in "1.5", "1e3", "0x10", "+":
            refused(f"{name} {value}", changed(**{name: value}), f"{name} = .* is not an integer")
        for value in 26 * "9", "-" + 26 * "9", "9223372036854775808":
            refused(f"{name} {value}", changed(**{name: value}), f"{name} = .* is out of range .allowed: ")
    settings = [f"{name}=-1" for name in INTEGERS[1:]]
    settings += [f"{name}=0" for name in ("NOfIter", "NOfOrtho", "NOfPrint", "NOfGamma", "IDimenFlag", "Width0",
                                          "Width1")]
    settings += ("IDimenFlag=4 IBCFlag=3 IRNGFlag=3 IKeepFlag=2 IWriteFlag=10 ISortFlag=2 IFluxFlag=2 NOfOrtho=1001 "
                 "NOfGamma=4097 Width0=4097 Width1=4097 dWidth=4097 DiagDis0=-0.1 DiagDis1=-1 Epsilon=0 Epsilon=-0.1 "
                 "Epsilon=1.5 Epsilon=1e-16 Kappa=1001").split()
    for name in REALS:
        for value in "Inf", "-Infinity", ".", "1.2.3", "1e", "1e+", "3*5", "1,5", "0x1p3":
            refused(f"{name} {value}", changed(**{name: value}), f"{name} = .* is not a finite number")
        settings += [f"{name}={value}" for value in ("1e400", "-1e400", "1e9999999999999", "1.0E+7")]
    for setting in settings:
        name, value = setting.split("=")
        refused(setting, changed(setting), f'{name} = "{re.escape(value)}" is out of range')
    for line in INCONSISTENT.strip("\n").splitlines():
        settings, pattern = line.split("; ", 1)
        refused(settings, changed(settings), pattern)


def check_input_file():
    lines = changed().splitlines(keepends=True)
    begin("input a directory")
    INPUT.mkdir()
    refuses_input("tmseXd.inp: .*directory")
    for label, text, pattern in (
            ("no input", None, "tmseXd.inp: cannot be opened"), ("input empty", "", "line 1: ISeed is missing"),
            ("input binary", Path(program).read_bytes()[:4000],
             "line [0-9]+: (ISeed is missing|this line has a control character|this line is too long)"),
            ("input zeros", bytes(100000), r"line 1: this line is too long .allowed: 1\.\.2000 characters"),
            ("a long value", changed(NOfIter=900 * "9"), 'line 2: NOfIter = "9999.*out of range'),
            ("2100 zeros before the point", changed(Kappa=2100 * "0" + "1.0"), "line 22: this line is too long"),
            ("50000 zeros before the point", changed(Kappa=50000 * "0" + "1.0"), "line 22: this line is too long"),
            ("two lines exchanged", "".join([*lines[:2], lines[3], lines[2], *lines[4:]]),
             'line 3: NOfOrtho is missing.*"NOfPrint"'),
            ("a line twice", "".join([*lines[:3], *lines[2:]]), 'line 4: NOfPrint is missing.*"NOfOrtho"'),
            ("a line too many", changed() + "Extra = 1\n", 'line 24: .*"Extra = 1"'),
            ("no equals sign", changed().replace("NOfGamma   =", "NOfGamma    "), "line 5: NOfGamma is missing"),
            ("zeros behind the input", changed() + 93 * "\0", "line [0-9]+: [A-Za-z0-9]+ "),
            *((f"input cut after {size} bytes", changed()[:size], "line [0-9]+: [A-Za-z0-9]+ ") for size in (1, 8, 100,
                                                                                                             250))):
        refused(label, text, pattern)
    begin("old results and a broken input", changed(Epsilon="ten"))
    RESULT.write_text("precious\n")
    refuses("Epsilon")
    check(RESULT.read_text() == "precious\n", "an old output file was touched")


def check_output():
    for keep in (0, 1):
        for label, make, pattern in (("a directory", RESULT.mkdir, ".*irectory"),
                                     ("nowhere", lambda: RESULT.symlink_to("/nowhere/file"), ""),
                                     ("a pipe", lambda: os.mkfifo(RESULT), "it is not a regular file")):
            begin(f"output {label}, IKeepFlag={keep}", changed(IKeepFlag=keep))
            make()
            refuses(f"{RESULT}: {pattern}")
    if os.getuid():
        begin("read-only directory", changed())
        Path().chmod(0o555)
        refuses(f"{RESULT}: .*ermission")
        Path().chmod(0o755)
    begin("disk full", changed())
    RESULT.symlink_to("/dev/full")
    refuses(f"{RESULT}: No space left")
    begin("standard output closed", changed())
    refuses("standard output: ", closed=(1,))
    begin("standard output full", changed())
    with open("/dev/full", "w") as full:
        refuses("standard output: No space left", stdout=full)
    check(complete_rows(RESULT) == 4, "the first point is not on disk")
    begin("second width fails", changed(Width1=5))
    Path("Avg-2D-W0005.raw").symlink_to("/dev/full")
    refuses("Avg-2D-W0005.raw: No space left")
    check(complete_rows(RESULT) == 8, "the first width is not on disk")
    check(RESULT.read_text().endswith("\n};\n"), "the first width is not closed")


def check_full_disk_in_sweep():
    begin("disk full in mid-sweep", changed("NOfGamma=1 dEnergy=0.02"))
    os.mkdir("page")
    if driver.run("unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=4k page page").returncode:
        print(f"  {driver.label}: skipped, no file system can be mounted here")
        return
    Path("on_page").write_text(ON_PAGE)
    output = refuses(f"{RESULT}: No space left", ["unshare", "-rm", "sh", "./on_page"], PROGRAM=program)
    there, reported = complete_rows(RESULT), len(re.findall("^end:", output, re.M))
    check(5 <= there <= 40, f"{there} points on disk")
    check(there == reported, f"{reported} points were reported, {there} are on disk")
    accepted(changed("NOfGamma=1 dEnergy=0.02 IKeepFlag=1"))
    check(complete_rows(RESULT) == 51, "cannot be resumed")


def run_before(label, text, cut=0):
    """A run, and the input of another. Returns the result of the first one, without its last bytes."""
    begin(label, changed())
    accepted()
    INPUT.write_text(text)
    before = RESULT.read_bytes()
    RESULT.write_bytes(before[:len(before) - cut])
    return before[:len(before) - cut]


def check_old_results():
    """Old results outlive a run that writes no point, and a restart with other parameters."""
    def still_there():
        check(RESULT.read_bytes() == before, "the old output file was touched")

    before = run_before("old results and an overflow", changed(OVERFLOW))
    refuses("take a smaller NOfOrtho")
    still_there()
    refusals = {} if "serial" in program else {"LEGATO_BACKEND": "gpu", "LEGATO_NUM_THREADS": "many"}
    refusals = list(refusals.items()) + [("LEGATO_BACKEND",
                                          "cuda")] * (bool(refusals) and not Path("/dev/nvidia0").exists())
    for name, value in refusals:
        for keep in (0, 1):
            before = run_before(f"old results and {name}={value}, IKeepFlag={keep}", changed(IKeepFlag=keep), cut=200)
            refuses(f"{name}|device|CUDA", **{name: value})
            still_there()
    for setting in ("ISeed=1 NOfIter=100000 NOfOrtho=5 NOfGamma=3 IBCFlag=0 IRNGFlag=1 ISortFlag=1 DiagDis0=5.0 "
                    "DiagDis1=4.5 dDiagDis=2.0 Energy0=0.1 Energy1=2.0 dEnergy=0.5 Kappa=0.9 Epsilon=0.04").split():
        before = run_before(f"restart with other {setting}", changed(f"IKeepFlag=1 {setting}"))
        name = setting.split("=")[0]
        refuses(f'{RESULT}: it has .*"{name} = .*", but the input asks for "{name} = .*"')
        still_there()
    before = b"Dear diary\n"
    begin("restart on a foreign file", changed(IKeepFlag=1))
    RESULT.write_bytes(before)
    refuses(f"{RESULT}: it is not an output file")
    still_there()
    begin("the same, standard error closed", changed(IKeepFlag=1))
    RESULT.write_bytes(before)
    status = driver.run(program, closed=(2,), timeout=60).returncode
    check(status == 1, f"exit status {status}")
    still_there()


def check_computation(limits):
    for label, settings in ("overflow", OVERFLOW), ("overflow in disorder", "NOfOrtho=100 DiagDis0=1e6 DiagDis1=1e6"):
        begin(label, changed(settings))
        refuses("take a smaller NOfOrtho")
    if os.environ.get("LEGATO_TEST_MEMORY", "limited"):
        for limit in ("60000", "100000", "200000", *limits):
            begin(f"memory {limit}", changed("Width0=4096 Width1=4096"))
            refuses("(not enough|out of|bytes of) memory", memory=int(limit), LEGATO_NUM_THREADS="2")


def check_unusual():
    """Inputs that are unusual but right must run."""
    zeros = 5000 * "0"
    begin("seed 0")
    check(accepted(changed(ISeed=0)) == accepted(changed(ISeed=1)), "does not give the numbers of seed 1")
    for settings in ("ISeed=2147483647", "ISeed=-2147483647", "NOfIter=9223372036854775807",
                     "Energy1=0.0 dEnergy=0 dWidth=0",
                     "DiagDis0=0 DiagDis1=0 NOfIter=1000", "Epsilon=1e-15 NOfIter=1000"):
        begin(settings)
        accepted(changed(settings))
    begin("no newline at the end")
    accepted(changed().removesuffix("\n"))
    lines = changed("Epsilon=5D-2 Kappa=+1. DiagDis0=.4e1").splitlines()
    lines[2:3] = ["\tnofORTHO\t=\t10 ! ten", " "]
    long_line = changed(Epsilon=1984 * "0" + ".05")
    check(len(long_line.splitlines()[-1]) == 2000, "not a line of 2000 characters")
    for label, text in (("comments, blanks, tabs, case, carriage returns, D exponents",
                         "".join(f"{line}\r\n" for line in ["! a comment", *lines])),
                        ("a long comment, a long line with a comment",
                         f"! {zeros}\n" + changed(Kappa=f"1.0 ! {zeros}")),
                        ("a line of 2000 characters", long_line)):
        begin(label)
        accepted(changed())
        plain = RESULT.read_bytes()
        accepted(text)
        check(RESULT.read_bytes() == plain, "not the same numbers")
    for settings in ("IDimenFlag=1 IBCFlag=0 Width0=1 Width1=1", "Kappa=0"):
        begin(f"exponents of exactly 0: {settings}")
        output = accepted(changed(f"{settings} DiagDis0=0 DiagDis1=0 Energy1=0 NOfIter=1000 IWriteFlag=1 NOfPrint=50"))
        written = output + "".join(path.read_text() for path in Path().glob("Avg-*"))
        check(not re.search("nan|inf", written, re.I), "no number")
        check(re.search("^end: ", output, re.M), "nothing printed")
        check(all(re.search(r"exponent = +0\.0+E\+000 error = +0\.0+E\+000", line) for line in output.splitlines()),
              "not 0")
    begin("fewer iterations than a cycle")
    check(len(re.findall("k = 1 .*not converged", accepted(changed(NOfIter=1)))) == 2, "not reported as not converged")


def main():
    global program, scratch
    program, *limits = driver.start(1, "PROGRAM [LIMIT]...")
    scratch = Path.cwd()
    check_fields()
    check_values()
    check_input_file()
    check_output()
    check_full_disk_in_sweep()
    check_old_results()
    check_computation(limits)
    check_unusual()
    os.chdir(scratch)
    driver.end("hostile_inputs", f"{cases} cases, ")


if __name__ == "__main__":
    main()
