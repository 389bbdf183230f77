#include "dfr/limit_check.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <mutex>
#include <utility>

#include "core/thread.hpp"

namespace legato::dfr {
namespace {

struct KnownLimit {
    double speed_of_light;
    Nucleus nucleus;
    Configuration configuration;
    std::size_t stage;
    double energy;  // NaN if it has not converged
};

// Energies of large bases that this process has calculated. The oldest are discarded if there are more than `most`.
class KnownLimits {
  public:
    static KnownLimits& of_process() {
        static KnownLimits all;
        return all;
    }

    // Returns false if the energy is not known.
    bool find(double speed_of_light, const Atom& atom, std::size_t stage, double& energy) {
        const std::lock_guard lock(mutex_);
        for (const KnownLimit& known : all_)
            if (known.stage == stage && known.speed_of_light == speed_of_light && known.nucleus == atom.nucleus &&
                known.configuration == atom.configuration) {
                energy = known.energy;
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
    limits.max_iterations = 200;
    return limits;
}

}  // namespace

LimitCheck::LimitCheck(ContextOptions options, const Problem& problem, const std::vector<Atom>& atoms,
                       std::vector<ComparedEnergy> energies)
    : context_([&] {
          options.log_level = LogLevel::silent;
          return options;
      }()),
      problem_(problem_of_limits(problem)),
      atoms_(atoms),
      energies_(std::move(energies)) {}

// Lists the atoms whose limit is not known yet.
void LimitCheck::begin_stage() {
    waiting_.clear();
    for (const ComparedEnergy& one : energies_) {
        double known = 0;
        const Atom& atom = atoms_[one.atom];
        if (one.outcome != Comparison::open ||
            KnownLimits::of_process().find(problem_.speed_of_light, atom, stage_, known) ||
            std::any_of(waiting_.begin(), waiting_.end(),
                        [&](std::size_t other) { return same_atom(atoms_[other], atom); }))
            continue;
        waiting_.push_back(one.atom);
    }
}

bool LimitCheck::advance() {
    constexpr std::size_t chunk = 100;  // number of atoms at a time, which limits the memory
    const auto open = [](const ComparedEnergy& one) { return one.outcome == Comparison::open; };
    while (std::any_of(energies_.begin(), energies_.end(), open)) {
        if (!fields_) {
            begin_stage();
            if (waiting_.empty()) {
                compare();
                continue;
            }
            asked_.assign(waiting_.begin(),
                          waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(chunk, waiting_.size())));
            std::vector<Atom> large;
            for (const std::size_t i : asked_) {
                const Atom& atom = atoms_[i];
                large.push_back({atom.nucleus,
                                 large_basis(problem_, atom.nucleus, atom.configuration, limit_stages[stage_]),
                                 atom.configuration});
            }
            fields_ = std::make_unique<Fields>(context_, problem_, std::move(large));
        }
        fields_->advance();
        if (fields_->finished()) end_chunk();
        return false;
    }
    return true;
}

void LimitCheck::end_chunk() {
    for (std::size_t i = 0; i < asked_.size(); ++i) {
        const AtomResult& result = (*fields_)[i].summary();
        const bool usable = result.status == AtomStatus::converged || result.status == AtomStatus::unbound;
        const Atom& atom = atoms_[asked_[i]];
        KnownLimits::of_process().add(
            {problem_.speed_of_light, atom.nucleus, atom.configuration, stage_, usable ? result.energy : std::nan("")});
    }
    fields_.reset();
}

// Compares the energies with the limits of this stage, which are all known. An energy below the limit of a coarse basis
// is compared with the next one.
void LimitCheck::compare() {
    for (ComparedEnergy& one : energies_) {
        if (one.outcome != Comparison::open) continue;
        const Atom& atom = atoms_[one.atom];
        double limit = 0;
        if (!KnownLimits::of_process().find(problem_.speed_of_light, atom, stage_, limit)) return;  // discarded
        if (!std::isnan(limit)) one.limit = limit;
        if (stage_ < last_stage) {
            if (one.energy >= limit) one.outcome = Comparison::above;
            continue;
        }
        const double error = limit_error(problem_, atom.nucleus, atom.configuration) * std::abs(limit);
        if (std::isnan(limit))
            one.outcome = Comparison::unknown;
        else
            one.outcome = one.energy < limit - error ? Comparison::below : Comparison::above;
    }
    if (stage_ < last_stage) ++stage_;
}

}  // namespace legato::dfr
