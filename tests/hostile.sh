# Shared by the tests hostile_inputs.sh, which source it. They change good.inp. A program with a broken input must print
# one clear line on standard error that names what is wrong. It must exit with an error status, not with a signal. The
# result files of an earlier run, $results, must stay unchanged.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/driver.sh"
out=out
results=() held=     # `held` is the file whose .part another run is writing

# begin NAME PROGRAM [SPEAKER]: sets the program. Its lines begin with NAME, or with SPEAKER if a library refuses the
# input.
begin() {
  speakers=$1${3:+|$3}
  find_program "${@:2}"
  cd "$scratch"
}

# refused PATTERN [ARGUMENT]...: runs the program, which must fail with one line that matches PATTERN.
refused() {
  local pattern=$1 status=0 name
  shift
  cases=$((cases + 1))
  timeout 60 "$program" "$@" > "$out" 2> err < /dev/null || status=$?
  [ "$status" -ne 0 ] || wrong "exit status 0"
  [ "$status" -lt 124 ] || wrong "exit status $status"
  [ "$(wc -l < err)" -eq 1 ] || wrong "$(wc -l < err) lines on standard error: $(head -c 300 err)"
  [ -z "${SHOW:-}" ] || sed "s/^/$cases: /" err >&2
  grep -Eqi -- "^($speakers): .*($pattern)" err || wrong "no \"$pattern\" in: $(head -c 300 err)"
  if [ "$out" = out ] && grep -qi 'nan' out; then wrong "NaN in the output"; fi
  for name in "${results[@]}"; do
    [ -d "$name" ] || [ "$(cat "$name")" = "old $name" ] || wrong "$name is touched"
    [ "$name" = "$held" ] || [ ! -f "$name.part" ] || wrong "$name.part is left behind"
  done
}

# with LABEL SED-COMMAND PATTERN: tests the good input with a change.
with() {
  label=$1
  sed -E "$2" good.inp > input.inp
  if cmp -s input.inp good.inp; then wrong "the input is as before"; fi
  refused "$3" input.inp
}

# with_each FROM/TO/PATTERN...: tests the good input with each change.
with_each() {
  local change from to pattern
  for change in "$@"; do
    IFS=/ read -r from to pattern <<< "$change"
    with "$to" "s/$from/$to/" "$pattern"
  done
}

# unreadable FIELD...: gives each field of the good input a word without quotation marks. The message must tell what is
# allowed.
unreadable() {
  local field
  for field in "$@"; do
    with "$field unreadable" "s/([ ,]$field *= *)[^, ]+/\\1no#thing/" "$field *= *no#thing.*: cannot be read: .*allowed: "
  done
}

# The good input must run: with groups of either kind, in either case, and after a killed run. Its result files are
# later used as those of an earlier run.
good_input() {
  local name
  label='the good input'
  "$program" good.inp > out 2> err || wrong "$(cat err)"
  for name in "${results[@]}"; do cp "$name" "first.$name"; done
  for name in "${results[@]}"; do head -c 100000 /dev/zero | tr '\0' x > "$name.part"; done
  same_with ampersands 's/\$end/\&end/; s/\$([a-z])/\&\1/'
  same_with 'upper case' '2,${/plotname/!s/.*/\U&/}'
  for name in "${results[@]}"; do echo "old $name" > "$name"; done
}
same_with() {
  local name
  label="the good input with $1"
  sed -E "$2" good.inp > other.inp
  if cmp -s other.inp good.inp; then wrong "the input is as before"; fi
  "$program" other.inp > out 2> err || wrong "$(cat err)"
  for name in "${results[@]}"; do cmp -s "$name" "first.$name" || wrong "other numbers in $name"; done
}

# Tests files that are not input files.
no_input() {
  label='no argument'; refused 'argument'
  label='two arguments'; refused 'argument' good.inp good.inp
  label='an empty name'; refused 'input file' ''
  label='no such file'; refused 'none\.inp' none.inp
  label='wrong extension'; cp good.inp input.dat; refused '\.inp' input.dat
  label='a directory'; mkdir folder.inp; refused 'folder\.inp' folder.inp
  label='an empty file'; : > input.inp; refused 'line 1: the file is empty' input.inp
  label='binary'; head -c 4000 /dev/urandom > input.inp; refused '.' input.inp
  label='zeros'; head -c 4000 /dev/zero > input.inp; refused '.' input.inp
  label='a long line'; { cat good.inp; printf '%05000d\n' 1; } > input.inp; refused 'long' input.inp
}

