// Compares slots and double expansions on CUDA with those on the CPU.
#define BOOST_TEST_MODULE kpm_slot_engines
#define BOOST_TEST_NO_MAIN
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "../device_main.hpp"
#include "core/larger.hpp"
#include "double_moments.hpp"

// This header defines a constant i.
#include "crystals.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

constexpr std::array backends{Backend::cpu, Backend::cuda};

struct Operator {
    std::shared_ptr<const Hamiltonian> one;
    Format format;
};

Lattice disordered() {
    Lattice lattice;
    lattice.extents = {12, 9, 7};
    lattice.boundary = {Boundary::periodic, Boundary::hard_wall, Boundary::periodic};
    lattice.on_site = OnSite::box;
    lattice.disorder = 2;
    return lattice;
}

std::vector<Element> elements_of(Slots& slots, std::size_t slot, std::int64_t sites) {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(sites));
    std::iota(numbers.begin(), numbers.end(), 0);
    std::vector<Element> elements(numbers.size());
    slots.read(slot, numbers, elements);
    return elements;
}

// Returns the elements of all slots after a few steps with each operator.
std::vector<Element> after_steps(Backend backend, const std::vector<Operator>& operators) {
    Context context = make_context(2, backend);
    Problem problem;
    problem.realisations = 3;
    std::vector<const Hamiltonian*> all;
    std::vector<Format> formats;
    for (const Operator& o : operators) {
        all.push_back(o.one.get());
        formats.push_back(o.format);
    }
    const std::int64_t sites = sites_of(*all[0]);
    const auto slots = make_slots(context, backend, problem, all, formats, 6);
    std::vector<Element> result;
    for (const std::int64_t realisation : {0, 2}) {
        slots->begin(realisation, nullptr);
        slots->set_random(0, StartVectors::sign, 3);
        slots->set_random(1, StartVectors::gaussian, 4);
        slots->set_random(2, StartVectors::uniform, 5);
        slots->set_site(3, sites / 3);
        for (std::size_t op = 0; op < all.size(); ++op) {
            slots->apply(op, {.a = 0.3, .b = 0.1, .c = -1}, 0, 1, 1);    // in place
            slots->apply(op, {.a = 0.3, .b = -0.2, .c = 0.5}, 3, 2, 4);  // elsewhere
            slots->apply(op, {.a = 1, .b = 0, .c = 0}, 1, 1, 5);         // without y
            slots->apply(op, {.a = 0, .b = 1, .c = 0}, 5, 5, 0);         // a copy
            for (std::size_t slot = 0; slot < 6; ++slot) {
                const auto one = elements_of(*slots, slot, sites);
                result.insert(result.end(), one.begin(), one.end());
            }
        }
    }
    return result;
}

std::unique_ptr<Correlation> finished(Context& context, const Problem& problem, const OperatorsOfCorrelation& operators,
                                      const StartVectorSource& source = {}) {
    auto correlation = std::make_unique<Correlation>(context, problem, operators, source);
    correlation->run({});
    return correlation;
}

}  // namespace

BOOST_AUTO_TEST_CASE(steps_agree) {
    std::mt19937_64 random(7);
    const auto lattice = prepared(disordered());
    const auto sites = static_cast<std::int32_t>(sites_of(*lattice));
    const auto real = prepared(random_matrix(random, sites, 5)), complex = prepared(random_hermitian(random, sites, 5));
    const std::vector<std::vector<Operator>> cases{
        {{lattice, Format::stencil}},
        {{lattice, Format::crs}, {real, Format::ell}},
        {{lattice, Format::stencil}, {complex, Format::crs}, {real, Format::crs}, {complex, Format::ell}},
        {{lattice, Format::ell}, {complex, Format::crs}},
    };
    for (const auto& operators : cases)
        BOOST_TEST(largest_difference(after_steps(Backend::cpu, operators), after_steps(Backend::cuda, operators)) <
                   1e-12);
}

