// The CPU engine. Each thread computes its own points, or all threads share one point if the bar is wide.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/aligned.hpp"
#include "tmm/convergence.hpp"
#include "tmm/couplings.hpp"
#include "tmm/cpu_kernels.hpp"
#include "tmm/disorder.hpp"
#include "tmm/engine.hpp"
#include "tmm/given_slices.hpp"
#include "tmm/lattice.hpp"
#include "tmm/memory.hpp"
#include "tmm/orthonormalise.hpp"
#include "tmm/precision.hpp"

namespace legato::tmm {
namespace {

constexpr std::size_t cache_doubles = 16384;  // doubles of the columns that stay in the cache while they are multiplied
constexpr std::int64_t couplings_at_once = 8;  // slices whose hopping is drawn together, if it is not plain

struct Slot {
    Point point;
    std::uint32_t stream = 0;
    PointState state;    // psi remains empty; the columns are in `rows`
    AlignedVector rows;  // [2 channels][row]: psi_{n+1}, then psi_n
};

// Memory of a team besides the slot itself. An interval is the slices between two orthonormalisations.
struct Scratch {
    AlignedVector diagonals;  // [interval][channels] E - V
    // With other than plain hopping the diagonals are for couplings_at_once slices, and these are, too. The diagonals
    // and the hopping are divided by the hopping along the bar to the next slice.
    std::vector<double> before;        // [slices][channels] hopping from the earlier slice over that to the next one
    std::vector<Neighbour> couplings;  // [slices][channels][couplings of a channel]
    std::vector<double> cycle_log_norms;
    OrthonormaliseScratch ortho;
    bool interval_lost = false;   // precision was lost in the last interval
    bool lost_precision = false;  // precision was lost in this cycle
    bool ended = false;           // precision was lost within one slice, so that no shorter interval is possible
};

std::vector<Neighbour> all_neighbours(const Problem& problem) {
    if (!problem.given) return neighbours(problem);
    std::vector<Neighbour> near;
    for (std::size_t site = 0; site < static_cast<std::size_t>(problem.sites()); ++site)
        for (std::size_t k = 0; k < problem.given->directions(); ++k)
            near.push_back({problem.given->neighbour(site, k), 0});
    return near;
}

class CpuEngine final : public Engine {
  public:
    CpuEngine(const Problem& problem, std::size_t slots, int threads)
        : problem_(problem),
          sites_(static_cast<std::size_t>(problem.sites())),
          components_(static_cast<std::size_t>(problem.components())),
          channels_(static_cast<std::size_t>(problem.channels())),
          row_(row_length(channels_)),
          is_plain_(problem.has_plain_hopping()),
          near_(all_neighbours(problem)),
          directions_(near_.size() / sites_),
          kernels_(cpu_kernels()),
          threads_(threads),
          slots_(slots),
          scratch_(static_cast<std::size_t>(threads)) {}

    std::size_t slots() const override { return slots_.size(); }
    void load(std::span<const Entry> entries) override;
    void store(std::span<const std::size_t> slots, std::span<PointState> states, bool whole) const override;
    std::int64_t advance(std::int64_t cycles, std::span<const std::size_t> slots,
                         std::span<PointStatus> statuses) override;
    void pause_at(std::int64_t cycles) override { limit_ = {problem_, cycles}; }
    CycleEnd cycle(std::size_t index, std::span<const double> diagonals, std::span<double> log_norms) override;

  private:
    std::size_t couplings_of_channel() const { return directions_ * components_; }
    void load_slot(const Entry& entry, const PointState& state);
    void store_slot(const Slot& slot, PointState& state, bool whole) const;
    void prepare(Scratch& scratch) const;
    void run(Slot& slot, Scratch& scratch, std::int64_t cycles, Team team);
    void run_cycle(Slot& slot, Scratch& scratch, Team team);
    void draw(Slot& slot, Scratch& scratch, std::int64_t slices);
    void multiply_in_parts(Slot& slot, Scratch& scratch, std::int64_t slices, Team team);
    void draw_couplings(const Slot& slot, Scratch& scratch, std::int64_t slices, Team team) const;
    void draw_site(const Slot& slot, Scratch& scratch, std::int64_t slice, std::size_t site) const;
    GivenSlices::Site numbers_of(const Slot& slot, std::int64_t slice, std::size_t site) const;
    // Multiplies by slices whose hopping is plain, or by those in `couplings`.
    void multiply(Slot& slot, const double* diagonals, const Scratch* couplings, std::int64_t slices, Team team);
    void close_interval(Slot& slot, Scratch& scratch, std::int64_t slices);
    void restart_columns(Slot& slot) const;
    void close_cycle(Slot& slot, Scratch& scratch);
    // Adds the growths of a cycle to the sums, by Rule::tmsexd or by Rule::blocks. Returns true if the point has
    // converged.
    bool add_as_one(PointState& state, std::span<const double> growths) const;
    bool add_in_blocks(PointState& state, std::span<const double> growths) const;

