// The amplitude of a configuration, Psi = det M, M_ij = phi(r_i - s_j) of up electrons i and down electrons j: ratios
// of determinants when electrons move "in place", keeping their row or column, and what they need:
//     I(j, k) = M^-1 of down electron j and up electron k,
//     P(l, k) = sum_j phi(s_l - s_j) I(j, k), the ratio of up electron k at the site of down electron l,
// held as rows one below the other. With P an exchange's ratio costs two products of vectors, and the local energy none
// of matrices; a move that is accepted changes both alike, in one pass.
#pragma once

#include <cstddef>
#include <vector>

#include "core/aligned.hpp"
#include "vmc/configuration.hpp"
#include "vmc/cpu_kernels.hpp"

namespace legato::vmc {

class Determinant {
  public:
    // The pair function must outlive it. No inverse yet.
    Determinant(const PairFunction& pair, Configuration configuration);

    const Configuration& configuration() const { return configuration_; }
    std::size_t order() const { return order_; }
    std::size_t row() const { return row_; }
    const double* inverse_row(std::size_t j) const { return rows_.data() + j * row_; }
    double inverse(std::size_t j, std::size_t k) const { return rows_[j * row_ + k]; }
    const double* product_row(std::size_t l) const { return rows_.data() + (order_ + l) * row_; }

    // Inverse and products anew; false where the matrix is singular. `drift`, if wanted: the largest change of an
    // element relative to the largest element.
    bool invert(double* drift = nullptr);
    double reciprocal_condition() const;  // 1 / (|M|_1 |I|_1)
    double residual() const;              // largest element of M I - 1

    // Psi' / Psi for up electron k, or down electron l, at the empty site x, and the move.
    double up_ratio(std::size_t k, std::size_t x) const;
    double down_ratio(std::size_t l, std::size_t x) const;
    void move_up(std::size_t k, std::size_t x, double ratio);
    void move_down(std::size_t l, std::size_t x, double ratio);

    // The same for up electron k and down electron l that change places, in one step of rank two: the state between two
    // steps of rank one has a doubly occupied site, and its determinant may vanish.
    double exchange_ratio(std::size_t k, std::size_t l);
    void exchange(std::size_t k, std::size_t l);  // right after its ratio

  private:
    std::size_t up_site(std::size_t k) const { return static_cast<std::size_t>(configuration_.up[k]); }
    std::size_t down_site(std::size_t l) const { return static_cast<std::size_t>(configuration_.down[l]); }
    void set_matrix(AlignedVector& m) const;
    void set_products(AlignedVector& rows) const;
    // P(x, .) of any site.
    void set_product(std::size_t x, double* product);

    const PairFunction* pair_;
    const CpuKernels* kernels_;
    Configuration configuration_;
    std::size_t order_, pairs_, row_;
    AlignedVector rows_;           // [order + pairs][row]
    AlignedVector shift_;          // [order + pairs]
    AlignedVector v_, x_, y_, b_;  // [row]
    double s_[2][2] = {};          // of the exchange under way: 1 + V^T I U
    std::vector<std::size_t> pivots_;
};

}  // namespace legato::vmc
