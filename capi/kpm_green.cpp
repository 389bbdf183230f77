#include "legato/kpm_green.h"

#include "kpm/green.hpp"
#include "kpm_results.hpp"

using namespace legato;
using namespace legato::capi;

template <>
struct capi::StandsFor<legato_kpm_green> : Handle<kpm::Green> {};

namespace {

kpm::GreenSide side_from_c(const char* field, int64_t count, const int64_t* sites) {
    require_integer(field, count, 1, kpm::max_vectors);
    kpm::GreenSide side{count, {}};
    if (sites) side.sites.assign(sites, sites + count);
    return side;
}

// Returns the numbers of a table with `n` complex numbers for each pair. Impossible pairs are refused later.
std::span<double> table(const kpm::Green::Pairs& pairs, int64_t n, double* numbers) {
    const auto within = [](int64_t count) {
        return static_cast<std::size_t>(std::clamp<int64_t>(count, 0, kpm::max_vectors));
    };
    return {numbers, numbers ? within(pairs.left) * within(pairs.right) * 2 * static_cast<std::size_t>(n) : 0};
}

}  // namespace

int32_t legato_kpm_green_create(legato_context* context, const legato_kpm_params* params,
                                const legato_kpm_hamiltonian* hamiltonian, int64_t n_left, const int64_t* left,
                                int64_t n_right, const int64_t* right, legato_kpm_vector_callback callback, void* user,
                                legato_kpm_green** green) {
    return create(context, "kpm.green", green, [&](Context& c) {
        const Argument of("kpm.hamiltonian", hamiltonian);
        const std::shared_ptr<const kpm::Hamiltonian> present = *of;
        return std::make_unique<kpm::Green>(c, read_problem(params), present,
                                            side_from_c("kpm.green.n_left", n_left, left),
                                            side_from_c("kpm.green.n_right", n_right, right),
                                            start_vectors_from_c(callback, user, kpm::sites_of(*present)));
    });
}

int32_t legato_kpm_green_destroy(legato_kpm_green* green) {
    return destroy(green);
}

int32_t legato_kpm_green_run(legato_kpm_green* green, legato_progress_callback callback, void* user) {
    return run(green, callback, user);
}

int32_t legato_kpm_green_advance(legato_kpm_green* green, int64_t rounds, int64_t* samples_done) {
    return advance("kpm.green.advance.rounds", green, rounds, samples_done);
}

int32_t legato_kpm_green_get_state(legato_kpm_green* green, legato_kpm_state* state) {
    return guard(green, [&](kpm::Green& g) {
        legato_kpm_state out = state_of(g, g.backend());
        out.block_width = 1;
        out.bytes = g.bytes();
        write_struct("kpm.state", out, state);
    });
}

int32_t legato_kpm_green_moments(legato_kpm_green* green, int64_t left_first, int64_t left_count, int64_t right_first,
                                 int64_t right_count, int32_t n, double* mean, double* error) {
    return guard(green, [&](kpm::Green& g) {
        require_integer("kpm.green.n", n, 1, g.problem().moments);
        require_pointer("kpm.green.mean", mean);
        const kpm::Green::Pairs pairs{left_first, left_count, right_first, right_count};
        g.mean_moments(pairs, static_cast<std::size_t>(n), table(pairs, n, mean), table(pairs, n, error));
        g.require_enclosed();
    });
}

int32_t legato_kpm_green_functions(legato_kpm_green* green, int64_t left_first, int64_t left_count, int64_t right_first,
                                   int64_t right_count, int32_t kernel, double lambda, int32_t n,
                                   const double* energies, double* value, double* error) {
    return guard(green, [&](kpm::Green& g) {
        const std::span<const double> at = energies_from_c(n, energies);
        require_pointer("kpm.green.value", value);
        const kpm::Green::Pairs pairs{left_first, left_count, right_first, right_count};
        g.functions(pairs, kernel_from_c(kernel), lambda, at, table(pairs, n, value), table(pairs, n, error));
        g.require_enclosed();
    });
}

int32_t legato_kpm_green_set_progress(legato_kpm_green* green, legato_progress_callback callback, void* user) {
    return guard(green, [&](kpm::Green& g) { g.report_estimates(progress_from_c(callback, user)); });
}

int32_t legato_kpm_green_save(legato_kpm_green* green, const char* path) {
    return save("kpm.green", green, path);
}

int32_t legato_kpm_green_resume(legato_context* context, const char* path, const legato_kpm_hamiltonian* hamiltonian,
                                legato_kpm_vector_callback callback, void* user, legato_kpm_green** green) {
    return create(context, "kpm.green", green, [&](Context& c) {
        const Argument of("kpm.hamiltonian", hamiltonian);
        const std::shared_ptr<const kpm::Hamiltonian> present = *of;
        return kpm::Green::resume(c, require_path("kpm.green.resume.path", path), present,
                                  start_vectors_from_c(callback, user, kpm::sites_of(*present)));
    });
}

int32_t legato_kpm_green_get_params(legato_kpm_green* green, legato_kpm_params* params) {
    return guard(green, [&](kpm::Green& g) { write_struct("kpm.params", to_c(g.problem()), params); });
}
