#include "dfr/solver.hpp"

#include <chrono>
#include <cmath>
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
    backend_ = context.choose_backend("dfr", cpu_seconds(problem_, atoms_, context.threads()),
                                      cuda_seconds(context, problem_, atoms_));
    quadratures_ = make_quadratures(problem_, atoms_, context.threads());
    engine_ = make_engine(context, backend_.backend, quadratures_);
    fields_.resize(atoms_.size());
    in_parallel(atoms_.size(), context.threads(), [this](std::size_t i) {
        fields_[i] = std::make_unique<SelfConsistentField>(problem_, atoms_[i], quadratures_.atoms[i], i);
    });
}

// Atoms and species alike go to the threads: a batch has many of the one, a heavy atom of the other.
bool Solver::advance() {
    std::vector<std::size_t> busy;
    for (std::size_t i = 0; i < fields_.size(); ++i)
        if (!fields_[i]->finished()) busy.push_back(i);
    std::vector<std::pair<std::size_t, std::size_t>> species;  // (of busy, which)
    std::vector<std::vector<std::vector<double>>> eigenvalues(busy.size());
    for (std::size_t b = 0; b < busy.size(); ++b) {
        eigenvalues[b].resize(fields_[busy[b]]->species());
        for (std::size_t s = 0; s < eigenvalues[b].size(); ++s) species.emplace_back(b, s);
    }
    in_parallel(species.size(), context_.threads(), [&](std::size_t i) {
        const auto [b, s] = species[i];
        eigenvalues[b][s] = diagonalise(fields_[busy[b]]->matrices()[s]);
    });
    std::vector<RepulsionJob> jobs(busy.size());
    in_parallel(busy.size(), context_.threads(), [&](std::size_t b) {
        fields_[busy[b]]->take_orbitals(eigenvalues[b]);
        jobs[b] = std::move(fields_[busy[b]]->job());
    });
    engine_->repel(jobs);
    for (std::size_t b = 0; b < busy.size(); ++b) fields_[busy[b]]->job() = std::move(jobs[b]);
    in_parallel(species.size(), context_.threads(),
                [&](std::size_t i) { fields_[busy[species[i].first]]->take_repulsion(species[i].second); });
    in_parallel(busy.size(), context_.threads(), [&](std::size_t b) { fields_[busy[b]]->close_iteration(); });
    iterations_ += static_cast<std::int64_t>(busy.size());
    for (const std::size_t i : busy) finished_ += fields_[i]->finished();
    return finished_ == fields_.size();
}

void Solver::run(const ProgressCallback& callback) {
    using clock = std::chrono::steady_clock;
    const auto start = clock::now();
    const std::int64_t before = iterations_;
    for (bool all = finished_ == fields_.size(); !all;) {
        all = advance();
        if (!callback) continue;
        Progress progress;
        progress.points_done = static_cast<std::int64_t>(finished_);
        progress.points_total = static_cast<std::int64_t>(fields_.size());
        progress.cycles_done = iterations_ - before;
        progress.seconds = std::chrono::duration<double>(clock::now() - start).count();
        progress.cycles_per_second = static_cast<double>(progress.cycles_done) / std::max(progress.seconds, 1e-9);
        if (!callback(progress)) fail(Status::cancelled, "dfr: stopped by the progress callback");
    }
}

AtomResult Solver::result(std::size_t atom) const {
    if (atom >= fields_.size())
        fail(Status::invalid_argument, "dfr.atom: ", atom, " is not in 0..", fields_.size() - 1);
    return fields_[atom]->result();
}

}  // namespace legato::dfr
