// The local values of a chain's configuration, as in cpp/vmc/local_energy.cpp. Except for counts they are sums of
// products. Each thread adds up its own part, and only the totals are combined.
#pragma once

#include "vmc/chain.cuh"

namespace legato::vmc {

// Adds - sum of t_shell times the ratios of all hops to empty sites.
template <class S>
__device__ void add_hops(double& up, double& down) {
    using C = Chain<S>;
    const DeviceModel& m = C::m();
    const int order = m.d.order(), holes = m.d.holes();
#pragma unroll 1
    for (int task = C::group(); task < holes * neighbours_of_shell * m.hopping_shells; task += S::groups) {
        const int which = task % neighbours_of_shell, hole = task / neighbours_of_shell % holes,
                  shell = task / (neighbours_of_shell * holes), site = C::hole_site()[hole],
                  from = (shell * m.d.sites + site) * neighbours_of_shell + which;
        const std::int32_t electron =
            C::electron_at()[S::in_shared && shell == 0 ? C::neighbour(site, which) : m.neighbours[from]];
        if (electron >= first_hole) continue;
        const bool is_up = electron > 0;
        const int code = m.codes[site], step = is_up ? C::stride() : 1, towards = is_up ? code : -code;
        const double* const element = is_up ? C::inverse(0) + electron - 1 : C::inverse(-electron - 1);
        const std::int32_t* const base = is_up ? C::block_data().down_base : C::block_data().up_base;
        double ratio = 0;
        C::each([&](int, int i) { ratio += C::table()[base[i] + towards] * (i < order ? element[i * step] : 0.0); });
        (is_up ? up : down) += m.hopping[from] * ratio;
    }
}

struct Bonds {
    // Parallel bonds are counted from both ends, antiparallel bonds from the up electron's end.
    int parallel = 0, antiparallel = 0;
    double ratios = 0;
};

template <class S>
__device__ void add_bonds(Bonds& sum) {
    using C = Chain<S>;
    const int pairs = C::m().d.pairs;
#pragma unroll 1
    for (int k = C::group(); k < pairs; k += S::groups) {
        const int site = C::block_data().up_site[k], r = C::up_code(k);
        double u[S::elements > 0 ? S::elements : 1];
        if constexpr (S::elements > 0) C::each([&](int e, int i) { u[e] = C::from(r, i); });
#pragma unroll 1
        for (int which = 0; which < neighbours_of_shell; ++which) {
            const std::int32_t electron = C::electron_at()[C::neighbour(site, which)];
            if (electron > 0) {
                sum.parallel += C::lane() == 0 && electron < first_hole;
                continue;
            }
            const int l = -electron - 1;
            const double *const product = C::product(l), *const inverse = C::inverse(l);
            const double p = product[k], g = -inverse[k];
            C::each([&](int e, int i) {
                const double phi = S::elements > 0 ? u[e] : C::from(r, i);
                sum.ratios += (p * inverse[i] + g * product[i]) * phi;
            });
            if (C::lane() == 0) {
                sum.ratios -= g * C::phi(C::down_code(l), r);
                ++sum.antiparallel;
            }
        }
    }
#pragma unroll 1
    for (int l = C::thread(); l < pairs; l += S::threads)
        for (int which = 0; which < neighbours_of_shell; ++which)
            sum.parallel += C::electron_at()[C::neighbour(C::block_data().down_site[l], which)] < 0;
}

// Adds the local values to the chain's sums. Returns the energy per site.
template <class S>
__device__ __noinline__ double measure() {
    using C = Chain<S>;
    double up = 0, down = 0;
    Bonds bonds;
    add_hops<S>(up, down);
    add_bonds<S>(bonds);
    double totals[4] = {up, down, bonds.ratios, bonds.antiparallel + 65536.0 * bonds.parallel};
    C::reduce(totals, Sum());
    const double per_site = 1.0 / C::m().d.sites, parallel = floor(totals[3] / 65536.0),
                 antiparallel = totals[3] - 65536.0 * parallel;
    const double exchange = -C::m().j / 2 * (antiparallel + totals[2]) * per_site,
                 energy = (totals[0] + totals[1]) * per_site + exchange;
    if (C::thread() == 0) {
        const auto add = [&](Observable observable, double value) {
            C::block_data().sums[static_cast<std::size_t>(observable)] += value;
        };
        add(Observable::kinetic_up, totals[0] * per_site);
        add(Observable::kinetic_down, totals[1] * per_site);
        add(Observable::exchange, exchange);
        add(Observable::spin_spin, ((parallel / 2 - antiparallel) / 8 - totals[2] / 4) * per_site);
        add(Observable::density_density, (parallel / 2 + antiparallel) / 2 * per_site);
        add(Observable::energy, energy);
        add(Observable::energy_squared, energy * energy);
    }
    return energy;
}

// Adds S^z S^z and n n at all displacements to sums in device memory, [2][sites].
template <class S>
__device__ __noinline__ void add_correlations(double* sums) {
    using C = Chain<S>;
    const int sites = C::m().d.sites;
    for (int r = C::thread(); r < sites; r += S::threads) {
        int spins = 0, charges = 0;
        for (int a = 0; a < sites; ++a) {
            const std::int32_t here = C::electron_at()[a],
                               there = C::electron_at()[C::m().partners[static_cast<std::size_t>(a) * sites + r]];
            if (here >= first_hole || there >= first_hole) continue;
            ++charges;
            spins += (here > 0) == (there > 0) ? 1 : -1;
        }
        sums[r] += spins / (4.0 * sites);
        sums[sites + r] += charges / static_cast<double>(sites);
    }
}

}  // namespace legato::vmc
