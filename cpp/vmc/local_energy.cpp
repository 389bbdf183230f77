#include "vmc/local_energy.hpp"

#include <cstdlib>
#include <numeric>

namespace legato::vmc {
namespace {

// - sum of t_shell times the ratios of all hops to empty sites, of up electrons and of down ones.
struct Kinetic {
    double up = 0, down = 0;
};

Kinetic kinetic(const Model& model, const Determinant& determinant) {
    const Couplings& h = model.problem.couplings;
    const double hopping[shells] = {h.t, h.t_prime, h.t_double_prime};
    const Configuration& c = determinant.configuration();
    Kinetic sum;
    for (std::size_t site = 0; site < model.geometry.sites(); ++site) {
        if (!c.is_empty(site)) continue;
        for (int shell = 1; shell <= shells; ++shell) {
            if (hopping[shell - 1] == 0) continue;
            for (const Signed& from : model.geometry.neighbours(shell, site)) {
                const std::int32_t electron = c.electron_at[static_cast<std::size_t>(from.site)];
                const double t = -hopping[shell - 1] * from.sign;
                if (electron > 0) sum.up += t * determinant.up_ratio(static_cast<std::size_t>(electron) - 1, site);
                if (electron < 0) sum.down += t * determinant.down_ratio(static_cast<std::size_t>(-electron) - 1, site);
            }
        }
    }
    return sum;
}

// Of nearest-neighbour bonds with an electron at each end: how many have parallel and antiparallel spins, and the sum
// of the antiparallel ones' exchange ratios.
struct Bonds {
    std::int64_t parallel = 0, antiparallel = 0;
    double ratios = 0;
};

// Of up electron k at site r and the down electrons beside it, with u_i = phi(r_i - r):
//     R = P(l, k) (I(l, .) . u) + I(l, k) (phi(s - r) - P(l, .) . u).
void add_antiparallel(const Model& model, const Determinant& determinant, std::size_t k, AlignedVector& u, Bonds& sum) {
    const std::size_t row = determinant.row();
    const Configuration& c = determinant.configuration();
    const CpuKernels& kernels = cpu_kernels();
    const auto r = static_cast<std::size_t>(c.up[k]);
    bool gathered = false;
    for (const Signed& neighbour : model.geometry.neighbours(1, r)) {
        const auto s = static_cast<std::size_t>(neighbour.site);
        if (c.electron_at[s] >= 0) continue;
        if (!gathered) kernels.gather(determinant.order(), model.pair.from(r), c.up.data(), u.data());
        gathered = true;
        const std::size_t l = static_cast<std::size_t>(-c.electron_at[s]) - 1;
        const double* const p = determinant.product_row(l);
        const double q = kernels.dot(row, determinant.inverse_row(l), u.data()), x = kernels.dot(row, p, u.data());
        ++sum.antiparallel;
        sum.ratios += p[k] * q + determinant.inverse(l, k) * (model.pair(s, r) - x);
    }
}

// Electrons of the same spin beside one, from both ends of a bond.
std::int64_t parallel_neighbours(const Model& model, const Configuration& c, std::int32_t site) {
    const std::int32_t electron = c.electron_at[static_cast<std::size_t>(site)];
    std::int64_t count = 0;
    for (const Signed& neighbour : model.geometry.neighbours(1, static_cast<std::size_t>(site))) {
        const std::int32_t other = c.electron_at[static_cast<std::size_t>(neighbour.site)];
        count += other != 0 && (other > 0) == (electron > 0);
    }
    return count;
}

Bonds bonds(const Model& model, const Determinant& determinant) {
    const Configuration& c = determinant.configuration();
    AlignedVector u(determinant.row());
    Bonds sum;
    for (std::size_t i = 0; i < model.pairs(); ++i) {
        add_antiparallel(model, determinant, i, u, sum);
        sum.parallel += parallel_neighbours(model, c, c.up[i]) + parallel_neighbours(model, c, c.down[i]);
    }
    sum.parallel /= 2;
    return sum;
}

// d ln Psi / d parameter = Tr (I dM / d parameter).
double logarithmic_derivative(const Determinant& determinant, const std::vector<double>& derivative,
                              std::size_t pair_order) {
    const Configuration& c = determinant.configuration();
    double sum = 0;
    for (std::size_t j = 0; j < determinant.order(); ++j)
        sum += cpu_kernels().gathered_dot(determinant.order(),
                                          derivative.data() + static_cast<std::size_t>(c.down[j]) * pair_order,
                                          c.up.data(), determinant.inverse_row(j));
    return sum;
}

// Derivatives of the local energy by what it is computed from: the inverse, the products, and the pair function where
// it enters by itself. They cost as much as those by one parameter, and give those by all.
struct Adjoint {
    AlignedVector inverse, products;  // [order][row], [pairs][row]
    std::vector<double> pair;         // [pair order][pair order], of its transpose too: it is even
};

void add_hops(const Model& model, const Determinant& determinant, double factor, Adjoint& to) {
    const Couplings& h = model.problem.couplings;
    const double hopping[shells] = {h.t, h.t_prime, h.t_double_prime};
    const std::size_t order = determinant.order(), row = determinant.row();
    const Configuration& c = determinant.configuration();
    for (std::size_t site = 0; site < model.geometry.sites(); ++site) {
        if (!c.is_empty(site)) continue;
        double* const pair = to.pair.data() + site * model.pair.order();
        for (int shell = 1; shell <= shells; ++shell) {
            if (hopping[shell - 1] == 0) continue;
            for (const Signed& from : model.geometry.neighbours(shell, site)) {
                const std::int32_t electron = c.electron_at[static_cast<std::size_t>(from.site)];
                const double t = -factor * hopping[shell - 1] * from.sign;
                const auto k = static_cast<std::size_t>(std::abs(electron)) - 1;
                for (std::size_t j = 0; electron != 0 && j < order; ++j) {
                    const auto s = static_cast<std::size_t>(electron > 0 ? c.down[j] : c.up[j]);
                    const std::size_t element = electron > 0 ? j * row + k : k * row + j;
                    pair[s] += t * determinant.inverse_row(0)[element];
                    to.inverse[element] += t * (electron > 0 ? model.pair.to(site) : model.pair.from(site))[s];
                }
            }
        }
    }
}

// Of up electron k at site r and down electron l at s, as add_antiparallel adds it.
void add_exchange(const Model& model, const Determinant& determinant, std::size_t k, std::size_t l,
                  const AlignedVector& u, double factor, Adjoint& to) {
    const std::size_t row = determinant.row(), pair_order = model.pair.order();
    const Configuration& c = determinant.configuration();
    const CpuKernels& kernels = cpu_kernels();
    const auto r = static_cast<std::size_t>(c.up[k]), s = static_cast<std::size_t>(c.down[l]);
    const double *const p = determinant.product_row(l), *const g = determinant.inverse_row(l);
    double *const by_p = &to.products[l * row], *const by_g = &to.inverse[l * row],
                  *const pair = &to.pair[r * pair_order];
    by_p[k] += factor * kernels.dot(row, g, u.data());
    by_g[k] += factor * (model.pair(s, r) - kernels.dot(row, p, u.data()));
    to.pair[s * pair_order + r] += factor * g[k];
    for (std::size_t i = 0; i < determinant.order(); ++i) {
        by_p[i] -= factor * g[k] * u[i];
        by_g[i] += factor * p[k] * u[i];
        pair[static_cast<std::size_t>(c.up[i])] += factor * (p[k] * g[i] - g[k] * p[i]);
    }
}

void add_exchanges(const Model& model, const Determinant& determinant, double factor, Adjoint& to) {
    const Configuration& c = determinant.configuration();
    AlignedVector u(determinant.row());
    for (std::size_t k = 0; k < model.pairs(); ++k) {
        const auto r = static_cast<std::size_t>(c.up[k]);
        cpu_kernels().gather(determinant.order(), model.pair.from(r), c.up.data(), u.data());
        for (const Signed& neighbour : model.geometry.neighbours(1, r)) {
            const std::int32_t electron = c.electron_at[static_cast<std::size_t>(neighbour.site)];
            if (electron < 0)
                add_exchange(model, determinant, k, static_cast<std::size_t>(-electron) - 1, u, factor, to);
        }
    }
}

AlignedVector transposed(std::size_t order, std::size_t row, const double* m) {
    AlignedVector t(order * row);
    for (std::size_t i = 0; i < order; ++i)
        for (std::size_t j = 0; j < order; ++j) t[j * row + i] = m[i * row + j];
    return t;
}

// P = phi I of down electrons' sites: what is by P is by phi and I.
void pass_products_on(const Model& model, const Determinant& determinant, Adjoint& to) {
    const std::size_t order = determinant.order(), row = determinant.row(), pairs = model.pairs();
    const std::vector<std::int32_t>& down = determinant.configuration().down;
    const CpuKernels& kernels = cpu_kernels();
    AlignedVector by_phi(pairs * row), phi(order * row), by_inverse(order * row);
    const AlignedVector inverse = transposed(order, row, determinant.inverse_row(0));
    kernels.product(pairs, order, row, to.products.data(), inverse.data(), by_phi.data());
    for (std::size_t l = 0; l < pairs; ++l)
        for (std::size_t j = 0; j < order; ++j)
            to.pair[static_cast<std::size_t>(down[l]) * model.pair.order() + static_cast<std::size_t>(down[j])] +=
                by_phi[l * row + j];
    for (std::size_t j = 0; j < order; ++j)
        kernels.gather(pairs, model.pair.from(static_cast<std::size_t>(down[j])), down.data(), &phi[j * row]);
    kernels.product(order, pairs, row, phi.data(), to.products.data(), by_inverse.data());
    for (std::size_t i = 0; i < by_inverse.size(); ++i) to.inverse[i] += by_inverse[i];
}

// I' = - I M' I: what is by I, A, is by M the transpose of - I A^T I.
void pass_inverse_on(const Model& model, const Determinant& determinant, Adjoint& to) {
    const std::size_t order = determinant.order(), row = determinant.row();
    const Configuration& c = determinant.configuration();
    const CpuKernels& kernels = cpu_kernels();
    AlignedVector product(order * row), by_matrix(order * row);
    const AlignedVector by_inverse = transposed(order, row, to.inverse.data());
    kernels.product(order, order, row, by_inverse.data(), determinant.inverse_row(0), product.data());
    kernels.product(order, order, row, determinant.inverse_row(0), product.data(), by_matrix.data());
    for (std::size_t j = 0; j < order; ++j)
        for (std::size_t i = 0; i < order; ++i)
            to.pair[static_cast<std::size_t>(c.down[j]) * model.pair.order() + static_cast<std::size_t>(c.up[i])] -=
                by_matrix[j * row + i];
}

// Derivatives of the local energy per site by all values of the pair function.
std::vector<double> energy_by_pair_function(const Model& model, const Determinant& determinant) {
    const std::size_t row = determinant.row(), pair_order = model.pair.order();
    const double factor = 1 / static_cast<double>(model.geometry.sites());
    Adjoint adjoint{AlignedVector(determinant.order() * row), AlignedVector(model.pairs() * row),
                    std::vector<double>(pair_order * pair_order)};
    add_hops(model, determinant, factor, adjoint);
    add_exchanges(model, determinant, -factor * model.problem.couplings.j / 2, adjoint);
    pass_products_on(model, determinant, adjoint);
    pass_inverse_on(model, determinant, adjoint);
    return adjoint.pair;
}

void add_derivatives(const Model& model, const Determinant& determinant, LocalValues& values) {
    if (model.derivatives.empty()) return;
    const std::vector<double> slope = energy_by_pair_function(model, determinant);
    for (std::size_t a = 0; a < model.derivatives.size(); ++a) {
        if (!model.problem.gradients_by[a]) continue;
        const double o = logarithmic_derivative(determinant, model.derivatives[a], model.pair.order());
        values[index_of_derivative(a)] = o;
        values[index_of_energy_derivative(a)] = o * value_of(values, Observable::energy);
        values[index_of_energy_slope(a)] =
            std::inner_product(slope.begin(), slope.end(), model.derivatives[a].begin(), 0.0);
        for (std::size_t b = 0; b <= a; ++b) values[index_of_derivatives(a, b)] = o * values[index_of_derivative(b)];
    }
}

}  // namespace

LocalValues local_values(const Model& model, const Determinant& determinant) {
    const auto sites = static_cast<double>(model.geometry.sites());
    const Kinetic hops = kinetic(model, determinant);
    const Bonds b = bonds(model, determinant);
    const auto parallel = static_cast<double>(b.parallel), antiparallel = static_cast<double>(b.antiparallel);
    LocalValues values{};
    value_of(values, Observable::kinetic_up) = hops.up / sites;
    value_of(values, Observable::kinetic_down) = hops.down / sites;
    value_of(values, Observable::exchange) = -model.problem.couplings.j / 2 * (antiparallel + b.ratios) / sites;
    value_of(values, Observable::spin_spin) = ((parallel - antiparallel) / 4 - b.ratios / 2) / (2 * sites);
    value_of(values, Observable::density_density) = (parallel + antiparallel) / (2 * sites);
    const double energy = (hops.up + hops.down) / sites + value_of(values, Observable::exchange);
    value_of(values, Observable::energy) = energy;
    value_of(values, Observable::energy_squared) = energy * energy;
    add_derivatives(model, determinant, values);
    return values;
}

void add_correlations(const Model& model, const Configuration& configuration, std::span<double> sums) {
    const std::size_t sites = model.geometry.sites();
    std::vector<std::int32_t> spins(sites), charges(sites);
    for (std::size_t a = 0; a < sites; ++a) {
        if (configuration.is_empty(a)) continue;
        for (std::size_t b = 0; b < sites; ++b) {
            const auto r = static_cast<std::size_t>(model.displacements[a * sites + b]);
            const std::int32_t there = configuration.electron_at[b];
            charges[r] += there != 0;
            if (there != 0) spins[r] += (there > 0) == (configuration.electron_at[a] > 0) ? 1 : -1;
        }
    }
    for (std::size_t r = 0; r < sites; ++r) {
        sums[r] += spins[r] / (4.0 * static_cast<double>(sites));
        sums[sites + r] += charges[r] / static_cast<double>(sites);
    }
}

}  // namespace legato::vmc
