#include "dfr/repulsion_job.hpp"

#include <algorithm>

namespace legato::dfr {

std::vector<DensityShells> densities_of(const Configuration& configuration) {
    std::vector<DensityShells> all;
    for (std::size_t s = 0; s < configuration.closed.size(); ++s) {
        const std::vector<OccupiedShell> shells = occupied_shells(configuration, s);
        const auto closed = static_cast<std::ptrdiff_t>(all.size());
        if (configuration.closed[s] > 0)
            all.push_back({static_cast<int>(s), static_cast<double>(degeneracy_of(static_cast<int>(s))), -1, {}, {}});
        for (std::size_t i = 0; i < shells.size(); ++i) {
            if (shells[i].open >= 0) all.push_back({static_cast<int>(s), shells[i].electrons, shells[i].open, {}, {}});
            DensityShells& density = shells[i].open >= 0 ? all.back() : all[static_cast<std::size_t>(closed)];
            density.columns.push_back(i);
            density.indices.push_back(shells[i].index);
        }
    }
    return all;
}

void make_targets(const Configuration& configuration, RepulsionJob& job) {
    const std::vector<DensityShells> densities = densities_of(configuration);
    const OpenShells open = open_shells(configuration);
    const std::size_t count = densities.size();
    job.targets.clear();
    for (std::size_t s = 0; s < configuration.closed.size(); ++s)
        job.targets.push_back({static_cast<int>(s), std::vector<double>(count, 1.0)});
    for (std::size_t k = 0; k < open.shells.size(); ++k) {
        Target target{open.shells[k].species, std::vector<double>(count, 0.0)};
        for (std::size_t d = 0; d < count; ++d)
            if (densities[d].open >= 0)
                target.factors[d] = open.pair(k, static_cast<std::size_t>(densities[d].open)) - 1.0;
        job.targets.push_back(std::move(target));
    }
}

double repulsion_energy(const Configuration& configuration, const RepulsionJob& job) {
    const std::vector<DensityShells> densities = densities_of(configuration);
    double sum = 0;
    for (std::size_t d = 0; d < job.densities.size(); ++d) {
        const Density& density = job.densities[d];
        Matrix v = job.repulsion[static_cast<std::size_t>(density.species)];
        if (densities[d].open >= 0) add(v, job.repulsion[target_of(configuration, densities[d].open)]);
        Matrix coefficients(density.large.rows + density.small.rows, density.large.columns);
        for (std::size_t a = 0; a < coefficients.columns; ++a) {
            std::copy_n(density.large.column(a), density.large.rows, coefficients.column(a));
            if (density.small.rows > 0)
                std::copy_n(density.small.column(a), density.small.rows, coefficients.column(a) + density.large.rows);
        }
        sum += 0.5 * trace_product(coefficients, product(v, coefficients));
    }
    return sum;
}

}  // namespace legato::dfr
