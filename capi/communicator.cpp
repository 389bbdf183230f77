#include "legato/communicator.h"

#include "guard.hpp"

using namespace legato;
using namespace legato::capi;

namespace {

Transport transport_from_c(int32_t rank, int32_t size, legato_gather_callback gather, legato_exchange_callback exchange,
                           void* user) {
    Transport transport{rank, size, {}, {}};
    if (gather)
        transport.gather = [=](std::span<const std::byte> mine, std::byte* all) {
            const Callback turn;
            return gather(user, static_cast<int64_t>(mine.size()), mine.data(), all) == 0;
        };
    if (exchange)
        transport.exchange = [=](int to, std::span<const std::byte> send, int from, std::span<std::byte> receive) {
            const Callback turn;
            return exchange(user, to, static_cast<int64_t>(send.size()), send.data(), from,
                            static_cast<int64_t>(receive.size()), receive.data()) == 0;
        };
    return transport;
}

}  // namespace

int32_t legato_context_set_communicator(legato_context* context, int32_t rank, int32_t size,
                                        legato_gather_callback gather, legato_exchange_callback exchange,
                                        legato_release_callback release, void* user) {
    return guard_with_object(context, [&](ContextObject& found, Context& c) {
        if (found.has_handles)
            fail(Status::invalid_argument,
                 "context.communicator: set it before the first handle is made from the context");
        const auto made = std::make_shared<Communicator>(transport_from_c(rank, size, gather, exchange, user));
        c.set_communicator(made);
        if (release) made->on_release([release, user] { release(user); });
    });
}
