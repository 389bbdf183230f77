// Lattices that the parts of all ranks share in slabs: the results have the bits of one part with whole vectors. With
// LEGATO_BACKEND=cuda the parts take turns with the devices, so that one device is enough.
#define BOOST_TEST_MODULE ranks_kpm_slabs
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string_view>

#include "kpm/cell_rows.hpp"
#include "kpm/chunk_layout.hpp"
#include "kpm/slabs.hpp"
#include "kpm/trial.hpp"
#include "kpm_runs.hpp"
#include "no_memory.hpp"

using namespace legato;
using namespace ranks;

namespace {

bool on_devices() {
    return backend == LEGATO_BACKEND_CUDA;
}

// Chains, square and cubic lattices with fewer segments than parts and with more. The last chunks of some are smaller,
// and the segments of the last ones have different numbers of layers.
const std::vector<Shape> shapes_on_cpu{
    {{5001, 1, 1}},
    {{5001, 1, 1}, {0, 1, 1}},
    {{1, 1, 2500}, {1, 1, 1}, LEGATO_KPM_ON_SITE_CONSTANT},
    {{40, 163, 1}},
    {{40, 163, 1}, {1, 0, 1}, LEGATO_KPM_ON_SITE_NORMAL},
    {{1, 1300, 6}, {1, 1, 0}},
    {{7, 5, 3}},
    {{7, 5, 3}, {1, 0, 0}},
    {{9, 8, 2}},
    {{9, 8, 2}, {1, 1, 0}, LEGATO_KPM_ON_SITE_ENERGIES},
    {{1100, 3, 5}, {0, 1, 1}, LEGATO_KPM_ON_SITE_ENERGIES},
    {{12, 110, 7}, {1, 1, 0}},
    {{4, 3, 131}},
    {{4, 3, 131}, {0, 1, 0}, LEGATO_KPM_ON_SITE_CONSTANT},
    {{1, 1, 1}},
};

// The same for the layers of chunks of a device, which have 16 planes or more. Segments of the longest lattice have
// several layers. A chain is one segment.
const std::vector<Shape> shapes_on_devices{
    {{40, 19, 100}},
    {{40, 19, 100}, {0, 1, 0}, LEGATO_KPM_ON_SITE_NORMAL},
    {{7, 5, 131}, {1, 1, 1}, LEGATO_KPM_ON_SITE_CONSTANT},
    {{17, 16, 33}, {1, 0, 1}, LEGATO_KPM_ON_SITE_ENERGIES},
    {{9, 8, 16}, {1, 1, 0}},
    {{300, 1, 260}},
    {{300, 263, 1}, {1, 0, 1}, LEGATO_KPM_ON_SITE_ENERGIES},
    {{1, 3, 4001}},
    {{5001, 1, 1}, {0, 1, 1}},
};

// A lattice with several segments.
Shape small(std::array<int, 3> periodic = {1, 1, 1}, int on_site = LEGATO_KPM_ON_SITE_BOX) {
    return {{6, 5, on_devices() ? 90 : 9}, periodic, on_site};
}

kpm::Lattice cubic(std::array<std::int64_t, 3> extents) {
    kpm::Lattice lattice;
    lattice.extents = extents;
    return lattice;
}

}  // namespace

