#!/usr/bin/env bash
# hostile_inputs.sh PROGRAM [SPEAKER]: broken inputs and surroundings. Each must end in one clear line on standard error that
# names what is wrong, an exit status that is an error and no signal, and must leave the output files of an earlier run as they
# were. A line begins with the program's name, or with that of SPEAKER: a library may refuse what reaches it.
set -eu
here=$(dirname "$(realpath "$0")")
program=$(realpath "$1") speakers=kpmdos${2:+|$2}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cases=0 bad=0 out=out
wrong() { echo "  $label: $*"; bad=$((bad + 1)); }

cat > good.inp <<'INPUT'
A cubic lattice with disorder
 $lattice lx = 6, ly = 5, lz = 4, bcx = 'periodic', bcy = 'open', hopping = 1.0 $end
 $site onsite = 'box', energy = 0.5, strength = 2.0 $end
 $kpm nmom = 32, nvec = 3, nreal = 2, vectors = 'sign', seed = 11 $end
 $bounds method = 'gershgorin', margin = 0.01 $end
 $dos kernel = 'lorentz', lambda = 4.0, nenergy = 64 $end
INPUT

# refused PATTERN [ARGUMENT]...: runs the program, which must fail with one line that matches PATTERN.
refused() {
  local pattern=$1 status=0 name
  shift
  cases=$((cases + 1))
  timeout 60 "$program" "$@" > "$out" 2> err < /dev/null || status=$?
  [ "$status" -ne 0 ] || wrong "exit status 0"
  [ "$status" -lt 124 ] || wrong "exit status $status"
  [ "$(wc -l < err)" -eq 1 ] || wrong "$(wc -l < err) lines on standard error: $(head -c 300 err)"
  [ -z "${SHOW:-}" ] || sed "s/^/$cases: /" err >&2
  grep -Eqi -- "^($speakers): .*($pattern)" err || wrong "no \"$pattern\" in: $(head -c 300 err)"
  if [ "$out" = out ] && grep -qi 'nan' out; then wrong "NaN in the output"; fi
  for name in moments dos; do
    [ -d $name.dat ] || [ "$(cat $name.dat)" = "old $name" ] || wrong "$name.dat is touched"
    [ ! -f $name.dat.part ] || wrong "$name.dat.part is left behind"
  done
}

# with LABEL SED-COMMAND PATTERN: the good input, changed.
with() {
  label=$1
  sed -E "$2" good.inp > input.inp
  if cmp -s input.inp good.inp; then wrong "the input is as before"; fi
  refused "$3" input.inp
}

label='the good input'
"$program" good.inp > out 2> err || wrong "$(cat err)"
sed -E 's/\$end/\&end/; s/\$([a-z])/\&\1/' good.inp > ampersands.inp
cp dos.dat first.dat
"$program" ampersands.inp > out 2> err || wrong "with ampersands: $(cat err)"
cmp -s dos.dat first.dat || wrong "other numbers with ampersands"
echo "old moments" > moments.dat
echo "old dos" > dos.dat

label='no argument'; refused 'argument'
label='two arguments'; refused 'argument' good.inp good.inp
label='an empty name'; refused 'input file' ''
label='no such file'; refused 'none\.inp' none.inp
label='wrong extension'; cp good.inp input.dat; refused '\.inp' input.dat
label='a directory'; mkdir folder.inp; refused 'folder\.inp' folder.inp
label='an empty file'; : > input.inp; refused 'empty' input.inp
label='binary'; head -c 4000 /dev/urandom > input.inp; refused '.' input.inp
label='zeros'; head -c 4000 /dev/zero > input.inp; refused '.' input.inp
label='a long line'; { cat good.inp; printf '%05000d\n' 1; } > input.inp; refused 'long' input.inp

for group in lattice kpm; do
  with "no group $group" "/\\\$$group/d" "$group"
done
for group in lattice site kpm bounds dos; do
  with "misnamed group $group" "s/\\\$$group/\\\$foo/" "$group|foo"
  with "file ends in $group" "/\\\$$group/{s/=.*//;q}" "$group"
  with "no end of $group" "/\\\$$group/s/.end//" "$group"
  with "no such field in $group" "s/(\\\$$group)/\\1 foo = 1,/" "foo.*no such field"
