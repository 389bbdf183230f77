// Entries that the state files of basis set optimisations have in common. There are N candidates, and in total S
// species, G groups and M energies, one candidate after the other:
//     field/<member of Params>, optimiser/<member of OptimiserParams>
//     candidates/charge, model, radius, exponent, skin, limit, species, groups [N]; without skin it is 0
//     candidates/closed, electrons, group, first, last [S], pairs [sum of species^2]
//     candidates/form [G], parameters [those of each group]; without form all groups are well-tempered
//     energies/count [N], energy, kind [M], x [parameters of its candidate for each]
//     saved/backend, limits_backend       of the energies, and of the limits; without them it is unknown
//     energies/has_gradient [M], gradient [as x, for each that has one]    only with OptimiserMethod::lbfgs
#pragma once

#include <vector>

#include "core/state_file.hpp"
#include "dfr/optimiser.hpp"

namespace legato::dfr {

void put_problem(StateWriter& writer, const OptimiserProblem& problem);
void put_candidates(StateWriter& writer, const std::vector<Candidate>& candidates);
void put_records(StateWriter& writer, const Optimiser::Records& records);

OptimiserProblem get_problem(const StateReader& reader);
std::vector<Candidate> get_candidates(const StateReader& reader, const OptimiserProblem& problem);
// The backends; those that are unknown have no entry.
void put_backends(StateWriter& writer, const Backends& backends);
Backends get_backends(const StateReader& reader);

Optimiser::Records get_records(const StateReader& reader, const std::vector<Candidate>& candidates,
                               double spinor_weight);
// Returns an entry with errors of spinors. They are 0 without spinor_weight; rounding can make them negative.
std::vector<double> get_spinor_errors(const StateReader& reader, const std::string& name, std::size_t count,
                                      double spinor_weight);

// The limits of `count` candidates. If they are not known yet, `limits` is empty, and the file contains 0. If energies
// have been calculated, they are `known`, but all may be 0. get_limits() refuses floors that cannot belong to their
// limits.
void put_limits(StateWriter& writer, std::vector<Limit> limits, std::size_t count);
std::vector<Limit> get_limits(const StateReader& reader, const std::vector<Candidate>& candidates, bool known);

// Refuses the file unless these energies were judged by this limit.
void require_judged_by(const StateReader& reader, std::size_t candidate, const Limit& limit,
                       const std::vector<EnergyRecord>& records);

// No good energy lies below lowest_good, and every collapsed one lies below above_collapsed.
struct EnergyBounds {
    double limit, lowest_good, above_collapsed;
};
void require_consistent_kinds(const StateReader& reader, std::size_t candidate, const EnergyBounds& bounds,
                              const std::vector<EnergyRecord>& records);

}  // namespace legato::dfr
