// The object that a legato_dfr stands for.
#pragma once

#include "dfr.hpp"
#include "dfr/solver.hpp"
#include "handle.hpp"

namespace legato::capi {

using AtomList = GrowingList<dfr::Problem, dfr::Atom, dfr::Solver>;

template <>
struct StandsFor<legato_dfr> : Handle<AtomList> {};

inline const std::vector<dfr::Atom>& atoms_of(const AtomList& list) {
    return list.run ? list.run->atoms() : list.items;
}

inline const dfr::Atom& atom_at(const AtomList& list, int64_t index) {
    const std::vector<dfr::Atom>& atoms = atoms_of(list);
    require_index("dfr.index", index, atoms.size());
    return atoms[static_cast<std::size_t>(index)];
}

// Returns the result of an atom. Throws if the index is out of range or the atom has no result.
inline dfr::AtomResult result_of(const AtomList& list, int64_t index) {
    atom_at(list, index);
    dfr::AtomResult result;
    if (list.run) result = list.run->result(static_cast<std::size_t>(index));
    if (result.status == dfr::AtomStatus::failed)
        fail(Status::invalid_argument, "dfr.index: ", index, " has failed and has no result");
    if (result.iterations == 0) fail(Status::invalid_argument, "dfr.index: ", index, " has no result yet");
    return result;
}

}  // namespace legato::capi
