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

    // What is known of a piece in a sweep. Bits are its sites.
    struct PieceOfCluster {
        std::uint64_t inside = 0, reached = 0;   // sites of the cluster; sites that bonds reach but are not yet inside
        std::uint32_t occupied[2 * Dimensions];  // bonds of colour 0 in each direction
        bool is_drawn = false;
    };

  public:
    using typename Base::Part;
    static constexpr std::uint32_t phases = 1;
    static constexpr bool threads_share_lattices = false;

    // Between sweeps all pieces are as they began.
    struct Shared {
        explicit Shared(const Model& model) : pieces(model.packing.words()) {
            touched.reserve(pieces.size());
            open.reserve(pieces.size());
        }

        std::vector<PieceOfCluster> pieces;
        std::vector<std::uint32_t> touched, open;  // pieces that are not as they began; pieces with reached sites
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
        for (const std::uint32_t word : shared.touched) {
            if (is_turned) turn(cluster, word, Base::spins(block, 0), Base::spins(block, 1));
            shared.pieces[word] = {};
        }
        shared.touched.clear();
    }

  private:
    struct Cluster {
        BondsOf<Dimensions> bonds;
        Shared& shared;
        const BondKernels& kernels;
        BondBatch& batch;

        Place place(std::uint32_t word) const { return place_of(bonds.packing, word); }

        // Returns the occupied bonds of a piece.
        const std::uint32_t* occupied(std::uint32_t word, const Place& at) const {
            PieceOfCluster& piece = shared.pieces[word];
            if (piece.is_drawn) return piece.occupied;
            if (piece.reached == 0) shared.touched.push_back(word);
            std::uint32_t candidates[2 * Dimensions];
            bonds.candidates(word, at, candidates);
            batch.count = 0;
            for (std::uint32_t d = 0; d < 2 * Dimensions; ++d) batch.add(word, d, candidates[d]);
            draw_bonds(kernels, bonds.chance, bonds.stream, bonds.sweep, batch);
            std::copy_n(batch.bonds, 2 * Dimensions, piece.occupied);
            piece.is_drawn = true;
            return piece.occupied;
        }
        std::uint64_t along(std::uint32_t word, const Place& at) const {
            const std::uint32_t* const of_piece = occupied(word, at);
            return bonds.along(at, of_piece[0], of_piece[1]);
        }
        void reach(std::uint32_t word, std::uint64_t sites) const {
            PieceOfCluster& piece = shared.pieces[word];
            sites &= ~(piece.inside | piece.reached);
            if (sites == 0) return;
            if (!piece.is_drawn && piece.reached == 0) shared.touched.push_back(word);
            if (piece.reached == 0) shared.open.push_back(word);
            piece.reached |= sites;
        }
    };

    // The random site is uniform to 2^-64 times the number of sites.
    static void start(const Cluster& c) {
        const Packing& p = c.bonds.packing;
        const auto random = random_words(c.bonds.stream, 0, c.bonds.sweep, 0, seed_draw);
        const std::uint64_t extent = 2 * p.bits, sites = extent * p.rows();
        const std::uint64_t high = random[1] * sites, low = random[0] * sites >> 32, site = (high + low) >> 32,
                            x = site % extent;
        c.reach(static_cast<std::uint32_t>(site / extent * p.width + x / sites_of_piece),
                std::uint64_t{1} << x % sites_of_piece);
    }

    // Takes the runs of the sites that are reached into the cluster, and reaches for their neighbours.
    static void grow(const Cluster& c, std::uint32_t word) {
        const Packing& p = c.bonds.packing;
        const Place at = c.place(word);
        const std::uint32_t* const occupied = c.occupied(word, at);
        const std::uint64_t along = c.bonds.along(at, occupied[0], occupied[1]);
        PieceOfCluster& piece = c.shared.pieces[word];
        const std::uint64_t sites = with_runs(piece.reached, along & ~std::uint64_t{1}) & ~piece.inside;
        piece.inside |= sites;
        piece.reached = 0;
        grow_along(c, word, at, sites);
        for (int axis = 1; axis < Dimensions; ++axis) {
            const std::uint32_t after = piece_after(p, at, word, axis), before = piece_before(p, at, word, axis);
            const Place at_after = c.place(after), at_before = c.place(before);
            c.reach(after, sites & c.bonds.across(at, occupied[2 * axis + 1], c.occupied(after, at_after)[2 * axis]));
            c.reach(before,
                    sites & c.bonds.across(at_before, c.occupied(before, at_before)[2 * axis + 1], occupied[2 * axis]));
        }
    }

    // Reaches for the pieces before and after this one in its row.
    static void grow_along(const Cluster& c, std::uint32_t word, const Place& at, std::uint64_t sites) {
        const Packing& p = c.bonds.packing;
        const std::uint32_t row = at.row * p.width, last = row + p.width - 1, end = last_site(p, word);
        const auto cross = [&](std::uint32_t owner, bool at_start) {
            if ((c.along(owner, c.place(owner)) & 1) == 0) return;
            const PiecePair pair = connected_pieces(p, c.place(owner), owner);
            if (at_start)
                c.reach(pair.before, std::uint64_t{1} << last_site(p, pair.before));
            else
                c.reach(pair.after, 1);
        };
        const bool odd = is_odd(0, at.y, at.z);  // bonds with the piece after this one are its own
        if ((sites & 1) != 0) cross(!odd ? word : word == row ? last : word - 1, true);
        if ((sites >> end & 1) != 0) cross(odd ? word : word == last ? row : word + 1, false);
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
        return c.bonds.has_field &&
               std::any_of(c.shared.touched.begin(), c.shared.touched.end(), [&](std::uint32_t word) {
                   return (c.bonds.with_ghost(word, c.place(word)) & c.shared.pieces[word].inside) != 0;
               });
    }

    static void turn(const Cluster& c, std::uint32_t word, std::uint32_t* spins, std::uint32_t* others) {
        const Place at = c.place(word);
        const std::uint64_t inside = c.shared.pieces[word].inside;
        const int odd = is_odd(0, at.y, at.z) ? 1 : 0;
        spins[word] ^= every_second(inside >> odd);
        others[word] ^= every_second(inside >> (1 - odd));
    }

    const Model& model_;
    const BondKernels& kernels_ = bond_kernels();
    std::vector<BondChance> chances_, chances_of_field_;  // one for each temperature
};

}  // namespace legato::ising
