// The recursion step as one would have it from cuSPARSE: y <- 2 H x - y of a block of vectors side by side by its
// product of a sparse and a dense matrix, without the scalar products.
#include "kpm.hpp"

#ifdef LEGATO_BENCH_CUDA
#include <cuda_runtime_api.h>
#include <cusparse.h>

#include <algorithm>
#include <utility>

namespace {

template <class T>
class DeviceArray {
  public:
    explicit DeviceArray(std::size_t size) {
        if (cudaMalloc(&data_, std::max<std::size_t>(size, 1) * sizeof(T)) != cudaSuccess) data_ = nullptr;
    }
    explicit DeviceArray(const std::vector<T>& from) : DeviceArray(from.size()) {
        if (data_) cudaMemcpy(data_, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T* data() const { return static_cast<T*>(data_); }

  private:
    void* data_ = nullptr;
};

}  // namespace

double cusparse_step(const std::vector<int64_t>& row_start, const std::vector<int32_t>& column,
                     const std::vector<double>& element, int vectors) {
    constexpr int steps = 20;
    const auto rows = static_cast<int64_t>(row_start.size()) - 1, elements = static_cast<int64_t>(column.size());
    const auto size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(vectors);
    const DeviceArray<int32_t> starts(std::vector<int32_t>(row_start.begin(), row_start.end())), columns(column);
    const DeviceArray<double> values(element), x(size), y(size);
    if (!starts.data() || !columns.data() || !values.data() || !x.data() || !y.data()) return 0;
    cudaMemset(x.data(), 0, size * sizeof(double));
    cudaMemset(y.data(), 0, size * sizeof(double));
    cusparseHandle_t handle = nullptr;
    cusparseSpMatDescr_t h = nullptr;
    cusparseDnMatDescr_t dx = nullptr, dy = nullptr;
    const double two = 2e-2, minus = -1;
    std::size_t bytes = 0;
    constexpr auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
    constexpr auto algorithm = CUSPARSE_SPMM_CSR_ALG2;  // the one for rows of the dense matrix that are contiguous
    bool good =
        cusparseCreate(&handle) == CUSPARSE_STATUS_SUCCESS &&
        cusparseCreateCsr(&h, rows, rows, elements, starts.data(), columns.data(), values.data(), CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_64F) == CUSPARSE_STATUS_SUCCESS &&
        cusparseCreateDnMat(&dx, rows, vectors, vectors, x.data(), CUDA_R_64F, CUSPARSE_ORDER_ROW) ==
            CUSPARSE_STATUS_SUCCESS &&
        cusparseCreateDnMat(&dy, rows, vectors, vectors, y.data(), CUDA_R_64F, CUSPARSE_ORDER_ROW) ==
            CUSPARSE_STATUS_SUCCESS &&
        cusparseSpMM_bufferSize(handle, plain, plain, &two, h, dx, &minus, dy, CUDA_R_64F, algorithm, &bytes) ==
            CUSPARSE_STATUS_SUCCESS;
    const DeviceArray<char> buffer(bytes);
    good = good && cusparseSpMM_preprocess(handle, plain, plain, &two, h, dx, &minus, dy, CUDA_R_64F, algorithm,
                                           buffer.data()) == CUSPARSE_STATUS_SUCCESS;
    cudaEvent_t begin = nullptr, end = nullptr;
    good = good && cudaEventCreate(&begin) == cudaSuccess && cudaEventCreate(&end) == cudaSuccess;
    double best = 0;
    for (int repeat = 0; good && repeat < 3; ++repeat) {
        float milliseconds = 0;
        cudaEventRecord(begin, nullptr);
        for (int i = 0; good && i < steps; ++i) {
            good = cusparseSpMM(handle, plain, plain, &two, h, dx, &minus, dy, CUDA_R_64F, algorithm, buffer.data()) ==
                   CUSPARSE_STATUS_SUCCESS;
            std::swap(dx, dy);
        }
        cudaEventRecord(end, nullptr);
        good = good && cudaEventSynchronize(end) == cudaSuccess &&
               cudaEventElapsedTime(&milliseconds, begin, end) == cudaSuccess;
        const double seconds = milliseconds * 1e-3 / steps;
        best = best == 0 ? seconds : std::min(best, seconds);
    }
    if (begin) cudaEventDestroy(begin);
    if (end) cudaEventDestroy(end);
    if (dx) cusparseDestroyDnMat(dx);
    if (dy) cusparseDestroyDnMat(dy);
    if (h) cusparseDestroySpMat(h);
    if (handle) cusparseDestroy(handle);
    return good ? best : 0;
}
#else
double cusparse_step(const std::vector<int64_t>&, const std::vector<int32_t>&, const std::vector<double>&, int) {
    return 0;
}
#endif
