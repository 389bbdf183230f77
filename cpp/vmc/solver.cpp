#include "vmc/solver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/larger.hpp"
#include "core/parallel.hpp"
#include "core/validate.hpp"
#include "core/work_parts.hpp"
#include "vmc/chain.hpp"
#include "vmc/trial.hpp"

namespace legato::vmc {
namespace {

void require_memory_for(const Problem& problem, const MemoryNeeds& needs, const MemoryLimit& limit) {
    require_memory(text("vmc.params.chains: ", problem.chains, " chains need"), needs, problem.chains, limit);
}

// Returns the correlation coefficient of two series of bins.
double correlation(const std::vector<double>& a, const std::vector<double>& b) {
    const double mean_a = statistics::mean_of(a).mean, mean_b = statistics::mean_of(b).mean;
    double aa = 0, bb = 0, ab = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        aa += (a[i] - mean_a) * (a[i] - mean_a);
        bb += (b[i] - mean_b) * (b[i] - mean_b);
        ab += (a[i] - mean_a) * (b[i] - mean_b);
    }
    return ab == 0 ? 0.0 : ab / std::sqrt(aa * bb);
}

// Rounding error of a variance <x^2> - <x>^2, relative to <x^2>.
constexpr double rounding = 1e-12;

// Sets the results of a parameter to 0. Its O is the same in all configurations, so that it changes only the norm of
// Psi.
void leave_out(Gradient& gradient, std::size_t parameter) {
    gradient.energy[parameter] = statistics::exactly_zero;
    for (std::size_t b = 0; b < variational_parameters; ++b)
        for (ParameterMatrix* m : {&gradient.covariance, &gradient.metric}) (*m)[parameter][b] = (*m)[b][parameter] = 0;
}

statistics::Estimate binned(const std::vector<double>& means, std::size_t chains, bool is_sampled) {
    statistics::Estimate estimate = statistics::binning(means, chains).estimate;
    if (!is_sampled) estimate.error = statistics::unknown;
    return estimate;
}

void forget_errors(Averages& a) {
    for (statistics::Estimate* e : {&a.energy, &a.kinetic_up, &a.kinetic_down, &a.kinetic, &a.exchange, &a.spin_spin,
                                    &a.density_density, &a.variance})
        e->error = statistics::unknown;
    a.autocorrelation_sweeps = statistics::unknown;
}

// Collective.
int workers_of(const Context& context, Backend backend) {
    const std::int64_t here = backend == Backend::cuda ? std::ssize(context.devices()) : context.threads();
    const std::vector<std::int64_t> all = gather_value(context, here);
    return static_cast<int>(
        std::min<std::int64_t>(std::accumulate(all.begin(), all.end(), std::int64_t{0}), max_chains));
}

}  // namespace

Problem Solver::checked(const Context& context, const Problem& problem) {
    validate(problem);
    Comparison comparison;
    add_problem(comparison, problem);
    comparison.require_same(context);
    require_memory_for(problem, host_needs(problem, context.ranks()), free_memory(context, Backend::cpu));
    return problem;
}

Solver::Solver(Context& context, const Problem& problem) : Solver(context, problem, nullptr) {}

Solver::Solver(Context& context, const Problem& problem, const State* known)
    : context_(context), model_(checked(context, problem)) {
    backend_ = context.choose_backend(trial_of(context, model_), known ? known->backend : std::nullopt);
    require_memory_for(problem, memory_needs(backend_.backend, problem, parts_of(context, backend_.backend)),
                       free_memory(context, backend_.backend));
    engine_ = make_engine(context, backend_.backend, model_);
    workers_ = workers_of(context, backend_.backend);
    intervals_.assign(static_cast<std::size_t>(problem.chains), problem.recompute_interval);
    sums_.assign(static_cast<std::size_t>(problem.chains) * local_values_of(problem), 0.0);
    engine_->load(known ? known->sites : first_sites());
    bins_.reserve(static_cast<std::size_t>(problem.bins) * sums_.size());
    begin_group(known ? known->group : Group{0, problem.chains});
    if (!known) return;
    sweeps_ = known->sweeps;
    intervals_ = known->intervals;
    next_chain_ = known->next_chain;
    largest_drift_ = known->largest_drift;
    moves_ = known->moves;
    bins_.assign(known->bins.begin(), known->bins.end());
    sums_ = known->sums;
}

