#!/usr/bin/env bash
# copy.sh PROGRAM WHAT: checks that copying stops the program with a message and an error status, and not with a signal.
set -eu
status=0
output=$("$1" "$2" 2>&1) || status=$?
echo "$output"
grep -q 'cannot be copied' <<< "$output"
if grep -qx 'copied' <<< "$output"; then echo "copy: went on after the copy" >&2; exit 1; fi
if [ $status -eq 0 ] || [ $status -ge 128 ]; then echo "copy: stopped with status $status" >&2; exit 1; fi
