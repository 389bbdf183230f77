// The run of a method: its loop, progress reports, cancelling, saving and resuming.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/activity.hpp"
#include "core/context.hpp"
#include "core/error.hpp"
#include "core/progress.hpp"
#include "core/ranks.hpp"
#include "core/state_pieces.hpp"

namespace legato {

// Reports the progress of one call of run().
class Reporter {
  public:
    Reporter() = default;  // reports nothing
    // `progress` returns the progress since the run was made. `context` must outlive the reporter.
    // Collective, as are all members: only some ranks may have a callback, and it may stop the run of all.
    Reporter(const Context& context, std::string_view run, const ProgressCallback& callback, double between_reports,
             std::function<Progress()> progress)
        : context_(on_any_rank(context, static_cast<bool>(callback)) ? &context : nullptr),
          method_(run.substr(0, run.find('.'))),
          callback_(callback),
          between_reports_(between_reports),
          progress_(std::move(progress)),
          before_(progress_()),
          points_reported_(before_.points_done) {}

    // Returns true if a rank has a callback.
    bool reports() const { return context_ != nullptr; }

    // Calls the callback. Throws cancelled if it asks to stop.
    void report() {
        if (!context_) return;
        reported_ = clock_.seconds();
        Progress progress = progress_();
        points_reported_ = progress.points_done;
        progress.cycles_done -= before_.cycles_done;
        progress.seconds = reported_;
        progress.cycles_per_second = static_cast<double>(progress.cycles_done) / std::max(reported_, 1e-9);
        if (on_any_rank(*context_, callback_ && asks_to_stop(progress)))
            fail(Status::cancelled, method_, ": stopped by the progress callback");
    }

    // Returns true if a point has been finished, or `between_reports` seconds have passed, since the last report.
    bool is_due() {
        return context_ && of_first_rank(*context_, progress_().points_done > points_reported_ ||
                                                        clock_.seconds() - reported_ >= between_reports_);
    }
    void report_if_due() {
        if (is_due()) report();
    }

  private:
    // Calls the callback. If a collective call within it has failed, the other ranks may have left the run, so that
    // this rank leaves it, too.
    bool asks_to_stop(const Progress& progress) const {
        const auto& communicator = context_->communicator();
        const int errors = communicator ? communicator->shared_errors() : 0;
        const bool stops = !callback_(progress);
        if (communicator && communicator->shared_errors() > errors)
            throw SharedError(Status::communication_error,
                              text(method_, ": a collective call of the progress callback has failed on the ranks"));
        return stops;
    }

    const Context* context_ = nullptr;
    std::string_view method_;
    ProgressCallback callback_;
    double between_reports_ = seconds_between_reports;
    std::function<Progress()> progress_;
    Progress before_;
    std::int64_t points_reported_ = 0;
    RunClock clock_;
    double reported_ = 0;  // time of the last report
};

// Calls work(), which continues the run. Throws if a callback of that run, for progress or for log lines, makes the
// call. This function is not inlined: Activity::is_active() needs its frame to be below that of the C call.
template <class Continue>
[[gnu::noinline]] void run_without_reentry(Activity& activity, std::string_view run, std::string_view call,
                                           Continue&& work) {
    if (activity.is_active())
        fail(Status::invalid_argument, run, ".", call, ": a callback cannot continue the run that calls it");
    const Activity::Scope scope(activity);
    work();
}

// Throws if an error has ended a run within a batch of sweeps: some parts of the run are then further than others.
inline void require_between_batches(bool within_batch, std::string_view run) {
    if (within_batch)
        fail(Status::numerical_error, run,
             ": an error has ended this run within its sweeps: it can neither be continued ",
             "nor saved; the results of earlier bins can be read");
}

// Collective. Throws if the ranks are not at the same place.
void require_same_place(const Context& context, std::string_view run, std::string_view call,
                        const std::array<std::int64_t, 2>& place);

// Opens a state file. Rank 0 reads it, and passes its bytes to the other ranks.
StateReader open_state(const Context& context, const std::filesystem::path& path, const std::string& method,
                       std::int64_t newest_schema);

// The run of a class Work, which derives from Run<Work> and has these members:
//     static constexpr std::string_view run_name     the run in messages, for example "vmc.optimiser"
//     const Context& context() const                 the context that made it
//     Progress progress() const                      the points, and the cycles since the object was made
//     bool step(Reporter&)                           computes and reports; returns true where advance() ends
// A run that can be saved also has:
//     static constexpr std::int64_t newest_schema    the schema of its state files
//     void write(PiecedStateWriter&) const           puts the entries of the state file
//     static std::unique_ptr<Work> read(Context&, StateReader, ...)    checks the file and makes the object
// Work may replace complete(), place(), prepare() and finish(). If the context has several ranks, all of these are
// collective but context(), progress() and complete().
template <class Work>
class Run {
  public:
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    // Returns true if nothing is left to compute.
    bool complete() const {
        const Progress progress = work().progress();
        return progress.points_done == progress.points_total;
    }

