#!/usr/bin/env python3
"""reproduce.py PROGRAM SCRIPT: scripts/reproduce/anderson3d.sh in its size for tests, killed, out of time, and refused.

PROGRAM is tmm_lengths, whose folder has the other programs.
"""
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, has, killed_after  # noqa: E402


def data(folder):
    return {path.name: path.read_text() for path in Path(folder).glob("lambda-test-?.dat")}


def test_results():
    driver.label = "results"
    output, messages = driver.expect(0, script, "whole")
    check(messages == "", messages)
    found = re.findall(r"^M >= (\d) +(\d),0,1,0 +\S+ +(\S+) +(\S+) \+- +(\S+) +(\S+) \+- +(\S+) +\S+ \+- +\S+$", output, re.M)
    check([row[:2] for row in found] == [("4", "2"), ("4", "1")], output)
    for row in found:
        goodness, critical, error, exponent, its_error = map(driver.number, row[2:])
        check(goodness > 1e-3 and abs(critical - 16.54) < 4 * error and abs(exponent - 1.571) < 4 * its_error, " ".join(row))
    has(r"^published \(1\) +16\.54 +\+- 0\.01 +1\.571 \+- 0\.004 +0\.576 \+- 0\.002$", output)
    check(len(data("whole")) == 2, "tables")
    return output


def test_restarts(whole):
    driver.label = "killed"
    kills = 0
    while killed_after(0.01 + 0.1 * kills, script, "killed") and kills < 100:
        kills += 1
    output = driver.expect(0, script, "killed")[0]
    check(kills > 0 and output == whole and data("killed") == data("whole"), f"not the same after {kills} kills")
    driver.label = "out of time"
    stops, ended = driver.out_of_time(lambda minutes: driver.run(script, "slow", LEGATO_REPRODUCE_MINUTES=minutes), lambda ended: None)
    check(stops > 0 and ended.stdout == whole and data("slow") == data("whole"), f"not the same after {stops} stops")


def test_refusals():
    def refused(message, *arguments, **environment):
        driver.label = message
        ended = driver.run(script, *arguments, **environment)
        check(ended.returncode == 1 and ended.stderr.startswith(f"anderson3d: {message}"), f"{ended.returncode}: {ended.stderr}")

    refused("LEGATO_REPRODUCE_SIZE: big is not one of cpu, gpu, test", LEGATO_REPRODUCE_SIZE="big")
    refused("too many arguments", "one", "two")
    refused('the argument "" is neither a folder nor --help', "")
    refused('the argument "--folder" is neither a folder nor --help', "--folder")
    has("^    anderson3d.sh \\[FOLDER\\]", driver.expect(0, script, "--help")[0])
    check(not Path("--help").exists(), "a folder --help")
    refused("tmm_lengths is not on PATH", LEGATO_REPRODUCE_PROGRAMS=os.getcwd())
    for value in ("soon", "-1", ".", "1e3"):
        refused(f"LEGATO_REPRODUCE_MINUTES: {value} is not a number", LEGATO_REPRODUCE_MINUTES=value)
    refused("LEGATO_REPRODUCE_MINUTES: 1000000 has more than six characters", LEGATO_REPRODUCE_MINUTES="1000000")


program, script = driver.start(2, "PROGRAM SCRIPT")
os.environ.update(LEGATO_REPRODUCE_PROGRAMS=str(Path(program).parent), LEGATO_REPRODUCE_SIZE="test", LEGATO_BACKEND="cpu")
whole_output = test_results()
test_restarts(whole_output)
test_refusals()
sys.exit(len(driver.complaints))
