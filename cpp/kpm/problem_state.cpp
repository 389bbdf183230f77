#include "kpm/problem_state.hpp"

#include "core/parameter.hpp"
#include "kpm/fingerprint.hpp"

namespace legato::kpm {

void put_problem(StateWriter& writer, Problem problem) {
    if (problem.bounds != Bounds::interval) problem.lowest = problem.highest = 0;  // they may be out of range
    put_parameters(writer, problem);
    const PutFields put(writer);
    put("problem/sites", problem.sites);
}

void put_operator(StateWriter& writer, std::string_view name, const Hamiltonian& one, std::int64_t fingerprint) {
    writer.put(text(name, "/sites"), sites_of(one));
    writer.put(text(name, "/fingerprint"), fingerprint);
}

void put_rescaling(StateWriter& writer, const Rescaling& rescaling) {
    writer.put("rescaling/centre", rescaling.centre);
    writer.put("rescaling/half_width", rescaling.half_width);
}

Problem get_problem(const StateReader& reader) {
    Problem problem;
    get_parameters(reader, problem);
    const GetFields get(reader);
    get("problem/sites", problem.sites);
    reader.require_known("problem");
    return problem;
}

void require_same_operator(const StateReader& reader, std::string_view name, const Hamiltonian& one) {
    const bool is_hamiltonian = name == "hamiltonian";
    const std::int64_t sites = reader.get_int(text(name, "/sites"));
    if (sites != sites_of(one))
        reader.refuse(text("it belongs to a Hamiltonian of ", sites, " sites, not of ", sites_of(one)));
    if (reader.get_int(text(name, "/fingerprint")) != fingerprint(one))
        reader.refuse(is_hamiltonian ? "it belongs to another Hamiltonian" : text("it belongs to another ", name));
}

Rescaling get_rescaling(const StateReader& reader) {
    const Rescaling rescaling{reader.get_real("rescaling/centre"), reader.get_real("rescaling/half_width")};
    if (!(rescaling.half_width > 0))
        reader.refuse(text("entry rescaling/half_width: found ", rescaling.half_width, ", expected more than 0"));
    return rescaling;
}

}  // namespace legato::kpm
