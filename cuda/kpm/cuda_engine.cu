// The CUDA engine. Vectors, matrix and on-site energies are in device memory. The products of the steps are sent to the
// host.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "core/buffer.hpp"
#include "core/upload.hpp"
#include "kpm/chunk_sums.cuh"
#include "kpm/cuda_slab.cuh"
#include "kpm/device_vectors.cuh"
#include "kpm/engine.hpp"
#include "kpm/lattice_steps.cuh"
#include "kpm/recursion_kernels.cuh"
#include "kpm/start_vectors.hpp"

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
// column.
__global__ void pad_rows(RowChunk chunk, std::int64_t rows, std::int64_t length, std::int32_t* columns,
                         double* values) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * fill_threads + threadIdx.x, row = chunk.first + i;
    if (i >= chunk.count) return;
    const std::int64_t begin = chunk.row_pointers[i], count = chunk.row_pointers[i + 1] - begin;
    for (std::int64_t k = 0; k < length; ++k) {
        columns[k * rows + row] = k < count ? chunk.columns[begin + k] : static_cast<std::int32_t>(row);
        values[k * rows + row] = k < count ? chunk.values[begin + k] : 0.0;
    }
}

template <class Element>
class CudaEngine final : public Engine {
  public:
    CudaEngine(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian, Format format,
               int block_width);

    void begin(const Block& block) override;
    void steps(const Step& step, int count, std::span<double> xx, std::span<double> yx) override;

  private:
    void begin_matrix(std::int64_t realisation);
    void read_vector(const Block& block, std::int64_t v, double* to);
    void use(const CrsView& matrix);
    void upload_padded(const CrsView& matrix);
    template <class Index>
    void upload_less(Index base, const Index* from, std::size_t count, Index* to);
    void launch(const DeviceStep<Element>& step, std::int64_t width) const;
    template <int P>
    void launch_matrix(const DeviceStep<Element>& step) const;

    const Problem& problem_;
    const Hamiltonian& hamiltonian_;
    Format format_;
    int device_;
    std::int64_t sites_, realisation_ = -1;
    std::optional<LatticeSteps<Element>> lattice_;  // with Format::stencil
    std::unique_ptr<cuda::Upload> upload_;
    Buffer<double> values_, given_;  // given_: one vector of the source
    Buffer<std::int64_t> row_pointers_;
    Buffer<std::int32_t> columns_;
    DeviceMatrix matrix_{};
    std::optional<ChunkSums> sums_;
    std::optional<DeviceVectors<Element>> vectors_;  // made after the matrix, whose upload takes memory
    Pages<double> vector_;                           // one vector of the source, on the host
};

template <class Element>
CudaEngine<Element>::CudaEngine(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian,
                                Format format, int block_width)
    : problem_(problem),
      hamiltonian_(hamiltonian),
      format_(format),
      device_(context.options().device),
      sites_(sites_of(hamiltonian)) {
    const auto sites = static_cast<std::size_t>(sites_);
    const bool given = problem.start_vectors == StartVectors::caller;
    if (given || format != Format::stencil)
        upload_ = std::make_unique<cuda::Upload>(
            context.threads(), sizeof(double) * std::max(sites, static_cast<std::size_t>(elements_of(hamiltonian))));
    if (format == Format::stencil) {
        const auto& lattice = std::get<Lattice>(hamiltonian);
        const LatticeLayout layout = layout_of(lattice);
        lattice_.emplace(problem, lattice, layout, device_);
        sums_.emplace(layout.chunks(), layout.layers_of_segment * layout.tiles(), 1, block_width);
    } else {
        matrix_.walk = walk_of(hamiltonian);
        matrix_.rows = sites_;
        matrix_.length = longest_row(hamiltonian);
        if (const auto matrix = matrix_in(hamiltonian)) use(*matrix);
        sums_.emplace(matrix_.walk.chunks(), matrix_.walk.chunks(), 1, block_width);
    }
    vectors_.emplace(problem, StoredSites{.count = sites_}, block_width);
    if (given) {
        vector_.resize(sites);
        given_ = Buffer<double>(sites);
    }
}