BOOST_AUTO_TEST_CASE(steps_of_unit_cells_agree) {
    std::mt19937_64 random(7);
    std::vector<CellLattice> all = crystals();
    for (const CellLattice& lattice : crystals_with_vacancies()) all.push_back(lattice);
    for (const CellLattice& lattice : all) {
        const auto cells = prepared(lattice);
        const auto sites = static_cast<std::int32_t>(lattice.sites());
        const std::vector<Operator> alone{{cells, Format::stencil}},
            both{{cells, Format::stencil}, {prepared(random_hermitian(random, sites, 2)), Format::crs}};
        BOOST_TEST(largest_difference(after_steps(Backend::cpu, alone), after_steps(Backend::cuda, alone)) < 1e-11);
        BOOST_TEST(largest_difference(after_steps(Backend::cpu, both), after_steps(Backend::cuda, both)) < 1e-11);
    }
}

BOOST_AUTO_TEST_CASE(products_agree) {
    for (const bool is_complex : {false, true})
        for (const std::int64_t sites : {1, 3, 17, 300, 5000, 33000}) {
            constexpr std::size_t count = 40;
            const auto [cpu, cpu_owned] = random_slots(Backend::cpu, 2, sites, is_complex, count);
            const auto [cuda, cuda_owned] = random_slots(Backend::cuda, 2, sites, is_complex, count);
            std::vector<Element> a(count * count), b(count * count);
            cpu->products({0, count}, {0, count}, a);
            cuda->products({0, count}, {0, count}, b);
            BOOST_TEST(largest_difference(a, b) < 1e-14 * static_cast<double>(sites) + 1e-13);
        }
}

BOOST_AUTO_TEST_CASE(products_have_the_same_bits_for_all_ranges) {
    for (const bool is_complex : {false, true}) {
        constexpr std::size_t count = 330;  // more than one launch
        const auto [slots, owned] = random_slots(Backend::cuda, 2, 20011, is_complex, count);
        std::vector<Element> all(count * count), again(count * count);
        slots->products({0, count}, {0, count}, all);
        slots->products({0, count}, {0, count}, again);
        BOOST_TEST(std::memcmp(all.data(), again.data(), sizeof(Element) * all.size()) == 0);
        for (const SlotRange left : {SlotRange{0, 1}, SlotRange{3, 16}, SlotRange{127, 17}, SlotRange{10, 300}})
            for (const SlotRange right : {SlotRange{149, 1}, SlotRange{1, 3}, SlotRange{63, 130}}) {
                std::vector<Element> some(left.count * right.count);
                slots->products(left, right, some);
                std::size_t different = 0;
                for (std::size_t l = 0; l < left.count; ++l)
                    for (std::size_t r = 0; r < right.count; ++r)
                        different +=
                            some[l * right.count + r] != all[(left.first + l) * count + right.first + r] ? 1u : 0u;
                BOOST_TEST(different == 0u);
            }
    }
}

BOOST_AUTO_TEST_CASE(double_expansions_agree) {
    std::mt19937_64 random(17);
    const auto h = prepared(disordered());
    const auto sites = static_cast<std::int32_t>(sites_of(*h));
    const auto a = prepared(random_hermitian(random, sites, 4)), b = prepared(random_matrix(random, sites, 4));
    Problem problem;
    problem.moments = 70;
    problem.vectors = 2;
    problem.realisations = 2;
    for (const OperatorsOfCorrelation& operators :
         {OperatorsOfCorrelation{h, a, a}, OperatorsOfCorrelation{h, b, b}, OperatorsOfCorrelation{h, a, b}}) {
        std::vector<std::vector<Element>> results;
        for (const Backend backend : backends) {
            Context context = make_context(2, backend);
            results.push_back(finished(context, problem, operators)->mean());
        }
        const double scale = std::abs(results[0][0]);
        BOOST_TEST(largest_difference(results[0], results[1]) < 1e-11 * scale);
    }
}

