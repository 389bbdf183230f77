// What every extern "C" function shares: contexts with their message, exceptions turned into a status, and structs
// that may be older or newer than this library's.
#pragma once

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "core/context.hpp"
#include "legato/context.h"

static_assert(static_cast<int>(legato::Status::internal_error) == LEGATO_INTERNAL_ERROR &&
              static_cast<int>(legato::Status::cancelled) == LEGATO_CANCELLED &&
              static_cast<int>(legato::Status::bad_file) == LEGATO_BAD_FILE);

struct legato_context {
    std::unique_ptr<legato::Context> context;  // none where creation failed
    int32_t creation_status = LEGATO_SUCCESS;
    std::string message;
    std::string text;  // backs the strings that other calls hand out
};

namespace legato::capi {

inline int32_t report(legato_context* context, Status status, const char* message) noexcept {
    if (context) {
        try {
            context->message = message;
        } catch (...) {
            context->message.clear();
        }
    }
    return static_cast<int32_t>(status);
}

// Runs `work`; an exception becomes its status, its words stay with the context (which may be null).
template <class Work>
int32_t guard_raw(legato_context* context, Work&& work) noexcept {
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

// The same for a context that must be there and sound: work(legato::Context&).
template <class Work>
int32_t guard(legato_context* context, Work&& work) noexcept {
    if (!context) return LEGATO_INVALID_ARGUMENT;
    if (!context->context) return context->creation_status;
    return guard_raw(context, [&] {
        context->message.clear();
        work(*context->context);
    });
}

template <class T>
T& require_pointer(const char* field, T* pointer) {
    if (!pointer) fail(Status::invalid_argument, field, ": a null pointer is not allowed");
    return *pointer;
}

// Lays the caller's struct over `target`. `least`: size of the struct in the first version that had it.
template <class T>
void read_struct(const char* field, const T* from, std::size_t least, T& target) {
    const std::size_t size = require_pointer(field, from).struct_size;
    const char* const bytes = reinterpret_cast<const char*>(from);
    if (size < least || size > 65536)
        fail(Status::invalid_argument, field, ".struct_size: ", size, " is not in ", least,
             "..65536; fill the struct by its _init function first");
    if (size > sizeof(T) && std::any_of(bytes + sizeof(T), bytes + size, [](char c) { return c != 0; }))
        fail(Status::invalid_argument, field, ": sets members that this version of Legato does not know");
    std::memcpy(&target, from, std::min(size, sizeof(T)));
    target.struct_size = sizeof(T);
}

// Fills the caller's struct as far as it goes, leaving its struct_size.
template <class T>
void write_struct(const char* field, const T& from, std::size_t least, T* target) {
    const std::size_t size = require_pointer(field, target).struct_size;
    if (size < least) fail(Status::invalid_argument, field, ".struct_size: ", size, " is not at least ", least);
    std::memcpy(reinterpret_cast<char*>(target) + sizeof(size), reinterpret_cast<const char*>(&from) + sizeof(size),
                std::min(size, sizeof(T)) - sizeof(size));
}

}  // namespace legato::capi
