#include "dfr/optimiser_state.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "core/parameter.hpp"
#include "core/state_origin.hpp"
#include "dfr/state_parts.hpp"

namespace legato::dfr {
namespace {

constexpr std::string_view limits_backend = "saved/limits_backend";

template <class Items, class Part>
auto gathered(const Items& items, Part&& part) {
    std::vector<std::decay_t<decltype(part(items.front()))>> values;
    values.reserve(items.size());
    for (const auto& item : items) values.push_back(part(item));
    return values;
}

template <class T>
void append(std::vector<T>& values, const std::vector<T>& more) {
    values.insert(values.end(), more.begin(), more.end());
}

template <class Term>
std::size_t sum(const std::vector<std::int32_t>& counts, Term&& term) {
    std::size_t total = 0;
    for (const std::int32_t count : counts) total += term(static_cast<std::size_t>(count));
    return total;
}

}  // namespace

void put_problem(StateWriter& writer, const OptimiserProblem& problem) {
    put_parameters(writer, problem.field, "field");
    put_parameters(writer, problem, "optimiser");
}

OptimiserProblem get_problem(const StateReader& reader) {
    OptimiserProblem problem;
    get_parameters(reader, problem.field, "field");
    get_parameters(reader, problem, "optimiser");
    reader.require_known("field");
    reader.require_known("optimiser");
    reader.require_valid([&] { validate(problem); });
    return problem;
}

void put_candidates(StateWriter& writer, const std::vector<Candidate>& candidates) {
    writer.put("candidates/count", static_cast<std::int64_t>(candidates.size()));
    const auto put = [&](const char* name, auto&& part) { writer.put(name, gathered(candidates, part)); };
    put("candidates/charge", [](const Candidate& c) { return c.nucleus.charge; });
    put("candidates/model", [](const Candidate& c) { return static_cast<std::int32_t>(c.nucleus.model); });
    put("candidates/radius", [](const Candidate& c) { return c.nucleus.radius; });
    put("candidates/exponent", [](const Candidate& c) { return c.nucleus.exponent; });
    put("candidates/skin", [](const Candidate& c) { return c.nucleus.skin; });
    put("candidates/limit", [](const Candidate& c) { return c.limit; });
    put("candidates/species", [](const Candidate& c) { return static_cast<std::int32_t>(c.basis.ranges.size()); });
    put("candidates/groups", [](const Candidate& c) { return static_cast<std::int32_t>(c.basis.groups.size()); });
    std::vector<std::int32_t> closed, group, first, last, form;
    std::vector<double> electrons, pairs, parameters;
    for (const Candidate& c : candidates) {
        append(closed, c.configuration.closed);
        append(electrons, c.configuration.electrons);
        append(pairs, c.configuration.pairs);
        append(group, c.basis.group);
        for (const ExponentRange& range : c.basis.ranges) {
            first.push_back(range.first);
            last.push_back(range.last);
        }
        for (const ExponentGroup& g : c.basis.groups) {
            form.push_back(static_cast<std::int32_t>(g.form));
            append(parameters, g.parameters);
        }
    }
    writer.put("candidates/closed", closed);
    writer.put("candidates/electrons", electrons);
    writer.put("candidates/pairs", pairs);
    writer.put("candidates/group", group);
    writer.put("candidates/first", first);
    writer.put("candidates/last", last);
    writer.put("candidates/form", form);
    writer.put("candidates/parameters", parameters);
}

namespace {

// Reads groups, ranges and parameters. Version 0.1 wrote no form: its groups are well-tempered.
std::vector<GroupedBasis> get_bases(const StateReader& reader, const std::vector<std::int32_t>& species) {
    const std::size_t all_species = sum(species, [](std::size_t n) { return n; });
    const auto groups = get_counts(reader, "candidates/groups", species.size(), 1, max_symmetries);
    const std::size_t all_groups = sum(groups, [](std::size_t n) { return n; });
    const auto ints = [&](const char* name) { return Parts(reader.get<std::int32_t>(name, all_species)); };
    Parts group = ints("candidates/group"), first = ints("candidates/first");
    Parts last(get_counts(reader, "candidates/last", all_species, 0, max_functions));
    Parts form(reader.has("candidates/form")
                   ? get_counts(reader, "candidates/form", all_groups, 0, static_cast<int>(GroupForm::free))
                   : std::vector<std::int32_t>(all_groups, 0));
    std::vector<GroupedBasis> bases(species.size());
    std::size_t parameters = 0;
    for (std::size_t i = 0; i < bases.size(); ++i) {
        GroupedBasis& basis = bases[i];
        basis.group = group.next(static_cast<std::size_t>(species[i]));
        for (std::int32_t s = 0; s < species[i]; ++s) basis.ranges.push_back({first.next(), last.next()});
        for (std::int32_t g = 0; g < groups[i]; ++g) {
            const auto of_group = static_cast<GroupForm>(form.next());
            basis.groups.emplace_back(of_group, std::vector<double>(parameter_count(
                                                    of_group, pool_size(basis, static_cast<std::size_t>(g)))));
        }
        parameters += parameter_count(basis);
    }
    Parts values(reader.get_reals("candidates/parameters", parameters));
    for (GroupedBasis& basis : bases)
        for (ExponentGroup& g : basis.groups) g.parameters = values.next(g.parameters.size());
    return bases;
}

}  // namespace

// Version 0.1 wrote no skin: it has no Fermi nuclei.
std::vector<Candidate> get_candidates(const StateReader& reader, const OptimiserProblem& problem) {
    const auto count = static_cast<std::size_t>(reader.get_int("candidates/count", 1, max_candidates));
    const auto reals = [&](const char* name, std::size_t length) { return Parts(reader.get_reals(name, length)); };
    Parts charge = reals("candidates/charge", count), radius = reals("candidates/radius", count),
          exponent = reals("candidates/exponent", count), limit = reals("candidates/limit", count);
    Parts model(get_counts(reader, "candidates/model", count, 1, static_cast<int>(NuclearModel::fermi)));
    Parts skin(reader.has("candidates/skin") ? reader.get_reals("candidates/skin", count) : std::vector(count, 0.0));
    const auto species = get_counts(reader, "candidates/species", count, 1, max_symmetries);
    const std::size_t all_species = sum(species, [](std::size_t n) { return n; });
    Parts closed(reader.get<std::int32_t>("candidates/closed", all_species));
    Parts electrons = reals("candidates/electrons", all_species);
    Parts pairs = reals("candidates/pairs", sum(species, [](std::size_t n) { return n * n; }));
    std::vector<GroupedBasis> bases = get_bases(reader, species);
    std::vector<Candidate> candidates(count);
    for (std::size_t i = 0; i < count; ++i) {
        Candidate& c = candidates[i];
        const auto n = static_cast<std::size_t>(species[i]);
        c.nucleus = {charge.next(), static_cast<NuclearModel>(model.next()), radius.next(), exponent.next(),
                     skin.next()};
        if (c.nucleus.model != NuclearModel::fermi) c.nucleus.skin = 0;  // early files of version 0.2 have one
        c.limit = limit.next();
        c.configuration = {closed.next(n), electrons.next(n), pairs.next(n * n)};
        c.basis = std::move(bases[i]);
        reader.require_valid([&] { validate(problem, c, text("candidates[", i, "]")); });
    }
    return candidates;
}

void put_records(StateWriter& writer, const Optimiser::Records& records) {
    std::vector<std::int32_t> count, kind, has_gradient;
    std::vector<double> energy, x, gradient, spinor_error;
    for (const auto& candidate : records) {
        count.push_back(static_cast<std::int32_t>(candidate.size()));
        for (const EnergyRecord& record : candidate) {
            energy.push_back(record.energy);
            spinor_error.push_back(record.spinor_error);
            kind.push_back(static_cast<std::int32_t>(record.kind));
            append(x, record.x);
            has_gradient.push_back(record.gradient.empty() ? 0 : 1);
            append(gradient, record.gradient);
        }
    }
    writer.put("energies/count", count);
    writer.put("energies/energy", energy);
    writer.put("energies/spinor_error", spinor_error);
    writer.put("energies/kind", kind);
    writer.put("energies/x", x);
    if (gradient.empty()) return;
    writer.put("energies/has_gradient", has_gradient);
    writer.put("energies/gradient", gradient);
}

std::vector<double> get_spinor_errors(const StateReader& reader, const std::string& name, std::size_t count,
                                      double spinor_weight) {
    constexpr double rounding = 1e-9;
    const double largest = spinor_weight > 0 ? max_symmetries * max_functions : 0.0;
    std::vector<double> errors = reader.get_reals(name, count);
    for (const double error : errors)
        if (error < (spinor_weight > 0 ? -rounding : 0.0) || error > largest)
            reader.refuse(text("entry ", name, ": found ", error, ", which is no error of spinors"));
    return errors;
}

// Version 0.1 had no weight and wrote no errors of spinors.
Optimiser::Records get_records(const StateReader& reader, const std::vector<Candidate>& candidates,
                               double spinor_weight) {
    const auto count = get_counts(reader, "energies/count", candidates.size(), 0, max_energies);
    const std::size_t energies = sum(count, [](std::size_t n) { return n; });
    Parts energy(reader.get_reals("energies/energy", energies));
    const std::string of_spinors = "energies/spinor_error";
    Parts spinor_error(spinor_weight > 0 || reader.has(of_spinors)
                           ? get_spinor_errors(reader, of_spinors, energies, spinor_weight)
                           : std::vector(energies, 0.0));
    Parts kind(get_counts(reader, "energies/kind", energies, 0, static_cast<int>(EnergyKind::collapsed)));
    const auto has_gradient = reader.has("energies/has_gradient")
                                  ? get_counts(reader, "energies/has_gradient", energies, 0, 1)
                                  : std::vector<std::int32_t>(energies, 0);
    std::size_t variables = 0, derivatives = 0, at = 0;  // the entries are read before memory is allocated for all
    for (std::size_t i = 0; i < candidates.size(); ++i)
        for (std::int32_t e = 0; e < count[i]; ++e) {
            variables += parameter_count(candidates[i].basis);
            if (has_gradient[at++] != 0) derivatives += parameter_count(candidates[i].basis);
        }
    Parts x(reader.get_reals("energies/x", variables));
    Parts gradient(derivatives > 0 ? reader.get_reals("energies/gradient", derivatives) : std::vector<double>());
    Optimiser::Records records(candidates.size());
    at = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        for (std::int32_t e = 0; e < count[i]; ++e) {
            const std::size_t n = parameter_count(candidates[i].basis);
            records[i].push_back({x.next(n), energy.next(), static_cast<EnergyKind>(kind.next()),
                                  gradient.next(has_gradient[at++] != 0 ? n : 0), spinor_error.next()});
        }
    return records;
}

void put_backends(StateWriter& writer, const Backends& backends) {
    if (backends.energies) put_backend(writer, *backends.energies);
    if (backends.limits) put_backend(writer, *backends.limits, limits_backend);
}

Backends get_backends(const StateReader& reader) {
    return {saved_backend(reader, limits_backend), saved_backend(reader)};
}

void require_consistent_kinds(const StateReader& reader, std::size_t candidate, const EnergyBounds& bounds,
                              const std::vector<EnergyRecord>& records) {
    for (const EnergyRecord& record : records)
        if ((record.kind == EnergyKind::good && record.energy < bounds.lowest_good) ||
            (record.kind == EnergyKind::collapsed && record.energy >= bounds.above_collapsed))
            reader.refuse(text("entry energies/energy: found ", record.energy, " of kind ",
                               static_cast<int>(record.kind), " for candidate ", candidate, ", whose limit is ",
                               bounds.limit));
}

namespace {

// Returns true if `floor` can belong to `limit`. It lies slightly below a calculated limit. It never lies below a given
// limit, but it lies above one that is too low.
bool is_floor_of(double limit, double floor, double given) {
    if (given == 0.0) return floor <= limit && floor >= limit * (1 + 1e-6);
    return floor >= limit && (floor < 0 || limit == 0);
}

}  // namespace

void put_limits(StateWriter& writer, std::vector<Limit> limits, std::size_t count) {
    limits.resize(count);
    writer.put("limits/energy", gathered(limits, [](const Limit& limit) { return limit.energy; }));
    writer.put("limits/floor", gathered(limits, [](const Limit& limit) { return limit.floor; }));
}

std::vector<Limit> get_limits(const StateReader& reader, const std::vector<Candidate>& candidates, bool known) {
    const auto energy = reader.get_reals("limits/energy", candidates.size()),
               floor = reader.get_reals("limits/floor", candidates.size());
    std::vector<Limit> limits;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const double given = candidates[i].limit;
        if (energy[i] > 0 || (given != 0 && energy[i] != 0 && energy[i] != given))
            reader.refuse(text("entry limits/energy: found ", energy[i], " at [", i, "], which is no limit"));
        if (!is_floor_of(energy[i], floor[i], given))
            reader.refuse(text("entry limits/floor: found ", floor[i], " at [", i, "] for a limit of ", energy[i]));
        limits.push_back({energy[i], floor[i]});
        known = known || energy[i] != 0.0;
    }
    return known ? limits : std::vector<Limit>();
}