# groups NAME...: tests breaks of each group of the good input.
groups() {
  local group
  for group in "$@"; do
    with "misnamed group $group" "s/\\\$$group/\\\$foo/" "$group|foo"
    with "file ends in $group" "/\\\$$group/{s/=.*//;q}" "$group"
    with "no end of $group" "/\\\$$group/,/\\\$end/s/.end//" "$group"
    with "no such field in $group" "s/(\\\$$group)/\\1 foo = 1,/" "foo.*no such field"
  done
  with "a group twice" "/\\\$$1/p" "$1"
  with 'text behind the groups' '$a more' 'more'
}

# short_of_memory LABEL SED-COMMAND: tests an input that needs too much memory. LEGATO_TEST_MEMORY is the address space
# in kB. It is empty if that cannot be limited, as under a sanitizer.
short_of_memory() {
  local memory=${LEGATO_TEST_MEMORY-2000000}
  [ -n "$memory" ] || return 0
  label=$1
  sed -E "$2" good.inp > input.inp
  (ulimit -v "$memory"; bad=0; refused 'memory|bytes' input.inp; exit "$bad") || bad=$((bad + 1))
  cases=$((cases + 1))
}

# ends_with STATUS INPUT: checks the exit status. It must be the same without standard input and without standard error.
# Messages must not go to a file that is opened in place of standard error.
ends_with() {
  local status=0
  cases=$((cases + 1))
  LEGATO_LOG=info timeout 60 "$program" "$2" > out 2>&- < /dev/null || status=$?
  [ "$status" -eq "$1" ] || wrong "$2: exit status $status"
  if grep -E "^($speakers|legato info): " out; then wrong 'messages on standard output'; fi
  status=0
  LEGATO_LOG=info "$program" "$2" > out 2>&- <&- || status=$?
  [ "$status" -eq "$1" ] || wrong "$2, no standard input: exit status $status"
  if grep -E "^($speakers|legato info): " out; then wrong 'messages on standard output, no standard input'; fi
}

no_output() {
  local name
  label='a closed standard error'
  ends_with 1 none.inp
  ends_with 0 good.inp
  for name in "${results[@]}"; do mkdir "$name.part"; ends_with 1 good.inp; rmdir "$name.part"; done
  for name in "${results[@]}"; do
    cmp -s "$name" "first.$name" || wrong "other numbers in $name"
    echo "old $name" > "$name"
  done
  label='a full disk'; out=/dev/full; refused 'standard output: No space left' good.inp
  out=out
  label='a closed standard output'
  printf '#!/bin/sh\nexec "%s" "$@" >&-\n' "$program" > closed; chmod +x closed
  program=./closed refused 'standard output: ' good.inp
  for name in "${results[@]}"; do
    label="$name is a directory"; mv "$name" kept; mkdir "$name"; refused "$name: it is a directory" good.inp
    rmdir "$name"; mv kept "$name"
    label="$name of another run"; held=$name; echo half > "$name.part"
    exec 9>> "$name.part"; flock -n 9; refused "$name\.part: another run is writing it" good.inp; exec 9>&-
    [ "$(cat "$name.part")" = half ] || wrong "$name.part is touched"
    held=; rm "$name.part"
    label="$name.part is a directory"; mkdir "$name.part"; refused "$name\.part: it is not a regular file" good.inp; rmdir "$name.part"
    label="$name.part is a link"; echo mine > victim; ln -s victim "$name.part"
    held=$name; refused "$name\.part: it is not a regular file" good.inp; held=
    [ "$(cat victim)" = mine ] || wrong 'what the link leads to is touched'
    rm "$name.part"
    label="$name.part is a pipe"; mkfifo "$name.part"; refused "$name\.part: it is not a regular file" good.inp; rm "$name.part"
  done
}

# enough LEAST: ends a test, which must have had at least this many cases.
enough() {
  echo "hostile_inputs: $cases cases, $bad complaints"
  [ "$bad" -eq 0 ] && [ "$cases" -ge "$1" ]
}
