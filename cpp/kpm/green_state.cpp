// Saving and resuming. A state file of method "kpm_green", schema 1, with N moments of `done` samples has the entries
// of problem_state.hpp for the operator hamiltonian, and
//     left/count, sites [n_sites]     no sites: the vectors are those of the caller
//     right/sites [n_sites]
//     samples/done, moments [done x left x N x numbers of an element]
#include <cmath>
#include <utility>

#include "core/state_fields.hpp"
#include "core/state_origin.hpp"
#include "kpm/fingerprint.hpp"
#include "kpm/green.hpp"
#include "kpm/problem_state.hpp"

namespace legato::kpm {

void Green::write(StateWriter& writer) const {
    put_problem(writer, problem_);
    put_operator(writer, "hamiltonian", *hamiltonian_, fingerprint(*hamiltonian_));
    put_rescaling(writer, rescaling_);
    const PutFields put(writer);
    put("left/count", left_.count);
    put("left/sites", left_.sites);
    put("right/sites", right_.sites);
    writer.put("samples/done", done_);
    writer.put("samples/moments", std::span(moments_).first(static_cast<std::size_t>(done_) * size()));
    put_backend(writer, backend_);
}

// Reads and checks the whole file before a backend is chosen and its memory is taken.
std::unique_ptr<Green> Green::read(Context& context, StateReader reader, std::shared_ptr<const Hamiltonian> prepared,
                                   StartVectorSource source) {
    require_same_operator(reader, "hamiltonian", *prepared);
    const Problem problem = get_problem(reader);
    reader.require_valid([&] { validate(problem, *prepared); });
    GreenSide left, right;
    const GetFields get(reader);
    left.count = reader.get_int("left/count", 1, max_vectors);
    get("left/sites", left.sites);
    get("right/sites", right.sites);
    right.count = problem.vectors;
    if ((!left.is_given() && std::ssize(left.sites) != left.count) ||
        (!right.is_given() && std::ssize(right.sites) != right.count))
        reader.refuse("the numbers of vectors and of their sites differ");
    const Saved saved{get_rescaling(reader), saved_backend(reader)};
    const std::int64_t done = reader.get_int("samples/done", 0, samples_of(problem));
    const MemoryNeeds of_sample{0, left.count * problem.moments * lanes_of(*prepared)};
    const std::vector<double> moments =
        reader.get_reals("samples/moments", static_cast<std::size_t>(of_sample.bytes(done)));
    for (const double moment : moments)
        if (std::abs(moment) > max_element)
            reader.refuse(text("entry samples/moments: found ", moment, ", expected within +-", max_element));
    reader.close();
    std::unique_ptr<Green> green(
        new Green(context, problem, std::move(prepared), std::move(left), std::move(right), std::move(source), &saved));
    green->moments_.assign(moments.begin(), moments.end());  // uses the memory reserved for all samples
    green->done_ = done;
    warn_of_other_backend(context, run_name, saved.backend);
    return green;
}

}  // namespace legato::kpm
