// NWChem's BASIS directive: NWChem user manual, "Basis sets".
#include <algorithm>
#include <cctype>

#include "dfr/basis_lines.hpp"
#include "dfr/elements.hpp"

namespace legato::dfr::basis_formats {
namespace {

bool is_name(std::string_view word) {
    return std::isalpha(static_cast<unsigned char>(word.front())) != 0;
}

// Reads the rows of one shell, which may have functions of several l ("SP").
void read_shell(Lines& lines, Collector& sets, bool is_cartesian) {
    const std::string where = lines.where();
    const std::string_view letters = lines.words()[1];
    std::vector<BasisShell> shells;
    for (const char letter : letters) {
        const int l = l_of_letter(letter);
        if (l < 0 || shells.size() > 6) lines.refuse("letters of angular momenta from S, P, D, F, G, H, I");
        if (is_cartesian && l >= 2) lines.refuse("S or P, because this BASIS directive says CARTESIAN");
        shells.push_back({l, 0, {}, {}});
    }
    lines.advance();
    std::size_t columns = 0;
    for (; !lines.at_end() && !is_name(lines.words().front()); lines.advance()) {
        const std::size_t found = lines.words().size() - 1;
        if (columns == 0) columns = shells.size() > 1 ? shells.size() : found;
        if (found == 0 || found != columns)
            lines.refuse(columns == 0 ? "an exponent and coefficients"
                                      : text("an exponent and ", columns, " coefficients"));
        for (std::size_t i = 0; i < shells.size(); ++i) {
            const std::size_t first = shells.size() > 1 ? i : 0, last = shells.size() > 1 ? i + 1 : columns;
            shells[i].exponents.push_back(lines.number(0, "an exponent"));
            shells[i].coefficients.resize(last - first);
            for (std::size_t k = first; k < last; ++k)
                shells[i].coefficients[k - first].push_back(lines.number(k + 1, "a coefficient"));
        }
    }
    if (columns == 0) lines.refuse("an exponent and coefficients");
    for (BasisShell& shell : shells) sets.add(std::move(shell), where);
}

// The functions of an element are those of one directive: those of another one may belong to a fitting basis.
void read_directive(Lines& lines, Collector& sets) {
    int current = 0;
    bool is_cartesian = false;
    for (const std::string_view word : lines.words()) is_cartesian = is_cartesian || same_word(word, "cartesian");
    lines.advance();
    while (!lines.at_end() && !same_word(lines.words().front(), "end")) {
        const int element = element_of(lines.words().front());
        if (element == 0 || lines.words().size() != 2)
            lines.refuse("the symbol of an element and the letter of an angular momentum, or END");
        if (element != current) sets.begin(element, lines.where());
        current = element;
        read_shell(lines, sets, is_cartesian);
    }
    if (lines.at_end()) lines.refuse("END of the BASIS directive");
    lines.advance();
}

}  // namespace

std::vector<BasisSet> read_nwchem(std::string_view text, std::string_view file) {
    Lines lines(text, file, "#");
    Collector sets;
    while (!lines.at_end()) {
        if (!same_word(lines.words().front(), "basis"))
            lines.refuse("the directive BASIS; effective core potentials cannot be read");
        read_directive(lines, sets);
    }
    return sets.finish(file);
}

std::string to_nwchem(const std::vector<BasisSet>& sets, const BasisTexts& texts) {
    std::string out = text("# ", one_line(texts.name), "\n# ", one_line(texts.description),
                           "\nBASIS \"ao basis\" SPHERICAL NOPRINT\n");
    for (const BasisSet& set : sets) {
        out += text("# BASIS SET: ", symbol_of(set.element), "\n");
        for (const BasisShell& shell : set.shells) {
            out += text(symbol_of(set.element), "    ", letter_of(shell.l), "\n");
            for (std::size_t p = 0; p < shell.exponents.size(); ++p) {
                out += text("    ", digits(shell.exponents[p]));
                for (const auto& function : shell.coefficients) out += text("  ", digits(function[p]));
                out += "\n";
            }
        }
    }
    return out + "END\n";
}

}  // namespace legato::dfr::basis_formats
