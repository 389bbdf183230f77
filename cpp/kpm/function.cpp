#include "kpm/function.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/comparison.hpp"
#include "core/parallel.hpp"
#include "core/ranks.hpp"
#include "core/state_header.hpp"
#include "core/validate.hpp"
#include "kpm/cell_matrix.hpp"
#include "kpm/division.hpp"
#include "kpm/recursion.hpp"
#include "kpm/trial.hpp"

namespace legato::kpm {
namespace {

constexpr std::int64_t widest_request = max_block_width;

Problem for_functions(Problem problem) {
    problem.start_vectors = StartVectors::caller;
    problem.moments = Params{}.moments;
    problem.vectors = static_cast<int>(widest_request);
    problem.sums = 1;
    return problem;
}

// Returns the largest rounding error of a step of the recursion in double precision, relative to the norm of its
// vectors: of the products and sums of a row, of the other two terms, and of the energies.
double rounding_of_step(const Hamiltonian& hamiltonian, const Rescaling& rescaling, const Interval& gershgorin) {
    const double unit = epsilon(Precision::double_) / 2, offset = std::abs(rescaling.centre) / rescaling.half_width;
    const double row = std::max(std::abs(gershgorin.lowest), std::abs(gershgorin.highest)) / rescaling.half_width;
    const int lanes = lanes_of(hamiltonian);  // a complex element has two products for each lane
    std::int64_t longest = longest_row(hamiltonian);
    if (const auto* cells = std::get_if<CellLattice>(&hamiltonian)) longest = std::max(longest, most_bonds(*cells) + 1);
    const auto elements = static_cast<double>(lanes * longest + 3 * (lanes - 1));
    return unit * ((elements + 3) * 2 * row + 6 * offset + 2 + 2 * (1 + offset));
}

void run_in_parts(std::size_t count, int threads, const std::function<void(std::size_t, std::size_t)>& work) {
    in_team(threads, [&](const Team& team) {
        const auto [first, last] = team.share(count);
        work(first, last);
    });
}

}  // namespace

// The recursion of a block, and its sums.
class Function::Expanding {
  public:
    Expanding(Engine& engine, const Block& block, const Function& of)
        : engine_(&engine),
          block_(block),
          of_(&of),
          kept_(std::min(2 * (of.expansion().terms() - 1), most_moments)),
          xx_(static_cast<std::size_t>(block.width)),
          yx_(xx_.size()),
          zeroth_(xx_.size()),
          first_(xx_.size()),
          moments_(xx_.size() * kept_) {}

    const Block& block() const { return block_; }
    Engine& engine() const { return *engine_; }
    bool has_failed() const { return !evidence_.empty(); }

    void begin() {
        engine_->begin(block_);
        add_term();
    }

    void perform(std::size_t count) {
        for (std::size_t i = 0; i < count && !has_failed(); ++i) {
            engine_->steps(step_to(n_ + 1, of_->rescaling_), 1, xx_, yx_);
            for (std::size_t v = 0; v < xx_.size(); ++v) check(v);
            ++n_;
            add_term();
        }
    }

    // Returns what shows that the bounds do not enclose the spectrum, or an empty text.
    std::string evidence() const {
        std::string found = evidence_;
        for (std::size_t v = 0; v < xx_.size() && found.empty() && kept_ > 0; ++v)
            found = evidence_of_states_outside(std::span(moments_).subspan(v * kept_, kept_), number(v),
                                               of_->rescaling_, of_->rounding_, sites_of(*of_->hamiltonian_));
        return found;
    }

  private:
    static constexpr std::size_t most_moments = 4096;  // for the tests of the moments

    std::int64_t number(std::size_t v) const { return block_.first + static_cast<std::int64_t>(v); }

