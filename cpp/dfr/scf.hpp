// The self-consistent field of one atom, in halves between which an engine works.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "dfr/engine.hpp"
#include "dfr/problem.hpp"
#include "dfr/result.hpp"

namespace legato::dfr {

class SelfConsistentField {
  public:
    SelfConsistentField(const Problem& problem, const Atom& atom, std::size_t index);

    std::size_t species() const { return blocks_.size(); }

    // The matrices whose eigenvectors are the next orbitals, one a species: at first of the screened nucleus.
    std::span<Matrix> matrices() { return matrices_; }
    // Takes the orbitals from the eigenvectors in matrices().
    void take_orbitals();

    // The mean repulsions that these orbitals need.
    RepulsionJob& job() { return job_; }
    // From the repulsions: energy, gradient, and the next matrices().
    void take_repulsion();

    bool finished() const { return result_.status >= AtomStatus::converged; }
    AtomResult result() const;

  private:
    struct Block {
        Matrix one_electron, kinetic, nuclear;  // [order x order], order 2n or n
        Matrix basis;                           // [order x m] canonically orthonormal functions
        std::size_t negative = 0;               // states of negative energy
        Matrix eigenvectors;                    // [m x m] in the orthonormal functions
        Matrix orbitals;                        // [order x m] basis * eigenvectors
        std::vector<double> energies;           // [m]
        int left_out = 0;
        int closed = 0;
        double open_electrons = 0;
    };
    struct Step {
        std::vector<Matrix> fock, error;
    };

    Block make_block(int species) const;
    void make_job();
    Matrix coupled_fock(Block& block, std::size_t s, Matrix& error) const;
    void extrapolate(Step step);
    void judge(double energy);

    const Problem& problem_;
    const Atom& atom_;
    std::vector<Block> blocks_;
    std::vector<Matrix> matrices_;
    std::vector<int> open_target_;  // [species] the target of its open shell, -1 if none
    RepulsionJob job_;
    std::deque<Step> history_;
    AtomResult result_;
    double last_energy_ = 0;
    int stagnant_ = 0;
};

}  // namespace legato::dfr