BOOST_AUTO_TEST_CASE(slabs_contain_every_site_once) {
    for (const Shape& shape : shapes_on_cpu) {
        const kpm::Lattice lattice = cubic(shape.extents);
        const kpm::ChunkLayout whole(lattice);
        const kpm::Segments& segments = whole.segments;
        BOOST_TEST(segments.count() <= kpm::most_segments);
        BOOST_TEST(segments.first_chunk(segments.count()) == whole.chunks());
        for (std::size_t parts = 1; parts <= 70; ++parts) {
            const kpm::Slabs slabs(Backend::cpu, lattice, parts);
            BOOST_REQUIRE(slabs.count() == std::min(parts, segments.count()));
            std::size_t sites = 0, most = 0;
            for (std::size_t s = 0; s < slabs.count(); ++s) {
                const kpm::ChunkLayout slab = whole.slab(slabs.range(s));
                BOOST_REQUIRE(slab.sites() > 0);
                BOOST_REQUIRE(slab.first_site == sites);
                BOOST_REQUIRE(slabs.first_site(s) == sites);
                BOOST_REQUIRE(slabs.sites(s) == slab.sites());
                BOOST_REQUIRE(slab.has_halos == (slabs.count() > 1));
                BOOST_REQUIRE(segments.chunks_of(slab.own).back() == slab.chunks());
                sites += slab.sites();
                most = std::max(most, slab.sites());
            }
            BOOST_REQUIRE(sites == whole.sites());
            BOOST_REQUIRE(slabs.sites(slabs.largest()) == most);
        }
    }
}

BOOST_AUTO_TEST_CASE(lattices_of_all_shapes_have_the_same_moments) {
    for (const Shape& shape : on_devices() ? shapes_on_devices : shapes_on_cpu)
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       finish(random_vectors(context, in_slabs(5, 2), made(context, shape)), results);
                   }) == "",
                   shape.extents[0] << " x " << shape.extents[1] << " x " << shape.extents[2]);
}

// `slabs` is the number of slabs of 7 parts on the CPU. Large halos make it smaller.
struct DividedCrystal {
    Crystal crystal;
    std::size_t slabs = 7;
};
const std::vector<DividedCrystal> crystals{
    {{{60, 70, 1}, 2, {1, 1, 1}, 1, 0, 0.1, LEGATO_KPM_ON_SITE_BOX}},
    {{{60, 71, 1}, 2, {1, 0, 1}, 1, 0.3, 0.2, LEGATO_KPM_ON_SITE_ENERGIES}},
    {{{61, 70, 1}, 2, {0, 1, 1}, 2, 1.1}},
    {{{8, 9, 40}, 3, {1, 0, 1}, 2, 0, 0.3}},
    {{{9, 9, 40}, 3, {0, 1, 0}, 1, 0.7, 0, LEGATO_KPM_ON_SITE_NORMAL}},
    {{{5000, 1, 1}, 2, {1, 1, 1}, 3, 0.2, 0.5}},
    {{{5001, 1, 1}, 1, {0, 1, 1}, 3}, 5},
    {{{1, 2500, 1}, 3, {1, 1, 1}, 1, 0, 0.1}},
    {{{30, 30, 5}, 2, {1, 1, 1}, 1, 0.4, 0.1, LEGATO_KPM_ON_SITE_BINARY}, 2},
    {{{20, 30, 3}, 4, {1, 1, 1}, 2, 0, 0.1}, 1},
    {{{3, 2, 1}, 2}, 1},
};

BOOST_AUTO_TEST_CASE(crystals_of_all_shapes_have_the_same_moments) {
    for (const auto& [crystal, slabs] : crystals) {
        const auto& e = crystal.extents;
        for (const int width : {1, 3})
            BOOST_TEST(differences([&, of = crystal](legato_context* context, int, Results& results) {
                           legato_kpm_params params = in_slabs(4, 2);
                           params.block_width = width;
                           finish(random_vectors(context, params, made_crystal(context, of)), results);
                       }) == "",
                       e[0] << " x " << e[1] << " x " << e[2] << ", width " << width);
        BOOST_TEST(differences([&, of = crystal](legato_context* context, int, Results& results) {
                       legato_kpm_params params = in_slabs(3, 2);
                       params.precision = LEGATO_KPM_PRECISION_SINGLE;
                       params.bounds = LEGATO_KPM_BOUNDS_LANCZOS;
                       finish(random_vectors(context, params, made_crystal(context, of)), results);
                       finish(local_moments(context, params, made_crystal(context, of), {0, 7, 11, 3}), results);
                   }) == "",
                   e[0] << " x " << e[1] << " x " << e[2]);
        kpm::CellLattice lattice;
        lattice.extents = e;
        lattice.orbitals = crystal.orbitals;
        for (std::size_t d = 0; d < 3; ++d) lattice.boundary[d] = static_cast<kpm::Boundary>(crystal.periodic[d]);
        lattice.hoppings = {{0, 0, {crystal.reach, crystal.reach, crystal.reach}, 1.0}};
        const kpm::Slabs divided(Backend::cpu, lattice, 7);
        BOOST_TEST(divided.count() == slabs, e[0] << " x " << e[1] << " x " << e[2]);
        for (std::size_t s = 0; divided.count() > 1 && s < divided.count(); ++s)
            BOOST_TEST(divided.sites(s) >= static_cast<std::size_t>(halo_of(lattice)));
    }
}

