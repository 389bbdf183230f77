#!/usr/bin/env python3
"""Every public symbol is documented in the reference, and doxygen notices one that is not.

    reference_test.py DOXYFILE

In copies of the sources the comment of one symbol is removed at a time: of a typedef, a function, a struct, a member, and of
the Fortran modules of a type, a procedure bound to it and an interface. Exit status 77: skipped, as doxygen is not installed.
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# File, declaration, and the symbol that doxygen must name without its comment.
SYMBOLS = (
    ("vmc.h", r"typedef struct legato_vmc legato_vmc;", "legato_vmc"),
    ("tmm.h", r"LEGATO_API int32_t legato_tmm_size\(", "legato_tmm_size"),
    ("kpm.h", r"typedef struct legato_kpm_params \{", "legato_kpm_params"),
    ("ising.h", r"double specific_heat;", "specific_heat"),
    ("legato_tmm.f90", r"type, extends\(legato_resumable_run\) :: legato_tmm\n", "legato_tmm_module::legato_tmm"),
    ("legato_tmm.f90", r"subroutine tmm_size\(", "tmm_size"),
    ("legato_kpm_vectors.f90", r"function kpm_stoppable_start_vector\(", "kpm_stoppable_start_vector"),
)


def undescribed():
    """Enumerators without a comment, and modules whose file does not begin with one: doxygen says nothing of these."""
    for path in sorted((ROOT / "capi/include/legato").glob("*.h")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if re.match(r" +LEGATO_[A-Z0-9_]+ = -?[0-9]+,?$", line):
                yield f"{path}:{number}: {line.strip()}"
    for path in sorted([*(ROOT / "fortran").glob("legato*.f90"), *(ROOT / "mpi").glob("*.f90")]):
        internal = re.fullmatch(r"legato_(c|c_.*|support|dropin)\.f90", path.name)
        if not internal and not path.read_text().startswith("!>"):
            yield f"{path}: the module"


def doxygen(doxyfile, folder, *settings):
    """The exit status, and what doxygen says."""
    text = "\n".join([doxyfile.read_text(), f"OUTPUT_DIRECTORY = {folder}/output", *settings, ""])
    (folder / "doxyfile").write_text(text)
    run = subprocess.run(["doxygen", folder / "doxyfile"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return run.returncode, run.stdout


def without_comment(text, declaration):
    """The text without the comment above the declaration, or behind it on its line."""
    place = re.search(declaration, text)
    assert place, f"there is no {declaration}"
    line = text.rfind("\n", 0, place.start()) + 1
    end = text.index("\n", place.start())
    behind = re.compile(r"/\*\*<.*?\*/", re.S).search(text, place.end())
    if behind and behind.start() < end:
        return text[:behind.start()] + text[behind.end():]
    above = re.search(r"(/\*\*(?:(?!\*/).)*\*/\n|(?:^ *!.*\n)+)\Z", text[:line], re.S if "/**" in text else re.M)
    assert above, f"{declaration} has no comment"
    return text[:above.start()] + text[line:]


def is_noticed(doxyfile, folder, file, declaration, symbol):
    """Whether doxygen names the symbol in a copy of the sources without its comment."""
    copy = folder / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for path in [*(ROOT / "capi/include/legato").glob("*.h"), *(ROOT / "fortran").glob("legato*.f90")]:
        shutil.copy(path, copy)
    text = (copy / file).read_text()
    (copy / file).write_text(without_comment(text, declaration))
    status, said = doxygen(doxyfile, folder, f"INPUT = {copy}")
    return status != 0 and re.search(rf"{re.escape(symbol)}\b.* is not documented", said) is not None


def main():
    if not shutil.which("doxygen"):
        print("skipped: doxygen is not installed")
        sys.exit(77)
    doxyfile = Path(sys.argv[1]).resolve()
    wrong = list(undescribed())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        status, said = doxygen(doxyfile, folder)
        wrong += said.splitlines() if status else []
        wrong += [f"{symbol} without a comment was not noticed" for file, declaration, symbol in SYMBOLS
                  if not is_noticed(doxyfile, folder, file, declaration, symbol)]
    print("\n".join(wrong) or f"reference: complete; {len(SYMBOLS)} removed comments were noticed")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
