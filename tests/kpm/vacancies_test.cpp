// Tests unit-cell lattices with vacancies against dense matrices from which the sites are removed.
#define BOOST_TEST_MODULE kpm_vacancies
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <set>

#include "core/larger.hpp"
#include "crystals.hpp"
#include "kpm/engine.hpp"
#include "kpm/fingerprint.hpp"
#include "kpm/function.hpp"
#include "kpm/shared_hamiltonian.hpp"
#include "kpm/vacancies.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

constexpr std::uint64_t seed = 5;

CellLattice without_vacancies(CellLattice lattice) {
    lattice.vacancies.clear();
    lattice.vacancy_concentration.fill(0);
    return lattice;
}

// Returns the sites that are no vacancies, from the definition: given ones, and those whose random number is below the
// concentration of their orbital.
std::vector<std::int64_t> remaining(const CellLattice& lattice, std::int64_t realisation) {
    std::vector<std::int64_t> sites;
    for (std::int64_t site = 0; site < lattice.sites(); ++site) {
        const auto number = static_cast<std::uint64_t>(site);
        const bool given = std::count(lattice.vacancies.begin(), lattice.vacancies.end(), site) > 0;
        const double u = random_pair(seed, vacancy_stream, static_cast<std::uint64_t>(realisation), number).first;
        const double c = lattice.vacancy_concentration[number % static_cast<std::uint64_t>(lattice.orbitals)];
        if (!given && !(u < c)) sites.push_back(site);
    }
    return sites;
}

// Returns the matrix of the remaining sites.
Hermitian reduced(const CellLattice& lattice, std::int64_t realisation) {
    const Hermitian all = dense_complex(matrix_of(without_vacancies(lattice), seed, realisation, 1));
    const std::vector<std::int64_t> sites = remaining(lattice, realisation);
    Hermitian h(sites.size());
    for (std::size_t row = 0; row < h.n; ++row)
        for (std::size_t column = 0; column < h.n; ++column)
            h(row, column) = all(static_cast<std::size_t>(sites[row]), static_cast<std::size_t>(sites[column]));
    return h;
}

// Returns lattices whose matrices can be diagonalised.
std::vector<CellLattice> small_lattices() {
    std::vector<CellLattice> all;
    for (const CellLattice& lattice : crystals_with_vacancies())
        if (lattice.sites() <= 130) all.push_back(lattice);
    CellLattice honeycomb = graphene(6, 5);
    honeycomb.vacancies = {0, 7, 8, 31};
    all.push_back(honeycomb);
    honeycomb.vacancy_concentration = {0.3, 0.05};
    all.push_back(honeycomb);
    return all;
}

std::vector<double> all_samples(const Solver& solver) {
    std::vector<double> all;
    for (std::int64_t s = 0; s < solver.samples(); ++s)
        all.insert(all.end(), solver.sample(s).begin(), solver.sample(s).end());
    return all;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

Problem random_vectors(const CellLattice& lattice, int vectors) {
    Problem problem;
    problem.seed = seed;
    problem.moments = 40;
    problem.vectors = vectors;
    problem.realisations = 2;
    problem.start_vectors = is_complex(lattice) ? StartVectors::phase : StartVectors::sign;
    return problem;
}

}  // namespace

BOOST_AUTO_TEST_CASE(sets_are_those_of_the_definition_for_any_number_of_threads) {
    for (const CellLattice& lattice : crystals_with_vacancies())
        for (const std::int64_t realisation : {0, 3}) {
            const std::vector<std::int64_t> sites = remaining(lattice, realisation);
            const Pages<std::uint32_t> words = draw_vacancies(lattice, seed, realisation, 1);
            std::vector<std::int64_t> found;
            for (std::int64_t site = 0; site < lattice.sites(); ++site)
                if (!is_vacancy(words.data(), site)) found.push_back(site);
            BOOST_TEST((found == sites));
            for (const int threads : {2, 5}) BOOST_TEST((draw_vacancies(lattice, seed, realisation, threads) == words));
            const Hamiltonian hamiltonian = lattice;
            BOOST_TEST(RemainingSites(hamiltonian, seed, 3).in(realisation) == static_cast<std::int64_t>(sites.size()));
        }
}