BOOST_AUTO_TEST_CASE(given_vectors_agree_with_dense_matrices) {
    std::mt19937_64 random(18);
    const auto h = prepared(random_hermitian(random, 50, 4)), a = prepared(random_hermitian(random, 50, 4));
    Problem problem;
    problem.moments = 6;
    problem.vectors = 2;
    problem.start_vectors = StartVectors::caller;
    const auto fill = [](std::int64_t sample, std::span<double> v) {
        for (std::size_t i = 0; i < v.size(); ++i)
            v[i] = std::sin(static_cast<double>(i * i) + static_cast<double>(sample));
    };
    Context context = make_context(2, Backend::cuda);
    const auto correlation = finished(context, problem, {h, a, h}, fill);
    std::vector<double> numbers(100);
    fill(1, numbers);
    std::vector<Element> r;
    for (std::size_t i = 0; i < 50; ++i) r.emplace_back(numbers[2 * i], numbers[2 * i + 1]);
    const auto expected = dense_double_moments({h, a, h}, r, correlation->rescaling(), 6);
    BOOST_TEST(largest_difference(correlation->sample(1), expected) < 1e-12);
}

BOOST_AUTO_TEST_CASE(blocks_and_files_give_the_same_bits) {
    std::mt19937_64 random(4);
    const auto h = prepared(random_matrix(random, 9000, 4)), v = prepared(random_hermitian(random, 9000, 4));
    Problem problem;
    problem.moments = 70;
    problem.vectors = 3;
    Context context = make_context(2, Backend::cuda);
    const auto whole = finished(context, problem, {h, v, v});
    const std::vector<const Hamiltonian*> operators{h.get(), v.get()};
    problem.format = whole->format();
    const std::vector<Format> formats{whole->format(), choose_format(Backend::cuda, {}, *v, 1 << 30).format};
    for (const std::int64_t slots : {6, 13, 40}) {
        Problem limited = problem;
        limited.memory_budget = slot_needs(Backend::cuda, problem, operators, formats).bytes(slots) + 4096;
        const auto blocked = finished(context, limited, {h, v, v});
        BOOST_TEST(blocked->blocks().left < 70u);
        BOOST_TEST(std::memcmp(blocked->mean().data(), whole->mean().data(), sizeof(Element) * 4900) == 0);
    }
    const auto path = std::filesystem::temp_directory_path() / "legato_kpm_slot_engines_test.h5";
    Correlation part(context, problem, {h, v, v});
    part.advance();
    part.save(path);
    const auto resumed = Correlation::resume(context, path, OperatorsOfCorrelation{h, v, v});
    resumed->run({});
    BOOST_TEST(std::memcmp(resumed->mean().data(), whole->mean().data(), sizeof(Element) * 4900) == 0);
    std::filesystem::remove(path);
}

// Reports the rate of products of 256 x 256 complex vectors of a million sites. Run it alone, by its name.
BOOST_AUTO_TEST_CASE(rate_of_products, *boost::unit_test::disabled()) {
    constexpr std::size_t count = 320;
    constexpr std::int64_t sites = 1000000;
    const auto [slots, owned] = random_slots(Backend::cuda, 8, sites, true, count);
    for (const auto& [lefts, rights] : {std::pair<std::size_t, std::size_t>{256, 64}, {64, 64}, {1, 64}, {1, 1}}) {
        std::vector<Element> out(lefts * rights);
        slots->products({64, lefts}, {0, rights}, out);
        const auto start = std::chrono::steady_clock::now();
        constexpr int times = 10;
        for (int i = 0; i < times; ++i) slots->products({64, lefts}, {0, rights}, out);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / times;
        BOOST_TEST_MESSAGE(lefts << " x " << rights << ": " << 1e3 * seconds << " ms, "
                                 << 8e-12 * static_cast<double>(lefts * rights * sites) / seconds << " Tflop/s");
    }
}

int main(int argc, char** argv) {
    return device_main(argc, argv);
}
