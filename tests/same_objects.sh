#!/usr/bin/env bash
# same_objects.sh BUILD_NINJA MAIN SERIAL LEGATO FILE...: checks that both programs are linked from the same objects of
# the library MAIN, and that these include the objects of the source files FILE...
set -eu
build=$1 main=$2 serial=$3 legato=$4
shift 4
mains() {
  sed -n "/^build [^:]*\/$1\(\.exe\)\?: /p" "$build" | tr ' ' '\n' | grep -E "$main"'\.dir/([a-z_]+/)*[a-z_]+\.(f90|c)\.o$' | sort
}
[ -r "$build" ] || { echo "same_objects: no build.ninja: another generator"; exit 77; }
serial_objects=$(mains "$serial") legato_objects=$(mains "$legato")
for file in "$@"; do
  grep -q "/$file\.f90\.o$" <<< "$serial_objects" || { echo "same_objects: $serial lacks $file"; exit 1; }
done
[ "$serial_objects" = "$legato_objects" ] || { echo "same_objects: $serial_objects and $legato_objects"; exit 1; }
echo "same_objects: $serial_objects" | tr '\n' ' '
