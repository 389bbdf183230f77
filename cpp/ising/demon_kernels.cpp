#include "ising/demon_kernels.hpp"

#include <algorithm>
#include <cstring>

#include "ising/lane_words.hpp"

namespace legato::ising {
namespace {

template <int Dimensions>
void exchange(const DemonMoves& moves, std::uint32_t sites, std::uint32_t* demons, DemonPiece& piece) {
    const std::uint32_t count = piece.count, first = piece.site;
    for (std::uint32_t i = 0; i < count; ++i) piece.place[i] = demon_of(moves, first + i, sites);
    for (std::size_t l = 0; l < demon_levels; ++l)
        for (std::uint32_t i = 0; i < count; ++i) piece.level[l][i] = demons[l * sites + piece.place[i]];
    std::uint32_t* const spins = piece.spins;
    const std::uint32_t* neighbours[2 * Dimensions];
    std::uint32_t flips[2 * Dimensions];
    for (int k = 0; k < 2 * Dimensions; ++k) neighbours[k] = piece.neighbours[k], flips[k] = piece.flips[k];
#pragma omp simd
    for (std::uint32_t i = 0; i < count; ++i) {
        std::uint32_t spin = spins[i], unequal[2 * Dimensions];
        for (int k = 0; k < 2 * Dimensions; ++k) unequal[k] = spin ^ neighbours[k][i] ^ flips[k];
        Demon demon{{piece.level[0][i], piece.level[1][i], piece.level[2][i]}};
        exchange_energy<Dimensions>(spin, demon, unequal);
        spins[i] = spin;
        for (int l = 0; l < demon_levels; ++l) piece.level[l][i] = demon.level[l];
    }
    const PartShift part_shift = moves.part_shift;
    if (part_shift.left > 0)
        for (auto& level : piece.level)
            for (std::uint32_t i = 0; i < count; ++i)
                level[i] = (level[i] >> part_shift.right & ~part_shift.from_left) |
                           (level[i] << part_shift.left & part_shift.from_left);
    for (std::size_t l = 0; l < demon_levels; ++l)
        for (std::uint32_t i = 0; i < count; ++i) demons[l * sites + piece.place[i]] = piece.level[l][i];
}

// Decides the bits that twelve random bits have left undecided. of_lane(l) returns the level and the site of lane l.
template <class Lane>
void decide(const LevelProbabilities& levels, const Stream& stream, std::int64_t sweep, DrawnBits<Words>& drawn,
            const Lane& of_lane) {
    if (!any_bit(drawn.undecided)) return;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        const std::uint32_t undecided = drawn.undecided[lane];
        if (undecided == 0) continue;
        const auto [level, site] = of_lane(lane);
        drawn.set[lane] |= draw_tail(levels[level], stream, sweep, level, site, undecided);
    }
}

struct LevelSite {
    std::uint32_t level, site;
};

void draw_level(const LevelProbabilities& levels, const Stream& stream, std::int64_t sweep, std::uint32_t level,
                std::uint32_t first, std::uint32_t count, std::uint32_t* demons) {
    const random::PhiloxKeys<philox_rounds> keys(stream.seed);
    const std::uint32_t q = levels[level].q;
    const auto digit = [&](int bit) { return Words{} + (0u - (q >> bit & 1)); };
    for (std::uint32_t i = 0; i < count; i += lanes) {
        const auto source = [&](std::uint32_t draw_number, Words(&words)[4]) {
            random::philox_lanes(keys, random::lanes_from(first + i), static_cast<std::uint32_t>(sweep), stream.number,
                                 purpose(coarse_draw(level) + draw_number, 0, sweep), words);
        };
        DrawnBits<Words> drawn = draw_coarse<Words>(digit, source);
        decide(levels, stream, sweep, drawn, [&](std::uint32_t lane) { return LevelSite{level, first + i + lane}; });
        std::memcpy(demons + i, &drawn.set, sizeof *demons * std::min<std::uint32_t>(lanes, count - i));
    }
}

// Draws all levels of a few sites in one vector, level after level.
void draw_few(const LevelProbabilities& levels, const Stream& stream, std::int64_t sweep, std::uint32_t first,
              std::uint32_t count, std::uint32_t sites, std::uint32_t* demons) {
    const random::PhiloxKeys<philox_rounds> keys(stream.seed);
    Words site{}, purposes{}, q{};
    for (std::uint32_t level = 0, lane = 0; level < demon_levels; ++level)
        for (std::uint32_t i = 0; i < count; ++i, ++lane) {
            site[lane] = first + i;
            purposes[lane] = purpose(coarse_draw(level), 0, sweep);
            q[lane] = levels[level].q;
        }
    const auto digit = [&](int bit) { return Words{} - (q >> bit & 1); };
    const auto source = [&](std::uint32_t draw_number, Words(&words)[4]) {
        random::philox_lanes(keys, site, static_cast<std::uint32_t>(sweep), stream.number, purposes + draw_number,
                             words);
    };
    DrawnBits<Words> drawn = draw_coarse<Words>(digit, source);
    for (std::uint32_t lane = demon_levels * count; lane < lanes; ++lane) drawn.undecided[lane] = 0;
    decide(levels, stream, sweep, drawn, [&](std::uint32_t lane) {
        return LevelSite{lane / count, first + lane % count};
    });
    for (std::uint32_t level = 0; level < demon_levels; ++level)
        for (std::uint32_t i = 0; i < count; ++i) demons[level * sites + first + i] = drawn.set[level * count + i];
}

void draw(const LevelProbabilities& levels, const Stream& stream, std::int64_t sweep, std::uint32_t first,
          std::uint32_t count, std::uint32_t sites, std::uint32_t* demons) {
    if (demon_levels * count <= lanes) return draw_few(levels, stream, sweep, first, count, sites, demons);
    for (std::uint32_t level = 0; level < demon_levels; ++level)
        draw_level(levels, stream, sweep, level, first, count, demons + std::size_t{level} * sites + first);
}

void propose(const Stream& stream, std::int64_t sweep, std::uint32_t level, std::uint32_t system, std::uint32_t first,
             std::uint32_t sites, std::uint32_t (&proposed)[DemonKernels::proposals]) {
    const random::PhiloxKeys<philox_rounds> keys(stream.seed);
    for (std::uint32_t i = 0; i < DemonKernels::proposals; i += 2 * lanes) {
        Words words[4];
        random::philox_lanes(keys, random::lanes_from(proposal_index(level, first + i)),
                             static_cast<std::uint32_t>(sweep), stream.number, purpose(proposal_draw(system), 1, sweep),
                             words);
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            proposed[i + 2 * lane] = site_below(sites, words[1][lane], words[0][lane]);
            proposed[i + 2 * lane + 1] = site_below(sites, words[3][lane], words[2][lane]);
        }
    }
}

constexpr DemonKernels table{exchange<2>, exchange<3>, draw, propose};

}  // namespace

const DemonKernels DemonKernels::LEGATO_CPU_LEVEL = table;

}  // namespace legato::ising
