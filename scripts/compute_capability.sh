#!/usr/bin/env bash
# The compute capability of the first GPU as CMAKE_CUDA_ARCHITECTURES wants it, such as 90; nothing where there is none.
set -euo pipefail
command -v nvidia-smi > /dev/null || exit 0
capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2> /dev/null | head -1 | tr -d '. ' || true)
if [[ "$capability" =~ ^[0-9]+$ ]]; then echo "$capability"; fi
