// Solver of the transfer-matrix method for a list of points. It assigns points to slots, ends points, reports progress,
// saves and resumes.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/context.hpp"
#include "core/device.hpp"
#include "core/failures.hpp"
#include "core/progress.hpp"
#include "tmm/engine.hpp"

namespace legato {
class StateReader;
}

namespace legato::tmm {

class Solver {
  public:
    // Checks problem and points, chooses the backend. The context must outlive the solver.
    Solver(Context& context, const Problem& problem, std::vector<Point> points, std::optional<Backend> saved_on = {});

    const Problem& problem() const { return problem_; }
    const std::vector<Point>& points() const { return points_; }
    const BackendChoice& backend() const { return backend_; }
    std::size_t finished() const { return finished_; }

    // Advances the points that are in the engine's slots by up to `cycles` cycles each. Returns true when all points
    // have finished.
    bool advance(std::int64_t cycles);

    // Advances until all points have finished, or throws cancelled if the callback asks to stop. The callback is called
    // a few times a second and can read all results so far.
    void run(const ProgressCallback& callback);

    PointResult result(std::size_t point) const;

    // Saves the whole state of the run. The results of a resumed run are bitwise identical to those of an uninterrupted
    // one.
    void save(const std::filesystem::path& path) const;
    static std::unique_ptr<Solver> resume(Context& context, const std::filesystem::path& path);
    static std::unique_ptr<Solver> resume(Context& context, StateReader reader);

  private:
    bool carry_on(std::int64_t cycles);
    void warn_of(std::size_t point);
    void settle(PointState& state) const;
    void fill_slots();
    PointState current_state(std::size_t point, bool whole) const;

    Context& context_;
    Problem problem_;
    std::vector<Point> points_;
    BackendChoice backend_;
    std::unique_ptr<Engine> engine_;
    std::vector<PointState> states_;      // states of points in no slot; psi and random are empty once finished
    std::vector<std::int64_t> slot_of_;   // point -> slot, -1 if in none
    std::vector<std::int64_t> point_in_;  // slot -> point, -1 if free
    std::size_t next_ = 0;                // first point that has never been in a slot
    std::size_t finished_ = 0;
    std::int64_t cycles_done_ = 0;
    FailureWarnings warnings_, shortened_;
    Activity carrying_on_;
};

}  // namespace legato::tmm
