#!/usr/bin/env bash
# hostile_inputs.sh PROGRAM [SPEAKER]: broken inputs and surroundings. Each must end in one clear line on standard error that
# names what is wrong, an exit status that is an error and no signal, and must leave the output files of an earlier run as they
# were. A line begins with the program's name, or with that of SPEAKER: a library may refuse what reaches it.
set -eu
program=$(realpath "$1") speakers=vmcrvb${2:+|$2}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cases=0 bad=0 out=out
wrong() { echo "  $label: $*"; bad=$((bad + 1)); }

cat > good.inp <<'INPUT'
Two holes
 $model t = 1.0, tp = 0.0, tpp = 0.0, Jex = 0.3, L = 5, x = 0.1 $end
 $state Delta = 1.5, mu = 0.0, gap = 'A' $end
 $sampling nMarkov = 3, naveseeds = 1, iseedseed = 11, neqlsweeps = 5, nsweeps = 20, nfac = 1, nbins = 4, nrecalc = 20,
   neifrac = 0.25, selfrac = 0.75 $end
 $start nattemptmax = 1000, ConditionNumberMin = 1.e-07 $end
 $output plotname = 'plot' $end
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
  for name in energy averages chains; do
    [ -d plot_$name.dat ] || [ "$(cat plot_$name.dat)" = "old $name" ] || wrong "plot_$name.dat is touched"
    [ ! -f plot_$name.dat.part ] || wrong "plot_$name.dat.part is left behind"
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
cp plot_energy.dat first.dat
"$program" ampersands.inp > out 2> err || wrong "with ampersands: $(cat err)"
cmp -s plot_energy.dat first.dat || wrong "other numbers with ampersands"
for name in energy averages chains; do echo "old $name" > plot_$name.dat; done

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

with 'no group model' '/\$model/d' 'model'
for group in model state sampling start output; do
  with "misnamed group $group" "s/\\\$$group/\\\$foo/" "$group|foo"
  with "file ends in $group" "/\\\$$group/{s/=.*//;q}" "$group"
  with "no such field in $group" "s/(\\\$$group)/\\1 foo = 1,/" "foo.*no such field"
