#include "core/hdf5.hpp"

#include <array>
#include <cstdio>

namespace legato::hdf5 {
namespace {

// The mutex is recursive, because a Handle opens a session to close its identifier, also within another session.
GlobalMutex mutex;

}  // namespace

Session::Session() : lock_(mutex) {
    H5open();  // comes first: in the shared library it opens HDF5, and throws if HDF5 is missing
    saved_ = H5Eget_auto2(H5E_DEFAULT, &print_, &data_) >= 0;
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session() {
    if (saved_) H5Eset_auto2(H5E_DEFAULT, print_, data_);
}

std::string reason() {
    std::array<char, 512> found{"HDF5 gives no reason"};
    // No exception may pass through HDF5, so nothing is allocated here.
    const auto take = [](unsigned depth, const H5E_error2_t* error, void* out) -> herr_t {
        if (depth == 0 && error->desc) std::snprintf(static_cast<char*>(out), sizeof found, "%s", error->desc);
        return 0;
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take, found.data());
    return found.data();
}

}  // namespace legato::hdf5
