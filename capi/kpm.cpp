#include "kpm.hpp"

#include "kpm/estimates.hpp"
#include "kpm_results.hpp"

using namespace legato;
using namespace legato::capi;

namespace {

template <class ReadProblem>
int32_t create_kpm(legato_context* context, const legato_kpm_hamiltonian* hamiltonian, legato_kpm** kpm,
                   legato_kpm_vector_callback callback, void* user, ReadProblem&& read) {
    return create(context, "kpm", kpm, [&](Context& c) {
        const Argument of("kpm.hamiltonian", hamiltonian);
        const std::shared_ptr<const kpm::Hamiltonian> present = *of;
        return std::make_unique<kpm::Solver>(c, read(*present), present,
                                             start_vectors_from_c(callback, user, kpm::sites_of(*present)));
    });
}

void require_sample(const char* call, const kpm::Solver& solver) {
    if (solver.samples_done() > 0) return;
    solver.require_enclosed();
    fail(Status::invalid_argument, call, ": no sample is finished yet");
}

// Copies results to the caller, and throws afterwards if the interval was found to be too narrow. The results are then
// those of the samples that were finished before.
void copy_out(const kpm::Solver& solver, const kpm::Estimate& estimate, double* value, double* error) {
    std::copy(estimate.value.begin(), estimate.value.end(), value);
    if (error) std::copy(estimate.error.begin(), estimate.error.end(), error);
    solver.require_enclosed();
}

}  // namespace

int32_t legato_kpm_params_init_sized(legato_kpm_params* params, size_t struct_size) {
    return guard_call(nullptr, [&] { init_struct("kpm.params", to_c(kpm::Params{}), params, struct_size); });
}

int32_t legato_kpm_create(legato_context* context, const legato_kpm_params* params,
                          const legato_kpm_hamiltonian* hamiltonian, legato_kpm** kpm) {
    return create_kpm(context, hamiltonian, kpm, nullptr, nullptr, [&](const kpm::Hamiltonian&) {
        kpm::Problem problem = read_problem(params);
        const bool given = problem.start_vectors == kpm::StartVectors::caller;
        if (given || has_fixed_vectors(problem))
            fail(Status::invalid_argument, "kpm.params.start_vectors: ", static_cast<int>(problem.start_vectors),
                 " is not 0, 1, 2 or 5; use ",
                 given                                               ? "legato_kpm_create_given for your own vectors"
                 : problem.start_vectors == kpm::StartVectors::sites ? "legato_kpm_create_local for sites"
                                                                     : "legato_kpm_create_waves for plane waves");
        return problem;
    });
}

int32_t legato_kpm_create_local(legato_context* context, const legato_kpm_params* params,
                                const legato_kpm_hamiltonian* hamiltonian, int64_t n_sites, const int64_t* sites,
                                legato_kpm** kpm) {
    return create_kpm(context, hamiltonian, kpm, nullptr, nullptr, [&](const kpm::Hamiltonian&) {
        kpm::Problem problem = read_problem(params);
        problem.start_vectors = kpm::StartVectors::sites;
        require_integer("kpm.n_sites", n_sites, 1, kpm::max_rows);
        require_pointer("kpm.sites", sites);
        problem.sites.assign(sites, sites + n_sites);
        return problem;
    });
}

int32_t legato_kpm_create_waves(legato_context* context, const legato_kpm_params* params,
                                const legato_kpm_hamiltonian* hamiltonian, int64_t n_k, const double* k,
                                int32_t orbitals, const double* amplitudes, legato_kpm** kpm) {
    return create_kpm(context, hamiltonian, kpm, nullptr, nullptr, [&](const kpm::Hamiltonian& present) {
        kpm::Problem problem = read_problem(params);
        problem.start_vectors = kpm::StartVectors::waves;
        require_integer("kpm.n_k", n_k, 1, kpm::max_vectors);
        require_pointer("kpm.k", k);
        problem.waves = kpm::waves_on(present, {k, k + 3 * n_k}, {});
        if (!amplitudes) return problem;
        require_integer("kpm.orbitals", orbitals, problem.waves.orbitals, problem.waves.orbitals);
        problem.waves.amplitudes.assign(amplitudes, amplitudes + 2 * n_k * orbitals);
        return problem;
    });
}

int32_t legato_kpm_create_given(legato_context* context, const legato_kpm_params* params,
                                const legato_kpm_hamiltonian* hamiltonian, legato_kpm_vector_callback callback,
                                void* user, legato_kpm** kpm) {
    return create_kpm(context, hamiltonian, kpm, callback, user, [&](const kpm::Hamiltonian&) {
        if (!callback) fail(Status::invalid_argument, "kpm.callback: a null pointer is not allowed");
        kpm::Problem problem = read_problem(params);
        problem.start_vectors = kpm::StartVectors::caller;
        return problem;
    });
}

int32_t legato_kpm_destroy(legato_kpm* kpm) {
    return destroy(kpm);
}

int32_t legato_kpm_run(legato_kpm* kpm, legato_progress_callback callback, void* user) {
    return run(kpm, callback, user);
}

int32_t legato_kpm_advance(legato_kpm* kpm, int64_t blocks, int64_t* samples_done) {
    return advance("kpm.advance.blocks", kpm, blocks, samples_done);
}

int32_t legato_kpm_get_state(legato_kpm* kpm, legato_kpm_state* state) {
    return guard(kpm, [&](kpm::Solver& solver) {
        legato_kpm_state out = state_of(solver, solver.backend().backend);
        out.block_width = solver.block_width();
        out.bytes = solver.memory().bytes(solver.block_width());
        write_struct("kpm.state", out, state);
    });
}

