#!/usr/bin/env bash
# gpu_would.sh: tests the speed-up by a GPU that the demo prints. It must be that of the same inputs and calls, or
# nothing.
set -eu
. "$(dirname "$(realpath "$0")")/../driver.sh"
mkdir "$scratch/demo" "$scratch/records" "$scratch/bin"
cp "$here/../../scripts/demo/common.sh" "$scratch/demo"
printf '#!/bin/sh\nexit 1\n' > "$scratch/bin/nvidia-smi"     # no GPU, whatever the machine has
cat > "$scratch/demo/vmc.sh" << 'END'
. "$(dirname "$0")/common.sh"
shift
gpu_would "$@"
END
chmod +x "$scratch/bin/nvidia-smi"
export PATH=$scratch/bin:$PATH LEGATO_DEMO_RECORDS=$scratch/records
says() { bash "$scratch/demo/vmc.sh" "$scratch" "$@" > "$scratch/out" || fail "gpu_would $*"; }

says demo_9
[ ! -s "$scratch/out" ] || fail "without a record: $(cat "$scratch/out")"

cat > "$scratch/records/2026-01-01-old-relinked-demo.json" << 'END'
{"date": "2026-01-01", "cpu": "", "gpu": "NVIDIA OLD", "rows": [
 {"room": "vmc", "problem": "demo_9.inp", "backend": "cuda", "seconds": [1.0, 1.0], "ratio": 1.5, "least": 1, "largest": 2}
]}
END
cat > "$scratch/records/2026-02-02-new-relinked-demo.json" << 'END'
{"date": "2026-02-02", "cpu": "CPU", "gpu": "NVIDIA NEW", "grid": "demo", "environment": [], "rows": [
 {"room": "kpm", "problem": "demo_9.inp", "backend": "cuda", "seconds": [1.0, 0.1], "ratio": 99.0, "least": 9, "largest": 11},
 {"room": "vmc", "problem": "small.inp", "backend": "cpu", "seconds": [1.0, 0.1], "ratio": 98.0, "least": 9, "largest": 11},
 {"room": "vmc", "problem": "demo_9.inp", "backend": "cuda", "seconds": [1.0, 0.1], "ratio": 12.3456, "least": 9, "largest": 14},
 {"room": "vmc", "problem": "demo_15.inp", "backend": "cuda", "seconds": [1.0, 0.1], "ratio": 97.0, "least": 9, "largest": 11}
]}
END
says small demo_9
cat "$scratch/out"
[ "$(wc -l < "$scratch/out")" -eq 1 ] || fail "not one line: $(cat "$scratch/out")"
grep -q '12\.3 .*(demo_9, 2026-02-02)$' "$scratch/out" && grep -q 'NVIDIA NEW' "$scratch/out" || fail "$(cat "$scratch/out")"
says other
[ ! -s "$scratch/out" ] || fail "another problem: $(cat "$scratch/out")"
