// The sites of a Hamiltonian, or of a slab, on the CPU, and one step of all of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

#include "core/parallel.hpp"
#include "kpm/cpu_kernels.hpp"
#include "kpm/engine.hpp"
#include "kpm/matrix_part.hpp"

namespace legato::kpm {

// The arguments of a step that are the same for all kinds of Hamiltonian.
template <class Real>
struct Sweep {
    std::size_t width;
    const Real* x;
    const Real* y;
    Real* y_new;  // y, or null if only the products are computed
    Step step;
    double* sums;  // [chunks][2][width]
};

// Memory for the results of a sweep that are not read. It is allocated before the threads start, because a thread could
// not report that memory is lacking.
template <class Real>
class Discarded {
  public:
    Discarded(const Sweep<Real>& sweep, std::size_t sites, int threads) : size_(sweep.y_new ? 0 : sites * sweep.width) {
        if (size_ > 0) values_.reset(new Real[size_ * static_cast<std::size_t>(threads)]);
    }

    Real* of(const Team& team) const { return values_.get() + size_ * team.rank; }

  private:
    std::size_t size_;
    std::unique_ptr<Real[]> values_;
};

template <class Real>
const KernelsOf<Real>& kernels() {
    if constexpr (std::is_same_v<Real, float>)
        return cpu_kernels().single;
    else
        return cpu_kernels().full;
}

// Returns the number of threads for an engine. Threads that would have less work than their synchronisation costs are
// not used.
inline int threads_for(const Context& context, std::int64_t sites, int block_width) {
    constexpr std::int64_t least_sites = 4096;
    return static_cast<int>(std::clamp<std::int64_t>(sites * block_width / least_sites, 1, context.threads()));
}

// The numbers of the sites in a slab. x also has the sites of halos, which belong to other slabs. A slab of all sites
// has none, and rows of a matrix have all of them at the end.
struct SiteNumbers {
    std::size_t count = 0;
    std::size_t below = 0, above = 0;  // sites of the halos before the first site and after the last one
    std::size_t first = 0;             // number of the first site in the Hamiltonian
};

// The sites of a Hamiltonian or of a slab in chunks, and one step of all chunks. Sites count from 0 in the slab.
template <class Real>
class Sites {
  public:
    virtual ~Sites() = default;
    virtual SiteNumbers numbers() const = 0;
    // Returns the first chunk of each segment, and the number of chunks.
    virtual const std::vector<std::size_t>& segments() const = 0;
    virtual std::size_t widest_panel() const = 0;    // in lanes
    virtual std::size_t lanes() const { return 1; }  // of a vector
    virtual void begin(const Block& block) = 0;
    virtual void sweep(const Sweep<Real>& sweep) const = 0;
    // Calls work(first, last) for ranges of sites, each by the thread that sweeps over them.
    virtual void over_sites(std::size_t width, const std::function<void(std::size_t, std::size_t)>& work) const = 0;
    // Returns the set of the vacancies (vacancies.hpp), or null if there are none.
    virtual const std::uint32_t* vacancies() const { return nullptr; }
    // Returns what rows of a matrix pass to other slabs; null if these are all rows, or for a lattice.
    virtual const MatrixPart* part() const { return nullptr; }
};

}  // namespace legato::kpm
