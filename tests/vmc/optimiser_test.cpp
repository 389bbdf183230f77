// Compares stochastic reconfiguration with enumerated energies, and tests stopping, resuming and refusals.
#define BOOST_TEST_MODULE vmc_optimiser
#include "vmc/optimiser.hpp"

#include <boost/test/unit_test.hpp>
#include <functional>

#include "../chi_square.hpp"
#include "core/state_file.hpp"
#include "runs.hpp"
#include "vmc/problem_state.hpp"
#include "vmc/solver.hpp"
#include "vmc/streams.hpp"

using namespace legato;
using namespace legato::vmc;
using namespace legato::vmc::tests;

namespace {

Context make_context(int threads = 2) {
    ContextOptions options;
    options.backend = Backend::cpu;
    options.threads = threads;
    options.log_level = LogLevel::silent;
    return Context(options);
}

Optimisation of(Problem problem, double delta, double mu, std::int64_t sweeps_per_bin) {
    problem.pair.delta = delta;
    problem.pair.mu = mu;
    problem.bins = 32;
    problem.thermalisation = 50;
    problem.sweeps_per_bin = sweeps_per_bin;
    Optimisation optimisation;
    optimisation.problem = problem;
    return optimisation;
}

double exact_energy(const exact::Ensemble& ensemble, Problem problem, double delta, double mu) {
    problem.pair.delta = delta;
    problem.pair.mu = mu;
    return ensemble.averages(ensemble.amplitudes(state_of(problem)), couplings_of(problem)).energy;
}

// Returns the gap of the lowest energy of ten sites with eight electrons, at mu = -0.2.
double least_gap(double precision) {
    const Problem problem = tilted_problem(3, 8);
    const exact::Ensemble ensemble(cluster_of(problem), problem.electrons);
    const auto energy = [&](double delta) { return exact_energy(ensemble, problem, delta, -0.2); };
    double low = 0.2, high = 0.6;
    while (high - low > precision) {
        const double left = low + (high - low) / 3, right = high - (high - low) / 3;
        (energy(left) < energy(right) ? high : low) = energy(left) < energy(right) ? right : left;
    }
    return (low + high) / 2;
}

// Returns the centre, the half width and the error of the curvature of the last survey of one parameter.
std::array<double, 3> last_survey(const Optimiser& optimiser) {
    std::array<double, 3> found{};
    for (std::size_t i = 1; i < optimiser.steps().size(); ++i) {
        const OptimisationStep &plus = optimiser.steps()[i - 1], &minus = optimiser.steps()[i];
        if (minus.stage != Stage::survey || plus.stage != Stage::survey) continue;
        const double width = (plus.parameters[0] - minus.parameters[0]) / 2;
        if (width < 0) continue;  // these steps belong to two successive surveys
        found = {(plus.parameters[0] + minus.parameters[0]) / 2, width,
                 std::hypot(plus.gradient[0].error, minus.gradient[0].error) / (2 * width)};
    }
    return found;
}

std::string warnings_of(const Optimisation& optimisation, int most_steps) {
    Context context = make_context(1);
    std::string lines;
    context.set_logger(LogLevel::warning, [&](LogLevel, std::string_view line) { lines += line; });
    Optimiser optimiser(context, optimisation);
    for (int step = 0; step < most_steps && !optimiser.finished(); ++step) optimiser.advance();
    return lines;
}

}  // namespace

