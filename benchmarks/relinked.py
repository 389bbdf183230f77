#!/usr/bin/env python3
"""Compares relinked programs with the serial ones. Whole programs are timed, from start to exit, in pairs.

    relinked.py BUILD [--grid all|readme|demo|crossing|large] [--methods tmm,dfr,kpm,vmc,ising] [--only WORD] [--pairs 3] [--seconds 0.6]
                [--json FILE] [--programs serial,legato] [--kernels LIBRARY] [--backends | --busy]
                [--environment NAME=VALUE ...]

BUILD is a build folder with the programs of legacy_drivers. --grid chooses the problems:

    all         many sizes of every method (the default)
    readme      the problems of the first table of the README
    demo        the inputs of scripts/demo.sh; --seconds has no effect
    crossing    problems on both sides of the sizes from which a GPU is faster
    large       jobs that are worth the start of a GPU. The serial program would take minutes to hours. It runs two shorter jobs of the
                same shape, and its time is their linear extrapolation in the unit of work

--methods and --only choose among these problems; --only takes those whose names contain WORD. The two programs run each problem in turn,
--pairs times. The output gives the median of the ratios of a pair, serial time divided by relinked time, and the smallest and the largest
ratio. The sizes of the jobs are chosen so that the serial program takes about --seconds on one core. LEGATO_NUM_THREADS is 1 unless the
environment or --environment sets it.

--programs names the two kinds of programs that form a pair. --json writes the results to FILE.

--kernels LIBRARY (BUILD/benchmarks/libkernel_seconds.so) runs the relinked program once more with this library injected. It records the
seconds in which the device was busy, and the share of the relinked program's time in which it was not.

--backends compares the relinked program with itself. The ratio is the time of the faster one of LEGATO_BACKEND=cpu and cuda, divided by
the time of auto. A first run with auto, which measures the costs, does not count.

--busy compares the relinked program with itself, alone and beside another program that keeps one processor busy. The ratio is the quiet
time divided by the busy time. The number of threads is the library's default unless LEGATO_NUM_THREADS is set.
"""
import argparse
import datetime
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import namedtuple
from pathlib import Path

# A problem: `text` goes to the file `input`, which the program gets as its argument unless it has one fixed name. `shorter`: pairs of
# units of work and an input for the serial program, where it does not run `units` itself.
Case = namedtuple("Case", "method name input text units shorter", defaults=(0, ()))
PROGRAMS = {"tmm": "tmsexd", "dfr": "dfratom", "kpm": "kpmdos", "vmc": "vmcrvb", "ising": "ising_mc"}


def tmm(dimension, width, seconds, boundary=1, disorders=1, cycles=0):
    """Points that never converge; seconds of a cycle of the serial program as measured."""
    sites = width**2 if dimension == 3 else width
    cycle = 1e-9 * (100 + 60 * sites + 9 * sites**2 + 1.3 * sites**3)
    cycles = cycles or max(3, int(seconds / cycle / disorders))
    name = f"{dimension}D M = {width}" + (f", {disorders} values of disorder" if disorders > 1 else "")
    text = f"""ISeed = 1277
NOfIter = {10 * cycles}
NOfOrtho = 10
NOfPrint = 1000
NOfGamma = 8
IDimenFlag = {dimension}
IBCFlag = {boundary if dimension > 1 else 0}
IRNGFlag = 0
IKeepFlag = 0
IWriteFlag = 0
ISortFlag = 0
IFluxFlag = {1 if disorders == 1 else 0}
Width0 = {width}
Width1 = {width}
dWidth = 1
DiagDis0 = 1.0
DiagDis1 = {1 + 0.25 * (disorders - 1)}
dDiagDis = 0.25
Energy0 = 0.3
Energy1 = 0.3
dEnergy = 1.0
Kappa = 1.0
Epsilon = 1.0E-9
"""
    return Case("tmm", name, "tmseXd.inp", text)


def dfr(name, inputs):
    return Case("dfr", name, "atom.inp", (inputs / "dfr/inputs" / f"{name.lower()}.inp").read_text())


