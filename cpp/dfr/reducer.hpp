// The automatic reduction of a well-tempered basis set (Hennessey, University of Alberta thesis on CUDAProphet, chapter
// 2): from a set in which every l has the same large number of functions, the ends of the ranges are drawn in from the
// highest l to s, then their beginnings from the highest l to p, as far as the optimised energy stays within an
// accuracy of the limit. All ranges that a stage may choose are optimised side by side.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "dfr/optimiser.hpp"

namespace legato::dfr {

struct ReducerProblem {
    OptimiserProblem optimiser;
    Nucleus nucleus;
    Configuration configuration;
    WellTempered start;
    int functions = 40;      // of every l at the start
    double accuracy = 5e-9;  // (energy - limit) / |limit|
    double limit = 0;        // as in Candidate
};

// The whole set that is begun with.
Candidate whole_candidate(const ReducerProblem& problem);

// Throws an invalid_argument that names the field that is wrong.
void validate(const ReducerProblem& problem);

enum class StageKind : int {
    whole = 0,  // the whole set, of which there is one
    last = 1,   // the last function of an l, as small as may be
    first = 2,  // the first one, as large as may be
};

struct ReducerStage {
    StageKind kind = StageKind::whole;
    int l = 0;
    int chosen = 0;           // first or last
    WellTempered parameters;  // with which it reaches
    double energy = 0;
    std::int64_t energies = 0;  // calculated
};

struct ReducerResult {
    OptimiserStatus status = OptimiserStatus::waiting;  // failed: the whole set is not within the accuracy
    std::size_t stages_done = 0, stages = 0;
    double energy = 0, limit = 0;
    WellTemperedBasis basis;  // after the stages so far
};

class Reducer {
  public:
    // Checks all. The context must outlive the reducer.
    Reducer(Context& context, const ReducerProblem& problem);

    const ReducerProblem& problem() const { return problem_; }
    const std::vector<ReducerStage>& stages() const { return stages_; }  // done
    bool finished() const;

    // One energy more of every candidate of the stage. Returns true at the end.
    bool advance();
    // To the end, or until the callback asks to stop (then throws cancelled). Its points are stages, its cycles
    // energies.
    void run(const ProgressCallback& callback);

    ReducerResult result() const;

    // As an optimiser's.
    void save(const std::filesystem::path& path) const;
    static std::unique_ptr<Reducer> resume(Context& context, const std::filesystem::path& path);

  private:
    struct Step {
        StageKind kind;
        int l;
    };

    std::vector<int> choices(const Step& step) const;
    Candidate candidate(const Step& step, int choice) const;
    std::vector<Candidate> candidates() const;  // of the stage that comes next or is under way
    void begin_stage(const Optimiser::Records& records = {});
    void end_stage();
    void choose(const ReducerStage& stage);
    bool takes(const ReducerStage& stage) const;
    void carry_on();
    std::int64_t energies() const;

    Context& context_;
    ReducerProblem problem_;
    std::vector<Step> steps_;
    std::vector<ReducerStage> stages_;
    WellTemperedBasis basis_;  // after the stages done
    double limit_ = 0;
    bool out_of_reach_ = false;
    std::unique_ptr<Optimiser> optimiser_;  // of the stage that is under way
    Activity carrying_on_;
};

}  // namespace legato::dfr
