// Macros for functions that may fail, between the library and the system. With `-Wl,--wrap=name` the linker takes
// __wrap_name if an object calls `name`, and offers `name` itself as __real_name. CMakeLists.txt reads the names from
// the files that use these macros.
#pragma once

#include <cerrno>

#include "injection.hpp"

// Wraps result name(parameters), which returns `failed` if it is to fail.
#define LEGATO_FAILS(name, failed, result, parameters, arguments) \
    extern "C" result __real_##name parameters;                   \
    extern "C" result __wrap_##name parameters {                  \
        if (legato::tests::fails(kind, #name)) return failed;     \
        return __real_##name arguments;                           \
    }

// The same for a function that releases something. It is called even if it reports a failure.
#define LEGATO_FAILS_AFTER(name, failed, result, parameters, arguments) \
    extern "C" result __real_##name parameters;                         \
    extern "C" result __wrap_##name parameters {                        \
        const bool fails = legato::tests::fails(kind, #name);           \
        const result done = __real_##name arguments;                    \
        return fails ? failed : done;                                   \
    }

namespace legato::tests {

inline int failed_with(int error) {
    errno = error;
    return -1;
}

}  // namespace legato::tests
