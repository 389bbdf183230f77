// Runs the same calls of the C interface with different numbers of ranks, of parts of a rank, and of threads.
#pragma once

#include <cstdlib>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/context.hpp"
#include "core/device.hpp"
#include "guard.hpp"
#include "in_memory.hpp"

namespace ranks {

struct Division {
    int ranks = 1, parts = 1, threads = 1;  // parts and threads of each rank
};

inline const std::vector<Division> divisions{{1, 1, 1}, {1, 1, 2}, {1, 3, 1}, {2, 1, 1}, {2, 2, 2},
                                             {3, 1, 1}, {3, 2, 1}, {4, 1, 2}, {7, 1, 1}};

// What a program has read, to be compared bit by bit.
class Results {
  public:
    template <class T>
    requires std::is_arithmetic_v<T>
    void add(T value) { add(std::span<const T>(&value, 1)); }
    template <class T>
    void add(std::span<const T> values) {
        const auto* const from = reinterpret_cast<const char*>(values.data());
        bytes_.append(from, values.size_bytes());
    }
    template <class T>
    void add(const std::vector<T>& values) {
        add(std::span<const T>(values));
    }
    void add(const std::string& text) { bytes_ += text; }
    const std::string& bytes() const { return bytes_; }
    bool empty() const { return bytes_.empty(); }
    bool operator==(const Results&) const = default;

  private:
    std::string bytes_;
};

// The CPU, or CUDA if LEGATO_BACKEND is cuda.
inline std::int32_t backend =
    std::string_view(std::getenv("LEGATO_BACKEND") ? std::getenv("LEGATO_BACKEND") : "") == "cuda" ? LEGATO_BACKEND_CUDA
                                                                                                   : LEGATO_BACKEND_CPU;

// The most words of a state in one file; 0: the default.
inline std::size_t most_words_of_file = 0;

// Makes a context. Its parts are CPU engines, or engines that take turns with the first two devices if there are two.
// The smallest lattices are divided into slabs.
inline legato_context* make_context(const Division& division) {
    legato_context_params params;
    legato_context_params_init(&params);
    params.backend = backend;
    params.threads = division.threads * division.parts;
    params.log_level = LEGATO_LOG_LEVEL_SILENT;
    legato_context* context = nullptr;
    legato_context_create(&params, &context);
    const legato::capi::Borrowed borrowed(context, &legato::capi::type_of<legato_context>);
    auto& object = *static_cast<legato::capi::ContextObject*>(borrowed.object());
    legato::ContextOptions options = object.context->options();
    options.device = -1;
    if (backend == LEGATO_BACKEND_CUDA && legato::device_count() > 1) options.devices = {0, 1};
    options.parts = division.parts;
    options.fewest_words_of_slab = 1;
    options.most_words_of_file = most_words_of_file;
    object.context = std::make_unique<legato::Context>(options);
    return context;
}

// What a rank has done: what it has read, and the status and message of its first call that failed.
struct Outcome {
    Results results;
    int32_t status = LEGATO_STATUS_SUCCESS;
    std::string message;
};

// A program calls functions of the C interface with a context, and reads results. It throws Failure when a call fails.
struct Failure {
    int32_t status;
};
inline void require(int32_t status) {
    if (status != LEGATO_STATUS_SUCCESS) throw Failure{status};
}
// Programs may do different things on different ranks.
using Program = std::function<void(legato_context* context, int rank, Results& results)>;

// Runs the program on every rank of a network, as threads of this process. Returns the outcomes, [ranks].
inline std::vector<Outcome> run_on(Network& network, const Division& division, const Program& program) {
    std::vector<Outcome> outcomes(static_cast<std::size_t>(division.ranks));
    std::vector<Member> members;
    for (int rank = 0; rank < division.ranks; ++rank) members.push_back({&network, rank});
    on_ranks(division.ranks, [&](int rank) {
        Outcome& outcome = outcomes[static_cast<std::size_t>(rank)];
        legato_context* const context = make_context(division);
        try {
            require(legato_context_set_communicator(context, rank, division.ranks, gather, exchange, release,
                                                    &members[static_cast<std::size_t>(rank)]));
            program(context, rank, outcome.results);
        } catch (const Failure& failure) {
            outcome.status = failure.status;
            outcome.message = legato_context_message(context);
        }
        legato_context_destroy(context);
    });
    return outcomes;
}

inline std::vector<Outcome> run_on(const Division& division, const Program& program) {
    Network network(division.ranks);
    return run_on(network, division, program);
}

// Returns an empty text if every rank of every division reads the same bits, or what differs. Boost.Test's macros are
// not called here, because ranks are threads.
inline std::string differences(const Program& program) {
    const Outcome first = run_on(Division{}, program)[0];
    if (first.status != LEGATO_STATUS_SUCCESS) return "one rank fails: " + first.message;
    if (first.results.empty()) return "nothing is read";
    std::string found;
    for (const Division& division : divisions)
        for (const Outcome& outcome : run_on(division, program)) {
            const std::string where = std::to_string(division.ranks) + " ranks, " + std::to_string(division.parts) +
                                      " parts, " + std::to_string(division.threads) + " threads: ";
            if (outcome.status != LEGATO_STATUS_SUCCESS)
                found += where + outcome.message + "\n";
            else if (outcome.results != first.results)
                found += where + "other results\n";
        }
    return found;
}

// Lets each call of the transport fail in turn, on each of two ranks. Returns an empty text if every rank then returns
// an error, or has read the same bits as without failures; otherwise what has happened instead.
inline std::string unnoticed_failures(const Program& program) {
    const Division division{2, 1, 1};
    Network whole(division.ranks);
    const std::vector<Outcome> expected = run_on(whole, division, program);
    std::string found;
    for (int rank = 0; rank < division.ranks; ++rank)
        for (int call = 0; call < whole.calls(rank); ++call) {
            Network network(division.ranks);
            network.fail_at(rank, call);
            const std::vector<Outcome> outcomes = run_on(network, division, program);
            for (std::size_t i = 0; i < outcomes.size(); ++i) {
                const std::string where = "call " + std::to_string(call) + " of rank " + std::to_string(rank) +
                                          " fails: rank " + std::to_string(i) + " ";
                const bool is_good = outcomes[i].status == LEGATO_STATUS_SUCCESS;
                if (is_good && outcomes[i].results != expected[i].results) found += where + "reads other results\n";
                if (is_good && static_cast<int>(i) == rank) found += where + "succeeds\n";
                if (!is_good && outcomes[i].status != LEGATO_STATUS_COMMUNICATION_ERROR)
                    found += where + "returns \"" + outcomes[i].message + "\"\n";
            }
        }
    return found;
}

// Handles that are destroyed with the program that has made them.
template <class H, int32_t (*destroy)(H*)>
struct Owned {
    H* handle = nullptr;

    Owned() = default;
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned() { destroy(handle); }
    operator H*() const { return handle; }
};

}  // namespace ranks