// Numbers of vacancies in units of their standard deviation.
BOOST_AUTO_TEST_CASE(concentrations_of_orbitals) {
    CellLattice lattice = graphene(300, 200);
    lattice.vacancy_concentration = {0.3, 0.01};
    const std::int64_t cells = lattice.cells();
    const Pages<std::uint32_t> first = draw_vacancies(lattice, seed, 0, 2),
                               second = draw_vacancies(lattice, seed, 1, 2);
    const auto pull = [&](double count, double p) {
        const auto n = static_cast<double>(cells);
        return std::abs(count - p * n) / std::sqrt(p * (1 - p) * n);
    };
    for (const std::int64_t orbital : {0, 1}) {
        const double p = lattice.vacancy_concentration[static_cast<std::size_t>(orbital)];
        double one = 0, both = 0, pairs = 0;
        for (std::int64_t cell = 0; cell < cells; ++cell) {
            const std::int64_t site = 2 * cell + orbital, next = 2 * ((cell + 1) % cells) + orbital;
            one += is_vacancy(first.data(), site);
            both += is_vacancy(first.data(), site) && is_vacancy(second.data(), site);
            pairs += is_vacancy(first.data(), site) && is_vacancy(first.data(), next);
        }
        BOOST_TEST(pull(one, p) < 4);
        BOOST_TEST(pull(both, p * p) < 4);
        BOOST_TEST(pull(pairs, p * p) < 4.5);
    }
}

BOOST_AUTO_TEST_CASE(matrices_have_empty_rows_and_columns) {
    for (const CellLattice& lattice : crystals_with_vacancies()) {
        if (lattice.sites() > 1000) continue;
        const Hermitian all = dense_complex(matrix_of(without_vacancies(lattice), seed, 1, 1));
        const CrsMatrix matrix = matrix_of(lattice, seed, 1, 2);
        const std::vector<std::int64_t> left = remaining(lattice, 1);
        const std::set<std::int64_t> sites(left.begin(), left.end());
        Hermitian expected(all.n);
        for (const std::int64_t row : sites)
            for (const std::int64_t column : sites) {
                const auto i = static_cast<std::size_t>(row), j = static_cast<std::size_t>(column);
                expected(i, j) = all(i, j);
            }
        BOOST_TEST((dense_complex(matrix).values == expected.values));
        BOOST_TEST(static_cast<std::int64_t>(matrix.columns.size()) <= elements_of(lattice));
        for (std::int64_t row = 0; row < lattice.sites(); ++row) {
            const auto at = static_cast<std::size_t>(row);
            BOOST_TEST((matrix.row_pointers[at] == matrix.row_pointers[at + 1]) == !sites.contains(row));
        }
    }
}

// Unit vectors of all sites as the caller's start vectors give the trace of each realisation. Those of vacancies
// contribute nothing, and the sum of the samples is divided by the number of remaining sites.
BOOST_AUTO_TEST_CASE(moments_are_those_of_the_remaining_sites) {
    double worst = 0;
    Context context = make_context(2);
    for (const CellLattice& lattice : small_lattices()) {
        Problem problem;
        problem.seed = seed;
        problem.moments = 50;
        problem.vectors = static_cast<int>(lattice.sites());
        problem.realisations = 3;
        problem.start_vectors = StartVectors::caller;
        const int lanes = is_complex(lattice) ? 2 : 1;
        const StartVectorSource source = [&](std::int64_t sample, std::span<double> vector) {
            std::fill(vector.begin(), vector.end(), 0.0);
            vector[static_cast<std::size_t>(sample % lattice.sites() * lanes)] = 1;
        };
        for (const Format format : {Format::stencil, Format::crs, Format::ell}) {
            problem.format = format;
            Solver solver(context, problem, prepared(lattice), source);
            solver.run({});
            for (std::int64_t s = 0; s < 3; ++s) {
                std::vector<double> trace(50);
                for (std::int64_t site = 0; site < lattice.sites(); ++site)
                    for (std::size_t n = 0; n < 50; ++n) trace[n] += solver.sample(s * lattice.sites() + site)[n];
                const std::vector<double> energies = eigenvalues(reduced(lattice, s));
                const Interval bounds = gershgorin_bounds(lattice, seed, 3, 1);
                BOOST_TEST(energies.front() >= bounds.lowest - 1e-12);
                BOOST_TEST(energies.back() <= bounds.highest + 1e-12);
                worst = larger(worst, largest_difference(trace, exact_moments(energies, solver.rescaling(), 50)));
            }
        }
    }
    BOOST_TEST_MESSAGE("largest difference " << worst);
    BOOST_TEST(worst < 1e-12);
}

