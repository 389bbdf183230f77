// Clusters of the square lattice: sites from 0, neighbours shell by shell, wave vectors.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace legato::vmc {

enum class Cluster : int {
    tilted = 0,       // L^2 + 1 sites, L odd: Z^2 modulo (L, 1) and (-1, L), periodic
    rectangular = 1,  // Lx x Ly
};
enum class Boundary : int { periodic = 0, antiperiodic = 1 };

struct Lattice {
    Cluster cluster = Cluster::tilted;
    int length = 9;                                                            // L; tilted only
    std::array<int, 2> extents{8, 8};                                          // Lx, Ly; rectangular only
    std::array<Boundary, 2> boundary{Boundary::periodic, Boundary::periodic};  // of x and y; rectangular only
};

inline constexpr int shells = 3, neighbours_of_shell = 4;
inline constexpr std::int64_t max_sites = 4096;

// A site, or a displacement by its number, and the sign that a function of it takes up on the way there: -1 where an
// odd number of antiperiodic boundaries is crossed.
struct Signed {
    std::int32_t site = 0;
    double sign = 1;
};

// Throws an invalid_argument that names the field.
void validate(const Lattice& lattice);
std::int64_t sites_of(const Lattice& lattice);

// Coordinates of a site: of a tilted cluster those of the image that is nearest to site 0; of a rectangular one 0 <= x
// < Lx, 0 <= y < Ly, since images beyond an antiperiodic boundary have another sign.
std::array<int, 2> nearest_image(const Lattice& lattice, std::size_t site);

class Geometry {
  public:
    explicit Geometry(const Lattice& lattice);  // a valid one

    std::size_t sites() const { return sites_; }

    // Shell 1: (1,0) (0,1) (-1,0) (0,-1); shell 2: (1,1) (-1,1) (-1,-1) (1,-1); shell 3: twice those of shell 1.
    // Each but the shell's first two is the opposite of the one two before it, so that the first two of all sites name
    // every bond once. Of small clusters several neighbours may be the same site: each counts.
    std::span<const Signed, neighbours_of_shell> neighbours(int shell, std::size_t site) const {
        return std::span<const Signed, neighbours_of_shell>(
            neighbours_.data() + (static_cast<std::size_t>(shell - 1) * sites_ + site) * neighbours_of_shell,
            neighbours_of_shell);
    }

    Signed moved(std::size_t site, int dx, int dy) const;
    // r(a) - r(b): the site that is as far from site 0.
    Signed difference(std::size_t a, std::size_t b) const;
    // Coordinates of a site: of a tilted cluster one of its images.
    std::array<int, 2> position(std::size_t site) const;

    // Wave vectors 0 .. sites - 1: (kx, ky) and k.r of a site as it is numbered, reduced to 0 <= k.r < 2 pi.
    std::array<double, 2> wave_vector(std::size_t k) const;
    double phase(std::size_t k, std::size_t site) const;

  private:
    std::array<std::int64_t, 2> twice_momentum(std::size_t k) const;

    Lattice lattice_;
    std::size_t sites_;
    std::vector<Signed> neighbours_;  // [shells][sites][4]
};

}  // namespace legato::vmc
