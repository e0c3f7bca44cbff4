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

# The oldest release that cupel can be built with; CupelFind.cmake asks for the same.
least_cuda=13.0

# Roots of the CUDA toolkits that were here before scripts/setup: $CUDA_PATH, nvcc on PATH and /usr/local/cuda, as far as
# there is an nvcc. CUPEL_CUDA=wheels passes over them all.
cuda_candidates() {
  [[ ${CUPEL_CUDA:-} == wheels ]] && return
  local on_path candidate
  # An nvcc on PATH may be a wrapper script or a link, so its own word on where it lives counts.
  on_path=$(nvcc --dryrun --compile --x cu /dev/null 2>&1 | sed -n 's/^#\$ TOP=//p' || true)
  for candidate in "${CUDA_PATH:-}" "$on_path" /usr/local/cuda; do
    [[ -n $candidate && -n $(cuda_release "$candidate") ]] && readlink -f "$candidate"
  done
  return 0
}

# cuda_release ROOT: "13.0".
cuda_release() { "$1/bin/nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\),.*/\1/p'; }

is_usable_toolkit() { printf '%s\n' "$least_cuda" "$(cuda_release "$1")" | sort --version-sort --check=quiet; }

# The first of the candidates that cupel can be built with.
installed_cuda_root() {
  local candidate
  while IFS= read -r candidate; do
    is_usable_toolkit "$candidate" && { echo "$candidate"; return; }
  done < <(cuda_candidates)
  return 1
}

# Says which toolkits are here and too old, and what is needed.
tell_old_toolkits() {
  local candidate
  while IFS= read -r candidate; do
    say "passing over CUDA $(cuda_release "$candidate") in $candidate: cupel needs $least_cuda or newer"
  done < <(cuda_candidates | sort -u)
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
