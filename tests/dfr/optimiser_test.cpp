// Tests the optimisation of well-tempered basis sets.
#define BOOST_TEST_MODULE dfr_optimiser
#include "dfr/optimiser.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "dfr/configuration.hpp"
#include "dfr/elements.hpp"
#include "dfr/large_basis.hpp"
#include "dfr/optimiser_state.hpp"
#include "hennessey.hpp"
#include "run.hpp"

using namespace legato;
using namespace legato::dfr;

namespace {

Context make_context() {
    ContextOptions options;
    options.backend = Backend::cpu;
    options.threads = 1;
    options.log_level = LogLevel::silent;
    return Context(options);
}

Context& context() {
    static Context one = make_context();
    return one;
}

Candidate helium(int functions, const WellTempered& start = {0.1, 2.0, 4.5, 1.5}) {
    return {make_nucleus(2, NuclearModel::point),
            average_of_configuration(ground_configuration(2)),
            {{start}, {0}, {{1, functions}}}};
}

Candidate library_candidate(int element) {
    Candidate candidate{
        make_nucleus(element, NuclearModel::point), average_of_configuration(ground_configuration(element)), {}};
    candidate.basis = library_basis(element, candidate.configuration.closed.size());
    return candidate;
}

bool names(const Error& error, const std::string& start) {
    BOOST_TEST_MESSAGE(error.what());
    return error.status() == Status::invalid_argument && std::string(error.what()).starts_with(start);
}

double energy_of(const Problem& field, const Candidate& candidate, const GroupedBasis& basis) {
    return tests::run(field, {candidate.nucleus, exponents_of(basis), candidate.configuration}).energy;
}

bool same(const Optimiser::Records& a, const Optimiser::Records& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].size() != b[i].size()) return false;
        for (std::size_t j = 0; j < a[i].size(); ++j)
            if (a[i][j].x != b[i][j].x || a[i][j].energy != b[i][j].energy || a[i][j].kind != b[i][j].kind ||
                a[i][j].gradient != b[i][j].gradient || a[i][j].spinor_error != b[i][j].spinor_error)
                return false;
    }
    return true;
}

const std::filesystem::path file = "dfr_optimiser_test.state";

}  // namespace

// The optimum is better than the best of ten even-tempered functions, found by scanning ratio and smallest exponent,
// because well-tempered sets contain the even-tempered ones. Moving any parameter away from the optimum raises the
// energy.
BOOST_AUTO_TEST_CASE(the_optimum_is_stationary) {
    OptimiserProblem problem;
    problem.last_step = 1e-5;
    Optimiser optimiser(context(), problem, {helium(10)});
    optimiser.run({});
    const OptimiserResult result = optimiser.result(0);
    BOOST_TEST((result.status == OptimiserStatus::converged));
    BOOST_TEST(result.energy < result.start_energy);
    BOOST_TEST(result.energy > result.limit);
    const double again = energy_of(problem.field, optimiser.candidates()[0], result.basis);
    BOOST_TEST(std::fabs(again - result.energy) < 1e-13);
    for (std::size_t parameter = 0; parameter < 4; ++parameter)
        for (const double factor : {0.98, 1.02}) {
            GroupedBasis moved = result.basis;
            moved.groups[0].parameters[parameter] *= factor;
            BOOST_TEST(energy_of(problem.field, optimiser.candidates()[0], moved) > result.energy - 1e-12);
        }
    double best = 0;
    for (double ratio = 1.5; ratio < 5; ratio *= 1.1)
        for (double smallest = 0.02; smallest < 0.5; smallest *= 1.2)
            if (smallest * std::pow(ratio, 9) < largest_exponent)
                best = std::min(best, energy_of(problem.field, optimiser.candidates()[0],
                                                {{WellTempered{smallest, ratio, 1.0, 0.0}}, {0}, {{1, 10}}}));
    BOOST_TEST(result.energy < best);
}

