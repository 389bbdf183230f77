// The vectors x and y of a block in device memory, with the halos of a slab.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/buffer.hpp"
#include "core/host_device.hpp"
#include "kpm/engine.hpp"
#include "kpm/start_vectors.hpp"
#include "kpm/vacancies.hpp"

namespace legato::kpm {
inline namespace engine_parts {

using cuda::Buffer;
using cuda::check;

constexpr int fill_threads = 256;

// Panels of the same width, one after the other. If vectors are complex, each of their lanes counts as a vector.
struct Panels {
    std::int64_t width, first, count;  // first: number of the first vector

    std::int64_t vectors() const { return width * count; }
};

// Returns the panels, widest first.
inline std::vector<Panels> panels_of(std::int64_t width, std::int64_t widest) {
    std::vector<Panels> all;
    for (std::int64_t first = 0; first < width;) {
        const std::int64_t next = std::min<std::int64_t>(
            static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(width - first))), widest);
        if (!all.empty() && all.back().width == next)
            ++all.back().count;
        else
            all.push_back({next, first, 1});
        first += next;
    }
    return all;
}

// The sites of vectors in device memory. Element v of a panel and site i is at [i * width + v], and its halos lie
// before the first and after the last site.
struct StoredSites {
    std::int64_t count = 0;
    std::int64_t below = 0, above = 0;  // sites of the halos, whose x belongs to other slabs
    std::int64_t first = 0;             // number of the first site in the lattice
    int lanes = 1;                      // of a vector

    LEGATO_HOST_DEVICE std::int64_t stored() const { return below + count + above; }
    // Returns where site `site` of vector number v of the panels is, counted from the first panel's site 0.
    LEGATO_HOST_DEVICE std::int64_t at(const Panels& panels, std::int64_t v, std::int64_t site) const {
        return v / panels.width * panels.width * stored() + site * panels.width + v % panels.width;
    }
};

template <class Element>
__global__ void fill_vectors(StartVectors kind, std::uint64_t seed, std::uint64_t vector, Panels panels,
                             StoredSites sites, Element* x) {
    const std::int64_t site = static_cast<std::int64_t>(blockIdx.x) * fill_threads + threadIdx.x;
    if (site >= sites.count) return;
    const auto number = static_cast<std::uint64_t>(sites.first + site);
    for (std::int64_t v = blockIdx.y; v < panels.width * panels.count; v += gridDim.y) {
        const bool is_imaginary = sites.lanes == 2 && v % 2 == 1;
        const std::uint64_t at = vector + static_cast<std::uint64_t>(sites.lanes == 2 ? v / 2 : v);
        double element = 0;
        if (kind == StartVectors::phase) {
            const Phase phase = start_phase(seed, at, number);
            element = is_imaginary ? phase.imaginary : phase.real;
        } else if (!is_imaginary) {
            element = start_element(kind, seed, at, number);
        }
        x[sites.at(panels, v, site)] = static_cast<Element>(element);
    }
}

// Fills vectors with plane waves; `waves` are those of the panels' vectors.
template <class Element>
__global__ void fill_waves(const Wave* waves, Panels panels, StoredSites sites, Element* x) {
    const std::int64_t site = static_cast<std::int64_t>(blockIdx.x) * fill_threads + threadIdx.x;
    if (site >= sites.count) return;
    const std::int64_t v = std::int64_t{blockIdx.y} * sites.lanes;
    const Phase phase = wave_element(waves[blockIdx.y], static_cast<std::uint64_t>(sites.first + site));
    x[sites.at(panels, v, site)] = static_cast<Element>(phase.real);
    if (sites.lanes == 2) x[sites.at(panels, v + 1, site)] = static_cast<Element>(phase.imaginary);
}

// Sets the elements of the chosen sites, one for each vector, to 1.
template <class Element>
__global__ void set_sites(const std::int64_t* chosen, Panels panels, StoredSites sites, Element* x) {
    const std::int64_t v = threadIdx.x, site = chosen[v] - sites.first;
    if (site >= 0 && site < sites.count) x[sites.at(panels, v * sites.lanes, site)] = 1.0;
}

// Copies a separate vector to the panels; v is the number of its first lane.
template <class Element>
__global__ void interleave(const double* vector, Panels panels, std::int64_t v, StoredSites sites, Element* x) {
    const std::int64_t site = static_cast<std::int64_t>(blockIdx.x) * fill_threads + threadIdx.x;
    if (site >= sites.count) return;
    for (int lane = 0; lane < sites.lanes; ++lane)
        x[sites.at(panels, v + lane, site)] = static_cast<Element>(vector[site * sites.lanes + lane]);
}

