// Tests the message for every wrong input.
#define BOOST_TEST_MODULE kpm_validate
#include <boost/test/unit_test.hpp>
#include <limits>

#include "kpm/hamiltonian.hpp"
#include "runs.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::string refused(const Problem& problem, const Hamiltonian& hamiltonian,
                    Status expected = Status::invalid_argument) {
    Context context = make_context();
    const auto [status, message] = failure_of([&] { Solver solver(context, problem, prepared(hamiltonian)); });
    BOOST_TEST(static_cast<int>(status) == static_cast<int>(expected));
    return message;
}

template <class Change>
std::string of_problem(const Change& change, Status expected = Status::invalid_argument) {
    Problem problem;
    change(problem);
    Lattice lattice;
    lattice.extents = {4, 4, 4};
    return refused(problem, lattice, expected);
}

template <class Change>
std::string of_lattice(const Change& change, Status expected = Status::invalid_argument) {
    Lattice lattice;
    lattice.extents = {4, 4, 4};
    change(lattice);
    return refused({}, lattice, expected);
}

// Converts an index that counts from `base` to one that counts from 0. Overflow wraps around.
template <class Index>
constexpr Index from_base(Index index, int base) {
    using Bits = std::make_unsigned_t<Index>;
    return static_cast<Index>(static_cast<Bits>(index) - static_cast<Bits>(base));
}

// Changes the matrix of three sites in a row, and returns the message. Indices count from 0 while it is changed, and
// are then converted to count from its index_base.
template <class Change>
std::string of_matrix(const Change& change, Status expected = Status::invalid_argument) {
    CrsMatrix matrix;
    matrix.row_pointers = {0, 1, 3, 4};
    matrix.columns = {1, 0, 2, 1};
    matrix.values = {-1, -1, -0.5, -0.5};
    change(matrix);
    for (std::int64_t& pointer : matrix.row_pointers) pointer = from_base(pointer, -matrix.index_base);
    for (std::int32_t& column : matrix.columns) column = from_base(column, -matrix.index_base);
    return refused({}, matrix, expected);
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_right) {
    const auto nothing = [](auto&) {};
    BOOST_TEST(of_problem(nothing, Status::success) == "nothing thrown");
    BOOST_TEST(of_lattice(nothing, Status::success) == "nothing thrown");
    BOOST_TEST(of_matrix(nothing, Status::success) == "nothing thrown");
    // These fields have no meaning here, so their values are not checked.
    BOOST_TEST(of_problem([](Problem& p) { p.lowest = p.highest = not_a_number; }, Status::success) ==
               "nothing thrown");
    BOOST_TEST(of_problem([](Problem& p) { p.sites = {-3}; }, Status::success) == "nothing thrown");
}

