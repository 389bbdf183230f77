// The CUDA engine. Vectors, matrix and on-site energies are in device memory. The products of the steps are sent to the
// host.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/buffer.hpp"
#include "core/upload.hpp"
#include "kpm/engine.hpp"
#include "kpm/recursion_kernels.cuh"
#include "kpm/start_vectors.hpp"

namespace legato::kpm {
inline namespace engine_parts {

using cuda::Buffer;
using cuda::check;

constexpr int fill_threads = 256;
constexpr int widest_lattice_panel = 8;
template <class Element>
constexpr int widest_matrix_panel = 128 / sizeof(Element);  // number of elements of a cache line

// Number of sums that are collected before they are added up. Small lattices have few sums, and steps so short that
// adding up after each step would be noticeable.
constexpr std::int64_t enough_sums = std::int64_t{1} << 20;

// Panels of the same width, one after the other.
struct Panels {
    std::int64_t width, first, count;  // first: number of the first vector
};

// Returns the panels, widest first. Lattices use at most 8 vectors, because wider panels have nothing more to share.
std::vector<Panels> panels_of(std::int64_t width, std::int64_t widest) {
    std::vector<Panels> all;
    for (std::int64_t first = 0; first < width;) {
        const std::int64_t next = std::min<std::int64_t>(
            static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(width - first))), widest);
        if (!all.empty() && all.back().width == next)
            ++all.back().count;
        else
            all.push_back({next, first, 1});
        first += next;
    }
    return all;
}

template <class Element>
__global__ void fill_vectors(StartVectors kind, std::uint64_t seed, std::uint64_t vector, Panels panels,
                             std::int64_t sites, Element* x) {
    const std::int64_t site = static_cast<std::int64_t>(blockIdx.x) * fill_threads + threadIdx.x;
    if (site >= sites) return;
    for (std::int64_t v = blockIdx.y; v < panels.width * panels.count; v += gridDim.y) {
        const std::int64_t panel = v / panels.width, at = v % panels.width;
        x[panel * panels.width * sites + site * panels.width + at] = static_cast<Element>(
            start_element(kind, seed, vector + static_cast<std::uint64_t>(v), static_cast<std::uint64_t>(site)));
    }
}

template <class Element>
__global__ void set_sites(const std::int64_t* chosen, Panels panels, std::int64_t sites, Element* x) {
    const std::int64_t v = threadIdx.x, panel = v / panels.width, at = v % panels.width;
    x[panel * panels.width * sites + chosen[v] * panels.width + at] = 1.0;
}

// Copies a separate vector to vector number v of the panels.
template <class Element>
__global__ void interleave(const double* vector, Panels panels, std::int64_t v, std::int64_t sites, Element* x) {
    const std::int64_t site = static_cast<std::int64_t>(blockIdx.x) * fill_threads + threadIdx.x;
    const std::int64_t panel = v / panels.width, at = v % panels.width;
    if (site < sites) x[panel * panels.width * sites + site * panels.width + at] = static_cast<Element>(vector[site]);
}

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

__global__ void draw(OnSite kind, double energy, double disorder, std::uint64_t seed, std::uint64_t realisation,
                     std::int64_t sites, double* energies) {
    const std::int64_t site = static_cast<std::int64_t>(blockIdx.x) * fill_threads + threadIdx.x;
    if (site < sites)
        energies[site] = on_site_energy(kind, energy, disorder, seed, realisation, static_cast<std::uint64_t>(site));
}

// Returns the number of chunks along the third direction that a block goes through, such that all multiprocessors
// finish at about the same time. It minimises the number of planes one after the other, with a few more for the
// beginning of each block.
std::int64_t segments_of_block(const LatticeLayout& layout, std::int64_t columns, std::int64_t at_a_time) {
    constexpr std::int64_t to_begin = 3;  // extra planes of each block
    std::int64_t best = 1, least = INT64_MAX;
    for (std::int64_t segments = 1; segments <= layout.segments; ++segments) {
        const std::int64_t blocks = columns * ((layout.segments + segments - 1) / segments);
        const std::int64_t planes =
            (blocks + at_a_time - 1) / at_a_time * (std::min(segments * layout.segment, layout.extents[2]) + to_begin);
        if (planes < least) {
            least = planes;
            best = segments;
        }
    }
    return best;
}

