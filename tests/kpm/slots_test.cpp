// Tests vectors in slots on the CPU against dense matrices and plain sums.
#define BOOST_TEST_MODULE kpm_slots
#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <cstring>

#include "complex_matrices.hpp"
#include "kpm/product_kernels.hpp"
#include "kpm/slots.hpp"
#include "slot_runs.hpp"

// This header defines a constant i.
#include "crystals.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

using Vector = std::vector<Element>;

Vector times(const std::vector<Vector>& matrix, const Vector& x) {
    Vector y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < x.size(); ++j) y[i] += matrix[i][j] * x[j];
    return y;
}

double difference(const Vector& a, const Vector& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

struct Operators {
    std::vector<std::shared_ptr<const Hamiltonian>> owned;
    std::vector<const Hamiltonian*> all;
    std::vector<Format> formats;

    void add(Hamiltonian one, Format format) {
        owned.push_back(prepared(std::move(one)));
        all.push_back(owned.back().get());
        formats.push_back(format);
    }
};

Vector read(Slots& slots, std::size_t slot, std::size_t sites) {
    std::vector<std::int64_t> numbers(sites);
    std::iota(numbers.begin(), numbers.end(), 0);
    Vector elements(sites);
    slots.read(slot, numbers, elements);
    return elements;
}

}  // namespace

BOOST_AUTO_TEST_CASE(operators_agree_with_dense_matrices) {
    std::mt19937_64 random(3);
    const CrsMatrix real = random_matrix(random, 97, 6), complex = random_hermitian(random, 97, 6);
    Operators operators;
    operators.add(real, Format::crs);
    operators.add(complex, Format::ell);
    operators.add(Lattice{.extents = {97, 1, 1}, .hopping = 0.7, .energies = {}}, Format::stencil);
    Context context = make_context();
    Problem problem;
    const auto slots = make_slots(context, Backend::cpu, problem, operators.all, operators.formats, 4);
    slots->begin(0, nullptr);
    slots->set_random(0, StartVectors::phase, 5);
    slots->set_site(1, 13);
    std::vector<double> inf(2 * 97, std::numeric_limits<double>::infinity());
    slots->set(2, inf);
    const Vector x = read(*slots, 0, 97), y = read(*slots, 1, 97);
    BOOST_TEST(y[13] == Element(1));
    const std::array dense{complex_dense(copy_as_complex(real)), complex_dense(complex),
                           complex_dense(copy_as_complex(matrix_of(std::get<Lattice>(*operators.owned[2]), 1, 0)))};
    for (std::size_t op = 0; op < 3; ++op) {
        slots->apply(op, {.a = 1.5, .b = -0.25, .c = -2}, 0, 1, 3);
        Vector expected = times(dense[op], x);
        for (std::size_t i = 0; i < 97; ++i) expected[i] = 1.5 * expected[i] - 0.25 * x[i] - 2.0 * y[i];
        BOOST_TEST(difference(read(*slots, 3, 97), expected) < 1e-13);
        slots->apply(op, {.a = 1, .b = 0, .c = 0}, 0, 2, 3);  // y is infinite, and not read
        BOOST_TEST(difference(read(*slots, 3, 97), times(dense[op], x)) < 1e-13);
    }
    slots->apply(1, {.a = 1, .b = 0, .c = 1}, 0, 1, 1);  // in place
    Vector expected = times(dense[1], x);
    expected[13] += 1;
    BOOST_TEST(difference(read(*slots, 1, 97), expected) < 1e-13);
}

// A real lattice multiplies both parts of complex vectors.
BOOST_AUTO_TEST_CASE(unit_cells_agree_with_their_matrices) {
    for (const CellLattice& lattice : crystals()) {
        std::vector<Vector> results;
        for (const Format format : {Format::stencil, Format::crs}) {
            Operators operators;
            operators.add(lattice, format);
            operators.add(ring_with_flux(static_cast<std::int32_t>(lattice.sites()), 0.1), Format::crs);
            Context context = make_context();
            Problem problem;
            problem.realisations = 2;
            const auto slots = make_slots(context, Backend::cpu, problem, operators.all, operators.formats, 2);
            slots->begin(1, nullptr);
            slots->set_random(0, StartVectors::phase, 5);
            slots->apply(0, {.a = 1, .b = 0.5, .c = 0}, 0, 0, 1);
            results.push_back(read(*slots, 1, static_cast<std::size_t>(lattice.sites())));
        }
        BOOST_TEST(difference(results[0], results[1]) < 1e-12);
    }
}

