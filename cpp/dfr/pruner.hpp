// Basis sets of decreasing size (legato/dfr_pruner.h). A pruning removes one function at a time, always the one whose
// removal costs least after an optimisation of what remains. All atoms of a list advance together, by one energy each
// at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "dfr/optimiser.hpp"
#include "dfr/pruner_params.hpp"

namespace legato::dfr {

struct PrunerProblem : PrunerParams {
    Problem field;  // parameters of every energy calculation
};

// Throws an invalid_argument that names the wrong field.
void validate(const PrunerProblem& problem);
void validate(const PrunerProblem& problem, const Candidate& start, std::string_view field);

// Returns a large well-tempered set with one group for each l. Once it has been optimised, its energy is above the
// limit by less than 2e-9 (relative). Each seed other than 0 gives other parameters.
Candidate start_of(const Problem& problem, int element, NuclearModel model, std::int64_t seed = 0);

// Returns the basis after a group has lost a function. The ends of its pool stay where they were, if that is possible,
// unless the largest exponent is superfluous: then it is the one that the group loses.
// A well-tempered group with fewer functions than parameters becomes free.
GroupedBasis without_one(GroupedBasis basis, std::size_t group);

struct PrunedSet {
    GroupedBasis basis;
    double energy = 0;
    double spinor_error = 0;  // 0 without spinor_weight
    int group = -1;           // group that has lost a function; -1: none, this is the first set
};

struct PrunerResult {
    OptimiserStatus status = OptimiserStatus::waiting;  // as in legato_dfr_pruning
    std::int64_t energies = 0;
    double limit = 0;  // 0 until it is known
};

// advance() calculates one more energy of every unfinished atom.
class Pruner : public Run<Pruner> {
  public:
    static constexpr std::string_view run_name = "dfr.pruner";
    static constexpr std::int64_t newest_schema = 1;

    // Checks all arguments. The context must outlive the pruner.
    // `saved_on` are the backends of the saved run that goes on.
    Pruner(Context& context, const PrunerProblem& problem, std::vector<Candidate> starts,
           const Backends& saved_on = {});

    const Context& context() const { return context_; }
    const PrunerProblem& problem() const { return problem_; }
    const std::vector<Candidate>& starts() const { return starts_; }
    const std::vector<PrunedSet>& sets(std::size_t atom) const { return prunings_[atom].sets; }
    PrunerResult result(std::size_t atom) const;
    std::size_t finished() const;

    Progress progress() const;  // counts atoms, and the energies of all atoms

  private:
    static constexpr double impossible = 1e300;  // a cost

    // The last set in which a group has lost a function.
    struct Trial {
        double cost = 0;     // by which the function's removal has raised the value; `impossible` without a good energy
        bool fresh = false;  // the trial is of the last set
        PrunedSet set;       // while the trial is fresh
    };

    struct Pruning {
        std::vector<PrunedSet> sets;
        std::vector<Trial> trials;  // [groups]
        std::int64_t energies = 0;  // of the optimisations that have ended
        bool finished = false;
        std::unique_ptr<Optimiser> optimiser;  // of the first set, or of next_trial()
    };

    friend class Run<Pruner>;
    std::array<std::int64_t, 2> place() const;
    bool step(Reporter& reporter);
    void write(StateWriter& writer) const;
    static std::unique_ptr<Pruner> read(Context& context, const StateReader& reader);
    OptimiserProblem next_problem(std::size_t atom) const;
    GroupedBasis basis_without(const StateReader& reader, std::size_t atom, int group) const;
    void read_atom(const StateReader& reader, std::size_t atom);
    void read_trials(const StateReader& reader, std::size_t atom);
    bool can_lose(std::size_t atom, std::size_t group) const;
    std::optional<std::size_t> next_trial(std::size_t atom) const;
    Candidate next_candidate(std::size_t atom) const;
    void begin(std::size_t atom, const std::vector<EnergyRecord>& records = {});
    void end(std::size_t atom);
    void accept_trials(std::size_t atom);
    double value(std::size_t atom, const PrunedSet& set) const;  // that an optimisation minimises, in hartree
    bool is_accurate(std::size_t atom, const PrunedSet& set) const;

    Context& context_;
    PrunerProblem problem_;
    std::vector<Candidate> starts_;
    std::vector<Limit> limits_;   // [atoms]; empty before the first energy
    std::vector<Start> spinors_;  // [atoms] in the large basis; empty before this object calculates its first energy
    std::optional<Backend> limits_on_;  // backend of the limits and spinors
    std::vector<Pruning> prunings_;
    Energies solve_;
    std::int64_t energies_ = 0;  // calculated since this object was made
};

}  // namespace legato::dfr
