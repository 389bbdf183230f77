// The main program of a test that needs a device. Without one it exits with 77, so that the test counts as skipped.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <string>

#include "core/device.hpp"

inline int device_main(int argc, char** argv) {
    std::string why;
    if (legato::device_count(&why) == 0) {
        std::printf("skipped: %s\n", why.c_str());
        return 77;
    }
    return boost::unit_test::unit_test_main([] { return true; }, argc, argv);
}
