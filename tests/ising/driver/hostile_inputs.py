#!/usr/bin/env python3
"""hostile_inputs.py PROGRAM [SPEAKER]: broken inputs and surroundings, as tests/hostile.py says."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from hostile import Program, moved, substitute  # noqa: E402

GOOD = """A small square lattice
 $lattice dimensions = 2, extents = 4, 6, boundary = 'periodic', 'antiperiodic' $end
 $model betas = 0.3, 0.5, field = 0.25 $end
 $run algorithm = 'metropolis', generator = 'philox', seed = 11, start = 'random', replicas = 2, thermalisation = 5,
   sweeps_per_measurement = 2, measurements_per_bin = 3, bins = 4, refresh_interval = 1 $end
 $output plotname = 'plot', time_series = .true., configurations = .true. $end
"""
CASES = r"""
dimensions = 2/dimensions = 1/dimensions = 1/dimensions = 4/dimensions = 4/dimensions = two/dimensions = two.*2 or 3
dimensions = 2/dimensions = 3/extents\(3\) is missing
extents = 4, 6/extents = 4/extents\(2\) is missing .*2\.\.1048576/extents = 4, 6, 8/extents\(3\) = 8 in two dimensions
extents = 4, 6/extents = 4, 6, 1, 1/extents .*2\.\.1048576/extents = 5, 6/extents\(1\) = 5 is odd
extents = 4, 6/extents = 4, 7/extents\(2\) = 7 is odd/extents = 0, 6/extents\(1\) = 0 .*2\.\.1048576
extents = 4, 6/extents = -4, 6/extents\(1\) = -4/extents = 2097152, 6/extents\(1\) = 2097152
extents = 4, 6/extents = 1048576, 1048576/extents make 1099511627776 sites/extents = 4.5, 6/extents = 4\.5
extents = 4, 6/extents = 99999999999, 6/extents = 9/extents = , /extents has no value
'periodic', 'antiperiodic'/'free', 'periodic'/boundary\(1\) = .free. .*'periodic', 'antiperiodic'
'periodic', 'antiperiodic'/'periodic', ''/boundary\(2\) is missing/'periodic antiperiodic'/boundary\(1\) = 
'periodic', 'antiperiodic'/2*'periodic', 'antiperiodic'/boundary\(3\) = .*in two dimensions
betas = 0.3, 0.5/betas = 0.3, NaN/betas\(2\) is not/betas = 0.3, 0/betas\(2\) = 0 .*without 0
betas = 0.3, 0.5/betas = Inf/betas\(1\) is not/betas = 1001/betas\(1\) = 1001/betas = -1e4/betas\(1\) = -
betas = 0.3, 0.5/betas = cold/betas = cold/betas(1) = 0.3, betas(3) = 0.5/betas\(2\) is missing
betas = 0.3, 0.5/betas(2000) = 0.3/betas\(2000\).*1024 numbers
betas = 0.3, 0.5,/ /betas are missing
field = 0.25/field = NaN/field is not/field = -1e7/field = /field = 1e400/field
'metropolis'/'wolff'/algorithm = .wolff. .*demon_naive/''/algorithm is missing/1/algorithm
'metropolis'/'demon_naive'/demon_naive.* with a field, 0\.25
'philox'/'mersenne'/generator = .mersenne. .*marsaglia_zaman/'philo'/generator = .philo. 
seed = 11/seed = 0/seed = 0/seed = -1/seed = -1/seed = 2147483647/seed = 2147483647 .*2147483646
seed = 11/seed = 1.5/seed = 1\.5.*1\.\.2147483646
'random'/'cold'/start = .cold. .*'up', 'random'
replicas = 2/replicas = 0/replicas = 0/replicas = 1000000/replicas at all betas are 2000000
replicas = 2/replicas = 2000000/replicas = 2000000
thermalisation = 5/thermalisation = -1/thermalisation = -1/thermalisation = 2000000000/thermalisation = 2
measurement = 2/measurement = 0/sweeps_per_measurement = 0/measurement = -3/sweeps_per_measurement = -3
bin = 3/bin = 0/measurements_per_bin = 0/bin = 3000000000/measurements_per_bin.*1\.\.1000000000
bins = 4/bins = 0/bins = 0/bins = 2000000/bins = 2000000/bins = many/bins = many.*1\.\.1048576
bin = 3, bins = 4/bin = 1000000000, bins = 1000/bins make 2\.0E\+012 sweeps .*1\.\.1099511627776
refresh_interval = 1/refresh_interval = 0/refresh_interval = 0
plotname = 'plot'/plotname = ''/plotname/plotname = '.plot'/plotname/plotname = '-plot'/plotname
plotname = 'plot'/plotname = 'a b'/plotname/plotname = 'a;b'/plotname
time_series = .true./time_series = 7/time_series.*\.true\. \.false\.
configurations = .true./configurations = maybe/configurations
"""
NO_FIELD = (", field = 0.25", "")
PARK_MILLER = ("'philox'", "'park_miller'")

program = Program("ising_mc", GOOD, ["plot_table.dat", "plot_series.dat", "plot_spins.dat"])
program.good_input()
program.no_input()
program.groups("lattice model run output")
program.without_group("lattice model")
program.broken("groups in another order", moved(GOOD, "$lattice", "$model"), "lattice")
program.broken("a field twice", substitute(GOOD, ("seed = 11", "seed = 11, seed = 12")), "seed is given twice")
program.broken("a subscript in a value", substitute(GOOD, ("extents = 4, 6", "extents = 4, extents(- 1, 6")),
               "extents = 4, extents.*: a value cannot have a parenthesis")
program.broken("a subscript with a sign and a blank", substitute(GOOD, ("extents = 4, 6", "extents(- 1) = 4")),
               "extents")
program.each(CASES)
program.broken("demons with numbered words",
               substitute(GOOD, ("field = 0.25", "field = 0"), ("'metropolis'", "'demon_binomial'")),
               "demon_binomial.* with generator")
program.broken("demons at negative beta",
               substitute(GOOD, ("0.5, field = 0.25", "-0.5"), ("'metropolis'", "'demon_naive'")),
               r"demon_naive.* with negative betas, -0\.5")
program.broken("empty demons", substitute(GOOD, NO_FIELD, ("'metropolis'", "'demon_microcanonical'"), PARK_MILLER,
                                          ("thermalisation = 5", "thermalisation = 0")), "thermalisation = 0 .*empty")
# A run has 5 + 2 * 3 * 4 sweeps.
for algorithm, interval, allowed in (("demon_microcanonical", 6, r"1\.\.5"), ("demon_naive", 30, r"1\.\.29"),
                                     ("demon_binomial", 10**9, r"1\.\.29")):
    text = substitute(GOOD, NO_FIELD, ("metropolis", algorithm), PARK_MILLER,
                      ("refresh_interval = 1", f"refresh_interval = {interval}"))
    program.broken(f"{algorithm} that are not drawn", text,
                   rf"refresh_interval = {interval} .*empty.*allowed: {allowed}\)")
program.broken("another folder", substitute(GOOD, ("'plot'", "'../plot'")), r'plotname = "\.\./plot"')
program.broken("a long name", substitute(GOOD, ("'plot'", f"'{'p' * 101}'")), "plotname")

LARGE = ("extents = 4, 6", "extents = 1048576, 65536")
NO_CONFIGURATIONS = ("configurations = .true.", "configurations = .false.")
program.short_of_memory("no memory for the spins", LARGE, NO_CONFIGURATIONS)
program.short_of_memory("no memory for the configuration", LARGE)
program.short_of_memory("no memory for the bins", ("replicas = 2", "replicas = 1000"), ("bins = 4", "bins = 1000000"))
program.no_output()
program.end(108)
