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

// Returns the number of tasks of this node. Slurm lists those of all nodes: "4(x2),3" stands for 4, 4, 3.
std::optional<int> slurm_tasks() {
    const char* const value = std::getenv("SLURM_STEP_TASKS_PER_NODE");
    if (!value) return std::nullopt;
    int node = number_in("SLURM_NODEID", 0).value_or(0);
    for (std::string_view rest(value); !rest.empty();) {
        const auto take_number = [&](int& number) {
            const auto [end, error] = std::from_chars(rest.begin(), rest.end(), number);
            rest.remove_prefix(static_cast<std::size_t>(end - rest.begin()));
            return error == std::errc() && number > 0;
        };
        const auto take = [&](std::string_view what) {
            const bool is_there = rest.starts_with(what);
            if (is_there) rest.remove_prefix(what.size());
            return is_there;
        };
        int tasks = 0, repeats = 1;
        if (!take_number(tasks)) return std::nullopt;
        if (take("(x") && !(take_number(repeats) && take(")"))) return std::nullopt;
        if (!rest.empty() && !take(",")) return std::nullopt;
        if (node < repeats) return tasks;
        node -= repeats;
    }
    return std::nullopt;
}

}  // namespace

Launch launch() {
    for (const Variables& names : launchers) {
        const std::optional<int> rank = number_in(names.rank, 0), size = number_in(names.size, 1);
        if (!rank || !size || *rank >= *size) continue;
        // srun --mpi=pmi2 sets rank and size as MPICH does, but not the local rank and the number of local ranks.
        const int local_rank = number_in(names.local_rank, 0).value_or(number_in("SLURM_LOCALID", 0).value_or(0));
        const int local_size = number_in(names.local_size, 1).value_or(slurm_tasks().value_or(1));
        return {*rank, *size, local_rank, local_size, names.launcher};
    }
    return {};
}

}  // namespace legato
