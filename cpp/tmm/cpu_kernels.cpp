#include "tmm/cpu_kernels.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/lanes.hpp"

namespace legato::tmm {
namespace {

using Lanes = double __attribute__((vector_size(native_lanes * sizeof(double)), may_alias));
using Numbers = std::int64_t __attribute__((vector_size(native_lanes * sizeof(std::int64_t))));

constexpr std::size_t tile_lanes = native_lanes == 8 ? 6 : 4;  // vectors of a row that are summed at the same time
constexpr std::size_t strip_lanes = 4;                         // the same, for several rows at a time

// The number of neighbours is `fixed`, or `any` if `fixed` is -1. `before` has a factor of the earlier slice for each
// site if it is not a null pointer constant.
template <int fixed, class Before>
void multiply_columns(std::size_t sites, std::size_t row, std::size_t first, std::size_t last,
                      const Neighbour* neighbours, const double* diagonal, Before before, const double* current,
                      double* previous, int any = fixed) {
    const auto count = static_cast<std::size_t>(fixed >= 0 ? fixed : any);
    for (std::size_t site = 0; site < sites; ++site) {
        const Neighbour* const near = neighbours + site * count;
        const double* const here = current + site * row;
        double* const target = previous + site * row;
        for (std::size_t c = first; c < last; c += native_lanes) {
            Lanes earlier = *reinterpret_cast<const Lanes*>(target + c);
            if constexpr (!std::is_null_pointer_v<Before>)
                if (before[site] != 1) earlier *= before[site];  // else the sum rounds as with plain hopping
            Lanes sum = diagonal[site] * *reinterpret_cast<const Lanes*>(here + c) - earlier;
            for (std::size_t n = 0; n < count; ++n)
                sum -= near[n].hopping *
                       *reinterpret_cast<const Lanes*>(current + static_cast<std::size_t>(near[n].site) * row + c);
            *reinterpret_cast<Lanes*>(target + c) = sum;
        }
    }
}

void multiply(std::size_t sites, std::size_t row, std::size_t first, std::size_t last, int count,
              const Neighbour* neighbours, const double* diagonal, const double* current, double* previous) {
    switch (count) {
        case 0:
            return multiply_columns<0>(sites, row, first, last, neighbours, diagonal, nullptr, current, previous);
        case 2:
            return multiply_columns<2>(sites, row, first, last, neighbours, diagonal, nullptr, current, previous);
        default:
            return multiply_columns<4>(sites, row, first, last, neighbours, diagonal, nullptr, current, previous);
    }
}

void multiply_by_couplings(std::size_t rows, std::size_t row, std::size_t first, std::size_t last, int count,
                           const Neighbour* near, const double* diagonal, const double* before, const double* current,
                           double* previous) {
    switch (count) {
        case 0:
            return multiply_columns<0>(rows, row, first, last, near, diagonal, before, current, previous);
        case 2:
            return multiply_columns<2>(rows, row, first, last, near, diagonal, before, current, previous);
        case 4:
            return multiply_columns<4>(rows, row, first, last, near, diagonal, before, current, previous);
        case 8:
            return multiply_columns<8>(rows, row, first, last, near, diagonal, before, current, previous);
        case 16:
            return multiply_columns<16>(rows, row, first, last, near, diagonal, before, current, previous);
        default:
            return multiply_columns<-1>(rows, row, first, last, near, diagonal, before, current, previous, count);
    }
}

// Computes dots[j] = column v . column j for the columns of one tile.
template <std::size_t lanes>
void dot_tile(std::size_t sites, std::size_t row, std::size_t v, std::size_t start, const double* current,
              const double* previous, double* dots) {
    Lanes sum[lanes] = {}, sum2[lanes] = {};
    for (std::size_t k = 0; k < sites; ++k) {
        const double a = current[k * row + v], b = previous[k * row + v];
        for (std::size_t l = 0; l < lanes; ++l) {
            sum[l] += a * *reinterpret_cast<const Lanes*>(current + k * row + start + l * native_lanes);
            sum2[l] += b * *reinterpret_cast<const Lanes*>(previous + k * row + start + l * native_lanes);
        }
    }
    for (std::size_t l = 0; l < lanes; ++l)
        *reinterpret_cast<Lanes*>(dots + start + l * native_lanes) = sum[l] + sum2[l];
}

// Takes column v out of the columns of one tile. `factors` are dot / norm2, and zero up to column v. At the same time
// it computes what dot_tile would for column w = v + 1. The tile of w has been updated before, or is this one.
template <std::size_t lanes>
void update_tile(std::size_t sites, std::size_t row, std::size_t v, std::size_t w, std::size_t start, double* current,
                 double* previous, const double* factors, double* dots) {
    Lanes factor[lanes], sum[lanes] = {}, sum2[lanes] = {};
    for (std::size_t l = 0; l < lanes; ++l)
        factor[l] = *reinterpret_cast<const Lanes*>(factors + start + l * native_lanes);
    const auto half = [&](double* x, std::size_t k, Lanes* sums) {
        double* const r = x + k * row;
        const double xv = r[v];
        Lanes updated[lanes];
        for (std::size_t l = 0; l < lanes; ++l) {
            updated[l] = *reinterpret_cast<const Lanes*>(r + start + l * native_lanes) - xv * factor[l];
            *reinterpret_cast<Lanes*>(r + start + l * native_lanes) = updated[l];
        }
        const double xw = r[w];
        for (std::size_t l = 0; l < lanes; ++l) sums[l] += xw * updated[l];
    };
    for (std::size_t k = 0; k < sites; ++k) {
        half(current, k, sum);
        half(previous, k, sum2);
    }
    for (std::size_t l = 0; l < lanes; ++l)
        *reinterpret_cast<Lanes*>(dots + start + l * native_lanes) = sum[l] + sum2[l];
}

// Calls work<lanes>(start) for tiles that cover [first, last) of a row. All tiles except the last have `most` vectors.
template <std::size_t most, class Work>
void over_tiles(std::size_t first, std::size_t last, const Work& work) {
    if constexpr (most > 0) {
        for (; first + most * native_lanes <= last; first += most * native_lanes) work.template operator()<most>(first);
        over_tiles<most - 1>(first, last, work);
    }
}

// Sets `factors` to dots / norm2 after column v and to zero elsewhere; norm2 is dots[v]. Adds dots^2 / norm2 to
// removed2 after column v.
void prepare_factors(std::size_t v, std::size_t first, std::size_t last, const double* dots, double* factors,
                     double* removed2) {
    const double inverse2 = 1.0 / dots[v];
    for (std::size_t c = first; c < last; c += native_lanes) {
        const Lanes dot = *reinterpret_cast<const Lanes*>(dots + c);
        Numbers number;
        for (std::size_t l = 0; l < native_lanes; ++l) number[l] = static_cast<std::int64_t>(c + l);
        const Lanes factor = number > static_cast<std::int64_t>(v) ? dot * inverse2 : Lanes{};
        *reinterpret_cast<Lanes*>(factors + c) = factor;
        *reinterpret_cast<Lanes*>(removed2 + c) += dot * factor;
    }
}

// Divides every column by its norm. This is done after all columns: in between, the processor would have to wait for
// single numbers that it has just written, before it can read whole rows.
void normalise(std::size_t sites, std::size_t row, std::size_t count, std::size_t last, const double* norms2,
               double* current, double* previous, double* inverses) {
    for (std::size_t c = 0; c < last; ++c) inverses[c] = c < count ? __builtin_sqrt(1.0 / norms2[c]) : 1.0;
    for (double* const half : {current, previous})
        for (std::size_t k = 0; k < sites; ++k)
            for (std::size_t c = 0; c < last; c += native_lanes)
                *reinterpret_cast<Lanes*>(half + k * row + c) *= *reinterpret_cast<const Lanes*>(inverses + c);
}

bool gram_schmidt(std::size_t sites, std::size_t row, std::size_t count, double* current, double* previous,
                  double* norms2, double* removed2, double* scratch) {
    double* const dots = scratch;
    double* const factors = scratch + row;
    const std::size_t last = (count + lane_count - 1) / lane_count * lane_count;

    over_tiles<tile_lanes>(
        0, last, [&]<std::size_t lanes>(std::size_t c) { dot_tile<lanes>(sites, row, 0, c, current, previous, dots); });
    for (std::size_t v = 0; v < count; ++v) {
        const double norm2 = dots[v];
        if (!(norm2 > 0.0 && norm2 <= 1.7976931348623157e308)) return false;
        norms2[v] = norm2;
        const std::size_t w = v + 1, first = w / lane_count * lane_count;
        if (w == count) break;
        prepare_factors(v, first, last, dots, factors, removed2);
        over_tiles<tile_lanes>(first, last, [&]<std::size_t lanes>(std::size_t c) {
            update_tile<lanes>(sites, row, v, w, c, current, previous, factors, dots);
        });
    }
    normalise(sites, row, count, last, norms2, current, previous, factors);
    return true;
}

// Computes x -= q overlap for some rows of a strip of columns.
template <std::size_t lanes, std::size_t rows>
void update_rows(std::size_t row, const double* q, const Lanes* overlap, double* x) {
    Lanes sum[rows][lanes] = {};
    for (std::size_t j = 0; j < panel; ++j)
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t l = 0; l < lanes; ++l) sum[r][l] += q[r * panel + j] * overlap[j * lanes + l];
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t l = 0; l < lanes; ++l) *reinterpret_cast<Lanes*>(x + r * row + l * native_lanes) -= sum[r][l];
}

