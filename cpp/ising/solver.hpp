// The solver of ising: thermalisation, bins, averages and errors, progress, saving and resuming. The systems advance
// together, or in groups one after another: see advance_system().
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/context.hpp"
#include "core/run.hpp"
#include "core/state_pieces.hpp"
#include "ising/bins.hpp"
#include "ising/engine.hpp"
#include "ising/estimates.hpp"

namespace legato::ising {

// advance() goes to the end of the thermalisation or of the next bin. A state can also be saved within a bin.
class Solver : public Run<Solver> {
  public:
    static constexpr std::string_view run_name = "ising";
    static constexpr std::int64_t newest_schema = 2;

    // Checks the problem and chooses the backend. The context must outlive the solver.
    Solver(Context& context, const Problem& problem);
    Solver(const Solver&) = delete;  // the engine refers to its model
    Solver& operator=(const Solver&) = delete;

    const Context& context() const { return context_; }
    const Problem& problem() const { return model_.problem; }
    const Model& model() const { return model_; }
    const BackendChoice& backend() const { return backend_; }
    // Numbers of sweeps, thermalisation included, of measurements, and of bins that every system has made. They are 0
    // until the last group begins.
    std::int64_t sweeps_done() const;
    std::int64_t measurements_done() const;
    std::int64_t bins_done() const;
    std::int64_t measurements_done(std::size_t system) const;  // number of measurements of one system
    // Number of bins of a temperature. If its systems are not in the first group, it is 0 until all of them are
    // finished.
    std::int64_t bins_done(std::size_t beta) const;
    const AcceptanceCounts& acceptance() const;  // throws without problem.acceptance

    Progress progress() const;  // counts bins, and the sweeps of all systems

    // Advances systems until number `system` has this many measurements. It makes at least one batch, and stops after
    // about `seconds`. Systems advance in their order, in groups that keep the processors busy, so that all earlier
    // systems have at least as many measurements. All systems are one group on a device, with several ranks, or if the
    // run was begun by advance() or run(). The results are bitwise identical in all cases.
    void advance_system(std::size_t system, std::int64_t measurements, double seconds);

    // Returns the averages of temperature number `beta` from the bins so far.
    Averages averages(std::size_t beta) const;
    // Returns the correlations along an axis. Both functions throw without problem.correlations. The correlation length
    // is that of the second moment along the last axis, which must be periodic, in lattice spacings:
    // sqrt(S(0) / S(k) - 1) / (2 sin(k / 2)), k = 2 pi / L. It is NaN if S(k) is 0 or not less than S(0).
    CorrelationFunction correlation_function(std::size_t beta, int axis) const;
    statistics::Estimate correlation_length(std::size_t beta) const;
    TimeSeries time_series(std::size_t system) const;  // throws without problem.time_series
    // Copies the measurements of a system from number `first` on into the spans, of which one may be empty. The
    // measurements must exist.
    void measurements(std::size_t system, std::int64_t first, std::span<double> magnetisation,
                      std::span<double> energy) const;

    // Returns the spins, +1 or -1, by sites x + L1 (y + L2 z). These functions and set_spins() throw if the slabs of a
    // large lattice are on several ranks; the spins can then be read from a saved state.
    std::vector<std::int8_t> spins(std::size_t system) const;
    void spins(std::size_t system, std::span<std::int8_t> all) const;  // [sites]
    // Sets the spins before the first sweep. Every rank calls it with the same spins; run(), advance(),
    // advance_system() and save() throw if they differ.
    void set_spins(std::size_t system, std::span<const std::int8_t> spins);

  private:
    // Blocks that advance together. The blocks before `first` are finished, those from `end` on have not begun.
    struct Group {
        std::size_t first = 0, end = 0;
    };
    struct State {
        std::vector<std::uint32_t> words;
        std::optional<PieceReader> pieces;  // instead of the words
        Group group;
        std::int64_t sweeps = 0;
        AcceptanceCounts acceptance;
        std::vector<double> bins, sums;
        std::vector<std::int64_t> series;
    };
    static Loaded loaded(const State* known);
    static State get_state(const StateReader& reader, const Model& model);
    static Group get_group(const StateReader& reader, const Model& model);
    Solver(Context& context, const Model& model, State* known);
    bool resumes_in_groups(const State& known) const;

    friend class Run<Solver>;
    void prepare(std::string_view call) const;
    void finish() const;
    bool step(Reporter& reporter);
    void write(PiecedStateWriter& writer) const;
    static std::unique_ptr<Solver> read(Context& context, StateReader reader);
    bool is_side_by_side() const { return group_.first == 0 && group_.end == model_.blocks(); }
    void begin_group(Group group);
    std::size_t end_after(std::size_t done) const;
    Systems systems() const;  // systems of the group
    std::int64_t group_measurements() const;
    std::int64_t group_bins() const { return group_measurements() / problem().measurements_per_bin; }
    Batch next_batch() const;
    void make_batch();
    void adapt_to(double seconds_per_sweep);
    void warn_of_unreliable_errors() const;
    const Sharing& sharing() const { return shared_.on(backend_.backend); }
    void load(State* known);
    void load_pieces(const State* known);
    void require_words() const;
    const std::vector<std::uint32_t>& words() const;
    void take_words() const;
    void write_words(PiecedStateWriter& writer) const;
    std::vector<std::uint32_t> read_piece(const PieceReader& pieces, std::size_t number) const;
    std::vector<std::uint32_t> read_pieces(const PieceReader& pieces) const;
    void require_same_spins() const;
    Estimates estimates(std::size_t beta) const;
    void require_beta(std::size_t beta) const;
    void require_system(std::size_t system) const;

    Context& context_;
    Model model_;
    Sharings shared_;
    BackendChoice backend_;
    std::unique_ptr<Engine> engine_;
    Bins bins_;
    Group group_;
    std::int64_t sweeps_ = 0, sweeps_at_once_ = 1;  // sweeps of the group, and of its next batch
    AcceptanceCounts acceptance_;
    std::vector<std::int64_t> measured_;
    // True while the engine works. It remains true after an error: require_between_batches().
    bool within_batch_ = false;
    // The state, if words_known_. Reading is not collective: several ranks therefore gather it at the end of each call,
    // and before a progress callback, if sharing().keeps_words().
    mutable std::vector<std::uint32_t> known_words_;
    mutable bool words_known_ = false;
};

}  // namespace legato::ising
