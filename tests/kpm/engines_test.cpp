// Compares the CUDA engine with the CPU engine.
#define BOOST_TEST_MODULE kpm_engines
#define BOOST_TEST_NO_MAIN
#include <boost/test/unit_test.hpp>

#include "../device_main.hpp"
#include "core/device.hpp"
#include "core/larger.hpp"
#include "core/memory.hpp"
#include "crystals.hpp"
#include "kpm/cell_walk.hpp"
#include "kpm/engine.hpp"
#include "kpm/function.hpp"
#include "kpm/green.hpp"
#include "kpm/start_vectors.hpp"
#include "kpm/vacancies.hpp"
#include "runs.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

// Returns a context that lives longer than the solvers.
Context& context_on(Backend backend) {
    ContextOptions options;
    options.backend = backend;
    options.log_level = LogLevel::silent;
    static std::vector<std::unique_ptr<Context>> contexts;
    contexts.push_back(std::make_unique<Context>(options));
    return *contexts.back();
}

std::unique_ptr<Solver> finished_on(Backend backend, const Problem& problem, const Hamiltonian& hamiltonian,
                                    const StartVectorSource& source = {}) {
    auto solver = std::make_unique<Solver>(context_on(backend), problem, prepared(hamiltonian), source);
    solver->run({});
    return solver;
}

// Returns the largest deviation of the moments of all samples.
double deviation(const Problem& problem, const Hamiltonian& hamiltonian) {
    const auto a = finished_on(Backend::cpu, problem, hamiltonian),
               b = finished_on(Backend::cuda, problem, hamiltonian);
    double worst = 0;
    for (std::int64_t s = 0; s < a->samples(); ++s)
        for (std::size_t n = 0; n < a->sample(s).size(); ++n)
            worst = larger(worst, std::fabs(a->sample(s)[n] - b->sample(s)[n]));
    return worst;
}

Problem small_problem(int vectors) {
    Problem problem;
    problem.moments = 50;
    problem.vectors = vectors;
    problem.realisations = 2;
    return problem;
}

bool same_bits(const Solver& a, const Solver& b) {
    if (a.samples_done() != b.samples_done()) return false;
    for (std::int64_t s = 0; s < a.samples_done(); ++s)
        if (!std::equal(a.sample(s).begin(), a.sample(s).end(), b.sample(s).begin())) return false;
    return true;
}

// Returns a matrix in which rows 0, 3, 6, .. form a ring and the others are empty.
CrsMatrix with_empty_rows(std::int32_t rows) {
    CrsMatrix matrix;
    matrix.row_pointers.push_back(0);
    for (std::int32_t i = 0; i < rows; ++i) {
        if (i % 3 == 0)
            for (const std::int32_t j : {(i + 3) % rows, (i + rows - 3) % rows}) {
                matrix.columns.push_back(j);
                matrix.values.push_back(-1.5);
            }
        matrix.row_pointers.push_back(static_cast<std::int64_t>(matrix.columns.size()));
    }
    return matrix;
}

// Returns a matrix with elements on the diagonal, in the first row and in the first column.
CrsMatrix arrow(std::int32_t rows) {
    CrsMatrix matrix;
    matrix.row_pointers.push_back(0);
    const auto add = [&](std::int32_t column, double value) {
        matrix.columns.push_back(column);
        matrix.values.push_back(value);
    };
    for (std::int32_t i = 0; i < rows; ++i) {
        if (i > 0) add(0, 1.0 / (1 + i));
        add(i, std::sin(static_cast<double>(i)));
        if (i == 0)
            for (std::int32_t j = 1; j < rows; ++j) add(j, 1.0 / (1 + j));
        matrix.row_pointers.push_back(static_cast<std::int64_t>(matrix.columns.size()));
    }
    return matrix;
}

}  // namespace

