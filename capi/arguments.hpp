// Arguments that the methods have in common.
#pragma once

#include "core/progress.hpp"
#include "guard.hpp"

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
        return callback(user, &c) == 0;
    };
}

// A path that is there and says something.
inline const char* require_path(const char* field, const char* path) {
    if (require_pointer(field, path) == '\0') fail(Status::invalid_argument, field, ": the path is empty");
    return path;
}

}  // namespace legato::capi
