#include "dfr/basis_formats.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "core/error.hpp"
#include "dfr/elements.hpp"

namespace legato::dfr::basis_formats {
namespace {

char lower(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// Errors of a file are not those of an argument.
template <class Check>
void check_file(const Check& check) {
    try {
        check();
    } catch (const Error& error) {
        throw Error(Status::bad_file, error.what());
    }
}

}  // namespace

std::string digits(double value) {
    if (value == 1.0) return "1.0";
    std::array<char, 32> text;
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, 16).ptr;
    std::string number(text.data(), end);
    number[number.find('e')] = 'E';
    return number;
}

double number_of(std::string_view word) {
    std::string number(word.substr(0, 400));
    for (char& c : number)
        if (c == 'D' || c == 'd') c = 'e';
    const char* const end = number.data() + number.size();
    const char* begin = number.data();
    if (number.size() > 1 && *begin == '+' && number[1] != '-') ++begin;
    double value = 0;
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc() || stop != end || word.size() != number.size()) return std::nan("");
    return std::isfinite(value) ? value : std::nan("");
}

int element_of(std::string_view symbol) {
    for (int z = 1; z <= max_element; ++z) {
        const std::string_view known = symbol_of(z);
        if (std::equal(known.begin(), known.end(), symbol.begin(), symbol.end(),
                       [](char a, char b) { return lower(a) == lower(b); }))
            return z;
    }
    return 0;
}

int l_of_letter(char letter) {
    const std::size_t l = std::string_view("spdfghi").find(lower(letter));
    return l == std::string_view::npos ? -1 : static_cast<int>(l);
}

std::string shown(std::string_view text) {
    constexpr std::size_t most = 200;
    std::string fit = "\"";
    for (const char c : text.substr(0, most)) fit += c >= ' ' && c < 127 ? c : '?';
    return fit + (text.size() > most ? "...\"" : "\"");
}

std::string one_line(std::string_view text) {
    std::string line(text);
    for (char& c : line)
        if (static_cast<unsigned char>(c) < ' ') c = ' ';
    return line;
}

void Collector::begin(int element, std::string_view where) {
    if (index_of(sets_, element) < sets_.size())
        fail(Status::bad_file, where, ": ", symbol_of(element), " already has a set in this file");
    sets_.push_back({element, {}});
}

void Collector::add(BasisShell shell, std::string_view where) {
    check_file([&] { validate(shell, where); });
    sets_.back().shells.push_back(std::move(shell));
}

std::vector<BasisSet> Collector::finish(std::string_view where) {
    if (sets_.empty()) fail(Status::bad_file, where, ": there is no basis set in this file");
    for (const BasisSet& set : sets_) {
        if (set.shells.empty()) fail(Status::bad_file, where, ": ", symbol_of(set.element), " has no functions");
        check_file([&] { exponents_of(set, where); });
    }
    std::sort(sets_.begin(), sets_.end(), [](const auto& a, const auto& b) { return a.element < b.element; });
    return std::move(sets_);
}

}  // namespace legato::dfr::basis_formats
