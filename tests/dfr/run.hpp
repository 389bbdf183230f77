// One atom to the end.
#pragma once

#include "dfr/solver.hpp"

namespace legato::dfr::tests {

inline AtomResult run(const Problem& problem, const Atom& atom) {
    ContextOptions options;
    options.backend = Backend::cpu;
    options.threads = 2;
    Context context(options);
    Solver solver(context, problem, {atom});
    solver.run({});
    return solver.result(0);
}

}  // namespace legato::dfr::tests
