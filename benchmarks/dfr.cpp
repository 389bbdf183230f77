// Benchmarks of dfr: atoms from the input to the converged energy; all elements of the library hennessey in one batch;
// an optimisation.
#include "common.hpp"
#include "dfr/elements.hpp"
#include "dfr/named_sets.hpp"
#include "dfr/quadrature.hpp"

extern "C" void serial_dfr(const char* name, int length, double* energy, int* iterations, double* seconds, int* failed);

using namespace benchmarks;
using legato::dfr::Atom;

namespace {

constexpr double speed_of_light = 137.0359895;

double serial_time(const std::string& input, int repeats) {
    return best_of(repeats, [&] {
        double energy = 0, seconds = 0;
        int iterations = 0, failed = 0;
        serial_dfr(input.data(), static_cast<int>(input.size()), &energy, &iterations, &seconds, &failed);
        if (failed) fail("the serial program failed on " + input);
        return seconds;
    });
}

// Returns the profiling workload of Hennessey's thesis: radon, seven species with the same exponents.
Atom profile(int functions) {
    Atom atom;
    atom.nucleus.charge = 86;
    atom.exponents.assign(7, legato::dfr::well_tempered_exponents({6.87e-2, 1.83, 3.97, 0.78}, functions));
    atom.configuration = {{6, 5, 5, 3, 3, 1, 1}, std::vector<double>(7), std::vector<double>(49)};
    return atom;
}

Atom of_library(int element) {
    static legato::dfr::NamedSets sets;
    return sets.atom(legato::Context{legato::ContextOptions{}}, "hennessey", element, legato::dfr::NuclearModel::point);
}

// Returns the operations of the exchange. For pairs of points, of large and small components, these are the products of
// all spinors, and those with every function. Of symmetric quantities one half counts.
double flops_of_iteration(const Atom& atom) {
    double spinors = 0, functions = 0;
    for (std::size_t s = 0; s < atom.exponents.size(); ++s) {
        functions += static_cast<double>(atom.exponents[s].size());
        spinors += shells(atom.configuration, s);
    }
    const auto points = static_cast<double>(legato::dfr::grid_of(atom).points);
    return 4 * points * points * (functions + spinors);
}

void add(legato_context* context, legato_dfr* dfr, const Atom& atom) {
    std::vector<int32_t> functions;
    std::vector<double> exponents;
    for (const auto& species : atom.exponents) {
        functions.push_back(static_cast<int32_t>(species.size()));
        exponents.insert(exponents.end(), species.begin(), species.end());
    }
    legato_dfr_nucleus nucleus{};
    nucleus.struct_size = sizeof nucleus;
    nucleus.model = LEGATO_DFR_NUCLEAR_MODEL_POINT;
    nucleus.charge = atom.nucleus.charge;
    require(context,
            legato_dfr_add_atom(dfr, &nucleus, static_cast<int32_t>(functions.size()), functions.data(),
                                exponents.data(), atom.configuration.closed.data(), atom.configuration.electrons.data(),
                                atom.configuration.pairs.data(), nullptr));
}

// Measures the time from the empty list to the energies, without that for the context.
Timing library_time(const std::vector<Atom>& atoms, const Place& place, int repeats) {
    double flops = 0;
    legato_dfr_params params;
    legato_dfr_params_init(&params);
    params.speed_of_light = speed_of_light;
    const double seconds = best_of(repeats, [&] {
        legato_dfr* dfr = nullptr;
        const double took = seconds_of([&] {
            require(place.context, legato_dfr_create(place.context, &params, &dfr));
            for (const Atom& atom : atoms) add(place.context, dfr, atom);
            require(place.context, legato_dfr_run(dfr, nullptr, nullptr));
        });
        flops = 0;
        for (std::size_t i = 0; i < atoms.size(); ++i) {
            legato_dfr_atom result{};
            result.struct_size = sizeof result;
            require(place.context, legato_dfr_result(dfr, static_cast<int64_t>(i), &result));
            if (result.status != LEGATO_DFR_ATOM_STATUS_CONVERGED) fail("an atom has not converged");
            flops += result.iterations * flops_of_iteration(atoms[i]);
        }
        legato_dfr_destroy(dfr);
        return took;
    });
    return {seconds, {flops, 0}};
}

// Measures 200 energies of xenon, beginning with the library's basis, which was optimised for non-relativistic
// energies. There is no lower limit, because the number of iterations is not known.
Timing optimisation_time(const Place& place) {
    legato_dfr_params field;
    legato_dfr_params_init(&field);
    field.speed_of_light = speed_of_light;
    legato_dfr_optimiser_params params;
    legato_dfr_optimiser_params_init(&params);
    params.max_energies = 200;
    params.last_step = 1e-6;  // so small that all energies are used
    legato_dfr_optimiser* optimiser = nullptr;
    const double seconds = seconds_of([&] {
        require(place.context, legato_dfr_optimiser_create(place.context, &field, &params, &optimiser));
        require(place.context,
                legato_dfr_optimiser_add_element(optimiser, 54, LEGATO_DFR_NUCLEAR_MODEL_POINT, nullptr));
        require(place.context, legato_dfr_optimiser_run(optimiser, nullptr, nullptr));
    });
    legato_dfr_optimisation result{};
    result.struct_size = sizeof result;
    require(place.context, legato_dfr_optimiser_result(optimiser, 0, &result));
    std::printf(
        "(%lld energies, %lld collapsed; above the limit %.9f by %.3e at the start, by %.3e at the end, %.6f hartree "
        "gained)\n",
        static_cast<long long>(result.energies), static_cast<long long>(result.collapsed), result.limit,
        1 - result.start_energy / result.limit, 1 - result.energy / result.limit, result.start_energy - result.energy);
    legato_dfr_optimiser_destroy(optimiser);
    return {seconds, {}};
}

}  // namespace

Method benchmarks::dfr_benchmark(const Options& options) {
    const int repeats = options.quick ? 2 : 4;  // the first run loads the device's kernels
    Method method{"dfr", "job", "s", {}};
    const auto problem = [&](const char* name, const char* input, const Atom& atom) {
        method.problems.push_back(
            {name,
             [=, path = options.inputs + "/" + input + ".inp"] { return serial_time(path, options.quick ? 1 : 3); },
             [=](const Place& place) { return library_time({atom}, place, repeats); }});
    };
    problem("Rn, 7 x 45", "profile_rn_45", profile(45));
    // Time of Hennessey's whole calculation on his GPU (thesis, table 3.6).
    method.problems.back().peer = {"Hennessey's program on its GPU, published", [] { return 7.47; }};
    problem("Rn", "rn", of_library(86));
    problem("Xe", "xe", of_library(54));
    if (!options.quick) {
        std::vector<Atom> all;
        for (int element = 2; element <= 86; ++element)
            if (element != 58 && element != 64 && element != 65 && element != 67 && element != 70)
                all.push_back(of_library(element));
        method.problems.push_back({std::to_string(all.size()) + " elements in one batch", {}, [=](const Place& place) {
                                       return library_time(all, place, 2);
                                   }});
        method.problems.push_back({"Xe, 200 energies of an optimisation", {}, optimisation_time});
    }
    problem("Rn, 7 x 35", "profile_rn_35", profile(35));
    problem("Rn, 7 x 25", "profile_rn_25", profile(25));
    problem("Ne", "ne", of_library(10));
    problem("He", "he", of_library(2));
    return method;
}
