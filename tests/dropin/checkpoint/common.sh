# Shared by the tests of LEGATO_CHECKPOINT, which source it. Each case has a folder for the files of the program, and in
# it a folder `saved` for the library.
# shellcheck shell=bash
. "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../../driver.sh"
RANDOM=${LEGATO_TEST_SEED:-1}

# take_arguments INPUT PROGRAM: sets variables from the arguments.
take_arguments() {
  input=$(realpath "$1") name=$(basename "$1")
  shift
  find_program "$@"
  argument=$name
  [ "$name" != tmseXd.inp ] || argument=
}

# run [VARIABLE=VALUE...]: replaces the shell by the program, so that it can be killed. Its output goes to out and err.
# shellcheck disable=SC2086 # no argument where there is none
run() { exec env "$@" "$program" $argument > out 2> err; }
with_checkpoint=(LEGATO_CHECKPOINT=saved LEGATO_CHECKPOINT_INTERVAL=0.02)

begin() {
  label=$1 cases=$((cases + 1))
  rm -rf "$scratch/case"
  mkdir -p "$scratch/case/saved"
  cd "$scratch/case"
  cp "$input" .
}

# Prints the output without the times.
printed() { sed -E 's/[0-9]+\.[0-9]+ (s|us|ns)\b/TIME \1/g' "$1/out" > "$1/printed"; }

left_alone() {
  begin "left alone"
  local started
  started=$(date +%s%N)
  (run) || fail "$(cat err)"
  milliseconds=$((($(date +%s%N) - started) / 1000000))
  rmdir saved
  printed .
  mv "$scratch/case" "$scratch/whole"
}

# run_and_kill PERCENT: kills a run after this part of the time of the undisturbed run. It fails if the run has ended
# before.
run_and_kill() {
  local job status=0
  run "${with_checkpoint[@]}" & job=$!
  sleep "$(awk -v t=$((milliseconds * $1)) 'BEGIN { print t / 100000 }')"
  kill -9 $job 2> /dev/null || true
  wait $job 2> /dev/null || status=$?
  [ $status -eq 137 ] || return 1
  killed=$((killed + 1))
}

# Runs to the end. Afterwards no saved file is left, except files that a kill has truncated.
finish() {
  ! compgen -G 'saved/legato-*' > /dev/null || resumed=$((resumed + 1))
  (run "${with_checkpoint[@]}") || wrong "taking up has failed: $(cat err)"
  same_as_whole
  ! compgen -G 'saved/legato-*' > /dev/null || wrong "left behind: $(ls saved)"
}

same_as_whole() {
  local file
  rm -rf saved/.legato-state-*
  printed .
  for file in "$scratch"/whole/*; do
    file=${file##*/}
    [ "$file" = out ] || [ "$file" = err ] || cmp -s "$scratch/whole/$file" "$file" || wrong "$file is not the same"
  done
  diff "$scratch/whole/printed" printed || wrong "something else is printed"
}
