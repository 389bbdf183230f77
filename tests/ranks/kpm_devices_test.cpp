// Lattices that devices share in slabs: the results have the bits of one device with whole vectors. Several parts take
// turns with the devices, so that one device is enough.
#define BOOST_TEST_MODULE ranks_kpm_devices
#define BOOST_TEST_NO_MAIN
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <filesystem>

#include "kpm_runs.hpp"

using namespace legato;
using namespace ranks;

namespace {

// Fewer layers of chunks than parts and more, layers that have fewer planes at the end, and long segments of several
// layers. A chain is one segment.
const std::vector<Shape> shapes{
    {{40, 19, 100}},
    {{40, 19, 100}, {0, 1, 0}, LEGATO_KPM_ON_SITE_NORMAL},
    {{7, 5, 131}, {1, 1, 1}, LEGATO_KPM_ON_SITE_CONSTANT},
    {{17, 16, 33}, {1, 0, 1}, LEGATO_KPM_ON_SITE_ENERGIES},
    {{9, 8, 16}, {1, 1, 0}},
    {{300, 1, 260}},
    {{300, 263, 1}, {1, 0, 1}, LEGATO_KPM_ON_SITE_ENERGIES},
    {{1, 3, 4001}},
    {{5001, 1, 1}, {0, 1, 1}},
};

}  // namespace

BOOST_AUTO_TEST_CASE(lattices_of_all_shapes_have_the_same_moments) {
    for (const Shape& shape : shapes)
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       finish(random_vectors(context, in_slabs(5, 2), made(context, shape)), results);
                   }) == "",
                   shape.extents[0] << " x " << shape.extents[1] << " x " << shape.extents[2]);
}

// Blocks of several panels, and of panels of different widths.
BOOST_AUTO_TEST_CASE(all_kinds_of_vectors_have_the_same_moments) {
    for (const int precision : {LEGATO_KPM_PRECISION_DOUBLE, LEGATO_KPM_PRECISION_SINGLE})
        for (const int width : {1, 7, 19})
            for (const int kind : {LEGATO_KPM_START_VECTORS_SIGN, LEGATO_KPM_START_VECTORS_GAUSSIAN})
                BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                               legato_kpm_params params = in_slabs(19, 2);
                               params.moments = 2 + width;
                               params.precision = precision;
                               params.block_width = width;
                               params.start_vectors = kind;
                               finish(random_vectors(context, params, made(context, {{20, 18, 70}})), results);
                           }) == "");
}

// More steps than a call of the engine has, and more than are collected before their sums are added up.
BOOST_AUTO_TEST_CASE(many_moments_are_the_same) {
    for (const Shape& shape : {Shape{{20, 18, 70}}, Shape{{96, 96, 96}, {1, 1, 0}}})
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       legato_kpm_params params = in_slabs(20);
                       params.moments = 401;
                       params.block_width = 20;
                       finish(random_vectors(context, params, made(context, shape)), results);
                   }) == "");
}

BOOST_AUTO_TEST_CASE(local_moments_are_the_same) {
    BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                   const Shape shape{{6, 5, 90}, {1, 1, 0}};
                   finish(local_moments(context, in_slabs(1, 2), made(context, shape), {0, 2699, 29, 1349, 1350, 134}),
                          results);
               }) == "");
}

BOOST_AUTO_TEST_CASE(given_vectors_have_the_same_moments) {
    for (const int precision : {LEGATO_KPM_PRECISION_DOUBLE, LEGATO_KPM_PRECISION_SINGLE})
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       Source source;
                       legato_kpm_params params = in_slabs(7, 2);
                       params.precision = precision;
                       params.block_width = 7;
                       finish(given_vectors(context, params, made(context, {{6, 5, 90}}), source), results);
                   }) == "");
}

BOOST_AUTO_TEST_CASE(lanczos_bounds_are_the_same) {
    BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                   legato_kpm_params params = in_slabs(2, 3);
                   params.bounds = LEGATO_KPM_BOUNDS_LANCZOS;
                   finish(random_vectors(context, params, made(context, {{40, 19, 100}})), results);
               }) == "");
}

BOOST_AUTO_TEST_CASE(files_resume_on_any_number_of_parts) {
    const std::string path = "ranks_kpm_devices_test.h5";
    const auto create = [](legato_context* context) {
        return random_vectors(context, in_slabs(7, 2), made(context, {{6, 5, 90}}));
    };
    const Results whole =
        run_on({}, [&](legato_context* context, int, Results& results) { finish(create(context), results); })[0]
            .results;
    for (const ranks::Division& saving : {ranks::Division{1, 3, 1}, {1, 1, 1}, {2, 2, 1}}) {
        run_on(saving, [&](legato_context* context, int, Results&) {
            const Kpm kpm = create(context);
            require(legato_kpm_advance(kpm.get(), 2, nullptr));
            require(legato_kpm_save(kpm.get(), path.c_str()));
        });
        for (const Outcome& outcome : run_on({2, 1, 1}, [&](legato_context*context, int, Results&results) {
                 legato_kpm* kpm = nullptr;
                 require(legato_kpm_resume(context, path.c_str(), made(context, {{6, 5, 90}}).get(), nullptr, nullptr,
                                           &kpm));
                 finish(Kpm(kpm), results);
             })) {
            BOOST_TEST(outcome.message == "");
            BOOST_TEST((outcome.results == whole));
        }
    }
    std::filesystem::remove(path);
}

// A vector of 30 x 30 x 64 sites has 460800 bytes, and the energies as many. The sums have 2 MB, and in slabs 1 MB.
BOOST_AUTO_TEST_CASE(auto_divides_the_lattice_if_a_vector_does_not_fit) {
    const Shape large{{30, 30, 64}};
    legato_kpm_params params = in_slabs(2);
    params.block_width = 0;
    params.memory_budget = 2'500'000;
    params.division = LEGATO_KPM_DIVISION_VECTORS;
    const auto outcome_on = [&](const ranks::Division& division) {
        return run_on(division, [&](legato_context* context, int, Results& results) {
            finish(random_vectors(context, params, made(context, large)), results);
        })[0];
    };
    const Outcome refused = outcome_on({1, 2, 1});
    BOOST_TEST(refused.status == LEGATO_STATUS_OUT_OF_MEMORY);
    BOOST_TEST(refused.message.find("or kpm.params.division 2 (lattice) with ") != std::string::npos, refused.message);
    BOOST_TEST(refused.message.ends_with(" devices"), refused.message);
    params.division = LEGATO_KPM_DIVISION_AUTO;
    const Outcome divided = outcome_on({1, 3, 1});
    BOOST_TEST(divided.message == "");
    params.memory_budget = 0;
    BOOST_TEST((outcome_on({}).results == divided.results));
}

int main(int argc, char** argv) {
    std::string why;
    if (device_count(&why) == 0) {
        std::printf("skipped: %s\n", why.c_str());
        return 77;
    }
    ranks::backend = LEGATO_BACKEND_CUDA;
    return boost::unit_test::unit_test_main([] { return true; }, argc, argv);
}
