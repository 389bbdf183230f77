#include "core/launcher.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace legato {
namespace {

// The names of the variables of a launcher. Slurm's are those of a step, so that a batch script is not taken for a
// rank.
struct Variables {
    const char *launcher, *rank, *size, *local_rank, *local_size;
};
constexpr std::array<Variables, 3> launchers{{
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"MPICH", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
    {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE"},
}};

std::optional<int> number_in(const char* variable, int least) {
    const char* const value = std::getenv(variable);
    if (!value) return std::nullopt;
    const std::string_view digits(value);
    int number = 0;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
    if (error != std::errc() || end != digits.end() || number < least) return std::nullopt;
    return number;
}

}  // namespace

Launch launch() {
    for (const Variables& names : launchers) {
        const std::optional<int> rank = number_in(names.rank, 0), size = number_in(names.size, 1);
        if (!rank || !size || *rank >= *size) continue;
        // srun --mpi=pmi2 sets rank and size as MPICH does, but not the local rank.
        const int local_rank =
            number_in(names.local_rank, 0).value_or(number_in(launchers.back().local_rank, 0).value_or(0));
        return {*rank, *size, local_rank, number_in(names.local_size, 1).value_or(1), names.launcher};
    }
    return {};
}

}  // namespace legato
