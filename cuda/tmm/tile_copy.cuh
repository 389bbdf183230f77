// Copies of tiles from device to shared memory, which go on while the block computes.
#pragma once

#include <cuda_pipeline_primitives.h>

#include "tmm/grid_layout.hpp"

namespace legato::tmm {

// The copy of 64 rows of 64 columns to [grid_panel][grid_stride], which is zero where there are none. It is started in
// parts, one between every few matrix instructions: if all began at once, all threads would wait until memory has
// accepted them. All threads of the block start each part.
struct TileCopy {
    static constexpr int parts = grid_panel / grid_warps;

    double* to = nullptr;  // null: nothing is copied
    const double* from = nullptr;
    int stride = 0;             // distance of columns, in doubles
    int columns = 0, rows = 0;  // that there are, also if more than 64; the number of rows is even

    __device__ void start(int part) const {
        static_assert(grid_rows == 64 && grid_panel == 64);
        if (!to) return;
        const int column = part * grid_warps + static_cast<int>(threadIdx.x) / 32;
        const int row = 2 * (static_cast<int>(threadIdx.x) % 32);
        const bool holds = column < columns && row < rows;
        __pipeline_memcpy_async(to + column * grid_stride + row, from + (holds ? column * stride + row : 0), 16,
                                holds ? 0 : 16);
    }
    __device__ void start() const {
#pragma unroll 4
        for (int part = 0; part < parts; ++part) start(part);
    }
};

}  // namespace legato::tmm
