#!/usr/bin/env bash
# refused.sh INPUT PROGRAM SED-COMMAND: tests values of LEGATO_CHECKPOINT and LEGATO_CHECKPOINT_INTERVAL that cannot be
# used, files that are damaged or belong to another input, and a full disk. Each must give a message and no wrong
# number. SED-COMMAND makes another input from INPUT.
set -eu
. "$(dirname "$(realpath "$0")")/common.sh"
take_arguments "$@"
change=${3:?}

# saved_state: kills the program when its first file exists, and stores the name of this file in $state.
saved_state() {
  local job looks
  run "${with_checkpoint[@]}" & job=$!
  for ((looks = 0; looks < 1000; looks++)); do
    ! compgen -G 'saved/legato-*' > /dev/null || break
    sleep 0.02
  done
  kill -9 $job 2> /dev/null || true
  wait $job 2> /dev/null || true
  state=$(compgen -G 'saved/legato-*' | head -n 1) || fail "no file was saved"
}
# refuses WORDS VARIABLE=VALUE...: checks that the program refuses these settings with these words.
refuses() {
  local words=$1
  shift
  if (run "$@"); then wrong "$* was taken"; fi
  grep -q "$words" err || wrong "not \"$words\" but: $(cat err)"
  [ "$(wc -l < err)" -eq 1 ] || wrong "more than a line: $(cat err)"
}

left_alone
begin "no such folder"
refuses '^legato: LEGATO_CHECKPOINT: "nowhere": No such file or directory; it must be a folder that can be written$' \
  LEGATO_CHECKPOINT=nowhere
begin "no folder"
refuses '^legato: LEGATO_CHECKPOINT: "'"$name"'": Not a directory; it must be a folder that can be written$' \
  LEGATO_CHECKPOINT="$name"
for seconds in -1 86401 nan 5s x 1e400; do
  begin "interval $seconds"
  refuses "^legato: LEGATO_CHECKPOINT_INTERVAL: \"$seconds\" is not a number of seconds in 0..86400\$" \
    LEGATO_CHECKPOINT=saved LEGATO_CHECKPOINT_INTERVAL=$seconds
done
if [ "$(id -u)" -ne 0 ]; then
  begin "a folder that cannot be written"
  chmod a-w saved
  refuses '"saved": Permission denied; it must be a folder that can be written$' LEGATO_CHECKPOINT=saved
fi

begin "a damaged file"
saved_state
cp "$state" sound
printf '\377\001\377' | dd of="$state" bs=1 seek=$(($(stat -c %s "$state") / 2)) conv=notrunc 2> /dev/null
refuses "$state" "${with_checkpoint[@]}"
label="a file that is cut short"
cp sound "$state"
truncate -s -7 "$state"
refuses "$state" "${with_checkpoint[@]}"
label="a file under the name of another input's"
sed -i "$change" "$name"
mv saved others
mkdir saved
saved_state
cp sound "$state"
refuses "$state.*another" "${with_checkpoint[@]}"
label="another input beside it"
cp sound "saved/$(basename "$(compgen -G 'others/legato-*' | head -n 1)")"
rm "$state"
(run "${with_checkpoint[@]}") || wrong "refused: $(cat err)"
printed .
mkdir "$scratch/other"
cp out printed "$scratch/other"
rm -r saved
(run) || wrong "left alone: $(cat err)"
printed .
cmp -s printed "$scratch/other/printed" || wrong "its result is not what it is alone"

# on_full_disk FOLDER COMMAND...: runs the command in a mount namespace.
on_full_disk() {
  mount -t tmpfs -o size=4k tmpfs "$1" && shift && "$@"
}
export -f on_full_disk
begin "a full disk"
if unshare -m mount -t tmpfs tmpfs saved 2> /dev/null; then
  unshare -m bash -c 'on_full_disk "$@"' on_full_disk saved env "${with_checkpoint[@]}" "$program" $argument > out 2> err ||
    wrong "the program has ended: $(cat err)"
  grep -q '^legato: LEGATO_CHECKPOINT: the run cannot be saved: .*No space left on device' err ||
    wrong "not told: $(cat err)"
  same_as_whole
fi
echo "refused: $cases cases, $bad complaints"
[ "$bad" -eq 0 ]
