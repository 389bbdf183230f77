// The panels of a block on the CPU.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

namespace legato::kpm {

// A group of interleaved vectors of a block. A block consists of panels side by side, whose widths are powers of two.
struct Panel {
    std::size_t first, width;
};

inline std::vector<Panel> panels_of(std::size_t width, std::size_t widest) {
    std::vector<Panel> panels;
    for (std::size_t first = 0; first < width;) {
        panels.push_back({first, std::min(std::bit_floor(width - first), widest)});
        first += panels.back().width;
    }
    return panels;
}

}  // namespace legato::kpm
