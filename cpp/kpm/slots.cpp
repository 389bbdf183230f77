#include "kpm/slots.hpp"

#include "core/device.hpp"
#include "kpm/slot_layout.hpp"

namespace legato::kpm {
namespace {

MemoryNeeds product_needs(Backend backend, const SlotLayout& layout) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return cuda_product_needs(layout);
    return cpu_product_needs(layout);
}

MemoryNeeds sums_of(Backend backend, const Hamiltonian& hamiltonian, Format format) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return cuda_sums(hamiltonian, format);
    return cpu_sums(hamiltonian, format);
}

}  // namespace

MemoryNeeds slot_needs(Backend backend, const Problem& problem, std::span<const Hamiltonian* const> operators,
                       std::span<const Format> formats) {
    const SlotLayout layout = layout_of_slots(operators);
    MemoryNeeds needs = product_needs(backend, layout);
    needs.each += static_cast<std::int64_t>(layout.stride * sizeof(double));
    Problem vectors = problem;
    vectors.start_vectors = StartVectors::sign;
    vectors.sums = 0;
    for (std::size_t op = 0; op < operators.size(); ++op)
        needs.fixed += memory_needs(backend, vectors, *operators[op], formats[op]).fixed +
                       static_cast<std::int64_t>(layout.lanes) * sums_of(backend, *operators[op], formats[op]).each;
    return needs;
}

std::unique_ptr<Slots> make_slots(const Context& context, Backend backend, const Problem& problem,
                                  std::span<const Hamiltonian* const> operators, std::span<const Format> formats,
                                  std::size_t slots) {
    for (const Hamiltonian* const one : operators)
        if (sites_of(*one) != sites_of(*operators[0]))
            fail(Status::invalid_argument, "kpm: an operator has ", sites_of(*one), " sites, and the Hamiltonian ",
                 sites_of(*operators[0]));
    if (problem.precision == Precision::single)
        fail(Status::invalid_argument, "kpm.params.precision: 1 (single) is not available here; take 0 (double)");
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return make_cuda_slots(context, problem, operators, formats, slots);
    return make_cpu_slots(context, problem, operators, formats, slots);
}

}  // namespace legato::kpm
