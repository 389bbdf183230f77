// The solver of vmc: thermalisation, bins, averages and errors, progress, saving and resuming. The chains advance
// together, or in groups one after another: see advance_chain().
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/context.hpp"
#include "core/run.hpp"
#include "vmc/engine.hpp"
#include "vmc/neighbour_moves.hpp"
#include "vmc/sweep_cost.hpp"

namespace legato::vmc {

// advance() goes to the end of the thermalisation or of the next bin. A state can also be saved within a bin.
class Solver : public Run<Solver> {
  public:
    static constexpr std::string_view run_name = "vmc";
    static constexpr std::int64_t newest_schema = 2;

    // Checks the problem, chooses the backend and finds the first configurations of the chains. The context must
    // outlive the solver.
    Solver(Context& context, const Problem& problem);
    Solver(const Solver&) = delete;  // the engine refers to its model
    Solver& operator=(const Solver&) = delete;

    const Context& context() const { return context_; }
    const Problem& problem() const { return model_.problem; }
    const Model& model() const { return model_; }
    const BackendChoice& backend() const { return backend_; }
    // Number of sweeps that every chain has made, thermalisation included. It is 0 until the last group begins.
    std::int64_t sweeps_done() const;
    // Number of bins of each chain. If chains go by groups, it is 0 until all chains are finished.
    std::int64_t bins_done() const;
    std::int64_t bins_done(std::size_t chain) const;  // number of bins of one chain
    std::int64_t recompute_interval() const;          // shortest interval of all chains
    double largest_drift() const { return largest_drift_; }
    const MoveCounts& moves() const { return moves_; }
    // Returns the electrons' sites, [chains][2][pairs], up electrons first. The reference is valid until the run
    // continues.
    const std::vector<std::int32_t>& electron_sites() const;

    Progress progress() const;  // counts bins, and the sweeps of all chains

    // Advances chains until number `chain` is finished. It makes at least one batch, and stops after about `seconds`.
    // Chains advance in their order, in groups that keep the processors busy, so that all earlier chains are finished
    // first. All chains are one group on a device, or if the run was begun by advance() or run(). The results are
    // bitwise identical in all cases.
    void advance_chain(std::size_t chain, double seconds);

    Averages averages() const;                   // averages over the bins so far
    Gradient gradient() const;                   // gradient from the bins so far; throws without problem.gradients
    StructureFactors structure_factors() const;  // throws without problem.correlations
    PairCorrelations pair_correlations() const;  // throws without problem.pair_correlations
    // Returns the means of an observable in the bins so far, chain by chain: [chains][bins done].
    std::vector<double> bin_means(Observable observable) const;
    // Returns the means of one chain, [bins done].
    std::vector<double> bin_means(Observable observable, std::size_t chain) const;

  private:
    // Chains that advance together. The chains before `first` are finished, those from `end` on have not begun.
    struct Group {
        int first = 0, end = 0;
    };
    struct State {
        std::vector<std::int32_t> sites;  // [chains][2][pairs]
        Group group;
        std::int64_t sweeps = 0;
        std::vector<std::int64_t> intervals;  // [chains]
        double largest_drift = 0;
        MoveCounts moves;
        std::vector<double> bins, sums;  // [bins done][chains][local values]; [chains][local values]
        int next_chain = 0;
        std::optional<Backend> backend;  // backend of the saved run
    };
    static Problem checked(const Context& context, const Problem& problem);
    static State get_state(const StateReader& reader, const Model& model);
    static std::vector<std::int64_t> get_intervals(const StateReader& reader, const Problem& problem, int next_chain);
    Solver(Context& context, const Problem& problem, const State* known);

    friend class Run<Solver>;
    void prepare(std::string_view call) const;
    bool step(Reporter& reporter);
    void write(StateWriter& writer) const;
    static std::unique_ptr<Solver> read(Context& context, StateReader reader);
    std::vector<double> bin_means_of(std::size_t value) const;
    void append_bin_means(std::size_t value, std::size_t chain, std::vector<double>& means) const;
    std::vector<std::int32_t> first_sites() const;
    bool is_side_by_side() const { return group_.first == 0 && group_.end == problem().chains; }
    void begin_group(Group group);
    int end_after(int done) const;
    std::int64_t group_bins() const;
    std::int64_t left_of_phase() const;
    SweepCost sweep_cost() const;
    std::int64_t sweeps_at_once() const;
    int chains_at_once(std::int64_t sweeps) const;
    void make_batch();
    void close_bin();
    void adapt_intervals(const std::vector<double>& drifts, int first_chain);
    void warn_of_unreliable_errors() const;
    bool has_sampled() const;
    NeighbourMoves expected_moves() const;

    Context& context_;
    Model model_;
    BackendChoice backend_;
    std::unique_ptr<Engine> engine_;
    int workers_;  // threads, or devices, of all ranks
    Group group_;
    std::int64_t sweeps_ = 0;              // number of sweeps of the group
    std::vector<std::int64_t> intervals_;  // sweeps between recomputations of the inverse, for each chain
    // First chain that has not yet made the batch that begins at sweeps_. Earlier chains of the group have made it.
    int next_chain_ = 0;
    double largest_drift_ = 0;
    MoveCounts moves_;
    std::vector<double> bins_, sums_;
    // True while the engine works. It remains true after an error: require_between_batches().
    bool within_batch_ = false;
    mutable std::vector<std::int32_t> known_sites_;
    mutable bool sites_known_ = false;
};

}  // namespace legato::vmc
