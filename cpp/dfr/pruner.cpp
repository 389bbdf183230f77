#include "dfr/pruner.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "core/parameter.hpp"
#include "dfr/configuration.hpp"
#include "dfr/elements.hpp"
#include "dfr/large_basis.hpp"
#include "dfr/same_arguments.hpp"

namespace legato::dfr {
namespace {

// delta and gamma at the start.
constexpr WellTempered usual_form{0, 0, 4.0, 0.5};

// Returns a well-tempered group with `count` exponents between the given ends.
WellTempered between(WellTempered parameters, double smallest, double largest, int count) {
    double growth = 0;
    for (int k = 3; k <= count; ++k)
        growth += std::log1p(parameters.gamma * std::pow(static_cast<double>(k) / count, parameters.delta));
    constexpr double rounding = 1e-12;
    const double last = std::min(largest, (1 - rounding) * largest_exponent);
    parameters.alpha = smallest;
    parameters.beta = std::exp((std::log(last / smallest) - growth) / std::max(count - 1, 1));
    return parameters;
}

// Returns true if the largest exponent of an ascending pool is superfluous: an optimisation moves a function that is
// not needed beyond the others. In the sets of all elements the last ratio of neighbours was at most 1.8 times the one
// before it, or with such a function more than 36 times.
bool ends_with_superfluous(const std::vector<double>& pool) {
    constexpr double largest_growth = 12;
    const std::size_t n = pool.size();
    return n >= 3 && pool[n - 1] / pool[n - 2] >= largest_growth * (pool[n - 2] / pool[n - 3]);
}

// Returns one exponent fewer, between the same ends: each is between two of the old ones, which are ascending.
std::vector<double> thinned(const std::vector<double>& exponents) {
    const std::size_t count = exponents.size() - 1;
    std::vector<double> fewer;
    for (std::size_t k = 0; k < count; ++k) {
        const double part = count > 1 ? static_cast<double>(k) / static_cast<double>(count - 1) : 0.5;
        fewer.push_back(std::exp((1 - part) * std::log(exponents[k]) + part * std::log(exponents[k + 1])));
    }
    return fewer;
}

bool is_valid(const GroupedBasis& basis) {
    try {
        validate(basis, "");
    } catch (const Error& error) {
        if (error.status() != Status::invalid_argument) throw;
        return false;
    }
    return true;
}

}  // namespace

GroupedBasis without_one(GroupedBasis basis, std::size_t group) {
    const int count = pool_size(basis, group);
    ExponentGroup& g = basis.groups[group];
    std::vector<double> pool = g.parameters;
    if (g.form != GroupForm::free) pool = well_tempered_exponents(well_tempered_of(g), count);
    const bool becomes_free = g.form == GroupForm::well_tempered && count <= static_cast<int>(g.parameters.size());
    std::sort(pool.begin(), pool.end());
    const bool superfluous = ends_with_superfluous(pool);
    if (superfluous) pool.pop_back();
    if (becomes_free || g.form == GroupForm::free) {
        g = ExponentGroup(GroupForm::free, superfluous ? pool : thinned(pool));
    } else if (superfluous) {  // an even-tempered pool does not end so
        g = between(usual_form, pool.front(), pool.back(), count - 1);
    } else {
        const WellTempered w = between(well_tempered_of(g), pool.front(), pool.back(), count - 1);
        g.parameters[0] = w.alpha;
        g.parameters[1] = w.beta;
    }
    for (std::size_t s = 0; s < basis.ranges.size(); ++s)
        if (basis.group[s] == static_cast<int>(group) && basis.ranges[s].last == count)
            basis.ranges[s].last = count - 1;
    return basis;
}

// The range of exponents is that of large even-tempered sets with an error of 1e-7, and the ratio of neighbours is
// about 2.3. Optimised sets of Z = 1..118 were between 3e-11 and 1.7e-9 above the limit (record
// 2026-11-28-dfr-pruning).
Candidate start_of(const Problem& problem, int element, NuclearModel model, std::int64_t seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(1000 * seed + element));
    const auto factor = [&](double largest) {
        const double number = std::ldexp(static_cast<double>(random() >> 11), -53);  // in [0, 1)
        return seed == 0 ? 1.0 : std::pow(largest, 2 * number - 1);
    };
    Candidate start{make_nucleus(element, model), average_of_configuration(ground_configuration(element)), {}, 0};
    const auto large = large_basis(problem, start.nucleus, start.configuration, {1e-7, 2.3, 1e-8});
    start.basis.group.resize(large.size());
    start.basis.ranges.resize(large.size());
    for (int l = 0; l <= l_of(static_cast<int>(large.size()) - 1); ++l) {
        double smallest = largest_exponent, largest = smallest_exponent;
        int count = 0;
        for (std::size_t s = 0; s < large.size(); ++s) {
            if (l_of(static_cast<int>(s)) != l || large[s].empty()) continue;
            smallest = std::min(smallest, large[s].front());
            largest = std::max(largest, large[s].back());
            count = std::max(count, static_cast<int>(large[s].size()));
        }
        WellTempered form = usual_form;
        form.delta *= factor(2);
        form.gamma *= factor(2);
        smallest *= factor(1.5);
        largest *= factor(1.5);
        start.basis.groups.emplace_back(between(form, smallest, largest, count));
        for (std::size_t s = 0; s < large.size(); ++s) {
            if (l_of(static_cast<int>(s)) != l) continue;
            start.basis.group[s] = l;
            if (!large[s].empty()) start.basis.ranges[s] = {1, count};
        }
    }
    return start;
}

