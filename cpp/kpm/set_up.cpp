#include "kpm/set_up.hpp"

#include <algorithm>

#include "core/comparison.hpp"
#include "core/parameter.hpp"
#include "core/ranks.hpp"
#include "kpm/fingerprint.hpp"
#include "kpm/slab_engine.hpp"

namespace legato::kpm {

std::optional<std::int64_t> require_same_arguments(const Context& context, const Problem& problem,
                                                   const Hamiltonian& hamiltonian) {
    if (context.ranks() == 1) return std::nullopt;
    const std::int64_t print = fingerprint(hamiltonian);
    Comparison comparison;
    comparison.add_parameters("kpm.params", problem);
    comparison.add("kpm.sites", problem.sites);
    comparison.add("kpm.k", problem.waves.k);
    comparison.add("kpm.amplitudes", problem.waves.amplitudes);
    comparison.add("kpm.hamiltonian (number of sites)", sites_of(hamiltonian));
    comparison.add("kpm.hamiltonian (fingerprint of its elements)", print);
    comparison.require_same(context);
    return print;
}

std::int64_t least_of_ranks(const Context& context, std::int64_t mine) {
    const std::vector<std::int64_t> all = gather_value(context, mine);
    return *std::min_element(all.begin(), all.end());
}

Engines::Engines(const Context& context, const WorkParts& parts, Backend backend, const Problem& problem,
                 const Hamiltonian& hamiltonian, Format format, std::size_t sharing, int block_width)
    : parts_(parts), shared_(sharing > 1), engines_(shared_ ? 1 : parts.here()) {
    side_by_side([&](std::size_t i) {
        engines_[i] = shared_ ? make_slab_engine(context, parts, backend, problem, hamiltonian, format, block_width)
                              : make_engine(parts.context(i), backend, problem, hamiltonian, format, block_width);
    });
}

void Engines::side_by_side(const std::function<void(std::size_t)>& work) const {
    if (shared_)
        work(std::size_t{0});
    else
        parts_.side_by_side(work);
}

namespace {

// `engine` is needed for the recursion of Lanczos only.
Interval find_bounds(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian, Engine* engine) {
    Interval bounds{problem.lowest, problem.highest};
    if (problem.bounds != Bounds::interval)
        bounds = of_first_rank(context, gershgorin_bounds(hamiltonian, static_cast<std::uint64_t>(problem.seed),
                                                          problem.realisations, context.threads()));
    if (problem.bounds == Bounds::lanczos) bounds = lanczos_bounds(*engine, problem, hamiltonian, bounds);
    context.log(LogLevel::info, text("kpm: spectrum within ", bounds.lowest, " .. ", bounds.highest));
    return bounds;
}

}  // namespace

Interval bounds_of(const Context& context, const Problem& problem, const Hamiltonian& hamiltonian, Engine& engine) {
    return find_bounds(context, problem, hamiltonian, &engine);
}

Rescaling rescaling_without_engine(const Context& context, const WorkParts& parts, Backend backend,
                                   const Problem& problem, const Hamiltonian& hamiltonian, Format format) {
    Problem alone = problem;
    alone.start_vectors = StartVectors::gaussian;
    std::unique_ptr<Engine> engine;
    if (problem.bounds == Bounds::lanczos)
        engine = make_engine(parts.context(0), backend, alone, hamiltonian, format, 1);
    const Interval bounds = find_bounds(context, alone, hamiltonian, engine.get());
    return of_first_rank(context, rescaling_of(bounds, problem.margin));
}

void require_whole_vectors(const Problem& problem, const char* what) {
    if (problem.precision != Precision::double_)
        fail(Status::invalid_argument, "kpm.params.precision: ", static_cast<int>(problem.precision),
             " (single) is not available for ", what, "; take 0 (double)");
    if (problem.division == Division::lattice)
        fail(Status::invalid_argument, "kpm.params.division: 2 (lattice) is not available for ", what,
             "; take 0 (auto) or 1 (vectors)");
}

void fail_for_bounds(const Problem& problem, const Rescaling& rescaling, const std::string& evidence) {
    const double lowest = rescaling.centre - rescaling.half_width, highest = rescaling.centre + rescaling.half_width;
    const char* const what = problem.bounds == Bounds::interval  ? "kpm.params.lowest, kpm.params.highest"
                             : problem.bounds == Bounds::lanczos ? "kpm.params.lanczos_steps"
                                                                 : "kpm.params.bounds";
    fail(Status::numerical_error, what, ": the bounds ", lowest, " .. ", highest,
         ", margin included, do not enclose the spectrum: ", evidence,
         "; take wider bounds, those of Gershgorin's circles, or a larger kpm.params.margin");
}

}  // namespace legato::kpm
