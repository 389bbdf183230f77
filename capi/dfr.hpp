// What the parts of the interface to Dirac-Fock-Roothaan atoms have in common: their structs, and copies of the
// caller's arrays.
#pragma once

#include <algorithm>
#include <vector>

#include "core/validate.hpp"
#include "dfr/problem.hpp"
#include "guard.hpp"
#include "legato/dfr.h"

namespace legato::capi {

template <>
inline constexpr std::size_t first_size<legato_dfr_params> = LEGATO_SIZE_UP_TO(legato_dfr_params, dependence_threshold);
template <>
inline constexpr std::size_t first_size<legato_dfr_nucleus> = LEGATO_SIZE_UP_TO(legato_dfr_nucleus, exponent);

inline legato_dfr_params to_c(const dfr::Problem& p) {
    legato_dfr_params c{};
    c.struct_size = sizeof(c);
    c.relativistic = p.relativistic;
    c.max_iterations = p.max_iterations;
    c.diis_vectors = p.diis_vectors;
    c.speed_of_light = p.speed_of_light;
    c.energy_threshold = p.energy_threshold;
    c.gradient_threshold = p.gradient_threshold;
    c.dependence_threshold = p.dependence_threshold;
    return c;
}

// Null stands for the defaults.
inline dfr::Problem read_problem(const legato_dfr_params* params) {
    legato_dfr_params c = to_c({});
    if (params) read_struct("dfr.params", params, c);
    require_integer("dfr.params.relativistic", c.relativistic, 0, 1);
    dfr::Problem p;
    p.relativistic = c.relativistic != 0;
    p.max_iterations = c.max_iterations;
    p.diis_vectors = c.diis_vectors;
    p.speed_of_light = c.speed_of_light;
    p.energy_threshold = c.energy_threshold;
    p.gradient_threshold = c.gradient_threshold;
    p.dependence_threshold = c.dependence_threshold;
    validate(p);
    return p;
}

inline dfr::NuclearModel nuclear_model(int32_t model) {
    require_integer("dfr.nuclear_model", model, LEGATO_DFR_POINT, LEGATO_DFR_GAUSSIAN);
    return static_cast<dfr::NuclearModel>(model);
}

inline dfr::Nucleus read_nucleus(const legato_dfr_nucleus* nucleus) {
    legato_dfr_nucleus c{};
    read_struct("dfr.nucleus", nucleus, c);
    return {c.charge, static_cast<dfr::NuclearModel>(c.model), c.radius, c.exponent};
}

template <class T>
std::vector<T> copied(const char* field, const T* values, std::size_t count) {
    if (count == 0) return {};
    require_pointer(field, values);
    return {values, values + count};
}

// The number of species, checked already, is `species`. Without `pairs` there are no open shells.
inline dfr::Configuration read_configuration(std::size_t species, const int32_t* closed, const double* electrons,
                                             const double* pairs) {
    dfr::Configuration configuration{
        copied("dfr.closed", closed, species), copied("dfr.electrons", electrons, species), {}};
    if (pairs)
        configuration.pairs.assign(pairs, pairs + species * species);
    else if (std::all_of(electrons, electrons + species, [](double e) { return e == 0.0; }))
        configuration.pairs.assign(species * species, 0.0);
    else
        require_pointer("dfr.pairs", pairs);
    return configuration;
}

}  // namespace legato::capi
