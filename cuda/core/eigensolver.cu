#include "core/eigensolver.hpp"

#include <cusolverDn.h>
#include <dlfcn.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"

namespace legato::cuda {

// cusolverDnXsyevBatched came with CUDA 12.6 Update 2.
#if CUSOLVER_VERSION >= 11701

struct CusolverCalls {
    decltype(&cusolverDnCreate) create = nullptr;
    decltype(&cusolverDnDestroy) destroy = nullptr;
    decltype(&cusolverDnCreateParams) create_params = nullptr;
    decltype(&cusolverDnDestroyParams) destroy_params = nullptr;
    decltype(&cusolverDnXsyevBatched_bufferSize) buffer_size = nullptr;
    decltype(&cusolverDnXsyevBatched) diagonalise = nullptr;
    std::string why;  // reason why cuSOLVER cannot be used; empty if it can
};

inline namespace eigensolver_parts {

template <class Call>
void find(void* library, const char* name, Call& call, std::string& why) {
    call = reinterpret_cast<Call>(dlsym(library, name));
    if (!call) why = text("cuSOLVER has no ", name);
}

CusolverCalls opened() {
    CusolverCalls calls;
    const std::string name = text("libcusolver.so.", CUSOLVER_VER_MAJOR);
    void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);  // stays open until the program ends
    if (!library) {
        calls.why = text(name, " cannot be opened: ", dlerror());
        return calls;
    }
    find(library, "cusolverDnCreate", calls.create, calls.why);
    find(library, "cusolverDnDestroy", calls.destroy, calls.why);
    find(library, "cusolverDnCreateParams", calls.create_params, calls.why);
    find(library, "cusolverDnDestroyParams", calls.destroy_params, calls.why);
    find(library, "cusolverDnXsyevBatched_bufferSize", calls.buffer_size, calls.why);
    find(library, "cusolverDnXsyevBatched", calls.diagonalise, calls.why);
    return calls;
}

void check(cusolverStatus_t result, const char* call) {
    if (result == CUSOLVER_STATUS_SUCCESS) return;
    fail(result == CUSOLVER_STATUS_ALLOC_FAILED ? Status::out_of_memory : Status::device_error, "CUDA: ", call,
         ": cuSOLVER status ", static_cast<int>(result));
}

// Writes a matrix to the upper left corner of a larger one, whose other eigenvalues lie above its own. Returns false if
// an element is not finite.
bool put_padded(const Matrix& a, std::size_t order, double* to) {
    double norm = 0;
    for (std::size_t j = 0; j < a.columns; ++j) {
        double sum = 0;
        for (std::size_t i = 0; i < a.rows; ++i) sum += std::abs(a(i, j));
        if (!std::isfinite(sum)) return false;
        norm = std::max(norm, sum);
    }
    std::fill_n(to, order * order, 0.0);
    for (std::size_t j = 0; j < a.columns; ++j) std::copy_n(a.column(j), a.rows, to + j * order);
    for (std::size_t i = a.rows; i < order; ++i) to[i * (order + 1)] = norm > 0 ? 2 * norm : 1;
    return true;
}

// The wanted eigenvectors of a matrix, which are consecutive columns. gather() copies those of each matrix by one block
// of threads.
struct Wanted {
    std::size_t from, to;  // offsets in doubles
    std::size_t size;
};

__global__ void gather(const double* matrices, const Wanted* wanted, double* to) {
    const Wanted part = wanted[blockIdx.x];
    for (std::size_t i = threadIdx.x; i < part.size; i += blockDim.x) to[part.to + i] = matrices[part.from + i];
}

}  // namespace eigensolver_parts

std::unique_ptr<Eigensolver> Eigensolver::make(std::string& why) {
    static const CusolverCalls calls = opened();
    why = calls.why;
    if (!why.empty()) return nullptr;
    std::unique_ptr<Eigensolver> solver(new Eigensolver);
    solver->calls_ = &calls;
    cuda::check(cudaGetDevice(&solver->device_), "cudaGetDevice");
    check(calls.create(reinterpret_cast<cusolverDnHandle_t*>(&solver->handle_)), "cusolverDnCreate");
    check(calls.create_params(reinterpret_cast<cusolverDnParams_t*>(&solver->params_)), "cusolverDnCreateParams");
    return solver;
}

// A thread whose current device is another one may destroy an engine that shares the work with others.
Eigensolver::~Eigensolver() {
    int before = 0;
    clear_error(cudaGetDevice(&before));
    clear_error(cudaSetDevice(device_));
    if (params_) calls_->destroy_params(static_cast<cusolverDnParams_t>(params_));
    if (handle_) calls_->destroy(static_cast<cusolverDnHandle_t>(handle_));
    clear_error(cudaSetDevice(before));
}