BOOST_AUTO_TEST_CASE(products_agree_with_plain_sums) {
    for (const bool is_complex : {false, true})
        for (const std::int64_t sites : {1, 7, 300, 5000}) {
            const std::size_t count = 9;
            const auto [slots, owned] = random_slots(Backend::cpu, 1, sites, is_complex, count);
            std::vector<Vector> vectors;
            for (std::size_t v = 0; v < count; ++v) vectors.push_back(read(*slots, v, static_cast<std::size_t>(sites)));
            Vector products(count * count);
            slots->products({0, count}, {0, count}, products);
            for (std::size_t l = 0; l < count; ++l)
                for (std::size_t r = 0; r < count; ++r) {
                    Element sum = 0;
                    double size = 0;
                    for (std::size_t i = 0; i < vectors[l].size(); ++i) {
                        sum += std::conj(vectors[l][i]) * vectors[r][i];
                        size += std::abs(vectors[l][i] * vectors[r][i]);
                    }
                    BOOST_TEST(std::abs(products[l * count + r] - sum) <= 1e-14 * size);
                    BOOST_TEST(products[l * count + r] == std::conj(products[r * count + l]));
                }
        }
}

BOOST_AUTO_TEST_CASE(products_have_the_same_bits_for_threads_ranges_and_instruction_sets) {
    constexpr std::int64_t sites = 70001;
    constexpr std::size_t count = 150;  // more than a block of products
    for (const bool is_complex : {false, true}) {
        const auto [slots, owned] = random_slots(Backend::cpu, 1, sites, is_complex, count);
        Vector all(count * count);
        slots->products({0, count}, {0, count}, all);
        const auto [by_more, also_owned] = random_slots(Backend::cpu, 5, sites, is_complex, count);
        Vector again(count * count);
        by_more->products({0, count}, {0, count}, again);
        BOOST_TEST(std::memcmp(all.data(), again.data(), sizeof(Element) * all.size()) == 0);
        for (const SlotRange left : {SlotRange{0, 1}, SlotRange{3, 2}, SlotRange{127, 7}})
            for (const SlotRange right : {SlotRange{149, 1}, SlotRange{1, 3}, SlotRange{120, 21}}) {
                Vector some(left.count * right.count);
                slots->products(left, right, some);
                bool same = true;
                for (std::size_t l = 0; l < left.count; ++l)
                    for (std::size_t r = 0; r < right.count; ++r)
                        same &= some[l * right.count + r] == all[(left.first + l) * count + right.first + r];
                BOOST_TEST(same);
            }
    }
}

// Computes a product with each set of kernels that the processor has.
BOOST_AUTO_TEST_CASE(kernels_have_the_same_bits_for_every_instruction_set) {
    constexpr std::size_t numbers = 64;
    std::mt19937_64 random(9);
    std::normal_distribution<double> normal;
    std::vector<double> a(numbers), b(numbers);
    for (double& x : a) x = normal(random);
    for (double& x : b) x = normal(random);
    std::vector<std::array<double, 3>> results;
    for (const ProductKernels* kernels : kernels_here()) {
        const std::array<const double*, most_tile_vectors> left{a.data(), a.data(), a.data(), a.data()},
            right{b.data(), b.data(), b.data(), b.data()};
        std::array<double, 2 * most_tile_vectors * most_tile_vectors> real{}, complex{};
        kernels->real(left.data(), right.data(), numbers, real.data());
        kernels->complex(left.data(), right.data(), numbers, complex.data());
        results.push_back({real[0], complex[0], complex[1]});
        BOOST_TEST(real[kernels->left * kernels->right - 1] == real[0]);
        BOOST_TEST(complex[2 * kernels->left * kernels->complex_right - 1] == complex[1]);
    }
    for (const auto& result : results) BOOST_TEST(result == results[0], boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(disorder_follows_the_realisation) {
    Operators operators;
    const Lattice lattice{.extents = {5, 6, 1}, .on_site = OnSite::box, .disorder = 3, .energies = {}};
    operators.add(lattice, Format::stencil);
    Context context = make_context();
    Problem problem;
    problem.realisations = 3;
    const auto slots = make_slots(context, Backend::cpu, problem, operators.all, operators.formats, 2);
    for (const std::int64_t realisation : {2, 0, 1}) {
        slots->begin(realisation, nullptr);
        slots->set_random(0, StartVectors::gaussian, 1);
        slots->apply(0, {.a = 1, .b = 0, .c = 0}, 0, 0, 1);
        const auto dense = complex_dense(copy_as_complex(matrix_of(lattice, 1, realisation)));
        BOOST_TEST(difference(read(*slots, 1, 30), times(dense, read(*slots, 0, 30))) < 1e-13);
    }
}

BOOST_AUTO_TEST_CASE(wrong_problems_are_refused) {
    Operators operators;
    operators.add(Lattice{.extents = {9, 1, 1}, .energies = {}}, Format::stencil);
    operators.add(Lattice{.extents = {8, 1, 1}, .energies = {}}, Format::stencil);
    Context context = make_context();
    Problem problem;
    BOOST_TEST(failure_of([&] {
                   make_slots(context, Backend::cpu, problem, operators.all, operators.formats, 2);
               }).second == "kpm: an operator has 8 sites, and the Hamiltonian 9");
}