// Sets the elements of vacancies (vacancies.hpp), which are those of all sites of the lattice, to 0.
template <class Element>
__global__ void clear_vacancies(const std::uint32_t* vacancies, Panels panels, StoredSites sites, Element* x) {
    const std::int64_t site = static_cast<std::int64_t>(blockIdx.x) * fill_threads + threadIdx.x;
    if (site >= sites.count || !is_vacancy(vacancies, sites.first + site)) return;
    for (std::int64_t v = 0; v < panels.width * panels.count; ++v) x[sites.at(panels, v, site)] = 0;
}

// Adds factor x to a sum, of panels with `count` elements each, and of which x has one every `distance` elements.
template <class Element>
__global__ void add_multiple(double factor, const Element* x, std::int64_t distance, std::int64_t count, Element* sum) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * fill_threads + threadIdx.x, panel = blockIdx.y;
    if (i < count) sum[panel * count + i] += static_cast<Element>(factor * x[panel * distance + i]);
}

// Copies a vector of panels without halos to a separate vector; v is the number of its first lane.
template <class Element>
__global__ void separate(const Element* sum, Panels panels, std::int64_t v, StoredSites sites, double* vector) {
    const std::int64_t site = static_cast<std::int64_t>(blockIdx.x) * fill_threads + threadIdx.x;
    if (site >= sites.count) return;
    for (int lane = 0; lane < sites.lanes; ++lane)
        vector[site * sites.lanes + lane] = sum[sites.at(panels, v + lane, site)];
}

inline unsigned blocks_for(std::int64_t count, std::int64_t piece) {
    return static_cast<unsigned>((count + piece - 1) / piece);
}

template <class Element>
class DeviceVectors {
  public:
    // `block_width` counts lanes. `spare` is the number of lanes for which there is more memory, see move().
    DeviceVectors(const Problem& problem, const StoredSites& sites, int block_width, std::int64_t spare = 0)
        : problem_(problem),
          sites_(sites),
          spare_(spare * sites.stored()),
          x_(static_cast<std::size_t>(sites.stored() * block_width + spare_)),
          y_(static_cast<std::size_t>(sites.stored() * block_width + spare_)),
          sum_size_(sites.count * block_width),
          sums_(static_cast<std::size_t>(problem.sums * sum_size_)) {}

    const StoredSites& sites() const { return sites_; }
    const std::vector<Panels>& panels() const { return panels_; }
    void exchange() { std::swap(x_, y_); }

    // These functions return the first element of panels, halos left out, and the distance from one panel to the next.
    Element* x(const Panels& panels) const { return x_.data() + start(panels, is_moved_); }
    Element* y(const Panels& panels) const { return y_.data() + start(panels, is_moved_); }
    std::int64_t distance(const Panels& panels) const { return panels.width * sites_.stored(); }

    // The first panels can move to the spare memory before them, and back. These functions return where they would be
    // then. Panels that move forwards are copied from the first one on, those that move back from the last one on.
    Element* moved_x(const Panels& panels) const { return x_.data() + start(panels, !is_moved_); }
    Element* moved_y(const Panels& panels) const { return y_.data() + start(panels, !is_moved_); }
    bool is_moved() const { return is_moved_; }
    void move() { is_moved_ = !is_moved_; }

