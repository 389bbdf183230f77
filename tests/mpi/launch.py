"""The MPIs of this machine. The tests compile liblegato_mpi from its sources, as users of another MPI do."""
import os
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))
import driver  # noqa: E402
from driver import check  # noqa: E402,F401 (for the tests)

SKIPPED = 77


class Mpi:
    """An MPI, and the programs that it has compiled."""

    def __init__(self, name, compilers, launcher, build):
        self.name, self.compilers, self.launcher, self.build = name, compilers, launcher, Path(build).resolve()

    def is_there(self):
        return all(map(shutil.which, (*self.compilers, self.launcher[0])))

    def compile(self, compiler, *words):
        command = (compiler, *map(str, words), f"-I{ROOT}/capi/include", f"-I{ROOT}/mpi/include")
        ended = driver.run(*command)
        if ended.returncode != 0:
            sys.exit(f"{' '.join(command)}: {ended.stderr}")

    def libraries(self):
        folder = self.build / "capi"
        return f"-L{folder}", "-llegato", f"-Wl,-rpath,{folder}"

    def program(self, name, *flags):
        """The path of the program that tests/mpi/NAME.c becomes."""
        path = Path(f"{name}.{self.name}").resolve()
        self.compile(self.compilers[0], "-std=c99", "-Wall", "-Wextra", "-Werror", "-O1", "-fvisibility=hidden", *flags,
                     HERE / f"{name}.c", ROOT / "mpi/legato_mpi.c", "-o", path, *self.libraries())
        return path

    def fortran_program(self, name):
        """The path of the program that tests/mpi/NAME.f90 becomes. The modules of this MPI go to a folder of their own."""
        path, modules = Path(f"{name}_f.{self.name}").resolve(), Path(f"modules.{self.name}").resolve()
        modules.mkdir(exist_ok=True)
        self.compile(self.compilers[0], "-std=c99", "-c", ROOT / "mpi/legato_mpi.c", "-o", f"{path}.o")
        self.compile(self.compilers[1], f"-J{modules}", f"-I{self.build}/fortran/modules", ROOT / "mpi/legato_mpi.f90",
                     HERE / f"{name}.f90", f"{path}.o", "-o", path, f"-L{self.build}/fortran", "-llegato_fortran",
                     *self.libraries())
        return path

    def command(self, ranks, *words):
        return (*self.launcher, "-n", str(ranks), *map(str, words))

    def run(self, ranks, *words, **how):
        return driver.run(*self.command(ranks, *words), timeout=how.pop("timeout", 200), **how)


def begin(usage):
    """The MPIs that are installed, and the arguments after the build folder. Ends the test if there is none."""
    build, *rest = sys.argv[1:] or sys.exit(f"usage: {usage}")
    known = (Mpi("openmpi", ("mpicc.openmpi", "mpif90.openmpi"),
                 ("mpirun.openmpi", "--oversubscribe", "--bind-to", "none"), build),
             Mpi("mpich", ("mpicc.mpich", "mpif90.mpich"), ("mpiexec.hydra",), build))
    driver.start(0, usage)
    found = [mpi for mpi in known if mpi.is_there()]
    if not found:
        print("no MPI is installed")
        sys.exit(SKIPPED)
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", LEGATO_CACHE="none")
    os.environ.setdefault("LEGATO_BACKEND", "cpu")
    os.environ.setdefault("LEGATO_NUM_THREADS", "1")
    return found, rest


def results(name, ranks):
    """The files that the ranks have written, as one set; they are then removed."""
    paths = [Path(f"{name}.{rank}") for rank in range(ranks)]
    contents = {path.read_bytes() if path.exists() else b"" for path in paths}
    for path in paths:
        path.unlink(missing_ok=True)
    return contents


def end(name, mpis):
    driver.end(name, f"{driver.cases} cases with {', '.join(mpi.name for mpi in mpis)}; ")
