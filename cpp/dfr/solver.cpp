#include "dfr/solver.hpp"

#include <utility>

#include "core/parallel.hpp"
#include "core/validate.hpp"
#include "dfr/cost_model.hpp"

namespace legato::dfr {

Solver::Solver(Context& context, const Problem& problem, std::vector<Atom> atoms)
    : context_(context), problem_(problem), atoms_(std::move(atoms)) {
    validate(problem_);
    require_integer("dfr.n_atoms", static_cast<std::int64_t>(atoms_.size()), 1, max_atoms);
    for (std::size_t i = 0; i < atoms_.size(); ++i) validate(problem_, atoms_[i], text("dfr.atoms[", i, "]"));
    const std::string what_needs = text("dfr.n_atoms: ", atoms_.size(), " need");
    require_memory(what_needs, host_needs(problem_, atoms_), 1, free_memory());
    threads_ = useful_threads(context, problem_, atoms_);
    backend_ =
        context.choose_backend("dfr", cpu_seconds(context, problem_, atoms_), cuda_seconds(context, problem_, atoms_));
    if (backend_.backend == Backend::cuda)
        require_memory(what_needs, memory_needs(Backend::cuda, problem_, atoms_), 1,
                       free_memory(context, Backend::cuda));
    quadratures_ = make_quadratures(problem_, atoms_, threads_);
    engine_ = make_engine(context, backend_.backend, quadratures_, threads_);
    fields_.resize(atoms_.size());
    in_parallel(atoms_.size(), threads_, [this](std::size_t i) {
        fields_[i] = std::make_unique<SelfConsistentField>(problem_, atoms_[i], quadratures_.atoms[i], i, threads_);
    });
    warned_of_.resize(atoms_.size());
    note_finished();
}

bool Solver::advance() {
    const CarryingOn held(carrying_on_, "dfr.advance");
    return carry_on();
}

void Solver::run(const ProgressCallback& callback) {
    const CarryingOn held(carrying_on_, "dfr.run");
    Reports reports("dfr", callback);
    const std::int64_t before = iterations_;
    for (bool all = finished_ == fields_.size(); !all;) {
        all = carry_on();
        reports.give(finished_, fields_.size(), iterations_ - before);
    }
}

bool Solver::carry_on() {
    std::vector<std::size_t> busy;
    for (std::size_t i = 0; i < fields_.size(); ++i)
        if (!fields_[i]->finished()) busy.push_back(i);
    iterate(busy);
    iterations_ += static_cast<std::int64_t>(busy.size());
    note_finished();
    return finished_ == fields_.size();
}

// Atoms and species alike go to the threads: a batch has many of the one, a heavy atom of the other.
void Solver::iterate(const std::vector<std::size_t>& busy) {
    std::vector<SelfConsistentField*> fields;
    std::vector<std::pair<SelfConsistentField*, std::size_t>> species;  // (of which, which)
    for (const std::size_t i : busy) {
        fields.push_back(fields_[i].get());
        for (std::size_t s = 0; s < fields_[i]->species(); ++s) species.emplace_back(fields_[i].get(), s);
    }
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
    engine_->repel(jobs);
    for (std::size_t i = 0; i < fields.size(); ++i) fields[i]->job() = std::move(jobs[i]);
    in_parallel(species.size(), threads_, [&](std::size_t i) { species[i].first->take_repulsion(species[i].second); });
    in_parallel(fields.size(), threads_, [&](std::size_t i) { fields[i]->close_iteration(); });
}

void Solver::note_finished() {
    finished_ = 0;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        finished_ += fields_[i]->finished();
        if (warned_of_[i] || fields_[i]->why_failed().empty()) continue;
        warned_of_[i] = true;
        warnings_.add(context_, "dfr", "atoms",
                      text("atom ", i, " (Z = ", atoms_[i].nucleus.charge, "): ", fields_[i]->why_failed()));
    }
}

const SelfConsistentField& Solver::field(std::size_t atom) const {
    require_index("dfr.atom", atom, fields_.size());
    return *fields_[atom];
}

const AtomResult& Solver::summary(std::size_t atom) const {
    return field(atom).summary();
}

AtomResult Solver::result(std::size_t atom) const {
    return field(atom).result();
}

}  // namespace legato::dfr
