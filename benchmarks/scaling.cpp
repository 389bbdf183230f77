#include "scaling.hpp"

#include <legato/legato.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "common.hpp"
#ifdef LEGATO_BENCH_MPI
#include <mpi.h>

#include "legato/mpi.h"
#endif

namespace benchmarks {
namespace {

const char usage[] =
    "usage: legato-bench scaling [METHOD|all] [--repeats N] [--devices D]\n"
    "Measures whole jobs, from the creation to the results, of tmm, kpm, vmc, ising and dfr. If mpirun has\n"
    "started several ranks, they share the work; run it with different numbers of ranks. Otherwise 1, 2, 4, ...\n"
    "devices of this process share it. LEGATO_BACKEND=cpu measures smaller jobs on the CPU. The seconds are those\n"
    "of the fastest of N runs (3). With --devices, only D devices are measured. The checksum is that of all\n"
    "results: it is the same for every number of ranks, devices and threads.\n";

// A checksum of results, FNV-1a.
class Checksum {
  public:
    template <class T>
    void add(const T* values, std::size_t count) {
        const auto* const bytes = reinterpret_cast<const unsigned char*>(values);
        for (std::size_t i = 0; i < count * sizeof(T); ++i) sum_ = (sum_ ^ bytes[i]) * 0x100000001b3;
    }
    std::uint64_t value() const { return sum_; }

  private:
    std::uint64_t sum_ = 0xcbf29ce484222325;
};

// What a job reports: the seconds until it was created, had run, and was read, and the checksum of its results.
struct Outcome {
    std::vector<double> seconds;
    Checksum sum;

    void mark() { seconds.push_back(now() - begin_); }

