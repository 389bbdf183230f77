#include "dfr/shell_list.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "core/validate.hpp"
#include "dfr/elements.hpp"
#include "dfr/open_shells.hpp"

namespace legato::dfr {
namespace {

// A shell of a species, and the number of its entry in the list.
struct Part {
    OpenShell shell;
    std::size_t entry = 0;
};

// Returns the first species of an entry and the number of its species.
std::pair<int, int> species_of(const ShellElectrons& entry) {
    const int lower = std::max(2 * entry.l - 1, 0);
    if (entry.twice_j == 0) return {lower, entry.l == 0 ? 1 : 2};
    return {entry.twice_j < 2 * entry.l ? lower : 2 * entry.l, 1};
}

int capacity_of(const ShellElectrons& entry) {
    return entry.twice_j == 0 ? 4 * entry.l + 2 : entry.twice_j + 1;
}

void validate(const ShellElectrons& entry, const std::string& field) {
    require_integer(field + ".l", entry.l, 0, max_l);
    require_integer(field + ".n", entry.n, entry.l + 1, max_functions);
    if (entry.twice_j != 0 && (entry.twice_j < 1 || std::abs(entry.twice_j - 2 * entry.l) != 1))
        fail(Status::invalid_argument, field, ".twice_j: ", entry.twice_j, " is not 0",
             entry.l > 0 ? text(", ", 2 * entry.l - 1) : "", " or ", 2 * entry.l + 1, ", which l = ", entry.l,
             " allows");
    require_integer(field + ".electrons", entry.electrons, 0, capacity_of(entry));
}

// Returns the shells of all entries with electrons, ascending by species and index.
std::vector<Part> parts_of(std::span<const ShellElectrons> entries, std::string_view field) {
    std::vector<Part> parts;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const ShellElectrons& entry = entries[i];
        validate(entry, text(field, "[", i, "]"));
        if (entry.electrons == 0) continue;
        const auto [first, count] = species_of(entry);
        for (int s = first; s < first + count; ++s)
            parts.push_back({{s, entry.n - entry.l - 1,
                              static_cast<double>(entry.electrons) * degeneracy_of(s) / capacity_of(entry)},
                             i});
    }
    std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
        return a.shell.species != b.shell.species ? a.shell.species < b.shell.species : a.shell.index < b.shell.index;
    });
    for (std::size_t k = 1; k < parts.size(); ++k)
        if (parts[k].shell.species == parts[k - 1].shell.species && parts[k].shell.index == parts[k - 1].shell.index)
            fail(Status::invalid_argument, field, "[", parts[k].entry, "]: ", entries[parts[k].entry].n,
                 name_of(parts[k].shell.species), " is also in [", parts[k - 1].entry, "]");
    if (parts.empty()) fail(Status::invalid_argument, field, ": no electrons");
    return parts;
}

// Inserts the empty shells below occupied ones. Their entry is `none`.
std::vector<Part> with_empty(const std::vector<Part>& parts, std::size_t none) {
    std::vector<Part> all;
    for (const Part& part : parts) {
        const bool same = !all.empty() && all.back().shell.species == part.shell.species;
        for (int index = same ? all.back().shell.index + 1 : 0; index < part.shell.index; ++index)
            all.push_back({{part.shell.species, index, 0.0}, none});
        all.push_back(part);
    }
    return all;
}

// Returns A of two shells.
double pair_number(std::span<const ShellElectrons> entries, std::size_t a, std::size_t b) {
    if (a != b || a == entries.size()) return 1.0;
    const double n = entries[a].electrons, m = capacity_of(entries[a]);
    return (n - 1.0) * m / (n * (m - 1.0));
}

// Brings the configuration into the first form if this is possible.
Configuration in_first_form(Configuration configuration) {
    const std::size_t species = configuration.closed.size();
    std::vector<int> place(species, -1);  // of the open shell of each species
    for (std::size_t k = 0; k < configuration.open.size(); ++k) {
        const auto s = static_cast<std::size_t>(configuration.open[k].species);
        if (place[s] >= 0 || configuration.open[k].index != configuration.closed[s]) return configuration;
        place[s] = static_cast<int>(k);
    }
    Configuration first{configuration.closed, std::vector<double>(species, 0.0),
                        std::vector<double>(species * species, 1.0)};
    const std::size_t open = configuration.open.size();
    for (std::size_t s = 0; s < species; ++s) {
        if (place[s] < 0) continue;
        const auto k = static_cast<std::size_t>(place[s]);
        first.electrons[s] = configuration.open[k].electrons;
        for (std::size_t t = 0; t < species; ++t)
            if (place[t] >= 0)
                first.pairs[s * species + t] = configuration.pairs[k * open + static_cast<std::size_t>(place[t])];
    }
    return first;
}

}  // namespace

Configuration average_of_shells(std::span<const ShellElectrons> shells, std::string_view field) {
    const std::vector<Part> parts = with_empty(parts_of(shells, field), shells.size());
    const auto species = static_cast<std::size_t>(parts.back().shell.species) + 1;
    Configuration configuration{std::vector<int>(species, 0), std::vector<double>(species, 0.0), {}};
    std::vector<std::size_t> entries;  // of the open shells
    for (const Part& part : parts) {
        if (part.shell.electrons == degeneracy_of(part.shell.species)) {
            ++configuration.closed[static_cast<std::size_t>(part.shell.species)];
            continue;
        }
        configuration.open.push_back(part.shell);
        entries.push_back(part.entry);
    }
    for (const std::size_t a : entries)
        for (const std::size_t b : entries) configuration.pairs.push_back(pair_number(shells, a, b));
    return in_first_form(std::move(configuration));
}

Configuration with_species(Configuration configuration, std::size_t species, std::string_view field) {
    const std::size_t count = configuration.closed.size();
    if (count > species)
        fail(Status::invalid_argument, field, ": electrons in ", name_of(static_cast<int>(count) - 1),
             ", but the basis has only ", species, " species, up to ", name_of(static_cast<int>(species) - 1));
    configuration.closed.resize(species, 0);
    configuration.electrons.resize(species, 0.0);
    if (has_holes(configuration)) return configuration;
    std::vector<double> pairs(species * species, 1.0);
    for (std::size_t s = 0; s < count; ++s)
        for (std::size_t t = 0; t < count; ++t) pairs[s * species + t] = configuration.pairs[s * count + t];
    configuration.pairs = std::move(pairs);
    return configuration;
}

}  // namespace legato::dfr
