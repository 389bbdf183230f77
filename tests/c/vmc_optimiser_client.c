/* Tests the optimisation of projected states as a program uses it, in C99 and in C++: steps, saving and resuming, a
 * known optimum, and every argument that must be refused. */
#include "vmc_runs.h"

static const char file[] = "vmc_optimiser_client.h5";

typedef struct watcher {
    legato_vmc_optimiser* optimiser;
    int calls, stop_at;
    legato_progress last;
} watcher;

static int watch(void* user, const legato_progress* progress) {
    watcher* const w = (watcher*)user;
    w->last = *progress;
    INVALID(legato_vmc_optimiser_run(w->optimiser, NULL, NULL), "vmc.optimiser.run: ");
    return ++w->calls == w->stop_at;
}

static legato_vmc_optimisation result_of(legato_vmc_optimiser* optimiser) {
    legato_vmc_optimisation out;
    memset(&out, 0, sizeof out);
    out.struct_size = sizeof out;
    CHECK_SUCCESS(legato_vmc_optimiser_result(optimiser, &out));
    return out;
}

static legato_vmc_optimiser_step step_of(legato_vmc_optimiser* optimiser, int64_t index) {
    legato_vmc_optimiser_step step;
    memset(&step, 0, sizeof step);
    step.struct_size = sizeof step;
    CHECK_SUCCESS(legato_vmc_optimiser_get_step(optimiser, index, &step));
    return step;
}

static void default_optimiser_params(void) {
    const legato_vmc_optimiser_params p = few_steps(40);
    CHECK(p.struct_size == sizeof p && p.free[0] == 1 && p.free[1] == 1 && p.free[2] == 0 && p.free[3] == 0);
    CHECK(p.steps == 40 && p.refinement == 4 && p.reserved == 0);
    CHECK(p.quiet_steps == 3 && p.time == 0.2 && p.largest_move == 0.2 && p.shift == 1e-3 && p.significance == 2);
}

/* Returns true if errors and curvatures of free parameters are unknown, as before convergence, and those of the
 * others are 0. */
static int without_errors(const legato_vmc_optimisation* o, const legato_vmc_optimiser_params* params) {
    int without = isnan(o->gain);
    for (int a = 0; a < 16; ++a) {
        const double numbers[3] = {o->covariance[a / 4][a % 4], o->curvature[a / 4][a % 4], o->errors[a / 4]};
        const int free = params->free[a / 4] && params->free[a % 4];
        for (int i = 0; i < 2; ++i) without = without && (free ? isnan(numbers[i]) : numbers[i] == 0);
        without = without && (params->free[a / 4] ? isnan(numbers[2]) : numbers[2] == 0);
    }
    return without;
}