BOOST_AUTO_TEST_CASE(lattices) {
    const std::vector<std::array<std::int64_t, 3>> all{
        {1, 1, 1},   {2, 1, 1},    {3, 1, 1},    {701, 1, 1}, {1, 1, 101},  {1, 70, 1},   {9, 13, 1},   {130, 1, 90},
        {1, 17, 17}, {2, 2, 2},    {7, 6, 5},    {3, 2, 141}, {8, 8, 8},    {5, 19, 3},   {33, 17, 35}, {64, 64, 40},
        {150, 2, 1}, {2, 2, 4000}, {5, 1, 3000}, {4, 300, 7}, {2500, 1, 1}, {1, 600, 30}, {18, 2, 3},   {50, 40, 9}};
    int number = 0;
    for (const auto& extents : all)
        for (const OnSite on_site : {OnSite::constant, OnSite::box, OnSite::normal, OnSite::energies, OnSite::binary}) {
            Lattice lattice;
            lattice.extents = extents;
            lattice.hopping = number % 3 == 0 ? -0.7 : 1.3;
            for (std::size_t d = 0; d < 3; ++d)
                lattice.boundary[d] = (number >> d) % 2 == 0 ? Boundary::periodic : Boundary::hard_wall;
            lattice.on_site = on_site;
            lattice.energy = 0.3;
            lattice.disorder = 4;
            lattice.concentration = 0.2;
            if (on_site == OnSite::energies)
                for (std::int64_t i = 0; i < lattice.sites(); ++i)
                    lattice.energies.push_back(std::sin(static_cast<double>(i)));
            Problem problem = small_problem(1 + 7 * (number % 10));
            problem.start_vectors = static_cast<StartVectors>(number % 3);
            for (const Format format : {Format::stencil, Format::crs, Format::ell}) {
                problem.format = format;
                BOOST_TEST(deviation(problem, lattice) < 1e-12, extents[0] << " " << extents[1] << " " << extents[2]);
            }
            ++number;
        }
}

// The random crystals of the tests on the CPU, and larger ones, whose rows the device visits plane by plane.
BOOST_AUTO_TEST_CASE(unit_cell_lattices) {
    std::vector<CellLattice> all = crystals();
    for (int number = 0; number < 5; ++number) {
        all.push_back(crystal({300, 250, 1}, 2, 1, number));
        all.push_back(crystal({40, 30, 35}, 4, 2, 10 + number));
    }
    int number = 0;
    for (const CellLattice& lattice : all) {
        Problem problem = small_problem(1 + number % 18);
        problem.start_vectors = is_complex(lattice) && number % 2 == 0 ? StartVectors::phase : StartVectors::sign;
        for (const Format format : {Format::stencil, Format::crs, Format::ell}) {
            problem.format = format;
            BOOST_TEST(deviation(problem, lattice) < 1e-12,
                       "lattice " << number << " format " << static_cast<int>(format));
        }
        ++number;
    }
}

BOOST_AUTO_TEST_CASE(vacancies) {
    std::vector<CellLattice> all = crystals_with_vacancies();
    for (int number = 0; number < 4; ++number) {
        all.push_back(number % 2 == 0 ? crystal({300, 250, 1}, 2, 1, number) : crystal({40, 30, 35}, 4, 2, number));
        if (number > 0) all.back().vacancy_concentration.fill(0.05 * number);
        for (std::int64_t site = 1; number < 2 && site < all.back().sites(); site += 9)
            all.back().vacancies.push_back(site);
    }
    int number = 0;
    for (const CellLattice& lattice : all) {
        Problem problem = small_problem(1 + number % 18);
        problem.realisations = 3;
        problem.start_vectors = is_complex(lattice) && number % 2 == 0 ? StartVectors::phase : StartVectors::sign;
        if (number % 3 == 0) problem.start_vectors = StartVectors::gaussian;
        for (const Format format : {Format::stencil, Format::crs, Format::ell}) {
            problem.format = format;
            BOOST_TEST(deviation(problem, lattice) < 1e-12,
                       "lattice " << number << " format " << static_cast<int>(format));
        }
        ++number;
    }
}

// Elements of the caller's vectors at vacancies count as 0.
BOOST_AUTO_TEST_CASE(vacancies_and_vectors_of_the_caller) {
    for (const int number : {1, 3}) {
        CellLattice lattice = crystal({12, 10, 7}, 2, 1, number);
        lattice.vacancies = {0, 5, 64, 65, 1000};
        lattice.vacancy_concentration = {0.2, 0.1};
        Problem problem = small_problem(7);
        problem.start_vectors = StartVectors::caller;
        const StartVectorSource source = [](std::int64_t sample, std::span<double> vector) {
            for (std::size_t i = 0; i < vector.size(); ++i)
                vector[i] = std::sin(static_cast<double>(i + 1) * static_cast<double>(sample + 1));
        };
        for (const Format format : {Format::stencil, Format::ell}) {
            problem.format = format;
            const auto a = finished_on(Backend::cpu, problem, lattice, source),
                       b = finished_on(Backend::cuda, problem, lattice, source);
            for (std::int64_t s = 0; s < a->samples(); ++s)
                for (std::size_t n = 0; n < a->sample(s).size(); ++n)
                    BOOST_TEST(std::fabs(a->sample(s)[n] - b->sample(s)[n]) < 1e-12);
        }
    }
}

