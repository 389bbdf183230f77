#include "kpm/solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/parallel.hpp"
#include "core/validate.hpp"
#include "kpm/trial.hpp"

namespace legato::kpm {
namespace {

constexpr std::array<const char*, 4> format_names{"auto", "CRS", "ELL", "stencil"};

}  // namespace

std::shared_ptr<const Hamiltonian> prepared(Hamiltonian hamiltonian, int threads) {
    prepare(hamiltonian, threads);
    return std::make_shared<const Hamiltonian>(std::move(hamiltonian));
}

Solver::Solver(Context& context, const Problem& problem, std::shared_ptr<const Hamiltonian> prepared,
               StartVectorSource source)
    : Solver(context, problem, std::move(prepared), std::move(source), nullptr) {}

Solver::Solver(Context& context, const Problem& problem, std::shared_ptr<const Hamiltonian> prepared,
               StartVectorSource source, const Saved* saved)
    : context_(context), problem_(problem), hamiltonian_(std::move(prepared)), source_(std::move(source)) {
    validate(problem_, *hamiltonian_);
    require_source_if_given();
    require_memory_for_samples();
    backend_ =
        context.choose_backend(trial_of(context, problem_, *hamiltonian_), saved ? saved->backend : std::nullopt);
    const FormatChoice choice = choose_format(backend_.backend, problem_, *hamiltonian_,
                                              memory_limit(context, backend_.backend, problem_).bytes);
    format_ = choice.format;
    block_width_ = choose_block_width(context, backend_.backend, problem_, *hamiltonian_, format_);
    context.log(LogLevel::info, text("kpm: format ", format_names[static_cast<std::size_t>(format_)], " (",
                                     choice.reason, "), blocks of ", block_width_, " vectors"));
    engine_ = make_engine(context, backend_.backend, problem_, *hamiltonian_, format_, block_width_);
    rescaling_ = saved ? saved->rescaling : find_rescaling();
    rounding_ = rounding_of(problem_, *hamiltonian_, backend_.backend, format_, rescaling_);
    moments_.reserve(static_cast<std::size_t>(samples()) * static_cast<std::size_t>(problem_.moments));
}

void Solver::require_source_if_given() const {
    if ((problem_.start_vectors == StartVectors::caller) == static_cast<bool>(source_)) return;
    fail(
        Status::invalid_argument, "kpm.params.start_vectors: ", static_cast<int>(problem_.start_vectors),
        source_ ? " is not 4 (given), but the caller gives start vectors" : " (given) needs a source of start vectors");
}

void Solver::require_memory_for_samples() const {
    require_memory(text("kpm.params.moments: ", problem_.moments, " of each of ", samples(), " samples need"),
                   host_needs(problem_), samples(), free_memory());
}

Rescaling Solver::find_rescaling() {
    Interval bounds{problem_.lowest, problem_.highest};
    if (problem_.bounds != Bounds::interval)
        bounds = gershgorin_bounds(*hamiltonian_, static_cast<std::uint64_t>(problem_.seed), problem_.realisations,
                                   context_.threads());
    if (problem_.bounds == Bounds::lanczos) bounds = lanczos_bounds(*engine_, problem_, *hamiltonian_, bounds);
    context_.log(LogLevel::info, text("kpm: spectrum within ", bounds.lowest, " .. ", bounds.highest));
    return rescaling_of(bounds, problem_.margin);
}

bool Solver::step(Reporter& reporter) {
    require_enclosed();
    if (complete()) return true;
    const std::int64_t vectors = vectors_of(problem_), of_realisation = done_ % vectors;
    const std::int64_t width = std::min<std::int64_t>(block_width_, vectors - of_realisation);
    const bool local = problem_.start_vectors == StartVectors::sites;
    engine_->begin({problem_.start_vectors, done_ / vectors, local ? of_realisation : done_, static_cast<int>(width),
                    source_ ? &source_ : nullptr});
    const auto moments = static_cast<std::size_t>(problem_.moments);
    moments_.resize(static_cast<std::size_t>(done_ + width) * moments);
    const std::span<double> block = std::span(moments_).subspan(static_cast<std::size_t>(done_) * moments);
    run_recursion(width, block, reporter);
    const double norm = local ? 1.0 : static_cast<double>(sites_of(*hamiltonian_));
    for (double& moment : block) moment /= norm;
    check_enclosure(block, done_);
    require_enclosed();
    done_ += width;
    reporter.report();
    return true;
}

// Performs Chebyshev's recursion r_(n+1) = 2 H~ r_n - r_(n-1). Every step gives two moments:
//     mu_2n = 2 <r_n|r_n> - mu_0,    mu_(2n+1) = 2 <r_(n+1)|r_n> - mu_1.
void Solver::run_recursion(std::int64_t width, std::span<double> block, Reporter& reporter) {
    constexpr std::int64_t enough_work = std::int64_t{1} << 27;  // updates of elements between checks of the moments
    const auto count = static_cast<std::size_t>(width), moments = static_cast<std::size_t>(problem_.moments);
    const auto at_once = static_cast<std::size_t>(
        std::clamp<std::int64_t>(enough_work / (sites_of(*hamiltonian_) * width), 1, most_steps));
    const double a = 1 / rescaling_.half_width, b = -rescaling_.centre / rescaling_.half_width;
    const std::size_t all = (moments + 1) / 2;
    std::vector<double> xx(at_once * count), yx(xx.size());
    for (std::size_t done = 0; done < all;) {
        const bool first = done == 0, last = done + 1 == all;  // first has other coefficients, last no new vector
        const std::size_t now = first || last ? 1 : std::min(at_once, all - 1 - done);
        const Step step = first ? Step{a, b, 0, !last} : Step{2 * a, 2 * b, -1, !last};
        engine_->steps(step, static_cast<int>(now), std::span(xx).first(now * count), std::span(yx).first(now * count));
        steps_ += static_cast<std::int64_t>(now);
        for (std::size_t i = 0; i < now * count; ++i)
            set_moments(block.subspan(i % count * moments, moments), done_ + static_cast<std::int64_t>(i % count),
                        2 * (done + i / count), xx[i], yx[i]);
        done += now;
        reporter.report_if_due();
    }
}

// Sets the moments n and n + 1 of a sample; n is even.
void Solver::set_moments(std::span<double> mu, std::int64_t sample, std::size_t n, double xx, double yx) {
    const auto set = [&](std::size_t i, double moment) {
        require_bounded(sample, static_cast<int>(i), moment, i == 0 ? moment : mu[0]);
        mu[i] = moment;
    };
    set(n, n == 0 ? xx : 2 * xx - mu[0]);
    if (n + 1 < mu.size()) set(n + 1, n == 0 ? yx : 2 * yx - mu[1]);
}

void Solver::require_bounded(std::int64_t sample, int n, double moment, double zeroth) {
    if (std::abs(moment) <= zeroth * (1 + moment_rounding(rescaling_, rounding_.step, n))) return;
    enclosure_error_ = text("moment ", n, " of sample ", sample, " is ", moment / zeroth, " times moment 0");
    require_enclosed();
}

// Looks for states outside the bounds in the samples from number `first` on, whose moments lie one after the other.
// Keeps the evidence of the first sample that has any.
void Solver::check_enclosure(std::span<const double> moments, std::int64_t first) {
    const auto n = static_cast<std::size_t>(problem_.moments);
    std::vector<std::string> found(moments.size() / n);
    in_parallel(found.size(), context_.threads(), [&](std::size_t i) {
        found[i] = evidence_of_states_outside(moments.subspan(i * n, n), first + static_cast<std::int64_t>(i),
                                              rescaling_, rounding_, sites_of(*hamiltonian_));
    });
    for (const std::string& evidence : found)
        if (enclosure_error_.empty()) enclosure_error_ = evidence;
}

void Solver::require_enclosed() const {
    if (enclosure_error_.empty()) return;
    const double lowest = rescaling_.centre - rescaling_.half_width,
                 highest = rescaling_.centre + rescaling_.half_width;
    const char* const what = problem_.bounds == Bounds::interval  ? "kpm.params.lowest, kpm.params.highest"
                             : problem_.bounds == Bounds::lanczos ? "kpm.params.lanczos_steps"
                                                                  : "kpm.params.bounds";
    fail(Status::numerical_error, what, ": the bounds ", lowest, " .. ", highest,
         ", margin included, do not enclose the spectrum: ", enclosure_error_,
         "; take wider bounds, those of Gershgorin's circles, or a larger kpm.params.margin");
}

Moments Solver::moments() const {
    const auto n = static_cast<std::size_t>(problem_.moments);
    Moments result{done_, std::vector<double>(n), std::vector<double>(n)};
    if (done_ == 0) return result;
    result.mean = mean_of(0, done_);
    const std::int64_t independent = independent_samples();
    if (independent < 2) {
        if (!exact()) result.error.assign(n, std::numeric_limits<double>::quiet_NaN());
        return result;
    }
    std::vector<double> mean(n);
    const auto count = static_cast<double>(independent);
    for (std::int64_t k = 0; k < independent; ++k) {
        const std::vector<double> sample = independent_sample(k);
        for (std::size_t i = 0; i < n; ++i) mean[i] += sample[i];
    }
    for (double& m : mean) m /= count;
    for (std::int64_t k = 0; k < independent; ++k) {
        const std::vector<double> sample = independent_sample(k);
        for (std::size_t i = 0; i < n; ++i) result.error[i] += (sample[i] - mean[i]) * (sample[i] - mean[i]);
    }
    for (double& error : result.error) error = std::sqrt(error / (count * (count - 1)));
    return result;
}

// Returns the mean moments of the samples first .. first + count - 1.
std::vector<double> Solver::mean_of(std::int64_t first, std::int64_t count) const {
    const auto n = static_cast<std::size_t>(problem_.moments);
    std::vector<double> mean(n);
    for (std::int64_t s = first; s < first + count; ++s) {
        const double* const sample = moments_.data() + static_cast<std::size_t>(s) * n;
        for (std::size_t i = 0; i < n; ++i) mean[i] += sample[i];
    }
    for (double& m : mean) m /= static_cast<double>(count);
    return mean;
}

// Returns true if realisations are the independent samples. Vectors of one realisation are not, because they share its
// disorder.
bool Solver::realisations_are_independent() const {
    return is_random(*hamiltonian_) && done_ / vectors_of(problem_) >= 2;
}

bool Solver::exact() const {
    return problem_.start_vectors == StartVectors::sites && !is_random(*hamiltonian_);
}

std::int64_t Solver::independent_samples() const {
    if (realisations_are_independent()) return done_ / vectors_of(problem_);
    return problem_.start_vectors != StartVectors::sites && done_ >= 2 ? done_ : 0;
}

std::vector<double> Solver::independent_sample(std::int64_t number) const {
    const std::int64_t vectors = realisations_are_independent() ? vectors_of(problem_) : 1;
    return mean_of(number * vectors, vectors);
}

std::span<const double> Solver::sample(std::int64_t sample) const {
    if (done_ == 0) fail(Status::invalid_argument, "kpm.sample: ", sample, " is not there: no sample is finished yet");
    require_integer("kpm.sample", sample, 0, done_ - 1);
    const auto count = static_cast<std::size_t>(problem_.moments);
    return std::span(moments_).subspan(static_cast<std::size_t>(sample) * count, count);
}

}  // namespace legato::kpm
