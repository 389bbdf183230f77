#include "dfr/solver.hpp"

#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "core/parallel.hpp"
#include "core/validate.hpp"
#include "dfr/trial.hpp"

namespace legato::dfr {

Solver::Solver(Context& context, const Problem& problem, std::vector<Atom> atoms, Energies energies)
    : context_(context),
      problem_(problem),
      atoms_(std::move(atoms)),
      quiet_(energies == Energies::as_they_are),
      energies_(energies) {
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
    warned_of_.resize(atoms_.size());
    compared_.resize(atoms_.size());
    // The non-relativistic energy is variational and needs no comparison.
    if (!problem_.relativistic) energies_ = Energies::as_they_are;
    note_finished();
}

Solver::~Solver() = default;

Progress Solver::progress() const {
    return {static_cast<std::int64_t>(finished_), std::ssize(fields_), iterations_};
}

bool Solver::step(Reporter& reporter) {
    std::vector<std::size_t> busy;
    for (std::size_t i = 0; i < fields_.size(); ++i)
        if (!fields_[i]->finished()) busy.push_back(i);
    if (busy.empty() && finished_ < fields_.size()) {
        compare_energies();
        ++iterations_;
    } else {
        iterate(busy);
        iterations_ += static_cast<std::int64_t>(busy.size());
    }
    note_finished();
    reporter.report();
    return true;
}

// Performs one iteration. Threads share the atoms and also the species, because a list has many atoms, and a heavy atom
// has many species.
void Solver::iterate(const std::vector<std::size_t>& busy) {
    std::vector<SelfConsistentField*> fields;
    std::vector<std::pair<SelfConsistentField*, std::size_t>> species;  // (field, species)
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

void Solver::compare_energies() {
    if (!check_) {
        std::vector<ComparedEnergy> energies;
        for (std::size_t i = 0; i < fields_.size(); ++i)
            if (fields_[i]->summary().status == AtomStatus::converged)
                energies.push_back({i, fields_[i]->summary().energy});
        check_ = std::make_unique<LimitCheck>(context_.options(), problem_, atoms_, std::move(energies));
    }
    if (!check_->advance()) return;
    for (const ComparedEnergy& one : check_->energies()) compared_[one.atom] = one;
    check_.reset();
}

// A converged field counts as running until its energy has been compared.
AtomStatus Solver::status_of(std::size_t atom) const {
    const AtomStatus status = fields_[atom]->summary().status;
    if (status != AtomStatus::converged || energies_ == Energies::as_they_are) return status;
    switch (compared_[atom].outcome) {
        case Comparison::open:
            return AtomStatus::running;
        case Comparison::below:
            return AtomStatus::collapsed;
        case Comparison::unknown:
            return AtomStatus::not_compared;
        case Comparison::above:
            break;
    }
    return status;
}

std::string Solver::warning_of(std::size_t atom) const {
    const AtomResult result = summary(atom);
    const auto digits = [](double energy) {
        std::array<char, 40> number{};
        const auto end = std::to_chars(number.begin(), number.end(), energy, std::chars_format::general, 10).ptr;
        return std::string(number.data(), end);
    };
    switch (result.status) {
        case AtomStatus::collapsed:
            return text("the energy ", digits(result.energy), " is below the numerical limit ",
                        digits(compared_[atom].limit),
                        ": the basis has collapsed; add diffuse functions to the species with l = j + 1/2, and "
                        "functions near the nucleus");
        case AtomStatus::unbound:
            return text("the energy of an occupied spinor is positive, ", digits(fields_[atom]->highest_energy()),
                        " hartree: the nucleus does not bind these electrons; take fewer");
        case AtomStatus::not_compared:
            return text(
                "the energy ", digits(result.energy),
                " could not be compared with its numerical limit: the field in a large basis does not converge");
        case AtomStatus::not_converged:
            return fields_[atom]->why_not_converged();
        default:
            return fields_[atom]->why_failed();
    }
}

void Solver::note_finished() {
    finished_ = 0;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        finished_ += status_of(i) >= AtomStatus::converged;
        if (warned_of_[i] || (quiet_ && fields_[i]->why_failed().empty())) continue;
        const std::string warning = warning_of(i);
        if (warning.empty()) continue;
        warned_of_[i] = true;
        warnings_.add(context_, "dfr", "atoms", text("atom ", i, " (Z = ", atoms_[i].nucleus.charge, "): ", warning));
    }
}

const SelfConsistentField& Solver::field(std::size_t atom) const {
    require_index("dfr.atom", atom, fields_.size());
    return *fields_[atom];
}

AtomResult Solver::summary(std::size_t atom) const {
    AtomResult result = field(atom).summary();
    result.status = status_of(atom);
    result.limit = compared_[atom].limit;
    return result;
}

AtomResult Solver::result(std::size_t atom) const {
    AtomResult result = field(atom).result();
    result.status = status_of(atom);
    result.limit = compared_[atom].limit;
    return result;
}

}  // namespace legato::dfr
