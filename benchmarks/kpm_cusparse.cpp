// The recursion step by cuSPARSE: y <- 2 H x - y for a block of vectors side by side, by the product of a sparse and a
// dense matrix, without the scalar products.
#include "kpm.hpp"

#ifdef LEGATO_BENCH_CUDA
#include <cusparse.h>

#include <utility>

#include "device_array.hpp"

double cusparse_step(const std::vector<int64_t>& row_start, const std::vector<int32_t>& column,
                     const std::vector<double>& element, int vectors) {
    using benchmarks::DeviceArray;
    const auto rows = static_cast<int64_t>(row_start.size()) - 1, elements = static_cast<int64_t>(column.size());
    const auto size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(vectors);
    const DeviceArray<int32_t> starts(std::vector<int32_t>(row_start.begin(), row_start.end())), columns(column);
    const DeviceArray<double> values(element), x(size), y(size);
    if (!starts.data() || !columns.data() || !values.data() || !x.data() || !y.data()) return 0;
    cusparseHandle_t handle = nullptr;
    cusparseSpMatDescr_t h = nullptr;
    cusparseDnMatDescr_t dx = nullptr, dy = nullptr;
    const double two = 2e-2, minus = -1;
    std::size_t bytes = 0;
    constexpr auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
    constexpr auto algorithm = CUSPARSE_SPMM_CSR_ALG2;  // for dense matrices with contiguous rows
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
    const double seconds = benchmarks::device_seconds(20, [&] {
        std::swap(dx, dy);
        return good && cusparseSpMM(handle, plain, plain, &two, h, dx, &minus, dy, CUDA_R_64F, algorithm,
                                    buffer.data()) == CUSPARSE_STATUS_SUCCESS;
    });
    if (dx) cusparseDestroyDnMat(dx);
    if (dy) cusparseDestroyDnMat(dy);
    if (h) cusparseDestroySpMat(h);
    if (handle) cusparseDestroy(handle);
    return seconds;
}
#else
double cusparse_step(const std::vector<int64_t>&, const std::vector<int32_t>&, const std::vector<double>&, int) {
    return 0;
}
#endif
