#!/usr/bin/env bash
# restart.sh PROGRAM KIND...: kills a run that saves its state, and resumes it from the file. Its results and errors
# must be bitwise identical to those of an undisturbed run. PROGRAM KIND STATE RESULT begins a run, or resumes it from
# STATE if this file exists, and says so.
set -eu
. "$(dirname "$(realpath "$0")")/driver.sh"
find_program "$@"
shift
kinds=("$@")
export LEGATO_NUM_THREADS=${LEGATO_NUM_THREADS:-1}

killed=0 killed_saving=0 resumed=0
begin() {
  label="$kind, $1" cases=$((cases + 1))
  rm -rf "$scratch/case"; mkdir "$scratch/case"; cd "$scratch/case"
}
saving() { compgen -G '.legato-state-*' > /dev/null; }
# run_and_kill WAIT...: kills the run when the command WAIT has ended. It fails if the run has ended before. An
# incomplete file may remain.
run_and_kill() {
  local job status=0
  rm -f .legato-state-*
  "$program" "$kind" state.h5 result > out 2> err & job=$!
  "$@"
  kill -9 $job 2> /dev/null || true
  wait $job 2> /dev/null || status=$?
  [ $status -eq 137 ] || return 1
  killed=$((killed + 1))
  if saving; then killed_saving=$((killed_saving + 1)); fi
}
percent_of_time() { sleep "$(awk -v t=$((milliseconds * $1)) 'BEGIN { print t / 100000 }')"; }
until_it_saves() {
  local looks
  for ((looks = 0; looks < 5000; looks++)); do if saving; then return; fi; done
}
finish() {
  "$program" "$kind" state.h5 result > out 2> err || wrong "restart failed: $(cat err)"
  if grep -q '^begins with [1-9]' out; then resumed=$((resumed + 1)); fi
  cmp -s result "$scratch/whole" || wrong "the result is not the same"
}

for kind in "${kinds[@]}"; do
  begin "left alone"
  started=$(date +%s%N)
  "$program" $kind state.h5 "$scratch/whole"
  milliseconds=$((($(date +%s%N) - started) / 1000000))
  for percent in 2 10 25 40 55 70 85 95; do
    begin "killed after $percent%"
    run_and_kill percent_of_time $percent || true
    finish
  done
  begin "killed again and again"
  for ((attempt = 0; attempt < 10; attempt++)); do run_and_kill percent_of_time 20 || break; done
  finish
  begin "killed while it saves"
  before=$killed_saving
  for ((attempt = 0; attempt < 50 && killed_saving < before + 2; attempt++)); do
    run_and_kill until_it_saves || rm -f state.h5 # the run was faster; begin again
  done
  finish
  begin "a finished run"
  "$program" $kind state.h5 result > out
  finish
done
label="all kills"
[ $killed -gt 0 ] || wrong "none has hit a running program"
[ $killed_saving -gt 0 ] || wrong "none has hit a program that was saving"
[ $resumed -gt 0 ] || wrong "no run went on from a file"
echo "restart: $cases cases, $bad complaints; $killed runs killed, $killed_saving of them while saving; $resumed resumed"
[ $bad -eq 0 ]
