// Slices that the caller changes or defines. The solver fetches them in the thread of the call, before an engine
// advances; engines only read them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "tmm/couplings.hpp"
#include "tmm/problem.hpp"

namespace legato::tmm {

inline constexpr std::int64_t most_links = 1 << 20;
inline constexpr std::size_t most_links_of_site = 64;

// A pair of sites between which there is hopping. Both are sites of the problem.
struct Link {
    std::int32_t first, second;
};

// The numbers of a slice: energies of the sites, [sites]; hopping to the first site of a link from the second,
// [links][components]; hopping to the next slice, [sites].
struct SliceNumbers {
    std::span<double> on_site, hopping, along;
    std::size_t links, components;
};

// Changes the numbers of a slice.
using SliceCallback =
    std::function<void(std::int64_t point, std::int64_t replica, std::int64_t slice, const SliceNumbers& numbers)>;

// What a caller gives. Without links the lattice is that of the problem: link i is from the next site in x direction to
// site i, and link N + i is the same in y direction.
struct Given {
    std::vector<Link> links;
    SliceCallback callback;
};

// Throws invalid_argument if these links cannot be those of the problem. Their sites must exist.
void require_lattice(const Problem& problem, const std::vector<Link>& links);

class GivenSlices {
  public:
    GivenSlices(const Problem& problem, Given given);

    // Links of the caller's lattice; empty if the lattice is that of the problem.
    const std::vector<Link>& own_links() const { return own_links_; }
    std::size_t links() const { return links_.size(); }
    // Largest number of neighbours of a site, and the neighbour in each direction, [sites][directions]. A site that has
    // fewer neighbours is its own neighbour, with hopping 0.
    std::size_t directions() const { return directions_; }
    std::int32_t neighbour(std::size_t site, std::size_t direction) const {
        return bonds_[site * directions_ + direction].site;
    }
    std::size_t bytes_of_slice() const { return sizeof(double) * (2 * sites_ + links_.size() * components_); }

    // Forgets what has been fetched.
    void clear() { fetched_.clear(); }
    // Fetches slices first..first + count - 1 of a sequence. Throws invalid_argument if a number cannot be used.
    void fetch(const Problem& problem, const Point& point, std::uint32_t sequence, std::int64_t first,
               std::int64_t count);

    // Numbers of a site in a slice that has been fetched: its energy, and the hopping to the next slice and from the
    // earlier one, which is the model's before the first slice.
    struct Site {
        double on_site, next, earlier;
    };
    Site site(std::uint32_t sequence, std::int64_t slice, std::size_t site) const;
    Quaternion hopping(std::uint32_t sequence, std::int64_t slice, std::size_t site, std::size_t direction) const;

  private:
    struct Bond {
        std::int32_t site, link;  // neighbour; -1: there is none
        bool back;                // the neighbour is the first site of the link
    };
    struct Piece {
        std::int64_t first = 0;                       // slice
        std::vector<double> on_site, hopping, along;  // [slices][...]
        std::vector<double> before;                   // [sites] hopping from the slice before the first one of all
    };
    void list_links(const Problem& problem);
    void list_bonds(const Problem& problem);
    void fill(const Problem& problem, const Point& point, std::uint32_t sequence, std::int64_t slice, Piece& piece,
              std::size_t at) const;

    std::vector<Link> own_links_, links_;
    SliceCallback callback_;
    std::size_t sites_, components_, directions_ = 0;
    std::vector<Bond> bonds_;
    std::map<std::uint32_t, Piece> fetched_;  // by sequence
};

}  // namespace legato::tmm
