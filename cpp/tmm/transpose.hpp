// Transposes squares of 4 or 8 vectors in steps. Each step divides the matrix into squares of side 2, 4 or 8 and
// exchanges the two off-diagonal quarters of each. The header is part of files that are compiled for every instruction
// set.
#pragma once

#include <utility>

namespace legato::tmm {
namespace {

template <int side, int lanes, class Row>
[[gnu::always_inline]] inline void exchange_squares(Row* r) {
    constexpr auto lower = [](int l) { return l & side ? lanes + l - side : l; };
    constexpr auto upper = [](int l) { return l & side ? lanes + l : l + side; };
    for (int i = 0; i < lanes; ++i) {
        if (i & side) continue;
        const Row low = r[i], high = r[i + side];
        [&]<int... l>(std::integer_sequence<int, l...>) {
            r[i] = __builtin_shufflevector(low, high, lower(l)...);
            r[i + side] = __builtin_shufflevector(low, high, upper(l)...);
        }
        (std::make_integer_sequence<int, lanes>());
    }
}

// Transposes `lanes` rows of `lanes` numbers, 4 or 8.
template <int lanes, class Row>
[[gnu::always_inline]] inline void transpose_rows(Row* r) {
    exchange_squares<1, lanes>(r);
    exchange_squares<2, lanes>(r);
    if constexpr (lanes == 8) exchange_squares<4, lanes>(r);
}

}  // namespace
}  // namespace legato::tmm
