#!/usr/bin/env bash
# unusual_calls.sh PROGRAM: checks that immediate and deferred execution give the same numbers, to 1e-9 of the largest
# in a line. Calls that cannot be deferred must end the program with a message.
set -eu
. "$(dirname "$(realpath "$0")")/common.sh"
find_program "$@"
cd "$scratch" # the tests of both layouts may run at the same time
LEGATO_BACKEND=cpu LEGATO_DROPIN=at_once "$program" > at_once.txt
LEGATO_LOG=info LEGATO_DROPIN=deferred "$program" > deferred.txt 2> deferred.err
grep -q 'deferred, psi' deferred.err
for rule in pairs partner own negated elements size; do
  LEGATO_BACKEND=cpu LEGATO_DROPIN=at_once "$program" $rule > rule.txt
  grep -q "^\[$rule\]" rule.txt || fail "$rule: no numbers at once"
  if grep NaN rule.txt; then fail "$rule: NaN at once"; fi
  if LEGATO_DROPIN=deferred "$program" $rule > rule.txt 2> rule.err; then fail "$rule: not refused, $(cat rule.txt)"; fi
  grep -q 'take LEGATO_DROPIN=at_once' rule.err || fail "$rule: $(cat rule.err)"
done
paste -d '\n' at_once.txt deferred.txt | awk '
  NR % 2 { split($0, side, "] "); label = side[1]; split(side[2], once); next }
  { split($0, side, "] "); n = split(side[2], later); largest = worst = 0
    for (i = 1; i <= n; ++i) {
      if (once[i] == "NaN" || later[i] == "NaN") { print label "]: NaN"; bad = 1 }
      size = once[i] < 0 ? -once[i] : once[i]; if (size > largest) largest = size
      off = once[i] - later[i]; if (off < 0) off = -off; if (off > worst) worst = off
    }
    if (largest == 0 || worst > 1e-9 * largest) { print label "]: differ by " worst " of " largest; bad = 1 }
    ++lines }
  END { print "unusual_calls: " lines " lines"; exit bad || lines != 15 }'
