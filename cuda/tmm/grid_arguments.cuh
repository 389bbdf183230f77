// Arguments of the grid kernel.
#pragma once

#include "tmm/grid_layout.hpp"
#include "tmm/slot.cuh"

namespace legato::tmm {

// What orthonormalisation needs of the panels. An array has an element, or a row, for each column.
struct PanelFactors {
    double* inverses;  // [sites][grid_panel] R^-T of every panel, or the factors for replace_panel()
    double* norms2;    // [sites] squared pivots
    int* widths;       // [sites] width of the panel that begins at a column
    int* steep;        // [sites] 1 if that panel is steep, else 0
};

// Returns these arrays in the working memory of a group.
LEGATO_HOST_DEVICE inline PanelFactors panel_factors(double* memory, const GridLayout& layout, int sites) {
    double* const inverses = memory + layout.factors_at;
    double* const norms2 = inverses + sites * grid_panel;
    int* const widths = reinterpret_cast<int*>(norms2 + sites);
    return {inverses, norms2, widths, widths + sites};
}

// Counters of a group, all 0 at the launch. Each has a line of the cache for itself.
struct GroupCounters {
    struct alignas(128) Counter {
        unsigned value;
    };
    Counter arrivals;    // of thread blocks at barriers
    Counter tiles_done;  // of G
    Counter units;       // of work that have been taken (GridPoint::share_units)
    Counter next;        // index of the point in KernelArguments::work
};

// The memory of a device that the other devices write to.
struct GridPeer {
    double* psi;  // Slots::psi
    PanelFactors factors;
    unsigned* signals;  // [devices][tiles of rows + 2] number of the last panel of which a device has sent a tile of
                        // rows, and the factors; number of its last orthonormalisation
};

struct GridShare {
    int part, parts;    // this device, and the number of devices
    unsigned* stopped;  // not 0: a wait took too long
    GridPeer peers[most_grid_parts];
};

struct GridArguments {
    KernelArguments common;
    GridLayout layout;
    double* memory;           // [groups][layout.doubles] working memory
    GroupCounters* counters;  // [groups]
    GridShare share;          // if several devices share the point
};

}  // namespace legato::tmm
