/* Functions for tests that run out of memory. This header must come before those of the system. */
#ifndef LEGATO_TESTS_C_LIMITED_MEMORY_H
#define LEGATO_TESTS_C_LIMITED_MEMORY_H

#define _POSIX_C_SOURCE 200809L /* setrlimit */
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static struct rlimit limit_before;

/* Leaves so many megabytes of address space beyond those in use. Returns 0 if that is not possible. */
static inline int limit_address_space(int megabytes) {
    struct rlimit limit;
    unsigned long pages = 0;
    FILE* const stream = fopen("/proc/self/statm", "r");
    if (!stream) return 0;
    const int read = fscanf(stream, "%lu", &pages) == 1;
    fclose(stream);
    if (!read || getrlimit(RLIMIT_AS, &limit_before) != 0) return 0;
    limit = limit_before;
    limit.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (rlim_t)megabytes * 1048576;
    return setrlimit(RLIMIT_AS, &limit) == 0;
}

static inline int lift_limit(void) {
    return setrlimit(RLIMIT_AS, &limit_before) == 0;
}

#endif
