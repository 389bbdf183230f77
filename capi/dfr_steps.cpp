#include "legato/dfr_steps.h"

#include <algorithm>
#include <cmath>

#include "core/validate.hpp"
#include "dfr/engine.hpp"
#include "dfr/trial.hpp"
#include "handle.hpp"

using namespace legato;
using namespace legato::capi;

namespace {

struct Repulsion {
    dfr::Quadratures quadratures;
    std::unique_ptr<dfr::Engine> engine;
    bool relativistic = true;
};

}  // namespace

template <>
struct capi::StandsFor<legato_dfr_repulsion> : Handle<Repulsion> {};

namespace {

dfr::Atom basis_of(int32_t n_species, const int32_t* n_functions, const double* exponents) {
    require_integer("dfr.repulsion.n_species", n_species, 1, dfr::max_symmetries);
    require_pointer("dfr.repulsion.n_functions", n_functions);
    require_pointer("dfr.repulsion.exponents", exponents);
    dfr::Atom atom;
    for (int32_t s = 0; s < n_species; ++s) {
        require_integer(text("dfr.repulsion.n_functions[", s, "]"), n_functions[s], 0, dfr::max_functions);
        atom.exponents.emplace_back(exponents, exponents + n_functions[s]);
        exponents += n_functions[s];
    }
    if (std::all_of(n_functions, n_functions + n_species, [](int32_t n) { return n == 0; }))
        fail(Status::invalid_argument,
             "dfr.repulsion.n_functions: all are 0; at least one species must have functions");
    dfr::validate_exponents(atom.exponents, "dfr.repulsion.exponents");
    return atom;
}

std::size_t functions_of(const Repulsion& self, int32_t species) {
    return self.quadratures.atoms.front().large[static_cast<std::size_t>(species)].columns;
}

void require_species(const Repulsion& self, const char* field, int32_t i, int32_t species) {
    require_integer(text("dfr.repulsion.", field, "[", i, "]"), species, 0,
                    static_cast<int64_t>(self.quadratures.atoms.front().large.size()) - 1);
}

// Reads the coefficients of one density and moves the pointer behind them.
dfr::Density density_from(const Repulsion& self, int32_t species, int32_t spinors, double electrons,
                          const double*& coefficients) {
    const std::size_t n = functions_of(self, species), count = static_cast<std::size_t>(spinors);
    const double root = std::sqrt(electrons);
    dfr::Density density{species, Matrix(n, count), self.relativistic ? Matrix(n, count) : Matrix()};
    for (std::size_t a = 0; a < count; ++a)
        for (Matrix* part : {&density.large, &density.small})
            for (std::size_t p = 0; p < part->rows; ++p) {
                if (!std::isfinite(*coefficients))
                    fail(Status::invalid_argument, "dfr.repulsion.coefficients: ", *coefficients, " is not finite");
                (*part)(p, a) = root * *coefficients++;
            }
    return density;
}

}  // namespace

int32_t legato_dfr_repulsion_create(legato_context* context, int32_t relativistic, int32_t n_species,
                                    const int32_t* n_functions, const double* exponents,
                                    legato_dfr_repulsion** repulsion) {
    return create(context, "dfr.repulsion", repulsion, [&](Context& c) {
        dfr::Problem problem;
        problem.relativistic = flag_from_c("dfr.repulsion.relativistic", relativistic);
        dfr::Atom atom = basis_of(n_species, n_functions, exponents);
        // The choice of the backend needs a configuration. This one is a guess, as the spinors are not known yet.
        atom.configuration.closed.assign(atom.exponents.size(), 3);
        atom.configuration.electrons.assign(atom.exponents.size(), 0);
        const std::span<const dfr::Atom> one(&atom, 1);
        const int threads = dfr::useful_threads(c, problem, one);
        const Context alone = c.alone();  // each rank computes its own repulsions
        Trial trial = dfr::trial_of(alone, problem, one);
        trial.job = "dfr steps";
        const BackendChoice choice = c.choose_backend(trial);
        auto made = std::make_unique<Repulsion>();
        made->relativistic = problem.relativistic;
        made->quadratures = dfr::make_quadratures(problem, one, threads);
        made->engine = dfr::make_engine(c, choice.backend);
        made->engine->load(made->quadratures, threads);
        return made;
    });
}

int32_t legato_dfr_repulsion_destroy(legato_dfr_repulsion* repulsion) {
    return destroy(repulsion);
}

int32_t legato_dfr_repulsion_apply(legato_dfr_repulsion* repulsion, int32_t n_densities, const int32_t* density_species,
                                   const int32_t* n_spinors, const double* electrons, const double* coefficients,
                                   int32_t n_targets, const int32_t* target_species, const double* factors,
                                   double* matrices) {
    return guard(repulsion, [&](const Repulsion& self) {
        require_integer("dfr.repulsion.n_densities", n_densities, 1, 1000);
        require_integer("dfr.repulsion.n_targets", n_targets, 1, 1000);
        require_pointer("dfr.repulsion.density_species", density_species);
        require_pointer("dfr.repulsion.n_spinors", n_spinors);
        require_pointer("dfr.repulsion.electrons", electrons);
        require_pointer("dfr.repulsion.coefficients", coefficients);
        require_pointer("dfr.repulsion.target_species", target_species);
        require_pointer("dfr.repulsion.factors", factors);
        require_pointer("dfr.repulsion.matrices", matrices);
        dfr::RepulsionJob job;
        for (int32_t d = 0; d < n_densities; ++d) {
            require_species(self, "density_species", d, density_species[d]);
            require_integer(text("dfr.repulsion.n_spinors[", d, "]"), n_spinors[d], 0, dfr::max_functions);
            require_real(text("dfr.repulsion.electrons[", d, "]"), electrons[d], 0.0, 1e6);
            job.densities.push_back(density_from(self, density_species[d], n_spinors[d], electrons[d], coefficients));
        }
        for (int32_t t = 0; t < n_targets; ++t) {
            require_species(self, "target_species", t, target_species[t]);
            for (int32_t d = 0; d < n_densities; ++d)
                require_real(text("dfr.repulsion.factors[", t, "][", d, "]"), factors[d], -1e6, 1e6);
            job.targets.push_back({target_species[t], {factors, factors + n_densities}});
            factors += n_densities;
        }
        self.engine->compute_repulsion({&job, 1});
        for (const Matrix& matrix : job.repulsion)
            matrices = std::copy(matrix.values.begin(), matrix.values.end(), matrices);
    });
}
