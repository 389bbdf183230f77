/* Functions that the restart clients share. A client KIND STATE RESULT computes what KIND names, saves to STATE as
 * it proceeds, resumes from STATE if it exists, and writes the numbers to RESULT. tests/restart.py kills it. */
#include <legato/legato.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static legato_context* context;

static void require(int32_t status) {
    if (status == LEGATO_STATUS_SUCCESS) return;
    fprintf(stderr, "restart: %s\n", legato_context_message(context));
    exit(EXIT_FAILURE);
}

static int there(const char* path) {
    FILE* const file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

/* Prints the line that tests/restart.py looks for. */
static void tell_start(int64_t done) {
    printf("begins with %lld\n", (long long)done);
    fflush(stdout);
}

static void write_numbers(const char* path, const void* numbers, size_t bytes) {
    FILE* const file = fopen(path, "wb");
    if (file && fwrite(numbers, bytes, 1, file) == 1 && fclose(file) == 0) return;
    fprintf(stderr, "restart: %s cannot be written\n", path);
    exit(EXIT_FAILURE);
}
