#!/usr/bin/env bash
# What keeps the five methods one house, looked at in the sources alone. Each finding is a line "FILE:LINE: what", and the exit
# status is 1 where there is one:
#     includes    no method includes another, what they share includes none; cpp/ and capi/ see no CUDA, cuda/ no capi/
#     files       no more than 700 lines
#     functions   no more than 80 lines, outside the serial programs
#     repeats     no ten lines of code in a row that stand in two methods, outside the tests
# structure.sh [FOLDER]: of another tree than this one.
set -euo pipefail
shopt -s inherit_errexit
cd "${1:-"$(dirname "$(realpath "$0")")/.."}"
export LC_ALL=C
most_lines=700 most_function_lines=80 fewest_repeated=10

# sources PATTERN... : files in the folders of sources whose names match.
sources() {
  local pattern names=()
  for pattern in "$@"; do names+=(-o -name "$pattern"); done
  find benchmarks capi cpp cuda examples fortran legacy_drivers scripts tests -path capi/abi -prune -o \
    -type f \( "${names[@]:1}" \) -print | sort
}

# The method that a file belongs to, or nothing: for all programs below.
rooms=$(find cpp -mindepth 1 -maxdepth 1 -type d ! -name core ! -name random ! -name statistics -printf '%f|')
room_of='
function room_of(path,  parts, n, name) {
  n = split(path, parts, "/")
  name = parts[1] ~ /^(cpp|cuda|legacy_drivers)$/ ? parts[2] : parts[n]
  sub(/^legato_(c_)?/, "", name)
  sub(/[_.].*/, "", name)
  return name != "" && index("|'"$rooms"'", "|" name "|") ? name : ""
}'

