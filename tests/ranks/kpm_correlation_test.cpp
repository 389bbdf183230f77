// Double expansions: the results have the bits of one rank, whatever the ranks and their parts share.
#define BOOST_TEST_MODULE ranks_kpm_correlation
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "kpm_runs.hpp"

using namespace ranks;

namespace {

constexpr int orders = 21;

struct DestroyCorrelation {
    void operator()(legato_kpm_correlation* correlation) const { legato_kpm_correlation_destroy(correlation); }
};
using Correlation = std::unique_ptr<legato_kpm_correlation, DestroyCorrelation>;

// A ring of as many sites as the lattice has, through which there is a flux.
Hamiltonian flux(legato_context* context, double imaginary = 0.6) {
    constexpr std::int32_t sites = 7 * 5 * 3;
    std::vector<std::int64_t> rows{0};
    std::vector<std::int32_t> columns;
    std::vector<double> values;
    for (std::int32_t i = 0; i < sites; ++i) {
        for (const std::int32_t by : {1, sites - 1}) {
            columns.push_back((i + by) % sites);
            values.push_back(0.8);
            values.push_back(by == 1 ? imaginary : -imaginary);
        }
        rows.push_back(static_cast<std::int64_t>(columns.size()));
    }
    legato_kpm_hamiltonian* hamiltonian = nullptr;
    require(legato_kpm_complex_matrix_create(context, sites, rows.back(), 0, rows.data(), columns.data(), values.data(),
                                             &hamiltonian));
    return Hamiltonian(hamiltonian);
}

Correlation correlation_of(legato_context* context, const Hamiltonian& h, const Hamiltonian& a,
                           const legato_kpm_params& params) {
    legato_kpm_correlation* correlation = nullptr;
    require(legato_kpm_correlation_create(context, &params, h.get(), a.get(), a.get(), &correlation));
    return Correlation(correlation);
}

void add_moments(const Correlation& correlation, Results& results) {
    std::vector<double> mean(2 * orders * orders), error(mean.size());
    require(legato_kpm_correlation_moments(correlation.get(), orders, mean.data(), error.data()));
    results.add(mean);
    results.add(error);
}

// Elements of start vectors that are exact in every rounding mode.
int given(void*, std::int64_t sample, std::int64_t sites, double vector[]) {
    for (std::int64_t i = 0; i < 2 * sites; ++i) vector[i] = static_cast<double>((i * (sample + 3)) % 7 - 3) / 4;
    return 0;
}

}  // namespace

BOOST_AUTO_TEST_CASE(divided_vectors_have_the_same_results) {
    for (const int bounds : {LEGATO_KPM_BOUNDS_GERSHGORIN, LEGATO_KPM_BOUNDS_LANCZOS})
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       legato_kpm_params params = params_of(3, 3);
                       params.bounds = bounds;
                       const Hamiltonian h = lattice_of(context), a = flux(context);
                       const Correlation correlation = correlation_of(context, h, a, params);
                       require(legato_kpm_correlation_run(correlation.get(), nullptr, nullptr));
                       add_moments(correlation, results);
                   }) == "");
}

BOOST_AUTO_TEST_CASE(given_vectors_have_the_same_results) {
    BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                   const legato_kpm_params params = params_of(5);
                   const Hamiltonian h = clean(context), a = flux(context);
                   legato_kpm_correlation* made = nullptr;
                   require(legato_kpm_correlation_create_given(context, &params, h.get(), a.get(), h.get(), given,
                                                               nullptr, &made));
                   const Correlation correlation(made);
                   require(legato_kpm_correlation_run(correlation.get(), nullptr, nullptr));
                   add_moments(correlation, results);
               }) == "");
}

// Realisations have different numbers of sites.
BOOST_AUTO_TEST_CASE(vacancies_have_the_same_results) {
    BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                   const double along[] = {1, 0.5, 0};
                   const Hamiltonian h = with_vacancies(context);
                   legato_kpm_hamiltonian* velocity = nullptr;
                   require(legato_kpm_velocity_create(context, h.get(), along, &velocity));
                   const Hamiltonian v(velocity);
                   const Correlation correlation = correlation_of(context, h, v, params_of(2, 4));
                   require(legato_kpm_correlation_run(correlation.get(), nullptr, nullptr));
                   add_moments(correlation, results);
               }) == "");
}