  private:
    double begin_ = now();
};

struct Job {
    std::string method, name;
    std::function<void(legato_context*, Outcome&)> run;
};

void run_tmm(legato_context* context, Outcome& outcome, int32_t dimension, int64_t width, int64_t points,
             double epsilon, int64_t replicas = 1) {
    legato_tmm_params params;
    legato_tmm_params_init(&params);
    params.dimension = dimension;
    params.width = width;
    params.epsilon = epsilon;
    params.replicas = replicas;
    if (width > 40) params.max_multiplications = 2000;
    std::vector<double> energies(static_cast<std::size_t>(points)), disorders(energies.size());
    for (std::size_t i = 0; i < energies.size(); ++i) {
        energies[i] = 0.5 * static_cast<double>(i % 256) / 256;
        disorders[i] = (dimension == 3 ? 16 : 4) + static_cast<double>(i) / static_cast<double>(points);
    }
    legato_tmm* tmm = nullptr;
    require(context, legato_tmm_create(context, &params, points, energies.data(), disorders.data(), &tmm));
    outcome.mark();
    require(context, legato_tmm_run(tmm, nullptr, nullptr));
    outcome.mark();
    for (int64_t i = 0; i < points; ++i) {
        legato_tmm_point point{};
        point.struct_size = sizeof(point);
        require(context, legato_tmm_result(tmm, i, &point, 0, nullptr, nullptr));
        outcome.sum.add(&point.localisation_length, 1);
    }
    legato_tmm_destroy(tmm);
}

// The matrix of a cubic lattice, whose columns ascend in every row.
legato_kpm_hamiltonian* matrix_of(legato_context* context, int64_t extent) {
    std::vector<int64_t> rows{0};
    std::vector<int32_t> columns;
    std::vector<double> values;
    for (int64_t z = 0; z < extent; ++z)
        for (int64_t y = 0; y < extent; ++y)
            for (int64_t x = 0; x < extent; ++x) {
                const auto site = [&](int64_t dx, int64_t dy, int64_t dz) {
                    const auto around = [&](int64_t at) { return (at + extent) % extent; };
                    return static_cast<int32_t>(around(x + dx) + extent * (around(y + dy) + extent * around(z + dz)));
                };
                std::array near{site(0, 0, -1), site(0, -1, 0), site(-1, 0, 0), site(0, 0, 0),
                                site(1, 0, 0),  site(0, 1, 0),  site(0, 0, 1)};
                std::sort(near.begin(), near.end());
                for (const int32_t column : near) {
                    columns.push_back(column);
                    values.push_back(column == site(0, 0, 0) ? 0.001 * static_cast<double>(column % 997) : -1);
                }
                rows.push_back(static_cast<int64_t>(columns.size()));
            }
    legato_kpm_hamiltonian* hamiltonian = nullptr;
    require(context, legato_kpm_matrix_create(context, extent * extent * extent, rows.back(), 0, rows.data(),
                                              columns.data(), values.data(), &hamiltonian));
    return hamiltonian;
}

legato_kpm_hamiltonian* lattice_of(legato_context* context, int64_t extent) {
    legato_kpm_lattice lattice;
    legato_kpm_lattice_init(&lattice);
    std::fill_n(lattice.extents, 3, extent);
    lattice.on_site = LEGATO_KPM_ON_SITE_BOX;
    lattice.disorder = 2;
    legato_kpm_hamiltonian* hamiltonian = nullptr;
    require(context, legato_kpm_lattice_create(context, &lattice, 0, nullptr, &hamiltonian));
    return hamiltonian;
}

void run_kpm(legato_context* context, Outcome& outcome, int64_t extent, int32_t vectors, int32_t moments,
             int32_t division = LEGATO_KPM_DIVISION_VECTORS, bool as_matrix = false) {
    legato_kpm_params params;
    legato_kpm_params_init(&params);
    params.vectors = vectors;
    params.moments = moments;
    params.division = division;
    legato_kpm_hamiltonian* const hamiltonian = as_matrix ? matrix_of(context, extent) : lattice_of(context, extent);
    legato_kpm* kpm = nullptr;
    require(context, legato_kpm_create(context, &params, hamiltonian, &kpm));
    outcome.mark();
    require(context, legato_kpm_run(kpm, nullptr, nullptr));
    outcome.mark();
    std::vector<double> mean(static_cast<std::size_t>(moments)), error(mean.size());
    require(context, legato_kpm_moments(kpm, moments, mean.data(), error.data()));
    outcome.sum.add(mean.data(), mean.size());
    outcome.sum.add(error.data(), error.size());
    legato_kpm_destroy(kpm);
    legato_kpm_hamiltonian_destroy(hamiltonian);
}

void run_vmc(legato_context* context, Outcome& outcome, int32_t length, int32_t chains, int64_t bins) {
    legato_vmc_params params;
    legato_vmc_params_init(&params);
    params.length = length;
    params.electrons = (length * length + 1) * 9 / 20 * 2;
    params.chains = chains;
    params.bins = bins;
    legato_vmc* vmc = nullptr;
    require(context, legato_vmc_create(context, &params, &vmc));
    outcome.mark();
    require(context, legato_vmc_run(vmc, nullptr, nullptr));
    outcome.mark();
    legato_vmc_averages averages{};
    averages.struct_size = sizeof(averages);
    require(context, legato_vmc_result(vmc, &averages));
    outcome.sum.add(&averages, 1);
    legato_vmc_destroy(vmc);
}

void run_ising(legato_context* context, Outcome& outcome, int64_t extent, int64_t systems, int64_t bins) {
    legato_ising_params params;
    legato_ising_params_init(&params);
    params.extents[0] = params.extents[1] = extent;
    params.bins = bins;
    std::vector<double> betas(static_cast<std::size_t>(systems));
    for (std::size_t i = 0; i < betas.size(); ++i)
        betas[i] = 0.3 + 0.3 * static_cast<double>(i) / static_cast<double>(systems);
    legato_ising* ising = nullptr;
    require(context, legato_ising_create(context, &params, systems, betas.data(), 0, nullptr, &ising));
    outcome.mark();
    require(context, legato_ising_run(ising, nullptr, nullptr));
    outcome.mark();
    for (int64_t beta = 0; beta < systems; ++beta) {
        legato_ising_averages averages{};
        averages.struct_size = sizeof(averages);
        require(context, legato_ising_result(ising, beta, &averages));
        outcome.sum.add(&averages, 1);
    }
    legato_ising_destroy(ising);
}

void run_dfr(legato_context* context, Outcome& outcome, int copies) {
    legato_dfr* dfr = nullptr;
    require(context, legato_dfr_create(context, nullptr, &dfr));
    int64_t atoms = 0;
    for (int copy = 0; copy < copies; ++copy)
        for (int32_t element = 2; element <= 86; ++element) {
            if (element == 58 || element == 64 || element == 65 || element == 67 || element == 70) continue;
            require(context, legato_dfr_add_element_with_basis(dfr, element, LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN,
                                                               "hennessey", nullptr));
            ++atoms;
        }
    outcome.mark();
    require(context, legato_dfr_run(dfr, nullptr, nullptr));
    outcome.mark();
    for (int64_t i = 0; i < atoms; ++i) {
        legato_dfr_atom atom{};
        atom.struct_size = sizeof(atom);
        require(context, legato_dfr_result(dfr, i, &atom));
        outcome.sum.add(&atom.energy, 1);
    }
    legato_dfr_destroy(dfr);
}

// Jobs for devices.
const std::vector<Job> jobs_of_devices{
    {"tmm", "65536 points, 2D, M = 8", [](auto* c, auto& outcome) { run_tmm(c, outcome, 2, 8, 65536, 0.01); }},
    {"tmm", "16 points, 2D, M = 8, 4096 replicas",
     [](auto* c, auto& outcome) { run_tmm(c, outcome, 2, 8, 16, 0.0002, 4096); }},
    {"tmm", "one point, 3D, M = 48", [](auto* c, auto& outcome) { run_tmm(c, outcome, 3, 48, 1, 1e-6); }},
    {"kpm", "256^3, R = 64, N = 512", [](auto* c, auto& outcome) { run_kpm(c, outcome, 256, 64, 512); }},
    {"kpm", "256^3, R = 64, N = 2048", [](auto* c, auto& outcome) { run_kpm(c, outcome, 256, 64, 2048); }},
    {"kpm", "256^3 in slabs, R = 32, N = 4096",
     [](auto* c, auto& outcome) { run_kpm(c, outcome, 256, 32, 4096, LEGATO_KPM_DIVISION_LATTICE); }},
    {"kpm", "512^3 in slabs, R = 32, N = 1024",
     [](auto* c, auto& outcome) { run_kpm(c, outcome, 512, 32, 1024, LEGATO_KPM_DIVISION_LATTICE); }},
    {"kpm", "a matrix of 256^3 rows, R = 32, N = 512",
     [](auto* c, auto& outcome) { run_kpm(c, outcome, 256, 32, 512, LEGATO_KPM_DIVISION_LATTICE, true); }},
    {"vmc", "8448 chains, L = 15", [](auto* c, auto& outcome) { run_vmc(c, outcome, 15, 8448, 20); }},
    {"ising", "1024 systems, 128^2", [](auto* c, auto& outcome) { run_ising(c, outcome, 128, 1024, 400); }},
    {"ising", "one lattice, 65536^2", [](auto* c, auto& outcome) { run_ising(c, outcome, 65536, 1, 2); }},
    {"dfr", "8 x 80 elements", [](auto* c, auto& outcome) { run_dfr(c, outcome, 8); }},
};
// Jobs for the CPU.
const std::vector<Job> jobs_of_ranks{
    {"tmm", "64 points, 3D, M = 10", [](auto* c, auto& outcome) { run_tmm(c, outcome, 3, 10, 64, 0.05); }},
    {"kpm", "64^3, R = 16, N = 512", [](auto* c, auto& outcome) { run_kpm(c, outcome, 64, 16, 512); }},
    {"kpm", "a matrix of 64^3 rows, R = 4, N = 512",
     [](auto* c, auto& outcome) { run_kpm(c, outcome, 64, 4, 512, LEGATO_KPM_DIVISION_LATTICE, true); }},
    {"vmc", "64 chains, L = 9", [](auto* c, auto& outcome) { run_vmc(c, outcome, 9, 64, 20); }},
    {"ising", "64 systems, 128^2", [](auto* c, auto& outcome) { run_ising(c, outcome, 128, 64, 20); }},
    {"dfr", "80 elements", [](auto* c, auto& outcome) { run_dfr(c, outcome, 1); }},
};

struct Ranks {
    int rank = 0, size = 1;
};

// Starts MPI if a launcher has started this process with others.
Ranks begin_ranks() {
    Ranks ranks;
#ifdef LEGATO_BENCH_MPI
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.size);
#endif
    return ranks;
}

void end_ranks() {
#ifdef LEGATO_BENCH_MPI
    MPI_Finalize();
#endif
}

// Returns the outcome of the fastest run. 0 devices stand for the default device of each rank.
Outcome measure(const Job& job, int32_t backend, int devices, [[maybe_unused]] const Ranks& ranks, int repeats) {
    Outcome best;
    for (int i = 0; i < repeats; ++i) {
        legato_context* context = nullptr;
        legato_context_params params;
        legato_context_params_init(&params);
        params.backend = backend;
        require(context, legato_context_create(&params, &context));
        std::vector<int32_t> list(static_cast<std::size_t>(devices));
        std::iota(list.begin(), list.end(), 0);
        if (devices > 0) require(context, legato_context_set_devices(context, devices, list.data()));
#ifdef LEGATO_BENCH_MPI
        if (ranks.size > 1) require(context, legato_mpi_join(context, MPI_Comm_c2f(MPI_COMM_WORLD)));
#endif
        Outcome outcome;
        job.run(context, outcome);
        outcome.mark();
        if (i == 0 || outcome.seconds.back() < best.seconds.back()) best = outcome;
        legato_context_destroy(context);
    }
    return best;
}

// The numbers of devices that are measured; 0 if ranks share the work.
std::vector<int> device_counts(int most, int only, const Ranks& ranks) {
    if (most == 0 || ranks.size > 1) return {0};
    if (only > 0) return {only};
    std::vector<int> counts;
    for (int devices = 1; devices <= most; devices *= 2) counts.push_back(devices);
    return counts;
}

int count_devices() {
    legato_context* context = nullptr;
    int32_t count = 0, backend = 0;
    require(context, legato_context_create(nullptr, &context));
    legato_context_params params;
    legato_context_params_init(&params);
    backend = params.backend;
    require(context, legato_context_device_count(context, &count));
    legato_context_destroy(context);
    return backend == LEGATO_BACKEND_CPU ? 0 : count;
}

}  // namespace

