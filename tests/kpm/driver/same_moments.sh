#!/usr/bin/env bash
# same_moments.sh SERIAL LEGATO: checks that the same main with two kpm_moments gives the same moments, to 1e-12 max(1,
# |centre| / half_width) of mu_0, and the same density. There are 30 small lattices with every kind of disorder,
# boundary, start vector, kernel and bounds, and 4 that are shifted far from zero.
set -eu
. "$(dirname "$(realpath "$0")")/../../driver.sh"
find_both "$@"
cd "$scratch"
random=30 largest=0
awk -v cases=$random '
  function number(lowest, highest) { return lowest + int(rand() * (highest - lowest + 1)) }
  function pick(list, words) { return words[number(1, split(list, words, " "))] }
  BEGIN {
    srand(4)
    for (k = 1; k <= cases; k++) {
      onsite = pick("constant box gaussian"); vectors = pick("sign gaussian uniform sites")
      file = k ".inp"
      printf "case %d\n $lattice lx = %d, ly = %d, lz = %d, hopping = %s,\n", k, number(2, 9), number(1, 8), number(1, 7),
        pick("1.0 -0.7 2.5") > file
      printf "   bcx = \"%s\", bcy = \"%s\", bcz = \"%s\" $end\n", pick("periodic open"), pick("periodic open"),
        pick("periodic open") > file
      printf " &site onsite = \"%s\", energy = %s, strength = %s &end\n", onsite, pick("0.0 -1.5 0.3"),
        onsite == "constant" ? "0.0" : number(1, 99) / 10 > file
      printf " &kpm nmom = %d, %s nreal = %d, vectors = \"%s\", seed = %d /\n", number(2, 150),
        vectors == "sites" ? "" : "nvec = " number(1, 9) ",", number(1, 3), vectors, number(1, 30000) > file
      printf " &bounds margin = %s /\n &dos kernel = \"%s\", nenergy = %d /\n", pick("0.01 0.2"),
        pick("jackson lorentz fejer dirichlet"), number(150, 300) > file
      close(file)
    }
  }'
cases=$random
for energy in 1000 -1e5 1e6 -1e7; do
  cases=$((cases + 1))
  printf 'shifted\n &lattice lx = 64 /\n &site onsite = "box", energy = %s, strength = 1.0 /\n' $energy > $cases.inp
  printf ' &kpm nmom = 256, nvec = 3 /\n' >> $cases.inp
done
for ((k = 1; k <= cases; k++)); do
  "$serial" $k.inp > out
  mv moments.dat moments; mv dos.dat dos
  "$legato" $k.inp > out
  difference=$(paste moments moments.dat | awk "$number"'!/^#/ { d = $2 - $5; if (d < 0) d = -d; if (d > most) most = d
    if (!number($2) || !number($5) || $1 != $4) most = 1; rows++ } END { printf "%.2e", rows ? most : 1 }')
  density=$(paste dos dos.dat | awk "$number"'!/^#/ { d = $2 - $5; if (d < 0) d = -d; if (d > most) most = d
    if ($5 > top) top = $5; off = $1 - $4; if (!(number($2) && number($5) && off < 1e-12 && off > -1e-12)) most = 1e99; rows++ }
    END { printf "%.2e", rows ? most / top : 1 }')
  shift=$(awk '$1 == "Interval:" { gsub(/,/, ""); c = $3 < 0 ? -$3 : $3; print (c > $6 ? c / $6 : 1) }' out)
  difference=$(awk -v a="$difference" -v s="$shift" 'BEGIN { print a / s }')
  density=$(awk -v a="$density" -v s="$shift" 'BEGIN { print a / s }')
  largest=$(awk -v a="$largest" -v b="$difference" 'BEGIN { print (a > b ? a : b) }')
  awk -v a="$difference" -v b="$density" 'BEGIN { exit !(a < 1e-12 && b < 1e-10) }' && continue
  bad=$((bad + 1)); cat $k.inp; echo "  times $shift, moments differ by $difference, the density by $density"
done
echo "same_moments: $cases lattices, $bad differ; largest difference of a moment, for a shift of 1, $largest"
[ "$bad" -eq 0 ]
