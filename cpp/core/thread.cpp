#include "core/thread.hpp"

#include <omp.h>
#include <sched.h>

#include <atomic>
#include <cfenv>
#include <csignal>
#include <new>
#include <vector>

namespace legato {
namespace {

int forks_so_far = 0;
std::atomic<GlobalMutex*> all_mutexes = nullptr;

}  // namespace

// fork() locks all mutexes first. The parent unlocks them. The child constructs them anew, because a mutex stores the
// number of its owner, which is another one in the child.
struct AtFork {
    template <class Action>
    static void each(Action action) {
        for (GlobalMutex* m = all_mutexes; m; m = m->next_) action(m->mutex_);
    }
    static void lock() {
        each([](std::recursive_mutex& mutex) { mutex.lock(); });
    }
    static void unlock() {
        each([](std::recursive_mutex& mutex) { mutex.unlock(); });
    }
    static void begin_child() {
        ++forks_so_far;
        each([](std::recursive_mutex& mutex) { new (&mutex) std::recursive_mutex; });
    }
};

namespace {

[[maybe_unused]] const int registered = pthread_atfork(AtFork::lock, AtFork::unlock, AtFork::begin_child);

// Lets a new thread run on all processors. OMP_PROC_BIND may have bound the calling thread to one processor, and the
// new thread would inherit that.
void release(pthread_attr_t& attributes) {
    cpu_set_t all;
    CPU_ZERO(&all);
    for (int place = 0; place < omp_get_num_places(); ++place) {
        std::vector<int> ids(static_cast<std::size_t>(omp_get_place_num_procs(place)));
        omp_get_place_proc_ids(place, ids.data());
        for (const int id : ids)
            if (id < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(id), &all);
    }
    if (CPU_COUNT(&all) > 0) pthread_attr_setaffinity_np(&attributes, sizeof(all), &all);
}

}  // namespace

int forks() {
    return forks_so_far;
}

GlobalMutex::GlobalMutex() : next_(all_mutexes) {
    while (!all_mutexes.compare_exchange_weak(next_, this)) {
    }
}

Thread::~Thread() {
    if (started_ && !lost()) pthread_join(thread_, nullptr);
}

bool Thread::start(void (*work)(void*), void* argument) {
    constexpr std::size_t stack = std::size_t{2} << 20;
    work_ = work;
    argument_ = argument;
    forks_ = forks();
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setstacksize(&attributes, stack);
    release(attributes);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    started_ = pthread_create(&thread_, &attributes, begin, this) == 0;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_attr_destroy(&attributes);
    return started_;
}

void* Thread::begin(void* self) {
    std::fesetenv(FE_DFL_ENV);
    const Thread& me = *static_cast<Thread*>(self);
    me.work_(me.argument_);
    return nullptr;
}

}  // namespace legato