// Without hoppings and with the interval [-1, 1], moment 1 of a site is its energy, and moment 0 of a vacancy is 0. The
// device draws both with the bits of the host; normal numbers are the same to rounding.
BOOST_AUTO_TEST_CASE(energies_and_vacancies_have_the_bits_of_the_host) {
    for (const OnSite on_site : {OnSite::constant, OnSite::box, OnSite::binary, OnSite::energies, OnSite::normal}) {
        CellLattice lattice;
        lattice.extents = {31, 7, 5};
        lattice.orbitals = 3;
        lattice.energies = {0.1, -0.05, 0.3};
        lattice.on_site = on_site;
        lattice.disorder = on_site == OnSite::normal ? 0.05 : 0.9;
        lattice.concentration = 0.3;
        if (on_site == OnSite::energies)
            for (std::int64_t s = 0; s < lattice.sites(); ++s)
                lattice.site_energies.push_back(0.4 * std::sin(static_cast<double>(s)));
        lattice.vacancy_concentration = {0.5, 0, 0.01};
        Problem problem = all_sites(lattice.sites(), 2);
        problem.realisations = 2;
        problem.format = Format::stencil;
        problem.bounds = Bounds::interval;
        problem.lowest = -1;
        problem.highest = 1;
        problem.margin = 0;
        const auto solver = finished_on(Backend::cuda, problem, lattice);
        std::vector<double> energies(static_cast<std::size_t>(lattice.sites()));
        for (std::int64_t s = 0; s < 2; ++s) {
            const auto seed = static_cast<std::uint64_t>(problem.seed);
            draw_energies(lattice, seed, s, 0, energies);
            const Pages<std::uint32_t> vacancies = draw_vacancies(lattice, seed, s, 1);
            double worst = 0;
            bool right = true;
            for (std::int64_t site = 0; site < lattice.sites(); ++site) {
                const auto sample = solver->sample(s * lattice.sites() + site);
                const bool missing = is_vacancy(vacancies.data(), site);
                right = right && sample[0] == (missing ? 0.0 : 1.0);
                const double energy = missing ? 0.0 : energies[static_cast<std::size_t>(site)];
                worst = larger(worst, std::fabs(sample[1] - energy));
            }
            BOOST_TEST(right);
            BOOST_TEST(worst <= (on_site == OnSite::normal ? 1e-15 : 0.0), static_cast<int>(on_site));
        }
    }
}

// Acceptance test K1 on the device.
BOOST_AUTO_TEST_CASE(random_sparse_matrices) {
    std::mt19937_64 random(4);
    for (int i = 0; i < 30; ++i) {
        const std::int32_t rows = 50 + 450 * i / 29;
        const CrsMatrix matrix = random_matrix(random, rows, 2 + i % 9);
        const std::vector<double> energies = eigenvalues(matrix);
        for (const Format format : {Format::crs, Format::ell}) {
            Problem problem = all_sites(rows, 200);
            problem.format = format;
            const auto solver = finished_on(Backend::cuda, problem, matrix);
            BOOST_TEST(largest_difference(solver->moments().mean, exact_moments(energies, solver->rescaling(), 200)) <
                       1e-12);
        }
    }
}

// Blocks of 64 and 63 vectors are divided into panels of every available width: 32, 16, .. 1 for a matrix, 8, 4, 2, 1
// for a lattice.
BOOST_AUTO_TEST_CASE(matrices_and_panels) {
    std::mt19937_64 random(7);
    const std::vector<CrsMatrix> matrices{with_empty_rows(999), with_empty_rows(3), arrow(41), arrow(600),
                                          random_matrix(random, 777, 6)};
    for (const int width : {1, 7, 15, 31, 63, 64}) {
        Problem problem = small_problem(width + 1);
        problem.block_width = width;
        problem.start_vectors = StartVectors::gaussian;
        for (const Format format : {Format::crs, Format::ell}) {
            problem.format = format;
            for (const CrsMatrix& matrix : matrices)
                BOOST_TEST(deviation(problem, matrix) < 1e-12, matrix.rows() << " rows, width " << width);
        }
        problem.format = Format::stencil;
        Lattice lattice;
        lattice.extents = {21, 18, 9};
        BOOST_TEST(deviation(problem, lattice) < 1e-12, "width " << width);
    }
}

