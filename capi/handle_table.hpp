// A handle is a number, not a pointer. It contains the number of a place in a table and the place's generation; the
// place stores the type. The library therefore detects a handle that was destroyed, has another type, or never was a
// handle.
//
//     bits 63..32  generation: how often the place has been assigned
//          31..8   place in the table
//           7..0   a mark; no pointer to a C or Fortran object ends with these bits
#pragma once

#include <cstdint>
#include <memory>

namespace legato::capi {

struct Place;

// An object in use by a call. If a callback of that call destroys its handle, the object is destroyed when the call
// returns.
class Borrowed {
  public:
    Borrowed(const void* handle, const void* type) noexcept;
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    ~Borrowed();

    void* object() const { return object_; }  // null if the handle is not valid or has another type

    // Destroys the handle. Returns false if it is not valid.
    bool destroy_handle() noexcept;

  private:
    Place* place_;
    void* object_ = nullptr;
};

// Returns the object of a handle, or null if the handle is not valid or has another type. It is for short calls, which
// run no callback that could destroy the handle.
void* object_of(const void* handle, const void* type) noexcept;

// Returns the object of a handle that is an argument of another handle's call, or null if the handle is not valid or
// has another type. Ownership is shared, because several threads may use such an argument at the same time.
std::shared_ptr<void> shared(const void* handle, const void* type) noexcept;

// Returns the same, and also the object of a destroyed handle as long as objects of other handles share it.
std::shared_ptr<void> shared_even_if_destroyed(const void* handle, const void* type) noexcept;

// Stores an object and returns its handle. Throws bad_alloc if the table cannot grow.
void* enter_table(std::shared_ptr<void>&& object, const void* type);

// The address of this variable identifies a handle type.
template <class H>
inline constexpr char type_of = 0;

}  // namespace legato::capi
