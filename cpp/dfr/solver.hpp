// Self-consistent fields of a list of atoms, side by side.
#pragma once

#include <memory>
#include <vector>

#include "core/context.hpp"
#include "core/failures.hpp"
#include "core/progress.hpp"
#include "dfr/engine.hpp"
#include "dfr/problem.hpp"
#include "dfr/result.hpp"
#include "dfr/scf.hpp"

namespace legato::dfr {

class Solver {
  public:
    // Checks problem and atoms, chooses the backend. The context must outlive the solver.
    Solver(Context& context, const Problem& problem, std::vector<Atom> atoms);
    Solver(const Solver&) = delete;  // the engine refers to its members
    Solver& operator=(const Solver&) = delete;

    const Problem& problem() const { return problem_; }
    const std::vector<Atom>& atoms() const { return atoms_; }
    const BackendChoice& backend() const { return backend_; }
    std::size_t finished() const { return finished_; }

    // One iteration of every atom that has not finished. Returns true when all have.
    bool advance();

    // Iterates until all atoms have finished or the callback asks to stop (then throws cancelled).
    void run(const ProgressCallback& callback);

    // The summary is without species.
    const AtomResult& summary(std::size_t atom) const;
    AtomResult result(std::size_t atom) const;

  private:
    const SelfConsistentField& field(std::size_t atom) const;
    bool carry_on();
    void iterate(const std::vector<std::size_t>& busy);
    void note_finished();

    Context& context_;
    Problem problem_;
    std::vector<Atom> atoms_;
    BackendChoice backend_;
    int threads_ = 1;
    Quadratures quadratures_;
    std::unique_ptr<Engine> engine_;
    std::vector<std::unique_ptr<SelfConsistentField>> fields_;  // [atoms]
    std::size_t finished_ = 0;
    std::int64_t iterations_ = 0;
    std::vector<bool> warned_of_;  // [atoms]
    FailureWarnings warnings_;
    bool carrying_on_ = false;
};

}  // namespace legato::dfr
