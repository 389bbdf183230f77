// A call of the library by its host, and the host's callbacks within it.
//
// The host may have changed its floating-point environment (-ffpe-trap, -ffast-math, fesetround). A call works in the
// default one, so that it does not trap, and gives the same bits in every program; it leaves the host's as it was, with
// its flags. A callback has the host's, too.
#pragma once

#ifdef __x86_64__
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace legato {

// The default environment, while it lives; for what no callback can interrupt.
class DefaultFloatingPoint {
  public:
    DefaultFloatingPoint() noexcept { begin(); }
    DefaultFloatingPoint(const DefaultFloatingPoint&) = delete;
    DefaultFloatingPoint& operator=(const DefaultFloatingPoint&) = delete;
    ~DefaultFloatingPoint() { end(); }

  protected:
#ifdef __x86_64__  // whose compilers use SSE alone for double precision; <cfenv> takes 0.4 us, a short call 0.03
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

// Restores the host's environment while a callback runs.
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
