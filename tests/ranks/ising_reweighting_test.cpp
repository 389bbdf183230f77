// Reweighting with several ranks: every rank computes the same from a run that the ranks share, and from measurements.
#define BOOST_TEST_MODULE ranks_ising_reweighting
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "divisions.hpp"

using namespace ranks;

namespace {

constexpr std::array betas{0.35, 0.45};

legato_ising* run_of(legato_context* context) {
    legato_ising_params params;
    legato_ising_params_init(&params);
    params.extents[0] = params.extents[1] = 8;
    params.replicas = 3;
    params.measurements_per_bin = 40;
    params.time_series = 1;
    legato_ising* ising = nullptr;
    require(legato_ising_create(context, &params, 2, betas.data(), 0, nullptr, &ising));
    require(legato_ising_run(ising, nullptr, nullptr));
    return ising;
}

void read(legato_ising_reweighting* reweighting, Results& results) {
    legato_ising_reweighted r{};
    r.struct_size = sizeof r;
    require(legato_ising_reweighting_at(reweighting, 0.4, &r));
    const std::array values{r.energy, r.energy_error, r.binder, r.binder_error, r.measurements};
    results.add(std::span<const double>(values));
    require(legato_ising_reweighting_destroy(reweighting));
}

// Measurements of two runs.
struct Data {
    std::array<std::int64_t, 2> n{40, 60};
    std::vector<double> m, e;
};

Data some_data() {
    Data data;
    for (int i = 0; i < 100; ++i) {
        data.m.push_back(std::cos(i));
        data.e.push_back(-1 + 0.25 * (i % 5));
    }
    return data;
}

legato_ising_reweighting* create(legato_context* context, const Data& data, std::int32_t blocks = 4) {
    legato_ising_reweighting* made = nullptr;
    require(legato_ising_reweighting_create(context, 16, 2, betas.data(), data.n.data(), data.m.data(), data.e.data(),
                                            blocks, &made));
    return made;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_same_of_a_run) {
    BOOST_TEST(differences([](legato_context* context, int, Results& results) {
                   legato_ising* const ising = run_of(context);
                   legato_ising_reweighting* made = nullptr;
                   require(legato_ising_reweighting_create_from_run(ising, 32, &made));
                   require(legato_ising_destroy(ising));
                   read(made, results);
               }) == "");
}

BOOST_AUTO_TEST_CASE(the_same_of_measurements) {
    BOOST_TEST(differences([](legato_context* context, int, Results& results) {
                   read(create(context, some_data()), results);
               }) == "");
}

// Requires that all ranks refuse what differs on rank 1, with a message that has these words.
template <class Create>
void require_refused(const Create& create_on, const std::string& words) {
    const auto outcomes =
        run_on({3, 1, 1}, [&](legato_context* context, int rank, Results&) { create_on(context, rank == 1); });
    for (const Outcome& outcome : outcomes) {
        BOOST_TEST(outcome.status == LEGATO_STATUS_INVALID_ARGUMENT);
        BOOST_TEST(outcome.message.find(words) != std::string::npos, outcome.message);
    }
}

BOOST_AUTO_TEST_CASE(other_data_on_one_rank) {
    require_refused(
        [](legato_context* context, bool is_other) {
            Data data = some_data();
            if (is_other) data.e[70] = 0.125;
            create(context, data);
        },
        "ising.reweighting.energies[70]");
    require_refused(
        [](legato_context* context, bool is_other) {
            Data data = some_data();
            if (is_other) data.n = {41, 59};
            create(context, data);
        },
        "ising.reweighting.n_measurements[0]");
    require_refused([](legato_context* context, bool is_other) { create(context, some_data(), is_other ? 5 : 4); },
                    "ising.reweighting.blocks");
    require_refused(
        [](legato_context* context, bool is_other) {
            const std::unique_ptr<legato_ising, int32_t (*)(legato_ising*)> ising(run_of(context),
                                                                                  legato_ising_destroy);
            legato_ising_reweighting* made = nullptr;
            require(legato_ising_reweighting_create_from_run(ising.get(), is_other ? 16 : 32, &made));
        },
        "ising.reweighting.blocks");
    require_refused(
        [](legato_context* context, bool is_other) {
            Data data = some_data();
            if (is_other) data.m[3] = 2;
            create(context, data);
        },
        "ising.reweighting.magnetisations[3]");
}
