/* The drop-ins keep a context and their own state for each thread of the program that calls them. */
#ifndef LEGATO_DROPIN_THREAD_H
#define LEGATO_DROPIN_THREAD_H

#include <legato/legato.h>

/* Returns the calling thread's context. It is made from the environment (LEGATO_*) at the thread's first call and
 * destroyed when the thread ends. If its creation failed, it holds the message. Returns NULL if there was not even
 * memory for that. */
legato_context* legato_dropin_context(int32_t* status);

/* Returns storage of the calling thread for the drop-in to which `end` belongs: `bytes` bytes, zero at the first call.
 * When the thread ends, end(storage) is called before the context is destroyed. The main thread's storage is never
 * freed. Returns NULL if there is no memory. */
void* legato_dropin_storage(size_t bytes, void (*end)(void* storage));

#endif
