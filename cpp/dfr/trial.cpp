#include "dfr/trial.hpp"

#include <algorithm>
#include <utility>

#include "dfr/division.hpp"
#include "dfr/engine.hpp"
#include "dfr/gradient.hpp"

namespace legato::dfr {
namespace {

// Returns a matrix of small numbers that vary.
Matrix numbers(std::size_t rows, std::size_t columns) {
    Matrix matrix(rows, columns);
    for (std::size_t i = 0; i < matrix.values.size(); ++i) matrix.values[i] = 0.1 + 0.01 * static_cast<double>(i % 7);
    return matrix;
}

// Returns a job in which the occupied spinors of each species form one density.
RepulsionJob job_of(const Problem& problem, const Atom& atom, std::size_t number) {
    RepulsionJob job{.atom = number, .densities = {}, .targets = {}, .repulsion = {}};
    for (std::size_t s = 0; s < atom.exponents.size(); ++s) {
        const std::size_t functions = atom.exponents[s].size();
        const auto spinors = static_cast<std::size_t>(shells(atom.configuration, s));
        const Matrix large = numbers(functions, spinors);
        if (spinors > 0) job.densities.push_back({static_cast<int>(s), large, problem.relativistic ? large : Matrix()});
    }
    for (std::size_t s = 0; s < atom.exponents.size(); ++s)
        job.targets.push_back({static_cast<int>(s), std::vector<double>(job.densities.size(), 1.0)});
    return job;
}

// Returns the atoms of the largest part, for which the others wait.
std::vector<Atom> share_of(const Context& context, const Problem& problem, std::span<const Atom> atoms,
                           Backend backend) {
    return largest_share(problem, atoms, static_cast<std::size_t>(context.ranks()) * context.parts_on(backend).size());
}

bool can(const Context& context, const Problem& problem, std::span<const Atom> atoms, bool gradients, Backend backend) {
    if (backend == Backend::cpu) return true;
    std::vector<Atom> share = share_of(context, problem, atoms, backend);
    std::int64_t bytes = memory_needs(backend, problem, share).bytes(1);
    if (gradients) {
        for (Atom& atom : share) atom = with_derivatives(std::move(atom));
        bytes += memory_needs(backend, problem, share).bytes(1);
    }
    return fits_memory(context, "dfr", backend, bytes) &&
           fits_memory(context, "dfr", backend, host_needs_of_rank(context, backend, problem, atoms).bytes(1),
                       free_memory(context, Backend::cpu));
}

// Measures an iteration of the largest part. On the CPU only as many atoms as there are threads are timed, and the cost
// of all atoms follows from their operations.
Cost measure(const Context& context, const Problem& problem, std::span<const Atom> atoms, Backend backend) {
    const std::vector<Atom> share = share_of(context, problem, atoms, backend);
    const int parts = static_cast<int>(context.parts_on(backend).size());
    const Context part = context.for_part(context.options().device, std::max(context.threads() / parts, 1), true);
    const int threads = useful_threads(part, problem, share);
    std::span<const Atom> tried = share;
    if (backend == Backend::cpu) tried = tried.first(std::min(tried.size(), static_cast<std::size_t>(threads)));
    const Quadratures quadratures = make_quadratures(problem, tried, threads);
    const std::unique_ptr<Engine> engine = make_engine(part, backend);
    engine->load(quadratures, threads);
    std::vector<RepulsionJob> jobs;
    for (std::size_t i = 0; i < tried.size(); ++i) jobs.push_back(job_of(problem, tried[i], i));
    const double iteration = seconds_per_unit([&](std::int64_t times) {
        for (; times > 0; --times) engine->compute_repulsion(jobs);
    });
    return {.fixed = 0, .each = iteration * operations(problem, share) / operations(problem, tried)};
}

std::string shape_of(const Context& context, const Problem& problem, std::span<const Atom> atoms) {
    std::string shape = text(atoms.size(), " atoms, operations ", operations(problem, atoms));
    if (context.ranks() > 1 || context.devices().size() > 1)
        shape += text(", ", context.ranks(), " ranks of ", context.devices().size(), " devices");
    return shape;
}

}  // namespace

int useful_threads(const Context& context, const Problem& problem, std::span<const Atom> atoms) {
    constexpr double per_millisecond = 2.5e7;
    return static_cast<int>(
        std::clamp(operations(problem, atoms) / per_millisecond, 1.0, static_cast<double>(context.threads())));
}

Trial trial_of(const Context& context, const Problem& problem, std::span<const Atom> atoms, bool gradients) {
    constexpr double usual_iterations = 20;
    return {"dfr", shape_of(context, problem, atoms), usual_iterations,
            [&context, &problem, atoms, gradients](Backend backend) {
                return can(context, problem, atoms, gradients, backend);
            },
            [&context, &problem, atoms](Backend backend) { return measure(context, problem, atoms, backend); }};
}

}  // namespace legato::dfr
