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
      pairs_(order_ - pair.modes),
      row_(row_length(order_)),
      rows_((order_ + pairs_) * row_),
      shift_(order_ + pairs_),
      v_(row_),
      x_(row_),
      y_(row_),
      b_(row_),
      pivots_(order_) {}

void Determinant::set_matrix(AlignedVector& m) const {
    for (std::size_t i = 0; i < order_; ++i)
        kernels_->gather(order_, pair_->row(up_site(i)), configuration_.down.data(), m.data() + i * row_);
}

void Determinant::set_products(AlignedVector& rows) const {
    AlignedVector phi(pairs_ * row_);
    for (std::size_t l = 0; l < pairs_; ++l)
        kernels_->gather(order_, pair_->row(down_site(l)), configuration_.down.data(), phi.data() + l * row_);
    kernels_->product(pairs_, order_, row_, phi.data(), rows.data(), rows.data() + order_ * row_);
}

bool Determinant::invert(double* drift) {
    AlignedVector fresh(rows_.size());
    set_matrix(fresh);
    if (!kernels_->invert(order_, row_, fresh.data(), pivots_.data())) return false;
    if (drift) {
        double largest = 0, change = 0;
        for (std::size_t i = 0; i < order_ * row_; ++i) {
            largest = larger(largest, std::abs(fresh[i]));
            change = larger(change, std::abs(fresh[i] - rows_[i]));
        }
        *drift = change / largest;
    }
    set_products(fresh);
    rows_.swap(fresh);
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
    return 1 / (norm(m) * norm(rows_));
}

double Determinant::residual() const {
    AlignedVector m(order_ * row_), one(order_ * row_);
    set_matrix(m);
    kernels_->product(order_, order_, row_, m.data(), rows_.data(), one.data());
    double largest = 0;
    for (std::size_t i = 0; i < order_; ++i)
        for (std::size_t j = 0; j < order_; ++j)
            largest = std::max(largest, std::abs(one[i * row_ + j] - (i == j ? 1.0 : 0.0)));
    return largest;
}

double Determinant::up_ratio(std::size_t k, std::size_t x) const {
    const double* const phi = pair_->row(x);
    double sum = 0;
    for (std::size_t j = 0; j < order_; ++j) sum += phi[down_site(j)] * rows_[j * row_ + k];
    return sum;
}

double Determinant::down_ratio(std::size_t l, std::size_t x) const {
    return kernels_->gathered_dot(order_, pair_->column(x), configuration_.up.data(), inverse_row(l));
}

void Determinant::set_product(std::size_t x, double* product) {
    kernels_->gather(order_, pair_->row(x), configuration_.down.data(), v_.data());
    kernels_->product(1, order_, row_, v_.data(), rows_.data(), product);
}

// Updates every row for p = P(x, .) and R = p_k. Elements k' != k change by -row[k] p_k' / R. Element k is divided by
// R, which is the same formula with p_k - 1.
void Determinant::move_up(std::size_t k, std::size_t x, double ratio) {
    set_product(x, x_.data());
    x_[k] -= 1;
    for (double& element : x_) element /= ratio;
    kernels_->move_up(order_ + pairs_, row_, k, x_.data(), rows_.data());
    configuration_.electron_at[up_site(k)] = 0;
    configuration_.electron_at[x] = static_cast<std::int32_t>(k) + 1;
    configuration_.up[k] = static_cast<std::int32_t>(x);
}

// Updates every row for u_i = phi(r_i - x) and q = row . u. Rows of the inverse change by -q I(l, .) / R, except row l,
// which is divided by R. The row of products of a down site y changes by -(q - phi(y - x)) I(l, .) / R, because
// phi(y - s_l) becomes phi(y - x). The row of products of l is first set to P(x, .).
void Determinant::move_down(std::size_t l, std::size_t x, double ratio) {
    kernels_->gather(order_, pair_->column(x), configuration_.up.data(), b_.data());
    set_product(x, rows_.data() + (order_ + l) * row_);
    for (std::size_t k = 0; k < row_; ++k) y_[k] = inverse_row(l)[k] / ratio;
    configuration_.electron_at[down_site(l)] = 0;
    configuration_.electron_at[x] = -static_cast<std::int32_t>(l) - 1;
    configuration_.down[l] = static_cast<std::int32_t>(x);
    std::fill_n(shift_.begin(), order_, 0.0);
    shift_[l] = 1;
    for (std::size_t i = 0; i < pairs_; ++i) shift_[order_ + i] = (*pair_)(down_site(i), x);
    kernels_->move_down(order_ + pairs_, row_, b_.data(), shift_.data(), y_.data(), rows_.data());
}

// Uses M' = M + e_k a^T + b e_l^T. Row k becomes that of an up electron at s, column l that of a down electron at r,
// and their common element becomes phi(s - r). a^T I = P(s, .) - P(r, .) = P(l, .) - e_k.
double Determinant::exchange_ratio(std::size_t k, std::size_t l) {
    const std::size_t r = up_site(k), s = down_site(l);
    kernels_->gathered_difference(order_, pair_->column(r), pair_->column(s), configuration_.up.data(), b_.data());
    b_[k] = (*pair_)(s, r) - (*pair_)(s, s);
    const double* const p = product_row(l);
    s_[0][0] = p[k];
    s_[0][1] = kernels_->dot(row_, p, b_.data()) - b_[k];
    s_[1][0] = inverse(l, k);
    s_[1][1] = 1 + kernels_->dot(row_, inverse_row(l), b_.data());
    return s_[0][0] * s_[1][1] - s_[0][1] * s_[1][0];
}

// Applies Woodbury's formula: I -= [I e_k, I b] S^-1 [a^T I; e_l^T I]. Rows of products of a site y change in the same
// way, with row . b - phi(y - r) + phi(y - s) in place of row . b. The row of products of l is first set to
// P(r, .) = e_k.
void Determinant::exchange(std::size_t k, std::size_t l) {
    const double ratio = s_[0][0] * s_[1][1] - s_[0][1] * s_[1][0];
    const std::size_t r = up_site(k), s = down_site(l);
    double* const p = rows_.data() + (order_ + l) * row_;
    const double* const g = inverse_row(l);
    p[k] -= 1;
    for (std::size_t i = 0; i < row_; ++i) {
        x_[i] = (s_[1][1] * p[i] - s_[0][1] * g[i]) / ratio;
        y_[i] = (s_[0][0] * g[i] - s_[1][0] * p[i]) / ratio;
    }
    std::fill_n(p, row_, 0.0);
    p[k] = 1;
    std::swap(configuration_.up[k], configuration_.down[l]);
    configuration_.electron_at[r] = -static_cast<std::int32_t>(l) - 1;
    configuration_.electron_at[s] = static_cast<std::int32_t>(k) + 1;
    std::fill_n(shift_.begin(), order_, 0.0);
    for (std::size_t i = 0; i < pairs_; ++i) shift_[order_ + i] = (*pair_)(down_site(i), r) - (*pair_)(down_site(i), s);
    kernels_->exchange(order_ + pairs_, row_, k, b_.data(), shift_.data(), x_.data(), y_.data(), rows_.data());
}

}  // namespace legato::vmc