std::vector<std::int32_t> Solver::first_sites() const {
    const std::size_t pairs = model_.pairs(), chains = static_cast<std::size_t>(problem().chains);
    std::vector<std::int32_t> sites(chains * 2 * pairs);
    const WorkParts parts(context_, Backend::cpu);
    const WorkParts::Range own = parts.range_here(chains);
    in_parallel(own.size(), context_.threads(), [&](std::size_t number) {
        const std::size_t i = own.first + number;
        const Configuration c = start_of(model_, static_cast<std::uint32_t>(i));
        std::copy_n(c.up.begin(), pairs, sites.begin() + static_cast<std::ptrdiff_t>(2 * i * pairs));
        std::copy_n(c.down.begin(), pairs, sites.begin() + static_cast<std::ptrdiff_t>((2 * i + 1) * pairs));
    });
    parts.gather_rows(std::span(sites), chains);
    return sites;
}

const std::vector<std::int32_t>& Solver::electron_sites() const {
    if (sites_known_) return known_sites_;
    known_sites_.resize(static_cast<std::size_t>(problem().chains) * 2 * model_.pairs());
    engine_->store(known_sites_);
    sites_known_ = true;
    return known_sites_;
}

std::int64_t Solver::group_bins() const {
    return std::max<std::int64_t>(sweeps_ - problem().thermalisation, 0) / problem().sweeps_per_bin;
}

std::int64_t Solver::bins_done(std::size_t chain) const {
    if (chain < static_cast<std::size_t>(group_.first)) return problem().bins;
    return chain < static_cast<std::size_t>(group_.end) ? group_bins() : 0;
}

std::int64_t Solver::bins_done() const {
    const std::int64_t bins = bins_done(static_cast<std::size_t>(problem().chains) - 1);
    return group_.first == 0 || bins == problem().bins ? bins : 0;
}

std::int64_t Solver::sweeps_done() const {
    return group_.end == problem().chains ? sweeps_ : 0;
}

std::int64_t Solver::recompute_interval() const {
    return *std::min_element(intervals_.begin(), intervals_.end());
}

Progress Solver::progress() const {
    return {bins_done(), problem().bins, sweeps_ * problem().chains};
}

void Solver::prepare(std::string_view call) const {
    if (!is_side_by_side() && !complete())
        fail(Status::invalid_argument, run_name, ".", call,
             ": the chains of this run advance one after another; continue it with vmc.advance_chain");
}

bool Solver::step(Reporter& reporter) {
    if (complete()) return true;
    const std::int64_t before = bins_done();
    const bool thermalising = sweeps_ < problem().thermalisation;
    make_batch();
    reporter.report_if_due();
    return bins_done() > before || thermalising != (sweeps_ < problem().thermalisation);
}

void Solver::advance_chain(std::size_t chain, double seconds) {
    run_without_reentry("advance_chain", [&] {
        require_index("vmc.chain", chain, static_cast<std::size_t>(problem().chains));
        Comparison comparison;
        comparison.add("vmc.chain", chain);
        comparison.require_same(context_);
        const RunClock clock;
        if (sweeps_ == 0 && next_chain_ == 0 && group_.first == 0) begin_group({0, end_after(0)});
        while (bins_done(chain) < problem().bins) {
            make_batch();
            if (group_bins() == problem().bins && group_.end < problem().chains)
                begin_group({group_.end, end_after(group_.end)});
            if (of_first_rank(context_, clock.seconds() >= seconds)) return;
        }
    });
}

void Solver::begin_group(Group group) {
    group_ = group;
    next_chain_ = group.first;
    sweeps_ = 0;
}

// Returns the end of the group that follows `done` chains. The rule is that of end_after() in ising/solver.cpp.
int Solver::end_after(int done) const {
    if (backend_.backend == Backend::cuda) return problem().chains;
    return std::min(problem().chains, done + std::max(workers_, done / 2));
}

// Returns the number of sweeps to the end of the thermalisation or of the current bin.
std::int64_t Solver::left_of_phase() const {
    const std::int64_t measured = sweeps_ - problem().thermalisation, bin = problem().sweeps_per_bin;
    return measured < 0 ? -measured : bin - measured % bin;
}

SweepCost Solver::sweep_cost() const {
    return backend_.backend == Backend::cuda ? cuda_sweep(model_) : cpu_sweep(model_);
}

