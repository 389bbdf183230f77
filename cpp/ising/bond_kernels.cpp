#include "ising/bond_kernels.hpp"

#include "ising/lane_words.hpp"

namespace legato::ising {
namespace {

void draw(const BondChance& chance, const Stream& stream, std::int64_t sweep, BondBatch& batch) {
    const random::PhiloxKeys<philox_rounds> keys(stream.seed);
    for (std::uint32_t i = 0; i < batch.count; i += lanes) {
        const Words index = load(batch.index + i), purpose = load(batch.purpose + i);
        Words occupied{}, equal = load(batch.bonds + i);
        for (std::uint32_t draw = 0; draw < coarse_draws && any_bit(equal); ++draw) {
            Words u[4];
            random::philox_lanes(keys, index, static_cast<std::uint32_t>(sweep), stream.number, purpose + draw, u);
            for (std::uint32_t k = 0; k < 4; ++k) {
                const bool q = (chance.q >> (coarse_bits - 1 - 4 * draw - k) & 1) != 0;
                if (q) occupied |= equal & ~u[k];
                equal &= q ? u[k] : ~u[k];
            }
        }
        store(batch.bonds + i, occupied);
        store(batch.undecided + i, equal);
    }
}

constexpr BondKernels table{draw};

}  // namespace

const BondKernels BondKernels::LEGATO_CPU_LEVEL = table;

}  // namespace legato::ising
