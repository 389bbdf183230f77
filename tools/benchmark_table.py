#!/usr/bin/env python3
"""Prints the measurements that `legato-bench --json FILE` wrote, as the table for benchmarks/results/README.md.

    benchmark_table.py gpu|cpu FILE
"""
import argparse
import json
import sys
from pathlib import Path

HEADS = {"gpu": "method, unit | problem | serial | GPU | serial / GPU | floor | reached | peer",
         "cpu": "method, unit | problem | serial | one thread | serial / one | all threads | serial / all"
                " | floor | reached"}


def shown(value):
    """Three digits or all of a large number; nothing for 0."""
    return ("%.0f" if value >= 1000 else "%.3g") % value if value else ""


def percent(value):
    return ("%.0f %%" if 100 * value >= 9.95 else "%.2g %%") % (100 * value) if value else ""


def gpu_cells(row):
    peer = f"{shown(row['peer'])} ({row['peer_name']})" if row["peer"] else ""
    return [shown(row["gpu"]), shown(row["serial"] / row["gpu"]), shown(row["gpu_floor"]), percent(row["gpu_reached"]),
            peer]


def cpu_cells(row):
    times = [cell for name in ("one_thread", "all_threads")
             for cell in (shown(row[name]), shown(row["serial"] / row[name] if row[name] else 0))]
    return [*times, shown(row["all_threads_floor"]), percent(row["all_threads_reached"])]


def heading(record):
    """What was measured, and what the machine can do at most."""
    yield "`legato-bench` of Legato {version}, {date}; {cpu}, {threads} threads; GPU: {gpu}.".format(**record)
    for limit in record["limits"]:
        if limit["bytes_per_second"]:
            yield "{}: copies {:.4g} GB/s, multiply-adds {:.4g} Gflop/s.".format(
                limit["place"], limit["bytes_per_second"] / 1e9, limit["flops_per_second"] / 1e9)


def table(record, place):
    """Lines of the table. The method's name is in the first of its rows alone."""
    head = f"| {HEADS[place]} |"
    measured = ("gpu",) if place == "gpu" else ("one_thread", "all_threads")
    rows = [row for row in record["measurements"] if any(row[name] for name in measured)]
    if rows:
        yield f"\n{head}\n" + "|---" * (head.count("|") - 1) + "|"
    last = ""
    for row in rows:
        what = f"{row['method']}: {row['unit']} for a {row['quantity']}" if row["method"] != last else ""
        last = row["method"]
        cells = gpu_cells(row) if place == "gpu" else cpu_cells(row)
        yield " | ".join([f"| {what}", row["problem"], shown(row["serial"]), *cells]) + " |"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("place", choices=HEADS, help="whose table")
    arguments.add_argument("file", type=Path, help="record of all methods")
    given = arguments.parse_args()
    try:
        record = json.loads(given.file.read_text())
        print(*heading(record), *table(record, given.place), sep="\n")
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"benchmark_table: {given.file} is not a record of legato-bench: {error!r}")


if __name__ == "__main__":
    main()
