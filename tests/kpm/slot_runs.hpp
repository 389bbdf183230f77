// Slots with random vectors, for tests on both backends.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/cpu_level.hpp"
#include "kpm/product_kernels.hpp"
#include "kpm/slots.hpp"
#include "runs.hpp"

namespace legato::kpm::tests {

// What slots refer to.
struct OwnedBySlots {
    Context context;
    Problem problem;
    std::shared_ptr<const Hamiltonian> hamiltonian;
};

// Returns slots with normally distributed vectors for a diagonal matrix.
inline std::pair<std::unique_ptr<Slots>, std::unique_ptr<OwnedBySlots>> random_slots(Backend backend, int threads,
                                                                                     std::int64_t sites,
                                                                                     bool is_complex,
                                                                                     std::size_t count) {
    CrsMatrix diagonal;
    diagonal.is_complex = is_complex;
    for (std::int64_t i = 0; i <= sites; ++i) diagonal.row_pointers.push_back(i);
    for (std::int64_t i = 0; i < sites; ++i) {
        diagonal.columns.push_back(static_cast<std::int32_t>(i));
        diagonal.values.push_back(1);
        if (is_complex) diagonal.values.push_back(0);
    }
    std::unique_ptr<OwnedBySlots> owned(
        new OwnedBySlots{make_context(threads, backend), {}, prepared(std::move(diagonal))});
    const Hamiltonian* const one = owned->hamiltonian.get();
    const Format format = Format::crs;
    auto slots = make_slots(owned->context, backend, owned->problem, {&one, 1}, {&format, 1}, count);
    slots->begin(0, nullptr);
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    std::vector<double> vector(static_cast<std::size_t>(sites) * (is_complex ? 2 : 1));
    for (std::size_t slot = 0; slot < count; ++slot) {
        for (double& element : vector) element = normal(random);
        slots->set(slot, vector);
    }
    return {std::move(slots), std::move(owned)};
}

inline CrsMatrix copy_as_complex(const CrsMatrix& matrix) {
    CrsMatrix result = matrix;
    if (matrix.is_complex) return result;
    result.is_complex = true;
    result.values.clear();
    for (const double value : matrix.values) {
        result.values.push_back(value);
        result.values.push_back(0);
    }
    return result;
}

// Returns the kernels that this processor can run.
inline std::vector<const ProductKernels*> kernels_here() {
    std::vector<const ProductKernels*> all{&ProductKernels::baseline};
#ifdef LEGATO_X86_64_LEVELS
    if (cpu_level() >= CpuLevel::v3) all.push_back(&ProductKernels::v3);
    if (cpu_level() >= CpuLevel::v4) all.push_back(&ProductKernels::v4);
#endif
    return all;
}

}  // namespace legato::kpm::tests