// Computes overlap <- (1 + lower)^-1 overlap.
template <std::size_t lanes>
void take_out_in_turn(const double* lower, Lanes* overlap) {
    for (std::size_t j = 0; j + 1 < panel; ++j)
        for (std::size_t i = j + 1; i < panel; ++i)
            for (std::size_t l = 0; l < lanes; ++l)
                overlap[i * lanes + l] -= lower[i * panel + j] * overlap[j * lanes + l];
}

// Takes the panel out of a strip of columns. The strip is so narrow that it is still in the cache when it is updated.
// `depth` rows of it remain in the nearest cache for all columns of the panel.
template <std::size_t lanes>
void project_out_strip(std::size_t height, std::size_t row, const double* q, const double* lower, double* x,
                       double* removed2) {
    constexpr std::size_t side = native_lanes == 8 ? 4 : 2;  // side of blocks whose sums fit into the registers
    constexpr std::size_t depth = 128;
    Lanes overlap[panel * lanes] = {};
    for (std::size_t top = 0; top < height; top += depth) {
        const std::size_t bottom = top + depth < height ? top + depth : height;
        for (std::size_t j = 0; j < panel; j += side) {
            Lanes sum[side][lanes];
            for (std::size_t i = 0; i < side; ++i)
                for (std::size_t l = 0; l < lanes; ++l) sum[i][l] = overlap[(j + i) * lanes + l];
            for (std::size_t k = top; k < bottom; ++k)
                for (std::size_t i = 0; i < side; ++i)
                    for (std::size_t l = 0; l < lanes; ++l)
                        sum[i][l] +=
                            q[k * panel + j + i] * *reinterpret_cast<const Lanes*>(x + k * row + l * native_lanes);
            for (std::size_t i = 0; i < side; ++i)
                for (std::size_t l = 0; l < lanes; ++l) overlap[(j + i) * lanes + l] = sum[i][l];
        }
    }
    if (lower) take_out_in_turn<lanes>(lower, overlap);
    for (std::size_t j = 0; j < panel; ++j)
        for (std::size_t l = 0; l < lanes; ++l)
            *reinterpret_cast<Lanes*>(removed2 + l * native_lanes) += overlap[j * lanes + l] * overlap[j * lanes + l];
    std::size_t k = 0;
    for (; k + side <= height; k += side) update_rows<lanes, side>(row, q + k * panel, overlap, x + k * row);
    if (k < height) update_rows<lanes, 2>(row, q + k * panel, overlap, x + k * row);
}

