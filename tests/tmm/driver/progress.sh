#!/usr/bin/env bash
# progress.sh PROGRAM: checks that the progress line on a terminal counts the points of all widths, and that k is the
# number of cycles of a point (0 before it begins).
set -eu
. "$(dirname "$(realpath "$0")")/common.sh"
find_program "$@"
script -qec true /dev/null > /dev/null 2>&1 < /dev/null || { echo "progress: skipped, script (util-linux) gives no terminal"; exit 77; }
cd "$scratch"
# Three widths of 1001 points with 500 cycles take some seconds on one thread.
write_input Width0=4 Width1=16 dWidth=6 Energy0=-2.0 Energy1=2.0 dEnergy=0.004 NOfIter=5000 Epsilon=1e-15 NOfGamma=1
export LEGATO_NUM_THREADS=1
script -qec "$program > out" terminal > /dev/null < /dev/null || fail "$program failed: $(cat terminal)"
tr '\r' '\n' < terminal | grep ' of ' > lines || fail "no progress line"
awk '{ left = 0; for (i = 2; i <= NF; ++i) if ($i ~ /^left/) left = $(i - 2) }
  $3 != 3003 || $1 > $3 || left < 0 || $NF < 0 || $NF > 500 { print "  " $0; bad = 1 } END { exit bad }' lines || fail "wrong lines"
echo "progress: $(wc -l < lines) lines, the last: $(tail -n 1 lines)"
