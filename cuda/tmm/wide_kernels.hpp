// The kernels for wide points.
#pragma once

namespace legato::tmm {

// With other than plain hopping: largest number of neighbours of a site, and of numbers that a channel needs in a
// slice.
inline constexpr int most_directions = 4, numbers_of_channel = 2 + most_directions;

struct ClusterArguments;
struct GridArguments;

struct WideKernels {
    void (*cluster)(ClusterArguments);
    void (*grid[2])(GridArguments);  // [divided]
};

// Returns the kernels for other than plain hopping. They are compiled apart from those for plain hopping, because both
// take the compiler long.
WideKernels coupled_kernels();

}  // namespace legato::tmm
