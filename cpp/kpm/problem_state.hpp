// Entries that the state files of several computations have.
//     problem/<member of Problem>           scalars, but for sites [n_sites]
//     <operator>/sites, fingerprint         identify a Hamiltonian or another operator
//     rescaling/centre, half_width
#pragma once

#include <cstdint>
#include <string_view>

#include "core/state_file.hpp"
#include "kpm/bounds.hpp"
#include "kpm/problem.hpp"

namespace legato::kpm {

void put_problem(StateWriter& writer, Problem problem);
void put_operator(StateWriter& writer, std::string_view name, const Hamiltonian& one, std::int64_t fingerprint);
void put_rescaling(StateWriter& writer, const Rescaling& rescaling);

// These functions throw bad_file for an entry that cannot be, or that belongs to another operator. The ranges of the
// problem are for validate().
Problem get_problem(const StateReader& reader);
void require_same_operator(const StateReader& reader, std::string_view name, const Hamiltonian& one);
Rescaling get_rescaling(const StateReader& reader);

}  // namespace legato::kpm
