#!/usr/bin/env bash
# Prints the compute capability of the first GPU in the form of CMAKE_CUDA_ARCHITECTURES, such as 90. Prints nothing
# without a GPU.
set -euo pipefail
command -v nvidia-smi > /dev/null || exit 0
capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2> /dev/null | head -1 | tr -d '. ' || true)
if [[ "$capability" =~ ^[0-9]+$ ]]; then echo "$capability"; fi
