#include "dfr/energies.hpp"

#include "core/ranks.hpp"

namespace legato::dfr {

std::vector<Solution> Energies::operator()(std::vector<Atom> atoms, With with, const std::vector<Start>& starts) {
    if (atoms.empty()) return {};
    if (on_any_rank(context_, !fields_)) fields_.reset();  // memory may have run out on one rank alone
    try {
        if (fields_)
            fields_->restart(std::move(atoms), starts);
        else
            fields_.emplace(context_, problem_, std::move(atoms), reads_, starts,
                            BackendWish{backend_, with == With::gradients});
        backend_ = fields_->backend().backend;
        while (fields_->advance() > 0) {
        }
        return solutions(with);
    } catch (...) {
        fields_.reset();
        throw;
    }
}

std::vector<Solution> Energies::solutions(With with) {
    std::vector<ExponentGradient> gradients(fields_->size());
    if (with == With::gradients) gradients = fields_->exponent_gradients();
    FailureWarnings warnings;
    std::vector<Solution> all;
    for (std::size_t i = 0; i < fields_->size(); ++i) {
        const SelfConsistentField& field = (*fields_)[i];
        Start spinors;
        if (with == With::spinors && field.summary().status == AtomStatus::converged)
            spinors = std::make_shared<const StartSpinors>(field.spinors());
        all.push_back({field.summary(), std::move(gradients[i]), std::move(spinors)});
        fields_->warn(warnings, i, field.why_failed());
    }
    return all;
}

}  // namespace legato::dfr
