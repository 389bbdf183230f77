// Compares ratios, updates and local values with new determinants and with enumeration, and tests which configurations
// a chain visits.
#define BOOST_TEST_MODULE vmc_chain
#include "vmc/chain.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <random>

#include "core/larger.hpp"
#include "runs.hpp"
#include "vmc/neighbour_moves.hpp"
#include "vmc/streams.hpp"

using namespace legato;
using namespace legato::vmc;
using namespace legato::vmc::tests;

namespace {

constexpr auto anti = Boundary::antiperiodic, periodic = Boundary::periodic;

std::vector<Problem> some_problems() {
    Problem doped = tilted_problem(5, 22);
    doped.pair.mu = -0.4;
    doped.pair.variational_t_prime = -0.2;
    Problem many = rectangular_problem(4, 4, periodic, periodic, 14);  // five infinite amplitudes
    many.pair.mu = 0.4;
    Problem wide = rectangular_problem(6, 4, anti, periodic, 20);
    wide.pair.mu = -0.3;
    Problem given = rectangular_problem(5, 4, periodic, anti, 14);  // this function is not even
    for (int r = 0; r < 20; ++r) given.table.values.push_back(std::sin(1.0 + r * r));
    given.table.divergent_zero = true;
    return {tilted_problem(3, 8), tilted_problem(5, 24), tilted_problem(5, 26), doped, wide, many, given};
}

// Returns the amplitude, a determinant by elimination, for the library's pair function.
double amplitude_of(const Model& model, const vmc::Configuration& c) {
    exact::Table matrix;
    for (const auto up : c.up) {
        matrix.emplace_back();
        for (const auto down : c.down)
            matrix.back().push_back(model.pair(static_cast<std::size_t>(up), static_cast<std::size_t>(down)));
    }
    return exact::determinant(matrix);
}

// Returns the relative deviation of the inverse, or of the products if theirs is larger.
double distance_to_fresh(const Model& model, const Determinant& determinant) {
    Determinant fresh(model.pair, determinant.configuration());
    BOOST_TEST_REQUIRE(fresh.invert());
    const auto distance = [&](std::size_t count, auto row_of) {
        double largest = 0, difference = 0;
        for (std::size_t j = 0; j < count; ++j)
            for (std::size_t k = 0; k < fresh.order(); ++k) {
                largest = larger(largest, std::abs(row_of(fresh, j)[k]));
                difference = larger(difference, std::abs(row_of(fresh, j)[k] - row_of(determinant, j)[k]));
            }
        return difference / largest;
    };
    return larger(distance(fresh.order(), [](const Determinant& d, std::size_t j) { return d.inverse_row(j); }),
                  distance(model.pairs(), [](const Determinant& d, std::size_t l) { return d.product_row(l); }));
}

// Calls check() for every possible move of every electron.
template <class Check>
void for_all_moves(const Model& model, const vmc::Configuration& c, const Check& check) {
    for (std::size_t i = 0; i < model.pairs(); ++i)
        for (std::size_t site = 0; site < model.geometry.sites(); ++site) {
            const auto x = static_cast<std::int32_t>(site);
            vmc::Configuration to = c;
            if (c.is_empty(site)) {
                to.up[i] = x;
                check('u', i, site, to);
                to = c;
                to.down[i] = x;
                check('d', i, site, to);
            } else if (c.electron_at[site] < 0) {
                const std::size_t l = static_cast<std::size_t>(-c.electron_at[site]) - 1;
                std::swap(to.up[i], to.down[l]);
                check('x', i, l, to);
            }
        }
}

double chi_square_quotient(const Problem& problem, int samples, std::int64_t attempts_between) {
    const exact::Ensemble ensemble(cluster_of(problem), problem.electrons);
    std::vector<double> weights = ensemble.amplitudes(state_of(problem)), visits(weights.size());
    double norm = 0;
    for (double& weight : weights) norm += weight *= weight;
    const Model model(problem);
    Chain chain(model, 0, start_of(model, 0));
    MoveCounts counts;
    std::int64_t attempts = 0;
    for (int sample = -100; sample < samples; ++sample) {
        chain.attempt(attempts, attempts_between, counts);
        attempts += attempts_between;
        if (sample % 20 == 0) chain.refresh();
        if (sample >= 0) ++visits[ensemble.number(masks_of(model, chain.determinant().configuration()))];
    }
    // Rare configurations are combined.
    double sum = 0, expected_rare = 0, found_rare = 0;
    int kinds = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double expected = weights[i] / norm * samples;
        if (weights[i] == 0) BOOST_TEST(visits[i] == 0);
        if (expected < 10) {
            expected_rare += expected;
            found_rare += visits[i];
            continue;
        }
        sum += (visits[i] - expected) * (visits[i] - expected) / expected;
        ++kinds;
    }
    if (expected_rare >= 10) {
        sum += (found_rare - expected_rare) * (found_rare - expected_rare) / expected_rare;
        ++kinds;
    }
    const double freedom = kinds - 1;
    BOOST_TEST_MESSAGE(samples << " samples of " << kinds << " kinds: chi^2 / freedom " << sum / freedom);
    return (sum - freedom) / std::sqrt(2 * freedom);
}

}  // namespace

