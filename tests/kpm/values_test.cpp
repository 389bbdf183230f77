// Tests a caller's matrix that changes: new values in the same pattern, and on-site energies that the library draws or
// a source gives.
#define BOOST_TEST_MODULE kpm_values
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <filesystem>

#include "complex_matrices.hpp"
#include "kpm/shared_hamiltonian.hpp"
#include "runs.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

const std::vector<int> team_sizes{1, 2, 5};

Lattice lattice_with(OnSite on_site, double disorder) {
    Lattice lattice;
    lattice.extents = {40, 30, 20};
    lattice.boundary = {Boundary::periodic, Boundary::hard_wall, Boundary::periodic};
    lattice.on_site = on_site;
    lattice.disorder = disorder;
    return lattice;
}

SharedHamiltonian shared(Hamiltonian hamiltonian, int threads = 1) {
    prepare(hamiltonian, threads);
    return SharedHamiltonian(std::move(hamiltonian));
}

std::shared_ptr<const Hamiltonian> present(const SharedHamiltonian& shared) {
    return shared;
}

Problem small_problem() {
    Problem problem;
    problem.moments = 20;
    problem.vectors = 5;
    return problem;
}

std::vector<double> samples_of(Solver& solver) {
    while (!solver.advance()) {
    }
    std::vector<double> all;
    for (std::int64_t i = 0; i < solver.samples_done(); ++i)
        all.insert(all.end(), solver.sample(i).begin(), solver.sample(i).end());
    return all;
}

std::vector<double> samples_of(std::shared_ptr<const Hamiltonian> hamiltonian, const Problem& problem,
                               int threads = 2) {
    Context context = make_context(threads);
    Solver solver(context, problem, std::move(hamiltonian));
    return samples_of(solver);
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

// Sets the value of element (i, j) and of its partner to a number that depends on i + j, on i j and on `seed`, as often
// as it occurs in the matrix.
void set_values(CrsMatrix& matrix, int seed) {
    for (std::int64_t row = 0; row < matrix.rows(); ++row)
        for (auto k = static_cast<std::size_t>(matrix.row_pointers[static_cast<std::size_t>(row)]);
             k < static_cast<std::size_t>(matrix.row_pointers[static_cast<std::size_t>(row) + 1]); ++k) {
            const std::int64_t sum = row + matrix.columns[k], product = row * matrix.columns[k];
            matrix.values[k] = std::sin(static_cast<double>(sum * seed + product % 101));
        }
}

// Returns a matrix with elements in any order, some of which occur several times.
CrsMatrix out_of_order() {
    std::mt19937_64 random(3);
    CrsMatrix matrix = random_matrix(random, 3000, 8);
    set_values(matrix, 1);
    return matrix;
}

// Returns the matrix with each element divided into 3/2 and -1/2 of it; or into parts that cancel, in some rows and
// columns.
CrsMatrix divided(const CrsMatrix& matrix, bool cancels) {
    CrsMatrix other;
    other.row_pointers.push_back(0);
    for (std::size_t row = 0; row + 1 < matrix.row_pointers.size(); ++row) {
        for (auto k = static_cast<std::size_t>(matrix.row_pointers[row]);
             k < static_cast<std::size_t>(matrix.row_pointers[row + 1]); ++k) {
            const std::size_t column = static_cast<std::size_t>(matrix.columns[k]);
            const double first = cancels && (row + column) % 7 == 0 ? 0.5 : 1.5;
            for (const double part : {first, -0.5}) {
                other.columns.push_back(matrix.columns[k]);
                other.values.push_back(part * matrix.values[k]);
            }
        }
        other.row_pointers.push_back(static_cast<std::int64_t>(other.columns.size()));
    }
    return other;
}

CrsMatrix from_1(CrsMatrix matrix) {
    matrix.index_base = 1;
    for (std::int64_t& pointer : matrix.row_pointers) ++pointer;
    for (std::int32_t& column : matrix.columns) ++column;
    return matrix;
}

// Sets the value of element (i, j) of a complex matrix, and of its partner to the conjugate one, as often as it occurs.
// With `has_zeros` some of them are 0.
void set_complex_values(CrsMatrix& matrix, int seed, bool has_zeros) {
    for (std::int64_t row = 0; row < matrix.rows(); ++row)
        for (auto k = static_cast<std::size_t>(matrix.row_pointers[static_cast<std::size_t>(row)]);
             k < static_cast<std::size_t>(matrix.row_pointers[static_cast<std::size_t>(row) + 1]); ++k) {
            const std::int64_t column = matrix.columns[k], sum = row + column, product = row * column;
            const double sign = column == row ? 0 : column < row ? -1 : 1, size = has_zeros && sum % 7 == 0 ? 0 : 1;
            set_value(matrix.values.data(), k,
                      size * Element(std::sin(static_cast<double>(sum * seed + product % 101)),
                                     sign * std::cos(static_cast<double>(sum + seed * (product % 37)))));
        }
}

// Energies of a source: a different wave in every realisation.
double wave(std::int64_t realisation, std::size_t site) {
    return 1.5 * std::cos(static_cast<double>(site) * 0.7 + static_cast<double>(realisation));
}

Disorder waves(std::vector<std::int64_t>* calls = nullptr) {
    const auto source = [calls](std::int64_t realisation, std::span<double> energies) {
        if (calls) calls->push_back(realisation);
        for (std::size_t i = 0; i < energies.size(); ++i) energies[i] = wave(realisation, i);
    };
    return {.on_site = OnSite::energies,
            .lowest = -1.5,
            .highest = 1.5,
            .source = std::make_shared<const EnergySource>(source)};
}

std::pair<Status, std::string> refusal(SharedHamiltonian& matrix, std::span<const double> values, int threads) {
    return failure_of([&] { matrix.set_values(values, threads); });
}

}  // namespace

