// Ranks as threads of one process: a transport in memory, of which any call can be made to fail.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "legato/legato.h"

namespace ranks {

// What the ranks share. A call that fails makes all later ones fail, on every rank.
class Network {
  public:
    explicit Network(int size) : size_(size), contributions_(static_cast<std::size_t>(size)) {}
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;
    virtual ~Network() = default;

    // Call number `call` of rank `rank`, counted from 0, fails.
    void fail_at(int rank, int call) {
        failing_rank_ = rank;
        failing_call_ = call;
    }
    int calls(int rank) const { return calls_[static_cast<std::size_t>(rank)]; }
    int size() const { return size_; }

    virtual bool gather(int rank, std::int64_t bytes, const void* mine, void* all) {
        std::unique_lock lock(mutex_);
        if (!count_call(rank)) return false;
        const auto* const from = static_cast<const std::byte*>(mine);
        contributions_[static_cast<std::size_t>(rank)].assign(from, from + bytes);
        const int round = round_;
        if (++arrived_ == size_) {
            gathered_.clear();
            for (const auto& one : contributions_) gathered_.insert(gathered_.end(), one.begin(), one.end());
            arrived_ = 0;
            left_ = size_;
            ++round_;
            changed_.notify_all();
        }
        changed_.wait(lock, [&] { return round_ != round || broken_; });
        if (round_ == round) return false;
        std::memcpy(all, gathered_.data(), gathered_.size());
        // The next round may begin when all have read this one.
        if (--left_ == 0) changed_.notify_all();
        changed_.wait(lock, [&] { return left_ == 0 || round_ != round + 1 || broken_; });
        return true;
    }

    virtual bool exchange(int rank, int to, std::int64_t send_bytes, const void* send, int from,
                          std::int64_t receive_bytes, void* receive) {
        std::unique_lock lock(mutex_);
        if (!count_call(rank)) return false;
        if (to >= 0) {
            const auto* const bytes = static_cast<const std::byte*>(send);
            mail_[{rank, to}].emplace_back(bytes, bytes + send_bytes);
            changed_.notify_all();
        }
        if (from < 0) return true;
        auto& queue = mail_[{from, rank}];
        changed_.wait(lock, [&] { return !queue.empty() || broken_; });
        if (queue.empty() || queue.front().size() != static_cast<std::size_t>(receive_bytes)) return false;
        std::memcpy(receive, queue.front().data(), queue.front().size());
        queue.pop_front();
        return true;
    }

  private:
    bool count_call(int rank) {
        if (calls_.size() < static_cast<std::size_t>(size_)) calls_.resize(static_cast<std::size_t>(size_));
        if (calls_[static_cast<std::size_t>(rank)]++ == failing_call_ && rank == failing_rank_) {
            broken_ = true;
            changed_.notify_all();
        }
        return !broken_;
    }

    int size_, failing_rank_ = -1, failing_call_ = -1;
    std::vector<int> calls_;  // [rank]
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::vector<std::byte>> contributions_;
    std::vector<std::byte> gathered_;
    int arrived_ = 0, left_ = 0, round_ = 0;
    bool broken_ = false;
    std::map<std::pair<int, int>, std::deque<std::vector<std::byte>>> mail_;
};

// `user` of the callbacks of one rank.
struct Member {
    Network* network;
    int rank;
    int released = 0;
};

inline std::int32_t gather(void* user, std::int64_t bytes, const void* mine, void* all) {
    auto& member = *static_cast<Member*>(user);
    return member.network->gather(member.rank, bytes, mine, all) ? 0 : 1;
}

inline std::int32_t exchange(void* user, std::int32_t to, std::int64_t send_bytes, const void* send, std::int32_t from,
                             std::int64_t receive_bytes, void* receive) {
    auto& member = *static_cast<Member*>(user);
    return member.network->exchange(member.rank, to, send_bytes, send, from, receive_bytes, receive) ? 0 : 1;
}

inline void release(void* user) {
    ++static_cast<Member*>(user)->released;
}

// Calls work(rank) on `size` threads and returns when all have ended.
template <class Work>
void on_ranks(int size, Work&& work) {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size; ++rank) threads.emplace_back([&, rank] { work(rank); });
    for (std::thread& thread : threads) thread.join();
}

}  // namespace ranks