// Table 2.1 is a minimum of the non-relativistic energy. The optimisation gains nothing beyond its four digits.
BOOST_AUTO_TEST_CASE(table_is_non_relativistically_optimal) {
    OptimiserProblem problem;
    problem.field.relativistic = false;
    problem.first_step = 0.01;
    for (const int element : {2, 10}) {
        Optimiser optimiser(context(), problem, {library_candidate(element)});
        optimiser.run({});
        const OptimiserResult result = optimiser.result(0);
        const double gain = (result.start_energy - result.energy) / std::fabs(result.energy);
        BOOST_TEST_MESSAGE("Z = " << element << ": gain " << gain << " in " << result.energies);
        BOOST_TEST(gain >= 0);
        BOOST_TEST(gain < 2e-12);
        BOOST_TEST(result.collapsed == 0);
    }
}

// Candidates do not influence one another.
BOOST_AUTO_TEST_CASE(side_by_side_as_alone) {
    OptimiserProblem problem;
    problem.max_energies = 40;
    Optimiser both(context(), problem, {helium(6), helium(12), helium(8)});
    both.run({});
    for (std::size_t i = 0; i < 3; ++i) {
        Optimiser alone(context(), problem, {both.candidates()[i]});
        alone.run({});
        BOOST_TEST(same(alone.records(), {both.records()[i]}));
    }
}

BOOST_AUTO_TEST_CASE(groups_have_parameters_of_their_own) {
    OptimiserProblem problem;
    problem.max_energies = 60;
    const WellTempered start{0.1, 2.0, 4.5, 1.5};
    Candidate neon = library_candidate(10);
    neon.basis = {{start}, {0, 0, 0}, {{1, 12}, {1, 8}, {1, 8}}};
    Candidate two_groups = neon;
    two_groups.basis.groups = {start, start};
    two_groups.basis.group = {0, 1, 1};
    Optimiser optimiser(context(), problem, {neon, two_groups});
    optimiser.run({});
    BOOST_TEST(optimiser.result(1).basis.groups.size() == 2);
    BOOST_TEST(optimiser.result(1).basis.groups[0].parameters != optimiser.result(1).basis.groups[1].parameters);
    BOOST_TEST(optimiser.result(1).energy < optimiser.result(1).start_energy);
}

// The same basis with a limit that is too low: the collapsed energy lies above it. The energy in the large basis then
// decides, and a warning says so.
BOOST_AUTO_TEST_CASE(a_limit_that_is_too_low_is_not_trusted) {
    Candidate ion = library_candidate(86);
    ion.configuration = {{0, 0}, {0.0, 1.0}, {0.0, 0.0, 0.0, 0.0}};
    ion.basis = {{WellTempered{30.0, 1.8, 1.0, 0.0}}, {0, 0}, {{0, 0}, {1, 30}}};
    ion.limit = -2000;
    Context heard = make_context();
    std::vector<std::string> lines;
    heard.set_logger(LogLevel::warning, [&](LogLevel, std::string_view line) { lines.emplace_back(line); });
    Optimiser optimiser(heard, {}, {ion});
    optimiser.run({});
    const OptimiserResult result = optimiser.result(0);
    BOOST_TEST((result.status == OptimiserStatus::failed));
    BOOST_TEST(result.collapsed == 1);
    BOOST_TEST(result.limit == -2000);
    BOOST_REQUIRE(!lines.empty());
    BOOST_TEST(lines[0].starts_with("dfr: dfr.candidates[0].limit: -2000 is below the energy in a large "), lines[0]);
    optimiser.save(file);
    const auto resumed = Optimiser::resume(context(), file);
    BOOST_TEST(same(resumed->records(), optimiser.records()));
    BOOST_TEST(resumed->result(0).limit == -2000);
    std::filesystem::remove(file);
}

