// The pair function phi(r) of the projected BCS state (A. Paramekanti, M. Randeria and N. Trivedi, PRB 70, 054504
// (2004)):
//     phi(r) = (1/Ns) sum_k phi_k cos(k.r),    phi_k = Delta_k / (xi_k + sqrt(xi_k^2 + Delta_k^2)),
//     xi_k = -2 t (cos kx + cos ky) - 4 t' cos kx cos ky - 2 t'' (cos 2kx + cos 2ky) - mu.
#pragma once

#include <vector>

#include "vmc/lattice.hpp"

namespace legato::vmc {

// The caller's own phi(r), [sites] by the number of the displacement r. If it is empty, phi follows from the
// PairParameters. A singlet needs phi(-r) = phi(r), which is not checked.
struct PairTable {
    std::vector<double> values;
    bool divergent_zero = false;  // true if phi_k of k = 0 is infinite and is not contained in the values
};

enum class Parameter : int { delta = 0, mu = 1, t_prime = 2, t_double_prime = 3 };
inline constexpr std::size_t variational_parameters = 4;

// The amplitudes phi_k. If Delta_k = 0, phi_k is 0 for xi_k > 0 and diverges for xi_k < 0.
struct PairAmplitudes {
    std::vector<double> finite;          // [sites], 0 if phi_k diverges
    std::vector<std::size_t> divergent;  // numbers of wave vectors
};

// Throws an invalid_argument if Delta_k = xi_k = 0, because phi_k then depends on how the limit is taken.
PairAmplitudes pair_amplitudes(const Geometry& geometry, const PairParameters& parameters);

// The pair function phi(r_a - r_b) for all pairs of sites. Divergent amplitudes are taken to infinity. In this limit
// the amplitude is, up to a factor, the determinant of
//     B = [ M  U ; U^T  0 ],    U_im = mode m at the site of electron i.
// The modes are cos k.r, and sin k.r if k and -k are different. They are scaled to the size of phi. Each mode adds a
// fictitious site, numbered after the real ones, with a pair of electrons that never moves.
struct PairFunction {
    std::size_t sites = 0, modes = 0;
    std::vector<double> values, transposed;  // [order][order]: values[a * order + b] = phi(r_a - r_b)

    std::size_t order() const { return sites + modes; }
    double operator()(std::size_t a, std::size_t b) const { return values[a * order() + b]; }
    const double* row(std::size_t a) const { return values.data() + a * order(); }         // phi(a - .)
    const double* column(std::size_t b) const { return transposed.data() + b * order(); }  // phi(. - b)
};

// Returns the number of modes that represent the divergent amplitudes.
std::size_t count_modes(const Geometry& geometry, const PairAmplitudes& amplitudes);

// Returns phi(r) of every displacement from site 0, without the divergent amplitudes.
std::vector<double> pair_function_of(const Geometry& geometry, const PairAmplitudes& amplitudes);
PairFunction pair_function(const Geometry& geometry, const PairParameters& parameters, const PairTable& table = {});

// Returns the derivative of the pair function by a parameter, for all pairs of sites: [order][order]. Element
// values[b * order + a] is that of phi(r_a - r_b), as in PairFunction::transposed. Infinite amplitudes contribute
// nothing: in the limit nothing depends on how fast they diverge. A PairTable has no derivatives.
std::vector<double> pair_derivative(const Geometry& geometry, const PairParameters& parameters, Parameter by);

void validate(const PairTable& table, std::int64_t sites);

}  // namespace legato::vmc