// Optimises the gap of ten sites. The parameter agrees with the minimum of the enumerated energy within its error, and
// the curvature with that of the enumerated energy.
BOOST_AUTO_TEST_CASE(one_parameter_from_three_starts) {
    Context context = make_context();
    const Problem problem = tilted_problem(3, 8);
    const exact::Ensemble ensemble(cluster_of(problem), problem.electrons);
    const auto energy = [&](double delta) { return exact_energy(ensemble, problem, delta, -0.2); };
    const double least = least_gap(1e-3);
    for (const double start : {1.5, 1.0, 0.1}) {
        Optimisation optimisation = of(problem, start, -0.2, 80);
        optimisation.free = {true, false, false, false};
        optimisation.time = 0.5;
        optimisation.problem.seed = 2;
        Optimiser optimiser(context, optimisation);
        optimiser.run({});
        const Optimum found = optimiser.optimum();
        const statistics::Estimate delta = found.parameters[0];
        BOOST_TEST_MESSAGE("delta " << start << " -> " << delta.mean << " +- " << delta.error << " in "
                                    << optimiser.steps().size() << " steps, least at " << least << ", curvature "
                                    << found.curvature[0][0]);
        BOOST_TEST(optimiser.converged());
        BOOST_TEST(std::abs(delta.mean - least) < 3 * delta.error);
        BOOST_TEST(delta.error < 0.04);
        BOOST_TEST(found.covariance[0][0] == delta.error * delta.error, boost::test_tools::tolerance(1e-12));
        BOOST_TEST(found.gain < optimiser.steps().back().energy.error);
        // The curvature belongs to the survey's centre. It changes by 0.006 if the gap changes by 0.1.
        const auto [centre, width, of_curvature] = last_survey(optimiser);
        const double h = 0.05, curvature = (energy(centre + h) - 2 * energy(centre) + energy(centre - h)) / (h * h);
        BOOST_TEST(std::abs(found.curvature[0][0] - curvature) < 0.004);
        BOOST_TEST(std::abs(delta.mean - centre) < 0.1);
        // The error combines that of the mean gradient and that of the curvature times the distance.
        double squares = 0, mean = 0;
        for (auto step = optimiser.steps().end() - 3; step != optimiser.steps().end(); ++step) {
            squares += step->gradient[0].error * step->gradient[0].error / 9;
            mean += step->parameters[0] / 3;
        }
        const double error = std::hypot(std::sqrt(squares), (mean - delta.mean) * of_curvature) / found.curvature[0][0];
        BOOST_TEST(delta.error == error, boost::test_tools::tolerance(1e-9));
        BOOST_TEST(width > 0);
        BOOST_TEST(optimiser.parameters()[1] == -0.2);
        BOOST_TEST(found.parameters[1].error == 0.0);
        BOOST_TEST(found.curvature[1][1] == 0.0);
        BOOST_TEST(optimiser.steps().front().parameters[0] == start);
        BOOST_TEST(optimiser.steps().back().gradient[1].error == 0.0);
    }
}

// Tests every real parameter from one end of its range to the other. An optimum that is called converged is an optimum.
BOOST_AUTO_TEST_CASE(ranges) {
    struct Range {
        const char* name;
        double Optimisation::*member;
        std::vector<double> values;
    };
    const std::vector<Range> all{{"time", &Optimisation::time, {1e-6, 1e3}},
                                 {"largest_move", &Optimisation::largest_move, {1e-6, 1e3}},
                                 {"shift", &Optimisation::shift, {0, 1e3}},
                                 {"significance", &Optimisation::significance, {0, 3, 100}}};
    Context context = make_context();
    const double least = least_gap(1e-3);
    int converged = 0;
    for (const Range& range : all)
        for (const double value : range.values) {
            Optimisation optimisation = of(tilted_problem(3, 8), 0.5, -0.2, 10);
            optimisation.free = {true, false, false, false};
            optimisation.problem.seed = 3;
            optimisation.steps = 20;
            optimisation.*range.member = value;
            Optimiser optimiser(context, optimisation);
            optimiser.run({});
            const statistics::Estimate delta = optimiser.optimum().parameters[0];
            BOOST_TEST_MESSAGE(range.name << " = " << value << ": " << optimiser.steps().size() << " steps, "
                                          << optimiser.converged() << ", " << delta.mean << " +- " << delta.error);
            BOOST_TEST(std::isfinite(delta.mean), range.name << " = " << value);
            BOOST_TEST(std::isnan(delta.error) == !optimiser.converged(), range.name << " = " << value);
            converged += optimiser.converged();
            if (optimiser.converged())
                BOOST_TEST(std::abs(delta.mean - least) < 4 * delta.error,
                           range.name << " = " << value << ": " << delta.mean << " +- " << delta.error << ", least at "
                                      << least);
        }
    BOOST_TEST(converged >= 4);
}