    // Computes the next part of the run. Returns complete().
    bool advance() {
        run_without_reentry("advance", [this] {
            work().prepare("advance");
            Reporter none;
            while (!work().step(none) && !work().complete()) {
            }
            work().finish();
        });
        return work().complete();
    }

    // Runs to the end, or until the callback asks to stop; it then throws cancelled. The callback is called after each
    // part and can read all results so far. If parts take long, it is also called within them: see report_if_due().
    void run(const ProgressCallback& callback, double between_reports = seconds_between_reports) {
        run_without_reentry("run", [&] {
            work().prepare("run");
            Reporter reporter(work().context(), Work::run_name, callback, between_reports,
                              [this] { return work().progress(); });
            while (!work().complete()) work().step(reporter);
            work().finish();
        });
    }

    // Saves the state of the run; rank 0 writes the file. The results of a resumed run are bitwise identical to those
    // of an uninterrupted one.
    void save(const std::filesystem::path& path) const {
        require_same_place("save");
        const bool writes = work().context().rank() == 0;
        PiecedStateWriter writer(state_method(), Work::newest_schema, writes ? std::optional(path) : std::nullopt);
        work().write(writer);
        writer.commit();
    }

    template <class... Given>
    static std::unique_ptr<Work> resume(Context& context, const std::filesystem::path& path, Given&&... given) {
        return Work::read(context, open_state(context, path, state_method(), Work::newest_schema),
                          std::forward<Given>(given)...);
    }

  protected:
    Run() = default;
    ~Run() = default;

    // What has been computed and is continued, the same on every rank: by default points and cycles.
    std::array<std::int64_t, 2> place() const {
        const Progress progress = work().progress();
        return {progress.points_done, progress.cycles_done};
    }
    // Is called at the beginning of advance() and run(), with the name of the call.
    void prepare(std::string_view) const {}
    // Is called at their end, unless they fail.
    void finish() const {}

    // Calls work() as the call `call` of this run.
    template <class Continue>
    void run_without_reentry(std::string_view call, Continue&& work) {
        legato::run_without_reentry(running_, Work::run_name, call, [&] {
            require_same_place(call);
            work();
        });
    }

    // Throws if an error has ended an earlier call on some ranks later than on others.
    void require_same_place(std::string_view call) const {
        if (work().context().ranks() == 1) return;
        legato::require_same_place(work().context(), Work::run_name, call, work().place());
    }

  private:
    Work& work() { return static_cast<Work&>(*this); }
    const Work& work() const { return static_cast<const Work&>(*this); }

    static std::string state_method() {
        std::string method(Work::run_name);
        std::replace(method.begin(), method.end(), '.', '_');
        return method;
    }

    Activity running_;
};

}  // namespace legato
