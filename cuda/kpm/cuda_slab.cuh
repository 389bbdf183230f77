// A slab of a lattice on a device. The first and the last layer of chunks are computed before those between them, so
// that their edges are passed meanwhile.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "core/cuda_edges.hpp"
#include "core/upload.hpp"
#include "kpm/chunk_sums.cuh"
#include "kpm/device_vectors.cuh"
#include "kpm/lattice_steps.cuh"
#include "kpm/slab.hpp"

namespace legato::kpm {
inline namespace engine_parts {

template <class Element>
class CudaSlab final : public Slab {
  public:
    CudaSlab(const Context& context, const Problem& problem, const Lattice& lattice,
             const LatticeLayout& layout_of_slab, const SlabPlace& place, int block_width)
        : device_(context.options().device),
          edges_(device_, place,
                 bytes_of_edge(layout_of_slab, std::min<std::int64_t>(block_width, widest_lattice_panel))),
          lattice_(problem, lattice, layout_of_slab, device_),
          sums_(layout().chunks(), layout().layers_of_segment * layout().tiles(), layout().segments(), block_width),
          vectors_(problem, lattice_.sites(), block_width) {
        if (problem.start_vectors != StartVectors::caller) return;
        const auto sites = static_cast<std::size_t>(layout().sites());
        upload_ = std::make_unique<cuda::Upload>(context.threads(), sizeof(double) * sites);
        given_ = Buffer<double>(sites);
    }

    void begin(const Block& block) override {
        const cuda::DeviceScope scope(device_);
        lattice_.begin(block.realisation);
        vectors_.begin(block, widest_lattice_panel);
        width_ = block.width;
        sums_.clear();
        pending_count_ = 0;
        edges_.start();
    }

    void set_vector(std::size_t vector, std::span<const double> elements) override {
        const cuda::DeviceScope scope(device_);
        (*upload_)(elements.data(), elements.size(), given_.data());
        vectors_.set(static_cast<std::int64_t>(vector), given_.data());
        edges_.start();
    }

    std::size_t panels() const override {
        std::int64_t count = 0;
        for (const Panels& panels : vectors_.panels()) count += panels.count;
        return static_cast<std::size_t>(count);
    }

    Edges edges(std::size_t panel) override {
        auto number = static_cast<std::int64_t>(panel);
        const Panels* panels = vectors_.panels().data();
        for (; number >= panels->count; ++panels) number -= panels->count;
        const std::size_t edge = bytes_of_edge(layout(), panels->width),
                          inside = static_cast<std::size_t>(layout().sites() * panels->width) * sizeof(Element);
        auto* const first =
            reinterpret_cast<std::byte*>(vectors_.x(*panels) + number * vectors_.distance(*panels)) - edge;
        const std::span<std::byte> x(first, inside + 2 * edge);
        return {x.subspan(edge, edge), x.subspan(inside, edge), x.first(edge), x.last(edge), &edges_};
    }

    void step(const Step& step, std::span<double> sums) override {
        const cuda::CurrentDevice current(device_);
        if (sums_.full()) {
            sums_.add_up(vectors_.panels(), width_, nullptr);
            edges_.wait_for_default_stream();
        }
        const cudaStream_t stream = edges_.begin_edges();
        for (const Panels& panels : vectors_.panels()) lattice_.edges(step_of(step, panels), panels.width, stream);
        edges_.end_edges();
        for (const Panels& panels : vectors_.panels()) lattice_.interior(step_of(step, panels), panels.width, nullptr);
        edges_.end_step();
        edges_.keep(cudaGetLastError(), "step");
        sums_.next_step();
        pending_[pending_count_++] = sums;
        if (step.keep) vectors_.exchange();
    }

    void finish() override {
        const cuda::DeviceScope scope(device_);
        sums_.add_up(vectors_.panels(), width_, nullptr);
        edges_.keep(cudaGetLastError(), "step");
        edges_.keep(cudaDeviceSynchronize(), "step");  // also for the copies, so that memory can be freed
        edges_.require_success();
        for (std::size_t i = 0; i < pending_count_; ++i) read_sums(static_cast<std::int64_t>(i), pending_[i]);
        sums_.clear();
        pending_count_ = 0;
    }

    void wait() noexcept override {
        const cuda::CurrentDevice current(device_);
        cuda::clear_error(cudaDeviceSynchronize());
    }

  private:
    const LatticeLayout& layout() const { return lattice_.layout(); }

    static std::size_t bytes_of_edge(const LatticeLayout& layout, std::int64_t width) {
        return static_cast<std::size_t>(layout.halo_sites() * width) * sizeof(Element);
    }

    DeviceStep<Element> step_of(const Step& step, const Panels& panels) const {
        return {step.a,
                step.b,
                step.c,
                step.keep,
                vectors_.x(panels),
                vectors_.y(panels),
                sums_.of_step(panels, width_),
                vectors_.distance(panels),
                panels.count};
    }

    // Copies the sums of the segments to [segments][2][width].
    void read_sums(std::int64_t step, std::span<double> to) const {
        for (std::int64_t segment = 0; segment < layout().segments(); ++segment)
            for (int product = 0; product < 2; ++product)
                for (const Panels& panels : vectors_.panels())
                    std::copy_n(sums_.result(step, segment, product, panels, width_), panels.vectors(),
                                to.data() + (2 * segment + product) * width_ + panels.first);
    }

    int device_;
    cuda::CudaEdges edges_;  // before all memory, because a peer's access to existing memory takes long to begin
    LatticeSteps<Element> lattice_;
    ChunkSums sums_;
    DeviceVectors<Element> vectors_;
    std::unique_ptr<cuda::Upload> upload_;  // with vectors of the caller
    Buffer<double> given_;
    std::int64_t width_ = 1;                               // of the block
    std::array<std::span<double>, most_steps> pending_{};  // where finish() stores the sums of the steps
    std::size_t pending_count_ = 0;
};

}  // namespace engine_parts
}  // namespace legato::kpm