done
with 'no end of model' '/\$model/s/.end//' 'model'
with 'no end of sampling' '/selfrac/s/.end//' 'sampling'
with 'no end of output' '/\$output/s/.end//' 'output'
with 'groups in another order' '/\$state/{h;d};/selfrac/G' 'state'
with 'a group twice' '/\$state/p' 'state'
with 'text behind the groups' '$a more' 'more'
with 'a field twice' 's/L = 5/L = 5, L = 7/' 'l is given twice'
for change in 'L = 5/L = 4/L = 4 .*3, 5' 'L = 5/L = 1/L = 1' 'L = 5/L = -5/L = -5' 'L = 5/L = 65/L = 65' \
  'L = 5/L = 5.5/l = 5\.5' 'L = 5/L = five/l = five' 'L = 5/L = 99999999999/l = 9' 'L = 5,/L = ,/l has no value' \
  'L = 5, //L is missing' 'L = 5/L = 5 7/l' \
  't = 1.0/t = NaN/t is not' 't = 1.0/t = 1e7/t = .*1\.0E' 't = 1.0/t = 1e400/: t' 'tp = 0.0/tp = Inf/tp is not' \
  'tpp = 0.0/tpp = -1e300/tpp = ' 'Jex = 0.3/Jex = NaN/Jex is not' 'Jex = 0.3/Jex = 2e6/Jex = ' \
  'x = 0.1/x = -0.1/x = -0\.1' 'x = 0.1/x = 1.5/x = 1\.5' 'x = 0.1/x = 1.0/x = 1\.0.*electrons' 'x = 0.1/x = NaN/x is not' \
  'tp = 0.0, tpp = 0.0, Jex = 0.3, L = 5, x = 0.1/tp = 3.0, L = 5, x = 0.95/x = 0\.95.*electrons' \
  'Delta = 1.5/Delta = 0/Delta = 0' 'Delta = 1.5/Delta = -1.5/Delta = -1\.5' 'Delta = 1.5/Delta = NaN/Delta is not' \
  'Delta = 1.5/Delta = 1e9/Delta = ' 'mu = 0.0/mu = -4.0/mu = -4\.0 .*xi_k' 'mu = 0.0/mu = 4.0/mu = 4\.0 .*xi_k' \
  'mu = 0.0/mu = Inf/mu is not' 'mu = 0.0/mu = 1e8/mu = ' "gap = 'A'/gap = 'C'/gap = .C. .*'B'" "gap = 'A'/gap = ''/gap" \
  "gap = 'A'/gap = 1/gap" "gap = 'A'/gap = 'A/gap|state|end" \
  'nMarkov = 3/nMarkov = 0/nMarkov = 0' 'nMarkov = 3/nMarkov = -1/nMarkov' 'nMarkov = 3/nMarkov = 2000000/nMarkov' \
  'nMarkov = 3, naveseeds = 1/nMarkov = 2000, naveseeds = 2000/nMarkov \* naveseeds = 4000000' \
  'naveseeds = 1/naveseeds = 0/naveseeds = 0' 'naveseeds = 1/naveseeds = 1.5/naveseeds' 'iseedseed = 11/iseedseed = 0/iseedseed' \
  'iseedseed = 11/iseedseed = -7/iseedseed' 'iseedseed = 11/iseedseed = 3000000000/iseedseed' \
  'neqlsweeps = 5/neqlsweeps = -1/neqlsweeps' 'neqlsweeps = 5/neqlsweeps = 2000000000/neqlsweeps' \
  'nsweeps = 20/nsweeps = 0/nsweeps = 0' 'nsweeps = 20/nsweeps = -20/nsweeps' 'nsweeps = 20/nsweeps = 21/nsweeps = 21.*nbins' \
  'nsweeps = 20/nsweeps = 2000000000/nsweeps' 'nfac = 1/nfac = 0/nfac' 'nfac = 1/nfac = 101/nfac' \
  'nbins = 4/nbins = 0/nbins = 0' 'nbins = 4/nbins = 40/nbins = 40' 'nbins = 4/nbins = 2000000/nbins' \
  'nrecalc = 20/nrecalc = 0/nrecalc' 'neifrac = 0.25/neifrac = 1.25/neifrac = 1\.25' \
  'neifrac = 0.25/neifrac = -0.1/neifrac' 'neifrac = 0.25/neifrac = NaN/neifrac' 'selfrac = 0.75/selfrac = 2.0/selfrac' \
  'selfrac = 0.75/selfrac = -NaN/selfrac' 'nattemptmax = 1000/nattemptmax = 0/nattemptmax' \
  'nattemptmax = 1000/nattemptmax = 2000000000/nattemptmax' \
  'ConditionNumberMin = 1.e-07/ConditionNumberMin = -1/ConditionNumberMin' \
  'ConditionNumberMin = 1.e-07/ConditionNumberMin = 2.0/ConditionNumberMin' \
  'ConditionNumberMin = 1.e-07/ConditionNumberMin = NaN/ConditionNumberMin' \
  'nattemptmax = 1000, ConditionNumberMin = 1.e-07/nattemptmax = 20, ConditionNumberMin = 1.0/well conditioned' \
  "plotname = 'plot'/plotname = ''/plotname" "plotname = 'plot'/plotname = '.plot'/plotname" \
  "plotname = 'plot'/plotname = '-plot'/plotname" "plotname = 'plot'/plotname = 'a b'/plotname" \
  "plotname = 'plot'/plotname = 'a;b'/plotname"; do
  IFS=/ read -r from to pattern <<< "$change"
  with "$to" "s/\b$from/$to/" "$pattern"
done
with 'another folder' "s|'plot'|'../plot'|" 'plotname = "\.\./plot"'
with 'a long name' "s/'plot'/'$(printf 'p%.0s' {1..101})'/" 'plotname'

# Chains for which there is no memory. LEGATO_TEST_MEMORY: kB of address space; empty where that cannot be limited, as under a
# sanitizer.
memory=${LEGATO_TEST_MEMORY-2000000}
if [ -n "$memory" ]; then
  label='no memory for the bins'
  sed 's/nMarkov = 3/nMarkov = 1000000/; s/nsweeps = 20/nsweeps = 1000000/; s/nbins = 4/nbins = 1000000/' good.inp > input.inp
  (ulimit -v "$memory"; bad=0; refused 'memory' input.inp; exit "$bad") || bad=$((bad + 1))
  cases=$((cases + 1))
fi

label='a full disk'; out=/dev/full; refused 'standard output' good.inp
label='a closed standard output'; cases=$((cases + 1))
if "$program" good.inp >&- 2> err; then wrong "exit status 0"; fi
[ "$(wc -l < err)" -eq 1 ] || wrong "$(wc -l < err) lines on standard error: $(head -c 300 err)"
out=out
for name in energy averages chains; do
  file=plot_$name.dat
  label="$file is a directory"; mv $file kept; mkdir $file; refused "$file" good.inp
  rmdir $file; mv kept $file
  label="$file.part is a directory"; mkdir $file.part; refused "$file.part" good.inp; rmdir $file.part
done
echo "hostile_inputs: $cases cases, $bad complaints"
[ "$bad" -eq 0 ] && [ "$cases" -ge 80 ]
