// Saving and resuming. A state file of method "kpm", schema 1, with N moments of `done` samples has the entries of
// problem_state.hpp for the operator hamiltonian, and
//     waves/k [n_k], amplitudes [n_amplitudes]    only with plane waves
//     samples/done, moments                       number of finished vectors; moments [samples][N] of finished samples,
//                                                 then those of the vectors of an unfinished plane wave
#include <cmath>
#include <utility>

#include "core/state_fields.hpp"
#include "core/state_origin.hpp"
#include "kpm/problem_state.hpp"
#include "kpm/solver.hpp"

namespace legato::kpm {
namespace {

void put_waves(StateWriter& writer, const Waves& waves) {
    const PutFields put(writer);
    put("waves/k", waves.k);
    put("waves/amplitudes", waves.amplitudes);
}

void get_waves(const StateReader& reader, const Hamiltonian& hamiltonian, Waves& waves) {
    std::vector<double> k, amplitudes;
    const GetFields get(reader);
    get("waves/k", k);
    get("waves/amplitudes", amplitudes);
    reader.require_known("waves");
    reader.require_valid([&] { waves = waves_on(hamiltonian, std::move(k), std::move(amplitudes)); });
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
    if (problem_.start_vectors == StartVectors::waves) put_waves(writer, problem_.waves);
    put_operator(writer, "hamiltonian", *hamiltonian_, fingerprint_of_hamiltonian());
    put_rescaling(writer, rescaling_);
    writer.put("samples/done", done_);
    writer.put("samples/moments",
               std::span(moments_).first(row_of(done_) * static_cast<std::size_t>(problem_.moments)));
    put_backend(writer, backend_.backend);
}

// Reads and checks the whole file before a backend is chosen and its memory is taken.
std::unique_ptr<Solver> Solver::read(Context& context, StateReader reader, std::shared_ptr<const Hamiltonian> prepared,
                                     StartVectorSource source) {
    require_same_operator(reader, "hamiltonian", *prepared);
    Problem problem = get_problem(reader);
    if (problem.start_vectors == StartVectors::waves) get_waves(reader, *prepared, problem.waves);
    reader.require_valid([&] { validate(problem, *prepared); });
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
