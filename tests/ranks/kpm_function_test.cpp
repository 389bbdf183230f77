// Functions of a Hamiltonian that are applied to vectors: the results have the bits of one rank with whole vectors,
// whatever the ranks and their parts share.
#define BOOST_TEST_MODULE ranks_kpm_function
#include <array>
#include <boost/test/unit_test.hpp>

#include "kpm_runs.hpp"

using namespace ranks;

namespace {

struct DestroyFunction {
    void operator()(legato_kpm_function* function) const { legato_kpm_function_destroy(function); }
};
using Function = std::unique_ptr<legato_kpm_function, DestroyFunction>;

// A ring of several segments, through which there is a flux.
Hamiltonian complex_ring(legato_context* context) {
    constexpr std::int32_t sites = 2500;
    std::vector<std::int64_t> rows{0};
    std::vector<std::int32_t> columns;
    std::vector<double> values;
    for (std::int32_t i = 0; i < sites; ++i) {
        for (const std::int32_t by : {1, sites - 1}) {
            columns.push_back((i + by) % sites);
            values.push_back(0.8);
            values.push_back(by == 1 ? 0.6 : -0.6);
        }
        rows.push_back(static_cast<std::int64_t>(columns.size()));
    }
    legato_kpm_hamiltonian* hamiltonian = nullptr;
    require(legato_kpm_complex_matrix_create(context, sites, rows.back(), 0, rows.data(), columns.data(), values.data(),
                                             &hamiltonian));
    return Hamiltonian(hamiltonian);
}

Function function_of(legato_context* context, const Hamiltonian& hamiltonian, int division,
                     int bounds = LEGATO_KPM_BOUNDS_GERSHGORIN) {
    legato_kpm_params params = params_of(5, 2);
    params.block_width = 3;
    params.division = division;
    params.bounds = bounds;
    legato_kpm_function* function = nullptr;
    require(legato_kpm_function_create(context, &params, hamiltonian.get(), 1, &function));
    return Function(function);
}

std::size_t sites_of(const Function& function) {
    legato_kpm_state state{};
    state.struct_size = sizeof state;
    require(legato_kpm_function_get_state(function.get(), &state));
    return static_cast<std::size_t>(state.sites);
}

std::vector<double> vectors_of(std::size_t size) {
    std::mt19937_64 random(11);
    std::vector<double> vectors(size);
    for (double& element : vectors) element = std::normal_distribution<double>()(random);
    return vectors;
}

int square(void*, int64_t n, const double energies[], double values[]) {
    for (int64_t i = 0; i < n; ++i) {
        values[2 * i] = energies[i] * energies[i];
        values[2 * i + 1] = 0;
    }
    return 0;
}

// Applies functions to seven complex and three real vectors. The second complex vector is real.
void apply_functions(const Function& function, Results& results) {
    const std::size_t sites = sites_of(function);
    std::vector<double> in = vectors_of(14 * sites), out(14 * sites);
    for (std::size_t i = 0; i < sites; ++i) in[2 * (sites + i) + 1] = 0;
    double bound = 0;
    int64_t terms = 0;
    require(legato_kpm_function_set(function.get(), LEGATO_KPM_FUNCTION_KIND_EVOLUTION, 3, 0, 1e-9, &terms, &bound));
    results.add(bound);
    results.add(terms);
    require(legato_kpm_function_apply(function.get(), 7, in.data(), out.data(), nullptr, nullptr));
    results.add(out);
    require(legato_kpm_function_set_callback(function.get(), square, nullptr, 1e-9, &terms, &bound));
    results.add(terms);
    require(legato_kpm_function_apply_real(function.get(), 3, in.data(), in.data(), nullptr, nullptr));
    results.add(in);
}

}  // namespace

BOOST_AUTO_TEST_CASE(divided_vectors_have_the_same_results) {
    for (const int bounds : {LEGATO_KPM_BOUNDS_GERSHGORIN, LEGATO_KPM_BOUNDS_LANCZOS}) {
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       apply_functions(function_of(context, lattice_of(context), LEGATO_KPM_DIVISION_VECTORS, bounds),
                                       results);
                   }) == "");
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       apply_functions(function_of(context, ring(context), LEGATO_KPM_DIVISION_VECTORS, bounds),
                                       results);
                   }) == "");
    }
}

BOOST_AUTO_TEST_CASE(divided_lattices_have_the_same_results) {
    for (const Shape& shape :
         {Shape{{5001, 1, 1}, {0, 1, 1}}, Shape{{40, 163, 1}}, Shape{{12, 11, 7}, {1, 1, 0}}, Shape{{1, 1, 1}}})
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       apply_functions(function_of(context, made(context, shape), LEGATO_KPM_DIVISION_LATTICE),
                                       results);
                   }) == "");
}