// Rows in patterns have the bits of padded rows, which are stored with their elements. A lattice with random
// energies has few patterns; the last matrix has more than fit in shared memory.
BOOST_AUTO_TEST_CASE(patterns_of_rows) {
    Lattice box;
    box.extents = {33, 17, 12};
    box.boundary = {Boundary::periodic, Boundary::hard_wall, Boundary::periodic};
    box.on_site = OnSite::box;
    box.disorder = 2;
    CellLattice flux = haldane(14, 9, 0.2, 0.4, 0.1);
    CrsMatrix many = matrix_of(box, 5, 0);
    for (std::size_t k = 0; k < many.values.size(); ++k) many.values[k] = 1;
    for (std::int64_t i = 0; i < many.rows(); ++i)
        for (auto k = static_cast<std::size_t>(many.row_pointers[static_cast<std::size_t>(i)]);
             k < static_cast<std::size_t>(many.row_pointers[static_cast<std::size_t>(i) + 1]); ++k)
            many.values[k] += 1e-3 * static_cast<double>((i + many.columns[k]) % 301);
    const std::vector<Hamiltonian> all{box, flux, matrix_of(box, 5, 0), matrix_of(flux, 1, 0, 1), many};
    for (std::size_t number = 0; number < all.size(); ++number)
        for (const int vectors : {1, 3, 20})
            for (const Precision precision : {Precision::double_, Precision::single}) {
                Problem problem = small_problem(vectors);
                problem.precision = precision;
                problem.format = Format::crs;
                const auto crs = finished_on(Backend::cuda, problem, all[number]);
                problem.format = Format::ell;
                BOOST_TEST(same_bits(*crs, *finished_on(Backend::cuda, problem, all[number])),
                           "matrix " << number << " vectors " << vectors);
            }
}

// A source returns the library's own vectors. The moments are the same, and each vector is asked for once, in order.
// On-site energies that are drawn, or come from a source, are added to the diagonal, also of rows without elements.
BOOST_AUTO_TEST_CASE(matrices_with_disorder) {
    const auto waves = std::make_shared<const EnergySource>([](std::int64_t realisation, std::span<double> energies) {
        for (std::size_t i = 0; i < energies.size(); ++i)
            energies[i] = std::cos(0.3 * static_cast<double>(i) + static_cast<double>(realisation));
    });
    const std::vector<Disorder> kinds{{.on_site = OnSite::box, .strength = 3},
                                      {.on_site = OnSite::normal, .strength = 0.7},
                                      {.on_site = OnSite::energies, .lowest = -1, .highest = 1, .source = waves}};
    Lattice lattice;
    lattice.extents = {60, 50, 60};  // rows are processed in tiles
    std::mt19937_64 random(7);
    const std::vector<std::shared_ptr<const Hamiltonian>> matrices{
        prepared(with_empty_rows(999)), prepared(random_matrix(random, 777, 6)), prepared(matrix_of(lattice, 1, 0))};
    for (const auto& matrix : matrices)
        for (const Disorder& disorder : kinds)
            for (const int width : {1, 7, 33}) {
                CrsView view = *matrix_in(*matrix);
                view.disorder = disorder;
                Problem problem = small_problem(width);
                problem.bounds = width == 7 ? Bounds::lanczos : Bounds::gershgorin;
                for (const Format format : {Format::crs, Format::ell}) {
                    problem.format = format;
                    BOOST_TEST(deviation(problem, view) < 1e-12);
                }
            }
}

