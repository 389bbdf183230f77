#include "core/communicator.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

#include "core/validate.hpp"

namespace legato {
namespace {

// FNV-1a. A collision would only hide that ranks make different calls with data of the same length.
std::uint64_t hash_of(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

}  // namespace

Communicator::Communicator(Transport transport) : transport_(std::move(transport)) {
    require_integer("communicator.size", transport_.size, 1, most_ranks);
    require_integer("communicator.rank", transport_.rank, 0, transport_.size - 1);
    if (!transport_.gather) fail(Status::invalid_argument, "communicator.gather: a null pointer is not allowed");
    if (!transport_.exchange) fail(Status::invalid_argument, "communicator.exchange: a null pointer is not allowed");
    headers_.resize(static_cast<std::size_t>(size()));
    texts_.resize(headers_.size());
}

Communicator::~Communicator() {
    if (release_) release_();
}

// Throws no_memory_ instead if there is no memory for the message.
template <class... Parts>
void Communicator::throw_shared(Status status, Parts&&... message) const {
    try {
        throw SharedError(status, text(std::forward<Parts>(message)...));
    } catch (const SharedError&) {
        throw;
    } catch (...) {
        throw no_memory_;
    }
}

// Throws if a function of the transport has failed. The ranks then cannot tell one another, and no further meeting is
// possible.
void Communicator::pass(bool passed, std::string_view function) {
    if (passed) return;
    broken_ = true;
    throw_shared(Status::communication_error, "communicator: the function ", function, " has failed on rank ", rank(),
                 " in ", call_);
}

// `message` is the error of this rank, if it has one.
void Communicator::meet(std::string_view purpose, std::uint64_t bytes, Status status, const char* message) {
    if (broken_)
        throw_shared(Status::communication_error, call_,
                     ": the communicator of this context has failed in an earlier call");
    if (call_.empty()) fail(Status::internal_error, "a meeting outside of a collective call");
    const Header mine{static_cast<std::int64_t>(status), bytes, hash_of(purpose, hash_of(call_))};
    pass(transport_.gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(headers_)).data()),
         "gather");
    if (std::all_of(headers_.begin(), headers_.end(),
                    [&](const Header& header) { return header.status == 0 && header == mine; }))
        return;
    Text said{};
    if (status != Status::success)
        std::snprintf(said.data(), said.size(), "%s", message);
    else
        std::snprintf(said.data(), said.size(), "%.*s (%.*s, %" PRIu64 " bytes)", static_cast<int>(call_.size()),
                      call_.data(), static_cast<int>(purpose.size()), purpose.data(), bytes);
    share(said);
}

// Throws the same error on every rank. `mine` is this rank's error, or its place.
void Communicator::share(const Text& mine) {
    ++shared_errors_;
    pass(transport_.gather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(texts_)).data()), "gather");
    throw_first_error();
}

// Throws the error of the first rank that has one. If none has, the ranks are at different places.
void Communicator::throw_first_error() const {
    const auto text_of = [&](std::size_t rank) { return std::string_view(texts_[rank].data()); };
    const std::size_t ranks = headers_.size();
    std::size_t failed = 0, first = ranks;
    bool all_alike = true;
    for (std::size_t rank = ranks; rank-- > 0;) {
        if (headers_[rank].status == 0) continue;
        if (first < ranks) all_alike = all_alike && text_of(first) == text_of(rank);
        first = rank;
        ++failed;
    }
    if (failed == ranks && all_alike) throw_shared(static_cast<Status>(headers_[0].status), text_of(0));
    if (failed > 0)
        throw_shared(static_cast<Status>(headers_[first].status), "rank ", first, " of ", ranks, ": ", text_of(first));
    std::size_t other = 1;
    while (headers_[other] == headers_[0]) ++other;
    throw_shared(Status::invalid_argument, "the ranks of the communicator do different work: rank 0 is at ", text_of(0),
                 ", rank ", other, " at ", text_of(other));
}

// The texts of exceptions live as long as the exception that is being handled.
void Communicator::share_current_error() {
    Status status = Status::internal_error;
    const char* message = "unknown exception";
    try {
        throw;
    } catch (const Error& error) {
        status = error.status();
        message = error.what();
    } catch (const std::bad_alloc&) {
        status = Status::out_of_memory;
        message = "out of memory";
    } catch (const std::exception& error) {
        message = error.what();
    } catch (...) {  // NOLINT(bugprone-empty-catch): the message says it
    }
    meet("error", 0, status, message);
    std::abort();  // not reached: a meeting with an error always throws
}

void Communicator::gather(std::span<const std::byte> mine, std::span<std::byte> all) {
    meet("gather", mine.size());
    if (!mine.empty()) pass(transport_.gather(mine, all.data()), "gather");
}

// Passes the data along a binomial tree: in each round the ranks that have it send it to as many others.
void Communicator::broadcast(std::span<std::byte> data) {
    meet("broadcast", data.size());
    if (data.empty()) return;
    for (int have = 1; have < size(); have *= 2) {
        if (rank() < have && rank() + have < size())
            exchange(rank() + have, data, -1, {});
        else if (rank() >= have && rank() < 2 * have)
            exchange(-1, {}, rank() - have, data);
    }
}

void Communicator::send(int from, int to, std::span<std::byte> data) {
    meet("send", 0);
    if (rank() == from) exchange(to, data, -1, {});
    if (rank() == to) exchange(-1, {}, from, data);
}

void Communicator::exchange(int to, std::span<const std::byte> send, int from, std::span<std::byte> receive) {
    if (to < 0) send = {};
    if (from < 0) receive = {};
    pass(transport_.exchange(to, send, from, receive), "exchange");
}

}  // namespace legato
