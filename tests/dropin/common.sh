# Shared by the tests of the ways to relink, which source it. `scratch` is removed at the end.
# shellcheck shell=bash
here=$(dirname "$(realpath "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$(basename "$0"): $*" >&2; exit 1; }

# take_arguments DROPIN LEGATO FORTRAN [OPTION]...: sets the libraries, DROPIN being shared or static, and how to
# compile and link.
take_arguments() {
  libraries=("$(realpath "$1")" "$(realpath "$2")")
  libraries+=("-Wl,-rpath,$(dirname "${libraries[0]}")" "-Wl,-rpath,$(dirname "${libraries[1]}")" -pthread)
  shift 2
  fortran=("$@") objcopy=${OBJCOPY:-objcopy}
}
link() { "${fortran[@]}" "$@" "${libraries[@]}"; }

# Makes caller.f90 and util.f90 from main.f90 and routines.f90 of this folder: the same program, with its routines in a
# module.
make_module_program() {
  sed -e 's/^program small$/&\n   use util, only: renorm, report/' -e '/^ *external ::/d' main.f90 > caller.f90
  { echo 'module util'; echo 'contains'; cat routines.f90; echo 'end module util'; } > util.f90
}