static void optimisation(void) {
    legato_vmc_params run = tilted(3, 8), of_file = defaults();
    legato_vmc_optimiser_params params = few_steps(3), steps_of_file = few_steps(1);
    legato_vmc_optimiser *optimiser = NULL, *resumed = NULL;
    int64_t done = -1;
    watcher w;
    memset(&w, 0, sizeof w);
    run.mu = -0.1;
    params.significance = 0;
    CHECK_SUCCESS(legato_vmc_optimiser_create(context, &run, &params, &optimiser));
    legato_vmc_optimisation o = result_of(optimiser);
    CHECK(o.status == LEGATO_VMC_OPTIMISER_STATUS_WAITING && o.steps_done == 0 && o.parameters[0] == 1.5 &&
          o.reserved == 0);
    CHECK(without_errors(&o, &params));
    legato_vmc_optimiser_step step;
    step.struct_size = sizeof step;
    INVALID(legato_vmc_optimiser_get_step(optimiser, 0, &step), "vmc.optimiser.get_step: no step is finished yet");
    INVALID(legato_vmc_optimiser_advance(optimiser, 0, NULL), "vmc.optimiser.advance.steps: 0 is not in 1..");
    CHECK_SUCCESS(legato_vmc_optimiser_advance(optimiser, 1, &done));
    o = result_of(optimiser);
    CHECK(done == 1 && o.status == LEGATO_VMC_OPTIMISER_STATUS_RUNNING && o.steps_done == 1 && o.parameters[0] == 1.5);
    CHECK_SUCCESS(legato_vmc_optimiser_save(optimiser, file));
    w.optimiser = optimiser;
    w.stop_at = 2;
    REFUSED(legato_vmc_optimiser_run(optimiser, watch, &w), LEGATO_STATUS_CANCELLED,
            "vmc: stopped by the progress callback");
    CHECK(w.last.points_total == 3 && w.last.points_done == 1 && w.last.cycles_done > 0);
    CHECK_SUCCESS(legato_vmc_optimiser_run(optimiser, watch, &w));
    CHECK_SUCCESS(legato_vmc_optimiser_resume(context, file, &resumed));
    CHECK_SUCCESS(legato_vmc_optimiser_get_params(resumed, &of_file, &steps_of_file));
    CHECK(of_file.gradients_by[0] == 1 && of_file.gradients_by[1] == 1);
    CHECK(of_file.gradients_by[2] == 0 && of_file.gradients_by[3] == 0);
    CHECK(of_file.length == 3 && of_file.gradients == 1 && memcmp(&steps_of_file, &params, sizeof params) == 0);
    CHECK_SUCCESS(legato_vmc_optimiser_get_params(resumed, NULL, NULL));
    CHECK_SUCCESS(legato_vmc_optimiser_advance(resumed, INT64_MAX, &done));
    o = result_of(optimiser);
    const legato_vmc_optimisation other = result_of(resumed);
    CHECK(done == 3 && o.status == LEGATO_VMC_OPTIMISER_STATUS_NOT_CONVERGED && memcmp(&o, &other, sizeof o) == 0);
    CHECK(without_errors(&o, &params));
    for (int64_t i = 0; i < 3; ++i) {
        const legato_vmc_optimiser_step a = step_of(optimiser, i), b = step_of(resumed, i);
        CHECK(memcmp(&a, &b, sizeof a) == 0 && a.energy < -0.6 && a.energy > -0.7 && a.energy_error > 0);
        CHECK(a.gradient_error[LEGATO_VMC_PARAMETER_DELTA] > 0 && a.gradient_error[LEGATO_VMC_PARAMETER_T_PRIME] == 0);
        CHECK(i == 0 || a.parameters[LEGATO_VMC_PARAMETER_DELTA] !=
                            step_of(optimiser, i - 1).parameters[LEGATO_VMC_PARAMETER_DELTA]);
        CHECK(a.parameters[LEGATO_VMC_PARAMETER_T_PRIME] == 0 && a.gradient[LEGATO_VMC_PARAMETER_T_DOUBLE_PRIME] == 0);
        CHECK(a.stage == LEGATO_VMC_STAGE_DESCENT && a.reserved == 0);
        for (int p = 0; p < 4; ++p)
            for (int q = 0; q < 4; ++q) {
                const double largest = a.gradient_error[p] * a.gradient_error[q];
                CHECK(a.gradient_covariance[p][q] == a.gradient_covariance[q][p]);
                CHECK(fabs(a.gradient_covariance[p][q]) <= 1.5 * largest);
                CHECK(p != q || a.gradient_covariance[p][q] >= 0.5 * largest);
            }
    }
    CHECK(memcmp(step_of(optimiser, 2).parameters, o.parameters, sizeof o.parameters) == 0);
    INVALID(legato_vmc_optimiser_get_step(optimiser, 3, &step), "vmc.optimiser.index: 3 is not in 0..2");
    INVALID(legato_vmc_optimiser_get_step(optimiser, -1, &step), "vmc.optimiser.index: -1 is not in 0..2");
    INVALID(legato_vmc_optimiser_get_step(optimiser, 0, NULL), "vmc.optimiser.step: a null pointer");
    INVALID(legato_vmc_optimiser_result(optimiser, NULL), "vmc.optimisation: a null pointer");
    INVALID(legato_vmc_optimiser_save(optimiser, NULL), "vmc.optimiser.save.path: a null pointer");
    INVALID(legato_vmc_optimiser_save(optimiser, ""), "vmc.optimiser.save.path: the path is empty");
    CHECK_SUCCESS(legato_vmc_optimiser_destroy(resumed));
    INVALID(legato_vmc_optimiser_resume(context, NULL, &resumed), "vmc.optimiser.resume.path: a null pointer");
    CHECK(resumed == NULL);
    CHECK_SUCCESS(legato_vmc_optimiser_destroy(optimiser));
    legato_vmc* vmc = NULL;
    REFUSED(legato_vmc_resume(context, file, &vmc), LEGATO_STATUS_BAD_FILE, "state file ");
    remove(file);
    REFUSED(legato_vmc_optimiser_resume(context, file, &resumed), LEGATO_STATUS_IO_ERROR, "state file ");
}

/* Finds the gap of lowest energy of ten sites, which is 0.351 by enumeration. The run descends until the gradient is
 * not significant, surveys both sides, and refines until its last steps are quiet. */