int scaling(int argc, char** argv) {
    std::string method = "all";
    int repeats = 3, only = 0;
    for (int i = 2; i < argc; ++i) {
        if (std::strcmp(argv[i], "--repeats") == 0 && i + 1 < argc && std::atoi(argv[i + 1]) > 0)
            repeats = std::atoi(argv[++i]);
        else if (std::strcmp(argv[i], "--devices") == 0 && i + 1 < argc && std::atoi(argv[i + 1]) > 0)
            only = std::atoi(argv[++i]);
        else if (argv[i][0] != '-')
            method = argv[i];
        else
            return std::fputs(usage, stderr), 2;
    }
    const int most = count_devices();
    const Ranks ranks = begin_ranks();
    bool is_known = false;
    if (ranks.rank == 0)
        std::printf("%-6s %-38s %5s %7s %8s %8s %8s %8s  %s\n", "method", "job", "ranks", "devices", "create", "run",
                    "in all", "speedup", "checksum");
    for (const Job& job : most > 0 ? jobs_of_devices : jobs_of_ranks) {
        if (method != "all" && method != job.method) continue;
        is_known = true;
        double first = 0;
        for (const int devices : device_counts(most, only, ranks)) {
            const Outcome outcome =
                measure(job, most > 0 ? LEGATO_BACKEND_CUDA : LEGATO_BACKEND_CPU, devices, ranks, repeats);
            const std::vector<double>& seconds = outcome.seconds;
            if (first == 0) first = seconds[2];
            if (ranks.rank > 0) continue;
            std::printf("%-6s %-38s %5d %7d %8.3f %8.3f %8.3f %8.3f  %016llx\n", job.method.c_str(), job.name.c_str(),
                        ranks.size, std::max(devices, std::min(most, 1)), seconds[0], seconds[1] - seconds[0],
                        seconds[2], first / seconds[2], static_cast<unsigned long long>(outcome.sum.value()));
            std::fflush(stdout);
        }
    }
    end_ranks();
    return is_known ? 0 : (std::fputs(usage, stderr), 2);
}

}  // namespace benchmarks
