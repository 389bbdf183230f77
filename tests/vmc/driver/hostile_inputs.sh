#!/usr/bin/env bash
# hostile_inputs.sh PROGRAM [SPEAKER]: tests broken inputs and surroundings as described in tests/hostile.sh.
set -eu
. "$(dirname "$(realpath "$0")")/../../hostile.sh"
begin vmcrvb "$@"
results=(plot_energy.dat plot_averages.dat plot_chains.dat)
cat > good.inp <<'INPUT'
Two holes
 $model t = 1.0, tp = 0.0, tpp = 0.0, Jex = 0.3, L = 5, x = 0.1 $end
 $state Delta = 1.5, mu = 0.0, gap = 'A' $end
 $sampling nMarkov = 3, naveseeds = 1, iseedseed = 11, neqlsweeps = 5, nsweeps = 20, nfac = 1, nbins = 4, nrecalc = 20,
   neifrac = 0.25, selfrac = 0.75 $end
 $start nattemptmax = 1000, ConditionNumberMin = 1.e-07 $end
 $output plotname = 'plot' $end
INPUT

good_input
no_input
groups model state sampling start output
with 'no group model' '/\$model/d' 'model'
with 'groups in another order' '/\$state/{h;d};/selfrac/G' 'state'
with 'a field twice' 's/L = 5/L = 5, L = 7/' 'l is given twice'
with_each 'L = 5/L = 4/L = 4 .*3, 5' 'L = 5/L = 1/L = 1' 'L = 5/L = -5/L = -5' 'L = 5/L = 65/L = 65' \
  'L = 5/L = 5.5/l = 5\.5' 'L = 5/L = five/l = five.*allowed: 3, 5, \.\. 63' 'L = 5/L = 99999999999/l = 9' 'L = 5,/L = ,/l has no value' \
  'L = 5, //L is missing' 'L = 5/L = 5 7/l' \
  't = 1.0/t = NaN/t is not' 't = 1.0/t = 1e7/t = .*1\.0E' 't = 1.0/t = 1e400/: t' 'tp = 0.0/tp = Inf/tp is not' \
  'tpp = 0.0/tpp = -1e300/tpp = ' 'Jex = 0.3/Jex = NaN/Jex is not' 'Jex = 0.3/Jex = 2e6/Jex = ' \
  'x = 0.1/x = -0.1/x = -0\.1' 'x = 0.1/x = 1.5/x = 1\.5' 'x = 0.1/x = 1.0/x = 1\.0.*electrons' 'x = 0.1/x = NaN/x is not' \
  'tp = 0.0, tpp = 0.0, Jex = 0.3, L = 5, x = 0.1/tp = 3.0, L = 5, x = 0.95/x = 0\.95.*electrons' \
  'Delta = 1.5/Delta = 0/Delta = 0' 'Delta = 1.5/Delta = -1.5/Delta = -1\.5' 'Delta = 1.5/Delta = NaN/Delta is not' \
  'Delta = 1.5/Delta = 1e9/Delta = ' 'mu = 0.0/mu = -4.0/mu = -4\.0 .*xi_k' 'mu = 0.0/mu = 4.0/mu = 4\.0 .*xi_k' \
  'mu = 0.0/mu = Inf/mu is not' 'mu = 0.0/mu = 1e8/mu = ' "gap = 'A'/gap = 'C'/gap = .C. .*'B'" "gap = 'A'/gap = ''/gap" \
  "gap = 'A'/gap = 1/gap" "gap = 'A'/gap = 'A/gap|state|end" \
  'nMarkov = 3/nMarkov = 0/nMarkov = 0' 'nMarkov = 3/nMarkov = -1/nMarkov' 'nMarkov = 3/nMarkov = 2000000/nMarkov' \
  'nMarkov = 3, naveseeds = 1/nMarkov = 2000, naveseeds = 2000/nMarkov \* naveseeds = 4000000' \
  'naveseeds = 1/naveseeds = 0/naveseeds = 0' 'naveseeds = 1/naveseeds = 1.5/naveseeds' 'iseedseed = 11/iseedseed = 0/iseedseed' \
  'iseedseed = 11/iseedseed = -7/iseedseed' 'iseedseed = 11/iseedseed = 3000000000/iseedseed' \
  'neqlsweeps = 5/neqlsweeps = -1/neqlsweeps' 'neqlsweeps = 5/neqlsweeps = 2000000000/neqlsweeps' \
  'nsweeps = 20/nsweeps = 0/nsweeps = 0' 'nsweeps = 20/nsweeps = -20/nsweeps' 'nsweeps = 20/nsweeps = 21/nsweeps = 21.*nbins.*allowed: multiples of 4 up to' \
  'nsweeps = 20/nsweeps = 2000000000/nsweeps' 'nfac = 1/nfac = 0/nfac' 'nfac = 1/nfac = 101/nfac' \
  'nbins = 4/nbins = 0/nbins = 0' 'nbins = 4/nbins = 40/nbins = 40' 'nbins = 4/nbins = 2000000/nbins' \
  'nrecalc = 20/nrecalc = 0/nrecalc' 'neifrac = 0.25/neifrac = 1.25/neifrac = 1\.25' \
  'neifrac = 0.25/neifrac = -0.1/neifrac' 'neifrac = 0.25/neifrac = NaN/neifrac' 'selfrac = 0.75/selfrac = 2.0/selfrac' \
  'selfrac = 0.75/selfrac = -NaN/selfrac' 'nattemptmax = 1000/nattemptmax = 0/nattemptmax' \
  'nattemptmax = 1000/nattemptmax = 2000000000/nattemptmax' \
  'ConditionNumberMin = 1.e-07/ConditionNumberMin = -1/ConditionNumberMin' \
  'ConditionNumberMin = 1.e-07/ConditionNumberMin = 2.0/ConditionNumberMin' \
  'ConditionNumberMin = 1.e-07/ConditionNumberMin = NaN/ConditionNumberMin' \
  'nattemptmax = 1000, ConditionNumberMin = 1.e-07/nattemptmax = 20, ConditionNumberMin = 1.0/well conditioned' \
  "plotname = 'plot'/plotname = ''/plotname" "plotname = 'plot'/plotname = '.plot'/plotname" \
  "plotname = 'plot'/plotname = '-plot'/plotname" "plotname = 'plot'/plotname = 'a b'/plotname" \
  "plotname = 'plot'/plotname = 'a;b'/plotname"
unreadable t tp tpp Jex L x Delta mu gap nMarkov naveseeds iseedseed neqlsweeps nsweeps nfac nbins nrecalc neifrac selfrac \
  nattemptmax ConditionNumberMin plotname
with 'another folder' "s|'plot'|'../plot'|" 'plotname = "\.\./plot"'
with 'a long name' "s/'plot'/'$(printf 'p%.0s' {1..101})'/" 'plotname'

short_of_memory 'no memory for the bins' \
  's/nMarkov = 3/nMarkov = 1000000/; s/nsweeps = 20/nsweeps = 1000000/; s/nbins = 4/nbins = 1000000/'
no_output
enough 140
