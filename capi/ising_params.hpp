// Written by tools/parameters.py from capi/include/legato/ising.h. Change that instead.
#pragma once

#include "arguments.hpp"
#include "ising/params.hpp"
#include "legato/ising.h"

namespace legato::capi {

static_assert(static_cast<int>(ising::Algorithm::metropolis) == LEGATO_ISING_ALGORITHM_METROPOLIS);
static_assert(static_cast<int>(ising::Algorithm::demon_naive) == LEGATO_ISING_ALGORITHM_DEMON_NAIVE);
static_assert(static_cast<int>(ising::Algorithm::demon_binomial) == LEGATO_ISING_ALGORITHM_DEMON_BINOMIAL);
static_assert(static_cast<int>(ising::Algorithm::demon_microcanonical) == LEGATO_ISING_ALGORITHM_DEMON_MICROCANONICAL);
static_assert(static_cast<int>(ising::Algorithm::swendsen_wang) == LEGATO_ISING_ALGORITHM_SWENDSEN_WANG);
static_assert(static_cast<int>(ising::Algorithm::wolff) == LEGATO_ISING_ALGORITHM_WOLFF);
static_assert(static_cast<int>(ising::Boundary::periodic) == LEGATO_ISING_BOUNDARY_PERIODIC);
static_assert(static_cast<int>(ising::Boundary::antiperiodic) == LEGATO_ISING_BOUNDARY_ANTIPERIODIC);
static_assert(static_cast<int>(ising::Start::up) == LEGATO_ISING_START_UP);
static_assert(static_cast<int>(ising::Start::random) == LEGATO_ISING_START_RANDOM);

inline legato_ising_params to_c(const ising::Params& p) {
    legato_ising_params c{};
    c.struct_size = sizeof(c);
    c.dimension = p.lattice.dimension;
    c.algorithm = static_cast<int32_t>(p.algorithm);
    c.extents[0] = p.lattice.extents[0];
    c.extents[1] = p.lattice.extents[1];
    c.extents[2] = p.lattice.extents[2];
    c.boundary[0] = static_cast<int32_t>(p.lattice.boundary[0]);
    c.boundary[1] = static_cast<int32_t>(p.lattice.boundary[1]);
    c.boundary[2] = static_cast<int32_t>(p.lattice.boundary[2]);
    c.replicas = p.replicas;
    c.field = p.field;
    c.thermalisation = p.thermalisation;
    c.sweeps_per_measurement = p.sweeps_per_measurement;
    c.measurements_per_bin = p.measurements_per_bin;
    c.bins = p.bins;
    c.refresh_interval = p.refresh_interval;
    c.start = static_cast<int32_t>(p.start);
    c.time_series = p.time_series;
    c.correlations = p.correlations;
    c.acceptance = p.acceptance;
    return c;
}

inline void from_c(const legato_ising_params& c, ising::Params& p) {
    p.lattice.dimension = c.dimension;
    p.algorithm = static_cast<ising::Algorithm>(c.algorithm);
    p.lattice.extents[0] = c.extents[0];
    p.lattice.extents[1] = c.extents[1];
    p.lattice.extents[2] = c.extents[2];
    p.lattice.boundary[0] = static_cast<ising::Boundary>(c.boundary[0]);
    p.lattice.boundary[1] = static_cast<ising::Boundary>(c.boundary[1]);
    p.lattice.boundary[2] = static_cast<ising::Boundary>(c.boundary[2]);
    p.replicas = c.replicas;
    p.field = c.field;
    p.thermalisation = c.thermalisation;
    p.sweeps_per_measurement = c.sweeps_per_measurement;
    p.measurements_per_bin = c.measurements_per_bin;
    p.bins = c.bins;
    p.refresh_interval = c.refresh_interval;
    p.start = static_cast<ising::Start>(c.start);
    p.time_series = flag_from_c("ising.params.time_series", c.time_series);
    p.correlations = flag_from_c("ising.params.correlations", c.correlations);
    p.acceptance = flag_from_c("ising.params.acceptance", c.acceptance);
}

}  // namespace legato::capi
