#include "dfr/energies.hpp"

#include "dfr/fields.hpp"

namespace legato::dfr {

std::vector<Solution> solve(Context& context, const Problem& problem, std::vector<Atom> atoms, bool with_gradients) {
    if (atoms.empty()) return {};
    Fields fields(context, problem, std::move(atoms));
    while (fields.advance() > 0) {
    }
    std::vector<ExponentGradient> gradients(fields.size());
    if (with_gradients) gradients = fields.exponent_gradients();
    FailureWarnings warnings;
    std::vector<Solution> solutions;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        solutions.push_back({fields[i].summary(), std::move(gradients[i])});
        fields.warn(warnings, i, fields[i].why_failed());
    }
    return solutions;
}

}  // namespace legato::dfr
