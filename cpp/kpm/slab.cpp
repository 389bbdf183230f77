#include "kpm/slab.hpp"

#include <algorithm>
#include <utility>

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

    void add_to_sum(std::size_t sum, double factor) override { slab_->add_to_sum(sum, factor); }
    void read_sum(std::size_t sum, std::size_t vector, std::span<double> elements) override {
        slab_->read_sum(sum, vector, elements);
    }

  private:
    std::unique_ptr<Slab> slab_;
    std::size_t segments_;
    std::vector<double> sums_;  // [segments][2][width]
};

}  // namespace

void add_segments(std::span<const double> sums, std::span<double> xx, std::span<double> yx) {
    const std::size_t width = xx.size();
    for (std::size_t first = 0; first < sums.size(); first += 2 * width)
        for (std::size_t v = 0; v < width; ++v) {
            xx[v] += sums[first + v];
            yx[v] += sums[first + width + v];
        }
}

std::unique_ptr<Engine> engine_of(std::unique_ptr<Slab> slab, std::size_t segments, int block_width) {
    return std::make_unique<OneSlab>(std::move(slab), segments, block_width);
}

}  // namespace legato::kpm
