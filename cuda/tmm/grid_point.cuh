// The state of a point in the grid kernel (grid_kernel.cuh), and its columns.
#pragma once

#include <cooperative_groups.h>
#include <cuda_pipeline_primitives.h>

#include <utility>

#include "tmm/grid_arguments.cuh"
#include "tmm/grid_share.cuh"
#include "tmm/matrix.cuh"
#include "tmm/panel.cuh"
#include "tmm/slot.cuh"

namespace legato::tmm {

// A point that the whole device computes, or several devices if it is `divided`. A warp updates `strips` strips of 8
// rows at a time; with fewer strips, more blocks have work.
template <int strips, bool divided>
class GridPoint {
    static constexpr int tile_rows = 8 * strips * grid_warps;  // rows that a block updates at a time
    static constexpr int row_stride = tile_rows + 4;           // stride of these rows in shared memory

  public:
    __device__ GridPoint(const GridArguments& arguments, double* shared, PanelState<grid_panel>& state)
        : a_(arguments),
          p_(arguments.common.problem),
          shared_(shared),
          state_(state),
          n_(arguments.common.sites),
          rows_(2 * n_),
          thread_(static_cast<int>(threadIdx.x)),
          warp_(thread_ / 32),
          lane_(thread_ % 32),
          block_(static_cast<int>(blockIdx.x)),
          workers_(static_cast<int>(gridDim.x) - 1),
          row_tiles_((rows_ + tile_rows - 1) / tile_rows),
          own_(arguments.share),
          signals_(arguments.share, row_tiles_),
          // Sites are assigned to blocks in turn, so that all blocks take part in drawing.
          site_(thread_ * static_cast<int>(gridDim.x) + block_) {}

    __device__ void load(std::size_t slot, const SlotHead& head);
    __device__ void store(std::size_t slot);
    __device__ void multiply(int slices);
    __device__ void orthonormalise();
    __device__ void restart_columns();
    __device__ bool keeps_sums() const { return block_ == 0; }

  private:
    struct Factors {                         // matrices in shared memory
        double g[grid_panel * grid_stride];  // G, then R
        double e[grid_panel * grid_stride];  // R^-T
        double w[2][8 * grid_stride];        // W, then R^-T W, of 8 columns: [column][panel]
    };

    __device__ void multiply_columns(int first_column, int columns, const double* diagonals, int slices);
    __device__ void step(int columns, const double* diagonal, int from, int to);
    __device__ void orthonormalise_panels();
    __device__ void overlaps(int first, int from, int to);
    __device__ void overlap_unit(int first, Piece columns, int split);
    __device__ void stage_rows(double* stage, int first, int column0, int row, int end);
    __device__ void tile_products(double (&sums)[4][2][2], const double* left, const double* right, int stride,
                                  int rows) const;
    template <class Out>
    __device__ void each_of_tile(const double (&sums)[4][2][2], const Out& out) const;
    __device__ void factorise_next(int first);
    __device__ void receive_factors(int first);
    __device__ void refactorise(int first);
    __device__ void replace_panel(int first);
    __device__ void replace_rows(int first, int width, int tile);
    __device__ void await_gram(Factors& f, int width);
    __device__ void write_panel(const PanelFactors& to, const Factors& f, int first, int width, bool solves);
    __device__ void gather(Factors& f, int width);
    __device__ void read_panel(int first);
    __device__ void gather_overlaps(Factors& f, int width, int column0);
    __device__ void coefficients(Factors& f, int column0);
    __device__ void update(int first, int width);
    __device__ void await_next();
    __device__ void gram_of_next();
    __device__ void normalise();
    __device__ void stage_panel(int first, int width, int tile);
    __device__ void stage_factors(const double* factors, int column0, int end);
    __device__ void apply(int first, int width, int column0, int end, const double* factors, bool from_zero, int tile,
                          bool wants_gram);
    __device__ void gram(const double (&c)[8][strips][2], int tile, int column0, int end);
    __device__ void send_tile(int tile, int column0, int end);
    __device__ void gram_of_shared(int tile);
    __device__ bool factorises() const { return block_ == workers_; }
    __device__ bool stopped() const { return divided && signals_.stopped(); }
    __device__ void wait_all() {
        if constexpr (divided)
            signals_.arrive(), signals_.pass();
        else
            cooperative_groups::this_grid().sync();
    }
    // Calls work() between the two halves of a barrier of the grid.
    template <class Work>
    __device__ void within_barrier(const Work& work) {
        if constexpr (divided) {
            signals_.arrive();
            work();
            signals_.pass();
        } else {
            auto token = cooperative_groups::this_grid().barrier_arrive();
            work();
            cooperative_groups::this_grid().barrier_wait(std::move(token));
        }
    }

    const GridArguments& a_;
    const Problem& p_;
    double* shared_;
    PanelState<grid_panel>& state_;
    int n_, rows_, thread_, warp_, lane_, block_, workers_, row_tiles_;
    OwnColumns<divided> own_;
    GridSignals signals_;
    double* x_ = nullptr;      // [sites][2 sites]
    std::size_t slot_at_ = 0;  // its place in Slots::psi
    Piece next_{0, 0};         // the columns that the next panel can have
    int leader_ = 0;           // device that factorises it
    bool whole_ = true;        // that device has all these columns
    unsigned panels_ = 0, orthonormalisations_ = 0;
    int site_;
    SiteRandom random_;
    SteepPanels steep_;
    unsigned awaited_ = 0;  // value of tiles_done for which the last block waits
    double energy_ = 0, strength_ = 0;
};

}  // namespace legato::tmm
