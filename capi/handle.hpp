// What every handle is, but a context: an object of the library with the context whose message its calls write.
#pragma once

#include <memory>

#include "guard.hpp"

namespace legato::capi {

template <class What>
struct Handle {
    std::shared_ptr<legato_context> context;
    std::unique_ptr<What> what;
};

// Leaves a null pointer where make(legato::Context&), which returns a unique_ptr, fails.
template <class H, class Make>
int32_t create(legato_context* context, const char* field, H** handle, Make&& make) {
    if (handle) *handle = nullptr;
    return guard(context, [&](Context& c) {
        require_pointer(field, handle);
        *handle = new H{{context->self, make(c)}};
    });
}

template <class H>
int32_t destroy(H* handle) noexcept {
    delete handle;
    return LEGATO_SUCCESS;
}

// work(What&).
template <class What, class Work>
int32_t guard(Handle<What>* handle, Work&& work) noexcept {
    return handle ? guard(handle->context.get(), [&](Context&) { work(*handle->what); }) : LEGATO_INVALID_ARGUMENT;
}

}  // namespace legato::capi