void validate(const PrunerProblem& problem) {
    validate(problem.field);
    require_parameters("dfr.pruner", problem);
    if (problem.field.relativistic && problem.field.kinetic_balance != KineticBalance::extended)
        fail(Status::invalid_argument,
             "dfr.params.kinetic_balance: 0 (restricted), but the sets of a relativistic pruning would collapse; it "
             "needs 1 (extended)");
}

void validate(const PrunerProblem& problem, const Candidate& start, std::string_view field) {
    validate(problem.field, start, field);
    for (std::size_t s = 0; s < start.basis.ranges.size(); ++s) {
        const auto [first, last] = start.basis.ranges[s];
        if (last == 0) continue;
        const int pool = pool_size(start.basis, static_cast<std::size_t>(start.basis.group[s]));
        const std::string name = text("[", name_of(static_cast<int>(s)), "]");
        require_integer(text(field, ".first", name), first, 1, 1);
        require_integer(text(field, ".last", name), last, pool, pool);
    }
}

Pruner::Pruner(Context& context, const PrunerProblem& problem, std::vector<Candidate> starts, const Backends& saved_on)
    : context_(context),
      problem_(problem),
      starts_(std::move(starts)),
      limits_on_(saved_on.limits),
      prunings_(starts_.size()),
      solve_(context, problem.field, Fields::Reads::summaries, saved_on.energies) {
    validate(problem_);
    require_same(context, problem_, starts_);
    require_integer("dfr.pruner.n_atoms", std::ssize(starts_), 1, max_candidates);
    for (std::size_t i = 0; i < starts_.size(); ++i) {
        validate(problem_, starts_[i], text("dfr.candidates[", i, "]"));
        prunings_[i].trials.resize(starts_[i].basis.groups.size());
    }
}

// Steps that change the energy by less than least_tolerance are hidden by rounding errors in some atoms. The error of
// the first set is not known before its optimisation.
OptimiserProblem Pruner::next_problem(std::size_t atom) const {
    constexpr double least_tolerance = 1e-12;
    const std::vector<PrunedSet>& sets = prunings_[atom].sets;
    const double limit = limits_[atom].energy,
                 error = sets.empty() ? 0.0 : (value(atom, sets.back()) - limit) / std::abs(limit);
    OptimiserProblem problem;
    problem.field = problem_.field;
    problem.method = OptimiserMethod::lbfgs;
    problem.max_energies = problem_.max_energies;
    problem.spinor_weight = problem_.spinor_weight;
    problem.energy_tolerance = std::clamp(problem_.tolerance * error, least_tolerance, 1e-3);
    return problem;
}

double Pruner::value(std::size_t atom, const PrunedSet& set) const {
    return value_of(set.energy, set.spinor_error, limits_[atom].energy, problem_.spinor_weight);
}

bool Pruner::is_accurate(std::size_t atom, const PrunedSet& set) const {
    const double limit = limits_[atom].energy;
    return value(atom, set) - limit <= problem_.largest_error * std::abs(limit);
}

// A group of the last set keeps as many functions as its species have shells, and at least one. What remains must be a
// valid basis: its exponents may otherwise become too large by rounding, or the ratio of neighbours too large.
bool Pruner::can_lose(std::size_t atom, std::size_t group) const {
    const GroupedBasis& basis = prunings_[atom].sets.back().basis;
    if (group >= basis.groups.size()) return false;
    int fewest = 1;
    for (std::size_t s = 0; s < basis.ranges.size(); ++s)
        if (basis.group[s] == static_cast<int>(group))
            fewest = std::max(fewest, shells(starts_[atom].configuration, s));
    return pool_size(basis, group) > fewest && is_valid(without_one(basis, group));
}

// Returns the group whose function has the lowest cost, among the groups that can lose one. A function that was never
// removed costs nothing.
std::optional<std::size_t> Pruner::next_trial(std::size_t atom) const {
    const std::vector<Trial>& trials = prunings_[atom].trials;
    std::optional<std::size_t> cheapest;
    for (std::size_t g = 0; g < trials.size(); ++g)
        if (trials[g].cost < (cheapest ? trials[*cheapest].cost : impossible) && can_lose(atom, g)) cheapest = g;
    return cheapest;
}

