#!/usr/bin/env bash
# hostile_inputs.sh PROGRAM [SPEAKER]: tests broken inputs and surroundings as described in tests/hostile.sh. Unusual
# inputs that are right must give the usual energy.
# shellcheck disable=SC2016 # $group is the input's
set -eu
. "$(dirname "$(realpath "$0")")/../../hostile.sh"
begin dfratom "$@"
cp "$inputs/c.inp" good.inp
good_input
no_input
groups contrl nuc bas wtbs econfig scf
for group in contrl nuc bas wtbs econfig scf; do
  with "no group $group" "/^ *\\\$$group/,/\\\$end/d" "$group"
done
with_each "jobtype = 'energy'/jobtype = 'enrgy'/jobtype" 'znuc = 6\.0/znuc = 0/znuc' 'znuc = 6\.0/znuc = -6/znuc' \
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
  'maxitr = [0-9]+/maxitr = 1/converge'

# If a field does not converge, both the message and the output give its last energy.
with 'no convergence' 's/maxitr = 50/maxitr = 3/' 'not converged after 3 iterations.*last energy -37\.67604'
grep -q 'NOT CONVERGED after 3 iterations' out || wrong "the output does not say so"

with_each 'znuc = 6\.0/znuc = 6.0, znuc = 7.0/znuc is given twice' \
  'nbs = 23, 15, 15/nbs = 23, 15, 15, nbs(1) = 22/nbs is given twice' \
  'nbs = 23, 15, 15/nbs(1) = 23, NBS ( 1 ) = 22, nbs(2) = 15, nbs(3) = 15/nbs is given twice' \
  'nclose = 2, 0, 0/nclose(4) = 1/nclose has shells' 'nclose = 2, 0, 0/nclose(0) = 1/nclose' \
  'nclose = 2, 0, 0/nclose = 12*0/nclose' 'nbs = 23, 15, 15/nbs = 1000000000*15/nbs' \
  'start = 1, 1, 1/start = 1, 1, 187/start' 'start = 1, 1, 1/start = 1, 1, 180/exponents out of range' \
  'znuc = 6\.0/znuc = 6.0 7.0/znuc' 'znuc = 6\.0/zeff = 6.0/zeff.*no such field' 'znuc = 6\.0/znuc/znuc' \
  'autogen = .true./autogen = maybe/autogen' 'wtbspara = 0.04613/wtbspara = 1e-320/wtbspara' \
  '\$end ?/$end 7/after the end' 'Carbon/$contrl/title' '$/ and more/end|after'
unreadable jobtype c znuc nsym bastype wtbspara nbs start nclose nopen freeel autogen maxitr ixtrp thdll thdsl thdss
for field in nucmdl rnuc alpha; do
  with "$field unreadable" "s/nuc znuc/nuc $field = x, znuc/" "$field = x.*cannot be read.*allowed: 1"
done
with 'groups out of order' '/nuc znuc/{h;d};/bas nsym/{G}' '\$nuc is missing'
with 'no title' 1d title
with 'a quotation mark that is not closed' "s/'energy'/'energy/" 'contrl|jobtype'
with 'a line too long' "2s/^/$(printf '%2500s' '')/" 'line 2.*too long'
with 'a title too long' "1s/^/$(printf '%300s' '' | tr ' ' x)/" 'title has 3[0-9][0-9] characters'
label='one line without an end'; head -c 3000000 /dev/zero | tr '\0' x > input.inp; refused 'line 1.*too long' input.inp
label='zeros without an end'; ln -s /dev/zero zeros.inp; refused 'line 1' zeros.inp
for byte in '\000' '\033'; do
  for at in 20 160; do
    label="byte $byte at $at"
    { head -c $at good.inp; printf '%b' "$byte"; tail -c +$((at + 1)) good.inp; } > with_byte.inp
    refused 'control character' with_byte.inp
  done
done
label='a link to itself'; ln -s loop.inp loop.inp; refused 'loop\.inp' loop.inp
if [ "$(id -u)" -ne 0 ]; then     # root may read everything
  label='unreadable'; cp good.inp unreadable.inp; chmod 000 unreadable.inp; refused 'unreadable\.inp' unreadable.inp
fi

# occupations LABEL LINES PATTERN: tests carbon with two 2p electrons in these configurations.
occupations() {
  label=$1
  cp good.inp input.inp
  sed -i "s/autogen = .true./nconf = $(wc -l <<< "$2")/; /econfig/r /dev/stdin" input.inp <<< "$2"
  refused "$3" input.inp
}
occupations 'more than the shell has room for' '3 -1' 'occupation.*out of range'
occupations 'the same, the other shell' '0 5' 'occupation.*out of range'
occupations 'below nothing' '-1 3' 'occupation.*out of range'
occupations 'more electrons than freeel' '2 2' '4\.0 electrons'
occupations 'half an electron' '1.5 0.5' 'not a whole number'
occupations 'too few' '2' '1 occupations'
occupations 'too many' '1 1 0' '3 occupations'
occupations 'no number' '1 x' '"x" is not a number'
occupations 'repeated too often' '99*1' '99 occupations'
occupations 'repeated without an end' '9999999999*1' 'occupations|not a number'
occupations 'nothing repeated' '2*' 'not a number|occupations'
occupations 'a shell always empty' '0 2' 'nopen\(2\)'
with 'a configuration short' 's/autogen = .true./nconf = 2/; /econfig/a 1 1' 'configuration 2'

