// Compares neighbours and more distant spins in packed rows with those found by coordinates.
#define BOOST_TEST_MODULE ising_lattice
#include <boost/test/unit_test.hpp>

#include "ising/neighbours.hpp"
#include "ising/packed_spins.hpp"
#include "naive.hpp"

namespace legato::ising {
namespace {

constexpr auto periodic = Boundary::periodic, antiperiodic = Boundary::antiperiodic;

const std::vector<Lattice> lattices{{2, {4, 4, 1}, {}},
                                    {2, {2, 2, 1}, {antiperiodic, periodic, periodic}},
                                    {2, {62, 34, 1}, {antiperiodic, antiperiodic, periodic}},
                                    {2, {64, 6, 1}, {antiperiodic, periodic, periodic}},
                                    {2, {66, 4, 1}, {antiperiodic, antiperiodic, periodic}},
                                    {2, {134, 10, 1}, {periodic, antiperiodic, periodic}},
                                    {2, {256, 2, 1}, {antiperiodic, periodic, periodic}},
                                    {3, {4, 4, 2}, {}},
                                    {3, {2, 6, 4}, {antiperiodic, antiperiodic, antiperiodic}},
                                    {3, {70, 4, 6}, {antiperiodic, periodic, antiperiodic}}};

naive::System system_of(const Lattice& lattice) {
    naive::System system{lattice, 0.3, 0.0, 7, 3, {}};
    system.start(true);
    return system;
}

template <class Compare>
void for_each_word(const Lattice& lattice, const Packing& p, Compare&& compare) {
    for (std::uint32_t colour = 0; colour < 2; ++colour) {
        for (std::uint32_t index = 0; index < p.words(); ++index) {
            const Place at = place_of(p, index);
            for (std::uint32_t bit = 0; bit < 32 && 32 * at.word + bit < p.bits; ++bit) {
                const std::int64_t x = 2 * (32 * at.word + bit) + (is_odd(colour, at.y, at.z) ? 1 : 0);
                BOOST_TEST_REQUIRE(x < lattice.extents[0]);
                compare(colour, at, bit, std::array<std::int64_t, 3>{x, at.y, at.z});
            }
        }
    }
}

int spin(std::uint32_t word, std::uint32_t bit) {
    return (word >> bit & 1) != 0 ? 1 : -1;
}

BOOST_AUTO_TEST_CASE(neighbours_are_those_by_coordinates) {
    for (const Lattice& lattice : lattices) {
        Problem problem;
        problem.lattice = lattice;
        problem.start = Start::random;
        problem.seeds = {7};
        problem.betas.assign(4, 0.3);
        const Model model(problem);
        const std::vector<std::uint32_t> all = first_words(model, 1);
        const std::uint32_t* const spins = all.data() + 3 * model.block_words();
        const naive::System system = system_of(lattice);
        const Packing& p = model.packing;
        std::int64_t wrong = 0;
        for_each_word(lattice, p, [&](std::uint32_t colour, const Place& at, std::uint32_t bit, auto site) {
            const auto odd = is_odd(colour, at.y, at.z) ? 1 : -1;
            std::uint32_t n[6] = {};
            const std::uint32_t* const other = spins + (1 - colour) * p.words();
            if (p.cubic)
                neighbours_of<6>(p, other, colour, at, n);
            else
                neighbours_of<4>(p, other, colour, at, *reinterpret_cast<std::uint32_t(*)[4]>(&n));
            const std::array<int, 6> steps{-odd, odd, -1, 1, -1, 1};
            for (std::size_t k = 0; k < 2 * static_cast<std::size_t>(lattice.dimension); ++k)
                wrong += spin(n[k], bit) != system.spin(site, k / 2, steps[k]);
            for (int axis = 0; axis < lattice.dimension; ++axis) {
                const auto a = static_cast<std::size_t>(axis);
                for (std::uint32_t r = 0; r <= lattice.extents[a] / 2; ++r)
                    wrong += spin(spins_at_distance(p, spins, colour, at, axis, r), bit) !=
                             system.spin(site, a, static_cast<std::int64_t>(r));
            }
        });
        BOOST_TEST(wrong == 0, "extents " << lattice.extents[0] << " " << lattice.extents[1] << " "
                                          << lattice.extents[2] << ": " << wrong << " differ");
    }
}

BOOST_AUTO_TEST_CASE(spins_are_packed_and_unpacked) {
    for (const Algorithm algorithm : {Algorithm::metropolis, Algorithm::demon_naive}) {
        for (const Lattice& lattice : lattices) {
            Problem problem;
            problem.lattice = lattice;
            problem.algorithm = algorithm;
            problem.replicas = 37;
            problem.betas = {0.2, 0.3};
            const Model model(problem);
            std::vector<std::uint32_t> words = first_words(model, 1);
            std::vector<std::vector<std::int8_t>> all;
            for (std::size_t system = 0; system < model.systems(); ++system) {
                naive::System source{lattice, 0.3, 0.0, system, 0, {}};
                source.start(true);
                all.emplace_back(source.spins.begin(), source.spins.end());
                pack_spins(model, all.back(), words, system);
            }
            for (std::size_t system = 0; system < model.systems(); ++system)
                BOOST_TEST((unpacked_spins(model, words, system) == all[system]));
        }
    }
}

}  // namespace
}  // namespace legato::ising

// Any words of the first state are the same as those of the whole.
BOOST_AUTO_TEST_CASE(first_words_in_pieces) {
    using namespace legato::ising;
    for (const Algorithm algorithm : {Algorithm::metropolis, Algorithm::demon_binomial})
        for (const Start start : {Start::random, Start::up}) {
            Problem problem;
            problem.algorithm = algorithm;
            problem.lattice = {3, {40, 6, 4}, {}};
            problem.betas = {0.2, 0.4};
            problem.replicas = 3;
            problem.start = start;
            const Model model(problem);
            const std::vector<std::uint32_t> all = first_words(model, 2);
            BOOST_REQUIRE(all.size() == model.words());
            for (const std::size_t length : {std::size_t{1}, std::size_t{7}, std::size_t{500}, all.size()})
                for (std::size_t first = 0; first < all.size(); first += length) {
                    std::vector<std::uint32_t> piece(std::min(length, all.size() - first));
                    first_words(model, first, piece, 1);
                    if (!std::equal(piece.begin(), piece.end(), all.begin() + static_cast<std::ptrdiff_t>(first)))
                        BOOST_ERROR("words from " << first << " differ");
                }
        }
    // The pieces that several threads write are longer.
    Problem problem;
    problem.lattice.extents = {2048, 4096, 1};
    problem.start = Start::random;
    const Model model(problem);
    BOOST_TEST((first_words(model, 3) == first_words(model, 1)));
}