// There are p functions but no diffuse ones, so 2p1/2 falls below the exact energy.
BOOST_AUTO_TEST_CASE(collapse_is_no_result) {
    Candidate ion = library_candidate(86);
    ion.configuration = {{0, 0}, {0.0, 1.0}, {0.0, 0.0, 0.0, 0.0}};
    ion.basis = {{WellTempered{30.0, 1.8, 1.0, 0.0}}, {0, 0}, {{0, 0}, {1, 30}}};
    Optimiser collapsed(context(), {}, {ion});
    collapsed.run({});
    const OptimiserResult result = collapsed.result(0);
    BOOST_TEST((result.status == OptimiserStatus::failed));
    BOOST_TEST(result.collapsed == 1);
    BOOST_TEST(result.start_energy < result.limit);
    BOOST_TEST(result.energy == 0.0);
    // A sound start gives no accepted energy below the exact one.
    const double c = Problem{}.speed_of_light, a = 86 / c, x = a / (1 + std::sqrt(1 - a * a));
    const double exact = c * c * (1 / std::sqrt(1 + x * x) - 1);
    ion.basis.groups[0].parameters[0] = 1.0;
    Optimiser sound(context(), {}, {ion});
    sound.run({});
    BOOST_TEST((sound.result(0).status >= OptimiserStatus::converged));
    BOOST_TEST(std::fabs(sound.result(0).limit / exact - 1) < large_basis_error);
    BOOST_TEST(sound.result(0).energy >= exact * (1 + 2 * large_basis_error));
    BOOST_TEST_MESSAGE("collapsed " << sound.result(0).collapsed << " of " << sound.result(0).energies << ", above by "
                                    << sound.result(0).energy / exact - 1);
}

BOOST_AUTO_TEST_CASE(a_given_limit_is_strict) {
    Candidate candidate = helium(10);
    candidate.limit = -2.0;
    Optimiser optimiser(context(), {}, {candidate});
    optimiser.run({});
    BOOST_TEST((optimiser.result(0).status == OptimiserStatus::failed));
    BOOST_TEST(optimiser.result(0).limit == -2.0);
}

// An atom has too many electrons for convergence. It occurs alone, and twice beside another candidate.
BOOST_AUTO_TEST_CASE(a_limit_that_cannot_be_had_fails_its_candidate_alone) {
    OptimiserProblem problem;
    problem.max_energies = 5;
    Candidate bad = helium(6);
    bad.nucleus.charge = 1;
    bad.configuration.closed[0] = 4;
    std::vector<std::string> lines;
    context().set_logger(LogLevel::warning, [&](LogLevel, std::string_view line) { lines.emplace_back(line); });
    for (const auto& candidates : {std::vector{bad, helium(6), bad}, std::vector{bad}}) {
        lines.clear();
        Optimiser optimiser(context(), problem, candidates);
        optimiser.run({});
        BOOST_TEST(lines.size() == (candidates.size() + 1) / 2);
        for (const std::string& line : lines) BOOST_TEST_MESSAGE(line);
        BOOST_TEST(lines[0].find("dfr.candidates[0].limit: ") != std::string::npos);
        BOOST_TEST(lines[0].find("give the limit") != std::string::npos);
        optimiser.save(file);
        const auto resumed = Optimiser::resume(context(), file);
        for (const Optimiser* one : std::vector<const Optimiser*>{&optimiser, resumed.get()}) {
            BOOST_TEST(one->finished() == candidates.size());
            BOOST_TEST((one->result(0).status == OptimiserStatus::failed));
            BOOST_TEST(one->result(0).limit == 0.0);
            BOOST_TEST(one->result(0).energy == 0.0);
            if (candidates.size() == 1) continue;
            BOOST_TEST((one->result(1).status == OptimiserStatus::not_converged));
            BOOST_TEST(one->result(1).energies == 5);
            BOOST_TEST((one->result(2).status == OptimiserStatus::failed));
        }
        resumed->run({});
        BOOST_TEST(same(resumed->records(), optimiser.records()));
    }
    context().set_logger(LogLevel::silent, {});
    std::filesystem::remove(file);
}