BOOST_AUTO_TEST_CASE(vectors_of_the_program_and_vacancies_have_the_same_moments) {
    BOOST_TEST(differences([](legato_context* context, int, Results& results) {
                   Source source;
                   finish(given_vectors(context, in_slabs(4, 2), made_crystal(context, crystals[0].crystal), source),
                          results);
               }) == "");
}

// The moments of one part with whole vectors are those of several parts with whole vectors, too.
BOOST_AUTO_TEST_CASE(either_division_has_the_same_moments) {
    const auto program = [](int division) {
        return [division](legato_context* context, int, Results& results) {
            legato_kpm_params params = in_slabs();
            params.division = division;
            finish(
                random_vectors(context, params, made(context, on_devices() ? shapes_on_devices[1] : shapes_on_cpu[11])),
                results);
        };
    };
    const Results vectors = run_on({3, 1, 1}, program(LEGATO_KPM_DIVISION_VECTORS))[0].results;
    for (const Outcome& outcome : run_on({3, 1, 1}, program(LEGATO_KPM_DIVISION_LATTICE)))
        BOOST_TEST((outcome.results == vectors), outcome.message);
}

BOOST_AUTO_TEST_CASE(all_kinds_of_vectors_have_the_same_moments) {
    for (const int precision : {LEGATO_KPM_PRECISION_DOUBLE, LEGATO_KPM_PRECISION_SINGLE})
        for (const int width : {1, 7, 16})
            for (const int kind :
                 {LEGATO_KPM_START_VECTORS_SIGN, LEGATO_KPM_START_VECTORS_GAUSSIAN, LEGATO_KPM_START_VECTORS_UNIFORM})
                BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                               legato_kpm_params params = in_slabs(13, 2);
                               params.moments = 2 + width;
                               params.precision = precision;
                               params.block_width = width;
                               params.start_vectors = kind;
                               finish(random_vectors(context, params, made(context, small())), results);
                           }) == "");
}

// More steps than a call of the engine has, and on a device more than are collected before their sums are added up.
BOOST_AUTO_TEST_CASE(many_moments_are_the_same) {
    const Shape large = on_devices() ? Shape{{96, 96, 96}, {1, 1, 0}} : small({1, 1, 0});
    BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                   legato_kpm_params params = in_slabs(20);
                   params.moments = 401;
                   params.block_width = 20;
                   finish(random_vectors(context, params, made(context, large)), results);
               }) == "");
}

BOOST_AUTO_TEST_CASE(local_moments_are_the_same) {
    for (const int precision : {LEGATO_KPM_PRECISION_DOUBLE, LEGATO_KPM_PRECISION_SINGLE})
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       legato_kpm_params params = in_slabs(1, 2);
                       params.precision = precision;
                       const Shape shape = small({1, 1, 0});
                       const std::int64_t sites = 30 * shape.extents[2];
                       finish(local_moments(context, params, made(context, shape),
                                            {0, sites - 1, 29, 30, 31, sites / 2 - 1, sites / 2, 200}),
                              results);
                   }) == "");
}

