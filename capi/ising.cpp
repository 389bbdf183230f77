#include "ising.hpp"

#include "core/validate.hpp"
#include "ising_params.hpp"
#include "legato/ising.h"

using namespace legato;
using namespace legato::capi;

template <>
inline constexpr std::size_t capi::first_size<legato_ising_params> = LEGATO_SIZE_UP_TO(legato_ising_params, acceptance);
template <>
inline constexpr std::size_t capi::first_size<legato_ising_state> = LEGATO_SIZE_UP_TO(legato_ising_state, bins_done);
template <>
inline constexpr std::size_t capi::first_size<legato_ising_averages> = LEGATO_SIZE_UP_TO(legato_ising_averages,
                                                                                         demon_beta_error);

namespace {

// A null pointer stands for the defaults.
ising::Problem read_problem(const legato_ising_params* params) {
    legato_ising_params c = capi::to_c(ising::Params{});
    if (params) read_struct("ising.params", params, c);
    ising::Problem p;
    from_c(c, p);
    return p;
}

// Reads a list from the caller. If n is 0, the default list is kept.
template <class Number>
void read_list(const char* list_name, int64_t n, const Number* values, std::vector<Number>& list) {
    require_integer(text("ising.n_", list_name), n, 0, 1 << 20);
    if (n == 0) return;
    require_pointer(text("ising.", list_name).c_str(), values);
    list.assign(values, values + n);
}

template <class Number>
void copy_out_list(const char* list_name, const std::vector<Number>& list, int64_t n, Number* values) {
    const auto whole = static_cast<int64_t>(list.size());
    require_integer(text("ising.n_", list_name), n, whole, whole);
    require_pointer(text("ising.", list_name).c_str(), values);
    std::copy(list.begin(), list.end(), values);
}

std::size_t number_in(const char* field, int64_t number, std::size_t count) {
    require_index(field, number, count);
    return static_cast<std::size_t>(number);
}

std::size_t beta_in(const ising::Solver& solver, int64_t beta) {
    return number_in("ising.beta", beta, solver.problem().betas.size());
}

std::size_t system_in(const ising::Solver& solver, int64_t system) {
    return number_in("ising.system", system, systems_of(solver.problem()));
}

legato_ising_averages to_c(const ising::Averages& a) {
    legato_ising_averages c{};
    c.struct_size = sizeof(c);
    c.bins_done = a.bins_done;
    copy_out(a.magnetisation, c.magnetisation, c.magnetisation_error);
    copy_out(a.absolute_magnetisation, c.absolute_magnetisation, c.absolute_magnetisation_error);
    copy_out(a.magnetisation_2, c.magnetisation_2, c.magnetisation_2_error);
    copy_out(a.magnetisation_4, c.magnetisation_4, c.magnetisation_4_error);
    copy_out(a.energy, c.energy, c.energy_error);
    copy_out(a.specific_heat, c.specific_heat, c.specific_heat_error);
    copy_out(a.susceptibility, c.susceptibility, c.susceptibility_error);
    copy_out(a.binder, c.binder, c.binder_error);
    copy_out(a.energy_autocorrelation, c.energy_autocorrelation, c.energy_autocorrelation_error);
    copy_out(a.magnetisation_autocorrelation, c.magnetisation_autocorrelation, c.magnetisation_autocorrelation_error);
    c.bins_are_short = a.bins_are_short;
    c.thermalisation_is_short = a.thermalisation_is_short;
    for (std::size_t level = 0; level < 3; ++level)
        copy_out(a.demon_occupation[level], c.demon_occupation[level], c.demon_occupation_error[level]);
    copy_out(a.demon_beta, c.demon_beta, c.demon_beta_error);
    return c;
}

}  // namespace

int32_t legato_ising_params_init_sized(legato_ising_params* params, size_t struct_size) {
    return guard_call(nullptr, [&] { init_struct("ising.params", to_c(ising::Params{}), params, struct_size); });
}

int32_t legato_ising_create(legato_context* context, const legato_ising_params* params, int64_t n_betas,
                            const double* betas, int64_t n_seeds, const int64_t* seeds, legato_ising** ising) {
    return create(context, "ising", ising, [&](Context& c) {
        ising::Problem problem = read_problem(params);
        read_list("betas", n_betas, betas, problem.betas);
        read_list("seeds", n_seeds, seeds, problem.seeds);
        return std::make_unique<ising::Solver>(c, problem);
    });
}

int32_t legato_ising_destroy(legato_ising* ising) {
    return destroy(ising);
}

int32_t legato_ising_run(legato_ising* ising, legato_progress_callback callback, void* user) {
    return run(ising, callback, user);
}

int32_t legato_ising_advance(legato_ising* ising, int64_t bins, int64_t* bins_done) {
    return advance("ising.advance.bins", ising, bins, bins_done);
}

int32_t legato_ising_advance_system(legato_ising* ising, int64_t system, int64_t measurements, double seconds,
                                    int64_t* measurements_done) {
    return guard_collective(ising, "advance_system", [&](ising::Solver& solver) {
        const std::size_t of = system_in(solver, system);
        require_seconds("ising.advance_system.seconds", seconds);
        solver.advance_system(of, measurements, seconds);
        if (measurements_done) *measurements_done = solver.measurements_done(of);
    });
}