// The limit is calculated to convergence even if the energies may take only a few iterations.
BOOST_AUTO_TEST_CASE(limits_take_the_iterations_they_need) {
    OptimiserProblem problem;
    problem.field.max_iterations = 2;
    Optimiser optimiser(context(), problem, {helium(6)});
    optimiser.run({});
    BOOST_TEST(std::fabs(optimiser.result(0).limit + 2.861813342) < 1e-8);
    BOOST_TEST((optimiser.records()[0][0].kind == EnergyKind::not_converged));
}

// A logger that throws leaves a consistent state, so that the call can be repeated.
BOOST_AUTO_TEST_CASE(a_failing_log_leaves_all_defined) {
    Candidate bad = helium(6);
    bad.nucleus.charge = 1;
    bad.configuration.closed[0] = 4;
    OptimiserProblem problem;
    problem.max_energies = 5;
    Optimiser optimiser(context(), problem, {bad, helium(6)});
    context().set_logger(LogLevel::warning, [](LogLevel, std::string_view) { throw std::bad_alloc(); });
    BOOST_CHECK_THROW(optimiser.advance(), std::bad_alloc);
    BOOST_CHECK_NO_THROW(optimiser.run({}));
    context().set_logger(LogLevel::silent, {});
    BOOST_TEST((optimiser.result(0).status == OptimiserStatus::failed));
    BOOST_TEST(optimiser.result(1).energies == 5);
}

// The error of the large basis for a relativistic point nucleus exceeds the stated one beyond Z = 97. The limit must
// then be given.
BOOST_AUTO_TEST_CASE(limits_of_heavy_point_nuclei_are_to_be_given) {
    const auto accepted = [](const OptimiserProblem& problem, const Candidate& candidate) {
        BOOST_CHECK_NO_THROW(Optimiser(context(), problem, {candidate}));
    };
    OptimiserProblem problem;
    Candidate candidate = helium(8);
    candidate.nucleus.charge = 97;
    accepted(problem, candidate);
    candidate.nucleus = make_nucleus(98, NuclearModel::gaussian);
    accepted(problem, candidate);
    candidate.nucleus = make_nucleus(98, NuclearModel::point);
    BOOST_CHECK_THROW(Optimiser(context(), problem, {candidate}), Error);
    candidate.limit = -12000;
    accepted(problem, candidate);
    candidate.limit = 0;
    problem.field.relativistic = false;
    accepted(problem, candidate);
}

// Returns helium with the exponents of the start as parameters of another form.
Candidate helium_of(GroupForm form, int functions) {
    Candidate candidate = helium(functions);
    const std::vector<double> pool = exponents_of(candidate.basis)[0];
    const double ratio = std::pow(pool.back() / pool.front(), 1.0 / (functions - 1));
    candidate.basis.groups[0] = {form, form == GroupForm::free ? pool : std::vector{pool.front(), ratio}};
    return candidate;
}

// NEWUOA begins with steps of length first_step along each ln(parameter).
BOOST_AUTO_TEST_CASE(newuoa_begins_along_the_parameters) {
    OptimiserProblem problem;
    problem.first_step = 0.07;
    problem.max_energies = 9;
    Optimiser optimiser(context(), problem, {library_candidate(2)});
    optimiser.run({});
    const std::vector<EnergyRecord>& records = optimiser.records()[0];
    BOOST_TEST_REQUIRE(records.size() == 9);
    for (std::size_t k = 1; k < 9; ++k)
        for (std::size_t i = 0; i < 4; ++i)
            BOOST_TEST(records[k].x[i] == (k % 4 == (i + 1) % 4 ? (k > 4 ? -0.07 : 0.07) : 0.0),
                       boost::test_tools::tolerance(1e-13));
}

