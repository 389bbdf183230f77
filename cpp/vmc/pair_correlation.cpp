#include "vmc/pair_correlation.hpp"

namespace legato::vmc {
namespace {

// A nearest-neighbour bond: its first site, its direction (x or y) and the sign of a pair on it.
struct Bond {
    std::size_t first, direction;
    double sign;
};

// Returns the bond from a site to its nearest neighbour `number`.
Bond bond_to(std::size_t site, std::size_t number, const SignedSite& neighbour) {
    if (number < 2) return {site, number, neighbour.sign};
    return {static_cast<std::size_t>(neighbour.site), number - 2, neighbour.sign};
}

// The empty sites x, numbered here from 0, with their P(x, .), u(x) and Q(., x).
struct EmptySites {
    std::vector<std::size_t> sites;
    std::vector<std::int32_t> number;   // [sites of the cluster], -1 if the site is occupied
    AlignedVector products, functions;  // [empty sites][row]
    std::vector<double> hops;           // [empty sites][pairs]
};

EmptySites empty_sites(const Model& model, const Determinant& determinant) {
    const std::size_t row = determinant.row(), order = determinant.order(), pairs = model.pairs();
    const Configuration& c = determinant.configuration();
    const CpuKernels& kernels = cpu_kernels();
    EmptySites empty;
    empty.number.assign(model.geometry.sites(), -1);
    for (std::size_t site = 0; site < model.geometry.sites(); ++site) {
        if (!c.is_empty(site)) continue;
        empty.number[site] = static_cast<std::int32_t>(empty.sites.size());
        empty.sites.push_back(site);
    }
    const std::size_t count = empty.sites.size();
    AlignedVector phi(count * row);
    empty.products.resize(count * row);
    empty.functions.resize(count * row);
    empty.hops.resize(count * pairs);
    for (std::size_t h = 0; h < count; ++h) {
        double* const u = empty.functions.data() + h * row;
        kernels.gather(order, model.pair.row(empty.sites[h]), c.down.data(), phi.data() + h * row);
        kernels.gather(order, model.pair.column(empty.sites[h]), c.up.data(), u);
        for (std::size_t l = 0; l < pairs; ++l)
            empty.hops[h * pairs + l] = kernels.dot(row, determinant.inverse_row(l), u);
    }
    kernels.product(count, order, row, phi.data(), determinant.inverse_row(0), empty.products.data());
    return empty;
}

// A bond of two empty sites, with phi(x - y) - P(x, .) . u(y) for both orientations of the pair.
struct EmptyBond {
    Bond bond;
    std::size_t ends[2];  // numbers of the empty sites
    double corners[2];    // values for the up electron at ends[0] and at ends[1]
};

std::vector<EmptyBond> empty_bonds(const Model& model, const Determinant& determinant, const EmptySites& empty) {
    std::vector<EmptyBond> bonds;
    for (std::size_t h = 0; h < empty.sites.size(); ++h) {
        const auto neighbours = model.geometry.neighbours(1, empty.sites[h]);
        for (std::size_t direction = 0; direction < 2; ++direction) {
            const std::int32_t other = empty.number[static_cast<std::size_t>(neighbours[direction].site)];
            if (other < 0) continue;
            EmptyBond bond{
                bond_to(empty.sites[h], direction, neighbours[direction]), {h, static_cast<std::size_t>(other)}, {}};
            for (std::size_t way = 0; way < 2; ++way) {
                const std::size_t x = bond.ends[way], y = bond.ends[1 - way], row = determinant.row();
                bond.corners[way] =
                    model.pair(empty.sites[x], empty.sites[y]) -
                    cpu_kernels().dot(row, empty.products.data() + x * row, empty.functions.data() + y * row);
            }
            bonds.push_back(bond);
        }
    }
    return bonds;
}

// The pair of up electron k at site r and down electron l at site s.
struct SingletPair {
    std::size_t k, l, r, s;
    const double* u;  // u(r)
    Bond bond;
};

class PairMoves {
  public:
    PairMoves(const Model& model, const Determinant& determinant, std::span<double> sums)
        : model_(model),
          determinant_(determinant),
          sums_(sums),
          empty_(empty_sites(model, determinant)),
          bonds_(empty_bonds(model, determinant, empty_)) {}

    void add(const SingletPair& pair) const {
        const double* const p = determinant_.product_row(pair.l);
        add(pair, pair.bond, 1 + ratio(pair, p, pair.u, determinant_.inverse_row(pair.l), pair.s, pair.r));
        for (const EmptyBond& bond : bonds_) add(pair, bond.bond, to_empty_bond(pair, bond));
        add_beside_up(pair);
        add_beside_down(pair);
    }