// Runs 16 seeds each, from a distant start. The curvature doubles on the way.
BOOST_AUTO_TEST_CASE(errors_of_optima, *boost::unit_test::disabled()) {
    Context context = make_context();
    const double least = least_gap(1e-4);
    for (const double significance : {2.0, 3.0, 10.0}) {
        legato::tests::ChiSquare sum("significance " + std::to_string(significance), 63);
        for (int seed = 3; seed < 19; ++seed) {
            Optimisation optimisation = of(tilted_problem(3, 8), 1.0, -0.2, 20);
            optimisation.free = {true, false, false, false};
            optimisation.problem.seed = seed;
            optimisation.significance = significance;
            optimisation.steps = 80;
            Optimiser optimiser(context, optimisation);
            optimiser.run({});
            const statistics::Estimate delta = optimiser.optimum().parameters[0];
            BOOST_TEST(optimiser.converged(), significance << ", seed " << seed);
            if (optimiser.converged()) sum.add(delta.mean - least, delta.error);
        }
        sum.check();
    }
}

// Gap and chemical potential form a narrow, curved valley. The optimiser goes down into it, and then along it.
BOOST_AUTO_TEST_CASE(two_parameters) {
    Context context = make_context();
    const Problem problem = rectangular_problem(4, 3, Boundary::antiperiodic, Boundary::periodic, 10);
    const exact::Ensemble ensemble(cluster_of(problem), problem.electrons);
    Optimisation optimisation = of(problem, 3.5, -2.5, 20);
    optimisation.time = 0.5;
    optimisation.steps = 12;
    Optimiser optimiser(context, optimisation);
    optimiser.run({});
    const auto [delta, mu, t_prime, t_double_prime] = optimiser.parameters();
    const double found = exact_energy(ensemble, problem, delta, mu);
    BOOST_TEST_MESSAGE("delta " << delta << ", mu " << mu << ": " << found << " after " << optimiser.steps().size()
                                << " steps");
    BOOST_TEST(found < exact_energy(ensemble, problem, 3.5, -2.5) - 2e-3);
    BOOST_TEST(t_prime == 0.0);
    BOOST_TEST(t_double_prime == 0.0);
}

// The run is resumed after every step, in every stage. The next step is the same.
BOOST_AUTO_TEST_CASE(resumed_in_every_stage) {
    const std::filesystem::path path = "vmc_optimiser_stages_test.state";
    Context context = make_context();
    Optimisation optimisation = of(tilted_problem(3, 8), 0.4, -0.2, 40);
    optimisation.free = {true, false, false, false};
    optimisation.refinement = 3;
    Optimiser whole(context, optimisation);
    std::array<int, 3> stages{};
    for (bool last = false; !last;) {
        whole.save(path);
        const auto resumed = Optimiser::resume(context, path);
        BOOST_TEST(resumed->steps().size() == whole.steps().size());
        last = whole.advance();
        BOOST_TEST(resumed->advance() == last);
        const OptimisationStep &a = whole.steps().back(), &b = resumed->steps().back();
        BOOST_TEST((a.parameters == b.parameters));
        BOOST_TEST(a.energy.mean == b.energy.mean);
        BOOST_TEST((a.covariance == b.covariance));
        BOOST_TEST((a.stage == b.stage));
        BOOST_TEST((whole.parameters() == resumed->parameters()));
        ++stages[static_cast<std::size_t>(a.stage)];
    }
    BOOST_TEST(whole.converged());
    for (const int count : stages) BOOST_TEST(count > 0);
    std::filesystem::remove(path);
}

// The state of eight electrons on ten sites depends on the gap alone if mu = t' = t'' = 0.
BOOST_AUTO_TEST_CASE(parameters_without_effect) {
    Context context = make_context();
    Optimisation optimisation = of(tilted_problem(3, 8), 1.5, 0, 10);
    optimisation.free = {false, true, true, true};
    Optimiser optimiser(context, optimisation);
    optimiser.run({});
    BOOST_TEST(optimiser.converged());
    BOOST_TEST(optimiser.steps().size() == static_cast<std::size_t>(optimisation.quiet_steps));
    for (const OptimisationStep& step : optimiser.steps())
        for (std::size_t a = 1; a < variational_parameters; ++a) {
            BOOST_TEST(step.parameters[a] == 0.0);
            BOOST_TEST(step.gradient[a].mean == 0.0);
            BOOST_TEST(step.gradient[a].error == 0.0);
        }
}

