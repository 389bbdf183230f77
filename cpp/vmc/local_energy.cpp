#include "vmc/local_energy.hpp"

#include "vmc/derivatives.hpp"

namespace legato::vmc {
namespace {

// Kinetic energy: - sum of t_shell times the ratios of all hops to empty sites, of up electrons and of down electrons.
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
            for (const SignedSite& from : model.geometry.neighbours(shell, site)) {
                const std::int32_t electron = c.electron_at[static_cast<std::size_t>(from.site)];
                const double t = -hopping[shell - 1] * from.sign;
                if (electron > 0) sum.up += t * determinant.up_ratio(static_cast<std::size_t>(electron) - 1, site);
                if (electron < 0) sum.down += t * determinant.down_ratio(static_cast<std::size_t>(-electron) - 1, site);
            }
        }
    }
    return sum;
}

// Nearest-neighbour bonds with an electron at each end: the numbers of bonds with parallel and with antiparallel spins,
// and the sum of the exchange ratios of the latter.
struct Bonds {
    std::int64_t parallel = 0, antiparallel = 0;
    double ratios = 0;
};

// Adds the bonds of up electron k at site r to the down electrons beside it. With u_i = phi(r_i - r) the ratio is
//     R = P(l, k) (I(l, .) . u) + I(l, k) (phi(s - r) - P(l, .) . u).
void add_antiparallel(const Model& model, const Determinant& determinant, std::size_t k, AlignedVector& u, Bonds& sum) {
    const std::size_t row = determinant.row();
    const Configuration& c = determinant.configuration();
    const CpuKernels& kernels = cpu_kernels();
    const auto r = static_cast<std::size_t>(c.up[k]);
    bool gathered = false;
    for (const SignedSite& neighbour : model.geometry.neighbours(1, r)) {
        const auto s = static_cast<std::size_t>(neighbour.site);
        if (c.electron_at[s] >= 0) continue;
        if (!gathered) kernels.gather(determinant.order(), model.pair.column(r), c.up.data(), u.data());
        gathered = true;
        const std::size_t l = static_cast<std::size_t>(-c.electron_at[s]) - 1;
        const double* const p = determinant.product_row(l);
        const double q = kernels.dot(row, determinant.inverse_row(l), u.data()), x = kernels.dot(row, p, u.data());
        ++sum.antiparallel;
        sum.ratios += p[k] * q + determinant.inverse(l, k) * (model.pair(s, r) - x);
    }
}

// Returns the number of neighbours with the same spin. The sum over all electrons counts every bond from both ends.
std::int64_t parallel_neighbours(const Model& model, const Configuration& c, std::int32_t site) {
    const std::int32_t electron = c.electron_at[static_cast<std::size_t>(site)];
    std::int64_t count = 0;
    for (const SignedSite& neighbour : model.geometry.neighbours(1, static_cast<std::size_t>(site))) {
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
