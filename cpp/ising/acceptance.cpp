#include <algorithm>
#include <cmath>

#include "ising/metropolis.hpp"

namespace legato::ising {
namespace {

template <int Count>
void set_probability(Acceptance<Count>& acceptance, int number, double p) {
    const double scaled = std::ldexp(p, coarse_bits), q = std::floor(scaled), tail = std::ldexp(scaled - q, 64);
    for (int k = 0; k < coarse_bits; ++k)
        acceptance.planes[k][number] = (static_cast<std::uint32_t>(q) >> (coarse_bits - 1 - k) & 1) != 0 ? ~0u : 0u;
    acceptance.tail_low[number] = static_cast<std::uint32_t>(static_cast<std::uint64_t>(tail));
    acceptance.tail_high[number] = static_cast<std::uint32_t>(static_cast<std::uint64_t>(tail) >> 32);
}

}  // namespace

template <class C>
Acceptance<C::count> acceptance_of(double beta, double field) {
    // If U equals q, a site whose flip probability is 1 keeps its spin.
    const double resting = std::min(std::exp(-4 * std::fabs(beta)), 1 - std::ldexp(1.0, -coarse_bits));
    Acceptance<C::count> acceptance{};
    for (int number = 0; number < C::count; ++number) {
        // Number of neighbours that are up, or that point as the spin does.
        const int up = C::general ? number : number + C::dimensions + 1;
        const double local = beta * (2 * up - C::neighbours + field);
        const double p = std::exp(-2 * std::fabs(local));
        const bool equal = p == 1;
        if (equal) acceptance.balanced[number] = ~0u;
        set_probability(acceptance, number, equal ? resting : p);
        if (local > 0 || equal) acceptance.uphill[1][number] = ~0u;
        if (local < 0 || equal) acceptance.uphill[0][number] = ~0u;
    }
    return acceptance;
}

template Acceptance<2> acceptance_of<Classes<2, false>>(double, double);
template Acceptance<3> acceptance_of<Classes<3, false>>(double, double);
template Acceptance<5> acceptance_of<Classes<2, true>>(double, double);
template Acceptance<7> acceptance_of<Classes<3, true>>(double, double);

}  // namespace legato::ising
