#!/usr/bin/env bash
# copy.sh PROGRAM WHAT: the program is stopped at the copy, by a message and a status that is an error and no signal.
set -eu
status=0
output=$("$1" "$2" 2>&1) || status=$?
echo "$output"
grep -q 'cannot be copied' <<< "$output"
if grep -qx 'copied' <<< "$output"; then echo "copy: went on after the copy" >&2; exit 1; fi
if [ $status -eq 0 ] || [ $status -ge 128 ]; then echo "copy: stopped with status $status" >&2; exit 1; fi
