// Compares averages with demons with exact ones.
#define BOOST_TEST_MODULE ising_demon_sampling
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <numeric>

#include "demon_runs.hpp"
#include "exact.hpp"

using namespace legato;
using namespace legato::ising;
using namespace legato::ising::tests;

namespace {

struct Mean {
    double sum = 0, squares = 0;
    int count = 0;

    void add(double x) {
        sum += x;
        squares += x * x;
        ++count;
    }
    double value() const { return sum / count; }
    double error() const { return std::sqrt((squares / count - value() * value()) / (count - 1)); }
};

// Averages over systems. The averages of different systems are independent, so their scatter gives the error.
struct Sampled {
    Mean energy, energy_2, absolute_magnetisation, magnetisation, magnetisation_2, magnetisation_4, occupation[3];
};

Sampled sample(const Model& model, std::int64_t thermalisation, std::int64_t measurements) {
    const auto engine = make_cpu_demons(context_on(Backend::cpu), model);
    engine->load(first_words(model, 2));
    engine->advance({0, thermalisation, 0, true}, {});
    const std::size_t of_all = model.systems() * model.values.count;
    std::vector<std::int64_t> measured(static_cast<std::size_t>(measurements) * of_all);
    const bool draw = model.problem.algorithm != Algorithm::demon_microcanonical;
    engine->advance({thermalisation, measurements, 1, draw}, measured);
    const auto sites = static_cast<double>(model.sites()), times = static_cast<double>(measurements);
    Sampled result;
    for (std::size_t system = 0; system < model.systems(); ++system) {
        double sums[9] = {};
        for (std::size_t i = system * model.values.count; i < measured.size(); i += of_all) {
            const double e = -static_cast<double>(measured[i + MeasuredValues::bonds]) / sites,
                         m = static_cast<double>(measured[i + MeasuredValues::magnetisation]) / sites;
            const double values[] = {e, e * e, std::abs(m), m, m * m, m * m * m * m};
            for (std::size_t k = 0; k < 6; ++k) sums[k] += values[k] / times;
            for (std::size_t level = 0; level < 3; ++level)
                sums[6 + level] += static_cast<double>(measured[i + model.values.demons + level]) / sites / times;
        }
        Mean* const means[] = {&result.energy,        &result.energy_2,        &result.absolute_magnetisation,
                               &result.magnetisation, &result.magnetisation_2, &result.magnetisation_4,
                               &result.occupation[0], &result.occupation[1],   &result.occupation[2]};
        for (std::size_t k = 0; k < 9; ++k) means[k]->add(sums[k]);
    }
    return result;
}

void require(const char* what, const Mean& mean, double expected, double relative_error = 1e-3) {
    BOOST_TEST_CONTEXT(what << " " << mean.value() << " +- " << mean.error() << ", exact " << expected) {
        BOOST_TEST(std::abs(mean.value() - expected) < 4 * mean.error());
        if (relative_error > 0) BOOST_TEST(mean.error() < relative_error * std::abs(expected));
    }
}

double occupation(double beta, int level) {
    return 1 / (1 + std::exp(beta * (4 << level)));
}

void compare(const Sampled& sampled, const exact::Averages& exact, double beta) {
    require("energy", sampled.energy, exact.energy);
    require("energy^2", sampled.energy_2, exact.energy_2);
    require("|m|", sampled.absolute_magnetisation, exact.absolute_magnetisation);
    require("m", sampled.magnetisation, 0, 0);
    require("m^2", sampled.magnetisation_2, exact.magnetisation_2);
    require("m^4", sampled.magnetisation_4, exact.magnetisation_4, 2e-3);
    for (int level = 0; level < 3; ++level)
        require("occupation", sampled.occupation[level], occupation(beta, level), level == 0 ? 1e-3 : 0);
}

struct Case {
    exact::Torus torus;
    Lattice lattice;
};

// The layers of the exact sums are perpendicular to x for 4x4 and 4x4x2, and to z for 2x2x4.
std::vector<Case> cases() {
    const auto p = Boundary::periodic, a = Boundary::antiperiodic;
    return {{{4, 1, 1, 1, 1}, square(4, 4)},
            {{4, 1, -1, 1, -1}, square(4, 4, a, a)},
            {{4, 1, 1, 1, -1}, square(4, 4, a, p)},
            {{2, 2, 1, 1, 1}, cubic(2, 2, 4)},
            {{2, 2, 1, -1, 1}, cubic(2, 2, 4, p, a, p)},
            {{4, 2, 1, 1, 1}, cubic(4, 4, 2)},
            {{4, 2, -1, 1, -1}, cubic(4, 4, 2, a, a, p)}};
}

// Returns a problem with `lattices` lattices, which are divided into replicas and seeds.
Problem sampled_problem(const Lattice& lattice, Algorithm algorithm, double beta, int lattices, int replicas) {
    Problem problem = demon_problem(lattice, algorithm, beta);
    problem.replicas = replicas;
    problem.seeds.resize(static_cast<std::size_t>(lattices / replicas));
    std::iota(problem.seeds.begin(), problem.seeds.end(), 1);
    return problem;
}

void sample_all(Algorithm algorithm, int replicas) {
    for (const Case& c : cases()) {
        const double beta = c.lattice.dimension == 2 ? 0.3 : 0.2;
        Problem problem = sampled_problem(c.lattice, algorithm, beta, 1000, replicas);
        problem.start = Start::random;
        const Model model(problem);
        BOOST_TEST((model.parts.count() > 1) == (replicas == 1));
        compare(sample(model, 100, 4000), exact::averages(c.torus, beta), beta);
    }
}

}  // namespace

