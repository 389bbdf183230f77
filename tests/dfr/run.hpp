// Runs atoms to their end.
#pragma once

#include <vector>

#include "dfr/solver.hpp"

namespace legato::dfr::tests {

inline std::vector<AtomResult> run(const Problem& problem, const std::vector<Atom>& atoms) {
    ContextOptions options;
    options.backend = Backend::cpu;
    options.threads = 2;
    Context context(options);
    Solver solver(context, problem, atoms);
    solver.run({});
    std::vector<AtomResult> results;
    for (std::size_t i = 0; i < atoms.size(); ++i) results.push_back(solver.result(i));
    return results;
}

inline AtomResult run(const Problem& problem, const Atom& atom) {
    return run(problem, std::vector<Atom>{atom}).front();
}

}  // namespace legato::dfr::tests
