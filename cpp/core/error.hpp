// The one exception type of the library: a status, and a message that names the field, the value and the range.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

namespace legato {

// Values are those of legato_status in the C ABI (capi/guard.hpp asserts it).
enum class Status : int {
    success = 0,
    invalid_argument = 1,
    out_of_memory = 2,
    no_device = 3,
    device_error = 4,
    io_error = 5,
    bad_file = 6,
    cancelled = 7,
    numerical_error = 8,
    internal_error = 9,
};

class Error : public std::runtime_error {
  public:
    Error(Status status, const std::string& message) : std::runtime_error(message), status_(status) {}
    Status status() const noexcept { return status_; }

  private:
    Status status_;
};

// Joins its arguments by operator<<, doubles with all their digits.
template <class... Parts>
std::string text(Parts&&... parts) {
    std::ostringstream out;
    out.precision(17);
    (out << ... << std::forward<Parts>(parts));
    return out.str();
}

template <class... Parts>
[[noreturn]] void fail(Status status, Parts&&... parts) {
    throw Error(status, text(std::forward<Parts>(parts)...));
}

}  // namespace legato
