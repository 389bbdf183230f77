// The steps of a matrix, or of some rows of it, on a device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "core/buffer.hpp"
#include "core/upload.hpp"
#include "kpm/device_vectors.cuh"
#include "kpm/pattern_steps.cuh"
#include "kpm/recursion_kernels.cuh"

namespace legato::kpm {
inline namespace engine_parts {

template <class Element>
constexpr int widest_matrix_panel = 128 / sizeof(Element);  // number of elements of a cache line

// The rows first .. first + count - 1 of a matrix, in arrays that begin with the first of these rows.
struct RowChunk {
    std::int64_t first, count;
    const std::int64_t* row_pointers;
    const std::int32_t* columns;
    const double* values;
};

// Pads these rows to the same length, with element k of row i at [k * rows + i]. Padding has the row itself as its
// column. An element has one or two numbers.
template <int numbers>
__global__ void pad_rows(RowChunk chunk, std::int64_t rows, std::int64_t length, std::int32_t* columns,
                         double* values) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * fill_threads + threadIdx.x, row = chunk.first + i;
    if (i >= chunk.count) return;
    const std::int64_t begin = chunk.row_pointers[i], count = chunk.row_pointers[i + 1] - begin;
    for (std::int64_t k = 0; k < length; ++k) {
        columns[k * rows + row] = k < count ? chunk.columns[begin + k] : static_cast<std::int32_t>(row);
        for (int i = 0; i < numbers; ++i)
            values[(k * rows + row) * numbers + i] = k < count ? chunk.values[(begin + k) * numbers + i] : 0.0;
    }
}

template <class Element>
class MatrixSteps {
  public:
    // `longest_row` is that of the whole matrix.
    MatrixSteps(Format format, const RowWalk& walk, std::int64_t longest_row) : format_(format) {
        matrix_.walk = walk;
        matrix_.rows = walk.rows;
        matrix_.length = longest_row;
    }

    const RowWalk& walk() const { return matrix_.walk; }

    // `energies`, [rows], are added to the diagonal in every step, unless they are null.
    void add_energies(const double* energies) { matrix_.energies = energies; }

    // Copies a matrix of these rows to the device, in compressed rows as patterns if they fit and take fewer bytes.
    void use(const CrsView& matrix, cuda::Upload& upload, int threads) {
        patterns_ = {};
        is_complex_ = matrix.is_complex;
        if (format_ == Format::crs && matrix_.length * matrix.rows > 0 &&
            (is_complex_ ? use_patterns<double2>(matrix, upload, threads)
                         : use_patterns<double>(matrix, upload, threads)))
            return;
        if (format_ == Format::ell) return is_complex_ ? use_padded<2>(matrix, upload) : use_padded<1>(matrix, upload);
        const auto rows = static_cast<std::size_t>(matrix.rows), elements = static_cast<std::size_t>(matrix.elements);
        grow(row_pointers_, rows + 1);
        grow(columns_, elements);
        grow(values_, elements * matrix.lanes());
        upload_less<std::int64_t>(upload, matrix.index_base, matrix.row_pointers, rows + 1, row_pointers_.data());
        upload_less<std::int32_t>(upload, matrix.index_base, matrix.columns, elements, columns_.data());
        upload(matrix.values, elements * matrix.lanes(), values_.data());
        matrix_.row_pointers = row_pointers_.data();
        matrix_.columns = columns_.data();
        matrix_.values = values_.data();
    }

    // Launch a step of all chunks, and of the chunks `first` .. `end` - 1.
    void all(const DeviceStep<Element>& step, std::int64_t width, cudaStream_t stream) const {
        chunks(step, width, 0, matrix_.walk.chunks(), stream);
    }
    void chunks(const DeviceStep<Element>& step, std::int64_t width, std::int64_t first, std::int64_t end,
                cudaStream_t stream) const {
        if (first == end) return;
        if (is_complex_)
            chunks_of<double2>(step, width, first, end, stream);
        else
            chunks_of<double>(step, width, first, end, stream);
    }

  private:
    // Value is the type of an element of the matrix. A complex vector has two lanes.
    template <class Value>
    void chunks_of(const DeviceStep<Element>& step, std::int64_t width, std::int64_t first, std::int64_t end,
                   cudaStream_t stream) const {
        switch (width) {
            case 1:
                if constexpr (std::is_same_v<Value, double>) launch<1, Value>(step, first, end, stream);
                return;
            case 2:
                return launch<2, Value>(step, first, end, stream);
            case 4:
                return launch<4, Value>(step, first, end, stream);
            case 8:
                return launch<8, Value>(step, first, end, stream);
            case 16:
                return launch<16, Value>(step, first, end, stream);
            default:
                if constexpr (widest_matrix_panel < Element >> 16) return launch<32, Value>(step, first, end, stream);
        }
    }

