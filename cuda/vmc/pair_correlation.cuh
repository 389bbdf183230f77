// Correlations of singlet pairs on bonds, as in cpp/vmc/pair_correlation.hpp.
#pragma once

#include "vmc/chain.cuh"

namespace legato::vmc {

// A nearest-neighbour bond: its first site, its direction (x or y) and the sign of a pair on it.
struct Bond {
    int first, direction;
    double sign;
};

template <class S>
__device__ Bond bond_to(int site, int number) {
    const double sign = Chain<S>::m().signs[4 * site + number];
    return number < 2 ? Bond{site, number, sign} : Bond{Chain<S>::neighbour(site, number), number - 2, sign};
}

// A pair: up electron k at site r and down electron l at its neighbour s. r and s are the codes of the sites.
struct SingletPair {
    int k, l, r_site, s_site, r, s;
    Bond bond;
};

// Values of empty sites h that are used for all pairs: P(h, .), Q(., h) and corners. They are in device memory.
template <class S>
class EmptySites {
  public:
    static int elements(const Dimensions& d) { return d.holes() * (d.order() + d.pairs) + 2 * d.holes() * 2; }

    __device__ double* product(int h) const { return C::block_data().scratch + h * C::m().d.order(); }
    __device__ double* hops(int h) const { return product(C::m().d.holes()) + h * C::m().d.pairs; }
    // Returns phi(x - y) - P(x, .) . u(y) of the bond from empty site h in a direction, summed over both orientations
    // of the pair.
    __device__ double& corner(int h, int direction) const { return hops(C::m().d.holes())[2 * h + direction]; }

    // Computes all values. At the end all threads of the block are synchronised.
    __device__ void compute() const {
        const int order = C::m().d.order(), pairs = C::m().d.pairs, holes = C::m().d.holes();
#pragma unroll 1
        for (int h = C::group(); h < holes; h += S::groups) {
            const int code = C::m().codes[C::hole_site()[h]];
            for (int k = C::lane(); k < order; k += S::lanes) {
                double sum = 0;
                for (int j = 0; j < order; ++j) sum += C::to(code, j) * C::inverse(j)[k];
                product(h)[k] = sum;
            }
            for (int l = C::lane(); l < pairs; l += S::lanes) {
                double sum = 0;
                for (int i = 0; i < order; ++i) sum += C::from(code, i) * C::inverse(l)[i];
                hops(h)[l] = sum;
            }
        }
        __syncthreads();
#pragma unroll 1
        for (int task = C::thread(); task < 2 * holes; task += S::threads) {
            const int h = task / 2, site = C::hole_site()[h],
                      other = C::electron_at()[C::neighbour(site, task % 2)] - first_hole;
            if (other >= 0) corner(h, task % 2) = corner_of(h, other) + corner_of(other, h);
        }
        __syncthreads();
    }

  private:
    using C = Chain<S>;

    __device__ double corner_of(int x, int y) const {
        const int x_code = C::m().codes[C::hole_site()[x]], y_code = C::m().codes[C::hole_site()[y]];
        double sum = C::phi(x_code, y_code);
        for (int i = 0; i < C::m().d.order(); ++i) sum -= product(x)[i] * C::from(y_code, i);
        return sum;
    }
};

// Returns R for the pair's electrons at x and y, from p = P(x, .) and the codes of x and y. A group computes it, and
// all lanes of the warp must call it.
template <class S>
__device__ double ratio_of(bool there, const SingletPair& pair, const double* p, int x, int y) {
    using C = Chain<S>;
    const double* const inverse = C::inverse(pair.l);
    const double g = there ? inverse[pair.k] : 0.0, own = there ? p[pair.k] : 0.0;
    double sum = 0;
    for (int i = C::lane(); there && i < C::m().d.order(); i += S::lanes)
        sum += (own * inverse[i] - g * p[i]) * C::from(y, i);
    return C::group_sum(sum) + (there ? g * C::phi(x, y) : 0.0);
}

// Adds the moves of a pair. Its targets are different bonds with different sums, so that groups can share them.
template <class S>
__device__ void add_pair(const EmptySites<S>& empty, const SingletPair& pair, double* sums) {
    using C = Chain<S>;
    const int holes = C::m().d.holes(), sites = C::m().d.sites;
    const auto add = [&](const Bond& to, double ratios) {
        const int r = C::m().displacements[static_cast<std::size_t>(pair.bond.first) * sites + to.first];
        sums[(pair.bond.direction * 2 + to.direction) * sites + r] += pair.bond.sign * to.sign * ratios / (4.0 * sites);
    };
    // The targets are the same bond, and the three other bonds of either electron's site. The fourth bond of each is
    // the same bond.
#pragma unroll 1
    for (int begin = 0; begin < 1 + 2 * neighbours_of_shell; begin += S::groups) {
        const int task = begin + C::group(), number = (task - 1) % neighbours_of_shell;
        const bool same = task == 0, up = task <= neighbours_of_shell;
        const int site = up ? pair.r_site : pair.s_site;
        int h = -1;
        if (!same && task <= 2 * neighbours_of_shell) h = C::electron_at()[C::neighbour(site, number)] - first_hole;
        const bool there = same || h >= 0;
        const int hole_code = h >= 0 ? C::m().codes[C::hole_site()[h]] : 0;
        const double* const p = h >= 0 && up ? empty.product(h) : C::product(pair.l);
        const double both =
            ratio_of<S>(there, pair, p, h >= 0 && up ? hole_code : pair.s, h >= 0 && !up ? hole_code : pair.r);
        if (!there || C::lane() != 0) continue;
        if (same)
            add(pair.bond, 1 + both);
        else
            add(bond_to<S>(site, number), both + (up ? empty.hops(h)[pair.l] : empty.product(h)[pair.k]));
    }
    for (int task = C::thread(); task < 2 * holes; task += S::threads) {
        const int h = task / 2, direction = task % 2, site = C::hole_site()[h],
                  other = C::electron_at()[C::neighbour(site, direction)] - first_hole;
        if (other < 0) continue;
        add(bond_to<S>(site, direction), empty.product(h)[pair.k] * empty.hops(other)[pair.l] +
                                             empty.product(other)[pair.k] * empty.hops(h)[pair.l] +
                                             C::inverse(pair.l)[pair.k] * empty.corner(h, direction));
    }
}

// Adds the pair correlations to sums in device memory, [2][2][sites].
template <class S>
__device__ __noinline__ void add_pair_correlations(double* sums) {
    using C = Chain<S>;
    const EmptySites<S> empty;
    empty.compute();
#pragma unroll 1
    for (int k = 0; k < C::m().d.pairs; ++k)
        for (int number = 0; number < neighbours_of_shell; ++number) {
            const int r_site = C::block_data().up_site[k], s_site = C::neighbour(r_site, number);
            const std::int32_t electron = C::electron_at()[s_site];
            if (electron >= 0) continue;
            const int l = -electron - 1;
            add_pair<S>(empty, {k, l, r_site, s_site, C::up_code(k), C::down_code(l), bond_to<S>(r_site, number)},
                        sums);
            __syncthreads();
        }
}

}  // namespace legato::vmc