    // Sets y and halos to zero, and x to the start vectors unless the caller gives them.
    void begin(const Block& block, std::int64_t widest_panel) {
        panels_ = panels_of(std::int64_t{block.width} * sites_.lanes, widest_panel);
        const auto bytes = static_cast<std::size_t>(sites_.stored() * block.width * sites_.lanes) * sizeof(Element);
        is_moved_ = false;
        check(cudaMemsetAsync(y_.data() + spare_, 0, bytes), "cudaMemset");
        check(cudaMemsetAsync(sums_.data(), 0, sums_.size() * sizeof(Element)), "cudaMemset");
        if (block.kind == StartVectors::sites || sites_.below + sites_.above > 0)
            check(cudaMemsetAsync(x_.data() + spare_, 0, bytes), "cudaMemset");
        if (block.kind == StartVectors::sites) {
            grow(chosen_, static_cast<std::size_t>(block.width));
            chosen_.upload(std::span(problem_.sites)
                               .subspan(static_cast<std::size_t>(block.first), static_cast<std::size_t>(block.width)));
        }
        if (block.kind == StartVectors::waves) upload_waves(block);
        for (const Panels& panels : panels_) {
            const auto lanes = static_cast<unsigned>(panels.vectors());
            const std::int64_t first = panels.first / sites_.lanes;
            if (block.kind == StartVectors::sites)
                set_sites<<<1, lanes / static_cast<unsigned>(sites_.lanes)>>>(chosen_.data() + first, panels, sites_,
                                                                              x(panels));
            else if (block.kind == StartVectors::waves)
                fill_waves<<<dim3(blocks_for(sites_.count, fill_threads), lanes / static_cast<unsigned>(sites_.lanes)),
                             fill_threads>>>(waves_.data() + first, panels, sites_, x(panels));
            else if (block.kind != StartVectors::caller)
                fill_vectors<<<dim3(blocks_for(sites_.count, fill_threads), lanes), fill_threads>>>(
                    block.kind, static_cast<std::uint64_t>(problem_.seed),
                    static_cast<std::uint64_t>(block.first + first), panels, sites_, x(panels));
        }
        check(cudaGetLastError(), "start vectors");
    }

    // Sets vector number v of the block to the elements of a separate vector in device memory.
    void set(std::int64_t v, const double* elements) {
        const std::int64_t lane = v * sites_.lanes;
        const Panels& panels = panels_with(lane);
        interleave<<<blocks_for(sites_.count, fill_threads), fill_threads>>>(elements, panels, lane - panels.first,
                                                                             sites_, x(panels));
        check(cudaGetLastError(), "start vectors");
    }

    // Sets the elements of vacancies to 0.
    void clear(const std::uint32_t* vacancies) {
        for (const Panels& panels : panels_)
            clear_vacancies<<<blocks_for(sites_.count, fill_threads), fill_threads>>>(vacancies, panels, sites_,
                                                                                      x(panels));
        check(cudaGetLastError(), "vacancies");
    }

    // Adds factor x to a sum of each vector.
    void add_to_sum(std::size_t sum, double factor) {
        for (const Panels& panels : panels_) {
            const std::int64_t count = panels.width * sites_.count;
            const dim3 grid(blocks_for(count, fill_threads), static_cast<unsigned>(panels.count));
            add_multiple<<<grid, fill_threads>>>(factor, x(panels), distance(panels), count, sum_of(panels, sum));
        }
        check(cudaGetLastError(), "sum of vectors");
    }

    // Copies a sum of vector number v of the block to a separate vector in device memory.
    void read_sum(std::size_t sum, std::int64_t v, double* elements) const {
        const std::int64_t lane = v * sites_.lanes;
        const Panels& panels = panels_with(lane);
        separate<<<blocks_for(sites_.count, fill_threads), fill_threads>>>(
            sum_of(panels, sum), panels, lane - panels.first, StoredSites{.count = sites_.count, .lanes = sites_.lanes},
            elements);
        check(cudaGetLastError(), "sum of vectors");
    }

  private:
    void upload_waves(const Block& block) {
        std::vector<Wave> waves;
        for (std::int64_t v = 0; v < block.width; ++v)
            waves.push_back(problem_.waves.wave(static_cast<std::size_t>(block.first + v)));
        grow(waves_, waves.size());
        waves_.upload(waves);
    }

    const Panels& panels_with(std::int64_t lane) const {
        return *std::find_if(panels_.begin(), panels_.end(),
                             [&](const Panels& p) { return lane < p.first + p.vectors(); });
    }

    Element* sum_of(const Panels& panels, std::size_t sum) const {
        return sums_.data() + static_cast<std::int64_t>(sum) * sum_size_ + panels.first * sites_.count;
    }

    std::int64_t start(const Panels& panels, bool is_moved) const {
        return panels.first * sites_.stored() + sites_.below * panels.width +
               (is_moved && panels.first == 0 ? 0 : spare_);
    }

    const Problem& problem_;
    StoredSites sites_;
    std::int64_t spare_;  // elements before the first panel
    bool is_moved_ = false;
    Buffer<Element> x_, y_;  // spare memory, then [panels][halo, sites, halo][width of the panel]
    std::int64_t sum_size_;
    Buffer<Element> sums_;  // [sums][panels][sites][width of the panel]
    Buffer<std::int64_t> chosen_;
    Buffer<Wave> waves_;  // of the vectors of the block
    std::vector<Panels> panels_;
};

}  // namespace engine_parts
}  // namespace legato::kpm
