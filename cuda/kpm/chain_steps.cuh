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

// Performs up to most_chain_steps steps. After each of them one more site at either end of a block is no longer right,
// but those of its chunks are.
template <class Element>
class ChainSteps {
    using Part = ChainPart<Element>;
    static constexpr int beside = most_chain_steps / chain_sites, places = chain_chunks * 32 + 2 * beside;

  public:
    // The first and the last element of the sites of all threads, twice.
    struct Ends {
        Element first[2][places + 2], last[2][places + 2];
    };

    __device__ ChainSteps(Ends& ends, const DevicePass<Element>& pass, const DeviceLattice& lattice)
        : ends_(ends),
          pass_(pass),
          a_(static_cast<Element>(-pass.a * lattice.hopping)),
          c_(static_cast<Element>(pass.c)) {
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const std::int64_t chunks = lattice.layout.tiles_x, blocks = (chunks + chain_chunks - 1) / chain_chunks,
                           block = blockIdx.x % blocks, panel = blockIdx.x / blocks,
                           chunk = block * chain_chunks + warp;
        in_chunk_ = warp < chain_chunks;
        number_ = in_chunk_ ? static_cast<int>(threadIdx.x) + beside : lane < beside ? lane : chain_chunks * 32 + lane;
        used_ = number_ < places;
        const std::int64_t first = block * chain_chunks * tile_sites + (std::int64_t{number_} - beside) * chain_sites,
                           extent = lattice.layout.extents[0];
        together_ = used_ && extent % chain_sites == 0 && first >= 0 && first < extent;
        mine_ = static_cast<int>(max(min(extent - first, std::int64_t{chain_sites}), std::int64_t{0}));
        offset_ = panel * pass.panel + first;
        if (in_chunk_ && lane < 2 && chunk < chunks)
            sums_ = pass.sums + chunk * 2 * pass.vectors + panel + lane * pass.vectors;
        load(lattice, first);
    }

    __device__ void perform() {
        if (threadIdx.x < 2) ends_.last[threadIdx.x][0] = ends_.first[threadIdx.x][places + 1] = 0;
        for (int done = 0; done < pass_.steps; done += 2) {
            step(x_, y_, 0);
            if (done + 1 < pass_.steps)
                step(y_, x_, 1);
            else
                exchange();
        }
        if (!pass_.keep || !in_chunk_) return;
        if (together_) {
            *reinterpret_cast<Part*>(pass_.x_to + offset_) = x_;
            *reinterpret_cast<Part*>(pass_.y_to + offset_) = y_;
            return;
        }
        for (int i = 0; i < chain_sites; ++i) {
            if (i >= mine_) continue;
            pass_.x_to[offset_ + i] = x_.v[i];
            pass_.y_to[offset_ + i] = y_.v[i];
        }
    }

  private:
    __device__ void load(const DeviceLattice& lattice, std::int64_t first) {
        const std::int64_t extent = lattice.layout.extents[0];
        for (int i = 0; i < chain_sites; ++i) {
            std::int64_t site = first + i;
            const bool inside = site >= 0 && site < extent;
            if (!used_ || !(inside || lattice.layout.periodic[0])) continue;
            exists_ |= 1U << i;
            if (!inside) site = (site % extent + extent) % extent;
            if (!together_) {
                x_.v[i] = pass_.x[offset_ - first + site];
                if (pass_.c != 0) y_.v[i] = pass_.y[offset_ - first + site];
            }
            const double energy = lattice.energies ? __ldg(lattice.energies + site) : lattice.energy;
            diagonal_.v[i] = static_cast<Element>(__dadd_rn(__dmul_rn(pass_.a, energy), pass_.b));
        }
        if (!together_) return;
        x_ = *reinterpret_cast<const Part*>(pass_.x + offset_);
        if (pass_.c != 0) y_ = *reinterpret_cast<const Part*>(pass_.y + offset_);
    }

    // Replaces y by a H x + b x + c y. `at` alternates between 0 and 1.
    __device__ void step(const Part& x, Part& y, int at) {
        if (used_) {
            ends_.first[at][number_ + 1] = x.v[0];
            ends_.last[at][number_ + 1] = x.v[chain_sites - 1];
        }
        __syncthreads();
        const Element left = used_ ? ends_.last[at][number_] : Element{0},
                      right = used_ ? ends_.first[at][number_ + 2] : Element{0};
        double xx[chain_sites], yx[chain_sites];
        for (int i = 0; i < chain_sites; ++i) {
            const Element before = i == 0 ? left : x.v[i - 1], after = i + 1 == chain_sites ? right : x.v[i + 1],
                          hx = Element{0} + (before + after);  // not -0, as in lattice_step
            y.v[i] = exists_ >> i & 1 ? new_element(a_, hx, diagonal_.v[i], x.v[i], c_, y.v[i]) : Element{0};
            const double from = x.v[i], to = y.v[i];
            xx[i] = i < mine_ ? fma(from, from, 0.0) : 0.0;
            yx[i] = i < mine_ ? fma(to, from, 0.0) : 0.0;
        }
        if (!in_chunk_) return;
        const double sum = sum_of_chunk(xx, yx);
        if (!sums_) return;
        *sums_ = sum;
        sums_ += pass_.sums_of_step;
    }

    __device__ void exchange() {
        const Part x = x_;
        x_ = y_;
        y_ = x;
    }

    Ends& ends_;
    const DevicePass<Element>& pass_;
    std::int64_t offset_ = 0;               // of the thread's first site
    int number_ = 0;                        // number of the thread, in the order of the sites
    bool in_chunk_ = false, used_ = false;  // used_: false if the thread has no sites
    bool together_ = false;                 // true if its sites are in the lattice and aligned
    int mine_ = 0;                          // number of its sites before the end of the lattice
    unsigned exists_ = 0;                   // bit i: there is a site i, which may be beyond a periodic edge
    Element a_, c_;
    Part x_{}, y_{}, diagonal_{};
    double* sums_ = nullptr;  // where the thread stores the sum of its chunk; null if it stores none
};

// The panels have one vector.
template <class Element>
__global__ void __launch_bounds__(chain_threads, 3) chain_steps(DevicePass<Element> pass, DeviceLattice lattice) {
    __shared__ typename ChainSteps<Element>::Ends ends;
    ChainSteps<Element>(ends, pass, lattice).perform();
}

}  // namespace legato::kpm
