#include "dfr/repulsion_job.hpp"

#include <algorithm>

namespace legato::dfr {

bool is_open(const Configuration& configuration, const RepulsionJob& job, std::size_t density) {
    const int species = job.densities[density].species;
    const auto s = static_cast<std::size_t>(species);
    const bool first = density == 0 || job.densities[density - 1].species != species;
    return configuration.electrons[s] > 0 && (!first || configuration.closed[s] == 0);
}

std::vector<int> make_targets(const Configuration& configuration, RepulsionJob& job) {
    const std::size_t species = configuration.closed.size(), count = job.densities.size();
    job.targets.clear();
    for (std::size_t s = 0; s < species; ++s)
        job.targets.push_back({static_cast<int>(s), std::vector<double>(count, 1.0)});
    std::vector<int> open_target(species, -1);
    for (std::size_t a = 0; a < count; ++a) {
        if (!is_open(configuration, job, a)) continue;
        const auto s = static_cast<std::size_t>(job.densities[a].species);
        Target target{static_cast<int>(s), std::vector<double>(count, 0.0)};
        for (std::size_t b = 0; b < count; ++b) {
            if (!is_open(configuration, job, b)) continue;
            const auto t = static_cast<std::size_t>(job.densities[b].species);
            target.factors[b] = configuration.pairs[s * species + t] - 1.0;
        }
        open_target[s] = static_cast<int>(job.targets.size());
        job.targets.push_back(std::move(target));
    }
    return open_target;
}

double repulsion_energy(const Configuration& configuration, const RepulsionJob& job,
                        const std::vector<int>& open_target) {
    double sum = 0;
    for (std::size_t d = 0; d < job.densities.size(); ++d) {
        const Density& density = job.densities[d];
        const auto s = static_cast<std::size_t>(density.species);
        Matrix v = job.repulsion[s];
        if (is_open(configuration, job, d)) add(v, job.repulsion[static_cast<std::size_t>(open_target[s])]);
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
