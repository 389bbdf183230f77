// Arguments and results that the methods have in common.
#pragma once

#include <string_view>

#include "core/progress.hpp"
#include "core/validate.hpp"
#include "guard.hpp"
#include "statistics/estimate.hpp"

namespace legato::capi {

inline ProgressCallback progress_from_c(legato_progress_callback callback, void* user) {
    if (!callback) return {};
    return [callback, user](const Progress& p) {
        legato_progress c{};
        c.struct_size = sizeof(c);
        c.points_done = p.points_done;
        c.points_total = p.points_total;
        c.cycles_done = p.cycles_done;
        c.seconds = p.seconds;
        c.cycles_per_second = p.cycles_per_second;
        const Callback turn;
        return callback(user, &c) == 0;
    };
}

// Returns the path. Throws if it is null or empty.
inline const char* require_path(const char* field, const char* path) {
    if (require_pointer(field, path) == '\0') fail(Status::invalid_argument, field, ": the path is empty");
    return path;
}

inline bool flag_from_c(std::string_view field, int32_t flag) {
    require_integer(field, flag, 0, 1);
    return flag != 0;
}

inline void copy_out(const statistics::Estimate& estimate, double& mean, double& error) {
    mean = estimate.mean;
    error = estimate.error;
}

// Checks the time after which a call returns: 0 to 3.2e7 s, about a year.
inline void require_seconds(std::string_view field, double seconds) {
    require_real(field, seconds, 0, 3.2e7);
}

template <class Solver, class... Part>
void require_bin(std::string_view function, const Solver& solver, Part... of) {
    if (solver.bins_done(of...) == 0) fail(Status::invalid_argument, function, ": no bin is finished yet");
}

}  // namespace legato::capi
