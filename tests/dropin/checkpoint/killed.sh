#!/usr/bin/env bash
# killed.sh INPUT PROGRAM KILLS: kills a relinked main with LEGATO_CHECKPOINT at a random moment and resumes it, KILLS
# times. Each time it must write the same bytes as an undisturbed run without LEGATO_CHECKPOINT. So must a run that is
# killed again and again. INPUT is the only argument of the program, or tmseXd.inp, which the program finds by itself.
set -eu
. "$(dirname "$(realpath "$0")")/common.sh"
take_arguments "$@"
kills=${3:?}
killed=0 resumed=0

left_alone
for ((kill = 0; kill < kills; kill++)); do
  begin "kill $kill"
  run_and_kill $((RANDOM % 100)) || true
  finish
done
begin "killed again and again"
for ((attempt = 0; attempt < 8; attempt++)); do run_and_kill 30 || break; done
finish

label="all kills"
[ $killed -gt 0 ] || wrong "none has hit a running program"
[ $resumed -gt 0 ] || wrong "no run went on from a file"
echo "killed: $cases cases, $bad complaints; $killed runs killed, $resumed taken up from a file"
[ "$bad" -eq 0 ]
