// Green's functions between different vectors, from their moments
//     mu_n^(lr) = <l| T_n(H~) |r>,    n = 0 .. N - 1,
//     G_lr(E + i0) = -i [g_0 mu_0 + 2 sum_(n>0) g_n mu_n exp(-i n arccos e)] / sqrt(half_width^2 - (E - centre)^2)
// with e and the factors g_n of spectrum.hpp (A. Weisse et al., Rev. Mod. Phys. 78, 275 (2006), section II.D.1).
#pragma once

#include <array>
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
#include "kpm/green_recursion.hpp"
#include "kpm/problem.hpp"
#include "kpm/row_estimates.hpp"
#include "kpm/set_up.hpp"
#include "kpm/site_energies.hpp"
#include "kpm/slots.hpp"

namespace legato::kpm {

// The vectors of one side: sites, or vectors of the caller if there are no sites.
struct GreenSide {
    std::int64_t count = 0;
    std::vector<std::int64_t> sites;

    bool is_given() const { return sites.empty(); }
};

// A sample is a vector on the right in one realisation, realisation by realisation, with the moments of all vectors on
// the left. advance() computes one sample of each part (core/work_parts.hpp). It throws numerical_error if moments show
// that the bounds do not enclose the spectrum, and from then on in every call. The samples before the one that shows it
// can still be read and saved. A saved state has the finished samples.
//
// The parameters moments, realisations, seed, format, memory_budget and those of the bounds are used. Vectors are in
// double precision; each part has whole vectors.
class Green : public Run<Green> {
  public:
    static constexpr std::string_view run_name = "kpm.green";
    static constexpr std::int64_t newest_schema = 1;

    // Checks all arguments, chooses backend and format, and finds the bounds. The context must outlive the object.
    // `source` gives the vectors on the right, if they are given, as numbers 0 .. right.count - 1, and those on the
    // left as the following numbers. It is empty if both sides are sites.
    Green(Context& context, const Problem& problem, std::shared_ptr<const Hamiltonian> prepared, GreenSide left,
          GreenSide right, StartVectorSource source = {});
    Green(const Green&) = delete;  // the slots refer to its members
    Green& operator=(const Green&) = delete;

    const Context& context() const { return context_; }
    const Problem& problem() const { return problem_; }
    const Hamiltonian& hamiltonian() const { return *hamiltonian_; }
    Backend backend() const { return backend_; }
    Format format() const { return format_; }
    const GreenSide& left() const { return left_; }
    const GreenSide& right() const { return right_; }
    const Rescaling& rescaling() const { return rescaling_; }
    std::int64_t bytes() const;  // of the slots of a part
    std::int64_t samples() const { return samples_of(problem_); }
    std::int64_t samples_done() const { return done_; }
    Progress progress() const { return {done_, samples(), steps_}; }  // counts samples, and steps of the recursion

    // The callback that estimate() calls a few times a second. It counts rows as points and as cycles.
    void report_estimates(ProgressCallback callback) { estimate_progress_.callback = std::move(callback); }

    // Throws the numerical_error of advance() again if there was one.
    void require_enclosed() const;

    // Returns the moments of a finished sample with one vector on the left, [N][numbers of an element].
    std::span<const double> moments(std::int64_t sample, std::int64_t left) const;

    // A rectangle of pairs: some vectors on the right, with some on the left each.
    struct Pairs {
        std::int64_t first_left = 0, left = 0, first_right = 0, right = 0;
    };
    // Writes the mean over the realisations and, unless `error` is empty, its standard errors for real and imaginary
    // parts, as estimate_rows(): the Green's functions value[right][left][energies][2], or the first n moments
    // value[right][left][n][2].
    void functions(const Pairs& pairs, Kernel kernel, double lambda, std::span<const double> energies,
                   std::span<double> value, std::span<double> error) const;
    void mean_moments(const Pairs& pairs, std::size_t n, std::span<double> value, std::span<double> error) const;

  private:
    // Data of a state file that are needed before the slots are made.
    struct Saved {
        Rescaling rescaling;
        std::optional<Backend> backend;
    };
    Green(Context& context, const Problem& problem, std::shared_ptr<const Hamiltonian> prepared, GreenSide left,
          GreenSide right, StartVectorSource source, const Saved* saved);

    friend class Run<Green>;
    // A round that an error has ended is begun again; only its steps have been counted.
    std::array<std::int64_t, 2> place() const { return {done_, 0}; }
    void prepare(std::string_view call) const { estimate_progress_.require_no_estimate(run_name, call); }
    bool step(Reporter& reporter);
    void write(StateWriter& writer) const;
    static std::unique_ptr<Green> read(Context& context, StateReader reader,
                                       std::shared_ptr<const Hamiltonian> prepared, StartVectorSource source = {});
    void require_arguments() const;
    void require_same_sides() const;
    void find_bounds(const Saved* saved);
    void require_slots(const MemoryLimit& limit) const;
    void make_slots_of_parts();
    std::int64_t count_of_slots() const;
    std::size_t size() const;  // numbers of a sample
    std::vector<GreenRecursion> begin_round(std::span<const Block> blocks);
    void set_left(Slots& slots);
    void set_right(Slots& slots, const Block& block);
    std::span<const double> vector_of_source(std::int64_t number);
    Evidence close(std::span<const GreenRecursion> recursions);
    void estimate(const Pairs& pairs, std::size_t n, const RowFunction& what, std::span<double> value,
                  std::span<double> error) const;

    Context& context_;
    Problem problem_;
    std::shared_ptr<const Hamiltonian> hamiltonian_;
    std::array<const Hamiltonian*, 1> operators_;  // of the slots
    GreenSide left_, right_;
    StartVectorSource source_;
    std::size_t numbers_;  // of an element: 2 if the Hamiltonian is complex
    SiteEnergies energies_;
    Backend backend_ = Backend::cpu;
    std::optional<WorkParts> parts_;
    Format format_ = Format::crs;
    Rescaling rescaling_;
    Rounding rounding_;
    std::vector<std::unique_ptr<Slots>> slots_;  // of the parts of this rank
    bool left_is_set_ = false;
    std::vector<double> vector_;   // one vector of the source
    std::vector<double> moments_;  // [done][left][N][numbers], and those of a round under way; reserved for all
    EstimateProgress estimate_progress_;
    std::string enclosure_error_;  // evidence that the bounds do not enclose the spectrum, or empty
    std::int64_t done_ = 0, steps_ = 0;
};

}  // namespace legato::kpm
