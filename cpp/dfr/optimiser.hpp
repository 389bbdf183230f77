// Optimisation of basis sets. A minimiser varies the logarithms of the parameters of every group until the energy is
// lowest. All candidates of a list advance together, by one energy each at a time.
//
// With spinor_weight the minimised value has also the error of the spinors (dfr/spinor_error.hpp).
//
// The Dirac-Coulomb energy has no strict lower bound in a basis: it falls below the exact one if species with kappa > 0
// lack diffuse functions. Such an energy is not a valid result, and candidates are led away from it.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/context.hpp"
#include "core/run.hpp"
#include "dfr/candidate.hpp"
#include "dfr/energies.hpp"
#include "dfr/minimiser.hpp"
#include "dfr/optimiser_params.hpp"
#include "dfr/problem.hpp"
#include "dfr/result.hpp"
#include "dfr/spinor_error.hpp"

namespace legato::dfr {

struct OptimiserProblem : OptimiserParams {
    Problem field;  // parameters of every energy calculation
};

inline constexpr int max_energies = 1'000'000;

void validate(const OptimiserProblem& problem);
void validate(const OptimiserProblem& problem, const Candidate& candidate, std::string_view field);

enum class EnergyKind : int {
    good = 0,
    not_converged = 1,
    failed = 2,     // energy not finite, exponents out of range, electrons not bound, or no limit
    collapsed = 3,  // energy below the limit
};

struct EnergyRecord {
    std::vector<double> x;  // ln(parameter / start value) of all groups
    double energy = 0;      // 0 if failed
    EnergyKind kind = EnergyKind::failed;
    std::vector<double> gradient = {};  // d value / d x; empty with NEWUOA, and if it is unknown
    double spinor_error = 0;            // 0 without spinor_weight
};

enum class OptimiserStatus : int {
    waiting = 0,
    running = 1,
    converged = 2,
    not_converged = 3,  // max_energies was reached first
    failed = 4,         // the start has no good energy, or the limit cannot be calculated and stays 0
};

// Returns the value that is minimised, in hartree.
inline double value_of(double energy, double spinor_error, double limit, double spinor_weight) {
    return spinor_weight > 0 ? energy + spinor_weight * std::abs(limit) * spinor_error : energy;
}

struct OptimiserResult {
    OptimiserStatus status = OptimiserStatus::waiting;
    std::int64_t energies = 0, collapsed = 0;  // number calculated so far, and number below the limit
    double start_energy = 0, energy = 0;       // first energy, and best good one; 0 while there is none
    double limit = 0;                          // 0 until it is known
    double spinor_error = 0;                   // of that basis; 0 without spinor_weight
    GroupedBasis basis;                        // best basis so far
};

// advance() calculates one more energy of every unfinished candidate.
class Optimiser : public Run<Optimiser> {
  public:
    static constexpr std::string_view run_name = "dfr.optimiser";
    static constexpr std::int64_t newest_schema = 1;

    using Records = std::vector<std::vector<EnergyRecord>>;  // [candidates][energies]

    // Checks all arguments. The context must outlive the optimiser. `records` of the same candidates, calculated
    // before, are not calculated again. Without `limits` the first energies wait until the limits
    // are calculated. An optimiser with `limits` is made from arguments that have been compared among the ranks.
    // `saved_on` are the backends of the saved run that goes on.
    Optimiser(Context& context, const OptimiserProblem& problem, std::vector<Candidate> candidates,
              const Records& records = {}, std::vector<Limit> limits = {}, const Backends& saved_on = {});

    const Context& context() const { return context_; }
    const OptimiserProblem& problem() const { return problem_; }
    const std::vector<Candidate>& candidates() const { return candidates_; }
    const Records& records() const { return records_; }
    Backends backends() const { return {limits_on_, solve_.backend()}; }
    std::size_t finished() const;

    Progress progress() const;  // counts candidates, and the energies of all candidates

    OptimiserResult result(std::size_t candidate) const;

    // The two halves of advance(). Several optimisers can share a list of atoms: ask() appends the atoms whose energies
    // are needed next, asked() is their number, and take() takes the energies of these atoms, and with spinor_weight
    // the errors of their spinors. The limits must be known. Collective.
    void ask(std::vector<Atom>& atoms);
    std::size_t asked() const { return asked_.solved.size(); }
    void take(std::span<const Solution> solutions, std::span<const SpinorError> spinor_errors);

  private:
    struct Told {
        double value = 0;
        std::vector<double> gradient = {};
    };

    // One energy of each unfinished candidate.
    struct Asked {
        std::vector<std::size_t> candidates;
        std::vector<EnergyRecord> records;  // [candidates]
        std::vector<std::size_t> solved;    // indices of those records whose energies are calculated
    };

    friend class Run<Optimiser>;
    bool step(Reporter& reporter);
    void write(StateWriter& writer) const;
    static std::unique_ptr<Optimiser> read(Context& context, const StateReader& reader);
    void begin(std::size_t candidate, const std::vector<EnergyRecord>& records);
    void replace_lost_minimisers();
    void replay(std::size_t candidate, const std::vector<EnergyRecord>& records);
    void note(std::size_t candidate, EnergyRecord record);
    Told told_of(std::size_t candidate, const EnergyRecord& record) const;
    bool is_usable(const EnergyRecord& record) const;
    double value(std::size_t candidate, const EnergyRecord& record) const;
    void take_spinor_error(std::size_t candidate, EnergyRecord& record, const SpinorError& error) const;
    const EnergyRecord* best_of(std::size_t candidate, bool with_gradient = false) const;
    static EnergyKind kind_of(const AtomResult& result, const Limit& limit);

    Context& context_;
    OptimiserProblem problem_;
    std::vector<Candidate> candidates_;
    std::vector<std::unique_ptr<Minimiser>> minimisers_;  // [candidates], null if finished
    std::vector<Limit> limits_;         // [candidates]; empty before the first energy, 0 if there is no limit
    std::vector<Start> starts_;         // [candidates]; empty before this object calculates its first energy
    std::optional<Backend> limits_on_;  // backend of the limits and starts
    std::vector<OptimiserStatus> status_;
    Records records_;
    Asked asked_;  // what ask() has asked for
    Energies solve_;
    std::int64_t energies_ = 0;  // calculated since this object was made
};

}  // namespace legato::dfr
