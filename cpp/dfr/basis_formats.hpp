// The formats of files of basis sets. basis_files.cpp reads and writes the bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dfr/basis_files.hpp"

namespace legato::dfr::basis_formats {

// A number with 17 digits, and 1 as "1.0".
std::string digits(double value);

// Reads a number, also with D as the letter of the exponent. Returns NaN if `word` is anything else.
double number_of(std::string_view word);
// Returns the element of a symbol in any case, or 0 if there is none.
int element_of(std::string_view symbol);
// Returns l for a letter s, p, d, f, g, h or i in any case, or -1.
int l_of_letter(char letter);
inline char letter_of(int l) {
    return "SPDFGHI"[l];
}

// Returns the beginning of a text in quotation marks, fit for a message.
std::string shown(std::string_view text);

// Returns a text without line breaks, for a comment in a file.
std::string one_line(std::string_view text);

// The sets that a reader finds. `where` begins messages: "basis file a.nw, line 3".
class Collector {
  public:
    // Begins the set of an element. Throws if it already has one.
    void begin(int element, std::string_view where);
    void add(BasisShell shell, std::string_view where);
    // Returns the sets. Throws if there is none, or if a set has no functions or too many.
    std::vector<BasisSet> finish(std::string_view where);

  private:
    std::vector<BasisSet> sets_;
};

std::vector<BasisSet> read_json(std::string_view text, std::string_view file);
std::vector<BasisSet> read_nwchem(std::string_view text, std::string_view file);
std::vector<BasisSet> read_gaussian94(std::string_view text, std::string_view file);
std::vector<BasisSet> read_dirac(std::string_view text, std::string_view file);

std::string to_json(const std::vector<BasisSet>& sets, const BasisTexts& texts);
std::string to_nwchem(const std::vector<BasisSet>& sets, const BasisTexts& texts);
std::string to_gaussian94(const std::vector<BasisSet>& sets, const BasisTexts& texts);
std::string to_dirac(const std::vector<BasisSet>& sets, const BasisTexts& texts);

}  // namespace legato::dfr::basis_formats
