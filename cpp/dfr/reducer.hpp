// The automatic reduction of a well-tempered basis set (Hennessey, University of Alberta thesis on CUDAProphet, chapter
// 2). It begins with a set in which every l has the same large number of functions. Each l uses a range of the pool of
// exponents. First the ends of the ranges are moved inwards, from the highest l to s, and then their beginnings, from
// the highest l to p. Ranges shrink as long as the optimised energy stays within an accuracy of the limit energy. All
// ranges among which a stage chooses are optimised together.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "dfr/optimiser.hpp"
#include "dfr/reducer_params.hpp"

namespace legato::dfr {

struct ReducerProblem : ReducerParams {
    OptimiserProblem optimiser;
    Nucleus nucleus;
    Configuration configuration;
    WellTempered start;
};

// Returns the whole set, with which the reduction begins.
Candidate whole_candidate(const ReducerProblem& problem);

// Throws an invalid_argument that names the wrong field.
void validate(const ReducerProblem& problem);

enum class StageKind : int {
    whole = 0,  // optimises the whole set; there is one such stage
    last = 1,   // chooses the smallest possible last function of an l
    first = 2,  // chooses the largest possible first function of an l
};

struct ReducerStage {
    StageKind kind = StageKind::whole;
    int l = 0;
    int chosen = 0;           // first or last function
    WellTempered parameters;  // parameters that reach the accuracy
    double energy = 0;
    std::int64_t energies = 0;  // number of energies calculated
};

struct ReducerResult {
    OptimiserStatus status = OptimiserStatus::waiting;  // failed: the whole set is not within the accuracy
    std::size_t stages_done = 0, stages = 0;
    double energy = 0, limit = 0;
    GroupedBasis basis;  // basis after the stages so far
};

// advance() calculates one more energy of every candidate of the stage.
class Reducer : public Run<Reducer> {
  public:
    static constexpr std::string_view run_name = "dfr.reducer";
    static constexpr std::int64_t newest_schema = 1;

    // Checks all arguments. The context must outlive the reducer.
    Reducer(Context& context, const ReducerProblem& problem);

    const Context& context() const { return context_; }
    const ReducerProblem& problem() const { return problem_; }
    const std::vector<ReducerStage>& stages() const { return stages_; }  // the finished stages
    bool finished() const;

    bool complete() const { return finished(); }
    Progress progress() const;  // counts stages, and the energies of their candidates

    ReducerResult result() const;

  private:
    struct Step {
        StageKind kind;
        int l;
    };

    friend class Run<Reducer>;
    bool step(Reporter& reporter);
    void write(StateWriter& writer) const;
    static std::unique_ptr<Reducer> read(Context& context, const StateReader& reader);
    std::vector<int> choices(const Step& step) const;
    Candidate candidate(const Step& step, int choice) const;
    std::vector<Candidate> candidates() const;  // candidates of the stage that is under way or comes next
    void begin_stage(const Optimiser::Records& records = {}, const Backends& saved_on = {});
    void end_stage();
    void choose(const ReducerStage& stage);
    bool is_next_stage(const ReducerStage& stage) const;
    std::int64_t energies() const;

    Context& context_;
    ReducerProblem problem_;
    std::vector<Step> steps_;
    std::vector<ReducerStage> stages_;
    GroupedBasis basis_;  // basis after the finished stages
    double limit_ = 0;
    bool out_of_reach_ = false;
    std::unique_ptr<Optimiser> optimiser_;  // optimiser of the stage that is under way
};

}  // namespace legato::dfr
