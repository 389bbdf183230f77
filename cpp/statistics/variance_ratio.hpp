// Fisher's distribution of the ratio of two independent estimates of the same variance.
#pragma once

namespace legato::statistics {

// Returns the probability that the ratio exceeds `ratio`. The estimates have n (numerator) and m (denominator) degrees
// of freedom.
double exceedance(double ratio, double n, double m);

}  // namespace legato::statistics
