#!/usr/bin/env bash
# same_moments.sh PROGRAM OTHER: the same main with two kpm_moments gives the same moments, to 1e-12 of mu_0, and the same
# density, on 30 small lattices with every kind of disorder, boundary, start vector, kernel and bounds.
set -eu
program=$(realpath "$1") other=$(realpath "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
RANDOM=4
pick() { shift $((RANDOM % $#)); echo "$1"; }
number() { echo $(($1 + RANDOM % ($2 - $1 + 1))); }
bad=0 largest=0
for ((k = 1; k <= 30; k++)); do
  onsite=$(pick constant box gaussian) vectors=$(pick sign gaussian uniform sites)
  strength=0.0 nvec=
  [ "$onsite" = constant ] || strength=$(number 1 9).$(number 0 9)
  [ "$vectors" = sites ] || nvec="nvec = $(number 1 9),"
  cat > "case.inp" <<INPUT
case $k
 \$lattice lx = $(number 2 9), ly = $(number 1 8), lz = $(number 1 7), bcx = '$(pick periodic open)', bcy = '$(pick periodic open)',
   bcz = '$(pick periodic open)', hopping = $(pick 1.0 -0.7 2.5) \$end
 &site onsite = '$onsite', energy = $(pick 0.0 -1.5 0.3), strength = $strength &end
 &kpm nmom = $(number 2 150), $nvec nreal = $(number 1 3), vectors = '$vectors', seed = $(number 1 30000) /
 &bounds margin = $(pick 0.01 0.2) /
 &dos kernel = '$(pick jackson lorentz fejer dirichlet)', nenergy = $(number 150 300) /
INPUT
  "$program" case.inp > out
  mv moments.dat moments; mv dos.dat dos
  "$other" case.inp > out
  difference=$(paste moments moments.dat | awk '!/^#/ { d = $2 - $5; if (d < 0) d = -d; if (d > most) most = d
    if ($2 !~ /^-?[0-9.]+E[-+][0-9]+$/ || $1 != $4) most = 1; rows++ } END { printf "%.2e", rows ? most : 1 }')
  density=$(paste dos dos.dat | awk '!/^#/ { d = $2 - $5; if (d < 0) d = -d; if (d > most) most = d
    if ($5 > top) top = $5; if ($1 != $4) most = 1e99; rows++ } END { printf "%.2e", rows ? most / top : 1 }')
  largest=$(awk -v a="$largest" -v b="$difference" 'BEGIN { print (a > b ? a : b) }')
  awk -v a="$difference" -v b="$density" 'BEGIN { exit !(a < 1e-12 && b < 1e-10) }' && continue
  bad=$((bad + 1)); cat case.inp; echo "  moments differ by $difference, the density by $density"
done
echo "same_moments: $((k - 1)) lattices, $bad differ; largest difference of a moment $largest"
[ "$bad" -eq 0 ]
