#include "vmc.hpp"

#include "core/parameter.hpp"
#include "handle.hpp"
#include "vmc/solver.hpp"

using namespace legato;
using namespace legato::capi;

template <>
inline constexpr std::size_t capi::first_size<legato_vmc_state> = LEGATO_SIZE_UP_TO(legato_vmc_state, exchange_rate);
template <>
inline constexpr std::size_t capi::first_size<legato_vmc_averages> = LEGATO_SIZE_UP_TO(legato_vmc_averages,
                                                                                       autocorrelation_sweeps);

template <>
struct capi::StandsFor<legato_vmc> : Handle<vmc::Solver> {};

vmc::Problem capi::read_problem(const legato_vmc_params* params) {
    legato_vmc_params c = to_c(vmc::Params{});
    if (params) read_struct("vmc.params", params, c);
    vmc::Problem p;
    from_c(c, p);
    return p;
}

namespace {

vmc::Lattice read_lattice(const legato_vmc_params* params) {
    const vmc::Lattice lattice = read_problem(params).lattice;
    validate(lattice);
    return lattice;
}

// Throws unless n is the number of sites. The caller's arrays have one or several numbers for each site.
void require_all_sites(const char* field, int32_t n, const vmc::Lattice& lattice) {
    const int64_t sites = sites_of(lattice);
    require_integer(field, n, sites, sites);
}

void copy_out(const std::vector<statistics::Estimate>& estimates, double* mean, double* error) {
    for (std::size_t i = 0; i < estimates.size(); ++i) {
        if (mean) mean[i] = estimates[i].mean;
        if (error) error[i] = estimates[i].error;
    }
}

void copy_out(const vmc::MoveCounts& moves, legato_vmc_state& state) {
    const auto rate = [](int64_t part, int64_t whole) {
        return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
    };
    for (std::size_t i = 0; i < 2; ++i) {
        state.attempts[i] = moves.attempts[i];
        state.nulls[i] = moves.nulls[i];
        state.hops[i] = moves.hops[i];
        state.hops_accepted[i] = moves.hops_accepted[i];
        state.exchanges[i] = moves.exchanges[i];
        state.exchanges_accepted[i] = moves.exchanges_accepted[i];
        state.null_rate[i] = rate(moves.nulls[i], moves.attempts[i]);
        state.hop_rate[i] = rate(moves.hops_accepted[i], moves.hops[i]);
        state.exchange_rate[i] = rate(moves.exchanges_accepted[i], moves.exchanges[i]);
    }
}

std::size_t chain_in(const vmc::Solver& solver, int32_t chain) {
    require_integer("vmc.chain", chain, 0, solver.problem().chains - 1);
    return static_cast<std::size_t>(chain);
}

}  // namespace

int32_t legato_vmc_params_init_sized(legato_vmc_params* params, size_t struct_size) {
    return guard_call(nullptr, [&] { init_struct("vmc.params", to_c(vmc::Params{}), params, struct_size); });
}

int32_t legato_vmc_sites(legato_context* context, const legato_vmc_params* params, int32_t* sites) {
    return guard(context, [&](Context&) {
        require_pointer("vmc.sites", sites) = static_cast<int32_t>(sites_of(read_lattice(params)));
    });
}

int32_t legato_vmc_electrons_at(legato_context* context, const legato_vmc_params* params, double doping,
                                int32_t* electrons) {
    return guard(context, [&](Context&) {
        require_pointer("vmc.electrons", electrons) = vmc::electrons_at(read_lattice(params), doping);
    });
}

int32_t legato_vmc_positions(legato_context* context, const legato_vmc_params* params, int32_t n_sites,
                             int32_t* positions) {
    return guard(context, [&](Context&) {
        const vmc::Lattice lattice = read_lattice(params);
        require_all_sites("vmc.n_sites", n_sites, lattice);
        require_pointer("vmc.positions", positions);
        for (std::size_t site = 0; site < static_cast<std::size_t>(n_sites); ++site) {
            const auto [x, y] = nearest_image(lattice, site);
            positions[2 * site] = x;
            positions[2 * site + 1] = y;
        }
    });
}

int32_t legato_vmc_neighbours(legato_context* context, const legato_vmc_params* params, int32_t shell, int32_t n_sites,
                              int32_t* neighbours, double* signs) {
    return guard(context, [&](Context&) {
        const vmc::Lattice lattice = read_lattice(params);
        require_integer("vmc.shell", shell, 1, vmc::shells);
        require_all_sites("vmc.n_sites", n_sites, lattice);
        require_pointer("vmc.neighbours", neighbours);
        const vmc::Geometry geometry(lattice);
        std::size_t i = 0;
        for (std::size_t site = 0; site < geometry.sites(); ++site)
            for (const vmc::SignedSite& neighbour : geometry.neighbours(shell, site)) {
                neighbours[i] = neighbour.site;
                if (signs) signs[i] = neighbour.sign;
                ++i;
            }
    });
}

