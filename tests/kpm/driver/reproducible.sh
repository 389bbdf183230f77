#!/usr/bin/env bash
# reproducible.sh PROGRAM: checks that the same input gives the same bytes, and another seed other numbers. Vectors and
# realisations must not depend on their number. If two runs use one folder at the same time, one must be refused.
set -eu
. "$(dirname "$(realpath "$0")")/../../driver.sh"
find_program "$@"
cd "$scratch"
run() { "$program" "$1.inp" > "$1.out"; mv moments.dat "$1.moments"; mv dos.dat "$1.dos"; }
disordered() {
  cat <<INPUT
$1
 \$lattice lx = 11, ly = 9, lz = 7, bcz = 'open' \$end
 \$site onsite = 'gaussian', strength = 2.0 \$end
 \$kpm nmom = 40, nvec = $2, nreal = $3, vectors = '$4', seed = $5 \$end
 \$bounds method = 'given', lowest = -16.0, highest = 16.0 \$end
INPUT
}
for vectors in sign gaussian uniform; do
  disordered same 3 2 $vectors 5 > first.inp
  cp first.inp again.inp
  disordered same 3 2 $vectors 6 > other.inp
  for name in first again other; do run $name; done
  cmp -s first.moments again.moments || wrong "$vectors: other moments when run again"
  cmp -s first.dos again.dos || wrong "$vectors: another density when run again"
  if cmp -s <(grep -v '^#' first.moments) <(grep -v '^#' other.moments); then wrong "$vectors: another seed, the same moments"; fi

  # The mean of two samples is (a + b) / 2, and its error |a - b| / 2. The first sample is therefore mean + error or
  # mean - error.
  disordered one 1 1 $vectors 5 > one.inp
  disordered vectors 2 1 $vectors 5 > vectors.inp
  disordered realisations 1 2 $vectors 5 > realisations.inp
  for name in one vectors realisations; do run $name; done
  for name in vectors realisations; do
    paste one.moments $name.moments | awk '!/^#/ { d = $2 - $5; if (d < 0) d = -d; off = d - $6; rows++
      if (!(off < 1e-14 && off > -1e-14) || (rows > 2 && !($6 > 0))) bad = 1 } END { exit bad || rows != 40 }' ||
      wrong "$vectors: the first of two $name is not the same alone"
  done
done
# The second run in a folder is refused, because both would write the same files.
disordered twice 16000 1 sign 5 > twice.inp
rm -f moments.dat dos.dat
run twice
"$program" twice.inp > a.out 2> a.err & a=$!
"$program" twice.inp > b.out 2> b.err & b=$!
good=0
for job in $a $b; do if wait "$job"; then good=$((good + 1)); fi; done
[ $good -eq 1 ] || wrong "of two runs at once $good succeeded"
[ "$(cat a.err b.err | grep -c '^kpmdos: moments\.dat\.part: another run is writing it$')" -eq 1 ] || wrong "of two runs: $(cat a.err b.err)"
for name in moments dos; do cmp -s $name.dat twice.$name || wrong "of two runs at once: other $name"; done
[ ! -e moments.dat.part ] && [ ! -e dos.dat.part ] || wrong 'of two runs at once: files are left behind'
echo "reproducible: $bad wrong"
[ "$bad" -eq 0 ]