# A name is looked for as the compiler would: beside the file, then in cpp/, cuda/, capi/ and capi/include/.
includes() {
  local all
  all=$(find cpp cuda capi fortran legacy_drivers -name '*.c*' -o -name '*.h*')
  xargs awk "$room_of"'
    FNR == NR { there[$0] = 1; next }
    BEGIN { split("cpp/ cuda/ capi/ capi/include/", folders, " ") }
    function found(name,  i) {
      for (i = 1; i <= 4; ++i)
        if ((folders[i] name) in there) return folders[i] name
      return name
    }
    /^[ \t]*#[ \t]*include/ {
      name = $0
      gsub(/^[^<"]*[<"]|[>"].*/, "", name)
      path = found(name)
      of = room_of(FILENAME); other = room_of(path)
      top = FILENAME; sub(/\/.*/, "", top)
      where = FILENAME ":" FNR ": includes " name
      if (other != "" && other != of && FILENAME !~ /legato\/legato\.h$/) print where ": that is " other
      if (top != "cuda" && (path ~ /^cuda\// || name ~ /\.cuh$|^(cuda|cublas|cusolver|cusparse|cooperative_groups|cub\/|thrust\/)/))
        print where ": that is CUDA"
      outside = top == "fortran" || top == "legacy_drivers"
      if (outside && path ~ /^(cpp|capi)\// && path !~ /^capi\/include\//) print where ": that is behind the C interface"
      if (!outside && top != "capi" && path ~ /^capi\//) print where ": that is the C interface"
    }' <(echo "$all") <<< "$all"
}

files() {
  sources '*.[ch]' '*.[ch]pp' '*.cu' '*.cuh' '*.f90' '*.sh' CMakeLists.txt | xargs awk -v most=$most_lines '
    function end() { if (lines > most) print file ":" most + 1 ": the file has " lines " lines, more than " most }
    FNR == 1 { end(); file = FILENAME }
    { lines = FNR }
    END { end() }'
}

outside_drivers() { grep -v '^legacy_drivers/'; }

# Braces that open within namespaces and classes only, behind a parenthesis, begin a function; clang-format sees to the rest.
c_functions() {
  sources '*.[ch]' '*.[ch]pp' '*.cu' '*.cuh' | outside_drivers | xargs awk -v most=$most_function_lines '
    function code(line,  at) {
      gsub(/\\\\/, "", line)
      gsub(/\\["'\'']/, "", line)
      gsub(/"[^"]*"/, "s", line)
      gsub(/'\''[^'\'' ]'\''/, "c", line)
      gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", line)
      if (comment) { at = index(line, "*/"); if (!at) return ""; line = substr(line, at + 2); comment = 0 }
      sub(/\/\/.*/, "", line)
      if (at = index(line, "/*")) { comment = 1; line = substr(line, 1, at - 1) }
      return line
    }
    function end() { if (depth) print file ":" 1 ": braces that do not match" }
    FNR == 1 { end(); file = FILENAME; depth = comment = inside = directive = 0; text = "" }
    directive || /^[ \t]*#/ { directive = /\\$/; next }
    {
      line = code($0)
      while (match(line, /[{};]/)) {
        before = substr(line, 1, RSTART - 1)
        mark = substr(line, RSTART, 1)
        line = substr(line, RSTART + 1)
        if (before ~ /[^ \t]/ && text !~ /[^ \t]/) first = FNR
        text = text " " before
        if (mark == "{") {
          if (!inside && text ~ /\)/ && text !~ /^[ \t]*(namespace|extern)/) { inside = depth + 1; began = first }
          ++depth
        } else if (mark == "}" && depth) {
          if (inside == depth) {
            if (FNR - began + 1 > most)
              print FILENAME ":" began ": a function has " FNR - began + 1 " lines, more than " most
            inside = 0
          }
          --depth
        }
        text = ""
      }
      if (line ~ /[^ \t]/) { if (text !~ /[^ \t]/) first = FNR; text = text " " line }
    }
    END { end() }'
}

# Internal procedures count for themselves and within the one that contains them.
fortran_functions() {
  sources '*.f90' | outside_drivers | xargs awk -v most=$most_function_lines '
    FNR == 1 { depth = 0 }
    { line = tolower($0); sub(/^[ \t]+/, "", line); gsub(/"[^"]*"|'\''[^'\'']*'\''/, "", line); sub(/!.*/, "", line) }
    line ~ /^end *(subroutine|function)/ && depth {
      if (FNR - began[depth] + 1 > most)
        print FILENAME ":" began[depth] ": a procedure has " FNR - began[depth] + 1 " lines, more than " most
      --depth
      next
    }
    line ~ /^([a-z0-9_()=*, ]+ )?(subroutine|function) +[a-z]/ && line !~ /^end/ { began[++depth] = FNR }'
}

shell_functions() {
  sources '*.sh' | outside_drivers | xargs awk -v most=$most_function_lines '
    FNR == 1 { began = 0 }
    /^[a-z_]+\(\) *[{(]/ { began = FNR }
    /^[})]/ && began {
      if (FNR - began + 1 > most) print FILENAME ":" began ": a function has " FNR - began + 1 " lines, more than " most
      began = 0
    }'
}

functions() {
  c_functions
  fortran_functions
  shell_functions
}

# Empty lines, comments, includes, lone punctuation and the frame that every Fortran module has are passed over, white space
# counts for nothing.
repeats() {
  sources '*.[ch]' '*.[ch]pp' '*.cu' '*.cuh' '*.f90' '*.sh' CMakeLists.txt | grep -vE '^(tests|examples)/' |
    awk "$room_of"'room_of($0) != ""' | xargs awk -v fewest=$fewest_repeated "$room_of"'
    function report() {
      if (length_of_run) print run ": " length_of_run + fewest - 1 " lines as in " run_of
      length_of_run = 0
    }
    FNR == 1 {
      report()
      room = room_of(FILENAME)
      comment = FILENAME ~ /\.f90$/ ? "^(!|use[ ,]|(implicit none|private|contains)$)" : FILENAME ~ /\.(sh|txt)$/ ? "^#" : "^(//|# ?include)"
      count = within = 0
    }
    {
      line = $0
      gsub(/[ \t]+/, " ", line)
      sub(/^ /, "", line)
      sub(/ $/, "", line)
      if (line !~ /[A-Za-z0-9]/) next
      if (within || line ~ /^\/\*/) { within = line !~ /\*\//; next }
      if (line ~ comment) next
      if (!(line in number)) number[line] = ++numbers
      ++count
      recent[count] = number[line]
      place[count] = FNR
      if (count < fewest) next
      key = ""
      for (i = count - fewest + 1; i <= count; ++i) key = key " " recent[i]
      here = place[count - fewest + 1]
      if (!(key in seen)) { seen[key] = room; place_of[key] = FILENAME ":" here }
      if (seen[key] == room) { report(); next }
      if (!length_of_run++) { run = FILENAME ":" here; run_of = place_of[key] }
    }
    END { report() }'
}

findings=$(for check in includes files functions repeats; do $check; done)
[ -z "$findings" ] || { echo "$findings"; exit 1; }