BOOST_AUTO_TEST_CASE(divided_crystals_with_vacancies_have_the_same_results) {
    const Crystal crystal{{30, 50, 1}, 2, {1, 0, 1}, 1, 0, 0.1, LEGATO_KPM_ON_SITE_BOX};
    for (const int division : {LEGATO_KPM_DIVISION_VECTORS, LEGATO_KPM_DIVISION_LATTICE})
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       apply_functions(function_of(context, made_crystal(context, crystal), division), results);
                   }) == "");
}

BOOST_AUTO_TEST_CASE(divided_rows_have_the_same_results) {
    BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                   apply_functions(function_of(context, ring(context), LEGATO_KPM_DIVISION_LATTICE), results);
               }) == "");
}

BOOST_AUTO_TEST_CASE(complex_vectors_have_the_same_results) {
    for (const int division : {LEGATO_KPM_DIVISION_VECTORS, LEGATO_KPM_DIVISION_LATTICE})
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       const Function function = function_of(context, complex_ring(context), division);
                       std::vector<double> v = vectors_of(10 * sites_of(function));
                       require(legato_kpm_function_set(function.get(), LEGATO_KPM_FUNCTION_KIND_EVOLUTION, 3, 0, 1e-9,
                                                       nullptr, nullptr));
                       require(legato_kpm_function_apply(function.get(), 5, v.data(), v.data(), nullptr, nullptr));
                       results.add(v);
                   }) == "");
}

BOOST_AUTO_TEST_CASE(either_division_has_the_same_results) {
    const auto program = [](int division) {
        return [division](legato_context* context, int, Results& results) {
            apply_functions(function_of(context, lattice_of(context), division), results);
        };
    };
    const Results vectors = run_on({3, 1, 1}, program(LEGATO_KPM_DIVISION_VECTORS))[0].results;
    for (const Outcome& outcome : run_on({3, 1, 1}, program(LEGATO_KPM_DIVISION_LATTICE)))
        BOOST_TEST((outcome.results == vectors));
}

BOOST_AUTO_TEST_CASE(failures_of_the_transport_are_noticed) {
    for (const int division : {LEGATO_KPM_DIVISION_VECTORS, LEGATO_KPM_DIVISION_LATTICE})
        BOOST_TEST(unnoticed_failures([&](legato_context* context, int, Results& results) {
                       const Function function = function_of(context, lattice_of(context), division);
                       std::vector<double> v = vectors_of(2 * sites_of(function));
                       require(legato_kpm_function_set(function.get(), LEGATO_KPM_FUNCTION_KIND_EVOLUTION, 0.3, 0, 1e-2,
                                                       nullptr, nullptr));
                       require(legato_kpm_function_apply(function.get(), 1, v.data(), v.data(), nullptr, nullptr));
                       results.add(v);
                   }) == "");
}

// Vectors, parameters and functions of the caller must be the same on all ranks.
BOOST_AUTO_TEST_CASE(different_arguments_of_ranks_are_refused) {
    const auto message = [](const Program& program) { return run_on({2, 1, 1}, program)[1].message; };
    BOOST_TEST(message([](legato_context* context, int rank, Results&) {
                   const Function function = function_of(context, lattice_of(context), LEGATO_KPM_DIVISION_VECTORS);
                   require(legato_kpm_function_set(function.get(), LEGATO_KPM_FUNCTION_KIND_EVOLUTION, 1 + rank, 0,
                                                   1e-9, nullptr, nullptr));
               }).find("kpm.function.first") != std::string::npos);
    BOOST_TEST(message([](legato_context* context, int rank, Results&) {
                   const Function function = function_of(context, lattice_of(context), LEGATO_KPM_DIVISION_VECTORS);
                   std::vector<double> v = vectors_of(sites_of(function));
                   require(legato_kpm_function_set(function.get(), LEGATO_KPM_FUNCTION_KIND_GAUSSIAN, 0, 1, 1e-9,
                                                   nullptr, nullptr));
                   v[7] += rank;
                   require(legato_kpm_function_apply_real(function.get(), 1, v.data(), v.data(), nullptr, nullptr));
               }).find("kpm.function.in (checksum)") != std::string::npos);
}

// Only rank 1 has a callback, which stops the call of both.
BOOST_AUTO_TEST_CASE(a_callback_stops_all_ranks) {
    const Division division{2, 1, 1};
    for (const Outcome& outcome : run_on(division, [](legato_context*context, int rank, Results&) {
             const Function function = function_of(context, lattice_of(context), LEGATO_KPM_DIVISION_VECTORS);
             std::vector<double> v = vectors_of(20 * sites_of(function));
             require(legato_kpm_function_set(function.get(), LEGATO_KPM_FUNCTION_KIND_GAUSSIAN, 0, 1, 1e-9, nullptr,
                                             nullptr));
             const legato_progress_callback stop = [](void*, const legato_progress*) { return 1; };
             require(legato_kpm_function_apply_real(function.get(), 20, v.data(), v.data(), rank == 1 ? stop : nullptr,
                                                    nullptr));
         }))
        BOOST_TEST(outcome.status == LEGATO_STATUS_CANCELLED);
}