// BFGS finds the optimum of NEWUOA with less than a fifth of the energies.
BOOST_AUTO_TEST_CASE(bfgs_finds_the_same_optimum) {
    for (const int element : {10, 36}) {
        OptimiserProblem newuoa, bfgs;
        bfgs.method = OptimiserMethod::lbfgs;
        Candidate candidate = library_candidate(element);
        candidate.nucleus = make_nucleus(element, NuclearModel::gaussian);
        OptimiserResult results[2];
        for (const auto* problem : {&newuoa, &bfgs}) {
            Optimiser optimiser(context(), *problem, {candidate});
            optimiser.run({});
            results[problem == &bfgs] = optimiser.result(0);
        }
        BOOST_TEST((results[1].status == OptimiserStatus::converged));
        BOOST_TEST(std::fabs(results[1].energy / results[0].energy - 1) < 2e-12);
        BOOST_TEST(5 * results[1].energies < results[0].energies);
        BOOST_TEST_MESSAGE("Z = " << element << ": " << results[1].energies << " and " << results[0].energies);
    }
}

// Energies, derivatives and the limit energy of an optimisation contain the interaction.
BOOST_AUTO_TEST_CASE(breit) {
    OptimiserResult results[2][2];
    for (const Interaction interaction : {Interaction::coulomb, Interaction::breit})
        for (const OptimiserMethod method : {OptimiserMethod::newuoa, OptimiserMethod::lbfgs}) {
            OptimiserProblem problem;
            problem.method = method;
            problem.field.interaction = interaction;
            Candidate candidate = library_candidate(10);
            candidate.nucleus = make_nucleus(10, NuclearModel::gaussian);
            Optimiser optimiser(context(), problem, {candidate});
            optimiser.run({});
            results[interaction == Interaction::breit][method == OptimiserMethod::lbfgs] = optimiser.result(0);
        }
    for (const auto& [newuoa, bfgs] : results) {
        BOOST_TEST((bfgs.status == OptimiserStatus::converged));
        BOOST_TEST(std::fabs(bfgs.energy / newuoa.energy - 1) < 2e-12);
        BOOST_TEST(bfgs.energy > bfgs.limit);
        BOOST_TEST(bfgs.energy - bfgs.limit < 1e-8 * std::fabs(bfgs.limit));
    }
    BOOST_TEST(std::fabs(results[1][0].limit - results[0][0].limit - 0.01664) < 1e-5);
}

// More parameters of the same exponents give a lower energy, and the free optimum is stationary: each derivative is
// small beside the derivatives at the start.
BOOST_AUTO_TEST_CASE(forms_of_groups) {
    OptimiserProblem problem;
    problem.method = OptimiserMethod::lbfgs;
    problem.energy_tolerance = 1e-15;
    Optimiser optimiser(context(), problem,
                        {helium_of(GroupForm::even_tempered, 8), helium(8), helium_of(GroupForm::free, 8)});
    optimiser.run({});
    for (std::size_t i = 0; i < 3; ++i) {
        BOOST_TEST((optimiser.result(i).status == OptimiserStatus::converged));
        const auto norm = [](const EnergyRecord& record) {
            double largest = 0;
            for (const double slope : record.gradient) largest = std::max(largest, std::fabs(slope));
            return largest;
        };
        const auto& records = optimiser.records()[i];
        BOOST_TEST(norm(records.back()) < 1e-4 * norm(records.front()));
    }
    BOOST_TEST(optimiser.result(1).energy < optimiser.result(0).energy);
    BOOST_TEST(optimiser.result(2).energy < optimiser.result(1).energy);
    BOOST_TEST(optimiser.result(2).energy > optimiser.result(2).limit);
    BOOST_TEST(optimiser.result(0).basis.groups[0].parameters.size() == 2u);
    BOOST_TEST(optimiser.result(2).basis.groups[0].parameters.size() == 8u);
    // The even-tempered optimum is that of a scan.
    double best = 0;
    const auto [alpha, ratio] =
        std::pair(optimiser.result(0).basis.groups[0].parameters[0], optimiser.result(0).basis.groups[0].parameters[1]);
    for (const double a : {0.97, 1.0, 1.03})
        for (const double b : {0.99, 1.0, 1.01}) {
            if (a == 1.0 && b == 1.0) continue;
            best = std::min(best, energy_of(problem.field, optimiser.candidates()[0],
                                            {{{GroupForm::even_tempered, {alpha * a, ratio * b}}}, {0}, {{1, 8}}}));
        }
    BOOST_TEST(optimiser.result(0).energy < best);
}