void project_out(std::size_t height, std::size_t row, std::size_t first, std::size_t last, const double* panel_rows,
                 const double* lower, double* rows, double* removed2) {
    over_tiles<strip_lanes>(first, last, [&]<std::size_t lanes>(std::size_t c) {
        project_out_strip<lanes>(height, row, panel_rows, lower, rows + c, removed2 + c);
    });
}

// Computes `rows` rows of the result, in the columns before the diagonal.
template <std::size_t rows, std::size_t lanes>
void overlaps_of_rows(std::size_t height, const double* q, std::size_t first, double* lower) {
    Lanes sum[rows][lanes] = {};
    for (std::size_t k = 0; k < height; ++k)
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t l = 0; l < lanes; ++l)
                sum[r][l] +=
                    q[k * panel + first + r] * *reinterpret_cast<const Lanes*>(q + k * panel + l * native_lanes);
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t l = 0; l < lanes; ++l)
            *reinterpret_cast<Lanes*>(lower + (first + r) * panel + l * native_lanes) = sum[r][l];
        for (std::size_t c = first + r; c < panel; ++c) lower[(first + r) * panel + c] = 0.0;
    }
}

template <std::size_t... quarter>
void overlaps_of_quarters(std::size_t height, const double* q, double* lower, std::index_sequence<quarter...>) {
    constexpr std::size_t quarter_of = panel / sizeof...(quarter), rows = native_lanes == 8 ? 4 : 2;
    const auto take = [&]<std::size_t here>() {
        for (std::size_t first = here * quarter_of; first < (here + 1) * quarter_of; first += rows)
            overlaps_of_rows<rows, (here + 1) * quarter_of / native_lanes>(height, q, first, lower);
    };
    (take.template operator()<quarter>(), ...);
}

void overlaps_within(std::size_t height, const double* panel_rows, double* lower) {
    overlaps_of_quarters(height, panel_rows, lower, std::make_index_sequence<4>());
}

constexpr CpuKernels table{multiply, multiply_by_couplings, gram_schmidt, overlaps_within, project_out};

}  // namespace

const CpuKernels CpuKernels::LEGATO_CPU_LEVEL = table;

}  // namespace legato::tmm