int32_t legato_kpm_moments(legato_kpm* kpm, int32_t n, double* mean, double* error) {
    return guard(kpm, [&](kpm::Solver& solver) {
        require_integer("kpm.moments.n", n, 0, solver.problem().moments);
        require_sample("kpm.moments", solver);
        const kpm::Moments moments = solver.moments();
        if (mean) std::copy_n(moments.mean.data(), n, mean);
        if (error) std::copy_n(moments.error.data(), n, error);
        solver.require_enclosed();
    });
}

int32_t legato_kpm_sample(legato_kpm* kpm, int64_t sample, int32_t n, double* moments) {
    return guard(kpm, [&](kpm::Solver& solver) {
        require_sample("kpm.sample", solver);
        const std::span<const double> values = solver.sample(sample);
        require_integer("kpm.sample.n", n, 0, solver.problem().moments);
        if (n > 0) std::copy_n(values.data(), n, &require_pointer("kpm.sample.moments", moments));
        solver.require_enclosed();
    });
}

int32_t legato_kpm_density_of_states(legato_kpm* kpm, int64_t sample, int32_t kernel, double lambda, int32_t n,
                                     const double* energies, double* density, double* error) {
    return guard(kpm, [&](kpm::Solver& solver) {
        const std::span<const double> at = energies_from_c(n, energies);
        require_pointer("kpm.density", density);
        copy_out(solver,
                 estimate(solver, sample, kernel_from_c(kernel), lambda, error != nullptr,
                          [&](const kpm::Spectrum& s) { return kpm::density_of_states(s, at); }),
                 density, error);
    });
}

int32_t legato_kpm_density_at_nodes(legato_kpm* kpm, int64_t sample, int32_t kernel, double lambda, int32_t n,
                                    double* energies, double* density, double* error) {
    return guard(kpm, [&](kpm::Solver& solver) {
        require_pointer("kpm.energies", energies);
        require_pointer("kpm.density", density);
        copy_out(solver,
                 estimate(solver, sample, kernel_from_c(kernel), lambda, error != nullptr,
                          [&](const kpm::Spectrum& s) {
                              kpm::Curve curve = density_at_nodes(s, n);
                              std::copy(curve.energies.begin(), curve.energies.end(), energies);
                              return std::move(curve.density);
                          }),
                 density, error);
    });
}

int32_t legato_kpm_greens_function(legato_kpm* kpm, int64_t sample, int32_t kernel, double lambda, int32_t n,
                                   const double* energies, double* green, double* error) {
    return guard(kpm, [&](kpm::Solver& solver) {
        const std::span<const double> at = energies_from_c(n, energies);
        require_pointer("kpm.green", green);
        copy_out(solver,
                 estimate(solver, sample, kernel_from_c(kernel), lambda, error != nullptr,
                          [&](const kpm::Spectrum& s) { return parts_of(kpm::greens_function(s, at)); }),
                 green, error);
    });
}

int32_t legato_kpm_integrated_density(legato_kpm* kpm, int64_t sample, int32_t kernel, double lambda, int32_t n,
                                      const double* energies, double* states, double* error) {
    return guard(kpm, [&](kpm::Solver& solver) {
        const std::span<const double> at = energies_from_c(n, energies);
        require_pointer("kpm.states", states);
        copy_out(solver,
                 estimate(solver, sample, kernel_from_c(kernel), lambda, error != nullptr,
                          [&](const kpm::Spectrum& s) { return kpm::integrated_density(s, at); }),
                 states, error);
    });
}

int32_t legato_kpm_electron_number(legato_kpm* kpm, int64_t sample, int32_t kernel, double lambda,
                                   double chemical_potential, double temperature, double* electrons, double* error) {
    return guard(kpm, [&](kpm::Solver& solver) {
        require_pointer("kpm.electrons", electrons);
        copy_out(solver,
                 estimate(solver, sample, kernel_from_c(kernel), lambda, error != nullptr,
                          [&](const kpm::Spectrum& s) {
                              return std::vector{kpm::electron_number(s, chemical_potential, temperature)};
                          }),
                 electrons, error);
    });
}

int32_t legato_kpm_chemical_potential(legato_kpm* kpm, int64_t sample, int32_t kernel, double lambda, double electrons,
                                      double temperature, double* chemical_potential, double* error) {
    return guard(kpm, [&](kpm::Solver& solver) {
        require_pointer("kpm.chemical_potential", chemical_potential);
        copy_out(solver, kpm::chemical_potential(solver, sample, kernel_from_c(kernel), lambda, electrons, temperature),
                 chemical_potential, error);
    });
}

int32_t legato_kpm_set_progress(legato_kpm* kpm, legato_progress_callback callback, void* user) {
    return guard(kpm, [&](kpm::Solver& solver) { solver.report_estimates(progress_from_c(callback, user)); });
}

int32_t legato_kpm_save(legato_kpm* kpm, const char* path) {
    return save("kpm", kpm, path);
}

int32_t legato_kpm_resume(legato_context* context, const char* path, const legato_kpm_hamiltonian* hamiltonian,
                          legato_kpm_vector_callback callback, void* user, legato_kpm** kpm) {
    return create(context, "kpm", kpm, [&](Context& c) {
        const Argument of("kpm.hamiltonian", hamiltonian);
        const std::shared_ptr<const kpm::Hamiltonian> present = *of;
        return kpm::Solver::resume(c, require_path("kpm.resume.path", path), present,
                                   start_vectors_from_c(callback, user, kpm::sites_of(*present)));
    });
}

int32_t legato_kpm_get_params(legato_kpm* kpm, legato_kpm_params* params) {
    return guard(kpm, [&](kpm::Solver& solver) { write_struct("kpm.params", to_c(solver.problem()), params); });
}
