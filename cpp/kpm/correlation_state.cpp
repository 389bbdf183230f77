// Saving and resuming. A state file of method "kpm_correlation", schema 1, with N x N moments of `done` samples has the
// entries of problem_state.hpp for the operators hamiltonian, operator_a and operator_b, and
//     samples/done, moments [done x N x N x 2]
#include <cmath>
#include <utility>

#include "core/parameter.hpp"
#include "core/state_origin.hpp"
#include "kpm/correlation.hpp"
#include "kpm/fingerprint.hpp"
#include "kpm/problem_state.hpp"

namespace legato::kpm {
namespace {

constexpr double max_moment = 1e300;  // products of two operators' elements

}  // namespace

void Correlation::write(StateWriter& writer) const {
    put_problem(writer, problem_);
    put_operator(writer, "hamiltonian", *operators_.h, fingerprint(*operators_.h));
    put_operator(writer, "operator_a", *operators_.a, fingerprint(*operators_.a));
    put_operator(writer, "operator_b", *operators_.b, fingerprint(*operators_.b));
    put_rescaling(writer, rescaling_);
    writer.put("samples/done", done_);
    const auto* const numbers = reinterpret_cast<const double*>(samples_.data());
    writer.put("samples/moments", std::span(numbers, 2 * static_cast<std::size_t>(done_) * size()));
    put_backend(writer, backend_);
}

// Reads and checks the whole file before a backend is chosen and its memory is taken.
std::unique_ptr<Correlation> Correlation::read(Context& context, StateReader reader, OperatorsOfCorrelation operators,
                                               StartVectorSource source) {
    require_same_operator(reader, "hamiltonian", *operators.h);
    require_same_operator(reader, "operator_a", *operators.a);
    require_same_operator(reader, "operator_b", *operators.b);
    const Problem problem = get_problem(reader);
    reader.require_valid([&] {
        require_parameters("kpm.params", problem);
        if (problem.start_vectors == StartVectors::sites || problem.start_vectors == StartVectors::waves)
            fail(Status::invalid_argument, "kpm.params.start_vectors: ", static_cast<int>(problem.start_vectors));
    });
    const Saved saved{get_rescaling(reader), saved_backend(reader)};
    const std::int64_t done = reader.get_int("samples/done", 0, samples_of(problem));
    const std::int64_t count = MemoryNeeds{0, 2 * std::int64_t{problem.moments} * problem.moments}.bytes(done);
    const std::vector<double> moments = reader.get_reals("samples/moments", static_cast<std::size_t>(count));
    for (const double moment : moments)
        if (std::abs(moment) > max_moment)
            reader.refuse(text("entry samples/moments: found ", moment, ", expected within +-", max_moment));
    reader.close();
    std::unique_ptr<Correlation> result(
        new Correlation(context, problem, std::move(operators), std::move(source), &saved));
    result->samples_.resize(moments.size() / 2);
    for (std::size_t i = 0; i < result->samples_.size(); ++i)
        result->samples_[i] = {moments[2 * i], moments[2 * i + 1]};
    result->done_ = done;
    warn_of_other_backend(context, run_name, saved.backend);
    return result;
}

}  // namespace legato::kpm