BOOST_AUTO_TEST_CASE(given_start_vectors) {
    std::mt19937_64 random(9);
    Lattice lattice;
    lattice.extents = {13, 7, 5};
    lattice.on_site = OnSite::box;
    lattice.disorder = 5;
    for (const Hamiltonian& hamiltonian : {Hamiltonian{lattice}, Hamiltonian{random_matrix(random, 1503, 5)}})
        for (const int width : {1, 5, 15, 32}) {
            Problem problem = small_problem(35);
            problem.block_width = width;
            problem.start_vectors = StartVectors::gaussian;
            const auto expected = finished_on(Backend::cuda, problem, hamiltonian);
            problem.start_vectors = StartVectors::caller;
            std::vector<std::int64_t> asked;
            const auto seed = static_cast<std::uint64_t>(problem.seed);
            const auto found =
                finished_on(Backend::cuda, problem, hamiltonian, [&](std::int64_t sample, std::span<double> vector) {
                    asked.push_back(sample);
                    for (std::size_t i = 0; i < vector.size(); ++i)
                        vector[i] = start_element(StartVectors::gaussian, seed, static_cast<std::uint64_t>(sample), i);
                });
            // Host and device may round a logarithm or a cosine differently.
            double worst = 0;
            for (std::int64_t s = 0; s < found->samples(); ++s)
                for (std::size_t n = 0; n < found->sample(s).size(); ++n)
                    worst = larger(worst, std::fabs(found->sample(s)[n] - expected->sample(s)[n]));
            BOOST_TEST(worst < 1e-12, "width " << width);
            std::vector<std::int64_t> all(70);
            std::iota(all.begin(), all.end(), std::int64_t{0});
            BOOST_TEST(asked == all);
        }
}

// A run that is saved and resumed after each block is bitwise identical to one without a stop.
BOOST_AUTO_TEST_CASE(resuming) {
    const auto path = std::filesystem::temp_directory_path() / "legato_kpm_engines_test.h5";
    std::mt19937_64 random(11);
    Lattice lattice;
    lattice.extents = {19, 18, 17};
    lattice.on_site = OnSite::box;
    lattice.disorder = 5;
    for (const Hamiltonian& hamiltonian : {Hamiltonian{lattice}, Hamiltonian{random_matrix(random, 400, 5)}}) {
        Problem problem = small_problem(11);
        problem.block_width = 4;
        problem.bounds = Bounds::lanczos;
        const auto whole = finished_on(Backend::cuda, problem, hamiltonian);
        Solver part(context_on(Backend::cuda), problem, prepared(hamiltonian));
        for (bool all = false; !all;) {
            part.save(path);
            const auto resumed = Solver::resume(context_on(Backend::cuda), path, prepared(hamiltonian));
            BOOST_TEST(same_bits(*resumed, part));
            resumed->run({});
            BOOST_TEST(same_bits(*resumed, *whole));
            BOOST_TEST(resumed->moments().error == whole->moments().error);
            all = part.advance();
        }
        BOOST_TEST(same_bits(part, *whole));
    }
    std::filesystem::remove(path);
}

// The moments of a vector are bitwise identical in every block and in every run.
BOOST_AUTO_TEST_CASE(the_same_bits) {
    Lattice lattice;
    lattice.extents = {37, 20, 33};
    lattice.on_site = OnSite::box;
    lattice.disorder = 6;
    for (const Precision precision : {Precision::double_, Precision::single})
        for (const Format format : {Format::stencil, Format::crs, Format::ell}) {
            Problem problem = small_problem(45);
            problem.realisations = 1;
            problem.format = format;
            problem.precision = precision;
            problem.block_width = 45;
            const auto together = finished_on(Backend::cuda, problem, lattice);
            for (const int width : {1, 2, 3, 8, 31, 45}) {
                problem.block_width = width;
                const auto other = finished_on(Backend::cuda, problem, lattice);
                for (std::int64_t s = 0; s < 45; ++s)
                    BOOST_TEST(
                        std::equal(together->sample(s).begin(), together->sample(s).end(), other->sample(s).begin()),
                        "width " << width << ", vector " << s);
            }
        }
}

