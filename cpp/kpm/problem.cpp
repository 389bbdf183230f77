#include "kpm/problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/validate.hpp"

namespace legato::kpm {
namespace {

void validate_start_vectors(const Problem& p, std::int64_t sites) {
    require_integer("kpm.params.start_vectors", static_cast<int>(p.start_vectors), 0, 4);
    require_integer("kpm.params.realisations", p.realisations, 1, max_realisations);
    if (p.start_vectors != StartVectors::sites) {
        require_integer("kpm.params.vectors", p.vectors, 1, max_vectors);
        return;
    }
    require_integer("kpm.n_sites", static_cast<std::int64_t>(p.sites.size()), 1, max_rows);
    for (std::size_t i = 0; i < p.sites.size(); ++i)
        if (p.sites[i] < 0 || p.sites[i] >= sites)
            require_integer(text("kpm.sites[", i, "]"), p.sites[i], 0, sites - 1);
}

void validate_bounds(const Problem& p) {
    require_integer("kpm.params.bounds", static_cast<int>(p.bounds), 0, 2);
    require_real("kpm.params.margin", p.margin, 0.0, 10.0);
    if (p.bounds == BoundsMethod::lanczos)
        require_integer("kpm.params.lanczos_steps", p.lanczos_steps, 2, max_lanczos_steps);
    if (p.bounds != BoundsMethod::given) return;
    require_real("kpm.params.lowest", p.lowest, -max_element, max_element);
    require_real("kpm.params.highest", p.highest, -max_element, max_element);
    if (!(p.lowest < p.highest))
        fail(Status::invalid_argument, "kpm.params.highest: ", p.highest, " is not above kpm.params.lowest, ",
             p.lowest);
    // Narrower ones are lost in the rounding of their energies.
    const double least = std::max(4e-12 * std::max(std::abs(p.lowest), std::abs(p.highest)), 1e-99);
    if (!(p.highest - p.lowest >= least))
        fail(Status::invalid_argument, "kpm.params.highest: ", p.highest, " is too near kpm.params.lowest, ", p.lowest,
             "; the least that goes is ", p.lowest + 1.01 * least);
}

void validate_format(const Problem& p, const Hamiltonian& hamiltonian) {
    require_integer("kpm.params.format", static_cast<int>(p.format), 0, 3);
    const bool lattice = std::holds_alternative<Lattice>(hamiltonian);
    if (p.format == Format::stencil && !lattice)
        fail(Status::invalid_argument, "kpm.params.format: 3 (stencil) is for lattices, not for a matrix");
    if ((p.format == Format::crs || p.format == Format::ell) && sites_of(hamiltonian) > max_rows)
        fail(Status::invalid_argument, "kpm.params.format: ", static_cast<int>(p.format), " (a matrix) cannot hold ",
             sites_of(hamiltonian), " sites, only ", max_rows, "; take 3 (stencil)");
}

}  // namespace

std::int64_t vectors_of(const Problem& problem) {
    return problem.start_vectors == StartVectors::sites ? static_cast<std::int64_t>(problem.sites.size())
                                                        : problem.vectors;
}

void require_start_vector(Precision precision, std::int64_t sample, std::span<const double> vector) {
    const double most = largest_start_element(precision);
    for (std::size_t i = 0; i < vector.size(); ++i)
        if (!(std::abs(vector[i]) <= most))
            require_real(text("kpm.start_vector[", i, "] of sample ", sample), vector[i], -most, most);
}

void validate(const Problem& p, const Hamiltonian& hamiltonian) {
    require_integer("kpm.params.moments", p.moments, 2, max_moments);
    validate_start_vectors(p, sites_of(hamiltonian));
    validate_bounds(p);
    validate_format(p, hamiltonian);
    require_integer("kpm.params.block_width", p.block_width, 0, max_block_width);
    require_integer("kpm.params.precision", static_cast<int>(p.precision), 0, 1);
    require_integer("kpm.params.memory_budget", p.memory_budget, 0, std::numeric_limits<std::int64_t>::max());
}

}  // namespace legato::kpm
