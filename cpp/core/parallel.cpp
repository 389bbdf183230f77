#include "core/parallel.hpp"

#include <omp.h>

#include <algorithm>
#include <new>
#include <utility>

#include "core/thread.hpp"

namespace legato {
namespace {

// Counts those of the process, even if OpenMP has bound the calling thread to one of them.
int processors() {
    static const int count = std::max(omp_get_num_procs(), 1);
    return count;
}

// A parallel region of OpenMP within another has one thread, unless the program allows more.
bool within_a_full_region() {
    return omp_get_active_level() >= omp_get_max_active_levels();
}

// Spins for about a millisecond, which is longer than most waits, then sleeps. With more threads than processors the
// one that is waited for may need this one's.
void wait_while(const std::atomic<int>& value, int old, bool spin) {
    constexpr int spins = 20000;
    for (int i = 0; spin && i < spins; ++i) {
        if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
    value.wait(old);
}

// Describes the work of a team.
struct Region {
    void (*body)(void* work, const Team& team);
    void* work;
    Barrier* barrier;
    std::size_t size;
    bool spin;
};

enum Order : int { rest, begin, leave };

struct Worker {
    std::atomic<int> order = rest;
    const Region* region = nullptr;
    std::size_t rank = 0;
    Worker* next = nullptr;  // of those that rest
    Thread thread;           // the last member: it ends before the others
};

thread_local bool in_a_team = false;

void work_for_teams(void* worker) {
    Worker& me = *static_cast<Worker*>(worker);
    in_a_team = true;
    for (bool spin = false;;) {
        wait_while(me.order, rest, spin);
        if (me.order == leave) return;
        const Region& region = *me.region;
        region.body(region.work, Team{region.size, me.rank, region.barrier});
        spin = region.spin;
        me.order = rest;
        me.order.notify_one();
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
            worker->order = leave;
            worker->order.notify_one();
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
    Worker* parents_ = nullptr;  // of the process that has forked this one: they do not exist here
    int forks_ = 0;
};

Pool pool;

// A crew holds the workers of a region. It returns them in such an order that the next crew gets them in the same
// order, so that a thread keeps its share of the data in its cache.
class Crew {
  public:
    explicit Crew(int wanted) {
        while (size_ < wanted) {
            Worker* const worker = pool.borrow();
            if (!worker) break;
            worker->next = last_;
            last_ = worker;
            ++size_;
        }
    }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;
    ~Crew() {
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
            worker->order = Order::begin;
            worker->order.notify_one();
        }
    }

    void wait(bool spin) {
        for (Worker* worker = last_; worker; worker = worker->next) wait_while(worker->order, Order::begin, spin);
    }

  private:
    Worker* last_ = nullptr;
    int size_ = 0;
};

}  // namespace

void Barrier::wait() {
    const int now = phase_.load(std::memory_order_acquire);
    if (++arrived_ == size_) {
        arrived_.store(0, std::memory_order_relaxed);
        phase_ = now + 1;
        phase_.notify_all();
    } else {
        wait_while(phase_, now, spin_);
    }
}

int default_threads() {
    return std::clamp(omp_get_max_threads(), 1, processors());
}

void parallel::end_resting_threads() {
    pool.end_all();
}

void parallel::run(int threads, void (*body)(void* work, const Team& team), void* work) noexcept {
    if (threads <= 1 || in_a_team || within_a_full_region()) return body(work, Team{});
    Crew crew(threads - 1);
    if (crew.size() == 0) return body(work, Team{});
    const bool spin = crew.size() < processors();
    Barrier barrier(crew.size() + 1, spin);
    const Region region{body, work, &barrier, static_cast<std::size_t>(crew.size()) + 1, spin};
    crew.begin(region);
    in_a_team = true;
    body(work, Team{region.size, 0, &barrier});
    in_a_team = false;
    crew.wait(region.spin);
}

}  // namespace legato
