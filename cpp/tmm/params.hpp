// Written by tools/parameters.py from capi/include/legato/tmm.h. Change that instead.
#pragma once

#include <concepts>
#include <cstdint>

#include "core/range.hpp"

namespace legato::tmm {

// Transverse boundary.
enum class Boundary : int {
    // no neighbour across the edge
    hard_wall = 0,
    // a site at the opposite edge is the neighbour
    periodic = 1,
    // the neighbour across the edge counts with a minus sign
    antiperiodic = 2,
};

// Distribution of the site energies V.
enum class Disorder : int {
    // V uniform on [-W/2, W/2]
    uniform = 0,
    // V uniform with mean 0 and standard deviation W
    uniform_scaled = 1,
    // V normal with mean 0 and standard deviation W; with the lfsr113 streams, V is a sum of 20 uniform numbers
    gaussian = 2,
};

// Random stream of the site energies. The numbers are the same on both backends.
enum class RandomStream : int {
    // the stream of the older program TMSEXD, with bitwise identical numbers; every point starts with the same seed
    lfsr113 = 0,
    // site i, counted from 1, has its own generator, seeded with 1276 + i
    lfsr113_per_site = 1,
    // Philox, a counter-based generator: the numbers of different points, slices and sites are independent
    philox = 2,
};

// Rule for the start, the average, the error and the convergence of a point.
enum class Rule : int {
    // The first columns are random and orthonormal. Consecutive cycles form blocks. The averages leave out the first
    // burn_in cycles, or the first eighth of the run if this is longer. Errors follow from the spread of block averages
    // and account for autocorrelation. A point can converge when at least min_blocks blocks are averaged
    blocks = 0,
    // The rule of the program TMSEXD. Numbers of cycles are the same as those of TMSEXD, and exponents agree with it to
    // 1e-10. The first columns are the identity matrix, and no cycles are left out at the start. The error assumes
    // independent cycles and can therefore be wrong: in five measured systems it is 0.86 to 4.5 times the true error. A
    // point can converge from cycle max(3, M) on
    tmsexd = 1,
};

// Parameters that all points of a run share.
struct Params {
    // Dimension of the lattice. Range [1, 3], default 2.
    int dimension = 2;
    // Transverse boundary. A chain (1D) has LEGATO_TMM_BOUNDARY_HARD_WALL only. One of legato_tmm_boundary, default
    // LEGATO_TMM_BOUNDARY_PERIODIC.
    Boundary boundary = Boundary::periodic;
    // One of legato_tmm_disorder, default LEGATO_TMM_DISORDER_UNIFORM.
    Disorder disorder = Disorder::uniform;
    // One of legato_tmm_random_stream, default LEGATO_TMM_RANDOM_STREAM_PHILOX.
    RandomStream random_stream = RandomStream::philox;
    // Width M in sites: 1 in 1D, at most 4096 in 2D, at most 64 in 3D. Range [1, 4096], default 1.
    std::int64_t width = 1;
    // Seed of the random numbers; LEGATO_TMM_RANDOM_STREAM_LFSR113_PER_SITE ignores it. Any value, default 1277.
    std::int64_t seed = 1277;
    // Number of multiplications in a cycle, which ends with an orthonormalisation. Between two orthonormalisations each
    // column grows by a factor. Let G be the ratio of the largest of these factors to the smallest. A cycle with G
    // above 1e10 does not count. From the next cycle on, the columns of this point are orthonormalised more often than
    // once in a cycle, and a warning is logged when the point ends. Range [1, 1000], default 10.
    std::int64_t n_ortho = 10;
    // Number of multiplications after which a point ends as LEGATO_TMM_POINT_STATUS_NOT_CONVERGED. Range [1,
    // 9223372036854775807], default 1000000000.
    std::int64_t max_multiplications = 1000000000;
    // Transverse hopping t. Range [-1e6, 1e6], default 1.
    double hopping = 1;
    // Relative error of the smallest exponent at which a point converges. Range [1e-15, 1], default 0.005.
    double epsilon = 0.005;
    // 0, or 10 to 1e8: value that the ratio G, defined at n_ortho, should not exceed. To this end the columns are also
    // orthonormalised within a cycle, as often as needed. With 0 this is done only for a point in which G has exceeded
    // 1e10. Range [0, 1e8], default 0.
    double max_growth = 0;
    // One of legato_tmm_rule, default LEGATO_TMM_RULE_BLOCKS.
    Rule rule = Rule::blocks;
    // Number of blocks that must be averaged before a point can converge; used with LEGATO_TMM_RULE_BLOCKS. Range [8,
    // 48], default 32.
    int min_blocks = 32;
    // Number of cycles to leave out at the start; used with LEGATO_TMM_RULE_BLOCKS. At most half of the cycles of a
    // point are left out. A point can converge only when burn_in cycles are left out; it then has at least 2 * burn_in
    // cycles. Range [0, 1000000000], default 128.
    std::int64_t burn_in = 128;
    // Number R of independent sequences of each point. Replica r of point p has the random numbers of point p R + r of
    // a run without replicas. All replicas of a point have the same number of cycles. Their block sums are averaged,
    // and the exponents, errors and the convergence of the point follow from these averages. The replicas are compared
    // when their number of blocks is a multiple of 4, and less often while the error is far above epsilon.
    // max_multiplications, min_blocks and burn_in are for each replica. More than one replica needs
    // LEGATO_TMM_RULE_BLOCKS and LEGATO_TMM_RANDOM_STREAM_PHILOX. The number of points times R is at most 10000000.
    // Since version 0.2. Range [1, 1000000], default 1.
    std::int64_t replicas = 1;
};

// Calls visit(member, Range) for each parameter. P may be const.
template <std::derived_from<Params> P, class Visit>
void for_each_parameter(P& p, const Visit& visit) {
    visit(p.dimension, Range("dimension", 1, 3));
    visit(p.boundary, Range("boundary", 0, 2));
    visit(p.disorder, Range("disorder", 0, 2));
    visit(p.random_stream, Range("random_stream", 0, 2));
    visit(p.width, Range("width", 1, 4096));
    visit(p.seed, Range("seed"));
    visit(p.n_ortho, Range("n_ortho", 1, 1000));
    visit(p.max_multiplications, Range("max_multiplications", 1LL, 9223372036854775807LL));
    visit(p.hopping, Range("hopping", -1000000.0, 1000000.0));
    visit(p.epsilon, Range("epsilon", 1e-15, 1.0));
    visit(p.max_growth, Range("max_growth", 0.0, 100000000.0));
    visit(p.rule, Range("rule", 0, 1));
    visit(p.min_blocks, Range("min_blocks", 8, 48, p.rule == Rule::blocks));
    visit(p.burn_in, Range("burn_in", 0, 1000000000, p.rule == Rule::blocks));
    visit(p.replicas, Range("replicas", 1, 1000000).since_later());
}

}  // namespace legato::tmm
