#include "dfr/division.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "dfr/quadrature.hpp"

namespace legato::dfr {
namespace {

// For each pair of points: the product of all occupied spinors, and the product of this with every function. Gaunt and
// Breit need the product of the spinors' opposite components, too.
double operations(const Problem& problem, const Atom& atom) {
    double spinors = 0, functions = 0;
    for (std::size_t s = 0; s < atom.exponents.size(); ++s) {
        functions += static_cast<double>(atom.exponents[s].size());
        spinors += atom.configuration.closed[s] + 2;
    }
    for (const OpenShell& shell : atom.configuration.open) spinors += shell.electrons > 0 ? 1 : 0;
    const auto points = static_cast<double>(grid_of(atom).points);
    const double pairs = problem.relativistic ? 3 : 1, products = problem.interaction == Interaction::coulomb ? 1 : 2;
    return pairs * points * points * (functions + products * spinors * static_cast<double>(atom.exponents.size()));
}

}  // namespace

double operations(const Problem& problem, std::span<const Atom> atoms) {
    double sum = 0;
    for (const Atom& atom : atoms) sum += operations(problem, atom);
    return sum;
}

// The longest atoms come first, and each goes to the part that has the least to do.
std::vector<std::size_t> divide(const Problem& problem, std::span<const Atom> atoms, std::size_t parts) {
    std::vector<std::size_t> part_of(atoms.size());
    if (parts == 1) return part_of;
    std::vector<double> costs;
    for (const Atom& atom : atoms) costs.push_back(operations(problem, atom));
    std::vector<std::size_t> order(atoms.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return costs[a] > costs[b]; });
    using Load = std::pair<double, std::size_t>;  // (cost of its atoms, part)
    std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
    for (std::size_t part = 0; part < parts; ++part) loads.emplace(0.0, part);
    for (const std::size_t atom : order) {
        const auto [load, part] = loads.top();
        loads.pop();
        part_of[atom] = part;
        loads.emplace(load + costs[atom], part);
    }
    return part_of;
}

std::vector<Atom> largest_share(const Problem& problem, std::span<const Atom> atoms, std::size_t parts) {
    if (parts == 1) return {atoms.begin(), atoms.end()};
    const std::vector<std::size_t> part_of = divide(problem, atoms, parts);
    std::vector<double> loads(parts);
    for (std::size_t i = 0; i < atoms.size(); ++i) loads[part_of[i]] += operations(problem, atoms[i]);
    const auto largest = static_cast<std::size_t>(std::max_element(loads.begin(), loads.end()) - loads.begin());
    std::vector<Atom> share;
    for (std::size_t i = 0; i < atoms.size(); ++i)
        if (part_of[i] == largest) share.push_back(atoms[i]);
    return share;
}

MemoryNeeds host_needs_of_rank(const Context& context, Backend backend, const Problem& problem,
                               std::span<const Atom> atoms) {
    const std::vector<Atom> share = largest_share(problem, atoms, static_cast<std::size_t>(context.ranks()));
    MemoryNeeds needs = host_needs(problem, share);
    if (backend == Backend::cuda)
        needs.fixed += page_locked_needs(problem, share, atoms, context.parts_on(backend).size()).fixed;
    return needs;
}

}  // namespace legato::dfr