// A matrix with new values gives the bits of a matrix that is made of these values, whether its rows were sorted or
// not, whether elements cancelled in the old or cancel in the new values, and whether the arrays are borrowed.
BOOST_AUTO_TEST_CASE(new_values_are_as_those_of_a_new_matrix) {
    const CrsMatrix sorted = matrix_of(lattice_with(OnSite::box, 3), 1, 0), any = out_of_order(),
                    cancelled = divided(any, true), not_cancelled = divided(any, false);
    const auto with = [](CrsMatrix matrix, const CrsMatrix& values_of) {
        matrix.values = values_of.values;
        return matrix;
    };
    CrsMatrix renewed = sorted, renewed_any = any;
    set_values(renewed, 2);
    set_values(renewed_any, 2);
    struct Case {
        CrsMatrix before, after;
    };
    const std::vector<Case> cases{{sorted, renewed},
                                  {from_1(sorted), from_1(renewed)},
                                  {any, renewed_any},
                                  {from_1(any), from_1(renewed_any)},
                                  {cancelled, not_cancelled},
                                  {not_cancelled, cancelled},
                                  {cancelled, with(cancelled, divided(renewed_any, true))}};
    for (const auto& [before, after] : cases) {
        const std::vector<double> expected = samples_of(prepared(after), small_problem());
        BOOST_TEST(!same_bits(samples_of(prepared(before), small_problem()), expected));
        for (const int threads : team_sizes)
            for (const bool borrowed : {false, true}) {
                SharedHamiltonian matrix = borrowed ? shared(view_of(before), threads) : shared(before, threads);
                BOOST_TEST(matrix.elements_given() == static_cast<std::int64_t>(before.values.size()));
                for (int times = 0; times < 2; ++times) {
                    matrix.set_values(after.values, threads);
                    BOOST_TEST(same_bits(samples_of(matrix, small_problem()), expected));
                    Problem padded = small_problem();
                    padded.format = Format::ell;
                    BOOST_TEST(same_bits(samples_of(matrix, padded), samples_of(prepared(after), padded)));
                }
                matrix.set_values(before.values, threads);
                BOOST_TEST(
                    same_bits(samples_of(matrix, small_problem()), samples_of(prepared(before), small_problem())));
            }
    }
}

