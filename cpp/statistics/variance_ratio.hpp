// Fisher's distribution of the ratio of two estimates of one variance.
#pragma once

namespace legato::statistics {

// The probability that the ratio of two independent estimates of the same variance, with n and m degrees of freedom,
// exceeds `ratio`.
double exceedance(double ratio, double n, double m);

}  // namespace legato::statistics
