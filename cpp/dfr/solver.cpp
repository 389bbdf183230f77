#include "dfr/solver.hpp"

#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "core/validate.hpp"
#include "dfr/open_shells.hpp"
#include "dfr/same_arguments.hpp"

namespace legato::dfr {
namespace {

std::vector<Atom> same_on_all_ranks(const Context& context, const Problem& problem, std::vector<Atom> atoms) {
    require_same(context, problem, atoms);
    return atoms;
}

}  // namespace

Solver::Solver(Context& context, const Problem& problem, std::vector<Atom> atoms)
    : context_(context),
      fields_(context, problem, same_on_all_ranks(context, problem, std::move(atoms)), Fields::Reads::states),
      compared_(fields_.size()),
      warned_of_(fields_.size()) {
    note_finished();
}

Progress Solver::progress() const {
    return {static_cast<std::int64_t>(finished_), static_cast<std::int64_t>(fields_.size()), iterations_};
}

bool Solver::step(Reporter& reporter) {
    const std::size_t busy = fields_.advance(is_advance_ || reporter.reports());
    iterations_ += static_cast<std::int64_t>(busy);
    if (busy == 0 && finished_ < fields_.size()) {
        compare_energies();
        ++iterations_;
    }
    note_finished();
    reporter.report();
    return true;
}

// Returns the outcome for an atom whose energy is not a minimum, so that it may lie on either side of the limit energy.
// Extended kinetic balance prevents collapse.
Comparison Solver::without_limit() const {
    return problem().kinetic_balance == KineticBalance::extended ? Comparison::above : Comparison::unknown;
}

void Solver::compare_energies() {
    if (!check_) {
        std::vector<ComparedEnergy> energies;
        for (std::size_t i = 0; i < fields_.size(); ++i) {
            if (fields_[i].summary().status != AtomStatus::converged) continue;
            if (has_holes(atoms()[i].configuration))
                compared_[i].outcome = without_limit();
            else
                energies.push_back({i, fields_[i].summary().energy});
        }
        check_ = std::make_unique<LimitCheck>(context_, problem(), atoms(), std::move(energies));
    }
    if (!check_->advance()) return;
    for (const ComparedEnergy& one : check_->energies()) compared_[one.atom] = one;
    check_.reset();
}

// A converged field counts as running until its energy has been compared. The non-relativistic energy is variational
// and needs no comparison.
AtomStatus Solver::status_of(std::size_t atom) const {
    const AtomStatus status = fields_[atom].summary().status;
    if (status != AtomStatus::converged || !problem().relativistic) return status;
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
            return text("the energy ", digits(result.energy), " is below the limit energy ",
                        digits(compared_[atom].limit),
                        ": the basis has collapsed; add diffuse functions to the species with l = j + 1/2, and "
                        "functions near the nucleus");
        case AtomStatus::unbound:
            return text("the energy of an occupied spinor is ",
                        fields_[atom].highest_energy() > 0 ? "positive, " : "0 within its error, ",
                        digits(fields_[atom].highest_energy()),
                        " hartree: the nucleus does not bind these electrons; take fewer");
        case AtomStatus::not_compared:
            if (has_holes(atoms()[atom].configuration))
                return text("the energy ", digits(result.energy),
                            " is not compared with a limit energy, because it is not a minimum: the configuration has "
                            "holes or several open shells of a species. Whether the basis has collapsed is unknown; "
                            "extended kinetic balance prevents this");
            return text("the energy ", digits(result.energy),
                        " could not be compared with its limit energy: the field in a large basis does not converge");
        case AtomStatus::not_converged:
            return fields_[atom].why_not_converged();
        default:
            return fields_[atom].why_failed();
    }
}

void Solver::note_finished() {
    finished_ = 0;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        finished_ += status_of(i) >= AtomStatus::converged;
        if (warned_of_[i]) continue;
        const std::string warning = warning_of(i);
        warned_of_[i] = !warning.empty();  // first, because the logger may throw
        fields_.warn(warnings_, i, warning);
    }
}

const SelfConsistentField& Solver::field(std::size_t atom) const {
    require_index("dfr.atom", atom, fields_.size());
    return fields_[atom];
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
