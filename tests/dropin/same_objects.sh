#!/usr/bin/env bash
# same_objects.sh BUILD_NINJA: both programs are linked from the very same main objects.
set -eu
mains() {
  sed -n "/^build [^:]*\/$1\(\.exe\)\?: /p" "$build" | tr ' ' '\n' | grep -E 'tmm_main\.dir/([a-z_]+/)*[a-z_]+\.f90\.o$' | sort
}
build=$1
[ -r "$build" ] || { echo "same_objects: no build.ninja: another generator"; exit 77; }
serial=$(mains tmsexd_serial) legato=$(mains tmsexd_legato)
[ "$(grep -cE '/(main|modules|c_streams|messages|input|output)\.f90\.o$' <<< "$serial")" -eq 6 ] ||
  { echo "same_objects: tmsexd_serial lacks main objects"; exit 1; }
[ "$serial" = "$legato" ] || { echo "same_objects: $serial and $legato"; exit 1; }
echo "same_objects: $serial" | tr '\n' ' '
