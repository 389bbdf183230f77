#include "kpm/trial.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "kpm/engine.hpp"
#include "kpm/slab_engine.hpp"
#include "kpm/vacancies.hpp"

namespace legato::kpm {
namespace {

// Returns a text that identifies the shape of a Hamiltonian. For a matrix it contains the sizes, and the distances of
// the columns from the row for the middle row, which represents all rows.
std::string shape_of(const Hamiltonian& hamiltonian) {
    if (const auto* lattice = std::get_if<Lattice>(&hamiltonian)) {
        const auto& e = lattice->extents;
        return text(e[0], 'x', e[1], 'x', e[2], " disorder ", static_cast<int>(lattice->on_site));
    }
    if (const auto* lattice = std::get_if<CellLattice>(&hamiltonian)) {
        const auto& e = lattice->extents;
        return text(e[0], 'x', e[1], 'x', e[2], " cells of ", lattice->orbitals, " sites, hoppings ",
                    lattice->hoppings.size(), is_complex(*lattice) ? " complex" : " real", " disorder ",
                    static_cast<int>(lattice->on_site), has_vacancies(hamiltonian) ? " vacancies" : "");
    }
    const CrsView matrix = *matrix_in(hamiltonian);
    std::string distances;
    const auto middle = static_cast<std::size_t>(matrix.rows / 2);
    constexpr std::size_t most = 8;
    const std::size_t first = matrix.begin(middle), end = std::min(matrix.end(middle), first + most);
    for (std::size_t k = first; k < end; ++k)
        distances += text(' ', matrix.column(k) - static_cast<std::int64_t>(middle));
    if (matrix.disorder.is_any()) distances += text(" disorder ", static_cast<int>(matrix.disorder.on_site));
    return text(matrix.is_complex ? "complex " : "", "matrix ", matrix.rows, " elements ", matrix.elements, " row",
                distances);
}

std::string shape_of(const Context& context, const Problem& p, const Hamiltonian& hamiltonian) {
    std::string shape = text(shape_of(hamiltonian), " moments ", p.moments, " vectors ", vectors_of(p), " kind ",
                             static_cast<int>(p.start_vectors), " format ", static_cast<int>(p.format), " width ",
                             p.block_width, " precision ", static_cast<int>(p.precision), " budget ", p.memory_budget);
    const std::size_t devices = context.devices().size();
    if (context.ranks() == 1 && devices == 1) return shape;
    return text(shape, " realisations ", p.realisations, " ranks ", context.ranks(), " devices ", devices, " division ",
                static_cast<int>(p.division));
}

// Returns the number of parts of all ranks if they have as many as this one.
std::int64_t parts_on(const Context& context, Backend backend) {
    return context.ranks() * static_cast<std::int64_t>(context.parts_on(backend).size());
}

bool can(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian, Backend backend) {
    const auto parts = static_cast<std::size_t>(parts_on(context, backend));
    const MemoryLimit limit = memory_limit(context, backend, problem);
    // To count what the slabs of a large matrix need takes time.
    if (problem.division != Division::lattice && least_bytes(backend, problem, hamiltonian) <= limit.bytes) return true;
    return fits_memory(context, "kpm", backend, least_bytes(backend, problem, hamiltonian, parts), limit);
}

// Returns the engine of one part; of the part with the largest slab, if `sharing` parts share each vector.
std::unique_ptr<Engine> engine_of_part(const Context& context, Backend backend, const Problem& problem,
                                       const Hamiltonian& hamiltonian, Format format, int width, std::size_t sharing) {
    if (sharing == 1) return make_engine(context, backend, problem, hamiltonian, format, width);
    return make_lone_slab(context, backend, problem, hamiltonian, format, sharing, width);
}

// Measures the seconds of a sample, in a block of the width of the run, and of making the engine of one part. Random
// vectors replace those of the caller, whose source is not called.
Cost measure(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian, Backend backend) {
    const MemoryLimit limit = memory_limit(context, backend, problem);
    const RunClock clock;
    const Format format = choose_format(backend, problem, hamiltonian, limit.bytes).format;
    const auto all_parts = static_cast<std::size_t>(parts_on(context, backend)),
               sharing = choose_sharing(backend, problem, hamiltonian, format, all_parts, limit.bytes);
    const auto parts = static_cast<std::int64_t>(all_parts / sharing),
               share = (all_vectors_of(problem) + parts - 1) / parts;
    const int width = static_cast<int>(
        std::min<std::int64_t>(choose_block_width(context, backend, problem, hamiltonian, format, sharing), share));
    const std::unique_ptr<Engine> engine =
        engine_of_part(context, backend, problem, hamiltonian, format, width, sharing);
    const Block block{
        .kind = problem.start_vectors == StartVectors::caller ? StartVectors::sign : problem.start_vectors,
        .width = width};
    engine->begin(block);
    Cost cost{.fixed = clock.seconds()};
    const RunClock of_start;
    engine->begin(block);
    const double start = of_start.seconds();
    std::vector<double> xx(static_cast<std::size_t>(most_steps * width)), yx(xx.size());
    const Step none{.a = 0, .b = 0, .c = 1};  // the size of the vectors does not change
    const double step = seconds_per_unit([&](std::int64_t steps) {
        for (; steps > 0; steps -= most_steps) {
            const auto count = static_cast<std::size_t>(std::min<std::int64_t>(steps, most_steps));
            const std::size_t products = count * static_cast<std::size_t>(width);
            engine->steps(none, static_cast<int>(count), std::span(xx).first(products), std::span(yx).first(products));
        }
    });
    const double blocks = std::ceil(static_cast<double>(vectors_of(problem)) / width) * problem.realisations;
    const double rounds = std::ceil(blocks / static_cast<double>(parts));
    const int steps = (problem.moments + 1) / 2;
    cost.each = (start + steps * step) * rounds / static_cast<double>(all_vectors_of(problem));
    return cost;
}

}  // namespace

Trial trial_of(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian) {
    return {"kpm", shape_of(context, problem, hamiltonian), static_cast<double>(all_vectors_of(problem)),
            [&](Backend backend) { return can(context, problem, hamiltonian, backend); },
            [&](Backend backend) { return measure(context, problem, hamiltonian, backend); }};
}

}  // namespace legato::kpm
