#!/usr/bin/env python3
"""Prints the lines and branches that were executed, for each folder, from a summary of gcovr. Fails below the target.

    coverage_table.py FILE      FILE: as gcovr --json-summary writes it
"""
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

TARGET = {"line": 97, "branch": 85}  # per cent of all


def count(files):
    """Counts of each folder, of cpp/ by its folders, and of all."""
    counts = defaultdict(Counter)
    for file in files:
        parts = file["filename"].split("/")
        for name in ("/".join(parts[:2 if parts[0] == "cpp" else 1]), "all"):
            counts[name].update({f"{kind}_{what}": file[f"{kind}_{what}"] for kind in TARGET for what in ("covered",
                                                                                                          "total")})
    return counts


def percent(counts, kind):
    return 100 * counts[f"{kind}_covered"] / max(1, counts[f"{kind}_total"])


def main():
    counts = count(json.loads(Path(sys.argv[1]).read_text())["files"])
    for name in sorted(counts, key=lambda name: (name == "all", name)):
        of = counts[name]
        print(f"{name:<16} {percent(of, 'line'):5.1f} % of {of['line_total']:6d} lines  "
              f"{percent(of, 'branch'):5.1f} % of {of['branch_total']:6d} branches")
    missed = [f"{kind}: {percent(counts['all'], kind):.1f} %, target {least} %" for kind, least in TARGET.items()
              if percent(counts["all"], kind) < least]
    sys.exit(f"coverage_table: {'; '.join(missed)}" if missed else 0)


if __name__ == "__main__":
    main()