    // Adds T_n(H~) v, which is x.
    void add_term() {
        const Expansion& e = of_->expansion();
        const auto scaled = [&](double c) { return std::scalbn(c, -of_->exponent_); };
        if (e.real[n_] != 0) engine_->add_to_sum(0, scaled(e.real[n_]));
        if (!e.imaginary.empty() && e.imaginary[n_] != 0) engine_->add_to_sum(1, scaled(e.imaginary[n_]));
    }

    // Looks at the moments 2 n and 2 n + 1 of a vector.
    void check(std::size_t v) {
        if (n_ == 0) {
            zeroth_[v] = xx_[v];
            first_[v] = yx_[v];
        }
        const double even = n_ == 0 ? xx_[v] : 2 * xx_[v] - zeroth_[v], odd = n_ == 0 ? yx_[v] : 2 * yx_[v] - first_[v];
        for (const auto& [order, moment] : {std::pair{2 * n_, even}, std::pair{2 * n_ + 1, odd}}) {
            if (order < kept_) moments_[v * kept_ + order] = moment;
            const double rounding = of_->rounding_.step + of_->step_rounding_;
            if (!has_failed() && !is_bounded(moment, zeroth_[v], of_->rescaling_, rounding, order))
                evidence_ =
                    text("moment ", order, " of sample ", number(v), " is ", moment / zeroth_[v], " times moment 0");
        }
    }

