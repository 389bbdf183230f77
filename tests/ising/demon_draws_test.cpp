// Tests the distributions from which demons are drawn.
#define BOOST_TEST_MODULE ising_demon_draws
#include "ising/demon_draws.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <random>

#include "demon_runs.hpp"
#include "ising/demon_kernels.hpp"

using namespace legato;
using namespace legato::ising;
using namespace legato::ising::tests;

namespace {

double binomial_probability(std::int64_t n, double p, std::int64_t k) {
    const auto a = static_cast<double>(n), b = static_cast<double>(k);
    return std::exp(std::lgamma(a + 1) - std::lgamma(b + 1) - std::lgamma(a - b + 1) + b * std::log(p) +
                    (a - b) * std::log1p(-p));
}

struct ChiSquare {
    double chi = 0;
    int freedom = -1;

    void add(double counted, double expected) {
        chi += (counted - expected) * (counted - expected) / expected;
        ++freedom;
    }
    // Returns the deviation in standard deviations of a normal number, by Wilson and Hilferty.
    double deviation() const {
        const double v = 2.0 / (9 * freedom);
        return (std::cbrt(chi / freedom) - (1 - v)) / std::sqrt(v);
    }
};

// Compares the counts of first, first + 1, ... with a binomial distribution. Neighbouring counts are combined until
// enough are expected.
ChiSquare compare(const std::vector<int>& counts, std::int64_t first, std::int64_t n, double p, double draws) {
    ChiSquare result;
    double counted = 0, expected = 0, all_counted = 0, all_expected = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        counted += counts[i];
        expected += draws * binomial_probability(n, p, first + static_cast<std::int64_t>(i));
        if (expected < 25 || draws - all_expected - expected < 25) continue;
        result.add(counted, expected);
        all_counted += counted;
        all_expected += expected;
        counted = expected = 0;
    }
    result.add(draws - all_counted, draws - all_expected);
    return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(thresholds_are_the_distribution_function) {
    for (const auto& [n, p] : std::vector<std::pair<std::int64_t, double>>{
             {4, 0.4}, {16, 1e-7}, {100, 0.03}, {4096, 0.4}, {4096, 1e-5}, {1 << 24, 0.35}, {1 << 24, 3e-6}}) {
        const BinomialTable table = binomial_table(n, p);
        double sum = 0;
        for (std::size_t i = 0; i < table.thresholds.size(); ++i) {
            sum += binomial_probability(n, p, table.first + static_cast<std::int64_t>(i));
            BOOST_TEST(std::abs(std::ldexp(static_cast<double>(table.thresholds[i]), -64) - sum) < 1e-8);
            if (i > 0) BOOST_TEST(table.thresholds[i] >= table.thresholds[i - 1]);
        }
        BOOST_TEST((table.first >= 0 && table.first + static_cast<std::int64_t>(table.thresholds.size()) <= n));
        // The probabilities outside the table are negligible: the first threshold, and the complement of the last one.
        BOOST_TEST((table.first == 0 || table.thresholds.front() < 100));
        BOOST_TEST((table.first + static_cast<std::int64_t>(table.thresholds.size()) == n ||
                    0 - table.thresholds.back() < 100));
    }
}

BOOST_AUTO_TEST_CASE(binomial_numbers) {
    constexpr int draws = 200000;
    for (const auto& [n, p] : std::vector<std::pair<std::int64_t, double>>{
             {4, 0.4}, {64, 0.01}, {4096, 0.23}, {1 << 20, 0.4}, {1 << 20, 1e-5}}) {
        const BinomialTable table = binomial_table(n, p);
        std::vector<int> counts(table.thresholds.size() + 1);
        for (std::int64_t sweep = 0; sweep < draws; ++sweep) {
            const std::int64_t number = binomial_number(table.first, table.thresholds.data(),
                                                        static_cast<std::uint32_t>(table.thresholds.size()),
                                                        number_for_count({9, 2}, sweep, 1, 30));
            ++counts.at(static_cast<std::size_t>(number - table.first));
        }
        const ChiSquare result = compare(counts, table.first, n, p, draws);
        BOOST_TEST(result.freedom > 0);
        BOOST_TEST(std::abs(result.deviation()) < 4);
    }
}

// Tests every bit on its own, also for rare probabilities, which another 64 random bits decide.
BOOST_AUTO_TEST_CASE(bits_with_a_probability) {
    constexpr std::uint32_t words = 400000;
    for (const double p : {0.45, 0.1, 0.0101, 2e-5}) {
        const double scaled = std::ldexp(p, 12), q = std::floor(scaled);
        const LevelProbability probability{static_cast<std::uint32_t>(q),
                                           static_cast<std::uint64_t>(std::ldexp(scaled - q, 64))};
        for (std::uint32_t level = 0; level < demon_levels; ++level) {
            std::vector<double> counts(32);
            double together = 0;
            for (std::uint32_t site = 0; site < words; ++site) {
                const std::uint32_t word = draw_demons(probability, {3, 1}, 12, level, site);
                for (std::uint32_t bit = 0; bit < 32; ++bit) counts[bit] += word >> bit & 1;
                together += std::popcount(word & std::rotr(word, 1));
            }
            ChiSquare bits;
            for (const double count : counts)
                bits.add(count * std::sqrt(1 / (1 - p)), words * p * std::sqrt(1 / (1 - p)));
            ++bits.freedom;  // no sum is given
            BOOST_TEST(std::abs(bits.deviation()) < 4);
            const double pairs = 32.0 * words * p * p;
            BOOST_TEST(std::abs(together - pairs) < 5 * std::sqrt(pairs * (1 + 4 * p)) + 1);
        }
    }
}

namespace {

// Counts over 512 lattices of 20 x 6 sites, by replicas and seeds, how often a level has each number of demons, and how
// often each site has a demon.
void draw_by_numbers(int replicas, std::size_t parts) {
    constexpr double beta = 0.25;
    constexpr int runs = 40, lattices = 512 * runs;
    std::vector<std::vector<int>> numbers(demon_levels, std::vector<int>(121)),
        places(demon_levels, std::vector<int>(120));
    Problem problem = demon_problem(square(20, 6), Algorithm::demon_binomial, beta);
    problem.replicas = replicas;
    problem.seeds.resize(static_cast<std::size_t>(512 / replicas));
    std::iota(problem.seeds.begin(), problem.seeds.end(), 1);
    const Model model(problem);
    BOOST_TEST(model.parts.count() == parts);
    const std::size_t sites = 120 / parts, all = std::min(static_cast<std::size_t>(replicas) * parts, std::size_t{32});
    BOOST_TEST(!is_rare(model.sites(), demon_probability(beta, 0)));
    BOOST_TEST(is_rare(model.sites(), demon_probability(beta, 2)));
    const auto engine = make_cpu_demons(context_on(Backend::cpu), model);
    for (std::uint32_t run = 0; run < runs; ++run) {
        std::vector<std::uint32_t> words = random_state(model, run);
        engine->load(words);
        engine->advance({run, 1, 0, true}, {});
        engine->store(words);
        for (std::size_t block = 0; block < model.blocks(); ++block) {
            for (std::size_t level = 0; level < demon_levels; ++level) {
                const std::uint32_t* const plane = &words[block * model.block_words() + (level + 1) * sites];
                for (std::size_t first = 0; first < all; first += parts) {
                    std::size_t number = 0;
                    for (std::size_t site = 0; site < 120; ++site) {
                        const std::uint32_t held = plane[site / parts] >> (first + site % parts) & 1;
                        number += held;
                        places[level][site] += static_cast<int>(held);
                    }
                    ++numbers[level][number];
                }
            }
        }
    }
    for (int level = 0; level < demon_levels; ++level) {
        const auto l = static_cast<std::size_t>(level);
        const double p = demon_probability(beta, level);
        BOOST_TEST(std::abs(compare(numbers[l], 0, 120, p, lattices).deviation()) < 4);
        ChiSquare uniform;
        for (const int count : places[l]) uniform.add(count / std::sqrt(1 - p), lattices * p / std::sqrt(1 - p));
        ++uniform.freedom;
        BOOST_TEST(std::abs(uniform.deviation()) < 4);
    }
}

}  // namespace

// The numbers after a sweep and a draw are binomial for every previous state of the demons, and all sites are equally
// probable. Of the levels at this beta, one is rare and one is not. The numbers are those of a whole lattice, not of
// its parts.
BOOST_AUTO_TEST_CASE(demons_drawn_by_numbers) {
    draw_by_numbers(512, 1);
    draw_by_numbers(16, 2);
    draw_by_numbers(1, 2);
}

// Vector code draws the same words as draw_demons() does one by one.
BOOST_AUTO_TEST_CASE(vectors_draw_the_same) {
    const Stream stream{0x123456789abcdef, 77};
    constexpr std::int64_t sweep = 0x300000005;
    const LevelProbabilities levels = level_probabilities(0.11);
    for (const std::uint32_t count : {1u, 2u, 4u, 5u, 6u, 16u, 1000u, 40003u}) {
        constexpr std::uint32_t first = 13, before = 0xabcdef01u;
        const std::uint32_t sites = first + count + 1;
        std::vector<std::uint32_t> drawn(demon_levels * sites, before);
        demon_kernels().draw(levels, stream, sweep, first, count, sites, drawn.data());
        for (std::uint32_t level = 0; level < demon_levels; ++level)
            for (std::uint32_t i = 0; i < sites; ++i)
                BOOST_TEST(
                    drawn[level * sites + i] ==
                    (i < first || i >= first + count ? before : draw_demons(levels[level], stream, sweep, level, i)));
    }
    for (std::uint32_t level = 0; level < demon_levels; ++level) {
        for (const std::uint32_t first : {0u, 32u, 96u}) {
            std::uint32_t proposed[DemonKernels::proposals];
            demon_kernels().propose(stream, sweep, level, 31, first, 3000000000u, proposed);
            for (std::uint32_t i = 0; i < DemonKernels::proposals; ++i)
                BOOST_TEST(proposed[i] ==
                           proposed_pair(stream, sweep, level, 31, first + i / 2 * 2, 3000000000u).site[i % 2]);
        }
    }
}
