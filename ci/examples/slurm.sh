#!/usr/bin/env bash
# Slurm: builds and tests on a node with a GPU, then measures it.
#
#   mkdir -p results/runs && sbatch ci/examples/slurm.sh
#
# Run it from the root of a checkout on a file system that the node sees. A compute node often has no network: run
# `scripts/setup --with-cuda --tests` once on the login node, and what it fetched is found here. Without root, the
# packages that setup names must be there, or come from modules (then CMAKE_PREFIX_PATH says where).
#SBATCH --job-name=cupel
#SBATCH --nodes=1
#SBATCH --gpus=1
#SBATCH --exclusive
#SBATCH --time=01:00:00
#SBATCH --output=results/runs/slurm-%j.log
set -euo pipefail
cd "${SLURM_SUBMIT_DIR:-.}"

srun scripts/test --gpu
srun scripts/run --standard --output "results/runs/slurm-${SLURM_JOB_ID:-0}.json"