template <class Element>
void CudaEngine<Element>::use(const CrsView& matrix) {
    if (format_ == Format::ell) return upload_padded(matrix);
    const auto rows = static_cast<std::size_t>(matrix.rows), elements = static_cast<std::size_t>(matrix.elements);
    grow(row_pointers_, rows + 1);
    grow(columns_, elements);
    grow(values_, elements);
    upload_less<std::int64_t>(matrix.index_base, matrix.row_pointers, rows + 1, row_pointers_.data());
    upload_less<std::int32_t>(matrix.index_base, matrix.columns, elements, columns_.data());
    (*upload_)(matrix.values, elements, values_.data());
    matrix_.row_pointers = row_pointers_.data();
    matrix_.columns = columns_.data();
    matrix_.values = values_.data();
}

template <class Element>
template <class Index>
void CudaEngine<Element>::upload_less(Index base, const Index* from, std::size_t count, Index* to) {
    (*upload_)(from, count, to, [base](const Index* f, std::size_t n, Index* t) {
        for (std::size_t i = 0; i < n; ++i) t[i] = f[i] - base;
    });
}

// Pads some rows at a time on the device. The buffers for this take less memory than a vector; vectors are allocated
// later.
template <class Element>
void CudaEngine<Element>::upload_padded(const CrsView& matrix) {
    const auto rows = static_cast<std::size_t>(matrix.rows), length = static_cast<std::size_t>(matrix_.length);
    const std::size_t most = std::max(length, rows / 8 + 1);
    grow(columns_, length * rows);
    grow(values_, length * rows);
    const Buffer<std::int64_t> row_pointers(most + 1);
    const Buffer<std::int32_t> columns(most);
    const Buffer<double> values(most);
    for (std::size_t first = 0, last = 0; first < rows; first = last) {
        const std::int64_t *const start = matrix.row_pointers + first, *const end =
                                                                           start + std::min(most, rows - first);
        last = first + static_cast<std::size_t>(
                           std::upper_bound(start, end + 1, *start + static_cast<std::int64_t>(most)) - start - 1);
        const std::size_t from = matrix.begin(first), elements = matrix.begin(last) - from;
        upload_less(matrix.row_pointers[first], matrix.row_pointers + first, last - first + 1, row_pointers.data());
        upload_less<std::int32_t>(matrix.index_base, matrix.columns + from, elements, columns.data());
        (*upload_)(matrix.values + from, elements, values.data());
        const RowChunk chunk{static_cast<std::int64_t>(first), static_cast<std::int64_t>(last - first),
                             row_pointers.data(), columns.data(), values.data()};
        pad_rows<<<blocks_for(chunk.count, fill_threads), fill_threads>>>(chunk, sites_, matrix_.length,
                                                                          columns_.data(), values_.data());
    }
    check(cudaGetLastError(), "matrix");
    matrix_.columns = columns_.data();
    matrix_.values = values_.data();
}

// Makes the matrix of a lattice.
template <class Element>
void CudaEngine<Element>::begin_matrix(std::int64_t realisation) {
    const auto* lattice = std::get_if<Lattice>(&hamiltonian_);
    if (!lattice || realisation == realisation_ || (realisation_ >= 0 && !is_random(hamiltonian_))) return;
    use(view_of(matrix_of(*lattice, static_cast<std::uint64_t>(problem_.seed), realisation)));
    realisation_ = realisation;
}

// The device interleaves one vector of the source while the source makes the next one.
template <class Element>
void CudaEngine<Element>::begin(const Block& block) {
    const cuda::DeviceScope scope(device_);
    if (lattice_)
        lattice_->begin(block.realisation);
    else
        begin_matrix(block.realisation);
    vectors_->begin(block, lattice_ ? widest_lattice_panel : widest_matrix_panel<Element>);
    if (block.kind != StartVectors::caller) return;
    for (std::int64_t v = 0; v < block.width; ++v) {
        read_vector(block, v, given_.data());
        vectors_->set(v, given_.data());
    }
}

// Uploads vector number v of the block from the source. Its elements are checked while they are copied.
template <class Element>
void CudaEngine<Element>::read_vector(const Block& block, std::int64_t v, double* to) {
    const double most = largest_start_element(problem_.precision);
    (*block.source)(block.first + v, vector_);
    std::atomic<bool> all = true;
    (*upload_)(vector_.data(), vector_.size(), to, [&](const double* f, std::size_t n, double* t) {
        bool here = true;
        for (std::size_t i = 0; i < n; ++i) {
            here &= std::abs(f[i]) <= most;
            t[i] = f[i];
        }
        if (!here) all = false;
    });
    if (!all) require_start_vector(problem_.precision, block.first + v, vector_);
}

template <class Element>
template <int P>
void CudaEngine<Element>::launch_matrix(const DeviceStep<Element>& step) const {
    const unsigned blocks = matrix_.walk.chunks() * static_cast<unsigned>(step.panels), threads = row_slots * lanes<P>;
    matrix_step<P, Element><<<blocks, threads>>>(step, matrix_);
}

