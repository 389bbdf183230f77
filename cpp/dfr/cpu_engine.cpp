// The CPU engine. Threads take atoms, and blocks of rows of their exchange, as they become free.
#include <algorithm>
#include <array>
#include <utility>

#include "core/aligned.hpp"
#include "core/parallel.hpp"
#include "dfr/cpu_kernels.hpp"
#include "dfr/engine.hpp"

namespace legato::dfr {
namespace {

static_assert(grid_multiple % row_block == 0);

// A density on the grid. Its rows are multiplied by r^(-1/2).
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

// Returns the potential of the target's charge at the points, times r^(-1/2).
std::vector<double> potential(const Quadrature& quadrature, const Kernels& kernels, const Target& target,
                              const std::vector<GridDensity>& densities) {
    const std::size_t points = quadrature.grid.points;
    std::vector<double> charge(points), v(points);
    for (std::size_t d = 0; d < densities.size(); ++d)
        for (std::size_t i = 0; i < points; ++i) charge[i] += target.factors[d] * densities[d].charge[i];
    for (std::size_t i = 0; i < points; ++i) {
        const double* const kernel = kernels.coulomb.data() + kernels.reach - 1 - i;  // the kernel is symmetric
        cpu_kernels().contract(points, 1, kernel, 1, charge.data(), &v[i]);
        v[i] *= quadrature.inverse_root_radius[i];
    }
    return v;
}

const Matrix& bra(const GridDensity& d, std::size_t pair) {
    return pair == small_small ? d.small : d.large;
}
const Matrix& ket(const GridDensity& d, std::size_t pair) {
    return pair == large_large ? d.large : d.small;
}

// The components of the shell in the exchange by Gaunt and Breit.
const Matrix& opposite_bra(const GridDensity& d, std::size_t pair) {
    return pair == small_small ? d.large : d.small;
}
const Matrix& opposite_ket(const GridDensity& d, std::size_t pair) {
    return pair == large_large ? d.small : d.large;
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

    std::size_t blocks() const { return points_ / row_block; }

    // Computes the rows [index row_block, ...) of Z Phi for every target: Z_ij = sum of factor M(i-j) D_ij. If both
    // components are the same, Z is symmetric; then only its lower triangle, with half the diagonal, is used. All
    // targets share D_ij. Gaunt and Breit add such terms with the opposite components of the density.
    void transform(std::size_t index) {
        const std::size_t row = index * row_block;
        alignas(64) std::array<double, chunk> z;
        AlignedVector products((kernels_.has_magnetic() ? 2 : 1) * densities_.size() * chunk);
        for (std::size_t pair = 0; pair < pairs_; ++pair) {
            std::vector<std::vector<ExchangeTerm>> terms;
            for (const Target& target : job_.targets) terms.push_back(exchange_terms(target, pair, products.data()));
            const std::size_t end = pair == large_small ? points_ : row + row_block;
            for (std::size_t column = 0; column < end; column += column_chunk) {
                const std::size_t columns = std::min(column_chunk, end - column);
                double* product = products.data();
                for (const GridDensity& d : densities_) {
                    multiply(row, column, columns, bra(d, pair), ket(d, pair), product);
                    product += chunk;
                    if (!kernels_.has_magnetic()) continue;
                    multiply(row, column, columns, opposite_bra(d, pair), opposite_ket(d, pair), product);
                    product += chunk;
                }
                for (std::size_t t = 0; t < job_.targets.size(); ++t) {
                    const Matrix& phi = functions(job_.targets[t].species, pair);
                    cpu_.form(row, column, columns, terms[t].size(), terms[t].data(), z.data());
                    if (pair != large_small && column + columns == end)
                        take_lower_triangle(z.data() + (columns - row_block) * row_block);
                    cpu_.accumulate(points_, row, column, columns, phi.columns, z.data(), phi.values.data(),
                                    half_[t][pair].values.data());
                }
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
            Matrix difference = std::move(half_[t][pair]);
            for (std::size_t q = 0; q < n; ++q)
                for (std::size_t i = 0; i < points_; ++i) {
                    const double coulomb = pair == large_small ? 0.0 : 0.5 * v[i] * right(i, q);
                    difference(i, q) = coulomb - difference(i, q);
                }
            Matrix part(n, n);
            cpu_.contract(points_, n, left.values.data(), n, difference.values.data(), part.values.data());
            put(part, pair, out);
        }
    }

  private:
    static constexpr std::size_t chunk = column_chunk * row_block;

    // Returns the functions on the right of a pair of components.
    const Matrix& functions(int species, std::size_t pair) const {
        const auto s = static_cast<std::size_t>(species);
        return pair == large_large ? quadrature_.large[s] : quadrature_.small[s];
    }

    void multiply(std::size_t row, std::size_t column, std::size_t columns, const Matrix& left, const Matrix& right,
                  double* product) const {
        cpu_.multiply(points_, row, column, columns, left.columns, left.values.data(), right.values.data(), product);
    }

    // Returns the terms in the order in which transform() stores the products.
    std::vector<ExchangeTerm> exchange_terms(const Target& target, std::size_t pair, const double* products) const {
        std::vector<ExchangeTerm> terms;
        const auto add = [&](double factor, const std::vector<double>& kernel) {
            if (factor != 0.0) terms.push_back({factor, kernel.data() + kernels_.reach - 1, products});
            products += chunk;
        };
        for (std::size_t d = 0; d < densities_.size(); ++d) {
            const int species = job_.densities[d].species;
            add(target.factors[d], kernels_.exchange_of(target.species, species));
            if (kernels_.has_magnetic()) add(target.factors[d], kernels_.magnetic_of(pair, target.species, species));
        }
        return terms;
    }

    static void take_lower_triangle(double* z) {
        for (std::size_t j = 0; j < row_block; ++j)
            for (std::size_t i = 0; i <= j; ++i) z[j * row_block + i] *= i == j ? 0.5 : 0.0;
    }

    static void put(const Matrix& part, std::size_t pair, Matrix& out) {
        const std::size_t n = part.rows, at = pair == small_small ? n : 0;
        for (std::size_t q = 0; q < n; ++q)
            for (std::size_t p = 0; p < n; ++p) {
                if (pair == large_small)
                    out(p, n + q) = out(n + q, p) = part(p, q);
                else
                    out(at + p, at + q) = part(p, q) + part(q, p);
            }
    }

    const Quadrature& quadrature_;
    const Kernels& kernels_;
    RepulsionJob& job_;
    const CpuKernels& cpu_ = cpu_kernels();
    std::size_t points_, pairs_;
    std::vector<GridDensity> densities_;
    std::vector<std::vector<Matrix>> half_;  // [targets][pairs]: [points x functions]
};

class CpuEngine final : public Engine {
  public:
    void load(const Quadratures& quadratures, int threads) override {
        quadratures_ = &quadratures;
        threads_ = threads;
    }

    void compute_repulsion(std::span<RepulsionJob> jobs) override {
        std::vector<std::unique_ptr<AtomRepulsion>> work(jobs.size());
        in_parallel(jobs.size(), threads_, [&](std::size_t j) {
            work[j] =
                std::make_unique<AtomRepulsion>(quadratures_->atoms[jobs[j].atom], quadratures_->kernels, jobs[j]);
        });
        std::vector<std::pair<std::size_t, std::size_t>> blocks, targets;  // (job, number of the block or target)
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

    void solve(std::span<Eigenproblem* const> problems, std::span<const std::size_t>) override {
        legato::solve(problems, threads_);
    }

  private:
    const Quadratures* quadratures_ = nullptr;
    int threads_ = 1;
};

}  // namespace

std::unique_ptr<Engine> make_cpu_engine() {
    return std::make_unique<CpuEngine>();
}

}  // namespace legato::dfr
