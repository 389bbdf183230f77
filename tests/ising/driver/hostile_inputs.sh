#!/usr/bin/env bash
# hostile_inputs.sh PROGRAM [SPEAKER]: broken inputs and surroundings. Each must end in one clear line on standard error that
# names what is wrong, an exit status that is an error and no signal, and must leave the output files of an earlier run as they
# were. A line begins with the program's name, or with that of SPEAKER: a library may refuse what reaches it.
set -eu
program=$(realpath "$1") speakers=ising_mc${2:+|$2}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cases=0 bad=0 out=out
wrong() { echo "  $label: $*"; bad=$((bad + 1)); }

cat > good.inp <<'INPUT'
A small square lattice
 $lattice dimensions = 2, extents = 4, 6, boundary = 'periodic', 'antiperiodic' $end
 $model betas = 0.3, 0.5, field = 0.25 $end
 $run algorithm = 'metropolis', generator = 'philox', seed = 11, start = 'random', replicas = 2, thermalisation = 5,
   sweeps_per_measurement = 2, measurements_per_bin = 3, bins = 4, refresh_interval = 1 $end
 $output plotname = 'plot', time_series = .true., configurations = .true. $end
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
  for name in table series spins; do
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
cp plot_series.dat first.dat
"$program" ampersands.inp > out 2> err || wrong "with ampersands: $(cat err)"
cmp -s plot_series.dat first.dat || wrong "other numbers with ampersands"
for name in table series spins; do echo "old $name" > plot_$name.dat; done

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

with 'no group lattice' '/\$lattice/d' 'lattice'
with 'no group model' '/\$model/d' 'model'
for group in lattice model run output; do
  with "misnamed group $group" "s/\\\$$group/\\\$foo/" "$group|foo"
  with "file ends in $group" "/\\\$$group/{s/=.*//;q}" "$group"
  with "no such field in $group" "s/(\\\$$group)/\\1 foo = 1,/" "foo.*no such field"
done
with 'no end of lattice' '/\$lattice/s/.end//' 'lattice'
with 'no end of run' '/refresh/s/.end//' 'run'
with 'no end of output' '/\$output/s/.end//' 'output'
with 'groups in another order' '/\$lattice/{h;d};/\$model/G' 'lattice'
with 'a group twice' '/\$model/p' 'model'
with 'text behind the groups' '$a more' 'more'
with 'a field twice' 's/seed = 11/seed = 11, seed = 12/' 'seed is given twice'
for change in 'dimensions = 2/dimensions = 1/dimensions = 1' 'dimensions = 2/dimensions = 4/dimensions = 4' \
  'dimensions = 2/dimensions = two/dimensions = two.*2 or 3' 'dimensions = 2/dimensions = 3/extents\(3\) is missing' \
  'extents = 4, 6/extents = 4/extents\(2\) is missing .*2\.\.1048576' 'extents = 4, 6/extents = 4, 6, 8/extents\(3\) = 8 in two dimensions' \
  'extents = 4, 6/extents = 4, 6, 1, 1/extents .*2\.\.1048576' 'extents = 4, 6/extents = 5, 6/extents\(1\) = 5 is odd' \
  'extents = 4, 6/extents = 4, 7/extents\(2\) = 7 is odd' 'extents = 4, 6/extents = 0, 6/extents\(1\) = 0 .*2\.\.1048576' \
  'extents = 4, 6/extents = -4, 6/extents\(1\) = -4' 'extents = 4, 6/extents = 2097152, 6/extents\(1\) = 2097152' \
  'extents = 4, 6/extents = 1048576, 1048576/extents make 1099511627776 sites' 'extents = 4, 6/extents = 4.5, 6/extents = 4\.5' \
  'extents = 4, 6/extents = 99999999999, 6/extents = 9' 'extents = 4, 6/extents = , /extents has no value' \
  "'periodic', 'antiperiodic'/'free', 'periodic'/boundary\(1\) = .free. .*'periodic', 'antiperiodic'" \
  "'periodic', 'antiperiodic'/'periodic', ''/boundary\(2\) is missing" \
  "'periodic', 'antiperiodic'/'periodic antiperiodic'/boundary\(1\) = " \
  "'periodic', 'antiperiodic'/2*'periodic', 'antiperiodic'/boundary\(3\) = .*in two dimensions" \
  'betas = 0.3, 0.5/betas = 0.3, NaN/betas\(2\) is not' 'betas = 0.3, 0.5/betas = 0.3, 0/betas\(2\) = 0 .*without 0' \
  'betas = 0.3, 0.5/betas = Inf/betas\(1\) is not' 'betas = 0.3, 0.5/betas = 1001/betas\(1\) = 1001' \
  'betas = 0.3, 0.5/betas = -1e4/betas\(1\) = -' 'betas = 0.3, 0.5/betas = cold/betas = cold' \
  'betas = 0.3, 0.5,/ /betas are missing' 'betas = 0.3, 0.5/betas(1) = 0.3, betas(3) = 0.5/betas\(2\) is missing' \
  'betas = 0.3, 0.5/betas(2000) = 0.3/betas\(2000\).*1024 numbers' \
  'field = 0.25/field = NaN/field is not' 'field = 0.25/field = -1e7/field = ' 'field = 0.25/field = 1e400/field' \
  "'metropolis'/'wolff'/algorithm = .wolff. .*demon_naive" "'metropolis'/''/algorithm is missing" \
  "'metropolis'/1/algorithm" "'metropolis'/'demon_naive'/demon_naive.* with a field, 0\.25" \
  "'philox'/'mersenne'/generator = .mersenne. .*marsaglia_zaman" "'philox'/'philo'/generator = .philo. " \
  'seed = 11/seed = 0/seed = 0' 'seed = 11/seed = -1/seed = -1' 'seed = 11/seed = 2147483647/seed = 2147483647 .*2147483646' \
  'seed = 11/seed = 1.5/seed = 1\.5.*1\.\.2147483646' "'random'/'cold'/start = .cold. .*'up', 'random'" \
  'replicas = 2/replicas = 0/replicas = 0' 'replicas = 2/replicas = 1000000/replicas at all betas are 2000000' \
  'replicas = 2/replicas = 2000000/replicas = 2000000' 'thermalisation = 5/thermalisation = -1/thermalisation = -1' \
  'thermalisation = 5/thermalisation = 2000000000/thermalisation = 2' \
  'measurement = 2/measurement = 0/sweeps_per_measurement = 0' 'measurement = 2/measurement = -3/sweeps_per_measurement = -3' \
  'bin = 3/bin = 0/measurements_per_bin = 0' 'bin = 3/bin = 3000000000/measurements_per_bin.*1\.\.1000000000' 'bins = 4/bins = 0/bins = 0' \
  'bins = 4/bins = 2000000/bins = 2000000' 'bins = 4/bins = many/bins = many.*1\.\.1048576' \
  'bin = 3, bins = 4/bin = 1000000000, bins = 1000/bins make 2\.0E\+012 sweeps .*1\.\.1099511627776' \
  'refresh_interval = 1/refresh_interval = 0/refresh_interval = 0' \
  "plotname = 'plot'/plotname = ''/plotname" "plotname = 'plot'/plotname = '.plot'/plotname" \
  "plotname = 'plot'/plotname = '-plot'/plotname" "plotname = 'plot'/plotname = 'a b'/plotname" \
  "plotname = 'plot'/plotname = 'a;b'/plotname" 'time_series = .true./time_series = 7/time_series.*\.true\. \.false\.' \
  'configurations = .true./configurations = maybe/configurations'; do
  IFS=/ read -r from to pattern <<< "$change"
  with "$to" "s/$from/$to/" "$pattern"
