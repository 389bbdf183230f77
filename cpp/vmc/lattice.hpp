// Clusters of the square lattice. Sites are numbered from 0. The geometry gives neighbours by shells, and wave vectors.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "vmc/params.hpp"

namespace legato::vmc {

inline constexpr int shells = 3, neighbours_of_shell = 4;
inline constexpr std::int64_t max_sites = 4096;

// Number of a site or of a displacement, with the sign of an electron's wave function that is carried there. The sign
// is -1 if an odd number of antiperiodic boundaries is crossed.
struct SignedSite {
    std::int32_t site = 0;
    double sign = 1;
};

// Throws an invalid_argument that names the field.
void validate(const Lattice& lattice);
std::int64_t sites_of(const Lattice& lattice);

// Returns the coordinates of a site. On a tilted cluster they are those of the image that is nearest to site 0. On a
// rectangular cluster 0 <= x < Lx and 0 <= y < Ly, because images beyond an antiperiodic boundary have the opposite
// sign.
std::array<int, 2> nearest_image(const Lattice& lattice, std::size_t site);

class Geometry {
  public:
    explicit Geometry(const Lattice& lattice);  // the lattice must be valid

    std::size_t sites() const { return sites_; }

    // Returns the neighbours of a site. Shell 1: (1,0) (0,1) (-1,0) (0,-1); shell 2: (1,1) (-1,1) (-1,-1) (1,-1); shell
    // 3: twice the steps of shell 1. The last two steps of a shell are the opposites of its first two. The first two
    // steps of all sites therefore give every bond once. On small clusters several neighbours may be the same site;
    // each counts.
    std::span<const SignedSite, neighbours_of_shell> neighbours(int shell, std::size_t site) const {
        return std::span<const SignedSite, neighbours_of_shell>(
            neighbours_.data() + (static_cast<std::size_t>(shell - 1) * sites_ + site) * neighbours_of_shell,
            neighbours_of_shell);
    }

    SignedSite moved(std::size_t site, int dx, int dy) const;
    // Returns r(a) - r(b), as the site that has this displacement from site 0.
    SignedSite difference(std::size_t a, std::size_t b) const;
    // Returns the coordinates of a site; on a tilted cluster, those of one of its images.
    std::array<int, 2> position(std::size_t site) const;

    // Returns (kx, ky) of wave vector k, 0 <= k < sites. phase() returns k.r at the site's position(), reduced to
    // 0 <= k.r < 2 pi.
    std::array<double, 2> wave_vector(std::size_t k) const;
    double phase(std::size_t k, std::size_t site) const;

  private:
    std::array<std::int64_t, 2> twice_momentum(std::size_t k) const;

    Lattice lattice_;
    std::size_t sites_;
    std::vector<SignedSite> neighbours_;  // [shells][sites][4]
};

}  // namespace legato::vmc