// A limit that cannot be calculated is 0, and its candidate fails at the start.
void require_judged_by(const StateReader& reader, std::size_t candidate, const Limit& limit,
                       const std::vector<EnergyRecord>& records) {
    const bool failed = records.size() == 1 && records[0].kind == EnergyKind::failed;
    if (limit.energy == 0 && !records.empty() && !failed)
        reader.refuse(text("entry limits/energy: found 0 at [", candidate, "], which is no limit"));
    require_consistent_kinds(reader, candidate, {limit.energy, limit.floor, limit.floor}, records);
}

// Saves the entries of dfr/optimiser_state.hpp and those of the optimiser itself: limits/energy, floor [N]. They are 0
// before they are known, and if there is no limit.
void Optimiser::write(StateWriter& writer) const {
    put_problem(writer, problem_);
    put_candidates(writer, candidates_);
    put_records(writer, records_);
    put_limits(writer, limits_, candidates_.size());
    put_backends(writer, backends());
    put_rounding(writer);
}

std::unique_ptr<Optimiser> Optimiser::read(Context& context, const StateReader& reader) {
    const OptimiserProblem problem = get_problem(reader);
    std::vector<Candidate> candidates = get_candidates(reader, problem);
    const Records records = get_records(reader, candidates, problem.spinor_weight);
    const bool begun = std::any_of(records.begin(), records.end(), [](const auto& of) { return !of.empty(); });
    std::vector<Limit> limits = get_limits(reader, candidates, begun);
    for (std::size_t i = 0; i < limits.size(); ++i) require_judged_by(reader, i, limits[i], records[i]);
    auto optimiser = std::make_unique<Optimiser>(context, problem, std::move(candidates), records, std::move(limits),
                                                 get_backends(reader));
    warn_of_other_rounding(context, "dfr", saved_rounding(reader));
    return optimiser;
}

}  // namespace legato::dfr
