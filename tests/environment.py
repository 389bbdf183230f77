#!/usr/bin/env python3
"""environment.py PROGRAM INPUT RESULT [SETTING]...: environment variables and messages of a program on the library.

RESULT is the file with the numbers, "out" for standard output. Each SETTING is a further one that must be refused.
"""
import sys
from pathlib import Path

import driver
from driver import check, has

SETTINGS = ("LEGATO_BACKEND=gpu", "LEGATO_NUM_THREADS=many", "LEGATO_LOG=loud", "LEGATO_DEVICE=first")


class Program:
    def __init__(self, path, text, result):
        without_argument = "tmsexd" in Path(path).name
        name = "tmseXd.inp" if without_argument else "run.inp"
        self.command = [path] if without_argument else [path, name]
        self.result = result
        Path(name).write_text(text)

    def numbers(self, output):
        """Everything but the seconds."""
        text = output if self.result == "out" else Path(self.result).read_text()
        return [line for line in text.splitlines() if not line.endswith(" s")]

    def runs(self, label, **environment):
        """The messages and the numbers."""
        driver.label = label
        output, messages = driver.expect(0, *self.command, **environment)
        return messages, self.numbers(output)

    def refuses(self, setting, first):
        driver.label = setting
        name, value = setting.split("=")
        ended = driver.run(*self.command, **{name: value})
        check(driver.is_refusal(ended), f"exit status {ended.returncode}")
        check(ended.stderr.count("\n") == 1, f"not one line: {ended.stderr}")
        has(f"^legato: {name}|^legato: .*(CUDA|NVIDIA driver)", ended.stderr)
        check("insufficient" not in ended.stderr, f"a driver that is missing is called insufficient: {ended.stderr}")
        check(self.result == "out" or self.numbers("") == first, "the files of the run before are touched")


def main():
    path, text, result, *settings = driver.start(1, "PROGRAM INPUT RESULT [SETTING]...")
    program = Program(path, Path(text).read_text(), result)
    messages, _ = program.runs("messages", LEGATO_LOG="info")
    has("^legato info: .*backend", messages)
    messages, first = program.runs("one thread", LEGATO_BACKEND="cpu", LEGATO_NUM_THREADS="1")
    check(not messages, f"not silent: {messages}")
    check(first, "no numbers")
    _, second = program.runs("two threads", LEGATO_BACKEND="cpu", LEGATO_NUM_THREADS="2")
    check(second == first, "other numbers")
    no_device = [] if Path("/dev/nvidia0").exists() else ["LEGATO_BACKEND=cuda"]
    for setting in (*SETTINGS, *settings, *no_device):
        program.refuses(setting, first)
    driver.label = ""
    driver.end("environment")


if __name__ == "__main__":
    main()
