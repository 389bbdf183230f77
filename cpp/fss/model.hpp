// The scaling function F(phi_1, phi_2) with its parameters, and their order in a list. capi/include/legato/fss.h has
// the formulas. w is x - x_c.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "fss/params.hpp"

namespace legato::fss {

struct Fields {
    double relevant = 0, irrelevant = 0;  // phi_1, phi_2
};

class Model {
  public:
    // Places of the parameters that every fit has. The others follow: y, b_2 to b_{m_1}, c_1 to c_{m_2}, a_jk.
    static constexpr std::size_t critical_point = 0, exponent = 1;
    static constexpr std::size_t most_parameters = 96;

    // The orders must be in their ranges.
    explicit Model(const Params& params)
        : n1_(static_cast<std::size_t>(params.relevant_order)),
          n2_(static_cast<std::size_t>(params.irrelevant_order)),
          m1_(static_cast<std::size_t>(params.relevant_expansion)),
          m2_(static_cast<std::size_t>(params.irrelevant_expansion)) {}

    bool is_corrected() const { return n2_ > 0; }  // has an irrelevant field
    bool is_curved() const { return m1_ > 1; }     // u_1 is not w alone
    std::size_t irrelevant_exponent() const { return 2; }
    std::size_t b2() const { return is_corrected() ? 3 : 2; }
    std::size_t coefficients() const { return b2() + (m1_ - 1) + m2_; }  // place of a_00
    std::size_t linear() const { return (n1_ + 1) * (n2_ + 1); }         // number of the a_jk, which come last
    std::size_t parameters() const { return coefficients() + linear(); }

    // Returns true if nu > 0 and y < 0.
    bool is_valid(std::span<const double> parameters) const {
        return parameters[exponent] > 0 && (!is_corrected() || parameters[irrelevant_exponent()] < 0);
    }

    Fields fields(std::span<const double> parameters, double length, double control) const;

    double value(std::span<const double> parameters, const Fields& fields) const;

    // Calculates the derivatives of F with respect to all parameters.
    void gradient(std::span<const double> parameters, double length, double control, std::span<double> out) const;

    // Calculates the derivatives with respect to the a_jk, phi_1^j phi_2^k.
    void monomials(const Fields& fields, std::span<double> out) const;

  private:
    std::size_t n1_, n2_, m1_, m2_;
};

}  // namespace legato::fss
