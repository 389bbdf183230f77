#include "kpm/problem.hpp"

#include <algorithm>
#include <cmath>

#include "core/parameter.hpp"
#include "kpm/vacancies.hpp"

namespace legato::kpm {
namespace {

void validate_sites(const std::vector<std::int64_t>& sites, std::int64_t count) {
    require_integer("kpm.n_sites", static_cast<std::int64_t>(sites.size()), 1, max_rows);
    for (std::size_t i = 0; i < sites.size(); ++i)
        if (sites[i] < 0 || sites[i] >= count) require_integer(text("kpm.sites[", i, "]"), sites[i], 0, count - 1);
}

void validate_interval(const Problem& p) {
    if (!(p.lowest < p.highest))
        fail(Status::invalid_argument, "kpm.params.highest: ", p.highest, " is not above kpm.params.lowest, ",
             p.lowest);
    // Narrower intervals are lost in the rounding of their energies.
    const double least = std::max(4e-12 * std::max(std::abs(p.lowest), std::abs(p.highest)), 1e-99);
    if (!(p.highest - p.lowest >= least))
        fail(Status::invalid_argument, "kpm.params.highest: ", p.highest, " is too near kpm.params.lowest, ", p.lowest,
             "; the smallest value allowed is ", p.lowest + 1.01 * least);
}

void validate_start_vectors(const Problem& p, const Hamiltonian& hamiltonian) {
    if (p.start_vectors == StartVectors::sites) validate_sites(p.sites, sites_of(hamiltonian));
    if (p.start_vectors == StartVectors::waves) validate(p.waves, hamiltonian);
    if (p.start_vectors == StartVectors::phase && !is_complex(hamiltonian))
        fail(Status::invalid_argument, "kpm.params.start_vectors: 5 (phase) is for complex Hamiltonians, and this one ",
             "is real; take 0 (sign), 1 (gaussian) or 2 (uniform)");
}

void validate_vacancies(const Problem& p, const Hamiltonian& hamiltonian) {
    const auto* cells = std::get_if<CellLattice>(&hamiltonian);
    if (!cells) return;
    require_sites(*cells, static_cast<std::uint64_t>(p.seed), p.realisations);
    if (p.start_vectors == StartVectors::sites) require_no_vacancy(*cells, "kpm.sites", p.sites);
}

void validate_format(const Problem& p, const Hamiltonian& hamiltonian) {
    const auto* cells = std::get_if<CellLattice>(&hamiltonian);
    if (cells && cells->sites() > max_rows)
        fail(Status::invalid_argument, "kpm.hamiltonian: a unit-cell lattice can have at most ", max_rows,
             " sites, not ", cells->sites());
    if (const bool is_matrix = p.format == Format::crs || p.format == Format::ell; cells && !is_matrix)
        if (const std::int64_t factors = factors_of(*cells); factors > max_rows)
            fail(Status::invalid_argument, "kpm.hamiltonian: the twists and fluxes of a unit-cell lattice need ",
                 factors, " phase factors, more than ", max_rows, "; take fewer different offsets or smaller extents");
    if (p.format == Format::stencil && !is_lattice(hamiltonian))
        fail(Status::invalid_argument, "kpm.params.format: 3 (stencil) is for lattices, not for a matrix");
    if ((p.format == Format::crs || p.format == Format::ell) && sites_of(hamiltonian) > max_rows)
        fail(Status::invalid_argument, "kpm.params.format: ", static_cast<int>(p.format), " (a matrix) cannot hold ",
             sites_of(hamiltonian), " sites, only ", max_rows, "; take 3 (stencil)");
}

void validate_division(const Problem& p, const Hamiltonian& hamiltonian) {
    if (p.division != Division::lattice || !is_lattice(hamiltonian)) return;
    if (p.format == Format::crs || p.format == Format::ell)
        fail(Status::invalid_argument, "kpm.params.division: 2 (lattice) needs kpm.params.format 0 (auto) or 3 ",
             "(stencil), not ", static_cast<int>(p.format));
}

}  // namespace

std::int64_t vectors_of_sample(const Problem& problem) {
    return problem.start_vectors == StartVectors::waves ? static_cast<std::int64_t>(problem.waves.vectors_each()) : 1;
}

std::int64_t vectors_of(const Problem& problem) {
    if (problem.start_vectors == StartVectors::sites) return static_cast<std::int64_t>(problem.sites.size());
    if (problem.start_vectors == StartVectors::waves)
        return static_cast<std::int64_t>(problem.waves.count() * problem.waves.vectors_each());
    return problem.vectors;
}

void require_start_vector(Precision precision, std::int64_t sample, std::span<const double> vector) {
    const double most = largest_start_element(precision);
    for (std::size_t i = 0; i < vector.size(); ++i)
        if (!(std::abs(vector[i]) <= most))
            require_real(text("kpm.start_vector[", i, "] of sample ", sample), vector[i], -most, most);
}

void validate(const Problem& p, const Hamiltonian& hamiltonian) {
    require_parameters("kpm.params", p);
    validate_start_vectors(p, hamiltonian);
    if (p.bounds == Bounds::interval) validate_interval(p);
    validate_format(p, hamiltonian);
    validate_division(p, hamiltonian);
    validate_vacancies(p, hamiltonian);
}

}  // namespace legato::kpm
