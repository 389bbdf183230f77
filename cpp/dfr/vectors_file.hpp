// Writes the spinors of a list of atoms into an HDF5 file, for other programs. docs/dfr.md describes its entries.
#pragma once

#include <filesystem>
#include <vector>

#include "dfr/problem.hpp"
#include "dfr/result.hpp"

namespace legato::dfr {

// Replaces the file. Atoms without a result have no states. Throws io_error if the file cannot be written.
void write_vectors(const Problem& problem, const std::vector<Atom>& atoms, const std::vector<AtomResult>& results,
                   const std::filesystem::path& path);

}  // namespace legato::dfr