// The messages are those of a new matrix, for any number of threads, and the Hamiltonian keeps its values.
BOOST_AUTO_TEST_CASE(wrong_values_are_refused_as_in_a_new_matrix) {
    const CrsMatrix sorted = matrix_of(lattice_with(OnSite::box, 3), 1, 0), any = out_of_order();
    std::mt19937_64 random(8);
    for (const CrsMatrix& right : {sorted, from_1(sorted), any, from_1(any), divided(any, true)}) {
        const std::vector<double> expected = samples_of(prepared(right), small_problem());
        for (int i = 0; i < 12; ++i) {
            CrsMatrix wrong = right;
            for (int faults = 0; faults <= i % 3; ++faults) {
                double& value = wrong.values[random() % wrong.values.size()];
                value = i % 4 == 0 ? NAN : i % 4 == 1 ? 1e101 : value + 2;
            }
            const auto message = failure_of([&] { prepared(wrong); });
            for (const int threads : team_sizes) {
                SharedHamiltonian matrix = shared(right);
                BOOST_TEST((refusal(matrix, wrong.values, threads) == message), message.second);
                if (i == 0) BOOST_TEST(same_bits(samples_of(matrix, small_problem()), expected));
            }
        }
    }
    SharedHamiltonian matrix = shared(sorted);
    BOOST_TEST(refusal(matrix, std::span(sorted.values).first(5), 1).second ==
               text("kpm.matrix.values: 5 values are not ", sorted.values.size(), ", those of ", sorted.values.size(),
                    " elements"));
    SharedHamiltonian lattice = shared(Lattice{});
    const std::string is_lattice = "kpm.hamiltonian: it is a lattice, but this function is for a matrix";
    BOOST_TEST(refusal(lattice, sorted.values, 1).second == is_lattice);
    BOOST_TEST(failure_of([&] { lattice.set_disorder(waves()); }).second == is_lattice);
}

// The same for complex matrices with unsorted rows, repeated elements and zeros, and for one with sorted rows.
BOOST_AUTO_TEST_CASE(new_values_of_a_complex_matrix) {
    std::mt19937_64 random(5);
    const CrsMatrix any = random_hermitian(random, 1500, 8);
    Hamiltonian preparing = any;
    prepare(preparing);
    CrsMatrix sorted = std::get<CrsMatrix>(preparing);
    sorted.order = nullptr;
    for (const CrsMatrix& before : {any, sorted})
        for (const bool has_zeros : {false, true}) {
            CrsMatrix after = before, wrong = before;
            set_complex_values(after, 2, has_zeros);
            const std::vector<double> expected = samples_of(prepared(after), small_problem());
            BOOST_TEST(!same_bits(samples_of(prepared(before), small_problem()), expected));
            for (const int threads : team_sizes)
                for (const bool borrowed : {false, true}) {
                    SharedHamiltonian matrix = borrowed ? shared(view_of(before), threads) : shared(before, threads);
                    BOOST_TEST(matrix.elements_given() == static_cast<std::int64_t>(before.columns.size()));
                    BOOST_TEST(matrix.values_given() == 2 * matrix.elements_given());
                    matrix.set_values(after.values, threads);
                    BOOST_TEST(same_bits(samples_of(matrix, small_problem()), expected));
                    Problem padded = small_problem();
                    padded.format = Format::ell;
                    BOOST_TEST(same_bits(samples_of(matrix, padded), samples_of(prepared(after), padded)));
                    matrix.set_values(before.values, threads);
                    BOOST_TEST(
                        same_bits(samples_of(matrix, small_problem()), samples_of(prepared(before), small_problem())));
                    for (int i = 0; i < 9; ++i) {
                        wrong.values = before.values;
                        double& value = wrong.values[random() % wrong.values.size()];
                        value = i % 3 == 0 ? NAN : i % 3 == 1 ? -1e101 : value + 2;
                        const auto message = failure_of([&] { prepared(wrong); });
                        BOOST_TEST((refusal(matrix, wrong.values, threads) == message), message.second);
                    }
                }
        }
}

