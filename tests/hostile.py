"""Shared by the tests hostile_inputs.py.

Each broken input must end in one clear line on standard error that names what is wrong and in an exit status that is an
error and no signal. It must leave the result files of an earlier run as they were. LEGATO_TEST_MEMORY gives kB of
address space. It is empty if that cannot be limited, as under a sanitizer.
"""
import fcntl
import os
import re
from pathlib import Path

import driver
from driver import check


def substitute(text, *changes):
    """The text with the first match of each pattern in each line replaced. A change: a pattern and its replacement."""
    for old, new in changes:
        text = "".join(re.sub(old, new, line, count=1) for line in text.splitlines(keepends=True))
    return text


def moved(text, line, after):
    """The text with the line that has a word behind the line that has another."""
    lines = text.splitlines(keepends=True)
    found = next(each for each in lines if line in each)
    lines.remove(found)
    lines.insert(next(i for i, each in enumerate(lines) if after in each) + 1, found)
    return "".join(lines)


class Program:
    """A program in a scratch folder, its good input, and the result files of an earlier run."""

    def __init__(self, name, good, results):
        self.path, *others = driver.start(1, "PROGRAM [SPEAKER]: a line begins with its name or with SPEAKER")
        self.speakers = "|".join([name, *others])
        self.good, self.results = good, results
        Path("good.inp").write_text(good)
        self.cases = 0

    def run(self, *arguments, **how):
        return driver.run(self.path, *arguments, timeout=60, **how)

    def refused(self, label, pattern, *arguments, held="", **how):
        """The program must fail with one line that matches. Another run writes the .part file of `held`.

        Returns the output.
        """
        driver.label = label
        self.cases += 1
        ended = self.run(*arguments, **how)
        check(driver.is_refusal(ended), f"exit status {ended.returncode}")
        check(ended.stderr.count("\n") == 1 and re.search(f"^({self.speakers}): .*({pattern})", ended.stderr, re.I),
              f'not one line with "{pattern}" on standard error: {ended.stderr[:300]}')
        check("nan" not in ended.stdout.lower(), "NaN in the output")
        for name in self.results:
            check(Path(name).is_dir() or Path(name).read_text() == f"old {name}\n", f"{name} is touched")
            check(name == held or not Path(f"{name}.part").is_file(), f"{name}.part is left behind")
        return ended.stdout

    def broken(self, label, text, pattern, **how):
        """An input that must be refused. Returns the output."""
        Path("input.inp").write_text(text)
        output = self.refused(label, pattern, "input.inp", **how)
        check(text != self.good, "the input is as before")
        return output

    def each(self, cases, good=""):
        """The good or another input, changed as lines PATTERN/REPLACEMENT/MESSAGE/REPLACEMENT/MESSAGE... say."""
        for line in cases.strip("\n").splitlines():
            old, *changes = line.split("/")
            check(re.search(old, good or self.good, re.M), f"nothing matches {old}")
            for new, pattern in zip(changes[::2], changes[1::2], strict=True):
                self.broken(new, substitute(good or self.good, (old, new)), pattern)

    def unreadable(self, fields):
        """Each field is given a word without quotation marks. The message tells what is allowed."""
        for field in fields.split():
            self.broken(f"{field} unreadable", substitute(self.good, (rf"([ ,]{field} *= *)[^, \n]+", r"\1no#thing")),
                        f"{field} *= *no#thing.*: cannot be read: .*allowed: ")

    def succeeds(self, label, text):
        """Runs an input. Returns the results, which are replaced by those of an earlier run."""
        driver.label = label
        Path("other.inp").write_text(text)
        ended = self.run("other.inp")
        check(ended.returncode == 0, ended.stderr)
        return self.take_results()

    def take_results(self):
        contents = [Path(name).read_bytes() for name in self.results]
        for name in self.results:
            Path(name).write_text(f"old {name}\n")
        return contents

    def good_input(self):
        """The good input runs, with groups of either kind, in either case, and after a run that was killed."""
        self.first = self.succeeds("the good input", self.good)
        for name in self.results:
            Path(f"{name}.part").write_text("x" * 100000)
        title, *lines = self.good.splitlines(keepends=True)
        upper = "".join([title, *(line if "plotname" in line else line.upper() for line in lines)])
        for what, text in ("ampersands", self.good.replace("$", "&")), ("upper case", upper):
            check(self.succeeds(f"the good input with {what}", text) == self.first, "other numbers")

    def no_input(self):
        """What is no input file at all."""
        Path("folder.inp").mkdir()
        for name, text in (("input.dat", self.good.encode()), ("empty.inp", b""), ("binary.inp", os.urandom(4000)),
                           ("zeros.inp", bytes(4000)),
                           ("long.inp", self.good.encode() + b"0" * 5000 + b"\n")):
            Path(name).write_bytes(text)
        for case in (("no argument", "argument"), ("two arguments", "argument", "good.inp", "good.inp"),
                     ("an empty name", "input file", ""),
                     ("no such file", r"none\.inp", "none.inp"), ("wrong extension", r"\.inp", "input.dat"),
                     ("a directory", r"folder\.inp", "folder.inp"),
                     ("an empty file", "line 1: the file is empty", "empty.inp"),
                     ("binary", ".", "binary.inp"), ("zeros", ".", "zeros.inp"), ("a long line", "long", "long.inp")):
            self.refused(*case)

    def groups(self, names):
        """All groups of the good input, each broken."""
        for group in names.split():
            head, rest = self.good.split(f"${group}", 1)
            self.broken(f"misnamed group {group}", f"{head}$foo{rest}", f"{group}|foo")
            self.broken(f"file ends in {group}", f"{head}${group}{rest.split('=')[0]}\n", group)
            self.broken(f"no end of {group}", f"{head}${group}{rest.replace('$end', '', 1)}", group)
            self.broken(f"no such field in {group}", f"{head}${group} foo = 1,{rest}", "foo.*no such field")
        first = names.split()[0]
        self.broken("a group twice", substitute(self.good, (rf"(.*\${first}.*\n)", r"\1\1")), first)
        self.broken("text behind the groups", self.good + "more\n", "more")

    def without_group(self, names):
        for group in names.split():
            self.broken(f"no group {group}", re.sub(rf" *\${group}[^$]*\$end *\n", "", self.good), group)

    def short_of_memory(self, label, *changes):
        memory = os.environ.get("LEGATO_TEST_MEMORY", "2000000")
        if memory:
            self.broken(label, substitute(self.good, *changes), "memory|bytes", memory=int(memory))

    def ends_with(self, status, name):
        """The exit status without standard error. Messages must not go to what is opened in its place."""
        self.cases += 1
        for closed in (2,), (0, 2):
            driver.label = f"{name}, closed: {closed}"
            ended = self.run(name, closed=closed, LEGATO_LOG="info")
            check(ended.returncode == status, f"exit status {ended.returncode}")
            check(not re.search(f"^({self.speakers}|legato info): ", ended.stdout, re.M), "messages on standard output")

    def no_output(self):
        """Surroundings in which results or messages cannot be written."""
        self.ends_with(1, "none.inp")
        self.ends_with(0, "good.inp")
        for name in self.results:
            Path(f"{name}.part").mkdir()
            self.ends_with(1, "good.inp")
            Path(f"{name}.part").rmdir()
        check(self.take_results() == self.first, "other numbers")
        with open("/dev/full", "w") as full:
            self.refused("a full disk", "standard output: No space left", "good.inp", stdout=full)
        self.refused("a closed standard output", "standard output: ", "good.inp", closed=(1,))
        for name in self.results:
            self.no_result(Path(name), Path(f"{name}.part"))

    def no_result(self, result, part):
        """A result or its .part file is no plain file, or another run writes it."""
        result.rename("kept")
        result.mkdir()
        self.refused(f"{result} is a directory", f"{result}: it is a directory", "good.inp")
        result.rmdir()
        Path("kept").rename(result)
        with part.open("w") as other:
            print("half", file=other, flush=True)
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.refused(f"{result} of another run", f"{part}: another run is writing it", "good.inp", held=result.name)
        victim = Path("victim")
        victim.write_text("half\n")
        check(part.read_text() == "half\n", "the file is touched")
        part.unlink()
        for what, make in (("directory", part.mkdir), ("link", lambda: part.symlink_to(victim)),
                           ("pipe", lambda: os.mkfifo(part))):
            make()
            self.refused(f"{part} is a {what}", f"{part}: it is not a regular file", "good.inp",
                         held=result.name if what == "link" else "")
            check(victim.read_text() == "half\n", "what the link leads to is touched")
            (part.rmdir if what == "directory" else part.unlink)()

    def end(self, least):
        """Ends the test, of at least so many cases."""
        driver.label = ""
        check(self.cases >= least, f"fewer than {least} cases")
        driver.end("hostile_inputs", f"{self.cases} cases, ")
