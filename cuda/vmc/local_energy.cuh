// The local values of a chain's configuration, as cpp/vmc/local_energy.cpp has them. All but counts are sums of
// products: threads add up what is theirs, and only the totals are put together.
#pragma once

#include "vmc/chain.cuh"
#include "vmc/result.hpp"

namespace legato::vmc {

// - sum of t_shell times the ratios of all hops to empty sites.
template <class S>
__device__ void add_hops(const Chain<S>& c, double& up, double& down) {
    const int sites = c.m.d.sites;
    for (int task = c.group(); task < c.m.d.holes() * shells * neighbours_of_shell; task += S::groups) {
        const int shell = task % shells, which = task / shells % neighbours_of_shell,
                  site = c.hole_site()[task / (shells * neighbours_of_shell)];
        const double hopping = c.m.hopping[shell];
        if (hopping == 0) continue;
        const int from = (shell * sites + site) * neighbours_of_shell + which, code = c.m.codes[site];
        const std::int32_t electron = c.electron_at()[c.m.neighbours[from]];
        if (electron >= first_hole) continue;
        const double t = -hopping * c.m.signs[from];
        double ratio = 0;
        if (electron > 0)
            c.each([&](int, int j) { ratio += c.to(site, code, j) * c.inverse(j)[electron - 1]; });
        else
            c.each([&](int, int i) { ratio += c.from(site, code, i) * c.inverse(-electron - 1)[i]; });
        (electron > 0 ? up : down) += t * ratio;
    }
}

struct Bonds {
    int parallel = 0, antiparallel = 0;  // from both ends, and from the up electron's
    double ratios = 0;
};

template <class S>
__device__ void add_bonds(const Chain<S>& c, Bonds& sum) {
    for (int k = c.group(); k < c.m.d.pairs; k += S::groups) {
        const int r_site = c.up_site()[k], r = c.up_code()[k];
        double u[S::elements > 0 ? S::elements : 1];
        if constexpr (S::elements > 0) c.each([&](int e, int i) { u[e] = c.from(r_site, r, i); });
        for (int which = 0; which < neighbours_of_shell; ++which) {
            const std::int32_t electron = c.electron_at()[c.neighbour(r_site, which)];
            if (electron >= first_hole) continue;
            if (electron > 0) {
                if (c.lane() == 0) ++sum.parallel;
                continue;
            }
            const int l = -electron - 1;
            const double *const product = c.product(l), *const inverse = c.inverse(l);
            const double p = product[k], g = inverse[k];
            c.each([&](int e, int i) {
                const double phi = S::elements > 0 ? u[e] : c.from(r_site, r, i);
                sum.ratios += (p * inverse[i] - g * product[i]) * phi;
            });
            if (c.lane() == 0) {
                sum.ratios += g * c.table()[c.down_code()[l] - r];
                ++sum.antiparallel;
            }
        }
    }
    for (int l = static_cast<int>(threadIdx.x); l < c.m.d.pairs; l += S::threads)
        for (int which = 0; which < neighbours_of_shell; ++which)
            sum.parallel += c.electron_at()[c.neighbour(c.down_site()[l], which)] < 0;
}

// d ln Psi / d parameter = Tr (I dM / d parameter), of each parameter.
template <class S>
__device__ void add_derivatives(const Chain<S>& c, double energy) {
    const int order = c.m.d.order(), all = c.m.d.sites + c.m.d.modes;
    double o[variational_parameters];
    for (int a = 0; a < static_cast<int>(variational_parameters); ++a) {
        const double* const table = c.m.derivatives + static_cast<std::size_t>(a) * all * all;
        double trace = 0;
        c.each_row(order, [&](int j) {
            if (j >= order) return;
            const double* const column = table + static_cast<std::size_t>(c.down_site()[j]) * all;
            c.each([&](int, int i) { trace += column[c.up_site()[i]] * c.inverse(j)[i]; });
        });
        o[a] = c.sum(trace);
    }
    if (threadIdx.x != 0) return;
    for (std::size_t a = 0; a < variational_parameters; ++a) {
        c.sums()[index_of_derivative(a)] += o[a];
        c.sums()[index_of_energy_derivative(a)] += o[a] * energy;
        for (std::size_t b = 0; b <= a; ++b) c.sums()[index_of_derivatives(a, b)] += o[a] * o[b];
    }
}

template <class S>
__device__ void measure(const Chain<S>& c) {
    double up = 0, down = 0;
    Bonds b;
    add_hops(c, up, down);
    add_bonds(c, b);
    const double sites = c.m.d.sites, hops_up = c.sum(up), hops_down = c.sum(down), ratios = c.sum(b.ratios),
                 parallel = c.sum(b.parallel) / 2, antiparallel = c.sum(b.antiparallel);
    const double exchange = -c.m.j / 2 * (antiparallel + ratios) / sites,
                 energy = (hops_up + hops_down) / sites + exchange;
    if (threadIdx.x == 0) {
        const auto add = [&](Observable observable, double value) {
            c.sums()[static_cast<std::size_t>(observable)] += value;
        };
        add(Observable::kinetic_up, hops_up / sites);
        add(Observable::kinetic_down, hops_down / sites);
        add(Observable::exchange, exchange);
        add(Observable::spin_spin, ((parallel - antiparallel) / 4 - ratios / 2) / (2 * sites));
        add(Observable::density_density, (parallel + antiparallel) / (2 * sites));
        add(Observable::energy, energy);
        add(Observable::energy_squared, energy * energy);
    }
    if (c.m.gradients) add_derivatives(c, energy);
}

// S^z S^z and n n at all displacements, to sums in device memory: [2][sites].
template <class S>
__device__ void add_correlations(const Chain<S>& c, double* sums) {
    const int sites = c.m.d.sites;
    for (int r = static_cast<int>(threadIdx.x); r < sites; r += S::threads) {
        int spins = 0, charges = 0;
        for (int a = 0; a < sites; ++a) {
            const std::int32_t here = c.electron_at()[a],
                               there = c.electron_at()[c.m.partners[static_cast<std::size_t>(a) * sites + r]];
            if (here >= first_hole || there >= first_hole) continue;
            ++charges;
            spins += (here > 0) == (there > 0) ? 1 : -1;
        }
        sums[r] += spins / (4.0 * sites);
        sums[sites + r] += charges / static_cast<double>(sites);
    }
}

}  // namespace legato::vmc