int32_t legato_vmc_pair_function(legato_context* context, const legato_vmc_params* params, int32_t n_sites,
                                 double* pair_function, int32_t* borders) {
    return guard(context, [&](Context&) {
        const vmc::Problem problem = read_problem(params);
        validate(problem.lattice);
        require_parameters("vmc.params", problem.pair);
        require_all_sites("vmc.n_sites", n_sites, problem.lattice);
        const vmc::Geometry geometry(problem.lattice);
        const vmc::PairAmplitudes amplitudes = pair_amplitudes(geometry, problem.pair);
        if (borders) *borders = static_cast<int32_t>(count_modes(geometry, amplitudes));
        if (!pair_function) return;
        const std::vector<double> phi = pair_function_of(geometry, amplitudes);
        std::copy(phi.begin(), phi.end(), pair_function);
    });
}

int32_t legato_vmc_create(legato_context* context, const legato_vmc_params* params, legato_vmc** vmc) {
    return create(context, "vmc", vmc,
                  [&](Context& c) { return std::make_unique<vmc::Solver>(c, read_problem(params)); });
}

int32_t legato_vmc_create_given(legato_context* context, const legato_vmc_params* params, int32_t n_pair_function,
                                const double* pair_function, int32_t divergent_zero, legato_vmc** vmc) {
    return create(context, "vmc", vmc, [&](Context& c) {
        vmc::Problem problem = read_problem(params);
        validate(problem.lattice);
        require_all_sites("vmc.n_pair_function", n_pair_function, problem.lattice);
        require_pointer("vmc.pair_function", pair_function);
        problem.table.values.assign(pair_function, pair_function + n_pair_function);
        problem.table.divergent_zero = flag_from_c("vmc.divergent_zero", divergent_zero);
        return std::make_unique<vmc::Solver>(c, problem);
    });
}

int32_t legato_vmc_destroy(legato_vmc* vmc) {
    return destroy(vmc);
}

int32_t legato_vmc_run(legato_vmc* vmc, legato_progress_callback callback, void* user) {
    return run(vmc, callback, user);
}

int32_t legato_vmc_advance(legato_vmc* vmc, int64_t bins, int64_t* bins_done) {
    return advance("vmc.advance.bins", vmc, bins, bins_done);
}

int32_t legato_vmc_advance_chain(legato_vmc* vmc, int32_t chain, double seconds, int64_t* bins_done) {
    return guard_collective(vmc, "advance_chain", [&](vmc::Solver& solver) {
        const std::size_t of = chain_in(solver, chain);
        require_seconds("vmc.advance_chain.seconds", seconds);
        solver.advance_chain(of, seconds);
        if (bins_done) *bins_done = solver.bins_done(of);
    });
}

int32_t legato_vmc_get_state(legato_vmc* vmc, legato_vmc_state* state) {
    return guard(vmc, [&](vmc::Solver& solver) {
        legato_vmc_state out{};
        out.backend = static_cast<int32_t>(solver.backend().backend);
        out.sites = static_cast<int32_t>(solver.model().geometry.sites());
        out.chains = solver.problem().chains;
        out.borders = static_cast<int32_t>(solver.model().pair.modes);
        out.sweeps_done = solver.sweeps_done();
        out.bins = solver.problem().bins;
        out.bins_done = solver.bins_done();
        out.recompute_interval = solver.recompute_interval();
        out.largest_drift = solver.largest_drift();
        copy_out(solver.moves(), out);
        write_struct("vmc.state", out, state);
    });
}

int32_t legato_vmc_result(legato_vmc* vmc, legato_vmc_averages* averages) {
    return guard(vmc, [&](vmc::Solver& solver) {
        require_struct("vmc.averages", averages);
        require_bin("vmc.result", solver);
        const vmc::Averages a = solver.averages();
        legato_vmc_averages out{};
        out.bins_done = a.bins_done;
        copy_out(a.energy, out.energy, out.energy_error);
        copy_out(a.kinetic, out.kinetic, out.kinetic_error);
        copy_out(a.kinetic_up, out.kinetic_up, out.kinetic_up_error);
        copy_out(a.kinetic_down, out.kinetic_down, out.kinetic_down_error);
        copy_out(a.exchange, out.exchange, out.exchange_error);
        copy_out(a.spin_spin, out.spin_spin, out.spin_spin_error);
        copy_out(a.density_density, out.density_density, out.density_density_error);
        copy_out(a.variance, out.variance, out.variance_error);
        out.autocorrelation_sweeps = a.autocorrelation_sweeps;
        out.bins_are_short = a.bins_are_short;
        out.chains_differ = a.chains_differ;
        write_struct("vmc.averages", out, averages);
    });
}

