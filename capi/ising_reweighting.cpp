#include "legato/ising_reweighting.h"

#include <numeric>
#include <span>

#include "arguments.hpp"
#include "ising.hpp"
#include "ising/reweighting.hpp"

using namespace legato;
using namespace legato::capi;

template <>
inline constexpr std::size_t capi::first_size<legato_ising_reweighted> = LEGATO_SIZE_UP_TO(legato_ising_reweighted,
                                                                                           reserved);
template <>
inline constexpr std::size_t capi::first_size<legato_ising_reweighted_point> =
    LEGATO_SIZE_UP_TO(legato_ising_reweighted_point, reserved);

template <>
struct capi::StandsFor<legato_ising_reweighting> : Handle<ising::Reweighting> {};

namespace {

using ising::Reweighting;

constexpr double most_beta = 1000;

// The arrays of the caller.
struct Arrays {
    int64_t n_runs;
    const double* betas;
    const int64_t* n_measurements;
    const double *magnetisations, *energies;
};

std::vector<ising::RunSeries> runs_from_c(const Arrays& from, int32_t blocks) {
    require_integer("ising.reweighting.n_runs", from.n_runs, 1, Reweighting::max_runs);
    require_pointer("ising.reweighting.betas", from.betas);
    require_pointer("ising.reweighting.n_measurements", from.n_measurements);
    require_pointer("ising.reweighting.magnetisations", from.magnetisations);
    require_pointer("ising.reweighting.energies", from.energies);
    Reweighting::require_lengths({from.n_measurements, static_cast<std::size_t>(from.n_runs)}, blocks);
    std::vector<ising::RunSeries> runs;
    const double *m = from.magnetisations, *e = from.energies;
    for (int64_t k = 0; k < from.n_runs; ++k) {
        const int64_t n = from.n_measurements[k];
        runs.push_back({from.betas[k], {m, m + n}, {e, e + n}});
        m += n;
        e += n;
    }
    return runs;
}

// All ranks must compute the same.
void require_same(const Context& context, int64_t sites, const Arrays& arrays, int32_t blocks) {
    const std::span n_measurements(arrays.n_measurements, static_cast<std::size_t>(arrays.n_runs));
    const auto all =
        static_cast<std::size_t>(std::accumulate(n_measurements.begin(), n_measurements.end(), int64_t{0}));
    Comparison comparison;
    comparison.add("ising.reweighting.sites", sites);
    comparison.add("ising.reweighting.blocks", blocks);
    comparison.add("ising.reweighting.betas", std::span(arrays.betas, n_measurements.size()));
    comparison.add("ising.reweighting.n_measurements", n_measurements);
    comparison.add("ising.reweighting.magnetisations", std::span(arrays.magnetisations, all));
    comparison.add("ising.reweighting.energies", std::span(arrays.energies, all));
    comparison.add_rounding();
    comparison.require_same(context);
}

// Returns the measurements of a run, those of all systems at one temperature one after the other.
std::vector<ising::RunSeries> runs_of(const ising::Solver& solver, int32_t blocks) {
    const ising::Problem& p = solver.problem();
    if (p.algorithm == ising::Algorithm::demon_microcanonical)
        fail(Status::invalid_argument, "ising.reweighting: the run is microcanonical (ising.params.algorithm is ",
             LEGATO_ISING_ALGORITHM_DEMON_MICROCANONICAL, "); reweighting needs Boltzmann's distribution");
    if (!p.time_series)
        fail(Status::invalid_argument,
             "ising.reweighting: the run keeps no measurements; create it with ising.params.time_series = 1");
    const std::size_t systems = systems_of(p), of_beta = systems / p.betas.size();
    std::vector<int64_t> measurements(p.betas.size());
    for (std::size_t i = 0; i < systems; ++i) measurements[i / of_beta] += solver.measurements_done(i);
    for (std::size_t k = 0; k < p.betas.size(); ++k)
        if (measurements[k] == 0)
            fail(Status::invalid_argument, "ising.reweighting: the run has no measurement at beta = ", p.betas[k],
                 " yet; continue it by legato_ising_run");
    Reweighting::require_lengths(measurements, blocks);
    std::vector<ising::RunSeries> runs;
    for (std::size_t k = 0; k < p.betas.size(); ++k) {
        ising::RunSeries& run = runs.emplace_back(ising::RunSeries{p.betas[k], {}, {}});
        run.magnetisation.reserve(static_cast<std::size_t>(measurements[k]));
        run.energy.reserve(static_cast<std::size_t>(measurements[k]));
        for (std::size_t i = k * of_beta; i < (k + 1) * of_beta; ++i) {
            const ising::TimeSeries series = solver.time_series(i);
            run.magnetisation.insert(run.magnetisation.end(), series.magnetisation.begin(), series.magnetisation.end());
            run.energy.insert(run.energy.end(), series.energy.begin(), series.energy.end());
        }
    }
    return runs;
}

legato_ising_reweighted to_c(double beta, const ising::Reweighted& r) {
    legato_ising_reweighted c{};
    c.struct_size = sizeof(c);
    c.beta = beta;
    copy_out(r.energy, c.energy, c.energy_error);
    copy_out(r.specific_heat, c.specific_heat, c.specific_heat_error);
    copy_out(r.absolute_magnetisation, c.absolute_magnetisation, c.absolute_magnetisation_error);
    copy_out(r.magnetisation_2, c.magnetisation_2, c.magnetisation_2_error);
    copy_out(r.magnetisation_4, c.magnetisation_4, c.magnetisation_4_error);
    copy_out(r.susceptibility, c.susceptibility, c.susceptibility_error);
    copy_out(r.binder, c.binder, c.binder_error);
    copy_out(r.binder_slope, c.binder_slope, c.binder_slope_error);
    copy_out(r.magnetisation_slope, c.magnetisation_slope, c.magnetisation_slope_error);
    c.measurements = r.measurements;
    c.is_far = r.is_far;
    return c;
}

legato_ising_reweighted_point to_c(const ising::ReweightedPoint& point) {
    legato_ising_reweighted_point c{};
    c.struct_size = sizeof(c);
    copy_out(point.beta, c.beta, c.beta_error);
    copy_out(point.value, c.value, c.value_error);
    c.is_far = point.is_far;
    return c;
}

// Checks the arguments of a search, and returns the quantity. `call` is "ising.reweighting.maximum".
Reweighting::Quantity search_from_c(const char* call, int32_t quantity, double low, double high) {
    require_integer(text(call, ".quantity"), quantity, 0, LEGATO_ISING_REWEIGHTING_QUANTITY_MAGNETISATION_SLOPE);
    require_real(text(call, ".low"), low, -most_beta, most_beta);
    require_real(text(call, ".high"), high, -most_beta, most_beta);
    if (!(low < high)) fail(Status::invalid_argument, call, ".low: ", low, " is not less than ", call, ".high, ", high);
    return static_cast<Reweighting::Quantity>(quantity);
}

}  // namespace

