// The solver of dfr: the fields of a list of atoms, and the comparison of their energies with limit energies.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/context.hpp"
#include "core/run.hpp"
#include "dfr/fields.hpp"
#include "dfr/limit_check.hpp"
#include "dfr/problem.hpp"
#include "dfr/result.hpp"

namespace legato::dfr {

// advance() performs one iteration of every unfinished atom. When none is left, it performs one in the large bases with
// which the energies are compared.
class Solver : public Run<Solver> {
  public:
    static constexpr std::string_view run_name = "dfr";

    // Checks problem and atoms, and chooses the backend. The context must outlive the solver. Collective.
    Solver(Context& context, const Problem& problem, std::vector<Atom> atoms);
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    const Context& context() const { return context_; }
    const Problem& problem() const { return fields_.problem(); }
    const std::vector<Atom>& atoms() const { return fields_.atoms(); }
    const BackendChoice& backend() const { return fields_.backend(); }
    std::size_t finished() const { return finished_; }

    Progress progress() const;  // counts atoms, and the iterations of all atoms

    // The summary is the result without species.
    AtomResult summary(std::size_t atom) const;
    AtomResult result(std::size_t atom) const;

  private:
    friend class Run<Solver>;
    void prepare(std::string_view call) { is_advance_ = call == "advance"; }
    bool step(Reporter& reporter);
    const SelfConsistentField& field(std::size_t atom) const;
    void note_finished();
    void compare_energies();
    Comparison without_limit() const;
    AtomStatus status_of(std::size_t atom) const;
    std::string warning_of(std::size_t atom) const;  // empty if there is no warning

    Context& context_;
    Fields fields_;
    std::vector<ComparedEnergy> compared_;  // [atoms]; open if there is no converged energy
    std::unique_ptr<LimitCheck> check_;     // exists while energies are compared, after all fields have ended
    bool is_advance_ = false;               // the results of running atoms can be read after each step
    std::size_t finished_ = 0;
    std::int64_t iterations_ = 0;
    std::vector<bool> warned_of_;  // [atoms]
    FailureWarnings warnings_;
};

}  // namespace legato::dfr
