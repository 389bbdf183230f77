#include "dfr/basis_sets.hpp"

#include <algorithm>
#include <cmath>

#include "core/validate.hpp"
#include "dfr/elements.hpp"
#include "dfr/open_shells.hpp"

namespace legato::dfr {
namespace {

bool belongs(const BasisShell& shell, int species) {
    return shell.l == l_of(species) && (shell.twice_j == 0 || shell.twice_j == twice_j_of(species));
}

// Returns the last species with functions, plus 1.
std::size_t species_count(const BasisSet& set) {
    std::size_t count = 0;
    for (int s = 0; s < max_symmetries; ++s)
        for (const BasisShell& shell : set.shells)
            if (belongs(shell, s)) count = static_cast<std::size_t>(s) + 1;
    return count;
}

BasisShell primitive(int l, int twice_j, double exponent) {
    return {l, twice_j, {exponent}, {{1.0}}};
}

// Calls work(l, first species, second species) for every l. s has only one species.
template <class Work>
void for_each_l(std::size_t species, const Work& work) {
    for (int l = 0; l <= max_l; ++l) {
        const std::size_t upper = 2 * static_cast<std::size_t>(l), lower = l > 0 ? upper - 1 : upper;
        if (lower < species) work(l, lower, upper);
    }
}

// The radial overlap of two functions r^(l+1) exp(-zeta r^2) that are normalised to 1.
double overlap(double a, double b, int l) {
    return std::pow(2.0 * std::sqrt(a / b) / (1.0 + a / b), l + 1.5);
}

double overlap(const std::vector<double>& exponents, int l, const std::vector<double>& a,
               const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t p = 0; p < exponents.size(); ++p)
        for (std::size_t q = 0; q < exponents.size(); ++q) sum += a[p] * b[q] * overlap(exponents[p], exponents[q], l);
    return sum;
}

// Normalises a function, and makes its largest coefficient positive.
std::vector<double> normalised(const std::vector<double>& exponents, int l, std::vector<double> coefficients) {
    const double largest = *std::max_element(coefficients.begin(), coefficients.end(),
                                             [](double a, double b) { return std::fabs(a) < std::fabs(b); });
    const double norm = std::sqrt(overlap(exponents, l, coefficients, coefficients));
    for (double& c : coefficients) c /= std::copysign(norm, largest);
    return coefficients;
}

// The large components of the occupied spinors of a species.
BasisShell occupied_shell(const Atom& atom, const AtomResult& result, std::size_t species) {
    const int s = static_cast<int>(species);
    BasisShell shell{l_of(s), twice_j_of(s), atom.exponents[species], {}};
    if (!atom.only_small.empty()) shell.exponents.resize(shell.exponents.size() - atom.only_small[species]);
    const Matrix& large = result.species[species].large;
    for (const OccupiedShell& occupied : occupied_shells(atom.configuration, species)) {
        const double* const column = large.column(occupied.index);
        shell.coefficients.push_back(normalised(shell.exponents, shell.l, {column, column + shell.exponents.size()}));
    }
    return shell;
}

BasisShell averaged(const BasisShell& lower, const BasisShell& upper, std::string_view field) {
    if (lower.coefficients.empty() && upper.coefficients.empty()) return lower;
    const std::string l_name(1, "spdfghi"[lower.l]);
    if (lower.exponents != upper.exponents)
        fail(Status::invalid_argument, field, ": an average over j needs the same exponents for both j, and those of ",
             l_name, " differ");
    if (lower.coefficients.size() != upper.coefficients.size())
        fail(Status::invalid_argument, field,
             ": an average over j needs the same number of occupied spinors for both j, but ", l_name, " has ",
             lower.coefficients.size(), " and ", upper.coefficients.size());
    BasisShell shell{lower.l, 0, lower.exponents, {}};
    for (std::size_t n = 0; n < lower.coefficients.size(); ++n) {
        const auto &a = lower.coefficients[n], &b = upper.coefficients[n];
        const double sign = overlap(shell.exponents, shell.l, a, b) < 0.0 ? -1.0 : 1.0;
        std::vector<double> mean(a.size());
        for (std::size_t p = 0; p < mean.size(); ++p)
            mean[p] = (lower.twice_j + 1) * a[p] + sign * (upper.twice_j + 1) * b[p];
        shell.coefficients.push_back(normalised(shell.exponents, shell.l, std::move(mean)));
    }
    return shell;
}

// Returns false if two species have equally many occupied shells, but not the same ones.
bool same_shells(const Configuration& configuration, std::size_t lower, std::size_t upper) {
    const auto of_lower = occupied_shells(configuration, lower), of_upper = occupied_shells(configuration, upper);
    return of_lower.size() != of_upper.size() ||
           std::equal(of_lower.begin(), of_lower.end(), of_upper.begin(),
                      [](const OccupiedShell& a, const OccupiedShell& b) { return a.index == b.index; });
}

// Appends a shell and the primitives with the smallest exponents, unless the atom has no electrons in it.
void append(BasisSet& set, const BasisShell& shell, int primitives, std::string_view field) {
    if (shell.coefficients.empty()) return;
    set.shells.push_back(shell);
    std::vector<double> exponents = shell.exponents;
    if (static_cast<std::size_t>(primitives) > exponents.size())
        fail(Status::invalid_argument, field, ".primitives: ", primitives, " is more than the ", exponents.size(),
             " functions of ", "spdfghi"[shell.l]);
    std::sort(exponents.begin(), exponents.end());
    for (int k = primitives; k > 0; --k)
        set.shells.push_back(primitive(shell.l, shell.twice_j, exponents[static_cast<std::size_t>(k - 1)]));
}

}  // namespace

