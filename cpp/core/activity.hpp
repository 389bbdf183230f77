// An activity goes on within a call and must not begin again in a callback of that call. If a callback leaves by
// longjmp, no destructor ends the activity. is_active() detects that it is over.
#pragma once

#include <pthread.h>

#include <cstdint>

namespace legato {

class Activity {
  public:
    class Scope;

  private:
    struct Record {
        const Scope* scope = nullptr;
        pthread_t thread{};
        std::uint64_t sign = 0;
    };

  public:
    // Marks the activity as going on while this local variable lives.
    class Scope {
      public:
        explicit Scope(Activity& activity) noexcept;
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        ~Scope();

      private:
        friend class Activity;

        Activity& activity_;
        const Record before_;  // record of the outer call, if there is one
        volatile std::uint64_t sign_;
    };

    bool is_active() const noexcept;

  private:
    Record latest_;
};

}  // namespace legato
