// Some rows of a matrix on a device. Layers of chunks with rows that other slabs need are computed before the others,
// so that these rows are passed meanwhile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "kpm/device_slab.cuh"
#include "kpm/drawn_energies.cuh"
#include "kpm/matrix_part.hpp"
#include "kpm/matrix_steps.cuh"

namespace legato::kpm {
inline namespace engine_parts {

// Copies the elements of these rows of a panel, one after the other.
template <class Element>
__global__ void pack_rows(const Element* x, const std::int32_t* rows, std::int64_t count, std::int64_t width,
                          Element* to) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * fill_threads + threadIdx.x;
    if (i < count * width) to[i] = x[rows[i / width] * width + i % width];
}

template <class Element>
class CudaRows final : public DeviceSlab<Element> {
    using Base = DeviceSlab<Element>;

  public:
    // `walk` is that of the slab's rows.
    CudaRows(const Context& context, const Problem& problem, const MatrixPart& part, Format format, const RowWalk& walk,
             std::int64_t chunks_of_segment, const SlabPlace& place, int block_width)
        : Base(context, problem, place, 0, widest_matrix_panel<Element>),
          matrix_(format, walk, part.rows.longest_row),
          rows_(static_cast<std::int64_t>(part.count())),
          energies_(problem, part.disorder, static_cast<std::int64_t>(part.first), rows_),
          parcels_(part.links.size()) {
        const CrsView rows = view_of(part.rows);
        cuda::Upload upload(context.threads(),
                            sizeof(double) * static_cast<std::size_t>(rows.elements + rows.rows) * rows.lanes());
        matrix_.use(rows, upload, context.threads());
        matrix_.add_energies(energies_.data());
        std::vector<std::int32_t> sent;
        for (const MatrixPart::Link& link : part.links) {
            links_.push_back({sent.size(), link.sent.size(), link.first, link.count});
            sent.insert(sent.end(), link.sent.begin(), link.sent.end());
        }
        find_inner_chunks(sent);
        sent_ = Buffer<std::int32_t>(sent.size());
        sent_.upload(sent);
        packed_ = Buffer<Element>(sent.size() *
                                  static_cast<std::size_t>(std::min(block_width, widest_matrix_panel<Element>)));
        Base::allocate({.count = rows_,
                        .above = static_cast<std::int64_t>(part.halo),
                        .first = static_cast<std::int64_t>(part.first),
                        .lanes = static_cast<int>(rows.lanes())},
                       walk.chunks(), chunks_of_segment, block_width);
    }

    Edges edges(std::size_t) override { return {}; }

    std::span<const Parcel> parcels(std::size_t panel) override {
        const cuda::CurrentDevice current(Base::device());
        const auto [width, x] = Base::placed(panel);
        const auto count = static_cast<std::int64_t>(sent_.size());
        if (count > 0)
            pack_rows<<<blocks_for(count * width, fill_threads), fill_threads, 0, Base::all_edges().copies()>>>(
                x, sent_.data(), count, width, packed_.data());
        Base::all_edges().keep(cudaGetLastError(), "rows for other slabs");
        const auto bytes = [&, width = width](Element* from, std::size_t first, std::size_t length) {
            return std::as_writable_bytes(
                std::span(from + static_cast<std::int64_t>(first) * width, length * static_cast<std::size_t>(width)));
        };
        Element* const halo = x + rows_ * width;
        for (std::size_t slab = 0; slab < links_.size(); ++slab) {
            const Link& link = links_[slab];
            parcels_[slab] = {bytes(packed_.data(), link.first_sent, link.sent),
                              bytes(halo, link.first_received, link.received), &Base::all_edges()};
        }
        return parcels_;
    }

  private:
    // What is passed to another slab, and received from it, in rows.
    struct Link {
        std::size_t first_sent, sent, first_received, received;
    };

    // Finds the most successive layers without a row that is sent.
    void find_inner_chunks(const std::vector<std::int32_t>& sent) {
        const std::int64_t layers = matrix_.walk().layers();
        std::vector<char> is_edge(static_cast<std::size_t>(layers) + 1);
        for (const std::int32_t row : sent) is_edge[static_cast<std::size_t>(row / matrix_.walk().rows_of_layer())] = 1;
        is_edge.back() = 1;
        std::int64_t first = 0, best = 0, length = 0;
        for (std::int64_t layer = 0; layer <= layers; ++layer) {
            if (!is_edge[static_cast<std::size_t>(layer)]) continue;
            if (layer - first > length) best = first, length = layer - first;
            first = layer + 1;
        }
        first_inner_ = best * matrix_.walk().chunks_of_layer();
        end_inner_ = (best + length) * matrix_.walk().chunks_of_layer();
    }

    void begin_realisation(const Block& block) override { energies_.begin(block); }

    // All rows may need rows of other slabs.
    cudaStream_t begin_edges() override {
        Base::all_edges().wait_for_senders();
        return Base::all_edges().begin_edges();
    }
    void launch_edges(const DeviceStep<Element>& step, std::int64_t width, cudaStream_t stream) override {
        matrix_.chunks(step, width, 0, first_inner_, stream);
        matrix_.chunks(step, width, end_inner_, matrix_.walk().chunks(), stream);
    }
    void launch_interior(const DeviceStep<Element>& step, std::int64_t width) override {
        matrix_.chunks(step, width, first_inner_, end_inner_, nullptr);
    }

    MatrixSteps<Element> matrix_;
    std::int64_t rows_;
    RowEnergies energies_;
    std::int64_t first_inner_ = 0, end_inner_ = 0;  // chunks without rows for other slabs
    std::vector<Link> links_;                       // [slabs]
    std::vector<Parcel> parcels_;                   // [slabs], of one panel
    Buffer<std::int32_t> sent_;                     // rows that are sent, one slab after the other
    Buffer<Element> packed_;                        // their elements in a panel
};

}  // namespace engine_parts
}  // namespace legato::kpm
