#!/usr/bin/env bash
# relink.sh WAY DROPIN LEGATO FORTRAN [OPTION]...: tests each way of docs/relinking.md with a small program. One of its
# files has renorm and routines that must stay, and its multiplication stays too. DROPIN is shared or static, LEGATO is
# the shared library. Legato's counter and its last line show whether Legato was used. The numbers are the same for all
# values of LEGATO_DROPIN.
set -eu
. "$(dirname "$(realpath "$0")")/common.sh"
way=$1
shift
take_arguments "$@"
cp "$here"/relink/*.f90 "$scratch"; cd "$scratch"
make_module_program
"${fortran[@]}" -O2 -c main.f90 routines.f90 only_report.f90 util.f90 caller.f90

# The original program calls its own renorm, although it is linked with the library.
before=(main.o routines.o) expected=3
case $way in
  replaced) link main.o only_report.o -o after ;;
  renamed)
    "$objcopy" --redefine-sym renorm_=old_renorm_ routines.o kept.o
    link main.o kept.o -o after ;;
  wrapped) link main.o routines.o -Wl,--wrap=renorm_ -o after ;;
  weakened)   # this does not work; relinking.md warns of it
    "$objcopy" --weaken-symbol=renorm_ routines.o weak.o
    expected=0
    link main.o weak.o -o after ;;
  module)
    before=(caller.o util.o)
    "$objcopy" --redefine-sym __util_MOD_renorm=renorm_ caller.o relinked.o
    link relinked.o util.o -o after ;;
  one_file)   # this does not work, as relinking.md says: the caller is renamed, too
    cat util.f90 caller.f90 > program.f90
    "${fortran[@]}" -O2 -c program.f90
    before=(program.o) expected=0
    "$objcopy" --redefine-sym __util_MOD_renorm=renorm_ program.o relinked.o
    link relinked.o -o after ;;
  *) fail "no way $way" ;;
esac
link "${before[@]}" -o before
LEGATO_LOG=info ./before > before.out 2> before.err
grep -q 'calls 0$' before.out || fail "the old program has called Legato: $(cat before.out)"
if grep 'legato info' before.err; then fail "the old program has run Legato"; fi
for setting in at_once deferred auto ""; do
  LEGATO_DROPIN=$setting LEGATO_LOG=info ./after > after.out 2> after.err || fail "LEGATO_DROPIN=$setting: $(cat after.err)"
  cat before.out after.out after.err
  grep -q "calls $expected\$" after.out
  [ "$expected" -eq 0 ] || grep -q 'ran 3 renorm' after.err
  # Both give the same numbers and call the routine that must stay.
  awk '/^sum/ { sum[++sums] = $2; digits += $2 ~ /^-?[0-9.]+E[-+][0-9]+$/ }
       END { off = sum[1] - sum[2]; exit !(sums == 2 && digits == 2 && off < 1e-12 && off > -1e-12) }' before.out after.out ||
    fail "LEGATO_DROPIN=$setting: other numbers"
  grep -q '^report: kept' after.out
done
