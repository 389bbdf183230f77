// What all slabs on a device have in common: the vectors, the sums of segments, and the order of the calls.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "core/cuda_edges.hpp"
#include "core/upload.hpp"
#include "kpm/chunk_sums.cuh"
#include "kpm/device_vectors.cuh"
#include "kpm/slab.hpp"

namespace legato::kpm {
inline namespace engine_parts {

template <class Element>
class DeviceSlab : public Slab {
  public:
    void begin(const Block& block) override {
        const cuda::DeviceScope scope(device_);
        begin_realisation(block);
        vectors_->begin(block, widest_panel_);
        if (vacancies()) vectors_->clear(vacancies());
        width_ = std::int64_t{block.width} * vectors_->sites().lanes;
        sums_->clear();
        pending_count_ = 0;
        edges_.start();
    }

    void set_vector(std::size_t vector, std::span<const double> elements) override {
        const cuda::DeviceScope scope(device_);
        (*upload_)(elements.data(), elements.size(), given_.data());
        vectors_->set(static_cast<std::int64_t>(vector), given_.data());
        if (vacancies()) vectors_->clear(vacancies());
        edges_.start();
    }

    void add_to_sum(std::size_t sum, double factor) override {
        const cuda::DeviceScope scope(device_);
        vectors_->add_to_sum(sum, factor);
    }

    void read_sum(std::size_t sum, std::size_t vector, std::span<double> elements) override {
        const cuda::DeviceScope scope(device_);
        vectors_->read_sum(sum, static_cast<std::int64_t>(vector), given_.data());
        given_.download(elements);
    }

    std::size_t panels() const override {
        std::int64_t count = 0;
        for (const Panels& panels : vectors_->panels()) count += panels.count;
        return static_cast<std::size_t>(count);
    }

    void step(const Step& step, std::span<double> sums) override {
        const cuda::CurrentDevice current(device_);
        if (sums_->full()) {
            sums_->add_up(vectors_->panels(), width_, nullptr);
            edges_.wait_for_default_stream();
        }
        const cudaStream_t stream = begin_edges();
        for (const Panels& panels : vectors_->panels()) launch_edges(step_of(step, panels), panels.width, stream);
        edges_.end_edges();
        for (const Panels& panels : vectors_->panels()) launch_interior(step_of(step, panels), panels.width);
        edges_.end_step();
        edges_.keep(cudaGetLastError(), "step");
        sums_->next_step();
        pending_[pending_count_++] = sums;
        if (step.keep) vectors_->exchange();
    }

    void finish() override {
        const cuda::DeviceScope scope(device_);
        sums_->add_up(vectors_->panels(), width_, nullptr);
        edges_.keep(cudaGetLastError(), "step");
        edges_.keep(cudaDeviceSynchronize(), "step");  // also for the copies, so that memory can be freed
        edges_.require_success();
        for (std::size_t i = 0; i < pending_count_; ++i) read_sums(static_cast<std::int64_t>(i), pending_[i]);
        sums_->clear();
        pending_count_ = 0;
    }

    void wait() noexcept override {
        const cuda::CurrentDevice current(device_);
        cuda::clear_error(cudaDeviceSynchronize());
    }

  protected:
    // `bytes_of_edge` is the largest length of an edge, or 0 if the slab has none.
    DeviceSlab(const Context& context, const Problem& problem, const SlabPlace& place, std::size_t bytes_of_edge,
               int widest_panel)
        : context_(context),
          problem_(problem),
          device_(context.options().device),
          widest_panel_(widest_panel),
          edges_(device_, place, bytes_of_edge) {}

    // Allocates the memory for vectors, after that of the Hamiltonian.
    void allocate(const StoredSites& sites, std::int64_t chunks, std::int64_t chunks_of_segment, int block_width) {
        segments_ = (chunks + chunks_of_segment - 1) / chunks_of_segment;
        sums_.emplace(chunks, chunks_of_segment, segments_, block_width);
        vectors_.emplace(problem_, sites, block_width);
        if (problem_.start_vectors != StartVectors::caller) return;
        const auto count = static_cast<std::size_t>(sites.count * sites.lanes);
        upload_ = std::make_unique<cuda::Upload>(context_.threads(), sizeof(double) * count);
        given_ = Buffer<double>(count);
    }

    int device() const { return device_; }
    cuda::CudaEdges& all_edges() { return edges_; }
    const DeviceVectors<Element>& vectors() const { return *vectors_; }

    // A panel of the block, and its element 0.
    struct PlacedPanel {
        std::int64_t width;
        Element* x;
    };
    PlacedPanel placed(std::size_t panel) const {
        auto number = static_cast<std::int64_t>(panel);
        const Panels* panels = vectors_->panels().data();
        for (; number >= panels->count; ++panels) number -= panels->count;
        return {panels->width, vectors_->x(*panels) + number * vectors_->distance(*panels)};
    }

  private:
    virtual void begin_realisation(const Block&) {}
    // Returns the set of the vacancies (vacancies.hpp), or null.
    virtual const std::uint32_t* vacancies() const { return nullptr; }
    // Returns the stream for launch_edges(), which computes what other slabs need.
    virtual cudaStream_t begin_edges() = 0;
    virtual void launch_edges(const DeviceStep<Element>& step, std::int64_t width, cudaStream_t stream) = 0;
    // Computes the rest in the default stream.
    virtual void launch_interior(const DeviceStep<Element>& step, std::int64_t width) = 0;

    DeviceStep<Element> step_of(const Step& step, const Panels& panels) const {
        return {step.a,
                step.b,
                step.c,
                step.keep,
                vectors_->x(panels),
                vectors_->y(panels),
                sums_->of_step(panels, width_),
                vectors_->distance(panels),
                panels.count};
    }

    // Copies the sums of the segments to [segments][2][width].
    void read_sums(std::int64_t step, std::span<double> to) const {
        for (std::int64_t segment = 0; segment < segments_; ++segment)
            for (int product = 0; product < 2; ++product)
                for (const Panels& panels : vectors_->panels())
                    std::copy_n(sums_->result(step, segment, product, panels, width_), panels.vectors(),
                                to.data() + (2 * segment + product) * width_ + panels.first);
    }

    const Context& context_;
    const Problem& problem_;
    int device_, widest_panel_;
    std::int64_t segments_ = 1;
    cuda::CudaEdges edges_;  // before all memory, because a peer's access to existing memory takes long to begin
    std::optional<ChunkSums> sums_;
    std::optional<DeviceVectors<Element>> vectors_;
    std::unique_ptr<cuda::Upload> upload_;  // with vectors of the caller
    Buffer<double> given_;
    std::int64_t width_ = 1;                               // of the block, in lanes
    std::array<std::span<double>, most_steps> pending_{};  // where finish() stores the sums of the steps
    std::size_t pending_count_ = 0;
};

}  // namespace engine_parts
}  // namespace legato::kpm
