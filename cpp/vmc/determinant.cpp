#include "vmc/determinant.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/larger.hpp"

namespace legato::vmc {

Determinant::Determinant(const PairFunction& pair, Configuration configuration)
    : pair_(&pair),
      kernels_(&cpu_kernels()),
      configuration_(std::move(configuration)),
      order_(configuration_.up.size()),
      row_(row_length(order_)),
      inverse_(order_ * row_),
      v_(row_),
      p_(row_),
      q_(row_),
      a_inverse_(row_),
      b_(row_),
      i_b_(row_),
      pivots_(order_) {}

void Determinant::set_matrix(AlignedVector& m) const {
    std::fill(m.begin(), m.end(), 0.0);
    for (std::size_t i = 0; i < order_; ++i)
        kernels_->gather(order_, pair_->to(up_site(i)), configuration_.down.data(), m.data() + i * row_);
}

bool Determinant::invert(double* drift) {
    AlignedVector fresh(order_ * row_);
    set_matrix(fresh);
    if (!kernels_->invert(order_, row_, fresh.data(), pivots_.data())) return false;
    if (drift) {
        double largest = 0, change = 0;
        for (std::size_t i = 0; i < fresh.size(); ++i) {
            largest = larger(largest, std::abs(fresh[i]));
            change = larger(change, std::abs(fresh[i] - inverse_[i]));
        }
        *drift = change / largest;
    }
    inverse_.swap(fresh);
    return true;
}

double Determinant::reciprocal_condition() const {
    AlignedVector m(order_ * row_);
    set_matrix(m);
    const auto norm = [&](const AlignedVector& matrix) {
        double largest = 0;
        for (std::size_t column = 0; column < order_; ++column) {
            double sum = 0;
            for (std::size_t i = 0; i < order_; ++i) sum += std::abs(matrix[i * row_ + column]);
            largest = std::max(largest, sum);
        }
        return largest;
    };
    return 1 / (norm(m) * norm(inverse_));
}

double Determinant::residual() const {
    AlignedVector m(order_ * row_), one(order_ * row_);
    set_matrix(m);
    kernels_->product(order_, order_, row_, m.data(), inverse_.data(), one.data());
    double largest = 0;
    for (std::size_t i = 0; i < order_; ++i)
        for (std::size_t j = 0; j < order_; ++j)
            largest = std::max(largest, std::abs(one[i * row_ + j] - (i == j ? 1.0 : 0.0)));
    return largest;
}

double Determinant::up_ratio(std::size_t k, std::size_t x) const {
    const double* const phi = pair_->to(x);
    double sum = 0;
    for (std::size_t j = 0; j < order_; ++j) sum += phi[down_site(j)] * inverse_[j * row_ + k];
    return sum;
}

double Determinant::down_ratio(std::size_t l, std::size_t x) const {
    return kernels_->gathered_dot(order_, pair_->from(x), configuration_.up.data(), inverse_row(l));
}

// I(j,k') -= I(j,k) p_k' / R for k' != k, and I(j,k) /= R: with p_k - 1 in place of p_k both are the same, as p_k = R.
void Determinant::move_up(std::size_t k, std::size_t x, double ratio) {
    kernels_->gather(order_, pair_->to(x), configuration_.down.data(), v_.data());
    kernels_->product(1, order_, row_, v_.data(), inverse_.data(), p_.data());
    p_[k] -= 1;
    for (std::size_t j = 0; j < order_; ++j) q_[j] = inverse_[j * row_ + k] / ratio;
    kernels_->rank_one(order_, row_, q_.data(), p_.data(), inverse_.data());
    configuration_.electron_at[up_site(k)] = 0;
    configuration_.electron_at[x] = static_cast<std::int32_t>(k) + 1;
    configuration_.up[k] = static_cast<std::int32_t>(x);
}

// I(j,k) -= q_j I(l,k) / R for j != l, and I(l,k) /= R.
void Determinant::move_down(std::size_t l, std::size_t x, double ratio) {
    kernels_->gather(order_, pair_->from(x), configuration_.up.data(), v_.data());
    kernels_->times(order_, row_, inverse_.data(), v_.data(), q_.data());
    q_[l] -= 1;
    for (std::size_t k = 0; k < row_; ++k) p_[k] = inverse_[l * row_ + k] / ratio;
    kernels_->rank_one(order_, row_, q_.data(), p_.data(), inverse_.data());
    configuration_.electron_at[down_site(l)] = 0;
    configuration_.electron_at[x] = -static_cast<std::int32_t>(l) - 1;
    configuration_.down[l] = static_cast<std::int32_t>(x);
}

// M' = M + e_k a^T + b e_l^T: row k becomes that of an up electron at s, column l that of a down electron at r, and
// their common element phi(s - r).
double Determinant::exchange_ratio(std::size_t k, std::size_t l) {
    const std::size_t r = up_site(k), s = down_site(l);
    const PairFunction& phi = *pair_;
    for (std::size_t j = 0; j < order_; ++j) v_[j] = phi(s, down_site(j)) - phi(r, down_site(j));
    for (std::size_t i = 0; i < order_; ++i) b_[i] = phi(up_site(i), r) - phi(up_site(i), s);
    b_[k] = phi(s, r) - phi(s, s);
    kernels_->product(1, order_, row_, v_.data(), inverse_.data(), a_inverse_.data());
    s_[0][0] = 1 + a_inverse_[k];
    s_[0][1] = kernels_->dot(row_, a_inverse_.data(), b_.data());
    s_[1][0] = inverse(l, k);
    s_[1][1] = 1 + kernels_->dot(row_, inverse_row(l), b_.data());
    return s_[0][0] * s_[1][1] - s_[0][1] * s_[1][0];
}

// Woodbury: I -= [h, I b] S^-1 [a^T I; g], h column k and g row l of I.
void Determinant::exchange(std::size_t k, std::size_t l) {
    const double ratio = s_[0][0] * s_[1][1] - s_[0][1] * s_[1][0];
    const double* const g = inverse_row(l);
    kernels_->times(order_, row_, inverse_.data(), b_.data(), i_b_.data());
    for (std::size_t j = 0; j < order_; ++j) q_[j] = inverse_[j * row_ + k];
    for (std::size_t i = 0; i < row_; ++i) {
        v_[i] = (s_[1][1] * a_inverse_[i] - s_[0][1] * g[i]) / ratio;
        p_[i] = (s_[0][0] * g[i] - s_[1][0] * a_inverse_[i]) / ratio;
    }
    kernels_->rank_two(order_, row_, q_.data(), v_.data(), i_b_.data(), p_.data(), inverse_.data());
    std::swap(configuration_.up[k], configuration_.down[l]);
    configuration_.electron_at[up_site(k)] = static_cast<std::int32_t>(k) + 1;
    configuration_.electron_at[down_site(l)] = -static_cast<std::int32_t>(l) - 1;
}

}  // namespace legato::vmc