done
with 'demons with numbered words' "s/field = 0.25/field = 0/; s/'metropolis'/'demon_binomial'/" 'demon_binomial.* with generator'
with 'demons at negative beta' "s/0.5, field = 0.25/-0.5/; s/'metropolis'/'demon_naive'/" 'demon_naive.* with negative betas, -0\.5'
with 'empty demons' "s/, field = 0.25//; s/'metropolis'/'demon_microcanonical'/; s/'philox'/'park_miller'/;
  s/thermalisation = 5/thermalisation = 0/" 'thermalisation = 0 .*empty'
with 'another folder' "s|'plot'|'../plot'|" 'plotname = "\.\./plot"'
with 'a long name' "s/'plot'/'$(printf 'p%.0s' {1..101})'/" 'plotname'

# Lattices for which there is no memory. LEGATO_TEST_MEMORY: kB of address space; empty where that cannot be limited, as
# under a sanitizer.
memory=${LEGATO_TEST_MEMORY-2000000}
# without_memory LABEL SED-COMMAND
without_memory() {
  label=$1
  sed -E "$2" good.inp > input.inp
  (ulimit -v "$memory"; bad=0; refused 'memory|bytes' input.inp; exit "$bad") || bad=$((bad + 1))
  cases=$((cases + 1))
}
if [ -n "$memory" ]; then
  without_memory 'no memory for the spins' 's/extents = 4, 6/extents = 1048576, 65536/; s/configurations = .true./configurations = .false./'
  without_memory 'no memory for the configuration' 's/extents = 4, 6/extents = 1048576, 65536/'
  without_memory 'no memory for the bins' 's/replicas = 2/replicas = 1000/; s/bins = 4/bins = 1000000/'
fi

label='a full disk'; out=/dev/full; refused 'standard output' good.inp
label='a closed standard output'; cases=$((cases + 1))
if "$program" good.inp >&- 2> err; then wrong "exit status 0"; fi
[ "$(wc -l < err)" -eq 1 ] || wrong "$(wc -l < err) lines on standard error: $(head -c 300 err)"
out=out
for name in table series spins; do
  file=plot_$name.dat
  label="$file is a directory"; mv $file kept; mkdir $file; refused "$file" good.inp
  rmdir $file; mv kept $file
  label="$file.part is a directory"; mkdir $file.part; refused "$file.part" good.inp; rmdir $file.part
done
echo "hostile_inputs: $cases cases, $bad complaints"
[ "$bad" -eq 0 ] && [ "$cases" -ge 90 ]