BOOST_AUTO_TEST_CASE(moment_zero_is_one) {
    Context context = make_context();
    for (const CellLattice& lattice : crystals_with_vacancies()) {
        Problem problem = random_vectors(lattice, 3);
        problem.start_vectors = StartVectors::sign;
        const auto solver = finished(context, problem, lattice);
        for (std::int64_t s = 0; s < solver->samples(); ++s) BOOST_TEST(solver->sample(s)[0] == 1.0);
    }
}

// Local moments of random vacancies are 0, those of other sites are <i|T_n|i>.
BOOST_AUTO_TEST_CASE(local_moments) {
    Context context = make_context();
    CellLattice lattice = graphene(4, 3);
    lattice.vacancies = {2};
    lattice.vacancy_concentration = {0.4, 0.2};
    Problem problem = all_sites(lattice.sites(), 3);
    problem.seed = seed;
    problem.realisations = 4;
    problem.sites.erase(problem.sites.begin() + 2);
    problem.bounds = Bounds::interval;
    problem.lowest = -4;
    problem.highest = 4;
    problem.margin = 0;
    const auto solver = finished(context, problem, lattice);
    for (std::int64_t s = 0; s < 4; ++s) {
        const std::vector<std::int64_t> left = remaining(lattice, s);
        const Hermitian h = reduced(lattice, s);
        for (std::int64_t i = 0; i < vectors_of(problem); ++i) {
            const auto moments = solver->sample(s * vectors_of(problem) + i);
            const auto at = std::find(left.begin(), left.end(), problem.sites[static_cast<std::size_t>(i)]);
            double squared = 0;
            if (at != left.end())
                for (std::size_t k = 0; k < h.n; ++k)
                    squared += std::norm(h(k, static_cast<std::size_t>(at - left.begin())));
            BOOST_TEST(moments[0] == (at == left.end() ? 0.0 : 1.0));
            BOOST_TEST(std::abs(8 * (moments[2] + moments[0]) - squared) < 1e-14);
        }
    }
}

// A bipartite lattice from which one sublattice loses k sites more than the other has at least k states at 0. The
// number of states there is the trace of a narrow Gaussian.
BOOST_AUTO_TEST_CASE(zero_modes_of_graphene) {
    Context context = make_context(2);
    CellLattice lattice = graphene(7, 5);  // without vacancies no state is at 0
    lattice.vacancies = {0, 6, 20, 34, 52, 11};
    const std::vector<double> energies = eigenvalues(reduced(lattice, 0));
    BOOST_TEST(std::count_if(energies.begin(), energies.end(), [](double e) { return std::abs(e) < 1e-12; }) == 4);
    const auto sites = static_cast<std::size_t>(lattice.sites());
    std::vector<double> in(sites * sites), out(sites * sites);
    for (std::size_t i = 0; i < sites; ++i) in[i * sites + i] = 1;
    constexpr double width = 0.02;
    double others = 0;
    for (const double e : energies) others += std::abs(e) < 1e-12 ? 0 : std::exp(-e * e / (2 * width * width));
    for (const Format format : {Format::stencil, Format::crs, Format::ell}) {
        Problem problem;
        problem.format = format;
        Function function(context, problem, prepared(lattice), 0);
        function.set(FunctionKind::gaussian, 0, width, 1e-12);
        function.apply({static_cast<std::int64_t>(sites), 1, in, out}, {});
        double trace = 0;
        for (std::size_t i = 0; i < sites; ++i) trace += out[i * sites + i];
        BOOST_TEST(std::abs(trace - 4 - others) < 1e-9);
        for (const std::int64_t vacancy : lattice.vacancies)
            for (std::size_t i = 0; i < sites; ++i) {
                BOOST_TEST(out[static_cast<std::size_t>(vacancy) * sites + i] == 0.0);
                BOOST_TEST(out[i * sites + static_cast<std::size_t>(vacancy)] == 0.0);
            }
    }
}

