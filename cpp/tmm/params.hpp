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

// Model: the phases or spin rotations of the hopping. A hopping acts from a site on the neighbour with the smaller
// coordinate; the hopping in the other direction is the adjoint. n, x and y are the coordinates along the bar and in
// the slice, counted from 0. The computation uses a gauge in which the hopping along the bar is real. This changes no
// exponent. With a spin, the exponents of a Kramers pair are equal, and a result lists them once.
enum class Model : int {
    // The hopping is real: the orthogonal class.
    anderson = 0,
    // A uniform magnetic field: the unitary class, or the orthogonal one if there is no flux. The hopping from x + 1 to
    // x has the phase 2 pi longitudinal_flux n, and that from y + 1 to y has the phase 2 pi transverse_flux x.
    peierls = 1,
    // The phases are independent and uniform: the unitary class. Those along the bar are removed by the gauge, and all
    // others remain uniform.
    u1 = 2,
    // The spin rotations are independent and uniform in SU(2): the symplectic class (Y. Asada, K. Slevin and T.
    // Ohtsuki, Phys. Rev. Lett. 89, 256601 (2002)). Those along the bar are removed by the gauge, and all others remain
    // uniform.
    su2 = 3,
    // Spin-orbit hopping: the symplectic class (2D: T. Ando, Phys. Rev. B 40, 5325 (1989)). With S = spin_orbit, C =
    // sqrt(1 - S^2) and the Pauli matrices s, the hopping is C + i S s_y along the bar, t (C - i S s_x) in x direction,
    // and t (C + i S s_z) in y direction.
    ando = 4,
};

// Random factors of the hopping, along the bar and across it. u is uniform on [-1/2, 1/2] and independent for each pair
// of neighbours. With the hopping t_n along the bar, from slice n + 1 to slice n, t_n psi_{n+1} is then the right-hand
// side of the equation at the top, with t_{n-1} psi_{n-1} in place of psi_{n-1}.
enum class HoppingDisorder : int {
    // no factors: the hopping is 1 along the bar and t across it
    none = 0,
    // factors 1 + hopping_width u; some are close to 0 if hopping_width is 2 or more, and a point may then end as
    // LEGATO_TMM_POINT_STATUS_IMPRECISE
    uniform = 1,
    // factors exp(hopping_width u)
    logarithmic = 2,
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
    // Width M in sites: 1 in 1D, at most 4096 in 2D, at most 64 in 3D; less with some models (see model). Range [1,
    // 4096], default 1.
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
    // All models except LEGATO_TMM_MODEL_ANDERSON need LEGATO_TMM_RANDOM_STREAM_PHILOX. A slice may have 4096 sites
    // with real hopping, half as many with a complex one, and a quarter with spin. Since version 0.2. One of
    // legato_tmm_model, default LEGATO_TMM_MODEL_ANDERSON.
    Model model = Model::anderson;
    // Needs LEGATO_TMM_RANDOM_STREAM_PHILOX. Since version 0.2. One of legato_tmm_hopping_disorder, default
    // LEGATO_TMM_HOPPING_DISORDER_NONE.
    HoppingDisorder hopping_disorder = HoppingDisorder::none;
    // Width of the distribution of the factors of the hopping; not used without hopping_disorder. Since version 0.2.
    // Range [0, 10], default 1.
    double hopping_width = 1;
    // Hopping in y direction over that in x direction, for a bar (3D); not 0, because the bar would then be M
    // independent strips. Another value than 1 needs LEGATO_TMM_RANDOM_STREAM_PHILOX. Since version 0.2. Range [-1e6,
    // 1e6], default 1.
    double anisotropy = 1;
    // Magnetic flux through a unit cell of the cross-section, in flux quanta, for LEGATO_TMM_MODEL_PEIERLS in 3D; the
    // field is along the bar. Unless the boundary is LEGATO_TMM_BOUNDARY_HARD_WALL, transverse_flux times M must be an
    // integer. Since version 0.2. Range [-1, 1], default 0.
    double transverse_flux = 0;
    // Magnetic flux through a unit cell along the bar and in x direction, in flux quanta, for LEGATO_TMM_MODEL_PEIERLS.
    // Since version 0.2. Range [-1, 1], default 0.
    double longitudinal_flux = 0;
    // Strength S of the spin-orbit hopping of LEGATO_TMM_MODEL_ANDO. Since version 0.2. Range [0, 1], default 0.5.
    double spin_orbit = 0.5;
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
    visit(p.model, Range("model", 0, 4).since_later());
    visit(p.hopping_disorder, Range("hopping_disorder", 0, 2).since_later());
    visit(p.hopping_width, Range("hopping_width", 0.0, 10.0).since_later());
    visit(p.anisotropy, Range("anisotropy", -1000000.0, 1000000.0).since_later());
    visit(p.transverse_flux, Range("transverse_flux", -1.0, 1.0).since_later());
    visit(p.longitudinal_flux, Range("longitudinal_flux", -1.0, 1.0).since_later());
    visit(p.spin_orbit, Range("spin_orbit", 0.0, 1.0).since_later());
}

}  // namespace legato::tmm
