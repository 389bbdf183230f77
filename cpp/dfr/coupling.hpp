// Angular coefficients of the exchange between closed shells.
#pragma once

namespace legato::dfr {

// Returns b_nu(kappa, kappa') = (j nu j'; 1/2 0 -1/2)^2, a squared 3j symbol. It is 0 unless |j-j'| <= nu <= j+j' and
// l+l'+nu is even (I. P. Grant, Adv. Phys. 19, 747 (1970)).
double exchange_coefficient(int species, int other, int nu);

}  // namespace legato::dfr
