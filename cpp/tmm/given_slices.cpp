#include "tmm/given_slices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/validate.hpp"
#include "tmm/disorder.hpp"
#include "tmm/lattice.hpp"

namespace legato::tmm {

void require_lattice(const Problem& p, const std::vector<Link>& links) {
    if (p.random_stream != RandomStream::philox)
        fail(Status::invalid_argument, "tmm.params.random_stream: ", static_cast<int>(p.random_stream),
             " is not LEGATO_TMM_RANDOM_STREAM_PHILOX, the only stream with given slices");
    if (links.empty()) return;
    if (p.dimension != 2)
        fail(Status::invalid_argument, "tmm.params.dimension: ", p.dimension,
             " is not 2, the only dimension with links of the caller; the width is then the number of sites");
    if (p.model == Model::ando || p.longitudinal_flux != 0)
        fail(Status::invalid_argument,
             "tmm.params.model: LEGATO_TMM_MODEL_ANDO and a magnetic flux need the lattice of the parameters, without "
             "links of the caller");
    std::vector<std::size_t> of_site(static_cast<std::size_t>(p.sites()));
    for (const Link& link : links)
        for (const std::int32_t site : {link.first, link.second})
            if (++of_site[static_cast<std::size_t>(site)] > most_links_of_site)
                fail(Status::invalid_argument, "tmm.n_links: site ", site, " has more than ", most_links_of_site,
                     " links, the largest number");
}

GivenSlices::GivenSlices(const Problem& problem, Given given)
    : own_links_(std::move(given.links)),
      callback_(std::move(given.callback)),
      sites_(static_cast<std::size_t>(problem.sites())),
      components_(static_cast<std::size_t>(problem.components())) {
    require_lattice(problem, own_links_);
    list_links(problem);
    list_bonds(problem);
}

void GivenSlices::list_links(const Problem& problem) {
    links_ = own_links_;
    if (!own_links_.empty() || problem.dimension == 1) return;
    const auto directions = static_cast<std::size_t>(neighbours_per_site(problem.dimension));
    const std::vector<Neighbour> near = neighbours(problem);
    for (std::size_t up = 1; up < directions; up += 2)
        for (std::size_t site = 0; site < sites_; ++site)
            links_.push_back({static_cast<std::int32_t>(site), near[site * directions + up].site});
}

// The directions of the problem's lattice have the order of lattice.hpp, so that sums round alike.
void GivenSlices::list_bonds(const Problem& problem) {
    std::vector<std::vector<Bond>> of_site(sites_);
    const auto add = [&](std::size_t link, bool back) {
        const Link& of = links_[link];
        of_site[static_cast<std::size_t>(back ? of.second : of.first)].push_back(
            {back ? of.first : of.second, static_cast<std::int32_t>(link), back});
    };
    const std::size_t axis = own_links_.empty() && problem.dimension > 1 ? sites_ : std::max<std::size_t>(links(), 1);
    for (std::size_t first = 0; first < links(); first += axis)
        for (const bool back : {true, false})
            for (std::size_t link = first; link < first + axis; ++link) add(link, back);
    for (const auto& bonds : of_site) directions_ = std::max(directions_, bonds.size());
    for (std::size_t site = 0; site < sites_; ++site) {
        of_site[site].resize(directions_, {static_cast<std::int32_t>(site), -1, false});
        bonds_.insert(bonds_.end(), of_site[site].begin(), of_site[site].end());
    }
}

// Fetches the slice before them as well, because the hopping from it counts.
void GivenSlices::fetch(const Problem& problem, const Point& point, std::uint32_t sequence, std::int64_t first,
                        std::int64_t count) {
    if (first > std::numeric_limits<std::int64_t>::max() - count)
        fail(Status::numerical_error, "tmm: slice ", first, " is too far along the bar");
    const std::int64_t begin = std::max<std::int64_t>(first - 1, 0);
    const auto slices = static_cast<std::size_t>(first + count - begin);
    Piece piece;
    piece.first = begin;
    piece.on_site.resize(slices * sites_);
    piece.along.resize(slices * sites_);
    piece.hopping.resize(slices * links() * components_);
    for (std::size_t site = 0; site < sites_ && begin == 0; ++site)
        piece.before.push_back(hopping_along(problem, sequence, std::uint64_t{0} - 1, static_cast<std::int64_t>(site)));
    for (std::size_t at = 0; at < slices; ++at)
        fill(problem, point, sequence, begin + static_cast<std::int64_t>(at), piece, at);
    fetched_[sequence] = std::move(piece);
}

// Fills in a slice with the numbers of the problem, and lets the caller change them.
void GivenSlices::fill(const Problem& problem, const Point& point, std::uint32_t sequence, std::int64_t slice,
                       Piece& piece, std::size_t at) const {
    const std::span<double> on_site(piece.on_site.data() + at * sites_, sites_),
        along(piece.along.data() + at * sites_, sites_),
        hopping(piece.hopping.data() + at * links() * components_, links() * components_);
    const auto number = static_cast<std::uint64_t>(slice);
    for (std::size_t site = 0; site < sites_; ++site) {
        on_site[site] = potential(problem.disorder, point.disorder, static_cast<std::uint64_t>(problem.seed), sequence,
                                  number, static_cast<std::uint32_t>(site));
        along[site] = hopping_along(problem, sequence, number, static_cast<std::int64_t>(site));
    }
    for (std::size_t link = 0; link < links(); ++link) {
        const auto owner = static_cast<std::int64_t>(link % sites_);
        const Quaternion h = own_links_.empty() ? hopping_to(problem, sequence, number, owner, link < sites_ ? 1 : 3)
                                                : hopping_of_pair(problem, sequence, number, Axis::x,
                                                                  static_cast<std::int64_t>(link), problem.hopping);
        std::copy_n(h.part, components_, hopping.begin() + static_cast<std::ptrdiff_t>(link * components_));
    }
    callback_(sequence / problem.replicas, sequence % problem.replicas, slice,
              {on_site, hopping, along, links(), components_});
    const auto require_usable = [&](std::string_view name, std::span<const double> values, bool nonzero) {
        for (std::size_t i = 0; i < values.size(); ++i)
            if (!std::isfinite(values[i]) || (nonzero && !std::isfinite(1 / values[i])))
                fail(Status::invalid_argument, "tmm.callback: ", name, "[", i, "] of slice ", slice, " is ", values[i],
                     nonzero ? ", not a finite number different from 0" : ", not a finite number");
    };
    require_usable("on_site", on_site, false);
    require_usable("hopping", hopping, false);
    require_usable("along", along, true);
}

GivenSlices::Site GivenSlices::site(std::uint32_t sequence, std::int64_t slice, std::size_t site) const {
    const Piece& piece = fetched_.at(sequence);
    const std::size_t at = static_cast<std::size_t>(slice - piece.first) * sites_ + site;
    return {piece.on_site[at], piece.along[at], slice == 0 ? piece.before[site] : piece.along[at - sites_]};
}

Quaternion GivenSlices::hopping(std::uint32_t sequence, std::int64_t slice, std::size_t site,
                                std::size_t direction) const {
    const Bond& bond = bonds_[site * directions_ + direction];
    Quaternion h{};
    if (bond.link < 0) return h;
    const Piece& piece = fetched_.at(sequence);
    const std::size_t at =
        static_cast<std::size_t>(slice - piece.first) * links() + static_cast<std::size_t>(bond.link);
    std::copy_n(piece.hopping.begin() + static_cast<std::ptrdiff_t>(at * components_), components_, h.part);
    for (int part = 1; part < 4 && bond.back; ++part) h.part[part] = -h.part[part];
    return h;
}

}  // namespace legato::tmm
