// Sweeps of Swendsen and Wang's algorithm on a CPU. A sweep has three phases: all sites are alone, bonds connect them,
// and clusters are turned over. Threads share a lattice word by word.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "ising/clusters.hpp"
#include "ising/cpu_lattices.hpp"

namespace legato::ising {

// The sites that are known to be in the same cluster. Each site leads to one with a lower number, and the first site of
// a cluster to itself. Several threads may call all functions at the same time.
class ClusterSites {
  public:
    explicit ClusterSites(std::vector<std::uint32_t>& leads_to) : leads_to_(leads_to) {}

    void reset(std::uint32_t site) const { to(site).store(site, relaxed); }
    std::uint32_t first_of(std::uint32_t site) const {
        for (std::uint32_t next = to(site).load(relaxed); next != site;) {
            const std::uint32_t after = to(next).load(relaxed);
            if (after != next) to(site).store(after, relaxed);  // halves the way
            site = next;
            next = after;
        }
        return site;
    }
    void connect(std::uint32_t a, std::uint32_t b) const {
        for (;;) {
            a = first_of(a);
            b = first_of(b);
            if (a == b) return;
            if (a < b) std::swap(a, b);
            std::uint32_t expected = a;
            if (to(a).compare_exchange_weak(expected, b, relaxed)) return;
        }
    }

  private:
    static constexpr auto relaxed = std::memory_order_relaxed;
    std::atomic_ref<std::uint32_t> to(std::uint32_t site) const { return std::atomic_ref(leads_to_[site]); }

    std::vector<std::uint32_t>& leads_to_;
};

template <int Dimensions>
class CpuClusters : public CpuLattices<Classes<Dimensions, false>> {
    using Base = CpuLattices<Classes<Dimensions, false>>;

  public:
    using typename Base::Part;
    static constexpr std::uint32_t phases = 3;

    CpuClusters(const Model& model, const SlabLayout& layout) : Base(model, layout), model_(model) {
        for (const double beta : model.problem.betas) chances_.emplace_back(beta);
    }

    std::size_t shared_numbers() const { return std::size_t{64} * Base::layout().packing.words(); }

    void update(std::size_t block, std::int64_t sweep, std::uint32_t phase, Part part, CpuWorker&,
                std::vector<std::uint32_t>& numbers) {
        const ClusterSites sites(numbers);
        if (phase == 0) return separate(part, sites);
        if (phase == 1) return connect(block, sweep, part, sites);
        for (std::uint32_t colour = 0; colour < 2; ++colour) turn(block, sweep, colour, part, sites);
    }

  private:
    void separate(Part part, const ClusterSites& sites) const {
        const std::uint32_t words = Base::layout().packing.words();
        for (const std::uint32_t start : {0u, words})
            for (std::uint32_t site = 32 * (start + part.first); site != 32 * (start + part.end); ++site)
                sites.reset(site);
    }

    void connect(std::size_t block, std::int64_t sweep, Part part, const ClusterSites& sites) const {
        constexpr int neighbours = 2 * Dimensions;
        const Packing& p = Base::layout().packing;
        const BondChance& chance = chances_[model_.beta_number(block)];
        const Stream stream = model_.stream(block);
        const std::uint32_t *const spins = Base::spins(block, 0), *const others = Base::spins(block, 1);
        for (std::uint32_t word = part.first; word < part.end; ++word) {
            const Place at = place_of(p, word);
            std::uint32_t n[neighbours];
            neighbours_of<neighbours>(p, others, 0, at, n);
            for (std::uint32_t direction = 0; direction < neighbours; ++direction) {
                const std::uint32_t candidates =
                    ~(spins[word] ^ n[direction] ^ chance.antiferromagnetic) & valid_bits(p, at.word);
                const NeighbourSites there = neighbour_sites(p, at, direction);
                for (std::uint32_t bonds = occupied_bonds(chance, stream, word, sweep, direction, candidates);
                     bonds != 0; bonds &= bonds - 1) {
                    const std::uint32_t bit = lowest_bit(bonds);
                    sites.connect(32 * word + bit, there.of(bit));
                }
            }
        }
    }

    void turn(std::size_t block, std::int64_t sweep, std::uint32_t colour, Part part, const ClusterSites& sites) {
        const Packing& p = Base::layout().packing;
        const Stream stream = model_.stream(block);
        std::uint32_t* const spins = Base::spins(block, colour);
        std::uint32_t last = ~0u;  // neighbours are often in the same cluster
        bool turned = false;
        for (std::uint32_t word = part.first; word < part.end; ++word) {
            std::uint32_t mask = 0;
            for (std::uint32_t valid = valid_bits(p, word % p.width); valid != 0; valid &= valid - 1) {
                const std::uint32_t bit = lowest_bit(valid),
                                    first = sites.first_of(32 * (colour * p.words() + word) + bit);
                if (first != last) turned = is_turned(p, stream, sweep, last = first);
                mask |= static_cast<std::uint32_t>(turned) << bit;
            }
            spins[word] ^= mask;
        }
    }

    const Model& model_;
    std::vector<BondChance> chances_;  // one for each temperature
};

}  // namespace legato::ising