// Every rank asks for each vector once, in the thread of the call.
BOOST_AUTO_TEST_CASE(given_vectors_have_the_same_moments) {
    for (const int precision : {LEGATO_KPM_PRECISION_DOUBLE, LEGATO_KPM_PRECISION_SINGLE})
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       Source source;
                       legato_kpm_params params = in_slabs(7, 2);
                       params.precision = precision;
                       finish(given_vectors(context, params, made(context, small()), source), results);
                       results.add(source.in_another_thread);
                       results.add(source.samples);
                   }) == "");
}

BOOST_AUTO_TEST_CASE(lanczos_bounds_are_the_same) {
    for (const int realisations : {1, 3})
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       legato_kpm_params params = in_slabs(2, realisations);
                       params.bounds = LEGATO_KPM_BOUNDS_LANCZOS;
                       finish(random_vectors(context, params, made(context, {{40, 163, 1}})), results);
                   }) == "");
}

BOOST_AUTO_TEST_CASE(a_round_has_one_block_of_all_parts) {
    for (const Outcome& outcome : run_on({3, 2, 1}, [](legato_context*context, int, Results&results) {
             const Kpm kpm = random_vectors(context, in_slabs(8), made(context, small()));
             std::int64_t done = 0;
             require(legato_kpm_advance(kpm.get(), 1, &done));
             results.add(std::to_string(done) + " " + std::to_string(state_of(kpm).block_width));
         })) {
        BOOST_TEST(outcome.message == "");
        BOOST_TEST(outcome.results.bytes() == "3 3");
    }
}

BOOST_AUTO_TEST_CASE(files_resume_on_any_number_of_ranks) {
    const std::string path = "ranks_kpm_slabs_test.h5";
    const auto create = [](legato_context* context) {
        return random_vectors(context, in_slabs(7, 2), made(context, small()));
    };
    const Results whole =
        run_on({}, [&](legato_context* context, int, Results& results) { finish(create(context), results); })[0]
            .results;
    for (const ranks::Division& saving : {ranks::Division{4, 1, 1}, {1, 1, 1}, {2, 2, 1}}) {
        run_on(saving, [&](legato_context* context, int rank, Results&) {
            const Kpm kpm = create(context);
            require(legato_kpm_advance(kpm.get(), 2, nullptr));
            require(legato_kpm_save(kpm.get(), rank == 0 ? path.c_str() : "/nowhere"));
        });
        for (const ranks::Division& resuming : divisions)
            for (const Outcome& outcome : run_on(resuming, [&](legato_context*context, int, Results&results) {
                     legato_kpm* kpm = nullptr;
                     require(legato_kpm_resume(context, path.c_str(), made(context, small()).get(), nullptr, nullptr,
                                               &kpm));
                     finish(Kpm(kpm), results);
                 })) {
                BOOST_TEST(outcome.message == "");
                BOOST_TEST((outcome.results == whole));
            }
    }
    std::filesystem::remove(path);
}

BOOST_AUTO_TEST_CASE(failures_of_the_transport_are_noticed) {
    const std::string path = "ranks_kpm_slabs_failures_test.h5";
    BOOST_TEST(unnoticed_failures([&](legato_context* context, int, Results& results) {
                   legato_kpm_params params = in_slabs(4);
                   params.moments = 9;
                   params.bounds = LEGATO_KPM_BOUNDS_LANCZOS;
                   params.lanczos_steps = 4;
                   const Kpm kpm = random_vectors(context, params, made(context, {{6, 5, 4}}));
                   require(legato_kpm_advance(kpm.get(), 1, nullptr));
                   require(legato_kpm_save(kpm.get(), path.c_str()));
                   legato_kpm* resumed = nullptr;
                   require(legato_kpm_resume(context, path.c_str(), made(context, {{6, 5, 4}}).get(), nullptr, nullptr,
                                             &resumed));
                   finish(Kpm(resumed), results);
               }) == "");
    std::filesystem::remove(path);
}

