// Tests how wide points are spread over devices of several kinds. It needs no device.
#define BOOST_TEST_MODULE tmm_plan
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>

#include "tmm/plan.hpp"

using namespace legato;
using namespace legato::tmm;

namespace {

Problem strip(int width) {
    Problem p;
    p.width = width;
    return p;
}

bool fits(const Plan& plan, const DeviceLimits& limits) {
    return std::isfinite(plan.microseconds_per_cycle) && plan.shared_bytes <= limits.shared_memory;
}

const DeviceLimits hopper{232448 - 4096, {132, 66, 30, 15}};
const DeviceLimits ampere{166912 - 4096, {108, 0, 0, 0}};       // A100
const DeviceLimits small_ampere{101376 - 4096, {84, 0, 0, 0}};  // compute capability 8.6
const DeviceLimits one_block{232448 - 4096, {1, 0, 0, 0}};

}  // namespace

BOOST_AUTO_TEST_CASE(every_width_fits_a_large_device) {
    for (const int width : {1, 2, 31, 33, 64, 100, 150, 257, 1000, 1024, 4096})
        for (const std::size_t points : {1, 64}) {
            BOOST_TEST(fits(make_plan(strip(width), points, hopper), hopper), "9.0, M = " << width);
            BOOST_TEST(fits(make_plan(strip(width), points, ampere), ampere), "8.0, M = " << width);
        }
}

BOOST_AUTO_TEST_CASE(stages_follow_the_shared_memory) {
    BOOST_TEST(make_plan(strip(1024), 1, hopper).grid.stages == 3);
    BOOST_TEST(make_plan(strip(1024), 1, ampere).grid.stages == 2);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_told) {
    BOOST_TEST(fits(make_plan(strip(40), 1, small_ampere), small_ampere));
    BOOST_TEST(!fits(make_plan(strip(1024), 1, small_ampere), small_ampere));
    // The grid kernel gives one block to the factorisations.
    BOOST_TEST(fits(make_plan(strip(40), 1, one_block), one_block));
    BOOST_TEST(!fits(make_plan(strip(1024), 1, one_block), one_block));
    // The grid kernel gives every site a thread.
    const DeviceLimits few{232448 - 4096, {8, 0, 0, 0}};
    BOOST_TEST(fits(make_plan(strip(2048), 1, few), few));
    BOOST_TEST(!fits(make_plan(strip(4096), 1, few), few));
}

BOOST_AUTO_TEST_CASE(many_points_share_the_device) {
    BOOST_TEST((make_plan(strip(100), 64, hopper).kernel == WideKernel::cluster));
    BOOST_TEST((make_plan(strip(1024), 1, hopper).kernel == WideKernel::grid));
}

// Groups of thread blocks fit on the device, and there are not more groups than points.
BOOST_AUTO_TEST_CASE(groups_of_blocks) {
    for (const int width : {256, 400, 576, 1024, 2048, 4096})
        for (const std::size_t points : {1, 2, 3, 16, 64, 1000}) {
            const Plan plan = make_plan(strip(width), points, hopper);
            const GridLayout& grid = plan.grid;
            BOOST_TEST((plan.kernel == WideKernel::grid), "M = " << width);
            BOOST_TEST(grid.groups >= 1);
            BOOST_TEST(static_cast<std::size_t>(grid.groups) <= points);
            BOOST_TEST(grid.groups * grid.blocks <= hopper.clusters[0]);
            BOOST_TEST(grid.blocks >= 2);
            BOOST_TEST(grid.blocks * grid_sites >= width);
            BOOST_TEST(plan.points_at_once == grid.groups);
        }
    BOOST_TEST(make_plan(strip(256), 1, hopper).grid.groups == 1);
    BOOST_TEST(make_plan(strip(256), 64, hopper).grid.groups == 64);
    BOOST_TEST(make_plan(strip(576), 64, hopper).grid.groups == 32);
    BOOST_TEST(make_plan(strip(1024), 16, hopper).grid.groups == 16);
}

BOOST_AUTO_TEST_CASE(devices_share_wide_points) {
    const auto shared_by = [](int devices, int width, std::size_t points) {
        ContextOptions options;
        options.devices.resize(static_cast<std::size_t>(devices));
        std::iota(options.devices.begin(), options.devices.end(), 0);
        return devices_of_point(Context(options), Backend::cuda, strip(width), points);
    };
    BOOST_TEST(shared_by(2, 1599, 1) == 1U);
    BOOST_TEST(shared_by(2, 1600, 1) == 2U);
    BOOST_TEST(shared_by(3, 1600, 1) == 2U);
    BOOST_TEST(shared_by(8, 4096, 1) == 5U);
    BOOST_TEST(shared_by(4, 4096, 2) == 2U);
    BOOST_TEST(shared_by(4, 4096, 3) == 1U);
    BOOST_TEST(shared_by(1, 4096, 1) == 1U);
    BOOST_TEST(devices_of_point(Context({}), Backend::cpu, strip(4096), 1) == 1U);
}
