// Written by tools/parameters.py from capi/include/legato/tmm.h. Change that instead.
#pragma once

#include "arguments.hpp"
#include "legato/tmm.h"
#include "tmm/params.hpp"

namespace legato::capi {

static_assert(static_cast<int>(tmm::Boundary::hard_wall) == LEGATO_TMM_BOUNDARY_HARD_WALL);
static_assert(static_cast<int>(tmm::Boundary::periodic) == LEGATO_TMM_BOUNDARY_PERIODIC);
static_assert(static_cast<int>(tmm::Boundary::antiperiodic) == LEGATO_TMM_BOUNDARY_ANTIPERIODIC);
static_assert(static_cast<int>(tmm::Disorder::uniform) == LEGATO_TMM_DISORDER_UNIFORM);
static_assert(static_cast<int>(tmm::Disorder::uniform_scaled) == LEGATO_TMM_DISORDER_UNIFORM_SCALED);
static_assert(static_cast<int>(tmm::Disorder::gaussian) == LEGATO_TMM_DISORDER_GAUSSIAN);
static_assert(static_cast<int>(tmm::RandomStream::lfsr113) == LEGATO_TMM_RANDOM_STREAM_LFSR113);
static_assert(static_cast<int>(tmm::RandomStream::lfsr113_per_site) == LEGATO_TMM_RANDOM_STREAM_LFSR113_PER_SITE);
static_assert(static_cast<int>(tmm::RandomStream::philox) == LEGATO_TMM_RANDOM_STREAM_PHILOX);
static_assert(static_cast<int>(tmm::Rule::blocks) == LEGATO_TMM_RULE_BLOCKS);
static_assert(static_cast<int>(tmm::Rule::tmsexd) == LEGATO_TMM_RULE_TMSEXD);
static_assert(static_cast<int>(tmm::Model::anderson) == LEGATO_TMM_MODEL_ANDERSON);
static_assert(static_cast<int>(tmm::Model::peierls) == LEGATO_TMM_MODEL_PEIERLS);
static_assert(static_cast<int>(tmm::Model::u1) == LEGATO_TMM_MODEL_U1);
static_assert(static_cast<int>(tmm::Model::su2) == LEGATO_TMM_MODEL_SU2);
static_assert(static_cast<int>(tmm::Model::ando) == LEGATO_TMM_MODEL_ANDO);
static_assert(static_cast<int>(tmm::HoppingDisorder::none) == LEGATO_TMM_HOPPING_DISORDER_NONE);
static_assert(static_cast<int>(tmm::HoppingDisorder::uniform) == LEGATO_TMM_HOPPING_DISORDER_UNIFORM);
static_assert(static_cast<int>(tmm::HoppingDisorder::logarithmic) == LEGATO_TMM_HOPPING_DISORDER_LOGARITHMIC);

inline legato_tmm_params to_c(const tmm::Params& p) {
    legato_tmm_params c{};
    c.struct_size = sizeof(c);
    c.dimension = p.dimension;
    c.boundary = static_cast<int32_t>(p.boundary);
    c.disorder = static_cast<int32_t>(p.disorder);
    c.random_stream = static_cast<int32_t>(p.random_stream);
    c.width = p.width;
    c.seed = p.seed;
    c.n_ortho = p.n_ortho;
    c.max_multiplications = p.max_multiplications;
    c.hopping = p.hopping;
    c.epsilon = p.epsilon;
    c.max_growth = p.max_growth;
    c.rule = static_cast<int32_t>(p.rule);
    c.min_blocks = p.min_blocks;
    c.burn_in = p.burn_in;
    c.replicas = p.replicas;
    c.model = static_cast<int32_t>(p.model);
    c.hopping_disorder = static_cast<int32_t>(p.hopping_disorder);
    c.hopping_width = p.hopping_width;
    c.anisotropy = p.anisotropy;
    c.transverse_flux = p.transverse_flux;
    c.longitudinal_flux = p.longitudinal_flux;
    c.spin_orbit = p.spin_orbit;
    return c;
}

inline void from_c(const legato_tmm_params& c, tmm::Params& p) {
    p.dimension = c.dimension;
    p.boundary = static_cast<tmm::Boundary>(c.boundary);
    p.disorder = static_cast<tmm::Disorder>(c.disorder);
    p.random_stream = static_cast<tmm::RandomStream>(c.random_stream);
    p.width = c.width;
    p.seed = c.seed;
    p.n_ortho = c.n_ortho;
    p.max_multiplications = c.max_multiplications;
    p.hopping = c.hopping;
    p.epsilon = c.epsilon;
    p.max_growth = c.max_growth;
    p.rule = static_cast<tmm::Rule>(c.rule);
    p.min_blocks = c.min_blocks;
    p.burn_in = c.burn_in;
    p.replicas = c.replicas;
    p.model = static_cast<tmm::Model>(c.model);
    p.hopping_disorder = static_cast<tmm::HoppingDisorder>(c.hopping_disorder);
    p.hopping_width = c.hopping_width;
    p.anisotropy = c.anisotropy;
    p.transverse_flux = c.transverse_flux;
    p.longitudinal_flux = c.longitudinal_flux;
    p.spin_orbit = c.spin_orbit;
}

}  // namespace legato::capi
