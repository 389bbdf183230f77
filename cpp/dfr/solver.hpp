// The self-consistent fields of a list of atoms, which iterate at the same time.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/context.hpp"
#include "core/failures.hpp"
#include "core/run.hpp"
#include "dfr/engine.hpp"
#include "dfr/limit_check.hpp"
#include "dfr/problem.hpp"
#include "dfr/result.hpp"
#include "dfr/scf.hpp"

namespace legato::dfr {

// advance() performs one iteration of every unfinished atom. When none is left, it performs one in the large bases with
// which the energies are compared.
class Solver : public Run<Solver> {
  public:
    static constexpr std::string_view run_name = "dfr";

    // States whether converged energies are compared with their numerical limits (dfr/limit_check.hpp) before an atom
    // ends.
    enum class Energies { compared, as_they_are };

    // Checks problem and atoms, and chooses the backend. The context must outlive the solver.
    Solver(Context& context, const Problem& problem, std::vector<Atom> atoms, Energies energies = Energies::compared);
    ~Solver();
    Solver(const Solver&) = delete;  // the engine refers to its members
    Solver& operator=(const Solver&) = delete;

    const Problem& problem() const { return problem_; }
    const std::vector<Atom>& atoms() const { return atoms_; }
    const BackendChoice& backend() const { return backend_; }
    std::size_t finished() const { return finished_; }

    Progress progress() const;  // counts atoms, and the iterations of all atoms

    // The summary is the result without species.
    AtomResult summary(std::size_t atom) const;
    AtomResult result(std::size_t atom) const;

  private:
    const SelfConsistentField& field(std::size_t atom) const;
    friend class Run<Solver>;
    bool step(Reporter& reporter);
    void iterate(const std::vector<std::size_t>& busy);
    void note_finished();
    void compare_energies();
    AtomStatus status_of(std::size_t atom) const;
    std::string warning_of(std::size_t atom) const;  // empty if there is no warning

    Context& context_;
    Problem problem_;
    std::vector<Atom> atoms_;
    BackendChoice backend_;
    int threads_ = 1;
    Quadratures quadratures_;
    std::unique_ptr<Engine> engine_;
    std::vector<std::unique_ptr<SelfConsistentField>> fields_;  // [atoms]
    bool quiet_;                                                // no warnings of atoms that have an energy
    Energies energies_;
    std::vector<ComparedEnergy> compared_;  // [atoms]; open if there is no converged energy
    std::unique_ptr<LimitCheck> check_;     // exists while energies are compared, after all fields have ended
    std::size_t finished_ = 0;
    std::int64_t iterations_ = 0;
    std::vector<bool> warned_of_;  // [atoms]
    FailureWarnings warnings_;
};

}  // namespace legato::dfr
