// Whether other programs take processors away from teams. Threads that meet at barriers go on as slowly as the one that
// waits for a processor: where that happens, teams get smaller for a while. Results do not depend on the size of teams.
#pragma once

#include <atomic>

namespace legato::crowding {

// How many of so many threads a team should have now.
int allowed(int threads);

// Teams have their full size again.
void forget();

// What a team's work took, of one call.
class Record {
  public:
    Record();
    Record(const Record&) = delete;
    Record& operator=(const Record&) = delete;

    // A thread's share of it.
    class Share {
      public:
        explicit Share(Record& of);
        Share(const Share&) = delete;
        Share& operator=(const Share&) = delete;
        ~Share();

      private:
        Record& record_;
        double began_, used_, slept_;
    };

    // When all of so many threads are done: makes the next teams smaller, or larger again.
    void close(int threads);

  private:
    double began_;
    std::atomic<double> used_ = 0;       // processors' time
    std::atomic<int> kept_waiting_ = 0;  // threads that have waited for a processor for long
};

// The calling thread has slept because others were not done.
void add_sleep(double seconds);

}  // namespace legato::crowding
