// The rows of a matrix that one slab has, if the parts share each vector. Rows may need elements of x from any slab.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kpm/hamiltonian.hpp"
#include "kpm/slabs.hpp"

namespace legato::kpm {

struct MatrixPart {
    // What the slab passes to another slab, and gets from it.
    struct Link {
        std::vector<std::int32_t> sent;    // own rows
        std::size_t first = 0, count = 0;  // elements of the halo
    };

    CrsMatrix rows;           // its columns count the own rows and then the halo, which has the order of the matrix
    std::size_t first = 0;    // number of the first row in the matrix
    std::size_t halo = 0;     // number of elements of other slabs
    std::vector<Link> links;  // [slabs]; that of the slab itself is empty
    Disorder disorder;        // that of the matrix

    std::size_t count() const { return static_cast<std::size_t>(rows.rows()); }
    std::size_t sent() const;  // number of elements that are sent to all other slabs
};

// The elements within a row keep their order, so that its product has the same bits.
MatrixPart part_of(const CrsView& matrix, const Slabs& slabs, std::size_t slab, int threads);

// Returns the largest number of elements that a slab needs from the others, and those that it sends to them.
struct Traffic {
    std::size_t halo = 0, sent = 0;
};
Traffic largest_traffic(const CrsView& matrix, const Slabs& slabs, int threads);

}  // namespace legato::kpm