// A source that fails on one rank, or gives an element that is too large, ends the call of all ranks. The run can go
// on.
BOOST_AUTO_TEST_CASE(a_source_that_stops_on_one_rank_stops_all) {
    const auto create = [](legato_context* context, Source& source) {
        return given_vectors(context, in_slabs(7), made(context, small()), source);
    };
    const Results whole = run_on({},
                                 [&](legato_context* context, int, Results& results) {
                                     Source source;
                                     finish(create(context, source), results);
                                 })[0]
                              .results;
    for (const ranks::Division& division : divisions)
        for (int stopping = 0; stopping < division.ranks; ++stopping)
            for (const Outcome& outcome : run_on(division, [&](legato_context*context, int rank, Results&results) {
                     Source source;
                     source.stops_at = rank == stopping ? 4 : -1;
                     const Kpm kpm = create(context, source);
                     const std::int32_t status = legato_kpm_run(kpm.get(), nullptr, nullptr);
                     const std::string message = legato_context_message(context);
                     if (status != LEGATO_STATUS_CANCELLED ||
                         !message.ends_with("kpm: stopped by the callback for start vector 4"))
                         return results.add("status " + std::to_string(status) + ": " + message);
                     source.stops_at = -1;
                     finish(kpm, results);
                 })) {
                BOOST_TEST(outcome.message == "");
                BOOST_TEST((outcome.results == whole), outcome.results.bytes().substr(0, 200));
            }
}

BOOST_AUTO_TEST_CASE(vectors_that_differ_among_the_ranks_are_refused) {
    for (const Outcome& outcome : run_on({3, 1, 1}, [](legato_context*context, int rank, Results&) {
             Source source;
             source.factor = rank == 2 ? 1.25 : 1;
             const Kpm kpm = given_vectors(context, in_slabs(2), made(context, small()), source);
             require(legato_kpm_run(kpm.get(), nullptr, nullptr));
         })) {
        BOOST_TEST(outcome.status == LEGATO_STATUS_INVALID_ARGUMENT);
        BOOST_TEST(outcome.message == "kpm: the callback gives start vector 0 other elements on rank 2 than on rank 0");
    }
}

