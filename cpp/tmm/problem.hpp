// What the transfer-matrix method computes: Lyapunov exponents of the Anderson model on a quasi-one-dimensional bar,
//     psi_{n+1}(i) = (E - V_n(i)) psi_n(i) - t sum_{nn i' of i} psi_n(i') - psi_{n-1}(i),
// for a list of (energy, disorder) points (MacKinnon and Kramer, PRL 47, 1546 (1981)). Energies in units of the
// longitudinal hopping, lengths in lattice spacings.
#pragma once

#include <cstdint>
#include <span>

#include "core/host_device.hpp"

namespace legato::tmm {

enum class Boundary : int { hard_wall = 0, periodic = 1, antiperiodic = 2 };  // in the transverse directions

enum class Disorder : int {
    uniform = 0,         // V uniform on [-W/2, W/2]
    uniform_scaled = 1,  // V uniform, standard deviation W
    gaussian = 2,        // V normal, standard deviation W; the two lfsr113 streams sum 20 uniforms as TMSEXD does
};

enum class RandomStream : int {
    lfsr113 = 0,           // TMSEXD's: one generator, re-seeded at every point, drawn from site by site
    lfsr113_per_site = 1,  // Edwards' GPU code: site i (1-based) has its own, seeded with 1276 + i
    philox = 2,            // counter-based: independent at every point, slice and site
};

// How a point starts, what its averages and errors are made of, and when it has converged.
enum class Rule : int {
    blocks = 0,  // random start, burn-in, errors from the spread of block averages
    tmsexd = 1,  // the original program's: starts from the identity, counts every cycle, takes cycles as independent
};

inline constexpr double most_hopping = 1e6;
inline constexpr int most_blocks = 64;      // of a point: when there are as many, each two become one
inline constexpr int fewest_blocks = 8;     // that an error is made of
inline constexpr int most_min_blocks = 48;  // half of them are left right after two have become one
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
                                // to smallest growth stays under this bound; 0: at the end of a cycle only
    std::int64_t max_multiplications = 1'000'000'000;  // a point that needs more is reported as not converged
    double epsilon = 0.005;  // relative error of the smallest exponent at which a point has converged
    Rule rule = Rule::blocks;
    int min_blocks = 32;         // Rule::blocks: blocks that must be averaged before a point can converge
    std::int64_t burn_in = 128;  // Rule::blocks: cycles to leave out at the start; at least an eighth of the run is

    // N, also the number of exponents.
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

// Throw an invalid_argument that names the field that is wrong.
void validate(const Problem& problem);
void validate(std::span<const Point> points);

}  // namespace legato::tmm
