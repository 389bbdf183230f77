// Fits of finite-size scaling with several ranks: every rank computes the whole fit.
#define BOOST_TEST_MODULE ranks_fss
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "divisions.hpp"

using namespace ranks;

namespace {

struct Data {
    std::vector<double> length, control, value, error;
};

Data some_data() {
    Data data;
    for (const double length : {4.0, 8.0, 16.0})
        for (int i = -5; i <= 5; ++i) {
            const double field = 0.1 * i * std::pow(length, 0.7);
            data.length.push_back(length);
            data.control.push_back(2 + 0.1 * i);
            data.value.push_back(1 + field + 0.1 * field * field + 0.01 * std::cos(7.0 * i + length));
            data.error.push_back(0.01);
        }
    return data;
}

legato_fss* create(legato_context* context, const Data& data) {
    legato_fss_params params;
    legato_fss_params_init(&params);
    params.resamples = 150;
    legato_fss* fss = nullptr;
    require(legato_fss_create(context, &params, static_cast<std::int64_t>(data.length.size()), data.length.data(),
                              data.control.data(), data.value.data(), data.error.data(), &fss));
    return fss;
}

void read(legato_fss* fss, Results& results) {
    std::array<double, 7> values{}, errors{}, low{}, high{};
    require(legato_fss_parameters(fss, 7, values.data(), errors.data(), low.data(), high.data()));
    for (const auto& list : {values, errors, low, high}) results.add(std::span<const double>(list));
}

int stop_at_once(void*, const legato_progress*) {
    return 1;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_same) {
    const std::string found = differences([](legato_context* context, int, Results& results) {
        legato_fss* const fss = create(context, some_data());
        require(legato_fss_run(fss, nullptr, nullptr));
        read(fss, results);
        require(legato_fss_destroy(fss));
    });
    BOOST_TEST(found == "");
}

// The ranks have 1, 2 and 3 threads. The callback of the first stops all again and again, at the same places.
BOOST_AUTO_TEST_CASE(different_numbers_of_threads) {
    constexpr int ranks = 3;
    Network network(ranks);
    std::vector<Member> members;
    for (int rank = 0; rank < ranks; ++rank) members.push_back({&network, rank});
    std::array<Outcome, ranks> outcomes;
    std::array<int, ranks> stops{};
    on_ranks(ranks, [&](int rank) {
        const auto at = static_cast<std::size_t>(rank);
        legato_context* const context = make_context({ranks, 1, rank + 1});
        try {
            require(legato_context_set_communicator(context, rank, ranks, gather, exchange, release, &members[at]));
            legato_fss* const fss = create(context, some_data());
            std::int32_t status = LEGATO_STATUS_CANCELLED;
            while (status == LEGATO_STATUS_CANCELLED) {
                status = legato_fss_run(fss, rank == 0 ? stop_at_once : nullptr, nullptr);
                if (status == LEGATO_STATUS_CANCELLED) ++stops[at];
            }
            require(status);
            read(fss, outcomes[at].results);
            require(legato_fss_destroy(fss));
        } catch (const Failure& failure) {
            outcomes[at].status = failure.status;
        }
        legato_context_destroy(context);
    });
    BOOST_TEST(stops[0] > 10);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        BOOST_TEST(outcomes[rank].status == LEGATO_STATUS_SUCCESS);
        BOOST_TEST((outcomes[rank].results == outcomes[0].results));
        BOOST_TEST(stops[rank] == stops[0]);
    }
}

BOOST_AUTO_TEST_CASE(other_data_on_one_rank) {
    const auto outcomes = run_on({3, 1, 1}, [](legato_context* context, int rank, Results&) {
        Data data = some_data();
        if (rank == 1) data.value[4] += 1;
        create(context, data);
    });
    for (const Outcome& outcome : outcomes) {
        BOOST_TEST(outcome.status == LEGATO_STATUS_INVALID_ARGUMENT);
        BOOST_TEST(outcome.message.find("fss.value[4]") != std::string::npos, outcome.message);
    }
}
