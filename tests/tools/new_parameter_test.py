#!/usr/bin/env python3
"""A new parameter needs one line in a public header and the line that uses it.

    new_parameter_test.py

In a copy of the repository a member is added to legato_kpm_params and to legato_vmc_params, and a line to each solver.
The tools write the rest. The parameters are then set from C and from Fortran, saved and resumed, refused outside their
range, and listed in the documents. The test of all limits from Fortran covers them.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MEMBER = "    double cutoff; /**< Cutoff of this test. Since version 0.2. Range [0, 1], default 0.25. */\n"
# The changes by method: file, a line of it, and what this line becomes.
CHANGES = {
    "kpm": {
        "capi/include/legato/kpm.h": ("} legato_kpm_params;\n", MEMBER + "} legato_kpm_params;\n"),
        "cpp/kpm/solver.cpp": ("    validate(problem_, *hamiltonian_);\n",
                               "    validate(problem_, *hamiltonian_);\n"
                               "    context.log(LogLevel::info, text(\"kpm: cutoff \", problem_.cutoff));\n"),
    },
    "vmc": {
        "capi/include/legato/vmc.h": ("} legato_vmc_params;\n", MEMBER + "} legato_vmc_params;\n"),
        "cpp/vmc/solver.cpp": ("    engine_->load(known ? known->sites : first_sites());\n",
                               "    engine_->load(known ? known->sites : first_sites());\n"
                               "    context.log(LogLevel::info, text(\"vmc: cutoff \", problem.cutoff));\n"),
    },
}
C_CLIENTS = {"kpm": """
#include <legato/legato.h>
#include <stdio.h>
int main(void) {
    legato_context* context = NULL;
    legato_kpm_hamiltonian* ring = NULL;
    legato_kpm *kpm = NULL, *resumed = NULL;
    legato_kpm_lattice lattice;
    legato_kpm_params params;
    legato_kpm_lattice_init(&lattice);
    legato_kpm_params_init(&params);
    lattice.extents[0] = 8;
    printf("default %g\\n", params.cutoff);
    if (legato_context_create(NULL, &context) || legato_kpm_lattice_create(context, &lattice, 0, NULL, &ring)) return 1;
    params.cutoff = 0.75;
    if (legato_kpm_create(context, &params, ring, &kpm) || legato_kpm_save(kpm, "saved.h5")) return 1;
    legato_kpm_params_init(&params);
    if (legato_kpm_resume(context, "saved.h5", ring, NULL, NULL, &resumed) || legato_kpm_get_params(resumed, &params)) return 1;
    printf("resumed %g\\n", params.cutoff);
    params.cutoff = 1.5;
    legato_kpm_destroy(kpm);
    kpm = NULL;
    int status = (int)legato_kpm_create(context, &params, ring, &kpm);
    printf("status %d: %s\\n", status, legato_context_message(context));
    legato_kpm_destroy(resumed);
    legato_kpm_hamiltonian_destroy(ring);
    legato_context_destroy(context);
    return 0;
}
""", "vmc": """
#include <legato/legato.h>
#include <stdio.h>
int main(void) {
    legato_context* context = NULL;
    legato_vmc *vmc = NULL, *resumed = NULL;
    legato_vmc_params params;
    legato_vmc_params_init(&params);
    printf("default %g\\n", params.cutoff);
    params.cutoff = 0.75;
    params.length = 3;
    params.electrons = 8;
    if (legato_context_create(NULL, &context) || legato_vmc_create(context, &params, &vmc) || legato_vmc_save(vmc, "saved.h5")) return 1;
    legato_vmc_params_init(&params);
    if (legato_vmc_resume(context, "saved.h5", &resumed) || legato_vmc_get_params(resumed, &params)) return 1;
    printf("resumed %g\\n", params.cutoff);
    params.cutoff = 1.5;
    legato_vmc_destroy(vmc);
    vmc = NULL;
    int status = (int)legato_vmc_create(context, &params, &vmc);
    printf("status %d: %s\\n", status, legato_context_message(context));
    legato_vmc_destroy(resumed);
    legato_context_destroy(context);
    return 0;
}
"""}
FORTRAN_CLIENTS = {"kpm": """
program client
   use legato
   implicit none
   type(legato_context) :: context
   type(legato_kpm_lattice) :: lattice
   type(legato_kpm_hamiltonian) :: ring
   type(legato_kpm_params) :: params
   type(legato_kpm) :: kpm
   integer :: status
   character(200) :: message

   call context%create()
   lattice = kpm_lattice_defaults()
   lattice%extents(1) = 8
   call ring%create_lattice(context, lattice)
   params = kpm_defaults()
   params%cutoff = 0.5d0
   call kpm%create(context, ring, params)
   call kpm%get_params(params)
   print '(a,f5.2)', 'set', params%cutoff
   params%cutoff = -1
   call kpm%create(context, ring, params, stat=status, errmsg=message)
   print '(a,i0,2a)', 'status ', status, ': ', trim(message)
