// The launcher that has started this process with others: mpirun of Open MPI or MPICH, or srun of Slurm. It tells by
// environment variables.
#pragma once

#include <string>

namespace legato {

struct Launch {
    int rank = 0, size = 1;              // of this process among all that were started together
    int local_rank = 0, local_size = 1;  // among those on this machine; local_size is 1 if unknown
    std::string launcher = {};           // "Open MPI", "MPICH" or "Slurm"; empty if there is none
};

// Returns what the variables say. Values that are no numbers count as absent.
Launch launch();

}  // namespace legato