unsigned blocks_for(std::int64_t count, std::int64_t piece) {
    return static_cast<unsigned>((count + piece - 1) / piece);
}

// Host memory that kernels write to.
class MappedBuffer {
  public:
    explicit MappedBuffer(std::size_t size) {
        check(cudaHostAlloc(&data_, size * sizeof(double), cudaHostAllocMapped), "cudaHostAlloc");
    }
    ~MappedBuffer() { cuda::clear_error(cudaFreeHost(data_)); }
    MappedBuffer(const MappedBuffer&) = delete;
    MappedBuffer& operator=(const MappedBuffer&) = delete;

    double* data() const { return data_; }

  private:
    double* data_ = nullptr;
};

template <class Element>
class CudaEngine final : public Engine {
  public:
    CudaEngine(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian, Format format,
               int block_width);

    void begin(const Block& block) override;
    void steps(const Step& step, int count, std::span<double> xx, std::span<double> yx) override;

  private:
    bool stencil() const { return format_ == Format::stencil; }
    void begin_realisation(std::int64_t realisation);
    void take(const Block& block, const Panels& panels, Element* x);
    void read_vector(const Block& block, std::int64_t v, double* to);
    void use(const CrsView& matrix);
    void upload_padded(const CrsView& matrix);
    template <class Index>
    void upload_less(Index base, const Index* from, std::size_t count, Index* to);
    void launch(const DeviceStep<Element>& step, std::int64_t width) const;
    template <int P>
    std::int64_t resident() const;
    template <int P>
    void launch_with(const DeviceStep<Element>& step) const;

    const Problem& problem_;
    const Hamiltonian& hamiltonian_;
    Format format_;
    int device_, steps_of_sums_ = 1;
    std::int64_t sites_, chunks_ = 0, realisation_ = -1;
    Buffer<Element> x_, y_;
    Buffer<double> sums_, energies_, values_, given_;  // given_: one vector of the source
    Buffer<std::int64_t> row_pointers_, chosen_;
    Buffer<std::int32_t> columns_;
    MappedBuffer products_;
    std::unique_ptr<cuda::Upload> upload_;
    Pages<double> vector_;  // one vector of the source, on the host
    std::vector<Panels> panels_;
    DeviceLattice lattice_{};
    DeviceMatrix matrix_{};
    std::array<std::int64_t, 4> resident_{};  // number of blocks of lattice_step for panels of width 1, 2, 4, 8
};