// A file of three ranks is resumed by two.
BOOST_AUTO_TEST_CASE(files_move_between_divisions) {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("legato_ranks_kpm_correlation_" + std::to_string(getpid()) + ".h5"))
            .string();
    const legato_kpm_params params = params_of(7);
    const auto whole = run_on({1, 1, 1}, [&](legato_context* context, int, Results& results) {
        const Hamiltonian h = clean(context), a = flux(context);
        const Correlation correlation = correlation_of(context, h, a, params);
        require(legato_kpm_correlation_run(correlation.get(), nullptr, nullptr));
        add_moments(correlation, results);
    });
    for (const Outcome& outcome : run_on({3, 1, 1}, [&](legato_context*context, int, Results&results) {
             const Hamiltonian h = clean(context), a = flux(context);
             const Correlation correlation = correlation_of(context, h, a, params);
             std::int64_t done = 0;
             require(legato_kpm_correlation_advance(correlation.get(), 1, &done));
             results.add(done);
             require(legato_kpm_correlation_save(correlation.get(), path.c_str()));
         })) {
        Results three;
        three.add(std::int64_t{3});
        BOOST_TEST((outcome.results == three));
    }
    for (const Outcome& outcome : run_on({2, 1, 1}, [&](legato_context*context, int, Results&results) {
             const Hamiltonian h = clean(context), a = flux(context);
             legato_kpm_correlation* made = nullptr;
             require(legato_kpm_correlation_resume(context, path.c_str(), h.get(), a.get(), a.get(), nullptr, nullptr,
                                                   &made));
             const Correlation correlation(made);
             require(legato_kpm_correlation_run(correlation.get(), nullptr, nullptr));
             add_moments(correlation, results);
         })) {
        BOOST_TEST(outcome.message == "");
        BOOST_TEST((outcome.results == whole[0].results));
    }
    std::filesystem::remove(path);
}

BOOST_AUTO_TEST_CASE(failures_of_the_transport_are_noticed) {
    BOOST_TEST(unnoticed_failures([&](legato_context* context, int, Results& results) {
                   const Hamiltonian h = clean(context), a = flux(context);
                   const Correlation correlation = correlation_of(context, h, a, params_of(2));
                   require(legato_kpm_correlation_run(correlation.get(), nullptr, nullptr));
                   add_moments(correlation, results);
               }) == "");
}

BOOST_AUTO_TEST_CASE(different_operators_of_ranks_are_refused) {
    for (const Outcome& outcome : run_on({2, 1, 1}, [](legato_context*context, int rank, Results&) {
             const Hamiltonian h = clean(context), a = flux(context, rank == 0 ? 0.6 : 0.5);
             correlation_of(context, h, a, params_of(2));
         }))
        BOOST_TEST(outcome.message.find("kpm.correlation.a (fingerprint of its elements)") != std::string::npos,
                   outcome.message);
}

// The sample that shows states outside the bounds is one of rank 1; both ranks report it.
BOOST_AUTO_TEST_CASE(states_outside_the_bounds_are_reported_by_all_ranks) {
    for (const Outcome& outcome : run_on({2, 1, 1}, [](legato_context*context, int, Results&) {
             legato_kpm_params params = params_of(2);
             params.bounds = LEGATO_KPM_BOUNDS_INTERVAL;
             params.lowest = -3;
             params.highest = 3;
             const Hamiltonian h = clean(context), a = flux(context);
             legato_kpm_correlation* made = nullptr;
             // The first vector vanishes.
             const legato_kpm_vector_callback second = [](void*, std::int64_t sample, std::int64_t sites,
                                                          double* vector) {
                 for (std::int64_t i = 0; i < 2 * sites; ++i) vector[i] = static_cast<double>(sample);
                 return 0;
             };
             require(legato_kpm_correlation_create_given(context, &params, h.get(), a.get(), a.get(), second, nullptr,
                                                         &made));
             const Correlation correlation(made);
             require(legato_kpm_correlation_run(correlation.get(), nullptr, nullptr));
         })) {
        BOOST_TEST(outcome.status == LEGATO_STATUS_NUMERICAL_ERROR);
        BOOST_TEST(outcome.message.find(" of sample 1 ") != std::string::npos, outcome.message);
    }
}

// Only rank 1 has a callback, which stops the run of both.
BOOST_AUTO_TEST_CASE(a_callback_stops_all_ranks) {
    for (const Outcome& outcome : run_on({2, 1, 1}, [](legato_context*context, int rank, Results&) {
             const Hamiltonian h = clean(context), a = flux(context);
             const Correlation correlation = correlation_of(context, h, a, params_of(20));
             const legato_progress_callback stop = [](void*, const legato_progress*) { return 1; };
             require(legato_kpm_correlation_run(correlation.get(), rank == 1 ? stop : nullptr, nullptr));
         }))
        BOOST_TEST(outcome.status == LEGATO_STATUS_CANCELLED);
}
