#include "dfr/open_shells.hpp"

#include <algorithm>

namespace legato::dfr {

OpenShells open_shells(const Configuration& configuration) {
    std::vector<OpenShell> all = configuration.open;
    if (!has_holes(configuration))
        for (std::size_t s = 0; s < configuration.closed.size(); ++s)
            all.push_back({static_cast<int>(s), configuration.closed[s], configuration.electrons[s]});
    OpenShells open;
    for (std::size_t a = 0; a < all.size(); ++a) {
        if (all[a].electrons == 0.0) continue;
        open.shells.push_back(all[a]);
        for (std::size_t b = 0; b < all.size(); ++b)
            if (all[b].electrons != 0.0) open.pairs.push_back(configuration.pairs[a * all.size() + b]);
    }
    return open;
}

std::vector<OccupiedShell> occupied_shells(const Configuration& configuration, std::size_t species) {
    const auto s = static_cast<int>(species);
    const auto count = static_cast<std::size_t>(shells(configuration, species));
    std::vector<OccupiedShell> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = {i, static_cast<double>(degeneracy_of(s)), -1};
    for (const OpenShell& shell : configuration.open)
        if (shell.species == s) all[static_cast<std::size_t>(shell.index)].electrons = 0.0;
    const std::vector<OpenShell> open = open_shells(configuration).shells;
    for (std::size_t k = 0; k < open.size(); ++k)
        if (open[k].species == s) {
            OccupiedShell& shell = all[static_cast<std::size_t>(open[k].index)];
            shell.electrons = open[k].electrons;
            shell.open = static_cast<int>(k);
        }
    std::erase_if(all, [](const OccupiedShell& shell) { return shell.electrons == 0.0; });
    return all;
}

double number_of_electrons(const Configuration& configuration) {
    double electrons = 0;
    for (std::size_t s = 0; s < configuration.closed.size(); ++s)
        electrons += configuration.closed[s] * degeneracy_of(static_cast<int>(s)) + configuration.electrons[s];
    for (const OpenShell& shell : configuration.open) electrons += shell.electrons;
    return electrons;
}

}  // namespace legato::dfr