// Energies of a complex matrix are added to its diagonal.
BOOST_AUTO_TEST_CASE(energies_of_a_complex_matrix) {
    std::mt19937_64 random(6);
    const CrsMatrix clean = random_hermitian(random, 900, 6);
    Problem problem = small_problem();
    problem.start_vectors = StartVectors::sites;
    problem.sites = {5, 77, 899};
    problem.bounds = Bounds::interval;
    problem.lowest = -40;
    problem.highest = 40;
    for (const Format format : {Format::crs, Format::ell})
        for (const Precision precision : {Precision::double_, Precision::single}) {
            problem.format = format;
            problem.precision = precision;
            problem.realisations = 2;
            SharedHamiltonian matrix = shared(clean);
            matrix.set_disorder(waves());
            const std::vector<double> samples = samples_of(matrix, problem);
            problem.realisations = 1;
            for (std::int64_t s = 0; s < 2; ++s) {
                CrsMatrix with = clean;
                for (std::size_t row = 0; row < 900; ++row) {
                    const auto first = clean.columns.begin() + clean.row_pointers[row];
                    const auto diagonal = std::find(first, clean.columns.end(), static_cast<std::int32_t>(row));
                    with.values[2 * static_cast<std::size_t>(diagonal - clean.columns.begin())] += wave(s, row);
                }
                const std::vector<double> here(samples.begin() + s * 60, samples.begin() + (s + 1) * 60);
                BOOST_TEST(largest_difference(here, samples_of(prepared(with), problem)) <
                           (precision == Precision::single ? 1e-6 : 1e-13));
            }
        }
}

// A computation keeps the values and the disorder with which it was created. The caller's arrays do not change.
BOOST_AUTO_TEST_CASE(computations_keep_what_they_were_created_with) {
    const CrsMatrix matrix = matrix_of(lattice_with(OnSite::box, 3), 1, 0), copy = matrix;
    CrsMatrix renewed = matrix;
    set_values(renewed, 2);
    const std::vector<double> old = samples_of(prepared(matrix), small_problem()),
                              expected = samples_of(prepared(renewed), small_problem());
    for (const bool borrowed : {false, true}) {
        SharedHamiltonian changing = borrowed ? shared(view_of(matrix)) : shared(matrix);
        Context context = make_context(2);
        Solver before(context, small_problem(), changing);
        changing.set_values(renewed.values, 1);
        Solver after(context, small_problem(), changing);
        changing.set_disorder({.on_site = OnSite::box, .strength = 2});
        changing.set_values(matrix.values, 2);
        BOOST_TEST(same_bits(samples_of(before), old));
        BOOST_TEST(same_bits(samples_of(after), expected));
        BOOST_TEST(disorder_of(*present(changing)).strength == 2);  // new values do not end it
        changing.set_disorder({});
        BOOST_TEST(same_bits(samples_of(changing, small_problem()), old));
    }
    BOOST_TEST(std::memcmp(matrix.values.data(), copy.values.data(), sizeof(double) * copy.values.size()) == 0);
}