done
with 'groups in another order' '/\$site/{h;d};/\$kpm/G' 'site'
with 'a group twice' '/\$kpm/p' 'kpm'
with 'text behind the groups' '$a more' 'more'
with 'a field twice' 's/lx = 6/lx = 6, lx = 7/' 'lx is given twice'
for change in 'lx = 6/lx = 0/lx = 0 .*1\.\.' 'lx = 6/lx = -3/lx = -3' 'lx = 6/lx = 2.5/lx' 'lx = 6/lx = six/lx' \
  'lx = 6/lx = 99999999999/lx' 'lx = 6,/lx = ,/lx has no value' 'lx = 6,/hopping = 1,/lx is missing|twice' \
  'lx = 6, /bcz = "open", /lx is missing' 'ly = 5/ly = 0/ly = 0' 'lz = 4/lz = -1/lz = -1' 'lx = 6/lx = 1 2/lx' \
  'lx = 6, ly = 5, lz = 4/lx = 2000000000, ly = 2000000000, lz = 2000000000/lx, ly, lz' \
  'lx = 6, ly = 5, lz = 4/lx = 1300, ly = 1300, lz = 1300/lx, ly, lz.*sites' \
  "bcy = 'open'/bcy = 'opne'/bcy = .opne. .*periodic" "bcy = 'open'/bcy = 3/bcy" "bcy = 'open'/bcy = ''/bcy" \
  "bcy = 'open'/bcy = 'open/bcy|lattice|end" \
  'hopping = 1.0/hopping = NaN/hopping' 'hopping = 1.0/hopping = 1e400/hopping' 'hopping = 1.0/hopping = -1e300/hopping' \
  "onsite = 'box'/onsite = 'bx'/onsite = .bx." "onsite = 'box'/onsite = 'constant'/strength" \
  'energy = 0.5/energy = Inf/energy' 'energy = 0.5/energy = 1e10, strength = 1e-7, foo = /foo' \
  'strength = 2.0/strength = -1/strength = -1' 'strength = 2.0/strength = NaN/strength' \
  'strength = 2.0/strength = 1e11/strength' \
  'nmom = 32/nmom = 1/nmom = 1 .*2\.\.' 'nmom = 32/nmom = 0/nmom' 'nmom = 32/nmom = 100000/nmom' \
  'nvec = 3/nvec = 0/nvec = 0' 'nvec = 3/nvec = 70000/nvec' 'nmom = 32, nvec = 3/nmom = 32/nvec is missing' \
  'nreal = 2/nreal = 0/nreal = 0' 'nreal = 2/nreal = 40000/nreal' 'seed = 11/seed = 0/seed' 'seed = 11/seed = -7/seed' \
  'seed = 11/seed = 2147483647/seed' "vectors = 'sign'/vectors = 'sing'/vectors = .sing." \
  "vectors = 'sign'/vectors = 'sites'/nvec" \
  "method = 'gershgorin'/method = 'lanczos'/method = .lanczos." "method = 'gershgorin'/method = 'given'/lowest is missing" \
  "method = 'gershgorin'/method = 'given', lowest = -8/highest is missing" "method = 'gershgorin'/lowest = -8/lowest" \
  "method = 'gershgorin'/method = 'given', lowest = 8, highest = -8/highest" \
  "method = 'gershgorin'/method = 'given', lowest = 8, highest = 8/highest" \
  "method = 'gershgorin'/method = 'given', lowest = NaN, highest = 8/lowest" \
  "method = 'gershgorin'/method = 'given', lowest = -1, highest = 1/enclose" \
  "method = 'gershgorin'/method = 'given', lowest = -0.001, highest = 0.001/enclose" \
  "method = 'gershgorin'/method = 'given', lowest = -4.5, highest = 4.5/enclose" \
  "method = 'gershgorin'/method = 'given', lowest = 100, highest = 101/enclose" \
  'margin = 0.01/margin = -0.5/margin = -0.5' 'margin = 0.01/margin = NaN/margin' \
  "kernel = 'lorentz'/kernel = 'lorenz'/kernel = .lorenz." \
  'lambda = 4.0/lambda = 0/lambda' 'lambda = 4.0/lambda = 1000/lambda' \
  'lambda = 4.0/lambda = -NaN/lambda' 'nenergy = 64/nenergy = 31/nenergy = 31' 'nenergy = 64/nenergy = 0/nenergy' \
  'nenergy = 64/nenergy = 2000000/nenergy'; do
  IFS=/ read -r from to pattern <<< "$change"
  with "$to" "s/$from/$to/" "$pattern"
done
with 'a single level' \
  "s/lx = 6, ly = 5, lz = 4/lx = 1/; s/onsite = 'box'/onsite = 'constant'/; s/strength = 2.0/strength = 0/" 'interval'
with 'an interval below rounding' \
  "s/hopping = 1.0/hopping = 1e-9/; s/energy = 0.5, strength = 2.0/energy = 1e9, strength = 1e-9/" 'interval'
with 'all sites of a large lattice' "s/lx = 6/lx = 6000/; s/nvec = 3, //; s/'sign'/'sites'/" 'sites'

# A lattice for which there is no memory, of the matrix or of the moments. LEGATO_TEST_MEMORY: kB of address space; empty where
# that cannot be limited, as under a sanitizer.
memory=${LEGATO_TEST_MEMORY-2000000}
short_of_memory() { (ulimit -v "$memory"; bad=0; refused "$@"; exit "$bad") || bad=$((bad + 1)); cases=$((cases + 1)); }
if [ -n "$memory" ]; then
  label='no memory for the matrix'
  sed 's/lx = 6, ly = 5, lz = 4/lx = 1000, ly = 1000, lz = 1000/' good.inp > input.inp
  short_of_memory 'memory' input.inp
  label='no memory for the moments'
  sed 's/nmom = 32, nvec = 3/nmom = 65536, nvec = 65535/; s/nenergy = 64//; s/4.0,/4.0/' good.inp > input.inp
  short_of_memory 'memory' input.inp
fi

label='a full disk'; out=/dev/full; refused 'standard output' good.inp
label='a closed standard output'; cases=$((cases + 1))
if "$program" good.inp >&- 2> err; then wrong "exit status 0"; fi
[ "$(wc -l < err)" -eq 1 ] || wrong "$(wc -l < err) lines on standard error: $(head -c 300 err)"
out=out
for name in moments dos; do
  label="$name.dat is a directory"; mv $name.dat kept; mkdir $name.dat; refused "$name\.dat" good.inp
  rmdir $name.dat; mv kept $name.dat
  label="$name.dat.part is a directory"; mkdir $name.dat.part; refused "$name\.dat\.part" good.inp; rmdir $name.dat.part
done
echo "hostile_inputs: $cases cases, $bad complaints"
[ "$bad" -eq 0 ] && [ "$cases" -ge 60 ]
