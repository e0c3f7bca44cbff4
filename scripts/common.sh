# What scripts/setup, scripts/run and scripts/test share. Sourced, never run.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
deps=$root/.deps

say() { printf 'cupel: %s\n' "$*" >&2; }

# fail CODE MESSAGE: says what happened and what to do, and ends.
fail() {
  local code=$1
  shift
  say "$*"
  exit "$code"
}

# Is there an NVIDIA GPU, whether or not its driver answers? WSL shows only /dev/dxg and an nvidia-smi.
has_gpu() {
  [[ -e /dev/nvidia0 || -e /proc/driver/nvidia/version ]] || { command -v nvidia-smi && nvidia-smi -L; } >/dev/null 2>&1
}

# Root of the CUDA toolkit in use: $CUDA_PATH, nvcc on PATH, /usr/local/cuda, or the one that scripts/setup assembled.
# CUPEL_CUDA=wheels passes over the installed ones.
cuda_root() {
  local nvcc candidates=("$deps/cuda")
  if [[ ${CUPEL_CUDA:-} != wheels ]]; then
    # nvcc may be a wrapper script, so its own word on where it lives counts, not its path.
    nvcc=$(command -v nvcc 2>/dev/null && true)
    [[ -n $nvcc ]] && nvcc=$(nvcc --dryrun -x cu /dev/null 2>&1 | sed -n 's/^#\$ TOP=//p')
    candidates=("${CUDA_PATH:-}" "$nvcc" /usr/local/cuda "$deps/cuda")
  fi
  for candidate in "${candidates[@]}"; do
    [[ -n $candidate && -x $candidate/bin/nvcc ]] && { readlink -f "$candidate"; return; }
  done
  return 1
}
