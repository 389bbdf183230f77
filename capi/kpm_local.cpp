#include "legato/kpm_local.h"

#include "kpm.hpp"
#include "kpm/estimates.hpp"
#include "kpm_results.hpp"

using namespace legato;
using namespace legato::capi;

namespace {

using What = std::function<std::vector<double>(const kpm::Spectrum&)>;

// Computes rows of `n` numbers for each of `count` places.
void tabulate(const kpm::Solver& solver, const kpm::Places& places, int32_t kernel, double lambda, int64_t n,
              const What& what, double* value, double* error) {
    const std::size_t size =
        static_cast<std::size_t>(std::clamp<int64_t>(places.count, 0, kpm::max_rows)) * static_cast<std::size_t>(n);
    estimate_places(solver, places, kernel_from_c(kernel), lambda, static_cast<std::size_t>(n), what, {value, size},
                    error ? std::span(error, size) : std::span<double>{});
    solver.require_enclosed();
}

}  // namespace

int32_t legato_kpm_local_moments(legato_kpm* kpm, int64_t first, int64_t count, int32_t n, double* mean,
                                 double* error) {
    return guard(kpm, [&](kpm::Solver& solver) {
        require_integer("kpm.moments.n", n, 1, solver.problem().moments);
        require_pointer("kpm.mean", mean);
        const What what = [&](const kpm::Spectrum& s) { return std::vector(s.moments.begin(), s.moments.begin() + n); };
        tabulate(solver, {first, count}, LEGATO_KPM_KERNEL_DIRICHLET, 1, n, what, mean, error);
    });
}

int32_t legato_kpm_local_densities(legato_kpm* kpm, int64_t first, int64_t count, int32_t kernel, double lambda,
                                   int32_t n, const double* energies, double* density, double* error) {
    return guard(kpm, [&](kpm::Solver& solver) {
        const std::span<const double> at = energies_from_c(n, energies);
        require_pointer("kpm.density", density);
        const What what = [&](const kpm::Spectrum& s) { return kpm::density_of_states(s, at); };
        tabulate(solver, {first, count}, kernel, lambda, n, what, density, error);
    });
}

int32_t legato_kpm_local_densities_at_nodes(legato_kpm* kpm, int64_t first, int64_t count, int32_t kernel,
                                            double lambda, int32_t n, double* energies, double* density,
                                            double* error) {
    return guard(kpm, [&](kpm::Solver& solver) {
        require_pointer("kpm.energies", energies);
        require_pointer("kpm.density", density);
        require_integer("kpm.n", n, solver.problem().moments, kpm::max_points);
        const What what = [&](const kpm::Spectrum& s) { return kpm::density_at_nodes(s, n).density; };
        tabulate(solver, {first, count}, kernel, lambda, n, what, density, error);
        const auto points = static_cast<std::size_t>(n);
        const kpm::Spectrum interval{{}, solver.rescaling().centre, solver.rescaling().half_width};
        for (std::size_t k = 0; k < points; ++k) energies[k] = energy_of_node(interval, points - 1 - k, points);
    });
}

int32_t legato_kpm_local_greens_functions(legato_kpm* kpm, int64_t first, int64_t count, int32_t kernel, double lambda,
                                          int32_t n, const double* energies, double* green, double* error) {
    return guard(kpm, [&](kpm::Solver& solver) {
        const std::span<const double> at = energies_from_c(n, energies);
        require_pointer("kpm.green", green);
        const What what = [&](const kpm::Spectrum& s) { return parts_of(kpm::greens_function(s, at)); };
        tabulate(solver, {first, count}, kernel, lambda, 2 * int64_t{n}, what, green, error);
    });
}
