#include "kpm/row_estimates.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "statistics/spread.hpp"

namespace legato::kpm {
namespace {

// Calls a callback in the calling thread only. The other threads stop when it has asked to.
class SharedPause {
  public:
    explicit SharedPause(Pauses& pauses) : pauses_(pauses) {}

    void operator()() {
        if (std::this_thread::get_id() != caller_) {
            if (stopped_) fail(Status::cancelled, "kpm: stopped by the progress callback");
            return;
        }
        try {
            pauses_.pause();
        } catch (...) {
            stopped_ = true;
            throw;
        }
    }

  private:
    Pauses& pauses_;
    std::atomic<bool> stopped_ = false;
    std::thread::id caller_ = std::this_thread::get_id();
};

std::vector<double> mean_moments(const RowMoments& rows, std::int64_t row, std::int64_t realisations) {
    const std::span<const double> first = rows.moments(row, 0);
    std::vector<double> mean(first.begin(), first.end());
    for (std::int64_t r = 1; r < realisations; ++r) {
        const std::span<const double> moments = rows.moments(row, r);
        for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += moments[i];
    }
    for (double& moment : mean) moment /= static_cast<double>(realisations);
    return mean;
}

// Computes the standard errors of a row.
void estimate_errors(const RowMoments& rows, std::int64_t row, std::int64_t realisations, const RowFunction& what,
                     const Effort& effort, std::span<double> error) {
    statistics::Spread spread(error.size());
    for (std::int64_t r = 0; r < realisations; ++r)
        spread.add(static_cast<std::size_t>(r), what(rows.moments(row, r), effort), 0, error.size());
    spread.errors(static_cast<std::size_t>(realisations), error);
}

}  // namespace

void EstimateProgress::require_no_estimate(std::string_view run, std::string_view call) const {
    if (activity.is_active())
        fail(Status::invalid_argument, run, ".", call, ": a callback cannot continue the run that calls it");
}

void Pauses::pause() {
    if (!callback_ || clock_.seconds() - progress_.seconds < seconds_between_reports) return;
    progress_.seconds = clock_.seconds();
    progress_.cycles_per_second = static_cast<double>(progress_.cycles_done) / progress_.seconds;
    if (!callback_(progress_)) fail(Status::cancelled, "kpm: stopped by the progress callback");
}

void Pauses::next(std::int64_t count) {
    progress_.points_done = progress_.cycles_done += count;
    pause();
}

void estimate_rows(const Context& context, const EstimateProgress& progress, const RowMoments& rows, std::size_t n,
                   const RowFunction& what, std::span<double> value, std::span<double> error) {
    const int threads = context.threads();
    const bool side_by_side = rows.rows >= threads;
    Pauses pauses(progress, rows.rows);
    SharedPause pause(pauses);
    const Effort effort{side_by_side ? 1 : threads, [&] { pause(); }};
    const auto compute = [&](std::int64_t row) {
        const std::size_t at = static_cast<std::size_t>(row) * n;
        const std::int64_t realisations = rows.realisations(row);
        const std::vector<double> values = what(mean_moments(rows, row, realisations), effort);
        std::copy(values.begin(), values.end(), value.data() + at);
        if (error.empty()) return;
        const std::span<double> of_row = error.subspan(at, n);
        if (realisations >= 2) return estimate_errors(rows, row, realisations, what, effort, of_row);
        std::fill(of_row.begin(), of_row.end(), rows.is_random ? std::numeric_limits<double>::quiet_NaN() : 0.0);
    };
    Rounds rounds(rows.rows, side_by_side ? threads : 1);
    while (rounds.next()) {
        in_parallel(static_cast<std::size_t>(rounds.last - rounds.first), rounds.threads,
                    [&](std::size_t i) { compute(rounds.first + static_cast<std::int64_t>(i)); });
        pauses.next(rounds.last - rounds.first);
    }
}

}  // namespace legato::kpm
