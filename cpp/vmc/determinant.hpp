// The amplitude of a configuration, Psi = det M, with M_ij = phi(r_i - s_j) of up electrons i and down electrons j. The
// class computes ratios of determinants. An electron that moves keeps its row or column. The following matrices are
// kept as rows, one below the other:
//     I(j, k) = M^-1 of down electron j and up electron k,
//     P(l, k) = sum_j phi(s_l - s_j) I(j, k), the ratio of up electron k at the site of down electron l.
// With P the ratio of an exchange costs two scalar products, and the local energy needs no product of matrices. An
// accepted move changes both matrices in one pass.
#pragma once

#include <cstddef>
#include <vector>

#include "core/aligned.hpp"
#include "vmc/configuration.hpp"
#include "vmc/cpu_kernels.hpp"

namespace legato::vmc {

class Determinant {
  public:
    // Does not compute the inverse. The pair function must outlive the object.
    Determinant(const PairFunction& pair, Configuration configuration);

    const Configuration& configuration() const { return configuration_; }
    std::size_t order() const { return order_; }
    std::size_t row() const { return row_; }
    const double* inverse_row(std::size_t j) const { return rows_.data() + j * row_; }
    double inverse(std::size_t j, std::size_t k) const { return rows_[j * row_ + k]; }
    const double* product_row(std::size_t l) const { return rows_.data() + (order_ + l) * row_; }

    // Recomputes the inverse and the products. Returns false if the matrix is singular. `drift`, if it is not null,
    // gets the largest change of an element of the inverse relative to the largest element.
    bool invert(double* drift = nullptr);
    double reciprocal_condition() const;  // 1 / (|M|_1 |I|_1)
    double residual() const;              // largest element of M I - 1

    // Returns Psi' / Psi if up electron k, or down electron l, moves to the empty site x.
    double up_ratio(std::size_t k, std::size_t x) const;
    double down_ratio(std::size_t l, std::size_t x) const;
    // Moves the electron. `ratio` is the value that up_ratio() or down_ratio() has returned.
    void move_up(std::size_t k, std::size_t x, double ratio);
    void move_down(std::size_t l, std::size_t x, double ratio);

    // Returns Psi' / Psi if up electron k and down electron l change places. The exchange is one step of rank two:
    // between two steps of rank one a site would be doubly occupied, and the determinant could vanish.
    double exchange_ratio(std::size_t k, std::size_t l);
    void exchange(std::size_t k, std::size_t l);  // call it right after exchange_ratio(k, l)

  private:
    std::size_t up_site(std::size_t k) const { return static_cast<std::size_t>(configuration_.up[k]); }
    std::size_t down_site(std::size_t l) const { return static_cast<std::size_t>(configuration_.down[l]); }
    void set_matrix(AlignedVector& m) const;
    void set_products(AlignedVector& rows) const;
    // Computes P(x, .) of any site x.
    void set_product(std::size_t x, double* product);

    const PairFunction* pair_;
    const CpuKernels* kernels_;
    Configuration configuration_;
    std::size_t order_, pairs_, row_;
    AlignedVector rows_;           // [order + pairs][row]
    AlignedVector shift_;          // [order + pairs]
    AlignedVector v_, x_, y_, b_;  // [row]
    double s_[2][2] = {};          // 1 + V^T I U of the exchange whose ratio was computed last
    std::vector<std::size_t> pivots_;
};

}  // namespace legato::vmc
