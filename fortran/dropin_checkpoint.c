#define _DEFAULT_SOURCE /* on_exit; NOLINT(bugprone-reserved-identifier) */
#include "dropin_checkpoint.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const double default_interval = 60, longest_interval = 86400; /* seconds */

/* The file of a finished problem. */
struct finished {
    struct finished* next;
    pid_t process; /* process of the problem: a child of fork() must not remove its parent's files */
    char path[];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct finished* all_finished;
static int something_failed;

/* Mixes eight bytes into the hash: a xor and a multiplication that affects all bits, as in splitmix64. */
static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

uint64_t legato_checkpoint_hash(uint64_t before, const void* bytes, size_t count) {
    const unsigned char* const from = bytes;
    uint64_t hash = mix(before, count), word = 0;
    size_t i = 0;
    for (; i + sizeof word <= count; i += sizeof word) {
        memcpy(&word, from + i, sizeof word);
        hash = mix(hash, word);
    }
    word = 0;
    if (i < count) memcpy(&word, from + i, count - i);
    return mix(hash, word);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char* folder(void) {
    const char* const name = getenv("LEGATO_CHECKPOINT");
    return name && *name ? name : NULL;
}

/* Returns the interval in seconds, negative if LEGATO_CHECKPOINT_INTERVAL is not valid. */
static double interval(void) {
    const char* const text = getenv("LEGATO_CHECKPOINT_INTERVAL");
    if (!text || !*text) return default_interval;
    char* end;
    const double seconds = strtod(text, &end);
    return *end || !(seconds >= 0 && seconds <= longest_interval) ? -1 : seconds;
}

static int refuse_folder(int error) {
    fprintf(stderr, "legato: LEGATO_CHECKPOINT: \"%s\": %s; it must be a folder that can be written\n", folder(),
            strerror(error));
    return -1;
}

int32_t legato_checkpoint_wanted(void) {
    if (interval() < 0) {
        fprintf(stderr, "legato: LEGATO_CHECKPOINT_INTERVAL: \"%s\" is not a number of seconds in 0..%g\n",
                getenv("LEGATO_CHECKPOINT_INTERVAL"), longest_interval);
        return -1;
    }
    if (!folder()) return 0;
    struct stat status;
    if (stat(folder(), &status) != 0) return refuse_folder(errno);
    if (!S_ISDIR(status.st_mode)) return refuse_folder(ENOTDIR);
    if (access(folder(), W_OK | X_OK) != 0) return refuse_folder(errno);
    return 1;
}

/* Runs at the end of the program. A program that failed may be started again; it then needs all its files. */
static void remove_finished(int status, void* unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    if (status == 0 && !something_failed)
        for (const struct finished* f = all_finished; f; f = f->next)
            if (f->process == getpid()) unlink(f->path);
    pthread_mutex_unlock(&mutex);
}

void legato_checkpoint_finished(const struct legato_checkpoint* checkpoint) {
    if (!checkpoint->wanted) return;
    struct finished* const finished = malloc(sizeof *finished + strlen(checkpoint->path) + 1);
    if (!finished) return;
    strcpy(finished->path, checkpoint->path);
    finished->process = getpid();
    pthread_mutex_lock(&mutex);
    if (!all_finished) on_exit(remove_finished, NULL);
    finished->next = all_finished;
    all_finished = finished;
    pthread_mutex_unlock(&mutex);
}

void legato_checkpoint_keep(void) {
    pthread_mutex_lock(&mutex);
    something_failed = 1;
    pthread_mutex_unlock(&mutex);
}

int32_t legato_checkpoint_begin(struct legato_checkpoint* checkpoint, const char* method, uint64_t hash,
                                const char* ending) {
    memset(checkpoint, 0, sizeof *checkpoint);
    const int32_t wanted = legato_checkpoint_wanted();
    if (wanted <= 0) return wanted < 0;
    char* const absolute = realpath(folder(), NULL); /* the program may change its working directory */
    if (!absolute) return -refuse_folder(errno);
    const int length = snprintf(checkpoint->path, sizeof checkpoint->path, "%s/legato-%s-%016llx.%s", absolute, method,
                                (unsigned long long)hash, ending);
    free(absolute);
    if (length < 0 || length >= LEGATO_CHECKPOINT_PATH) return -refuse_folder(ENAMETOOLONG);
    struct stat status;
    checkpoint->there = stat(checkpoint->path, &status) == 0;
    if (!checkpoint->there && errno != ENOENT) {
        fprintf(stderr, "legato: LEGATO_CHECKPOINT: %s: %s\n", checkpoint->path, strerror(errno));
        return 1;
    }
    checkpoint->wanted = 1;
    checkpoint->saved_at = now();
    return 0;
}

static int have_passed(const struct legato_checkpoint* checkpoint, double seconds) {
    return checkpoint->wanted && now() - checkpoint->saved_at >= seconds;
}

int32_t legato_checkpoint_due(const struct legato_checkpoint* checkpoint) {
    return have_passed(checkpoint, interval());
}

int32_t legato_checkpoint_is_worth(const struct legato_checkpoint* checkpoint) {
    return have_passed(checkpoint, interval() / 1000);
}

void legato_checkpoint_saved(struct legato_checkpoint* checkpoint, const char* why) {
    checkpoint->saved_at = now();
    if (why) fprintf(stderr, "legato: LEGATO_CHECKPOINT: the run cannot be saved: %s\n", why);
}
