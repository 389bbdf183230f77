// The self-consistent fields of a list of atoms, which iterate at the same time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/context.hpp"
#include "core/failures.hpp"
#include "dfr/engine.hpp"
#include "dfr/problem.hpp"
#include "dfr/scf.hpp"

namespace legato::dfr {

class Fields {
  public:
    // Checks problem and atoms, and chooses the backend. The context must outlive this object.
    Fields(Context& context, const Problem& problem, std::vector<Atom> atoms);
    Fields(const Fields&) = delete;  // the engine refers to its members
    Fields& operator=(const Fields&) = delete;

    const Problem& problem() const { return problem_; }
    const std::vector<Atom>& atoms() const { return atoms_; }
    const BackendChoice& backend() const { return backend_; }
    std::size_t size() const { return fields_.size(); }
    const SelfConsistentField& operator[](std::size_t atom) const { return *fields_[atom]; }

    bool finished() const;

    // Performs one iteration of every unfinished field, and returns how many these are.
    std::size_t advance();

    // Logs a warning that names the atom, unless it is empty.
    void warn(FailureWarnings& warnings, std::size_t atom, const std::string& warning) const;

  private:
    Context& context_;
    Problem problem_;
    std::vector<Atom> atoms_;
    BackendChoice backend_;
    int threads_ = 1;
    Quadratures quadratures_;
    std::unique_ptr<Engine> engine_;
    std::vector<std::unique_ptr<SelfConsistentField>> fields_;  // [atoms]
};

}  // namespace legato::dfr
