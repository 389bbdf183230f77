/* HDF5 is loaded by the first call that saves, and by no earlier one. Arguments:
       save     saves to hdf5_client.h5
       resume   resumes from it, for which HDF5 is not loaded
       missing  HDF5 cannot be loaded: calls that save are refused, and all others work */
#include "checking.h"

static int hdf5_is_open(void) {
    char line[4096];
    int found = 0;
    FILE* const maps = fopen("/proc/self/maps", "r");
    CHECK(maps != NULL);
    while (maps && fgets(line, sizeof line, maps)) found |= strstr(line, "libhdf5") != NULL;
    if (maps) fclose(maps);
    return found;
}

static legato_ising* started(void) {
    const double beta = 0.3;
    const int64_t seed = 7;
    legato_ising_params params;
    legato_ising* made = NULL;
    legato_ising_params_init(&params);
    params.bins = 4;
    CHECK_SUCCESS(legato_ising_create(context, &params, 1, &beta, 1, &seed, &made));
    return made;
}

static void resume(const char* file) {
    legato_ising* resumed = NULL;
    CHECK_SUCCESS(legato_ising_resume(context, file, &resumed));
    CHECK_SUCCESS(legato_ising_run(resumed, NULL, NULL));
    CHECK_SUCCESS(legato_ising_destroy(resumed));
    CHECK(!hdf5_is_open());
    CHECK_SUCCESS(legato_context_destroy(context));
    context = NULL;
}

int main(int argc, char** argv) {
    const int missing = argc > 1 && strcmp(argv[1], "missing") == 0;
    const char* const file = missing ? "hdf5_missing_client.h5" : "hdf5_client.h5";
    const char* const refusal = "saving needs HDF5, and libhdf5";
    legato_ising* ising;
    int64_t done = 0;
    int attempt;
    CHECK(legato_version_number() > 0);
    context = cpu_context(1);
    if (argc > 1 && strcmp(argv[1], "resume") == 0) {
        resume(file);
        return verdict("hdf5_client resume");
    }
    ising = started();
    CHECK_SUCCESS(legato_ising_advance(ising, 2, &done));
    CHECK(done == 2 && !hdf5_is_open());
    remove(file);
    for (attempt = 0; attempt < 2; ++attempt) {
        if (!missing) {
            CHECK_SUCCESS(legato_ising_save(ising, file));
            CHECK(hdf5_is_open());
        } else {
            FILE* left;
            REFUSED(legato_ising_save(ising, file), LEGATO_STATUS_IO_ERROR, refusal);
            CHECK(strstr(legato_context_message(context), "; install the HDF5") != NULL);
            left = fopen(file, "rb");
            CHECK(left == NULL);
            if (left) fclose(left);
        }
    }
    CHECK_SUCCESS(legato_ising_run(ising, NULL, NULL));
    CHECK_SUCCESS(legato_ising_destroy(ising));
    CHECK_SUCCESS(legato_context_destroy(context));
    context = NULL;
    return verdict("hdf5_client");
}