// Moments in single precision differ slightly from those of the CPU, and more from those in double precision.
BOOST_AUTO_TEST_CASE(single_precision) {
    for (const auto& extents : std::vector<std::array<std::int64_t, 3>>{{33, 17, 35}, {130, 1, 90}, {701, 1, 1}})
        for (const Format format : {Format::stencil, Format::crs, Format::ell}) {
            Lattice lattice;
            lattice.extents = extents;
            lattice.on_site = OnSite::box;
            lattice.disorder = 4;
            Problem problem = small_problem(21);
            problem.format = format;
            const auto full = finished_on(Backend::cuda, problem, lattice);
            problem.precision = Precision::single;
            const auto single = finished_on(Backend::cuda, problem, lattice);
            const double difference = largest_difference(full->moments().mean, single->moments().mean);
            BOOST_TEST(difference > 0);
            BOOST_TEST(difference < 1e-6);
            BOOST_TEST(deviation(problem, lattice) < 1e-6);
        }
}

// The products of steps are bitwise identical however many steps one call performs, and with it one pass through the
// vectors.
BOOST_AUTO_TEST_CASE(steps_in_one_pass) {
    const std::vector<std::array<std::int64_t, 3>> all{{1, 1, 1},    {2, 1, 1},    {5, 1, 1},    {1023, 1, 1},
                                                       {5000, 1, 1}, {2, 3, 1},    {515, 37, 1}, {1100, 70, 1},
                                                       {17, 2, 2},   {31, 17, 19}, {33, 16, 64}, {70, 40, 21}};
    int number = 0;
    for (const auto& extents : all)
        for (const Precision precision : {Precision::double_, Precision::single}) {
            Lattice lattice;
            lattice.extents = extents;
            for (std::size_t d = 0; d < 3; ++d)
                lattice.boundary[d] = (number >> d) % 2 == 0 ? Boundary::periodic : Boundary::hard_wall;
            lattice.on_site = number % 3 == 0 ? OnSite::constant : OnSite::box;
            lattice.energy = 0.3;
            lattice.disorder = 4;
            Problem problem = small_problem(23);
            problem.precision = precision;
            const Hamiltonian hamiltonian = lattice;
            const int width = 23, steps = 21;
            const auto products = [&](const std::vector<int>& counts) {
                const auto engine =
                    make_engine(context_on(Backend::cuda), Backend::cuda, problem, hamiltonian, Format::stencil, width);
                Block block;
                block.width = width;
                engine->begin(block);
                std::vector<double> all_products, xx(width), yx(width);
                engine->steps({0.125, 0.0625, 0, true}, 1, xx, yx);
                for (const int count : counts) {
                    xx.resize(static_cast<std::size_t>(width * count));
                    yx.resize(xx.size());
                    engine->steps({0.25, 0.125, -1, true}, count, xx, yx);
                    for (std::size_t i = 0; i < xx.size(); ++i) all_products.insert(all_products.end(), {xx[i], yx[i]});
                }
                return all_products;
            };
            const auto expected = products(std::vector<int>(steps, 1));
            BOOST_TEST(std::isfinite(expected.back()));
            for (const std::vector<int>& counts : {std::vector<int>{21}, {2, 19}, {1, 3, 7, 10}})
                BOOST_TEST((products(counts) == expected),
                           extents[0] << " " << extents[1] << " " << extents[2] << ", " << counts.size() << " calls");
            ++number;
        }
}

// Rows in shared memory give the same bits as those that are found for each cell. With the second flux the rows change
// from plane to plane, because only 70 times the flux is an integer, and are not made in shared memory.
BOOST_AUTO_TEST_CASE(rows_of_cells_in_shared_memory) {
    std::vector<CellLattice> all = crystals();
    for (CellLattice& lattice : crystals_with_vacancies()) all.push_back(lattice);
    for (int number = 0; number < 12; ++number) {
        all.push_back(crystal({70 + number, 37, 1}, 2, 1 + number % 2, number));
        all.push_back(crystal({19, 11 + number, 13}, 1 + number % 4, 1, number));
        all.push_back(crystal({9, 33, 41}, 1, 1 + number % 3, number));
    }
    for (const std::int64_t length : {20, 32, 33, 50, 63, 64, 65, 2050})
        all.push_back(crystal({length, 1, 1}, 1 + static_cast<int>(length % 2), 2, static_cast<int>(length)));
    // Chunks of these have four quarters.
    all.push_back(crystal({600, 500, 1}, 1, 1, 1));
    all.push_back(crystal({64, 64, 65}, 1, 1, 2));
    all.push_back(crystal({270001, 1, 1}, 1, 1, 4));
    all.push_back(crystal({40, 41, 42}, 8, 1, 6));
    for (std::size_t face = 0; face < 3; ++face) {
        all.push_back(crystal({64, 40, 70}, 1, 1, 8));
        all.back().flux = {};
        all.back().flux[face] = 1 / static_cast<double>(all.back().extents[(face + 1) % 3]);
    }
    int number = 0;
    for (const CellLattice& lattice : all)
        for (const Precision precision : {Precision::double_, Precision::single}) {
            Problem problem = small_problem(1 + number % 18);
            problem.format = Format::stencil;
            problem.precision = precision;
            problem.bounds = Bounds::gershgorin;
            cells_in_shared_memory = false;
            const auto expected = finished_on(Backend::cuda, problem, lattice);
            cells_in_shared_memory = true;
            BOOST_TEST(same_bits(*expected, *finished_on(Backend::cuda, problem, lattice)), "lattice " << number);
            ++number;
        }
}

