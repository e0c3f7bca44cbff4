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

# Is there an NVIDIA GPU, whether or not its driver answers? WSL has nvidia-smi, but no device files.
has_gpu() {
  compgen -G '/dev/nvidia[0-9]*' >/dev/null || nvidia-smi -L >/dev/null 2>&1
}

# Architectures of the GPUs here as CMake wants them, "90" or "80;90". Without nvidia-smi, as in a container that was
# given the GPU for computing only, nvcc is left to find out.
gpu_architectures() {
  local found
  found=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . | sort -u | paste -sd ';')
  [[ $found =~ ^[0-9]+(;[0-9]+)*$ ]] && echo "$found" || echo native
}

# Root of a CUDA toolkit that was here before scripts/setup: $CUDA_PATH, nvcc on PATH or /usr/local/cuda, whichever is
# the first that cupel can be built with. CUPEL_CUDA=wheels passes over them all.
installed_cuda_root() {
  [[ ${CUPEL_CUDA:-} == wheels ]] && return 1
  local on_path candidate
  # An nvcc on PATH may be a wrapper script or a link, so its own word on where it lives counts.
  on_path=$(nvcc --dryrun --compile --x cu /dev/null 2>&1 | sed -n 's/^#\$ TOP=//p' || true)
  for candidate in "${CUDA_PATH:-}" "$on_path" /usr/local/cuda; do
    [[ -n $candidate ]] && is_usable_toolkit "$candidate" && { readlink -f "$candidate"; return; }
  done
  return 1
}

# Release 12.8 is the first that knows every architecture up to Blackwell; CupelDependencies.cmake asks for the same.
is_usable_toolkit() {
  local release
  release=$("$1/bin/nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
  [[ -n $release ]] && printf '12.8\n%s\n' "$release" | sort --version-sort --check=quiet
}

# Root of the CUDA toolkit to build with: an installed one, else the one that scripts/setup assembled.
cuda_root() {
  installed_cuda_root || { [[ -x $deps/cuda/bin/nvcc ]] && echo "$deps/cuda"; }
}

# build PRESET [CMAKE-ARGUMENT...]: into build/PRESET, quiet but for what fails.
build() {
  local preset=$1 log=$root/build/$1.log toolkit
  mkdir -p "$root/build"
  if [[ -z ${CUDACXX:-} ]] && toolkit=$(cuda_root); then
    export CUDACXX=$toolkit/bin/nvcc
  fi
  say "building build/$preset (log: build/$preset.log)"
  (cd "$root" && cmake --preset "$@" && cmake --build --preset "$preset") 2>&1 | tee "$log" | show_steps || {
    grep -E -A 8 'error|FAILED|CMake Error' "$log" >&2 || tail -40 "$log" >&2
    fail 1 "the build failed; all of it in build/$preset.log"
  }
}

# How far ninja is, on one line that is rewritten, where somebody watches.
show_steps() {
  local line
  [[ -t 2 ]] || { cat >/dev/null; return; }
  while IFS= read -r line; do
    [[ $line =~ ^\[[0-9]+/[0-9]+\] ]] && printf '\r\033[Kcupel: %s' "${BASH_REMATCH[0]}" >&2
  done
  printf '\r\033[K' >&2
}

# Prints the comment at the head of a script, which is its help.
print_head() {
  sed -n '2,/^set /{ s/^# \{0,1\}//; /^set /!p }' "$1"
}
