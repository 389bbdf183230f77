#!/usr/bin/env bash
# reference.sh DOXYFILE: doxygen finds every public symbol documented, and notices one that is not: a typedef, a function, a
# struct, a member, and of the Fortran modules a type, a procedure bound to it and an interface, each without its comment in
# a copy of the sources. Exit status 77: skipped, for want of doxygen.
set -eu
doxyfile=$(realpath "$1")
root=$(dirname "$(dirname "$(dirname "$(realpath "$0")")")")
if ! command -v doxygen > /dev/null; then
  echo "skipped: doxygen is not installed"
  exit 77
fi
# Doxygen says nothing of an enumerator, and of a Fortran module.
if grep -nE '^ +LEGATO_[A-Z0-9_]+ = [0-9]+,?$' "$root"/capi/include/legato/*.h ||
   awk 'FNR == 1 && FILENAME !~ /legato_(c|c_.*|support|dropin)[.]f90$/ && !/^!>/ { print FILENAME; found = 1 } END { exit !found }' "$root"/fortran/legato*.f90; then
  echo "reference: these enumerators or modules are not documented" >&2
  exit 1
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# reference NAME SETTING...: what doxygen has to say with the settings added to the file.
reference() {
  local name=$1
  shift
  { cat "$doxyfile"; echo "OUTPUT_DIRECTORY = $scratch/$name"; printf '%s\n' "$@"; } > "$scratch/$name.doxyfile"
  doxygen "$scratch/$name.doxyfile" > "$scratch/$name.log" 2>&1
}

reference all || { cat "$scratch/all.log" >&2; echo "reference: these are not documented" >&2; exit 1; }

# noticed FILE PATTERN SYMBOL: without the comment in the line that has PATTERN, doxygen names SYMBOL.
noticed() {
  rm -rf "$scratch/copy"
  mkdir "$scratch/copy"
  cp "$root"/capi/include/legato/*.h "$root"/fortran/legato*.f90 "$scratch/copy"
  sed -i "/$2/{s|/\*\*.*\*/||; s|!>.*||}" "$scratch/copy/$1"
  [ "$(diff "$scratch/copy/$1" "$(find "$root/capi/include" "$root/fortran" -maxdepth 2 -name "$1")" | grep -c '^<')" -eq 1 ] ||
    { echo "reference: $1 has no comment with '$2'" >&2; exit 1; }
  ! reference "$3" "INPUT = $scratch/copy" || { echo "reference: $3 without a comment was not noticed" >&2; exit 1; }
  grep "$3.* is not documented" "$scratch/$3.log"
}
noticed vmc.h 'A run of Markov chains' legato_vmc
noticed tmm.h 'Number of points, and of exponents each' legato_tmm_size
noticed kpm.h 'What a computation is made of' legato_kpm_params
noticed ising.h 'double specific_heat;' specific_heat
noticed legato_tmm.f90 'A run over a list of' legato_tmm_module::legato_tmm
noticed legato_tmm.f90 'Number of points, and of exponents' tmm_size
noticed legato_kpm.f90 'The same; true stops the run' kpm_stoppable_start_vector
