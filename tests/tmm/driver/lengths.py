#!/usr/bin/env python3
"""lengths.py LENGTHS SCALING SERIAL: tables of tmm_lengths, runs that are killed or out of time, and refusals.

SERIAL is tmsexd, whose exponents come from another program and other random numbers.
"""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, has, is_refusal  # noqa: E402

BARS = ("--widths", "4,5", "--disorder", "15:17:0.5,20")
LONG = ("--widths", "5:6", "--disorder", "16:17:0.5", "--epsilon", "0.004", "--state", "long")


def replaced(options, *others):
    """The options with these values instead of the earlier ones, because an option cannot be given twice."""
    pairs = dict(zip(options[::2], options[1::2])) | dict(zip(others[::2], others[1::2]))
    return [word for pair in pairs.items() for word in pair]


def table(*arguments, status=0):
    """The columns M, W, Lambda, error and multiplications of each line, and the whole output."""
    output, messages = driver.expect(status, lengths, *arguments)
    check(messages == "" if status == 0 else "points have not converged; the table says why in comments" in messages, messages)
    return [[driver.number(word) for word in line.split()[:5]] for line in output.splitlines() if not line.startswith("#")], output


def test_lengths():
    driver.label = "lengths"
    found, output = table(*BARS, "--epsilon", "0.01")
    check([row[:2] for row in found] == [[m, w] for m in (4, 5) for w in (15, 15.5, 16, 16.5, 17, 20)], "M and W")
    check(all(0 < row[3] <= 0.01 * row[2] for row in found), "errors")
    has("^# tmm_lengths: E = 0.0, dimension 3, boundary periodic, distribution uniform, .* epsilon 0.01, ", output)
    # An exponent of the serial program.
    text = (driver.INPUTS / "tmm/inputs/3d_periodic.inp").read_text()
    for name, value in {"Width0": 4, "Width1": 4, "DiagDis0": 16.5, "DiagDis1": 16.5, "Epsilon": 0.005, "NOfIter": 1000000}.items():
        text = re.sub(rf"^({name} *=).*", rf"\1 {value}", text, flags=re.M)
    Path("tmseXd.inp").write_text(text)
    driver.expect(0, serial)
    words = re.search(r"\{ +1, +(\S+), +(\S+), +(\S+), +(\S+), 0 \}", Path("Avg-3D-W0004.raw").read_text())
    exponent, error = driver.number(words[3]), driver.number(words[4])
    row = found[3]
    off = (row[2] - 1 / (4 * exponent)) / ((row[3] ** 2 + (error / 4 / exponent) ** 2) ** 0.5)
    check(driver.number(words[1]) == 16.5 and abs(off) < 4, f"M = 4, W = 16.5: {off} errors from the serial program")
    # Widths are independent runs, of whose results the other widths tell nothing.
    check(table("--widths", "5", *BARS[2:], "--epsilon", "0.01")[0] == found[6:], "a width alone")
    check(table(*BARS, "--epsilon", "0.01", "--seed", "5")[0] != found, "another seed")
    Path("table").write_text(output)
    driver.expect(0, scaling, "--orders", "2,0,1,0", "--resamples", "100", "table")


def test_other_systems():
    driver.label = "a chain"
    # 24 (4 - E^2) / W^2 to the lowest order in W.
    (width, energy, length, error, _), *rest = table("--dimension", "1", "--energy", "0.5,1", "--disorder", "0.5")[0]
    check(width == 1 and energy == 0.5 and len(rest) == 1 and abs(length - 360) < 4 * error + 0.02 * 360, f"{length} +- {error}")
    driver.label = "strips"
    options = ("--dimension", "2", "--widths", "3", "--disorder", "4", "--epsilon", "0.02", "--boundary", "hard_wall")
    alone, replicas = table(*options)[0][0], table(*options, "--replicas", "16")[0][0]
    check(abs(alone[2] - replicas[2]) < 4 * (alone[3] ** 2 + replicas[3] ** 2) ** 0.5 and alone[2] != replicas[2], f"{alone}, {replicas}")
    # A uniform distribution with the standard deviation W has the full width W sqrt(12).
    scaled = ("--distribution", "uniform_scaled", "--disorder", repr(4 / 12**0.5))
    other = table(*replaced(options, *scaled))[0][0]
    check(abs(alone[2] - other[2]) < 4 * (alone[3] ** 2 + other[3] ** 2) ** 0.5, f"{alone}, {other}")
    for changed in (("--hopping", "0.5"), ("--boundary", "periodic"), ("--distribution", "gaussian"), ("--n-ortho", "7")):
        check(table(*replaced(options, *changed))[0][0][2:] != alone[2:], f"{changed[0]} changes nothing")