BOOST_AUTO_TEST_CASE(starts_are_well_conditioned) {
    for (const Problem& problem : some_problems()) {
        const Model model(problem);
        for (std::uint32_t chain = 0; chain < 20; ++chain) {
            Determinant determinant(model.pair, start_of(model, chain));
            BOOST_TEST(determinant.invert());
            BOOST_TEST(determinant.reciprocal_condition() > 1e-12);
            BOOST_TEST(determinant.residual() < 1e-8);
            std::vector<int> seen(model.geometry.sites());
            for (std::size_t i = 0; i < model.pairs(); ++i) {
                ++seen[static_cast<std::size_t>(determinant.configuration().up[i])];
                ++seen[static_cast<std::size_t>(determinant.configuration().down[i])];
            }
            BOOST_TEST(*std::max_element(seen.begin(), seen.end()) == 1);
        }
        const auto first = start_of(model, 0), second = start_of(model, 1);
        BOOST_TEST((first.up != second.up || first.down != second.down));
    }
}

// The amplitude vanishes for 7 % of the configurations of ten sites and eight electrons. No chain starts from one of
// them.
BOOST_AUTO_TEST_CASE(singular_starts_are_redrawn) {
    const Model model(tilted_problem(3, 8));
    int singular = 0;
    for (std::uint32_t chain = 0; chain < 1000; ++chain) {
        Determinant first(model.pair, random_configuration(model, chain, 0));
        const bool bad = !first.invert() || first.reciprocal_condition() < 1e-12;
        singular += bad;
        const bool taken = start_of(model, chain).up == first.configuration().up &&
                           start_of(model, chain).down == first.configuration().down;
        BOOST_TEST(taken == !bad);
    }
    BOOST_TEST(singular > 73 - 4 * 8);
    BOOST_TEST(singular < 73 + 4 * 8);
    Problem impossible = tilted_problem(3, 8);
    impossible.table.values.assign(10, 0.0);
    impossible.start_attempts = 7;
    const Model without(impossible);
    const auto [status, message] = failure_of([&] { start_of(without, 3); });
    BOOST_TEST((status == Status::numerical_error));
    BOOST_TEST(
        message.starts_with("vmc.params.start_attempts: none of 7 configurations of chain 3 is well conditioned"));
    // If every condition number is accepted, configurations with a vanishing determinant are refused because of their
    // inverse.
    Problem lenient = tilted_problem(3, 8);
    lenient.start_attempts = 1;
    lenient.least_reciprocal_condition = 0;
    const Model no_bound(lenient);
    int by_inverse = 0;
    for (std::uint32_t chain = 0; chain < 1000; ++chain) {
        const std::string words = failure_of([&] { start_of(no_bound, chain); }).second;
        by_inverse += words.find("but its M M^-1 differs from 1 by ") != std::string::npos;
    }
    BOOST_TEST(by_inverse > 0);
}

