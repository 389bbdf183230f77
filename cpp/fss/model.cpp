#include "fss/model.hpp"

#include <cmath>

namespace legato::fss {
namespace {

struct Slope {
    double value = 0, derivative = 0;
};

// Returns w + sum of b_j w^j from j = 2 on, or 1 + sum of c_j w^j from j = 1 on, with the derivative in w.
Slope expansion(double w, std::size_t lowest, std::span<const double> higher) {
    Slope sum;
    for (std::size_t i = higher.size() + 1; i-- > 0;) {  // the scheme of Horner
        const double coefficient = i == 0 ? 1.0 : higher[i - 1];
        sum.derivative = sum.derivative * w + sum.value;
        sum.value = sum.value * w + coefficient;
    }
    if (lowest == 1) {
        sum.derivative = sum.derivative * w + sum.value;
        sum.value *= w;
    }
    return sum;
}

}  // namespace

Fields Model::fields(std::span<const double> parameters, double length, double control) const {
    const double w = control - parameters[critical_point], log_length = std::log(length);
    Fields fields;
    fields.relevant =
        expansion(w, 1, parameters.subspan(b2(), m1_ - 1)).value * std::exp(log_length / parameters[exponent]);
    if (is_corrected())
        fields.irrelevant = expansion(w, 0, parameters.subspan(b2() + m1_ - 1, m2_)).value *
                            std::exp(log_length * parameters[irrelevant_exponent()]);
    return fields;
}

double Model::value(std::span<const double> parameters, const Fields& fields) const {
    const std::span<const double> a = parameters.subspan(coefficients());
    double sum = 0;
    for (std::size_t k = n2_ + 1; k-- > 0;) {
        double row = 0;
        for (std::size_t j = n1_ + 1; j-- > 0;) row = row * fields.relevant + a[k * (n1_ + 1) + j];
        sum = sum * fields.irrelevant + row;
    }
    return sum;
}

void Model::monomials(const Fields& fields, std::span<double> out) const {
    double outer = 1;
    for (std::size_t k = 0; k <= n2_; ++k) {
        double product = outer;
        for (std::size_t j = 0; j <= n1_; ++j) {
            out[k * (n1_ + 1) + j] = product;
            product *= fields.relevant;
        }
        outer *= fields.irrelevant;
    }
}

void Model::gradient(std::span<const double> parameters, double length, double control, std::span<double> out) const {
    const double w = control - parameters[critical_point], log_length = std::log(length), nu = parameters[exponent];
    const std::span<const double> a = parameters.subspan(coefficients());
    const double scale = std::exp(log_length / nu);
    const Slope u1 = expansion(w, 1, parameters.subspan(b2(), m1_ - 1));
    Fields phi{u1.value * scale, 0};
    double correction = 0;  // L^y
    Slope u2;
    if (is_corrected()) {
        correction = std::exp(log_length * parameters[irrelevant_exponent()]);
        u2 = expansion(w, 0, parameters.subspan(b2() + m1_ - 1, m2_));
        phi.irrelevant = u2.value * correction;
    }
    const std::span<double> powers = out.subspan(coefficients(), linear());
    monomials(phi, powers);
    double along_relevant = 0, along_irrelevant = 0;  // derivatives of F with respect to phi_1 and phi_2
    for (std::size_t k = 0; k <= n2_; ++k)
        for (std::size_t j = 0; j <= n1_; ++j) {
            const std::size_t at = k * (n1_ + 1) + j;
            if (j > 0) along_relevant += a[at] * static_cast<double>(j) * powers[at - 1];
            if (k > 0) along_irrelevant += a[at] * static_cast<double>(k) * powers[at - (n1_ + 1)];
        }
    out[critical_point] = -(along_relevant * scale * u1.derivative + along_irrelevant * correction * u2.derivative);
    out[exponent] = -along_relevant * phi.relevant * log_length / (nu * nu);
    if (is_corrected()) out[irrelevant_exponent()] = along_irrelevant * phi.irrelevant * log_length;
    double power = w;
    for (std::size_t i = 0; i + 1 < m1_; ++i) out[b2() + i] = along_relevant * scale * (power *= w);
    power = 1;
    for (std::size_t i = 0; i < m2_; ++i) out[b2() + m1_ - 1 + i] = along_irrelevant * correction * (power *= w);
}

}  // namespace legato::fss