int32_t legato_vmc_bin_means(legato_vmc* vmc, int32_t observable, int32_t chain, int64_t n, double* means) {
    return guard(vmc, [&](vmc::Solver& solver) {
        require_integer("vmc.observable", observable, LEGATO_VMC_OBSERVABLE_ENERGY,
                        LEGATO_VMC_OBSERVABLE_ENERGY_SQUARED);
        const std::size_t of = chain_in(solver, chain);
        require_bin("vmc.bin_means", solver, of);
        require_integer("vmc.bin_means.n", n, 0, solver.bins_done(of));
        if (n == 0) return;
        require_pointer("vmc.bin_means.means", means);
        const std::vector<double> all = solver.bin_means(static_cast<vmc::Observable>(observable), of);
        std::copy_n(all.data(), n, means);
    });
}

int32_t legato_vmc_electron_sites(legato_vmc* vmc, int32_t chain, int32_t n_pairs, int32_t* up, int32_t* down) {
    return guard(vmc, [&](vmc::Solver& solver) {
        const std::size_t of = chain_in(solver, chain), pairs = solver.model().pairs();
        require_integer("vmc.n_pairs", n_pairs, static_cast<int64_t>(pairs), static_cast<int64_t>(pairs));
        require_pointer("vmc.up", up);
        require_pointer("vmc.down", down);
        const std::vector<int32_t>& all = solver.electron_sites();
        std::copy_n(all.data() + 2 * of * pairs, pairs, up);
        std::copy_n(all.data() + (2 * of + 1) * pairs, pairs, down);
    });
}

int32_t legato_vmc_structure_factors(legato_vmc* vmc, int32_t n_sites, double* wave_vectors, double* spin,
                                     double* spin_error, double* charge, double* charge_error) {
    return guard(vmc, [&](vmc::Solver& solver) {
        require_all_sites("vmc.n_sites", n_sites, solver.problem().lattice);
        const vmc::StructureFactors factors = solver.structure_factors();
        require_bin("vmc.structure_factors", solver);
        for (std::size_t q = 0; wave_vectors && q < factors.wave_vectors.size(); ++q)
            std::copy(factors.wave_vectors[q].begin(), factors.wave_vectors[q].end(), wave_vectors + 2 * q);
        copy_out(factors.spin, spin, spin_error);
        copy_out(factors.charge, charge, charge_error);
    });
}

int32_t legato_vmc_pair_correlations(legato_vmc* vmc, int32_t n_sites, double* f, double* error) {
    return guard(vmc, [&](vmc::Solver& solver) {
        require_all_sites("vmc.n_sites", n_sites, solver.problem().lattice);
        const vmc::PairCorrelations pairs = solver.pair_correlations();
        require_bin("vmc.pair_correlations", solver);
        for (std::size_t ab = 0; ab < 4; ++ab) {
            const std::size_t first = ab * static_cast<std::size_t>(n_sites);
            copy_out(pairs.f[ab / 2][ab % 2], f ? f + first : nullptr, error ? error + first : nullptr);
        }
    });
}

int32_t legato_vmc_gradient(legato_vmc* vmc, int32_t n, double* gradient, double* error, double* metric) {
    return guard(vmc, [&](vmc::Solver& solver) {
        require_integer("vmc.gradient.n", n, 0, vmc::variational_parameters);
        const vmc::Gradient all = solver.gradient();
        require_bin("vmc.gradient", solver);
        const auto count = static_cast<std::size_t>(n);
        for (std::size_t a = 0; a < count; ++a) {
            if (gradient) gradient[a] = all.energy[a].mean;
            if (error) error[a] = all.energy[a].error;
            if (metric) std::copy_n(all.metric[a].data(), count, metric + a * count);
        }
    });
}

int32_t legato_vmc_save(legato_vmc* vmc, const char* path) {
    return save("vmc", vmc, path);
}

int32_t legato_vmc_resume(legato_context* context, const char* path, legato_vmc** vmc) {
    return resume("vmc", context, path, vmc);
}

int32_t legato_vmc_get_params(legato_vmc* vmc, legato_vmc_params* params) {
    return guard(vmc, [&](vmc::Solver& solver) { write_struct("vmc.params", to_c(solver.problem()), params); });
}

int32_t legato_vmc_get_pair_function(legato_vmc* vmc, int32_t n_sites, double* pair_function, int32_t* borders) {
    return guard(vmc, [&](vmc::Solver& solver) {
        require_all_sites("vmc.n_sites", n_sites, solver.problem().lattice);
        const vmc::PairFunction& pair = solver.model().pair;
        for (std::size_t r = 0; pair_function && r < pair.sites; ++r) pair_function[r] = pair(r, 0);
        if (borders) *borders = static_cast<int32_t>(pair.modes);
    });
}
