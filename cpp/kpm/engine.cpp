#include "kpm/engine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <span>

#include "core/device.hpp"
#include "core/ranks.hpp"
#include "kpm/cell_rows.hpp"
#include "kpm/lanes.hpp"
#include "kpm/row_patterns.hpp"
#include "kpm/slab_engine.hpp"
#include "kpm/slabs.hpp"
#include "kpm/vacancies.hpp"

namespace legato::kpm {
namespace {

// Returns the largest width that is chosen automatically. A wider block has little left to save. On the CPU the lanes
// of 8 complex vectors are as many as those of 16 real ones.
std::int64_t widest_chosen(Backend backend, const Hamiltonian& hamiltonian) {
    return backend == Backend::cuda ? 32 : 16 / lanes_of(hamiltonian);
}

// Limit of computed sizes, a quarter of 2^63 bytes. Larger sizes, also beyond 2^63 bytes, count as this limit.
constexpr std::int64_t most_bytes = std::numeric_limits<std::int64_t>::max() / 4;

std::int64_t saturated(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? most_bytes : std::min(result, most_bytes);
}

std::int64_t matrix_bytes(const Hamiltonian& hamiltonian, Format format) {
    const auto element = static_cast<std::int64_t>(sizeof(double)) * lanes_of(hamiltonian) +
                         static_cast<std::int64_t>(sizeof(std::int32_t));
    const std::int64_t sites = sites_of(hamiltonian);
    if (format == Format::ell) return saturated(saturated(longest_row(hamiltonian), sites), element);
    return saturated(elements_of(hamiltonian), element) + 8 * (sites + 1);
}

MemoryNeeds sums_of(Backend backend, const Hamiltonian& hamiltonian, Format format) {
    if constexpr (with_cuda)
        if (backend == Backend::cuda) return cuda_sums(hamiltonian, format);
    return cpu_sums(hamiltonian, format);
}

// Returns the memory for the energies that disorder adds to the diagonal of a matrix. If the caller gives them, they
// are also in the memory of the host.
std::int64_t energy_bytes(Backend backend, const Hamiltonian& hamiltonian) {
    const bool twice = backend != Backend::cuda && disorder_of(hamiltonian).on_site == OnSite::energies;
    return (twice ? 16 : 8) * sites_of(hamiltonian);
}

bool holds_vector(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian, Format format,
                  std::int64_t limit) {
    return memory_needs(backend, problem, hamiltonian, format).bytes(1) <= limit;
}

// Returns the least width of a block: the requested one, or 1.
std::int64_t least_width(const Problem& problem) {
    return std::clamp<std::int64_t>(problem.block_width, 1, vectors_of(problem));
}

// Returns whether there can be slabs. A lattice in another format than the stencil is not divided.
bool can_divide(const Hamiltonian& hamiltonian, Format format) {
    return !is_lattice(hamiltonian) || format == Format::stencil;
}

// Returns the least number of parts that can share a vector, or 0 if no number of them can.
std::size_t parts_that_fit(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian, Format format,
                           std::int64_t limit) {
    if (!can_divide(hamiltonian, format)) return 0;
    const std::size_t most = Slabs(backend, hamiltonian, 1).segments();
    for (std::size_t parts = 2; parts <= most; ++parts)
        if (memory_needs(backend, problem, hamiltonian, format, parts).bytes(1) <= limit) return parts;
    return 0;
}

// Returns whether this many vectors would fit in single precision, if they are not in it.
bool fits_in_single(Backend backend, Problem problem, const Hamiltonian& hamiltonian, Format format, std::size_t parts,
                    std::int64_t width, std::int64_t limit) {
    if (problem.precision == Precision::single) return false;
    problem.precision = Precision::single;
    return memory_needs(backend, problem, hamiltonian, format, parts).bytes(width) <= limit;
}

// Returns what would fit if one vector in this format does not.
std::string what_would_fit(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian, Format format,
                           std::size_t parts, std::int64_t limit) {
    // Halos can need more memory than a slab saves.
    if (parts > 1 && holds_vector(backend, problem, hamiltonian, format, limit))
        return "kpm.params.division 1 (vectors) would fit";
    if (is_lattice(hamiltonian)) {
        if (holds_vector(backend, problem, hamiltonian, Format::stencil, limit))
            return "kpm.params.format 3 (stencil) would fit";
    } else if (holds_vector(backend, problem, hamiltonian, Format::crs, limit)) {
        return "kpm.params.format 1 (CRS) would fit";
    }
    const double needed = static_cast<double>(memory_needs(backend, problem, hamiltonian, format, parts).bytes(1));
    const double sites = static_cast<double>(sites_of(hamiltonian)) * (static_cast<double>(limit) / needed);
    const char* const single = fits_in_single(backend, problem, hamiltonian, format, parts, 1, limit)
                                   ? "kpm.params.precision 1 (single) or "
                                   : "";
    std::string fewer = text(single, "about ", static_cast<std::int64_t>(sites), " such sites would fit");
    const std::size_t fit = parts_that_fit(backend, problem, hamiltonian, format, limit);
    if (fit == 0) return fewer;
    return text(fewer, ", or kpm.params.division 2 (lattice) with ", fit,
                backend == Backend::cuda ? " devices" : " ranks");
}

}  // namespace

MemoryNeeds host_needs(const Problem& problem) {
    return {0, problem.sums > 0 ? 0 : 8 * static_cast<std::int64_t>(problem.moments)};
}

MemoryLimit memory_limit(const Context& context, Backend backend, const Problem& problem) {
    return memory_limit(context, backend, problem.memory_budget, host_needs(problem).bytes(samples_of(problem)));
}

MemoryLimit memory_limit(const Context& context, Backend backend, std::int64_t budget, std::int64_t samples) {
    MemoryLimit limit = free_memory(context, backend);
    if (backend != Backend::cuda) {
        const auto parts = static_cast<std::int64_t>(context.parts_on(backend).size());
        const std::int64_t ranks = ranks_here(context), left = std::max<std::int64_t>(limit.bytes - samples, 0) / parts;
        const std::string each = ranks > 1 ? text(" for each of the ", ranks, " ranks of this machine") : "";
        limit = {left, text("only ", left, " bytes of memory are free", each, ", besides the ", samples,
                            " for the moments of all samples")};
    }
    if (budget > 0 && budget <= limit.bytes) return {budget, text("kpm.params.memory_budget is ", budget)};
    return limit;
}

MemoryNeeds memory_needs(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian, Format format,
                         std::size_t parts) {
    const std::int64_t sites = sites_of(hamiltonian);
    // Host memory for a complex vector under way, and for the sums of one vector that are read.
    const std::int64_t collected =
        problem.sums > 0 && backend != Backend::cuda ? 8 * (2 + lanes_of(hamiltonian) * problem.sums) * sites : 0;
    if (parts > 1) {
        MemoryNeeds needs = slab_needs(backend, problem, hamiltonian, format, parts);
        needs.fixed += collected;
        return needs;
    }
    MemoryNeeds needs = sums_of(backend, hamiltonian, format);
    const std::int64_t numbers = lanes_of(hamiltonian) * sites;
    needs.fixed += collected;
    needs.each += (2 + problem.sums) * element_bytes(problem.precision) * numbers;
    if (problem.start_vectors == StartVectors::caller &&
        (backend == Backend::cuda || problem.precision == Precision::single))
        needs.fixed += 8 * numbers;  // one vector of the caller, which is double
    if (format == Format::stencil) {
        if (has_site_energies(hamiltonian)) needs.fixed += 8 * sites;
        if (const auto* cells = std::get_if<CellLattice>(&hamiltonian))
            needs.fixed += bytes_of_cells(*cells, backend == Backend::cuda);
    } else if (is_lattice(hamiltonian) || format == Format::ell || backend == Backend::cuda) {
        needs.fixed += matrix_bytes(hamiltonian, format);
        // A lattice's matrix is made in compressed rows first, in the host's memory.
        if (is_lattice(hamiltonian) && format == Format::ell && backend != Backend::cuda)
            needs.fixed += matrix_bytes(hamiltonian, Format::crs);
    }
    if (format == Format::crs && backend != Backend::cuda) needs.fixed += RowPatterns::bytes_of_row * sites;
    if (disorder_of(hamiltonian).is_any()) needs.fixed += energy_bytes(backend, hamiltonian);
    needs.fixed += 2 * bytes_of_vacancies(hamiltonian);  // a set, and another one while a matrix or the set is made
    return needs;
}

std::int64_t least_bytes(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian, std::size_t parts) {
    const auto bytes = [&](Format format) {
        const auto bytes_on = [&](std::size_t sharing) {
            return memory_needs(backend, problem, hamiltonian, format, sharing).bytes(least_width(problem));
        };
        if (problem.division == Division::vectors || !can_divide(hamiltonian, format)) return bytes_on(1);
        return problem.division == Division::lattice ? bytes_on(parts) : std::min(bytes_on(1), bytes_on(parts));
    };
    if (problem.format != Format::auto_) return bytes(problem.format);
    if (is_lattice(hamiltonian)) return bytes(Format::stencil);
    return backend == Backend::cuda ? std::min(bytes(Format::crs), bytes(Format::ell)) : bytes(Format::crs);
}

FormatChoice choose_format(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian,
                           std::int64_t limit) {
    if (problem.format != Format::auto_) return {problem.format, "the caller asks for it"};
    if (is_lattice(hamiltonian)) return {Format::stencil, "a lattice needs no matrix"};
    const std::int64_t crs = matrix_bytes(hamiltonian, Format::crs), ell = matrix_bytes(hamiltonian, Format::ell);
    if (backend != Backend::cuda)
        return {Format::crs, text("the CPU reads the elements of a row one after the other; ", crs, " bytes")};
    if (ell > crs && memory_needs(backend, problem, hamiltonian, Format::ell).bytes(least_width(problem)) > limit)
        return {Format::crs, text("padded rows of ", ell, " bytes and the vectors need more than the ", limit,
                                  " bytes that may be taken; compressed rows need ", crs)};
    if (seems_patterned(*matrix_in(hamiltonian)))
        return {Format::crs, text("many rows are alike; ", crs, " bytes at most")};
    if (ell <= crs + crs / 10)
        return {Format::ell, text("rows have nearly the same length: ", ell, " bytes padded, ", crs, " compressed")};
    return {Format::crs, text("rows have different lengths: ", ell, " bytes padded, ", crs, " compressed")};
}

std::size_t choose_sharing(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian, Format format,
                           std::size_t parts, std::int64_t limit) {
    if (parts == 1 || problem.division == Division::vectors) return 1;
    const bool is_needed = problem.division == Division::lattice ||
                           memory_needs(backend, problem, hamiltonian, format).bytes(least_width(problem)) > limit;
    return is_needed && can_divide(hamiltonian, format) ? parts : 1;
}

int choose_block_width(const Context& context, Backend backend, const Problem& problem, const Hamiltonian& hamiltonian,
                       Format format, std::size_t parts) {
    const MemoryNeeds needs = memory_needs(backend, problem, hamiltonian, format, parts);
    const MemoryLimit limit = memory_limit(context, backend, problem);
    const std::int64_t vectors = vectors_of(problem),
                       fit = std::min<std::int64_t>((limit.bytes - needs.fixed) / needs.each, max_block_width);
    const std::string sites = text(" for ", sites_of(hamiltonian), " sites needs");
    if (limit.bytes < needs.bytes(1))
        require_memory("kpm.params.block_width: 1, the smallest," + sites, needs.bytes(1),
                       {limit.bytes,
                        limit.text + "; " + what_would_fit(backend, problem, hamiltonian, format, parts, limit.bytes)});
    if (problem.block_width == 0)
        return static_cast<int>(std::min({vectors, widest_chosen(backend, hamiltonian),
                                          static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(fit)))}));
    const std::int64_t width = std::min<std::int64_t>(problem.block_width, vectors);
    const char* const single = fits_in_single(backend, problem, hamiltonian, format, parts, width, limit.bytes)
                                   ? ", or all with kpm.params.precision 1 (single)"
                                   : "";
    require_memory(text("kpm.params.block_width: ", width, sites), needs.bytes(width),
                   {limit.bytes, text(limit.text, "; ", fit, " would fit", single)});
    return static_cast<int>(width);
}

std::unique_ptr<Engine> make_engine(const Context& context, Backend backend, const Problem& problem,
                                    const Hamiltonian& hamiltonian, Format format, int block_width) {
    const int width = lanes_of(hamiltonian) * block_width;
    if constexpr (with_cuda)
        if (backend == Backend::cuda) {
            const std::int64_t spare = memory_limit(context, backend, problem).bytes -
                                       memory_needs(backend, problem, hamiltonian, format).bytes(block_width);
            return with_added_lanes(make_cuda_engine(context, problem, hamiltonian, format, width, spare), hamiltonian);
        }
    return with_added_lanes(make_cpu_engine(context, problem, hamiltonian, format, width), hamiltonian);
}

}  // namespace legato::kpm
