// A context of one thread on the CPU that logs nothing.
#pragma once

#include "core/context.hpp"

namespace legato::dfr::tests {

inline Context& context() {
    static Context one([] {
        ContextOptions options;
        options.backend = Backend::cpu;
        options.threads = 1;
        options.log_level = LogLevel::silent;
        return options;
    }());
    return one;
}

}  // namespace legato::dfr::tests
