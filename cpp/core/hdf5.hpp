// What every use of HDF5 here needs.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <utility>

#include "core/thread.hpp"

namespace legato::hdf5 {

// All of HDF5's calls are made while one of these lives: one thread at a time, HDF5's own printing off.
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

// What HDF5 says of the last failure, from where it happened.
std::string reason();

}  // namespace legato::hdf5
