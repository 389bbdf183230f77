// Solver of the transfer-matrix method for a list of points. It ends points, compares their replicas, reports progress,
// saves and resumes.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/context.hpp"
#include "core/device.hpp"
#include "core/failures.hpp"
#include "core/run.hpp"
#include "tmm/given_slices.hpp"
#include "tmm/sequences.hpp"

namespace legato::tmm {

class Solver : public Run<Solver> {
  public:
    static constexpr std::string_view run_name = "tmm";
    static constexpr std::int64_t newest_schema = 2;

    // Checks problem and points, chooses the backend. The context must outlive the solver. If it has several ranks, the
    // constructor and all functions that continue the run are collective.
    // A `given` with a callback lets the caller change the slices, or define the lattice. The callback is called in the
    // thread of the call.
    Solver(Context& context, const Problem& problem, std::vector<Point> points, std::optional<Backend> saved_on = {},
           Given given = {});

    const Context& context() const { return context_; }
    const Problem& problem() const { return problem_; }
    const std::vector<Point>& points() const { return points_; }
    const BackendChoice& backend() const { return backend_; }
    std::size_t finished() const { return finished_; }

    // Advances the points that are in the engine's slots by up to `cycles` cycles each. Returns true when all points
    // have finished.
    bool advance(std::int64_t cycles);

    Progress progress() const;  // counts points, and the cycles of all points

    PointResult result(std::size_t point) const;

  private:
    friend class Run<Solver>;
    void prepare(std::string_view call);
    bool step(Reporter& reporter);
    void finish() { publish(); }
    void write(StateWriter& writer) const;
    static std::unique_ptr<Solver> read(Context& context, StateReader reader, SliceCallback callback = {});
    void advance_slots(std::int64_t cycles);
    std::int64_t advance_once(std::int64_t cycles);
    std::int64_t fetch_slices(std::span<const std::size_t> slots, std::int64_t cycles);
    using Stopped = Sequences::Stopped;
    void end_points(std::span<const Stopped> stopped);
    void publish();
    void warn_of(std::size_t point);

    std::size_t replicas() const { return static_cast<std::size_t>(problem_.replicas); }
    bool has_replicas() const { return replicas() > 1; }
    // These functions are for runs with replicas.
    void stop_replicas(std::span<const Stopped> stopped);
    void compare_replicas();
    std::vector<PointState> compared() const;
    std::vector<PointState> sums_over_replicas() const;
    PointStatus failure_of_replicas(std::size_t point) const;
    PointStatus status_with_replicas(std::size_t point) const;
    void require_host_memory() const;
    void begin_round();
    void write_averages(StateWriter& writer) const;
    void take_averages(std::int64_t compared_at, std::int64_t round_end, std::vector<PointState> averages);

    Context& context_;
    Problem problem_;
    std::vector<Point> points_;
    std::unique_ptr<GivenSlices> given_;  // null: the model's own
    BackendChoice backend_;
    std::optional<Sequences>
        sequences_;  // if the context has several ranks, with the states that publish() has fetched
    std::size_t finished_ = 0;
    std::int64_t cycles_done_ = 0;
    std::int64_t cycles_at_once_ = 0;  // cycles of the next step of run()
    FailureWarnings warnings_, shortened_;

    // A run with replicas consists of rounds. In a round each sequence is advanced to the same number of cycles. Then
    // the replicas of each point are compared, and the point converges or goes on.
    std::vector<PointState> averages_;  // [points] over the replicas when they were last compared
    std::vector<char> has_stopped_;     // [sequences] in this round
    std::size_t under_way_ = 0;         // number of sequences that have not stopped
    std::int64_t compared_at_ = 0;      // number of cycles when the replicas were last compared
    std::int64_t round_end_ = 0;        // and when they are compared next
};

}  // namespace legato::tmm