// Returns the first set, or the next trial.
Candidate Pruner::next_candidate(std::size_t atom) const {
    Candidate candidate = starts_[atom];
    candidate.limit = limits_[atom].energy;
    const Pruning& pruning = prunings_[atom];
    if (!pruning.sets.empty()) candidate.basis = without_one(pruning.sets.back().basis, *next_trial(atom));
    return candidate;
}

void Pruner::begin(std::size_t atom, const std::vector<EnergyRecord>& records) {
    prunings_[atom].optimiser =
        std::make_unique<Optimiser>(context_, next_problem(atom), std::vector{next_candidate(atom)},
                                    Optimiser::Records{records}, std::vector{limits_[atom]});
}

// Notes the result of the optimisation that has ended. An optimisation that has failed at its start has no result.
void Pruner::end(std::size_t atom) {
    Pruning& pruning = prunings_[atom];
    const OptimiserResult result = pruning.optimiser->result(0);
    const bool good = result.status != OptimiserStatus::failed;
    PrunedSet set{result.basis};
    if (good) set = {result.basis, result.energy, result.spinor_error};
    if (pruning.sets.empty()) {
        if (good && is_accurate(atom, set)) pruning.sets.push_back(std::move(set));
    } else {
        const std::size_t group = *next_trial(atom);
        const double cost = good ? value(atom, set) - value(atom, pruning.sets.back()) : impossible;
        set.group = static_cast<int>(group);
        pruning.trials[group] = {cost, true, std::move(set)};
    }
    pruning.energies += result.energies;
    pruning.optimiser.reset();
    accept_trials(atom);
}

// Takes the cheapest trial as the next set, while it is one of the last set. Trials that gave no good energy are worth
// another one then.
void Pruner::accept_trials(std::size_t atom) {
    Pruning& pruning = prunings_[atom];
    pruning.finished = pruning.sets.empty();
    while (!pruning.finished) {
        const auto group = next_trial(atom);
        const bool fresh = group && pruning.trials[*group].fresh;
        if (group && !fresh) return;  // its cost must be calculated again
        if (fresh && is_accurate(atom, pruning.trials[*group].set)) {
            const double cost = pruning.trials[*group].cost;
            pruning.sets.push_back(std::move(pruning.trials[*group].set));
            for (Trial& trial : pruning.trials) trial = {trial.cost == impossible ? cost : trial.cost, false, {}};
        } else {
            pruning.finished = true;
        }
    }
}

bool Pruner::step(Reporter& reporter) {
    const bool compare_spinors = problem_.spinor_weight > 0;
    provide_limits(context_, problem_.field, starts_, compare_spinors, limits_, spinors_, limits_on_);
    std::vector<Atom> atoms;
    std::vector<Start> spinors;
    std::vector<std::size_t> busy;
    for (std::size_t i = 0; i < prunings_.size(); ++i) {
        if (prunings_[i].finished) continue;
        if (!prunings_[i].optimiser && !prunings_[i].sets.empty()) accept_trials(i);  // memory may have run out in it
        if (prunings_[i].finished) continue;
        if (!prunings_[i].optimiser) begin(i);
        prunings_[i].optimiser->ask(atoms);
        spinors.resize(atoms.size(), spinors_[i]);
        busy.push_back(i);
    }
    std::vector<SpinorError> errors(atoms.size());
    if (compare_spinors) errors = spinor_errors(spinors, atoms, context_.threads());
    const std::vector<Solution> solutions = solve_(std::move(atoms), Energies::With::gradients, spinors);
    std::size_t from = 0;
    for (const std::size_t i : busy) {
        Optimiser& optimiser = *prunings_[i].optimiser;
        const std::size_t count = optimiser.asked();
        optimiser.take(std::span(solutions).subspan(from, count), std::span(errors).subspan(from, count));
        from += count;
        ++energies_;
        if (optimiser.finished() > 0) end(i);
    }
    reporter.report();
    return true;
}

std::size_t Pruner::finished() const {
    return static_cast<std::size_t>(
        std::count_if(prunings_.begin(), prunings_.end(), [](const Pruning& pruning) { return pruning.finished; }));
}

// After an error the ranks may have different sets.
std::array<std::int64_t, 2> Pruner::place() const {
    std::int64_t noted = 0;
    for (const Pruning& pruning : prunings_) noted += std::ssize(pruning.sets) + pruning.energies;
    return {noted, energies_};
}

Progress Pruner::progress() const {
    return {static_cast<std::int64_t>(finished()), std::ssize(prunings_), energies_};
}

PrunerResult Pruner::result(std::size_t atom) const {
    require_index("dfr.pruner.index", atom, prunings_.size());
    const Pruning& pruning = prunings_[atom];
    PrunerResult result;
    result.energies = pruning.energies + (pruning.optimiser ? pruning.optimiser->result(0).energies : 0);
    if (!limits_.empty()) result.limit = limits_[atom].energy;
    if (result.energies > 0) result.status = OptimiserStatus::running;
    if (pruning.finished) result.status = pruning.sets.empty() ? OptimiserStatus::failed : OptimiserStatus::converged;
    return result;
}

}  // namespace legato::dfr
