// Prints the charge number and the energy of 1s1/2 of each ion with one electron and the Gaussian nucleus of its
// element, from numerical solutions of the Dirac equation. Two step sizes must agree to 2e-14.
#include <cmath>
#include <cstdio>

#include "dfr/elements.hpp"
#include "dfr/problem.hpp"
#include "numerical_1s.hpp"

using namespace legato::dfr;

int main() {
    const long double c = Problem().speed_of_light;
    bool agree = true;
    for (int element = 1; element <= max_element; ++element) {
        const Nucleus nucleus = make_nucleus(element, NuclearModel::gaussian);
        const long double z = nucleus.charge, root = std::sqrt(static_cast<long double>(nucleus.exponent));
        const auto potential = [&](long double r) { return -z * std::erf(root * r) / r; };
        const long double energy = tests::extrapolated_1s(potential, z, c, 1000);
        if (element % 20 == 1) agree &= std::fabs(tests::extrapolated_1s(potential, z, c, 2000) / energy - 1) < 2e-14L;
        std::printf("%d %.17Lg\n", element, energy);
    }
    return agree ? 0 : 1;
}
