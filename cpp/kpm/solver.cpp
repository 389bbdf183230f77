#include "kpm/solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/parallel.hpp"
#include "core/ranks.hpp"
#include "core/validate.hpp"
#include "kpm/division.hpp"
#include "kpm/fingerprint.hpp"
#include "kpm/slabs.hpp"
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
    : context_(context),
      problem_(problem),
      hamiltonian_(std::move(prepared)),
      source_(std::move(source)),
      energies_(*hamiltonian_),
      remaining_(*hamiltonian_, static_cast<std::uint64_t>(problem.seed), context.threads()) {
    validate(problem_, *hamiltonian_);
    fingerprint_ = require_same_arguments(context, problem_, *hamiltonian_);
    require_source_if_given();
    require_memory_for_samples();
    backend_ =
        context.choose_backend(trial_of(context, problem_, *hamiltonian_), saved ? saved->backend : std::nullopt);
    parts_.emplace(context, backend_.backend);
    choose_format_and_width();
    engines_.emplace(context, *parts_, backend_.backend, problem_, *hamiltonian_, format_, sharing_, block_width_);
    if (source_ && backend_.backend == Backend::cuda && !is_shared())
        ahead_.emplace(source_, lanes_of(*hamiltonian_) * sites_of(*hamiltonian_));
    rescaling_ = saved
                     ? saved->rescaling
                     : of_first_rank(context, rescaling_of(bounds_of(context, problem_, *hamiltonian_, (*engines_)[0]),
                                                           problem_.margin));
    rounding_ = rounding_of(problem_, *hamiltonian_, backend_.backend, format_, rescaling_);
    const std::int64_t of_sample = vectors_of_sample(problem_),
                       round = block_width_ * static_cast<std::int64_t>(parts_->count()),
                       unfinished = of_sample > 1 ? of_sample + round : 0;
    moments_.reserve(static_cast<std::size_t>(samples() + unfinished) * static_cast<std::size_t>(problem_.moments));
}

// Returns the fingerprint, which is computed only once, because it takes a pass over the matrix on one thread.
std::int64_t Solver::fingerprint_of_hamiltonian() const {
    if (!fingerprint_) fingerprint_ = fingerprint(*hamiltonian_);
    return *fingerprint_;
}

void Solver::require_source_if_given() const {
    if ((problem_.start_vectors == StartVectors::caller) == static_cast<bool>(source_)) return;
    fail(
        Status::invalid_argument, "kpm.params.start_vectors: ", static_cast<int>(problem_.start_vectors),
        source_ ? " is not 4 (given), but the caller gives start vectors" : " (given) needs a source of start vectors");
}

void Solver::require_memory_for_samples() const {
    require_memory(text("kpm.params.moments: ", problem_.moments, " of each of ", samples(), " samples need"),
                   host_needs(problem_), samples(), free_memory(context_, Backend::cpu));
}

// Chooses what suits every part of every rank.
void Solver::choose_format_and_width() {
    const std::int64_t limit = least_of_ranks(context_, memory_limit(context_, backend_.backend, problem_).bytes);
    const FormatChoice choice = choose_format(backend_.backend, problem_, *hamiltonian_, limit);
    format_ = choice.format;
    sharing_ = choose_sharing(backend_.backend, problem_, *hamiltonian_, format_, parts_->count(), limit);
    const std::int64_t fit = least_of_ranks(
        context_, choose_block_width(context_, backend_.backend, problem_, *hamiltonian_, format_, sharing_));
    const auto blocks = static_cast<std::int64_t>(blocks_at_once());
    block_width_ = static_cast<int>(std::min(fit, (all_vectors_of(problem_) + blocks - 1) / blocks));
    std::string slabs;
    if (is_shared()) {
        const std::size_t count = Slabs(backend_.backend, *hamiltonian_, sharing_).count();
        slabs = text(" in ", count, count == 1 ? " slab" : " slabs", " for ", sharing_, " parts");
    }
    context_.log(LogLevel::info, text("kpm: format ", format_names[static_cast<std::size_t>(format_)], " (",
                                      choice.reason, "), blocks of ", block_width_, " vectors", slabs));
}

bool Solver::step(Reporter& reporter) {
    require_enclosed();
    if (complete()) return true;
    const std::vector<Block> blocks = blocks_after(done_);
    std::int64_t end = done_;
    for (const Block& block : blocks) end += block.width;
    moments_.resize((row_of(done_) + static_cast<std::size_t>(end - done_)) *
                    static_cast<std::size_t>(problem_.moments));
    std::vector<Recursion> recursions = begin_round(blocks);
    if (ahead_ && in_run_) expect_round(end);
    perform(recursions, blocks, reporter);
    Evidence evidence = close(recursions);
    on_any_rank(context_, false);  // after this meeting no rank fails, so that all have finished the same samples
    finish_vectors(std::min(end, evidence.sample));
    enclosure_error_ = std::move(evidence.text);
    require_enclosed();
    reporter.report();
    return true;
}

