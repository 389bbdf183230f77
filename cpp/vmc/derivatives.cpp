#include "vmc/derivatives.hpp"

#include <cstdlib>

namespace legato::vmc {
namespace {

// Returns the sum of table(rows[r], columns[i]) m[r][i] for r < count, i < order.
double sum_over_pairs(std::size_t count, std::size_t order, const std::vector<double>& table, std::size_t pair_order,
                      const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& columns,
                      const double* m) {
    double sum = 0;
    for (std::size_t r = 0; r < count; ++r)
        sum += cpu_kernels().gathered_dot(order, table.data() + static_cast<std::size_t>(rows[r]) * pair_order,
                                          columns.data(), m + r * row_length(order));
    return sum;
}

// Derivatives of the local energy by the quantities it is computed from: the inverse, the products, and the pair
// function where it enters directly, which is even. They cost as much as the derivative by one parameter and give the
// derivatives by all parameters.
struct Adjoint {
    Adjoint(const Model& model, const Determinant& determinant)
        : inverse(determinant.order() * determinant.row()),
          transposed(inverse.size()),
          down_up(inverse.size()),
          products(model.pairs() * determinant.row()),
          down_down(products.size()),
          up_up(products.size()) {
        for (std::size_t site = 0; site < model.geometry.sites(); ++site)
            if (determinant.configuration().is_empty(site)) holes.push_back(static_cast<std::int32_t>(site));
        hole_down.resize(holes.size() * determinant.row());
        hole_up.resize(hole_down.size());
    }

