// state_levels save FOLDER: saves a run of each kind to FOLDER/<kind>. state_levels resume FOLDER: resumes them.
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "../fuzz/state_kinds.hpp"

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    for (const legato::fuzz::StateKind& kind : legato::fuzz::state_kinds()) {
        const std::filesystem::path path = std::filesystem::path(argv[2]) / kind.method;
        if (std::strcmp(argv[1], "save") == 0) {
            kind.save(1, path.c_str());
        } else if (kind.resume(path.c_str()) != 0) {
            std::fprintf(stderr, "%s: %s\n", kind.method, legato::fuzz::last_message());
            return 1;
        }
    }
    return 0;
}
