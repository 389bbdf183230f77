// A thread of the library's own within a host: it handles no signals, has the default floating-point environment and a
// stack whose size does not depend on the host's limits, and may run on every processor that the host may use.
#pragma once

#include <pthread.h>

#include <mutex>

namespace legato {

// How often the process has been made from another by fork() since the library was loaded: threads that were started
// when the number was another do not exist in this process.
int forks();

class Thread {
  public:
    Thread() = default;
    Thread(const Thread&) = delete;
    Thread& operator=(const Thread&) = delete;
    // Waits for its end, unless it is lost.
    ~Thread();

    // False where the system has no thread to give.
    [[nodiscard]] bool start(void (*work)(void*), void* argument);

    // Was it left behind in the process that this one was made from? It has never ended, and holds what it held.
    bool lost() const { return started_ && forks_ != forks(); }

  private:
    static void* begin(void* self);

    void (*work_)(void*) = nullptr;
    void* argument_ = nullptr;
    pthread_t thread_{};
    bool started_ = false;
    int forks_ = 0;
};

// Guards what the whole process shares, for moments only and never within another one's time. A child of fork() finds
// it free, and what it guards whole.
class GlobalMutex {
  public:
    GlobalMutex();
    GlobalMutex(const GlobalMutex&) = delete;
    GlobalMutex& operator=(const GlobalMutex&) = delete;

    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }

  private:
    friend struct AtFork;

    std::recursive_mutex mutex_;
    GlobalMutex* next_;
};

}  // namespace legato
