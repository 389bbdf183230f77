#!/usr/bin/env bash
# Independent runs of an unchanged program, one for each task of a job array, each with its own folder and input. A
# killed or preempted task goes on from its checkpoint when Slurm starts it again.
#     sbatch examples/slurm/array_of_runs.sh
#SBATCH --job-name=legato-array
#SBATCH --array=0-15
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --gpus-per-task=1
#SBATCH --time=04:00:00
#SBATCH --requeue
set -eu

program=${LEGATO_PROGRAM:-$HOME/bin/tmseXd}       # the relinked program (docs/relinking.md)
cd "run_$SLURM_ARRAY_TASK_ID"                     # has the program's input
export LEGATO_NUM_THREADS=$SLURM_CPUS_PER_TASK
export LEGATO_CHECKPOINT=$PWD
srun "$program"
