/* Threads without OpenMP. */
#include <pthread.h>
#include <stdlib.h>

static void* run(void* work) {
    (*(void (**)(void))work)();
    return NULL;
}

/* Calls work() in so many threads at a time. */
void in_posix_threads(int number, void (*work)(void)) {
    pthread_t threads[16];
    if (number > 16) abort();
    for (int i = 0; i < number; ++i)
        if (pthread_create(&threads[i], NULL, run, &work)) abort();
    for (int i = 0; i < number; ++i) pthread_join(threads[i], NULL);
}
