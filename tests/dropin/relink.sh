#!/usr/bin/env bash
# relink.sh WAY LIBRARY FORTRAN [OPTION]...: each way of docs/relinking.md on a small program in which one
# file holds renorm and a routine that must stay. Legato's counter and its last line tell who has run.
set -eu
here=$(dirname "$(realpath "$0")")
way=$1 library=$(realpath "$2") objcopy=${OBJCOPY:-objcopy}
shift 2
fortran=("$@")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$here"/relink/*.f90 "$scratch"; cd "$scratch"
"${fortran[@]}" -O2 -c main.f90 routines.f90 only_report.f90
rpath=-Wl,-rpath,$(dirname "$library")

# The program as it was: its own renorm, although the library stands behind it.
"${fortran[@]}" main.o routines.o "$library" "$rpath" -o before
case $way in
  replaced) "${fortran[@]}" main.o only_report.o "$library" "$rpath" -o after ;;
  renamed)
    "$objcopy" --redefine-sym renorm_=old_renorm_ routines.o kept.o
    "${fortran[@]}" main.o kept.o "$library" "$rpath" -o after ;;
  wrapped) "${fortran[@]}" main.o routines.o -Wl,--wrap=renorm_ "$library" "$rpath" -o after ;;
  weakened)   # does not work, which is why relinking.md warns of it
    "$objcopy" --weaken-symbol=renorm_ routines.o weak.o
    "${fortran[@]}" main.o weak.o "$library" "$rpath" -o after ;;
  *) echo "relink: no way $way"; exit 2 ;;
esac
LEGATO_LOG=info ./before > before.out 2> before.err
LEGATO_LOG=info ./after > after.out 2> after.err
cat before.out after.out after.err
expected=3
[ "$way" != weakened ] || expected=0
grep -q 'calls 0$' before.out && ! grep -q 'legato info' before.err
grep -q "calls $expected\$" after.out
[ "$expected" -eq 0 ] || grep -q 'ran 3 renorm' after.err
# The same numbers from both, and the routine that had to stay.
awk '/^sum/ { split($0, w); if (NR == FNR) s = w[2]; else d = w[2] - s } END { exit !(d < 1e-12 && d > -1e-12) }' before.out after.out
grep -q '^report: kept' after.out
