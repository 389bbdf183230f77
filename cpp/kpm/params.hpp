// Written by tools/parameters.py from capi/include/legato/kpm.h. Change that instead.
#pragma once

#include <concepts>
#include <cstdint>

#include "core/range.hpp"

namespace legato::kpm {

// Distribution of the elements of the start vectors.
enum class StartVectors : int {
    // +1 or -1: least variance of the moments
    sign = 0,
    // standard normal
    gaussian = 1,
    // uniform, with unit variance
    uniform = 2,
    // one site each; set by legato_kpm_create_local, refused by legato_kpm_create
    sites = 3,
    // from a callback; set by legato_kpm_create_given, refused by legato_kpm_create
    caller = 4,
    // e^(2 pi i u) with uniform u, for complex Hamiltonians only: the variance of the moments does not depend on the
    // phases of the basis. Since version 0.2.
    phase = 5,
    // plane waves of a lattice; set by legato_kpm_create_waves, refused by legato_kpm_create. Since version 0.2.
    waves = 6,
};

// Method that finds the bounds of the spectrum.
enum class Bounds : int {
    // Gershgorin's circles: the bounds always enclose the spectrum
    gershgorin = 0,
    // Lanczos recursion: the bounds are tighter, so that N moments give a better resolution
    lanczos = 1,
    // the interval [lowest, highest] of the parameters
    interval = 2,
};

// Storage format of the Hamiltonian.
enum class Format : int {
    // the fastest format that fits into memory
    auto_ = 0,
    // compressed row storage
    crs = 1,
    // rows padded to the same length
    ell = 2,
    // matrix-free, for lattices only
    stencil = 3,
};

// Precision of the vectors of the recursion.
enum class Precision : int {
    // double precision
    double_ = 0,
    // vectors in single precision; sums and matrix in double. For lattices a GPU computes the whole step in single
    // precision
    single = 1,
};

// What is divided among the parts of all ranks. A part is a device, or a rank on the CPU.
enum class Division : int {
    // the vectors, unless one of them, or a block of the requested width, does not fit into the memory of a part: then
    // the lattice or the matrix
    auto_ = 0,
    // each part has whole vectors
    vectors = 1,
    // the parts share each vector: a lattice in slabs, with the format stencil; a matrix by rows
    lattice = 2,
};

// Parameters of a computation of moments.
struct Params {
    // Number N of moments mu_0 .. mu_(N-1). Range [2, 1048576], default 256.
    int moments = 256;
    // One of legato_kpm_start_vectors, default LEGATO_KPM_START_VECTORS_SIGN.
    StartVectors start_vectors = StartVectors::sign;
    // Number R of start vectors for each realisation, not used with LEGATO_KPM_START_VECTORS_SITES or
    // LEGATO_KPM_START_VECTORS_WAVES. Range [1, 1048576], default 16.
    int vectors = 16;
    // Number S of realisations. Each has its own vectors and, if there is disorder, its own on-site energies. Range [1,
    // 1048576], default 1.
    int realisations = 1;
    // Seed of the random numbers. Any value, default 1.
    std::int64_t seed = 1;
    // One of legato_kpm_bounds, default LEGATO_KPM_BOUNDS_GERSHGORIN.
    Bounds bounds = Bounds::gershgorin;
    // Steps of the Lanczos recursion, used with LEGATO_KPM_BOUNDS_LANCZOS. Range [2, 1000], default 60.
    int lanczos_steps = 60;
    // One of legato_kpm_format, default LEGATO_KPM_FORMAT_AUTO.
    Format format = Format::auto_;
    // Number of vectors that are multiplied at the same time. 0 chooses the largest power of two that fits, up to 16 on
    // the CPU (8 if the Hamiltonian is complex) and 32 on a GPU. Range [0, 64], default 0.
    int block_width = 0;
    // Lower bound of the spectrum, used with LEGATO_KPM_BOUNDS_INTERVAL. Range [-1e100, 1e100], default 0.
    double lowest = 0;
    // Upper bound of the spectrum, used with LEGATO_KPM_BOUNDS_INTERVAL. highest - lowest must be at least 4e-12
    // max(abs(lowest), abs(highest)). Range [-1e100, 1e100], default 0.
    double highest = 0;
    // Relative enlargement of the energy interval: half_width = (highest - lowest) / 2 * (1 + margin). Range [0, 10],
    // default 0.01.
    double margin = 0.01;
    // Bytes that vectors, sums and matrix may take; 0 allows all free memory. Range [0, 9223372036854775807], default
    // 0.
    std::int64_t memory_budget = 0;
    // One of legato_kpm_precision, default LEGATO_KPM_PRECISION_DOUBLE.
    Precision precision = Precision::double_;
    // What is divided among the parts of all ranks. Since version 0.2. One of legato_kpm_division, default
    // LEGATO_KPM_DIVISION_AUTO.
    Division division = Division::auto_;
};

inline constexpr int max_moments = 1048576;
inline constexpr int max_vectors = 1048576;
inline constexpr int max_realisations = 1048576;
inline constexpr int max_block_width = 64;

// Calls visit(member, Range) for each parameter. P may be const.
template <std::derived_from<Params> P, class Visit>
void for_each_parameter(P& p, const Visit& visit) {
    visit(p.moments, Range("moments", 2, 1048576));
    visit(p.start_vectors, Range("start_vectors", 0, 6));
    visit(p.vectors, Range("vectors", 1, 1048576,
                           p.start_vectors != StartVectors::sites && p.start_vectors != StartVectors::waves));
    visit(p.realisations, Range("realisations", 1, 1048576));
    visit(p.seed, Range("seed"));
    visit(p.bounds, Range("bounds", 0, 2));
    visit(p.lanczos_steps, Range("lanczos_steps", 2, 1000, p.bounds == Bounds::lanczos));
    visit(p.format, Range("format", 0, 3));
    visit(p.block_width, Range("block_width", 0, 64));
    visit(p.lowest, Range("lowest", -1e100, 1e100, p.bounds == Bounds::interval));
    visit(p.highest, Range("highest", -1e100, 1e100, p.bounds == Bounds::interval));
    visit(p.margin, Range("margin", 0.0, 10.0));
    visit(p.memory_budget, Range("memory_budget", 0LL, 9223372036854775807LL));
    visit(p.precision, Range("precision", 0, 1));
    visit(p.division, Range("division", 0, 2).since_later());
}

}  // namespace legato::kpm