BOOST_AUTO_TEST_CASE(problem_fields) {
    BOOST_TEST(of_problem([](Problem& p) { p.moments = 1; }) == "kpm.params.moments: 1 is not in 2..1048576");
    BOOST_TEST(of_problem([](Problem& p) { p.moments = -7; }) == "kpm.params.moments: -7 is not in 2..1048576");
    BOOST_TEST(of_problem([](Problem& p) { p.start_vectors = static_cast<StartVectors>(7); }) ==
               "kpm.params.start_vectors: 7 is not in 0..6");
    BOOST_TEST(of_problem([](Problem& p) { p.start_vectors = StartVectors::caller; }) ==
               "kpm.params.start_vectors: 4 (given) needs a source of start vectors");
    BOOST_TEST(of_problem([](Problem& p) { p.vectors = 0; }) == "kpm.params.vectors: 0 is not in 1..1048576");
    BOOST_TEST(of_problem([](Problem& p) { p.realisations = 0; }) == "kpm.params.realisations: 0 is not in 1..1048576");
    BOOST_TEST(of_problem([](Problem& p) { p.start_vectors = StartVectors::sites; }) ==
               "kpm.n_sites: 0 is not in 1..2147483647");
    BOOST_TEST(of_problem([](Problem& p) {
                   p.start_vectors = StartVectors::sites;
                   p.sites = {3, 64};
               }) == "kpm.sites[1]: 64 is not in 0..63");
    BOOST_TEST(of_problem([](Problem& p) {
                   p.start_vectors = StartVectors::sites;
                   p.sites = {-1};
               }) == "kpm.sites[0]: -1 is not in 0..63");
    BOOST_TEST(of_problem([](Problem& p) { p.bounds = static_cast<Bounds>(3); }) ==
               "kpm.params.bounds: 3 is not in 0..2");
    BOOST_TEST(of_problem([](Problem& p) { p.margin = -0.1; }) == "kpm.params.margin: -0.1 is not in [0, 10]");
    BOOST_TEST(of_problem([](Problem& p) { p.margin = not_a_number; }) == "kpm.params.margin: nan is not in [0, 10]");
    BOOST_TEST(of_problem([](Problem& p) {
                   p.bounds = Bounds::lanczos;
                   p.lanczos_steps = 1;
               }) == "kpm.params.lanczos_steps: 1 is not in 2..1000");
    BOOST_TEST(of_problem([](Problem& p) { p.format = static_cast<Format>(9); }) ==
               "kpm.params.format: 9 is not in 0..3");
    BOOST_TEST(of_problem([](Problem& p) { p.block_width = 65; }) == "kpm.params.block_width: 65 is not in 0..64");
    BOOST_TEST(of_problem([](Problem& p) { p.block_width = -1; }) == "kpm.params.block_width: -1 is not in 0..64");
    BOOST_TEST(of_problem([](Problem& p) { p.precision = static_cast<Precision>(2); }) ==
               "kpm.params.precision: 2 is not in 0..1");
    BOOST_TEST(of_problem([](Problem& p) { p.memory_budget = -1; }) ==
               "kpm.params.memory_budget: -1 is not in 0..9223372036854775807");
}

BOOST_AUTO_TEST_CASE(given_bounds) {
    const auto given = [](double lowest, double highest) {
        return of_problem([&](Problem& p) {
            p.bounds = Bounds::interval;
            p.lowest = lowest;
            p.highest = highest;
        });
    };
    BOOST_TEST(given(1, 1) == "kpm.params.highest: 1 is not above kpm.params.lowest, 1");
    BOOST_TEST(given(2, -2) == "kpm.params.highest: -2 is not above kpm.params.lowest, 2");
    BOOST_TEST(given(not_a_number, 1) == "kpm.params.lowest: nan is not in [-1e+100, 1e+100]");
    // Tests the narrowest interval allowed, and narrower ones.
    const std::string least =
        "kpm.params.highest: 1000000.0000001 is too near kpm.params.lowest, 1000000; the smallest "
        "value allowed is 1000000.00000404";
    BOOST_TEST(given(1e6, 1e6 + 1e-7) == least);
    BOOST_TEST(given(-1e-101, 1e-101).starts_with("kpm.params.highest: 1e-101 is too near"));
    Problem narrow;
    narrow.bounds = Bounds::interval;
    narrow.lowest = 1e6;
    narrow.highest = 1000000.00000404;
    narrow.margin = 0;
    Context context = make_context();
    const Solver solver(context, narrow, prepared(Lattice{}));
    BOOST_TEST(std::abs(solver.rescaling().half_width - 2.02e-6) < 1e-9);
    BOOST_TEST(given(0, INFINITY) == "kpm.params.highest: inf is not in [-1e+100, 1e+100]");
}