namespace {

constexpr long never = -1;

// Returns whether call() has failed because this thread had memory for `after` allocations only.
template <class Call>
bool runs_out_of_memory(long after, const Call& call) {
    if (after != never) memory_runs_out(after);
    const std::int32_t status = call();
    memory_is_back();
    if (status == LEGATO_STATUS_OUT_OF_MEMORY) return true;
    require(status);
    return false;
}

// Lets the memory run out after each allocation of a call in turn, on each of two ranks. The call fails on both ranks
// and is repeated. If an allocation failed between two steps, the other rank would wait for ever.
void require_lack_of_memory_noticed(const ranks::Division& division, const legato_kpm_params& params,
                                    bool in_creation) {
    bool has_failed = false;
    const auto outcomes = [&](const ranks::Division& on, int failing, long allocations) {
        NetworkWithMemory network(on.ranks);
        return run_on(network, on, [&](legato_context* context, int rank, Results& results) {
            const long after = rank == failing ? allocations : never;
            Source source;
            const Hamiltonian hamiltonian = made(context, {{6, 5, 4}});
            legato_kpm* made_kpm = nullptr;
            bool failed = runs_out_of_memory(in_creation ? after : never, [&] {
                return legato_kpm_create_given(context, &params, hamiltonian.get(), Source::fill, &source, &made_kpm);
            });
            Kpm kpm(made_kpm);
            if (failed) kpm = given_vectors(context, params, hamiltonian, source);
            failed |= runs_out_of_memory(in_creation ? never : after,
                                         [&] { return legato_kpm_run(kpm.get(), nullptr, nullptr); });
            if (rank == failing) has_failed = failed;
            finish(kpm, results);
        });
    };
    const Results whole = outcomes({}, -1, 0)[0].results;
    for (int failing = 0; failing < 2; ++failing) {
        long allocations = 0;
        do {
            for (const Outcome& outcome : outcomes(division, failing, allocations)) {
                BOOST_TEST(outcome.message == "");
                BOOST_TEST((outcome.results == whole), "memory for " << allocations << " allocations");
            }
            ++allocations;
        } while (has_failed);
        BOOST_TEST_MESSAGE(allocations << " allocations");
        BOOST_TEST(allocations > 20);
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_rank_without_memory_ends_the_call_of_all) {
    legato_kpm_params params = in_slabs(3, 2);
    params.bounds = LEGATO_KPM_BOUNDS_LANCZOS;
    params.lanczos_steps = 3;
    params.moments = 9;
    require_lack_of_memory_noticed({2, 1, 1}, params, true);
    require_lack_of_memory_noticed({2, 1, 1}, params, false);
    require_lack_of_memory_noticed({2, 2, 2}, params, false);
    params.division = LEGATO_KPM_DIVISION_VECTORS;
    require_lack_of_memory_noticed({2, 1, 1}, params, false);
}

BOOST_AUTO_TEST_CASE(a_callback_of_one_rank_stops_all) {
    const auto stop = [](void*, const legato_progress*) { return 1; };
    for (const ranks::Division& division : divisions)
        for (const Outcome& outcome : run_on(division, [&](legato_context*context, int rank, Results&results) {
                 const Kpm kpm = random_vectors(context, in_slabs(7), made(context, small()));
                 const bool stops = rank == division.ranks - 1;
                 results.add(legato_kpm_run(kpm.get(), stops ? +stop : nullptr, nullptr) == LEGATO_STATUS_CANCELLED);
                 finish(kpm, results);
             }))
            BOOST_TEST(outcome.message == "");
}

// All ranks have the same evidence, and the samples before it can be read.
BOOST_AUTO_TEST_CASE(bounds_that_are_too_tight) {
    for (const double reach : {1.0, 6.3})
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       legato_kpm_params params = in_slabs(2, 40);
                       params.moments = 64;
                       params.bounds = LEGATO_KPM_BOUNDS_INTERVAL;
                       params.lowest = -reach;
                       params.highest = reach;
                       params.margin = 0;
                       const Kpm kpm =
                           random_vectors(context, params, made(context, small({1, 1, 1}, LEGATO_KPM_ON_SITE_NORMAL)));
                       results.add(legato_kpm_run(kpm.get(), nullptr, nullptr) == LEGATO_STATUS_NUMERICAL_ERROR);
                       results.add(std::string(legato_context_message(context)));
                       read(kpm, results);
                   }) == "");
}

namespace {

// Returns the status and the message of a run on all ranks, which must be the same.
std::pair<std::int32_t, std::string> outcome_on(const ranks::Division& division, const legato_kpm_params& params,
                                                const Shape& shape) {
    const std::vector<Outcome> outcomes = run_on(division, [&](legato_context* context, int, Results& results) {
        finish(random_vectors(context, params, made(context, shape)), results);
    });
    for (const Outcome& outcome : outcomes) {
        BOOST_TEST(outcome.status == outcomes[0].status);
        BOOST_TEST(outcome.message == outcomes[0].message);
        BOOST_TEST((outcome.results == outcomes[0].results));
    }
    return {outcomes[0].status, outcomes[0].message};
}

const Shape large{{30, 30, 64}};  // a vector has 460800 bytes, and the energies as many

legato_kpm_params with_budget(int division, std::int64_t budget) {
    legato_kpm_params params = in_slabs(2);
    params.block_width = 0;
    params.division = division;
    params.memory_budget = budget;
    return params;
}

}  // namespace

