#include "kpm/lanes.hpp"

#include <utility>
#include <vector>

namespace legato::kpm {
namespace {

class AddedLanes final : public Engine {
  public:
    explicit AddedLanes(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}

    void begin(const Block& block) override { engine_->begin(block); }

    void steps(const Step& step, int count, std::span<double> xx, std::span<double> yx) override {
        xx_.resize(2 * xx.size());
        yx_.resize(2 * yx.size());
        engine_->steps(step, count, xx_, yx_);
        add(xx_, xx);
        add(yx_, yx);
    }

    void add_to_sum(std::size_t sum, double factor) override { engine_->add_to_sum(sum, factor); }
    void read_sum(std::size_t sum, std::size_t vector, std::span<double> elements) override {
        engine_->read_sum(sum, vector, elements);
    }

  private:
    static void add(const std::vector<double>& lanes, std::span<double> vectors) {
        for (std::size_t v = 0; v < vectors.size(); ++v) vectors[v] = lanes[2 * v] + lanes[2 * v + 1];
    }

    std::unique_ptr<Engine> engine_;
    std::vector<double> xx_, yx_;  // [steps][width][2]
};

}  // namespace

std::unique_ptr<Engine> with_added_lanes(std::unique_ptr<Engine> engine, const Hamiltonian& hamiltonian) {
    if (!is_complex(hamiltonian)) return engine;
    return std::make_unique<AddedLanes>(std::move(engine));
}

}  // namespace legato::kpm
