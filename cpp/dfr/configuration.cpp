#include "dfr/configuration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "core/validate.hpp"
#include "dfr/symmetry.hpp"

namespace legato::dfr {
namespace {

Configuration empty_configuration(std::size_t species) {
    return {std::vector<int>(species, 0), std::vector<double>(species, 0.0),
            std::vector<double>(species * species, 1.0)};
}

int capacity(int l) {
    return 4 * l + 2;
}

// Returns the numbers of electrons [l][n - l - 1], without empty shells at the end.
std::vector<std::vector<int>> sorted(std::span<const Subshell> subshells, std::string_view field) {
    std::vector<std::vector<int>> electrons(max_l + 1);
    for (std::size_t i = 0; i < subshells.size(); ++i) {
        const Subshell& s = subshells[i];
        require_integer(text(field, "[", i, "].l"), s.l, 0, max_l);
        require_integer(text(field, "[", i, "].n"), s.n, s.l + 1, max_functions);
        require_integer(text(field, "[", i, "].electrons"), s.electrons, 0, capacity(s.l));
        auto& shells = electrons[static_cast<std::size_t>(s.l)];
        const auto at = static_cast<std::size_t>(s.n - s.l - 1);
        if (at >= shells.size()) shells.resize(at + 1, 0);
        if (shells[at] != 0)
            fail(Status::invalid_argument, field, "[", i, "]: ", name_of(s.n, s.l), " is listed twice");
        shells[at] = s.electrons;
    }
    for (auto& shells : electrons)
        while (!shells.empty() && shells.back() == 0) shells.pop_back();
    return electrons;
}

void require_full_below_the_highest(int l, const std::vector<int>& shells, std::string_view field) {
    for (std::size_t i = 0; i + 1 < shells.size(); ++i)
        if (shells[i] != capacity(l))
            fail(Status::invalid_argument, field, "[", name_of(static_cast<int>(i) + l + 1, l), "]: ", shells[i],
                 " is not ", capacity(l), ", a full shell, but ", name_of(static_cast<int>(shells.size()) + l, l),
                 " has electrons");
}

// Returns the first species of an l and the number of its species.
std::pair<std::size_t, std::size_t> species_of(int l) {
    return {static_cast<std::size_t>(l == 0 ? 0 : 2 * l - 1), static_cast<std::size_t>(l == 0 ? 1 : 2)};
}

void put_subshells(Configuration& configuration, int l, const std::vector<int>& shells) {
    const std::size_t species = configuration.closed.size();
    const int highest = shells.back(), m = capacity(l);
    const bool open = highest < m;
    const auto [first, count] = species_of(l);
    for (std::size_t s = first; s < first + count; ++s) {
        configuration.closed[s] = static_cast<int>(shells.size()) - (open ? 1 : 0);
        if (!open) continue;
        const double n = highest;
        configuration.electrons[s] = n * degeneracy_of(static_cast<int>(s)) / m;
        for (std::size_t t = first; t < first + count; ++t)
            configuration.pairs[s * species + t] = (n - 1.0) * m / (n * (m - 1.0));
    }
}

double binomial(int n, int k) {
    double value = 1.0;
    for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
    return value;
}

void require_ascending(std::span<const int> open_species, int species, std::string_view field) {
    int least = 0;
    for (std::size_t a = 0; a < open_species.size(); ++a) {
        require_integer(text(field, ".open_species[", a, "]"), open_species[a], least, species - 1);
        least = open_species[a] + 1;
    }
}

void require_open_shells(std::span<const int> closed, std::span<const int> open_species, std::string_view field) {
    require_integer(text(field, ".closed"), static_cast<std::int64_t>(closed.size()), 1, max_symmetries);
    for (std::size_t s = 0; s < closed.size(); ++s)
        require_integer(text(field, ".closed[", name_of(static_cast<int>(s)), "]"), closed[s], 0, max_functions);
    require_ascending(open_species, static_cast<int>(closed.size()), field);
}

void require_rows(std::span<const int> open_species, std::span<const std::vector<double>> rows,
                  std::string_view field) {
    require_integer(text(field, ".configurations"), static_cast<std::int64_t>(rows.size()),
                    open_species.empty() ? 0 : 1, max_rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string row = text(field, ".configurations[", i, "]");
        if (rows[i].size() != open_species.size())
            fail(Status::invalid_argument, row, ": ", rows[i].size(), " occupations, but ", open_species.size(),
                 " open shells");
        for (std::size_t a = 0; a < rows[i].size(); ++a) {
            const double q = rows[i][a];
            const int g = degeneracy_of(open_species[a]);
            if (!(q >= 0.0 && q <= g && q == std::floor(q)))
                fail(Status::invalid_argument, row, "[", name_of(open_species[a]), "]: ", q,
                     " is not a whole number in 0..", g);
        }
        const double sum = std::accumulate(rows[i].begin(), rows[i].end(), 0.0),
                     first = std::accumulate(rows[0].begin(), rows[0].end(), 0.0);
        if (sum != first)
            fail(Status::invalid_argument, row, ": ", sum, " electrons, but the first configuration has ", first);
    }
}

// Returns the weights of the rows, which sum to 1.
std::vector<double> weights_of(std::span<const int> open_species, std::span<const std::vector<double>> rows) {
    std::vector<double> weights(rows.size(), 1.0);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t a = 0; a < open_species.size(); ++a)
            weights[i] *= binomial(degeneracy_of(open_species[a]), static_cast<int>(rows[i][a]));
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& weight : weights) weight /= sum;
    return weights;
}