// Returns the row of moments_ of a vector that is not finished, or of the next one. The rows of its sample come before
// it, after those of the finished samples.
std::size_t Solver::row_of(std::int64_t vector) const {
    return static_cast<std::size_t>(vector - samples_done() * (vectors_of_sample(problem_) - 1));
}

// Makes `done` the number of finished vectors. Replaces the rows of all vectors of a sample by their mean.
void Solver::finish_vectors(std::int64_t done) {
    const auto n = static_cast<std::size_t>(problem_.moments),
               of_sample = static_cast<std::size_t>(vectors_of_sample(problem_));
    auto from = moments_.begin() + samples_done() * problem_.moments, to = from;
    for (std::int64_t sample = samples_done(); of_sample > 1 && sample < done / vectors_of_sample(problem_); ++sample) {
        for (std::size_t i = 0; i < n; ++i) {
            double sum = 0;
            for (std::size_t v = 0; v < of_sample; ++v) sum += from[static_cast<std::ptrdiff_t>(v * n + i)];
            to[static_cast<std::ptrdiff_t>(i)] = sum / static_cast<double>(of_sample);
        }
        from += static_cast<std::ptrdiff_t>(of_sample * n);
        to += static_cast<std::ptrdiff_t>(n);
    }
    std::copy(from, moments_.end(), to);
    done_ = done;
}

// Returns the blocks of the round after `done` vectors. With vectors made ahead, the first round has narrower blocks,
// so that the devices soon begin to compute. A device takes longer for vectors in blocks of fewer than 16.
std::vector<Block> Solver::blocks_after(std::int64_t done) const {
    constexpr std::int64_t narrowest = 16;
    const auto blocks = static_cast<std::int64_t>(blocks_at_once());
    std::int64_t width = block_width_;
    if (ahead_) width = std::min(width, std::max(narrowest, 2 * done / blocks));
    return blocks_of_round(problem_, done, blocks_at_once(), static_cast<int>(width));
}

// Lets the vectors of the round after `done` samples be made ahead, as far as this rank needs them.
void Solver::expect_round(std::int64_t done) {
    const std::vector<Block> blocks = blocks_after(done);
    const WorkParts::Range here = parts_->range_here(parts_->count());
    std::int64_t first = done, end = done;
    for (std::size_t part = 0; part < std::min(here.end, blocks.size()); ++part) {
        if (part < here.first) first += blocks[part].width;
        end += blocks[part].width;
    }
    ahead_->expect(first, end, free_memory(context_, Backend::cpu).bytes / 2);
}

// Begins the blocks of this rank. The caller's sources of vectors and on-site energies are called in this thread only.
std::vector<Recursion> Solver::begin_round(std::span<const Block> blocks) {
    const auto count = static_cast<std::size_t>(problem_.moments);
    const WorkParts::Range here = is_shared() ? WorkParts::Range{0, 1} : parts_->range_here(parts_->count());
    std::vector<Recursion> recursions;
    std::int64_t vector = done_;
    for (std::size_t part = 0; part < blocks.size(); ++part) {
        Block block = blocks[part];
        block.source = source_ ? &source_ : nullptr;
        block.ahead = ahead_ ? &*ahead_ : nullptr;
        block.makes_ahead = ahead_ && part == here.first;  // its engine computes in this thread
        const std::span<double> moments =
            std::span(moments_).subspan(row_of(vector) * count, static_cast<std::size_t>(block.width) * count);
        if (part >= here.first && part < here.end)
            recursions.emplace_back((*engines_)[part - here.first], block, vector, rescaling_, rounding_.step, moments);
        vector += block.width;
    }
    if (source_ || energies_.has_source())
        for (Recursion& recursion : recursions) recursion.begin(energies_.of(recursion.realisation()));
    else
        engines_->side_by_side([&](std::size_t i) {
            if (i < recursions.size()) recursions[i].begin();
        });
    return recursions;
}

// Performs the recursions of a round. All ranks go through the same loop, also those without a block.
void Solver::perform(std::vector<Recursion>& recursions, std::span<const Block> blocks, Reporter& reporter) {
    const std::int64_t width = std::max_element(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) {
                                   return a.width < b.width;
                               })->width;
    // While vectors are made ahead, the device should have enough to do in each call.
    const auto at_once = ahead_ && in_run_ ? std::size_t{most_steps}
                                           : static_cast<std::size_t>(steps_at_once(sites_of(*hamiltonian_), width));
    const std::size_t all = Recursion::steps_of(static_cast<std::size_t>(problem_.moments));
    const auto has_failed = [](const Recursion& recursion) { return recursion.has_failed(); };
    for (std::size_t done = 0; done < all;) {
        const std::size_t now = done == 0 || done + 1 == all ? 1 : std::min(at_once, all - 1 - done);
        engines_->side_by_side([&](std::size_t i) {
            if (i < recursions.size()) recursions[i].perform(now);
        });
        done += now;
        steps_ += static_cast<std::int64_t>(now * blocks.size());
        if (context_.ranks() == 1 && std::all_of(recursions.begin(), recursions.end(), has_failed)) return;
        reporter.report_if_due();
    }
}