BOOST_AUTO_TEST_CASE(the_same_moments_in_all_formats_and_the_same_bits_for_any_width_and_threads) {
    int number = 0;
    for (const CellLattice& lattice : crystals_with_vacancies()) {
        Problem problem = random_vectors(lattice, 9);
        problem.block_width = 1;
        Context one = make_context(1);
        const std::vector<double> moments = all_samples(*finished(one, problem, lattice));
        for (const int width : {2, 5, 9}) {
            problem.block_width = width;
            Context context = make_context(1 + width % 4);
            BOOST_TEST(same_bits(moments, all_samples(*finished(context, problem, lattice))), "lattice " << number);
        }
        for (const Format format : {Format::crs, Format::ell}) {
            problem.format = format;
            BOOST_TEST(largest_difference(moments, all_samples(*finished(one, problem, lattice))) < 2e-12,
                       "lattice " << number);
        }
        problem.format = Format::auto_;
        problem.precision = Precision::single;
        BOOST_TEST(largest_difference(moments, all_samples(*finished(one, problem, lattice))) < 2e-4,
                   "lattice " << number);
        ++number;
    }
}

// Vacancies do not change the energies of other sites.
BOOST_AUTO_TEST_CASE(disorder_has_the_same_bits_with_vacancies) {
    CellLattice lattice = graphene(6, 6);
    lattice.on_site = OnSite::box;
    lattice.disorder = 3;
    const Hermitian all = dense_complex(matrix_of(lattice, seed, 1, 1));
    lattice.vacancy_concentration.fill(0.4);
    const Hermitian some = dense_complex(matrix_of(lattice, seed, 1, 1));
    const std::vector<std::int64_t> left = remaining(lattice, 1);
    for (const std::int64_t site : left) {
        const auto at = static_cast<std::size_t>(site);
        BOOST_TEST(some(at, at) == all(at, at));
    }
    BOOST_TEST((left.size() > 20 && left.size() < 60));
}

// Lanczos's bounds enclose the spectrum of the remaining sites, also if a single one is left.
BOOST_AUTO_TEST_CASE(lanczos_bounds_enclose_the_remaining_sites) {
    Context context = make_context();
    for (const CellLattice& lattice : small_lattices()) {
        Problem problem = random_vectors(lattice, 2);
        problem.bounds = Bounds::lanczos;
        const auto solver = finished(context, problem, lattice);
        for (std::int64_t s = 0; s < 2; ++s) {
            const std::vector<double> energies = eigenvalues(reduced(lattice, s));
            const Rescaling& scale = solver->rescaling();
            BOOST_TEST(energies.front() >= scale.centre - scale.half_width);
            BOOST_TEST(energies.back() <= scale.centre + scale.half_width);
        }
    }
    CellLattice one = graphene(3, 3);
    one.energies = {0.5, -0.25};
    for (std::int64_t site = 1; site < one.sites(); ++site) one.vacancies.push_back(site);
    for (const Bounds bounds : {Bounds::gershgorin, Bounds::lanczos}) {
        Problem problem = random_vectors(one, 2);
        problem.bounds = bounds;
        const auto solver = finished(context, problem, one);
        const Rescaling& scale = solver->rescaling();
        for (std::int64_t s = 0; s < 2; ++s)
            BOOST_TEST(std::abs(scale.centre + scale.half_width * solver->sample(s)[1] - 0.5) < 1e-9);
    }
}

BOOST_AUTO_TEST_CASE(fingerprints_memory_and_energies_of_vacancies) {
    const CellLattice none = graphene(8, 8);
    CellLattice given = none, random = none, both = none;
    given.vacancies = {1};
    random.vacancy_concentration[1] = 0.1;
    both.vacancies = {1};
    both.vacancy_concentration[1] = 0.1;
    std::set<std::int64_t> prints;
    for (const CellLattice& lattice : {none, given, random, both}) prints.insert(fingerprint(lattice));
    given.vacancies = {2};
    prints.insert(fingerprint(given));
    random.vacancy_concentration = {0.1, 0};
    prints.insert(fingerprint(random));
    BOOST_TEST(prints.size() == 6U);
    CellLattice unused = none;
    unused.vacancy_concentration[5] = 0.1;  // there are two orbitals
    BOOST_TEST(fingerprint(unused) == fingerprint(none));
    BOOST_TEST(!is_random(unused));
    BOOST_TEST(is_random(random));
    BOOST_TEST(!is_random(given));
    for (const Format format : {Format::stencil, Format::crs, Format::ell})
        BOOST_TEST(memory_needs(Backend::cpu, {}, given, format).fixed ==
                   memory_needs(Backend::cpu, {}, none, format).fixed + 2 * 16);
    CellLattice far = none;  // the energy of a vacancy does not widen the bounds
    far.on_site = OnSite::energies;
    far.site_energies.assign(128, 0.0);
    far.site_energies[9] = 1e6;
    far.vacancies = {9};
    BOOST_TEST(gershgorin_bounds(far, 1, 1, 1).highest == 3.0);
}