BOOST_AUTO_TEST_CASE(ratios_against_determinants) {
    for (const Problem& problem : some_problems()) {
        const Model model(problem);
        double worst = 0;
        for (std::uint32_t number = 0; number < 10; ++number) {
            Determinant determinant(model.pair, start_of(model, number));
            BOOST_TEST_REQUIRE(determinant.invert());
            const double psi = amplitude_of(model, determinant.configuration());
            for_all_moves(model, determinant.configuration(),
                          [&](char kind, std::size_t electron, std::size_t to, const vmc::Configuration& after) {
                              const double expected = amplitude_of(model, after) / psi;
                              const double found = kind == 'u'   ? determinant.up_ratio(electron, to)
                                                   : kind == 'd' ? determinant.down_ratio(electron, to)
                                                                 : determinant.exchange_ratio(electron, to);
                              worst = larger(worst, std::abs(found - expected) / (1 + std::abs(expected)));
                          });
        }
        BOOST_TEST(worst < 1e-9);
    }
}

// Checks inverses after 10^4 accepted moves; they are recomputed every 20 sweeps.
BOOST_AUTO_TEST_CASE(inverses_after_many_moves) {
    std::vector<Problem> problems = some_problems();
    problems.push_back(tilted_problem(9, 74));
    for (const Problem& problem : problems) {
        const Model model(problem);
        Chain chain(model, 1, start_of(model, 1));
        MoveCounts counts;
        std::int64_t sweep = 0, accepted = 0;
        for (; accepted < 10000; ++sweep) {
            if (sweep % 20 == 0) chain.refresh();
            chain.attempt(sweep * model.attempts_per_sweep(), model.attempts_per_sweep(), counts);
            accepted = 0;
            for (std::size_t i = 0; i < 2; ++i) accepted += counts.hops_accepted[i] + counts.exchanges_accepted[i];
        }
        const double distance = distance_to_fresh(model, chain.determinant());
        BOOST_TEST_MESSAGE(problem.electrons << " electrons: " << accepted << " accepted, distance " << distance
                                             << ", largest drift " << chain.take_largest_drift());
        BOOST_TEST(distance < 1e-10);
        const vmc::Configuration& c = chain.determinant().configuration();
        const vmc::Configuration same =
            make_configuration(model, std::span(c.up).first(model.pairs()), std::span(c.down).first(model.pairs()));
        BOOST_TEST((c.electron_at == same.electron_at));
    }
}

// An exchange is one step of rank two, also if the hop of the up electron alone gives a determinant of zero. Two
// successive hops would lose the inverse, and sometimes the ratio, too.
BOOST_AUTO_TEST_CASE(exchanges_through_nothing) {
    const Problem problem = tilted_problem(3, 8);
    const Model model(problem);
    const exact::Ensemble ensemble(cluster_of(problem), 8);
    const std::vector<double> psi = ensemble.amplitudes(state_of(problem));
    int vanishing = 0, bonds = 0, wrong_ratios = 0, lost = 0;
    for (std::size_t i = 0; i < psi.size(); ++i) {
        if (psi[i] == 0) continue;
        const vmc::Configuration start = configuration_of(model, ensemble.configurations_in_order()[i]);
        const double before = amplitude_of(model, start);
        Determinant determinant(model.pair, start);
        BOOST_TEST_REQUIRE(determinant.invert());
        for_all_moves(model, start, [&](char kind, std::size_t k, std::size_t l, const vmc::Configuration& after) {
            if (kind != 'x') return;
            ++bonds;
            const double expected = amplitude_of(model, after) / before;
            const double first_hop = determinant.up_ratio(k, static_cast<std::size_t>(start.down[l]));
            if (std::abs(expected) < 1e-6 || std::abs(first_hop) > 1e-12 * std::abs(expected)) return;
            ++vanishing;
            Determinant in_one_step(model.pair, start), in_two(model.pair, start);
            in_one_step.invert();
            in_two.invert();
            const double ratio = in_one_step.exchange_ratio(k, l);
            BOOST_TEST(std::abs(ratio - expected) < 1e-10 * (1 + std::abs(expected)));
            in_one_step.exchange(k, l);
            BOOST_TEST(distance_to_fresh(model, in_one_step) < 1e-10);
            in_two.move_up(k, static_cast<std::size_t>(start.down[l]), first_hop);
            const double second_hop = in_two.down_ratio(l, static_cast<std::size_t>(start.up[k]));
            const bool ratio_is_right = std::abs(first_hop * second_hop - expected) < 1e-6 * std::abs(expected);
            in_two.move_down(l, static_cast<std::size_t>(start.up[k]), second_hop);
            wrong_ratios += !ratio_is_right;
            if (!(ratio_is_right && distance_to_fresh(model, in_two) < 1e-6)) ++lost;
        });
    }
    BOOST_TEST_MESSAGE(vanishing << " of " << bonds << " exchanges pass through nothing; two hops lose " << lost
                                 << ", the ratio of " << wrong_ratios);
    BOOST_TEST(vanishing > 100);
    BOOST_TEST(lost > vanishing / 2);
}

