#include "dfr/well_tempered.hpp"

#include <algorithm>
#include <cmath>

#include "core/validate.hpp"
#include "dfr/configuration.hpp"
#include "dfr/elements.hpp"

namespace legato::dfr {
namespace {

// clang-format off
constexpr LibraryBasis library[] = {
    {2, {8.140e-2, 1.953, 4.504, 1.515}, {{{1, 18}}}},  // He
    {3, {1.596e-2, 1.933, 5.701, 1.573}, {{{1, 22}}}},  // Li
    {4, {2.647e-2, 1.938, 5.841, 1.594}, {{{1, 22}}}},  // Be
    {5, {3.238e-2, 1.948, 5.573, 1.523}, {{{1, 22}, {1, 15}}}},  // B
    {6, {4.613e-2, 1.941, 4.717, 1.317}, {{{1, 23}, {1, 15}}}},  // C
    {7, {5.976e-2, 1.923, 5.183, 1.442}, {{{1, 23}, {1, 16}}}},  // N
    {8, {6.967e-2, 1.936, 5.170, 1.426}, {{{1, 23}, {1, 16}}}},  // O
    {9, {8.321e-2, 1.942, 5.084, 1.408}, {{{1, 23}, {1, 16}}}},  // F
    {10, {9.943e-2, 1.945, 4.988, 1.392}, {{{1, 23}, {1, 16}}}},  // Ne
    {11, {1.696e-2, 1.950, 6.056, 1.469}, {{{1, 26}, {3, 19}}}},  // Na
    {12, {2.375e-2, 1.932, 5.686, 1.430}, {{{1, 26}, {3, 19}}}},  // Mg
    {13, {2.239e-2, 1.898, 5.555, 1.413}, {{{1, 27}, {1, 20}}}},  // Al
    {14, {3.352e-2, 1.921, 5.419, 1.410}, {{{1, 26}, {1, 19}}}},  // Si
    {15, {4.410e-2, 1.907, 5.196, 1.390}, {{{1, 26}, {1, 19}}}},  // P
    {16, {5.004e-2, 1.896, 4.962, 1.362}, {{{1, 26}, {1, 19}}}},  // S
    {17, {5.831e-2, 1.886, 4.784, 1.344}, {{{1, 26}, {1, 19}}}},  // Cl
    {18, {6.834e-2, 1.878, 4.654, 1.331}, {{{1, 26}, {1, 19}}}},  // Ar
    {19, {1.392e-2, 1.889, 6.354, 1.523}, {{{1, 28}, {3, 22}}}},  // K
    {20, {1.837e-2, 1.874, 6.109, 1.504}, {{{1, 28}, {3, 22}}}},  // Ca
    {21, {2.040e-2, 1.878, 6.160, 1.505}, {{{1, 28}, {3, 22}, {2, 16}}}},  // Sc
    {22, {2.218e-2, 1.886, 6.247, 1.508}, {{{1, 28}, {3, 22}, {2, 16}}}},  // Ti
    {23, {2.361e-2, 1.887, 6.573, 1.507}, {{{1, 29}, {3, 23}, {2, 16}}}},  // V
    {24, {2.345e-2, 1.865, 5.348, 1.407}, {{{1, 29}, {3, 22}, {2, 17}}}},  // Cr
    {25, {2.572e-2, 1.865, 5.336, 1.407}, {{{1, 29}, {3, 22}, {2, 17}}}},  // Mn
    {26, {2.621e-2, 1.869, 5.301, 1.395}, {{{1, 29}, {3, 22}, {3, 17}}}},  // Fe
    {27, {2.643e-2, 1.871, 5.905, 1.413}, {{{1, 29}, {4, 23}, {3, 17}}}},  // Co
    {28, {2.882e-2, 1.875, 5.935, 1.413}, {{{1, 29}, {3, 23}, {3, 17}}}},  // Ni
    {29, {2.283e-2, 1.857, 5.485, 1.413}, {{{1, 30}, {4, 23}, {3, 18}}}},  // Cu
    {30, {3.297e-2, 1.881, 5.817, 1.339}, {{{1, 30}, {3, 24}, {2, 17}}}},  // Zn
    {31, {2.742e-2, 1.863, 5.703, 1.462}, {{{1, 30}, {1, 23}, {3, 18}}}},  // Ga
    {32, {3.143e-2, 1.848, 5.290, 1.386}, {{{1, 30}, {1, 23}, {4, 18}}}},  // Ge
    {33, {4.728e-2, 1.869, 5.325, 1.340}, {{{1, 30}, {1, 23}, {3, 17}}}},  // As
    {34, {5.087e-2, 1.847, 4.949, 1.533}, {{{1, 30}, {1, 22}, {3, 18}}}},  // Se
    {35, {5.927e-2, 1.861, 5.192, 1.333}, {{{1, 30}, {1, 23}, {3, 17}}}},  // Br
    {36, {6.804e-2, 1.859, 5.510, 1.370}, {{{1, 29}, {1, 23}, {3, 17}}}},  // Kr
    {37, {1.421e-2, 1.856, 7.181, 1.626}, {{{1, 30}, {3, 25}, {6, 21}}}},  // Rb
    {38, {1.808e-2, 1.846, 6.674, 1.553}, {{{1, 30}, {3, 25}, {6, 20}}}},  // Sr
    {39, {1.997e-2, 1.841, 6.569, 1.543}, {{{1, 30}, {3, 25}, {2, 20}}}},  // Y
    {40, {2.184e-2, 1.837, 6.485, 1.535}, {{{1, 30}, {3, 25}, {2, 20}}}},  // Zr
    {41, {2.340e-2, 1.835, 6.434, 1.530}, {{{1, 30}, {3, 25}, {2, 20}}}},  // Nb
    {42, {2.537e-2, 1.832, 6.372, 1.524}, {{{1, 30}, {3, 25}, {2, 20}}}},  // Mo
    {43, {2.597e-2, 1.836, 6.453, 1.534}, {{{1, 30}, {3, 25}, {2, 20}}}},  // Tc
    {44, {2.682e-2, 1.833, 6.788, 1.606}, {{{1, 30}, {3, 25}, {2, 21}}}},  // Ru
    {45, {2.751e-2, 1.835, 6.883, 1.620}, {{{1, 30}, {3, 25}, {2, 21}}}},  // Rh
    {46, {5.944e-2, 1.827, 5.980, 1.504}, {{{1, 29}, {2, 24}, {1, 19}}}},  // Pd
    {47, {2.438e-2, 1.800, 5.521, 1.423}, {{{1, 31}, {4, 25}, {3, 21}}}},  // Ag
    {48, {2.911e-2, 1.786, 5.334, 1.408}, {{{1, 31}, {4, 25}, {3, 21}}}},  // Cd
    {49, {2.714e-2, 1.799, 5.540, 1.431}, {{{1, 31}, {1, 25}, {3, 21}}}},  // In
    {50, {2.884e-2, 1.794, 5.422, 1.415}, {{{1, 31}, {1, 25}, {4, 21}}}},  // Sn
    {51, {4.481e-2, 1.815, 6.567, 1.605}, {{{1, 30}, {1, 25}, {3, 21}}}},  // Sb
    {52, {4.846e-2, 1.817, 6.247, 1.528}, {{{1, 30}, {1, 26}, {3, 20}}}},  // Te
    {53, {5.369e-2, 1.810, 6.016, 1.505}, {{{1, 30}, {1, 25}, {3, 20}}}},  // I
    {54, {5.981e-2, 1.802, 5.862, 1.490}, {{{1, 30}, {1, 25}, {3, 20}}}},  // Xe
    {55, {1.177e-2, 1.792, 6.485, 1.510}, {{{1, 33}, {4, 28}, {5, 23}}}},  // Cs
    {56, {1.560e-2, 1.770, 6.152, 1.518}, {{{1, 32}, {3, 28}, {6, 23}}}},  // Ba
    {57, {1.716e-2, 1.764, 6.067, 1.513}, {{{1, 32}, {3, 28}, {2, 23}, {5, 14}}}},  // La
    {59, {1.696e-2, 1.776, 6.297, 1.533}, {{{1, 32}, {3, 28}, {6, 23}, {4, 19}}}},  // Pr
    {60, {1.737e-2, 1.778, 6.563, 1.579}, {{{1, 32}, {3, 28}, {6, 24}, {4, 19}}}},  // Nd
    {61, {1.784e-2, 1.780, 6.615, 1.585}, {{{1, 32}, {3, 28}, {6, 24}, {4, 19}}}},  // Pm
    {62, {1.857e-2, 1.778, 5.842, 1.464}, {{{1, 33}, {3, 27}, {6, 23}, {4, 19}}}},  // Sm
    {63, {1.876e-2, 1.784, 6.718, 1.596}, {{{1, 32}, {3, 28}, {6, 24}, {4, 19}}}},  // Eu
    {66, {2.020e-2, 1.788, 6.543, 1.540}, {{{1, 33}, {3, 28}, {6, 23}, {4, 19}}}},  // Dy
    {68, {2.106e-2, 1.792, 7.029, 1.638}, {{{1, 32}, {3, 28}, {6, 24}, {4, 20}}}},  // Er
    {69, {2.152e-2, 1.794, 7.075, 1.643}, {{{1, 32}, {3, 28}, {6, 24}, {4, 20}}}},  // Tm
    {71, {2.373e-2, 1.790, 7.018, 1.640}, {{{1, 32}, {3, 28}, {2, 24}, {4, 20}}}},  // Lu
    {72, {2.511e-2, 1.788, 6.963, 1.636}, {{{1, 32}, {3, 28}, {2, 24}, {5, 20}}}},  // Hf
    {73, {2.684e-2, 1.784, 6.907, 1.633}, {{{1, 32}, {2, 28}, {2, 24}, {5, 20}}}},  // Ta
    {74, {2.814e-2, 1.783, 6.889, 1.633}, {{{1, 32}, {3, 28}, {2, 24}, {5, 20}}}},  // W
    {75, {2.931e-2, 1.782, 6.886, 1.634}, {{{1, 32}, {3, 28}, {2, 24}, {5, 20}}}},  // Re
    {76, {3.075e-2, 1.781, 6.896, 1.637}, {{{1, 32}, {2, 29}, {2, 24}, {4, 20}}}},  // Os
    {77, {3.195e-2, 1.780, 6.867, 1.635}, {{{1, 32}, {3, 28}, {2, 24}, {5, 20}}}},  // Ir
    {78, {3.173e-2, 1.785, 7.020, 1.654}, {{{1, 32}, {3, 28}, {2, 24}, {5, 20}}}},  // Pt
    {79, {3.190e-2, 1.791, 6.702, 1.569}, {{{1, 33}, {4, 28}, {2, 23}, {5, 19}}}},  // Au
    {80, {3.546e-2, 1.781, 6.691, 1.604}, {{{1, 32}, {3, 28}, {2, 23}, {5, 20}}}},  // Hg
    {81, {3.241e-2, 1.794, 6.826, 1.561}, {{{1, 34}, {1, 29}, {3, 23}, {6, 20}}}},  // Tl
    {82, {3.867e-2, 1.778, 6.948, 1.656}, {{{1, 32}, {1, 28}, {3, 25}, {6, 21}}}},  // Pb
    {83, {4.514e-2, 1.766, 6.158, 1.545}, {{{1, 32}, {1, 27}, {2, 24}, {6, 19}}}},  // Bi
    {84, {4.783e-2, 1.763, 5.977, 1.516}, {{{1, 32}, {1, 27}, {3, 23}, {6, 19}}}},  // Po
    {85, {5.210e-2, 1.757, 5.846, 1.502}, {{{1, 32}, {1, 27}, {3, 23}, {6, 19}}}},  // At
    {86, {5.716e-2, 1.749, 5.695, 1.486}, {{{1, 32}, {1, 27}, {3, 23}, {6, 19}}}},  // Rn
};
// clang-format on

const LibraryBasis& library_row(int element) {
    const auto* const found =
        std::find_if(std::begin(library), std::end(library), [&](const auto& row) { return row.element == element; });
    if (found == std::end(library))
        fail(Status::invalid_argument, "dfr.element: ", element,
             " is not in the basis library, which has 2..86 without 58, 64, 65, 67, 70");
    return *found;
}

}  // namespace

std::vector<double> well_tempered_exponents(const WellTempered& parameters, int count) {
    require_real("dfr.well_tempered.alpha", parameters.alpha, smallest_exponent, largest_exponent);
    require_real("dfr.well_tempered.beta", parameters.beta, 1.0, 1e3);
    require_real("dfr.well_tempered.delta", parameters.delta, 0.0, 1e3);
    require_real("dfr.well_tempered.gamma", parameters.gamma, 0.0, 1e3);
    require_integer("dfr.well_tempered.count", count, 1, max_functions);
    std::vector<double> exponents{parameters.alpha};
    for (int k = 2; k <= count; ++k) {
        const double growth =
            k == 2 ? 1.0 : 1.0 + parameters.gamma * std::pow(static_cast<double>(k) / count, parameters.delta);
        exponents.push_back(exponents.back() * parameters.beta * growth);
        require_real(text("dfr.well_tempered.exponents[", k - 1, "]"), exponents.back(), smallest_exponent,
                     largest_exponent);
    }
    return exponents;
}

std::span<const LibraryBasis> basis_library() {
    return library;
}

void validate(const WellTemperedBasis& basis, std::string_view field) {
    const auto species = static_cast<std::int64_t>(basis.ranges.size());
    require_integer(text(field, ".n_species"), species, 1, max_symmetries);
    require_integer(text(field, ".n_groups"), static_cast<std::int64_t>(basis.groups.size()), 1, species);
    if (basis.group.size() != basis.ranges.size())
        fail(Status::invalid_argument, field, ".group: ", basis.group.size(), " values are not ", species,
             ", one for each species");
    for (std::size_t s = 0; s < basis.ranges.size(); ++s) {
        const std::string name = name_of(static_cast<int>(s));
        require_integer(text(field, ".group[", name, "]"), basis.group[s], 0,
                        static_cast<std::int64_t>(basis.groups.size()) - 1);
        const auto [first, last] = basis.ranges[s];
        if (first == 0 && last == 0) continue;
        require_integer(text(field, ".first[", name, "]"), first, 1, max_functions);
        require_integer(text(field, ".last[", name, "]"), last, first, max_functions);
    }
    exponents_of(basis);
}

std::vector<std::vector<double>> exponents_of(const WellTemperedBasis& basis) {
    std::vector<std::vector<double>> exponents(basis.ranges.size());
    for (std::size_t g = 0; g < basis.groups.size(); ++g) {
        int pool_size = 0;
        for (std::size_t s = 0; s < basis.ranges.size(); ++s)
            if (basis.group[s] == static_cast<int>(g)) pool_size = std::max(pool_size, basis.ranges[s].last);
        if (pool_size == 0) continue;
        const std::vector<double> pool = well_tempered_exponents(basis.groups[g], pool_size);
        for (std::size_t s = 0; s < basis.ranges.size(); ++s)
            if (basis.group[s] == static_cast<int>(g) && basis.ranges[s].last > 0)
                exponents[s].assign(pool.begin() + basis.ranges[s].first - 1, pool.begin() + basis.ranges[s].last);
    }
    return exponents;
}

WellTemperedBasis library_basis(int element, std::size_t species) {
    const LibraryBasis& row = library_row(element);
    WellTemperedBasis basis{{row.parameters}, std::vector<int>(species, 0), {}};
    basis.ranges.resize(species);
    for (std::size_t s = 0; s < std::min<std::size_t>(species, 7); ++s)
        basis.ranges[s] = row.ranges[static_cast<std::size_t>(l_of(static_cast<int>(s)))];
    return basis;
}

Atom library_atom(int element, NuclearModel model) {
    library_row(element);
    Atom atom{make_nucleus(element, model), {}, average_of_configuration(ground_configuration(element))};
    atom.exponents = exponents_of(library_basis(element, atom.configuration.closed.size()));
    return atom;
}

}  // namespace legato::dfr