// Returns the number of distributions, or max_rows + 1 if there are more than max_rows.
int count_distributions(std::span<const int> open_species, int electrons) {
    std::vector<int> ways(static_cast<std::size_t>(electrons) + 1, 0);
    ways[0] = 1;
    for (const int species : open_species) {
        std::vector<int> next(ways.size(), 0);
        for (std::size_t n = 0; n < ways.size(); ++n)
            for (std::size_t q = 0; q <= static_cast<std::size_t>(degeneracy_of(species)) && q <= n; ++q)
                next[n] = std::min(next[n] + ways[n - q], max_rows + 1);
        ways = std::move(next);
    }
    return ways.back();
}

void distribute(std::span<const int> open_species, int electrons, std::vector<double>& row,
                std::vector<std::vector<double>>& rows) {
    if (row.size() == open_species.size()) {
        if (electrons == 0) rows.push_back(row);
        return;
    }
    int room = 0;
    for (std::size_t a = row.size() + 1; a < open_species.size(); ++a) room += degeneracy_of(open_species[a]);
    const int most = std::min(electrons, degeneracy_of(open_species[row.size()]));
    for (int q = std::max(electrons - room, 0); q <= most; ++q) {
        row.push_back(q);
        distribute(open_species, electrons - q, row, rows);
        row.pop_back();
    }
}

}  // namespace

Configuration average_of_configuration(std::span<const Subshell> subshells, std::string_view field) {
    const auto electrons = sorted(subshells, field);
    int highest_l = -1;
    for (int l = 0; l <= max_l; ++l)
        if (!electrons[static_cast<std::size_t>(l)].empty()) highest_l = l;
    if (highest_l < 0) fail(Status::invalid_argument, field, ": no electrons");
    Configuration configuration = empty_configuration(2 * static_cast<std::size_t>(highest_l) + 1);
    for (int l = 0; l <= highest_l; ++l) {
        const auto& shells = electrons[static_cast<std::size_t>(l)];
        if (shells.empty()) continue;
        require_full_below_the_highest(l, shells, field);
        put_subshells(configuration, l, shells);
    }
    return configuration;
}

Configuration average_of_list(std::span<const int> closed, std::span<const int> open_species,
                              std::span<const std::vector<double>> rows, std::string_view field) {
    require_open_shells(closed, open_species, field);
    require_rows(open_species, rows, field);
    const std::vector<double> weights = weights_of(open_species, rows);
    const auto mean = [&](auto value) {
        double sum = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) sum += weights[i] * value(rows[i]);
        return sum;
    };
    Configuration configuration = empty_configuration(closed.size());
    configuration.closed.assign(closed.begin(), closed.end());
    for (std::size_t a = 0; a < open_species.size(); ++a) {
        const auto s = static_cast<std::size_t>(open_species[a]);
        const double g = degeneracy_of(open_species[a]);
        if (std::all_of(rows.begin(), rows.end(), [&](const auto& row) { return row[a] == g; }))
            ++configuration.closed[s];
        else
            configuration.electrons[s] = mean([&](const auto& row) { return row[a]; });
    }
    for (std::size_t a = 0; a < open_species.size(); ++a)
        for (std::size_t b = 0; b < open_species.size(); ++b) {
            const auto s = static_cast<std::size_t>(open_species[a]), t = static_cast<std::size_t>(open_species[b]);
            const double q_a = configuration.electrons[s], q_b = configuration.electrons[t];
            if (q_a == 0.0 || q_b == 0.0) continue;
            const double g = degeneracy_of(open_species[a]);
            configuration.pairs[s * closed.size() + t] =
                a == b ? mean([&](const auto& row) { return row[a] * (row[a] - 1.0); }) * g / ((g - 1.0) * q_a * q_a)
                       : mean([&](const auto& row) { return row[a] * row[b]; }) / (q_a * q_b);
        }
    return configuration;
}

std::vector<std::vector<double>> all_distributions(std::span<const int> open_species, int electrons,
                                                   std::string_view field) {
    require_ascending(open_species, max_symmetries, field);
    int room = 0;
    for (const int species : open_species) room += degeneracy_of(species);
    require_integer(text(field, ".electrons"), electrons, 0, room);
    if (count_distributions(open_species, electrons) > max_rows)
        fail(Status::invalid_argument, field, ".electrons: ", electrons, " have more than ", max_rows,
             " distributions over the open shells");
    std::vector<std::vector<double>> rows;
    std::vector<double> row;
    distribute(open_species, electrons, row, rows);
    return rows;
}

}  // namespace legato::dfr