// A later solver with a smaller lattice does not take shared memory from an earlier one.
BOOST_AUTO_TEST_CASE(two_solvers_at_the_same_time) {
    Lattice large, small;
    large.extents = {64, 64, 40};
    small.extents = {3, 2, 2};
    Problem problem = small_problem(8);
    problem.block_width = 4;
    Solver first(context_on(Backend::cuda), problem, prepared(large)),
        second(context_on(Backend::cuda), problem, prepared(small));
    first.advance();
    second.run({});
    first.run({});
    BOOST_TEST(same_bits(first, *finished_on(Backend::cuda, problem, large)));
    BOOST_TEST(same_bits(second, *finished_on(Backend::cuda, problem, small)));
}

BOOST_AUTO_TEST_CASE(bounds_and_refusals) {
    Lattice lattice;
    lattice.extents = {30, 30, 30};
    lattice.on_site = OnSite::box;
    lattice.disorder = 10;
    Problem problem = small_problem(4);
    problem.bounds = Bounds::lanczos;
    const auto a = finished_on(Backend::cpu, problem, lattice), b = finished_on(Backend::cuda, problem, lattice);
    BOOST_TEST(std::fabs(a->rescaling().half_width - b->rescaling().half_width) < 1e-8);
    problem.bounds = Bounds::interval;
    problem.lowest = -3;
    problem.highest = 3;
    BOOST_CHECK_EXCEPTION(finished_on(Backend::cuda, problem, lattice), Error,
                          [](const Error& error) { return error.status() == Status::numerical_error; });
    problem = small_problem(4);
    problem.memory_budget = 1000;
    BOOST_CHECK_EXCEPTION(finished_on(Backend::cuda, problem, lattice), Error,
                          [](const Error& error) { return error.status() == Status::out_of_memory; });
}

// If the device is full, AUTO chooses the CPU and says so. A context that names the device refuses the job.
BOOST_AUTO_TEST_CASE(auto_falls_back_where_the_device_is_full) {
    const auto free = static_cast<std::int64_t>(device_info(0).free_memory), host = free_memory().bytes;
    const std::int64_t left = std::min(free, host) / 4;
    Lattice filling;
    filling.extents = {(free - left) / 17, 1, 1};
    Problem problem = small_problem(1);
    problem.realisations = 1;
    ContextOptions options;
    options.backend = Backend::cuda;
    options.log_level = LogLevel::silent;
    Context cuda(options);
    const Solver fills(cuda, problem, prepared(filling));
    Lattice lattice;
    lattice.extents = {left / 8, 1, 1};
    options.backend = Backend::auto_;
    Context automatic(options);
    std::string lines;
    automatic.set_logger(LogLevel::info, [&](LogLevel, std::string_view line) { lines += std::string(line) + "\n"; });
    const Solver solver(automatic, problem, prepared(lattice));
    BOOST_TEST((solver.backend().backend == Backend::cpu));
    BOOST_TEST(lines.find("kpm: backend cuda needs ") != std::string::npos);
    BOOST_CHECK_EXCEPTION(Solver(cuda, problem, prepared(lattice)), Error, [](const Error& error) {
        const std::string what = error.what();
        return error.status() == Status::out_of_memory &&
               what.find(" bytes of device memory are free; ") != std::string::npos &&
               what.find("about ") != std::string::npos;
    });
}

