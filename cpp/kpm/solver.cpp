#include "kpm/solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/memory.hpp"
#include "core/validate.hpp"
#include "kpm/cost_model.hpp"

namespace legato::kpm {
namespace {

constexpr std::array<const char*, 4> format_names{"auto", "CRS", "ELL", "stencil"};

// Square of the standard error of the mean of `count` vectors of n elements.
void add_errors(std::span<const double> values, std::size_t count, std::span<const double> mean,
                std::span<double> error) {
    const std::size_t n = mean.size();
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < count; ++k) {
            const double deviation = values[k * n + i] - mean[i];
            sum += deviation * deviation;
        }
        error[i] = std::sqrt(sum / (static_cast<double>(count) * static_cast<double>(count - 1)));
    }
}

// Means of `count` vectors of n elements each, one vector after the other.
void add_means(std::span<const double> values, std::size_t count, std::span<double> mean) {
    const std::size_t n = mean.size();
    for (std::size_t k = 0; k < count; ++k)
        for (std::size_t i = 0; i < n; ++i) mean[i] += values[k * n + i];
    for (double& m : mean) m /= static_cast<double>(count);
}

}  // namespace

std::shared_ptr<const Hamiltonian> prepared(Hamiltonian hamiltonian) {
    prepare(hamiltonian);
    return std::make_shared<const Hamiltonian>(std::move(hamiltonian));
}

Solver::Solver(Context& context, const Problem& problem, std::shared_ptr<const Hamiltonian> prepared,
               StartVectorSource source)
    : Solver(context, problem, std::move(prepared), std::move(source), nullptr) {}

Solver::Solver(Context& context, const Problem& problem, std::shared_ptr<const Hamiltonian> prepared,
               StartVectorSource source, const Rescaling* known)
    : context_(context), problem_(problem), hamiltonian_(std::move(prepared)), source_(checked(std::move(source))) {
    validate(problem_, *hamiltonian_);
    require_memory_for_samples();
    backend_ = context.choose_backend("kpm", cpu_seconds(problem_, *hamiltonian_, context.threads()),
                                      cuda_seconds(context, problem_, *hamiltonian_));
    const FormatChoice choice = choose_format(backend_.backend, problem_, *hamiltonian_);
    format_ = choice.format;
    block_width_ = choose_block_width(context, backend_.backend, problem_, *hamiltonian_, format_);
    context.log(LogLevel::info, text("kpm: format ", format_names[static_cast<std::size_t>(format_)], " (",
                                     choice.reason, "), blocks of ", block_width_, " vectors"));
    engine_ = make_engine(context, backend_.backend, problem_, *hamiltonian_, format_, block_width_);
    rescaling_ = known ? *known : find_rescaling();
}

// What the source gives is looked at before it is computed with.
StartVectorSource Solver::checked(StartVectorSource source) const {
    if ((problem_.start_vectors == StartVectors::given) != static_cast<bool>(source))
        fail(Status::invalid_argument, "kpm.params.start_vectors: ", static_cast<int>(problem_.start_vectors),
             source ? " does not go with start vectors that are given" : " (given) needs a source of start vectors");
    if (!source) return {};
    return [fill = std::move(source)](std::int64_t sample, std::span<double> vector) {
        fill(sample, vector);
        for (std::size_t i = 0; i < vector.size(); ++i)
            if (!(std::abs(vector[i]) <= max_start_element))
                require_real(text("kpm.start_vector[", i, "] of sample ", sample), vector[i], -max_start_element,
                             max_start_element);
    };
}

void Solver::require_memory_for_samples() const {
    const std::int64_t free =
        static_cast<std::int64_t>(std::min<std::size_t>(available_memory(), std::numeric_limits<std::int64_t>::max()));
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(samples(), 8 * static_cast<std::int64_t>(problem_.moments), &bytes) || bytes > free)
        fail(Status::out_of_memory, "kpm.params.moments: ", problem_.moments, " of each of ", samples(),
             " samples do not fit the ", free, " bytes of memory that are free; ",
             std::max<std::int64_t>(free / 8 / problem_.moments, 0), " samples would");
}

