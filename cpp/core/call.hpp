// A call of the library by the host program, and the callbacks of the host program within the call.
//
// The host program may have changed its floating-point environment (-ffpe-trap, -ffast-math, fesetround). A call works
// in the default environment: it does not trap, and its results are bitwise identical in every program. At its end it
// restores the environment of the host program with its flags. A callback also runs in that environment.
#pragma once

#ifdef __x86_64__
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace legato {

// Sets the default environment while it lives. It is for code that no callback interrupts.
class DefaultFloatingPoint {
  public:
    DefaultFloatingPoint() noexcept { begin(); }
    DefaultFloatingPoint(const DefaultFloatingPoint&) = delete;
    DefaultFloatingPoint& operator=(const DefaultFloatingPoint&) = delete;
    ~DefaultFloatingPoint() { end(); }

  protected:
#ifdef __x86_64__  // compilers use only SSE for double precision; <cfenv> takes 0.4 us, a short call 0.03 us
    void begin() noexcept {
        constexpr unsigned flags = 0x3f, standard = 0x1f80;
        host_ = _mm_getcsr();
        if ((host_ & ~flags) != standard) _mm_setcsr(standard);
    }
    void end() noexcept {
        if (_mm_getcsr() != host_) _mm_setcsr(host_);
    }

  private:
    unsigned host_ = 0;
#else
    void begin() noexcept {
        std::fegetenv(&host_);
        std::fesetenv(FE_DFL_ENV);
    }
    void end() noexcept {
        std::fesetenv(&host_);
    }

  private:
    std::fenv_t host_;
#endif
};

// Sets the default environment for the time of a call.
class Call : DefaultFloatingPoint {
  public:
    Call() noexcept : outer_(innermost_) { innermost_ = this; }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call() { innermost_ = outer_; }

    // Returns the innermost call of this thread, or null.
    static const Call* innermost() noexcept { return innermost_; }

  private:
    friend class Callback;

    static inline thread_local Call* innermost_ = nullptr;
    Call* outer_;
};

// Restores the environment of the host program while a callback runs.
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

}  // namespace legato