def test_models():
    """The heading names what a model uses, and a state of another model is refused."""
    driver.label = "models"
    start = ("--dimension", "2", "--widths", "2,3", "--disorder", "6", "--epsilon", "0.1")
    cases = (("anderson", (), "model anderson, hopping-disorder none$"),
             ("peierls", ("--longitudinal-flux", "0.25"), "longitudinal-flux 0.25, transverse-flux 0.0, "),
             ("u1", ("--hopping-disorder", "uniform"), "model u1, hopping-disorder uniform, hopping-width 1.0$"),
             ("su2", ("--energy", "1"), "E = 1.0, .* model su2, "), ("ando", ("--spin-orbit", "0.3"), "spin-orbit 0.3, "))
    lengths_of = {}
    for model, options, heading in cases:
        rows, output = table(*start, "--model", model, *options)
        has(heading, output)
        lengths_of[model] = tuple(row[2] for row in rows)
        check(len(rows) == 2, output)
    check(len(set(lengths_of.values())) == 5, str(lengths_of))
    table(*start, "--model", "su2", "--state", "model")
    refused('"model-2.h5" has another run: --model su2 there, ando here', *start, "--model", "ando", "--state", "model")


def test_ranges():
    driver.label = "ranges"
    quick = ("--dimension", "2", "--widths", "2", "--epsilon", "0.2")
    for text, values in {"-0.3:0.3:0.1": [-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3], "0.1:0.5:0.2": [0.1, 0.3, 0.5], "-2e-4,1.2345678901234567e-4": [-2e-4, 1.2345678901234567e-4]}.items():
        found = [row[1] for row in table(*quick, "--disorder", "4", "--energy", text)[0]]
        check(found == values, f"{text}: {found}")
    check(len(table(*replaced(quick, "--disorder", "1:100", "--epsilon", "1"))[0]) == 100, "1:100")


def test_points_without_result():
    driver.label = "points without a result"
    _, output = table("--widths", "4", "--disorder", "16", "--max-multiplications", "100", status=1)
    has("^# 4 .* # not converged$", output)     # no error is known
    _, output = table("--widths", "4", "--disorder", "0", "--max-multiplications", "4000", status=1)
    has("^# 4 +0.0 .* # not converged$", output)     # no exponent is known
    rows, output = table("--widths", "4", "--disorder", "16", "--max-multiplications", "2000", status=1)
    check(len(rows) == 1 and rows[0][3] > 0, output)
    has("^4 +16.0 .* # not converged$", output)
    _, output = table("--widths", "4", "--disorder", "1", "--energy", "1e6", "--n-ortho", "1000", status=1)
    has("^# 4 .* # failed: overflow between two orthonormalisations; take a smaller --n-ortho$", output)


def test_restarts():
    driver.label = "killed"
    whole = table(*LONG)[1]
    kills = 0
    for path in Path().glob("long-*.h5"):
        path.unlink()
    for path in ("long-5.h5", "long-6.h5"):
        kills += driver.killed_when(Path(path).exists, lengths, *LONG)
    check(kills == 2, f"the program was killed {kills} times")
    check(table(*LONG)[1] == whole, f"another table after {kills} kills")
    driver.label = "out of time"
    for path in Path().glob("long-*.h5"):
        path.unlink()
    stops, ended = driver.out_of_time(lambda minutes: driver.run(lengths, *LONG, "--minutes", minutes), lambda ended:
                                      has("^tmm_lengths: the time is over at M = [56]; the same command goes on$", ended.stderr))
    check(stops > 0 and ended.returncode == 0 and ended.stdout == whole, f"another table after {stops} stops")


def refused(message, *arguments):
    driver.label = " ".join(arguments)[:60]
    ended = driver.run(lengths, *arguments)
    check(is_refusal(ended), f"status {ended.returncode}")
    check(ended.stderr.startswith(f"tmm_lengths: {message}") and ended.stderr.count("\n") == 1, ended.stderr)


