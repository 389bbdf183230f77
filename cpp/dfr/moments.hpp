// Radial integrals over Gaussian functions, of which every matrix element is composed.
#pragma once

namespace legato::dfr {

// Returns int_0^inf r^m e^(-p r^2) dr = Gamma((m+1)/2) / (2 p^((m+1)/2)), m >= 0.
double moment(int m, double p);

// Returns int_0^radius r^m e^(-p r^2) dr.
double inner_moment(int m, double p, double radius);

// Returns the ordered integral
// W(i, k; p, q) = int_0^inf r1^(2i+1) e^(-p r1^2) int_0^r1 r2^(2k) e^(-q r2^2) dr2 dr1
//              = i!/(4 p^(i+1)) (p+q)^(-k-1/2) sum_(j=0..i) [p/(p+q)]^j Gamma(k+j+1/2)/j!     (all terms positive)
double ordered_moment(int i, int k, double p, double q);

}  // namespace legato::dfr
