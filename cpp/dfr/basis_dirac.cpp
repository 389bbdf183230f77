// Files of DIRAC's and Dalton's basis set libraries. A set begins with the letter a and the number of its element. One
// block follows for each l from 0 on: a line with the numbers of exponents and of contracted functions and 0, then a
// row for each exponent. Without contracted functions every exponent is a function.
#include <algorithm>

#include "dfr/basis_lines.hpp"
#include "dfr/elements.hpp"

namespace legato::dfr::basis_formats {
namespace {

// Reads `wanted` numbers, which may take several lines but fill the last one.
std::vector<double> read_row(Lines& lines, std::size_t wanted) {
    std::vector<double> row;
    while (row.size() < wanted) {
        if (lines.at_end() || row.size() + lines.words().size() > wanted)
            lines.refuse(text("an exponent and ", wanted - 1, " coefficients"));
        for (std::size_t i = 0; i < lines.words().size(); ++i)
            row.push_back(lines.number(i, row.empty() ? "an exponent" : "a coefficient"));
        lines.advance();
    }
    return row;
}

void read_block(Lines& lines, int l, Collector& sets) {
    const std::string where = lines.where();
    // Dalton's files have the letter H here.
    const std::size_t first = lines.words().front() == "H" || lines.words().front() == "h" ? 1 : 0;
    const int rows = lines.count(first, "the number of exponents", 0);
    const auto columns = static_cast<std::size_t>(lines.count(first + 1, "the number of contracted functions", 0));
    if (lines.words().size() > first + 3) lines.refuse("the numbers of exponents and of contracted functions, and 0");
    lines.advance();
    BasisShell shell{l, 0, {}, std::vector<std::vector<double>>(columns)};
    for (int p = 0; p < rows; ++p) {
        const std::vector<double> row = read_row(lines, columns + 1);
        if (columns == 0) sets.add({l, 0, row, {{1.0}}}, where);
        shell.exponents.push_back(row[0]);
        for (std::size_t k = 0; k < columns; ++k) shell.coefficients[k].push_back(row[k + 1]);
    }
    if (columns > 0) sets.add(std::move(shell), where);
}

bool begins_element(const Lines& lines) {
    return lines.words().front() == "a" || lines.words().front() == "A";
}

// All functions of an l, in the order of the shells, as columns over all its exponents.
BasisShell block_of(const BasisSet& set, int l) {
    BasisShell block{l, 0, {}, {}};
    for (const BasisShell& shell : set.shells) {
        if (shell.l != l) continue;
        for (const double zeta : shell.exponents)
            if (std::find(block.exponents.begin(), block.exponents.end(), zeta) == block.exponents.end())
                block.exponents.push_back(zeta);
    }
    for (const BasisShell& shell : set.shells) {
        if (shell.l != l) continue;
        for (const auto& function : shell.coefficients) {
            std::vector<double>& column = block.coefficients.emplace_back(block.exponents.size(), 0.0);
            for (std::size_t p = 0; p < function.size(); ++p) {
                const auto at = std::find(block.exponents.begin(), block.exponents.end(), shell.exponents[p]);
                column[static_cast<std::size_t>(at - block.exponents.begin())] = function[p];
            }
        }
    }
    return block;
}

// Returns whether every exponent is one function with coefficient 1.
bool is_uncontracted(const BasisShell& block) {
    if (block.coefficients.size() != block.exponents.size()) return false;
    for (std::size_t p = 0; p < block.exponents.size(); ++p) {
        std::vector<double> alone(block.exponents.size(), 0.0);
        alone[p] = 1.0;
        if (block.coefficients[p] != alone) return false;
    }
    return true;
}

// Returns a whole number, right-adjusted in five columns.
std::string column(std::size_t number) {
    const std::string digits = std::to_string(number);
    std::string adjusted(digits.size() < 5 ? 5 - digits.size() : 1, ' ');
    adjusted += digits;
    return adjusted;
}

std::string to_dirac(const BasisShell& block) {
    const bool is_plain = is_uncontracted(block);
    std::string out = text("$ ", "spdfghi"[block.l], " functions\n", column(block.exponents.size()),
                           column(is_plain ? 0 : block.coefficients.size()), column(0), "\n");
    for (std::size_t p = 0; p < block.exponents.size(); ++p) {
        out += text(" ", digits(block.exponents[p]));
        for (std::size_t k = 0; !is_plain && k < block.coefficients.size(); ++k)
            out += text("  ", digits(block.coefficients[k][p]));
        out += "\n";
    }
    return out;
}

}  // namespace

std::vector<BasisSet> read_dirac(std::string_view text, std::string_view file) {
    Lines lines(text, file, "$!");
    Collector sets;
    while (!lines.at_end()) {
        if (!begins_element(lines) || lines.words().size() != 2)
            lines.refuse("the letter a and the number of an element");
        const int element = lines.count(1, "the number of an element", 1);
        if (element > max_element) lines.refuse(legato::text("an element in 1..", max_element));
        sets.begin(element, lines.where());
        lines.advance();
        for (int l = 0; !lines.at_end() && !begins_element(lines); ++l) {
            if (l > max_l) lines.refuse("the next element after the functions with l = 6");
            read_block(lines, l, sets);
        }
    }
    return sets.finish(file);
}

std::string to_dirac(const std::vector<BasisSet>& sets, const BasisTexts& texts) {
    std::string out = text("$ ", one_line(texts.name), "\n$ ", one_line(texts.description), "\n");
    for (const BasisSet& set : sets) {
        out += text("$ ", symbol_of(set.element), "\na ", set.element, "\n");
        int last = 0;
        for (const BasisShell& shell : set.shells) last = std::max(last, shell.l);
        for (int l = 0; l <= last; ++l) out += to_dirac(block_of(set, l));
    }
    return out;
}

}  // namespace legato::dfr::basis_formats
