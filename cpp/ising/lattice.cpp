#include "ising/lattice.hpp"

#include "core/validate.hpp"

namespace legato::ising {
namespace {

// Throws if a value of the third axis of a square lattice is not `none`.
void require_none(std::string_view field, std::int64_t value, std::int64_t none) {
    if (value != none)
        fail(Status::invalid_argument, field, ": ", value, " is not in ", none, "..", none, " in two dimensions");
}

}  // namespace

void validate(const Lattice& lattice) {
    require_integer("ising.params.dimension", lattice.dimension, 2, 3);
    std::int64_t sites = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const auto i = static_cast<std::size_t>(axis);
        const std::int64_t extent = lattice.extents[i];
        const std::string field = text("ising.params.extents[", axis, "]"),
                          boundary_field = text("ising.params.boundary[", axis, "]");
        const int boundary = static_cast<int>(lattice.boundary[i]);
        if (axis >= lattice.dimension) {
            require_none(field, extent, 1);
            require_none(boundary_field, boundary, 0);
            continue;
        }
        require_integer(field, extent, 2, max_extents);
        if (extent % 2 != 0)
            fail(Status::invalid_argument, field, ": ", extent,
                 " is odd; extents must be even, because sites are updated by the colours of a checkerboard");
        require_integer(boundary_field, boundary, 0, 1);
        sites *= extent;
    }
    if (sites > most_sites)
        fail(Status::invalid_argument, "ising.params.extents: ", sites, " sites are more than ", most_sites);
    const std::int64_t words = sites / lattice.extents[0] * ((lattice.extents[0] + 63) / 64);
    if (words > most_words)
        fail(Status::invalid_argument, "ising.params.extents: rows of ", lattice.extents[0], " sites take ", words,
             " words of a colour, more than ", most_words);
}

Packing packing_of(const Lattice& lattice) {
    Packing p;
    p.bits = static_cast<std::uint32_t>(lattice.extents[0] / 2);
    p.width = (p.bits + 31) / 32;
    p.rows_y = static_cast<std::uint32_t>(lattice.extents[1]);
    p.rows_z = static_cast<std::uint32_t>(lattice.extents[2]);
    p.last_bits = p.bits - 32 * (p.width - 1);
    const auto flips = [&](std::size_t axis) { return lattice.boundary[axis] == Boundary::antiperiodic; };
    p.flip_x = flips(0);
    p.flip_y = flips(1);
    p.flip_z = flips(2);
    p.cubic = lattice.dimension == 3;
    return p;
}

}  // namespace legato::ising