// Compares local values of every configuration with H applied to bit patterns, whose electrons are sorted.
BOOST_AUTO_TEST_CASE(local_values_of_all_configurations) {
    Problem with_shells = tilted_problem(3, 8);
    with_shells.couplings = {1.1, -0.3, 0.2, 0.4};
    with_shells.pair.mu = -0.3;
    Problem other = rectangular_problem(3, 4, anti, anti, 10);
    other.couplings = {0.9, -0.2, 0.15, 0.5};
    for (const Problem& problem : {tilted_problem(3, 10), with_shells, other}) {
        const Model model(problem);
        const exact::Ensemble ensemble(cluster_of(problem), problem.electrons);
        const std::vector<double> psi = ensemble.amplitudes(state_of(problem));
        const exact::Averages expected = ensemble.averages(psi, couplings_of(problem));
        LocalValues sums{};
        double norm = 0;
        for (std::size_t i = 0; i < psi.size(); ++i) {
            if (psi[i] == 0) continue;
            Chain chain(model, 0, configuration_of(model, ensemble.configurations_in_order()[i]));
            const LocalValues values = chain.measure();
            for (std::size_t o = 0; o < observables; ++o) sums[o] += psi[i] * psi[i] * values[o];
            norm += psi[i] * psi[i];
        }
        const auto average = [&](Observable observable) { return value_of(sums, observable) / norm; };
        BOOST_TEST(std::abs(average(Observable::energy) - expected.energy) < 1e-11);
        BOOST_TEST(std::abs(average(Observable::kinetic_up) - expected.kinetic / 2) < 1e-11);
        BOOST_TEST(std::abs(average(Observable::kinetic_down) - expected.kinetic / 2) < 1e-11);
        BOOST_TEST(std::abs(average(Observable::exchange) - expected.exchange) < 1e-11);
        BOOST_TEST(std::abs(average(Observable::spin_spin) - expected.spin_spin) < 1e-11);
        BOOST_TEST(std::abs(average(Observable::density_density) - expected.density_density) < 1e-11);
    }
}

// Every configuration is visited in proportion to its weight.
BOOST_AUTO_TEST_CASE(visits) {
    for (const double share : {0.0, 0.5, 1.0}) {
        Problem problem = tilted_problem(3, 10);
        problem.neighbour_share = share;
        BOOST_TEST(std::abs(chi_square_quotient(problem, 100000, 60)) < 4);
        problem = tilted_problem(3, 8);
        problem.neighbour_share = share;
        BOOST_TEST(std::abs(chi_square_quotient(problem, 60000, 60)) < 4);
    }
}

// All moves and targets are equally probable.
BOOST_AUTO_TEST_CASE(attempts_are_uniform) {
    constexpr int electrons = 8, sites = 10, draws = 400000;
    std::vector<int> of_electron(electrons), of_site(sites), of_neighbour(4);
    int to_neighbour = 0;
    double thresholds = 0;
    for (int i = 0; i < draws; ++i) {
        const Attempt a = draw_attempt(7, 0, 3, i, electrons, sites, 0.25);
        ++of_electron[a.electron];
        ++(a.to_neighbour ? of_neighbour : of_site)[a.target];
        to_neighbour += a.to_neighbour;
        thresholds += a.threshold;
    }
    const auto near = [](int found, double expected) { return std::abs(found - expected) < 5 * std::sqrt(expected); };
    for (const int count : of_electron) BOOST_TEST(near(count, draws / 8.0));
    for (const int count : of_site) BOOST_TEST(near(count, draws * 0.75 / sites));
    for (const int count : of_neighbour) BOOST_TEST(near(count, draws * 0.25 / 4));
    BOOST_TEST(near(to_neighbour, draws * 0.25));
    BOOST_TEST(std::abs(thresholds / draws - 0.5) < 5 * std::sqrt(1.0 / 12 / draws));
}

