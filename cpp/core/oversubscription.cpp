#include "core/oversubscription.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <ctime>
#include <limits>

namespace legato::oversubscription {
namespace {

constexpr double shortest_pause = 0.02, longest_pause = 1;
constexpr double most_lost = 0.25;       // largest share of the time that may be lost by waiting for a processor
constexpr double least_to_judge = 2e-3;  // seconds of work, in one call or in several, that can be judged

std::atomic<int> limit = std::numeric_limits<int>::max();
std::atomic<double> pause = shortest_pause, next_trial = 0;

thread_local double slept = 0;

// Sums over the calls since the last judgement. Many calls are too short to be judged one by one.
struct Calls {
    double took = 0, used = 0;
    double kept_waiting = 0;  // sum of the numbers of threads that were kept waiting, times the seconds of the call
    int threads = 0;
};
thread_local Calls calls;

double seconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Judges the times of teams of `threads` threads, and sets the limit on the size of teams. At least one thread of a
// team runs at any time, unless all wait for processors. If a larger team was tried with success, its size is the new
// limit. Otherwise the next try is delayed.
void update_limit(int threads, double took, double used, int kept_waiting) {
    const int lost = std::max<int>(kept_waiting, used < (1 - most_lost) * took ? 1 : 0);
    if (lost > 0) {
        limit = std::max(threads - lost, 1);
        next_trial = seconds(CLOCK_MONOTONIC) + pause;
        pause = std::min(2 * pause, longest_pause);
    } else if (threads > limit.load(std::memory_order_relaxed)) {
        limit = threads;
        pause = shortest_pause;
    }
}

}  // namespace

int allowed_threads(int threads) {
    const int most = limit.load(std::memory_order_relaxed);
    if (threads <= most) return threads;
    return seconds(CLOCK_MONOTONIC) < next_trial ? most : std::min(threads, 2 * most);
}

void reset() {
    limit = std::numeric_limits<int>::max();
    pause = shortest_pause;
    calls = {};
}

TeamTimes::TeamTimes() : began_(seconds(CLOCK_MONOTONIC)) {}

TeamTimes::ThreadTimes::ThreadTimes(TeamTimes& team, double late)
    : team_(team), began_(seconds(CLOCK_MONOTONIC) - late), used_(seconds(CLOCK_THREAD_CPUTIME_ID)), slept_(slept) {}

TeamTimes::ThreadTimes::~ThreadTimes() {
    const double took = seconds(CLOCK_MONOTONIC) - began_, used = seconds(CLOCK_THREAD_CPUTIME_ID) - used_;
    team_.used_ += used;
    const double lost = took - used - (slept - slept_);
    if (lost > most_lost * std::max(took, least_to_judge)) ++team_.kept_waiting_;
}

void TeamTimes::close(int threads) {
    const double took = seconds(CLOCK_MONOTONIC) - began_;
    if (calls.threads != threads) calls = {.threads = threads};
    calls.took += took;
    calls.used += used_;
    calls.kept_waiting += took * kept_waiting_;
    if (calls.took < least_to_judge) return;
    update_limit(threads, calls.took, calls.used, static_cast<int>(std::lround(calls.kept_waiting / calls.took)));
    calls = {};
}

void add_sleep(double slept_now, double waited) {
    constexpr double usual_awakening = 0.2e-3;  // much less than a time slice of the system
    slept += std::min(slept_now, waited + usual_awakening);
}

}  // namespace legato::oversubscription
