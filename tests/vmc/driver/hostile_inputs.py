#!/usr/bin/env python3
"""hostile_inputs.py PROGRAM [SPEAKER]: broken inputs and surroundings, as tests/hostile.py says."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from hostile import Program, moved, substitute  # noqa: E402

GOOD = """Two holes
 $model t = 1.0, tp = 0.0, tpp = 0.0, Jex = 0.3, L = 5, x = 0.1 $end
 $state Delta = 1.5, mu = 0.0, gap = 'A' $end
 $sampling nMarkov = 3, naveseeds = 1, iseedseed = 11, neqlsweeps = 5, nsweeps = 20, nfac = 1, nbins = 4, nrecalc = 20,
   neifrac = 0.25, selfrac = 0.75 $end
 $start nattemptmax = 1000, ConditionNumberMin = 1.e-07 $end
 $output plotname = 'plot' $end
"""
CASES = r"""
L = 5/L = 4/L = 4 .*3, 5/L = 1/L = 1/L = -5/L = -5/L = 65/L = 65/L = 5.5/l = 5\.5
L = 5/L = five/l = five.*allowed: 3, 5, \.\. 63/L = 99999999999/l = 9/L = 5 7/l
L = 5,/L = ,/l has no value
L = 5, //L is missing
t = 1.0/t = NaN/t is not/t = 1e7/t = .*1\.0E/t = 1e400/: t
tp = 0.0/tp = Inf/tp is not
tpp = 0.0/tpp = -1e300/tpp = 
Jex = 0.3/Jex = NaN/Jex is not/Jex = 2e6/Jex = 
x = 0.1/x = -0.1/x = -0\.1/x = 1.5/x = 1\.5/x = 1.0/x = 1\.0.*electrons/x = NaN/x is not
tp = 0.0, tpp = 0.0, Jex = 0.3, L = 5, x = 0.1/tp = 3.0, L = 5, x = 0.95/x = 0\.95.*electrons
Delta = 1.5/Delta = 0/Delta = 0/Delta = -1.5/Delta = -1\.5/Delta = NaN/Delta is not/Delta = 1e9/Delta = 
mu = 0.0/mu = -4.0/mu = -4\.0 .*xi_k/mu = 4.0/mu = 4\.0 .*xi_k/mu = Inf/mu is not/mu = 1e8/mu = 
gap = 'A'/gap = 'C'/gap = .C. .*'B'/gap = ''/gap/gap = 1/gap/gap = 'A/gap|state|end
nMarkov = 3/nMarkov = 0/nMarkov = 0/nMarkov = -1/nMarkov/nMarkov = 2000000/nMarkov
nMarkov = 3, naveseeds = 1/nMarkov = 2000, naveseeds = 2000/nMarkov \* naveseeds = 4000000
naveseeds = 1/naveseeds = 0/naveseeds = 0/naveseeds = 1.5/naveseeds
iseedseed = 11/iseedseed = 0/iseedseed/iseedseed = -7/iseedseed/iseedseed = 3000000000/iseedseed
neqlsweeps = 5/neqlsweeps = -1/neqlsweeps/neqlsweeps = 2000000000/neqlsweeps
nsweeps = 20/nsweeps = 0/nsweeps = 0/nsweeps = -20/nsweeps
nsweeps = 20/nsweeps = 21/nsweeps = 21.*nbins.*allowed: multiples of 4 up to/nsweeps = 2000000000/nsweeps
nfac = 1/nfac = 0/nfac/nfac = 101/nfac
nbins = 4/nbins = 0/nbins = 0/nbins = 40/nbins = 40/nbins = 2000000/nbins
nrecalc = 20/nrecalc = 0/nrecalc
neifrac = 0.25/neifrac = 1.25/neifrac = 1\.25/neifrac = -0.1/neifrac/neifrac = NaN/neifrac
selfrac = 0.75/selfrac = 2.0/selfrac/selfrac = -NaN/selfrac
nattemptmax = 1000/nattemptmax = 0/nattemptmax/nattemptmax = 2000000000/nattemptmax
ConditionNumberMin = 1.e-07/ConditionNumberMin = -1/ConditionNumberMin/ConditionNumberMin = 2.0/ConditionNumberMin
ConditionNumberMin = 1.e-07/ConditionNumberMin = NaN/ConditionNumberMin
nattemptmax = 1000, ConditionNumberMin = 1.e-07/nattemptmax = 20, ConditionNumberMin = 1.0/well conditioned
plotname = 'plot'/plotname = ''/plotname/plotname = '.plot'/plotname/plotname = '-plot'/plotname
plotname = 'plot'/plotname = 'a b'/plotname/plotname = 'a;b'/plotname
"""

program = Program("vmcrvb", GOOD, ["plot_energy.dat", "plot_averages.dat", "plot_chains.dat"])
program.good_input()
program.no_input()
program.groups("model state sampling start output")
program.without_group("model")
program.broken("groups in another order", moved(GOOD, "$state", "selfrac"), "state")
program.broken("a field twice", substitute(GOOD, ("L = 5", "L = 5, L = 7")), "l is given twice")
program.each(CASES)
program.unreadable("t tp tpp Jex L x Delta mu gap nMarkov naveseeds iseedseed neqlsweeps nsweeps nfac nbins nrecalc "
                   "neifrac selfrac nattemptmax ConditionNumberMin plotname")
program.broken("another folder", substitute(GOOD, ("'plot'", "'../plot'")), r'plotname = "\.\./plot"')
program.broken("a long name", substitute(GOOD, ("'plot'", f"'{'p' * 101}'")), "plotname")
program.short_of_memory("no memory for the bins", ("nMarkov = 3", "nMarkov = 1000000"),
                        ("nsweeps = 20", "nsweeps = 1000000"),
                        ("nbins = 4", "nbins = 1000000"))
program.no_output()
program.end(140)
