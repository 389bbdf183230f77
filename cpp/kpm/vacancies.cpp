#include "kpm/vacancies.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "core/parallel.hpp"
#include "core/validate.hpp"

namespace legato::kpm {
namespace {

bool is_given(const CellLattice& lattice, std::int64_t site) {
    return std::binary_search(lattice.vacancies.begin(), lattice.vacancies.end(), site);
}

// Returns one word of the set of vacancies in a realisation.
std::uint32_t word_of(const CellLattice& lattice, bool is_random, std::uint64_t seed, std::int64_t realisation,
                      std::int64_t word) {
    const std::int64_t first = word * sites_of_word, end = std::min(first + sites_of_word, lattice.sites());
    const RandomVacancies random = random_vacancies(lattice);
    std::uint32_t bits = 0;
    for (std::int64_t site = first; is_random && site < end; ++site)
        if (random.at(seed, static_cast<std::uint64_t>(realisation), static_cast<std::uint64_t>(site)))
            bits |= std::uint32_t{1} << (site - first);
    for (auto at = std::lower_bound(lattice.vacancies.begin(), lattice.vacancies.end(), first);
         at != lattice.vacancies.end() && *at < end; ++at)
        bits |= std::uint32_t{1} << (*at - first);
    return bits;
}

// Calls use(rank of the thread, number of the word, word) for all words of the set.
template <class Use>
void for_each_word(const CellLattice& lattice, std::uint64_t seed, std::int64_t realisation, int threads,
                   const Use& use) {
    const bool is_random = has_random_vacancies(lattice);
    in_team(threads, [&](const Team& team) {
        const auto [first, last] = team.share(static_cast<std::size_t>(words_for(lattice.sites())));
        for (std::size_t word = first; word < last; ++word)
            use(team.rank, word, word_of(lattice, is_random, seed, realisation, static_cast<std::int64_t>(word)));
    });
}

}  // namespace

bool has_random_vacancies(const CellLattice& lattice) {
    const auto begin = lattice.vacancy_concentration.begin();
    return std::any_of(begin, begin + lattice.orbitals, [](double concentration) { return concentration > 0; });
}

bool has_vacancies(const CellLattice& lattice) {
    return !lattice.vacancies.empty() || has_random_vacancies(lattice);
}

bool has_vacancies(const Hamiltonian& hamiltonian) {
    const auto* lattice = std::get_if<CellLattice>(&hamiltonian);
    return lattice && has_vacancies(*lattice);
}

Pages<std::uint32_t> draw_vacancies(const Hamiltonian& hamiltonian, std::uint64_t seed, std::int64_t realisation,
                                    int threads) {
    const auto* lattice = std::get_if<CellLattice>(&hamiltonian);
    return lattice ? draw_vacancies(*lattice, seed, realisation, threads) : Pages<std::uint32_t>{};
}

Pages<std::uint32_t> draw_vacancies(const CellLattice& lattice, std::uint64_t seed, std::int64_t realisation,
                                    int threads) {
    if (!has_vacancies(lattice)) return {};
    Pages<std::uint32_t> words(static_cast<std::size_t>(words_for(lattice.sites())));
    for_each_word(lattice, seed, realisation, threads,
                  [&](std::size_t, std::size_t word, std::uint32_t bits) { words[word] = bits; });
    return words;
}

Pages<std::uint32_t> given_vacancies(const CellLattice& lattice) {
    Pages<std::uint32_t> words(static_cast<std::size_t>(words_for(lattice.sites())));
    std::fill(words.begin(), words.end(), 0);
    for (const std::int64_t site : lattice.vacancies)
        words[static_cast<std::size_t>(site / sites_of_word)] |= std::uint32_t{1} << (site % sites_of_word);
    return words;
}

void prepare_vacancies(CellLattice& lattice) {
    for (std::size_t o = 0; o < lattice.vacancy_concentration.size(); ++o)
        require_real(text("kpm.cell_lattice.vacancy_concentration[", o, "]"), lattice.vacancy_concentration[o], 0.0,
                     max_vacancy_concentration);
    const std::int64_t sites = lattice.sites();
    for (std::size_t i = 0; i < lattice.vacancies.size(); ++i)
        if (lattice.vacancies[i] < 0 || lattice.vacancies[i] >= sites)
            require_integer(text("kpm.vacancies[", i, "]"), lattice.vacancies[i], 0, sites - 1);
    std::sort(lattice.vacancies.begin(), lattice.vacancies.end());
    lattice.vacancies.erase(std::unique(lattice.vacancies.begin(), lattice.vacancies.end()), lattice.vacancies.end());
    if (static_cast<std::int64_t>(lattice.vacancies.size()) == sites)
        fail(Status::invalid_argument, "kpm.vacancies: all ", sites, " sites are vacancies; at least one must remain");
}

void require_sites(const CellLattice& lattice, std::uint64_t seed, std::int64_t realisations) {
    if (!has_random_vacancies(lattice)) return;
    const RandomVacancies random = random_vacancies(lattice);
    for (std::int64_t s = 0; s < realisations; ++s) {
        std::int64_t site = 0;
        while (site < lattice.sites() && (is_given(lattice, site) || random.at(seed, static_cast<std::uint64_t>(s),
                                                                               static_cast<std::uint64_t>(site))))
            ++site;
        if (site == lattice.sites())
            fail(Status::invalid_argument, "kpm.cell_lattice.vacancy_concentration: all ", lattice.sites(),
                 " sites of realisation ", s,
                 " are vacancies; take lower concentrations, more cells or another kpm.params.seed");
    }
}

void require_no_vacancy(const CellLattice& lattice, const char* field, const std::vector<std::int64_t>& chosen) {
    for (std::size_t i = 0; i < chosen.size(); ++i)
        if (is_given(lattice, chosen[i]))
            fail(Status::invalid_argument, field, '[', i, "]: site ", chosen[i],
                 " is a vacancy, where all states are 0; take another site");
}

std::int64_t RemainingSites::in(std::int64_t realisation) {
    if (!has_vacancies(hamiltonian_)) return sites_;
    if (realisation == realisation_) return count_;
    std::vector<std::int64_t> vacancies(static_cast<std::size_t>(threads_));
    for_each_word(std::get<CellLattice>(hamiltonian_), seed_, realisation, threads_,
                  [&](std::size_t rank, std::size_t, std::uint32_t bits) { vacancies[rank] += std::popcount(bits); });
    count_ = sites_;
    for (const std::int64_t count : vacancies) count_ -= count;
    realisation_ = realisation;
    return count_;
}

}  // namespace legato::kpm
