/* The drop-ins keep a context and their own state for each thread of the program that calls them. */
#ifndef LEGATO_DROPIN_THREAD_H
#define LEGATO_DROPIN_THREAD_H

#include <legato/legato.h>

/* The calling thread's context, made from the environment (LEGATO_*) at its first call and destroyed when it ends.
 * Where creation has failed it holds the words; NULL: not even for that was there memory. */
legato_context* legato_dropin_context(int32_t* status);

/* A pointer of the calling thread's, null at first, for the drop-in to which `end` belongs: called with the pointer
 * when the thread ends, before its context is destroyed, unless the pointer is null then. The main thread's stays. NULL
 * where there is no memory. */
void** legato_dropin_own(void (*end)(void* own));

#endif
