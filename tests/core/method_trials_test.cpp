// Runs the timing trials of all methods, on the CPU, and on a device if there is one. They give a cost, and jobs of
// different costs have different shapes.
#define BOOST_TEST_MODULE method_trials
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <set>

#include "../dfr/hennessey.hpp"
#include "core/device.hpp"
#include "dfr/trial.hpp"
#include "ising/trial.hpp"
#include "kpm/solver.hpp"
#include "kpm/trial.hpp"
#include "tmm/trial.hpp"
#include "vmc/trial.hpp"

using namespace legato;

namespace {

const Context context({.backend = Backend::cpu, .device = 0, .threads = 2, .log_level = LogLevel::silent});

void check(const Trial& trial) {
    BOOST_TEST_CONTEXT(trial.job << ' ' << trial.shape) {
        BOOST_TEST(trial.units >= 1);
        BOOST_TEST(trial.shape.find_first_of("\t\n") == std::string::npos);
        for (const Backend backend : {Backend::cpu, Backend::cuda}) {
            if (backend == Backend::cuda && (device_count() == 0 || !trial.only_on_cpu.empty())) continue;
            BOOST_TEST_REQUIRE(trial.can(backend));
            const Cost cost = trial.measure(backend);
            BOOST_TEST(cost.each > 0);
            BOOST_TEST(std::isfinite(cost.fixed + cost.each));
            BOOST_TEST(cost.fixed >= 0);
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(of_tmm) {
    std::set<std::string> shapes;
    for (const std::int64_t width : {1, 8, 40})
        for (const std::size_t count : {1u, 5u}) {
            tmm::Problem problem;
            problem.width = width;
            problem.epsilon = 0.5;  // reached at once, which the trial must ignore
            problem.max_multiplications = 100;
            const std::vector<tmm::Point> points(count, {0.1, 2});
            check(tmm::trial_of(context, problem, points));
            shapes.insert(tmm::trial_of(context, problem, points).shape);
        }
    BOOST_TEST(shapes.size() == 6);
    tmm::Problem steps;
    steps.width = 20;
    check(tmm::trial_of_steps(context, steps, 10000));
}

BOOST_AUTO_TEST_CASE(of_dfr) {
    std::set<std::string> shapes;
    for (const int functions : {6, 12}) {
        dfr::Atom atom{{.charge = 10, .model = dfr::NuclearModel::point, .radius = 0, .exponent = 0}, {}, {}};
        std::vector<double> exponents;
        for (int i = 0; i < functions; ++i) exponents.push_back(0.1 * std::pow(3, i));
        atom.exponents.assign(3, exponents);
        atom.configuration = {{2, 1, 1}, {0, 0, 0}, std::vector<double>(9, 1.0)};
        for (const std::size_t count : {1u, 3u}) {
            const dfr::Problem problem;
            const std::vector<dfr::Atom> atoms(count, atom);
            check(dfr::trial_of(context, problem, atoms));
            shapes.insert(dfr::trial_of(context, problem, atoms).shape);
        }
    }
    BOOST_TEST(shapes.size() == 4);
}

BOOST_AUTO_TEST_CASE(of_kpm) {
    std::set<std::string> shapes;
    for (const std::int64_t extent : {4, 20})
        for (const auto boundary : {kpm::Boundary::periodic, kpm::Boundary::hard_wall}) {
            kpm::Lattice lattice{
                .extents = {extent, extent, 3}, .boundary = {boundary, boundary, boundary}, .energies = {}};
            const auto prepared = kpm::prepared(lattice);
            kpm::Problem problem;
            problem.moments = 1;
            problem.start_vectors =
                boundary == kpm::Boundary::periodic ? kpm::StartVectors::sign : kpm::StartVectors::caller;
            check(kpm::trial_of(context, problem, *prepared));
            shapes.insert(kpm::trial_of(context, problem, *prepared).shape);
        }
    BOOST_TEST(shapes.size() == 4);
    const auto matrix = kpm::prepared(kpm::CrsMatrix{{0, 2, 4}, {0, 1, 0, 1}, {1, 2, 2, 1}});
    check(kpm::trial_of(context, kpm::Problem{}, *matrix));
    // This lattice is so large that a trial has fewer steps than a call may have.
    kpm::Lattice large{.extents = {64, 64, 64}, .energies = {}};
    for (const auto format : {kpm::Format::stencil, kpm::Format::crs}) {
        kpm::Problem problem;
        problem.vectors = 16;
        problem.format = format;
        check(kpm::trial_of(context, problem, *kpm::prepared(large)));
    }
}

BOOST_AUTO_TEST_CASE(of_vmc) {
    std::set<std::string> shapes;
    for (const int length : {3, 5})
        for (const int chains : {1, 5}) {
            vmc::Problem problem;
            problem.lattice.length = length;
            problem.electrons = vmc::electrons_at(problem.lattice, 0.2);
            problem.chains = chains;
            vmc::validate(problem);
            const vmc::Model model(problem);
            check(vmc::trial_of(context, model));
            shapes.insert(vmc::trial_of(context, model).shape);
        }
    BOOST_TEST(shapes.size() == 4);
}

BOOST_AUTO_TEST_CASE(of_ising) {
    std::set<std::string> shapes;
    for (const auto algorithm :
         {ising::Algorithm::metropolis, ising::Algorithm::demon_naive, ising::Algorithm::demon_binomial,
          ising::Algorithm::demon_microcanonical, ising::Algorithm::swendsen_wang, ising::Algorithm::wolff})
        for (const std::int64_t every : {1, 3, 1000000}) {
            ising::Problem problem;
            problem.lattice.extents = {4, 6, 1};
            problem.algorithm = algorithm;
            problem.sweeps_per_measurement = every;
            problem.correlations = algorithm != ising::Algorithm::swendsen_wang;  // a device has no others of it
            ising::validate(problem);
            BOOST_TEST(ising::why_only_on_cpu(problem).empty() == (algorithm != ising::Algorithm::wolff));
            const ising::Model model(problem);
            const Trial trial = ising::trial_of(context, model, ising::sharings_of(context, model), {});
            check(trial);
            shapes.insert(trial.shape);
        }
    // Slabs of 2^26 words, and 7 of 2^20 words.
    const Context divided(ContextOptions{.parts = 2});
    ising::Problem problem;
    problem.lattice.extents = {1 << 16, 1 << 16, 1};
    const ising::Model model(problem);
    const Trial trial = ising::trial_of(divided, model, ising::sharings_of(divided, model), {});
    check(trial);
    shapes.insert(trial.shape);
    BOOST_TEST(shapes.size() == 19);
    for (const auto& [replicas, rows] : {std::pair{1, 1 << 16}, {7, 1 << 16}, {1, 1 << 10}, {1, 1 << 3}}) {
        problem.replicas = replicas;
        problem.lattice.extents[1] = rows;
        const ising::Model whole(problem);
        const ising::Work work = ising::work_of_part(whole, {1, 8, 8});
        BOOST_TEST(work.model.words() <= ising::enough_words);
        const auto words = static_cast<double>(whole.words());
        BOOST_TEST(static_cast<double>(work.model.words()) * work.times == std::max(words / 8, 2 * words / rows),
                   boost::test_tools::tolerance(0.01));
    }
}
