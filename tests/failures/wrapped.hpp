// Functions that may fail, between the library and the system: with `-Wl,--wrap=name` the linker takes __wrap_name
// where an object calls `name`, and gives `name` itself as __real_name. CMakeLists.txt reads the names from the files
// that use these macros.
#pragma once

#include <cerrno>

#include "injection.hpp"

// result name(parameters): `failed` in place of the call.
#define LEGATO_FAILS(name, failed, result, parameters, arguments) \
    extern "C" result __real_##name parameters;                   \
    extern "C" result __wrap_##name parameters {                  \
        if (legato::tests::fails(kind, #name)) return failed;     \
        return __real_##name arguments;                           \
    }

// The same for what gives something back, which is done though it fails.
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