// The amplitudes of all wave vectors of ten sites have only two magnitudes. The state therefore depends on a single
// combination of the parameters. For the second mu its metric is barely above rounding. The survey has one pair of
// steps, and all moves are along the direction of the gradient.
BOOST_AUTO_TEST_CASE(combinations_without_effect) {
    Context context = make_context();
    for (const double mu : {-0.2, 1e-4}) {
        Optimisation optimisation = of(tilted_problem(3, 8), 0.5, mu, 40);
        optimisation.free = {mu < 0, true, true, true};
        optimisation.shift = 0;
        Optimiser optimiser(context, optimisation);
        while (!optimiser.advance() && optimiser.steps().back().stage != Stage::refinement) {
        }
        // t' and t'' act as mu does, since cos kx cos ky = -1/4 and cos 2kx + cos 2ky = -1/2 for all wave vectors. The
        // error of the metric's eigenvectors is its rounding, 1e-15, over its size, mu^2.
        const double along = 1e-6 + 1e-13 / (mu * mu);
        int surveys = 0;
        for (const OptimisationStep& step : optimiser.steps()) {
            surveys += step.stage == Stage::survey;
            BOOST_TEST(std::abs(step.parameters[2] + (step.parameters[1] - mu)) < along);
            BOOST_TEST(std::abs(step.parameters[3] - step.parameters[2]) < along);
        }
        BOOST_TEST_MESSAGE("mu " << mu << ": " << optimiser.steps().size() << " steps, " << surveys << " of surveys");
        BOOST_TEST(surveys == 2);
    }
}

// The lowest energy of all parameters is that of the gap alone in the same system. The errors of the parameters are
// proportional.
BOOST_AUTO_TEST_CASE(optimum_of_a_combination) {
    Context context = make_context();
    Optimisation optimisation = of(tilted_problem(3, 8), 0.5, -0.2, 80);
    optimisation.free = {true, true, true, true};
    optimisation.time = 0.5;
    Optimiser optimiser(context, optimisation);
    optimiser.run({});
    BOOST_TEST(optimiser.converged());
    const Optimum found = optimiser.optimum();
    for (std::size_t a = 0; a < variational_parameters; ++a) {
        BOOST_TEST(found.parameters[a].error > 0);
        for (std::size_t b = 0; b < a; ++b)
            for (const ParameterMatrix& m : {found.covariance, found.curvature})
                BOOST_TEST(m[a][b] * m[a][b] == m[a][a] * m[b][b], boost::test_tools::tolerance(1e-6));
    }
    const exact::Ensemble ensemble(cluster_of(optimisation.problem), optimisation.problem.electrons);
    Problem there = optimisation.problem;
    for (std::size_t a = 0; a < variational_parameters; ++a) parameter_of(there.pair, a) = found.parameters[a].mean;
    const double energy = exact_energy(ensemble, there, there.pair.delta, there.pair.mu);
    const double least = exact_energy(ensemble, optimisation.problem, 0.350941, -0.2);
    BOOST_TEST_MESSAGE("delta " << found.parameters[0].mean << " +- " << found.parameters[0].error << ", mu "
                                << found.parameters[1].mean << " +- " << found.parameters[1].error << ": " << energy
                                << ", least " << least);
    BOOST_TEST(energy >= least - 1e-9);
    BOOST_TEST(energy < least + optimiser.steps().back().energy.error);
}

BOOST_AUTO_TEST_CASE(resumed_ones_take_the_same_steps) {
    const std::filesystem::path path = "vmc_optimiser_test.state";
    Context context = make_context();
    Optimisation optimisation = of(tilted_problem(3, 8), 1.5, 0, 10);
    optimisation.free = {true, true, true, false};
    optimisation.steps = 6;
    optimisation.significance = 0;
    Optimiser whole(context, optimisation);
    whole.run({});
    BOOST_TEST(whole.steps().size() == 6u);
    BOOST_TEST(!whole.converged());
    Optimiser part(context, optimisation);
    const auto [status, message] = failure_of([&] { part.run([](const Progress& p) { return p.points_done < 3; }); });
    BOOST_TEST((status == Status::cancelled));
    BOOST_TEST(message == "vmc: stopped by the progress callback");
    bool within = false;  // stopped within a step, which is then lost
    const auto stop_within = [&](const Progress& p) {
        within = within || p.cycles_done % (16 * 370) != 0;
        return !within;
    };
    BOOST_TEST((failure_of([&] { part.run(stop_within); }).first == Status::cancelled));
    BOOST_TEST(within);
    part.save(path);
    const auto resumed = Optimiser::resume(context, path);
    BOOST_TEST(resumed->steps().size() == 3u);
    while (!resumed->advance()) {
    }
    for (std::size_t i = 0; i < 6; ++i) {
        const OptimisationStep &a = whole.steps()[i], &b = resumed->steps()[i];
        BOOST_TEST((a.parameters == b.parameters));
        BOOST_TEST(a.energy.mean == b.energy.mean);
        BOOST_TEST(a.gradient[2].error == b.gradient[2].error);
    }
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 9);
    BOOST_TEST((failure_of([&] { Optimiser::resume(context, path); }).first == Status::bad_file));
    std::filesystem::remove(path);
}