BOOST_AUTO_TEST_CASE(refusals_name_the_field_the_value_and_the_range) {
    const auto refused = [](const auto& change, const std::string& message) {
        CellLattice lattice = graphene(3, 2);
        change(lattice);
        Hamiltonian hamiltonian = lattice;
        const auto [status, said] = failure_of([&] { prepare(hamiltonian); });
        BOOST_TEST(said.starts_with(message), said);
    };
    refused([](CellLattice& l) { l.vacancy_concentration[1] = 1; },
            "kpm.cell_lattice.vacancy_concentration[1]: 1 is not in [0, 0.999999]");
    refused([](CellLattice& l) { l.vacancy_concentration[15] = NAN; },
            "kpm.cell_lattice.vacancy_concentration[15]: nan is not in [0, 0.999999]");
    refused([](CellLattice& l) { l.vacancy_concentration[0] = -1e-9; },
            "kpm.cell_lattice.vacancy_concentration[0]: -1e-09 is not in [0, 0.999999]");
    refused([](CellLattice& l) { l.vacancies = {3, 12}; }, "kpm.vacancies[1]: 12 is not in 0..11");
    refused([](CellLattice& l) { l.vacancies = {-1}; }, "kpm.vacancies[0]: -1 is not in 0..11");
    refused([](CellLattice& l) { l.vacancies = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11}; },
            "kpm.vacancies: all 12 sites are vacancies; at least one must remain");
    refused([](CellLattice& l) { l.vacancies = {5, 5, 0, 5}; }, "nothing thrown");

    Context context = make_context();
    CellLattice lattice = graphene(3, 2);
    lattice.vacancies = {7, 4};
    Problem problem;
    problem.start_vectors = StartVectors::sites;
    problem.sites = {3, 7};
    const auto [status, said] = failure_of([&] { const Solver solver(context, problem, prepared(lattice)); });
    BOOST_TEST(said.starts_with("kpm.sites[1]: site 7 is a vacancy"), said);
    lattice.vacancy_concentration.fill(0.999);
    problem = {};
    problem.realisations = 100;
    const auto [status_of_all, of_all] = failure_of([&] { const Solver solver(context, problem, prepared(lattice)); });
    BOOST_TEST(of_all.starts_with("kpm.cell_lattice.vacancy_concentration: all 12 sites of realisation "), of_all);
}

BOOST_AUTO_TEST_CASE(vacancies_of_a_shared_hamiltonian_can_be_replaced) {
    Context context = make_context();
    Hamiltonian lattice = graphene(5, 4);
    prepare(lattice);
    SharedHamiltonian shared(lattice);
    const std::shared_ptr<const Hamiltonian> before = shared;
    const std::vector<std::int64_t> sites{7, 3, 7};
    shared.set_vacancies(sites);
    const std::shared_ptr<const Hamiltonian> after = shared;
    BOOST_TEST(!has_vacancies(*before));
    BOOST_TEST((std::get<CellLattice>(*after).vacancies == std::vector<std::int64_t>{3, 7}));
    const std::vector<std::int64_t> wrong{40};
    BOOST_TEST(failure_of([&] { shared.set_vacancies(wrong); }).second == "kpm.vacancies[0]: 40 is not in 0..39");
    BOOST_TEST((std::shared_ptr<const Hamiltonian>(shared) == after));
    shared.set_vacancies({});
    BOOST_TEST(!has_vacancies(*std::shared_ptr<const Hamiltonian>(shared)));
    SharedHamiltonian simple(Hamiltonian{Lattice{}});
    BOOST_TEST(
        failure_of([&] { simple.set_vacancies(sites); }).second.starts_with("kpm.hamiltonian: it is not a unit"));
}