    Engine* engine_;
    Block block_;
    const Function* of_;
    std::size_t n_ = 0;  // x is T_n(H~) v
    std::size_t kept_;   // moments of each vector
    std::vector<double> xx_, yx_, zeroth_, first_;
    std::vector<double> moments_;  // [width][kept]
    std::string evidence_;
};

Function::Function(Context& context, const Problem& problem, std::shared_ptr<const Hamiltonian> prepared,
                   std::int64_t realisation)
    : context_(context),
      problem_(for_functions(problem)),
      hamiltonian_(std::move(prepared)),
      numbers_(static_cast<std::size_t>(kpm::lanes_of(*hamiltonian_))),
      realisation_(realisation),
      energies_(*hamiltonian_) {
    validate(problem_, *hamiltonian_);
    require_integer("kpm.realisation", realisation, 0, problem_.realisations - 1);
    require_same_arguments(context, problem_, *hamiltonian_);
    backend_ = context.choose_backend(trial_of(context, problem_, *hamiltonian_)).backend;
    parts_.emplace(context, backend_);
    const std::int64_t limit = least_of_ranks(context, memory_limit(context, backend_, problem_).bytes);
    format_ = choose_format(backend_, problem_, *hamiltonian_, limit).format;
    sharing_ = choose_sharing(backend_, problem_, *hamiltonian_, format_, parts_->count(), limit);
    prepare_engines(1);
    const Interval bounds = of_first_rank(context, bounds_of(context, problem_, *hamiltonian_, (*engines_)[0]));
    rescaling_ = rescaling_of(bounds, problem_.margin);
    rounding_ = rounding_of(problem_, *hamiltonian_, backend_, format_, rescaling_);
    const Interval outer =
        of_first_rank(context, gershgorin_bounds(*hamiltonian_, static_cast<std::uint64_t>(problem_.seed),
                                                 problem_.realisations, context.threads()));
    step_rounding_ = rounding_of_step(*hamiltonian_, rescaling_, outer);
    largest_x_ = std::min(
        1.0, std::max(bounds.highest - rescaling_.centre, rescaling_.centre - bounds.lowest) / rescaling_.half_width);
}

void Function::set(FunctionKind kind, double first, double second, double tolerance) {
    run_without_reentry(running_, run_name, "set", [&] {
        Comparison comparison;
        comparison.add("kpm.function.kind", static_cast<int>(kind));
        comparison.add("kpm.function.first", first);
        comparison.add("kpm.function.second", second);
        comparison.add("kpm.function.tolerance", tolerance);
        comparison.require_same(context_);
        take(expansion_of(kind, first, second, rescaling_, tolerance));
    });
}

void Function::set(const EnergyFunction& f, double tolerance) {
    run_without_reentry(running_, run_name, "set", [&] { take(expansion_of(f, rescaling_, tolerance)); });
}

// The ranks have the same expansion if their callbacks compute the same.
void Function::take(Expansion expansion) {
    Comparison comparison;
    comparison.add("kpm.function (number of terms)", static_cast<std::int64_t>(expansion.terms()));
    comparison.require_same(context_);
    take_of_first_rank(context_, expansion.real);
    take_of_first_rank(context_, expansion.imaginary);
    expansion.factor = of_first_rank(context_, expansion.factor);
    expansion.largest = of_first_rank(context_, expansion.largest);
    bound_ = of_first_rank(
        context_, expansion.truncation + kpm::rounding_of(expansion, largest_x_, step_rounding_ + rounding_.step,
                                                          epsilon(problem_.precision)));
    exponent_ = expansion.largest > 0 ? std::ilogb(expansion.largest) : 0;
    expansion_ = std::move(expansion);
}

const Expansion& Function::expansion() const {
    if (!expansion_)
        fail(Status::invalid_argument, "kpm.function: no function is set; call legato_kpm_function_set first");
    return *expansion_;
}

double Function::bound() const {
    expansion();
    return bound_;
}

// Makes engines that are wide enough for this many real vectors, unless the present ones are or cannot be wider.
void Function::prepare_engines(std::int64_t lanes) {
    const auto blocks = static_cast<std::int64_t>(parts_->count() / sharing_);
    const std::int64_t wanted = std::min((lanes + blocks - 1) / blocks, widest_request);
    const int sums = expansion_ && !expansion_->imaginary.empty() ? 2 : 1;
    if (engines_ && problem_.sums >= sums && (engine_width_ >= wanted || widest_)) return;
    engines_.reset();
    engine_width_ = 0;
    problem_.sums = std::max(problem_.sums, sums);
    problem_.vectors = static_cast<int>(wanted);
    const std::int64_t fit =
        least_of_ranks(context_, choose_block_width(context_, backend_, problem_, *hamiltonian_, format_, sharing_));
    engines_.emplace(context_, *parts_, backend_, problem_, *hamiltonian_, format_, sharing_, static_cast<int>(fit));
    engine_width_ = static_cast<int>(fit);
    widest_ = fit < wanted;
}

// Returns the real vectors of all vectors, and checks their elements.
std::vector<Function::Lane> Function::lanes_of(const Vectors& vectors) const {
    const std::size_t parts = vectors.parts, elements = vectors.in.size() / static_cast<std::size_t>(vectors.count);
    const std::size_t lanes_of_vector = numbers_ == 2 ? 1 : parts;
    std::vector<double> largest(static_cast<std::size_t>(vectors.count) * lanes_of_vector);
    in_parallel(static_cast<std::size_t>(vectors.count), context_.threads(), [&](std::size_t v) {
        for (std::size_t i = 0; i < elements; ++i) {
            const double size = std::abs(vectors.in[v * elements + i]);
            double& most = largest[v * lanes_of_vector + i % lanes_of_vector];
            if (!(size <= most)) most = size;  // also if it is not a number
            if (!(size <= std::numeric_limits<double>::max()))
                fail(Status::invalid_argument, "kpm.function.in[", v * elements + i,
                     "]: ", vectors.in[v * elements + i], " is not finite");
        }
    });
    std::vector<Lane> lanes;
    for (std::int64_t v = 0; v < vectors.count; ++v) {
        const std::size_t before = lanes.size();
        for (std::size_t part = 0; part < lanes_of_vector; ++part) {
            const double most = largest[static_cast<std::size_t>(v) * lanes_of_vector + part];
            const bool is_needed = most > 0 || (part + 1 == lanes_of_vector && lanes.size() == before);
            if (is_needed) lanes.push_back({v, part, false, most > 0 ? std::ilogb(most) : 0});
        }
        lanes.back().last = true;
    }
    return lanes;
}

// The elements are compared, because each rank multiplies other vectors.
void Function::require_same_vectors(const Vectors& vectors) const {
    if (context_.ranks() == 1) return;
    Comparison comparison;
    comparison.add("kpm.function.n_vectors", vectors.count);
    comparison.add("kpm.function.in (parts of an element)", static_cast<std::int64_t>(vectors.parts));
    comparison.add("kpm.function.in (checksum)", state_format::checksum(std::as_bytes(vectors.in)));
    comparison.require_same(context_);
}

void Function::apply(const Vectors& vectors, const ProgressCallback& callback) {
    run_without_reentry(running_, run_name, "apply", [&] {
        expansion();
        if (vectors.parts < numbers_)
            fail(Status::invalid_argument, "kpm.function: the Hamiltonian is complex; use legato_kpm_function_apply ",
                 "for complex vectors");
        require_same_vectors(vectors);
        const std::vector<Lane> lanes = lanes_of(vectors);
        const auto sites = static_cast<std::size_t>(sites_of(*hamiltonian_));
        vectors_ = vectors.count;
        done_ = 0;
        prepare_engines(static_cast<std::int64_t>(lanes.size()));
        collected_.assign(2 * sites, 0.0);
        Reporter reporter(context_, run_name, callback, seconds_between_reports, [this] {
            return Progress{done_, vectors_, steps_};
        });
        apply_lanes(vectors, lanes, reporter);
    });
}

void Function::apply_lanes(const Vectors& vectors, std::span<const Lane> lanes, Reporter& reporter) {
    const std::size_t elements = vectors.in.size() / static_cast<std::size_t>(vectors.count);
    const StartVectorSource source = [&](std::int64_t number, std::span<double> vector) {
        const Lane& lane = lanes[static_cast<std::size_t>(number)];
        const double* const from = vectors.in.data() + static_cast<std::size_t>(lane.vector) * elements + lane.part;
        run_in_parts(vector.size(), context_.threads(), [&](std::size_t first, std::size_t last) {
            const std::size_t distance = vectors.parts / numbers_;
            for (std::size_t i = first; i < last; ++i) vector[i] = std::scalbn(from[i * distance], -lane.exponent);
        });
    };
    Problem round = problem_;
    round.realisations = 1;
    round.vectors = static_cast<int>(lanes.size());
    const std::size_t blocks_at_once = parts_->count() / sharing_;
    const WorkParts::Range here = is_shared() ? WorkParts::Range{0, 1} : parts_->range_here(parts_->count());
    for (std::int64_t begun = 0; begun < round.vectors;) {
        const std::vector<Block> blocks = blocks_of_round(round, begun, blocks_at_once, engine_width_);
        std::vector<Expanding> expanding;
        for (std::size_t part = 0; part < blocks.size(); ++part) {
            Block block = blocks[part];
            block.realisation = realisation_;
            block.source = &source;
            block.energies = energies_.of(realisation_);
            begun += block.width;
            if (part >= here.first && part < here.end)
                expanding.emplace_back((*engines_)[part - here.first], block, *this);
        }
        for (Expanding& one : expanding) one.begin();  // in this thread, as the source uses all threads
        expand(expanding, blocks, reporter);
        collect(vectors, lanes, blocks);
        reporter.report();
    }
}

// Computes all terms of the blocks of a round. All ranks go through the same loop, also those without a block.
void Function::expand(std::vector<Expanding>& expanding, std::span<const Block> blocks, Reporter& reporter) {
    block_width_ = blocks.front().width;
    const std::size_t all = expansion().terms() - 1;
    const auto at_once = static_cast<std::size_t>(steps_at_once(sites_of(*hamiltonian_), block_width_));
    for (std::size_t done = 0; done < all;) {
        const std::size_t now = std::min(at_once, all - done);
        engines_->side_by_side([&](std::size_t i) {
            if (i < expanding.size()) expanding[i].perform(now);
        });
        done += now;
        steps_ += static_cast<std::int64_t>(now * blocks.size());
        reporter.report_if_due();
    }
    std::string evidence;
    for (const Expanding& one : expanding)
        if (evidence.empty()) evidence = one.evidence();
    const std::vector<char> found = gather_value(context_, static_cast<char>(!evidence.empty()));
    const auto first = std::find(found.begin(), found.end(), 1);
    if (first == found.end()) return;
    if (context_.rank() != first - found.begin()) evidence.clear();
    const std::vector<char> message = gather_list<char>(context_, evidence);
    fail_for_bounds(problem_, rescaling_, {message.begin(), message.end()});
}

// Reads the sums of a round, lane by lane. If the ranks have different blocks, they pass them to one another.
void Function::collect(const Vectors& vectors, std::span<const Lane> lanes, std::span<const Block> blocks) {
    const std::size_t size = collected_.size() / 2 * numbers_, count = expansion().imaginary.empty() ? 1 : 2;
    std::vector<double> sums(size * count);
    for (std::size_t part = 0; part < blocks.size(); ++part) {
        const bool here = is_shared() || parts_->rank_of_part(part) == static_cast<std::size_t>(context_.rank());
        for (std::size_t v = 0; v < static_cast<std::size_t>(blocks[part].width); ++v) {
            for (std::size_t j = 0; here && j < count; ++j)
                (*engines_)[is_shared() ? 0 : part - parts_->first_here()].read_sum(
                    j, v, std::span(sums).subspan(j * size, size));
            if (!is_shared())
                parts_->gather_ranges(std::span(sums), [&](std::size_t rank) {
                    return rank == parts_->rank_of_part(part) ? WorkParts::Range{0, sums.size()} : WorkParts::Range{};
                });
            add_lane(vectors, lanes[static_cast<std::size_t>(blocks[part].first) + v], sums);
        }
    }
}

// Adds what a real vector contributes to f(H) v, and copies it to the caller if it is complete.
void Function::add_lane(const Vectors& vectors, const Lane& lane, std::span<const double> sums) {
    const std::size_t sites = collected_.size() / 2, size = sites * numbers_;
    const bool is_complex = numbers_ == 2;
    const std::complex<double> factor = expansion().factor;
    const int exponent = lane.exponent + exponent_;
    // Returns element i of a sum, whose numbers begin with number `first`, or 0 if there is no such sum.
    const auto element = [&](std::size_t first, std::size_t i) -> std::complex<double> {
        if (first == sums.size()) return 0;
        return is_complex ? std::complex(sums[first + 2 * i], sums[first + 2 * i + 1]) : sums[first + i];
    };
    double* const out = vectors.out.data() + static_cast<std::size_t>(lane.vector) * sites * vectors.parts;
    run_in_parts(sites, context_.threads(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const std::complex<double> real = element(0, i), imaginary = element(size, i),
                                       sum(real.real() - imaginary.imag(), real.imag() + imaginary.real());
            const std::complex<double> before(collected_[2 * i], collected_[2 * i + 1]);
            const std::complex<double> scaled(std::scalbn(sum.real(), exponent), std::scalbn(sum.imag(), exponent));
            const std::complex<double> now =
                before + (lane.part == 0 ? scaled : std::complex(-scaled.imag(), scaled.real()));
            collected_[2 * i] = lane.last ? 0 : now.real();
            collected_[2 * i + 1] = lane.last ? 0 : now.imag();
            if (!lane.last) continue;
            const std::complex<double> result = factor == 1.0 ? now : factor * now;
            out[i * vectors.parts] = result.real();
            if (vectors.parts == 2) out[2 * i + 1] = result.imag();
        }
    });
    if (lane.last) ++done_;
}

}  // namespace legato::kpm