# exponents LABEL LINES PATTERN: tests helium with these exponents.
exponents() {
  label=$1
  printf 'Helium\n $contrl jobtype = "energy" /\n $nuc znuc = 2 /\n $bas nsym = 1, bastype = "rdin" /\n%b\n' "$2" > input.inp
  printf ' $econfig nclose = 1 /\n $scf /\n' >> input.inp
  refused "$3" input.inp
}
exponents 'negative' '3\n0.5\n-2.0\n8.0' 'exponent 2 .*out of range'
exponents 'zero' '3\n0\n2.0\n8.0' 'exponent 1 .*out of range'
exponents 'beyond all' '1\n1e21' 'exponent 1 .*out of range'
exponents 'no number' '1\nhalf' 'exponent 1 .*not a number'
exponents 'not a number' '1\nNaN' 'exponent 1 .*not a number'
exponents 'no functions' '0' 'number of functions.*out of range'
exponents 'too many' '201\n1' 'number of functions.*out of range'
exponents 'half a one' '1.5\n1' 'not a whole number'
exponents 'one too few' '2\n1.0' 'exponent 2 .*not a number'
exponents 'one too many' '1\n1.0\n2.0' 'econfig is missing'

# dependent LABEL CHARGE CONFIGURATION SHELLS: tests a basis with two equal functions.
dependent() {
  label=$1
  printf 'T\n $contrl jobtype = "energy" /\n $nuc znuc = %s /\n $bas nsym = 1, bastype = "rdin" /\n2\n1.0\n1.0\n' "$2" > input.inp
  printf ' $econfig %b\n $scf /\n' "$3" >> input.inp
  refused "near linear dependence leaves 1 of 2 functions of s1/2 for $4 shells" input.inp
}
dependent 'two closed shells' 4 'nclose = 2 /' 2
dependent 'an open shell above a closed one' 3 'nclose = 1, nopen = 1, freeel = 1, nconf = 1 /\n1' 2

# optimise SED-COMMAND PATTERN: tests a changed optimisation of helium.
optimise() {
  label="bsopt, $1"
  sed -E "$1" "$inputs/he_bsopt.inp" > input.inp
  refused "$2" input.inp
}
optimise 's/rhobeg = 0.1/rhobeg = -1/' rhobeg
optimise 's/rhoend = 1.0e-6/rhoend = 0.2/' rhoend
optimise 's/maxfun = 500/maxfun = 0/' maxfun
optimise 's/iprint = 1/iprint = 9/' iprint
optimise "s/'wtbs'/'rdin'/" bastype
optimise '/newuoa/d' newuoa
for field in rhobeg rhoend iprint maxfun; do optimise "s/$field = [0-9.e-]+/$field = x/" "$field = x.*allowed: [0-9]"; done

# accepted LABEL SED-COMMAND: tests another way to write the input of carbon. Rounding may differ.
accepted() {
  label=$1
  cases=$((cases + 1))
  cp good.inp input.inp
  sed -i -E "$2" input.inp
  if cmp -s input.inp good.inp; then wrong "the input is as before"; fi
  timeout 60 "$program" input.inp > out 2> err < /dev/null || wrong "exit status $?: $(head -c 300 err)"
  grep -Eq '^ Total energy  *-37\.676044081' out || wrong "another energy: $(grep 'Total energy' out)"
}
accepted 'lines end as elsewhere' 's/$/\r/'
accepted '& for $' 's/\$(contrl|nuc|bas|wtbs|econfig|scf|end)/\&\1/'
accepted '/ for $end' 's/\$end/\//'
accepted 'upper case' 's/[a-z]/\U&/g'
accepted 'mixed case' 's/contrl/ConTrl/; s/znuc/ZnUc/; s/jobtype/JOBTYPE/'
accepted 'double quotation marks' "s/'energy'/\"energy\"/"
accepted 'repeat counts' 's/23, 15, 15/23, 2*15/; s/start = 1, 1, 1/start = 3*1/'
accepted 'D exponents' 's/0.04613/4.613D-2/; s/137.0359895/1.370359895d+2/; s/1.0e-8/1.0d-8/'
accepted 'comments' 's/\$end/$end ! the end = x $foo "/; s/^( *nbs.*)/! nbs = 3\n\1 ! more = 1/'
accepted 'tabs' 's/ /\t/g'
accepted 'empty lines' 's/$/\n\n/'
accepted 'no commas' '2,$s/,/ /g'
accepted 'a field a line' '2,$s/, ([a-z])/\n\1/g'
accepted 'elements one by one' 's/nbs = 23, 15, 15/nbs(1) = 23, nbs ( 2 ) = 15, nbs(3) = 15/; s/nclose = 2, 0, 0/nclose(1:3) = 2, 0, 0/'
accepted 'a title as long as may be' "1s/.*/$(printf '%200s' '' | tr ' ' x)/"
accepted 'a title in another script' '1s/.*/Kohlenstoff für alle/'
accepted 'all configurations, by hand' \
  's/autogen = .true./nconf = 3/; /econfig/a 2 0\n1, 1.0\n0.0d0 2'
accepted 'the same, repeated' 's/autogen = .true./nconf = 3/; /econfig/a 2 0\n2*1\n0 2'
label='a pipe'; cases=$((cases + 1)); mkfifo pipe.inp; (cat good.inp > pipe.inp &)
timeout 60 "$program" pipe.inp 2> err | grep -Eq '^ Total energy  *-37\.676044081' || wrong "$(cat err)"
no_output
enough 186
