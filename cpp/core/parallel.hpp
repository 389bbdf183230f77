// Work for several threads: loops over independent pieces, and regions that a team carries out together.
//
// The threads belong to the library and serve one call at a time. OpenMP's own threads are not used for two reasons.
// OpenMP ends the process if the system refuses a thread, and a child of fork() waits for its parent's threads for
// ever. Here a team gets smaller, and a child starts its own threads. A thread that waits long goes to sleep, and teams
// get smaller while other programs take their processors (oversubscription.hpp). OpenMP's settings still determine the
// number of threads. Within a parallel region of the calling program a team has one thread, unless nested regions are
// allowed.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <type_traits>

#include "core/progress.hpp"

namespace legato {

// A value that one thread changes and other threads wait for. Starts with 0.
class Signal {
  public:
    void set(int value);
    int value() const { return value_.load(std::memory_order_acquire); }
    double seconds_since_change() const;

    // Sleeps until the value is no longer `old`. Returns the seconds until the change, without the time that the
    // system needed to wake this thread.
    double sleep_while(int old) const;

  private:
    std::atomic<int> value_ = 0;
    std::atomic<double> changed_at_ = 0;
    RunClock clock_;
};

// A barrier lets the threads of a team wait for each other.
class Barrier {
  public:
    explicit Barrier(int size) : size_(size) {}

    void wait();

  private:
    int size_;
    alignas(64) std::atomic<int> arrived_ = 0;  // has its own cache line, because waiting threads poll phase_
    alignas(64) Signal phase_;
};

// A team, as one of its threads sees it.
struct Team {
    struct Share {
        std::size_t first, last;
    };

    std::size_t size = 1;
    std::size_t rank = 0;
    Barrier* barrier = nullptr;  // null for a team of one

    bool leads() const { return rank == 0; }

    // Returns when all threads of the team have called it.
    void wait() const {
        if (barrier) barrier->wait();
    }

    // Returns this thread's range [first, last) of `count` pieces. It depends on size and rank alone.
    Share share(std::size_t count) const { return {count * rank / size, count * (rank + 1) / size}; }
};

// Returns the number of threads that OpenMP would take, at most the number of processors, or this process's share of
// them if mpirun or srun has started several processes on this machine.
int default_threads();

namespace parallel {

void run(int threads, void (*body)(void* work, const Team& team), void* work) noexcept;

// Ends the threads that no call uses. Later calls start new ones.
void end_resting_threads();

}  // namespace parallel

// The ranges of in_rounds.
class Rounds {
  public:
    Rounds(std::int64_t count, int most_threads) : count_(count), most_threads_(most_threads) {}

    // Returns false when there are no more rounds.
    bool next();

    std::int64_t first = 0, last = 0;
    int threads = 0;

  private:
    std::int64_t count_, at_once_ = 1;
    int most_threads_;
    RunClock clock_;  // time of the present range
};

// Calls work(team) on up to `threads` threads at the same time; the caller is the first of them. `work` must not throw:
// the other threads might wait for one that has ended.
template <class Work>
void in_team(int threads, Work&& work) {
    const auto body = [](void* w, const Team& team) { (*static_cast<std::remove_reference_t<Work>*>(w))(team); };
    parallel::run(threads, body, const_cast<void*>(static_cast<const void*>(std::addressof(work))));
}

// Calls work(team, first, last) for ranges of rounds that together are 0..count-1, one range after the other, each with
// a team of up to `threads`. A team can change its size only between ranges. The first range, and the first one after a
// team has grown, therefore has one round. Later ranges take about a millisecond.
template <class Work>
void in_rounds(std::int64_t count, int threads, Work&& work) {
    Rounds rounds(count, threads);
    while (rounds.next()) in_team(rounds.threads, [&](const Team& team) { work(team, rounds.first, rounds.last); });
}

// Calls work(i) for i in 0..count-1 on up to `threads` threads. It rethrows the first exception; pieces that have not
// begun by then are left out.
template <class Work>
void in_parallel(std::size_t count, int threads, Work&& work) {
    std::exception_ptr first;
    std::mutex mutex;
    std::atomic<bool> failed = false;
    std::atomic<std::size_t> next = 0;
    const auto take_pieces = [&](const Team&) {
        for (std::size_t i = next++; i < count && !failed; i = next++) {
            try {
                work(i);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!first) first = std::current_exception();
                failed = true;
            }
        }
    };
    in_team(count < static_cast<std::size_t>(threads) ? static_cast<int>(count) : threads, take_pieces);
    if (first) std::rethrow_exception(first);
}

}  // namespace legato
