#!/usr/bin/env bash
# ahead.sh INPUT SERIAL LEGATO FILE: tests that at any moment the relinked main has written at least as many lines of
# FILE as the serial one, without LEGATO_CHECKPOINT. A kill then loses no more than before. Both run side by side. They
# are stopped at several numbers of lines of the serial program, and compared.
set -eu
. "$(dirname "$(realpath "$0")")/common.sh"
input=$(realpath "$1") name=$(basename "$1")
find_both "$2" "$3"
file=${4:?} stops=6 argument=$name
[ "$name" != tmseXd.inp ] || argument=

trap 'kill -9 ${jobs_of_both[*]:-} 2> /dev/null || true; rm -rf "$scratch"' EXIT
# shellcheck disable=SC2086 # no argument where there is none
for which in legato serial; do
  mkdir "$scratch/$which"
  cd "$scratch/$which"
  cp "$input" .
  LEGATO_LOG=error LEGATO_NUM_THREADS=1 "${!which}" $argument > out 2> err &
  jobs_of_both+=($!)
  disown
done
lines() { cat "$scratch/$1/"$file 2> /dev/null | wc -l; }

compared=0
for ((stop = 0; stop < stops; stop++)); do
  before=$(lines serial)
  while [ "$(lines serial)" -le "$before" ] && kill -0 "${jobs_of_both[1]}" 2> /dev/null; do sleep 0.05; done
  sleep 0.1
  kill -STOP "${jobs_of_both[@]}" 2> /dev/null || break     # one of them has ended
  compared=$((compared + 1))
  [ "$(lines legato)" -ge "$(lines serial)" ] || wrong "stop $stop: $(lines legato) lines, the serial program has $(lines serial)"
  echo "stop $stop: $(lines legato) lines, the serial program has $(lines serial)"
  kill -CONT "${jobs_of_both[@]}"
done
[ $compared -gt 0 ] || wrong "both ended too soon"
echo "ahead: compared at $compared moments, $bad complaints"
[ "$bad" -eq 0 ]
