// Sweeps of Swendsen and Wang's algorithm on a CPU. A sweep has three phases: bonds along x make runs, bonds across
// connect them, and clusters are turned over. Threads share a lattice piece by piece.
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

    void lead(std::uint32_t site, std::uint32_t first) const { to(site).store(first, relaxed); }
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

    // Numbers of the sites that sites lead to, and two words of bonds along x for each piece.
    std::size_t shared_numbers() const { return std::size_t{66} * Base::layout().packing.words(); }

    void update(std::size_t block, std::int64_t sweep, std::uint32_t phase, Part part, CpuWorker&,
                std::vector<std::uint32_t>& numbers) {
        const Lattice lattice{
            Base::layout().packing, Base::spins(block, 0),
            Base::spins(block, 1),  chances_[model_.beta_number(block)],
            model_.stream(block),   sweep,
            ClusterSites(numbers),  numbers.data() + std::size_t{64} * Base::layout().packing.words()};
        for (std::uint32_t word = part.first; word < part.end; ++word) {
            if (phase == 0) make_runs(lattice, word);
            if (phase == 1) connect(lattice, word);
            if (phase == 2) turn(lattice, word);
        }
    }

  private:
    static constexpr int neighbours = 2 * Dimensions;

    // A lattice in a sweep.
    struct Lattice {
        const Packing& packing;
        std::uint32_t *spins, *others;  // of colours 0 and 1
        const BondChance& chance;
        Stream stream;
        std::int64_t sweep;
        ClusterSites sites;
        std::uint32_t* bonds;  // [pieces][2]

        // Returns the occupied bonds of colour 0 in a direction.
        std::uint32_t occupied(std::uint32_t word, const Place& at, std::uint32_t direction) const {
            std::uint32_t n[neighbours];
            neighbours_of<neighbours>(packing, others, 0, at, n);
            return occupied_bonds(
                chance, stream, word, sweep, direction,
                ~(spins[word] ^ n[direction] ^ chance.antiferromagnetic) & valid_bits(packing, at.word));
        }
        std::uint64_t runs(std::uint32_t word) const {
            return std::uint64_t{bonds[2 * word + 1]} << 32 | bonds[2 * word];
        }
    };

    // Bonds between pieces are left to connect().
    static void make_runs(const Lattice& a, std::uint32_t word) {
        const Place at = place_of(a.packing, word);
        const std::uint64_t along = bonds_along(a.packing, at, a.occupied(word, at, 0), a.occupied(word, at, 1));
        a.bonds[2 * word] = static_cast<std::uint32_t>(along);
        a.bonds[2 * word + 1] = static_cast<std::uint32_t>(along >> 32);
        for (std::uint32_t x = 0; x < 64; ++x) a.sites.lead(64 * word + x, 64 * word + start_of_run(along, x));
    }

    static void connect(const Lattice& a, std::uint32_t word) {
        const Packing& p = a.packing;
        const Place at = place_of(p, word);
        if ((a.runs(word) & 1) != 0) {
            const SitePair pair = between_pieces(p, at, word);
            a.sites.connect(pair.a, pair.b);
        }
        join(a, word, at.y + 1 == p.rows_y ? word - (p.rows_y - 1) * p.width : word + p.width, at, 2);
        const std::uint32_t plane = p.rows_y * p.width;
        if constexpr (Dimensions == 3)
            join(a, word, at.z + 1 == p.rows_z ? word - (p.rows_z - 1) * plane : word + plane, at, 4);
    }

    // Connects the runs of a piece with those of the one after it along an axis, from which it is in this direction. If
    // two runs meet several times in succession, one bond is enough.
    static void join(const Lattice& a, std::uint32_t word, std::uint32_t after, const Place& at,
                     std::uint32_t direction) {
        const int odd = is_odd(0, at.y, at.z) ? 1 : 0;
        const std::uint64_t across = spread(a.occupied(word, at, direction + 1)) << odd |
                                     spread(a.occupied(after, place_of(a.packing, after), direction)) << (1 - odd),
                            together = a.runs(word) & a.runs(after);
        for (std::uint64_t bonds = across & ~(across << 1 & together); bonds != 0; bonds &= bonds - 1) {
            const auto x = static_cast<std::uint32_t>(std::countr_zero(bonds));
            a.sites.connect(64 * word + x, 64 * after + x);
        }
    }

    static void turn(const Lattice& a, std::uint32_t word) {
        const Place at = place_of(a.packing, word);
        const std::uint32_t valid = valid_bits(a.packing, at.word);
        const std::uint64_t all = spread(valid) | spread(valid) << 1;
        std::uint64_t turned = 0;
        for (std::uint64_t starts = (~a.runs(word) | 1) & all; starts != 0;) {
            const std::uint64_t start = starts & -starts;
            starts ^= start;
            const auto site = 64 * word + static_cast<std::uint32_t>(std::countr_zero(start));
            if (is_turned(a.stream, a.sweep, a.sites.first_of(site))) turned |= (starts & -starts) - start;
        }
        const int odd = is_odd(0, at.y, at.z) ? 1 : 0;
        a.spins[word] ^= every_second(turned >> odd) & valid;
        a.others[word] ^= every_second(turned >> (1 - odd)) & valid;
    }

    const Model& model_;
    std::vector<BondChance> chances_;  // one for each temperature
};

}  // namespace legato::ising