// Returns the number of sweeps in a batch. A batch takes about `seconds`, so that threads seldom wait for each other.
// It has at least `often` sweeps if a single chain makes them within `longest`, so that inverses are not recomputed too
// often. A batch longer than recompute_interval is a multiple of it. The number depends only on the problem and the
// backend, because inverses are recomputed at the end of each batch.
std::int64_t Solver::sweeps_at_once() const {
    constexpr double seconds = 0.1, longest = 0.5;  // time on one thread or on a device
    constexpr double often = 20, most_attempts = 1 << 30;
    const SweepCost sweep = sweep_cost();
    const double least = std::clamp(longest / sweep.alone, 1.0, often),
                 wanted = std::clamp(seconds / sweep.of(problem().chains), least,
                                     std::max(most_attempts / static_cast<double>(model_.attempts_per_sweep()), 1.0));
    const auto sweeps = static_cast<std::int64_t>(wanted);
    const std::int64_t interval = problem().recompute_interval;
    return sweeps >= interval ? sweeps / interval * interval : sweeps;
}

// Returns the number of chains per launch. It is kept small so that progress is reported several times a second; it
// does not change the results.
int Solver::chains_at_once(std::int64_t sweeps) const {
    constexpr double seconds = 0.5;
    const double together = workers_,
                 chains = seconds * together / (static_cast<double>(sweeps) * sweep_cost().of_many);
    return static_cast<int>(std::clamp(chains, together, static_cast<double>(max_chains)));
}

void Solver::make_batch() {
    require_between_batches(within_batch_, run_name);
    const std::int64_t left = left_of_phase();
    Batch batch{sweeps_, std::min(sweeps_at_once(), left), intervals_, sweeps_ >= problem().thermalisation};
    batch.first_chain = next_chain_;
    batch.chains = std::min(chains_at_once(batch.sweeps), group_.end - next_chain_);
    within_batch_ = true;
    const BatchReport report = engine_->advance(batch, sums_);
    within_batch_ = false;
    sites_known_ = false;
    moves_ += report.moves;
    next_chain_ += batch.chains;
    if (next_chain_ == group_.end) {
        next_chain_ = group_.first;
        sweeps_ += batch.sweeps;
        if (batch.measure && batch.sweeps == left) close_bin();
    }
    adapt_intervals(report.drifts, batch.first_chain);  // logging comes last because it may fail
    if (next_chain_ == group_.first && bins_done() == problem().bins) warn_of_unreliable_errors();
}

// Appends the completed bin. If chains go by groups, the first group makes room for all chains.
void Solver::close_bin() {
    const std::size_t values = local_values_of(problem()),
                      begin = static_cast<std::size_t>(group_bins() - 1) * sums_.size(),
                      first = static_cast<std::size_t>(group_.first) * values,
                      count = static_cast<std::size_t>(group_.end - group_.first) * values;
    if (bins_.size() < begin + sums_.size()) bins_.resize(begin + sums_.size());
    std::copy_n(sums_.data() + first, count, bins_.data() + begin + first);
    std::fill_n(sums_.data() + first, count, 0.0);
}

// Halves the interval of each chain that has drifted too far. Only a chain's own drift decides about its interval, so
// that no chain depends on another. The log gets one line, for the chain that has drifted farthest.
void Solver::adapt_intervals(const std::vector<double>& drifts, int first_chain) {
    std::int64_t* const intervals = intervals_.data() + first_chain;
    std::size_t farthest = 0;
    for (std::size_t i = 0; i < drifts.size(); ++i) {
        if (!std::isnan(drifts[farthest]) && !(drifts[i] <= drifts[farthest])) farthest = i;
        largest_drift_ = larger(largest_drift_, drifts[i]);
    }
    const bool is_shortest = intervals[farthest] == 1;
    for (std::size_t i = 0; i < drifts.size(); ++i)
        if (!(drifts[i] <= problem().drift_bound)) intervals[i] = std::max<std::int64_t>(intervals[i] / 2, 1);
    const double drift = drifts[farthest];
    if (drift <= problem().drift_bound) return;
    if (is_shortest)
        context_.log(LogLevel::warning, text("vmc: an inverse has drifted by ", drift, " within one sweep"));
    else
        context_.log(LogLevel::info,
                     text("vmc: an inverse of chain ", first_chain + static_cast<int>(farthest), " has drifted by ",
                          drift, ", more than vmc.params.drift_bound, ", problem().drift_bound,
                          ": from now on it is recomputed after ", intervals[farthest], " sweeps"));
}

