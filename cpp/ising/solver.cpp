#include "ising/solver.hpp"

#include <algorithm>
#include <cmath>

#include "core/comparison.hpp"
#include "core/parallel.hpp"
#include "core/state_header.hpp"
#include "core/validate.hpp"
#include "ising/packed_spins.hpp"
#include "ising/trial.hpp"

namespace legato::ising {
namespace {

constexpr const char* what_needs = "ising.params.extents: lattices and measurements need";

const Problem& checked(const Context& context, const Problem& problem) {
    validate(problem);
    Comparison comparison;
    comparison.add_parameters("ising.params", problem);
    comparison.add("ising.betas", problem.betas);
    comparison.add("ising.seeds", problem.seeds);
    comparison.require_same(context);
    return problem;
}

void require_host(const Context& context, const Model& model, const Sharing& sharing, const Loaded& loaded) {
    require_memory(what_needs, host_needs(model, sharing), 1,
                   free_memory(context, Backend::cpu, loaded.bytes(sharing)));
}

// Throws if the host has too little memory for either backend, before the trial allocates any, or for the chosen one.
BackendChoice chosen(Context& context, const Model& model, const Sharings& shared, const Loaded& loaded,
                     bool in_groups) {
    const bool cpu_needs_less = host_needs(model, shared.cpu).bytes(1) <= host_needs(model, shared.cuda).bytes(1);
    require_host(context, model, cpu_needs_less ? shared.cpu : shared.cuda, loaded);
    Trial trial = trial_of(context, model, shared, loaded);
    if (in_groups) trial.only_on_cpu = "the systems of this run advance one after another";
    const BackendChoice& choice = context.choose_backend(trial);
    if (const std::string why = why_only_on_cpu(model.problem); choice.backend == Backend::cuda && !why.empty())
        fail(Status::invalid_argument, "ising.params.", why, "; set LEGATO_BACKEND to cpu for this run");
    const Sharing& sharing = shared.on(choice.backend);
    require_host(context, model, sharing, loaded);
    require_memory(what_needs, memory_needs(choice.backend, model, sharing), 1,
                   free_memory(context, choice.backend, loaded.bytes(sharing)));
    return choice;
}

}  // namespace

Loaded Solver::loaded(const State* known) {
    if (known == nullptr) return {};
    return {static_cast<std::int64_t>(known->words.size() * sizeof(std::uint32_t)),
            static_cast<std::int64_t>((known->bins.size() + known->sums.size()) * sizeof(double) +
                                      known->series.size() * sizeof(std::int64_t))};
}

Solver::Solver(Context& context, const Problem& problem) : Solver(context, Model(checked(context, problem)), nullptr) {}

// Returns whether a saved run goes on in groups. If the last group is finished, nothing is left to compute.
bool Solver::resumes_in_groups(const State& known) const {
    const bool finished = known.group.end == model_.blocks() && known.sweeps == sweeps_of(problem());
    return known.group.end - known.group.first < model_.blocks() && !finished;
}

Solver::Solver(Context& context, const Model& model, State* known)
    : context_(context),
      model_(model),
      shared_(sharings_of(context, model_)),
      backend_(chosen(context, model_, shared_, loaded(known), known && resumes_in_groups(*known))),
      bins_(model_) {
    if (known && backend_.backend == Backend::cuda && resumes_in_groups(*known))
        fail(Status::invalid_argument,
             "ising.resume: the systems of this run advance one after another, which needs the CPU: set "
             "LEGATO_BACKEND to cpu");
    begin_group(known ? known->group : Group{0, model_.blocks()});
    engine_ = make_engine(context, backend_.backend, model_);
    load(known);
    if (!known) return;
    sweeps_ = known->sweeps;
    acceptance_ = known->acceptance;
    bins_.restore(std::move(known->bins), std::move(known->sums), std::move(known->series));
}

std::int64_t Solver::group_measurements() const {
    return std::max<std::int64_t>(sweeps_ - problem().thermalisation, 0) / problem().sweeps_per_measurement;
}

Systems Solver::systems() const {
    return {model_.first_system(group_.first), model_.first_system(group_.end)};
}

std::int64_t Solver::sweeps_done() const {
    return group_.end == model_.blocks() ? sweeps_ : 0;
}

std::int64_t Solver::measurements_done() const {
    return measurements_done(model_.systems() - 1);
}

std::int64_t Solver::measurements_done(std::size_t system) const {
    require_system(system);
    if (system < systems().first) return measurements_of(problem());
    return system < systems().end ? group_measurements() : 0;
}

std::int64_t Solver::bins_done() const {
    return measurements_done() / problem().measurements_per_bin;
}

std::int64_t Solver::bins_done(std::size_t beta) const {
    require_beta(beta);
    const std::int64_t bins =
        measurements_done((beta + 1) * systems_per_beta(problem()) - 1) / problem().measurements_per_bin;
    return group_.first == 0 || bins == problem().bins ? bins : 0;
}

const AcceptanceCounts& Solver::acceptance() const {
    if (!problem().acceptance)
        fail(Status::invalid_argument, "ising.params.acceptance: 0; the run does not count attempts");
    return acceptance_;
}

Progress Solver::progress() const {
    return {bins_done(), problem().bins, sweeps_ * static_cast<std::int64_t>(model_.systems())};
}

void Solver::prepare(std::string_view call) const {
    if (!is_side_by_side() && !complete())
        fail(Status::invalid_argument, run_name, ".", call,
             ": the systems of this run advance one after another; continue it with ising.advance_system");
    require_same_spins();
}

void Solver::finish() const {
    if (context_.ranks() > 1 && sharing().keeps_words()) take_words();
}

bool Solver::step(Reporter& reporter) {
    if (complete()) return true;
    const std::int64_t before = bins_done();
    const bool thermalising = sweeps_ < problem().thermalisation;
    make_batch();
    if (reporter.is_due()) {
        finish();  // the callback may read spins
        reporter.report();
    }
    return bins_done() > before || thermalising != (sweeps_ < problem().thermalisation);
}

void Solver::advance_system(std::size_t system, std::int64_t measurements, double seconds) {
    run_without_reentry("advance_system", [&] {
        require_system(system);
        require_integer("ising.advance_system.measurements", measurements, 0, measurements_of(problem()));
        Comparison comparison;
        comparison.add("ising.system", system);
        comparison.add("ising.advance_system.measurements", measurements);
        comparison.require_same(context_);
        require_same_spins();
        const RunClock clock;
        if (sweeps_ == 0 && group_.first == 0) begin_group({0, end_after(0)});
        bool is_late = false;
        while (measurements_done(system) < measurements && !is_late) {
            make_batch();
            if (group_bins() == problem().bins && group_.end < model_.blocks())
                begin_group({group_.end, end_after(group_.end)});
            is_late = of_first_rank(context_, clock.seconds() >= seconds);
        }
        finish();
    });
}

// Makes this the current group. Its first sweeps come next.
void Solver::begin_group(Group group) {
    group_ = group;
    sweeps_ = 0;
    sweeps_at_once_ = 1;
}

// Returns the end of the group that follows `done` blocks. A group has at least one block for each thread, so that a
// caller who asks for one system after another soon has the first ones. It has at least half as many blocks as are
// done, so that there are few groups. A caller who spends at least half as long on each system as the library never
// waits. Several parts advance all blocks that are left, because a small group might belong to one of them.
std::size_t Solver::end_after(std::size_t done) const {
    if (backend_.backend == Backend::cuda || sharing().parts > 1) return model_.blocks();
    const auto threads = static_cast<std::size_t>(context_.threads());
    const std::size_t busy = threads == 1 || has_demons(problem().algorithm) ? threads : 4 * threads;
    return std::min(model_.blocks(), done + std::max(busy, done / 2));
}

// Returns the next batch. It ends at the latest with the thermalisation or the current bin, and is short enough for
// progress reports and memory.
Batch Solver::next_batch() const {
    const Problem& p = problem();
    const std::int64_t measured = sweeps_ - p.thermalisation;
    Batch batch{.first_sweep = sweeps_, .first_block = group_.first, .end_block = group_.end};
    if (measured < 0) {
        batch.sweeps = std::min(-measured, sweeps_at_once_);
        return batch;
    }
    batch.draw_demons = p.algorithm != Algorithm::demon_microcanonical;
    const std::int64_t left = p.sweeps_per_measurement - measured % p.sweeps_per_measurement;
    if (left > sweeps_at_once_) {
        batch.sweeps = sweeps_at_once_;
    } else if (left < p.sweeps_per_measurement) {
        batch.sweeps = batch.measure_every = left;
    } else {
        const std::int64_t in_bin = p.measurements_per_bin - group_measurements() % p.measurements_per_bin,
                           in_memory = measurements_at_once(model_, systems().count());
        batch.measure_every = p.sweeps_per_measurement;
        batch.sweeps = batch.measure_every * std::min({in_bin, in_memory, sweeps_at_once_ / batch.measure_every});
    }
    return batch;
}

void Solver::make_batch() {
    require_between_batches(within_batch_, run_name);
    const Batch batch = next_batch();
    const std::int64_t bins_before = group_bins(), measurements_before = group_measurements(),
                       measurements = batch.measure_every > 0 ? batch.sweeps / batch.measure_every : 0;
    const bool adds_up = measurements > 0 && !problem().time_series && engine_->adds_up();
    measured_.resize(adds_up ? 0 : static_cast<std::size_t>(measurements) * systems().count() * model_.values.count);
    std::vector<Systems> divisions;
    if (!adds_up) divisions = engine_->divisions(batch, systems());
    within_batch_ = true;
    words_known_ = false;
    const RunClock clock;
    acceptance_ += adds_up ? engine_->advance_bin(batch, bins_.sums(systems())) : engine_->advance(batch, measured_);
    adapt_to(of_first_rank(context_, clock.seconds()) / static_cast<double>(batch.sweeps));
    sweeps_ += batch.sweeps;
    auto from = std::span<const std::int64_t>(measured_);
    for (const Systems& division : divisions) {
        const std::size_t size = static_cast<std::size_t>(measurements) * division.count() * model_.values.count;
        bins_.add(from.first(size), measurements_before, division, context_.threads());
        from = from.subspan(size);
    }
    if (group_bins() > bins_before) bins_.close(bins_before, systems());
    within_batch_ = false;
    if (bins_done() == problem().bins) {
        finish();  // a logger may read spins
        warn_of_unreliable_errors();
    }
}

// Adapts the length of batches to a tenth of a second, which is short enough for progress reports. The first batches
// are short.
void Solver::adapt_to(double seconds_per_sweep) {
    constexpr double wanted = 0.1;
    constexpr double most = 1e12;
    const double sweeps = std::min({wanted / seconds_per_sweep, 4.0 * static_cast<double>(sweeps_at_once_), most});
    sweeps_at_once_ = std::max<std::int64_t>(static_cast<std::int64_t>(sweeps), 1);
}

void Solver::warn_of_unreliable_errors() const {
    std::vector<Averages> all(problem().betas.size());
    in_parallel(all.size(), context_.threads(), [&](std::size_t beta) { all[beta] = averages(beta); });
    for (std::size_t beta = 0; beta < all.size(); ++beta) {
        const Averages& a = all[beta];
        const auto warn = [&](const std::string& what) {
            context_.log(LogLevel::warning, text("ising: beta ", problem().betas[beta], ": ", what));
        };
        if (energy_is_drawn_once(problem()) && systems_per_beta(problem()) == 1)
            warn(
                "the energy of a single microcanonical system is fixed, so that errors are unknown: take more "
                "replicas or seeds");
        const double time = std::max(a.energy_autocorrelation.mean, a.magnetisation_autocorrelation.mean);
        if (a.is_trapped) {
            warn(
                "systems are trapped: they differ by more than they fluctuate, or the magnetisation does not fit "
                "the field; take a longer thermalisation and longer bins");
        } else if (std::isnan(a.energy_autocorrelation.mean) || std::isnan(a.magnetisation_autocorrelation.mean)) {
            warn(
                "the energy or the magnetisation has not changed, or there are too few bins: autocorrelation times "
                "are unknown, and errors cannot be relied on");
        } else {
            const auto warn_of = [&](const char* part, std::int64_t sweeps) {
                warn(text(part, " of ", sweeps, " sweeps is shorter than 20 autocorrelation times, ",
                          static_cast<std::int64_t>(std::ceil(20 * time))));
            };
            if (a.bins_are_short) warn_of("a bin", problem().measurements_per_bin * problem().sweeps_per_measurement);
            if (a.thermalisation_is_short) warn_of("the thermalisation", problem().thermalisation);
        }
    }
}

Estimates Solver::estimates(std::size_t beta) const {
    return {model_, bins_, beta, bins_done(beta)};
}

Averages Solver::averages(std::size_t beta) const {
    return estimates(beta).averages();
}

CorrelationFunction Solver::correlation_function(std::size_t beta, int axis) const {
    return estimates(beta).correlation_function(axis);
}

statistics::Estimate Solver::correlation_length(std::size_t beta) const {
    return estimates(beta).correlation_length();
}

// Throws if ranks have set different spins.
void Solver::require_same_spins() const {
    if (sweeps_ > 0 || group_.first > 0 || context_.ranks() == 1 || !sharing().keeps_words()) return;
    const std::vector<std::uint64_t> checksums =
        gather_value(context_, state_format::checksum(std::as_bytes(std::span(known_words_))));
    for (std::size_t rank = 1; rank < checksums.size(); ++rank)
        if (checksums[rank] != checksums[0])
            fail(Status::invalid_argument, "ising.spins: rank ", rank,
                 " has other spins than rank 0; every rank calls ising.set_spins with the same spins");
}

void Solver::require_beta(std::size_t beta) const {
    require_index("ising.beta", beta, problem().betas.size());
}

void Solver::require_system(std::size_t system) const {
    require_index("ising.system", system, model_.systems());
}

std::vector<std::int8_t> Solver::spins(std::size_t system) const {
    require_system(system);
    return unpacked_spins(model_, words(), system);
}

void Solver::spins(std::size_t system, std::span<std::int8_t> all) const {
    require_system(system);
    unpack_spins(model_, words(), system, all);
}

void Solver::set_spins(std::size_t system, std::span<const std::int8_t> spins) {
    require_system(system);
    if (sweeps_ > 0 || group_.first > 0)
        fail(Status::invalid_argument, "ising.spins: the run has begun; set spins before its first sweep");
    words();
    pack_spins(model_, spins, known_words_, system);
    engine_->load(known_words_);
}

TimeSeries Solver::time_series(std::size_t system) const {
    const auto count = static_cast<std::size_t>(measurements_done(system));
    TimeSeries series{std::vector<double>(count), std::vector<double>(count)};
    measurements(system, 0, series.magnetisation, series.energy);
    return series;
}

void Solver::measurements(std::size_t system, std::int64_t first, std::span<double> magnetisation,
                          std::span<double> energy) const {
    require_system(system);
    if (!problem().time_series)
        fail(Status::invalid_argument, "ising.params.time_series: 0; the run does not keep measurements");
    const auto sites = static_cast<double>(model_.sites());
    const std::int64_t* const series =
        bins_.series().data() + 2 * (static_cast<std::size_t>(first) * model_.systems() + system);
    // Several threads take them, because the measurements of a system are far apart in memory.
    constexpr std::size_t at_once = 2048;
    const std::size_t count = std::max(magnetisation.size(), energy.size());
    in_parallel((count + at_once - 1) / at_once, context_.threads(), [&](std::size_t piece) {
        for (std::size_t i = piece * at_once; i < std::min(count, (piece + 1) * at_once); ++i) {
            const std::int64_t* const of_system = series + 2 * i * model_.systems();
            const auto m = static_cast<double>(of_system[0]), bonds = static_cast<double>(of_system[1]);
            if (!magnetisation.empty()) magnetisation[i] = m / sites;
            if (!energy.empty()) energy[i] = -(bonds + problem().field * m) / sites;
        }
    });
}

}  // namespace legato::ising
