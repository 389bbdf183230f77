// Draws random products of basis functions, and the multipole orders of their repulsion.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "dfr/coupling.hpp"
#include "dfr/two_electron.hpp"

namespace legato::dfr::tests {

class RandomPairs {
  public:
    RandomPairs(double smallest, double largest, int species)
        : log_zeta_(std::log(smallest), std::log(largest)), species_(0, species - 1) {}

    struct Case {
        int nu = 0;
        FunctionPair a, b;
    };

    // Returns two pairs and an order nu to which both couple.
    Case next() {
        while (true) {
            Case c{0, pair(), pair()};
            std::vector<int> orders;
            for (int nu = 0; nu <= 13; ++nu)
                if (couples(c.a, nu) && couples(c.b, nu)) orders.push_back(nu);
            if (orders.empty()) continue;
            c.nu = orders[generator_() % orders.size()];
            return c;
        }
    }

  private:
    FunctionPair pair() {
        const int p = species_(generator_), q = generator_() % 2 ? p : species_(generator_);
        return {generator_() % 2 ? Component::large : Component::small, p, std::exp(log_zeta_(generator_)), q,
                std::exp(log_zeta_(generator_))};
    }
    static bool couples(const FunctionPair& pair, int nu) {
        return exchange_coefficient(pair.species_p, pair.species_q, nu) != 0.0;
    }

    std::mt19937_64 generator_{20111};
    std::uniform_real_distribution<double> log_zeta_;
    std::uniform_int_distribution<int> species_;
};

}  // namespace legato::dfr::tests
