#include "dfr/limit_check.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <mutex>
#include <utility>

#include "core/ranks.hpp"
#include "core/thread.hpp"

namespace legato::dfr {
namespace {

struct KnownLimit {
    double speed_of_light;
    Interaction interaction;
    Nucleus nucleus;
    Configuration configuration;
    std::size_t stage;
    double energy;  // NaN if it has not converged
    double rounding;
};

// Energies of large bases that this process has calculated. The oldest are discarded if there are more than `most`.
class KnownLimits {
  public:
    static KnownLimits& of_process() {
        static KnownLimits all;
        return all;
    }

    // Returns false if the energy is not known.
    bool find(const Problem& problem, const Atom& atom, std::size_t stage, double& energy, double& rounding) {
        const std::lock_guard lock(mutex_);
        for (const KnownLimit& known : all_)
            if (known.stage == stage && known.speed_of_light == problem.speed_of_light &&
                known.interaction == problem.interaction && known.nucleus == atom.nucleus &&
                known.configuration == atom.configuration) {
                energy = known.energy;
                rounding = known.rounding;
                return true;
            }
        return false;
    }

    void add(KnownLimit known) {
        constexpr std::size_t most = 1000;
        const std::lock_guard lock(mutex_);
        if (all_.size() == most) all_.erase(all_.begin());
        all_.push_back(std::move(known));
    }

    void clear() {
        const std::lock_guard lock(mutex_);
        all_.clear();
    }

  private:
    GlobalMutex mutex_;
    std::vector<KnownLimit> all_;
};

constexpr std::size_t last_stage = std::size(limit_stages) - 1;

bool same_atom(const Atom& a, const Atom& b) {
    return a.nucleus == b.nucleus && a.configuration == b.configuration;
}

// Returns the problem for the limits. It has the default thresholds, because those of the caller may be loose.
Problem problem_of_limits(const Problem& problem) {
    Problem limits;
    limits.speed_of_light = problem.speed_of_light;
    limits.relativistic = problem.relativistic;
    limits.interaction = problem.interaction;
    limits.max_iterations = 200;
    return limits;
}

}  // namespace

LimitCheck::LimitCheck(const Context& context, const Problem& problem, const std::vector<Atom>& atoms,
                       std::vector<ComparedEnergy> energies)
    : context_(context),
      problem_(problem_of_limits(problem)),
      atoms_(atoms),
      energies_(std::move(energies)),
      limits_(energies_.size()) {
    context_.set_logger(LogLevel::silent, {});
}

// Looks the limits up. All ranks take those of rank 0, because another process may know others.
void LimitCheck::begin_stage() {
    for (std::size_t i = 0; i < energies_.size(); ++i) {
        Limit& limit = limits_[i];
        limit.known =
            energies_[i].outcome == Comparison::open &&
            KnownLimits::of_process().find(problem_, atoms_[energies_[i].atom], stage_, limit.energy, limit.rounding);
    }
    take_of_first_rank(context_, limits_);
    stage_has_begun_ = true;
}

// Begins the fields of some atoms whose limits are unknown, if there are any.
void LimitCheck::begin_chunk() {
    constexpr std::size_t chunk = 100;  // number of atoms at a time, which limits the memory
    asked_.clear();
    std::vector<Atom> large;
    for (std::size_t i = 0; i < energies_.size() && asked_.size() < chunk; ++i) {
        const Atom& atom = atoms_[energies_[i].atom];
        if (energies_[i].outcome != Comparison::open || limits_[i].known ||
            std::any_of(asked_.begin(), asked_.end(),
                        [&](std::size_t other) { return same_atom(atoms_[other], atom); }))
            continue;
        asked_.push_back(energies_[i].atom);
        large.push_back({atom.nucleus, large_basis(problem_, atom.nucleus, atom.configuration, limit_stages[stage_]),
                         atom.configuration});
    }
    if (!large.empty()) fields_ = std::make_unique<Fields>(context_, problem_, std::move(large));
}

bool LimitCheck::advance() {
    const auto open = [](const ComparedEnergy& one) { return one.outcome == Comparison::open; };
    while (std::any_of(energies_.begin(), energies_.end(), open)) {
        if (!stage_has_begun_) begin_stage();
        if (!fields_) begin_chunk();
        if (!fields_) {
            compare();
            continue;
        }
        fields_->advance();
        if (fields_->finished()) end_chunk();
        return false;
    }
    return true;
}

// The energies are kept for later comparisons last, because that may fail.
void LimitCheck::end_chunk() {
    for (std::size_t i = 0; i < asked_.size(); ++i) {
        const AtomResult& result = (*fields_)[i].summary();
        const bool is_usable = result.status == AtomStatus::converged || result.status == AtomStatus::unbound;
        const Limit limit{true, is_usable ? result.energy : std::nan(""), rounding_of_limit(result)};
        for (std::size_t j = 0; j < energies_.size(); ++j)
            if (same_atom(atoms_[energies_[j].atom], atoms_[asked_[i]])) limits_[j] = limit;
    }
    fields_.reset();
    for (std::size_t j = 0; j < energies_.size(); ++j) {
        const Atom& atom = atoms_[energies_[j].atom];
        if (std::find(asked_.begin(), asked_.end(), energies_[j].atom) != asked_.end())
            KnownLimits::of_process().add({problem_.speed_of_light, problem_.interaction, atom.nucleus,
                                           atom.configuration, stage_, limits_[j].energy, limits_[j].rounding});
    }
}

// Compares the energies with the limits of this stage, which are all known. An energy below the limit of a coarse basis
// is compared with the next one.
void LimitCheck::compare() {
    for (std::size_t i = 0; i < energies_.size(); ++i) {
        ComparedEnergy& one = energies_[i];
        if (one.outcome != Comparison::open) continue;
        const Atom& atom = atoms_[one.atom];
        const double limit = limits_[i].energy;
        if (!std::isnan(limit)) one.limit = limit;
        if (stage_ < last_stage) {
            if (one.energy >= limit) one.outcome = Comparison::above;
            continue;
        }
        const double error =
            limit_error(problem_, atom.nucleus, atom.configuration) * std::abs(limit) + limits_[i].rounding;
        if (std::isnan(limit))
            one.outcome = Comparison::unknown;
        else
            one.outcome = one.energy < limit - error ? Comparison::below : Comparison::above;
    }
    if (stage_ < last_stage) ++stage_;
    stage_has_begun_ = false;
}

void forget_limits() {
    KnownLimits::of_process().clear();
}

}  // namespace legato::dfr
