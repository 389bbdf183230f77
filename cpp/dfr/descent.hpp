// Descent of the energy by rotations of the spinors, for fields that DIIS does not converge.
//
// The state is an orthogonal matrix U for each species, whose columns are the spinors: states of negative energy,
// closed shells, the open shell, and virtual states. A step multiplies U by exp(K), where the antisymmetric K rotates
// occupied spinors into others and closed shells into the open one. Derivatives are taken with respect to the elements
// of K at the present U; a rotation by exp(K) does not change the components of earlier steps and derivatives (T. Van
// Voorhis and M. Head-Gordon, Mol. Phys. 100, 1713 (2002)). The direction is that of the limited-memory BFGS method (J.
// Nocedal and S. J. Wright, Numerical Optimization, 2nd ed., algorithm 7.4), with the distances of the levels as first
// Hessian.
//
// Rotations into states of negative energy raise the energy to its maximum. Their Hessian is -4 c^2 a electron, so that
// Newton's step with the distances of the levels is accurate. They are not part of the BFGS matrix.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "core/matrix.hpp"

namespace legato::dfr {

class Descent {
  public:
    // Numbers of the columns of U, which come in this order; the rest are virtual states.
    struct Shells {
        std::size_t negative = 0, closed = 0;
        double open_electrons = 0;  // 0: there is no open shell
        double degeneracy = 0;      // electrons in a closed shell

        std::size_t open() const { return open_electrons > 0 ? 1 : 0; }
        std::size_t occupied() const { return closed + open(); }
        double electrons(std::size_t shell) const { return shell < closed ? degeneracy : open_electrons; }
    };

    // `shells` and `spinors`, [m x m], are those of each species.
    Descent(std::vector<Shells> shells, std::vector<Matrix> spinors);

    // Returns true after the first advance().
    bool has_begun() const { return has_begun_; }
    // Returns U of a species.
    const Matrix& spinors(std::size_t species) const { return spinors_[species]; }
    // Takes the energy at the present spinors and the Fock matrices of each species over the functions of U, which
    // are the derivatives of the energy (SelfConsistentField::coupled_fock()). Moves the spinors: on if the energy has
    // fallen enough, otherwise back towards the spinors before. If memory runs out, the spinors stay as they are.
    void advance(double energy, const std::vector<Matrix>& fock);

  private:
    struct Derivatives {
        std::vector<double> first, second;  // [rotations] second: an estimate of the diagonal of the Hessian
        std::vector<bool> is_negative;      // [rotations] into a state of negative energy
    };
    struct Point {
        double energy = 0;
        std::vector<double> derivatives;  // [rotations]
        std::vector<Matrix> spinors;
    };
    struct Pair {
        std::vector<double> step, change;  // of the rotations and of the derivatives
        double curvature = 0;              // step . change
    };

    template <class Visit>
    void for_each_rotation(const Visit& visit) const;
    Derivatives derivatives_of(const std::vector<Matrix>& fock) const;
    bool has_fallen(double energy, double slope) const;
    double shorter_step(double energy, double slope) const;
    void remember(const Derivatives& here);
    std::vector<double> direction(const Derivatives& here) const;
    std::vector<Matrix> rotated(const std::vector<Matrix>& spinors, double length) const;

    std::vector<Shells> shells_;
    std::vector<Matrix> spinors_;
    bool has_begun_ = false;
    Point base_;                     // where the last step began
    std::vector<double> rotations_;  // direction of the last step
    double length_ = 0;              // of the last step, in units of rotations_
    double slope_ = 0;               // derivative of the energy along rotations_ at the base, negative
    double rise_ = 0, bend_ = 0;     // energy of the rotations into negative states: rise * length + bend * length^2
    std::deque<Pair> pairs_;         // oldest first
};

}  // namespace legato::dfr
