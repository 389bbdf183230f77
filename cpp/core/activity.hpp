// What goes on within a call, and must not begin once more in a callback of that call. Where a callback has left by
// longjmp, nobody ends what was going on: it is then found to be over.
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
    // Held while it goes on, as a local variable.
    class Held {
      public:
        explicit Held(Activity& activity) noexcept;
        Held(const Held&) = delete;
        Held& operator=(const Held&) = delete;
        ~Held();

      private:
        friend class Activity;

        Activity& activity_;
        const Record before_;  // further out
        volatile std::uint64_t sign_;
    };

    bool goes_on() const noexcept;

  private:
    Record latest_;
};

}  // namespace legato
