#include "dfr/nuclear_attraction.hpp"

#include <cmath>
#include <numbers>

#include "dfr/moments.hpp"

namespace legato::dfr {
namespace {

// Returns the integral of r^m e^(-p r^2) and the potential of a unit charge in one of the closed forms.
double attraction_term(const Nucleus& nucleus, int m, double p) {
    switch (nucleus.model) {
        case NuclearModel::gaussian:
            return -2.0 * std::sqrt(nucleus.exponent / std::numbers::pi) *
                   ordered_moment((m - 2) / 2, 0, p, nucleus.exponent);
        case NuclearModel::sphere: {
            const double radius = nucleus.radius;
            return -moment(m - 1, p) + inner_moment(m - 1, p, radius) -
                   3.0 * inner_moment(m, p, radius) / (2.0 * radius) +
                   inner_moment(m + 2, p, radius) / (2.0 * radius * radius * radius);
        }
        default:
            return -moment(m - 1, p);
    }
}

}  // namespace

NuclearAttraction::NuclearAttraction(const Nucleus& nucleus) : nucleus_(nucleus) {
    if (nucleus.model == NuclearModel::fermi) fermi_.emplace(nucleus);
}

template <int Terms>
double NuclearAttraction::operator()(const GaussianPolynomial<Terms>& density) const {
    if (fermi_) return -nucleus_.charge * (*fermi_)(density);
    double sum = 0;
    for (int i = 0; i < Terms; ++i)
        if (density.coefficient[static_cast<std::size_t>(i)] != 0.0)
            sum += density.coefficient[static_cast<std::size_t>(i)] *
                   attraction_term(nucleus_, density.power + 2 * i, density.exponent);
    return nucleus_.charge * sum;
}

template double NuclearAttraction::operator()(const GaussianPolynomial<3>&) const;
template double NuclearAttraction::operator()(const GaussianPolynomial<4>&) const;

}  // namespace legato::dfr