def kpm(extents, moments, vectors, seconds, disorder=True):
    """`moments`: 0 for as many as take so many seconds, at most 1024 for each of several realisations."""
    sites, realisations = 1, 1
    for extent in extents:
        sites *= extent
    if not moments:
        affordable = int(seconds / (4e-9 * sites * vectors))
        moments = max(16, min(1024, affordable // 2 * 2))
        realisations = max(1, affordable // moments)
    lattice = ", ".join(f"l{axis} = {extent}" for axis, extent in zip("xyz", extents))
    site = " $site onsite = 'box', strength = 2.0 $end\n" if disorder else ""
    text = f"""kernel polynomials
 $lattice {lattice} $end
{site} $kpm nmom = {moments}, nvec = {vectors}, vectors = 'sign', nreal = {realisations} $end
"""
    times = f", {realisations} realisations" if realisations > 1 else ""
    return Case("kpm", f"{' x '.join(map(str, extents))}, N = {moments}, R = {vectors}{times}", "run.inp", text)


def vmc(length, share, seconds, chains=4, sweeps=0):
    sweep = 2.5e-9 * length**4 * 4
    sweeps = sweeps or max(20, int(seconds / chains / sweep) // 20 * 20)
    text = f"""variational Monte Carlo
 $model L = {length}, x = 0.1 $end
 $state Delta = 1.5, mu = 0.0 $end
 $sampling nMarkov = {chains}, neqlsweeps = {sweeps // 10}, nsweeps = {sweeps}, nbins = 10, neifrac = {share} $end
"""
    return Case("vmc", f"L = {length}, neifrac = {share}" + (f", {chains} chains" if chains != 4 else ""), "run.inp", text)


def ising(algorithm, extent, dimensions, replicas, seconds, sweeps=0, sweeps_per_measurement=1):
    spins = extent**dimensions * replicas
    sweeps = sweeps or max(4, int(seconds / (4e-9 * spins)) // 4 * 4)
    extents = ", ".join([str(extent)] * dimensions)
    text = f"""Ising model
 $lattice dimensions = {dimensions}, extents = {extents} $end
 $model betas = {0.44 if dimensions == 2 else 0.22} $end
 $run algorithm = '{algorithm}', replicas = {replicas}, thermalisation = 1, sweeps_per_measurement = {sweeps_per_measurement},
   measurements_per_bin = {sweeps // 4 // sweeps_per_measurement}, bins = 4 $end
 $output plotname = 'ising', time_series = .false. $end
"""
    return Case("ising", f"{algorithm} {extent}^{dimensions}, {replicas} replicas", "run.inp", text)


def example(method, name, inputs):
    return Case(method, f"{name}.inp", "tmseXd.inp" if method == "tmm" else "run.inp", (inputs / method / "inputs" / f"{name}.inp").read_text())


def readme(seconds, inputs):
    """The problems of README's table."""
    yield tmm(3, 10, seconds, disorders=64)
    yield example("dfr", "profile_rn_45", inputs)
    yield kpm((128, 128, 128), 64, 16, seconds)
    yield vmc(9, 0.0, seconds, chains=4224)
    yield ising("metropolis", 2048, 2, 1, seconds)


def demo(_, inputs):
    """What scripts/demo.sh runs by both mains."""
    examples = {"tmm": ("demo",), "dfr": ("he", "c", "o", "ne", "ar", "cr", "xe", "au", "rn", "profile_rn_35"),
                "kpm": ("chain", "cubic_box"), "vmc": ("small", "demo_9", "demo_15"), "ising": ("demo", "demo_demons", "demo_512")}
    for method, names in examples.items():
        for name in names:
            yield example(method, name, inputs)


def crossing(seconds, inputs):
    """Problems on both sides of where a GPU becomes the faster backend."""
    for width in (6, 10, 16, 20):
        yield tmm(3, width, seconds)
    yield dfr("Rn", inputs)
    for extent in (16, 32, 64, 96):
        yield kpm((extent,) * 3, 0, 16, seconds)
    for length in (5, 9, 15):
        for chains in (4, 64, 1024):
            yield vmc(length, 0.5, seconds, chains)
    for extent in (64, 256, 512, 1024):
        yield ising("metropolis", extent, 2, 1, seconds)
    for extent in (16, 64, 256):
        yield ising("demon_binomial", extent, 2, 32, seconds)


def extended(make, units, shorter):
    """The problem make(units), of which the serial program runs make(n) for both n of `shorter`."""
    case = make(units)
    return case._replace(units=units, shorter=tuple((n, make(n).text) for n in shorter))


def large(*_):
    """Jobs that are worth the start of a GPU."""
    yield kpm((128, 128, 128), 64, 16, 0)
    yield extended(lambda n: kpm((128, 128, 128), n, 16, 0), 512, (32, 64))
    yield extended(lambda n: tmm(3, 16, 0, cycles=n), 20000, (250, 500))
    yield extended(lambda n: vmc(15, 0.0, 0, chains=528, sweeps=n), 4000, (20, 100))
    yield extended(lambda n: ising("metropolis", 8192, 2, 1, 0, sweeps=n, sweeps_per_measurement=10), 40000, (80, 160))


def everything(seconds, inputs):
    yield tmm(1, 1, seconds)
    for width in (1, 2, 4, 8, 16, 32, 64):
        yield tmm(2, width, seconds)
    for width in (3, 4, 5, 6, 8, 10):
        yield tmm(3, width, seconds)
    for name in ("He", "Ne", "Ar", "Xe", "Rn"):
        yield dfr(name, inputs)
    for extents in ((300,), (100000,), (1000000,), (64, 64), (16, 16, 16), (32, 32, 32), (64, 64, 64), (128, 128, 128)):
        yield kpm(extents, 0, 4, seconds)
    yield kpm((128, 128, 128), 64, 16, seconds)
    for length in (5, 9, 15):
        for share in (0.0, 0.5):
            yield vmc(length, share, seconds)
    for algorithm in ("metropolis", "demon_naive", "demon_binomial"):
        for replicas in (1, 32):
            for extent in (4, 16, 64, 256, 2048):
                yield ising(algorithm, extent, 2, replicas, seconds)
            for extent in (4, 16, 128):
                yield ising(algorithm, extent, 3, replicas, seconds)


def run_serial(build, program, case, environment):
    """As run(), of a problem that the program may be too slow for."""
    if not case.shorter:
        return run(build, program, case, environment)
    (n1, time1), (n2, time2) = ((n, run(build, program, case._replace(text=text), environment)[0]) for n, text in case.shorter)
    return time2 + (case.units - n2) / (n2 - n1) * (time2 - time1), ""


def run(build, program, case, environment, mark="backend "):
    """Wall seconds of the whole program, in an empty folder, and the end of the last line on standard error with the mark."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, case.input).write_text(case.text)
        command = [str(build / "legacy_drivers" / case.method / program)]
        if case.method != "tmm":
            command.append(case.input)
        began = time.perf_counter()
        ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        seconds = time.perf_counter() - began
    if ended.returncode != 0:
        sys.exit(f"relinked: {program}, {case.name}: exit status {ended.returncode}\n{ended.stderr[-500:]}\n{case.text}")
    ends = [line.split(mark)[1].rstrip() for line in ended.stderr.splitlines() if mark in line]
    return seconds, ends[-1] if ends else ""


def told(words):
    """The backend that the last line of the log about it names, and what else the line says."""
    return {"backend": words.split()[0].rstrip(",:;") if words else "", "why": words}


def seconds_on_device(build, program, case, environment, library):
    """The seconds that kernel_seconds.cpp reports for a run on the device."""
    words = run(build, program, case, environment | {"CUDA_INJECTION64_PATH": library}, "device busy for ")[1].split()
    if not words:
        sys.exit(f"relinked: {program}, {case.name}: {library} reports nothing; is it, with CUPTI, a library that can be loaded?")
    return float(words[0])


def measure(build, case, programs, pairs, environment):
    first, second = (f"{PROGRAMS[case.method]}_{kind}" for kind in programs)
    times, words = [], ""
    for _ in range(pairs):
        one, _ = run_serial(build, first, case, environment)
        other, words = run(build, second, case, environment)
        times.append((one, other))
    ratios = [one / other for one, other in times]
    return {
        "room": case.method, "problem": case.name, **told(words),
        "seconds": [statistics.median(t[i] for t in times) for i in (0, 1)],
        "ratio": statistics.median(ratios), "least": min(ratios), "largest": max(ratios),
    }


def measure_backends(build, case, pairs, environment):
    """As measure(), of AUTO against the faster backend by its median."""
    program = f"{PROGRAMS[case.method]}_legato"
    times = {backend: [] for backend in ("cpu", "cuda", "auto")}
    run(build, program, case, environment | {"LEGATO_BACKEND": "auto"})
    for _ in range(pairs):
        for backend, all_of in times.items():
            time.sleep(0.3)   # after a program has ended, its device is still being put in order
            seconds, words = run(build, program, case, environment | {"LEGATO_BACKEND": backend})
            all_of.append(seconds)
    faster = min(("cpu", "cuda"), key=lambda backend: statistics.median(times[backend]))
    ratios = [one / other for one, other in zip(times[faster], times["auto"])]
    return {
        "room": case.method, "problem": case.name, **told(words), "faster": faster,
        "all": {backend: statistics.median(all_of) for backend, all_of in times.items()},
        "seconds": [statistics.median(times[backend]) for backend in (faster, "auto")],
        "ratio": statistics.median(ratios), "least": min(ratios), "largest": max(ratios),
    }


def measure_busy(build, case, pairs, environment):
    """As measure(), alone and beside a program that never waits."""
    program = f"{PROGRAMS[case.method]}_legato"
    times = []
    for _ in range(pairs):
        quiet, _ = run(build, program, case, environment)
        with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as other:
            time.sleep(0.2)
            busy, words = run(build, program, case, environment)
            other.kill()
        times.append((quiet, busy))
    ratios = [one / other for one, other in times]
    return {
        "room": case.method, "problem": case.name, **told(words),
        "seconds": [statistics.median(t[i] for t in times) for i in (0, 1)],
        "ratio": statistics.median(ratios), "least": min(ratios), "largest": max(ratios),
    }


def record(options, environment, rows):
    """As JSON with a row a line, so that awk can read it too."""
    cpus = [line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    try:
        gpus = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True,
                              check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        gpus = []
    head = {"date": datetime.date.today().isoformat(), "cpu": cpus[0] if cpus else "", "gpu": gpus[0] if gpus else "",
            "grid": options.grid, "programs": options.programs, "pairs": options.pairs, "threads": environment.get("LEGATO_NUM_THREADS", "default"),
            "environment": options.environment}
    return json.dumps(head)[:-1] + ', "rows": [\n' + ",\n".join(" " + json.dumps(row) for row in rows) + "\n]}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    grids = {"all": everything, "readme": readme, "demo": demo, "crossing": crossing, "large": large}
    parser.add_argument("--grid", choices=grids, default="all")
    parser.add_argument("--methods", default=",".join(PROGRAMS))
    parser.add_argument("--only", default="", help="problems whose names contain this word")
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.6)
    parser.add_argument("--programs", default="serial,legato")
    parser.add_argument("--kernels")
    parser.add_argument("--backends", action="store_true")
    parser.add_argument("--busy", action="store_true")
    parser.add_argument("--environment", nargs="*", default=[])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()

    threads = {} if options.busy else {"LEGATO_NUM_THREADS": "1"}
    environment = {**threads, "OMP_WAIT_POLICY": "passive", "LEGATO_LOG": "info", **os.environ,
                   **dict(pair.split("=", 1) for pair in options.environment)}
    inputs = Path(__file__).resolve().parent.parent / "legacy_drivers"
    rows = []
    first, second = ("faster", "auto") if options.backends else ("quiet", "busy") if options.busy else ("serial", "relinked")
    print(f"{'problem':<44} {first:>9} {second:>9} {'ratio':>7}   least .. largest, backend")
    for case in grids[options.grid](options.seconds, inputs):
        if case.method not in options.methods.split(",") or options.only not in case.name:
            continue
        if options.backends:
            row = measure_backends(options.build.resolve(), case, options.pairs, environment)
        elif options.busy:
            row = measure_busy(options.build.resolve(), case, options.pairs, environment)
        else:
            row = measure(options.build.resolve(), case, options.programs.split(","), options.pairs, environment)
            if options.kernels:
                program = f"{PROGRAMS[case.method]}_legato"
                on_device = row["backend"] == "cuda"
                busy = seconds_on_device(options.build.resolve(), program, case, environment, options.kernels) if on_device else 0.0
                row |= {"busy": busy, "outside": 1 - busy / row["seconds"][1]}
        rows.append(row)
        print(f"{row['room'] + ': ' + row['problem']:<44} {row['seconds'][0]:8.3f}s {row['seconds'][1]:8.3f}s {row['ratio']:7.2f}   "
              f"{row['least']:.2f} .. {row['largest']:.2f} {row['backend']}"
              + (f", faster {row['faster']}" if options.backends else "")
              + (f", outside {row['outside']:.2f}" if options.kernels else ""), flush=True)
        if options.json:   # whole after each row: a run that is stopped keeps what it has measured
            options.json.write_text(record(options, environment, rows))


if __name__ == "__main__":
    main()
