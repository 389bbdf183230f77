// Computes moments round by round: bounds, the recursion, averages, progress, saving and resuming.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/context.hpp"
#include "core/run.hpp"
#include "core/work_parts.hpp"
#include "kpm/recursion.hpp"
#include "kpm/result.hpp"
#include "kpm/row_estimates.hpp"
#include "kpm/set_up.hpp"
#include "kpm/site_energies.hpp"
#include "kpm/vacancies.hpp"
#include "kpm/vectors_ahead.hpp"

namespace legato::kpm {

// advance() computes one more round: a block of each part (core/work_parts.hpp), or one block of all parts if they
// share each vector. It throws numerical_error if moments show that the bounds do not enclose the spectrum, and from
// then on in every call. The samples before the one that shows it can still be read and saved. A saved state has the
// finished samples; a round that is under way is begun again after resuming. The file contains only a fingerprint of
// the Hamiltonian, by which another one is refused.
class Solver : public Run<Solver> {
  public:
    static constexpr std::string_view run_name = "kpm";
    static constexpr std::int64_t newest_schema = 1;

    // Checks all arguments, chooses backend, format and block width, and finds the bounds. The context must outlive the
    // solver. Several solvers may share the prepared Hamiltonian. `source` is for given start vectors and is empty
    // otherwise.
    Solver(Context& context, const Problem& problem, std::shared_ptr<const Hamiltonian> prepared,
           StartVectorSource source = {});
    Solver(const Solver&) = delete;  // the engines refer to its members
    Solver& operator=(const Solver&) = delete;

    const Context& context() const { return context_; }
    const Problem& problem() const { return problem_; }
    const Hamiltonian& hamiltonian() const { return *hamiltonian_; }
    const BackendChoice& backend() const { return backend_; }
    Format format() const { return format_; }
    int block_width() const { return block_width_; }
    // Returns the memory of the engine of a part, in all and for each vector of a block.
    MemoryNeeds memory() const { return memory_needs(backend_.backend, problem_, *hamiltonian_, format_, sharing_); }
    const Rescaling& rescaling() const { return rescaling_; }
    std::int64_t samples() const { return samples_of(problem_); }  // number of all samples
    std::int64_t samples_of_realisation() const { return samples() / problem_.realisations; }
    // Returns the number of finished samples, realisation by realisation.
    std::int64_t samples_done() const { return done_ / vectors_of_sample(problem_); }

    // Counts samples, and steps of all blocks.
    Progress progress() const { return {samples_done(), samples(), steps_}; }

    // The callback that estimate() calls a few times a second. It counts spectra as points and as cycles.
    void report_estimates(ProgressCallback callback) { estimate_progress_.callback = std::move(callback); }
    const EstimateProgress& estimate_progress() const { return estimate_progress_; }

    // Throws the numerical_error of advance() again if there was one.
    void require_enclosed() const;

    Moments moments() const;  // moments of the samples so far
    // Returns true for the moments of sites and plane waves with one Hamiltonian, whose error is 0.
    bool exact() const;
    // These functions return the number of samples whose spread gives the errors, and the moments of one of them. These
    // samples are the means of the realisations if the disorder is random and two or more are finished, otherwise the
    // single vectors. There is no spread if the number is less than 2; unless the moments are exact, the error is then
    // unknown.
    std::int64_t independent_samples() const;
    std::vector<double> independent_sample(std::int64_t number) const;  // [N]
    std::span<const double> sample(std::int64_t sample) const;          // [N] <r|T_n|r> / D', <i|T_n|i> or <k|T_n|k>

  private:
    // Data of a state file that are needed before the engine is made.
    struct Saved {
        Rescaling rescaling;
        std::optional<Backend> backend;
    };
    Solver(Context& context, const Problem& problem, std::shared_ptr<const Hamiltonian> prepared,
           StartVectorSource source, const Saved* saved);

    friend class Run<Solver>;
    // A round that an error has ended is begun again; only its steps have been counted.
    std::array<std::int64_t, 2> place() const { return {done_, 0}; }
    void prepare(std::string_view call) {
        estimate_progress_.require_no_estimate(run_name, call);
        in_run_ = call == "run";
    }
    bool step(Reporter& reporter);
    void write(StateWriter& writer) const;
    static std::unique_ptr<Solver> read(Context& context, StateReader reader,
                                        std::shared_ptr<const Hamiltonian> prepared, StartVectorSource source = {});
    std::int64_t fingerprint_of_hamiltonian() const;
    void require_source_if_given() const;
    void require_memory_for_samples() const;
    void choose_format_and_width();
    bool is_shared() const { return sharing_ > 1; }
    std::size_t blocks_at_once() const { return parts_->count() / sharing_; }
    std::size_t row_of(std::int64_t vector) const;
    void finish_vectors(std::int64_t done);
    double norm(std::int64_t realisation);
    std::vector<double> mean_of(std::int64_t first, std::int64_t count) const;
    bool realisations_are_independent() const;
    std::vector<Block> blocks_after(std::int64_t done) const;
    std::vector<Recursion> begin_round(std::span<const Block> blocks);
    void expect_round(std::int64_t done);
    void perform(std::vector<Recursion>& recursions, std::span<const Block> blocks, Reporter& reporter);
    Evidence close(std::span<const Recursion> recursions);
    Evidence find_evidence(std::span<const double> moments, std::int64_t first, const Evidence& beyond) const;
    Evidence first_of_all(Evidence own) const;
    void gather_moments(std::span<const double> own);

    Context& context_;
    Problem problem_;
    std::shared_ptr<const Hamiltonian> hamiltonian_;
    StartVectorSource source_;
    SiteEnergies energies_;  // those of a matrix from the caller
    RemainingSites remaining_;
    std::optional<VectorsAhead> ahead_;  // of the source, if a device computes
    bool in_run_ = false;                // the next round follows this one
    BackendChoice backend_;
    Format format_ = Format::crs;
    int block_width_ = 1;
    std::optional<WorkParts> parts_;
    std::size_t sharing_ = 1;  // number of parts that share each vector: 1, or all
    std::optional<Engines> engines_;
    EstimateProgress estimate_progress_;
    mutable std::optional<std::int64_t> fingerprint_;  // of the Hamiltonian, once it is needed
    Rescaling rescaling_;
    Rounding rounding_;
    // [rows][N], reserved for all: those of finished samples, of vectors of an unfinished sample, and of a round under
    // way
    std::vector<double> moments_;
    std::string enclosure_error_;  // evidence that the bounds do not enclose the spectrum; empty if there is none
    std::int64_t done_ = 0;        // number of finished vectors
    std::int64_t steps_ = 0;
};

// Returns the checked Hamiltonian with sorted rows. Solvers can share it.
std::shared_ptr<const Hamiltonian> prepared(Hamiltonian hamiltonian, int threads = 1);

}  // namespace legato::kpm
