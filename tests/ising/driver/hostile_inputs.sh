#!/usr/bin/env bash
# hostile_inputs.sh PROGRAM [SPEAKER]: tests broken inputs and surroundings as described in tests/hostile.sh.
set -eu
. "$(dirname "$(realpath "$0")")/../../hostile.sh"
begin ising_mc "$@"
results=(plot_table.dat plot_series.dat plot_spins.dat)
cat > good.inp <<'INPUT'
A small square lattice
 $lattice dimensions = 2, extents = 4, 6, boundary = 'periodic', 'antiperiodic' $end
 $model betas = 0.3, 0.5, field = 0.25 $end
 $run algorithm = 'metropolis', generator = 'philox', seed = 11, start = 'random', replicas = 2, thermalisation = 5,
   sweeps_per_measurement = 2, measurements_per_bin = 3, bins = 4, refresh_interval = 1 $end
 $output plotname = 'plot', time_series = .true., configurations = .true. $end
INPUT

good_input
no_input
groups lattice model run output
for group in lattice model; do
  with "no group $group" "/\\\$$group/d" "$group"
done
with 'groups in another order' '/\$lattice/{h;d};/\$model/G' 'lattice'
with 'a field twice' 's/seed = 11/seed = 11, seed = 12/' 'seed is given twice'
with 'a subscript in a value' 's/extents = 4, 6/extents = 4, extents(- 1, 6/' 'extents = 4, extents.*: a value cannot have a parenthesis'
with 'a subscript with a sign and a blank' 's/extents = 4, 6/extents(- 1) = 4/' 'extents'
with_each 'dimensions = 2/dimensions = 1/dimensions = 1' 'dimensions = 2/dimensions = 4/dimensions = 4' \
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
  'configurations = .true./configurations = maybe/configurations'
with 'demons with numbered words' "s/field = 0.25/field = 0/; s/'metropolis'/'demon_binomial'/" 'demon_binomial.* with generator'
with 'demons at negative beta' "s/0.5, field = 0.25/-0.5/; s/'metropolis'/'demon_naive'/" 'demon_naive.* with negative betas, -0\.5'
with 'empty demons' "s/, field = 0.25//; s/'metropolis'/'demon_microcanonical'/; s/'philox'/'park_miller'/;
  s/thermalisation = 5/thermalisation = 0/" 'thermalisation = 0 .*empty'
# never_drawn ALGORITHM INTERVAL PATTERN: tests a refresh interval in a run of 5 + 2 * 3 * 4 sweeps.
never_drawn() {
  with "$1 that are not drawn" "s/, field = 0.25//; s/'metropolis'/'$1'/; s/'philox'/'park_miller'/;
    s/refresh_interval = 1/refresh_interval = $2/" "refresh_interval = $2 .*empty.*allowed: $3\\)"
}
never_drawn demon_microcanonical 6 '1\.\.5'
never_drawn demon_naive 30 '1\.\.29'
never_drawn demon_binomial 1000000000 '1\.\.29'
with 'another folder' "s|'plot'|'../plot'|" 'plotname = "\.\./plot"'
with 'a long name' "s/'plot'/'$(printf 'p%.0s' {1..101})'/" 'plotname'

without_configurations='s/configurations = .true./configurations = .false./'
short_of_memory 'no memory for the spins' "s/extents = 4, 6/extents = 1048576, 65536/; $without_configurations"
short_of_memory 'no memory for the configuration' 's/extents = 4, 6/extents = 1048576, 65536/'
short_of_memory 'no memory for the bins' 's/replicas = 2/replicas = 1000/; s/bins = 4/bins = 1000000/'
no_output
enough 108
