#!/usr/bin/env bash
# interface.sh CC GFORTRAN MODULES: fortran/legato_c_*.f90 say what the C headers say: enumerators with their values, members
# of structs in their order with their types, functions and callbacks with the names, types and passing of their arguments.
# gfortran writes the Fortran declarations as C, and both come to a line for each. Further, module legato (in the folder
# MODULES) hands on every enumerator, and nothing that is not named as the library is or one of its methods.
set -eu
cc=$1 fortran=$2 modules=$3
root=$(dirname "$(dirname "$(dirname "$(realpath "$0")")")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# From C declarations to lines. Pointers to what C alone knows become `pointer`, as type(c_ptr) does. gfortran writes arrays
# of two dimensions as of one.
lines() {
  "$cc" -E -P -I"$root/capi/include" - | tr '\n' ' ' |
    sed -E 's/__attribute__ *\(\([^()]*(\([^()]*\))?[^()]*\)\)//g; s/static inline [^}]*\}//g
            s/(const )?(void|legato_context|legato_tmm(_propagation)?|legato_dfr(_(repulsion|optimiser|reducer))?|legato_kpm(_hamiltonian)?|legato_ising|legato_vmc(_optimiser)?) ?\*/pointer /g; s/const char ?\*( ?\*| legato)/pointer \1/g
            s/legato_(progress|log|kpm_vector)_callback callback/function callback/g; s/legato_tmm_step ?\* ?step/function * step/g; s/typedef ([a-z]+ )\(\*([a-z_]+)\)/\1\2/g
            s/\(void\)/()/g; s/\bint8_t\b/signed char/g; s/\bint32_t\b/int/g; s/\b(int64_t|size_t)\b/long/g; s/ ?\* ?/ * /g; s/ ?\( ?/(/g; s/ +/ /g; s/\[4\]\[4\]/[16]/g' |
    awk 'BEGIN { RS = ";" }
         { sub(/^ +/, "") }
         /^typedef enum legato_/ { gsub(/.*\{ ?|,? ?\}.*/, ""); gsub(/, ?/, "\n"); print; next }
         /^typedef struct legato_[a-z_]+ \{/ { struct = $3; n = 0; sub(/.*\{ ?/, "") }
         /^\}/ { struct = "" }
         struct { print struct, ++n, $0 }
         !struct && /^[a-z]+ legato_[a-z_]+\(/' | LC_ALL=C sort
}

echo '#include <legato/legato.h>' | lines > c

# gfortran does not tell a pointer from a pointer passed by reference, but does so for structs. Each file is read alone.
{
  for source in "$root"/fortran/legato_c_*.f90; do
    module=$(basename "$source")
    sed -E 's/type\(c_ptr\)/type(pointer)/; s/type\(c_funptr\)/type(function)/
            s/^ +implicit none/&\ntype, bind(c) :: pointer; integer(c_int) :: a; end type\ntype, bind(c) :: function; integer(c_int) :: a; end type/' \
      "$source" > "$module"
    "$fortran" -fsyntax-only -fc-prototypes "$module" | lines
    grep -oE 'LEGATO_[A-Z0-9_]+ = [0-9-]+' "$module"
  done
} | LC_ALL=C sort > fortran

grep -oE '^LEGATO_[A-Z0-9_]+' c > enumerators
# The names at the end of a module file, which is compressed; those of gfortran's own making begin otherwise.
gzip -dc "$modules/legato.mod" | tr '\n' ' ' | grep -oE "'[a-z][a-z0-9_]*' 0 [0-9]+" | cut -d "'" -f 2 > names
if grep -vE '^(legato|legato_.*|tmm_.*|dfr_.*|kpm_.*|vmc_.*|ising_.*)$' names; then echo "interface: module legato hands these on" >&2; exit 1; fi
sed -n 's/^legato_/LEGATO_/p' names | tr '[:lower:]' '[:upper:]' | grep -Fxf enumerators | LC_ALL=C sort > public

# Nothing that the headers mark for export has been overlooked.
cat "$root"/capi/include/legato/*.h | sed -nE 's/^LEGATO_API .*[ *](legato_[a-z_]+)\(.*/\1/p' | LC_ALL=C sort > exported
sed -nE '/_callback|legato_tmm_step/!s/^[a-z]+ (legato_[a-z_]+)\(.*/\1/p' c | LC_ALL=C sort > functions

echo "headers (<) and Fortran (>): $(wc -l < c) enumerators, members and functions"
diff c fortran
diff enumerators public
diff exported functions
