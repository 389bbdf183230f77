#!/usr/bin/env bash
# One rank of an MPI program for each GPU of two nodes. The program calls legato_mpi_join.
#     sbatch examples/slurm/one_rank_per_gpu.sh
#SBATCH --job-name=legato-ranks
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=8
#SBATCH --time=04:00:00
set -eu

program=${LEGATO_PROGRAM:-vmc_energy_mpi_c}
export LEGATO_DEVICE=local                        # the GPU of the rank's number on its node
export LEGATO_NUM_THREADS=$SLURM_CPUS_PER_TASK
# If one rank dies, Slurm ends the others at once.
srun --kill-on-bad-exit=1 "$program"