BOOST_AUTO_TEST_CASE(lattices) {
    BOOST_TEST(of_lattice([](Lattice& l) { l.extents[1] = 0; }) ==
               "kpm.lattice.extents[1]: 0 is not in 1..1099511627776");
    BOOST_TEST(of_lattice([](Lattice& l) { l.extents[2] = -5; }) ==
               "kpm.lattice.extents[2]: -5 is not in 1..1099511627776");
    BOOST_TEST(of_lattice([](Lattice& l) {
                   l.extents = {1 << 20, 1 << 20, 2};
               }) == "kpm.lattice.extents: 1048576 x 1048576 x 2 sites are not in 1..1099511627776");
    BOOST_TEST(of_lattice([](Lattice& l) {
                   l.extents = {1LL << 40, 1LL << 40, 1LL << 40};
               }) ==
               "kpm.lattice.extents: 1099511627776 x 1099511627776 x 1099511627776 sites are not in 1..1099511627776");
    BOOST_TEST(of_lattice([](Lattice& l) { l.hopping = not_a_number; }) ==
               "kpm.lattice.hopping: nan is not in [-1000000, 1000000]");
    BOOST_TEST(of_lattice([](Lattice& l) { l.energy = INFINITY; }) ==
               "kpm.lattice.energy: inf is not in [-1000000, 1000000]");
    BOOST_TEST(of_lattice([](Lattice& l) { l.on_site = static_cast<OnSite>(5); }) ==
               "kpm.lattice.on_site: 5 is not in 0..4");
    BOOST_TEST(of_lattice([](Lattice& l) {
                   l.on_site = OnSite::binary;
                   l.concentration = -0.1;
               }) == "kpm.lattice.concentration: -0.1 is not in [0, 1]");
    BOOST_TEST(of_lattice([](Lattice& l) {
                   l.on_site = OnSite::box;
                   l.disorder = -1;
               }) == "kpm.lattice.disorder: -1 is not in [0, 1000000]");
    BOOST_TEST(of_lattice([](Lattice& l) { l.on_site = OnSite::energies; }) ==
               "kpm.lattice.energies: 0 values are not 64, one for each site");
    BOOST_TEST(of_lattice([](Lattice& l) {
                   l.on_site = OnSite::energies;
                   l.energies.assign(64, 1.0);
                   l.energies[63] = not_a_number;
               }) == "kpm.lattice.energies[63]: nan is not in [-1000000, 1000000]");
}

BOOST_AUTO_TEST_CASE(matrices) {
    BOOST_TEST(of_matrix([](CrsMatrix& m) { m = {}; }) == "kpm.matrix.rows: -1 is not in 1..2147483647");
    BOOST_TEST(of_matrix([](CrsMatrix& m) { m.row_pointers = {0}; }) == "kpm.matrix.rows: 0 is not in 1..2147483647");
    BOOST_TEST(of_matrix([](CrsMatrix& m) { m.values.pop_back(); }) ==
               "kpm.matrix.values: 3 values are not 4, one for each of kpm.matrix.columns");
    BOOST_TEST(of_matrix([](CrsMatrix& m) { m.row_pointers[0] = 1; }) ==
               "kpm.matrix.row_pointers[0]: 1 is not in 0..0");
    BOOST_TEST(of_matrix([](CrsMatrix& m) { m.row_pointers[2] = 0; }) ==
               "kpm.matrix.row_pointers[2]: 0 is not in 1..4");
    BOOST_TEST(of_matrix([](CrsMatrix& m) { m.row_pointers[2] = 5; }) ==
               "kpm.matrix.row_pointers[2]: 5 is not in 1..4");
    BOOST_TEST(of_matrix([](CrsMatrix& m) { m.row_pointers[3] = 3; }) ==
               "kpm.matrix.row_pointers[3]: 3 is not 4, the end of 4 elements");
    BOOST_TEST(of_matrix([](CrsMatrix& m) { m.columns[2] = 3; }) == "kpm.matrix.columns[2] (row 1): 3 is not in 0..2");
    BOOST_TEST(of_matrix([](CrsMatrix& m) { m.columns[0] = -1; }) ==
               "kpm.matrix.columns[0] (row 0): -1 is not in 0..2");
    BOOST_TEST(of_matrix([](CrsMatrix& m) { m.values[1] = not_a_number; }) ==
               "kpm.matrix.values[1] (row 1, column 0): nan is not in [-1e+100, 1e+100]");
    BOOST_TEST(of_matrix([](CrsMatrix& m) { m.values[3] = 1e200; }) ==
               "kpm.matrix.values[3] (row 2, column 1): 1e+200 is not in [-1e+100, 1e+100]");
    BOOST_TEST(of_matrix([](CrsMatrix& m) { m.index_base = 2; }) == "kpm.matrix.index_base: 2 is not in 0..1");
    // The message gives the value that a Fortran caller passed, although it is not a valid index.
    BOOST_TEST(of_matrix([](CrsMatrix& m) {
                   m.index_base = 1;
                   m.columns[2] = from_base(std::numeric_limits<std::int32_t>::min(), 1);
               }) == "kpm.matrix.columns[2] (row 2): -2147483648 is not in 1..3");
    BOOST_TEST(of_matrix([](CrsMatrix& m) {
                   m.index_base = 1;
                   m.row_pointers[1] = from_base(std::numeric_limits<std::int64_t>::min(), 1);
               }) == "kpm.matrix.row_pointers[1]: -9223372036854775808 is not in 1..5");
    // The message counts as a Fortran caller does.
    BOOST_TEST(of_matrix([](CrsMatrix& m) {
                   m.index_base = 1;
                   m.columns[2] = 3;
               }) == "kpm.matrix.columns[2] (row 2): 4 is not in 1..3");
}

