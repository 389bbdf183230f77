// What the transfer-matrix tests share.
#pragma once

#include <vector>

#include "tmm/solver.hpp"

namespace legato::tmm::tests {

inline Context make_context(Backend backend, int threads = 1) {
    ContextOptions options;
    options.backend = backend;
    options.threads = threads;
    options.log_level = LogLevel::silent;
    return Context(options);
}

// TMSEXD's settings: its stream, ten multiplications a cycle.
inline Problem legacy_problem(int dimension, int width, Boundary boundary) {
    Problem p;
    p.dimension = dimension;
    p.width = width;
    p.boundary = boundary;
    p.random_stream = RandomStream::lfsr113;
    return p;
}

}  // namespace legato::tmm::tests
