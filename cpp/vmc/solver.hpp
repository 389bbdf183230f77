// Chains from their first configurations on, bin by bin: warm-up, averages and errors, progress, saving and resuming.
// They go side by side, or in their order by groups: reach().
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/context.hpp"
#include "core/progress.hpp"
#include "vmc/engine.hpp"
#include "vmc/neighbour_moves.hpp"
#include "vmc/stretches.hpp"

namespace legato {
class StateReader;
}

namespace legato::vmc {

class Solver {
  public:
    // Checks all, chooses the backend, finds the chains' first configurations. The context must outlive the solver.
    Solver(Context& context, const Problem& problem);
    Solver(const Solver&) = delete;  // the engine refers to its model
    Solver& operator=(const Solver&) = delete;

    const Problem& problem() const { return model_.problem; }
    const Model& model() const { return model_; }
    const BackendChoice& backend() const { return backend_; }
    std::int64_t sweeps_done() const;                 // of each chain, warm-up included
    std::int64_t bins_done() const;                   // of each chain; 0 until all are there, where they go by groups
    std::int64_t bins_done(std::size_t chain) const;  // of one
    std::int64_t recompute_interval() const;          // the shortest of all chains
    double largest_drift() const { return largest_drift_; }
    const MoveCounts& moves() const { return moves_; }
    // [chains][2][pairs], up ones first. Kept until the run goes on.
    const std::vector<std::int32_t>& electron_sites() const;

    // To the end of the warm-up, or of the bin that is next. Returns true when all bins are there.
    bool advance();
    // To the end, or until the callback asks to stop (then throws cancelled). Its points are bins, its cycles sweeps of
    // all chains. The callback is called when `between_reports` seconds have passed, and at the end of each bin.
    void run(const ProgressCallback& callback, double between_reports = seconds_between_reports);

    // Carries chains on until one of them is finished, but for no more than about `seconds`, and at least by one
    // stretch. Those before it are finished then: chains go in their order, by groups that keep the processors busy. On
    // a device, and where a run has begun side by side, all are one group. The results are bitwise identical.
    void reach(std::size_t chain, double seconds);

    Averages averages() const;                   // of the bins so far
    Gradient gradient() const;                   // likewise; only where problem.gradients asks for it
    StructureFactors structure_factors() const;  // only where problem.correlations asks for them
    PairCorrelations pair_correlations() const;  // only where problem.pair_correlations asks for them
    // Means of an observable in the bins so far, chain by chain: [chains][bins done].
    std::vector<double> bin_means(Observable observable) const;
    // The same of one chain.
    std::vector<double> bin_means(Observable observable, std::size_t chain) const;

    // The whole state of the run, within a bin too: a resumed run gives the same bits.
    void save(const std::filesystem::path& path) const;
    static std::unique_ptr<Solver> resume(Context& context, const std::filesystem::path& path);
    static std::unique_ptr<Solver> resume(Context& context, StateReader reader);

  private:
    struct Group {  // of chains, carried on together: those before are finished, those behind have not begun
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
        std::optional<Backend> backend;  // of the run that was saved
    };
    static Problem checked(const Problem& problem);
    static State get_state(const StateReader& reader, const Model& model);
    static std::vector<std::int64_t> get_intervals(const StateReader& reader, const Problem& problem, int next_chain);
    Solver(Context& context, const Problem& problem, const State* known);

    std::vector<double> bin_means_of(std::size_t value) const;
    void append_bin_means(std::size_t value, std::size_t chain, std::vector<double>& means) const;
    std::vector<std::int32_t> first_sites() const;
    bool is_side_by_side() const { return group_.first == 0 && group_.end == problem().chains; }
    void require_side_by_side(const char* call) const;
    void begin_group(Group group);
    int end_after(int done) const;
    std::int64_t group_bins() const;
    std::int64_t left_of_phase() const;
    SweepCost sweep_cost() const;
    std::int64_t sweeps_at_once() const;
    int chains_at_once(std::int64_t sweeps) const;
    void carry_on();
    void close_bin();
    void look_at_drifts(const std::vector<double>& drifts, int first_chain);
    void warn_of_unreliable_errors() const;
    bool has_sampled() const;
    NeighbourMoves expected_moves() const;

    Context& context_;
    Model model_;
    BackendChoice backend_;
    std::unique_ptr<Engine> engine_;
    Group group_;
    std::int64_t sweeps_ = 0;              // of the group
    std::vector<std::int64_t> intervals_;  // between inverses anew, of each chain
    int next_chain_ = 0;        // of the stretch that begins at these sweeps: those of the group before have done it
    double largest_drift_ = 0;  // of the run
    MoveCounts moves_;
    std::vector<double> bins_, sums_;
    Activity carrying_on_;
    bool within_stretch_ = false;  // of the engine; after an error it stays so: require_whole()
    mutable std::vector<std::int32_t> known_sites_;
    mutable bool sites_known_ = false;
};

}  // namespace legato::vmc
