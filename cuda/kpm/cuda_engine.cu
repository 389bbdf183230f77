// The CUDA engine. Vectors, matrix and on-site energies are in device memory. The products of the steps are sent to the
// host.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

#include "core/buffer.hpp"
#include "core/upload.hpp"
#include "kpm/cell_steps.cuh"
#include "kpm/chunk_sums.cuh"
#include "kpm/cuda_cells.cuh"
#include "kpm/cuda_rows.cuh"
#include "kpm/cuda_slab.cuh"
#include "kpm/device_hamiltonian.cuh"
#include "kpm/device_vectors.cuh"
#include "kpm/drawn_energies.cuh"
#include "kpm/engine.hpp"
#include "kpm/lattice_passes.cuh"
#include "kpm/lattice_steps.cuh"
#include "kpm/matrix_steps.cuh"
#include "kpm/recursion_kernels.cuh"
#include "kpm/start_vectors.hpp"
#include "kpm/vectors_ahead.hpp"

namespace legato::kpm {
inline namespace engine_parts {

template <class Element>
class CudaEngine final : public Engine {
  public:
    CudaEngine(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian, Format format,
               int block_width, std::int64_t spare_bytes);

    void begin(const Block& block) override;
    void steps(const Step& step, int count, std::span<double> xx, std::span<double> yx) override;
    void add_to_sum(std::size_t sum, double factor) override;
    void read_sum(std::size_t sum, std::size_t vector, std::span<double> elements) override;

  private:
    void read_vector(const Block& block, std::int64_t v, double* to);
    void pass(const Step& step, std::int64_t count, std::int64_t width);
    std::int64_t spare_vectors_of(int block_width, std::int64_t spare_bytes) const;

    const Problem& problem_;
    int device_;
    std::int64_t sites_;
    std::unique_ptr<cuda::Upload> upload_;
    std::optional<DeviceHamiltonian<Element>> hamiltonian_;
    std::optional<LatticePasses<Element>> passes_;  // of a simple lattice, if there is memory for them
    Buffer<double> given_;                          // one vector of the source
    std::optional<ChunkSums> sums_;
    std::optional<DeviceVectors<Element>> vectors_;  // made after the matrix, whose upload takes memory
    Pages<double> vector_;                           // one vector of the source, on the host
    VectorsAhead* ahead_ = nullptr;                  // what steps() lets make more vectors
};

template <class Element>
CudaEngine<Element>::CudaEngine(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian,
                                Format format, int block_width, std::int64_t spare_bytes)
    : problem_(problem), device_(context.options().device), sites_(sites_of(hamiltonian)) {
    const int lanes = lanes_of(hamiltonian);
    const auto numbers = static_cast<std::size_t>(lanes * sites_);  // of a vector
    const bool given = problem.start_vectors == StartVectors::caller;
    if (given || format != Format::stencil)
        upload_ = std::make_unique<cuda::Upload>(
            context.threads(),
            sizeof(double) * std::max(numbers, static_cast<std::size_t>(lanes * elements_of(hamiltonian))));
    hamiltonian_.emplace(problem, hamiltonian, format, device_, context.threads(), upload_.get());
    std::int64_t spare = 0;
    int together = 1;
    if (const auto* const lattice = hamiltonian_->lattice()) {
        spare = spare_vectors_of(block_width, spare_bytes);
        if (spare > 0) passes_.emplace(lattice->on_device(), spare, device_);
        together = most_together(lattice->layout());
    }
    sums_.emplace(hamiltonian_->chunks(), hamiltonian_->chunks_of_segment(), 1, block_width, together);
    vectors_.emplace(problem, StoredSites{.count = sites_, .lanes = lanes}, block_width, spare);
    if (given) {
        vector_.resize(numbers);
        given_ = Buffer<double>(numbers);
    }
}

// Returns the number of vectors for which there is spare memory for passes, or 0.
template <class Element>
std::int64_t CudaEngine<Element>::spare_vectors_of(int block_width, std::int64_t spare_bytes) const {
    const std::int64_t spare = spare_vectors<Element>(hamiltonian_->lattice()->layout(), block_width, device_);
    return 2 * static_cast<std::int64_t>(sizeof(Element)) * spare * sites_ > spare_bytes ? 0 : spare;
}

// The device interleaves one vector of the source while the source makes the next one.
template <class Element>
void CudaEngine<Element>::begin(const Block& block) {
    const cuda::DeviceScope scope(device_);
    hamiltonian_->begin(block);
    vectors_->begin(block,
                    passes_ ? pass_width<Element>(hamiltonian_->lattice()->layout()) : hamiltonian_->widest_panel());
    ahead_ = block.makes_ahead ? block.ahead : nullptr;
    for (std::int64_t v = 0; block.kind == StartVectors::caller && v < block.width; ++v) {
        read_vector(block, v, given_.data());
        vectors_->set(v, given_.data());
    }
    if (hamiltonian_->vacancies()) vectors_->clear(hamiltonian_->vacancies());
}

// Uploads vector number v of the block from the source. Its elements are checked while they are copied.
template <class Element>
void CudaEngine<Element>::read_vector(const Block& block, std::int64_t v, double* to) {
    const double most = largest_start_element(problem_.precision);
    std::span<const double> vector = vector_;
    if (block.ahead)
        vector = block.ahead->take(block.first + v, vector_);
    else
        (*block.source)(block.first + v, vector_);
    std::atomic<bool> all = true;
    (*upload_)(vector.data(), vector.size(), to, [&](const double* f, std::size_t n, double* t) {
        bool here = true;
        for (std::size_t i = 0; i < n; ++i) {
            here &= std::abs(f[i]) <= most;
            t[i] = f[i];
        }
        if (!here) all = false;
    });
    if (!all) require_start_vector(problem_.precision, block.first + v, vector);
}

// Performs `count` steps, two unless the lattice is a chain, in one pass for the first panels of the block and one
// after the other for the rest.
template <class Element>
void CudaEngine<Element>::pass(const Step& step, std::int64_t count, std::int64_t width) {
    const Panels& first = vectors_->panels().front();
    passes_->launch({step.a, step.b, step.c, step.keep, static_cast<int>(count), vectors_->x(first), vectors_->y(first),
                     vectors_->moved_x(first), vectors_->moved_y(first), sums_->of_step(first, width),
                     sums_->of_step(first, width, 1) - sums_->of_step(first, width), vectors_->distance(first),
                     first.count, first.vectors()},
                    vectors_->is_moved());
    if (step.keep) vectors_->move();
    for (std::int64_t i = 0; i < count; ++i, sums_->next_step())
        for (const Panels& panels : vectors_->panels() | std::views::drop(1)) {
            Element* x = vectors_->x(panels);
            Element* y = vectors_->y(panels);
            if (i % 2 == 1) std::swap(x, y);
            hamiltonian_->launch({step.a, step.b, step.c, step.keep, x, y, sums_->of_step(panels, width),
                                  vectors_->distance(panels), panels.count},
                                 panels.width);
        }
}

template <class Element>
void CudaEngine<Element>::steps(const Step& step, int count, std::span<double> xx, std::span<double> yx) {
    const cuda::DeviceScope scope(device_);
    const std::int64_t width = static_cast<std::int64_t>(xx.size()) / count;
    sums_->clear();
    for (std::int64_t i = 0, together = 1; i < count; i += together) {
        if (sums_->full()) sums_->add_up(vectors_->panels(), width, nullptr);
        together =
            passes_ ? passes_->together(step, std::min(count - i, sums_->room()), vectors_->panels().front()) : 1;
        if (passes_ && passes_->performs(together)) {
            pass(step, together, width);
            continue;
        }
        for (const Panels& panels : vectors_->panels())
            hamiltonian_->launch({step.a, step.b, step.c, step.keep, vectors_->x(panels), vectors_->y(panels),
                                  sums_->of_step(panels, width), vectors_->distance(panels), panels.count},
                                 panels.width);
        sums_->next_step();
        if (step.keep) vectors_->exchange();
    }
    sums_->add_up(vectors_->panels(), width, nullptr);
    check(cudaGetLastError(), "step");
    if (ahead_) ahead_->make_next();
    check(cudaStreamSynchronize(nullptr), "step");
    for (std::int64_t i = 0; i < count; ++i)
        for (const Panels& panels : vectors_->panels()) {
            std::copy_n(sums_->result(i, 0, 0, panels, width), panels.vectors(), xx.data() + i * width + panels.first);
            std::copy_n(sums_->result(i, 0, 1, panels, width), panels.vectors(), yx.data() + i * width + panels.first);
        }
}

template <class Element>
void CudaEngine<Element>::add_to_sum(std::size_t sum, double factor) {
    const cuda::DeviceScope scope(device_);
    vectors_->add_to_sum(sum, factor);
}

template <class Element>
void CudaEngine<Element>::read_sum(std::size_t sum, std::size_t vector, std::span<double> elements) {
    const cuda::DeviceScope scope(device_);
    vectors_->read_sum(sum, static_cast<std::int64_t>(vector), given_.data());
    given_.download(elements);
}

}  // namespace engine_parts

MemoryNeeds cuda_sums(const Hamiltonian& hamiltonian, Format format) {
    std::int64_t chunks = 0, least_steps = 1;
    if (format != Format::stencil) {
        chunks = walk_of(hamiltonian).chunks();
    } else if (const auto* lattice = std::get_if<Lattice>(&hamiltonian)) {
        const LatticeLayout layout = layout_of(*lattice);
        chunks = layout.chunks();
        least_steps = most_together(layout);
    } else {
        chunks = cell_walk_of(std::get<CellLattice>(hamiltonian)).chunks();
    }
    return sums_needs(chunks, lanes_of(hamiltonian), least_steps);
}

std::unique_ptr<Engine> make_cuda_engine(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian,
                                         Format format, int block_width, std::int64_t spare_bytes) {
    const cuda::DeviceScope scope(context.options().device);
    if (problem.precision == Precision::single)
        return std::make_unique<CudaEngine<float>>(context, problem, hamiltonian, format, block_width, spare_bytes);
    return std::make_unique<CudaEngine<double>>(context, problem, hamiltonian, format, block_width, spare_bytes);
}

std::vector<std::size_t> cuda_segments(const Hamiltonian& hamiltonian) {
    std::vector<std::size_t> first;
    if (matrix_in(hamiltonian)) {
        const RowWalk walk = walk_of(hamiltonian);
        for (std::int64_t s = 0; s <= walk.segment_count(); ++s)
            first.push_back(static_cast<std::size_t>(walk.first_row(s)));
        return first;
    }
    if (const auto* cells = std::get_if<CellLattice>(&hamiltonian)) {
        const RowWalk walk = cell_walk_of(*cells);
        for (std::int64_t s = 0; s <= walk.segment_count(); ++s)
            first.push_back(static_cast<std::size_t>(walk.first_row(s) * cells->orbitals));
        return first;
    }
    const LatticeLayout whole = layout_of(std::get<Lattice>(hamiltonian));
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

std::unique_ptr<Slab> make_cuda_cells(const Context& context, const Problem& problem, const Hamiltonian& lattice,
                                      const SegmentRange& segments, const SlabPlace& place, int block_width) {
    const cuda::DeviceScope scope(context.options().device);
    if (problem.precision == Precision::single)
        return std::make_unique<CudaCells<float>>(context, problem, lattice, segments, place, block_width);
    return std::make_unique<CudaCells<double>>(context, problem, lattice, segments, place, block_width);
}

std::unique_ptr<Slab> make_cuda_rows(const Context& context, const Problem& problem, const Hamiltonian& matrix,
                                     const MatrixPart& part, Format format, const SegmentRange& segments,
                                     const SlabPlace& place, int block_width) {
    const cuda::DeviceScope scope(context.options().device);
    const RowWalk whole = walk_of(matrix), walk = whole.slab(segments);
    const std::int64_t chunks = whole.chunks_of_segment();
    if (problem.precision == Precision::single)
        return std::make_unique<CudaRows<float>>(context, problem, part, format, walk, chunks, place, block_width);
    return std::make_unique<CudaRows<double>>(context, problem, part, format, walk, chunks, place, block_width);
}

MemoryNeeds cuda_slab_needs(const Problem& problem, const Lattice& lattice, const SegmentRange& segments) {
    const LatticeLayout slab = layout_of(lattice).slab(segments);
    MemoryNeeds needs = sums_needs(slab.chunks());
    needs.each += 2 * element_bytes(problem.precision) * (slab.sites() + 2 * slab.halo_sites());
    needs.each += problem.sums * element_bytes(problem.precision) * slab.sites();
    const std::int64_t energies = is_random(lattice) || lattice.on_site == OnSite::energies ? 1 : 0,
                       given = problem.start_vectors == StartVectors::caller ? 1 : 0;
    needs.fixed += (energies + given) * static_cast<std::int64_t>(sizeof(double)) * slab.sites();
    return needs;
}

MemoryNeeds cuda_cells_sums(const CellLattice& lattice, const SegmentRange& segments) {
    return sums_needs(cells_of_slab(lattice, segments).walk.chunks(), is_complex(lattice) ? 2 : 1);
}

MemoryNeeds cuda_rows_sums(const Hamiltonian& matrix, const SegmentRange& segments) {
    return sums_needs(walk_of(matrix).slab(segments).chunks(), lanes_of(matrix));
}

}  // namespace legato::kpm