static void convergence(void) {
    legato_vmc_params run = tilted(3, 8);
    legato_vmc_optimiser_params params = few_steps(40);
    legato_vmc_optimiser* optimiser = NULL;
    const int gap = LEGATO_VMC_PARAMETER_DELTA;
    int64_t done = 0;
    int stages[3] = {0, 0, 0};
    run.chains = 16;
    run.bins = 32;
    run.sweeps_per_bin = 40;
    run.delta = 0.6;
    run.mu = -0.2;
    params.free[LEGATO_VMC_PARAMETER_MU] = 0;
    params.refinement = 3;
    params.quiet_steps = 2;
    params.time = 0.5;
    CHECK_SUCCESS(legato_vmc_optimiser_create(context, &run, &params, &optimiser));
    legato_vmc_optimisation o = result_of(optimiser);
    while (o.status == LEGATO_VMC_OPTIMISER_STATUS_WAITING || o.status == LEGATO_VMC_OPTIMISER_STATUS_RUNNING) {
        CHECK(without_errors(&o, &params));
        CHECK_SUCCESS(legato_vmc_optimiser_advance(optimiser, 1, &done));
        o = result_of(optimiser);
        CHECK(o.steps_done == done);
    }
    CHECK(o.status == LEGATO_VMC_OPTIMISER_STATUS_CONVERGED && done >= 1 + 2 + params.quiet_steps && done <= 40);
    for (int64_t i = 0; i < done; ++i) {
        const legato_vmc_optimiser_step step = step_of(optimiser, i);
        ++stages[step.stage];
        if (step.stage == LEGATO_VMC_STAGE_SURVEY && step_of(optimiser, i - 1).stage == LEGATO_VMC_STAGE_DESCENT)
            CHECK(fabs(step_of(optimiser, i - 1).gradient[gap]) <= 2 * step_of(optimiser, i - 1).gradient_error[gap]);
        if (i < done - params.quiet_steps) continue;
        CHECK(step.stage == LEGATO_VMC_STAGE_REFINEMENT && step.energy_error > 0);
        CHECK(fabs(step.gradient[gap]) <= 2 * step.gradient_error[gap]);
        CHECK(fabs(step.parameters[gap] - o.parameters[gap]) < 0.1);
    }
    CHECK(step_of(optimiser, 0).stage == LEGATO_VMC_STAGE_DESCENT && step_of(optimiser, 0).parameters[gap] == 0.6);
    CHECK(stages[0] >= 1 && stages[1] >= 2 && stages[1] % 2 == 0 && stages[2] >= params.quiet_steps);
    CHECK(within(o.parameters[gap], o.errors[gap], 0.351, 0.04)); /* the bins of 40 sweeps are correlated */
    CHECK(fabs(o.covariance[gap][gap] - o.errors[gap] * o.errors[gap]) < 1e-15);
    CHECK(o.curvature[gap][gap] > 0 && o.gain >= 0 && o.gain < step_of(optimiser, done - 1).energy_error);
    CHECK(o.parameters[LEGATO_VMC_PARAMETER_MU] == -0.2 && o.parameters[LEGATO_VMC_PARAMETER_T_PRIME] == 0);
    for (int a = 0; a < 16; ++a)
        CHECK(a == 5 * gap || (o.covariance[a / 4][a % 4] == 0 && o.curvature[a / 4][a % 4] == 0 &&
                               (a / 4 == gap || o.errors[a / 4] == 0)));
    CHECK_SUCCESS(legato_vmc_optimiser_run(optimiser, NULL, NULL)); /* nothing is left to do */
    CHECK(result_of(optimiser).steps_done == done);
    CHECK_SUCCESS(legato_vmc_optimiser_destroy(optimiser));
}

static void refused_optimisers(void) {
#define AT(member) offsetof(legato_vmc_optimiser_params, member)
    static const bad_member bad[] = {
        {AT(struct_size), 'l', 71, "vmc.optimiser.params.struct_size: 71 is not in 72..4096"},
    };
#undef AT
    legato_vmc_optimiser* optimiser = NULL;
    legato_vmc_params run = tilted(3, 8);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        legato_vmc_optimiser_params params = few_steps(3);
        set_member(&params, &bad[i]);
        INVALID(legato_vmc_optimiser_create(context, &run, &params, &optimiser), bad[i].message);
        CHECK(optimiser == NULL);
    }
    legato_vmc_optimiser_params params = few_steps(3);
    params.free[0] = params.free[1] = 0;
    INVALID(legato_vmc_optimiser_create(context, &run, &params, &optimiser), "vmc.optimiser.free: 0 is not in 1..4");
    run.delta = 0;
    INVALID(legato_vmc_optimiser_create(context, &run, NULL, &optimiser), "vmc.params.gradients: 1 needs a pair");
    run.electrons = 7;
    INVALID(legato_vmc_optimiser_create(context, &run, NULL, &optimiser), "vmc.params.electrons: 7 is odd");
    INVALID(legato_vmc_optimiser_create(context, NULL, NULL, NULL), "vmc.optimiser: a null pointer");
    CHECK(legato_vmc_optimiser_create(NULL, NULL, NULL, &optimiser) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK(legato_vmc_optimiser_run(NULL, NULL, NULL) == LEGATO_STATUS_INVALID_ARGUMENT);
    CHECK_SUCCESS(legato_vmc_optimiser_destroy(NULL));
    CHECK_SUCCESS(legato_vmc_optimiser_create(context, NULL, NULL, &optimiser));
    CHECK_SUCCESS(legato_vmc_optimiser_destroy(optimiser));
}

int main(void) {
    CHECK((context = cpu_context(2)) != NULL);
    default_optimiser_params();
    optimisation();
    convergence();
    refused_optimisers();
    CHECK_SUCCESS(legato_context_destroy(context));
    return verdict("vmc_optimiser_client");
}