// The memory of the values is used again if no computation has them.
BOOST_AUTO_TEST_CASE(memory_is_used_again) {
    const CrsMatrix matrix = matrix_of(lattice_with(OnSite::box, 3), 1, 0);
    SharedHamiltonian changing = shared(matrix);
    const auto where = [&] { return matrix_in(*present(changing))->values; };
    const double* const first = where();
    changing.set_values(matrix.values, 1);
    BOOST_TEST(where() == first);
    const std::shared_ptr<const Hamiltonian> used = changing;
    changing.set_values(matrix.values, 1);
    BOOST_TEST(where() != first);
    BOOST_TEST(matrix_in(*used)->values == first);
    BOOST_TEST(matrix_in(*used)->columns == matrix_in(*present(changing))->columns);
}

// A lattice whose energies are drawn in its matrix's diagonal gives the same moments to rounding, and the same errors.
BOOST_AUTO_TEST_CASE(disorder_of_a_matrix_is_that_of_a_lattice) {
    for (const auto& [on_site, strength] : {std::pair{OnSite::box, 4.0}, {OnSite::normal, 0.8}})
        for (const Bounds bounds : {Bounds::gershgorin, Bounds::lanczos})
            for (const Format format : {Format::crs, Format::ell})
                for (const Precision precision : {Precision::double_, Precision::single}) {
                    const double rounding = precision == Precision::single ? 2e-6 : 1e-13;
                    Problem problem = small_problem();
                    problem.realisations = 3;
                    problem.bounds = bounds;
                    problem.format = format;
                    problem.precision = precision;
                    SharedHamiltonian matrix = shared(matrix_of(lattice_with(OnSite::constant, 0), 1, 0));
                    matrix.set_disorder({.on_site = on_site, .strength = strength});
                    BOOST_TEST(is_random(*present(matrix)));
                    Context context = make_context(2);
                    const auto expected = finished(context, problem, lattice_with(on_site, strength));
                    Solver solver(context, problem, matrix);
                    const std::vector<double> samples = samples_of(solver);
                    BOOST_TEST(largest_difference(samples, samples_of(*expected)) < rounding);
                    BOOST_TEST(largest_difference(solver.moments().error, expected->moments().error) < rounding);
                    BOOST_TEST(solver.independent_samples() == 3);
                    BOOST_TEST(std::abs(solver.rescaling().half_width / expected->rescaling().half_width - 1) < 1e-6);
                    BOOST_TEST(same_bits(samples_of(matrix, problem, 1), samples));
                }
}

// Energies from a source are those of a matrix that has them in its diagonal, realisation by realisation. The errors of
// local moments follow from the realisations.
BOOST_AUTO_TEST_CASE(energies_from_a_source) {
    const CrsMatrix clean = matrix_of(lattice_with(OnSite::constant, 0), 1, 0);
    Problem problem = small_problem();
    problem.realisations = 3;
    problem.start_vectors = StartVectors::sites;
    problem.sites = {5, 77, 12345};
    std::vector<std::int64_t> calls;
    SharedHamiltonian matrix = shared(view_of(clean));
    matrix.set_disorder(waves(&calls));
    Context context = make_context(2);
    Solver solver(context, problem, matrix);
    BOOST_TEST(calls.empty());
    const std::vector<double> samples = samples_of(solver);
    BOOST_TEST(calls == (std::vector<std::int64_t>{0, 1, 2}), boost::test_tools::per_element());
    BOOST_TEST(std::abs(solver.rescaling().half_width - 1.01 * (6 + 1.5)) < 1e-12);
    Problem one = problem;
    one.realisations = 1;
    one.bounds = Bounds::interval;
    one.lowest = -7.5;
    one.highest = 7.5;
    std::vector<std::vector<double>> realisations;
    for (std::int64_t s = 0; s < 3; ++s) {
        Lattice lattice = lattice_with(OnSite::energies, 0);
        for (std::size_t i = 0; i < static_cast<std::size_t>(lattice.sites()); ++i)
            lattice.energies.push_back(wave(s, i));
        realisations.push_back(samples_of(prepared(matrix_of(lattice, 1, 0)), one));
        const std::vector<double> here(samples.begin() + s * 60, samples.begin() + (s + 1) * 60);
        BOOST_TEST(largest_difference(here, realisations.back()) < 1e-13);
    }
    const Moments moments = solver.moments();
    for (std::size_t n = 0; n < 20; ++n) {
        std::array<double, 3> means{};
        for (std::size_t s = 0; s < 3; ++s)
            means[s] = (realisations[s][n] + realisations[s][20 + n] + realisations[s][40 + n]) / 3;
        const double mean = (means[0] + means[1] + means[2]) / 3;
        double spread = 0;
        for (const double m : means) spread += (m - mean) * (m - mean);
        BOOST_TEST(std::abs(moments.error[n] - std::sqrt(spread / 6)) < 1e-13);
    }
    problem.bounds = Bounds::lanczos;
    calls.clear();
    Solver tighter(context, problem, matrix);
    BOOST_TEST(calls == (std::vector<std::int64_t>{0, 1, 2}), boost::test_tools::per_element());
    BOOST_TEST(tighter.rescaling().half_width < solver.rescaling().half_width);
}

