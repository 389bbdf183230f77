#include "vmc/optimiser.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/matrix.hpp"
#include "core/state_file.hpp"
#include "core/validate.hpp"
#include "vmc/problem_state.hpp"
#include "vmc/solver.hpp"

namespace legato::vmc {
namespace {

constexpr std::string_view method = "vmc_optimiser";
constexpr std::int64_t newest_schema = 1;
constexpr std::size_t numbers_of_step = 2 + 3 * variational_parameters;

std::vector<std::size_t> free_of(const Optimisation& optimisation) {
    std::vector<std::size_t> free;
    for (std::size_t a = 0; a < variational_parameters; ++a)
        if (optimisation.free[a]) free.push_back(a);
    return free;
}

// (S + shift diag S) x = g for the free parameters on which the state depends; the others do not move.
std::array<double, variational_parameters> direction(const Gradient& gradient, const Optimisation& o) {
    std::vector<std::size_t> free = free_of(o);
    std::erase_if(free, [&](std::size_t a) { return gradient.metric[a][a] == 0; });
    if (free.empty()) return {};
    Matrix metric(free.size(), free.size());
    std::vector<double> x;
    for (std::size_t i = 0; i < free.size(); ++i) {
        x.push_back(gradient.energy[free[i]].mean);
        for (std::size_t j = 0; j < free.size(); ++j)
            metric(i, j) = gradient.metric[free[i]][free[j]] * (i == j ? 1 + o.shift : 1.0);
    }
    if (!solve_symmetric(metric, x))
        fail(Status::numerical_error, "vmc.optimiser.shift: ", o.shift,
             " leaves the metric of the parameters singular");
    std::array<double, variational_parameters> all{};
    for (std::size_t i = 0; i < free.size(); ++i) all[free[i]] = x[i];
    return all;
}

void put_optimisation(StateWriter& writer, const Optimisation& o) {
    put_problem(writer, o.problem);
    writer.put("optimisation/free", std::vector<std::int8_t>(o.free.begin(), o.free.end()));
    writer.put("optimisation/steps", o.steps);
    writer.put("optimisation/time", o.time);
    writer.put("optimisation/largest_move", o.largest_move);
    writer.put("optimisation/shift", o.shift);
    writer.put("optimisation/significance", o.significance);
    writer.put("optimisation/quiet_steps", o.quiet_steps);
}

Optimisation get_optimisation(const StateReader& reader) {
    constexpr std::int64_t most = 2147483647;
    Optimisation o;
    o.problem = get_problem(reader);
    const std::vector<std::int8_t> free = reader.get<std::int8_t>("optimisation/free", variational_parameters);
    std::transform(free.begin(), free.end(), o.free.begin(), [](std::int8_t is_free) { return is_free != 0; });
    o.steps = static_cast<int>(reader.get_int("optimisation/steps", -most, most));
    o.time = reader.get_real("optimisation/time");
    o.largest_move = reader.get_real("optimisation/largest_move");
    o.shift = reader.get_real("optimisation/shift");
    o.significance = reader.get_real("optimisation/significance");
    o.quiet_steps = static_cast<int>(reader.get_int("optimisation/quiet_steps", -most, most));
    reader.require_valid([&] { validate(o); });
    return o;
}

}  // namespace

double& parameter_of(PairParameters& pair, std::size_t parameter) {
    switch (static_cast<Parameter>(parameter)) {
        case Parameter::delta:
            return pair.delta;
        case Parameter::mu:
            return pair.mu;
        case Parameter::t_prime:
            return pair.t_prime;
        default:
            return pair.t_double_prime;
    }
}

void validate(const Optimisation& o) {
    Problem problem = o.problem;
    problem.gradients = true;
    validate(problem);
    require_integer("vmc.optimiser.free", static_cast<std::int64_t>(free_of(o).size()), 1, variational_parameters);
    require_integer("vmc.optimiser.steps", o.steps, 1, 1000000);
    require_real("vmc.optimiser.time", o.time, 1e-6, 1e3);
    require_real("vmc.optimiser.largest_move", o.largest_move, 1e-6, 1e3);
    require_real("vmc.optimiser.shift", o.shift, 0, 1e3);
    require_real("vmc.optimiser.significance", o.significance, 0, 100);
    require_integer("vmc.optimiser.quiet_steps", o.quiet_steps, 1, 1000);
}

Optimiser::Optimiser(Context& context, const Optimisation& optimisation)
    : context_(context), optimisation_(optimisation) {
    validate(optimisation);
    optimisation_.problem.gradients = true;
    for (std::size_t a = 0; a < variational_parameters; ++a) next_[a] = parameter_of(optimisation_.problem.pair, a);
}

bool Optimiser::is_quiet(const OptimisationStep& step) const {
    return std::all_of(step.gradient.begin(), step.gradient.end(), [&](const statistics::Estimate& g) {
        return std::abs(g.mean) <= optimisation_.significance * g.error;
    });
}

bool Optimiser::converged() const {
    const auto quiet = static_cast<std::ptrdiff_t>(optimisation_.quiet_steps);
    return std::ssize(steps_) >= quiet &&
           std::all_of(steps_.end() - quiet, steps_.end(), [&](const OptimisationStep& s) { return is_quiet(s); });
}

bool Optimiser::finished() const {
    return converged() || std::ssize(steps_) >= optimisation_.steps;
}

bool Optimiser::advance() {
    const CarryingOn held(carrying_on_, "vmc.optimiser.advance");
    return carry_on({});
}

void Optimiser::run(const ProgressCallback& callback) {
    const CarryingOn held(carrying_on_, "vmc.optimiser.run");
    const RunClock clock;
    std::int64_t before = 0, within = 0;  // sweeps, of all chains: of the steps that have ended, of the one under way
    const auto report = [&] {
        return !callback ||
               callback(clock.progress(steps_.size(), static_cast<std::size_t>(optimisation_.steps), before + within));
    };
    while (!finished()) {
        carry_on([&](const Progress& progress) {
            within = progress.cycles_done;
            return report();
        });
        before += std::exchange(within, 0);
        if (!report()) fail(Status::cancelled, "vmc: stopped by the progress callback");
    }
}

// Every step has random numbers of its own.
bool Optimiser::carry_on(const ProgressCallback& callback) {
    if (finished()) return true;
    Problem problem = optimisation_.problem;
    for (std::size_t a = 0; a < variational_parameters; ++a) parameter_of(problem.pair, a) = next_[a];
    problem.seed = static_cast<std::int64_t>(static_cast<std::uint64_t>(problem.seed) + steps_.size());
    Solver solver(context_, problem);
    solver.run(callback);
    const Gradient gradient = solver.gradient();
    OptimisationStep step{next_, solver.averages().energy, {}};
    for (const std::size_t a : free_of(optimisation_)) step.gradient[a] = gradient.energy[a];
    steps_.push_back(step);
    context_.log(LogLevel::info,
                 text("vmc: step ", steps_.size(), ", delta ", next_[0], ", mu ", next_[1], ", t' ", next_[2], ", t'' ",
                      next_[3], ": energy ", step.energy.mean, " +- ", step.energy.error));
    move(gradient);
    return finished();
}

// The gap keeps its sign: without it the state has another number of divergent amplitudes.
void Optimiser::move(const Gradient& gradient) {
    const double factor = optimisation_.time * static_cast<double>(sites_of(optimisation_.problem.lattice)) / 2;
    std::array<double, variational_parameters> moves = direction(gradient, optimisation_);
    double longest = 0;
    for (double& m : moves) longest = std::max(longest, std::abs(m *= -factor));
    const double shorter = longest > optimisation_.largest_move ? optimisation_.largest_move / longest : 1;
    const double delta = next_[0];
    for (std::size_t a = 0; a < variational_parameters; ++a) next_[a] += shorter * moves[a];
    if (next_[0] / delta < 0.5) next_[0] = delta / 2;
}

std::array<double, variational_parameters> Optimiser::parameters() const {
    if (steps_.empty()) return next_;
    const std::size_t count = converged() ? static_cast<std::size_t>(optimisation_.quiet_steps) : 1;
    std::array<double, variational_parameters> mean{};
    for (std::size_t i = steps_.size() - count; i < steps_.size(); ++i)
        for (std::size_t a = 0; a < variational_parameters; ++a)
            mean[a] += steps_[i].parameters[a] / static_cast<double>(count);
    return mean;
}

// The entries of a state file of method "vmc_optimiser", schema 1: the problem, optimisation/<member of Optimisation>,
// steps, next [4], and for each step its parameters, energy and error, gradient and errors: history [steps][14].
void Optimiser::save(const std::filesystem::path& path) const {
    std::vector<double> history;
    for (const OptimisationStep& step : steps_) {
        history.insert(history.end(), step.parameters.begin(), step.parameters.end());
        history.insert(history.end(), {step.energy.mean, step.energy.error});
        for (const statistics::Estimate& g : step.gradient) history.insert(history.end(), {g.mean, g.error});
    }
    StateWriter writer(method, newest_schema);
    put_optimisation(writer, optimisation_);
    writer.put("steps", static_cast<std::int64_t>(steps_.size()));
    writer.put("next", std::vector<double>(next_.begin(), next_.end()));
    writer.put("history", history);
    writer.commit(path);
}

std::unique_ptr<Optimiser> Optimiser::resume(Context& context, const std::filesystem::path& path) {
    const StateReader reader(path, method, newest_schema);
    auto optimiser = std::make_unique<Optimiser>(context, get_optimisation(reader));
    const auto count = static_cast<std::size_t>(reader.get_int("steps", 0, optimiser->optimisation_.steps));
    const std::vector<double> next = reader.get_reals("next", variational_parameters);
    const std::vector<double> history = reader.get_reals("history", count * numbers_of_step);
    std::copy(next.begin(), next.end(), optimiser->next_.begin());
    for (std::size_t i = 0; i < count; ++i) {
        const double* const numbers = history.data() + i * numbers_of_step;
        OptimisationStep step;
        std::copy_n(numbers, variational_parameters, step.parameters.begin());
        step.energy = {numbers[variational_parameters], numbers[variational_parameters + 1]};
        for (std::size_t a = 0; a < variational_parameters; ++a)
            step.gradient[a] = {numbers[variational_parameters + 2 + 2 * a],
                                numbers[variational_parameters + 3 + 2 * a]};
        optimiser->steps_.push_back(step);
    }
    return optimiser;
}

}  // namespace legato::vmc
