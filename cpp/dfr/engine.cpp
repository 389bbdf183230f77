#include "dfr/engine.hpp"

#include <algorithm>

#include "core/device.hpp"
#include "dfr/open_shells.hpp"

namespace legato::dfr {
namespace {

// Sizes of one species, from which the amounts of memory follow.
struct Sizes {
    std::size_t functions, order, spinors, targets;
};

std::size_t open_shells_of(const Configuration& configuration, std::size_t species) {
    const std::vector<OpenShell> open = open_shells(configuration).shells;
    return static_cast<std::size_t>(std::count_if(
        open.begin(), open.end(), [&](const OpenShell& shell) { return shell.species == static_cast<int>(species); }));
}

Sizes sizes_of(const Problem& problem, const Atom& atom, std::size_t species) {
    const Configuration& configuration = atom.configuration;
    const std::size_t functions = atom.exponents[species].size();
    return {functions, largest_order(problem, atom, species), static_cast<std::size_t>(shells(configuration, species)),
            1 + open_shells_of(configuration, species)};
}

// Returns how many numbers an iteration of one atom keeps: basis functions, densities and halves of the exchange on the
// grid, and the results.
std::size_t repulsion_numbers(const Problem& problem, const Atom& atom) {
    const std::size_t points = grid_of(atom).points, components = problem.relativistic ? 2 : 1,
                      pairs = problem.relativistic ? 3 : 1;
    std::size_t numbers = points;
    for (std::size_t s = 0; s < atom.exponents.size(); ++s) {
        const auto [functions, order, spinors, targets] = sizes_of(problem, atom, s);
        numbers += components * points * (functions + spinors) + targets * (pairs * points * functions + order * order);
    }
    return numbers;
}

// Returns how many numbers the eigenproblems of an iteration keep: at most seven matrices of a block, including its
// states, and two for each remembered step and for the current one.
std::size_t field_numbers(const Problem& problem, const Atom& atom) {
    const auto steps = static_cast<std::size_t>(std::min(problem.diis_vectors, problem.max_iterations));
    std::size_t numbers = 0;
    for (std::size_t s = 0; s < atom.exponents.size(); ++s) {
        const std::size_t order = sizes_of(problem, atom, s).order;
        numbers += (7 + 2 * (steps + 1)) * order * order;
    }
    return numbers;
}

// Returns how many numbers the device keeps in addition: coefficients and factors, charges and potentials on the grid,
// a second component of densities that have none, and descriptions of 128 bytes.
std::size_t device_numbers(const Problem& problem, const Atom& atom) {
    constexpr std::size_t description = 16;
    const std::size_t points = grid_of(atom).points;
    std::size_t densities = 0, numbers = description;
    for (std::size_t s = 0; s < atom.exponents.size(); ++s) densities += sizes_of(problem, atom, s).targets;
    for (std::size_t s = 0; s < atom.exponents.size(); ++s) {
        const auto [functions, order, spinors, targets] = sizes_of(problem, atom, s);
        numbers += order * spinors + (problem.relativistic ? 0 : points * spinors) +
                   2 * targets * (points + densities + description);
    }
    return numbers;
}

// Returns how many numbers the integral kernels have: Coulomb, exchange, and three kinds of exchange by Gaunt or Breit.
std::size_t kernel_numbers(const Problem& problem, std::span<const Atom> atoms) {
    std::size_t species = 0, reach = 0;
    for (const Atom& atom : atoms) {
        species = std::max(species, atom.exponents.size());
        reach = std::max(reach, grid_of(atom).points);
    }
    const std::size_t kinds = problem.interaction == Interaction::coulomb ? 1 : 4;
    return (kinds * species * species + 1) * 2 * reach;
}

MemoryNeeds bytes_of(std::size_t numbers) {
    return {static_cast<std::int64_t>(sizeof(double) * numbers)};
}

}  // namespace

MemoryNeeds host_needs(const Problem& problem, std::span<const Atom> atoms) {
    std::size_t numbers = kernel_numbers(problem, atoms);
    for (const Atom& atom : atoms) numbers += repulsion_numbers(problem, atom) + field_numbers(problem, atom);
    return bytes_of(numbers);
}

// These are the matrices of an iteration, the eigenproblems that cuSOLVER solves together, which are padded to the
// largest order of all, and two pieces for uploads.
MemoryNeeds page_locked_needs(const Problem& problem, std::span<const Atom> atoms, std::span<const Atom> all,
                              std::size_t parts) {
    constexpr std::size_t together = 1024, uploads = std::size_t{8} << 20;
    std::size_t numbers = 0, species = 0, largest = 0;
    for (const Atom& atom : all)
        for (std::size_t s = 0; s < atom.exponents.size(); ++s)
            largest = std::max(largest, largest_order(problem, atom, s));
    for (const Atom& atom : atoms) {
        species += atom.exponents.size();
        for (std::size_t s = 0; s < atom.exponents.size(); ++s) {
            const auto [functions, order, spinors, targets] = sizes_of(problem, atom, s);
            numbers += targets * order * order;
        }
    }
    numbers += std::min(species, together * parts) * largest * largest;
    MemoryNeeds needs = bytes_of(numbers);
    needs.fixed += static_cast<std::int64_t>(uploads * parts);
    return needs;
}

// A result has two matrices of the order of a species, and coefficients of half this size. There are up to four copies.
MemoryNeeds result_needs(const Problem& problem, std::span<const Atom> atoms) {
    std::size_t numbers = 0;
    for (const Atom& atom : atoms)
        for (std::size_t s = 0; s < atom.exponents.size(); ++s) {
            const std::size_t order = largest_order(problem, atom, s);
            numbers += 4 * 3 * order * order;
        }
    return bytes_of(numbers);
}

MemoryNeeds memory_needs(Backend backend, const Problem& problem, std::span<const Atom> atoms) {
    if (backend != Backend::cuda) return host_needs(problem, atoms);
    std::size_t numbers = kernel_numbers(problem, atoms);
    for (const Atom& atom : atoms) numbers += repulsion_numbers(problem, atom) + device_numbers(problem, atom);
    return bytes_of(numbers);
}

std::size_t largest_order(const Problem& problem, const Atom& atom, std::size_t species) {
    return atom.exponents[species].size() * (problem.relativistic ? 2 : 1);
}

std::unique_ptr<Engine> make_engine(const Context& context, Backend backend) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return make_cuda_engine(context);
    return make_cpu_engine();
}

}  // namespace legato::dfr