std::vector<double> Solver::bin_means(Observable observable) const {
    return bin_means_of(static_cast<std::size_t>(observable));
}

std::vector<double> Solver::bin_means(Observable observable, std::size_t chain) const {
    std::vector<double> means;
    append_bin_means(static_cast<std::size_t>(observable), chain, means);
    return means;
}

std::vector<double> Solver::bin_means_of(std::size_t value) const {
    std::vector<double> means;
    for (std::size_t chain = 0; chain < static_cast<std::size_t>(problem().chains); ++chain)
        append_bin_means(value, chain, means);
    return means;
}

void Solver::append_bin_means(std::size_t value, std::size_t chain, std::vector<double>& means) const {
    const auto chains = static_cast<std::size_t>(problem().chains), bins = static_cast<std::size_t>(bins_done(chain));
    const std::size_t values = local_values_of(problem());
    const auto sweeps = static_cast<double>(problem().sweeps_per_bin);
    for (std::size_t bin = 0; bin < bins; ++bin)
        means.push_back(bins_[(bin * chains + chain) * values + value] / sweeps);
}

Gradient Solver::gradient() const {
    if (!problem().gradients)
        fail(Status::invalid_argument, "vmc.params.gradients: 0; the run has not measured gradients");
    Gradient gradient;
    if (bins_done() == 0) return gradient;
    const auto chains = static_cast<std::size_t>(problem().chains);
    const std::vector<double> energy = bin_means(Observable::energy);
    const auto mean = [](const std::vector<double>& values) { return statistics::mean_of(values).mean; };
    const double mean_energy = mean(energy);
    std::array<double, variational_parameters> means{};
    std::array<std::vector<double>, variational_parameters>
        linear;  // change of the gradient by each bin, to first order
    for (std::size_t a = 0; a < variational_parameters; ++a) {
        const std::vector<double> o = bin_means_of(index_of_derivative(a));
        const std::vector<double> slope = bin_means_of(index_of_energy_slope(a));
        std::vector<double> product = bin_means_of(index_of_energy_derivative(a));
        for (std::size_t i = 0; i < o.size(); ++i) product[i] += slope[i];
        std::vector<double> all;
        for (std::size_t i = 0; i < o.size(); ++i) all.insert(all.end(), {product[i], energy[i], o[i]});
        gradient.energy[a] =
            statistics::jackknife(all, 3, [](std::span<const double> m) { return 2 * (m[0] - m[1] * m[2]); });
        means[a] = mean(o);
        linear[a] = product;
        for (std::size_t i = 0; i < o.size(); ++i)
            linear[a][i] = 2 * (product[i] - mean_energy * o[i] - means[a] * energy[i]);
        // The error is that of binning(), because bins may be short and correlated.
        gradient.energy[a].error = statistics::binning(linear[a], chains).estimate.error;
        for (std::size_t b = 0; b <= a; ++b)
            gradient.covariance[a][b] = gradient.covariance[b][a] = gradient.energy[a].error *
                                                                    gradient.energy[b].error *
                                                                    (a == b ? 1.0 : correlation(linear[a], linear[b]));
        for (std::size_t b = 0; b <= a; ++b)
            gradient.metric[a][b] = gradient.metric[b][a] =
                mean(bin_means_of(index_of_derivatives(a, b))) - means[a] * means[b];
    }
    for (std::size_t a = 0; a < variational_parameters; ++a) {
        gradient.rounding[a] = rounding * (gradient.metric[a][a] + means[a] * means[a]);
        if (gradient.metric[a][a] <= gradient.rounding[a]) leave_out(gradient, a);
        if (problem().gradients_by[a] && !has_sampled()) gradient.energy[a].error = statistics::unknown;
    }
    return gradient;
}

