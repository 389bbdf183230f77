#!/usr/bin/env bash
# environment.sh PROGRAM INPUT RESULT [SETTING]...: tests the environment variables of a program on the library, and its
# messages. RESULT is the file with the numbers, "out" for standard output. Each SETTING is a further one that must be
# refused.
set -eu
. "$(dirname "$(realpath "$0")")/driver.sh"
find_program "$1"
input=$(realpath "$2") result=$3
shift 3
cd "$scratch"
cp "$input" run.inp
cp "$input" tmseXd.inp # for a program without arguments
run() { "$program" $(case $program in *tmsexd*) ;; *) echo run.inp ;; esac) > out 2> err; }
# Prints everything but the seconds.
steady() { grep -v ' s$' "$result"; }

LEGATO_LOG=info run || fail "$(cat err)"
grep -q '^legato info: .*backend' err || fail "the backend is not told: $(cat err)"
LEGATO_BACKEND=cpu LEGATO_NUM_THREADS=1 run || fail "$(cat err)"
[ ! -s err ] || fail "not silent: $(cat err)"
steady > first
[ -s first ] || fail "no numbers"
LEGATO_BACKEND=cpu LEGATO_NUM_THREADS=2 run || fail "two threads: $(cat err)"
steady | cmp -s - first || fail "other numbers with two threads"
refused="LEGATO_BACKEND=gpu LEGATO_NUM_THREADS=many LEGATO_LOG=loud LEGATO_DEVICE=first $*"
[ -e /dev/nvidia0 ] || refused="$refused LEGATO_BACKEND=cuda"
for setting in $refused; do
  if (export "${setting?}"; run); then fail "$setting was accepted"; fi
  [ "$(wc -l < err)" -eq 1 ] && grep -q "^legato: ${setting%=*}\|^legato: .*\(CUDA\|NVIDIA driver\)" err || fail "$setting: $(cat err)"
  ! grep -q insufficient err || fail "a driver that is missing is called insufficient: $(cat err)"
  [ "$result" = out ] || steady | cmp -s - first || fail "$setting: the files of the run before are touched"
done