// An energy outside the stated range is refused. A source that fails stops the run, which continues with the same
// results.
BOOST_AUTO_TEST_CASE(sources_that_fail) {
    const CrsMatrix clean = matrix_of(lattice_with(OnSite::constant, 0), 1, 0);
    for (const double wrong : {1.75, -1.75, double(NAN)}) {
        bool fails = true;
        Disorder disorder = waves();
        disorder.source = std::make_shared<const EnergySource>([&](std::int64_t s, std::span<double> energies) {
            for (std::size_t i = 0; i < energies.size(); ++i) energies[i] = wave(s, i);
            if (s == 1 && fails) energies[7] = wrong;
        });
        SharedHamiltonian matrix = shared(clean);
        matrix.set_disorder(disorder);
        Problem problem = small_problem();
        problem.realisations = 2;
        Context context = make_context();
        Solver solver(context, problem, matrix);
        const auto [status, message] = failure_of([&] {
            while (!solver.advance()) {
            }
        });
        BOOST_TEST((status == Status::invalid_argument));
        BOOST_TEST(message == text("kpm.energies[7] of realisation 1: ", wrong, " is not in [-1.5, 1.5]"));
        BOOST_TEST(solver.samples_done() == 5);
        fails = false;
        BOOST_TEST(same_bits(samples_of(solver), samples_of(matrix, problem)));
    }
}

// A resumed run has the same bits. Another disorder is another Hamiltonian, and no disorder is that of older files.
BOOST_AUTO_TEST_CASE(a_state_belongs_to_its_disorder) {
    const CrsMatrix clean = matrix_of(lattice_with(OnSite::constant, 0), 1, 0);
    const auto path = std::filesystem::temp_directory_path() / "legato_kpm_values_test.h5";
    Context context = make_context();
    Problem problem = small_problem();
    problem.realisations = 2;
    const std::vector<Disorder> kinds{{},
                                      {.on_site = OnSite::box, .strength = 2},
                                      {.on_site = OnSite::box, .strength = 2.5},
                                      {.on_site = OnSite::normal, .strength = 2},
                                      waves()};
    SharedHamiltonian matrix = shared(clean);
    for (std::size_t saved = 0; saved < kinds.size(); ++saved) {
        matrix.set_disorder(kinds[saved]);
        Solver solver(context, problem, matrix);
        solver.advance();
        solver.save(path);
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            matrix.set_disorder(kinds[i]);
            if (i == saved)
                BOOST_TEST(same_bits(samples_of(*Solver::resume(context, path, matrix)), samples_of(solver)));
            else
                BOOST_TEST(failure_of([&] {
                               Solver::resume(context, path, matrix);
                           }).second.ends_with("it belongs to another Hamiltonian"));
        }
    }
    std::filesystem::remove(path);
}
