#include "dfr/elements.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/validate.hpp"
#include "dfr/fermi_nucleus.hpp"

namespace legato::dfr {
namespace {

struct Element {
    const char* symbol;
    int mass_number;
};

// The longest-lived isotopes from 104 on are those known by 2021. The lifetimes of Tc 97 and 98 are equal within their
// errors.
constexpr std::array<Element, max_element> elements{{
    {"H", 1},    {"He", 4},   {"Li", 7},   {"Be", 9},   {"B", 11},   {"C", 12},   {"N", 14},   {"O", 16},   {"F", 19},
    {"Ne", 20},  {"Na", 23},  {"Mg", 24},  {"Al", 27},  {"Si", 28},  {"P", 31},   {"S", 32},   {"Cl", 35},  {"Ar", 40},
    {"K", 39},   {"Ca", 40},  {"Sc", 45},  {"Ti", 48},  {"V", 51},   {"Cr", 52},  {"Mn", 55},  {"Fe", 56},  {"Co", 59},
    {"Ni", 58},  {"Cu", 63},  {"Zn", 64},  {"Ga", 69},  {"Ge", 74},  {"As", 75},  {"Se", 80},  {"Br", 79},  {"Kr", 84},
    {"Rb", 85},  {"Sr", 88},  {"Y", 89},   {"Zr", 90},  {"Nb", 93},  {"Mo", 98},  {"Tc", 98},  {"Ru", 102}, {"Rh", 103},
    {"Pd", 106}, {"Ag", 107}, {"Cd", 114}, {"In", 115}, {"Sn", 120}, {"Sb", 121}, {"Te", 130}, {"I", 127},  {"Xe", 132},
    {"Cs", 133}, {"Ba", 138}, {"La", 139}, {"Ce", 140}, {"Pr", 141}, {"Nd", 142}, {"Pm", 145}, {"Sm", 152}, {"Eu", 153},
    {"Gd", 158}, {"Tb", 159}, {"Dy", 164}, {"Ho", 165}, {"Er", 166}, {"Tm", 169}, {"Yb", 174}, {"Lu", 175}, {"Hf", 180},
    {"Ta", 181}, {"W", 184},  {"Re", 187}, {"Os", 192}, {"Ir", 193}, {"Pt", 195}, {"Au", 197}, {"Hg", 202}, {"Tl", 205},
    {"Pb", 208}, {"Bi", 209}, {"Po", 209}, {"At", 210}, {"Rn", 222}, {"Fr", 223}, {"Ra", 226}, {"Ac", 227}, {"Th", 232},
    {"Pa", 231}, {"U", 238},  {"Np", 237}, {"Pu", 244}, {"Am", 243}, {"Cm", 247}, {"Bk", 247}, {"Cf", 251}, {"Es", 252},
    {"Fm", 257}, {"Md", 258}, {"No", 259}, {"Lr", 262}, {"Rf", 267}, {"Db", 268}, {"Sg", 269}, {"Bh", 270}, {"Hs", 269},
    {"Mt", 278}, {"Ds", 281}, {"Rg", 282}, {"Cn", 285}, {"Nh", 286}, {"Fl", 289}, {"Mc", 290}, {"Lv", 293}, {"Ts", 294},
    {"Og", 294},
}};

const Element& element_of(int element) {
    require_integer("dfr.element", element, 1, max_element);
    return elements[static_cast<std::size_t>(element - 1)];
}

// Electrons that are not in the subshell that the n + l rule (Madelung) predicts: they move from `from` to `to`.
struct Exception {
    int element;
    Subshell from, to;
};

constexpr std::array<Exception, 20> exceptions{{
    {24, {4, 0, 1}, {3, 2, 1}}, {29, {4, 0, 1}, {3, 2, 1}}, {41, {5, 0, 1}, {4, 2, 1}}, {42, {5, 0, 1}, {4, 2, 1}},
    {44, {5, 0, 1}, {4, 2, 1}}, {45, {5, 0, 1}, {4, 2, 1}}, {46, {5, 0, 2}, {4, 2, 2}}, {47, {5, 0, 1}, {4, 2, 1}},
    {57, {4, 3, 1}, {5, 2, 1}}, {58, {4, 3, 1}, {5, 2, 1}}, {64, {4, 3, 1}, {5, 2, 1}}, {78, {6, 0, 1}, {5, 2, 1}},
    {79, {6, 0, 1}, {5, 2, 1}}, {89, {5, 3, 1}, {6, 2, 1}}, {90, {5, 3, 2}, {6, 2, 2}}, {91, {5, 3, 1}, {6, 2, 1}},
    {92, {5, 3, 1}, {6, 2, 1}}, {93, {5, 3, 1}, {6, 2, 1}}, {96, {5, 3, 1}, {6, 2, 1}}, {103, {6, 2, 1}, {7, 1, 1}},
}};

void add(std::vector<Subshell>& subshells, const Subshell& shell, int sign) {
    for (Subshell& s : subshells)
        if (s.n == shell.n && s.l == shell.l) {
            s.electrons += sign * shell.electrons;
            return;
        }
    subshells.push_back({shell.n, shell.l, sign * shell.electrons});
}

}  // namespace

const char* symbol_of(int element) {
    return element_of(element).symbol;
}

int mass_number_of(int element) {
    return element_of(element).mass_number;
}

std::vector<Subshell> ground_configuration(int element) {
    require_integer("dfr.element", element, 1, max_element);
    std::vector<Subshell> subshells;
    int left = element;
    for (int sum = 1; left > 0; ++sum)
        for (int l = (sum - 1) / 2; l >= 0 && left > 0; --l) {
            const int electrons = std::min(left, 4 * l + 2);
            subshells.push_back({sum - l, l, electrons});
            left -= electrons;
        }
    for (const Exception& exception : exceptions)
        if (exception.element == element) {
            add(subshells, exception.from, -1);
            add(subshells, exception.to, 1);
        }
    std::erase_if(subshells, [](const Subshell& s) { return s.electrons == 0; });
    return subshells;
}

double nuclear_rms(int mass_number) {
    return (0.836 * std::cbrt(mass_number) + 0.570) / femtometres_a_bohr;
}

Nucleus make_nucleus(int element, NuclearModel model) {
    const double rms = nuclear_rms(mass_number_of(element));
    Nucleus nucleus{static_cast<double>(element), model, std::sqrt(5.0 / 3.0) * rms, 1.5 / (rms * rms)};
    if (model == NuclearModel::fermi) {
        nucleus.radius = fermi_radius(rms, nuclear_skin);
        nucleus.skin = nuclear_skin;
    }
    if (nucleus.radius == 0.0)
        fail(Status::invalid_argument, "dfr.element: ", element, " is not in 2..", max_element,
             " with a Fermi nucleus: a skin of 2.30 fm alone makes it larger than its root-mean-square radius");
    return nucleus;
}

}  // namespace legato::dfr
