// Basis sets in the input of Gaussian: Gaussian reference, "Gen". A set ends with a line of four asterisks. Psi4's
// files .gbs have the same sets. Their first line says whether the functions are spherical or Cartesian.
#include <algorithm>

#include "dfr/basis_lines.hpp"
#include "dfr/elements.hpp"

namespace legato::dfr::basis_formats {
namespace {

constexpr std::string_view end_of_set = "****";

// Reads one shell. Its header has the letters of its angular momenta, the number of exponents, and a factor by whose
// square the exponents are multiplied.
void read_shell(Lines& lines, Collector& sets, bool is_cartesian) {
    const std::string where = lines.where();
    std::vector<BasisShell> shells;
    for (const char letter : lines.words()[0]) {
        const int l = l_of_letter(letter);
        if (l < 0 || shells.size() > 6)
            lines.refuse(text("letters of angular momenta from S, P, D, F, G, H, I, or ", end_of_set));
        if (is_cartesian && l >= 2) lines.refuse("S or P, because an earlier line says \"cartesian\"");
        shells.push_back({l, 0, {}, {{}}});
    }
    if (lines.words().size() != 3)
        lines.refuse("the header of a shell: its letters, number of exponents, scale factor");
    const int rows = lines.count(1, "the number of exponents", 1);
    const double scale = lines.number(2, "the scale factor");
    lines.advance();
    for (int row = 0; row < rows; ++row, lines.advance()) {
        if (lines.words().size() != shells.size() + 1)
            lines.refuse(text("an exponent and ", shells.size(), " coefficients: row ", row + 1, " of ", rows));
        for (std::size_t i = 0; i < shells.size(); ++i) {
            shells[i].exponents.push_back(lines.number(0, "an exponent") * (scale * scale));
            shells[i].coefficients[0].push_back(lines.number(i + 1, "a coefficient"));
        }
    }
    for (BasisShell& shell : shells) sets.add(std::move(shell), where);
}

}  // namespace

std::vector<BasisSet> read_gaussian94(std::string_view text, std::string_view file) {
    Lines lines(text, file, "!");
    Collector sets;
    bool is_cartesian = false;
    if (!lines.at_end() && lines.words().size() == 1) {
        is_cartesian = same_word(lines.words().front(), "cartesian");
        if (is_cartesian || same_word(lines.words().front(), "spherical")) lines.advance();
    }
    if (!lines.at_end() && lines.words().front() == end_of_set) lines.advance();
    while (!lines.at_end()) {
        std::string_view symbol = lines.words().front();
        if (symbol.starts_with('-')) symbol.remove_prefix(1);
        const int element = element_of(symbol);
        if (element == 0 || lines.words().size() > 2 || (lines.words().size() == 2 && lines.words()[1] != "0"))
            lines.refuse("the symbol of an element and 0; effective core potentials cannot be read");
        sets.begin(element, lines.where());
        lines.advance();
        while (!lines.at_end() && lines.words().front() != end_of_set) read_shell(lines, sets, is_cartesian);
        if (lines.at_end()) lines.refuse(end_of_set);
        lines.advance();
    }
    return sets.finish(file);
}

std::string to_gaussian94(const std::vector<BasisSet>& sets, const BasisTexts& texts) {
    std::string out = text("! ", one_line(texts.name), "\n! ", one_line(texts.description), "\n\n");
    for (const BasisSet& set : sets) {
        out += text(symbol_of(set.element), "     0\n");
        for (const BasisShell& shell : set.shells)
            for (const auto& function : shell.coefficients) {
                const auto used =
                    function.size() - static_cast<std::size_t>(std::count(function.begin(), function.end(), 0.0));
                out += text(letter_of(shell.l), "   ", used, "   1.00\n");
                for (std::size_t p = 0; p < function.size(); ++p)
                    if (function[p] != 0.0)
                        out += text("    ", digits(shell.exponents[p]), "  ", digits(function[p]), "\n");
            }
        out += text(end_of_set, "\n");
    }
    return out;
}

}  // namespace legato::dfr::basis_formats
