#include "kpm/engine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "core/device.hpp"
#include "core/memory.hpp"

namespace legato::kpm {
namespace {

// By AUTO: a wider block has little left to save.
std::int64_t widest_chosen(Backend backend) {
    return backend == Backend::cuda ? 32 : 16;
}

// What a computation would need beyond 2^63 bytes counts as that.
std::int64_t saturated(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? std::numeric_limits<std::int64_t>::max() / 4 : result;
}

std::int64_t matrix_bytes(const Hamiltonian& hamiltonian, Format format) {
    constexpr std::int64_t element = sizeof(double) + sizeof(std::int32_t);
    const std::int64_t sites = sites_of(hamiltonian);
    if (format == Format::ell) return saturated(saturated(longest_row(hamiltonian), sites), element);
    const auto* matrix = std::get_if<CrsMatrix>(&hamiltonian);
    const std::int64_t elements =
        matrix ? static_cast<std::int64_t>(matrix->columns.size()) : saturated(longest_row(hamiltonian), sites);
    return saturated(elements, element) + 8 * (sites + 1);
}

std::int64_t limit_of(const Context& context, Backend backend, const Problem& problem) {
    const std::size_t free =
        backend == Backend::cuda ? device_info(context.options().device).free_memory : available_memory();
    const auto limit = static_cast<std::int64_t>(std::min<std::size_t>(free, std::numeric_limits<std::int64_t>::max()));
    return problem.memory_budget > 0 ? std::min(problem.memory_budget, limit) : limit;
}

}  // namespace

std::int64_t longest_row(const Hamiltonian& hamiltonian) {
    if (const auto* lattice = std::get_if<Lattice>(&hamiltonian)) {
        std::int64_t length = 1;
        for (std::size_t d = 0; d < 3; ++d) length += std::min<std::int64_t>(lattice->extents[d] - 1, 2);
        return length;
    }
    const std::vector<std::int64_t>& pointers = std::get<CrsMatrix>(hamiltonian).row_pointers;
    std::int64_t length = 0;
    for (std::size_t row = 0; row + 1 < pointers.size(); ++row)
        length = std::max(length, pointers[row + 1] - pointers[row]);
    return length;
}

MemoryNeeds memory_needs(Backend backend, const Hamiltonian& hamiltonian, Format format) {
    const std::int64_t sites = sites_of(hamiltonian);
    MemoryNeeds needs;
    needs.per_vector = 2 * 8 * sites;
    if (const auto* lattice = std::get_if<Lattice>(&hamiltonian); lattice && format == Format::stencil) {
        if (is_random(hamiltonian) || lattice->on_site == OnSite::given) needs.fixed = 8 * sites;
    } else if (lattice || format == Format::ell || backend == Backend::cuda) {
        needs.fixed = matrix_bytes(hamiltonian, format);
        // A lattice's matrix is made in compressed rows first.
        if (lattice && format == Format::ell) needs.fixed += matrix_bytes(hamiltonian, Format::crs);
    }
    return needs;
}

FormatChoice choose_format(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian) {
    if (problem.format != Format::automatic) return {problem.format, "as asked for"};
    if (std::holds_alternative<Lattice>(hamiltonian)) return {Format::stencil, "a lattice needs no matrix"};
    const std::int64_t crs = matrix_bytes(hamiltonian, Format::crs), ell = matrix_bytes(hamiltonian, Format::ell);
    if (backend != Backend::cuda)
        return {Format::crs, text("a processor reads a row's elements one after the other; ", crs, " bytes")};
    if (ell <= crs + crs / 10)
        return {Format::ell, text("rows are alike: ", ell, " bytes padded, ", crs, " in compressed rows")};
    return {Format::crs, text("rows differ: ", ell, " bytes if padded, ", crs, " in compressed rows")};
}

int choose_block_width(const Context& context, Backend backend, const Problem& problem, const Hamiltonian& hamiltonian,
                       Format format) {
    const MemoryNeeds needs = memory_needs(backend, hamiltonian, format);
    const std::int64_t limit = limit_of(context, backend, problem), vectors = vectors_of(problem);
    const std::int64_t fit = std::min<std::int64_t>((limit - needs.fixed) / needs.per_vector, max_block_width);
    const std::string there = problem.memory_budget > 0 && limit == problem.memory_budget
                                  ? text("kpm.params.memory_budget is ", limit)
                                  : text("only ", limit, " are free");
    if (limit < needs.bytes(1))
        fail(Status::out_of_memory, "kpm.params.block_width: 1, the least, needs ", needs.bytes(1), " bytes for ",
             sites_of(hamiltonian), " sites, but ", there);
    if (problem.block_width == 0)
        return static_cast<int>(std::min({vectors, widest_chosen(backend),
                                          static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(fit)))}));
    const std::int64_t width = std::min<std::int64_t>(problem.block_width, vectors);
    if (width > fit)
        fail(Status::out_of_memory, "kpm.params.block_width: ", width, " needs ", needs.bytes(width), " bytes for ",
             sites_of(hamiltonian), " sites, but ", there, "; ", fit, " would fit");
    return static_cast<int>(width);
}

std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Problem& problem,
                                    const Hamiltonian& hamiltonian, Format format, int block_width) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return make_cuda_engine(context, problem, hamiltonian, format, block_width);
    return make_cpu_engine(context, problem, hamiltonian, format, block_width);
}

}  // namespace legato::kpm
