// What ranks tell one another: data, errors, and what differs.
#define BOOST_TEST_MODULE communicator
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>

#include "core/comparison.hpp"
#include "core/edges.hpp"
#include "core/memory.hpp"
#include "core/ranks.hpp"
#include "core/run.hpp"
#include "core/work_parts.hpp"
#include "divisions.hpp"
#include "no_memory.hpp"

using namespace legato;

namespace {

// Calls work(context) on every rank as a collective call. Returns the errors as texts, [ranks]; empty ones are none.
template <class Work>
std::vector<std::string> errors_of(ranks::Network& network, Work&& work, std::string_view call = "test.run",
                                   int parts = 1) {
    std::vector<std::string> errors(static_cast<std::size_t>(network.size()));
    ranks::on_ranks(network.size(), [&](int rank) {
        Transport transport{rank, network.size(), {}, {}};
        transport.gather = [&](std::span<const std::byte> mine, std::byte* all) {
            const ranks::MemoryAgain again;
            return network.gather(rank, static_cast<std::int64_t>(mine.size()), mine.data(), all);
        };
        transport.exchange = [&](int to, std::span<const std::byte> send, int from, std::span<std::byte> receive) {
            const ranks::MemoryAgain again;
            return network.exchange(rank, to, static_cast<std::int64_t>(send.size()), send.data(), from,
                                    static_cast<std::int64_t>(receive.size()), receive.data());
        };
        Context context(ContextOptions{.backend = Backend::cpu, .log_level = LogLevel::silent, .parts = parts});
        context.set_communicator(std::make_shared<Communicator>(std::move(transport)));
        try {
            context.collective(call, [&] { work(context); });
            ranks::memory_is_back();
        } catch (const std::exception& error) {
            ranks::memory_is_back();
            errors[static_cast<std::size_t>(rank)] = error.what();
        }
    });
    return errors;
}

template <class Work>
std::vector<std::string> errors_of(int size, Work&& work) {
    ranks::Network network(size);
    return errors_of(network, work);
}

void require_all(const std::vector<std::string>& errors, const std::string& expected) {
    for (const std::string& error : errors) BOOST_TEST(error == expected);
}

}  // namespace

BOOST_AUTO_TEST_CASE(values_are_gathered_in_the_order_of_ranks) {
    for (int size = 1; size <= 9; ++size)
        require_all(errors_of(size,
                              [&](const Context& context) {
                                  const std::vector<int> all = gather_value(context, 10 * context.rank());
                                  std::vector<int> own(static_cast<std::size_t>(context.rank()), context.rank());
                                  const std::vector<int> lists = gather_list<int>(context, own);
                                  std::vector<int> expected_lists;
                                  for (int rank = 0; rank < size; ++rank) {
                                      if (all[static_cast<std::size_t>(rank)] != 10 * rank)
                                          fail(Status::internal_error, "wrong value of rank ", rank);
                                      expected_lists.insert(expected_lists.end(), static_cast<std::size_t>(rank), rank);
                                  }
                                  if (lists != expected_lists) fail(Status::internal_error, "wrong lists");
                                  std::string text = "rank " + std::to_string(context.rank());
                                  take_of_first_rank(context, text);
                                  if (text != "rank 0" || of_first_rank(context, context.rank() + 7) != 7)
                                      fail(Status::internal_error, "not that of rank 0: ", text);
                                  if (!on_any_rank(context, context.rank() == size - 1) || on_any_rank(context, false))
                                      fail(Status::internal_error, "wrong flags");
                              }),
                    "");
}

BOOST_AUTO_TEST_CASE(an_error_of_one_rank_is_that_of_all) {
    for (int size = 2; size <= 4; ++size)
        for (int failing = 0; failing < size; ++failing)
            for (int meeting = 0; meeting < 4; ++meeting)
                require_all(errors_of(size,
                                      [&](const Context& context) {
                                          for (int i = 0; i < 3; ++i) {
                                              if (context.rank() == failing && i == meeting)
                                                  fail(Status::out_of_memory, "no memory");
                                              gather_value(context, i);
                                          }
                                          if (context.rank() == failing && meeting == 3) throw std::bad_alloc();
                                      }),
                            text("rank ", failing, " of ", size, ": ", meeting == 3 ? "out of memory" : "no memory"));
}

BOOST_AUTO_TEST_CASE(an_error_that_all_ranks_have_names_none) {
    require_all(errors_of(3, [](const Context&) { fail(Status::invalid_argument, "width: 0 is not in 1..2"); }),
                "width: 0 is not in 1..2");
}