int32_t legato_ising_get_state(legato_ising* ising, legato_ising_state* state) {
    return guard(ising, [&](ising::Solver& solver) {
        const ising::Problem& p = solver.problem();
        legato_ising_state out{};
        out.backend = static_cast<int32_t>(solver.backend().backend);
        out.sites = sites_of(p.lattice);
        out.systems = static_cast<int64_t>(systems_of(p));
        out.betas = static_cast<int64_t>(p.betas.size());
        out.seeds = static_cast<int64_t>(p.seeds.size());
        out.sweeps = sweeps_of(p);
        out.sweeps_done = solver.sweeps_done();
        out.measurements_done = solver.measurements_done();
        out.bins = p.bins;
        out.bins_done = solver.bins_done();
        write_struct("ising.state", out, state);
    });
}

int32_t legato_ising_result(legato_ising* ising, int64_t beta, legato_ising_averages* averages) {
    return guard(ising, [&](ising::Solver& solver) {
        const std::size_t of = beta_in(solver, beta);
        require_struct("ising.averages", averages);
        require_bin("ising.result", solver, of);
        write_struct("ising.averages", to_c(solver.averages(of)), averages);
    });
}

int32_t legato_ising_correlation_function(legato_ising* ising, int64_t beta, int32_t axis, int64_t n, double* mean,
                                          double* error) {
    return guard(ising, [&](ising::Solver& solver) {
        const std::size_t of = beta_in(solver, beta);
        const ising::CorrelationFunction all = solver.correlation_function(of, axis);
        require_bin("ising.correlation_function", solver, of);
        const auto distances = static_cast<int64_t>(all.size());
        require_integer("ising.correlation_function.n", n, distances, distances);
        for (std::size_t r = 0; r < all.size(); ++r) {
            if (mean) mean[r] = all[r].mean;
            if (error) error[r] = all[r].error;
        }
    });
}

int32_t legato_ising_correlation_length(legato_ising* ising, int64_t beta, double* length, double* error) {
    return guard(ising, [&](ising::Solver& solver) {
        const std::size_t of = beta_in(solver, beta);
        const statistics::Estimate xi = solver.correlation_length(of);
        require_bin("ising.correlation_length", solver, of);
        if (length) *length = xi.mean;
        if (error) *error = xi.error;
    });
}

int32_t legato_ising_time_series(legato_ising* ising, int64_t system, int64_t n, double* magnetisation,
                                 double* energy) {
    return guard(ising, [&](ising::Solver& solver) {
        const ising::TimeSeries series = solver.time_series(system_in(solver, system));
        require_integer("ising.time_series.n", n, 0, std::ssize(series.energy));
        if (magnetisation) std::copy_n(series.magnetisation.data(), n, magnetisation);
        if (energy) std::copy_n(series.energy.data(), n, energy);
    });
}

int32_t legato_ising_measurements(legato_ising* ising, int64_t system, int64_t first, int64_t n, double* magnetisation,
                                  double* energy) {
    return guard(ising, [&](ising::Solver& solver) {
        const std::size_t of = system_in(solver, system);
        const int64_t done = solver.measurements_done(of);
        require_integer("ising.measurements.first", first, 0, done);
        require_integer("ising.measurements.n", n, 0, done - first);
        const auto count = static_cast<std::size_t>(n);
        solver.measurements(of, first, {magnetisation, magnetisation ? count : 0}, {energy, energy ? count : 0});
    });
}

int32_t legato_ising_spins(legato_ising* ising, int64_t system, int64_t n_sites, int8_t* spins) {
    return guard(ising, [&](ising::Solver& solver) {
        const std::size_t of = system_in(solver, system);
        const int64_t sites = sites_of(solver.problem().lattice);
        require_integer("ising.n_sites", n_sites, sites, sites);
        require_pointer("ising.spins", spins);
        solver.spins(of, {spins, static_cast<std::size_t>(n_sites)});
    });
}

int32_t legato_ising_set_spins(legato_ising* ising, int64_t system, int64_t n_sites, const int8_t* spins) {
    return guard(ising, [&](ising::Solver& solver) {
        const std::size_t of = system_in(solver, system);
        const int64_t sites = sites_of(solver.problem().lattice);
        require_integer("ising.n_sites", n_sites, sites, sites);
        require_pointer("ising.spins", spins);
        solver.set_spins(of, {spins, static_cast<std::size_t>(n_sites)});
    });
}

int32_t legato_ising_acceptance(legato_ising* ising, int64_t n, int64_t* attempts, int64_t* flips) {
    return guard(ising, [&](ising::Solver& solver) {
        const ising::AcceptanceCounts& counts = solver.acceptance();
        const int64_t classes = 2 * solver.problem().lattice.dimension + 1;
        require_integer("ising.acceptance.n", n, 2 * classes, 2 * classes);
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
            if (attempts) attempts[i] = counts.attempts[i / 2][i % 2];
            if (flips) flips[i] = counts.flips[i / 2][i % 2];
        }
    });
}

int32_t legato_ising_save(legato_ising* ising, const char* path) {
    return save("ising", ising, path);
}

int32_t legato_ising_resume(legato_context* context, const char* path, legato_ising** ising) {
    return resume("ising", context, path, ising);
}

int32_t legato_ising_get_params(legato_ising* ising, legato_ising_params* params) {
    return guard(ising, [&](ising::Solver& solver) { write_struct("ising.params", to_c(solver.problem()), params); });
}

int32_t legato_ising_get_betas(legato_ising* ising, int64_t n_betas, double* betas) {
    return guard(ising, [&](ising::Solver& solver) { copy_out_list("betas", solver.problem().betas, n_betas, betas); });
}

int32_t legato_ising_get_seeds(legato_ising* ising, int64_t n_seeds, int64_t* seeds) {
    return guard(ising, [&](ising::Solver& solver) { copy_out_list("seeds", solver.problem().seeds, n_seeds, seeds); });
}