// Returns the structure factors at the wave vectors of the periodic cluster. Spin and charge correlations are periodic
// for any boundary conditions of the electrons.
StructureFactors Solver::structure_factors() const {
    if (!problem().correlations)
        fail(Status::invalid_argument, "vmc.params.correlations: 0; the run has not measured structure factors");
    StructureFactors factors;
    if (bins_done() == 0) return factors;
    Lattice lattice = problem().lattice;
    lattice.boundary = {Boundary::periodic, Boundary::periodic};
    const Geometry periodic(lattice);
    const std::size_t sites = periodic.sites(), first = index_of_correlations(problem());
    const double density = problem().electrons / static_cast<double>(sites);
    const bool is_sampled = has_sampled();
    std::vector<std::vector<double>> spin, charge;
    for (std::size_t r = 0; r < sites; ++r) {
        spin.push_back(bin_means_of(first + r));
        charge.push_back(bin_means_of(first + sites + r));
        for (double& value : charge.back()) value -= density * density;
    }
    for (std::size_t q = 0; q < sites; ++q) {
        const auto of = [&](const std::vector<std::vector<double>>& correlations) {
            std::vector<double> sums(correlations[0].size());
            for (std::size_t r = 0; r < sites; ++r) {
                const double cosine = std::cos(periodic.phase(q, r));
                for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += cosine * correlations[r][i];
            }
            return binned(sums, static_cast<std::size_t>(problem().chains), is_sampled);
        };
        factors.wave_vectors.push_back(periodic.wave_vector(q));
        if (factors.wave_vectors.back() == std::array<double, 2>{}) {  // total spin and charge are fixed
            factors.spin.push_back(statistics::exactly_zero);
            factors.charge.push_back(statistics::exactly_zero);
            continue;
        }
        factors.spin.push_back(of(spin));
        factors.charge.push_back(of(charge));
    }
    return factors;
}

PairCorrelations Solver::pair_correlations() const {
    if (!problem().pair_correlations)
        fail(Status::invalid_argument, "vmc.params.pair_correlations: 0; the run has not measured pair correlations");
    PairCorrelations pairs;
    if (bins_done() == 0) return pairs;
    const std::size_t sites = model_.geometry.sites(), first = index_of_pair_correlations(problem());
    const auto chains = static_cast<std::size_t>(problem().chains);
    const bool is_sampled = has_sampled();
    for (std::size_t r = 0; r < sites; ++r)
        for (std::size_t ab = 0; ab < 4; ++ab)
            pairs.f[ab / 2][ab % 2].push_back(binned(bin_means_of(first + ab * sites + r), chains, is_sampled));
    return pairs;
}

Averages Solver::averages() const {
    const auto chains = static_cast<std::size_t>(problem().chains);
    const auto of = [&](const std::vector<double>& means) { return statistics::binning(means, chains).estimate; };
    const std::vector<double> up = bin_means(Observable::kinetic_up), down = bin_means(Observable::kinetic_down);
    const std::vector<double> energy = bin_means(Observable::energy), squares = bin_means(Observable::energy_squared);
    // `linear`: change of the variance by each bin, to first order.
    std::vector<double> both, energy_and_square, linear;
    const double mean_energy = statistics::mean_of(energy).mean;
    for (std::size_t i = 0; i < up.size(); ++i) {
        both.push_back(up[i] + down[i]);
        energy_and_square.insert(energy_and_square.end(), {energy[i], squares[i]});
        linear.push_back(squares[i] - 2 * mean_energy * energy[i]);
    }
    Averages a;
    a.bins_done = bins_done();
    a.moves = moves_;
    a.largest_drift = largest_drift_;
    a.recompute_interval = recompute_interval();
    if (a.bins_done == 0) return a;
    const statistics::Binning of_energy = statistics::binning(energy, chains);
    a.energy = of_energy.estimate;
    a.chains_differ = of_energy.series_differ;
    a.kinetic_up = of(up);
    a.kinetic_down = of(down);
    a.kinetic = of(both);
    a.exchange = of(bin_means(Observable::exchange));
    a.spin_spin = of(bin_means(Observable::spin_spin));
    a.density_density = of(bin_means(Observable::density_density));
    a.variance = statistics::jackknife(energy_and_square, 2,
                                       [](std::span<const double> mean) { return mean[1] - mean[0] * mean[0]; });
    a.variance.error = of(linear).error;  // bins may be short and correlated
    const auto measured = static_cast<double>(energy.size()) * static_cast<double>(problem().sweeps_per_bin);
    if (a.variance.mean > 0)
        a.autocorrelation_sweeps = a.energy.error * a.energy.error * measured / (2 * a.variance.mean);
    if (!has_sampled()) forget_errors(a);
    a.bins_are_short = !(static_cast<double>(problem().sweeps_per_bin) >= 20 * a.autocorrelation_sweeps);
    return a;
}

