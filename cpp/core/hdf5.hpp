// The lock and the owner of identifiers that all uses of HDF5 in this library need.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <utility>

#include "core/thread.hpp"

namespace legato::hdf5 {

// Must live during every call of HDF5. It admits one thread at a time, and turns off HDF5's own printing of errors.
class Session {
  public:
    Session();
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

  private:
    std::lock_guard<GlobalMutex> lock_;
    H5E_auto2_t print_ = nullptr;
    void* data_ = nullptr;
    bool saved_ = false;
};

// Owns an HDF5 identifier; negative if the call that made it failed.
class Handle {
  public:
    using Close = herr_t (*)(hid_t);
    Handle(hid_t id, Close close) : id_(id), close_(close) {}
    ~Handle() {
        if (id_ < 0) return;
        const Session session;
        close_(id_);
    }
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&&) = delete;

    hid_t get() const { return id_; }
    explicit operator bool() const { return id_ >= 0; }

  private:
    hid_t id_;
    Close close_;
};

// Returns HDF5's description of the last failure, at the place where it happened.
std::string reason();

}  // namespace legato::hdf5
