// Derivatives of ln Psi and of the local energy by the pair function's parameters. The numbers are those of
// cpp/vmc/derivatives.cpp, where one adjoint gives the derivatives by all parameters. Here each parameter is computed
// by itself.
#pragma once

#include "vmc/chain.cuh"

namespace legato::vmc {

// The derivatives of the inverse and of the products by a parameter: I' = - I M' I, P' = phi' I + phi I'. They are in
// device memory, and so is M' I.
template <class S>
class Changes {
  public:
    static int elements(const Dimensions& d) { return d.order() * (2 * d.order() + d.pairs); }

    __device__ explicit Changes(int parameter)
        : all_(C::m().d.sites + C::m().d.modes),
          phi_(C::m().derivatives + static_cast<std::size_t>(parameter) * all_ * all_) {}

    // Returns phi'(r_a - r_b) of two sites. It is even, as the pair function is.
    __device__ double phi(int a, int b) const { return phi_[static_cast<std::size_t>(a) * all_ + b]; }
    __device__ double* inverse(int j) const { return C::block_data().scratch + j * C::m().d.order(); }
    __device__ double* product(int l) const { return inverse(C::m().d.order() + l); }

    // Computes the derivatives. Returns this thread's part of Tr (I M') = d ln Psi / d parameter. At the end all
    // threads of the block are synchronised, and the derivatives can be read.
    __device__ double compute() const {
        const int order = C::m().d.order(), pairs = C::m().d.pairs;
        double* const between = inverse(order + pairs);
        double trace = 0;
        multiply(
            order, [&](int i, int j) { return phi(C::block_data().up_site[i], C::block_data().down_site[j]); },
            [](int j) { return C::inverse(j); }, between, 1.0);
        __syncthreads();
        for (int i = C::thread(); i < order; i += S::threads) trace += between[i * order + i];
        multiply(
            order, [](int j, int i) { return C::inverse(j)[i]; }, [&](int i) { return between + i * order; },
            inverse(0), -1.0);
        __syncthreads();
        multiply(
            pairs, [&](int l, int j) { return phi(C::block_data().down_site[l], C::block_data().down_site[j]); },
            [](int j) { return C::inverse(j); }, product(0), 1.0);
        multiply<true>(
            pairs, [](int l, int j) { return C::to(C::down_code(l), j); }, [&](int j) { return inverse(j); },
            product(0), 1.0);
        __syncthreads();
        return trace;
    }

  private:
    using C = Chain<S>;

    // Computes c(a, k) = [add: c(a, k) +] factor sum_j left(a, j) right(j)[k]. A group computes four rows at once.
    template <bool add = false, class Left, class Right>
    __device__ static void multiply(int rows, const Left& left, const Right& right, double* c, double factor) {
        constexpr int at_once = 4;
        const int order = C::m().d.order();
#pragma unroll 1
        for (int begin = C::group() * at_once; begin < rows; begin += S::groups * at_once)
#pragma unroll 1
            for (int k = C::lane(); k < order; k += S::lanes) {
                double sums[at_once] = {};
#pragma unroll 1
                for (int j = 0; j < order; ++j) {
                    const double element = right(j)[k];
#pragma unroll
                    for (int r = 0; r < at_once; ++r) sums[r] += left(min(begin + r, rows - 1), j) * element;
                }
#pragma unroll
                for (int r = 0; r < at_once; ++r)
                    if (begin + r < rows) {
                        double& to = c[(begin + r) * order + k];
                        to = (add ? to : 0.0) + factor * sums[r];
                    }
            }
    }

    int all_;
    const double* phi_;
};

// Returns this thread's part of d / d parameter of the sum in add_hops().
template <class S>
__device__ double kinetic_slope(const Changes<S>& to) {
    using C = Chain<S>;
    const DeviceModel& m = C::m();
    const int order = m.d.order(), holes = m.d.holes();
    double sum = 0;
#pragma unroll 1
    for (int task = C::group(); task < holes * neighbours_of_shell * m.hopping_shells; task += S::groups) {
        const int which = task % neighbours_of_shell, hole = task / neighbours_of_shell % holes,
                  shell = task / (neighbours_of_shell * holes), site = C::hole_site()[hole],
                  from = (shell * m.d.sites + site) * neighbours_of_shell + which, code = m.codes[site];
        const std::int32_t electron = C::electron_at()[m.neighbours[from]];
        if (electron >= first_hole) continue;
        const int k = abs(electron) - 1;
        double ratio = 0;
        for (int i = C::lane(); i < order; i += S::lanes)
            ratio +=
                electron > 0
                    ? to.phi(site, C::block_data().down_site[i]) * C::inverse(i)[k] + C::to(code, i) * to.inverse(i)[k]
                    : to.phi(site, C::block_data().up_site[i]) * C::inverse(k)[i] + C::from(code, i) * to.inverse(k)[i];
        sum += m.hopping[from] * ratio;
    }
    return sum;
}

// Returns this thread's part of d / d parameter of the exchange ratios in add_bonds(), p q + g (phi - x) of each
// antiparallel bond.
template <class S>
__device__ double exchange_slope(const Changes<S>& to) {
    using C = Chain<S>;
    const int pairs = C::m().d.pairs, order = C::m().d.order();
    double sum = 0;
#pragma unroll 1
    for (int task = C::group(); task < pairs * neighbours_of_shell; task += S::groups) {
        const int k = task / neighbours_of_shell, r_site = C::block_data().up_site[k], r = C::up_code(k),
                  s_site = C::neighbour(r_site, task % neighbours_of_shell);
        const std::int32_t electron = C::electron_at()[s_site];
        if (electron >= 0) continue;
        const int l = -electron - 1;
        const double *const product = C::product(l), *const inverse = C::inverse(l), *const dp = to.product(l),
                            *const dg = to.inverse(l);
        for (int i = C::lane(); i < order; i += S::lanes) {
            const double u = C::from(r, i), du = to.phi(r_site, C::block_data().up_site[i]);
            sum += dp[k] * inverse[i] * u + product[k] * (dg[i] * u + inverse[i] * du) - dg[k] * product[i] * u -
                   inverse[k] * (dp[i] * u + product[i] * du);
        }
        if (C::lane() == 0) sum += dg[k] * C::phi(C::down_code(l), r) + inverse[k] * to.phi(s_site, r_site);
    }
    return sum;
}

template <class S>
__device__ __noinline__ void add_derivatives(double energy) {
    using C = Chain<S>;
    double o[variational_parameters] = {}, slopes[variational_parameters] = {};
#pragma unroll 1
    for (int a = 0; a < static_cast<int>(variational_parameters); ++a) {
        if (!C::m().gradients_by[a]) continue;
        const Changes<S> to(a);
        double totals[3] = {to.compute(), 0, 0};
        totals[1] = kinetic_slope(to);
        totals[2] = exchange_slope(to);
        C::reduce(totals, Sum());
        __syncthreads();
        o[a] = totals[0];
        slopes[a] = (totals[1] - C::m().j / 2 * totals[2]) / C::m().d.sites;
    }
    if (C::thread() != 0) return;
    double* const sums = C::block_data().sums;
    for (std::size_t a = 0; a < variational_parameters; ++a) {
        sums[index_of_derivative(a)] += o[a];
        sums[index_of_energy_derivative(a)] += o[a] * energy;
        sums[index_of_energy_slope(a)] += slopes[a];
        for (std::size_t b = 0; b <= a; ++b) sums[index_of_derivatives(a, b)] += o[a] * o[b];
    }
}

}  // namespace legato::vmc
