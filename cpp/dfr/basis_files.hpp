// Files of basis sets. Numbers are written with 17 digits, so that reading gives the same functions bit for bit.
//
// All formats hold spherical functions of one l, which both j share. They have no place for functions of one j, nor for
// small components.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/context.hpp"
#include "dfr/basis_sets.hpp"

namespace legato::dfr {

enum class BasisFormat : int {
    bse_json = 0,    // JSON of the Basis Set Exchange, schema "minimal", version 0.1
    nwchem = 1,      // NWChem's BASIS directive
    gaussian94 = 2,  // Gaussian's basis set input; functions of a general contraction become shells of their own
    dirac = 3,       // basis set library of DIRAC and Dalton; one block of functions for each l
};

// Texts that a file may contain besides the sets.
struct BasisTexts {
    std::string name, description;
};

// Returns the sets of a file. Rank 0 reads the file and passes its contents to the other ranks. Throws bad_file if
// there is an error in it; the message gives the line or the JSON path. Effective core potentials and Cartesian
// functions are errors. Collective.
std::vector<BasisSet> read_basis_file(const Context& context, const std::filesystem::path& path, BasisFormat format);

// Replaces the file when the new one is complete. Throws an invalid_argument if the format has no place for a function.
void write_basis_file(const std::filesystem::path& path, BasisFormat format, const std::vector<BasisSet>& sets,
                      const BasisTexts& texts);

// Returns the sets of an installed library: NAME.json in one of the folders below, as rank 0 finds it. If largest_error
// is not 0, the file is NAME-ERROR.json with the largest error not above largest_error. The folders are, in this order:
//     those of the environment variable LEGATO_BASIS_PATH
//     share/legato/basis in the prefix of the library, or of the program if the library is linked statically; a build
//     tree has this folder, too
//     the folder into which the library was configured to be installed
// Throws an invalid_argument that names the folders and the libraries in them if there is none. Collective.
std::vector<BasisSet> read_basis_library(const Context& context, std::string_view name, double largest_error);

}  // namespace legato::dfr
