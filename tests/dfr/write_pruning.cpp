// Writes the state file of a pruning of beryllium that has ended with a set of two functions which are almost the same:
// one of them is left out, and the self-consistent field fails. No run has such a set.
#include <vector>

#include "core/parameter.hpp"
#include "core/state_origin.hpp"
#include "dfr/configuration.hpp"
#include "dfr/elements.hpp"
#include "dfr/optimiser_state.hpp"
#include "dfr/pruner.hpp"

using namespace legato;
using namespace legato::dfr;

int main(int, char** arguments) {
    PrunerProblem problem;
    problem.field.kinetic_balance = KineticBalance::extended;
    problem.field.max_iterations = 100;
    problem.largest_error = 1e-2;
    const double limit = -14.5758, energy = -14.5;
    const std::vector<double> exponents{1.0, 1.0 + 1e-8};
    const Candidate start{make_nucleus(4, NuclearModel::gaussian),
                          average_of_configuration(ground_configuration(4)),
                          {{ExponentGroup(GroupForm::free, exponents)}, {0}, {{1, 2}}}};
    StateWriter writer("dfr_pruner", 1);
    put_parameters(writer, problem.field, "field");
    put_parameters(writer, problem, "pruner");
    put_candidates(writer, {start});
    put_limits(writer, {{limit, limit * (1 + 5e-11)}}, 1);
    writer.put("atom_0/energies", 1);
    writer.put("atom_0/sets", 1);
    writer.put("atom_0/group", std::vector<std::int32_t>{-1});
    writer.put("atom_0/values", 2);
    writer.put("atom_0/energy", std::vector{energy});
    writer.put("atom_0/spinor_error", std::vector{0.0});
    writer.put("atom_0/parameters", exponents);
    writer.put("atom_0/cost", std::vector{0.0});
    writer.put("atom_0/fresh", std::vector<std::int32_t>{0});
    writer.put("atom_0/trial_values", 0);
    writer.put("atom_0/trial_energy", std::vector<double>());
    writer.put("atom_0/trial_spinor_error", std::vector<double>());
    writer.put("atom_0/trial_parameters", std::vector<double>());
    put_records(writer, {{}});
    put_rounding(writer);
    writer.commit(arguments[1]);
}
