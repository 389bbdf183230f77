// Sweeps of U. Wolff's algorithm, Phys. Rev. Lett. 62, 361 (1989), on a CPU. A sweep turns the cluster of a random site
// over, unless the cluster has the ghost (clusters.hpp). Only the bonds of pieces that the cluster reaches are drawn. A
// lattice has one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ising/clusters.hpp"
#include "ising/cpu_lattices.hpp"

namespace legato::ising {

template <int Dimensions>
class CpuWolff : public CpuLattices<Classes<Dimensions, false>> {
    using Base = CpuLattices<Classes<Dimensions, false>>;

    // A piece that the cluster reaches, or whose bonds with the cluster have been drawn. Bits are its sites.
    struct PieceOfCluster {
        bool is_known = false;
        Place at;
        std::uint32_t occupied[2 * Dimensions];  // bonds of colour 0 in each direction
        std::uint64_t along;                     // BondsOf::along()
        std::uint64_t inside = 0, reached = 0;   // sites of the cluster; sites that bonds reach but are not yet inside
    };

  public:
    using typename Base::Part;
    static constexpr std::uint32_t phases = 1;

    // Between sweeps no piece is known.
    struct Shared {
        explicit Shared(const Model& model) : pieces(model.packing.words()) {
            known.reserve(pieces.size());
            open.reserve(pieces.size());
        }

        std::vector<PieceOfCluster> pieces;
        std::vector<std::uint32_t> known, open;  // known pieces; pieces with reached sites
    };

    CpuWolff(const Model& model, const SlabLayout& layout) : Base(model, layout), model_(model) {
        for (const double beta : model.problem.betas) {
            chances_.emplace_back(beta);
            chances_of_field_.emplace_back(beta * model.problem.field);
        }
    }

    static double bytes(const Model& model) {
        return model.packing.words() * static_cast<double>(sizeof(PieceOfCluster) + 2 * sizeof(std::uint32_t));
    }

    void update(std::size_t block, Sweep sweep, std::uint32_t /*phase*/, Part /*all*/, CpuWorker& worker,
                Shared& shared) {
        const std::size_t beta = model_.beta_number(block);
        const Cluster cluster{{model_.packing, Base::spins(block, 0), chances_[beta], chances_of_field_[beta],
                               model_.problem.field != 0, model_.stream(block), sweep.number},
                              shared,
                              kernels_,
                              worker.bonds};
        start(cluster);
        while (!shared.open.empty()) {
            const std::uint32_t word = shared.open.back();
            shared.open.pop_back();
            grow(cluster, word);
        }
        const bool is_turned = !has_ghost(cluster);
        for (const std::uint32_t word : shared.known) {
            if (is_turned) turn(cluster, word, Base::spins(block, 0), Base::spins(block, 1));
            shared.pieces[word] = {};
        }
        shared.known.clear();
    }

  private:
    struct Cluster {
        BondsOf<Dimensions> bonds;
        Shared& shared;
        const BondKernels& kernels;
        BondBatch& batch;

        // Returns a piece with its bonds.
        PieceOfCluster& piece(std::uint32_t word) const {
            PieceOfCluster& piece = shared.pieces[word];
            if (!piece.is_known) draw(word, piece);
            return piece;
        }
        void reach(std::uint32_t word, PieceOfCluster& piece, std::uint64_t sites) const {
            sites &= ~(piece.inside | piece.reached);
            if (sites == 0) return;
            if (piece.reached == 0) shared.open.push_back(word);
            piece.reached |= sites;
        }

      private:
        void draw(std::uint32_t word, PieceOfCluster& piece) const {
            shared.known.push_back(word);
            piece.is_known = true;
            piece.at = place_of(bonds.packing, word);
            std::uint32_t candidates[2 * Dimensions];
            bonds.candidates(word, piece.at, candidates);
            batch.count = 0;
            for (std::uint32_t d = 0; d < 2 * Dimensions; ++d) batch.add(word, d, candidates[d]);
            draw_bonds(kernels, bonds.chance, bonds.stream, bonds.sweep, batch);
            std::copy_n(batch.bonds, 2 * Dimensions, piece.occupied);
            piece.along = bonds.along(piece.at, piece.occupied[0], piece.occupied[1]);
        }
    };