void validate(const BasisShell& shell, std::string_view where) {
    require_integer(text(where, ": angular momentum l"), shell.l, 0, max_l);
    require_integer(text(where, ": number of exponents"), static_cast<std::int64_t>(shell.exponents.size()), 1,
                    max_functions);
    require_integer(text(where, ": number of contracted functions"),
                    static_cast<std::int64_t>(shell.coefficients.size()), 1, max_functions);
    for (std::size_t p = 0; p < shell.exponents.size(); ++p) {
        const double exponent = shell.exponents[p];
        require_real([&] { return text(where, ": exponent ", p + 1); }, exponent, smallest_exponent, largest_exponent);
        if (std::count(shell.exponents.begin(), shell.exponents.end(), exponent) > 1)
            fail(Status::invalid_argument, where, ": the exponent ", exponent, " comes twice in a shell");
    }
    for (const auto& function : shell.coefficients) {
        if (function.size() != shell.exponents.size())
            fail(Status::invalid_argument, where, ": ", function.size(), " coefficients for ", shell.exponents.size(),
                 " exponents");
        for (const double c : function) require_real([&] { return text(where, ": coefficient"); }, c, -1e100, 1e100);
        if (std::all_of(function.begin(), function.end(), [](double c) { return c == 0.0; }))
            fail(Status::invalid_argument, where, ": all coefficients of a function are 0");
    }
}

std::size_t index_of(const std::vector<BasisSet>& sets, int element) {
    const auto found = std::find_if(sets.begin(), sets.end(), [&](const auto& set) { return set.element == element; });
    return static_cast<std::size_t>(found - sets.begin());
}

std::string elements_of(const std::vector<BasisSet>& sets) {
    std::string names;
    for (int first = 1; first <= max_element; ++first) {
        if (index_of(sets, first) == sets.size()) continue;
        int last = first;
        while (last < max_element && index_of(sets, last + 1) < sets.size()) ++last;
        if (!names.empty()) names += ", ";
        names += symbol_of(first);
        if (last > first) names += text(last > first + 1 ? "-" : ", ", symbol_of(last));
        first = last;
    }
    return names.empty() ? "none" : names;
}

std::vector<std::vector<double>> exponents_of(const BasisSet& set, std::string_view where) {
    std::vector<std::vector<double>> exponents(species_count(set));
    for (std::size_t s = 0; s < exponents.size(); ++s) {
        std::vector<double>& known = exponents[s];
        std::size_t functions = 0;
        for (const BasisShell& shell : set.shells) {
            if (!belongs(shell, static_cast<int>(s))) continue;
            functions += shell.coefficients.size();
            for (const double zeta : shell.exponents)
                if (std::find(known.begin(), known.end(), zeta) == known.end()) known.push_back(zeta);
            for (const std::size_t count : {known.size(), functions})
                if (count > static_cast<std::size_t>(max_functions))
                    fail(Status::invalid_argument, where, ": ", symbol_of(set.element), " has more than ",
                         max_functions, count == functions ? " functions in " : " exponents in ",
                         name_of(static_cast<int>(s)));
        }
    }
    return exponents;
}

BasisSet uncontracted_set(int element, const std::vector<std::vector<double>>& exponents, std::string_view field) {
    BasisSet set{element, {}};
    for_each_l(exponents.size(), [&](int l, std::size_t lower, std::size_t upper) {
        const bool shared = upper < exponents.size() && exponents[lower] == exponents[upper];
        for (std::size_t s = lower; s <= (shared ? lower : std::min(upper, exponents.size() - 1)); ++s)
            for (const double zeta : exponents[s]) {
                if (std::count(exponents[s].begin(), exponents[s].end(), zeta) > 1)
                    fail(Status::invalid_argument, field, "[", name_of(static_cast<int>(s)), "]: the exponent ", zeta,
                         " comes twice");
                set.shells.push_back(primitive(l, shared ? 0 : twice_j_of(static_cast<int>(s)), zeta));
            }
    });
    return set;
}

BasisSet contracted_set(int element, const Atom& atom, const AtomResult& result, Contraction contraction,
                        int primitives, std::string_view field) {
    BasisSet set{element, {}};
    const std::size_t species = atom.exponents.size();
    require_integer(text(field, ".primitives"), primitives, 0, max_functions);
    for_each_l(species, [&](int, std::size_t lower, std::size_t upper) {
        BasisShell shell = occupied_shell(atom, result, lower);
        if (lower == upper) {
            shell.twice_j = 0;
            append(set, shell, primitives, field);
        } else if (contraction == Contraction::l_averaged) {
            const BasisShell other = upper < species ? occupied_shell(atom, result, upper)
                                                     : BasisShell{shell.l, shell.twice_j + 2, shell.exponents, {}};
            if (upper < species && !same_shells(atom.configuration, lower, upper))
                fail(Status::invalid_argument, field,
                     ": an average over j needs the same occupied shells for both j, but those of ",
                     name_of(static_cast<int>(lower)), " and ", name_of(static_cast<int>(upper)), " differ");
            append(set, averaged(shell, other, field), primitives, field);
        } else {
            append(set, shell, primitives, field);
            if (upper < species) append(set, occupied_shell(atom, result, upper), primitives, field);
        }
    });
    exponents_of(set, field);  // checks the numbers of functions
    return set;
}

}  // namespace legato::dfr
