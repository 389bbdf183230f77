#include "kpm/correlation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/comparison.hpp"
#include "core/parallel.hpp"
#include "core/ranks.hpp"
#include "core/validate.hpp"
#include "kpm/division.hpp"
#include "kpm/enclosure.hpp"
#include "kpm/fingerprint.hpp"
#include "kpm/imaginary_operator.hpp"
#include "kpm/trial.hpp"
#include "statistics/spread.hpp"

namespace legato::kpm {
namespace {

// Throws unless the given vacancies of an operator are vacancies of the Hamiltonian, too. Vectors would not be 0 there.
void require_sites_of_operator(const char* name, const Hamiltonian& one, const Hamiltonian& h) {
    const auto* const lattice = std::get_if<CellLattice>(&one);
    const auto* const of_h = std::get_if<CellLattice>(&h);
    for (std::size_t i = 0; lattice && i < lattice->vacancies.size(); ++i)
        if (const std::int64_t site = lattice->vacancies[i];
            !of_h || !std::binary_search(of_h->vacancies.begin(), of_h->vacancies.end(), site))
            fail(Status::invalid_argument, name, ": site ", site,
                 " is a vacancy of the operator, but not of the Hamiltonian; give the Hamiltonian this vacancy, or the "
                 "operator as a matrix");
}

void require_operator(const char* name, const std::shared_ptr<const Hamiltonian>& one,
                      const std::shared_ptr<const Hamiltonian>& h) {
    if (sites_of(*one) != sites_of(*h))
        fail(Status::invalid_argument, name, ": the operator has ", sites_of(*one), " sites, but the Hamiltonian ",
             sites_of(*h));
    if (one != h && (is_random(*one) || disorder_of(*one).is_any()))
        fail(Status::invalid_argument, name,
             ": an operator other than the Hamiltonian itself cannot have random on-site energies or vacancies");
    require_sites_of_operator(name, *one, *h);
}

void require_problem(const Problem& problem, const Hamiltonian& h, bool is_complex_too) {
    if (has_fixed_vectors(problem))
        fail(Status::invalid_argument, "kpm.params.start_vectors: ", static_cast<int>(problem.start_vectors),
             problem.start_vectors == StartVectors::sites ? " (sites)" : " (waves)",
             " is not available for double expansions; give these vectors as your own");
    Problem checked = problem;
    if (problem.start_vectors == StartVectors::phase && is_complex_too) checked.start_vectors = StartVectors::sign;
    validate(checked, h);
    require_whole_vectors(problem, "double expansions");
}

void require_source_if_given(const Problem& problem, const StartVectorSource& source) {
    if ((problem.start_vectors == StartVectors::caller) == static_cast<bool>(source)) return;
    fail(Status::invalid_argument, "kpm.params.start_vectors: ", static_cast<int>(problem.start_vectors),
         source ? " is not 4 (given), but the caller gives start vectors" : " (given) needs a source of start vectors");
}

// Returns the memory for the moments of each sample, in the memory of the host. When moments are read, there are also
// their means, their errors, two numbers for each error, and a sample.
MemoryNeeds sample_needs(const Problem& problem) {
    const auto moments = static_cast<std::int64_t>(problem.moments);
    const std::int64_t sample = static_cast<std::int64_t>(sizeof(std::complex<double>)) * moments * moments;
    return {5 * sample, sample};
}

}  // namespace

Correlation::Correlation(Context& context, const Problem& problem, OperatorsOfCorrelation operators,
                         StartVectorSource source)
    : Correlation(context, problem, std::move(operators), std::move(source), nullptr) {}

Correlation::Correlation(Context& context, const Problem& problem, OperatorsOfCorrelation operators,
                         StartVectorSource source, const Saved* saved)
    : context_(context),
      problem_(problem),
      operators_(std::move(operators)),
      source_(std::move(source)),
      energies_(*operators_.h),
      remaining_(*operators_.h, static_cast<std::uint64_t>(problem.seed), context.threads()) {
    list_operators();
    require_problem(problem_, *operators_.h, lanes_ == 2);
    require_same_operators();
    require_source_if_given(problem_, source_);
    require_memory(text("kpm.params.moments: ", problem_.moments, " x ", problem_.moments, " of each of ", samples(),
                        " samples need"),
                   sample_needs(problem_), samples(), free_memory(context, Backend::cpu));
    backend_ = context.choose_backend(trial_of(context, problem_, *operators_.h), saved ? saved->backend : std::nullopt)
                   .backend;
    parts_.emplace(context, backend_);
    find_bounds(saved);
    make_slots_of_parts();
    samples_.reserve(static_cast<std::size_t>(samples()) * size());
}

// Lists each operator once.
void Correlation::list_operators() {
    require_operator("kpm.correlation.a", operators_.a, operators_.h);
    require_operator("kpm.correlation.b", operators_.b, operators_.h);
    used_ = operators_;
    const bool has_real_vectors =
        problem_.start_vectors != StartVectors::caller && problem_.start_vectors != StartVectors::phase;
    if (has_real_vectors && !is_complex(*operators_.h)) make_operators_real();
    for (const auto& one : {used_.h, used_.a, used_.b}) {
        if (number_of(one) == different_.size()) different_.push_back(one.get());
        lanes_ = std::max(lanes_, static_cast<std::size_t>(lanes_of(*one)));
    }
}

// Replaces A = i A' by A', and B = i B' by B', if all elements are then real. With u factors i of both,
//     <B T_m A r | T_n r> = (-i)^u <B' T_m A' r | T_n r>.
void Correlation::make_operators_real() {
    OperatorsOfCorrelation real = operators_;
    std::complex<double> factor = 1;
    for (auto* const one : {&real.a, &real.b}) {
        if (!is_complex(**one)) continue;
        std::optional<CrsMatrix> imaginary = imaginary_part_of(**one, context_.threads());
        if (!imaginary) return;
        const auto made = std::make_shared<const Hamiltonian>(std::move(*imaginary));
        factor *= std::complex(0.0, -1.0);
        if (one == &real.a && operators_.a == operators_.b) {
            real.b = made;
            factor *= std::complex(0.0, -1.0);
        }
        *one = made;
    }
    used_ = real;
    factor_ = factor;
}

// Returns the number of an operator in the list, or the length of the list if it is not there.
std::size_t Correlation::number_of(const std::shared_ptr<const Hamiltonian>& one) const {
    return static_cast<std::size_t>(std::find(different_.begin(), different_.end(), one.get()) - different_.begin());
}

void Correlation::require_same_operators() const {
    require_same_arguments(context_, problem_, *operators_.h);
    if (context_.ranks() == 1) return;
    Comparison comparison;
    comparison.add("kpm.correlation.a (fingerprint of its elements)", fingerprint(*operators_.a));
    comparison.add("kpm.correlation.b (fingerprint of its elements)", fingerprint(*operators_.b));
    comparison.require_same(context_);
}

// Chooses the formats, and finds the bounds of the spectrum.
void Correlation::find_bounds(const Saved* saved) {
    const std::int64_t limit = least_of_ranks(context_, limit_of_slots().bytes);
    for (const Hamiltonian* const one : different_) {
        Problem of_one = problem_;
        if (!formats_.empty()) of_one.format = Format::auto_;
        formats_.push_back(choose_format(backend_, of_one, *one, limit).format);
    }
    require_slots();
    rescaling_ = saved ? saved->rescaling
                       : rescaling_without_engine(context_, *parts_, backend_, problem_, *operators_.h, formats_[0]);
    rounding_ = rounding_of(problem_, *operators_.h, backend_, formats_[0], rescaling_);
}

// Returns the memory that the slots and the operators can take.
MemoryLimit Correlation::limit_of_slots() const {
    return memory_limit(context_, backend_, problem_.memory_budget, sample_needs(problem_).bytes(samples()));
}

// Returns this memory. Throws if not even the fewest slots fit.
MemoryLimit Correlation::require_slots() const {
    MemoryLimit limit = limit_of_slots();
    const MemoryNeeds needs = memory_of_slots();
    constexpr auto least = static_cast<std::int64_t>(least_slots);
    if (needs.bytes(least) > limit.bytes) {
        const double sites = static_cast<double>(sites_of(*operators_.h)) * static_cast<double>(limit.bytes) /
                             static_cast<double>(needs.bytes(least));
        require_memory(
            text("kpm.correlation: ", least, " vectors of ", sites_of(*operators_.h), " sites, the fewest, need"),
            needs.bytes(least),
            {limit.bytes, text(limit.text, "; about ", static_cast<std::int64_t>(sites), " such sites would fit")});
    }
    return limit;
}

// Makes as many slots as are useful, or as fit.
void Correlation::make_slots_of_parts() {
    const auto n = static_cast<std::size_t>(problem_.moments);
    const MemoryLimit limit = require_slots();
    const MemoryNeeds needs = memory_of_slots();
    const std::int64_t fit = least_of_ranks(context_, (limit.bytes - needs.fixed) / needs.each);
    const std::size_t slots = std::min(static_cast<std::size_t>(fit), most_slots(n));
    sizes_ = sizes_of_blocks(n, slots);
    constexpr std::size_t for_cpu = 64, for_device = 256;  // enough, and soon computed
    pieces_ = pieces_of(n, sizes_, backend_ == Backend::cuda ? for_device : for_cpu);
    slots_.resize(parts_->here());
    parts_->side_by_side([&](std::size_t i) {
        slots_[i] = make_slots(parts_->context(i), backend_, problem_, different_, formats_, slots);
    });
    const std::size_t passes = (n + sizes_.left - 1) / sizes_.left;
    context_.log(LogLevel::info,
                 text("kpm.correlation: blocks of ", sizes_.left, " and ", sizes_.right,
                      " vectors; the vectors on the right are computed ", passes, passes == 1 ? " time" : " times"));
}

std::size_t Correlation::size() const {
    const auto n = static_cast<std::size_t>(problem_.moments);
    return n * n;
}

std::int64_t Correlation::bytes() const {
    const std::size_t slots = other_slots + sizes_.left + sizes_.right;
    return memory_of_slots().bytes(static_cast<std::int64_t>(slots));
}

// On the CPU, the matrices that replace imaginary operators take memory, too.
MemoryNeeds Correlation::memory_of_slots() const {
    MemoryNeeds needs = slot_needs(backend_, problem_, different_, formats_);
    if (backend_ == Backend::cuda) return needs;
    for (const Hamiltonian* const one : different_) {
        if (one == operators_.h.get() || one == operators_.a.get() || one == operators_.b.get()) continue;
        constexpr std::int64_t element = sizeof(double) + sizeof(std::int32_t), row = sizeof(std::int64_t);
        needs.fixed += element * elements_of(*one) + row * (sites_of(*one) + 1);
    }
    return needs;
}

std::span<std::complex<double>> Correlation::sums_of(std::int64_t sample) {
    return std::span(samples_).subspan(static_cast<std::size_t>(sample) * size(), size());
}

bool Correlation::step(Reporter& reporter) {
    require_enclosed();
    if (complete()) return true;
    const std::vector<Block> blocks = blocks_of_round(problem_, done_, parts_->count(), 1);
    const std::int64_t end = done_ + std::ssize(blocks);
    samples_.resize(static_cast<std::size_t>(end) * size());
    std::vector<DoubleRecursion> recursions = begin_round(blocks);
    perform(recursions, blocks.size(), reporter);
    Evidence evidence = close(recursions);
    on_any_rank(context_, false);  // after this meeting no rank fails, so that all have finished the same samples
    done_ = std::min(end, evidence.sample);
    enclosure_error_ = std::move(evidence.text);
    require_enclosed();
    reporter.report();
    return true;
}

// Begins the vectors of this rank. The caller's sources of vectors and on-site energies are called in this thread only.
std::vector<DoubleRecursion> Correlation::begin_round(std::span<const Block> blocks) {
    const WorkParts::Range here = parts_->range_here(parts_->count());
    std::vector<DoubleRecursion> recursions;
    for (std::size_t part = here.first; part < std::min(here.end, blocks.size()); ++part) {
        recursions.emplace_back(*slots_[part - here.first], number_of(used_.a), number_of(used_.b),
                                static_cast<std::size_t>(problem_.moments), sizes_, rescaling_, rounding_.step,
                                done_ + static_cast<std::int64_t>(part));
        if (source_ || energies_.has_source()) set_start(*slots_[part - here.first], blocks[part]);
    }
    if (!source_ && !energies_.has_source())
        parts_->side_by_side([&](std::size_t i) {
            if (i < recursions.size()) set_start(*slots_[i], blocks[here.first + i]);
        });
    return recursions;
}

void Correlation::set_start(Slots& slots, const Block& block) {
    slots.begin(block.realisation, energies_.has_source() ? energies_.of(block.realisation) : nullptr);
    if (!source_) return slots.set_random(0, block.kind, block.first);
    vector_.resize(lanes_ * static_cast<std::size_t>(sites_of(*operators_.h)));
    source_(block.first, vector_);
    require_start_vector(problem_.precision, block.first, vector_);
    slots.set(0, vector_);
    slots.remove_vacancies(0);
}

// Performs the recursions of a round. All ranks go through the same loop, also those without a vector.
void Correlation::perform(std::vector<DoubleRecursion>& recursions, std::size_t blocks, Reporter& reporter) {
    const auto has_failed = [](const DoubleRecursion& recursion) { return recursion.has_failed(); };
    for (const Piece& piece : pieces_) {
        parts_->side_by_side([&](std::size_t i) {
            if (i < recursions.size()) recursions[i].perform(piece, sums_of(recursions[i].sample()));
        });
        if (piece.kind != Piece::Kind::products)
            steps_ += static_cast<std::int64_t>((piece.left.count + piece.right.count) * blocks);
        if (context_.ranks() == 1 && std::all_of(recursions.begin(), recursions.end(), has_failed)) return;
        reporter.report_if_due();
    }
}

// Gathers the moments of a round. Returns the evidence of its first sample that has any.
Evidence Correlation::close(std::span<const DoubleRecursion> recursions) {
    Evidence evidence;
    for (const DoubleRecursion& recursion : recursions) {
        const auto sites = static_cast<double>(remaining_.in(recursion.sample() / vectors_of(problem_)));
        for (std::complex<double>& moment : sums_of(recursion.sample())) moment *= factor_ / sites;
        if (!evidence.text.empty()) continue;
        evidence = recursion.evidence();
        if (!evidence.text.empty()) continue;
        std::string found = evidence_of_states_outside(recursion.moments(), recursion.sample(), rescaling_, rounding_,
                                                       sites_of(*operators_.h));
        if (!found.empty()) evidence = {recursion.sample(), std::move(found)};
    }
    gather_samples(*parts_, std::span(samples_).subspan(static_cast<std::size_t>(done_) * size()), size());
    return first_of_ranks(context_, std::move(evidence));
}

void Correlation::require_enclosed() const {
    if (!enclosure_error_.empty()) fail_for_bounds(problem_, rescaling_, enclosure_error_);
}

DoubleMoments Correlation::moments() const {
    DoubleMoments result{done_, mean(), std::vector<std::complex<double>>(size())};
    const auto count = static_cast<std::size_t>(independent_samples());
    statistics::Spread spread(2 * size());  // real and imaginary parts are quantities of their own
    for (std::size_t k = 0; k < count; ++k) {
        const std::vector<std::complex<double>> sample = independent_sample(static_cast<std::int64_t>(k));
        spread.add(k, {reinterpret_cast<const double*>(sample.data()), 2 * size()}, 0, 2 * size());
    }
    spread.errors(count, {reinterpret_cast<double*>(result.error.data()), 2 * size()});
    return result;
}

// Returns the mean moments of the samples first .. first + count - 1.
std::vector<std::complex<double>> Correlation::mean_of(std::int64_t first, std::int64_t count) const {
    std::vector<std::complex<double>> mean(size());
    for (std::int64_t s = first; s < first + count; ++s) {
        const std::complex<double>* const sample = samples_.data() + static_cast<std::size_t>(s) * size();
        for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += sample[i];
    }
    if (count > 0)
        for (std::complex<double>& m : mean) m /= static_cast<double>(count);
    return mean;
}

bool Correlation::realisations_are_independent() const {
    return is_random(*operators_.h) && done_ / vectors_of(problem_) >= 2;
}

std::int64_t Correlation::independent_samples() const {
    if (realisations_are_independent()) return done_ / vectors_of(problem_);
    return done_ >= 2 ? done_ : 0;
}

std::vector<std::complex<double>> Correlation::independent_sample(std::int64_t number) const {
    const std::int64_t vectors = realisations_are_independent() ? vectors_of(problem_) : 1;
    return mean_of(number * vectors, vectors);
}

std::span<const std::complex<double>> Correlation::sample(std::int64_t sample) const {
    if (done_ == 0)
        fail(Status::invalid_argument, "kpm.correlation.sample: ", sample, " is not there: no sample is finished yet");
    require_integer("kpm.correlation.sample", sample, 0, done_ - 1);
    return std::span(samples_).subspan(static_cast<std::size_t>(sample) * size(), size());
}

}  // namespace legato::kpm
