// Sweeps of Swendsen and Wang's algorithm on a CPU. A sweep has three phases: bonds along x make runs, bonds across
// connect them, and clusters are turned over. Threads share a lattice piece by piece.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "ising/cluster_measurement.hpp"
#include "ising/clusters.hpp"
#include "ising/cpu_lattices.hpp"

namespace legato::ising {

// The sites that are known to be in the same cluster. Each site leads to one with a lower number, and the first site of
// a cluster to itself. Several threads may call all functions at the same time.
class ClusterSites {
  public:
    explicit ClusterSites(std::vector<std::uint32_t>& leads_to) : leads_to_(leads_to) {}

    void lead_to_itself(std::uint32_t site) const { to(site).store(site, relaxed); }
    bool is_first(std::uint32_t site) const { return to(site).load(relaxed) == site; }
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

// Remembers which clusters are turned over. Runs of a cluster are close to one another.
class TurnedClusters {
  public:
    TurnedClusters(const Stream& stream, std::int64_t sweep) : stream_(stream), sweep_(sweep) {}

    bool has(std::uint32_t first) {
        const std::uint32_t i = (first ^ first / entries) % entries;
        if (first_[i] != first) {
            first_[i] = first;
            is_turned_[i] = is_turned(stream_, sweep_, first);
        }
        return is_turned_[i];
    }

  private:
    static constexpr std::uint32_t entries = 64;
    static_assert(ghost_site == 0);  // with which all entries begin

    Stream stream_;
    std::int64_t sweep_;
    std::uint32_t first_[entries] = {};
    bool is_turned_[entries] = {};
};

template <int Dimensions>
class CpuClusters : public CpuLattices<Classes<Dimensions, false>> {
    using Base = CpuLattices<Classes<Dimensions, false>>;

  public:
    using typename Base::Part;
    static constexpr std::uint32_t phases = 3;
    static constexpr std::uint32_t neighbours = 2 * Dimensions;

    // Memory of a lattice that is under way, which its threads share.
    struct Shared {
        explicit Shared(const Model& model)
            : leads_to(numbers_of_sites(model.packing)),
              occupied(std::size_t{neighbours} * model.packing.words()),
              along(model.packing.words()),
              magnetisations(numbers_of_sites(model.packing)),
              labels(model.problem.correlations ? numbers_of_sites(model.packing) : 0) {}

        std::vector<std::uint32_t> leads_to;       // ClusterSites
        std::vector<std::uint32_t> occupied;       // bonds of colour 0, [words][directions]
        std::vector<std::uint64_t> along;          // BondsOf::along() of each piece
        std::vector<std::int32_t> magnetisations;  // of the cluster, at its first site
        std::vector<std::uint32_t> labels;         // cluster_measurement.hpp
    };

    CpuClusters(const Model& model, const SlabLayout& layout) : Base(model, layout), model_(model) {
        for (const double beta : model.problem.betas) {
            chances_.emplace_back(beta);
            chances_of_field_.emplace_back(beta * model.problem.field);
        }
    }

    static double bytes(const Model& model) {
        const double numbers = model.problem.correlations ? 3 : 2;
        return static_cast<double>(numbers_of_sites(model.packing)) * numbers * sizeof(std::uint32_t) +
               static_cast<double>(model.packing.words()) *
                   (sizeof(std::uint64_t) + neighbours * sizeof(std::uint32_t));
    }

    void update(std::size_t block, Sweep sweep, std::uint32_t phase, Part part, CpuWorker& worker, Shared& shared) {
        const Lattice lattice = lattice_of(block, sweep.number, shared);
        if (phase == 0 && part.first == 0) {
            lattice.sites.lead_to_itself(ghost_site);
            shared.magnetisations[ghost_site] = 0;
        }
        if (phase == 0) draw_all_bonds(lattice, part, worker.bonds);
        TurnedClusters turned(lattice.bonds.stream, sweep.number);
        for (std::uint32_t word = part.first; word < part.end; ++word) {
            const Place at = place_of(model_.packing, word);
            if (phase == 0) make_runs(lattice, word, at, sweep.is_measured);
            if (phase == 1) connect(lattice, word, at);
            if (phase == 2) turn(lattice, word, at, turned, sweep.is_measured);
        }
    }

