// Saving and resuming. A state file of method "kpm", schema 1, with N moments of `done` samples has the entries of
// problem_state.hpp for the operator hamiltonian, and
//     samples/done, moments [done x N]
#include <cmath>
#include <utility>

#include "core/state_origin.hpp"
#include "kpm/problem_state.hpp"
#include "kpm/solver.hpp"

namespace legato::kpm {
namespace {

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
    put_operator(writer, "hamiltonian", *hamiltonian_, fingerprint_of_hamiltonian());
    put_rescaling(writer, rescaling_);
    writer.put("samples/done", done_);
    writer.put("samples/moments",
               std::span(moments_).first(static_cast<std::size_t>(done_) * static_cast<std::size_t>(problem_.moments)));
    put_backend(writer, backend_.backend);
}

// Reads and checks the whole file before a backend is chosen and its memory is taken.
std::unique_ptr<Solver> Solver::read(Context& context, StateReader reader, std::shared_ptr<const Hamiltonian> prepared,
                                     StartVectorSource source) {
    require_same_operator(reader, "hamiltonian", *prepared);
    const Problem problem = get_problem(reader);
    reader.require_valid([&] { validate(problem, *prepared); });
    const Saved saved{get_rescaling(reader), saved_backend(reader)};
    const std::int64_t done = reader.get_int("samples/done", 0, samples_of(problem));
    const std::vector<double> moments = get_moments(reader, done * problem.moments);
    reader.close();
    std::unique_ptr<Solver> solver(new Solver(context, problem, std::move(prepared), std::move(source), &saved));
    solver->moments_.assign(moments.begin(), moments.end());  // uses the memory reserved for all samples
    solver->done_ = done;
    solver->enclosure_error_ = solver->find_evidence(moments, 0, {}).text;  // versions before 0.2 did not look for it
    warn_of_other_backend(context, run_name, saved.backend);
    return solver;
}

}  // namespace legato::kpm
