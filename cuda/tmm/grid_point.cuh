// The state of a point in the grid kernel (grid_kernel.cuh), and its columns.
#pragma once

#include "tmm/grid_arguments.cuh"
#include "tmm/grid_share.cuh"
#include "tmm/matrix.cuh"
#include "tmm/panel.cuh"
#include "tmm/slot.cuh"
#include "tmm/tile_copy.cuh"

namespace legato::tmm {

// A point that a group of thread blocks computes, or several devices if it is `divided`. Its hopping is plain, or any.
template <bool divided, bool plain>
class GridPoint {
    static constexpr int tile_doubles = grid_panel * grid_stride;  // a tile of rows and columns in shared memory
    static constexpr int unit_doubles = 3 * tile_doubles;

  public:
    __device__ explicit GridPoint(const GridArguments& arguments)
        : a_(arguments),
          p_(arguments.common.problem),
          n_(arguments.common.sites),
          rows_(2 * n_),
          thread_(static_cast<int>(threadIdx.x)),
          warp_(thread_ / 32),
          lane_(thread_ % 32),
          block_(static_cast<int>(blockIdx.x) % arguments.layout.blocks),
          group_(static_cast<int>(blockIdx.x) / arguments.layout.blocks),
          workers_(arguments.layout.blocks - 1),
          row_tiles_(arguments.layout.row_tiles),
          memory_(arguments.memory + static_cast<std::size_t>(group_) * arguments.layout.doubles),
          counters_(arguments.counters[group_]),
          own_(arguments.share),
          signals_(arguments, group_),
          // Sites are assigned to blocks in turn, so that all blocks take part in drawing.
          site_(thread_ * arguments.layout.blocks + block_) {}

    // The shared memory of the block. These are functions and not members, because the compiler then knows that the
    // memory is shared.
    __device__ static double* shared() {
        extern __shared__ __align__(16) double grid_shared[];
        return grid_shared;
    }
    __device__ static PanelState<grid_panel>& state() {
        __shared__ PanelState<grid_panel> shared_by_block;
        return shared_by_block;
    }

    // Returns the index of the group's next point in KernelArguments::work. It is at least `count` if there is none.
    __device__ int take_point();
    __device__ double* cycle_log_norms() const { return memory_ + a_.layout.log_norms_at; }

    // Begins with the numbers that are given for point `index` of KernelArguments::work.
    __device__ void take_given(int index) { given_ = given_of(a_.common, index); }
    __device__ void load(std::size_t slot, const SlotHead& head);
    __device__ void store(std::size_t slot);
    __device__ void multiply(int slices);
    __device__ void orthonormalise();
    __device__ void restart_columns();
    __device__ bool keeps_sums() const { return block_ == 0; }

  private:
    // The generator of this thread's site, in shared memory, where it takes no registers.
    __device__ SiteRandom& random() const {
        static_assert(sizeof(SiteRandom) <= grid_generator_bytes && grid_sites == grid_threads);
        __shared__ __align__(16) char of_sites[grid_sites * sizeof(SiteRandom)];
        return reinterpret_cast<SiteRandom*>(of_sites)[thread_];
    }

    struct Factors {                         // matrices in shared memory
        double g[grid_panel * grid_stride];  // G, then R
        double e[grid_panel * grid_stride];  // R^-T
        double w[2][8 * grid_stride];        // W, then R^-T W, of 8 columns: [column][panel]
    };

    // Columns in a tile of grid_rows rows, which a panel updates.
    struct Unit {
        int first = 0, width = 0;  // the panel
        Piece columns{0, 0};
        int tile = 0;
        bool wants_gram = false;
    };
    // Successive units of a block. Shared memory has two buffers of three tiles: panel, columns, factors. Units that
    // follow one another often have the same columns, and then the same factors.
    struct Pipeline {
        const double* factors;   // [sites][grid_panel]
        bool adds;               // to the columns
        int buffer = 0;          // that gets the panel and the columns of the next unit
        int factors_in = 0;      // buffer that gets its factors
        int factors_of = -1;     // first column of these factors
        bool has_begun = false;  // the copies of the next unit have been started
    };
    struct UnitCopies {
        TileCopy panel, columns, factors;
        __device__ void start(int part) const {
            panel.start(part);
            columns.start(part);
            factors.start(part);
        }
    };

