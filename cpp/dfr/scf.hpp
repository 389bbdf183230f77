// The self-consistent field of one atom. An iteration consists of steps between which an engine works.
#pragma once

#include <cstddef>
#include <deque>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dfr/descent.hpp"
#include "dfr/engine.hpp"
#include "dfr/problem.hpp"
#include "dfr/quadrature.hpp"
#include "dfr/repulsion_job.hpp"
#include "dfr/result.hpp"
#include "dfr/start.hpp"

namespace legato::dfr {

class SelfConsistentField {
  public:
    // Makes a field that other ranks advance: it only reads their records.
    SelfConsistentField(const Problem& problem, const Atom& atom);
    // `index` is the index of the atom in the engine.
    SelfConsistentField(const Problem& problem, const Atom& atom, const Quadrature& quadrature, std::size_t index,
                        int threads, const Start& start = {});

    // The functions from here to close_iteration() make an iteration. Those with an argument `species` may run for
    // several species at once. If memory runs out in one of them, the iteration can be started again.
    //
    // Returns true if the field has begun with spinors: its first iteration has no eigenproblems.
    bool has_spinors() const { return starts_with_spinors_ && result_.iterations == 0; }
    // Builds the matrix whose eigenvectors are the spinors of one species; the engine solves it afterwards.
    void pose_eigenproblem(std::size_t species);
    Eigenproblem& eigenproblem(std::size_t species) { return blocks_[species].eigenproblem; }
    // Prepares the job for the mean repulsions of the spinors, which the engine computes afterwards. Ends the field if
    // there are no spinors.
    void make_job();
    RepulsionJob& job() { return job_; }
    const RepulsionJob& job() const { return job_; }
    // Returns the one-electron matrix of a species over its basis functions.
    const Matrix& one_electron_of(std::size_t species) const { return blocks_[species].one_electron; }
    // Returns whether the energy is not stationary because functions of a species have been left out for near linear
    // dependence (gradient.hpp).
    bool leaves_out_functions(std::size_t species) const {
        const Block& block = blocks_[species];
        const bool extended = block.large_functions < block.small.rows;
        return block.large.columns < block.large_functions || (!extended && block.negative() < block.small.rows);
    }
    // Computes Fock matrix, gradient and energies of one species from the repulsions.
    void take_repulsion(std::size_t species);
    // Computes energy and gradient, tests convergence, and finds the weights that give the next spinors.
    void close_iteration();

    std::size_t species() const { return blocks_.size(); }
    bool finished() const { return result_.status >= AtomStatus::converged; }
    // Returns the result without species.
    const AtomResult& summary() const { return result_; }
    // Returns the result. It has no species before the first iteration or after a failure. The first call after an
    // iteration computes the states that the iteration itself does not need; it throws a numerical_error if LAPACK
    // fails.
    AtomResult result() const;
    // Returns the occupied spinors after an iteration.
    StartSpinors spinors() const;
    const std::string& why_failed() const { return why_failed_; }
    // Returns the attainable accuracy if rounding, not max_iterations, prevented convergence; otherwise it is empty.
    const std::string& why_not_converged() const { return why_not_converged_; }
    // write_record() appends what other ranks need for results to `record`, and read_record() reads it and moves the
    // beginning of the span behind it. Without states, only the members above can be read then.
    void write_record(std::vector<std::byte>& record, bool with_states) const;
    void read_record(std::span<const std::byte>& record, bool with_states);
    // Returns the highest energy of an occupied spinor after the last iteration.
    double highest_energy() const { return highest_energy_; }

  private:
    // The functions of one species. The orthonormal functions are the canonical combinations of the large components,
    // followed by those of the small ones. Matrices over them have order m; matrices over the basis functions have
    // order 2n (n without relativity).
    struct Block {
        Matrix one_electron, kinetic, nuclear;
        std::size_t large_functions = 0;  // number of functions whose large component is used
        Matrix large, small;              // [n x m_large], [n x m_small] coefficients of the orthonormal functions
        Eigenproblem eigenproblem;        // [m x m], at first of the screened nucleus; vectors: the occupied shells
        double largest = 0;               // largest absolute eigenvalue
        std::vector<OccupiedShell> shells;

        std::size_t negative() const { return small.columns; }                 // number of states of negative energy
        const Matrix& orbitals() const { return eigenproblem.pairs.vectors; }  // [m x occupied]
        std::size_t occupied() const { return shells.size(); }
        std::size_t highest() const { return shells.empty() ? 0 : shells.back().index + 1; }  // states up to this one
    };
    struct Step {
        std::vector<Matrix> fock, error;  // [species]
        std::deque<double> overlaps;  // products of the error with those of remembered steps, oldest first, and itself
    };
    struct Energies {
        double one_electron = 0, kinetic = 0, nuclear = 0, repulsion = 0;
    };

    template <class Field, class Pass>
    static void for_each_shared(Field& field, bool with_states, Pass&& pass);
    Block make_block(int species) const;
    void begin_screened(const Quadrature& quadrature, double electrons, int threads);
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
    void check_convergence(double previous_energy);
    void find_next_spinors();
    bool makes_no_progress() const;
    void remember_gradient();
    void remember_lowest();
    void pose_spinors(std::size_t species);
    void begin_descent(const std::vector<Matrix>& occupied);
    std::vector<Matrix> canonical_spinors() const;
    void end_descent();
    std::string wrong_order() const;
    std::string wrong_state() const;
    std::vector<Matrix> excess_of(std::size_t species) const;
    std::string unfinished_descent() const;
    double energy_of_unbound() const;

    const Problem& problem_;
    const Atom& atom_;
    std::vector<Block> blocks_;
    std::vector<DensityShells> densities_;  // of the job
    RepulsionJob job_;
    Step step_;                       // step of this iteration
    std::vector<Energies> energies_;  // [species]
    std::deque<Step> history_;
    std::vector<double> weights_;  // [history] weights of the Fock matrices in the sum that gives the next spinors
    AtomResult result_;            // its species stay empty
    mutable std::mutex states_mutex_;
    mutable std::vector<Species> states_;  // states after iteration states_of_
    mutable int states_of_ = 0;
    std::string why_failed_, why_not_converged_;
    double highest_energy_ = 0;
    bool starts_with_spinors_ = false;
    // If the extrapolation makes no progress, the field descends instead, from the lowest energy of late iterations.
    std::optional<Descent> descent_;
    std::deque<double> gradients_;  // of the last iterations
    double lowest_energy_ = std::numeric_limits<double>::infinity();
    std::vector<Matrix> lowest_spinors_;  // [species] occupied ones
    int iterations_at_threshold_ = 0;     // successive energy changes within energy_threshold or rounding
    int iterations_at_resolution_ = 0;    // successive energy changes within finest_energy()
};

}  // namespace legato::dfr