// Two free functions that are equal are left out as linearly dependent. The energy then has no derivative, and the
// optimisation cannot begin.
BOOST_AUTO_TEST_CASE(no_derivative_no_start) {
    OptimiserProblem problem;
    problem.method = OptimiserMethod::lbfgs;
    Candidate candidate = helium_of(GroupForm::free, 6);
    candidate.basis.groups[0].parameters[1] = candidate.basis.groups[0].parameters[0];
    std::vector<std::string> lines;
    Context heard = make_context();
    heard.set_logger(LogLevel::warning, [&](LogLevel, std::string_view line) { lines.emplace_back(line); });
    Optimiser optimiser(heard, problem, {candidate});
    optimiser.run({});
    BOOST_TEST((optimiser.result(0).status == OptimiserStatus::failed));
    BOOST_TEST(optimiser.result(0).energies == 1);
    BOOST_REQUIRE(lines.size() == 1);
    BOOST_TEST(lines[0].find("candidate 0: the energy of the start has no derivatives") != std::string::npos);
}

// One exponent alone. NEWUOA cannot minimise a function of one variable.
BOOST_AUTO_TEST_CASE(one_parameter) {
    OptimiserProblem problem;
    Candidate candidate = helium(1);
    candidate.basis.groups[0] = {GroupForm::free, {0.5}};
    BOOST_CHECK_EXCEPTION(Optimiser(context(), problem, {candidate}), Error, [](const Error& error) {
        return names(error, "dfr.candidates[0].n_parameters: 1 is not in 2..2600");
    });
    problem.method = OptimiserMethod::lbfgs;
    Optimiser optimiser(context(), problem, {candidate});
    optimiser.run({});
    const OptimiserResult result = optimiser.result(0);
    BOOST_TEST((result.status == OptimiserStatus::converged));
    for (const double factor : {0.99, 1.01}) {
        GroupedBasis moved = result.basis;
        moved.groups[0].parameters[0] *= factor;
        BOOST_TEST(energy_of(problem.field, candidate, moved) > result.energy);
    }
}

BOOST_AUTO_TEST_CASE(resumed_as_if_not_stopped) {
    OptimiserProblem problem;
    problem.max_energies = 60;
    const std::vector<Candidate> candidates{helium(6), helium(10), helium(7)};
    Optimiser whole(context(), problem, candidates);
    whole.run({});
    for (const int stop : {0, 1, 7, 30, 59, 60}) {
        Optimiser first(context(), problem, candidates);
        for (int i = 0; i < stop; ++i) first.advance();
        first.save(file);
        const auto second = Optimiser::resume(context(), file);
        BOOST_TEST(second->finished() == first.finished());
        BOOST_TEST(second->result(1).limit == first.result(1).limit);
        second->run({});
        BOOST_TEST(same(second->records(), whole.records()), "stopped at " << stop);
    }
    std::filesystem::remove(file);
}

BOOST_AUTO_TEST_CASE(bfgs_resumed_as_if_not_stopped) {
    OptimiserProblem problem;
    problem.spinor_weight = 0.03;
    problem.method = OptimiserMethod::lbfgs;
    const std::vector<Candidate> candidates{helium(6), helium_of(GroupForm::free, 7),
                                            helium_of(GroupForm::even_tempered, 5)};
    Optimiser whole(context(), problem, candidates);
    whole.run({});
    for (const int stop : {0, 1, 7, 15, 1000}) {
        Optimiser first(context(), problem, candidates);
        for (int i = 0; i < stop && first.finished() < 3; ++i) first.advance();
        first.save(file);
        const auto second = Optimiser::resume(context(), file);
        BOOST_TEST(second->finished() == first.finished());
        second->run({});
        BOOST_TEST(same(second->records(), whole.records()), "stopped at " << stop);
        BOOST_TEST((second->result(1).basis.groups[0].form == GroupForm::free));
        BOOST_TEST((second->result(1).basis.groups[0].parameters == whole.result(1).basis.groups[0].parameters));
    }
    std::filesystem::remove(file);
}