    void measure(std::size_t block, Part part, std::span<std::int64_t> values, Piece& piece, Shared& shared) {
        Base::measure_spins(block, part, values, piece);
        const Lattice lattice = lattice_of(block, 0, shared);
        measure_clusters(lattice, part, values.subspan(model_.values.clusters));
        if (model_.problem.correlations) {
            add_planes(model_, Base::spins(block, 0), part.first, part.end - part.first, values);
            add_cluster_correlations(model_, shared.labels, part.first, part.end, values);
        }
    }

  private:
    // A lattice in a sweep.
    struct Lattice {
        BondsOf<Dimensions> bonds;
        ClusterSites sites;
        Shared& shared;
        std::uint32_t* spins;  // of both colours

        const std::uint32_t* occupied(std::uint32_t word) const {
            return shared.occupied.data() + std::size_t{neighbours} * word;
        }
        std::uint32_t first_of_run(std::uint32_t word, std::uint32_t x) const {
            return site_number(word, start_of_run(shared.along[word], x));
        }
        // Returns those of the bits that are the first bits of runs.
        std::uint64_t starts(std::uint32_t word, std::uint64_t bits) const { return (~shared.along[word] | 1) & bits; }
    };

    Lattice lattice_of(std::size_t block, std::int64_t sweep, Shared& shared) {
        const std::size_t beta = model_.beta_number(block);
        return {{model_.packing, Base::spins(block, 0), chances_[beta], chances_of_field_[beta],
                 model_.problem.field != 0, model_.stream(block), sweep},
                ClusterSites(shared.leads_to),
                shared,
                Base::spins(block, 0)};
    }

    void draw_all_bonds(const Lattice& a, Part part, BondBatch& batch) const {
        constexpr std::uint32_t at_once = BondBatch::capacity / neighbours;
        for (std::uint32_t first = part.first; first < part.end; first += at_once) {
            const std::uint32_t end = std::min(part.end, first + at_once);
            batch.count = 0;
            for (std::uint32_t word = first; word < end; ++word) {
                std::uint32_t candidates[neighbours];
                a.bonds.candidates(word, place_of(model_.packing, word), candidates);
                for (std::uint32_t d = 0; d < neighbours; ++d) batch.add(word, d, candidates[d]);
            }
            draw_bonds(kernels_, a.bonds.chance, a.bonds.stream, a.bonds.sweep, batch);
            std::copy_n(batch.bonds, batch.count, a.shared.occupied.data() + std::size_t{neighbours} * first);
        }
    }

    // Only the first sites of runs are used. Bonds between pieces are left to connect().
    static void make_runs(const Lattice& a, std::uint32_t word, const Place& at, bool is_measured) {
        const std::uint32_t* const occupied = a.occupied(word);
        a.shared.along[word] = a.bonds.along(at, occupied[0], occupied[1]);
        for (std::uint64_t starts = a.starts(word, a.bonds.sites(at)); starts != 0; starts &= starts - 1) {
            const std::uint32_t site = site_number(word, static_cast<std::uint32_t>(std::countr_zero(starts)));
            a.sites.lead_to_itself(site);
            if (is_measured) a.shared.magnetisations[site] = 0;
        }
    }

    // If two runs meet several times in succession, or a run the ghost, one bond is enough.
    static void connect(const Lattice& a, std::uint32_t word, const Place& at) {
        const Packing& p = a.bonds.packing;
        const std::uint64_t along = a.shared.along[word];
        if ((along & 1) != 0) {
            const PiecePair pair = connected_pieces(p, at, word);
            a.sites.connect(a.first_of_run(pair.before, last_site(p, pair.before % p.width)),
                            site_number(pair.after, 0));
        }
        for (std::uint32_t axis = 1; axis < Dimensions; ++axis) {
            const std::uint32_t after = piece_after(p, at, word, axis);
            const std::uint64_t across =
                                    a.bonds.across(at, a.occupied(word)[2 * axis + 1], a.occupied(after)[2 * axis]),
                                together = along & a.shared.along[after];
            for_each_site(across & ~(across << 1 & together),
                          [&](std::uint32_t x) { a.sites.connect(a.first_of_run(word, x), a.first_of_run(after, x)); });
        }
        if (!a.bonds.has_field) return;
        const std::uint64_t with_ghost = a.bonds.with_ghost(word, at);
        for_each_site(with_ghost & ~(with_ghost << 1 & along),
                      [&](std::uint32_t x) { a.sites.connect(a.first_of_run(word, x), ghost_site); });
    }

