/* unload LIBRARY: goes through the life of a plug-in. The library is loaded, computes with two threads, saves, and
 * is unloaded, three times. Afterwards nothing of it is mapped. */
#include <dlfcn.h>
#include <legato/legato.h>
#include <stdio.h>
#include <string.h>

static int mapped(const char* name) {
    char line[4096];
    int found = 0;
    FILE* const maps = fopen("/proc/self/maps", "r");
    if (!maps) return -1;
    while (fgets(line, sizeof line, maps)) found += strstr(line, name) != NULL;
    fclose(maps);
    return found;
}

/* ISO C has no conversion from void* to a pointer to a function. */
#define LOAD(type, name)                                          \
    type name##_ = NULL;                                          \
    do {                                                          \
        void* const symbol = dlsym(library, #name);               \
        if (!symbol) return fprintf(stderr, "no " #name "\n"), 1; \
        memcpy(&name##_, &symbol, sizeof symbol);                 \
    } while (0)

typedef int32_t (*create_context)(const legato_context_params*, legato_context**);
typedef int32_t (*destroy_context)(legato_context*);
typedef int32_t (*init_context)(legato_context_params*, size_t);
typedef const char* (*message_of)(const legato_context*);
typedef int32_t (*create_tmm)(legato_context*, const legato_tmm_params*, int64_t, const double*, const double*,
                              legato_tmm**);
typedef int32_t (*advance_tmm)(legato_tmm*, int64_t, int64_t*);
typedef int32_t (*save_tmm)(legato_tmm*, const char*);
typedef int32_t (*destroy_tmm)(legato_tmm*);

static int work_with(void* library) {
    const double energy[2] = {0, 1}, disorder[2] = {2, 2};
    legato_context* context = NULL;
    legato_context_params params;
    legato_tmm* tmm = NULL;
    LOAD(init_context, legato_context_params_init_sized);
    LOAD(create_context, legato_context_create);
    LOAD(destroy_context, legato_context_destroy);
    LOAD(message_of, legato_context_message);
    LOAD(create_tmm, legato_tmm_create);
    LOAD(advance_tmm, legato_tmm_advance);
    LOAD(save_tmm, legato_tmm_save);
    LOAD(destroy_tmm, legato_tmm_destroy);
    legato_context_params_init_sized_(&params, sizeof params);
    params.backend = LEGATO_BACKEND_CPU;
    params.threads = 2;
    if (legato_context_create_(&params, &context) || legato_tmm_create_(context, NULL, 2, energy, disorder, &tmm) ||
        legato_tmm_advance_(tmm, 10, NULL) || legato_tmm_save_(tmm, "abi_unload.h5"))
        return fprintf(stderr, "%s\n", legato_context_message_(context)), 1;
    remove("abi_unload.h5");
    legato_tmm_destroy_(tmm);
    legato_context_destroy_(context);
    return 0;
}

int main(int argc, char** argv) {
    if (argc != 2) return fprintf(stderr, "usage: unload LIBRARY\n"), 2;
    for (int round = 0; round < 3; ++round) {
        void* const library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
        if (mapped("liblegato.so") <= 0) return fprintf(stderr, "it is not mapped while it is loaded\n"), 1;
        if (work_with(library)) return 1;
        if (dlclose(library) != 0) return fprintf(stderr, "%s\n", dlerror()), 1;
        if (mapped("liblegato.so") != 0) return fprintf(stderr, "round %d: it is still mapped\n", round), 1;
    }
    printf("loaded and unloaded three times\n");
    return 0;
}
