// Double expansions: moments mu_mn = (1/D) Tr[A T_m(H~) B T_n(H~)] of Hermitian operators A and B, by random vectors,
//     mu_mn ~ (1/(R S D)) sum_(s,r) <r| A T_m(H~) B T_n(H~) |r>,    m, n = 0 .. N - 1
// (A. Weisse, G. Wellein, A. Alvermann and H. Fehske, Rev. Mod. Phys. 78, 275 (2006), section II.D.2).
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/context.hpp"
#include "core/run.hpp"
#include "core/work_parts.hpp"
#include "kpm/bounds.hpp"
#include "kpm/double_recursion.hpp"
#include "kpm/problem.hpp"
#include "kpm/row_estimates.hpp"
#include "kpm/set_up.hpp"
#include "kpm/site_energies.hpp"
#include "kpm/slots.hpp"
#include "kpm/vacancies.hpp"

namespace legato::kpm {

struct DoubleMoments {
    std::int64_t samples = 0;                 // number finished so far
    std::vector<std::complex<double>> mean;   // mu_mn at [m * N + n]
    std::vector<std::complex<double>> error;  // standard errors of the real and of the imaginary parts, or NaN
};

// The Hamiltonian H and the operators. One of them can be several of these.
struct OperatorsOfCorrelation {
    std::shared_ptr<const Hamiltonian> h, a, b;
};

// advance() computes one more round: a random vector of each part (core/work_parts.hpp). It throws numerical_error if
// moments show that the bounds do not enclose the spectrum, and from then on in every call. The samples before the one
// that shows it can still be read and saved. A saved state has the finished samples, and fingerprints of the operators.
//
// The parameters start_vectors (not sites), vectors, realisations, seed, bounds, memory_budget and those of the bounds
// are used, and `format` for the Hamiltonian. Vectors are in double precision; each part has whole vectors.
class Correlation : public Run<Correlation> {
  public:
    static constexpr std::string_view run_name = "kpm.correlation";
    static constexpr std::int64_t newest_schema = 1;

    // Checks all arguments, chooses backend and formats, and finds the bounds. The context must outlive the object.
    // `source` is for given start vectors and is empty otherwise. Their elements are complex if an operator is. Vectors
    // are real if the Hamiltonian and random vectors are, and each operator is real or imaginary.
    Correlation(Context& context, const Problem& problem, OperatorsOfCorrelation operators,
                StartVectorSource source = {});
    Correlation(const Correlation&) = delete;  // the slots refer to its members
    Correlation& operator=(const Correlation&) = delete;

    const Context& context() const { return context_; }
    const Problem& problem() const { return problem_; }
    const Hamiltonian& hamiltonian() const { return *operators_.h; }
    Backend backend() const { return backend_; }
    Format format() const { return formats_[0]; }  // of the Hamiltonian
    const BlockSizes& blocks() const { return sizes_; }
    std::int64_t bytes() const;  // of the slots of a part
    const Rescaling& rescaling() const { return rescaling_; }
    int moments_per_side() const { return problem_.moments; }      // N
    std::int64_t samples() const { return samples_of(problem_); }  // all
    std::int64_t samples_done() const { return done_; }            // finished ones, realisation by realisation

    Progress progress() const { return {done_, samples(), steps_}; }  // counts samples, and steps of the recursions

    // The callback that estimate() calls a few times a second. It counts spectra as points and as cycles.
    void report_estimates(ProgressCallback callback) { estimate_progress_.callback = std::move(callback); }
    const EstimateProgress& estimate_progress() const { return estimate_progress_; }

    // Throws the numerical_error of advance() again if there was one.
    void require_enclosed() const;

    // These functions return mu_mn at [m * N + n], with a standard error for real and imaginary parts, of the samples
    // so far: the mean, or one sample.
    DoubleMoments moments() const;
    std::vector<std::complex<double>> mean() const { return mean_of(0, done_); }
    std::span<const std::complex<double>> sample(std::int64_t sample) const;
    // The samples whose spread gives the errors, as in Solver: the means of the realisations if the disorder is random
    // and two or more are finished, otherwise the single vectors. The errors are unknown if there are less than 2.
    std::int64_t independent_samples() const;
    std::vector<std::complex<double>> independent_sample(std::int64_t number) const;

  private:
    // Data of a state file that are needed before the slots are made.
    struct Saved {
        Rescaling rescaling;
        std::optional<Backend> backend;
    };
    Correlation(Context& context, const Problem& problem, OperatorsOfCorrelation operators, StartVectorSource source,
                const Saved* saved);

    friend class Run<Correlation>;
    // A round that an error has ended is begun again; only its steps have been counted.
    std::array<std::int64_t, 2> place() const { return {done_, 0}; }
    void prepare(std::string_view call) const { estimate_progress_.require_no_estimate(run_name, call); }
    bool step(Reporter& reporter);
    void write(StateWriter& writer) const;
    static std::unique_ptr<Correlation> read(Context& context, StateReader reader, OperatorsOfCorrelation operators,
                                             StartVectorSource source = {});
    std::size_t size() const;  // N^2
    void require_same_operators() const;
    void list_operators();
    void make_operators_real();
    std::size_t number_of(const std::shared_ptr<const Hamiltonian>& one) const;
    MemoryNeeds memory_of_slots() const;
    MemoryLimit limit_of_slots() const;
    MemoryLimit require_slots() const;
    void find_bounds(const Saved* saved);
    void make_slots_of_parts();
    std::vector<DoubleRecursion> begin_round(std::span<const Block> blocks);
    void set_start(Slots& slots, const Block& block);
    void perform(std::vector<DoubleRecursion>& recursions, std::size_t blocks, Reporter& reporter);
    Evidence close(std::span<const DoubleRecursion> recursions);
    std::span<std::complex<double>> sums_of(std::int64_t sample);
    std::vector<std::complex<double>> mean_of(std::int64_t first, std::int64_t count) const;
    bool realisations_are_independent() const;

    Context& context_;
    Problem problem_;
    OperatorsOfCorrelation operators_;
    // The operators that the slots have: A and B, or without the factor i if they are imaginary.
    OperatorsOfCorrelation used_;
    std::complex<double> factor_ = 1;            // of the products with them
    std::vector<const Hamiltonian*> different_;  // H, and A and B unless they are another of the three
    std::size_t lanes_ = 1;                      // 2 if vectors are complex
    std::vector<Format> formats_;                // [operators]
    StartVectorSource source_;
    SiteEnergies energies_;
    RemainingSites remaining_;
    Backend backend_ = Backend::cpu;
    std::optional<WorkParts> parts_;
    Rescaling rescaling_;
    Rounding rounding_;
    BlockSizes sizes_;
    std::vector<Piece> pieces_;
    std::vector<std::unique_ptr<Slots>> slots_;  // of the parts of this rank
    std::vector<double> vector_;                 // one vector of the source
    std::vector<std::complex<double>> samples_;  // [done][N][N], and those of a round under way; reserved for all
    std::string enclosure_error_;                // evidence that the bounds do not enclose the spectrum, or empty
    std::int64_t done_ = 0, steps_ = 0;
    EstimateProgress estimate_progress_;
};

}  // namespace legato::kpm
