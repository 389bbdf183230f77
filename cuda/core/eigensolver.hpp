// Solves the eigenproblems of many symmetric matrices at once by cuSOLVER. Legato opens cuSOLVER at the first use. If
// it were linked to cuSOLVER, it could not be loaded without the CUDA Toolkit.
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
    // Makes a solver for the current device. Returns null if cuSOLVER is not available; `why` then says why.
    static std::unique_ptr<Eigensolver> make(std::string& why);
    ~Eigensolver();
    Eigensolver(const Eigensolver&) = delete;
    Eigensolver& operator=(const Eigensolver&) = delete;

    // Solves the problems as legato::solve() does. All matrices are padded to `order`, which is at least their own
    // order. `threads` threads of the host copy the matrices into one array.
    void solve(std::span<Eigenproblem* const> problems, std::size_t order, int threads);

    // Returns the approximate seconds for problems of these orders on one thread of the host alone (LAPACK, for a tenth
    // of the pairs), or by this solver.
    static double host_seconds(std::span<const std::size_t> orders);
    static double device_seconds(std::span<const std::size_t> orders);

  private:
    Eigensolver() = default;
    void solve_together(std::span<Eigenproblem* const> problems, std::size_t order, int threads);
    void diagonalise(std::size_t order, std::size_t count);

    const CusolverCalls* calls_ = nullptr;
    int device_ = 0;  // of the handle
    void *handle_ = nullptr, *params_ = nullptr;
    Buffer<double> matrices_, eigenvalues_, vectors_;
    Buffer<std::byte> work_, wanted_;
    Buffer<int> info_;
    HostBuffer host_matrices_;
    std::vector<std::byte> host_work_;
};

}  // namespace legato::cuda