template <class Element>
CudaEngine<Element>::CudaEngine(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian,
                                Format format, int block_width)
    : problem_(problem),
      hamiltonian_(hamiltonian),
      format_(format),
      device_(context.options().device),
      sites_(sites_of(hamiltonian)),
      products_(2 * most_steps * max_block_width) {
    const auto width = static_cast<std::size_t>(block_width), sites = static_cast<std::size_t>(sites_);
    const bool given = problem.start_vectors == StartVectors::caller;
    if (given || !stencil())
        upload_ = std::make_unique<cuda::Upload>(
            context.threads(), sizeof(double) * std::max(sites, static_cast<std::size_t>(elements_of(hamiltonian))));
    if (stencil()) {
        const auto& lattice = std::get<Lattice>(hamiltonian);
        lattice_ = {layout_of(lattice), lattice.hopping, lattice.energy, nullptr};
        chunks_ = lattice_.layout.chunks();
        resident_ = {resident<1>(), resident<2>(), resident<4>(), resident<8>()};
        if (lattice.on_site == OnSite::energies) {
            energies_ = Buffer<double>(sites);
            energies_.upload(lattice.energies);
        } else if (is_random(hamiltonian)) {
            energies_ = Buffer<double>(sites);
        }
        lattice_.energies = energies_.data();
    } else {
        matrix_.walk = walk_of(hamiltonian);
        matrix_.rows = sites_;
        matrix_.length = longest_row(hamiltonian);
        chunks_ = matrix_.walk.chunks();
        if (const auto matrix = matrix_in(hamiltonian)) use(*matrix);
    }
    x_ = Buffer<Element>(sites * width);
    y_ = Buffer<Element>(sites * width);
    if (given) {
        vector_.resize(sites);
        given_ = Buffer<double>(sites);
    }
    const std::int64_t sums = 2 * chunks_ * block_width;
    steps_of_sums_ = static_cast<int>(std::clamp<std::int64_t>(enough_sums / sums, 1, most_steps));
    sums_ = Buffer<double>(static_cast<std::size_t>(sums * steps_of_sums_));
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

template <class Element>
void CudaEngine<Element>::begin_realisation(std::int64_t realisation) {
    const auto* lattice = std::get_if<Lattice>(&hamiltonian_);
    if (!lattice || realisation == realisation_ || (realisation_ >= 0 && !is_random(hamiltonian_))) return;
    const auto seed = static_cast<std::uint64_t>(problem_.seed);
    if (!stencil())
        use(view_of(matrix_of(*lattice, seed, realisation)));
    else if (is_random(hamiltonian_))
        draw<<<blocks_for(sites_, fill_threads), fill_threads>>>(lattice->on_site, lattice->energy, lattice->disorder,
                                                                 seed, static_cast<std::uint64_t>(realisation), sites_,
                                                                 energies_.data());
    check(cudaGetLastError(), "on-site energies");
    realisation_ = realisation;
}

template <class Element>
void CudaEngine<Element>::begin(const Block& block) {
    const cuda::DeviceScope scope(device_);
    begin_realisation(block.realisation);
    panels_ = panels_of(block.width, stencil() ? widest_lattice_panel : widest_matrix_panel<Element>);
    const auto bytes = static_cast<std::size_t>(sites_) * static_cast<std::size_t>(block.width) * sizeof(Element);
    if (block.kind == StartVectors::sites) {
        check(cudaMemsetAsync(x_.data(), 0, bytes), "cudaMemset");
        grow(chosen_, static_cast<std::size_t>(block.width));
        chosen_.upload(std::span(problem_.sites)
                           .subspan(static_cast<std::size_t>(block.first), static_cast<std::size_t>(block.width)));
    }
    for (const Panels& panels : panels_) {
        Element* const x = x_.data() + panels.first * sites_;
        const std::int64_t vectors = panels.width * panels.count;
        if (block.kind == StartVectors::caller)
            take(block, panels, x);
        else if (block.kind == StartVectors::sites)
            set_sites<<<1, static_cast<unsigned>(vectors)>>>(chosen_.data() + panels.first, panels, sites_, x);
        else
            fill_vectors<<<dim3(blocks_for(sites_, fill_threads), static_cast<unsigned>(vectors)), fill_threads>>>(
                block.kind, static_cast<std::uint64_t>(problem_.seed),
                static_cast<std::uint64_t>(block.first + panels.first), panels, sites_, x);
    }
    check(cudaMemsetAsync(y_.data(), 0, bytes), "cudaMemset");
    check(cudaGetLastError(), "start vectors");
}

// Takes vectors from the source. The device interleaves one vector while the source makes the next one.
template <class Element>
void CudaEngine<Element>::take(const Block& block, const Panels& panels, Element* x) {
    for (std::int64_t v = 0; v < panels.width * panels.count; ++v) {
        read_vector(block, panels.first + v, given_.data());
        interleave<<<blocks_for(sites_, fill_threads), fill_threads>>>(given_.data(), panels, v, sites_, x);
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

// Returns the number of blocks that all multiprocessors can hold at the same time.
template <class Element>
template <int P>
std::int64_t CudaEngine<Element>::resident() const {
    const auto bytes = static_cast<int>(Ring<P, Element>::bytes(lattice_.layout));
    check(cudaFuncSetAttribute(lattice_step<P, Element>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "cudaFuncSetAttribute");
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, lattice_step<P, Element>, tile_sites * lanes<P>,
                                                        static_cast<std::size_t>(bytes)),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return std::int64_t{blocks} * cuda::attribute(cudaDevAttrMultiProcessorCount, device_);
}

template <class Element>
template <int P>
void CudaEngine<Element>::launch_with(const DeviceStep<Element>& step) const {
    const auto panels = static_cast<unsigned>(step.panels);
    if (stencil()) {
        if constexpr (P <= widest_lattice_panel) {
            const LatticeLayout& layout = lattice_.layout;
            const std::int64_t columns = layout.tiles() * step.panels,
                               segments = segments_of_block(layout, columns, resident_[std::countr_zero(unsigned{P})]),
                               blocks = columns * ((layout.segments + segments - 1) / segments);
            const std::size_t bytes = Ring<P, Element>::bytes(layout);
            const unsigned threads = tile_sites * lanes<P>;
            lattice_step<P, Element>
                <<<static_cast<unsigned>(blocks), threads, bytes>>>(step, lattice_, static_cast<int>(segments));
        }
    } else {
        const unsigned threads = row_slots * lanes<P>;
        matrix_step<P, Element><<<static_cast<unsigned>(chunks_) * panels, threads>>>(step, matrix_);
    }
}

template <class Element>
void CudaEngine<Element>::launch(const DeviceStep<Element>& step, std::int64_t width) const {
    switch (width) {
        case 1:
            return launch_with<1>(step);
        case 2:
            return launch_with<2>(step);
        case 4:
            return launch_with<4>(step);
        case 8:
            return launch_with<8>(step);
        case 16:
            return launch_with<16>(step);
        default:
            if constexpr (widest_matrix_panel < Element >> 16) return launch_with<32>(step);
    }
}

// Adds up the products of as many steps together as there is room for.
template <class Element>
void CudaEngine<Element>::steps(const Step& step, int count, std::span<double> xx, std::span<double> yx) {
    const cuda::DeviceScope scope(device_);
    const std::int64_t width = static_cast<std::int64_t>(xx.size()) / count, sums_of_step = 2 * chunks_ * width;
    for (int begin = 0; begin < count; begin += steps_of_sums_) {
        const int end = std::min(begin + steps_of_sums_, count);
        for (int i = begin; i < end; ++i) {
            for (const Panels& panels : panels_)
                launch({step.a, step.b, step.c, step.keep, x_.data() + panels.first * sites_,
                        y_.data() + panels.first * sites_,
                        sums_.data() + (i - begin) * sums_of_step + 2 * chunks_ * panels.first, panels.width * sites_,
                        panels.count},
                       panels.width);
            if (step.keep) std::swap(x_, y_);
        }
        for (const Panels& panels : panels_) {
            const std::int64_t vectors = panels.width * panels.count;
            add_chunks<<<dim3(static_cast<unsigned>(2 * vectors), static_cast<unsigned>(end - begin)), sum_threads>>>(
                sums_.data() + 2 * chunks_ * panels.first, sums_of_step, chunks_, vectors,
                products_.data() + 2 * (begin * width + panels.first), 2 * width);
        }
    }
    check(cudaGetLastError(), "step");
    check(cudaStreamSynchronize(nullptr), "step");
    for (std::int64_t i = 0; i < count; ++i)
        for (const Panels& panels : panels_) {
            const std::int64_t vectors = panels.width * panels.count;
            const double* const from = products_.data() + 2 * (i * width + panels.first);
            std::copy_n(from, vectors, xx.data() + i * width + panels.first);
            std::copy_n(from + vectors, vectors, yx.data() + i * width + panels.first);
        }
}

}  // namespace engine_parts

MemoryNeeds cuda_sums(const Hamiltonian& hamiltonian, Format format) {
    constexpr std::int64_t number = sizeof(double);
    const std::int64_t chunks =
        format == Format::stencil ? layout_of(std::get<Lattice>(hamiltonian)).chunks() : walk_of(hamiltonian).chunks();
    return {number * std::min(enough_sums, most_steps * 2 * max_block_width * chunks), number * 2 * chunks};
}

std::unique_ptr<Engine> make_cuda_engine(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian,
                                         Format format, int block_width) {
    const cuda::DeviceScope scope(context.options().device);
    if (problem.precision == Precision::single)
        return std::make_unique<CudaEngine<float>>(context, problem, hamiltonian, format, block_width);
    return std::make_unique<CudaEngine<double>>(context, problem, hamiltonian, format, block_width);
}

}  // namespace legato::kpm
