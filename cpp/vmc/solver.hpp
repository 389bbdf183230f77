// Chains from their first configurations on, bin by bin: warm-up, averages and errors, progress, saving and resuming.
#pragma once

#include <filesystem>
#include <memory>
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
    std::int64_t sweeps_done() const { return sweeps_; }  // of each chain, warm-up included
    std::int64_t bins_done() const;                       // of each chain
    std::int64_t recompute_interval() const { return interval_; }
    double largest_drift() const { return largest_drift_; }
    const MoveCounts& moves() const { return moves_; }
    // [chains][2][pairs], up ones first. Kept until the run goes on.
    const std::vector<std::int32_t>& electron_sites() const;

    // To the end of the warm-up, or of the bin that is next. Returns true when all bins are there.
    bool advance();
    // To the end, or until the callback asks to stop (then throws cancelled). Its points are bins, its cycles sweeps of
    // all chains. The callback is called when `between_reports` seconds have passed, and at the end of each bin.
    void run(const ProgressCallback& callback, double between_reports = seconds_between_reports);

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
    struct State {
        std::vector<std::int32_t> sites;  // [chains][2][pairs]
        std::int64_t sweeps = 0, interval = 0;
        double largest_drift = 0, drift = 0;
        MoveCounts moves;
        std::vector<double> bins, sums;  // [bins done][chains][local values]; [chains][local values]
        int next_chain = 0;
    };
    static Problem checked(const Problem& problem);
    static State get_state(const StateReader& reader, const Model& model);
    Solver(Context& context, const Problem& problem, const State* known);

    std::vector<double> bin_means_of(std::size_t value) const;
    void append_bin_means(std::size_t value, std::size_t chain, std::vector<double>& means) const;
    std::vector<std::int32_t> first_sites() const;
    std::int64_t left_of_phase() const;
    SweepCost sweep_cost() const;
    std::int64_t sweeps_at_once() const;
    int chains_at_once(std::int64_t sweeps) const;
    void carry_on();
    void look_at_drift(double drift);
    void warn_of_unreliable_errors() const;
    bool has_sampled() const;
    NeighbourMoves expected_moves() const;

    Context& context_;
    Model model_;
    BackendChoice backend_;
    std::unique_ptr<Engine> engine_;
    std::int64_t sweeps_ = 0, interval_ = 0;
    int next_chain_ = 0;                    // of the stretch that begins at these sweeps: those before have done it
    double largest_drift_ = 0, drift_ = 0;  // of the run, of that stretch
    MoveCounts moves_;
    std::vector<double> bins_, sums_;
    Activity carrying_on_;
    bool within_stretch_ = false;  // of the engine; after an error it stays so: require_whole()
    mutable std::vector<std::int32_t> known_sites_;
    mutable bool sites_known_ = false;
};

}  // namespace legato::vmc
