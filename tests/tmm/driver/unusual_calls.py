#!/usr/bin/env python3
"""unusual_calls.py PROGRAM: immediate and deferred execution give the same numbers, to 1e-9 of the largest in a line.

Calls that cannot be deferred must end the program with a message.
"""
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, has, number  # noqa: E402

AT_ONCE = {"LEGATO_BACKEND": "cpu", "LEGATO_DROPIN": "at_once"}


def numbers(output):
    """Of each line, by its label in brackets."""
    return {label: list(map(number, words.split())) for label, words in re.findall(r"^\[(.*)\] (.*)", output, re.M)}


def check_refused(program, rule):
    driver.label = rule
    ended = driver.run(program, rule, **AT_ONCE)
    check(ended.returncode == 0 and rule in numbers(ended.stdout) and "NaN" not in ended.stdout,
          f"no numbers at once: {ended.stdout}{ended.stderr}")
    ended = driver.run(program, rule, LEGATO_DROPIN="deferred")
    check(driver.is_refusal(ended), f"exit status {ended.returncode}: {ended.stdout}")
    has("take LEGATO_DROPIN=at_once", ended.stderr)


def main():
    program, = driver.start(1, "PROGRAM")
    at_once, _ = driver.expect(0, program, **AT_ONCE)
    deferred, messages = driver.expect(0, program, LEGATO_LOG="info", LEGATO_DROPIN="deferred")
    has("deferred, psi", messages)
    for rule in "pairs", "partner", "own", "negated", "elements", "size":
        check_refused(program, rule)
    driver.label = ""
    once, later = numbers(at_once), numbers(deferred)
    check(len(once) == 15 and once.keys() == later.keys(), f"lines {[*once]}, deferred {[*later]}")
    for driver.label in once.keys() & later.keys():
        largest = max(map(abs, once[driver.label]))
        off = [abs(a - b) for a, b in zip(once[driver.label], later[driver.label], strict=True)]
        check(largest > 0 and all(d <= 1e-9 * largest for d in off), f"differ by {max(off)} of {largest}")
    driver.end("unusual_calls", f"{len(once)} lines, ")


if __name__ == "__main__":
    main()
