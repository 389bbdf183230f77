// What every handle is, but a context: an object of the library with the context whose message its calls write.
#pragma once

#include <memory>

#include "arguments.hpp"
#include "guard.hpp"

namespace legato::capi {

template <class What>
struct Handle {
    using Holds = What;

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

// What most handles do alike. `name` is what messages call them: "tmm", "vmc.optimiser".
template <class What>
int32_t run(Handle<What>* handle, legato_progress_callback callback, void* user) noexcept {
    return guard(handle, [&](What& what) { what.run(progress_from_c(callback, user)); });
}

template <class What>
int32_t save(const char* name, Handle<What>* handle, const char* path) noexcept {
    return guard(handle, [&](What& what) { what.save(require_path(text(name, ".save.path").c_str(), path)); });
}

template <class H>
int32_t resume(const char* name, legato_context* context, const char* path, H** handle) {
    return create(context, name, handle, [&](Context& c) {
        return H::Holds::resume(c, require_path(text(name, ".resume.path").c_str(), path));
    });
}

}  // namespace legato::capi
