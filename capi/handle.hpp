// Every handle except a context stands for an object of the library and for the context that stores the messages of
// the handle's calls.
#pragma once

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <string_view>
#include <type_traits>

#include "arguments.hpp"
#include "core/comparison.hpp"
#include "guard.hpp"

namespace legato::capi {

template <class What>
struct Handle {
    using Holds = What;

    std::shared_ptr<ContextObject> context;
    std::unique_ptr<What> what;
};

// StandsFor<legato_tmm> is the Handle<What> of legato_tmm. The opaque types themselves have no objects.
template <class H>
struct StandsFor;

// Destroys a handle. A null pointer is allowed.
template <class H>
int32_t destroy(H* handle) noexcept {
    if (!handle) return LEGATO_STATUS_SUCCESS;
    return Borrowed(handle, &type_of<H>).destroy_handle() ? LEGATO_STATUS_SUCCESS : LEGATO_STATUS_INVALID_ARGUMENT;
}

// The name of a collective call. It needs no memory, because an error before the call would be that of one rank only.
class CallName {
  public:
    CallName(std::string_view of, std::string_view call) {
        std::snprintf(text_, sizeof text_, "%.*s.%.*s", static_cast<int>(of.size()), of.data(),
                      static_cast<int>(call.size()), call.data());
    }
    operator std::string_view() const { return text_; }

  private:
    char text_[64];
};

// Makes a handle for the object that make() returns in a unique_ptr. If it fails, *handle is null. Collective.
template <class H, class Make>
void enter_made(ContextObject& of, Context& c, const char* field, H** handle, const Make& make) {
    of.has_handles = true;
    const CallName call(field, "create");
    H* made = nullptr;
    try {
        c.collective(call, [&] {
            require_pointer(field, handle);
            auto object = std::make_shared<StandsFor<H>>();
            object->context = of.shared_from_this();
            object->what = make();
            made = static_cast<H*>(enter_table(std::move(object), &type_of<H>));
        });
    } catch (...) {  // perhaps of another rank
        destroy(made);
        throw;
    }
    *handle = made;
}

// Does so for the object that make(legato::Context&) returns.
template <class H, class Make>
int32_t create(legato_context* context, const char* field, H** handle, Make&& make) {
    if (handle) *handle = nullptr;
    return guard_with_object(
        context, [&](ContextObject& of, Context& c) { enter_made(of, c, field, handle, [&] { return make(c); }); });
}

// Does so for the object that make(From's What&) returns. The new handle belongs to the context of `from`.
template <class H, class From, class Make>
int32_t create_from(From* from, const char* field, H** handle, Make&& make) {
    if (handle) *handle = nullptr;
    const Borrowed borrowed(from, &type_of<From>);
    auto* const object = static_cast<StandsFor<From>*>(borrowed.object());
    if (!object) return LEGATO_STATUS_INVALID_ARGUMENT;
    return guard_valid_context(*object->context, [&](Context& c) {
        enter_made(*object->context, c, field, handle, [&] { return make(*object->what); });
    });
}

// Runs work(What&) with the object of a handle, and turns an exception into a status.
template <class H, class Work>
requires requires {
    typename StandsFor<H>::Holds;
}
int32_t guard(H* handle, Work&& work) noexcept {
    const Borrowed borrowed(handle, &type_of<H>);
    auto* const object = static_cast<StandsFor<H>*>(borrowed.object());
    return object ? guard_valid_context(*object->context, [&](Context&) { work(*object->what); })
                  : LEGATO_STATUS_INVALID_ARGUMENT;
}

// Runs work(What&), or work(Context&, What&), in the same way, as the collective call `call` ("run") of the handle's
// run.
template <class H, class Work>
int32_t guard_collective(H* handle, std::string_view call, Work&& work) noexcept {
    const Borrowed borrowed(handle, &type_of<H>);
    auto* const object = static_cast<StandsFor<H>*>(borrowed.object());
    if (!object) return LEGATO_STATUS_INVALID_ARGUMENT;
    return guard_valid_context(*object->context, [&](Context& c) {
        const CallName of_run(StandsFor<H>::Holds::run_name, call);
        c.collective(of_run, [&] {
            if constexpr (std::is_invocable_v<Work&, Context&, typename StandsFor<H>::Holds&>)
                work(c, *object->what);
            else
                work(*object->what);
        });
    });
}

// An Argument is a handle that is passed to a call of another handle.
template <class H>
class Argument {
  public:
    Argument(const char* field, const H* handle)
        : object_(std::static_pointer_cast<StandsFor<H>>(shared(handle, &type_of<H>))) {
        require_pointer(field, handle);
        if (!object_) fail(Status::invalid_argument, field, ": the handle has been destroyed, or is of another type");
    }
    const auto& operator*() const { return *object_->what; }

  private:
    std::shared_ptr<const StandsFor<H>> object_;
};

// Returns the run of a handle's object, for a call of this name. A list begins its run in the first such call.
template <class What>
auto& run_of(What& what, std::string_view call) {
    if constexpr (requires { what.begun(call); })
        return what.begun(call);
    else
        return what;
}

// The functions below are the same for most handles. `name` is the handle's name in messages: "tmm", "vmc.optimiser".
template <class H>
int32_t run(H* handle, legato_progress_callback callback, void* user) noexcept {
    return guard_collective(handle, "run",
                            [&](auto& what) { run_of(what, "run").run(progress_from_c(callback, user)); });
}

// Advances the run of a handle's object by `count` cycles, bins or parts, or by all that are left, and returns the run.
// `field` is the name of `count` in messages.
template <class What>
auto& advance_by(const char* field, int64_t count, What& what) {
    require_integer(field, count, 1, std::numeric_limits<int64_t>::max());
    auto& run = run_of(what, "advance");
    Comparison comparison;
    comparison.add(field, count);
    comparison.require_same(run.context());
    if constexpr (requires { run.advance(count); }) {
        run.advance(count);
    } else if constexpr (requires { run.bins_done(); }) {
        const int64_t before = run.bins_done(), wanted = before + std::min(count, run.problem().bins - before);
        while (run.bins_done() < wanted) run.advance();
    } else {
        while (count-- > 0 && !run.advance()) {
        }
    }
    return run;
}

// *done, which may be null, becomes the number of finished points.
template <class H>
int32_t advance(const char* field, H* handle, int64_t count, int64_t* done) noexcept {
    return guard_collective(handle, "advance", [&](auto& what) {
        const auto& run = advance_by(field, count, what);
        if (done) *done = run.progress().points_done;
    });
}

template <class H>
int32_t save(const char* name, H* handle, const char* path) noexcept {
    return guard_collective(handle, "save", [&](auto& what) {
        require_path(text(name, ".save.path").c_str(), path);
        run_of(what, "save").save(path);
    });
}

template <class H>
int32_t resume(const char* name, legato_context* context, const char* path, H** handle) {
    return create(context, name, handle, [&](Context& c) {
        return StandsFor<H>::Holds::resume(c, require_path(text(name, ".resume.path").c_str(), path));
    });
}

}  // namespace legato::capi