BOOST_AUTO_TEST_CASE(cancelled_and_carried_on) {
    OptimiserProblem problem;
    problem.max_energies = 30;
    Optimiser whole(context(), problem, {helium(8)}), stopped(context(), problem, {helium(8)});
    whole.run({});
    BOOST_CHECK_THROW(stopped.run([](const Progress& progress) { return progress.cycles_done < 5; }), Error);
    BOOST_TEST(stopped.result(0).energies == 5);
    stopped.run({});
    BOOST_TEST(same(stopped.records(), whole.records()));
}

// Another version of NLopt may ask for other points. Saved energies that it does not ask for are dropped, with a
// warning.
BOOST_AUTO_TEST_CASE(records_of_another_minimiser) {
    OptimiserProblem problem;
    problem.max_energies = 20;
    Optimiser whole(context(), problem, {helium(8)});
    whole.run({});
    Optimiser::Records records = whole.records();
    records[0][10].x[0] += 1e-3;
    std::string warning;
    context().set_logger(LogLevel::warning, [&](LogLevel, std::string_view line) { warning = line; });
    Optimiser other(context(), problem, {helium(8)}, records);
    context().set_logger(LogLevel::silent, {});
    BOOST_TEST(warning.find("only 10 of 20") != std::string::npos, warning);
    BOOST_TEST(other.result(0).energies == 10);
    other.run({});
    BOOST_TEST(same(other.records(), whole.records()));
}

BOOST_AUTO_TEST_CASE(nuclei_are_saved) {
    std::vector<Candidate> candidates;
    for (const NuclearModel model :
         {NuclearModel::point, NuclearModel::sphere, NuclearModel::gaussian, NuclearModel::fermi}) {
        candidates.push_back(helium(8));
        candidates.back().nucleus = make_nucleus(2, model);
    }
    Optimiser optimiser(context(), {}, candidates);
    optimiser.save(file);
    const auto resumed = Optimiser::resume(context(), file);
    for (std::size_t i = 0; i < candidates.size(); ++i)
        BOOST_TEST((resumed->candidates()[i].nucleus == candidates[i].nucleus), i);
    std::filesystem::remove(file);
}

BOOST_AUTO_TEST_CASE(broken_files_are_refused) {
    Optimiser optimiser(context(), {}, {helium(8)});
    for (int i = 0; i < 3; ++i) optimiser.advance();
    optimiser.save(file);
    std::string bytes;
    {
        std::ifstream in(file, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(in), {});
    }
    for (const std::size_t size : {std::size_t{0}, std::size_t{10}, bytes.size() / 2, bytes.size() - 1}) {
        std::ofstream(file, std::ios::binary) << bytes.substr(0, size);
        BOOST_CHECK_EXCEPTION(Optimiser::resume(context(), file), Error,
                              [](const Error& error) { return error.status() == Status::bad_file; });
    }
    std::filesystem::remove(file);
    BOOST_CHECK_EXCEPTION(Optimiser::resume(context(), file), Error,
                          [](const Error& error) { return error.status() == Status::io_error; });
}

