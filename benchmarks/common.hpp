// What the benchmarks share.
#pragma once

#include <legato/legato.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace benchmarks {

inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline void require(legato_context* context, int32_t status) {
    if (status == LEGATO_SUCCESS) return;
    std::fprintf(stderr, "legato-bench: %s\n", legato_context_message(context));
    std::exit(1);
}

inline legato_context* make_context(int32_t backend, int32_t threads) {
    legato_context_params p;
    legato_context_params_init(&p);
    p.backend = backend;
    p.threads = threads;
    legato_context* context = nullptr;
    require(context, legato_context_create(&p, &context));
    return context;
}

inline bool has_device() {
    legato_context* context = make_context(LEGATO_BACKEND_CPU, 1);
    int32_t count = 0;
    legato_context_device_count(context, &count);
    legato_context_destroy(context);
    return count > 0;
}

inline std::string processor_name() {
    char line[256], name[200] = "unknown";
    if (std::FILE* file = std::fopen("/proc/cpuinfo", "r")) {
        while (std::fgets(line, sizeof line, file))
            if (std::sscanf(line, "model name : %199[^\n]", name) == 1) break;
        std::fclose(file);
    }
    return name;
}

inline std::string device_name() {
    legato_context* context = make_context(LEGATO_BACKEND_CPU, 1);
    legato_device_info info{};
    info.struct_size = sizeof info;
    const bool found = legato_context_device_info(context, 0, &info) == LEGATO_SUCCESS;
    legato_context_destroy(context);
    return found ? info.name : "none";
}

}  // namespace benchmarks
