// Atoms of elements with basis sets of installed libraries.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/context.hpp"
#include "dfr/basis_sets.hpp"
#include "dfr/candidate.hpp"
#include "dfr/elements.hpp"

namespace legato::dfr {

// The library that is taken if the caller names none. Its energies are within 5e-9 (relative) of the limit energies
// with Gaussian nuclei.
inline constexpr const char* default_basis = "legato-5e-9";
// The same for the start of an optimisation: well-tempered sets with one group of parameters for all species.
inline constexpr const char* default_start = "hennessey";

// Keeps the libraries that it has read, because a list of atoms often takes many sets of the same one.
class NamedSets {
  public:
    // Returns an atom in the average of its ground configuration, with the nucleus of its most common isotope and the
    // functions of the set whose species the configuration has. Throws an invalid_argument if there is no such library,
    // or if it has no set for the element. Collective.
    Atom atom(const Context& context, std::string_view library, int element, NuclearModel model);

    // Returns the same atom with its set in groups. Collective.
    Candidate start(const Context& context, std::string_view library, int element, NuclearModel model);

    // Returns the set itself. Throws an invalid_argument if the ranks name different libraries. Collective.
    const BasisSet& set_of(const Context& context, std::string_view library, int element);

  private:
    std::map<std::string, std::vector<BasisSet>, std::less<>> libraries_;
};

}  // namespace legato::dfr
