// The host holds numbers in place of pointers. A handle names a place in a table and its generation, and the place
// knows the type. So the library recognises a handle that was destroyed, has another type, or never was a handle.
//
//     bits 63..32  generation: how often the place has been given away
//          31..8   place in the table
//           7..0   a mark that no pointer to a C or Fortran object ends with
#pragma once

#include <cstdint>
#include <memory>

namespace legato::capi {

struct Place;

// An object that a call works with. Where a callback of that call destroys it, it goes when the call returns.
class Borrowed {
  public:
    Borrowed(const void* handle, const void* type) noexcept;
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    ~Borrowed();

    void* object() const { return object_; }  // null: the handle is none of that type

    // Destroys the handle. Returns false if it was none.
    bool leave() noexcept;

  private:
    Place* place_;
    void* object_ = nullptr;
};

// The object of a handle, for a short call: no callback of it can destroy the handle. Null: the handle is none of that
// type.
void* object_of(const void* handle, const void* type) noexcept;

// The object of a handle that is an argument of another one's call, as several threads may have it at a time; null
// where the handle is none of that type.
std::shared_ptr<void> shared(const void* handle, const void* type) noexcept;

// The same, and that of a handle which has been destroyed where objects of other handles share it.
std::shared_ptr<void> shared_still(const void* handle, const void* type) noexcept;

// Returns the handle. Throws bad_alloc where the table cannot grow.
void* enter_table(std::shared_ptr<void>&& object, const void* type);

// Its address stands for a type of handles.
template <class H>
inline constexpr char type_of = 0;

}  // namespace legato::capi
