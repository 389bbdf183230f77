#!/usr/bin/env python3
"""dropin_setting.py PROGRAM: the values of LEGATO_DROPIN, and the last line of the drop-in."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import driver  # noqa: E402
from driver import check, expect, has  # noqa: E402
from runs import INPUT, changed  # noqa: E402

program, = driver.start(1, "PROGRAM")
INPUT.write_text(changed(NOfOrtho=3))
has(r"^legato info: Legato [0-9.]+ ran [1-9]\d* renorm, [1-9]\d* tmmult2d, 0 tmmult3d, [1-9]\d* swap; backend cpu",
    expect(0, program, LEGATO_LOG="info")[1])
has('^legato: LEGATO_DROPIN: "sometimes" is not one of auto, at_once, deferred$',
    expect(1, program, LEGATO_DROPIN="sometimes")[1])
messages = expect(0, program, LEGATO_BACKEND="cpu", LEGATO_DROPIN="")[1]
check(not messages, f"not silent: {messages}")
driver.end("dropin_setting")
