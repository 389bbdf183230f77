#include <algorithm>
#include <utility>

#include "core/parallel.hpp"
#include "dfr/engine.hpp"

namespace legato::dfr {
namespace {

constexpr std::size_t block = 32;  // points that are worked on together, so that what belongs to them stays in cache

// A density on the grid, rows times r^(-1/2).
struct GridDensity {
    Matrix large, small;         // [points x spinors]
    std::vector<double> charge;  // [points]
};

Matrix on_grid(const Quadrature& quadrature, const Matrix& functions, const Matrix& coefficients) {
    Matrix values = product(functions, coefficients);
    for (std::size_t a = 0; a < values.columns; ++a)
        for (std::size_t i = 0; i < values.rows; ++i) values(i, a) *= quadrature.inverse_root_radius[i];
    return values;
}

GridDensity on_grid(const Quadrature& quadrature, const Density& density) {
    const auto s = static_cast<std::size_t>(density.species);
    GridDensity on{on_grid(quadrature, quadrature.large[s], density.large), {}, {}};
    if (!quadrature.small.empty()) on.small = on_grid(quadrature, quadrature.small[s], density.small);
    on.charge.assign(quadrature.grid.points, 0.0);
    for (const Matrix* part : {&on.large, &on.small})
        for (std::size_t a = 0; a < part->columns; ++a)
            for (std::size_t i = 0; i < part->rows; ++i)
                on.charge[i] += (*part)(i, a) * (*part)(i, a) / quadrature.inverse_root_radius[i];
    return on;
}

// The potential of the target's charge at the points, times r^(-1/2).
std::vector<double> potential(const Quadrature& quadrature, const Kernels& kernels, const Target& target,
                              const std::vector<GridDensity>& densities) {
    const std::size_t points = quadrature.grid.points;
    std::vector<double> charge(points), v(points);
    for (std::size_t d = 0; d < densities.size(); ++d)
        for (std::size_t i = 0; i < points; ++i) charge[i] += target.factors[d] * densities[d].charge[i];
    for (std::size_t i = 0; i < points; ++i) {
        const double* const kernel = kernels.coulomb.data() + kernels.reach - 1 - i;  // symmetric
        double sum = 0;
        for (std::size_t j = 0; j < points; ++j) sum += kernel[j] * charge[j];
        v[i] = sum * quadrature.inverse_root_radius[i];
    }
    return v;
}

enum Pair : std::size_t { large_large, small_small, large_small };

const Matrix& bra(const GridDensity& d, std::size_t pair) {
    return pair == small_small ? d.small : d.large;
}
const Matrix& ket(const GridDensity& d, std::size_t pair) {
    return pair == large_large ? d.large : d.small;
}

class AtomRepulsion {
  public:
    AtomRepulsion(const Quadrature& quadrature, const Kernels& kernels, RepulsionJob& job)
        : quadrature_(quadrature),
          kernels_(kernels),
          job_(job),
          points_(quadrature.grid.points),
          pairs_(quadrature.small.empty() ? 1 : 3) {
        for (const Density& density : job.densities) densities_.push_back(on_grid(quadrature, density));
        half_.resize(job.targets.size());
        for (std::size_t t = 0; t < job.targets.size(); ++t)
            for (std::size_t pair = 0; pair < pairs_; ++pair)
                half_[t].emplace_back(points_, functions(job.targets[t].species, pair).columns);
    }

    std::size_t blocks() const { return (points_ + block - 1) / block; }

    // Rows [index block, ...) of Z Phi for every target: Z_ij = sum of factor M(i-j) D_ij.
    void transform(std::size_t index) {
        const std::size_t first = index * block, rows = std::min(block, points_ - first);
        std::vector<Matrix> products(densities_.size());
        for (std::size_t pair = 0; pair < pairs_; ++pair) {
            for (std::size_t d = 0; d < densities_.size(); ++d) {
                const Matrix &left = bra(densities_[d], pair), &right = ket(densities_[d], pair);
                products[d] = Matrix(rows, points_);
                multiply('N', 'T', rows, points_, left.columns, left.values.data() + first, points_,
                         right.values.data(), points_, products[d].values.data(), rows);
            }
            for (std::size_t t = 0; t < job_.targets.size(); ++t) {
                const Matrix weighted = exchange_density(job_.targets[t], products, first, rows);
                const Matrix& phi = functions(job_.targets[t].species, pair);
                multiply('N', 'N', rows, phi.columns, points_, weighted.values.data(), rows, phi.values.data(), points_,
                         half_[t][pair].values.data() + first, points_);
            }
        }
    }

