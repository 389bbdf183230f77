#include "kpm/slot_products.hpp"

#include <algorithm>
#include <array>

#include "core/parallel.hpp"
#include "kpm/chunk_layout.hpp"
#include "kpm/product_kernels.hpp"

namespace legato::kpm {
namespace {

constexpr std::size_t chunk_numbers = 512;  // 4 KiB of each vector: those of a tile stay in the first cache
constexpr std::size_t block_vectors = 128;  // of a side: the sums of a block take 16 MiB
constexpr std::size_t piece_vectors = 64;   // of the left side: a chunk of them stays in the second cache

Segments segments_of(std::size_t count) {
    return {pieces(count, chunk_numbers), 1};
}

}  // namespace

std::size_t SlotProducts::bytes(std::size_t count, std::size_t lanes, std::size_t slots) {
    const std::size_t side = std::min(slots, block_vectors);
    return segments_of(count).count() * side * side * lanes * sizeof(double);
}

SlotProducts::SlotProducts(const VectorArray& vectors, std::size_t slots, int threads)
    : vectors_(vectors), threads_(threads), sums_(bytes(vectors.count, vectors.lanes, slots) / sizeof(double)) {}

void SlotProducts::operator()(std::size_t left, std::size_t lefts, std::size_t right, std::size_t rights,
                              std::span<std::complex<double>> out) {
    for (std::size_t i = 0; i < lefts; i += block_vectors)
        for (std::size_t j = 0; j < rights; j += block_vectors)
            block(left + i, std::min(block_vectors, lefts - i), right + j, std::min(block_vectors, rights - j), rights,
                  out.data() + i * rights + j);
}

// Computes the products of a block. `row` is the distance of the rows of `out`.
void SlotProducts::block(std::size_t left, std::size_t lefts, std::size_t right, std::size_t rights, std::size_t row,
                         std::complex<double>* out) {
    const std::size_t segments = segments_of(vectors_.count).count(), lanes = vectors_.lanes,
                      size = lefts * rights * lanes, pieces_of_left = pieces(lefts, piece_vectors);
    std::fill_n(sums_.data(), segments * size, 0.0);
    constexpr std::size_t least_work = std::size_t{1} << 16;  // that is worth a thread
    const std::size_t work = vectors_.count * lefts * rights;
    const int threads =
        static_cast<int>(std::clamp<std::size_t>(work / least_work, 1, static_cast<std::size_t>(threads_)));
    in_team(threads, [&](const Team& team) {
        const auto [begin, end] = team.share(segments * pieces_of_left);
        for (std::size_t item = begin; item < end; ++item) {
            const std::size_t segment = item / pieces_of_left, first = item % pieces_of_left * piece_vectors;
            piece(segment, left + first, std::min(piece_vectors, lefts - first), right, rights,
                  sums_.data() + segment * size + first * rights * lanes);
        }
        team.wait();
        const auto [first, last] = team.share(lefts * rights);
        for (std::size_t pair = first; pair < last; ++pair) {
            std::array<double, 2> sum{};
            for (std::size_t segment = 0; segment < segments; ++segment)
                for (std::size_t l = 0; l < lanes; ++l) sum[l] += sums_[segment * size + pair * lanes + l];
            out[pair / rights * row + pair % rights] = {sum[0], sum[1]};
        }
    });
}

// Adds the products in the chunks of a segment to sums[left][right][lanes], tile by tile. A tile at the edge has some
// vectors several times.
void SlotProducts::piece(std::size_t segment, std::size_t left, std::size_t lefts, std::size_t right,
                         std::size_t rights, double* sums) const {
    const ProductKernels& kernels = product_kernels();
    const std::size_t lanes = vectors_.lanes, tile_right = lanes == 1 ? kernels.right : kernels.complex_right;
    const auto kernel = lanes == 1 ? kernels.real : kernels.complex;
    const Segments segments = segments_of(vectors_.count);
    std::array<double, 2 * most_tile_vectors * most_tile_vectors> tile;
    std::array<const double*, most_tile_vectors> l{}, r{};
    for (std::size_t chunk = segments.first_chunk(segment); chunk < segments.first_chunk(segment + 1); ++chunk) {
        const std::size_t at = chunk * chunk_numbers, count = std::min(chunk_numbers, vectors_.count - at);
        for (std::size_t j = 0; j < rights; j += tile_right) {
            for (std::size_t c = 0; c < tile_right; ++c) r[c] = vectors_[right + std::min(j + c, rights - 1)] + at;
            for (std::size_t i = 0; i < lefts; i += kernels.left) {
                for (std::size_t c = 0; c < kernels.left; ++c) l[c] = vectors_[left + std::min(i + c, lefts - 1)] + at;
                kernel(l.data(), r.data(), count, tile.data());
                const std::size_t columns = std::min(tile_right, rights - j) * lanes;
                for (std::size_t a = 0; a < std::min(kernels.left, lefts - i); ++a) {
                    double* const to = sums + ((i + a) * rights + j) * lanes;
                    for (std::size_t c = 0; c < columns; ++c) to[c] += tile[a * tile_right * lanes + c];
                }
            }
        }
    }
}

}  // namespace legato::kpm
