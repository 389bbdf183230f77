// Applies functions of a Hamiltonian to vectors: out = f(H) in, by their Chebyshev expansion.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/activity.hpp"
#include "core/context.hpp"
#include "core/run.hpp"
#include "core/work_parts.hpp"
#include "kpm/enclosure.hpp"
#include "kpm/expansion.hpp"
#include "kpm/set_up.hpp"
#include "kpm/site_energies.hpp"

namespace legato::kpm {

// The vectors of one call, one after the other. `parts` is 1 for real elements and 2 for real and imaginary parts side
// by side. `in` and `out` may be the same.
struct Vectors {
    std::int64_t count = 0;
    std::size_t parts = 2;
    std::span<const double> in;
    std::span<double> out;
};

// A function of the Hamiltonian in one realisation of its disorder. The sums of the expansion are real,
//     A = sum_n Re(c_n) T_n(H~) v,    B = sum_n Im(c_n) T_n(H~) v,    f(H) v = factor (A + i B),
// so that the engines need no complex arithmetic for a real Hamiltonian: the real and the imaginary part of a vector
// are two vectors of a block. A part that is zero is left out. For a complex Hamiltonian v, A and B are complex.
//
// Vectors are multiplied by powers of two, so that neither their size nor that of the sums matters for the engines.
class Function {
  public:
    static constexpr std::string_view run_name = "kpm.function";

    // Checks all arguments, chooses backend and format, and finds the bounds. Moments, start vectors and number of
    // vectors in `problem` have no meaning. The context must outlive the function.
    Function(Context& context, const Problem& problem, std::shared_ptr<const Hamiltonian> prepared,
             std::int64_t realisation);
    Function(const Function&) = delete;  // the engines refer to its members
    Function& operator=(const Function&) = delete;

    // Collective, as are all functions that change the object. Sets f. If it throws, the earlier f remains.
    void set(FunctionKind kind, double first, double second, double tolerance);
    void set(const EnergyFunction& f, double tolerance);

    // Returns the number of terms of the expansion, and the bound of the error relative to the norm of a vector: the
    // truncation and an estimate of the rounding errors. Throws if f has not been set.
    const Expansion& expansion() const;
    double bound() const;

    // Computes out = f(H) in. Throws invalid_argument if an element is not finite, cancelled if the callback asks to
    // stop, or numerical_error if the recursion shows that the bounds do not enclose the spectrum. Vectors that are not
    // finished then stay unchanged in `out`.
    void apply(const Vectors& vectors, const ProgressCallback& callback);

    const Context& context() const { return context_; }
    const Hamiltonian& hamiltonian() const { return *hamiltonian_; }
    const Rescaling& rescaling() const { return rescaling_; }
    const Problem& problem() const { return problem_; }
    Backend backend() const { return backend_; }
    Format format() const { return format_; }
    bool is_set() const { return expansion_.has_value(); }
    int block_width() const { return block_width_; }    // of the last block, or 0
    int engine_width() const { return engine_width_; }  // for which memory is allocated
    MemoryNeeds memory() const { return memory_needs(backend_, problem_, *hamiltonian_, format_, sharing_); }
    std::int64_t vectors() const { return vectors_; }  // of the last call of apply()
    std::int64_t vectors_done() const { return done_; }

  private:
    // A vector that the engines multiply: a whole vector, or the real or the imaginary part of one if the Hamiltonian
    // is real.
    struct Lane {
        std::int64_t vector = 0;
        std::size_t part = 0;  // 1: imaginary
        bool last = true;      // of its vector
        int exponent = 0;      // the engine's vector is this one divided by 2^exponent
    };
    class Expanding;

    std::vector<Lane> lanes_of(const Vectors& vectors) const;
    void take(Expansion expansion);
    void prepare_engines(std::int64_t lanes);
    void apply_lanes(const Vectors& vectors, std::span<const Lane> lanes, Reporter& reporter);
    void require_same_vectors(const Vectors& vectors) const;
    void expand(std::vector<Expanding>& expanding, std::span<const Block> blocks, Reporter& reporter);
    void collect(const Vectors& vectors, std::span<const Lane> lanes, std::span<const Block> blocks);
    void add_lane(const Vectors& vectors, const Lane& lane, std::span<const double> sums);
    bool is_shared() const { return sharing_ > 1; }

    Context& context_;
    Problem problem_;
    std::shared_ptr<const Hamiltonian> hamiltonian_;
    std::size_t numbers_;  // of an element of the engines' vectors: 2 if the Hamiltonian is complex
    std::int64_t realisation_;
    SiteEnergies energies_;  // those of a matrix from the caller
    Backend backend_ = Backend::cpu;
    std::optional<WorkParts> parts_;
    Format format_ = Format::crs;
    std::size_t sharing_ = 1;  // number of parts that share each vector: 1, or all
    int engine_width_ = 0;     // largest width of a block
    bool widest_ = false;      // no wider blocks fit, or are wanted
    int block_width_ = 0;
    std::optional<Engines> engines_;
    Rescaling rescaling_;
    Rounding rounding_;
    double step_rounding_ = 0;  // of double precision, relative to the norm
    double largest_x_ = 1;      // |x| of the rescaled spectrum is at most this
    std::optional<Expansion> expansion_;
    double bound_ = 0;
    int exponent_ = 0;               // the engines' sums are those of f divided by 2^exponent_
    std::vector<double> collected_;  // [elements][2] f(H) v without the factor, of a vector under way
    std::int64_t vectors_ = 0, done_ = 0, steps_ = 0;
    Activity running_;
};

}  // namespace legato::kpm
