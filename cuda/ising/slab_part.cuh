// The part of a slab (cpp/ising/slab.hpp) that a launch or a block updates.
#pragma once

#include <cstdint>

#include "ising/metropolis_kernels.cuh"

namespace legato::ising {

struct SlabNumbers {
    std::uint32_t first, shifted;

    __device__ std::uint32_t number(std::uint32_t stored) const { return first + stored; }
    __device__ std::uint32_t local_colour(std::uint32_t colour) const { return colour ^ shifted; }
};

// The layers first, first + stride, ... before `end`. On a square lattice, a thread updates `strip` rows from each of
// them on; on a cubic one, `strip` rows of the plane.
struct SlabPart {
    std::uint32_t first, stride, end, strip;

    LEGATO_HOST_DEVICE std::uint32_t groups() const { return first < end ? (end - first + stride - 1) / stride : 0; }
    LEGATO_HOST_DEVICE std::uint32_t strips(const Packing& p) const {
        return p.cubic ? (p.rows_y + strip - 1) / strip : 1;
    }
    LEGATO_HOST_DEVICE std::uint64_t columns(const Packing& p) const {
        return std::uint64_t{p.width} * strips(p) * groups();
    }
    __device__ Column column(const Packing& p, std::uint32_t number) const {
        const std::uint32_t word = number % p.width, others = number / p.width, strip_of = others % strips(p),
                            layer = first + others / strips(p) * stride;
        if (p.cubic) return {p, word, layer, strip_of * strip, min((strip_of + 1) * strip, p.rows_y)};
        return {p, word, 0, layer, min(layer + strip, end)};
    }
};

}  // namespace legato::ising
