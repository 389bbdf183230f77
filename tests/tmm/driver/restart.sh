#!/usr/bin/env bash
# restart.sh PROGRAM: checks that a run that is killed, or whose output file is truncated, ends with the same bytes as
# an undisturbed run after a restart with IKeepFlag = 1.
set -eu
. "$(dirname "$(realpath "$0")")/common.sh"
find_program "$@"

killed=0
begin() {
  label=$1 cases=$((cases + 1))
  rm -rf "$scratch/case"; mkdir "$scratch/case"; cd "$scratch/case"
  cp "$scratch/whole/tmseXd.inp" .
}
same_as_whole() {
  local file
  for file in "$scratch"/whole/Avg-*.raw; do cmp -s "$file" "${file##*/}" || wrong "${file##*/} is not the same"; done
  # Every point must be either kept or computed, and none twice.
  local points
  points=$(awk '$1 == "kept:" { n += $2 } $1 == "end:" { n++ } END { print n + 0 }' out)
  [ "$points" -eq "$all_points" ] || wrong "$points points kept or computed, $all_points expected"
}
# run_and_kill SECONDS: kills the program, and fails if it has ended before. The status of `kill` does not show this,
# because it also succeeds with a program that has ended and is not yet waited for.
run_and_kill() {
  local job status=0
  "$program" > out 2> err & job=$!
  sleep "$1"
  kill -9 $job 2> /dev/null || true
  wait $job 2> /dev/null || status=$?
  [ $status -eq 137 ] || return 1
  killed=$((killed + 1))
}
finish() { "$program" > out 2> err || wrong "restart failed: $(cat err)"; same_as_whole; }

# Three widths of 21 points take about a second or two.
mkdir "$scratch/whole"; cd "$scratch/whole"
write_input NOfIter=1000000000 Width0=4 Width1=8 dWidth=2 DiagDis0=2.0 DiagDis1=2.0 Energy0=-3.0 Energy1=1.0 dEnergy=0.2 \
  NOfGamma=3 Epsilon=0.015 IKeepFlag=1
started=$(date +%s%N)
"$program" > out
milliseconds=$((($(date +%s%N) - started) / 1000000))
all_points=$(grep -c '^end:' out)

for percent in 1 5 10 25 40 55 70 85 95; do
  begin "killed after $percent%"
  run_and_kill "$(awk -v t=$((milliseconds * percent)) 'BEGIN { print t / 100000 }')" || true
  finish
done

# The program is killed again and again after a quarter of the whole time. Only complete points count as progress.
begin "killed again and again"
for attempt in 1 2 3 4 5 6 7 8; do
  run_and_kill "$(awk -v t="$milliseconds" 'BEGIN { print t / 5000 }')" || break
done
finish
label="all kills"
[ "$killed" -gt 0 ] || wrong "none has hit a running program"

# The file of the second width is cut in the header, in a row, between rows, between points, and in the last line.
file=Avg-2D-W0006.raw
bytes=$(stat -c %s "$scratch/whole/$file")
head_bytes=$(($(grep -b '^  {' "$scratch/whole/$file" | head -n 1 | cut -d: -f1)))
point_bytes=$((3 * $(grep '^  {' "$scratch/whole/$file" | head -n 1 | wc -c)))
for cut in 0 1 50 $((head_bytes - 1)) $head_bytes $((head_bytes + 1)) $((head_bytes + point_bytes - 1)) \
  $((head_bytes + point_bytes)) $((head_bytes + point_bytes + point_bytes / 2)) $((head_bytes + 20 * point_bytes + 7)) \
  $((bytes - 3)) $((bytes - 2)) $((bytes - 1)) "$bytes"; do
  begin "cut to $cut bytes"
  cp "$scratch"/whole/Avg-*.raw .
  truncate -s "$cut" $file
  finish
done
begin "cut to $cut bytes, and nothing more to compute"
cp "$scratch"/whole/Avg-*.raw .
finish
! grep -q '^end:' out || wrong "a finished point was computed again"

begin "zeros behind the fifth point"     # such zeros can follow from a power cut
cp "$scratch"/whole/Avg-*.raw .
truncate -s $((head_bytes + 5 * point_bytes)) $file; truncate -s "$bytes" $file
finish
begin "a damaged point"
cp "$scratch"/whole/Avg-*.raw .
printf 'x' | dd of=$file bs=1 seek=$((head_bytes + 7 * point_bytes + 30)) conv=notrunc 2> /dev/null
finish
begin "more behind the end"
cp "$scratch"/whole/Avg-*.raw .
echo garbage >> $file
finish

echo "restart: $cases cases of $all_points points, $bad complaints, $killed runs killed"
[ "$bad" -eq 0 ]
