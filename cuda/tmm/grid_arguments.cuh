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

// The memory of a device that the other devices write to.
struct GridPeer {
    double* psi;  // Slots::psi
    PanelFactors factors;
    unsigned* signals;  // [devices][tiles of rows + 2] number of the last panel of which a device has sent a tile of
                        // rows, and the factors; number of its last orthonormalisation
};

struct GridShare {
    int part, parts;     // this device, and the number of devices
    unsigned* arrivals;  // number of thread blocks that have come to a barrier since the launch
    unsigned* stopped;   // not 0: a wait took too long
    GridPeer peers[most_grid_parts];
};

struct GridArguments {
    KernelArguments common;
    GridLayout layout;
    double* potentials;    // [grid_slices][sites] E - V
    double* overlaps;      // [splits][sites][grid_panel] W of each share of the rows
    double* grams;         // [tiles of rows][grid_panel][grid_panel] G of the next panel
    double* coefficients;  // [sites][grid_panel]
    PanelFactors factors;
    double* cycle_log_norms;  // [sites]
    unsigned* tiles_done;     // number of tiles of G since the launch
    GridShare share;          // if several devices share the point
};

}  // namespace legato::tmm
