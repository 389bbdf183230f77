# Shared by the tests of programs, which source it. It sets `here`, the folder of the test, and `scratch`, a directory
# of each test that is removed at the end. `label` is the case that a complaint names.
# shellcheck shell=bash
here=$(dirname "$(realpath "$0")")
inputs=$here/../../../legacy_drivers/$(basename "$(dirname "$here")")/inputs
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() { echo "$(basename "$0"): $*" >&2; exit 1; }

bad=0 cases=0 label=
wrong() { echo "  ${label:+$label: }$*"; bad=$((bad + 1)); }

# The programs under test are absolute paths, because the tests change the directory.
find_program() { [ $# -ge 1 ] && [ -x "$1" ] || fail "usage: $(basename "$0") PROGRAM"; program=$(realpath "$1"); }
find_both() {
  [ $# -ge 2 ] && [ -x "$1" ] && [ -x "$2" ] || fail "usage: $(basename "$0") SERIAL LEGATO"
  serial=$(realpath "$1") legato=$(realpath "$2")
}

# For awk programs: in mawk NaN is equal to every number, so this function checks that a text is a number.
# shellcheck disable=SC2034 # the tests use it
number='function number(x) { return x ~ /^[-+]?[0-9.]+([eE][-+]?[0-9]+)?$/ }'

# Prints the rows of a result file.
numbers() { grep -v '^#' "$1"; }