    Problem problem_;
    std::size_t sites_, components_, channels_, row_;
    bool is_plain_;
    std::vector<Neighbour> near_;  // [sites][directions]
    std::size_t directions_;
    const CpuKernels& kernels_;
    int threads_;
    std::vector<Slot> slots_;
    std::vector<Scratch> scratch_;
    CycleLimit limit_{problem_, never};
};

void CpuEngine::load(std::span<const Entry> entries) {
    for_each_point(problem_, entries.size(), threads_, [&](std::size_t i, int team_size) {
        const Entry& entry = entries[i];
        if (entry.state)
            load_slot(entry, *entry.state);
        else
            load_slot(entry, initial_state(problem_, entry.stream, team_size));
    });
}

void CpuEngine::load_slot(const Entry& entry, const PointState& state) {
    Slot& slot = slots_[entry.slot];
    slot.point = entry.point;
    slot.stream = entry.stream;
    slot.state = {state.status,     state.cycles, state.slices, state.interval, state.log_norms,
                  state.log_norms2, state.blocks, {},           state.random};
    if (problem_.rule == Rule::blocks) slot.state.blocks.resize(most_blocks * channels_);
    slot.rows.assign(2 * channels_ * row_, 0.0);
    for (std::size_t column = 0; column < channels_; ++column)
        for (std::size_t k = 0; k < 2 * channels_; ++k)
            slot.rows[k * row_ + column] = state.psi[column * 2 * channels_ + k];
}

void CpuEngine::store(std::span<const std::size_t> slots, std::span<PointState> states, bool whole) const {
    for (std::size_t i = 0; i < slots.size(); ++i) store_slot(slots_[slots[i]], states[i], whole);
}

void CpuEngine::store_slot(const Slot& slot, PointState& state, bool whole) const {
    state = slot.state;
    if (!whole) {
        state.random = {};
        return;
    }
    state.psi.resize(2 * channels_ * channels_);
    for (std::size_t column = 0; column < channels_; ++column)
        for (std::size_t k = 0; k < 2 * channels_; ++k)
            state.psi[column * 2 * channels_ + k] = slot.rows[k * row_ + column];
}

std::int64_t CpuEngine::advance(std::int64_t cycles, std::span<const std::size_t> slots,
                                std::span<PointStatus> statuses) {
    // Threads compute one point each while there are points for all of them. In wide bars, all threads then share each
    // of the remaining points.
    const auto threads = static_cast<std::size_t>(threads_);
    const std::size_t alone = channels_ < team_from ? slots.size() : slots.size() / threads * threads;
    const auto cycles_of = [this](std::size_t index) { return slots_[index].state.cycles; };
    std::int64_t before = 0, after = 0;
    for (const std::size_t index : slots) before += cycles_of(index);
    // Memory is allocated before the threads start, because a thread could not report a failure.
    for (Scratch& scratch : std::span(scratch_).first(alone > 1 ? threads : 1)) prepare(scratch);
    std::atomic<std::size_t> next = 0;
    in_team(alone > 1 ? threads_ : 1, [&](const Team& team) {
        for (std::size_t i = next++; i < alone; i = next++) run(slots_[slots[i]], scratch_[team.rank], cycles, Team{});
    });
    for (std::size_t i = alone; i < slots.size(); ++i)
        in_rounds(cycles, threads_, [&](const Team& team, std::int64_t first, std::int64_t last) {
            run(slots_[slots[i]], scratch_[0], last - first, team);
        });
    for (std::size_t i = 0; i < slots.size(); ++i) {
        statuses[i] = slots_[slots[i]].state.status;
        after += cycles_of(slots[i]);
    }
    return after - before;
}

CycleEnd CpuEngine::cycle(std::size_t index, std::span<const double> diagonals, std::span<double> log_norms) {
    Slot& slot = slots_[index];
    Scratch& scratch = scratch_[0];
    prepare(scratch);
    scratch.ortho.valid = true;
    const auto slices = static_cast<std::int64_t>(diagonals.size() / channels_);
    const AlignedVector before = slot.rows;
    in_team(channels_ < team_from ? 1 : threads_, [&](const Team& team) {
        multiply(slot, diagonals.data(), nullptr, slices, team);
        team.wait();
        orthonormalise(kernels_, channels_, slot.rows.data(), scratch.ortho, team);
    });
    if (!scratch.ortho.valid) return CycleEnd::failed;
    if (scratch.ortho.largest_loss() > most_growth) {
        slot.rows = before;
        return CycleEnd::lost_precision;
    }
    for (std::size_t j = 0; j < channels_; ++j) log_norms[j] = 0.5 * std::log(scratch.ortho.norms2[j]);
    return CycleEnd::valid;
}

// Allocates the memory of a team. `diagonals` comes last, because it shows whether all has been allocated.
void CpuEngine::prepare(Scratch& scratch) const {
    if (!scratch.diagonals.empty()) return;
    scratch.ortho.resize(channels_);
    scratch.cycle_log_norms.resize(channels_);
    if (is_plain_) return scratch.diagonals.resize(static_cast<std::size_t>(problem_.n_ortho) * channels_);
    constexpr auto slices = static_cast<std::size_t>(couplings_at_once);
    scratch.before.resize(slices * channels_);
    scratch.couplings.resize(slices * channels_ * couplings_of_channel());
    scratch.diagonals.resize(slices * channels_);
}

// Advances a slot. Every thread of the team calls it, as all functions with a Team.
void CpuEngine::run(Slot& slot, Scratch& scratch, std::int64_t cycles, Team team) {
    if (team.leads()) {
        scratch.ortho.valid = true;
        // A point that has stopped keeps its status. It is still in the slot if an error came before it was fetched.
        if (!is_finished(slot.state.status) && slot.state.cycles < limit_.cycles)
            slot.state.status = PointStatus::running;
    }
    team.wait();
    for (std::int64_t done = 0; done < cycles && slot.state.status == PointStatus::running; ++done) {
        run_cycle(slot, scratch, team);
        if (team.leads()) close_cycle(slot, scratch);
        team.wait();
    }
}

void CpuEngine::run_cycle(Slot& slot, Scratch& scratch, Team team) {
    if (team.leads()) {
        std::fill(scratch.cycle_log_norms.begin(), scratch.cycle_log_norms.end(), 0.0);
        scratch.interval_lost = scratch.lost_precision = scratch.ended = false;
    }
    for (std::int64_t slice = 0; slice < problem_.n_ortho && scratch.ortho.valid;) {
        const std::int64_t slices = std::min(slot.state.interval, problem_.n_ortho - slice);
        if (is_plain_) {
            if (team.leads()) draw(slot, scratch, slices);
            team.wait();
            multiply(slot, scratch.diagonals.data(), nullptr, slices, team);
            team.wait();
        } else {
            multiply_in_parts(slot, scratch, slices, team);
        }
        orthonormalise(kernels_, channels_, slot.rows.data(), scratch.ortho, team);
        if (team.leads() && scratch.ortho.valid) close_interval(slot, scratch, slices);
        team.wait();
        if (scratch.interval_lost) {
            if (team.leads()) restart_columns(slot);
            team.wait();
        }
        slice += slices;
    }
}

void CpuEngine::close_interval(Slot& slot, Scratch& scratch, std::int64_t slices) {
    double least = INFINITY, most = -INFINITY;
    for (std::size_t j = 0; j < channels_; ++j) {
        const double log_norm = 0.5 * std::log(scratch.ortho.norms2[j]);
        scratch.cycle_log_norms[j] += log_norm;
        least = std::min(least, log_norm);
        most = std::max(most, log_norm);
    }
    if (problem_.max_growth > 0)
        slot.state.interval = adapted_interval(slices, most - least, problem_.max_growth, problem_.n_ortho);
    scratch.interval_lost = loses_precision(most - least);
    if (!scratch.interval_lost) return;
    scratch.lost_precision = true;
    scratch.ended |= slices == 1;
    slot.state.interval = std::min(slot.state.interval, shortened_interval(slices, most - least));
}

// Restarts from psi_1 = identity, psi_0 = 0, because the slow columns have become rounding errors.
void CpuEngine::restart_columns(Slot& slot) const {
    std::fill(slot.rows.begin(), slot.rows.end(), 0.0);
    for (std::size_t j = 0; j < channels_; ++j) slot.rows[j * row_ + j] = 1.0;
}

void CpuEngine::draw(Slot& slot, Scratch& scratch, std::int64_t slices) {
    const auto first_slice = static_cast<std::uint64_t>(slot.state.slices);
    std::vector<std::uint32_t>& words = slot.state.random;
    const auto kind = problem_.disorder;
    const double energy = slot.point.energy, strength = slot.point.disorder;
    double* diagonal = scratch.diagonals.data();
    for (std::int64_t s = 0; s < slices; ++s, diagonal += sites_) {
        switch (problem_.random_stream) {
            case RandomStream::lfsr113: {
                random::Lfsr113 generator{words[0], words[1], words[2], words[3]};
                for (std::size_t i = 0; i < sites_; ++i) diagonal[i] = energy - potential(kind, strength, generator);
                words[0] = generator.z1, words[1] = generator.z2, words[2] = generator.z3, words[3] = generator.z4;
                break;
            }
            case RandomStream::lfsr113_per_site:
                for (std::size_t i = 0; i < sites_; ++i) {
                    std::uint32_t* const w = words.data() + 4 * i;
                    random::Lfsr113 generator{w[0], w[1], w[2], w[3]};
                    diagonal[i] = energy - potential(kind, strength, generator);
                    w[0] = generator.z1, w[1] = generator.z2, w[2] = generator.z3, w[3] = generator.z4;
                }
                break;
            case RandomStream::philox:
                for (std::size_t i = 0; i < sites_; ++i)
                    diagonal[i] =
                        energy - potential(kind, strength, static_cast<std::uint64_t>(problem_.seed), slot.stream,
                                           first_slice + static_cast<std::uint64_t>(s), static_cast<std::uint32_t>(i));
                break;
        }
    }
    slot.state.slices += slices;
}

// Draws and multiplies by some slices of an interval at a time, if the hopping is not plain.
void CpuEngine::multiply_in_parts(Slot& slot, Scratch& scratch, std::int64_t slices, Team team) {
    for (std::int64_t done = 0; done < slices;) {
        const std::int64_t drawn = std::min(couplings_at_once, slices - done);
        draw_couplings(slot, scratch, drawn, team);
        team.wait();
        if (team.leads()) slot.state.slices += drawn;
        multiply(slot, scratch.diagonals.data(), &scratch, drawn, team);
        team.wait();
        done += drawn;
    }
}

// Draws the slices of a problem without plain hopping. Each thread has a share of the sites.
void CpuEngine::draw_couplings(const Slot& slot, Scratch& scratch, std::int64_t slices, Team team) const {
    const auto [first, last] = team.share(sites_);
    for (std::int64_t slice = 0; slice < slices; ++slice)
        for (std::size_t site = first; site < last; ++site) draw_site(slot, scratch, slice, site);
}

// Draws what the channels of a site need in one slice of those that are drawn together, or takes what is given.
void CpuEngine::draw_site(const Slot& slot, Scratch& scratch, std::int64_t slice, std::size_t site) const {
    const std::int64_t number = slot.state.slices + slice;
    const GivenSlices::Site here = numbers_of(slot, number, site);
    const std::size_t channel = static_cast<std::size_t>(slice) * channels_ + site * components_;
    for (std::size_t a = 0; a < components_; ++a) {
        scratch.diagonals[channel + a] = (slot.point.energy - here.on_site) / here.next;
        scratch.before[channel + a] = here.earlier / here.next;
    }
    for (std::size_t k = 0; k < directions_; ++k) {
        const Quaternion hopping = problem_.given
                                       ? problem_.given->hopping(slot.stream, number, site, k)
                                       : hopping_to(problem_, slot.stream, static_cast<std::uint64_t>(number),
                                                    static_cast<std::int64_t>(site), static_cast<int>(k));
        const auto near = near_[site * directions_ + k].site * static_cast<std::int32_t>(components_);
        for (std::size_t a = 0; a < components_; ++a)
            for (std::size_t b = 0; b < components_; ++b)
                scratch.couplings[(channel + a) * couplings_of_channel() + k * components_ + b] = {
                    near + static_cast<std::int32_t>(b),
                    unit_sign(static_cast<int>(a), static_cast<int>(b)) * hopping.part[a ^ b] / here.next};
    }
}

GivenSlices::Site CpuEngine::numbers_of(const Slot& slot, std::int64_t slice, std::size_t site) const {
    if (problem_.given) return problem_.given->site(slot.stream, slice, site);
    const auto number = static_cast<std::uint64_t>(slice);
    const auto at = static_cast<std::int64_t>(site);
    return {potential(problem_.disorder, slot.point.disorder, static_cast<std::uint64_t>(problem_.seed), slot.stream,
                      number, static_cast<std::uint32_t>(site)),
            hopping_along(problem_, slot.stream, number, at), hopping_along(problem_, slot.stream, number - 1, at)};
}

// Multiplies the columns by all slices of the interval. Columns are independent here. Each thread takes groups of them
// that are small enough to stay in the cache.
void CpuEngine::multiply(Slot& slot, const double* diagonals, const Scratch* couplings, std::int64_t slices,
                         Team team) {
    const std::size_t cached = std::max<std::size_t>(cache_doubles / (2 * channels_) / lane_count, 1) * lane_count;
    const std::size_t group = std::min(cached, row_length((row_ + team.size - 1) / team.size));
    const int count = static_cast<int>(couplings_of_channel());
    for (std::size_t first = team.rank * group; first < row_; first += team.size * group) {
        const std::size_t last = std::min(first + group, row_);
        double* current = slot.rows.data();
        double* previous = current + channels_ * row_;
        for (std::int64_t s = 0; s < slices; ++s) {
            const std::size_t slice = static_cast<std::size_t>(s) * channels_;
            if (couplings)
                kernels_.multiply_by_couplings(channels_, row_, first, last, count,
                                               couplings->couplings.data() + slice * couplings_of_channel(),
                                               diagonals + slice, couplings->before.data() + slice, current, previous);
            else
                kernels_.multiply(channels_, row_, first, last, count, near_.data(), diagonals + slice, current,
                                  previous);
            std::swap(current, previous);
        }
        if (slices % 2)
            for (std::size_t k = 0; k < channels_; ++k)
                std::swap_ranges(current + k * row_ + first, current + k * row_ + last, previous + k * row_ + first);
    }
}

void CpuEngine::close_cycle(Slot& slot, Scratch& scratch) {
    PointState& state = slot.state;
    if (!scratch.ortho.valid) {
        state.status = PointStatus::failed;
        return;
    }
    if (scratch.lost_precision) {
        if (scratch.ended) state.status = PointStatus::imprecise;
        return;
    }
    ++state.cycles;
    if (problem_.rule == Rule::blocks ? add_in_blocks(state, scratch.cycle_log_norms)
                                      : add_as_one(state, scratch.cycle_log_norms))
        state.status = PointStatus::converged;
    else if (state.cycles >= limit_.cycles)
        state.status = limit_.status;
}

bool CpuEngine::add_as_one(PointState& state, std::span<const double> growths) const {
    for (std::size_t j = 0; j < channels_; ++j) {
        state.log_norms[j] += growths[j];
        state.log_norms2[j] += growths[j] * growths[j];
    }
    return has_converged(state.log_norms[channels_ - 1], state.log_norms2[channels_ - 1], state.cycles, problem_.width,
                         problem_.epsilon);
}

bool CpuEngine::add_in_blocks(PointState& state, std::span<const double> growths) const {
    for (std::size_t j = 0; j < channels_; ++j) state.log_norms[j] += growths[j];
    if (!touches_blocks(state.cycles)) return false;
    const auto stride = static_cast<std::int64_t>(channels_);
    for (std::size_t j = 0; j < channels_; ++j)
        update_blocks(state.blocks.data() + j, stride, state.cycles, state.log_norms[j]);
    if (!completes_block(state.cycles)) return false;
    std::fill(state.log_norms.begin(), state.log_norms.end(), 0.0);
    return has_converged(state.blocks.data() + channels_ - 1, stride, state.cycles, problem_);
}

}  // namespace

std::unique_ptr<Engine> make_cpu_engine(const Context& context, const Problem& problem, std::size_t points) {
    const auto threads = static_cast<std::size_t>(context.threads());
    const MemoryLimit limit = memory_limit(context, Backend::cpu);
    const MemoryNeeds needs = memory_needs(problem);
    require_memory(text("tmm.params.width: ", problem.width, " needs for each point"), needs.each, limit);
    const auto each = static_cast<std::size_t>(needs.each), free = static_cast<std::size_t>(limit.bytes);
    constexpr std::size_t comfortable = std::size_t{256} << 20;
    const std::size_t wanted = std::clamp(comfortable / each, threads, 16 * threads);
    return std::make_unique<CpuEngine>(problem, std::min({wanted, points, std::max<std::size_t>(free / each, 1)}),
                                       static_cast<int>(threads));
}

}  // namespace legato::tmm