// Returns whether the chains also visit the configurations that the Hamiltonian reaches from the visited ones. The
// kinetic energy is the sum over C of Psi(C) (H Psi)(C), to which both ends of a hop contribute half. If Psi is tiny at
// one end, a run that never goes there misses that half, and the spread of its data does not show it. The hops to
// neighbours are those of t, and the exchanges with neighbours those of J.
bool Solver::has_sampled() const {
    const std::int64_t accepted =
        moves_.hops_accepted[0] + moves_.hops_accepted[1] + moves_.exchanges_accepted[0] + moves_.exchanges_accepted[1];
    if (accepted == 0 || bins_done() * problem().sweeps_per_bin * problem().chains <= 1) return false;
    // Least number of attempts for the test `rare`. With fewer attempts only an acceptance of 0 is below one in a
    // hundred.
    constexpr std::int64_t telling = 100;
    const auto rare = [](auto taken, auto tried) { return taken < 100 && taken < tried / 100; };
    const bool hops = problem().couplings.t != 0, exchanges = problem().couplings.j != 0;
    if ((hops && rare(moves_.hops_accepted[1], moves_.hops[1])) ||
        (exchanges && rare(moves_.exchanges_accepted[1], moves_.exchanges[1])))
        return false;
    const bool hops_tell = !hops || moves_.hops[1] >= telling,
               exchanges_tell = !exchanges || moves_.exchanges[1] >= telling;
    if (hops_tell && exchanges_tell) return true;
    if (within_batch_) return false;  // the engine has failed, and the electrons' sites are unknown
    const NeighbourMoves m = expected_moves();
    return !(!hops_tell && rare(m.hops_accepted, m.hops)) &&
           !(!exchanges_tell && rare(m.exchanges_accepted, m.exchanges));
}

// Estimates how many moves to neighbours the run has made, from the chains' present configurations. Attempts to any
// site also lead to neighbours, by chance; their number is estimated and added to that of the attempts to neighbours.
NeighbourMoves Solver::expected_moves() const {
    constexpr std::size_t most_chains = 64;
    const std::size_t pairs = model_.pairs(),
                      chains = std::min(static_cast<std::size_t>(problem().chains), most_chains);
    const std::vector<std::int32_t>& sites = electron_sites();
    NeighbourMoves m;
    for (std::size_t chain = 0; chain < chains; ++chain) {
        const std::span<const std::int32_t> up = std::span(sites).subspan(chain * 2 * pairs, pairs),
                                            down = std::span(sites).subspan((chain * 2 + 1) * pairs, pairs);
        Determinant determinant(model_.pair, make_configuration(model_, up, down));
        if (determinant.invert()) add_neighbour_moves(model_.geometry, determinant, m);
    }
    const auto electrons = static_cast<double>(problem().electrons), each = static_cast<double>(chains),
               holes = static_cast<double>(model_.geometry.sites()) - electrons;
    const double hops = holes > 0 ? static_cast<double>(moves_.hops[0]) / (each * electrons * holes) : 0,
                 exchanges = static_cast<double>(moves_.exchanges[0]) / (each * electrons * electrons / 4);
    return {m.hops * hops + static_cast<double>(moves_.hops[1]),
            m.hops_accepted * hops + static_cast<double>(moves_.hops_accepted[1]),
            m.exchanges * exchanges + static_cast<double>(moves_.exchanges[1]),
            m.exchanges_accepted * exchanges + static_cast<double>(moves_.exchanges_accepted[1])};
}

void Solver::warn_of_unreliable_errors() const {
    const Averages a = averages();
    if (a.chains_differ)
        context_.log(LogLevel::warning,
                     "vmc: the energies of the chains differ by more than they fluctuate: some chains are "
                     "trapped; take a longer thermalisation and more sweeps_per_bin");
    else if (std::isnan(a.autocorrelation_sweeps))
        context_.log(
            LogLevel::warning,
            "vmc: errors are unknown: hardly any hop or exchange has been accepted, or there is a single bin, or Psi "
            "is tiny after the hops of the Hamiltonian");
    else if (a.bins_are_short)
        context_.log(LogLevel::warning, text("vmc: a bin of ", problem().sweeps_per_bin,
                                             " sweeps is shorter than 20 autocorrelation times, ",
                                             static_cast<std::int64_t>(std::ceil(20 * a.autocorrelation_sweeps))));
}

}  // namespace legato::vmc
