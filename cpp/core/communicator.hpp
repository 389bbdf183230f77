// Several processes, the ranks, that share the work of a call.
//
// The ranks make the same calls with the same arguments, and all decide alike. They pass data in meetings: every rank
// brings some bytes, and every rank gets the bytes of all. Sums are formed from gathered parts in the order of global
// indices. The results therefore do not depend on the number of ranks.
//
// A rank that fails between two meetings takes its error to the next one. All ranks then throw the same SharedError, so
// that none waits for another. A collective call ends with a meeting, so that there always is a next one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.hpp"

namespace legato {

// An error that every rank has. It needs no further meeting.
class SharedError : public Error {
  public:
    using Error::Error;
};

// The functions by which ranks pass data; legato/communicator.h describes them.
struct Transport {
    int rank = 0, size = 1;
    std::function<bool(std::span<const std::byte> mine, std::byte* all)> gather;
    std::function<bool(int to, std::span<const std::byte> send, int from, std::span<std::byte> receive)> exchange;
};

inline constexpr int most_ranks = 1 << 16;

class Communicator {
  public:
    // Throws invalid_argument if rank or size is out of range, or if a function is missing.
    explicit Communicator(Transport transport);
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;
    ~Communicator();

    // `release` is called by the destructor.
    void on_release(std::function<void()> release) { release_ = std::move(release); }

    // Returns the number of errors that all ranks have thrown.
    int shared_errors() const { return shared_errors_; }

    int rank() const { return transport_.rank; }
    int size() const { return transport_.size; }

    // Runs work() as the collective call `call`, a text such as "tmm.run". Collective calls may be nested.
    template <class Work>
    auto collective(std::string_view call, Work&& work) {
        const CallScope scope(*this, call);
        try {
            if constexpr (std::is_void_v<std::invoke_result_t<Work>>) {
                work();
                meet("end", 0);
            } else {
                auto result = work();
                meet("end", 0);
                return result;
            }
        } catch (const SharedError&) {
            throw;
        } catch (...) {
            share_current_error();
        }
    }

    // The functions below are meetings, except for exchange(). They are called in a collective call only.

    // Gathers `mine`, which has the same length on every rank: all[size * mine.size()].
    void gather(std::span<const std::byte> mine, std::span<std::byte> all);

    // Copies `data` from rank 0 to all ranks. Its length is the same on every rank.
    void broadcast(std::span<std::byte> data);

    // Copies `data` from rank `from` to rank `to`, another one. Only these two ranks need to know its length.
    void send(int from, int to, std::span<std::byte> data);

    // Sends data to rank `to` and receives data from rank `from`; -1 stands for no rank. This is no meeting: the ranks
    // that pass data must not fail between the meeting before and this call.
    void exchange(int to, std::span<const std::byte> send, int from, std::span<std::byte> receive);

  private:
    class CallScope {
      public:
        CallScope(Communicator& of, std::string_view call) : of_(of), outer_(of.call_) { of.call_ = call; }
        CallScope(const CallScope&) = delete;
        CallScope& operator=(const CallScope&) = delete;
        ~CallScope() { of_.call_ = outer_; }

      private:
        Communicator& of_;
        std::string_view outer_;
    };
    // What a rank says of its error, or of its place. Errors are shared without allocating memory, so that a lack of
    // memory can be shared, too.
    using Text = std::array<char, 1024>;

    void meet(std::string_view purpose, std::uint64_t bytes, Status status = Status::success, const char* message = "");
    [[noreturn]] void share_current_error();
    [[noreturn]] void share(const Text& mine);
    [[noreturn]] void throw_first_error() const;
    template <class... Parts>
    [[noreturn]] void throw_shared(Status status, Parts&&... message) const;
    void pass(bool passed, std::string_view function);

    // What a rank says of itself at the beginning of a meeting.
    struct Header {
        std::int64_t status = 0;
        std::uint64_t bytes = 0;  // that will be passed
        std::uint64_t where = 0;  // hash of call and purpose
        bool operator==(const Header&) const = default;
    };

    Transport transport_;
    std::function<void()> release_;
    std::string_view call_;  // innermost collective call; empty between calls
    bool broken_ = false;    // a function of the transport has failed
    int shared_errors_ = 0;
    std::vector<Header> headers_;  // [size]
    std::vector<Text> texts_;      // [size]
    const SharedError no_memory_{Status::out_of_memory, "out of memory"};
};

}  // namespace legato
