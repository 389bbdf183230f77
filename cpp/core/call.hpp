// A call of the library by its host, and the host's callbacks within it.
//
// The host may have changed its floating-point environment (-ffpe-trap, -ffast-math, fesetround). A call works in the
// default one, so that it does not trap, and gives the same bits in every program; it leaves the host's as it was, with
// its flags. A callback has the host's, too, and may leave by longjmp.
#pragma once

#include <pthread.h>

#include <cfenv>
#include <cstdint>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace legato {

// Held for the time of a call.
class Call {
  public:
    Call() noexcept : outer_(innermost_) {
        innermost_ = this;
        begin();
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call() {
        end();
        innermost_ = outer_;
    }

    // Of this thread; null where there is none.
    static const Call* innermost() noexcept { return innermost_; }

  private:
    friend class Callback;

    // <cfenv> takes 0.4 us, a call of the library 0.05: it is left for hosts that have changed something.
#ifdef __x86_64__
    void begin() noexcept {
        constexpr unsigned flags = 0x3f, default_control = 0x1f80, default_x87_control = 0x37f;
        unsigned short x87_control = 0;
        asm volatile("fnstcw %0" : "=m"(x87_control));
        control_ = _mm_getcsr();
        changed_ = (control_ & ~flags) != default_control || x87_control != default_x87_control;
        if (changed_) replace();
    }
    void end() noexcept {
        if (changed_)
            std::fesetenv(&host_);
        else if (_mm_getcsr() != control_)
            _mm_setcsr(control_);
    }

    unsigned control_ = 0;
    bool changed_ = false;
#else
    void begin() noexcept { replace(); }
    void end() noexcept { std::fesetenv(&host_); }
#endif
    void replace() noexcept {
        std::fegetenv(&host_);
        std::fesetenv(FE_DFL_ENV);
    }

    static inline thread_local Call* innermost_ = nullptr;
    Call* outer_;
    std::fenv_t host_;
};

// Held while a callback is called.
class Callback {
  public:
    Callback() noexcept : call_(Call::innermost_) {
        if (call_) call_->end();
    }
    Callback(const Callback&) = delete;
    Callback& operator=(const Callback&) = delete;
    ~Callback() {
        if (call_) call_->begin();
    }

  private:
    Call* call_;
};

// What goes on within a call, and must not begin once more in a callback of that call. Where a callback has left by
// longjmp, nobody ends what was going on: it is then found to be over.
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
