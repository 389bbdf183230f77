// The memory of slots, on both backends.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "core/memory.hpp"
#include "kpm/hamiltonian.hpp"

namespace legato::kpm {

struct SlotLayout {
    std::size_t sites = 0, lanes = 1;
    std::size_t count = 0;   // numbers of a vector, with zeros at the end, a multiple of 8
    std::size_t stride = 0;  // distance of two slots in numbers, a multiple of 8
};

// The stride is an odd multiple of 4 KiB and a cache line, so that the same piece of many vectors is in different sets
// of a cache. Vectors shorter than 8 KiB follow each other.
inline SlotLayout layout_of_slots(std::span<const Hamiltonian* const> operators) {
    constexpr std::size_t line = 8, page = 64, group = 2 * page;  // numbers of a line, lines of a page and of two
    SlotLayout layout;
    layout.sites = static_cast<std::size_t>(sites_of(*operators[0]));
    for (const Hamiltonian* const one : operators)
        layout.lanes = std::max(layout.lanes, static_cast<std::size_t>(lanes_of(*one)));
    const std::size_t lines = (layout.sites * layout.lanes + line - 1) / line;
    layout.count = lines * line;
    layout.stride = (lines < group ? lines : lines + (group + page + 1 - lines % group) % group) * line;
    return layout;
}

MemoryNeeds cpu_product_needs(const SlotLayout& layout);
MemoryNeeds cuda_product_needs(const SlotLayout& layout);

}  // namespace legato::kpm