// Compares d ln Psi / d parameter of many configurations with amplitudes at slightly different parameters.
BOOST_AUTO_TEST_CASE(logarithmic_derivatives) {
    Problem doped = tilted_problem(5, 22);
    doped.couplings = {1, -0.25, 0.15, 0.4};
    doped.pair = {Gap::b, 1, -0.2, 0.1, 1.1, -0.4};
    Problem many = rectangular_problem(4, 4, periodic, periodic, 14);
    many.pair.mu = 0.4;
    Problem wide = rectangular_problem(6, 4, anti, periodic, 20);
    wide.pair.mu = -0.3;
    for (Problem problem : {doped, many, wide}) {
        problem.gradients = true;
        const Model model(problem);
        double PairParameters::*const members[] = {&PairParameters::delta, &PairParameters::mu,
                                                   &PairParameters::variational_t_prime,
                                                   &PairParameters::variational_t_double_prime};
        for (std::uint32_t number = 0; number < 5; ++number) {
            const Chain chain(model, number, start_of(model, number));
            const LocalValues values = chain.measure();
            for (std::size_t a = 0; a < variational_parameters; ++a) {
                constexpr double step = 1e-5;
                double logarithms[2], energies[2];
                for (const int side : {0, 1}) {
                    Problem beside = problem;
                    beside.pair.*members[a] += side == 0 ? -step : step;
                    const Model model_beside(beside);
                    logarithms[side] =
                        std::log(std::abs(amplitude_of(model_beside, chain.determinant().configuration())));
                    energies[side] = Chain(model_beside, 0, chain.determinant().configuration()).measure()[0];
                }
                const double expected = (logarithms[1] - logarithms[0]) / (2 * step);
                const double found = values[index_of_derivative(a)];
                BOOST_TEST(std::abs(found - expected) < 1e-5 * (1 + std::abs(expected)));
                const double slope = (energies[1] - energies[0]) / (2 * step);
                BOOST_TEST(std::abs(values[index_of_energy_slope(a)] - slope) < 1e-5 * (1 + std::abs(slope)));
                BOOST_TEST(values[index_of_energy_derivative(a)] == found * values[0]);
                BOOST_TEST(values[index_of_derivatives(0, a)] == values[index_of_derivatives(a, 0)]);
            }
        }
    }
}

// Compares the expected moves to neighbours with those that a chain makes.
BOOST_AUTO_TEST_CASE(moves_to_neighbours) {
    for (Problem problem : {tilted_problem(3, 8), rectangular_problem(4, 4, anti, periodic, 10)}) {
        problem.pair.mu = -0.4;
        problem.neighbour_share = 1;
        const Model model(problem);
        Chain chain(model, 0, start_of(model, 0));
        MoveCounts counts;
        NeighbourMoves expected;
        constexpr std::int64_t configurations = 20000, attempts = 8;
        for (std::int64_t i = 0; i < configurations; ++i) {
            Determinant determinant(model.pair, chain.determinant().configuration());
            BOOST_TEST_REQUIRE(determinant.invert());
            add_neighbour_moves(model.geometry, determinant, expected);
            chain.attempt(i * attempts, attempts, counts);
        }
        BOOST_TEST(counts.attempts[0] == 0);
        const auto ratio = [](std::int64_t taken, std::int64_t tried) {
            return static_cast<double>(taken) / static_cast<double>(tried);
        };
        const double hops = ratio(counts.hops_accepted[1], counts.hops[1]),
                     exchanges = ratio(counts.exchanges_accepted[1], counts.exchanges[1]);
        BOOST_TEST_MESSAGE("hops " << hops << ", expected " << expected.hops_accepted / expected.hops << "; exchanges "
                                   << exchanges << ", expected " << expected.exchanges_accepted / expected.exchanges);
        BOOST_TEST(std::abs(expected.hops_accepted / expected.hops / hops - 1) < 0.05);
        BOOST_TEST(std::abs(expected.exchanges_accepted / expected.exchanges / exchanges - 1) < 0.05);
        // An exchange is drawn from either of its electrons, a hop from one.
        BOOST_TEST(std::abs(2 * expected.exchanges / expected.hops * ratio(counts.hops[1], counts.exchanges[1]) - 1) <
                   0.05);
    }
}
