// Plane waves, and Green's functions between vectors, with several ranks and parts.
#define BOOST_TEST_MODULE ranks_kpm_spectral
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <utility>

#include "kpm_runs.hpp"
#include "legato/kpm_green.h"
#include "legato/kpm_local.h"

using namespace legato;
using namespace ranks;

namespace {

struct DestroyGreen {
    void operator()(legato_kpm_green* green) const { legato_kpm_green_destroy(green); }
};
using Green = std::unique_ptr<legato_kpm_green, DestroyGreen>;

const std::vector<std::int64_t> some_left{0, 7, 104}, some_right{5, 104, 31, 0, 77};

Kpm waves(legato_context* context, const legato_kpm_params& params, const Hamiltonian& hamiltonian) {
    const double k[9] = {0.1, 0.2, 0, 0.3, -0.45, 0.5, 0, 0, 0.25};
    legato_kpm* kpm = nullptr;
    require(legato_kpm_create_waves(context, &params, hamiltonian.get(), 3, k, 0, nullptr, &kpm));
    return Kpm(kpm);
}

// The vectors on the side without sites are those of the source.
Green green_of(legato_context* context, const Hamiltonian& hamiltonian, Source* source, bool left_is_given,
               bool right_is_given) {
    const legato_kpm_params params = params_of(1, 3);
    legato_kpm_green* green = nullptr;
    require(legato_kpm_green_create(context, &params, hamiltonian.get(), 3, left_is_given ? nullptr : some_left.data(),
                                    5, right_is_given ? nullptr : some_right.data(), source ? Source::fill : nullptr,
                                    source, &green));
    return Green(green);
}

void read(const Green& green, Results& results) {
    std::vector<double> mean(2 * 21 * 15), error(mean.size());
    require(legato_kpm_green_moments(green.get(), 0, 3, 0, 5, 21, mean.data(), error.data()));
    results.add(mean);
    results.add(error);
    const double energies[2] = {-0.5, 1.5};
    std::vector<double> value(2 * 2 * 15);
    require(legato_kpm_green_functions(green.get(), 0, 3, 0, 5, LEGATO_KPM_KERNEL_LORENTZ, 4, 2, energies, value.data(),
                                       nullptr));
    results.add(value);
}

}  // namespace

BOOST_AUTO_TEST_CASE(plane_waves_have_the_same_moments) {
    for (const int precision : {LEGATO_KPM_PRECISION_DOUBLE, LEGATO_KPM_PRECISION_SINGLE})
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       legato_kpm_params params = params_of(1, 3);
                       params.precision = precision;
                       const Kpm kpm = waves(context, params, lattice_of(context));
                       finish(kpm, results);
                       std::vector<double> mean(3 * 21), error(mean.size());
                       require(legato_kpm_local_moments(kpm.get(), 0, 3, 21, mean.data(), error.data()));
                       results.add(mean);
                       results.add(error);
                   }) == "");
}

BOOST_AUTO_TEST_CASE(plane_waves_in_slabs_have_the_same_moments) {
    BOOST_TEST(differences([](legato_context* context, int, Results& results) {
                   finish(waves(context, in_slabs(1, 2), lattice_of(context)), results);
               }) == "");
}

BOOST_AUTO_TEST_CASE(different_waves_are_refused) {
    run_on({2, 1, 1}, [](legato_context* context, int rank, Results&) {
        const double k[3] = {0.1 * rank, 0, 0};
        const Hamiltonian hamiltonian = lattice_of(context);
        const legato_kpm_params params = params_of();
        legato_kpm* kpm = nullptr;
        BOOST_TEST(legato_kpm_create_waves(context, &params, hamiltonian.get(), 1, k, 0, nullptr, &kpm) ==
                   LEGATO_STATUS_INVALID_ARGUMENT);
        BOOST_TEST(std::string(legato_context_message(context)).find("kpm.k") != std::string::npos);
    });
}

BOOST_AUTO_TEST_CASE(greens_functions_are_the_same) {
    for (const auto& [left_is_given, right_is_given] :
         {std::pair{false, false}, std::pair{true, false}, std::pair{false, true}, std::pair{true, true}})
        for (const bool vacancies : {false, true})
            BOOST_TEST(differences([&, left = left_is_given, right = right_is_given](legato_context* context, int,
                                                                                     Results& results) {
                           Source source;
                           const Hamiltonian h = vacancies ? with_vacancies(context) : lattice_of(context);
                           const Green green = green_of(context, h, left || right ? &source : nullptr, left, right);
                           require(legato_kpm_green_run(green.get(), nullptr, nullptr));
                           read(green, results);
                           results.add(source.in_another_thread);
                       }) == "");
}

BOOST_AUTO_TEST_CASE(saved_greens_functions_are_resumed_by_any_division) {
    const std::string path = "ranks_kpm_green.h5";
    for (const ranks::Division& division : divisions) {
        run_on(division, [&](legato_context* context, int, Results&) {
            const Green green = green_of(context, lattice_of(context), nullptr, false, false);
            require(legato_kpm_green_advance(green.get(), 1, nullptr));
            require(legato_kpm_green_save(green.get(), path.c_str()));
        });
        BOOST_TEST(
            differences([&](legato_context* context, int, Results& results) {
                legato_kpm_green* resumed = nullptr;
                const Hamiltonian hamiltonian = lattice_of(context);
                require(legato_kpm_green_resume(context, path.c_str(), hamiltonian.get(), nullptr, nullptr, &resumed));
                const Green green(resumed);
                require(legato_kpm_green_run(green.get(), nullptr, nullptr));
                read(green, results);
            }) == "");
    }
    std::remove(path.c_str());
}

// A rank whose source stops takes all ranks with it.
BOOST_AUTO_TEST_CASE(a_source_stops_all_ranks) {
    run_on({2, 1, 1}, [](legato_context* context, int rank, Results&) {
        Source source;
        if (rank == 1) source.stops_at = 1;
        const Green green = green_of(context, lattice_of(context), &source, false, true);
        BOOST_TEST(legato_kpm_green_run(green.get(), nullptr, nullptr) == LEGATO_STATUS_CANCELLED);
        source.stops_at = -1;
        BOOST_TEST(legato_kpm_green_run(green.get(), nullptr, nullptr) == LEGATO_STATUS_SUCCESS);
    });
}

BOOST_AUTO_TEST_CASE(different_sides_are_refused) {
    run_on({2, 1, 1}, [](legato_context* context, int rank, Results&) {
        const std::int64_t left = rank, right = 0;
        const Hamiltonian hamiltonian = lattice_of(context);
        const legato_kpm_params params = params_of();
        legato_kpm_green* green = nullptr;
        BOOST_TEST(legato_kpm_green_create(context, &params, hamiltonian.get(), 1, &left, 1, &right, nullptr, nullptr,
                                           &green) == LEGATO_STATUS_INVALID_ARGUMENT);
        BOOST_TEST(std::string(legato_context_message(context)).find("kpm.green.left") != std::string::npos);
    });
}