int32_t legato_ising_reweighting_create(legato_context* context, int64_t sites, int64_t n_runs, const double* betas,
                                        const int64_t* n_measurements, const double* magnetisations,
                                        const double* energies, int32_t blocks,
                                        legato_ising_reweighting** reweighting) {
    return create(context, "ising.reweighting", reweighting, [&](Context& c) {
        const Arrays arrays{n_runs, betas, n_measurements, magnetisations, energies};
        const auto runs = runs_from_c(arrays, blocks);
        require_same(c, sites, arrays, blocks);
        return std::make_unique<Reweighting>(sites, runs, blocks);
    });
}

int32_t legato_ising_reweighting_create_from_run(legato_ising* ising, int32_t blocks,
                                                 legato_ising_reweighting** reweighting) {
    return create_from(ising, "ising.reweighting", reweighting, [&](const ising::Solver& solver) {
        Comparison comparison;
        comparison.add("ising.reweighting.blocks", blocks);
        comparison.require_same(solver.context());
        return std::make_unique<Reweighting>(sites_of(solver.problem().lattice), runs_of(solver, blocks), blocks);
    });
}

int32_t legato_ising_reweighting_destroy(legato_ising_reweighting* reweighting) {
    return destroy(reweighting);
}

int32_t legato_ising_reweighting_at(legato_ising_reweighting* reweighting, double beta,
                                    legato_ising_reweighted* reweighted) {
    return guard(reweighting, [&](const Reweighting& r) {
        require_real("ising.reweighting.at.beta", beta, -most_beta, most_beta);
        require_struct("ising.reweighted", reweighted);
        write_struct("ising.reweighted", to_c(beta, r.at(beta)), reweighted);
    });
}

int32_t legato_ising_reweighting_maximum(legato_ising_reweighting* reweighting, int32_t quantity, double low,
                                         double high, legato_ising_reweighted_point* point) {
    return guard(reweighting, [&](const Reweighting& r) {
        const Reweighting::Quantity of = search_from_c("ising.reweighting.maximum", quantity, low, high);
        require_struct("ising.reweighted_point", point);
        write_struct("ising.reweighted_point", to_c(r.maximum(of, low, high)), point);
    });
}

int32_t legato_ising_reweighting_crossing(legato_ising_reweighting* a, const legato_ising_reweighting* b,
                                          int32_t quantity, double low, double high,
                                          legato_ising_reweighted_point* point) {
    return guard(a, [&](const Reweighting& of_a) {
        const Argument of_b("ising.reweighting.crossing.b", b);
        const Reweighting::Quantity of = search_from_c("ising.reweighting.crossing", quantity, low, high);
        require_struct("ising.reweighted_point", point);
        write_struct("ising.reweighted_point", to_c(Reweighting::crossing(of_a, *of_b, of, low, high)), point);
    });
}