// Compares with the table of the specification: energy, specific heat, <|m|>, <m^2>, <m^4>.
BOOST_AUTO_TEST_CASE(exact_averages) {
    const double table[][6] = {{0.3, -0.844054074, 0.440992654, 0.520358003, 0.357646797, 0.225624556},
                               {0.4406868, -1.565623814, 0.783266813, 0.843860456, 0.761358924, 0.665691232},
                               {0.6, -1.908069528, 0.315553797, 0.972867450, 0.952898058, 0.924122262}};
    for (const auto& [beta, energy, heat, m, m2, m4] : table) {
        const exact::Averages a = exact::averages({4, 1}, beta);
        BOOST_TEST(std::abs(a.energy - energy) < 2e-9);
        BOOST_TEST(std::abs(16 * beta * beta * (a.energy_2 - a.energy * a.energy) - heat) < 2e-9);
        BOOST_TEST(std::abs(a.absolute_magnetisation - m) < 2e-9);
        BOOST_TEST(std::abs(a.magnetisation_2 - m2) < 2e-9);
        BOOST_TEST(std::abs(a.magnetisation_4 - m4) < 2e-9);
    }
}

BOOST_AUTO_TEST_CASE(naive) {
    sample_all(Algorithm::demon_naive, 1000);
}
BOOST_AUTO_TEST_CASE(binomial) {
    sample_all(Algorithm::demon_binomial, 1000);
}

// Each lattice has its own seed, so it is divided into parts of two sites along its axes.
BOOST_AUTO_TEST_CASE(naive_parts) {
    sample_all(Algorithm::demon_naive, 1);
}
BOOST_AUTO_TEST_CASE(binomial_parts) {
    sample_all(Algorithm::demon_binomial, 1);
}

// Two spins along both directions. Without resting sites, some states would never be left.
BOOST_AUTO_TEST_CASE(two_by_two) {
    constexpr double beta = 0.15;
    double z = 0, energy = 0, m_2 = 0;
    for (unsigned state = 0; state < 16; ++state) {
        const auto s = [&](unsigned x, unsigned y) { return (state >> (x + 2 * y) & 1) != 0 ? 1 : -1; };
        const int e = -2 * (s(0, 0) * s(1, 0) + s(0, 1) * s(1, 1) + s(0, 0) * s(0, 1) + s(1, 0) * s(1, 1));
        const int m = s(0, 0) + s(1, 0) + s(0, 1) + s(1, 1);
        z += std::exp(-beta * e);
        energy += std::exp(-beta * e) * e / 4;
        m_2 += std::exp(-beta * e) * m * m / 16;
    }
    for (const Start start : {Start::up, Start::random}) {
        Problem problem = demon_problem(square(2, 2), Algorithm::demon_binomial, beta);
        problem.replicas = 2000;
        problem.start = start;
        const Sampled sampled = sample(Model(problem), 100, 4000);
        require("energy", sampled.energy, energy / z);
        require("m^2", sampled.magnetisation_2, m_2 / z);
    }
}

// The occupation of the demons gives beta while no demons are drawn. The energies come from the canonical
// thermalisation, and microcanonical sweeps conserve them.
BOOST_AUTO_TEST_CASE(microcanonical_demons_tell_beta) {
    for (const double beta : {0.25, 0.42}) {
        for (const int replicas : {320, 1}) {
            const Problem problem =
                sampled_problem(square(32, 32), Algorithm::demon_microcanonical, beta, 320, replicas);
            const Sampled sampled = sample(Model(problem), 400, 400);
            for (int level = 0; level < 3; ++level) {
                const double p = sampled.occupation[level].value(), error = sampled.occupation[level].error();
                const double found = std::log(1 / p - 1) / (4 << level),
                             found_error = error / (p * (1 - p)) / (4 << level);
                BOOST_TEST(std::abs(found - beta) < 4 * found_error);
                BOOST_TEST(found_error < (level == 0 ? 2e-3 : 5e-3) * beta);
            }
        }
    }
}
