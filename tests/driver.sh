# Shared by the tests of programs: sourced, not run. Sets here, the folder of the test, and scratch, a directory of its own for
# each test, gone at the end; label is what a complaint is about.
# shellcheck shell=bash
here=$(dirname "$(realpath "$0")")
inputs=$here/../../../legacy_drivers/$(basename "$(dirname "$here")")/inputs
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() { echo "$(basename "$0"): $*" >&2; exit 1; }

bad=0 cases=0 label=
wrong() { echo "  ${label:+$label: }$*"; bad=$((bad + 1)); }

# The programs under test, as absolute paths: the tests change directory.
find_program() { [ $# -ge 1 ] && [ -x "$1" ] || fail "usage: $(basename "$0") PROGRAM"; program=$(realpath "$1"); }
find_both() {
  [ $# -ge 2 ] && [ -x "$1" ] && [ -x "$2" ] || fail "usage: $(basename "$0") SERIAL LEGATO"
  serial=$(realpath "$1") legato=$(realpath "$2")
}

# For the programs of awk: to mawk NaN is equal to every number, so that what is compared must look like one.
# shellcheck disable=SC2034 # the tests use it
number='function number(x) { return x ~ /^[-+]?[0-9.]+([eE][-+]?[0-9]+)?$/ }'

# The rows of a result file.
numbers() { grep -v '^#' "$1"; }
