#include "core/parallel.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <utility>

#include "core/launcher.hpp"
#include "core/oversubscription.hpp"
#include "core/thread.hpp"

namespace legato {
namespace {

// Returns the number of processors of the process, even if OpenMP has bound the calling thread to one of them.
int processors() {
    static const int count = std::max(omp_get_num_procs(), 1);
    return count;
}

// Returns whether a nested parallel region of OpenMP would have one thread. The program may allow more.
bool nested_region_is_serial() {
    return omp_get_active_level() >= omp_get_max_active_levels();
}

// Controls how long threads spin before they sleep. At first this is up to a millisecond, longer than most waits. After
// a change that came late it is halved, because the awaited thread may need the processor. After a change that came
// soon it grows again. What counts is when the change came. A sleeper may notice it much later, if another program has
// its processor; oversubscription::add_sleep() must see that delay.
class SpinWait {
  public:
    // Returns when the value of `signal` is no longer `old`.
    void wait_while(const Signal& signal, int old) {
        const int spins = spins_.load(std::memory_order_relaxed);
        for (int i = 0; i < spins; ++i) {
            if (signal.value() != old) return;
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
        }
        constexpr double short_wait = 50e-6;
        const RunClock clock;
        const double waited = signal.sleep_while(old);
        oversubscription::add_sleep(clock.seconds(), waited);
        const bool was_short = waited < short_wait;
        spins_.store(was_short ? std::clamp(4 * spins, least, most) : spins / 2, std::memory_order_relaxed);
    }

  private:
    static constexpr int least = 256, most = 20000;

    std::atomic<int> spins_ = most;
};

SpinWait within_regions, between_regions;

// Describes the work of a team.
struct Region {
    void (*body)(void* work, const Team& team);
    void* work;
    Barrier* barrier;
    std::size_t size;
    oversubscription::TeamTimes* times;
};

void take_part(const Region& region, std::size_t rank, double late) {
    const oversubscription::TeamTimes::ThreadTimes times(*region.times, late);
    region.body(region.work, Team{region.size, rank, region.barrier});
}

enum Order : int { rest, begin, leave };

struct Worker {
    Signal order;
    const Region* region = nullptr;
    std::size_t rank = 0;
    Worker* next = nullptr;  // next in the list of the pool or of a team
    Thread thread;           // last member, so that it ends before the others are destroyed
};

thread_local bool in_a_team = false;

void work_for_teams(void* worker) {
    Worker& me = *static_cast<Worker*>(worker);
    in_a_team = true;
    for (;;) {
        between_regions.wait_while(me.order, rest);
        if (me.order.value() == leave) return;
        take_part(*me.region, me.rank, me.order.seconds_since_change());
        me.order.set(rest);
    }
}

// The pool owns the resting threads. They end with the process, or when the library is unloaded.
class Pool {
  public:
    Pool() = default;
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    ~Pool() { end_all(); }

    void end_all() {
        while (Worker* const worker = take()) {
            worker->order.set(leave);
            delete worker;
        }
    }

    // Returns a resting thread or a new one, and null if the system refuses a thread.
    Worker* borrow() {
        if (Worker* const worker = take()) return worker;
        try {
            auto worker = std::make_unique<Worker>();
            if (worker->thread.start(work_for_teams, worker.get())) return worker.release();
        } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): as good as no thread
        }
        return nullptr;
    }

    void give_back(Worker* worker) {
        const std::lock_guard lock(mutex_);
        worker->next = resting_;
        resting_ = worker;
    }

  private:
    Worker* take() {
        const std::lock_guard lock(mutex_);
        if (forks_ != forks()) {
            forks_ = forks();
            parents_ = std::exchange(resting_, nullptr);
        }
        Worker* const worker = resting_;
        if (worker) resting_ = worker->next;
        return worker;
    }

    GlobalMutex mutex_;
    Worker* resting_ = nullptr;
    Worker* parents_ = nullptr;  // workers of the parent process; their threads do not exist in this child of fork()
    int forks_ = 0;
};

Pool pool;

// The workers that a team has borrowed from the pool. They are returned in such an order that the next team gets them
// in the same order, so that a thread keeps its share of the data in its cache.
class TeamWorkers {
  public:
    explicit TeamWorkers(int wanted) {
        while (size_ < wanted) {
            Worker* const worker = pool.borrow();
            if (!worker) break;
            worker->next = last_;
            last_ = worker;
            ++size_;
        }
    }
    TeamWorkers(const TeamWorkers&) = delete;
    TeamWorkers& operator=(const TeamWorkers&) = delete;
    ~TeamWorkers() {
        while (last_) {
            Worker* const worker = last_;
            last_ = worker->next;
            pool.give_back(worker);
        }
    }

    int size() const { return size_; }

    void begin(const Region& region) {
        std::size_t rank = region.size;
        for (Worker* worker = last_; worker; worker = worker->next) {
            worker->region = &region;
            worker->rank = --rank;
            worker->order.set(Order::begin);
        }
    }

    void wait() {
        for (Worker* worker = last_; worker; worker = worker->next)
            within_regions.wait_while(worker->order, Order::begin);
    }

  private:
    Worker* last_ = nullptr;
    int size_ = 0;
};

}  // namespace

void Signal::set(int value) {
    changed_at_.store(clock_.seconds(), std::memory_order_relaxed);
    value_ = value;
    value_.notify_all();
}

double Signal::seconds_since_change() const {
    return clock_.seconds() - changed_at_.load(std::memory_order_relaxed);
}

double Signal::sleep_while(int old) const {
    const double began = clock_.seconds();
    value_.wait(old);
    return std::max(changed_at_.load(std::memory_order_relaxed) - began, 0.0);
}

void Barrier::wait() {
    const int now = phase_.value();
    if (++arrived_ == size_) {
        arrived_.store(0, std::memory_order_relaxed);
        phase_.set(now + 1);
    } else {
        within_regions.wait_while(phase_, now);
    }
}

bool Rounds::next() {
    constexpr double short_range = 0.5e-3, long_range = 2e-3;
    const double took = clock_.seconds();
    first = last;
    if (first >= count_) return false;
    if (first > 0 && took < short_range) at_once_ *= 2;
    if (took > long_range) at_once_ = std::max<std::int64_t>(at_once_ / 2, 1);
    const int allowed = oversubscription::allowed_threads(most_threads_);
    if (allowed > threads) at_once_ = 1;
    threads = allowed;
    last = first + std::min(at_once_, count_ - first);
    clock_ = {};
    return true;
}

// Processes that a launcher has started on this machine share its processors, unless it has bound each of them to its
// own ones.
int default_threads() {
    const int here = launch().local_size;
    const bool is_bound = processors() < sysconf(_SC_NPROCESSORS_ONLN);
    return std::clamp(omp_get_max_threads(), 1, is_bound ? processors() : std::max(processors() / here, 1));
}

void parallel::end_resting_threads() {
    pool.end_all();
}

void parallel::run(int threads, void (*body)(void* work, const Team& team), void* work) noexcept {
    if (threads <= 1 || in_a_team || nested_region_is_serial()) return body(work, Team{});
    TeamWorkers workers(oversubscription::allowed_threads(threads) - 1);
    if (workers.size() == 0) return body(work, Team{});
    Barrier barrier(workers.size() + 1);
    oversubscription::TeamTimes times;
    const Region region{body, work, &barrier, static_cast<std::size_t>(workers.size()) + 1, &times};
    workers.begin(region);
    in_a_team = true;
    take_part(region, 0, 0);
    in_a_team = false;
    workers.wait();
    times.close(workers.size() + 1);
}

}  // namespace legato
