// What every extern "C" function shares: contexts with their message, exceptions turned into a status, and structs
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

static_assert(static_cast<int>(legato::Status::precision_lost) == LEGATO_PRECISION_LOST &&
              static_cast<int>(legato::Status::internal_error) == LEGATO_INTERNAL_ERROR &&
              static_cast<int>(legato::Status::cancelled) == LEGATO_CANCELLED &&
              static_cast<int>(legato::Status::bad_file) == LEGATO_BAD_FILE);

namespace legato::capi {

// A legato_context stands for a ContextObject. Its handle and the objects made from the context share it.
struct ContextObject : std::enable_shared_from_this<ContextObject> {
    std::unique_ptr<Context> context;  // none where creation failed
    int32_t creation_status = LEGATO_SUCCESS;
    std::string message;
    std::string text;  // backs the strings that other calls hand out
};

inline int32_t report(ContextObject* context, Status status, const char* message) noexcept {
    if (context) {
        // Before the words are stored: the callback may itself call functions of this context.
        if (context->context) context->context->log_failure(message);
        try {
            context->message = message;
        } catch (...) {  // there is no memory for the words; these fit into the string itself
            context->message = "out of memory";
            return LEGATO_OUT_OF_MEMORY;
        }
    }
    return static_cast<int32_t>(status);
}

// Runs `work`; an exception becomes its status, its words stay with the context (which may be null).
template <class Work>
int32_t guard_raw(ContextObject* context, Work&& work) noexcept {
    const Call call;
    try {
        work();
        return LEGATO_SUCCESS;
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

// The same for a context that must be sound: work(legato::Context&).
template <class Work>
int32_t guard_sound(ContextObject& context, Work&& work) noexcept {
    if (!context.context) return context.creation_status;
    return guard_raw(&context, [&] {
        context.message.clear();
        work(*context.context);
    });
}

// The same for a context that a host holds: work(ContextObject&, legato::Context&).
template <class Work>
int32_t guard_of(legato_context* handle, Work&& work) noexcept {
    const Borrowed borrowed(handle, &type_of<legato_context>);
    auto* const context = static_cast<ContextObject*>(borrowed.object());
    if (!context) return LEGATO_INVALID_ARGUMENT;
    return guard_sound(*context, [&](Context& c) { work(*context, c); });
}

// work(legato::Context&).
template <class Work>
int32_t guard(legato_context* handle, Work&& work) noexcept {
    return guard_of(handle, [&](ContextObject&, Context& c) { work(c); });
}

template <class T>
T& require_pointer(const char* field, T* pointer) {
    if (!pointer) fail(Status::invalid_argument, field, ": a null pointer is not allowed");
    return *pointer;
}

// What follows is for structs that the caller may know in an older, shorter version or in a newer, longer one: his
// struct_size says. first_size<T> is the size that T had in the first version of Legato with it.
template <class T>
inline constexpr std::size_t first_size = 0;

#define LEGATO_SIZE_UP_TO(type, member) (offsetof(type, member) + sizeof(type::member))

// An upper limit, so that most of what an uninitialised struct_size may hold is found out.
inline void require_struct_size(const char* field, std::size_t size, std::size_t least) {
    constexpr std::size_t most = 4096;
    if (size < least || size > most)
        fail(Status::invalid_argument, field, ".struct_size: ", size, " is not in ", least, "..", most,
             "; set it to sizeof the struct, or call the struct's _init function");
}

// Lays the caller's struct over `target`.
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

// That write_struct can fill the caller's struct: asked before the work begins.
template <class T>
void require_struct(const char* field, const T* target) {
    require_struct_size(field, require_pointer(field, target).struct_size, first_size<T>);
}

// Fills the caller's struct as far as both know it, leaving its struct_size.
template <class T>
void write_struct(const char* field, const T& from, T* target) {
    require_struct(field, target);
    const std::size_t size = target->struct_size;
    std::memcpy(reinterpret_cast<char*>(target) + sizeof(size), reinterpret_cast<const char*>(&from) + sizeof(size),
                std::min(size, sizeof(T)) - sizeof(size));
}

// The same for a struct that holds nothing yet; zeros where the caller knows more.
template <class T>
void init_struct(const char* field, const T& from, T* target, std::size_t size) {
    require_pointer(field, target);
    require_struct_size(field, size, first_size<T>);
    std::memset(static_cast<void*>(target), 0, size);
    target->struct_size = size;
    write_struct(field, from, target);
}

}  // namespace legato::capi
