#!/usr/bin/env bash
# Slurm: gates one revision against another on every GPU model of a cluster, one task of the array for each.
#
#   mkdir -p gate && sbatch ci/examples/gate-slurm.sh
#
# Run it from the root of a checkout on a file system that the nodes see. GRES names the models as your cluster does.
# The script that gates is the base's: the one checked out may be the change's.
#SBATCH --job-name=cupel-gate
#SBATCH --nodes=1
#SBATCH --exclusive
#SBATCH --time=02:00:00
#SBATCH --array=0-1
#SBATCH --output=gate/%A-%a.log
set -euo pipefail
cd "${SLURM_SUBMIT_DIR:-.}"

GRES=(${GATE_GRES:-gpu:h200:1 gpu:h100:1})
task=${SLURM_ARRAY_TASK_ID:-0}
folder=gate/${SLURM_ARRAY_JOB_ID:-local}-$task
base=${GATE_BASE:-origin/main}
mkdir -p "$folder"
git show "$base:ci/gate-merge-base" >"$folder/gate-merge-base"

# A work folder for each task: two must not build in the same one.
srun --gres="${GRES[$task]}" bash "$folder/gate-merge-base" --base "$base" --new "${GATE_NEW:-HEAD}" \
  --work "$folder/work" --results "$folder/results" -- ${GATE_ARGUMENTS:-}
