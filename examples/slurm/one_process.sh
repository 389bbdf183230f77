#!/usr/bin/env bash
# One process that uses all GPUs of a node. The program needs no MPI, and is not changed.
#     sbatch examples/slurm/one_process.sh
#SBATCH --job-name=legato-one-process
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=32
#SBATCH --gpus-per-node=4
#SBATCH --time=04:00:00
set -eu

program=${LEGATO_PROGRAM:-vmc_energy_c}
export LEGATO_DEVICE=all
export LEGATO_NUM_THREADS=$SLURM_CPUS_PER_TASK
srun "$program"