// Each step has its own random numbers, which no other seed has: step i of one seed is not step 0 of seed + i.
BOOST_AUTO_TEST_CASE(seeds_share_no_steps) {
    Context context = make_context();
    Optimisation optimisation = of(tilted_problem(3, 8), 1.5, -0.1, 10);
    optimisation.steps = 3;
    optimisation.significance = 0;
    Optimiser optimiser(context, optimisation);
    optimiser.run({});
    for (std::size_t i = 0; i < 3; ++i) {
        Problem problem = optimisation.problem;
        const OptimisationStep& step = optimiser.steps()[i];
        problem.pair.delta = step.parameters[0];
        problem.pair.mu = step.parameters[1];
        for (const std::int64_t other : {0, 1, 2}) {
            problem.seed = optimisation.problem.seed + other;
            Solver solver(context, problem);
            solver.run({});
            BOOST_TEST((solver.averages().energy.mean == step.energy.mean) == (i == 0 && other == 0));
        }
        // The step is another run of the same seed.
        problem.seed = optimisation.problem.seed;
        problem.run = static_cast<std::uint32_t>(i);
        Solver same(context, problem);
        same.run({});
        BOOST_TEST(same.averages().energy.mean == step.energy.mean);
    }
    // Philox counters of different runs and purposes never coincide.
    for (const std::uint32_t run : {1u, 2u, 999999u, most_runs - 1})
        for (const std::uint32_t stream : {move_stream, start_stream})
            for (const std::uint32_t other : {0u, run - 1})
                for (const std::uint32_t with : {move_stream, start_stream})
                    BOOST_TEST(stream_of_run(stream, run) != stream_of_run(with, other));
}

// The progress of an optimisation, as stored in a file of version 0.1.
struct Place {
    std::vector<std::int64_t> stages{};
    int stage = 0, planned = 0;
};

Optimisation of_ten_sites() {
    Optimisation optimisation = of(tilted_problem(3, 8), 1.5, -0.1, 10);
    optimisation.problem.gradients = true;
    optimisation.problem.gradients_by = optimisation.free;
    return optimisation;
}

void write_state(const std::filesystem::path& path, const Optimisation& optimisation, const Place& place) {
    StateWriter writer("vmc_optimiser", 1);
    put_problem(writer, optimisation.problem);
    writer.put("optimisation/free", std::vector<std::int8_t>{1, 1, 0, 0});
    writer.put("optimisation/steps", 3);
    writer.put("optimisation/time", 0.2);
    writer.put("optimisation/largest_move", 0.2);
    writer.put("optimisation/shift", 1e-3);
    writer.put("optimisation/significance", 0.0);
    writer.put("optimisation/quiet_steps", 3);
    writer.put("optimisation/refinement", 4);
    writer.put("steps", static_cast<std::int64_t>(place.stages.size()));
    writer.put("stages", place.stages);
    writer.put("history", std::vector<double>(30 * place.stages.size(), 0.5));
    writer.put("next", std::vector<double>{1.5, -0.1, 0, 0});
    writer.put("stage", place.stage);
    writer.put("level", 0);
    writer.put("n_planned", place.planned);
    writer.put("planned", std::vector<double>(4 * static_cast<std::size_t>(place.planned), 0.5));
    writer.commit(path);
}

