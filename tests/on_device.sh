#!/usr/bin/env bash
# on_device.sh ENGINES_TEST COMMAND...: runs the command with LEGATO_BACKEND=cuda. It is skipped if the engines' test
# finds no device.
set -eu
status=0
"$1" --list_content > /dev/null 2>&1 || status=$?
[ "$status" -ne 77 ] || exit 77
shift
exec env LEGATO_BACKEND=cuda "$@"
