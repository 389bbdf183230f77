#include "dfr/named_sets.hpp"

#include "core/error.hpp"
#include "core/ranks.hpp"
#include "dfr/basis_files.hpp"
#include "dfr/configuration.hpp"
#include "dfr/set_groups.hpp"

namespace legato::dfr {
namespace {

// Rank 0 reads the library, so a rank with another name would keep the wrong sets.
void require_same_name(const Context& context, std::string_view library) {
    std::string first(library);
    take_of_first_rank(context, first);
    if (first != library) fail(Status::invalid_argument, "dfr.basis: ", library, ", but ", first, " on rank 0");
}

}  // namespace

const BasisSet& NamedSets::set_of(const Context& context, std::string_view library, int element) {
    require_same_name(context, library);
    auto found = libraries_.find(library);
    if (found == libraries_.end()) found = libraries_.emplace(library, read_basis_library(context, library, 0.0)).first;
    const std::vector<BasisSet>& sets = found->second;
    const std::size_t at = index_of(sets, element);
    if (at == sets.size())
        fail(Status::invalid_argument, "dfr.element: ", element, ", ", symbol_of(element),
             ", has no set in the basis library ", library, ", which has sets for: ", elements_of(sets));
    return sets[at];
}

Atom NamedSets::atom(const Context& context, std::string_view library, int element, NuclearModel model) {
    Atom atom{make_nucleus(element, model), {}, average_of_configuration(ground_configuration(element))};
    atom.exponents = exponents_of(set_of(context, library, element), library);
    atom.exponents.resize(atom.configuration.closed.size());
    return atom;
}

Candidate NamedSets::start(const Context& context, std::string_view library, int element, NuclearModel model) {
    Candidate start{make_nucleus(element, model), average_of_configuration(ground_configuration(element)), {}, 0.0};
    start.basis = groups_of(set_of(context, library, element), start.configuration.closed.size());
    return start;
}

}  // namespace legato::dfr
