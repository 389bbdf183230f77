#include "vmc/problem_state.hpp"

#include "core/parameter.hpp"

namespace legato::vmc {
namespace {

template <class Fields, class P>  // Problem, or const Problem
void list_table(const Fields& fields, P& p) {
    fields("problem/pair_function", p.table.values);
    fields("problem/divergent_zero", p.table.divergent_zero);
}

}  // namespace

void put_problem(StateWriter& writer, const Problem& problem) {
    put_parameters(writer, problem);
    list_table(PutFields(writer), problem);
}

Problem get_problem(const StateReader& reader) {
    Problem problem;
    get_parameters(reader, problem);
    list_table(GetFields(reader), problem);
    reader.require_known("problem");
    reader.require_valid([&] { validate(problem); });
    return problem;
}

}  // namespace legato::vmc
