#include "dfr/two_electron.hpp"

#include <array>
#include <cmath>

#include "dfr/moments.hpp"
#include "dfr/symmetry.hpp"

namespace legato::dfr {
namespace {

// The function norm * sum over i of c_i r^(power + step i) e^(-exponent r^2) after integration by parts, where c is
// `inner` or `outer`. `boundary` is the c/(2p) of the integrated term.
struct Product {
    double norm = 0, exponent = 0, boundary = 0;
    int power = 0, step = 0;
    std::array<double, 2> inner{}, outer{};
};

// Returns the coefficient of the term with the highest power of r in a normalised function, without its sign.
double leading_coefficient(int power, double zeta) {
    return 1.0 / std::sqrt(moment(2 * power, 2.0 * zeta));
}

// Returns r^power e^(-p r^2).
Product plain(int power) {
    Product product;
    product.power = power;
    product.inner[0] = product.outer[0] = 1.0;
    return product;
}

// Returns [a/(2 zeta) r^l - r^(l+2)] (-r^(k+2)) e^(-p r^2) with a = 2l + 1. zeta is the exponent of the function with
// kappa > 0, and eta that of the other.
Product one_positive_kappa(int nu, int l, double zeta, int k, double eta) {
    const double a = 2 * l + 1, p = zeta + eta;
    Product product;
    product.power = l + k + 2;
    product.inner = {(k - l + 2 + nu) / (2.0 * p), -a * eta / (2.0 * zeta * p)};
    product.outer = {(k - l + 1 - nu) / (2.0 * p), -a * eta / (2.0 * zeta * p)};
    product.boundary = 0.5 / p;
    return product;
}

// Returns [a/(2 zeta) r^l - r^(l+2)] [b/(2 eta) r^k - r^(k+2)] e^(-p r^2) with a = 2l + 1 and b = 2k + 1.
Product two_positive_kappas(int nu, int l, double zeta, int k, double eta) {
    const double a = (2 * l + 1) / zeta, b = (2 * k + 1) / eta, p = zeta + eta;
    Product product;
    product.power = l + k;
    product.step = 4;
    product.inner = {-(a * (nu + l - k) + b * (nu + k - l)) / (4.0 * p), 1.0};
    product.outer = {(a * (nu + 1 + k - l) + b * (nu + 1 + l - k)) / (4.0 * p), 1.0};
    product.boundary = -(a + b) / (4.0 * p);
    return product;
}

Product small_product(int nu, int species_p, double zeta_p, int species_q, double zeta_q) {
    const int l = l_of(species_p), k = l_of(species_q);
    const bool positive_p = kappa_of(species_p) > 0, positive_q = kappa_of(species_q) > 0;
    if (positive_p && positive_q) return two_positive_kappas(nu, l, zeta_p, k, zeta_q);
    if (positive_p) return one_positive_kappa(nu, l, zeta_p, k, zeta_q);
    if (positive_q) return one_positive_kappa(nu, k, zeta_q, l, zeta_p);
    return plain(l + k + 4);
}

// Returns a product in which lengths are multiplied by sqrt(scale).
Product make_product(int nu, const FunctionPair& pair, double scale) {
    const double zeta_p = pair.zeta_p / scale, zeta_q = pair.zeta_q / scale;
    const int l = l_of(pair.species_p), k = l_of(pair.species_q);
    const bool large = pair.component == Component::large;
    Product product = large ? plain(l + k + 2) : small_product(nu, pair.species_p, zeta_p, pair.species_q, zeta_q);
    const int highest = large ? 1 : 2;
    product.norm = leading_coefficient(l + highest, zeta_p) * leading_coefficient(k + highest, zeta_q);
    product.exponent = zeta_p + zeta_q;
    return product;
}

void add(RepulsionIntegral& sum, double term) {
    sum.value += term;
    sum.magnitude += std::fabs(term);
}

// Adds the part of the integral where the radius of `a` is the larger one.
void add_ordered(int nu, const Product& a, const Product& b, RepulsionIntegral& sum) {
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 2; ++k) {
            const double c = a.outer[static_cast<std::size_t>(i)] * b.inner[static_cast<std::size_t>(k)];
            if (c == 0.0) continue;
            const double w = ordered_moment((a.power + a.step * i - nu - 2) / 2, (b.power + b.step * k + nu) / 2,
                                            a.exponent, b.exponent);
            add(sum, a.norm * (b.norm * (c * w)));
        }
}

}  // namespace

RepulsionIntegral repulsion_integral(int nu, const FunctionPair& a, const FunctionPair& b) {
    // Powers of very large exponents would overflow, so that exponents are divided by `scale`.
    const double scale = a.zeta_p + a.zeta_q + b.zeta_p + b.zeta_q;
    const Product left = make_product(nu, a, scale), right = make_product(nu, b, scale);
    RepulsionIntegral sum;
    add_ordered(nu, left, right, sum);
    add_ordered(nu, right, left, sum);
    if (const double c = left.boundary * right.boundary; c != 0.0)
        add(sum, left.norm * (right.norm *
                              ((2 * nu + 1) * c * moment(left.power + right.power, left.exponent + right.exponent))));
    return {std::sqrt(scale) * sum.value, std::sqrt(scale) * sum.magnitude};
}

}  // namespace legato::dfr