BOOST_AUTO_TEST_CASE(the_first_of_several_errors_is_reported) {
    require_all(errors_of(4,
                          [](const Context& context) {
                              if (context.rank() > 0) fail(Status::io_error, "error ", context.rank());
                          }),
                "rank 1 of 4: error 1");
}

BOOST_AUTO_TEST_CASE(ranks_at_different_places_are_told) {
    ranks::Network network(2);
    const auto errors = errors_of(network, [](const Context& context) {
        if (context.rank() == 0)
            gather_value(context, std::int64_t{1});
        else
            gather_value(context, std::int32_t{1});
    });
    require_all(errors,
                "the ranks of the communicator do different work: rank 0 is at test.run (gather, 8 bytes), "
                "rank 1 at test.run (gather, 4 bytes)");
}

BOOST_AUTO_TEST_CASE(nested_calls_share_their_errors_once) {
    require_all(errors_of(2,
                          [](const Context& context) {
                              context.collective("inner.save", [&] {
                                  if (context.rank() == 1) fail(Status::io_error, "disk full");
                              });
                          }),
                "rank 1 of 2: disk full");
}

BOOST_AUTO_TEST_CASE(a_transport_that_has_failed_is_not_used_again) {
    for (int call = 0; call < 5; ++call) {
        ranks::Network network(2);
        network.fail_at(1, call);
        const auto work = [](const Context& context) {
            gather_value(context, 1);
            of_first_rank(context, 1);
        };
        for (const std::string& error : errors_of(network, work)) BOOST_TEST(error.find("communicator") != error.npos);
    }
}

// Errors are shared without memory. A rank that could not share its error would let the others wait for ever.
BOOST_AUTO_TEST_CASE(a_rank_without_memory_shares_its_error) {
    for (int failing = 0; failing < 2; ++failing) {
        long after = 0;
        bool failed = true;
        for (; failed && after < 1000; ++after) {
            ranks::Network network(2);
            const auto errors = errors_of(network, [&](const Context& context) {
                if (context.rank() == failing) ranks::memory_runs_out(after);
                context.collective("test.inner", [&] {
                    std::string label(100, 'a');
                    take_of_first_rank(context, label);
                    gather_list<int>(context, std::vector<int>(static_cast<std::size_t>(context.rank()) + 1));
                    const std::vector<int> list{1, 2};
                    Comparison comparison;
                    comparison.add("list", list);
                    comparison.require_same(context);
                });
            });
            failed = !errors[0].empty();
            const std::string rank = text("rank ", failing, " of 2: out of memory");
            for (int r = 0; r < 2; ++r) {
                const std::string& error = errors[static_cast<std::size_t>(r)];
                const bool expected =
                    failed ? error == rank || (r == failing && error == "out of memory") : error.empty();
                BOOST_TEST(expected,
                           "memory for " << after << " calls on rank " << failing << ", rank " << r << ": " << error);
            }
        }
        BOOST_TEST(after > 5);
        BOOST_TEST(!failed);
    }
}

BOOST_AUTO_TEST_CASE(what_differs_is_named) {
    const auto compare = [](const Context& context, int number, std::vector<double> list) {
        Comparison comparison;
        comparison.add("number", number);
        comparison.add("list", list);
        comparison.require_same(context);
    };
    require_all(errors_of(3, [&](const Context& context) { compare(context, 4, {1, 2}); }), "");
    require_all(errors_of(3,
                          [&](const Context& context) {
                              compare(context, context.rank() == 2 ? 5 : 4, {1, 2});
                          }),
                "number: the ranks of the communicator differ: 4 on rank 0, 5 on rank 2");
    require_all(errors_of(3,
                          [&](const Context& context) {
                              compare(context, 4, {1, context.rank() * 0.5});
                          }),
                "list[1]: the ranks of the communicator differ: 0 on rank 0, 0.5 on rank 1");
    require_all(errors_of(2,
                          [&](const Context& context) {
                              compare(context, 4, std::vector<double>(static_cast<std::size_t>(context.rank() + 1)));
                          }),
                "list: the ranks of the communicator differ: 1 elements on rank 0, 2 elements on rank 1");
    require_all(errors_of(2,
                          [&](const Context& context) {
                              Comparison comparison;
                              comparison.add_rounding(context.rank() == 0);
                              comparison.require_same(context);
                          }),
                "LEGATO_CPU_LEVEL (1: fused operations, 0: none; set it to baseline on every rank): the ranks of the "
                "communicator differ: 1 on rank 0, 0 on rank 1");
}

