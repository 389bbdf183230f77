#include "dfr/vectors_file.hpp"

#include <string>

#include "core/state_file.hpp"
#include "dfr/open_shells.hpp"
#include "dfr/properties.hpp"

namespace legato::dfr {
namespace {

void put(StateWriter& writer, const std::string& of, const Nucleus& nucleus) {
    writer.put(of + "model", static_cast<std::int64_t>(nucleus.model));
    writer.put(of + "charge", nucleus.charge);
    writer.put(of + "radius", nucleus.radius);
    writer.put(of + "exponent", nucleus.exponent);
    writer.put(of + "skin", nucleus.skin);
}

// An atom without a result has no `spinors`.
void put_species(StateWriter& writer, const std::string& of, const Atom& atom, int species, const Species* spinors) {
    const auto s = static_cast<std::size_t>(species);
    writer.put(of + "name", name_of(species));
    writer.put(of + "kappa", kappa_of(species));
    writer.put(of + "functions", static_cast<std::int64_t>(atom.exponents[s].size()));
    writer.put(of + "exponents", atom.exponents[s]);
    writer.put(of + "states", static_cast<std::int64_t>(spinors ? spinors->orbital_energies.size() : 0));
    if (!spinors) return;
    std::vector<double> occupations;
    for (std::size_t a = 0; a < spinors->orbital_energies.size(); ++a)
        occupations.push_back(occupation(atom.configuration, species, a));
    writer.put(of + "energies", spinors->orbital_energies);
    writer.put(of + "occupations", occupations);
    writer.put(of + "large", spinors->large.values);
    writer.put(of + "small", spinors->small.values);
}

void put_open(StateWriter& writer, const std::string& of, const std::vector<OpenShell>& shells) {
    std::vector<std::int32_t> species, index;
    std::vector<double> electrons;
    for (const OpenShell& shell : shells) {
        species.push_back(shell.species);
        index.push_back(shell.index);
        electrons.push_back(shell.electrons);
    }
    writer.put(of + "species", species);
    writer.put(of + "index", index);
    writer.put(of + "electrons", electrons);
}

void put(StateWriter& writer, const std::string& of, const Atom& atom, const AtomResult& result) {
    put(writer, of + "nucleus/", atom.nucleus);
    writer.put(of + "status", static_cast<std::int64_t>(result.status));
    writer.put(of + "energy", result.energy);
    writer.put(of + "closed",
               std::vector<std::int32_t>(atom.configuration.closed.begin(), atom.configuration.closed.end()));
    writer.put(of + "electrons", atom.configuration.electrons);
    writer.put(of + "pairs", atom.configuration.pairs);
    if (has_holes(atom.configuration)) put_open(writer, of + "open/", atom.configuration.open);
    writer.put(of + "n_species", static_cast<std::int64_t>(atom.exponents.size()));
    for (std::size_t s = 0; s < atom.exponents.size(); ++s)
        put_species(writer, of + "species/" + std::to_string(s) + "/", atom, static_cast<int>(s),
                    s < result.species.size() ? &result.species[s] : nullptr);
}

}  // namespace

void write_vectors(const Problem& problem, const std::vector<Atom>& atoms, const std::vector<AtomResult>& results,
                   const std::filesystem::path& path) {
    StateWriter writer("dfr_vectors", 1);
    writer.put("relativistic", problem.relativistic ? 1 : 0);
    writer.put("speed_of_light", problem.speed_of_light);
    writer.put("kinetic_balance", static_cast<std::int64_t>(problem.kinetic_balance));
    writer.put("interaction", static_cast<std::int64_t>(problem.interaction));
    writer.put("n_atoms", static_cast<std::int64_t>(atoms.size()));
    for (std::size_t i = 0; i < atoms.size(); ++i)
        put(writer, "atoms/" + std::to_string(i) + "/", atoms[i], results[i]);
    writer.commit(path, path, "vectors file");
}

}  // namespace legato::dfr
