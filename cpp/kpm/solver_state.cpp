// Saving and resuming. A state file of method "kpm", schema 1, with N moments of `done` samples has the entries
//     problem/<member of Problem>           scalars, but for sites [n_sites]
//     waves/k [n_k], amplitudes [n_amplitudes]    only with plane waves
//     hamiltonian/sites, fingerprint        identify the Hamiltonian
//     rescaling/centre, half_width
//     samples/done, moments                 number of finished vectors; moments [samples][N] of finished samples, then
//                                           those of the vectors of an unfinished one
#include <cmath>
#include <utility>

#include "core/parameter.hpp"
#include "core/state_origin.hpp"
#include "kpm/fingerprint.hpp"
#include "kpm/solver.hpp"

namespace legato::kpm {
namespace {

void put_problem(StateWriter& writer, Problem problem) {
    if (problem.bounds != Bounds::interval) problem.lowest = problem.highest = 0;  // they may be out of range
    put_parameters(writer, problem);
    const PutFields put(writer);
    put("problem/sites", problem.sites);
    if (problem.start_vectors != StartVectors::waves) return;
    put("waves/k", problem.waves.k);
    put("waves/amplitudes", problem.waves.amplitudes);
}

Problem get_problem(const StateReader& reader, const Hamiltonian& hamiltonian) {
    Problem problem;
    get_parameters(reader, problem);
    const GetFields get(reader);
    get("problem/sites", problem.sites);
    reader.require_known("problem");
    if (problem.start_vectors == StartVectors::waves) {
        std::vector<double> k, amplitudes;
        get("waves/k", k);
        get("waves/amplitudes", amplitudes);
        reader.require_known("waves");
        reader.require_valid([&] { problem.waves = waves_on(hamiltonian, std::move(k), std::move(amplitudes)); });
    }
    reader.require_valid([&] { validate(problem, hamiltonian); });
    return problem;
}

void require_same(const StateReader& reader, const Hamiltonian& hamiltonian) {
    const std::int64_t sites = reader.get_int("hamiltonian/sites");
    if (sites != sites_of(hamiltonian))
        reader.refuse(text("it belongs to a Hamiltonian of ", sites, " sites, not of ", sites_of(hamiltonian)));
    if (reader.get_int("hamiltonian/fingerprint") != fingerprint(hamiltonian))
        reader.refuse("it belongs to another Hamiltonian");
}

Rescaling get_rescaling(const StateReader& reader) {
    const Rescaling rescaling{reader.get_real("rescaling/centre"), reader.get_real("rescaling/half_width")};
    if (!(rescaling.half_width > 0))
        reader.refuse(text("entry rescaling/half_width: found ", rescaling.half_width, ", expected more than 0"));
    return rescaling;
}

std::vector<double> get_moments(const StateReader& reader, std::int64_t count) {
    std::vector<double> moments = reader.get_reals("samples/moments", static_cast<std::size_t>(count));
    for (const double moment : moments)
        if (std::abs(moment) > max_element)
            reader.refuse(text("entry samples/moments: found ", moment, ", expected within +-", max_element));
    return moments;
}

}  // namespace

void Solver::write(StateWriter& writer) const {
    put_problem(writer, problem_);
    writer.put("hamiltonian/sites", sites_of(*hamiltonian_));
    writer.put("hamiltonian/fingerprint", fingerprint_of_hamiltonian());
    writer.put("rescaling/centre", rescaling_.centre);
    writer.put("rescaling/half_width", rescaling_.half_width);
    writer.put("samples/done", done_);
    writer.put("samples/moments",
               std::span(moments_).first(row_of(done_) * static_cast<std::size_t>(problem_.moments)));
    put_backend(writer, backend_.backend);
}

// Reads and checks the whole file before a backend is chosen and its memory is taken.
std::unique_ptr<Solver> Solver::read(Context& context, StateReader reader, std::shared_ptr<const Hamiltonian> prepared,
                                     StartVectorSource source) {
    require_same(reader, *prepared);
    const Problem problem = get_problem(reader, *prepared);
    const Saved saved{get_rescaling(reader), saved_backend(reader)};
    const std::int64_t done = reader.get_int("samples/done", 0, all_vectors_of(problem));
    const std::int64_t of_sample = vectors_of_sample(problem), rows = done / of_sample + done % of_sample;
    const std::vector<double> moments = get_moments(reader, rows * problem.moments);
    reader.close();
    std::unique_ptr<Solver> solver(new Solver(context, problem, std::move(prepared), std::move(source), &saved));
    solver->moments_.assign(moments.begin(), moments.end());  // uses the memory reserved for all samples
    solver->done_ = done;
    if (of_sample == 1)  // versions before 0.2 did not look for it
        solver->enclosure_error_ = solver->find_evidence(moments, 0, {}).text;
    warn_of_other_backend(context, run_name, saved.backend);
    return solver;
}

}  // namespace legato::kpm