BOOST_AUTO_TEST_CASE(asymmetric_matrices) {
    BOOST_TEST(of_matrix([](CrsMatrix& m) { m.values[0] = -2; }) ==
               "kpm.matrix: the element in row 0 and column 1 is -2, but that in row 1 and column 0 is -1; "
               "the matrix is not symmetric");
    // An element has no partner: above and below the diagonal, in the last row, and beyond the last partner.
    const auto only = [](std::int32_t row, std::int32_t column) {
        return of_matrix([&](CrsMatrix& m) {
            m.row_pointers = {0, row < 1, row < 2, 1};
            m.columns = {column};
            m.values = {0.25};
        });
    };
    for (const auto& [row, column] : std::vector<std::pair<int, int>>{{0, 1}, {0, 2}, {1, 2}, {1, 0}, {2, 0}, {2, 1}})
        BOOST_TEST(only(row, column) == text("kpm.matrix: the element in row ", row, " and column ", column,
                                             " is 0.25, but that in row ", column, " and column ", row,
                                             " is 0; the matrix is not symmetric"));
    BOOST_TEST(of_matrix([](CrsMatrix& m) {
                   m.index_base = 1;
                   m.columns[3] = 0;
               }) ==
               "kpm.matrix: the element in row 3 and column 1 is -0.5, but that in row 1 and column 3 is 0; "
               "the matrix is not symmetric");
}

// Rounding, zeros, elements in several parts, and parts that cancel do not make a matrix asymmetric.
BOOST_AUTO_TEST_CASE(symmetric_matrices) {
    BOOST_TEST(of_matrix([](CrsMatrix& m) { m.values[0] *= 1 + 1e-14; }, Status::success) == "nothing thrown");
    BOOST_TEST(of_matrix(
                   [](CrsMatrix& m) {
                       m.row_pointers = {0, 4, 7, 8};
                       m.columns = {1, 2, 1, 1, 2, 0, 2, 1};
                       m.values = {-0.1, 0.0, -0.2, -0.3, -0.2, -0.6, -0.3, -0.5};
                   },
                   Status::success) == "nothing thrown");
    // The parts are in another order than those of the partner.
    Hamiltonian parts = CrsMatrix{{0, 3, 6}, {1, 1, 1, 0, 0, 0}, {1e6, 1e-7, -1e6, 1e6, -1e6, 1e-7}};
    prepare(parts);
    const Pages<double>& sums = std::get<CrsMatrix>(parts).values;
    BOOST_TEST((sums.size() == 2 && sums[0] == sums[1]));
    BOOST_TEST(std::abs(sums[0] - 1e-7) < 1e-9);
    Hamiltonian cancelling = CrsMatrix{{0, 3, 3}, {1, 1, 1}, {0.1, 0.2, -0.3}};
    prepare(cancelling);
    BOOST_TEST(std::get<CrsMatrix>(cancelling).columns.empty());
}

