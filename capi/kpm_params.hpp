// Written by tools/parameters.py from capi/include/legato/kpm.h. Change that instead.
#pragma once

#include "arguments.hpp"
#include "kpm/params.hpp"
#include "legato/kpm.h"

namespace legato::capi {

static_assert(static_cast<int>(kpm::StartVectors::sign) == LEGATO_KPM_START_VECTORS_SIGN);
static_assert(static_cast<int>(kpm::StartVectors::gaussian) == LEGATO_KPM_START_VECTORS_GAUSSIAN);
static_assert(static_cast<int>(kpm::StartVectors::uniform) == LEGATO_KPM_START_VECTORS_UNIFORM);
static_assert(static_cast<int>(kpm::StartVectors::sites) == LEGATO_KPM_START_VECTORS_SITES);
static_assert(static_cast<int>(kpm::StartVectors::caller) == LEGATO_KPM_START_VECTORS_CALLER);
static_assert(static_cast<int>(kpm::StartVectors::phase) == LEGATO_KPM_START_VECTORS_PHASE);
static_assert(static_cast<int>(kpm::StartVectors::waves) == LEGATO_KPM_START_VECTORS_WAVES);
static_assert(static_cast<int>(kpm::Bounds::gershgorin) == LEGATO_KPM_BOUNDS_GERSHGORIN);
static_assert(static_cast<int>(kpm::Bounds::lanczos) == LEGATO_KPM_BOUNDS_LANCZOS);
static_assert(static_cast<int>(kpm::Bounds::interval) == LEGATO_KPM_BOUNDS_INTERVAL);
static_assert(static_cast<int>(kpm::Format::auto_) == LEGATO_KPM_FORMAT_AUTO);
static_assert(static_cast<int>(kpm::Format::crs) == LEGATO_KPM_FORMAT_CRS);
static_assert(static_cast<int>(kpm::Format::ell) == LEGATO_KPM_FORMAT_ELL);
static_assert(static_cast<int>(kpm::Format::stencil) == LEGATO_KPM_FORMAT_STENCIL);
static_assert(static_cast<int>(kpm::Precision::double_) == LEGATO_KPM_PRECISION_DOUBLE);
static_assert(static_cast<int>(kpm::Precision::single) == LEGATO_KPM_PRECISION_SINGLE);
static_assert(static_cast<int>(kpm::Division::auto_) == LEGATO_KPM_DIVISION_AUTO);
static_assert(static_cast<int>(kpm::Division::vectors) == LEGATO_KPM_DIVISION_VECTORS);
static_assert(static_cast<int>(kpm::Division::lattice) == LEGATO_KPM_DIVISION_LATTICE);

inline legato_kpm_params to_c(const kpm::Params& p) {
    legato_kpm_params c{};
    c.struct_size = sizeof(c);
    c.moments = p.moments;
    c.start_vectors = static_cast<int32_t>(p.start_vectors);
    c.vectors = p.vectors;
    c.realisations = p.realisations;
    c.seed = p.seed;
    c.bounds = static_cast<int32_t>(p.bounds);
    c.lanczos_steps = p.lanczos_steps;
    c.format = static_cast<int32_t>(p.format);
    c.block_width = p.block_width;
    c.lowest = p.lowest;
    c.highest = p.highest;
    c.margin = p.margin;
    c.memory_budget = p.memory_budget;
    c.precision = static_cast<int32_t>(p.precision);
    c.division = static_cast<int32_t>(p.division);
    return c;
}

inline void from_c(const legato_kpm_params& c, kpm::Params& p) {
    p.moments = c.moments;
    p.start_vectors = static_cast<kpm::StartVectors>(c.start_vectors);
    p.vectors = c.vectors;
    p.realisations = c.realisations;
    p.seed = c.seed;
    p.bounds = static_cast<kpm::Bounds>(c.bounds);
    p.lanczos_steps = c.lanczos_steps;
    p.format = static_cast<kpm::Format>(c.format);
    p.block_width = c.block_width;
    p.lowest = c.lowest;
    p.highest = c.highest;
    p.margin = c.margin;
    p.memory_budget = c.memory_budget;
    p.precision = static_cast<kpm::Precision>(c.precision);
    p.division = static_cast<kpm::Division>(c.division);
}

}  // namespace legato::capi