// A file of version 0.1, schema 1, is continued with the random numbers that it began with, even after it is saved
// again.
BOOST_AUTO_TEST_CASE(files_of_version_0_1) {
    const std::filesystem::path path = "vmc_optimiser_schema_1.state";
    Context context = make_context();
    const Optimisation optimisation = of_ten_sites();
    write_state(path, optimisation, {});
    auto optimiser = Optimiser::resume(context, path);
    for (std::size_t i = 0; i < 3; ++i) {
        optimiser->advance();
        optimiser->save(path);
        optimiser = Optimiser::resume(context, path);
        Problem problem = optimisation.problem;
        const OptimisationStep& step = optimiser->steps()[i];
        problem.pair.delta = step.parameters[0];
        problem.pair.mu = step.parameters[1];
        problem.seed += static_cast<std::int64_t>(i);
        Solver solver(context, problem);
        solver.run({});
        BOOST_TEST(solver.averages().energy.mean == step.energy.mean);
    }
    std::filesystem::remove(path);
}

// The checksums of these files are right, so only their contents can reveal them. The first one made the next step
// crash.
BOOST_AUTO_TEST_CASE(forged_stages_are_refused) {
    const std::filesystem::path path = "vmc_optimiser_forged.state";
    Context context = make_context();
    const Optimisation optimisation = of_ten_sites();
    const Place forged[] = {{{}, 1, 0},  {{}, 1, 2},     {{1}, 1, 1},       {{}, 1, 5}, {{1, 1}, 1, 3},
                            {{1}, 0, 0}, {{1, 0}, 0, 0}, {{1, 1, 1}, 2, 0}, {{}, 0, 1}, {{0}, 2, 0}};
    for (const Place& place : forged) {
        write_state(path, optimisation, place);
        const auto [status, words] = failure_of([&] { Optimiser::resume(context, path); });
        BOOST_TEST((status == Status::bad_file), "stage " << place.stage << ": " << words);
    }
    const Place sound[] = {{{}, 1, 1}, {{}, 1, 3}, {{1}, 1, 0}, {{1, 1, 2}, 2, 0}, {{1, 1, 0}, 0, 0}};
    for (const Place& place : sound) {
        write_state(path, optimisation, place);
        BOOST_CHECK_NO_THROW(Optimiser::resume(context, path));
    }
    std::filesystem::remove(path);
}

// Runs the first step of the default optimisation, and the first steps of ten sites. The whole default optimisation
// takes more than a minute: it converges after 20 steps, without a warning.
BOOST_AUTO_TEST_CASE(defaults_need_no_warning) {
    BOOST_TEST(warnings_of({}, 1) == "");
    Optimisation small;
    small.problem = tilted_problem(3, 8);
    small.problem.pair.mu = -0.2;
    BOOST_TEST(warnings_of(small, 6) == "");
    small.problem.sweeps_per_bin = 2;
    BOOST_TEST(warnings_of(small, 1).find("shorter than 20 autocorrelation times") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(refused) {
    struct Case {
        std::function<void(Optimisation&)> change;
        std::string message;
    };
    const std::vector<Case> cases{
        {[](Optimisation& o) { o.free = {}; }, "vmc.optimiser.free: 0 is not in 1..4"},
        {[](Optimisation& o) { o.steps = 0; }, "vmc.optimiser.steps: 0 is not in"},
        {[](Optimisation& o) { o.time = 0; }, "vmc.optimiser.time: 0 is not in"},
        {[](Optimisation& o) { o.largest_move = -1; }, "vmc.optimiser.largest_move: -1 is not in"},
        {[](Optimisation& o) { o.shift = -1; }, "vmc.optimiser.shift: -1 is not in"},
        {[](Optimisation& o) { o.significance = std::nan(""); }, "vmc.optimiser.significance: nan is not in"},
        {[](Optimisation& o) { o.quiet_steps = 0; }, "vmc.optimiser.quiet_steps: 0 is not in"},
        {[](Optimisation& o) { o.refinement = 0; }, "vmc.optimiser.refinement: 0 is not in"},
        {[](Optimisation& o) { o.problem.pair.delta = 0; }, "vmc.params.gradients: 1 needs"},
        {[](Optimisation& o) { o.problem.electrons = 3; }, "vmc.params.electrons: 3 is odd"},
        {[](Optimisation& o) { o.problem.bins = o.problem.chains = 1; },
         "vmc.params.bins: 1 with vmc.params.chains = 1"},
    };
    Context context = make_context();
    for (const Case& c : cases) {
        Optimisation optimisation = of(tilted_problem(3, 8), 1.5, 0, 10);
        c.change(optimisation);
        const std::string message = failure_of([&] { Optimiser(context, optimisation); }).second;
        BOOST_TEST(message.starts_with(c.message), message << " for " << c.message);
    }
}
