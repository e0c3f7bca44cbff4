#!/usr/bin/env bash
# How long `cupel compare` takes and how much memory, on large files that are made first. Asserts nothing.
#   measure_compare.sh BUILD_FOLDER
set -euo pipefail
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

measure() { # what, files...
  local what=$1
  shift
  python3 - "$what" "$build/bin/cupel" "$@" <<'PYTHON'
import resource, subprocess, sys, time
start = time.monotonic()
subprocess.run([sys.argv[2], "compare", *sys.argv[3:]], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"{sys.argv[1]}: {time.monotonic() - start:.2f} s, {used.ru_utime + used.ru_stime:.2f} s of processor time, "
      f"{used.ru_maxrss / 1024:.0f} MiB")
PYTHON
}

make="$build/tests/cupel_make_compare_results"
for seed in 1 2; do "$make" "$folder/large$seed.json" --benchmarks 10000 --seed $seed; done
measure "2 x 10,000 benchmarks x 5 processes x 150 samples" "$folder"/large*.json
for seed in 1 2 3 4; do "$make" "$folder/small$seed.json" --benchmarks 300 --processes 7 --seed $seed; done
measure "4 x 300 benchmarks x 7 processes x 150 samples" "$folder"/small*.json