// A random matrix with one changed element is always found, and the message names the element.
BOOST_AUTO_TEST_CASE(one_wrong_element) {
    std::mt19937_64 random(3);
    for (int i = 0; i < 200; ++i) {
        Hamiltonian hamiltonian = random_matrix(random, 40, 6);
        prepare(hamiltonian);
        auto& matrix = std::get<CrsMatrix>(hamiltonian);
        const std::size_t k = random() % matrix.columns.size();
        const auto row =
            std::upper_bound(matrix.row_pointers.begin(), matrix.row_pointers.end(), static_cast<std::int64_t>(k)) -
            matrix.row_pointers.begin() - 1;
        const std::int32_t column = matrix.columns[k];
        if (column == row) continue;
        matrix.values[k] += i % 2 ? 1e-6 : -matrix.values[k];  // the latter removes the element
        const std::string message = failure_of([&] { prepare(hamiltonian); }).second;
        BOOST_TEST(message.find(text("row ", row, " and column ", column, " is ")) != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(formats) {
    CrsMatrix matrix;
    matrix.row_pointers = {0, 1};
    matrix.columns = {0};
    matrix.values = {1};
    Problem problem;
    problem.format = Format::stencil;
    BOOST_TEST(refused(problem, matrix) == "kpm.params.format: 3 (stencil) is for lattices, not for a matrix");
    Lattice lattice;
    lattice.extents = {1 << 16, 1 << 16, 1};
    problem.format = Format::ell;
    BOOST_TEST(refused(problem, lattice) ==
               "kpm.params.format: 2 (a matrix) cannot hold 4294967296 sites, only 2147483647; take 3 (stencil)");
}

BOOST_AUTO_TEST_CASE(memory) {
    Lattice lattice;
    lattice.extents = {64, 64, 64};
    lattice.on_site = OnSite::box;
    lattice.disorder = 1;
    Problem problem;
    problem.block_width = 32;
    const std::int64_t sites = 64 * 64 * 64, chunks = sites / 1024, segments = 64,
                       vector = 16 * (sites + chunks + segments);
    problem.memory_budget = 8 * sites + 12 * vector;
    BOOST_TEST(refused(problem, lattice, Status::out_of_memory) ==
               text("kpm.params.block_width: 16 for 262144 sites needs ", 8 * sites + 16 * vector,
                    " bytes, but kpm.params.memory_budget is ", problem.memory_budget,
                    "; 12 would fit, or all with kpm.params.precision 1 (single)"));
    Problem single = problem;
    single.precision = Precision::single;
    BOOST_TEST(refused(single, lattice, Status::success) == "nothing thrown");
    single.memory_budget = problem.memory_budget = 8 * sites + 7 * vector;  // less than 16 vectors in single precision
    BOOST_TEST(refused(problem, lattice, Status::out_of_memory).ends_with("; 7 would fit"));
    BOOST_TEST(refused(single, lattice, Status::out_of_memory).ends_with("; 13 would fit"));
    problem.memory_budget = 8 * sites + vector - 1;
    BOOST_TEST(refused(problem, lattice, Status::out_of_memory) ==
               text("kpm.params.block_width: 1, the smallest, for 262144 sites needs ", 8 * sites + vector,
                    " bytes, but kpm.params.memory_budget is ", problem.memory_budget,
                    "; kpm.params.precision 1 (single) or about 262143 such sites would fit, or kpm.params.division 2 ",
                    "(lattice) with 2 ranks"));
    single.memory_budget = problem.memory_budget;
    single.block_width = 1;
    BOOST_TEST(refused(single, lattice, Status::success) == "nothing thrown");
    single.memory_budget = 8 * sites + vector / 2;
    BOOST_TEST(refused(single, lattice, Status::out_of_memory).find("; about ") != std::string::npos);
    lattice.extents = {1LL << 20, 1LL << 20, 1};
    const std::string large = refused({}, lattice, Status::out_of_memory);
    BOOST_TEST(large.starts_with("kpm.params.block_width: 1, the smallest, for 1099511627776 sites needs "));
    BOOST_TEST(large.find(" are free, besides the 32768 for the moments of all samples; about ") != std::string::npos);
    BOOST_TEST(large.find(" such sites would fit") != std::string::npos);
    // These products exceed 64 bits.
    problem = {};
    problem.moments = max_moments;
    problem.vectors = max_vectors;
    problem.realisations = max_realisations;
    lattice.extents = {4, 4, 4};
    const std::string beyond = refused(problem, lattice, Status::out_of_memory);
    BOOST_TEST(beyond.starts_with("kpm.params.moments: 1048576 of each of 1099511627776 samples need "));
    BOOST_TEST(beyond.ends_with(" would fit"));
}

// If not even one vector fits, the message names a format that would hold one.
BOOST_AUTO_TEST_CASE(leaner_formats) {
    Lattice lattice;
    lattice.extents = {32, 32, 32};
    lattice.energy = 1;
    Problem problem;
    problem.memory_budget = 3'000'000;
    for (const Format format : {Format::crs, Format::ell}) {
        problem.format = format;
        BOOST_TEST(
            refused(problem, lattice, Status::out_of_memory).ends_with("; kpm.params.format 3 (stencil) would fit"));
    }
    problem.format = Format::stencil;
    BOOST_TEST(refused(problem, lattice, Status::success) == "nothing thrown");
    const Hamiltonian matrix = matrix_of(lattice, 1, 0);  // already exists
    problem.format = Format::ell;
    BOOST_TEST(refused(problem, matrix, Status::out_of_memory).ends_with("; kpm.params.format 1 (CRS) would fit"));
    problem.memory_budget = 300'000;
    BOOST_TEST(refused(problem, matrix, Status::out_of_memory).ends_with(" such sites would fit"));
}

// The padded format is chosen on a device for rows of nearly equal length, if there is memory for it.
BOOST_AUTO_TEST_CASE(format_by_memory) {
    const Problem problem;
    CrsMatrix full;
    full.row_pointers = {0};
    for (std::int32_t row = 0; row < 100; ++row) {
        for (std::int32_t column = 0; column < 100; ++column)
            if (row == 0 || column == 0 || (row + column) % 20 != 0) {
                full.columns.push_back(column);
                full.values.push_back(1);
            }
        full.row_pointers.push_back(static_cast<std::int64_t>(full.columns.size()));
    }
    const Hamiltonian nearly_full = full;
    const std::int64_t padded = memory_needs(Backend::cuda, problem, nearly_full, Format::ell).bytes(1);
    BOOST_TEST(padded > memory_needs(Backend::cuda, problem, nearly_full, Format::crs).bytes(1));
    BOOST_TEST((choose_format(Backend::cuda, problem, nearly_full, padded).format == Format::ell));
    const FormatChoice leaner = choose_format(Backend::cuda, problem, nearly_full, padded - 1);
    BOOST_TEST((leaner.format == Format::crs));
    BOOST_TEST(leaner.reason.find(text("more than the ", padded - 1, " bytes that may be taken")) != std::string::npos);
}

BOOST_AUTO_TEST_CASE(elements_of_lattices) {
    for (const auto& extents : std::vector<std::array<std::int64_t, 3>>{
             {1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {2, 2, 2}, {1, 7, 2}, {4, 3, 2}, {5, 1, 6}})
        for (int open = 0; open < 8; ++open) {
            Lattice lattice;
            lattice.extents = extents;
            for (std::size_t d = 0; d < 3; ++d)
                lattice.boundary[d] = (open >> d) % 2 == 0 ? Boundary::periodic : Boundary::hard_wall;
            const auto elements = static_cast<std::int64_t>(matrix_of(lattice, 1, 0).columns.size());
            BOOST_TEST(elements_of(lattice) == elements);
        }
}

// The chosen width fits the budget: 256^3 sites in 3 GB, as in Zhang et al. (2012), without and with disorder.
BOOST_AUTO_TEST_CASE(width_chosen_by_the_budget) {
    Lattice lattice;
    lattice.extents = {256, 256, 256};
    Context context = make_context();
    Problem problem;
    problem.memory_budget = 3'000'000'000;
    for (const OnSite on_site : {OnSite::constant, OnSite::box}) {
        lattice.on_site = on_site;
        lattice.disorder = 16.5;
        BOOST_TEST(choose_block_width(context, Backend::cpu, problem, lattice, Format::stencil) == 8);
        BOOST_TEST(memory_needs(Backend::cpu, problem, lattice, Format::stencil).bytes(8) <= problem.memory_budget);
    }
    problem.block_width = 10;
    BOOST_TEST(choose_block_width(context, Backend::cpu, problem, lattice, Format::stencil) == 10);
    problem.block_width = 11;
    BOOST_TEST(failure_of([&] { choose_block_width(context, Backend::cpu, problem, lattice, Format::stencil); })
                   .second.ends_with(" but kpm.params.memory_budget is 3000000000; 10 would fit, or all with "
                                     "kpm.params.precision 1 (single)"));
}
