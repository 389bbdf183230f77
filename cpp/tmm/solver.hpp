// Solver of the transfer-matrix method for a list of points. It assigns points to slots, ends points, reports progress,
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
#include "tmm/engine.hpp"

namespace legato::tmm {

class Solver : public Run<Solver> {
  public:
    static constexpr std::string_view run_name = "tmm";
    static constexpr std::int64_t newest_schema = 2;

    // Checks problem and points, chooses the backend. The context must outlive the solver. If it has several ranks, the
    // constructor and all functions that continue the run are collective.
    Solver(Context& context, const Problem& problem, std::vector<Point> points, std::optional<Backend> saved_on = {});

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
    void write(StateWriter& writer) const;
    static std::unique_ptr<Solver> read(Context& context, StateReader reader);
    void advance_slots(std::int64_t cycles);
    void warn_of(std::size_t point);
    void replace_blocks(PointState& state) const;
    void fill_slots();
    std::vector<std::size_t> busy_slots() const;
    std::vector<PointState> fetch(std::span<const std::size_t> slots) const;
    void fetch_whole(std::span<const std::size_t> slots, std::span<PointState> states) const;
    void send_states(int rank, std::span<const std::size_t> slots, std::span<PointState> states) const;

    Context& context_;
    Problem problem_;
    std::vector<Point> points_;
    BackendChoice backend_;
    std::unique_ptr<Engine> engine_;
    // States of points in no slot; psi and random are empty once finished. If the context has several ranks, it also
    // has the states of points in slots, as fetch() returns them: results are read without the other ranks.
    std::vector<PointState> states_;
    std::vector<std::int64_t> slot_of_;   // point -> slot, -1 if in none
    std::vector<std::int64_t> point_in_;  // slot -> point, -1 if free
    std::size_t next_ = 0;                // first point that has never been in a slot
    std::size_t finished_ = 0;
    std::int64_t cycles_done_ = 0;
    std::int64_t cycles_at_once_ = 0;  // cycles of the next step of run()
    FailureWarnings warnings_, shortened_;
};

}  // namespace legato::tmm
