#include "tmm/propagation.hpp"

#include <algorithm>
#include <limits>

#include "tmm/trial.hpp"

namespace legato::tmm {
namespace {

Problem one_point(const Problem& problem) {
    Problem one;
    one.dimension = problem.dimension;
    one.width = problem.width;
    one.boundary = problem.boundary;
    one.hopping = problem.hopping;
    one.rule = Rule::tmsexd;  // needs no blocks
    validate(one);
    return one;
}

// Returns the index of element `site` of column `state` in the caller's arrays.
std::size_t place(Layout layout, std::size_t sites, std::size_t site, std::size_t state) {
    return layout == Layout::site_first ? site + sites * state : state + sites * site;
}

}  // namespace

Propagation::Propagation(Context& context, const Problem& problem, Layout layout, double cycles)
    : context_(context),
      problem_(one_point(problem)),
      layout_(layout),
      backend_(context.choose_backend(trial_of_steps(context, problem_, cycles)).backend) {}

Engine& Propagation::engine() const {
    if (!engine_) fail(Status::invalid_argument, "tmm.propagation: load the two slices first");
    return *engine_;
}

void Propagation::load(const double* current, const double* previous) {
    if (!engine_) engine_ = make_part_engine(context_, backend_, problem_, 1, 1);
    load_engine(layout_, current, previous);
    queue_.clear();
    valid_ = true;
}

void Propagation::load_engine(Layout layout, const double* current, const double* previous) {
    const std::size_t n = sites();
    PointState state;  // counters, sums and generators have no meaning in Engine::cycle
    state.log_norms.assign(n, 0.0);
    state.log_norms2.assign(n, 0.0);
    state.psi.resize(2 * n * n);
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t from = place(layout, n, i, j);
            state.psi[2 * n * j + i] = current[from];
            state.psi[2 * n * j + n + i] = previous[from];
        }
    const Entry entry{0, Point{}, 0, &state};
    engine_->load({&entry, 1});
}

void Propagation::multiply(const double* diagonal) {
    (void)engine();
    queue_.insert(queue_.end(), diagonal, diagonal + sites());
}

bool Propagation::orthonormalise(double* log_norms, double* largest_loss) {
    Engine& engine = this->engine();
    double loss = 1;
    if (valid_) {
        const CycleEnd end = engine.cycle(0, queue_, {log_norms, sites()});
        valid_ = end == CycleEnd::valid || (end == CycleEnd::lost_precision && orthonormalise_on_cpu(log_norms, &loss));
    }
    if (largest_loss) *largest_loss = loss;
    if (!valid_) std::fill_n(log_norms, sites(), std::numeric_limits<double>::quiet_NaN());
    queue_.clear();
    return valid_;
}

// Makes the queued multiplications, and orthonormalises the engine's slot by orthonormalise() of building_blocks.hpp.
bool Propagation::orthonormalise_on_cpu(double* log_norms, double* largest_loss) {
    const std::size_t n = sites();
    std::vector<double> newer(n * n), older(n * n);
    (void)store(newer.data(), older.data());
    if (!tmm::orthonormalise(n, layout_, newer.data(), older.data(), log_norms, context_.threads(), largest_loss))
        return false;
    load_engine(layout_, newer.data(), older.data());
    return true;
}

bool Propagation::store(double* current, double* previous) const {
    if (!valid_) return false;
    const std::size_t n = sites();
    const std::size_t slot = 0;
    PointState state;
    engine().store({&slot, 1}, {&state, 1}, true);
    // Each queued multiplication exchanges the two arrays.
    double *newer = current, *older = previous;
    if (queue_.size() / n % 2) std::swap(newer, older);
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t to = place(layout_, n, i, j);
            newer[to] = state.psi[2 * n * j + i];
            older[to] = state.psi[2 * n * j + n + i];
        }
    for (std::size_t done = 0; done < queue_.size(); done += n) {
        tmm::multiply(problem_, layout_, queue_.data() + done, newer, older, context_.threads());
        std::swap(newer, older);
    }
    return true;
}

}  // namespace legato::tmm