void Eigensolver::diagonalise(std::size_t order, std::size_t count) {
    const auto handle = static_cast<cusolverDnHandle_t>(handle_);
    const auto params = static_cast<cusolverDnParams_t>(params_);
    const auto n = static_cast<int64_t>(order), batch = static_cast<int64_t>(count);
    std::size_t bytes = 0, host_bytes = 0;
    check(calls_->buffer_size(handle, params, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, CUDA_R_64F,
                              matrices_.data(), n, CUDA_R_64F, eigenvalues_.data(), CUDA_R_64F, &bytes, &host_bytes,
                              batch),
          "cusolverDnXsyevBatched_bufferSize");
    grow(work_, bytes);
    host_work_.resize(std::max(host_work_.size(), host_bytes));
    check(calls_->diagonalise(handle, params, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, CUDA_R_64F,
                              matrices_.data(), n, CUDA_R_64F, eigenvalues_.data(), CUDA_R_64F, work_.data(), bytes,
                              host_work_.data(), host_bytes, info_.data(), batch),
          "cusolverDnXsyevBatched");
}

void Eigensolver::solve_together(std::span<Eigenproblem* const> problems, std::size_t order, int threads) {
    std::size_t values = 0;
    std::vector<Wanted> wanted;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const std::size_t size = order * problems[i]->count;
        wanted.push_back({(i * order + problems[i]->first) * order, values, size});
        values += size;
    }
    const std::size_t size = problems.size() * order * order;
    grow(host_matrices_, sizeof(double) * size);
    auto* const host = static_cast<double*>(host_matrices_.data());
    in_parallel(problems.size(), threads, [&](std::size_t i) {
        Eigenproblem& problem = *problems[i];
        if (!put_padded(problem.matrix, order, host + i * order * order))
            problem.failure = text("an element of a matrix of order ", problem.matrix.rows, " is not finite");
    });
    grow(matrices_, size);
    grow(eigenvalues_, problems.size() * order);
    grow(info_, problems.size());
    grow(wanted_, problems.size() * sizeof(Wanted));
    grow(vectors_, values);
    matrices_.upload({host, size});
    diagonalise(order, problems.size());
    wanted_.upload(std::as_bytes(std::span(wanted)));
    gather<<<static_cast<unsigned>(problems.size()), 256>>>(
        matrices_.data(), reinterpret_cast<const Wanted*>(wanted_.data()), vectors_.data());
    cuda::check(cudaGetLastError(), "gather");
    std::vector<double> vectors(values), eigenvalues(problems.size() * order);
    std::vector<int> info(problems.size());
    vectors_.download(vectors);
    eigenvalues_.download(eigenvalues);
    info_.download(info);
    in_parallel(problems.size(), threads, [&](std::size_t i) {
        Eigenproblem& problem = *problems[i];
        const std::size_t rows = problem.matrix.rows, count = problem.count;
        if (info[i] != 0 && problem.failure.empty())
            problem.failure = text("cuSOLVER's syev: info ", info[i], " for a matrix of order ", rows);
        if (!problem.failure.empty() || rows == 0) return;
        const double* const all = eigenvalues.data() + i * order;
        problem.pairs = {{all + problem.first, all + problem.first + count}, Matrix(rows, count)};
        for (std::size_t j = 0; j < count; ++j)
            std::copy_n(vectors.data() + wanted[i].to + j * order, rows, problem.pairs.vectors.column(j));
        problem.largest = std::max(std::abs(all[0]), std::abs(all[rows - 1]));
    });
}

// Solves at most `at_once` problems together, because each needs about a megabyte of work space.
void Eigensolver::solve(std::span<Eigenproblem* const> problems, std::size_t order, int threads) {
    constexpr std::size_t at_once = 1024;
    for (; problems.size() > at_once; problems = problems.subspan(at_once))
        solve_together(problems.first(at_once), order, threads);
    if (!problems.empty()) solve_together(problems, order, threads);
}

#else

std::unique_ptr<Eigensolver> Eigensolver::make(std::string& why) {
    why = "built with a CUDA Toolkit before 12.6 Update 2";
    return nullptr;
}
Eigensolver::~Eigensolver() = default;
void Eigensolver::solve(std::span<Eigenproblem* const>, std::size_t, int) {}

#endif

// The constants of both functions were measured on a Xeon with AVX-512 and on an H200 (benchmarks/results).
double Eigensolver::host_seconds(std::span<const std::size_t> orders) {
    double sum = 0;
    for (const std::size_t order : orders) {
        const auto n = static_cast<double>(order);
        sum += 3e-6 * n + 6e-10 * n * n * n;
    }
    return sum;
}

double Eigensolver::device_seconds(std::span<const std::size_t> orders) {
    const auto count = static_cast<double>(orders.size());
    const auto n = orders.empty() ? 0.0 : static_cast<double>(*std::max_element(orders.begin(), orders.end()));
    return 5e-4 + count * n * (7e-8 + n * 8 / 4e9);
}

}  // namespace legato::cuda
