// Comparisons of the arguments among the ranks of a context. They throw an invalid_argument that names what differs,
// also if the processors of the ranks round differently. All are collective.
#pragma once

#include <span>

#include "core/context.hpp"
#include "dfr/problem.hpp"

namespace legato::dfr {

struct OptimiserProblem;
struct PrunerProblem;
struct ReducerProblem;
struct Candidate;

void require_same(const Context& context, const Problem& problem, std::span<const Atom> atoms);
void require_same(const Context& context, const OptimiserProblem& problem, std::span<const Candidate> candidates);
void require_same(const Context& context, const PrunerProblem& problem, std::span<const Candidate> starts);
void require_same(const Context& context, const ReducerProblem& problem);

}  // namespace legato::dfr
