// Eigenproblems of many symmetric matrices at once by cuSOLVER. Its library is opened when it is first wanted: one that
// had to be there could not be loaded without the CUDA Toolkit.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/buffer.hpp"
#include "core/matrix.hpp"

namespace legato::cuda {

struct CusolverCalls;

class Eigensolver {
  public:
    // For the current device; null where cuSOLVER is not to be had, and then `why` says so.
    static std::unique_ptr<Eigensolver> make(std::string& why);
    ~Eigensolver();
    Eigensolver(const Eigensolver&) = delete;
    Eigensolver& operator=(const Eigensolver&) = delete;

    // As legato::solve() does it; `threads` of the host put the matrices side by side.
    void solve(std::span<Eigenproblem* const> problems, int threads);

    // Seconds, about: of the host alone (LAPACK, for a tenth of the pairs), and here.
    static double host_seconds(std::span<Eigenproblem* const> problems, int threads);
    static double device_seconds(std::span<Eigenproblem* const> problems);

  private:
    Eigensolver() = default;
    void solve_together(std::span<Eigenproblem* const> problems, int threads);
    void diagonalise(std::size_t order, std::size_t count);

    const CusolverCalls* calls_ = nullptr;
    void *handle_ = nullptr, *params_ = nullptr;
    Buffer<double> matrices_, eigenvalues_, vectors_;
    Buffer<std::byte> work_, wanted_;
    Buffer<int> info_;
    std::vector<std::byte> host_work_;
};

}  // namespace legato::cuda