Rescaling Solver::find_rescaling() {
    Interval bounds{problem_.lowest, problem_.highest};
    if (problem_.bounds != BoundsMethod::given)
        bounds = gershgorin_bounds(*hamiltonian_, static_cast<std::uint64_t>(problem_.seed), problem_.realisations,
                                   context_.threads());
    if (problem_.bounds == BoundsMethod::lanczos) bounds = lanczos_bounds(*engine_, problem_, *hamiltonian_, bounds);
    context_.log(LogLevel::info, text("kpm: spectrum within ", bounds.lowest, " .. ", bounds.highest));
    return rescaling_of(bounds, problem_.margin);
}

bool Solver::advance() {
    const CarryingOn held(carrying_on_, "kpm.advance");
    return carry_on([] {});
}

void Solver::run(const ProgressCallback& callback, double between_reports) {
    const CarryingOn held(carrying_on_, "kpm.run");
    const RunClock clock;
    const std::int64_t before = steps_;
    double reported = 0;
    const auto report = [&] {
        reported = clock.seconds();
        if (callback && !callback(clock.progress(static_cast<std::size_t>(done_), static_cast<std::size_t>(samples()),
                                                 steps_ - before)))
            fail(Status::cancelled, "kpm: stopped by the progress callback");
    };
    for (bool all = done_ == samples(); !all;) {
        all = carry_on([&] {
            if (clock.seconds() - reported >= between_reports) report();
        });
        report();
    }
}

bool Solver::carry_on(const std::function<void()>& after_steps) {
    if (done_ == samples()) return true;
    const std::int64_t vectors = vectors_of(problem_), of_realisation = done_ % vectors;
    const std::int64_t width = std::min<std::int64_t>(block_width_, vectors - of_realisation);
    const bool local = problem_.start_vectors == StartVectors::sites;
    engine_->begin({problem_.start_vectors, done_ / vectors, local ? of_realisation : done_, static_cast<int>(width),
                    source_ ? &source_ : nullptr});
    std::vector<double> block(static_cast<std::size_t>(width) * static_cast<std::size_t>(problem_.moments));
    recur(width, block, after_steps);
    const double norm = local ? 1.0 : static_cast<double>(sites_of(*hamiltonian_));
    for (double& moment : block) moment /= norm;
    moments_.insert(moments_.end(), block.begin(), block.end());
    done_ += width;
    return done_ == samples();
}

// Chebyshev's recursion r_(n+1) = 2 H~ r_n - r_(n-1), and from every step two moments:
//     mu_2n = 2 <r_n|r_n> - mu_0,    mu_(2n+1) = 2 <r_(n+1)|r_n> - mu_1.
void Solver::recur(std::int64_t width, std::span<double> block, const std::function<void()>& after_steps) {
    constexpr std::int64_t enough_work = std::int64_t{1} << 27;  // before the moments are looked at
    const auto count = static_cast<std::size_t>(width), moments = static_cast<std::size_t>(problem_.moments);
    const auto at_once = static_cast<std::size_t>(
        std::clamp<std::int64_t>(enough_work / (sites_of(*hamiltonian_) * width), 1, most_steps));
    const double a = 1 / rescaling_.half_width, b = -rescaling_.centre / rescaling_.half_width;
    const std::size_t all = (moments + 1) / 2;
    std::vector<double> xx(at_once * count), yx(xx.size());
    for (std::size_t done = 0; done < all;) {
        const bool first = done == 0, last = done + 1 == all;  // of different coefficients; without a vector to come
        const std::size_t now = first || last ? 1 : std::min(at_once, all - 1 - done);
        const Step step = first ? Step{a, b, 0, !last} : Step{2 * a, 2 * b, -1, !last};
        engine_->steps(step, static_cast<int>(now), std::span(xx).first(now * count), std::span(yx).first(now * count));
        steps_ += static_cast<std::int64_t>(now);
        for (std::size_t i = 0; i < now * count; ++i)
            set_moments(block.subspan(i % count * moments, moments), done_ + static_cast<std::int64_t>(i % count),
                        2 * (done + i / count), xx[i], yx[i]);
        done += now;
        after_steps();
    }
}

