// One atom to the end.
#pragma once

#include "core/context.hpp"
#include "dfr/engine.hpp"
#include "dfr/scf.hpp"

namespace legato::dfr::tests {

inline AtomResult run(const Problem& problem, const Atom& atom) {
    ContextOptions options;
    options.threads = 2;
    const Context context(options);
    const auto engine = make_cpu_engine(context, problem, {&atom, 1});
    SelfConsistentField field(problem, atom, 0);
    while (!field.finished()) {
        std::vector<std::vector<double>> eigenvalues;
        for (Matrix& matrix : field.matrices()) eigenvalues.push_back(diagonalise(matrix));
        field.take_orbitals(eigenvalues);
        engine->repel({&field.job(), 1});
        field.take_repulsion();
    }
    return field.result();
}

}  // namespace legato::dfr::tests
