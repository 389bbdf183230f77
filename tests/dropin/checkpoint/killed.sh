#!/usr/bin/env bash
# killed.sh INPUT PROGRAM KILLS: a relinked main that is killed KILLS times at random moments, each time with LEGATO_CHECKPOINT,
# and then taken up again, writes the same bytes as one that was left alone without it; so does one that is killed again and
# again. INPUT is the program's only argument, or tmseXd.inp, which it finds by itself.
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
