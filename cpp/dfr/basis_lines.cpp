#include "dfr/basis_lines.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace legato::dfr::basis_formats {

bool same_word(std::string_view word, std::string_view lower_case) {
    return std::equal(word.begin(), word.end(), lower_case.begin(), lower_case.end(),
                      [](char x, char y) { return std::tolower(static_cast<unsigned char>(x)) == y; });
}

void Lines::advance() {
    constexpr std::string_view blanks = " \t\r\f\v";
    words_.clear();
    while (words_.empty() && !rest_.empty()) {
        const std::size_t end = std::min(rest_.find('\n'), rest_.size());
        std::string_view line = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        ++number_;
        line = line.substr(0, line.find_first_of(comments_));
        for (;;) {
            line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
            if (line.empty()) break;
            const std::size_t length = std::min(line.find_first_of(blanks), line.size());
            words_.push_back(line.substr(0, length));
            line.remove_prefix(length);
        }
    }
}

void Lines::refuse(std::string_view expected) const {
    if (at_end()) fail(Status::bad_file, where(), ": expected ", expected);
    std::string line;
    for (std::size_t i = 0; i < words_.size() && line.size() < 200; ++i)
        line += text(i > 0 ? " " : "", words_[i].substr(0, 200));
    fail(Status::bad_file, where(), ": found ", shown(line), ", expected ", expected);
}

double Lines::number(std::size_t index, std::string_view what) const {
    if (index >= words_.size()) refuse(text(what, " as word ", index + 1));
    const double value = number_of(words_[index]);
    if (!std::isfinite(value))
        fail(Status::bad_file, where(), ": ", shown(words_[index]), " is not a number, expected ", what);
    return value;
}

int Lines::count(std::size_t index, std::string_view what, int least) const {
    if (index >= words_.size()) refuse(text(what, " as word ", index + 1));
    const std::string_view word = words_[index];
    int value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || stop != word.data() + word.size() || value < least || value > max_functions)
        fail(Status::bad_file, where(), ": ", shown(word), " is not ", what, ", a whole number in ", least, "..",
             max_functions);
    return value;
}

}  // namespace legato::dfr::basis_formats
