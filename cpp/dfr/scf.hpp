// The self-consistent field of one atom, in halves between which an engine works.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "dfr/engine.hpp"
#include "dfr/problem.hpp"
#include "dfr/quadrature.hpp"
#include "dfr/result.hpp"

namespace legato::dfr {

class SelfConsistentField {
  public:
    // `index`: the atom's among those of the engine.
    SelfConsistentField(const Problem& problem, const Atom& atom, const Quadrature& quadrature, std::size_t index,
                        int threads);

    // An iteration is these four, in whose first and third several species may be worked on at once. Where memory runs
    // out in one of them it can be begun again.
    // The matrix whose eigenvectors the orbitals of one species are; somebody solves it.
    void pose_eigenproblem(std::size_t species);
    Eigenproblem& eigenproblem(std::size_t species) { return blocks_[species].eigenproblem; }
    // The mean repulsions that the orbitals need, which somebody finds, or the end where there are no orbitals.
    void make_job();
    RepulsionJob& job() { return job_; }
    // What the repulsions make of one species.
    void take_repulsion(std::size_t species);
    // Energy, gradient, and what the next orbitals come from.
    void close_iteration();

    std::size_t species() const { return blocks_.size(); }
    bool finished() const { return result_.status >= AtomStatus::converged; }
    // Without species.
    const AtomResult& summary() const { return result_; }
    // No species before the first iteration, or after a failure. The first call after an iteration finds the states
    // that the iteration itself does not need; throws a numerical_error where LAPACK cannot.
    AtomResult result() const;
    const std::string& why_failed() const { return why_failed_; }
    // Where rounding, not max_iterations, stands in the way: the accuracy that can be attained.
    const std::string& why_not_converged() const { return why_not_converged_; }
    // The highest energy of an occupied spinor after the last iteration.
    double highest_energy() const { return highest_energy_; }

  private:
    // The functions of one species. Orthonormal ones are the canonical combinations of the large components, then of
    // the small ones; matrices over them have order m, those over the functions themselves 2n (or n, non-relativistic).
    struct Block {
        Matrix one_electron, kinetic, nuclear;
        Matrix large, small;        // [n x m_large], [n x m_small] coefficients of the orthonormal functions
        Eigenproblem eigenproblem;  // [m x m], at first of the screened nucleus; closed shells, then the open one
        double largest = 0;         // absolute eigenvalue
        int closed = 0;
        double open_electrons = 0;

        std::size_t negative() const { return small.columns; }  // states of negative energy
        std::size_t functions() const { return large.rows; }
        const Matrix& orbitals() const { return eigenproblem.pairs.vectors; }  // [m x occupied]
        std::size_t occupied() const { return static_cast<std::size_t>(closed) + (open_electrons > 0 ? 1 : 0); }
    };
    struct Step {
        std::vector<Matrix> fock, error;  // [species]
        std::deque<double> overlaps;      // of the error with those of the steps remembered, oldest first, and itself
    };
    struct Energies {
        double one_electron = 0, kinetic = 0, nuclear = 0, repulsion = 0;
    };

    Block make_block(int species) const;
    Matrix screening_potential(const Quadrature& quadrature, int species, double electrons) const;
    Density density(std::size_t species, const Matrix& orbitals, double electrons) const;
    void require_functions(std::size_t species);
    void give_up(const std::string& why);
    Energies energies_of(std::size_t species) const;
    Matrix coupled_fock(std::size_t species) const;
    Matrix commutator(std::size_t species, const Matrix& fock) const;
    Species states(std::size_t species) const;
    void remember_step();
    void extrapolate();
    Matrix extrapolated(std::size_t species) const;
    double rounding_in_gradient() const;
    double energy_in_gradient() const;
    bool energy_is_resolved() const;
    double finest_energy() const;
    Matrix positive_states(std::size_t species) const;
    std::vector<double> energies_in_last_field(std::size_t species, const Matrix& u) const;
    void end_converged();
    void end_not_converged(double change);
    bool rest_energy_hides_levels() const;
    static void refine(Block& block);
    void judge(double previous_energy);

    const Problem& problem_;
    const Atom& atom_;
    std::vector<Block> blocks_;
    std::vector<int> open_target_;  // [species] the target of its open shell, -1 if none
    RepulsionJob job_;
    Step step_;                       // of this iteration
    std::vector<Energies> energies_;  // [species]
    std::deque<Step> history_;
    std::vector<double> weights_;  // [history] of the Fock matrices whose eigenvectors are the next orbitals
    AtomResult result_;            // without species
    mutable std::mutex states_mutex_;
    mutable std::vector<Species> states_;  // after iteration states_of_
    mutable int states_of_ = 0;
    std::string why_failed_, why_not_converged_;
    double highest_energy_ = 0;
    int settled_ = 0;  // iterations in a row that have left the energy as it was, as far as rounding tells
    int steady_ = 0;   // and within finest_energy()
};

}  // namespace legato::dfr
