/* Tests handles that have been destroyed, have another type or belong to another method, or never existed. Every
 * call with them returns a status. */
#include "checking.h"

#include <stdlib.h>

static const double beta = 0.4, energy = 0.5, disorder = 2;
static const int64_t seed = 1;

static legato_ising* an_ising(legato_context* of) {
    legato_ising_params params;
    legato_ising* made = NULL;
    legato_ising_params_init(&params);
    params.extents[0] = params.extents[1] = 16;
    params.thermalisation = 1;
    params.bins = 3;
    CHECK_SUCCESS(legato_ising_create(of, &params, 1, &beta, 1, &seed, &made));
    return made;
}

static legato_tmm* a_tmm(legato_context* of) {
    legato_tmm_params params;
    legato_tmm* made = NULL;
    legato_tmm_params_init(&params);
    CHECK_SUCCESS(legato_tmm_create(of, &params, 1, &energy, &disorder, &made));
    return made;
}

#define NONE(call) CHECK((call) == LEGATO_STATUS_INVALID_ARGUMENT)

static void none_of_ising(legato_ising* ising) {
    legato_ising_averages averages;
    averages.struct_size = sizeof averages;
    NONE(legato_ising_run(ising, NULL, NULL));
    NONE(legato_ising_result(ising, 0, &averages));
    NONE(legato_ising_save(ising, "never"));
}

static void destroyed(void) {
    legato_ising* const ising = an_ising(context);
    CHECK_SUCCESS(legato_ising_destroy(ising));
    none_of_ising(ising);
    NONE(legato_ising_destroy(ising));
    legato_ising* const another = an_ising(context); /* perhaps at the same address */
    CHECK(another != ising);
    none_of_ising(ising);
    CHECK_SUCCESS(legato_ising_run(another, NULL, NULL));
    CHECK_SUCCESS(legato_ising_destroy(another));
    CHECK_SUCCESS(legato_ising_destroy(NULL));
}

/* An object keeps what it needs of its context. */
static void context_before_its_objects(void) {
    legato_context* const own = cpu_context(1);
    legato_ising* const ising = an_ising(own);
    legato_ising_params params;
    legato_ising* made = (legato_ising*)&params;
    CHECK_SUCCESS(legato_context_destroy(own));
    NONE(legato_context_destroy(own));
    CHECK(strcmp(legato_context_message(own), "") == 0); /* this message is also that of its objects */
    legato_ising_params_init(&params);
    NONE(legato_ising_create(own, &params, 1, &beta, 1, &seed, &made));
    CHECK(made == NULL);
    CHECK_SUCCESS(legato_ising_run(ising, NULL, NULL));
    CHECK(legato_ising_save(ising, "") == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(strcmp(legato_context_message(own), "ising.save.path: the path is empty") == 0);
    CHECK_SUCCESS(legato_ising_destroy(ising));
    CHECK(strcmp(legato_context_message(own), "the context has been destroyed, or the pointer is not a context") == 0);
}

static void of_another_type(void) {
    legato_tmm* const tmm = a_tmm(context);
    legato_kpm_params params;
    legato_kpm* kpm = NULL;
    none_of_ising((legato_ising*)tmm);
    NONE(legato_ising_destroy((legato_ising*)tmm));
    NONE(legato_context_destroy((legato_context*)tmm));
    NONE(legato_tmm_run((legato_tmm*)context, NULL, NULL));
    legato_kpm_params_init(&params);
    INVALID(legato_kpm_create(context, &params, (legato_kpm_hamiltonian*)tmm, &kpm),
            "kpm.hamiltonian: the handle has been destroyed, or is of another type");
    CHECK_SUCCESS(legato_tmm_run(tmm, NULL, NULL));
    CHECK_SUCCESS(legato_tmm_destroy(tmm));
}

static void no_handles(void) {
    char memory[4096];
    uint64_t bits = 0x9e3779b97f4a7c15u;
    memset(memory, 0x5d, sizeof memory);
    none_of_ising((legato_ising*)memory);
    none_of_ising((legato_ising*)(memory + 1));
    for (int i = 0; i < 100000; ++i) {
        legato_ising* random;
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        const uint64_t word = i % 2 ? bits : (bits & ~(uint64_t)0xff) | 0x5d;
        memcpy(&random, &word, sizeof random);
        if (legato_ising_destroy(random) == LEGATO_STATUS_SUCCESS) CHECK(random == NULL);
    }
    count(__LINE__, 1, "");
}

static legato_ising* running;

static int destroy_what_runs(void* user, const legato_progress* progress) {
    (void)progress;
    CHECK(legato_ising_destroy(running) == (*(int*)user ? LEGATO_STATUS_INVALID_ARGUMENT : LEGATO_STATUS_SUCCESS));
    *(int*)user = 1;
    none_of_ising(running);
    return 0;
}

/* The run continues to its end, and the object is destroyed with it. */
static void destroyed_within_its_own_run(void) {
    int done = 0;
    running = an_ising(context);
    CHECK_SUCCESS(legato_ising_run(running, destroy_what_runs, &done));
    CHECK(done);
    none_of_ising(running);
    NONE(legato_ising_destroy(running));
}

static void very_many(void) {
    enum { many = 3000 };
    legato_context** const all = (legato_context**)malloc(many * sizeof *all);
    for (int i = 0; i < many; ++i) all[i] = cpu_context(1);
    for (int i = 0; i < many; i += 2) CHECK_SUCCESS(legato_context_destroy(all[i]));
    for (int i = 0; i < many; ++i) {
        int32_t devices;
        CHECK(legato_context_device_count(all[i], &devices) ==
              (i % 2 ? LEGATO_STATUS_SUCCESS : LEGATO_STATUS_INVALID_ARGUMENT));
    }
    for (int i = 1; i < many; i += 2) CHECK_SUCCESS(legato_context_destroy(all[i]));
    free(all);
}

int main(void) {
    context = cpu_context(1);
    destroyed();
    context_before_its_objects();
    of_another_type();
    no_handles();
    destroyed_within_its_own_run();
    very_many();
    CHECK_SUCCESS(legato_context_destroy(context));
    NONE(legato_context_destroy(context));
    return verdict("handles_client");
}
