// Saving and resuming. The entries of a state file of method "vmc_optimiser", schema 2: those of problem_state.hpp, and
//     optimisation/<member of OptimiserParams>, seeds_of_steps
//     steps, stages [steps]
//     history [steps][30]    parameters, energy and error, gradient and errors, their covariance
//     next [4], stage, level    of the next step
//     n_planned, planned [n_planned][4]    points of a survey after the next one
// Schema 1 has no optimisation/seeds_of_steps, which is then taken as 1: the optimisation continues with the random
// numbers that it began with.
#include <algorithm>
#include <string_view>

#include "core/parameter.hpp"
#include "core/state_origin.hpp"
#include "vmc/optimiser.hpp"
#include "vmc/problem_state.hpp"

namespace legato::vmc {
namespace {

constexpr std::size_t numbers_of_step = 2 + (3 + variational_parameters) * variational_parameters;

Optimisation get_optimisation(const StateReader& reader) {
    Optimisation optimisation;
    optimisation.problem = get_problem(reader);
    get_parameters(reader, optimisation, "optimisation");
    optimisation.seeds_of_steps = reader.schema() < 2 || reader.get_int("optimisation/seeds_of_steps", 0, 1) != 0;
    reader.require_known("optimisation");
    reader.require_valid([&] { validate(optimisation); });
    return optimisation;
}

}  // namespace

void Optimiser::put_history(StateWriter& writer) const {
    std::vector<double> history;
    std::vector<std::int64_t> stages;
    for (const OptimisationStep& step : steps_) {
        stages.push_back(static_cast<std::int64_t>(step.stage));
        history.insert(history.end(), step.parameters.begin(), step.parameters.end());
        history.insert(history.end(), {step.energy.mean, step.energy.error});
        for (const statistics::Estimate& g : step.gradient) history.insert(history.end(), {g.mean, g.error});
        for (const auto& row : step.covariance) history.insert(history.end(), row.begin(), row.end());
    }
    writer.put("steps", static_cast<std::int64_t>(steps_.size()));
    writer.put("stages", stages);
    writer.put("history", history);
}

void Optimiser::write(StateWriter& writer) const {
    std::vector<double> planned;
    for (const Parameters& point : planned_) planned.insert(planned.end(), point.begin(), point.end());
    put_problem(writer, optimisation_.problem);
    put_parameters(writer, optimisation_, "optimisation");
    writer.put("optimisation/seeds_of_steps", static_cast<int>(optimisation_.seeds_of_steps));
    put_history(writer);
    writer.put("next", std::vector<double>(next_.begin(), next_.end()));
    writer.put("stage", static_cast<int>(stage_));
    writer.put("level", level_);
    writer.put("n_planned", static_cast<std::int64_t>(planned_.size()));
    writer.put("planned", planned);
    put_rounding(writer);
}

void Optimiser::get_history(const StateReader& reader) {
    const auto count = static_cast<std::size_t>(reader.get_int("steps", 0, optimisation_.steps));
    const std::vector<std::int64_t> stages = reader.get_ints("stages", count);
    const std::vector<double> history = reader.get_reals("history", count * numbers_of_step);
    for (std::size_t i = 0; i < count; ++i) {
        const double* numbers = history.data() + i * numbers_of_step;
        OptimisationStep step;
        for (double& p : step.parameters) p = *numbers++;
        for (double* e : {&step.energy.mean, &step.energy.error}) *e = *numbers++;
        for (statistics::Estimate& g : step.gradient)
            for (double* e : {&g.mean, &g.error}) *e = *numbers++;
        for (auto& row : step.covariance)
            for (double& c : row) c = *numbers++;
        if (stages[i] < 0 || stages[i] > 2) reader.refuse(text("entry stages: ", stages[i], " is not a stage"));
        step.stage = static_cast<Stage>(stages[i]);
        steps_.push_back(step);
    }
}

std::unique_ptr<Optimiser> Optimiser::read(Context& context, const StateReader& reader) {
    auto optimiser = std::make_unique<Optimiser>(context, get_optimisation(reader));
    optimiser->get_history(reader);
    const std::vector<double> next = reader.get_reals("next", variational_parameters);
    std::copy(next.begin(), next.end(), optimiser->next_.begin());
    optimiser->stage_ = static_cast<Stage>(reader.get_int("stage", 0, 2));
    optimiser->level_ = static_cast<int>(reader.get_int("level", 0, highest_optimisation_level));
    const auto points = static_cast<std::size_t>(reader.get_int("n_planned", 0, 2 * variational_parameters - 1));
    const std::vector<double> planned = reader.get_reals("planned", points * variational_parameters);
    optimiser->planned_.resize(points);
    for (std::size_t i = 0; i < planned.size(); ++i)
        optimiser->planned_[i / variational_parameters][i % variational_parameters] = planned[i];
    optimiser->check_stages(reader);
    optimiser->converged_ = of_first_rank(context, optimiser->has_converged());
    warn_of_other_rounding(context, "vmc", saved_rounding(reader));
    return optimiser;
}

// Refuses a file whose surveys are incomplete. The points of a survey come in pairs, on either side of its centre along
// each direction. The next point of the current survey is stored apart from the points planned after it.
void Optimiser::check_stages(const StateReader& reader) const {
    const std::size_t most =
        2 * static_cast<std::size_t>(std::count(optimisation_.free.begin(), optimisation_.free.end(), true));
    const auto require_pairs = [&](std::size_t points) {
        if (points % 2 != 0 || points > most)
            reader.refuse(text("entry stages: a survey of ", points, " points, expected an even number up to ", most));
    };
    std::size_t points = 0;
    for (const OptimisationStep& step : steps_) {
        if (step.stage == Stage::survey) {
            ++points;
        } else {
            require_pairs(points);
            points = 0;
        }
    }
    if (stage_ == Stage::survey)
        points += 1 + planned_.size();
    else if (!planned_.empty())
        reader.refuse(text("entry n_planned: found ", planned_.size(), ", expected 0 outside of a survey"));
    require_pairs(points);
    if (stage_ == Stage::refinement && !latest_survey())
        reader.refuse("entry stage: a refinement without a survey before");
}

}  // namespace legato::vmc
