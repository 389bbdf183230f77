// A thread of the library itself within the host program. It handles no signals and has the default floating-point
// environment. Its stack size does not depend on the limits of the host program. It may run on every processor that the
// host program may use.
#pragma once

#include <pthread.h>

#include <mutex>

namespace legato {

// Returns the number of fork() calls between the process that loaded the library and this process. A thread that was
// started at another number does not exist in this process.
int forks();

class Thread {
  public:
    Thread() = default;
    Thread(const Thread&) = delete;
    Thread& operator=(const Thread&) = delete;
    // Waits for the thread's end, unless it is lost.
    ~Thread();

    // Returns false if the system refuses a thread.
    [[nodiscard]] bool start(void (*work)(void*), void* argument);

    // Returns true if fork() left the thread behind in the parent process. It never ends in this process, and never
    // releases what it holds.
    bool lost() const { return started_ && forks_ != forks(); }

  private:
    static void* begin(void* self);

    void (*work_)(void*) = nullptr;
    void* argument_ = nullptr;
    pthread_t thread_{};
    bool started_ = false;
    int forks_ = 0;
};

// Guards data of the whole process. It is locked for a short time only, and never while its thread has locked another
// GlobalMutex. In a child of fork() it is unlocked, and the data that it guards are complete.
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
