// Input of the transfer-matrix method. It computes Lyapunov exponents of the Anderson model on a quasi-one-dimensional
// bar,
//     psi_{n+1}(i) = (E - V_n(i)) psi_n(i) - t sum_{nn i' of i} psi_n(i') - psi_{n-1}(i),
// for a list of (energy, disorder) points (MacKinnon and Kramer, PRL 47, 1546 (1981)). Energies are in units of the
// longitudinal hopping, lengths in lattice spacings.
#pragma once

#include <cstdint>
#include <span>

#include "core/host_device.hpp"

namespace legato::tmm {

enum class Boundary : int { hard_wall = 0, periodic = 1, antiperiodic = 2 };  // boundary in the transverse directions

enum class Disorder : int {
    uniform = 0,         // V uniform on [-W/2, W/2]
    uniform_scaled = 1,  // V uniform, standard deviation W
    gaussian = 2,        // V normal, standard deviation W; the two lfsr113 streams sum 20 uniforms as TMSEXD does
};

enum class RandomStream : int {
    lfsr113 = 0,           // one generator as in TMSEXD, seeded again at every point; the sites draw from it in turn
    lfsr113_per_site = 1,  // one generator per site as in Edwards' GPU code; site i (1-based) has the seed 1276 + i
    philox = 2,            // counter-based; the numbers of every point, slice and site are independent
};

// Rule for the start of a point, for its averages and errors, and for its convergence.
enum class Rule : int {
    blocks = 0,  // random start, burn-in, errors from the spread of block averages
    tmsexd = 1,  // rule of TMSEXD: starts from the identity, counts every cycle, takes cycles as independent
};

inline constexpr double most_hopping = 1e6;
inline constexpr int most_blocks = 64;      // largest number of blocks of a point; then pairs of blocks are merged
inline constexpr int fewest_blocks = 8;     // smallest number of blocks that gives an error
inline constexpr int most_min_blocks = 48;  // limit of min_blocks; right after a merge there are most_blocks / 2 blocks
inline constexpr std::int64_t most_burn_in = 1'000'000'000;

struct Problem {
    int dimension = 2;       // 1, 2 or 3
    std::int64_t width = 1;  // M: the bar is M (2D) or M x M (3D) sites across; 1 in 1D
    Boundary boundary = Boundary::periodic;
    Disorder disorder = Disorder::uniform;
    RandomStream random_stream = RandomStream::philox;
    std::int64_t seed = 1277;
    double hopping = 1.0;       // transverse hopping t ("Kappa")
    std::int64_t n_ortho = 10;  // multiplications in a cycle, which ends with an orthonormalisation
    double max_growth = 0.0;    // above 0: orthonormalise within a cycle too, so often that the ratio of largest
                                // to smallest growth stays below this bound; 0: only at the end of a cycle
    std::int64_t max_multiplications = 1'000'000'000;  // a point that needs more is reported as not converged
    double epsilon = 0.005;  // relative error of the smallest exponent at which a point has converged
    Rule rule = Rule::blocks;
    int min_blocks = 32;         // Rule::blocks: blocks that must be averaged before a point can converge
    std::int64_t burn_in = 128;  // Rule::blocks: cycles left out at the start; an eighth of the run is the minimum

    // Returns N, the number of sites in a slice, which is also the number of exponents.
    LEGATO_HOST_DEVICE std::int64_t sites() const { return dimension == 3 ? width * width : width; }
    LEGATO_HOST_DEVICE std::int64_t max_cycles() const {
        return max_multiplications > n_ortho ? max_multiplications / n_ortho : 1;
    }
};

struct Point {
    double energy = 0;
    double disorder = 0;  // W
};

inline constexpr std::int64_t max_sites = 4096;
inline constexpr std::int64_t max_points = 10'000'000;

// Throws invalid_argument with the name of the wrong field.
void validate(const Problem& problem);
void validate(std::span<const Point> points);

}  // namespace legato::tmm
