// Tables of quantities that follow from moments, such as the densities of many sites: means over realisations, with
// standard errors from their spread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/activity.hpp"
#include "core/context.hpp"
#include "core/progress.hpp"
#include "kpm/spectrum.hpp"

namespace legato::kpm {

// The callback of the functions that compute quantities from the moments of a run.
struct EstimateProgress {
    ProgressCallback callback;
    mutable Activity activity;  // such a function

    // Throws if the callback calls `call` of the run: its moments must not change meanwhile.
    void require_no_estimate(std::string_view run, std::string_view call) const;
};

// Calls a callback a few times a second while spectra are evaluated. Throws cancelled if it asks to stop.
class Pauses {
  public:
    Pauses(const EstimateProgress& estimate, std::int64_t spectra)
        : callback_(estimate.callback), scope_(estimate.activity) {
        progress_.points_total = spectra;
    }

    void pause();
    // Counts spectra.
    void next(std::int64_t count = 1);

  private:
    ProgressCallback callback_;  // a copy: it may replace itself
    Activity::Scope scope_;
    Progress progress_;
    RunClock clock_;
};

// Where the rows of a table have their moments.
struct RowMoments {
    std::int64_t rows = 0;
    std::function<std::int64_t(std::int64_t row)> realisations;  // number of finished ones, at least 1
    std::function<std::span<const double>(std::int64_t row, std::int64_t realisation)> moments;
    bool is_random = false;  // realisations differ
};

// Computes a row of the table from its moments. It is linear in the moments.
using RowFunction = std::function<std::vector<double>(std::span<const double> moments, const Effort& effort)>;

// Writes value[rows][n]: `what` for the mean moments of each row. Writes error[rows][n] unless it is empty: the
// standard error from the spread of the realisations; with one realisation 0, or NaN if the disorder is random. All
// threads take part. The results are bitwise identical for any number of threads, and with any other rows.
void estimate_rows(const Context& context, const EstimateProgress& progress, const RowMoments& rows, std::size_t n,
                   const RowFunction& what, std::span<double> value, std::span<double> error);

}  // namespace legato::kpm