    // Returns false if there are too many patterns, or if they do not take fewer bytes than the elements.
    template <class Value>
    bool use_patterns(const CrsView& matrix, cuda::Upload& upload, int threads) {
        const auto rows = static_cast<std::size_t>(matrix.rows), elements = static_cast<std::size_t>(matrix.elements);
        const std::size_t groups = (static_cast<std::size_t>(matrix_.length) + staged_elements - 1) / staged_elements;
        const std::size_t of_pattern = groups * sizeof(PatternGroup<Value>) + sizeof(PatternExtent),
                          most = std::min(most_pattern_bytes / of_pattern, RowPatterns::most);
        if (most == 0) return false;
        const auto found = row_patterns(matrix, threads, most);
        if (!found) return false;
        const std::vector<std::int32_t> table = pattern_table<Value>(*found, groups);
        const std::size_t bytes = table.size() * sizeof(std::int32_t),
                          stored = sizeof(std::int64_t) * rows + (sizeof(std::int32_t) + sizeof(Value)) * elements;
        if (RowPatterns::bytes_of_row * rows + bytes > stored) return false;
        grow(pattern_, rows);
        grow(diagonal_, rows);
        grow(table_, bytes / sizeof(int4));
        upload(found->pattern.data(), rows, pattern_.data());
        upload(found->diagonal.data(), rows, diagonal_.data());
        check(cudaMemcpy(table_.data(), table.data(), bytes, cudaMemcpyHostToDevice), "patterns");
        patterns_ = {pattern_.data(),
                     diagonal_.data(),
                     table_.data(),
                     static_cast<int>(groups),
                     static_cast<int>(found->count()),
                     static_cast<unsigned>(bytes)};
        return true;
    }

    // Pads some rows at a time on the device. The buffers for this take less memory than a vector; vectors are
    // allocated later.
    template <int numbers>
    void use_padded(const CrsView& matrix, cuda::Upload& upload) {
        const auto rows = static_cast<std::size_t>(matrix.rows), length = static_cast<std::size_t>(matrix_.length);
        const std::size_t most = std::max(length, rows / 8 + 1);
        grow(columns_, length * rows);
        grow(values_, length * rows * numbers);
        const Buffer<std::int64_t> row_pointers(most + 1);
        const Buffer<std::int32_t> columns(most);
        const Buffer<double> values(most * numbers);
        for (std::size_t first = 0, last = 0; first < rows; first = last) {
            const std::int64_t *const start = matrix.row_pointers + first, *const end =
                                                                               start + std::min(most, rows - first);
            last = first + static_cast<std::size_t>(
                               std::upper_bound(start, end + 1, *start + static_cast<std::int64_t>(most)) - start - 1);
            const std::size_t from = matrix.begin(first), elements = matrix.begin(last) - from;
            upload_less(upload, matrix.row_pointers[first], matrix.row_pointers + first, last - first + 1,
                        row_pointers.data());
            upload_less<std::int32_t>(upload, matrix.index_base, matrix.columns + from, elements, columns.data());
            upload(matrix.values + from * numbers, elements * numbers, values.data());
            const RowChunk chunk{static_cast<std::int64_t>(first), static_cast<std::int64_t>(last - first),
                                 row_pointers.data(), columns.data(), values.data()};
            pad_rows<numbers><<<blocks_for(chunk.count, fill_threads), fill_threads>>>(
                chunk, matrix_.rows, matrix_.length, columns_.data(), values_.data());
        }
        check(cudaGetLastError(), "matrix");
        matrix_.columns = columns_.data();
        matrix_.values = values_.data();
    }

    template <class Index>
    static void upload_less(cuda::Upload& upload, Index base, const Index* from, std::size_t count, Index* to) {
        upload(from, count, to, [base](const Index* f, std::size_t n, Index* t) {
            for (std::size_t i = 0; i < n; ++i) t[i] = f[i] - base;
        });
    }

    template <int P, class Value>
    void launch(const DeviceStep<Element>& step, std::int64_t first, std::int64_t end, cudaStream_t stream) const {
        const auto blocks = static_cast<unsigned>((end - first) * step.panels),
                   threads = unsigned{row_slots} * lanes<P>;
        if (patterns_.pattern) {
            pattern_step<P, Value, Element><<<blocks, threads, patterns_.bytes, stream>>>(
                step, matrix_.walk, matrix_.energies, patterns_, static_cast<std::uint32_t>(first));
            return;
        }
        matrix_step<P, Value, Element>
            <<<blocks, threads, 0, stream>>>(step, matrix_, static_cast<std::uint32_t>(first));
    }

    Format format_;
    bool is_complex_ = false;
    Buffer<std::int64_t> row_pointers_;
    Buffer<std::int32_t> columns_;
    Buffer<double> values_;
    Buffer<std::uint16_t> pattern_;
    Buffer<double> diagonal_;
    Buffer<int4> table_;
    DeviceMatrix matrix_{};
    DevicePatterns patterns_{};
};

}  // namespace engine_parts
}  // namespace legato::kpm
