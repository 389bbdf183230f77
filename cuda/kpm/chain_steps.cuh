// Several steps of a chain in one pass through the vectors. Sites beside a block are computed by two blocks. The
// arithmetic and the order of the sums are those of lattice_step.
#pragma once

#include <cstdint>

#include "kpm/recursion_kernels.cuh"

namespace legato::kpm {

// A block of a chain: chunks of tile_sites, one for each warp, and a warp for the sites beside them. A thread keeps
// `chain_sites` neighbouring sites of one vector in registers.
inline constexpr int chain_sites = 4, chain_chunks = 8, chain_threads = (chain_chunks + 1) * 32, most_chain_steps = 8;
static_assert(chain_sites * 32 == tile_sites);

template <class Element>
struct alignas(16) ChainPart {
    Element v[chain_sites];
};

// Adds up over the sites of a chunk, in pairs of neighbours as add_up() does. Returns <x|x> in even lanes and <y|x> in
// odd ones.
__device__ inline double sum_of_chunk(const double* xx, const double* yx) {
    const double of_xx = (xx[0] + xx[1]) + (xx[2] + xx[3]), of_yx = (yx[0] + yx[1]) + (yx[2] + yx[3]);
    const bool odd = threadIdx.x % 2 == 1;
    double sum = odd ? of_yx : of_xx;
    sum += __shfl_xor_sync(~0u, odd ? of_xx : of_yx, 1);
    for (int by = 2; by < 32; by *= 2) sum += __shfl_xor_sync(~0u, sum, by);
    return sum;
}

// Performs up to most_chain_steps steps of a chain, whose panels have one vector.
template <class Element>
__global__ void __launch_bounds__(chain_threads, 3) chain_steps(DevicePass<Element> pass, DeviceLattice lattice) {
    constexpr int beside = most_chain_steps / chain_sites, places = chain_chunks * 32 + 2 * beside;
    __shared__ Element first_of[2][places + 2], last_of[2][places + 2];
    const std::int64_t extent = lattice.layout.extents[0], chunks = lattice.layout.tiles_x,
                       blocks = (chunks + chain_chunks - 1) / chain_chunks, panel = blockIdx.x / blocks,
                       start = blockIdx.x % blocks * (chain_chunks * tile_sites);
    const bool is_periodic = lattice.layout.periodic[0];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const bool in_chunk = warp < chain_chunks;
    // Number of the thread's sites, counted from those before the block.
    const int number = in_chunk        ? static_cast<int>(threadIdx.x) + beside
                       : lane < beside ? lane
                                       : chain_chunks * 32 + lane;
    const bool used = number < places;
    const std::int64_t first = start + (std::int64_t{number} - beside) * chain_sites;
    const bool whole = used && first >= 0 && first + chain_sites <= extent,
               together = whole && extent % chain_sites == 0;

    using Part = ChainPart<Element>;
    Part x{}, y{}, diagonal{};
    const Element* const x_from = pass.x + panel * pass.panel;
    const Element* const y_from = pass.y + panel * pass.panel;
    bool exists[chain_sites];
    for (int i = 0; i < chain_sites; ++i) {
        std::int64_t site = first + i;
        exists[i] = used && (is_periodic || (site >= 0 && site < extent));
        if (!exists[i]) continue;
        if (site < 0 || site >= extent) site = (site % extent + extent) % extent;
        if (!together) {
            x.v[i] = x_from[site];
            if (pass.c != 0) y.v[i] = y_from[site];
        }
        const double energy = lattice.energies ? __ldg(lattice.energies + site) : lattice.energy;
        diagonal.v[i] = static_cast<Element>(__dadd_rn(__dmul_rn(pass.a, energy), pass.b));
    }
    if (together) {
        x = *reinterpret_cast<const Part*>(x_from + first);
        if (pass.c != 0) y = *reinterpret_cast<const Part*>(y_from + first);
    }

    const auto a = static_cast<Element>(-pass.a * lattice.hopping), c = static_cast<Element>(pass.c);
    const std::int64_t chunk = start / tile_sites + warp;
    double* sums = pass.sums + chunk * 2 * pass.vectors + panel + (lane % 2) * pass.vectors;
    if (threadIdx.x < 2)
        for (int i = 0; i < 2; ++i) first_of[i][places + 1] = last_of[i][0] = 0;
    // Replaces y by a H x + b x + c y.
    const auto step = [&](const Part& x, Part& y, int at) {
        if (used) {
            first_of[at][number + 1] = x.v[0];
            last_of[at][number + 1] = x.v[chain_sites - 1];
        }
        __syncthreads();
        const Element left = used ? last_of[at][number] : Element{0},
                      right = used ? first_of[at][number + 2] : Element{0};
        double xx[chain_sites], yx[chain_sites];
        for (int i = 0; i < chain_sites; ++i) {
            const Element hx =
                Element{0} + ((i == 0 ? left : x.v[i - 1]) + (i + 1 == chain_sites ? right : x.v[i + 1]));
            y.v[i] = exists[i] ? new_element(a, hx, diagonal.v[i], x.v[i], c, y.v[i]) : Element{0};
            const bool mine = first + i < extent;
            const double from = x.v[i], to = y.v[i];
            xx[i] = mine ? fma(from, from, 0.0) : 0.0;
            yx[i] = mine ? fma(to, from, 0.0) : 0.0;
        }
        if (in_chunk) {
            const double sum = sum_of_chunk(xx, yx);
            if (lane < 2 && chunk < chunks) *sums = sum;
        }
        sums += pass.sums_of_step;
    };
    for (int done = 0; done < pass.steps; done += 2) {
        step(x, y, 0);
        if (done + 1 < pass.steps)
            step(y, x, 1);
        else {
            const Part newest = y;
            y = x;
            x = newest;
        }
    }
    if (!pass.keep || !in_chunk) return;
    Element* const x_to = pass.x_to + panel * pass.panel + first;
    Element* const y_to = pass.y_to + panel * pass.panel + first;
    if (together) {
        *reinterpret_cast<Part*>(x_to) = x;
        *reinterpret_cast<Part*>(y_to) = y;
    } else {
        for (int i = 0; i < chain_sites; ++i)
            if (first + i < extent) x_to[i] = x.v[i], y_to[i] = y.v[i];
    }
}

}  // namespace legato::kpm