def test_refusals():
    table("--widths", "4", "--disorder", "16", "--epsilon", "0.1", "--state", "one")
    start = ("--widths", "4", "--state", "one")
    for option, found, value in (("--epsilon", "0.1", "0.2"), ("--boundary", "periodic", "hard_wall"), ("--seed", "1277", "5"),
                                 ("--distribution", "uniform", "gaussian"), ("--hopping", "1.0", "0.5"), ("--replicas", "1", "2"),
                                 ("--n-ortho", "10", "7"), ("--max-multiplications", "1000000000", "9"), ("--dimension", "3", "2")):
        refused(f'"one-4.h5" has another run: {option} {found} there, {value} here',
                *replaced((*start, "--disorder", "16", "--epsilon", "0.1"), option, value))
    refused('"one-4.h5" has another run: point 1: --disorder 16.0 there, 17.0 here', *start, "--disorder", "17", "--epsilon", "0.1")
    refused('"one-4.h5" has another run: number of points 1 there, 2 here', *start, "--disorder", "16,17", "--epsilon", "0.1")
    Path("one-5.h5").write_bytes(Path("one-4.h5").read_bytes())
    refused('"one-5.h5" has another run: M = 4 there, 5 here', "--widths", "5", "--state", "one", "--disorder", "16", "--epsilon", "0.1")
    Path("bad-4.h5").write_text("nothing")
    refused("state file bad-4.h5: ", "--widths", "4", "--disorder", "16", "--state", "bad")
    refused("state file missing/x-4.h5: ", "--widths", "4", "--disorder", "16", "--state", "missing/x", "--epsilon", "0.1")
    refused("--widths is missing")
    refused("--disorder is missing", "--widths", "4")
    refused("--disorder and --energy both have several values", "--widths", "4", "--disorder", "1,2", "--energy", "0,1")
    refused("--minutes needs --state", "--widths", "4", "--disorder", "1", "--minutes", "1")
    refused("--widths: 4.5 is not a whole number", "--widths", "4.5", "--disorder", "1")
    refused("--widths: 5 occurs twice", "--widths", "4:6,5", "--disorder", "1")
    for value in ("a", "1,", ",1", "1:", ":1", "1:2:", "1:2:a", "1:2:3:4", "nan", "1-2"):
        refused("--disorder ", "--widths", "4", "--disorder", value)
    refused('--disorder "2:1": the last value is less than the first', "--widths", "4", "--disorder", "2:1")
    refused('--disorder "1:2:0": the step is not positive', "--widths", "4", "--disorder", "1:2:0")
    refused('--disorder "1:2:-1": the step is not positive', "--widths", "4", "--disorder", "1:2:-1")
    refused('--disorder "1:2000000" (allowed: 0.0..1000000.0)', "--widths", "4", "--disorder", "1:2000000")
    refused("--disorder: more than 100000 values", "--widths", "4", "--disorder", "0:1:0.000001")
    refused('--widths "5000" (allowed: 1.0..4096.0)', "--widths", "5000", "--disorder", "1")
    refused('--dimension "4" is not a whole number in 1..3', "--dimension", "4")
    refused('--boundary "open" (allowed: hard_wall, periodic, antiperiodic)', "--boundary", "open")
    refused('--distribution "box" (allowed: uniform, uniform_scaled, gaussian)', "--distribution", "box")
    refused('--epsilon "2" (allowed: ', "--epsilon", "2")
    refused('--replicas "0" is not a whole number in 1..1000000', "--replicas", "0")
    refused('--seed "-1" is not a whole number', "--seed", "-1")
    refused("--seed needs a value", "--seed")
    refused("the option --seed is given twice", "--seed", "1", "--seed", "1")
    refused("--state has an empty value", "--state", "")
    refused('there is no option "--width"', "--width", "4")
    refused('there is no option "file"', "file")
    refused("--disorder: more than 100000 values", "--widths", "4", "--disorder", "1:100000,5")
    refused("--widths: 70 (allowed with --dimension 3 --model anderson: 1..64)", "--widths", "4,70", "--disorder", "1")
    refused("--widths: 5 (allowed with --dimension 1 --model anderson: 1..1)", "--dimension", "1", "--widths", "5", "--disorder", "1")
    for message, *options in (
            ("--spin-orbit needs --model ando", "--spin-orbit", "0.3"),
            ("--hopping-width needs --hopping-disorder", "--hopping-width", "2"),
            ("--longitudinal-flux needs --model peierls", "--longitudinal-flux", "0.25"),
            ("--transverse-flux needs --model peierls in 3", "--model", "peierls", "--dimension", "2", "--transverse-flux", "0.5"),
            ("--model peierls needs --longitudinal-flux or", "--model", "peierls"),
            ("--anisotropy needs --dimension 3", "--dimension", "2", "--anisotropy", "2"),
            ("--anisotropy 0: a bar would be independent strips", "--anisotropy", "0"),
            ('--hopping-width "11" (allowed: 0.0..10.0)', "--hopping-disorder", "uniform", "--hopping-width", "11"),
            ("--transverse-flux 0.25 times the width 6 is not a whole number", "--model", "peierls", "--transverse-flux", "0.25"),
            ('--model "ising" (allowed: anderson, peierls, u1, su2, ando)', "--model", "ising")):
        refused(message, "--widths", "4,6", "--disorder", "9", "--epsilon", "0.5", *options)
    refused("--widths: 33 (allowed with --dimension 3 --model ando: 1..32)", "--widths", "4,33", "--disorder", "9", "--model", "ando")
    refused("--boundary periodic (allowed with --dimension 1: hard_wall)", "--dimension", "1", "--boundary", "periodic", "--disorder", "1")


def test_help():
    driver.label = "help"
    check(driver.expect(0, lengths, "--help")[0].startswith("usage: tmm_lengths"), "help")


lengths, scaling, serial = driver.start(3, "LENGTHS SCALING SERIAL")
for test in (test_lengths, test_other_systems, test_models, test_ranges, test_points_without_result, test_restarts, test_refusals, test_help):
    test()
sys.exit(len(driver.complaints))
