// Common parts of all extern "C" functions: contexts with their message, exceptions turned into a status, and structs
// that may be older or newer than this library's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "core/call.hpp"
#include "core/context.hpp"
#include "handle_table.hpp"
#include "legato/context.h"

namespace legato::capi {

// A legato_context stands for a ContextObject. Its handle and the objects made from the context share it.
struct ContextObject : std::enable_shared_from_this<ContextObject> {
    std::unique_ptr<Context> context;  // null if creation failed
    int32_t creation_status = LEGATO_STATUS_SUCCESS;
    std::string message;
    std::string text;          // storage of the strings that other calls return
    bool has_handles = false;  // a handle has been made from it
};

inline int32_t report(ContextObject* context, Status status, const char* message) noexcept {
    if (context) {
        // The message is logged before it is stored, because the callback may call functions of this context.
        if (context->context) context->context->log_failure(message);
        try {
            context->message = message;
        } catch (...) {  // no memory for the message; this one needs no allocation
            context->message = "out of memory";
            return LEGATO_STATUS_OUT_OF_MEMORY;
        }
    }
    return static_cast<int32_t>(status);
}

// Runs `work`. An exception is turned into its status, and its message is stored in the context, which may be null.
template <class Work>
int32_t guard_call(ContextObject* context, Work&& work) noexcept {
    const Call call;
    try {
        work();
        return LEGATO_STATUS_SUCCESS;
    } catch (const Error& error) {
        return report(context, error.status(), error.what());
    } catch (const std::bad_alloc&) {
        return report(context, Status::out_of_memory, "out of memory");
    } catch (const std::exception& error) {
        return report(context, Status::internal_error, error.what());
    } catch (...) {
        return report(context, Status::internal_error, "unknown exception");
    }
}

// Runs work(legato::Context&) in the same way. If the context's creation failed, its status is returned.
template <class Work>
int32_t guard_valid_context(ContextObject& context, Work&& work) noexcept {
    if (!context.context) return context.creation_status;
    return guard_call(&context, [&] {
        context.message.clear();
        work(*context.context);
    });
}

// Runs work(ContextObject&, legato::Context&) in the same way for the handle of a context.
template <class Work>
int32_t guard_with_object(legato_context* handle, Work&& work) noexcept {
    const Borrowed borrowed(handle, &type_of<legato_context>);
    auto* const context = static_cast<ContextObject*>(borrowed.object());
    if (!context) return LEGATO_STATUS_INVALID_ARGUMENT;
    return guard_valid_context(*context, [&](Context& c) { work(*context, c); });
}

// Runs work(legato::Context&) in the same way for the handle of a context.
template <class Work>
int32_t guard(legato_context* handle, Work&& work) noexcept {
    return guard_with_object(handle, [&](ContextObject&, Context& c) { work(c); });
}

template <class T>
T& require_pointer(const char* field, T* pointer) {
    if (!pointer) fail(Status::invalid_argument, field, ": a null pointer is not allowed");
    return *pointer;
}

// The functions below handle structs of which the caller may have an older, shorter or a newer, longer version;
// struct_size is its size. first_size<T> is the size of T in the first version of Legato that had T.
template <class T>
inline constexpr std::size_t first_size = 0;

#define LEGATO_SIZE_UP_TO(type, member) (offsetof(type, member) + sizeof(type::member))

// Checks struct_size. The upper limit detects most values that an uninitialised struct_size may have.
inline void require_struct_size(const char* field, std::size_t size, std::size_t least) {
    constexpr std::size_t most = 4096;
    if (size < least || size > most)
        fail(Status::invalid_argument, field, ".struct_size: ", size, " is not in ", least, "..", most,
             "; set it to sizeof the struct, or call the struct's _init function");
}

// Copies the caller's struct over `target`. Members that the caller does not have keep their values.
template <class T>
void read_struct(const char* field, const T* from, T& target) {
    const std::size_t size = require_pointer(field, from).struct_size;
    require_struct_size(field, size, first_size<T>);
    const char* const bytes = reinterpret_cast<const char*>(from);
    for (std::size_t i = sizeof(T); i < size; ++i)
        if (bytes[i] != 0)
            fail(Status::invalid_argument, field, ".struct_size: ", size, " is more than the ", sizeof(T),
                 " bytes that this version of Legato knows, and byte ", i, " is not 0");
    std::memcpy(&target, from, std::min(size, sizeof(T)));
    target.struct_size = sizeof(T);
}

// Throws unless write_struct can fill the caller's struct. This is checked before the work begins.
template <class T>
void require_struct(const char* field, const T* target) {
    require_struct_size(field, require_pointer(field, target).struct_size, first_size<T>);
}

// Fills those members of the caller's struct that both versions have. struct_size stays unchanged.
template <class T>
void write_struct(const char* field, const T& from, T* target) {
    require_struct(field, target);
    const std::size_t size = target->struct_size;
    std::memcpy(reinterpret_cast<char*>(target) + sizeof(size), reinterpret_cast<const char*>(&from) + sizeof(size),
                std::min(size, sizeof(T)) - sizeof(size));
}

// Fills an uninitialised struct of `size` bytes. Members that only the caller has become 0.
template <class T>
void init_struct(const char* field, const T& from, T* target, std::size_t size) {
    require_pointer(field, target);
    require_struct_size(field, size, first_size<T>);
    std::memset(static_cast<void*>(target), 0, size);
    target->struct_size = size;
    write_struct(field, from, target);
}

}  // namespace legato::capi