// Plane waves agree, of real and complex lattices in every format, also in blocks of several panels.
BOOST_AUTO_TEST_CASE(plane_waves) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> real(-1, 1);
    Lattice cubic;
    cubic.extents = {33, 17, 35};
    cubic.on_site = OnSite::box;
    cubic.disorder = 2;
    for (const Hamiltonian& hamiltonian :
         {Hamiltonian(cubic), Hamiltonian(graphene(40, 51)), Hamiltonian(haldane(30, 41, 0.2, 0.7, 0.3))})
        for (const bool with_amplitudes : {false, true})
            for (const Format format : {Format::auto_, Format::crs}) {
                Problem problem = small_problem(1);
                problem.format = format;
                std::vector<double> k(3 * 9), amplitudes;
                for (double& one : k) one = real(random);
                const Waves shape = waves_on(hamiltonian, {}, {});
                if (with_amplitudes) amplitudes.resize(static_cast<std::size_t>(2 * 9 * shape.orbitals));
                for (double& one : amplitudes) one = real(random);
                problem.start_vectors = StartVectors::waves;
                problem.waves = waves_on(hamiltonian, k, amplitudes);
                BOOST_TEST(deviation(problem, hamiltonian) < 1e-12);
                problem.precision = Precision::single;
                BOOST_TEST(deviation(problem, hamiltonian) < 1e-4);
            }
}

BOOST_AUTO_TEST_CASE(greens_functions_between_vectors) {
    Lattice cubic;
    cubic.extents = {33, 17, 35};
    cubic.on_site = OnSite::box;
    cubic.disorder = 2;
    const StartVectorSource source = [](std::int64_t number, std::span<double> vector) {
        for (std::size_t i = 0; i < vector.size(); ++i)
            vector[i] = std::sin(static_cast<double>(i * i) + static_cast<double>(number));
    };
    for (const Hamiltonian& hamiltonian : {Hamiltonian(cubic), Hamiltonian(haldane(30, 41, 0.2, 0.7, 0.3))})
        for (const bool given : {false, true}) {
            const GreenSide left = given ? GreenSide{3, {}} : GreenSide{3, {0, 100, 2000}}, right{2, {100, 7}};
            std::vector<std::unique_ptr<Green>> both;
            for (const Backend backend : {Backend::cpu, Backend::cuda}) {
                both.push_back(std::make_unique<Green>(context_on(backend), small_problem(1), prepared(hamiltonian),
                                                       left, right, given ? source : StartVectorSource{}));
                both.back()->run({});
            }
            double worst = 0;
            for (std::int64_t sample = 0; sample < 4; ++sample)
                for (std::int64_t l = 0; l < 3; ++l)
                    for (std::size_t n = 0; n < both[0]->moments(sample, l).size(); ++n)
                        worst =
                            larger(worst, std::abs(both[0]->moments(sample, l)[n] - both[1]->moments(sample, l)[n]));
            BOOST_TEST(worst < 1e-12);
        }
}

int main(int argc, char** argv) {
    return device_main(argc, argv);
}

// Sums of vectors agree, with blocks of several panels.
BOOST_AUTO_TEST_CASE(functions_of_vectors) {
    std::mt19937_64 random(5);
    Lattice lattice;
    lattice.extents = {19, 11, 23};
    lattice.on_site = OnSite::box;
    lattice.disorder = 3;
    for (const Hamiltonian& hamiltonian : {Hamiltonian(lattice), Hamiltonian(random_matrix(random, 2003, 7))})
        for (const Precision precision : {Precision::double_, Precision::single})
            for (const FunctionKind kind : {FunctionKind::evolution, FunctionKind::gaussian}) {
                Problem problem;
                problem.precision = precision;
                std::vector<double> v(static_cast<std::size_t>(22 * sites_of(hamiltonian)));
                for (double& element : v) element = std::normal_distribution<double>()(random);
                std::vector<double> results[2]{v, v};
                for (const Backend backend : {Backend::cpu, Backend::cuda}) {
                    Function function(context_on(backend), problem, prepared(hamiltonian), 0);
                    function.set(kind, 1.5, kind == FunctionKind::gaussian ? 0.8 : 0, 1e-12);
                    function.apply({11, 2, v, results[backend == Backend::cuda ? 1 : 0]}, {});
                }
                BOOST_TEST(largest_difference(results[0], results[1]) <
                           (precision == Precision::single ? 1e-4 : 1e-12));
            }
}
