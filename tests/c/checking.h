/* Functions that the tests of the C interface share. They count what holds, and what is refused with which message. */
#ifndef LEGATO_TESTS_C_CHECKING_H
#define LEGATO_TESTS_C_CHECKING_H

#include <legato/legato.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int cases, failures;
static legato_context* context;

static void count(int line, int holds, const char* what) {
    ++cases;
    if (holds) return;
    ++failures;
    printf("line %d: %s; last message: %s\n", line, what, legato_context_message(context));
}

#define CHECK(condition) count(__LINE__, (condition) != 0, #condition)
#define CHECK_SUCCESS(call) CHECK((call) == LEGATO_STATUS_SUCCESS)

/* Checks that a call ends with this status and with a message that begins like this. */
static void count_refused(int line, int32_t got, int32_t wanted, const char* message) {
    count(line, got == wanted && strncmp(legato_context_message(context), message, strlen(message)) == 0, message);
}

#define REFUSED(call, wanted, message) count_refused(__LINE__, call, wanted, message)
#define INVALID(call, message) REFUSED(call, LEGATO_STATUS_INVALID_ARGUMENT, message)

/* Returns a CPU context without log lines, or NULL if it cannot be created. */
static inline legato_context* cpu_context(int32_t threads) {
    legato_context_params params;
    legato_context* made = NULL;
    legato_context_params_init(&params);
    params.backend = LEGATO_BACKEND_CPU;
    params.threads = threads;
    params.log_level = LEGATO_LOG_LEVEL_SILENT;
    legato_context_create(&params, &made);
    return made;
}

/* Returns true if a value is exact within five standard errors, which are at most `most`. */
static inline int within(double value, double error, double exact, double most) {
    return error > 0 && error <= most && fabs(value - exact) < 5 * error;
}

/* Prints the counts, and returns the exit status of main. */
static int verdict(const char* program) {
    printf("%s: %d checks, %d failed\n", program, cases, failures);
    return failures != 0;
}

/* One member of a parameter struct, set to a value that is refused. */
typedef struct bad_member {
    size_t offset;
    char type; /* i: int32_t, l: int64_t, d: double */
    double value;
    const char* message;
} bad_member;

static inline void set_member(void* params, const bad_member* bad) {
    char* const member = (char*)params + bad->offset;
    /* The ends of int64_t are not representable as a double. */
    const int64_t l = bad->value <= -9e18 ? INT64_MIN : bad->value >= 9e18 ? INT64_MAX : (int64_t)bad->value;
    const int32_t i = bad->type == 'i' ? (int32_t)bad->value : 0;
    if (bad->type == 'i') memcpy(member, &i, sizeof i);
    if (bad->type == 'l') memcpy(member, &l, sizeof l);
    if (bad->type == 'd') memcpy(member, &bad->value, sizeof bad->value);
}

#endif
