// Detects whether other programs take processors away from teams of threads. The threads of a team meet at barriers, so
// all are as slow as the one that waits for a processor. If that happens, teams get smaller for a while. Results do not
// depend on the size of teams.
#pragma once

#include <atomic>

namespace legato::oversubscription {

// Returns the number of threads, at most `threads`, that a team should have now.
int allowed_threads(int threads);

// Gives teams their full size again.
void reset();

// Measures the times of a team in one call.
class TeamTimes {
  public:
    TeamTimes();
    TeamTimes(const TeamTimes&) = delete;
    TeamTimes& operator=(const TeamTimes&) = delete;

    // Measures the times of one thread of the team, which begins `late` seconds after it was asked to.
    class ThreadTimes {
      public:
        ThreadTimes(TeamTimes& team, double late);
        ThreadTimes(const ThreadTimes&) = delete;
        ThreadTimes& operator=(const ThreadTimes&) = delete;
        ~ThreadTimes();

      private:
        TeamTimes& team_;
        double began_, used_, slept_;
    };

    // Must be called when all `threads` threads are done. Makes the next teams smaller, or larger again.
    void close(int threads);

  private:
    double began_;
    std::atomic<double> used_ = 0;       // processor time of all threads, in seconds
    std::atomic<int> kept_waiting_ = 0;  // number of threads that waited long for a processor
};

// Adds to the time that the calling thread has slept because others were not done. It slept for `slept` seconds. What
// it waited for came after `waited` seconds. The rest was a wait for a processor, if it is longer than a usual
// awakening.
void add_sleep(double slept, double waited);

}  // namespace legato::oversubscription