end program client
""", "vmc": """
program client
   use legato
   implicit none
   type(legato_context) :: context
   type(legato_vmc_params) :: params
   type(legato_vmc) :: vmc
   integer :: status
   character(200) :: message

   call context%create()
   params = vmc_defaults()
   params%length = 3
   params%electrons = 8
   params%cutoff = 0.5d0
   call vmc%create(context, params)
   call vmc%get_params(params)
   print '(a,f5.2)', 'set', params%cutoff
   params%cutoff = -1
   call vmc%create(context, params, stat=status, errmsg=message)
   print '(a,i0,2a)', 'status ', status, ': ', trim(message)
end program client
"""}


def run(*command, folder):
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


class NewParameter(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name, "source")
        self.addCleanup(self.folder.cleanup)
        shutil.copytree(ROOT, self.root, ignore=shutil.ignore_patterns("build", "build-*", ".git", ".dev"))

    def build(self):
        """Installs the library with the new parameters."""
        for name, (old, new) in [change for of_method in CHANGES.values() for change in of_method.items()]:
            text = (self.root / name).read_text()
            self.assertEqual(text.count(old), 1, name)
            (self.root / name).write_text(text.replace(old, new))
        for tool in ("fortran_interfaces", "parameters", "parameter_tables"):
            run(sys.executable, f"tools/{tool}.py", folder=self.root)
        off = [f"-DLEGATO_{what}=OFF" for what in ("CUDA", "TESTS", "BENCHMARKS", "EXAMPLES")]
        # Without optimisation the build takes less time. If the environment names ccache, it finds files of earlier runs.
        os.environ["CCACHE_BASEDIR"] = str(self.root)
        run("cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_INSTALL_PREFIX=" + str(self.root / "installed"),
            "-DCMAKE_INSTALL_LIBDIR=lib", *off, folder=self.root)
        run("cmake", "--build", "build", folder=self.root)
        run("cmake", "--install", "build", folder=self.root)

    def client(self, compiler, name, text):
        """The output of a program."""
        (self.root / name).write_text(text)
        flags = run("env", f"PKG_CONFIG_PATH={self.root}/installed/lib/pkgconfig", "pkg-config", "--cflags", "--libs", "legato",
                    folder=self.root).split()
        run(compiler, name, "-o", "client", *flags, f"-Wl,-rpath,{self.root}/installed/lib", folder=self.root)
        return run("./client", folder=self.root)

    def test_everything_follows(self):
        self.build()
        for method, changes in CHANGES.items():
            with self.subTest(method):
                self.assertLessEqual(len(changes), 3)
                self.assertEqual(self.client("cc", "client.c", C_CLIENTS[method]),
                                 f"default 0.25\nresumed 0.75\nstatus 1: {method}.params.cutoff: 1.5 is not in [0, 1]\n")
                self.assertEqual(self.client("gfortran", "client.f90", FORTRAN_CLIENTS[method]),
                                 f"set 0.50\nstatus 1: {method}.params.cutoff: -1 is not in [0, 1]\n")
                self.assertIn("| `cutoff` | 0 to 1 | 0.25 | Cutoff of this test. Since version 0.2. |",
                              (self.root / f"docs/{method}.md").read_text())
        run(sys.executable, "tools/fortran_limits.py", "limits.f90", folder=self.root)
        limits = (self.root / "limits.f90").read_text()
        for method in CHANGES:
            self.assertIn(f"refused('{method}.params.cutoff: 1.0000000000000002 is not in [0, 1]')", limits)
        checks = (self.root / "tests/fortran/checks.f90").read_text()
        self.assertEqual(self.client("gfortran", "client.f90", checks + limits), "fortran limits: all checks passed\n")


if __name__ == "__main__":
    unittest.main()
