// An activity goes on within a call and must not begin again in a callback of that call. If a callback leaves by
// longjmp, no destructor ends the activity. goes_on() detects that it is over.
#pragma once

#include <pthread.h>

#include <cstdint>

namespace legato {

class Activity {
  public:
    class Held;

  private:
    struct Record {
        const Held* held = nullptr;
        pthread_t thread{};
        std::uint64_t sign = 0;
    };

  public:
    // Marks the activity as going on while this local variable lives.
    class Held {
      public:
        explicit Held(Activity& activity) noexcept;
        Held(const Held&) = delete;
        Held& operator=(const Held&) = delete;
        ~Held();

      private:
        friend class Activity;

        Activity& activity_;
        const Record before_;  // record of the outer call, if there is one
        volatile std::uint64_t sign_;
    };

    bool goes_on() const noexcept;

  private:
    Record latest_;
};

}  // namespace legato