    template <class Visit>
    static void for_each_site(std::uint64_t sites, const Visit& visit) {
        for (; sites != 0; sites &= sites - 1) visit(static_cast<std::uint32_t>(std::countr_zero(sites)));
    }

    // Calls visit(run, first site of its cluster) for each run of a piece. A run is a mask of its sites.
    template <class Visit>
    static void for_each_run(const Lattice& a, std::uint32_t word, const Place& at, const Visit& visit) {
        const std::uint64_t sites = a.bonds.sites(at);
        for (std::uint64_t starts = a.starts(word, sites); starts != 0;) {
            const std::uint64_t start = starts & -starts;
            starts ^= start;
            const auto x = static_cast<std::uint32_t>(std::countr_zero(start));
            visit(((starts & -starts) - start) & sites, a.sites.first_of(site_number(word, x)));
        }
    }

    static void turn(const Lattice& a, std::uint32_t word, const Place& at, TurnedClusters& turned_clusters,
                     bool is_measured) {
        const std::uint64_t up = a.bonds.up(word, at);
        std::uint64_t turned = 0;
        Magnetisation of_runs(a.shared);
        for_each_run(a, word, at, [&](std::uint64_t run, std::uint32_t first) {
            const std::uint64_t turned_here = turned_clusters.has(first) ? run : 0;
            turned |= turned_here;
            if (is_measured) of_runs.add(first, 2 * std::popcount(run & (up ^ turned_here)) - std::popcount(run));
            if (is_measured && !a.shared.labels.empty()) write_labels(a, word, run, first, up ^ turned_here);
        });
        const int odd = is_odd(0, at.y, at.z) ? 1 : 0;
        a.spins[word] ^= every_second(turned >> odd);
        a.spins[a.bonds.packing.words() + word] ^= every_second(turned >> (1 - odd));
    }

    static void write_labels(const Lattice& a, std::uint32_t word, std::uint64_t run, std::uint32_t first,
                             std::uint64_t up) {
        for_each_site(
            run, [&](std::uint32_t x) { a.shared.labels[site_number(word, x)] = label_of(first, (up >> x & 1) != 0); });
    }

    // Adds the magnetisations of runs to those of their clusters. Runs of the same cluster often follow one another,
    // and are added together.
    class Magnetisation {
      public:
        explicit Magnetisation(Shared& shared) : shared_(shared) {}
        ~Magnetisation() { add_sum(); }
        Magnetisation(const Magnetisation&) = delete;
        Magnetisation& operator=(const Magnetisation&) = delete;

        void add(std::uint32_t cluster, std::int32_t magnetisation) {
            if (cluster != cluster_) {
                add_sum();
                cluster_ = cluster;
                sum_ = 0;
            }
            sum_ += magnetisation;
        }

      private:
        void add_sum() {
            if (sum_ != 0) std::atomic_ref(shared_.magnetisations[cluster_]).fetch_add(sum_, std::memory_order_relaxed);
        }

        Shared& shared_;
        std::uint32_t cluster_ = ghost_site;
        std::int32_t sum_ = 0;
    };

    void measure_clusters(const Lattice& a, Part part, std::span<std::int64_t> values) const {
        ClusterSums sums;
        if (part.first == 0) sums.add_ghost(a.shared.magnetisations[ghost_site]);
        for (std::uint32_t word = part.first; word < part.end; ++word) {
            for_each_site(a.starts(word, a.bonds.sites(place_of(model_.packing, word))), [&](std::uint32_t x) {
                const std::uint32_t site = site_number(word, x);
                if (a.sites.is_first(site)) sums.add(a.shared.magnetisations[site]);
            });
        }
        sums.add_to(values);
    }

    const Model& model_;
    const BondKernels& kernels_ = bond_kernels();
    std::vector<BondChance> chances_, chances_of_field_;  // one for each temperature
};

}  // namespace legato::ising