BOOST_AUTO_TEST_CASE(auto_divides_the_lattice_if_the_requested_width_does_not_fit) {
    legato_kpm_params params = with_budget(LEGATO_KPM_DIVISION_VECTORS, 2'500'000);
    params.block_width = 2;  // a block of whole vectors needs 4 x 460800 bytes, and the sums and energies besides
    BOOST_TEST(outcome_on({2, 1, 1}, params, large).first == LEGATO_STATUS_SUCCESS);
    params.memory_budget = 2'000'000;
    BOOST_TEST(outcome_on({2, 1, 1}, params, large).first == LEGATO_STATUS_OUT_OF_MEMORY);
    params.division = LEGATO_KPM_DIVISION_AUTO;
    BOOST_TEST(outcome_on({2, 1, 1}, params, large).first == LEGATO_STATUS_SUCCESS);
    params.division = LEGATO_KPM_DIVISION_VECTORS;
    params.block_width = 1;
    BOOST_TEST(outcome_on({2, 1, 1}, params, large).first == LEGATO_STATUS_SUCCESS);
}

// A slab of one layer has two halos.
BOOST_AUTO_TEST_CASE(slabs_that_need_more_than_whole_vectors_say_so) {
    legato_kpm_params params = with_budget(LEGATO_KPM_DIVISION_LATTICE, 60'000);
    params.block_width = 1;
    const Shape flat{{30, 40, 2}, {1, 1, 1}, LEGATO_KPM_ON_SITE_CONSTANT};
    const auto [refused, why] = outcome_on({2, 1, 1}, params, flat);
    BOOST_TEST(refused == LEGATO_STATUS_OUT_OF_MEMORY);
    BOOST_TEST(why.ends_with("; kpm.params.division 1 (vectors) would fit"), why);
    params.division = LEGATO_KPM_DIVISION_VECTORS;
    BOOST_TEST(outcome_on({2, 1, 1}, params, flat).first == LEGATO_STATUS_SUCCESS);
}

namespace {

// The sums take 2 MB of a device, and 1 MB if the lattice is divided.
void require_division_among_devices() {
    legato_kpm_params params = with_budget(LEGATO_KPM_DIVISION_VECTORS, 2'500'000);
    const auto [refused, why] = outcome_on({1, 2, 1}, params, large);
    BOOST_TEST(refused == LEGATO_STATUS_OUT_OF_MEMORY);
    BOOST_TEST(why.find("or kpm.params.division 2 (lattice) with ") != std::string::npos, why);
    BOOST_TEST(why.ends_with(" devices"), why);
    params.division = LEGATO_KPM_DIVISION_AUTO;
    BOOST_TEST(outcome_on({1, 3, 1}, params, large).first == LEGATO_STATUS_SUCCESS);
}

}  // namespace

BOOST_AUTO_TEST_CASE(auto_divides_the_lattice_if_a_vector_does_not_fit) {
    if (on_devices()) return require_division_among_devices();
    constexpr std::int64_t budget = 800'000;
    const auto [refused, why] = outcome_on({4, 1, 1}, with_budget(LEGATO_KPM_DIVISION_VECTORS, budget), large);
    BOOST_TEST(refused == LEGATO_STATUS_OUT_OF_MEMORY);
    BOOST_TEST(why.find("kpm.params.block_width: 1, the smallest, for 57600 sites needs ") != std::string::npos, why);
    BOOST_TEST(why.ends_with(" such sites would fit, or kpm.params.division 2 (lattice) with 3 ranks"), why);
    BOOST_TEST(outcome_on({1, 1, 1}, with_budget(LEGATO_KPM_DIVISION_AUTO, budget), large).second == why);
    BOOST_TEST(outcome_on({2, 1, 1}, with_budget(LEGATO_KPM_DIVISION_AUTO, budget), large)
                   .second.ends_with("or kpm.params.division 2 (lattice) with 3 ranks"));
    const Results whole = run_on({},
                                 [&](legato_context* context, int, Results& results) {
                                     finish(random_vectors(context, with_budget(0, 0), made(context, large)), results);
                                 })[0]
                              .results;
    for (const ranks::Division& division : {ranks::Division{3, 1, 1}, {4, 1, 1}, {2, 2, 1}})
        for (const Outcome& outcome : run_on(division, [&](legato_context*context, int, Results&results) {
                 const legato_kpm_params params = with_budget(LEGATO_KPM_DIVISION_AUTO, budget);
                 const Kpm kpm = random_vectors(context, params, made(context, large));
                 if (state_of(kpm).bytes > budget) results.add(std::string("more than the budget"));
                 finish(kpm, results);
             })) {
            BOOST_TEST(outcome.message == "");
            BOOST_TEST((outcome.results == whole));
        }
    // A lattice in compressed rows is not divided.
    legato_kpm_params matrix = with_budget(LEGATO_KPM_DIVISION_AUTO, budget);
    matrix.format = LEGATO_KPM_FORMAT_CRS;
    BOOST_TEST(outcome_on({4, 1, 1}, matrix, large).first == LEGATO_STATUS_OUT_OF_MEMORY);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_divided_is_refused) {
    for (const ranks::Division& division : {ranks::Division{1, 1, 1}, {2, 1, 1}}) {
        for (const int format : {LEGATO_KPM_FORMAT_CRS, LEGATO_KPM_FORMAT_ELL}) {
            legato_kpm_params params = in_slabs();
            params.format = format;
            const auto [status, message] = outcome_on(division, params, shapes_on_cpu[6]);
            BOOST_TEST(status == LEGATO_STATUS_INVALID_ARGUMENT);
            BOOST_TEST(message ==
                       "kpm.params.division: 2 (lattice) needs kpm.params.format 0 (auto) or 3 (stencil), "
                       "not " +
                           std::to_string(format));
        }
    }
    kpm::Problem problem;
    problem.division = kpm::Division::lattice;
    const kpm::Hamiltonian lattice = cubic({4, 4, 4});
    BOOST_TEST(choose_sharing(Backend::cuda, problem, lattice, kpm::Format::stencil, 1, 0) == 1U);
    BOOST_TEST(choose_sharing(Backend::cuda, problem, lattice, kpm::Format::stencil, 2, 1 << 30) == 2U);
    problem.division = kpm::Division::auto_;
    BOOST_TEST(choose_sharing(Backend::cpu, problem, lattice, kpm::Format::stencil, 2, 1 << 30) == 1U);
    BOOST_TEST(choose_sharing(Backend::cpu, problem, lattice, kpm::Format::stencil, 2, 0) == 2U);
}

BOOST_AUTO_TEST_CASE(divisions_that_differ_are_named) {
    for (const Outcome& outcome : run_on({2, 1, 1}, [](legato_context*context, int rank, Results&) {
             legato_kpm_params params = in_slabs();
             if (rank == 1) params.division = LEGATO_KPM_DIVISION_VECTORS;
             random_vectors(context, params, made(context, shapes_on_cpu[6]));
         }))
        BOOST_TEST(outcome.message ==
                   "kpm.params.division: the ranks of the communicator differ: 2 on rank 0, 1 on rank 1");
}

// The timing trial measures one slab if the vectors do not fit.
BOOST_AUTO_TEST_CASE(the_trial_measures_a_slab) {
    ContextOptions options;
    options.parts = 3;
    options.log_level = LogLevel::silent;
    const Context context(options);
    kpm::Problem problem;
    problem.memory_budget = 600'000;
    const kpm::Hamiltonian lattice = cubic({30, 30, 64});
    const Trial trial = trial_of(context, problem, lattice);
    BOOST_TEST(trial.can(Backend::cpu));
    BOOST_TEST(trial.measure(Backend::cpu).each > 0);
    problem.division = kpm::Division::vectors;
    BOOST_TEST(!trial.can(Backend::cpu));
}
