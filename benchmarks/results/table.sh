#!/usr/bin/env bash
# table.sh gpu|cpu FILE: prints the measurements in FILE, which `legato-bench --json FILE` has written, as a table for
# README.md.
set -euo pipefail
[ $# -eq 2 ] && [[ $1 =~ ^(gpu|cpu)$ ]] || { echo "usage: table.sh gpu|cpu FILE" >&2; exit 2; }
awk -v place="$1" '
  # Returns the value of a name in this line: a word or a number; nothing for 0.
  function of(name,   text) {
    if (!match($0, "\"" name "\": (\"[^\"]*\"|[^,}]*)")) return ""
    text = substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 4)
    gsub("\"", "", text)
    return text == "0" ? "" : text
  }
  function shown(value) { return sprintf(value + 0 >= 1000 ? "%.0f" : "%.3g", value) }
  function figure(name) { return of(name) == "" ? "" : shown(of(name)) }
  function percent(name,   value) { value = of(name); return value == "" ? "" : sprintf(100 * value >= 9.95 ? "%.0f %%" : "%.2g %%", 100 * value) }
  function over(a, b) { return of(a) == "" || of(b) == "" ? "" : shown(of(a) / of(b)) }
  function peer() { return of("peer") == "" ? "" : figure("peer") " (" of("peer_name") ")" }
  /"version"/ {
    print "`legato-bench` of Legato " of("version") ", " of("date") "; " of("cpu") ", " of("threads") " threads; GPU: " of("gpu") "."
  }
  /"place"/ {
    if (of("bytes_per_second") != "")
      printf "%s: copies %.4g GB/s, multiply-adds %.4g Gflop/s.\n", of("place"), of("bytes_per_second") / 1e9, of("flops_per_second") / 1e9
  }
  /"method"/ && (place == "gpu" ? of("gpu") : of("one_thread") of("all_threads")) != "" {
    if (!any++) {
      print place == "gpu" ? "\n| method, unit | problem | serial | GPU | serial / GPU | floor | reached | peer |\n|---|---|---|---|---|---|---|---|" \
        : "\n| method, unit | problem | serial | one thread | serial / it | all threads | serial / all | floor | reached |\n|---|---|---|---|---|---|---|---|---|"
    }
    printf "| %s | %s | %s |", of("method") != last ? of("method") ": " of("unit") " for a " of("quantity") : "", of("problem"), figure("serial")
    last = of("method")
    if (place == "gpu")
      print " " figure("gpu") " | " over("serial", "gpu") " | " figure("gpu_floor") " | " percent("gpu_reached") " | " peer() " |"
    else
      print " " figure("one_thread") " | " over("serial", "one_thread") " | " figure("all_threads") " | " \
        over("serial", "all_threads") " | " figure("all_threads_floor") " | " percent("all_threads_reached") " |"
  }' "$2"
