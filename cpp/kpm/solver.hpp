// Moments block by block: bounds, the recursion, averages, progress, saving and resuming.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/progress.hpp"
#include "kpm/engine.hpp"
#include "kpm/result.hpp"

namespace legato::kpm {

class Solver {
  public:
    // Checks all, chooses backend, format and block width. The context must outlive the solver.
    Solver(Context& context, const Problem& problem, Hamiltonian hamiltonian);

    const Problem& problem() const { return problem_; }
    const Hamiltonian& hamiltonian() const { return hamiltonian_; }
    const BackendChoice& backend() const { return backend_; }
    Format format() const { return format_; }
    int block_width() const { return block_width_; }
    std::int64_t samples() const;       // in all
    std::int64_t samples_done() const;  // so far, in order

    // One more block. Returns true when all samples are there. Throws numerical_error where moments show that the
    // bounds do not enclose the spectrum.
    bool advance();
    // To the end, or until the callback asks to stop (then throws cancelled); it is called within a block too. Its
    // points are samples, its cycles steps.
    void run(const ProgressCallback& callback);

    Moments moments() const;                                    // of the samples so far
    std::span<const double> sample(std::int64_t sample) const;  // [N] <r|T_n|r> / D, or <i|T_n|i>

    // Finished samples are saved; a block that was under way is begun again. A resumed run gives the same bits.
    void save(const std::filesystem::path& path) const;
    static std::unique_ptr<Solver> resume(Context& context, const std::filesystem::path& path, Hamiltonian hamiltonian);
};

}  // namespace legato::kpm