    // The random site is uniform to 2^-64 times the number of sites.
    static void start(const Cluster& c) {
        const Packing& p = c.bonds.packing;
        const auto random = random_words(c.bonds.stream, 0, c.bonds.sweep, 0, seed_draw);
        const std::uint64_t extent = 2 * p.bits, sites = extent * p.rows();
        const std::uint64_t high = random[1] * sites, low = random[0] * sites >> 32, site = (high + low) >> 32,
                            x = site % extent;
        const auto word = static_cast<std::uint32_t>(site / extent * p.width + x / sites_of_piece);
        c.reach(word, c.piece(word), std::uint64_t{1} << x % sites_of_piece);
    }

    // Takes the runs of the sites that are reached into the cluster, and reaches for their neighbours.
    static void grow(const Cluster& c, std::uint32_t word) {
        const Packing& p = c.bonds.packing;
        PieceOfCluster& own = c.piece(word);
        const std::uint64_t sites = with_runs(own.reached, own.along & ~std::uint64_t{1}) & ~own.inside;
        own.inside |= sites;
        own.reached = 0;
        grow_along(c, word, own.at, sites);
        for (std::uint32_t axis = 1; axis < Dimensions; ++axis) {
            const std::uint32_t to_before = 2 * axis, to_after = 2 * axis + 1;
            const std::uint32_t after = piece_after(p, own.at, word, axis),
                                before = piece_before(p, own.at, word, axis);
            PieceOfCluster &at_after = c.piece(after), &at_before = c.piece(before);
            c.reach(after, at_after,
                    sites & c.bonds.across(own.at, own.occupied[to_after], at_after.occupied[to_before]));
            c.reach(before, at_before,
                    sites & c.bonds.across(at_before.at, at_before.occupied[to_after], own.occupied[to_before]));
        }
    }

    // Reaches for the pieces before and after this one in its row.
    static void grow_along(const Cluster& c, std::uint32_t word, const Place& at, std::uint64_t sites) {
        const Packing& p = c.bonds.packing;
        const std::uint32_t before = at.word == 0 ? word + p.width - 1 : word - 1,
                            after = at.word + 1 == p.width ? word + 1 - p.width : word + 1;
        const bool owns_next = is_odd(0, at.y, at.z);  // bit 0 of along() is the bond with the piece after this one
        if ((sites & 1) != 0 && (c.piece(owns_next ? before : word).along & 1) != 0)
            c.reach(before, c.piece(before),
                    std::uint64_t{1} << last_site(p, at.word == 0 ? p.width - 1 : at.word - 1));
        if ((sites >> last_site(p, at.word) & 1) != 0 && (c.piece(owns_next ? word : after).along & 1) != 0)
            c.reach(after, c.piece(after), 1);
    }

    // Returns all sites that bonds along x connect with some sites. Bit x of the bonds connects x with x - 1.
    static std::uint64_t with_runs(std::uint64_t sites, std::uint64_t bonds) {
        std::uint64_t up = bonds, down = bonds >> 1;
        for (int distance = 1; distance < 64; distance *= 2) {
            sites |= (sites << distance & up) | (sites >> distance & down);
            up &= up << distance;
            down &= down >> distance;
        }
        return sites;
    }

    static bool has_ghost(const Cluster& c) {
        return c.bonds.has_field && std::any_of(c.shared.known.begin(), c.shared.known.end(), [&](std::uint32_t word) {
                   const PieceOfCluster& piece = c.shared.pieces[word];
                   return piece.inside != 0 && (c.bonds.with_ghost(word, piece.at) & piece.inside) != 0;
               });
    }

    static void turn(const Cluster& c, std::uint32_t word, std::uint32_t* spins, std::uint32_t* others) {
        const PieceOfCluster& piece = c.shared.pieces[word];
        const int odd = is_odd(0, piece.at.y, piece.at.z) ? 1 : 0;
        spins[word] ^= every_second(piece.inside >> odd);
        others[word] ^= every_second(piece.inside >> (1 - odd));
    }

    const Model& model_;
    const BondKernels& kernels_ = bond_kernels();
    std::vector<BondChance> chances_, chances_of_field_;  // one for each temperature
};

}  // namespace legato::ising
