// Input of the transfer-matrix method. It computes Lyapunov exponents of the Anderson model on a quasi-one-dimensional
// bar,
//     psi_{n+1}(i) = (E - V_n(i)) psi_n(i) - t sum_{nn i' of i} psi_n(i') - psi_{n-1}(i),
// for a list of (energy, disorder) points (MacKinnon and Kramer, PRL 47, 1546 (1981)). Energies are in units of the
// longitudinal hopping, lengths in lattice spacings. For models with another hopping see couplings.hpp.
#pragma once

#include <cstdint>
#include <span>

#include "core/host_device.hpp"
#include "tmm/params.hpp"

namespace legato::tmm {

inline constexpr double most_hopping = 1e6;
inline constexpr int most_blocks = 64;   // largest number of blocks of a point; then pairs of blocks are merged
inline constexpr int fewest_blocks = 8;  // smallest number of blocks that gives an error

class GivenSlices;

struct Problem : Params {
    const GivenSlices* given = nullptr;  // slices of the caller (given_slices.hpp), for the host only

    // Returns N, the number of sites in a slice, which is also the number of exponents.
    LEGATO_HOST_DEVICE std::int64_t sites() const { return dimension == 3 ? width * width : width; }
    // Returns the number of real components of the wave function at a site: 1, 2 (complex) or 4 (with spin).
    LEGATO_HOST_DEVICE int components() const {
        return model == Model::anderson ? 1 : model == Model::su2 || model == Model::ando ? 4 : 2;
    }
    // Returns the number of real components of a slice, which is also the number of real columns. Channel i *
    // components() + a is component a of site i.
    LEGATO_HOST_DEVICE std::int64_t channels() const { return sites() * components(); }
    // Returns whether all slices have the same real hopping, equal in all directions of the slice.
    LEGATO_HOST_DEVICE bool has_plain_hopping() const {
        return model == Model::anderson && hopping_disorder == HoppingDisorder::none && anisotropy == 1 &&
               given == nullptr;
    }
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
// Returns the number of sequences, the replicas of all points. Throws invalid_argument if there are too many.
std::size_t sequences_of(const Problem& problem, std::size_t points);

}  // namespace legato::tmm