template <class Element>
void CudaEngine<Element>::launch(const DeviceStep<Element>& step, std::int64_t width) const {
    if (lattice_) return lattice_->all(step, width, nullptr);
    switch (width) {
        case 1:
            return launch_matrix<1>(step);
        case 2:
            return launch_matrix<2>(step);
        case 4:
            return launch_matrix<4>(step);
        case 8:
            return launch_matrix<8>(step);
        case 16:
            return launch_matrix<16>(step);
        default:
            if constexpr (widest_matrix_panel < Element >> 16) return launch_matrix<32>(step);
    }
}

template <class Element>
void CudaEngine<Element>::steps(const Step& step, int count, std::span<double> xx, std::span<double> yx) {
    const cuda::DeviceScope scope(device_);
    const std::int64_t width = static_cast<std::int64_t>(xx.size()) / count;
    sums_->clear();
    for (int i = 0; i < count; ++i) {
        if (sums_->full()) sums_->add_up(vectors_->panels(), width, nullptr);
        for (const Panels& panels : vectors_->panels())
            launch({step.a, step.b, step.c, step.keep, vectors_->x(panels), vectors_->y(panels),
                    sums_->of_step(panels, width), vectors_->distance(panels), panels.count},
                   panels.width);
        sums_->next_step();
        if (step.keep) vectors_->exchange();
    }
    sums_->add_up(vectors_->panels(), width, nullptr);
    check(cudaGetLastError(), "step");
    check(cudaStreamSynchronize(nullptr), "step");
    for (std::int64_t i = 0; i < count; ++i)
        for (const Panels& panels : vectors_->panels()) {
            std::copy_n(sums_->result(i, 0, 0, panels, width), panels.vectors(), xx.data() + i * width + panels.first);
            std::copy_n(sums_->result(i, 0, 1, panels, width), panels.vectors(), yx.data() + i * width + panels.first);
        }
}

}  // namespace engine_parts

MemoryNeeds cuda_sums(const Hamiltonian& hamiltonian, Format format) {
    return sums_needs(format == Format::stencil ? layout_of(std::get<Lattice>(hamiltonian)).chunks()
                                                : walk_of(hamiltonian).chunks());
}

std::unique_ptr<Engine> make_cuda_engine(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian,
                                         Format format, int block_width) {
    const cuda::DeviceScope scope(context.options().device);
    if (problem.precision == Precision::single)
        return std::make_unique<CudaEngine<float>>(context, problem, hamiltonian, format, block_width);
    return std::make_unique<CudaEngine<double>>(context, problem, hamiltonian, format, block_width);
}

std::vector<std::size_t> cuda_segments(const Lattice& lattice) {
    const LatticeLayout whole = layout_of(lattice);
    std::vector<std::size_t> first;
    for (std::size_t s = 0; s < static_cast<std::size_t>(whole.segments()); ++s)
        first.push_back(static_cast<std::size_t>(whole.slab({s, s + 1}).first_site()));
    first.push_back(static_cast<std::size_t>(whole.sites()));
    return first;
}

std::unique_ptr<Slab> make_cuda_slab(const Context& context, const Problem& problem, const Lattice& lattice,
                                     const SegmentRange& segments, const SlabPlace& place, int block_width) {
    const cuda::DeviceScope scope(context.options().device);
    const LatticeLayout layout = layout_of(lattice).slab(segments);
    if (problem.precision == Precision::single)
        return std::make_unique<CudaSlab<float>>(context, problem, lattice, layout, place, block_width);
    return std::make_unique<CudaSlab<double>>(context, problem, lattice, layout, place, block_width);
}

MemoryNeeds cuda_slab_needs(const Problem& problem, const Lattice& lattice, const SegmentRange& segments) {
    const LatticeLayout slab = layout_of(lattice).slab(segments);
    MemoryNeeds needs = sums_needs(slab.chunks());
    needs.each += 2 * element_bytes(problem.precision) * (slab.sites() + 2 * slab.halo_sites());
    const std::int64_t energies = is_random(lattice) || lattice.on_site == OnSite::energies ? 1 : 0,
                       given = problem.start_vectors == StartVectors::caller ? 1 : 0;
    needs.fixed += (energies + given) * static_cast<std::int64_t>(sizeof(double)) * slab.sites();
    return needs;
}

}  // namespace legato::kpm