BOOST_AUTO_TEST_CASE(ranks_that_an_error_has_left_at_different_places_do_not_go_on) {
    const auto errors_with = [](std::int64_t bins, std::int64_t sweeps) {
        return errors_of(2, [&](const Context& context) {
            if (context.rank() == 0)
                require_same_place(context, "vmc", "save", {3, 70});
            else
                require_same_place(context, "vmc", "save", {bins, sweeps});
        });
    };
    require_all(errors_with(3, 70), "");
    for (const auto& [bins, sweeps] : {std::pair{4, 70}, std::pair{3, 71}})
        require_all(errors_with(bins, sweeps),
                    text("vmc.save: an error has ended an earlier call at different places: rank 0 has finished 3 "
                         "points and 70 cycles, rank 1 ",
                         bins, " and ", sweeps,
                         "; the run can neither be continued nor saved, but a saved file can be resumed"));
}

BOOST_AUTO_TEST_CASE(ranks_of_a_machine_are_those_that_the_launcher_tells) {
    const auto require_here = [](int expected) {
        require_all(errors_of(3,
                              [&](const Context& context) {
                                  if (const int here = ranks_here(context); here != expected)
                                      fail(Status::internal_error, here, " ranks");
                                  // Each has its share of the free memory, which changes a little meanwhile.
                                  const auto all = static_cast<double>(free_memory().bytes);
                                  const MemoryLimit mine = free_memory(context, Backend::cpu, 1000);
                                  const double shares = all / static_cast<double>(mine.bytes);
                                  const bool says = mine.text.find(text(" each of the ", expected)) != mine.text.npos;
                                  if (std::fabs(shares - expected) > 0.2 || says != (expected > 1))
                                      fail(Status::internal_error, mine.text, " of ", all);
                              }),
                    "");
    };
    require_here(1);
    for (const auto& [on_machine, expected] : {std::pair{"2", 2}, std::pair{"8", 3}}) {
        setenv("PMI_RANK", "0", 1);
        setenv("PMI_SIZE", "8", 1);
        setenv("MPI_LOCALNRANKS", on_machine, 1);
        require_here(expected);
        BOOST_TEST(ranks_here(Context(ContextOptions{.backend = Backend::cpu})) == 1);
    }
    for (const char* name : {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"}) unsetenv(name);
}

BOOST_AUTO_TEST_CASE(parts_cover_all_items_once) {
    for (int size = 1; size <= 5; ++size)
        for (std::size_t items : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{100}})
            require_all(errors_of(size,
                                  [&](const Context& context) {
                                      const WorkParts parts(context, Backend::cpu);
                                      std::vector<int> rows(3 * items, -1);
                                      const auto own = parts.range(items, 0);
                                      for (std::size_t i = own.first; i < own.end; ++i)
                                          for (std::size_t j = 0; j < 3; ++j)
                                              rows[3 * i + j] = static_cast<int>(10 * i + j);
                                      // In pieces that end within rows, or at once.
                                      parts.gather_rows(std::span(rows), items, items == 7 ? 40 : 1 << 20);
                                      for (std::size_t i = 0; i < items; ++i)
                                          for (std::size_t j = 0; j < 3; ++j)
                                              if (rows[3 * i + j] != static_cast<int>(10 * i + j))
                                                  fail(Status::internal_error, "row ", i);
                                  }),
                        "");
}

BOOST_AUTO_TEST_CASE(parts_of_a_rank_work_side_by_side) {
    Context context(ContextOptions{.backend = Backend::cpu, .threads = 8, .parts = 4});
    const WorkParts parts(context, Backend::cpu);
    BOOST_TEST(parts.count() == 4u);
    std::vector<std::size_t> sizes(4);
    parts.side_by_side([&](std::size_t i) { sizes[i] = parts.range(10, i).size() + 100 * parts.context(i).threads(); });
    BOOST_TEST((sizes == std::vector<std::size_t>{202, 203, 202, 203}));
    BOOST_CHECK_EXCEPTION(parts.side_by_side([](std::size_t i) {
        if (i == 2) fail(Status::device_error, "part 2");
    }),
                          Error, [](const Error& error) { return std::string(error.what()) == "part 2"; });
}

BOOST_AUTO_TEST_CASE(a_communicator_is_refused_after_the_first_handle_and_released_once) {
    ranks::Network network(1);
    ranks::Member member{&network, 0};
    legato_context* context = ranks::make_context({});
    BOOST_TEST(legato_context_set_communicator(context, 1, 1, ranks::gather, ranks::exchange, ranks::release,
                                               &member) == LEGATO_STATUS_INVALID_ARGUMENT);
    BOOST_TEST(std::string(legato_context_message(context)) == "communicator.rank: 1 is not in 0..0");
    BOOST_TEST(legato_context_set_communicator(context, 0, 1, nullptr, ranks::exchange, ranks::release, &member) ==
               LEGATO_STATUS_INVALID_ARGUMENT);
    BOOST_TEST(legato_context_set_communicator(context, 0, 1, ranks::gather, ranks::exchange, ranks::release,
                                               &member) == LEGATO_STATUS_SUCCESS);
    BOOST_TEST(legato_context_set_communicator(context, 0, 1, ranks::gather, ranks::exchange, ranks::release,
                                               &member) == LEGATO_STATUS_INVALID_ARGUMENT);
    BOOST_TEST(member.released == 0);
    legato_context_destroy(context);
    BOOST_TEST(member.released == 1);

    context = ranks::make_context({});
    legato_vmc* vmc = nullptr;
    BOOST_TEST(legato_vmc_create(context, nullptr, &vmc) == LEGATO_STATUS_SUCCESS);
    BOOST_TEST(legato_context_set_communicator(context, 0, 1, ranks::gather, ranks::exchange, nullptr, &member) ==
               LEGATO_STATUS_INVALID_ARGUMENT);
    const int32_t devices[] = {0, 1};
    BOOST_TEST(legato_context_set_devices(context, 2, devices) == LEGATO_STATUS_INVALID_ARGUMENT);
    legato_vmc_destroy(vmc);
    legato_context_destroy(context);
}

// The other ranks are in the run when rank 0 saves. All of them must leave the run, and none may wait.
BOOST_AUTO_TEST_CASE(a_callback_of_one_rank_that_makes_a_collective_call_ends_the_run) {
    const auto outcomes = ranks::run_on({2, 1, 1}, [](legato_context* context, int rank, ranks::Results&) {
        legato_vmc_params params;
        legato_vmc_params_init(&params);
        params.length = 3;
        params.electrons = 8;
        params.chains = 2;
        params.thermalisation = 1;
        params.bins = 2;
        legato_vmc* vmc = nullptr;
        ranks::require(legato_vmc_create(context, &params, &vmc));
        const auto save = [](void* user, const legato_progress*) {
            legato_vmc_save(static_cast<legato_vmc*>(user), "legato_ranks_callback.h5");
            return 0;
        };
        const int32_t status = legato_vmc_run(vmc, rank == 0 ? +save : nullptr, vmc);
        const std::string message = legato_context_message(context);
        legato_vmc_destroy(vmc);
        if (status == LEGATO_STATUS_SUCCESS || message.empty()) throw ranks::Failure{-1};
    });
    for (const ranks::Outcome& outcome : outcomes) BOOST_TEST(outcome.status == LEGATO_STATUS_SUCCESS);
}

BOOST_AUTO_TEST_CASE(slabs_get_the_edges_of_those_beside_them) {
    using Edge = std::array<std::size_t, 2>;
    const auto pass = [](const Context& context, std::size_t slabs, bool periodic) {
        const WorkParts parts(context, Backend::cpu);
        const std::size_t first = std::min(parts.first_here(), slabs),
                          end = std::min(parts.first_here() + parts.here(), slabs), none = 99;
        std::vector<std::array<Edge, 4>> data;  // lowest, highest, below, above
        for (std::size_t slab = first; slab < end; ++slab)
            data.push_back({Edge{slab, 0}, Edge{slab, 1}, Edge{none, none}, Edge{none, none}});
        std::vector<Edges> edges;
        for (auto& of : data)
            edges.push_back({std::as_bytes(std::span(of[0])), std::as_bytes(std::span(of[1])),
                             std::as_writable_bytes(std::span(of[2])), std::as_writable_bytes(std::span(of[3]))});
        pass_edges(context, parts, edges, slabs, periodic);
        for (std::size_t slab = first; slab < end; ++slab) {
            const auto& of = data[slab - first];
            const Edge below = slab == 0 && !periodic ? Edge{none, none} : Edge{(slab + slabs - 1) % slabs, 1},
                       above = slab + 1 == slabs && !periodic ? Edge{none, none} : Edge{(slab + 1) % slabs, 0};
            if (of[2] != below || of[3] != above)
                fail(Status::internal_error, "slab ", slab, " of ", slabs, " has the edges of ", of[2][0], " and ",
                     of[3][0]);
        }
    };
    for (int size = 1; size <= 4; ++size)
        for (int parts = 1; parts <= 3; ++parts)
            for (int slabs = 1; slabs <= size * parts; ++slabs)
                for (const bool periodic : {false, true}) {
                    ranks::Network network(size);
                    require_all(
                        errors_of(
                            network,
                            [&](const Context& context) { pass(context, static_cast<std::size_t>(slabs), periodic); },
                            "test.run", parts),
                        "");
                }
}
