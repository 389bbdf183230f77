#!/usr/bin/env python3
"""wide.py LAYOUT BACKEND PROGRAM: a program with its own multiplication.

Wide arrays are orthonormalised by the engine and copied back. The numbers are those of the immediate call on the CPU.
BACKEND, cpu or cuda, is the backend that must be used.
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import driver  # noqa: E402
from driver import check, has, number  # noqa: E402

# Settings, N, the backend that is used, and the way.
CASES = {"cpu": (*(("LEGATO_BACKEND=cpu LEGATO_DROPIN=deferred", n, "cpu", "there and back") for n in (1, 5, 48, 256)),
                 ("LEGATO_BACKEND=cpu LEGATO_DROPIN=auto", 256, "cpu", "at once")),
         "cuda": (*(("LEGATO_BACKEND=cuda LEGATO_DROPIN=auto", n, "cuda", "there and back") for n in (256, 384)),
                  ("LEGATO_BACKEND=auto LEGATO_DROPIN=auto", 40, "cpu", "at once"),  # too narrow
                  ("LEGATO_BACKEND=cuda", 40, "cuda", "there and back"),             # unless the GPU is asked for by name
                  ("LEGATO_BACKEND=auto LEGATO_DROPIN=at_once", 256, "cpu", "at once"))}


def numbers(output):
    return [list(map(number, line.split())) for line in output.splitlines()]


def compare(program, layout, settings, n, backend, way):
    driver.label = f"{settings}, N = {n}"
    at_once, _ = driver.expect(0, program, layout, str(n), LEGATO_BACKEND="cpu", LEGATO_DROPIN="at_once")
    environment = dict(setting.split("=") for setting in settings.split())
    output, messages = driver.expect(0, program, layout, str(n), LEGATO_LOG="info", **environment)
    check(output.splitlines()[2].split() == ["0", "0", "0"], f"vectors that vanish: {output}")
    has(f"ran 5 renorm, .*; backend {backend}, {way}, psi", messages)
    pairs = [(a, b) for line, other in zip(numbers(at_once), numbers(output), strict=True)
             for a, b in zip(line, other, strict=True)]
    check(len(pairs) == 12 and all(abs(b - a) <= 1e-9 * (1 + abs(a)) for a, b in pairs),
          f"other numbers: {at_once}{output}")


def main():
    layout, kind = sys.argv[1:3]
    del sys.argv[1:3]
    program, = driver.start(1, "LAYOUT BACKEND PROGRAM")
    for case in CASES[kind]:
        compare(program, layout, *case)
    driver.label = ""
    driver.end("wide")


if __name__ == "__main__":
    main()
