#include "handle_table.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <mutex>
#include <new>
#include <utility>

#include "core/call.hpp"
#include "core/thread.hpp"

namespace legato::capi {

// A place holds an object, or is free and has no type.
struct Place {
    std::atomic<std::uint64_t> state = std::uint64_t{1} << 32;  // generation << 32 | destroyed | users
    std::atomic<const void*> type = nullptr;
    std::shared_ptr<void> object;
    std::weak_ptr<void> left;                 // object of a destroyed handle, while objects of other handles share it
    std::uint32_t number = 0, next_free = 0;  // number of the next place in a list, plus one
};

namespace {

constexpr std::uint64_t destroyed = std::uint64_t{1} << 31, users = destroyed - 1;
constexpr std::uint32_t mark = 0x5d, first_chunk = 64, most_places = std::uint32_t{1} << 24;

// The table grows by chunks of 64, 128, 256 .. places. Existing places do not move, so find() needs no lock.
class Table {
  public:
    Place* find(std::uint32_t number) const noexcept {
        const std::uint32_t chunk = chunk_of(number);
        Place* const places = chunk < chunks_.size() ? chunks_[chunk].load(std::memory_order_acquire) : nullptr;
        return places ? &places[number - first_of(chunk)] : nullptr;
    }

    Place& take() {
        const std::lock_guard lock(mutex_);
        free_unshared_places();
        if (free_ == 0) grow();
        Place& place = *find(free_ - 1);
        free_ = place.next_free;
        ++in_use_;
        return place;
    }

    // Takes back the place of a destroyed handle. It is free once no other object shares its object (`left`).
    void give_back(Place& place) noexcept {
        const std::lock_guard lock(mutex_);
        place.next_free = left_;
        left_ = place.number + 1;
        free_unshared_places();
    }

    // Does not free the places if handles are left that the program has not destroyed: they may be used after this.
    ~Table() {
        {
            const std::lock_guard lock(mutex_);
            free_unshared_places();
        }
        if (in_use_ > 0) return;
        for (auto& chunk : chunks_) delete[] chunk.exchange(nullptr);
    }

  private:
    static std::uint32_t chunk_of(std::uint32_t number) {
        return static_cast<std::uint32_t>(std::bit_width(number / first_chunk + 1)) - 1;
    }
    static std::uint32_t first_of(std::uint32_t chunk) { return first_chunk * ((std::uint32_t{1} << chunk) - 1); }

    void free_unshared_places() noexcept {
        for (std::uint32_t* next = &left_; *next != 0;) {
            Place& place = *find(*next - 1);
            if (!place.left.expired()) {
                next = &place.next_free;
                continue;
            }
            *next = place.next_free;
            place.left.reset();
            place.type = nullptr;
            const std::uint64_t generation = place.state.load(std::memory_order_relaxed) >> 32;
            place.state.store((generation + 1) << 32, std::memory_order_release);
            place.next_free = free_;
            free_ = place.number + 1;
            --in_use_;
        }
    }

    void grow() {
        if (size_ >= most_places - first_chunk) throw std::bad_alloc();
        const std::uint32_t chunk = chunk_of(size_), count = first_chunk << chunk;
        Place* const places = new Place[count];
        for (std::uint32_t i = count; i-- > 0;) {
            places[i].number = size_ + i;
            places[i].next_free = free_;
            free_ = places[i].number + 1;
        }
        size_ += count;
        chunks_[chunk].store(places, std::memory_order_release);
    }

    std::array<std::atomic<Place*>, 18> chunks_{};
    GlobalMutex mutex_;
    std::uint32_t size_ = 0, in_use_ = 0;
    std::uint32_t free_ = 0, left_ = 0;  // number of the first place in each list, plus one
};

Table table;

struct Named {
    Place* place;  // null if the handle is not valid
    std::uint32_t generation;
};

Named named_by(const void* handle) {
    const auto bits = reinterpret_cast<std::uintptr_t>(handle);
    static_assert(sizeof bits == 8);
    const std::uint32_t number = static_cast<std::uint32_t>(bits >> 8) & (most_places - 1);
    return {(bits & 0xff) == mark ? table.find(number) : nullptr, static_cast<std::uint32_t>(bits >> 32)};
}

bool is_present(std::uint64_t state, std::uint32_t generation) {
    return state >> 32 == generation && (state & destroyed) == 0;
}

// Counts users without locked instructions, which would take as long as the rest of a call. This is sufficient, because
// an object serves one thread at a time, and its users are nested calls of that thread.
bool add_user(Place& place, std::uint32_t generation) {
    const std::uint64_t state = place.state.load(std::memory_order_acquire);
    if (!is_present(state, generation)) return false;
    place.state.store(state + 1, std::memory_order_relaxed);
    return true;
}

// Destroys the object when the last user of a destroyed handle returns.
void remove_user(Place& place) noexcept {
    const std::uint64_t state = place.state.load(std::memory_order_relaxed);
    if ((state & destroyed) == 0 || (state & users) != 1)
        return place.state.store(state - 1, std::memory_order_relaxed);
    const Call call;
    place.left = place.object;
    place.object.reset();
    place.state.store(state - 1, std::memory_order_relaxed);
    table.give_back(place);
}

}  // namespace

Borrowed::Borrowed(const void* handle, const void* type) noexcept {
    const auto [place, generation] = named_by(handle);
    place_ = place && add_user(*place, generation) ? place : nullptr;
    if (place_ && place_->type.load(std::memory_order_acquire) == type) object_ = place_->object.get();
}

Borrowed::~Borrowed() {
    if (place_) remove_user(*place_);
}

bool Borrowed::destroy_handle() noexcept {
    if (!object_) return false;
    const std::uint64_t state = place_->state.load(std::memory_order_relaxed);
    place_->state.store(state | destroyed, std::memory_order_relaxed);
    return true;
}

void* object_of(const void* handle, const void* type) noexcept {
    const auto [place, generation] = named_by(handle);
    if (!place || !is_present(place->state.load(std::memory_order_acquire), generation)) return nullptr;
    return place->type.load(std::memory_order_acquire) == type ? place->object.get() : nullptr;
}

std::shared_ptr<void> shared(const void* handle, const void* type) noexcept {
    const auto [place, generation] = named_by(handle);
    const bool present = place && is_present(place->state.load(std::memory_order_acquire), generation);
    return present ? shared_even_if_destroyed(handle, type) : nullptr;
}

std::shared_ptr<void> shared_even_if_destroyed(const void* handle, const void* type) noexcept {
    const auto [place, generation] = named_by(handle);
    if (!place || place->state.load(std::memory_order_acquire) >> 32 != generation) return nullptr;
    if (place->type.load(std::memory_order_acquire) != type) return nullptr;
    return place->object ? place->object : place->left.lock();
}

void* enter_table(std::shared_ptr<void>&& object, const void* type) {
    Place& place = table.take();
    place.object = std::move(object);
    place.type.store(type, std::memory_order_release);
    const std::uint64_t generation = place.state.load(std::memory_order_relaxed) >> 32;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a number and no address
    return reinterpret_cast<void*>(generation << 32 | std::uint64_t{place.number} << 8 | mark);
}

}  // namespace legato::capi
