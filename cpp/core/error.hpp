// The one exception type of the library: a status, and a message that names the field, the value and the range.
#pragma once

#include <array>
#include <charconv>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
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
    precision_lost = 10,
    communication_error = 11,
};

class Error : public std::runtime_error {
  public:
    Error(Status status, const std::string& message) : std::runtime_error(message), status_(status) {}
    Status status() const noexcept { return status_; }

  private:
    Status status_;
};

// Returns a double with 15 digits, as a user would type it, or with 17 if 15 do not reproduce its value.
inline std::string decimal(double value) {
    std::array<char, 32> digits;
    char* const begin = digits.data();
    char* end = begin;
    for (const int precision : {15, 17}) {
        end = std::to_chars(begin, begin + digits.size(), value, std::chars_format::general, precision).ptr;
        double back = 0;
        if (std::from_chars(begin, end, back); back == value) break;
    }
    return {begin, end};
}

// Joins its arguments by operator<<. The result does not depend on the locale of the calling program.
template <class... Parts>
std::string text(Parts&&... parts) {
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out.exceptions(std::ios_base::badbit);  // otherwise a lack of memory would shorten the text silently
    const auto put = [&](auto&& part) {
        if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(part)>>)
            out << decimal(part);
        else
            out << part;
    };
    (put(parts), ...);
    return out.str();
}

template <class... Parts>
[[noreturn]] void fail(Status status, Parts&&... parts) {
    throw Error(status, text(std::forward<Parts>(parts)...));
}

}  // namespace legato
