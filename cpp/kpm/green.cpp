#include "kpm/green.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

#include "core/comparison.hpp"
#include "core/parallel.hpp"
#include "core/ranks.hpp"
#include "core/validate.hpp"
#include "kpm/division.hpp"
#include "kpm/enclosure.hpp"
#include "kpm/trial.hpp"
#include "kpm/vacancies.hpp"

namespace legato::kpm {
namespace {

Problem for_green(Problem problem, const GreenSide& right) {
    require_integer("kpm.green.n_right", right.count, 1, max_vectors);
    problem.start_vectors = StartVectors::caller;
    problem.vectors = static_cast<int>(right.count);
    problem.sites.clear();
    problem.waves = {};
    return problem;
}

void require_sites(const char* field, const GreenSide& side, const Hamiltonian& hamiltonian) {
    const std::int64_t sites = sites_of(hamiltonian);
    for (std::size_t i = 0; i < side.sites.size(); ++i)
        if (side.sites[i] < 0 || side.sites[i] >= sites)
            require_integer(text(field, '[', i, ']'), side.sites[i], 0, sites - 1);
    require_no_vacancy(hamiltonian, field, side.sites);
}

}  // namespace

Green::Green(Context& context, const Problem& problem, std::shared_ptr<const Hamiltonian> prepared, GreenSide left,
             GreenSide right, StartVectorSource source)
    : Green(context, problem, std::move(prepared), std::move(left), std::move(right), std::move(source), nullptr) {}

Green::Green(Context& context, const Problem& problem, std::shared_ptr<const Hamiltonian> prepared, GreenSide left,
             GreenSide right, StartVectorSource source, const Saved* saved)
    : context_(context),
      problem_(for_green(problem, right)),
      hamiltonian_(std::move(prepared)),
      operators_{hamiltonian_.get()},
      left_(std::move(left)),
      right_(std::move(right)),
      source_(std::move(source)),
      numbers_(static_cast<std::size_t>(lanes_of(*hamiltonian_))),
      energies_(*hamiltonian_) {
    require_arguments();
    require_same_sides();
    require_memory(text("kpm.params.moments: ", problem_.moments, " for ", left_.count, " vectors on the left of ",
                        samples(), " samples need"),
                   {0, 8 * static_cast<std::int64_t>(size())}, samples(), free_memory(context, Backend::cpu));
    backend_ = context.choose_backend(trial_of(context, problem_, *hamiltonian_), saved ? saved->backend : std::nullopt)
                   .backend;
    parts_.emplace(context, backend_);
    find_bounds(saved);
    make_slots_of_parts();
    moments_.reserve(static_cast<std::size_t>(samples()) * size());
}

void Green::require_arguments() const {
    validate(problem_, *hamiltonian_);
    require_integer("kpm.green.n_left", left_.count, 1, max_vectors);
    require_sites("kpm.green.left", left_, *hamiltonian_);
    require_sites("kpm.green.right", right_, *hamiltonian_);
    require_whole_vectors(problem_, "Green's functions between vectors");
    const bool is_given = left_.is_given() || right_.is_given();
    if (is_given && !source_)
        fail(Status::invalid_argument, "kpm.callback: a null pointer is not allowed, because vectors are not sites");
    if (!is_given && source_)
        fail(Status::invalid_argument, "kpm.callback: a callback is not allowed, because all vectors are sites");
}

void Green::require_same_sides() const {
    require_same_arguments(context_, problem_, *hamiltonian_);
    if (context_.ranks() == 1) return;
    Comparison comparison;
    comparison.add("kpm.green.n_left", left_.count);
    comparison.add("kpm.green.left", left_.sites);
    comparison.add("kpm.green.right", right_.sites);
    comparison.require_same(context_);
}

// Chooses the format, and finds the bounds of the spectrum.
void Green::find_bounds(const Saved* saved) {
    const std::int64_t moments = 8 * samples() * static_cast<std::int64_t>(size());
    const MemoryLimit limit = memory_limit(context_, backend_, problem_.memory_budget, moments);
    format_ = choose_format(backend_, problem_, *hamiltonian_, least_of_ranks(context_, limit.bytes)).format;
    require_slots(limit);
    rescaling_ = saved ? saved->rescaling
                       : rescaling_without_engine(context_, *parts_, backend_, problem_, *hamiltonian_, format_);
    rounding_ = rounding_of(problem_, *hamiltonian_, backend_, format_, rescaling_);
}

void Green::require_slots(const MemoryLimit& limit) const {
    const std::int64_t given = left_.is_given() ? left_.count : 0, slots = count_of_slots();
    const std::array formats{format_};
    const MemoryNeeds needs = slot_needs(backend_, problem_, operators_, formats);
    if (needs.bytes(slots) > limit.bytes)
        require_memory(text("kpm.green: ", slots, " vectors of ", sites_of(*hamiltonian_), " sites",
                            given > 0 ? text(", of which ", given, " are on the left,") : "", " need"),
                       needs.bytes(slots), limit);
}

void Green::make_slots_of_parts() {
    const std::array formats{format_};
    slots_.resize(parts_->here());
    parts_->side_by_side([&](std::size_t i) {
        slots_[i] = make_slots(parts_->context(i), backend_, problem_, operators_, formats,
                               static_cast<std::size_t>(count_of_slots()));
    });
}

std::size_t Green::size() const {
    return static_cast<std::size_t>(left_.count) * static_cast<std::size_t>(problem_.moments) * numbers_;
}

std::int64_t Green::count_of_slots() const {
    return static_cast<std::int64_t>(GreenRecursion::first_left) + (left_.is_given() ? left_.count : 0);
}

std::int64_t Green::bytes() const {
    const std::array formats{format_};
    return slot_needs(backend_, problem_, operators_, formats).bytes(count_of_slots());
}

bool Green::step(Reporter& reporter) {
    require_enclosed();
    if (complete()) return true;
    const std::vector<Block> blocks = blocks_of_round(problem_, done_, parts_->count(), 1);
    const std::int64_t end = done_ + std::ssize(blocks);
    moments_.resize(static_cast<std::size_t>(end) * size());
    std::vector<GreenRecursion> recursions = begin_round(blocks);
    const auto all = static_cast<std::size_t>(problem_.moments),
               at_once = static_cast<std::size_t>(steps_at_once(sites_of(*hamiltonian_), 1));
    const auto has_failed = [](const GreenRecursion& recursion) { return recursion.has_failed(); };
    // All ranks go through the same loop, also those without a vector.
    for (std::size_t done = 0; done < all;) {
        const std::size_t now = std::min(at_once, all - done);
        parts_->side_by_side([&](std::size_t i) {
            if (i < recursions.size()) recursions[i].perform(now);
        });
        done += now;
        steps_ += static_cast<std::int64_t>(now * blocks.size());
        if (context_.ranks() == 1 && std::all_of(recursions.begin(), recursions.end(), has_failed)) break;
        reporter.report_if_due();
    }
    Evidence evidence = close(recursions);
    on_any_rank(context_, false);  // after this meeting no rank fails, so that all have finished the same samples
    done_ = std::min(end, evidence.sample);
    enclosure_error_ = std::move(evidence.text);
    require_enclosed();
    reporter.report();
    return true;
}

// Begins the vectors of this rank. The caller's sources of vectors and on-site energies are called in this thread only.
std::vector<GreenRecursion> Green::begin_round(std::span<const Block> blocks) {
    const WorkParts::Range here = parts_->range_here(parts_->count());
    if (!left_is_set_ && left_.is_given())
        for (const auto& slots : slots_) set_left(*slots);
    left_is_set_ = true;
    std::vector<GreenRecursion> recursions;
    for (std::size_t part = here.first; part < std::min(here.end, blocks.size()); ++part) {
        const std::int64_t sample = done_ + static_cast<std::int64_t>(part);
        Slots& slots = *slots_[part - here.first];
        set_right(slots, blocks[part]);
        recursions.emplace_back(slots, static_cast<std::size_t>(left_.count), left_.sites,
                                static_cast<std::size_t>(problem_.moments), rescaling_, rounding_.step, sample,
                                std::span(moments_).subspan(static_cast<std::size_t>(sample) * size(), size()));
    }
    return recursions;
}

// The elements at vacancies remain: other realisations have other vacancies, where the vectors on the right are 0.
void Green::set_left(Slots& slots) {
    for (std::int64_t v = 0; v < left_.count; ++v)
        slots.set(GreenRecursion::first_left + static_cast<std::size_t>(v), vector_of_source(right_.count + v));
}

void Green::set_right(Slots& slots, const Block& block) {
    slots.begin(block.realisation, energies_.of(block.realisation));
    const std::int64_t number = block.first % right_.count;
    if (!right_.is_given()) return slots.set_site(0, right_.sites[static_cast<std::size_t>(number)]);
    slots.set(0, vector_of_source(number));
    slots.remove_vacancies(0);
}

std::span<const double> Green::vector_of_source(std::int64_t number) {
    vector_.resize(numbers_ * static_cast<std::size_t>(sites_of(*hamiltonian_)));
    source_(number, vector_);
    require_start_vector(problem_.precision, number, vector_);
    return vector_;
}

// Gathers the moments of a round. Returns the evidence of its first sample that has any.
Evidence Green::close(std::span<const GreenRecursion> recursions) {
    Evidence evidence;
    for (const GreenRecursion& recursion : recursions) {
        if (!evidence.text.empty()) break;
        evidence = recursion.evidence();
        if (!evidence.text.empty()) break;
        std::string found = evidence_of_states_outside(recursion.own_moments(), recursion.sample(), rescaling_,
                                                       rounding_, sites_of(*hamiltonian_));
        if (!found.empty()) evidence = {recursion.sample(), std::move(found)};
    }
    gather_samples(*parts_, std::span(moments_).subspan(static_cast<std::size_t>(done_) * size()), size());
    return first_of_ranks(context_, std::move(evidence));
}

void Green::require_enclosed() const {
    if (!enclosure_error_.empty()) fail_for_bounds(problem_, rescaling_, enclosure_error_);
}

std::span<const double> Green::moments(std::int64_t sample, std::int64_t left) const {
    if (done_ == 0)
        fail(Status::invalid_argument, "kpm.green.sample: ", sample, " is not there: no sample is finished yet");
    require_integer("kpm.green.sample", sample, 0, done_ - 1);
    require_integer("kpm.green.left", left, 0, left_.count - 1);
    const std::size_t each = static_cast<std::size_t>(problem_.moments) * numbers_;
    return std::span(moments_).subspan(
        static_cast<std::size_t>(sample) * size() + static_cast<std::size_t>(left) * each, each);
}

// The rows are the pairs.
void Green::estimate(const Pairs& pairs, std::size_t n, const RowFunction& what, std::span<double> value,
                     std::span<double> error) const {
    require_integer("kpm.green.left_first", pairs.first_left, 0, left_.count - 1);
    require_integer("kpm.green.left_count", pairs.left, 1, left_.count - pairs.first_left);
    require_integer("kpm.green.right_first", pairs.first_right, 0, right_.count - 1);
    require_integer("kpm.green.right_count", pairs.right, 1, right_.count - pairs.first_right);
    if (done_ < pairs.first_right + pairs.right) {
        require_enclosed();
        fail(Status::invalid_argument, "kpm.green.sample: ", pairs.first_right + pairs.right - 1,
             " is not finished yet; only ", done_, " are");
    }
    const auto right = [&](std::int64_t row) { return pairs.first_right + row / pairs.left; };
    const auto finished = [&](std::int64_t row) { return (done_ - right(row) + right_.count - 1) / right_.count; };
    const auto of_row = [&](std::int64_t row, std::int64_t realisation) {
        return moments(realisation * right_.count + right(row), pairs.first_left + row % pairs.left);
    };
    estimate_rows(context_, estimate_progress_, {pairs.left * pairs.right, finished, of_row, is_random(*hamiltonian_)},
                  n, what, value, error);
}

void Green::functions(const Pairs& pairs, Kernel kernel, double lambda, std::span<const double> energies,
                      std::span<double> value, std::span<double> error) const {
    Spectrum spectrum{{}, rescaling_.centre, rescaling_.half_width, kernel, lambda};
    spectrum.factors = kernel_factors(kernel, problem_.moments, lambda);
    // G is linear in the moments, of which the real and the imaginary parts are summed up.
    const auto what = [&](std::span<const double> moments, const Effort& effort) {
        std::vector<double> green(2 * energies.size());
        Spectrum part = spectrum;
        part.effort = effort;
        part.moments.resize(moments.size() / numbers_);
        for (std::size_t p = 0; p < numbers_; ++p) {
            for (std::size_t n = 0; n < part.moments.size(); ++n) part.moments[n] = moments[n * numbers_ + p];
            const std::vector<std::complex<double>> one = greens_function(part, energies);
            for (std::size_t e = 0; e < energies.size(); ++e) {
                green[2 * e] += p == 0 ? one[e].real() : -one[e].imag();
                green[2 * e + 1] += p == 0 ? one[e].imag() : one[e].real();
            }
        }
        return green;
    };
    estimate(pairs, 2 * energies.size(), what, value, error);
}

void Green::mean_moments(const Pairs& pairs, std::size_t n, std::span<double> value, std::span<double> error) const {
    const auto what = [&](std::span<const double> moments, const Effort&) {
        std::vector<double> both(2 * n);
        for (std::size_t i = 0; i < n; ++i) {
            both[2 * i] = moments[i * numbers_];
            if (numbers_ == 2) both[2 * i + 1] = moments[2 * i + 1];
        }
        return both;
    };
    estimate(pairs, 2 * n, what, value, error);
}

}  // namespace legato::kpm