    void finish(std::size_t t) {
        const Target& target = job_.targets[t];
        const auto s = static_cast<std::size_t>(target.species);
        const std::vector<double> v = potential(quadrature_, kernels_, target, densities_);
        const std::size_t n = quadrature_.large[s].columns, order = pairs_ == 1 ? n : 2 * n;
        Matrix& out = job_.repulsion[t];
        out = Matrix(order, order);
        for (std::size_t pair = 0; pair < pairs_; ++pair) {
            const Matrix &left = pair == small_small ? quadrature_.small[s] : quadrature_.large[s],
                         &right = functions(target.species, pair);
            Matrix difference = half_[t][pair];
            for (double& value : difference.values) value = -value;
            if (pair != large_small)
                for (std::size_t q = 0; q < n; ++q)
                    for (std::size_t i = 0; i < points_; ++i) difference(i, q) += v[i] * right(i, q);
            const Matrix block_matrix = transposed_product(left, difference);
            const std::size_t row = pair == small_small ? n : 0, column = pair == large_large ? 0 : n;
            for (std::size_t q = 0; q < n; ++q)
                for (std::size_t p = 0; p < n; ++p) {
                    if (pair == large_small)
                        out(p, n + q) = out(n + q, p) = block_matrix(p, q);
                    else
                        out(row + p, column + q) = 0.5 * (block_matrix(p, q) + block_matrix(q, p));
                }
        }
    }

  private:
    // The functions on the right of a pair of components.
    const Matrix& functions(int species, std::size_t pair) const {
        const auto s = static_cast<std::size_t>(species);
        return pair == large_large ? quadrature_.large[s] : quadrature_.small[s];
    }

    Matrix exchange_density(const Target& target, const std::vector<Matrix>& products, std::size_t first,
                            std::size_t rows) const {
        Matrix z(rows, points_);
        for (std::size_t d = 0; d < products.size(); ++d) {
            const double factor = target.factors[d];
            const std::vector<double>& kernel = kernels_.exchange_of(target.species, job_.densities[d].species);
            if (factor == 0.0) continue;
            for (std::size_t j = 0; j < points_; ++j) {
                const double* const m = kernel.data() + kernels_.reach - 1 + first - j;
                const double* const from = products[d].column(j);
                double* const to = z.column(j);
                for (std::size_t i = 0; i < rows; ++i) to[i] += factor * m[i] * from[i];
            }
        }
        return z;
    }

    const Quadrature& quadrature_;
    const Kernels& kernels_;
    RepulsionJob& job_;
    std::size_t points_, pairs_;
    std::vector<GridDensity> densities_;
    std::vector<std::vector<Matrix>> half_;  // [targets][pairs]: [points x functions]
};

class CpuEngine final : public Engine {
  public:
    CpuEngine(const Quadratures& quadratures, int threads) : quadratures_(quadratures), threads_(threads) {}

    void repel(std::span<RepulsionJob> jobs) override {
        std::vector<std::unique_ptr<AtomRepulsion>> work(jobs.size());
        in_parallel(jobs.size(), threads_, [&](std::size_t j) {
            work[j] = std::make_unique<AtomRepulsion>(quadratures_.atoms[jobs[j].atom], quadratures_.kernels, jobs[j]);
        });
        std::vector<std::pair<std::size_t, std::size_t>> blocks, targets;  // (job, which)
        for (std::size_t j = 0; j < jobs.size(); ++j) {
            jobs[j].repulsion.resize(jobs[j].targets.size());
            for (std::size_t b = 0; b < work[j]->blocks(); ++b) blocks.emplace_back(j, b);
            for (std::size_t t = 0; t < jobs[j].targets.size(); ++t) targets.emplace_back(j, t);
        }
        in_parallel(blocks.size(), threads_,
                    [&](std::size_t b) { work[blocks[b].first]->transform(blocks[b].second); });
        in_parallel(targets.size(), threads_,
                    [&](std::size_t t) { work[targets[t].first]->finish(targets[t].second); });
    }

  private:
    const Quadratures& quadratures_;
    int threads_;
};

}  // namespace

std::unique_ptr<Engine> make_cpu_engine(const Context& context, const Quadratures& quadratures) {
    return std::make_unique<CpuEngine>(quadratures, context.threads());
}

}  // namespace legato::dfr
