#include "state_kinds.hpp"

#include <legato/legato.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace legato::fuzz {
namespace {

constexpr std::int32_t one_shell = 1, three = 3;
constexpr double no_electrons = 0, start[] = {0.2, 2.5, 0.5, 0.2}, limit = -2.87;
constexpr double energies[] = {0.0, 1.0}, disorder[] = {3.0, 8.0}, betas[] = {0.3, 0.5};
constexpr std::int64_t seeds[] = {7, 8};

legato_context* context() {
    static legato_context* const made = [] {
        legato_context_params params;
        legato_context_params_init(&params);
        params.backend = LEGATO_BACKEND_CPU;
        params.threads = 1;
        legato_context* context = nullptr;
        if (legato_context_create(&params, &context) != LEGATO_STATUS_SUCCESS) std::abort();
        return context;
    }();
    return made;
}

void must(std::int32_t status) {
    if (status == LEGATO_STATUS_SUCCESS) return;
    std::fprintf(stderr, "%s\n", legato_context_message(context()));
    std::abort();
}

// Declares a struct and sets its defaults.
#define DEFAULTS(type, name) \
    type name;               \
    must(type##_init(&name))

// Resumes a run of any kind. HANDLE is that of legato_HANDLE_*; `quick` decides whether the run advances.
#define RESUME(HANDLE, quick)                                                                              \
    legato_##HANDLE* handle = nullptr;                                                                     \
    const std::int32_t status = legato_##HANDLE##_resume(context(), path, &handle);                        \
    if (status == LEGATO_STATUS_SUCCESS && (quick)(handle)) legato_##HANDLE##_advance(handle, 1, nullptr); \
    legato_##HANDLE##_destroy(handle);                                                                     \
    return status

template <class Params>
Params sized() {
    Params params{};
    params.struct_size = sizeof params;
    return params;
}

void save_tmm(int run, const char* path) {
    DEFAULTS(legato_tmm_params, params);
    params.width = 2;
    params.random_stream = run % 2 ? LEGATO_TMM_RANDOM_STREAM_PHILOX : LEGATO_TMM_RANDOM_STREAM_LFSR113_PER_SITE;
    params.epsilon = 0.2;
    legato_tmm* tmm = nullptr;
    must(legato_tmm_create(context(), &params, 2, energies, disorder, &tmm));
    for (int advances = run / 2 * 10; advances > 0; --advances) must(legato_tmm_advance(tmm, 3, nullptr));
    must(legato_tmm_save(tmm, path));
    must(legato_tmm_destroy(tmm));
}

std::int32_t resume_tmm(const char* path) {
    RESUME(tmm, [](legato_tmm* tmm) {
        auto params = sized<legato_tmm_params>();
        must(legato_tmm_get_params(tmm, &params));
        return params.width <= 4 && params.n_ortho <= 100;
    });
}

// Returns the matrix of a chain of four sites.
legato_kpm_hamiltonian* hamiltonian() {
    static legato_kpm_hamiltonian* const made = [] {
        const std::int64_t rows[] = {0, 2, 5, 8, 10};
        const std::int32_t columns[] = {1, 0, 0, 1, 2, 3, 2, 1, 2, 3};
        const double values[] = {-1, 0.1, -1, 0.2, -1, -1, 0.3, -1, -1, 0.4};
        legato_kpm_hamiltonian* hamiltonian = nullptr;
        must(legato_kpm_matrix_create(context(), 4, 10, 0, rows, columns, values, &hamiltonian));
        return hamiltonian;
    }();
    return made;
}

legato_kpm_hamiltonian* chain() {
    static legato_kpm_hamiltonian* const made = [] {
        DEFAULTS(legato_kpm_lattice, lattice);
        lattice.extents[0] = 4;
        legato_kpm_hamiltonian* hamiltonian = nullptr;
        must(legato_kpm_lattice_create(context(), &lattice, 0, nullptr, &hamiltonian));
        return hamiltonian;
    }();
    return made;
}

constexpr int first_run_with_waves = 5;

// The last runs have plane waves, of which two vectors are a sample.
void save_kpm(int run, const char* path) {
    DEFAULTS(legato_kpm_params, params);
    params.moments = 8;
    params.vectors = 4;
    params.block_width = 1;
    params.memory_budget = 1 << 26;
    legato_kpm* kpm = nullptr;
    const double k[] = {0, 0, 0, 0.25, 0, 0}, amplitudes[] = {1, 0, 0.5, -2};
    if (run < first_run_with_waves)
        must(legato_kpm_create(context(), &params, hamiltonian(), &kpm));
    else
        must(legato_kpm_create_waves(context(), &params, chain(), 2, k, 1, amplitudes, &kpm));
    run %= first_run_with_waves;
    if (run > 0) must(legato_kpm_advance(kpm, run, nullptr));
    must(legato_kpm_save(kpm, path));
    must(legato_kpm_destroy(kpm));
}

int start_vector(void*, std::int64_t, std::int64_t sites, double* vector) {
    for (std::int64_t i = 0; i < sites; ++i) vector[i] = i % 2 ? -1 : 1;
    return 0;
}

std::int32_t resume_kpm(const char* path) {
    legato_kpm* kpm = nullptr;
    std::int32_t status = legato_kpm_resume(context(), path, hamiltonian(), nullptr, nullptr, &kpm);
    if (status == LEGATO_STATUS_INVALID_ARGUMENT)  // run with vectors of the caller
        status = legato_kpm_resume(context(), path, hamiltonian(), start_vector, nullptr, &kpm);
    if (std::strstr(last_message(), "another Hamiltonian"))
        status = legato_kpm_resume(context(), path, chain(), nullptr, nullptr, &kpm);
    auto params = sized<legato_kpm_params>();
    if (status == LEGATO_STATUS_SUCCESS) {
        must(legato_kpm_get_params(kpm, &params));
        if (params.moments <= 64) legato_kpm_advance(kpm, 1, nullptr);
    }
    legato_kpm_destroy(kpm);
    return status;
}

// The vectors on the left are those of a callback in some runs.
void save_kpm_green(int run, const char* path) {
    DEFAULTS(legato_kpm_params, params);
    params.moments = 8;
    params.realisations = 2;
    params.memory_budget = 1 << 26;
    const std::int64_t left[] = {0, 3}, right[] = {1, 2};
    const bool given = run % 2 == 1;
    legato_kpm_green* green = nullptr;
    must(legato_kpm_green_create(context(), &params, hamiltonian(), 2, given ? nullptr : left, 2, right,
                                 given ? start_vector : nullptr, nullptr, &green));
    if (run > 0) must(legato_kpm_green_advance(green, run, nullptr));
    must(legato_kpm_green_save(green, path));
    must(legato_kpm_green_destroy(green));
}

std::int32_t resume_kpm_green(const char* path) {
    legato_kpm_green* green = nullptr;
    std::int32_t status = legato_kpm_green_resume(context(), path, hamiltonian(), nullptr, nullptr, &green);
    if (status == LEGATO_STATUS_INVALID_ARGUMENT)  // vectors of the caller
        status = legato_kpm_green_resume(context(), path, hamiltonian(), start_vector, nullptr, &green);
    auto state = sized<legato_kpm_state>();
    if (status == LEGATO_STATUS_SUCCESS) {
        must(legato_kpm_green_get_state(green, &state));
        if (state.moments <= 64) legato_kpm_green_advance(green, 1, nullptr);
    }
    legato_kpm_green_destroy(green);
    return status;
}

void save_kpm_correlation(int run, const char* path) {
    DEFAULTS(legato_kpm_params, params);
    params.moments = 5;
    params.vectors = 4;
    params.memory_budget = 1 << 26;
    legato_kpm_correlation* correlation = nullptr;
    must(legato_kpm_correlation_create(context(), &params, hamiltonian(), hamiltonian(), hamiltonian(), &correlation));
    if (run > 0) must(legato_kpm_correlation_advance(correlation, run, nullptr));
    must(legato_kpm_correlation_save(correlation, path));
    must(legato_kpm_correlation_destroy(correlation));
}

std::int32_t resume_kpm_correlation(const char* path) {
    legato_kpm_correlation* correlation = nullptr;
    const auto resume = [&](legato_kpm_vector_callback callback) {
        return legato_kpm_correlation_resume(context(), path, hamiltonian(), hamiltonian(), hamiltonian(), callback,
                                             nullptr, &correlation);
    };
    std::int32_t status = resume(nullptr);
    if (status == LEGATO_STATUS_INVALID_ARGUMENT) status = resume(start_vector);  // run with vectors of the caller
    auto params = sized<legato_kpm_params>();
    if (status == LEGATO_STATUS_SUCCESS) {
        must(legato_kpm_correlation_get_params(correlation, &params));
        if (params.moments <= 64) legato_kpm_correlation_advance(correlation, 1, nullptr);
    }
    legato_kpm_correlation_destroy(correlation);
    return status;
}

legato_vmc_params small_cluster() {
    DEFAULTS(legato_vmc_params, params);
    params.length = 3;
    params.electrons = 8;
    params.chains = 2;
    params.thermalisation = 1;
    params.bins = 4;
    params.sweeps_per_bin = 2;
    return params;
}

bool quick_bins(const legato_vmc_params& params) {
    return params.length <= 4 && params.extents[0] <= 4 && params.extents[1] <= 4 && params.chains <= 8 &&
           params.thermalisation <= 100 && params.sweeps_per_bin <= 100 && params.sweep_factor <= 10 &&
           params.start_attempts <= 100000;
}

void save_vmc(int run, const char* path) {
    legato_vmc_params params = small_cluster();
    params.correlations = params.pair_correlations = params.gradients = run >= 2;
    legato_vmc* vmc = nullptr;
    must(legato_vmc_create(context(), &params, &vmc));
    if (run % 2) must(legato_vmc_advance(vmc, 2, nullptr));
    must(legato_vmc_save(vmc, path));
    must(legato_vmc_destroy(vmc));
}

std::int32_t resume_vmc(const char* path) {
    RESUME(vmc, [](legato_vmc* vmc) {
        auto params = sized<legato_vmc_params>();
        must(legato_vmc_get_params(vmc, &params));
        return quick_bins(params);
    });
}

void save_vmc_optimiser(int run, const char* path) {
    const legato_vmc_params cluster = small_cluster();
    DEFAULTS(legato_vmc_optimiser_params, params);
    params.steps = 7;
    params.quiet_steps = 1;
    params.significance = 100;
    params.refinement = 1;
    legato_vmc_optimiser* optimiser = nullptr;
    must(legato_vmc_optimiser_create(context(), &cluster, &params, &optimiser));
    if (run > 0) must(legato_vmc_optimiser_advance(optimiser, 2 * run, nullptr));
    must(legato_vmc_optimiser_save(optimiser, path));
    must(legato_vmc_optimiser_destroy(optimiser));
}

std::int32_t resume_vmc_optimiser(const char* path) {
    RESUME(vmc_optimiser, [](legato_vmc_optimiser* optimiser) {
        auto cluster = sized<legato_vmc_params>();
        auto params = sized<legato_vmc_optimiser_params>();
        must(legato_vmc_optimiser_get_params(optimiser, &cluster, &params));
        return quick_bins(cluster) && cluster.bins <= 8;
    });
}

void save_ising(int run, const char* path) {
    constexpr int32_t algorithms[] = {LEGATO_ISING_ALGORITHM_METROPOLIS, LEGATO_ISING_ALGORITHM_DEMON_MICROCANONICAL,
                                      LEGATO_ISING_ALGORITHM_SWENDSEN_WANG, LEGATO_ISING_ALGORITHM_WOLFF};
    const bool demons = run / 3 == 1;
    DEFAULTS(legato_ising_params, params);
    params.algorithm = algorithms[run / 3];
    params.extents[0] = params.extents[1] = 4;
    params.replicas = demons ? 32 : 1;
    params.thermalisation = 2;
    params.measurements_per_bin = 2;
    params.bins = 3;
    params.time_series = params.correlations = 1;
    params.acceptance = run < 3;
    legato_ising* ising = nullptr;
    must(legato_ising_create(context(), &params, 2, betas, 2, seeds, &ising));
    if (run % 3 > 0) must(legato_ising_advance(ising, run % 3, nullptr));
    must(legato_ising_save(ising, path));
    must(legato_ising_destroy(ising));
}

std::int32_t resume_ising(const char* path) {
    RESUME(ising, [](legato_ising* ising) {
        auto params = sized<legato_ising_params>();
        must(legato_ising_get_params(ising, &params));
        return params.extents[0] * params.extents[1] * params.extents[2] * params.replicas <= 2048 &&
               params.thermalisation <= 100 && params.measurements_per_bin <= 10 && params.sweeps_per_measurement <= 10;
    });
}

constexpr int most_iterations = 20;  // these atoms need fewer; atoms of changed files often reach it

struct Helium {
    legato_dfr_nucleus nucleus = sized<legato_dfr_nucleus>();
    legato_dfr_params field;
    legato_dfr_optimiser_params params;

    Helium() {
        nucleus.model = LEGATO_DFR_NUCLEAR_MODEL_POINT;
        nucleus.charge = 2;
        must(legato_dfr_params_init(&field));
        field.relativistic = 0;
        field.max_iterations = most_iterations;
        must(legato_dfr_optimiser_params_init(&params));
        params.max_energies = 12;
    }
};

constexpr int most_species = 16;  // the library allows fewer
using Counts = std::array<std::int32_t, most_species>;

bool quick_energies(std::int32_t species, const Counts& functions, const legato_dfr_params& field) {
    for (std::int32_t i = 0; i < species; ++i)
        if (functions[static_cast<std::size_t>(i)] > 4) return false;
    return species <= 2 && field.max_iterations <= most_iterations;
}

void save_dfr_optimiser(int run, const char* path) {
    const Helium helium;
    legato_dfr_optimiser* optimiser = nullptr;
    must(legato_dfr_optimiser_create(context(), &helium.field, &helium.params, &optimiser));
    for (int atoms = 0; atoms < 2; ++atoms)
        must(legato_dfr_optimiser_add(optimiser, &helium.nucleus, 1, &three, &one_shell, nullptr, 1, start, &one_shell,
                                      &no_electrons, nullptr, limit, nullptr));
    if (run > 0) must(legato_dfr_optimiser_advance(optimiser, 5 * run, nullptr));
    must(legato_dfr_optimiser_save(optimiser, path));
    must(legato_dfr_optimiser_destroy(optimiser));
}

std::int32_t resume_dfr_optimiser(const char* path) {
    RESUME(dfr_optimiser, [](legato_dfr_optimiser* optimiser) {
        auto field = sized<legato_dfr_params>();
        must(legato_dfr_optimiser_get_params(optimiser, &field, nullptr));
        std::int64_t size = 0;
        must(legato_dfr_optimiser_size(optimiser, &size));
        for (std::int64_t i = 0; i < size; ++i) {
            std::int32_t species = 0;
            Counts functions{};
            must(legato_dfr_optimiser_basis(optimiser, i, &species, nullptr, functions.data(), nullptr, nullptr,
                                            nullptr));
            if (!quick_energies(species, functions, field)) return false;
        }
        return true;
    });
}

void save_dfr_reducer(int run, const char* path) {
    const Helium helium;
    DEFAULTS(legato_dfr_reducer_params, params);
    params.functions = three;
    params.accuracy = 0.1;
    params.limit = limit;
    legato_dfr_reducer* reducer = nullptr;
    must(legato_dfr_reducer_create(context(), &helium.field, &helium.params, &params, &helium.nucleus, 1, &one_shell,
                                   &no_electrons, nullptr, start, &reducer));
    if (run > 0) must(legato_dfr_reducer_advance(reducer, 8 * run, nullptr));
    must(legato_dfr_reducer_save(reducer, path));
    must(legato_dfr_reducer_destroy(reducer));
}

std::int32_t resume_dfr_reducer(const char* path) {
    RESUME(dfr_reducer, [](legato_dfr_reducer* reducer) {
        auto field = sized<legato_dfr_params>();
        must(legato_dfr_reducer_get_params(reducer, &field, nullptr, nullptr));
        std::int32_t species = 0;
        Counts functions{};
        must(legato_dfr_reducer_basis(reducer, &species, functions.data(), nullptr, nullptr));
        return quick_energies(species, functions, field);
    });
}

void save_dfr_pruner(int run, const char* path) {
    const Helium helium;
    DEFAULTS(legato_dfr_pruner_params, params);
    params.largest_error = 1;
    params.max_energies = 12;
    const std::int32_t form = LEGATO_DFR_GROUP_FORM_WELL_TEMPERED;
    legato_dfr_pruner* pruner = nullptr;
    must(legato_dfr_pruner_create(context(), &helium.field, &params, &pruner));
    for (int atoms = 0; atoms < 2; ++atoms)
        must(legato_dfr_pruner_add(pruner, &helium.nucleus, 1, &three, &one_shell, nullptr, 1, &form, start, &one_shell,
                                   &no_electrons, nullptr, limit, nullptr));
    if (run > 0) must(legato_dfr_pruner_advance(pruner, 8 * run, nullptr));
    must(legato_dfr_pruner_save(pruner, path));
    must(legato_dfr_pruner_destroy(pruner));
}

std::int32_t resume_dfr_pruner(const char* path) {
    RESUME(dfr_pruner, [](legato_dfr_pruner* pruner) {
        auto field = sized<legato_dfr_params>();
        must(legato_dfr_pruner_get_params(pruner, &field, nullptr));
        std::int64_t size = 0;
        must(legato_dfr_pruner_size(pruner, &size));
        for (std::int64_t i = 0; i < size; ++i) {
            auto pruning = sized<legato_dfr_pruning>();
            must(legato_dfr_pruner_result(pruner, i, &pruning));
            std::int32_t species = 0;
            Counts functions{};
            if (pruning.sets == 0) return false;  // the size of the start cannot be read
            must(legato_dfr_pruner_basis(pruner, i, 0, &species, nullptr, nullptr, functions.data(), nullptr, nullptr,
                                         nullptr, nullptr));
            if (!quick_energies(species, functions, field)) return false;
        }
        return true;
    });
}

}  // namespace

const char* last_message() {
    return legato_context_message(context());
}

std::span<const StateKind> state_kinds() {
    static constexpr std::array kinds{
        StateKind{"tmm", 2, 6, save_tmm, resume_tmm},
        StateKind{"dfr_optimiser", 1, 4, save_dfr_optimiser, resume_dfr_optimiser},
        StateKind{"dfr_pruner", 1, 4, save_dfr_pruner, resume_dfr_pruner},
        StateKind{"dfr_reducer", 1, 4, save_dfr_reducer, resume_dfr_reducer},
        StateKind{"kpm_correlation", 1, 5, save_kpm_correlation, resume_kpm_correlation},
        StateKind{"kpm", 1, 8, save_kpm, resume_kpm},
        StateKind{"kpm_green", 1, 4, save_kpm_green, resume_kpm_green},
        StateKind{"vmc", 1, 4, save_vmc, resume_vmc},
        StateKind{"vmc_optimiser", 2, 4, save_vmc_optimiser, resume_vmc_optimiser},
        StateKind{"ising", 1, 12, save_ising, resume_ising},
    };
    return kinds;
}

}  // namespace legato::fuzz