// A state that no run can have written is refused, even if its checksums are right.
BOOST_AUTO_TEST_CASE(impossible_states_are_refused) {
    Optimiser optimiser(context(), {}, {helium(8)});
    for (int i = 0; i < 3; ++i) optimiser.advance();
    const double limit = optimiser.result(0).limit;
    std::vector<Candidate> candidates = optimiser.candidates();
    const auto refused = [&](const Optimiser::Records& records, double energy, double floor, const std::string& why) {
        StateWriter writer("dfr_optimiser", 1);
        put_problem(writer, optimiser.problem());
        put_candidates(writer, candidates);
        put_records(writer, records);
        writer.put("limits/energy", std::vector{energy});
        writer.put("limits/floor", std::vector{floor});
        writer.commit(file);
        BOOST_CHECK_EXCEPTION(Optimiser::resume(context(), file), Error, [&](const Error& error) {
            BOOST_TEST_MESSAGE(error.what());
            return error.status() == Status::bad_file && std::string(error.what()).find(why) != std::string::npos;
        });
        std::filesystem::remove(file);
    };
    Optimiser::Records records = optimiser.records();
    records[0][1].energy = -3.0;  // marked as good, although below the limit
    refused(records, limit, limit * (1 + large_basis_error), "energies/energy");
    records = optimiser.records();
    records[0][1].kind = EnergyKind::collapsed;
    refused(records, limit, limit * (1 + large_basis_error), "energies/energy");
    refused(optimiser.records(), 0.0, 0.0, "limits/energy");
    refused(optimiser.records(), limit, -10.0, "limits/floor");
    refused(optimiser.records(), 5.0, 5.0, "limits/energy");
    candidates[0].limit = -2.9;  // given: the floor may lie above it, and no other limit is accepted
    refused(optimiser.records(), -2.9, -2.95, "limits/floor");
    refused(optimiser.records(), -2.9, 0.0, "limits/floor");
    refused(optimiser.records(), -2.9, -2.0, "energies/energy");
    refused(optimiser.records(), limit, limit, "limits/energy");
}

BOOST_AUTO_TEST_CASE(wrong_input_is_named) {
    const auto refused = [](const OptimiserProblem& problem, const Candidate& candidate, const std::string& start) {
        BOOST_CHECK_EXCEPTION(Optimiser(context(), problem, {candidate}), Error,
                              [&](const Error& error) { return names(error, start); });
    };
    OptimiserProblem problem;
    Candidate candidate = helium(8);
    problem.first_step = 0;
    refused(problem, candidate, "dfr.optimiser.first_step: 0 is not in [");
    problem = {};
    problem.last_step = 0.2;
    refused(problem, candidate, "dfr.optimiser.last_step: 0.2 is not in [");
    problem = {};
    problem.max_energies = 0;
    refused(problem, candidate, "dfr.optimiser.max_energies: 0 is not in 1..");
    problem = {};
    candidate.basis.ranges[0] = {0, 5};
    refused(problem, candidate, "dfr.candidates[0].first[s1/2]: 0 is not in 1..200");
    candidate.basis.ranges[0] = {3, 2};
    refused(problem, candidate, "dfr.candidates[0].last[s1/2]: 2 is not in 3..200");
    candidate = helium(8);
    candidate.basis.group[0] = 1;
    refused(problem, candidate, "dfr.candidates[0].group[s1/2]: 1 is not in 0..0");
    candidate = helium(8);
    candidate.basis.groups[0].parameters[1] = std::numeric_limits<double>::quiet_NaN();
    refused(problem, candidate, "dfr.well_tempered.beta: nan is not in [");
    candidate = helium(8);
    candidate.limit = 1;
    refused(problem, candidate, "dfr.candidates[0].limit: 1 is not in [");
    candidate.limit = 0;
    candidate.nucleus.charge = 98;  // point nucleus
    refused(
        problem, candidate,
        "dfr.candidates[0].limit: 0, but for a relativistic point nucleus of charge 98 none can be calculated; give");
    candidate.basis.groups.clear();
    refused(problem, candidate, "dfr.candidates[0].n_groups: 0 is not in 1..1");
    BOOST_CHECK_EXCEPTION(Optimiser(context(), {}, {}), Error,
                          [](const Error& error) { return names(error, "dfr.optimiser.n_candidates: 0"); });
}