// Moments n, even, and n + 1 of a sample.
void Solver::set_moments(std::span<double> mu, std::int64_t sample, std::size_t n, double xx, double yx) const {
    const auto set = [&](std::size_t i, double moment) {
        require_bounded(sample, static_cast<int>(i), moment, i == 0 ? moment : mu[0]);
        mu[i] = moment;
    };
    set(n, n == 0 ? xx : 2 * xx - mu[0]);
    if (n + 1 < mu.size()) set(n + 1, n == 0 ? yx : 2 * yx - mu[1]);
}

// T_n is within [-1, 1] on the spectrum, if that is within the bounds; rounding grows at most with n^2, at their ends.
void Solver::require_bounded(std::int64_t vector, int n, double moment, double zeroth) const {
    const double rounding = 1e-9 + 4 * std::numeric_limits<double>::epsilon() * n * static_cast<double>(n);
    if (std::abs(moment) <= zeroth * (1 + rounding)) return;
    const double lowest = rescaling_.centre - rescaling_.half_width,
                 highest = rescaling_.centre + rescaling_.half_width;
    const char* const what = problem_.bounds == BoundsMethod::given     ? "kpm.params.lowest, kpm.params.highest: they"
                             : problem_.bounds == BoundsMethod::lanczos ? "kpm.params.lanczos_steps: the bounds found"
                                                                        : "kpm.params.bounds: Gershgorin's";
    fail(Status::numerical_error, what, ", with the margin ", lowest, " .. ", highest,
         ", do not enclose the spectrum: moment ", n, " of sample ", vector, " is ", moment / zeroth,
         " times moment 0; take wider bounds or those of Gershgorin's circles, or a larger kpm.params.margin");
}

Moments Solver::moments() const {
    const auto count = static_cast<std::size_t>(problem_.moments), done = static_cast<std::size_t>(done_);
    Moments result{rescaling_.centre, rescaling_.half_width, done_, std::vector<double>(count),
                   std::vector<double>(count)};
    if (done == 0) return result;
    add_means(moments_, done, result.mean);
    const std::vector<double> samples = independent_samples();
    const std::size_t independent = samples.size() / count;
    if (independent < 2) return result;
    std::vector<double> mean(count);
    add_means(samples, independent, mean);
    add_errors(samples, independent, mean, result.error);
    return result;
}

// Vectors of one realisation share its disorder.
std::vector<double> Solver::independent_samples() const {
    const auto count = static_cast<std::size_t>(problem_.moments), done = static_cast<std::size_t>(done_),
               vectors = static_cast<std::size_t>(vectors_of(problem_)), realisations = done / vectors;
    if (!is_random(*hamiltonian_) || realisations < 2)
        return problem_.start_vectors != StartVectors::sites && done >= 2 ? moments_ : std::vector<double>{};
    std::vector<double> of_realisations(realisations * count);
    for (std::size_t s = 0; s < realisations; ++s)
        add_means(std::span(moments_).subspan(s * vectors * count), vectors,
                  std::span(of_realisations).subspan(s * count, count));
    return of_realisations;
}

std::span<const double> Solver::sample(std::int64_t sample) const {
    require_integer("kpm.sample", sample, 0, done_ - 1);
    const auto count = static_cast<std::size_t>(problem_.moments);
    return std::span(moments_).subspan(static_cast<std::size_t>(sample) * count, count);
}

}  // namespace legato::kpm
