#include "core/activity.hpp"

#include <atomic>

#include "core/call.hpp"

namespace legato {
namespace {

// Returns a number that is seldom found in memory by chance.
std::uint64_t new_sign() noexcept {
    static std::atomic<std::uint64_t> count = 0;
    return ++count * 0x9e3779b97f4a7c15u;
}

}  // namespace

Activity::Scope::Scope(Activity& activity) noexcept
    : activity_(activity), before_(activity.latest_), sign_(new_sign()) {
    activity_.latest_ = {this, pthread_self(), sign_};
}

Activity::Scope::~Scope() {
    activity_.latest_ = before_;
    sign_ = 0;
}

// Stacks grow downwards. An activity that goes on was begun by an outer call, whose frame has a higher address than
// the present one. A lower address means that longjmp has left the activity, and its memory may be gone. A higher
// address is no proof: after a longjmp, the present call may come from a deeper frame of the calling program. The
// memory of the activity then holds another number than its sign.
#if defined(__GNUC__)
__attribute__((no_sanitize("address")))
#endif
bool Activity::is_active() const noexcept {
    if (!latest_.scope) return false;
    const Call* const call = Call::innermost();
    if (!call || !pthread_equal(latest_.thread, pthread_self())) return true;
    if (static_cast<const void*>(latest_.scope) < static_cast<const void*>(call)) return false;
    return latest_.scope->sign_ == latest_.sign;
}

}  // namespace legato
