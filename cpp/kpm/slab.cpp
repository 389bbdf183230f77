#include "kpm/slab.hpp"

#include <algorithm>
#include <utility>

#include "core/device.hpp"

namespace legato::kpm {
namespace {

class OneSlab final : public Engine {
  public:
    OneSlab(std::unique_ptr<Slab> slab, std::size_t segments, int block_width)
        : slab_(std::move(slab)), segments_(segments), sums_(segments * 2 * static_cast<std::size_t>(block_width)) {}

    void begin(const Block& block) override { slab_->begin(block); }

    void steps(const Step& step, int count, std::span<double> xx, std::span<double> yx) override {
        const std::size_t width = xx.size() / static_cast<std::size_t>(count);
        const std::span<double> sums = std::span(sums_).first(segments_ * 2 * width);
        std::fill(xx.begin(), xx.end(), 0.0);
        std::fill(yx.begin(), yx.end(), 0.0);
        for (std::size_t i = 0; i < xx.size(); i += width) {
            slab_->step(step, sums);
            slab_->finish();
            add_segments(sums, xx.subspan(i, width), yx.subspan(i, width));
        }
    }

  private:
    std::unique_ptr<Slab> slab_;
    std::size_t segments_;
    std::vector<double> sums_;  // [segments][2][width]
};

std::vector<std::size_t> segments_of(Backend backend, const Lattice& lattice) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return cuda_segments(lattice);
    return cpu_segments(lattice);
}

}  // namespace

Slabs::Slabs(Backend backend, const Lattice& lattice, std::size_t parts)
    : first_sites_(segments_of(backend, lattice)), count_(std::min(parts, segments())) {
    const ChunkLayout layout(lattice);
    periodic_ = layout.periodic[layout.slowest()];
}

std::size_t Slabs::largest() const {
    std::size_t largest = 0;
    for (std::size_t slab = 1; slab < count_; ++slab)
        if (sites(slab) > sites(largest)) largest = slab;
    return largest;
}

void add_segments(std::span<const double> sums, std::span<double> xx, std::span<double> yx) {
    const std::size_t width = xx.size();
    for (std::size_t first = 0; first < sums.size(); first += 2 * width)
        for (std::size_t v = 0; v < width; ++v) {
            xx[v] += sums[first + v];
            yx[v] += sums[first + width + v];
        }
}

std::unique_ptr<Slab> make_slab(const Context& context, Backend backend, const Problem& problem, const Lattice& lattice,
                                const SegmentRange& segments, const SlabPlace& place, int block_width) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return make_cuda_slab(context, problem, lattice, segments, place, block_width);
    return make_cpu_slab(context, problem, lattice, segments, block_width);
}

std::unique_ptr<Engine> engine_of(std::unique_ptr<Slab> slab, std::size_t segments, int block_width) {
    return std::make_unique<OneSlab>(std::move(slab), segments, block_width);
}

}  // namespace legato::kpm
