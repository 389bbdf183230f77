#!/usr/bin/env bash
# hostile_inputs.sh PROGRAM: broken inputs. Each must end in one clear line on standard error that names what is wrong,
# and an exit status that is an error and no signal.
set -eu
here=$(dirname "$(realpath "$0")")
program=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cases=0 bad=0
wrong() { echo "  $label: $*"; bad=$((bad + 1)); }

carbon() { cp "$here/../../../legacy_drivers/dfr/inputs/c.inp" input.inp; }

# refused PATTERN [ARGUMENT]: runs the program, which must fail with one line that matches PATTERN.
refused() {
  local status=0
  cases=$((cases + 1))
  timeout 60 "$program" "${2-input.inp}" > out 2> err < /dev/null || status=$?
  [ "$status" -ne 0 ] || wrong "exit status 0"
  [ "$status" -lt 124 ] || wrong "exit status $status"
  [ "$(wc -l < err)" -eq 1 ] || wrong "$(wc -l < err) lines on standard error: $(head -c 300 err)"
  grep -Eqi -- "$1" err || wrong "no \"$1\" in: $(head -c 300 err)"
  if grep -qi 'nan' out; then wrong "NaN in the output"; fi
}

# with LABEL SED-COMMAND PATTERN: carbon's input, changed.
with() {
  label=$1
  carbon
  sed -i -E "$2" input.inp
  if cmp -s input.inp "$here/../../../legacy_drivers/dfr/inputs/c.inp"; then wrong "the input is as before"; fi
  refused "$3"
}

label='no argument' ; cases=$((cases + 1))
if "$program" > out 2> err < /dev/null; then wrong "exit status 0"; fi
[ -s err ] || wrong "no message"
label='no such file'; refused 'none\.inp' none.inp
label='wrong extension'; carbon; mv input.inp input.dat; refused '\.inp' input.dat
label='a directory'; mkdir folder.inp; refused 'folder\.inp' folder.inp
label='an empty file'; : > input.inp; refused 'input|title|empty|end'
label='binary'; head -c 4000 /dev/urandom > input.inp; refused '.'

for group in contrl nuc bas wtbs econfig scf; do
  with "no group $group" "/^ *\\\$$group/,/\\\$end/d" "$group"
  with "misnamed group $group" "s/\\\$$group/\\\$foo/" "$group|foo"
  label="file ends in $group"; carbon; sed -i "/\\\$$group/{s/=.*//;q}" input.inp; refused "$group|end"
done
for change in "jobtype = 'energy'/jobtype = 'enrgy'/jobtype" 'znuc = 6\.0/znuc = 0/znuc' 'znuc = 6\.0/znuc = -6/znuc' \
  'znuc = 6\.0/znuc = 138/znuc' 'znuc = 6\.0/znuc = NaN/znuc' 'znuc = 6\.0/znuc = six/znuc' 'znuc = 6\.0/znuc = 1e400/znuc' \
  'nuc znuc/nuc nucmdl = 4, znuc/nucmdl' 'nuc znuc/nuc nucmdl = 0, znuc/nucmdl' \
  'nuc znuc/nuc nucmdl = 2, rnuc = -1, znuc/rnuc' 'nuc znuc/nuc nucmdl = 3, alpha = -1, znuc/alpha' \
  'nsym = 3/nsym = 0/nsym' 'nsym = 3/nsym = 10/nsym' 'nsym = 3/nsym = -1/nsym' 'nsym = 3/nsym = 2.5/nsym' \
  "bastype = 'wtbs'/bastype = 'wtb'/bastype" "bastype = 'wtbs'/bastype = 'wtbs', ngroup = 0/ngroup" \
  'c = 137.0359895/c = -1/c = -1|\bc\b' 'c = 137.0359895/c = NaN/\bc\b' 'c = 137.0359895/c = 3/znuc|\bc\b' \
  'wtbspara = [0-9.]+,/wtbspara = -0.1,/wtbspara|alpha' 'wtbspara = [0-9.]+,/wtbspara = NaN,/wtbspara|alpha' \
  'wtbspara = [0-9.]+,/wtbspara = /wtbspara' \
  'nbs = 23/nbs = 0/nbs' 'nbs = 23/nbs = -3/nbs' 'nbs = 23/nbs = 1000/nbs' 'nbs = 23/nbs = 1/nclose|nbs|shell' \
  'wtbs wtbspara/wtbs start = 200, wtbspara/start' 'wtbs wtbspara/wtbs start = 0, wtbspara/start' \
  'wtbs wtbspara/wtbs groups = 2, wtbspara/groups' \
  'nclose = [0-9]+/nclose = -1/nclose' 'nclose = [0-9]+/nclose = 50/nclose' 'nclose = [0-9]+/nclose = x/nclose' \
  'nopen = 0, 1/nopen = 0, 2/nopen' 'nopen = 0, 1/nopen = 0, -1/nopen' \
  'freeel = [0-9]+/freeel = -1/freeel' 'freeel = [0-9]+/freeel = 100/freeel' 'freeel = [0-9]+/freeel = 1000000000000/freeel' \
  'maxitr = [0-9]+/maxitr = 0/maxitr' 'maxitr = [0-9]+/maxitr = -5/maxitr' 'ixtrp = 1/ixtrp = 7/ixtrp' \
  'thdll = [0-9.e-]+/thdll = -1/thdll' 'thdll = [0-9.e-]+/thdll = NaN/thdll' 'thdsl = [0-9.e-]+/thdsl = 0/thdsl' \
  'thdss = [0-9.e-]+/thdss = 2/thdss' 'ixtrp = 1/ixtrp = 1, dfctr = 1.5/dfctr' 'ixtrp = 1/ixtrp = 1, foo = 1/foo' \
  'maxitr = [0-9]+/maxitr = 1/converge'; do
  IFS=/ read -r from to pattern <<< "$change"
  with "$to" "s/$from/$to/" "$pattern"
done
echo "hostile_inputs: $cases cases, $bad complaints"
[ "$bad" -eq 0 ] && [ "$cases" -ge 60 ]
