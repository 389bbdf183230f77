#include "dfr/fields.hpp"

#include <algorithm>
#include <utility>

#include "core/parallel.hpp"
#include "core/validate.hpp"
#include "dfr/trial.hpp"

namespace legato::dfr {

Fields::Fields(Context& context, const Problem& problem, std::vector<Atom> atoms)
    : context_(context), problem_(problem), atoms_(std::move(atoms)) {
    validate(problem_);
    require_integer("dfr.n_atoms", static_cast<std::int64_t>(atoms_.size()), 1, max_atoms);
    for (std::size_t i = 0; i < atoms_.size(); ++i) validate(problem_, atoms_[i], text("dfr.atoms[", i, "]"));
    const std::string what_needs = text("dfr.n_atoms: ", atoms_.size(), " need");
    require_memory(what_needs, host_needs(problem_, atoms_), 1, free_memory());
    threads_ = useful_threads(context, problem_, atoms_);
    backend_ = context.choose_backend(trial_of(context, problem_, atoms_));
    if (backend_.backend == Backend::cuda)
        require_memory(what_needs, memory_needs(Backend::cuda, problem_, atoms_), 1,
                       free_memory(context, Backend::cuda));
    quadratures_ = make_quadratures(problem_, atoms_, threads_);
    engine_ = make_engine(context, backend_.backend, quadratures_, threads_);
    fields_.resize(atoms_.size());
    in_parallel(atoms_.size(), threads_, [this](std::size_t i) {
        fields_[i] = std::make_unique<SelfConsistentField>(problem_, atoms_[i], quadratures_.atoms[i], i, threads_);
    });
}

bool Fields::finished() const {
    return std::all_of(fields_.begin(), fields_.end(), [](const auto& field) { return field->finished(); });
}

// Threads share the atoms and also the species, because a list has many atoms, and a heavy atom
// has many species.
std::size_t Fields::advance() {
    std::vector<SelfConsistentField*> fields;
    std::vector<std::pair<SelfConsistentField*, std::size_t>> species;  // (field, species)
    for (const auto& field : fields_) {
        if (field->finished()) continue;
        fields.push_back(field.get());
        for (std::size_t s = 0; s < field->species(); ++s) species.emplace_back(field.get(), s);
    }
    const std::size_t busy = fields.size();
    if (busy == 0) return 0;
    in_parallel(species.size(), threads_,
                [&](std::size_t i) { species[i].first->pose_eigenproblem(species[i].second); });
    std::vector<Eigenproblem*> problems;
    problems.reserve(species.size());
    for (const auto& [field, s] : species) problems.push_back(&field->eigenproblem(s));
    engine_->solve(problems);
    in_parallel(fields.size(), threads_, [&](std::size_t i) { fields[i]->make_job(); });
    std::erase_if(fields, [](const auto* field) { return field->finished(); });
    std::erase_if(species, [](const auto& one) { return one.first->finished(); });
    std::vector<RepulsionJob> jobs;
    jobs.reserve(fields.size());
    for (SelfConsistentField* const field : fields) jobs.push_back(std::move(field->job()));
    engine_->compute_repulsion(jobs);
    for (std::size_t i = 0; i < fields.size(); ++i) fields[i]->job() = std::move(jobs[i]);
    in_parallel(species.size(), threads_, [&](std::size_t i) { species[i].first->take_repulsion(species[i].second); });
    in_parallel(fields.size(), threads_, [&](std::size_t i) { fields[i]->close_iteration(); });
    return busy;
}

void Fields::warn(FailureWarnings& warnings, std::size_t atom, const std::string& warning) const {
    if (!warning.empty())
        warnings.add(context_, "dfr", "atoms",
                     text("atom ", atom, " (Z = ", atoms_[atom].nucleus.charge, "): ", warning));
}

}  // namespace legato::dfr