// Returns the number by which the moments of a vector are divided. A wave's moments are the sum of those of its parts,
// and the mean of those of its orbitals.
double Solver::norm(std::int64_t realisation) {
    if (problem_.start_vectors == StartVectors::waves) return 1.0 / problem_.waves.parts;
    return problem_.start_vectors == StartVectors::sites ? 1.0 : static_cast<double>(remaining_.in(realisation));
}

// Gathers the moments of a round. Returns the evidence of its first vector that has any.
Evidence Solver::close(std::span<const Recursion> recursions) {
    std::span<double> own;
    Evidence evidence;
    if (!recursions.empty()) {
        const std::span<double> last = recursions.back().moments();
        own = {recursions.front().moments().data(), last.data() + last.size()};
        for (const Recursion& recursion : recursions) {
            const double norm = this->norm(recursion.realisation());
            for (double& moment : recursion.moments()) moment /= norm;
        }
        for (auto r = recursions.begin(); r != recursions.end() && evidence.text.empty(); ++r)
            evidence = r->evidence(vectors_of_sample(problem_));
        evidence = find_evidence(own, recursions.front().first(), evidence);
    }
    gather_moments(own);
    return first_of_all(std::move(evidence));
}

// Looks for states outside the bounds in the vectors from number `first` on, whose moments lie one after the other.
// Those from `beyond` on have nothing to add. Returns the evidence of the first vector that has any.
Evidence Solver::find_evidence(std::span<const double> moments, std::int64_t first, const Evidence& beyond) const {
    const auto n = static_cast<std::size_t>(problem_.moments);
    std::vector<std::string> found(std::min(moments.size() / n, static_cast<std::size_t>(beyond.sample - first)));
    in_parallel(found.size(), context_.threads(), [&](std::size_t i) {
        const std::int64_t sample = (first + static_cast<std::int64_t>(i)) / vectors_of_sample(problem_);
        found[i] = evidence_of_states_outside(moments.subspan(i * n, n), sample, rescaling_, rounding_,
                                              sites_of(*hamiltonian_));
    });
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!found[i].empty()) return {first + static_cast<std::int64_t>(i), found[i]};
    return beyond;
}

// If the ranks share each vector, the evidence of rank 0 counts.
Evidence Solver::first_of_all(Evidence own) const {
    if (!is_shared()) return first_of_ranks(context_, std::move(own));
    own.sample = of_first_rank(context_, own.sample);
    take_of_first_rank(context_, own.text);
    return own;
}

// Copies the moments of all ranks in this round to the end of moments_. The ranks follow each other as the samples do.
void Solver::gather_moments(std::span<const double> own) {
    if (context_.ranks() == 1 || is_shared()) return;
    const std::vector<double> all = gather_list<double>(context_, own);
    std::copy(all.begin(), all.end(), moments_.end() - static_cast<std::ptrdiff_t>(all.size()));
}

void Solver::require_enclosed() const {
    if (enclosure_error_.empty()) return;
    fail_for_bounds(problem_, rescaling_, enclosure_error_);
}

Moments Solver::moments() const {
    const auto n = static_cast<std::size_t>(problem_.moments);
    Moments result{samples_done(), std::vector<double>(n), std::vector<double>(n)};
    if (samples_done() == 0) return result;
    result.mean = mean_of(0, samples_done());
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
    return has_fixed_vectors(problem_) && !is_random(*hamiltonian_);
}

std::int64_t Solver::independent_samples() const {
    if (realisations_are_independent()) return done_ / vectors_of(problem_);
    return !has_fixed_vectors(problem_) && done_ >= 2 ? done_ : 0;
}

std::vector<double> Solver::independent_sample(std::int64_t number) const {
    const std::int64_t together = realisations_are_independent() ? samples_of_realisation() : 1;
    return mean_of(number * together, together);
}

std::span<const double> Solver::sample(std::int64_t sample) const {
    if (samples_done() == 0)
        fail(Status::invalid_argument, "kpm.sample: ", sample, " is not there: no sample is finished yet");
    require_integer("kpm.sample", sample, 0, samples_done() - 1);
    const auto count = static_cast<std::size_t>(problem_.moments);
    return std::span(moments_).subspan(static_cast<std::size_t>(sample) * count, count);
}

}  // namespace legato::kpm