    __device__ void multiply_columns(int first_column, int columns, const double* diagonals, int slices) const;
    template <int abreast, class ValueOf>
    __device__ void for_columns(int columns, int row, const ValueOf& value_of) const;
    __device__ void step(int columns, const double* diagonal, bool is_last, double& here, int from, int to) const;
    __device__ void draw_couplings(int k);
    __device__ void copy_given(int slice, int k);
    template <int components>
    __device__ void step_couplings(int columns, int k, int from, int to) const;
    __device__ void orthonormalise_panels();
    __device__ void overlaps(int first, int from, int to, bool factorising);
    __device__ bool splits_rows(int first) const;
    __device__ void overlap_unit(int first, Piece columns, int split, int end_split);
    template <int right_column, int right_row, class Between>
    __device__ void tile_products(double (&sums)[4][2][2], const double* left, const double* right,
                                  const Between& between) const;
    template <class Sums, class On>
    __device__ void each_of_tile(Sums& sums, const On& on) const;
    __device__ void factorise_next(int first) const;
    __device__ void receive_factors(int first);
    __device__ void refactorise(int first) const;
    __device__ void replace_panel(int first);
    __device__ void replace_rows(int first, int width, int tile);
    __device__ void await_gram();
    __device__ void take_gram(Factors& f, int width) const;
    __device__ void write_panel(const PanelFactors& to, const Factors& f, int first, int width, bool solves) const;
    __device__ void gather(Factors& f, int width) const;
    __device__ void read_panel(int first) const;
    __device__ void gather_overlaps(Factors& f, int first, int width, int column0) const;
    __device__ void coefficients(Factors& f, int column0) const;
    __device__ void update(int first, int width, bool steep_is_expected);
    __device__ void make_next_factors(int first);
    __device__ void await_next();
    __device__ void gram_of_next();
    __device__ void normalise();
    __device__ UnitCopies copies_of(Pipeline& pipeline, const Unit& unit) const;
    __device__ void apply(Pipeline& pipeline, const Unit& unit, const Unit& next);
    __device__ void finish_urgent(const Unit& unit, double* columns, const double (&c)[4][2][2]);
    __device__ void send_tile(const double* columns, const Unit& unit) const;
    __device__ void gram(const double* columns, int tile);
    // Returns whether the last block takes part in the update when it has the factors.
    __device__ bool last_block_helps(bool steep_is_expected) const { return !divided && steep_is_expected; }
    __device__ bool factorises() const { return block_ == workers_; }
    __device__ bool stopped() const { return divided && signals_.stopped(); }
    __device__ void wait_all() {
        signals_.arrive();
        signals_.pass();
    }
    template <class Work>
    __device__ void share_units(int units, int starts, int members, const Work& work);
    // What a block does that does not take part in share_units().
    __device__ void skip_units(int units, int starts, int members) {
        if (units > starts) taken_ += static_cast<unsigned>(units - starts + members);
    }
    // Numbers of the slices that are drawn together, for each channel: E - V; and with other than plain hopping, for
    // slice k, the hopping from the earlier slice and the parts of the hopping from the neighbour in a direction. All
    // are then divided by the hopping to the next slice.
    __device__ double* potentials() const { return memory_ + a_.layout.potentials_at; }
    __device__ double* before(int k) const { return potentials() + (grid_coupled_slices + k) * n_; }
    __device__ double* hopping(int k, int direction) const {
        return potentials() + ((2 + direction) * grid_coupled_slices + k) * n_;
    }
    __device__ double* overlaps_of(int split) const {
        return memory_ + a_.layout.overlaps_at + static_cast<std::size_t>(split) * n_ * grid_panel;
    }
    // These return the copy of the rows from `row` to `end`, of a tile of the rows, and of the factors of some columns.
    __device__ TileCopy rows_of(double* to, int first, int columns, int row, int end) const {
        return {to, x_ + first * rows_ + row, rows_, columns, end - row};
    }
    __device__ TileCopy tile_of(double* to, int first, int columns, int tile) const {
        return rows_of(to, first, columns, tile * grid_rows, rows_);
    }
    __device__ static TileCopy factors_of(double* to, const double* factors, int first, int columns) {
        return {to, factors + first * grid_panel, grid_panel, columns, grid_panel};
    }
    __device__ static double* factors_in(const Pipeline& pipeline) {
        return shared() + pipeline.factors_in * unit_doubles + 2 * tile_doubles;
    }
    __device__ double* grams() const { return memory_ + a_.layout.grams_at; }
    __device__ double* factors_of_columns() const { return memory_ + a_.layout.coefficients_at; }
    __device__ PanelFactors factors_of_panels() const { return panel_factors(memory_, a_.layout, n_); }

    const GridArguments& a_;
    const Problem& p_;
    int n_, rows_, thread_, warp_, lane_, block_, group_, workers_, row_tiles_;
    double* memory_;  // of the group
    GroupCounters& counters_;
    OwnColumns<divided> own_;
    GridSignals<divided> signals_;
    double* x_ = nullptr;      // [sites][2 sites]
    std::size_t slot_at_ = 0;  // its place in Slots::psi
    Piece next_{0, 0};         // the columns that the next panel can have
    int leader_ = 0;           // device that factorises it
    bool whole_ = true;        // that device has all these columns
    unsigned panels_ = 0, orthonormalisations_ = 0;
    int site_;
    SteepPanels steep_;
    unsigned awaited_ = 0;  // value of tiles_done for which the last block waits
    unsigned taken_ = 0;    // value of `units` when the present work began
    bool has_begun_ = false;
    const double* given_ = nullptr;  // the next slices of the caller
};

template <bool divided, bool plain>
__device__ int GridPoint<divided, plain>::take_point() {
    if (block_ == 0 && thread_ == 0) {
        const auto groups = static_cast<unsigned>(a_.layout.groups);
        __stcg(&counters_.next.value,
               has_begun_ ? groups + atomicAdd(a_.common.queue, 1u) : static_cast<unsigned>(group_));
    }
    has_begun_ = true;
    wait_all();
    return static_cast<int>(__ldcg(&counters_.next.value));
}

// Calls work(unit, next) for unit = 0..units-1 in `members` blocks of the group, all of which call this. The first
// `starts` blocks begin with the unit of their number. The others begin with the next unit that is free when they come.
// `next` is the following unit of the block, or at least `units` if there is none.
template <bool divided, bool plain>
template <class Work>
__device__ void GridPoint<divided, plain>::share_units(int units, int starts, int members, const Work& work) {
    if (units <= starts) {
        if (block_ < units) work(block_, units);
        return;
    }
    int drawn = 0;
    const auto draw = [&] { drawn = starts + static_cast<int>(atomicAdd(&counters_.units.value, 1u) - taken_); };
    const auto take = [&] {
        __syncthreads();
        if (thread_ == 0) {
            state().next = drawn;
            if (drawn < units) draw();  // long before it is needed
        }
        __syncthreads();
        return state().next;
    };
    if (thread_ == 0) draw();
    for (int unit = block_ < starts ? block_ : take(); unit < units;) {
        const int next = take();
        work(unit, next);
        unit = next;
    }
    skip_units(units, starts, members);
}

}  // namespace legato::tmm