    AlignedVector inverse, transposed;  // derivative by I(j, k): inverse[j][k] + transposed[k][j]
    AlignedVector down_up;              // derivatives by phi(s_j - r_i): [j][i]
    AlignedVector products;             // derivatives by P(l, k): [l][k]
    AlignedVector down_down, up_up;     // derivatives by phi(s_l - s_j) and phi(r_k - r_i)
    std::vector<std::int32_t> holes;
    AlignedVector hole_down, hole_up;  // derivatives by phi(x - s_j) and phi(x - r_i) of holes x
};

// y += a x
void add(std::size_t row, double a, const double* x, double* y) {
#pragma omp simd
    for (std::size_t i = 0; i < row; ++i) y[i] += a * x[i];
}

AlignedVector transposed(std::size_t order, std::size_t row, const double* m) {
    AlignedVector t(order * row);
    for (std::size_t i = 0; i < order; ++i)
        for (std::size_t j = 0; j < order; ++j) t[j * row + i] = m[i * row + j];
    return t;
}

void add_hops(const Model& model, const Determinant& determinant, const AlignedVector& inverse, double factor,
              Adjoint& to) {
    const Couplings& h = model.problem.couplings;
    const double hopping[shells] = {h.t, h.t_prime, h.t_double_prime};
    const std::size_t order = determinant.order(), row = determinant.row();
    const Configuration& c = determinant.configuration();
    AlignedVector v(row), u(row);
    for (std::size_t hole = 0; hole < to.holes.size(); ++hole) {
        const auto site = static_cast<std::size_t>(to.holes[hole]);
        cpu_kernels().gather(order, model.pair.row(site), c.down.data(), v.data());
        cpu_kernels().gather(order, model.pair.column(site), c.up.data(), u.data());
        for (int shell = 1; shell <= shells; ++shell) {
            if (hopping[shell - 1] == 0) continue;
            for (const SignedSite& from : model.geometry.neighbours(shell, site)) {
                const std::int32_t electron = c.electron_at[static_cast<std::size_t>(from.site)];
                if (electron == 0) continue;
                const bool is_up = electron > 0;
                const double t = -factor * hopping[shell - 1] * from.sign;
                const std::size_t k = static_cast<std::size_t>(std::abs(electron)) - 1;
                add(row, t, is_up ? &inverse[k * row] : determinant.inverse_row(k),
                    &(is_up ? to.hole_down : to.hole_up)[hole * row]);
                add(row, t, is_up ? v.data() : u.data(), &(is_up ? to.transposed : to.inverse)[k * row]);
            }
        }
    }
}

// Adds the derivatives of the exchange ratios of add_antiparallel() in local_energy.cpp.
void add_exchanges(const Model& model, const Determinant& determinant, double factor, Adjoint& to) {
    const std::size_t row = determinant.row();
    const Configuration& c = determinant.configuration();
    const CpuKernels& kernels = cpu_kernels();
    AlignedVector u(row);
    for (std::size_t k = 0; k < model.pairs(); ++k) {
        const auto r = static_cast<std::size_t>(c.up[k]);
        kernels.gather(determinant.order(), model.pair.column(r), c.up.data(), u.data());
        for (const SignedSite& neighbour : model.geometry.neighbours(1, r)) {
            const auto s = static_cast<std::size_t>(neighbour.site);
            if (c.electron_at[s] >= 0) continue;
            const std::size_t l = static_cast<std::size_t>(-c.electron_at[s]) - 1;
            const double *const p = determinant.product_row(l), *const g = determinant.inverse_row(l);
            to.products[l * row + k] += factor * kernels.dot(row, g, u.data());
            to.inverse[l * row + k] += factor * (model.pair(s, r) - kernels.dot(row, p, u.data()));
            to.down_up[l * row + k] += factor * g[k];
            add(row, -factor * g[k], u.data(), &to.products[l * row]);
            add(row, factor * p[k], u.data(), &to.inverse[l * row]);
            add(row, factor * p[k], g, &to.up_up[k * row]);
            add(row, -factor * g[k], p, &to.up_up[k * row]);
        }
    }
}

// Converts the derivatives by P = phi I to derivatives by phi and I.
void backpropagate_products(const Model& model, const Determinant& determinant, const AlignedVector& inverse,
                            Adjoint& to) {
    const std::size_t order = determinant.order(), row = determinant.row(), pairs = model.pairs();
    const std::vector<std::int32_t>& down = determinant.configuration().down;
    const CpuKernels& kernels = cpu_kernels();
    AlignedVector phi(order * row), more(order * row);
    kernels.product(pairs, order, row, to.products.data(), inverse.data(), to.down_down.data());
    for (std::size_t j = 0; j < order; ++j)
        kernels.gather(pairs, model.pair.column(static_cast<std::size_t>(down[j])), down.data(), &phi[j * row]);
    kernels.product(order, pairs, row, phi.data(), to.products.data(), more.data());
    add(more.size(), 1, more.data(), to.inverse.data());
}

// Converts the derivatives A by I to derivatives by M. I' = - I M' I, so that these are the transpose of - I A^T I.
void backpropagate_inverse(const Determinant& determinant, Adjoint& to) {
    const std::size_t order = determinant.order(), row = determinant.row();
    const CpuKernels& kernels = cpu_kernels();
    AlignedVector product(order * row), by_matrix(order * row);
    AlignedVector by_inverse = transposed(order, row, to.inverse.data());
    add(by_inverse.size(), 1, to.transposed.data(), by_inverse.data());
    kernels.product(order, order, row, by_inverse.data(), determinant.inverse_row(0), product.data());
    kernels.product(order, order, row, determinant.inverse_row(0), product.data(), by_matrix.data());
    add(by_matrix.size(), -1, by_matrix.data(), to.down_up.data());
}

// Returns the derivatives of the local energy per site.
Adjoint adjoint_of(const Model& model, const Determinant& determinant) {
    const double factor = 1 / static_cast<double>(model.geometry.sites());
    const AlignedVector inverse = transposed(determinant.order(), determinant.row(), determinant.inverse_row(0));
    Adjoint adjoint(model, determinant);
    add_hops(model, determinant, inverse, factor, adjoint);
    add_exchanges(model, determinant, -factor * model.problem.couplings.j / 2, adjoint);
    backpropagate_products(model, determinant, inverse, adjoint);
    backpropagate_inverse(determinant, adjoint);
    return adjoint;
}

double slope(const Model& model, const Determinant& determinant, const Adjoint& by,
             const std::vector<double>& derivative) {
    const Configuration& c = determinant.configuration();
    const auto sum = [&](const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& columns,
                         const AlignedVector& m) {
        return sum_over_pairs(m.size() / determinant.row(), determinant.order(), derivative, model.pair.order(), rows,
                              columns, m.data());
    };
    return sum(c.down, c.up, by.down_up) + sum(c.down, c.down, by.down_down) + sum(c.up, c.up, by.up_up) +
           sum(by.holes, c.down, by.hole_down) + sum(by.holes, c.up, by.hole_up);
}

}  // namespace

void add_derivatives(const Model& model, const Determinant& determinant, LocalValues& values) {
    if (model.derivatives.empty()) return;
    const Adjoint adjoint = adjoint_of(model, determinant);
    const Configuration& c = determinant.configuration();
    for (std::size_t a = 0; a < model.derivatives.size(); ++a) {
        if (!model.problem.gradients_by[a]) continue;
        // d ln Psi = Tr (I dM)
        const double o = sum_over_pairs(determinant.order(), determinant.order(), model.derivatives[a],
                                        model.pair.order(), c.down, c.up, determinant.inverse_row(0));
        values[index_of_derivative(a)] = o;
        values[index_of_energy_derivative(a)] = o * value_of(values, Observable::energy);
        values[index_of_energy_slope(a)] = slope(model, determinant, adjoint, model.derivatives[a]);
        for (std::size_t b = 0; b <= a; ++b) values[index_of_derivatives(a, b)] = o * values[index_of_derivative(b)];
    }
}

}  // namespace legato::vmc
