/* The drop-ins keep a context and their own state for each thread of the program that calls them. */
#ifndef LEGATO_DROPIN_THREAD_H
#define LEGATO_DROPIN_THREAD_H

#include <legato/legato.h>

/* The calling thread's context, made from the environment (LEGATO_*) at its first call and destroyed when it ends.
 * Where creation has failed it holds the words; NULL: not even for that was there memory. */
legato_context* legato_dropin_context(int32_t* status);

/* Storage of the calling thread for the drop-in to which `end` belongs: so many bytes, zero at the first call. When the
 * thread ends, end(storage) is called before the context is destroyed; the main thread's storage stays. Returns NULL
 * where there is no memory. */
void* legato_dropin_storage(size_t bytes, void (*end)(void* storage));

#endif