  private:
    void add(const SingletPair& pair, const Bond& to, double ratios) const {
        const std::size_t sites = model_.geometry.sites();
        const auto r = static_cast<std::size_t>(model_.displacements[pair.bond.first * sites + to.first]);
        sums_[(pair.bond.direction * 2 + to.direction) * sites + r] +=
            pair.bond.sign * to.sign * ratios / (4 * static_cast<double>(sites));
    }

    double product(std::size_t h, std::size_t k) const { return empty_.products[h * determinant_.row() + k]; }
    double hop(std::size_t l, std::size_t h) const { return empty_.hops[h * model_.pairs() + l]; }

    // Computes R from p = P(x, .) and u(y).
    double ratio(const SingletPair& pair, const double* p, const double* u, const double* inverse, std::size_t x,
                 std::size_t y) const {
        const std::size_t row = determinant_.row();
        const CpuKernels& kernels = cpu_kernels();
        return p[pair.k] * kernels.dot(row, inverse, u) +
               inverse[pair.k] * (model_.pair(x, y) - kernels.dot(row, p, u));
    }

    double to_empty_bond(const SingletPair& pair, const EmptyBond& bond) const {
        const auto [a, b] = bond.ends;
        const double inverse = determinant_.inverse(pair.l, pair.k);
        return product(a, pair.k) * hop(pair.l, b) + product(b, pair.k) * hop(pair.l, a) +
               inverse * (bond.corners[0] + bond.corners[1]);
    }

    // Adds the bonds between the up electron's site and an empty site. Either the down electron hops to the empty site,
    // or it moves to the up electron's site and the up electron to the empty site.
    void add_beside_up(const SingletPair& pair) const {
        const auto neighbours = model_.geometry.neighbours(1, pair.r);
        for (std::size_t d = 0; d < neighbours_of_shell; ++d) {
            const std::int32_t number = empty_.number[static_cast<std::size_t>(neighbours[d].site)];
            if (number < 0) continue;
            const auto h = static_cast<std::size_t>(number);
            const double both = ratio(pair, empty_.products.data() + h * determinant_.row(), pair.u,
                                      determinant_.inverse_row(pair.l), empty_.sites[h], pair.r);
            add(pair, bond_to(pair.r, d, neighbours[d]), hop(pair.l, h) + both);
        }
    }

    // Adds the bonds between the down electron's site and an empty site. Either the up electron hops to the empty site,
    // or it moves to the down electron's site and the down electron to the empty site.
    void add_beside_down(const SingletPair& pair) const {
        const auto neighbours = model_.geometry.neighbours(1, pair.s);
        for (std::size_t d = 0; d < neighbours_of_shell; ++d) {
            const std::int32_t number = empty_.number[static_cast<std::size_t>(neighbours[d].site)];
            if (number < 0) continue;
            const auto h = static_cast<std::size_t>(number);
            const double both =
                ratio(pair, determinant_.product_row(pair.l), empty_.functions.data() + h * determinant_.row(),
                      determinant_.inverse_row(pair.l), pair.s, empty_.sites[h]);
            add(pair, bond_to(pair.s, d, neighbours[d]), product(h, pair.k) + both);
        }
    }

    const Model& model_;
    const Determinant& determinant_;
    std::span<double> sums_;
    EmptySites empty_;
    std::vector<EmptyBond> bonds_;
};

}  // namespace

void add_pair_correlations(const Model& model, const Determinant& determinant, std::span<double> sums) {
    const PairMoves moves(model, determinant, sums);
    const Configuration& c = determinant.configuration();
    AlignedVector u(determinant.row());
    for (std::size_t k = 0; k < model.pairs(); ++k) {
        const auto r = static_cast<std::size_t>(c.up[k]);
        cpu_kernels().gather(determinant.order(), model.pair.column(r), c.up.data(), u.data());
        const auto neighbours = model.geometry.neighbours(1, r);
        for (std::size_t d = 0; d < neighbours_of_shell; ++d) {
            const auto s = static_cast<std::size_t>(neighbours[d].site);
            if (c.electron_at[s] >= 0) continue;
            const std::size_t l = static_cast<std::size_t>(-c.electron_at[s]) - 1;
            moves.add({k, l, r, s, u.data(), bond_to(r, d, neighbours[d])});
        }
    }
}

}  // namespace legato::vmc
