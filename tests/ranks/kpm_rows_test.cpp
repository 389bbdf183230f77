// Matrices that the parts of all ranks share by rows: the results have the bits of one part with whole vectors.
#define BOOST_TEST_MODULE ranks_kpm_rows
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <map>

#include "kpm/matrix_part.hpp"
#include "kpm/trial.hpp"
#include "kpm_runs.hpp"

using namespace legato;
using namespace ranks;

namespace {

// The elements of a symmetric matrix.
struct Matrix {
    std::int64_t rows;
    std::map<std::pair<std::int64_t, std::int64_t>, double> elements = {};

    void add(std::int64_t i, std::int64_t j, double value) { elements[{i, j}] = elements[{j, i}] = value; }

    // In compressed rows whose indices count from `base`.
    kpm::CrsMatrix crs(int base = 0) const {
        kpm::CrsMatrix matrix;
        matrix.index_base = base;
        matrix.row_pointers.assign(static_cast<std::size_t>(rows) + 1, base);
        for (const auto& [at, value] : elements) {
            matrix.columns.push_back(static_cast<std::int32_t>(at.second + base));
            matrix.values.push_back(value);
            ++matrix.row_pointers[static_cast<std::size_t>(at.first) + 1];
        }
        for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row)
            matrix.row_pointers[row + 1] += matrix.row_pointers[row] - base;
        for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row)
            matrix.longest_row = std::max(matrix.longest_row, matrix.row_pointers[row + 1] - matrix.row_pointers[row]);
        return matrix;
    }
};

// Rows without elements, a row with very many, neighbours and elements far from the diagonal.
Matrix scattered(std::int64_t rows) {
    Matrix matrix{rows};
    std::mt19937_64 random(5);
    std::uniform_int_distribution<std::int64_t> row(0, rows - 1);
    std::normal_distribution<double> normal;
    for (std::int64_t i = 0; i < 2 * rows; ++i) matrix.add(row(random), row(random), normal(random));
    for (std::int64_t i = 0; i < rows; i += 3) matrix.add(rows / 2, i, 0.01 * static_cast<double>(i % 11));
    for (std::int64_t i = 100; i < 400; ++i)
        std::erase_if(matrix.elements, [&](const auto& e) { return e.first.first == i || e.first.second == i; });
    return matrix;
}

// Slabs need elements of their neighbours only.
Matrix banded(std::int64_t rows) {
    Matrix matrix{rows};
    for (std::int64_t i = 0; i < rows; ++i) {
        matrix.add(i, i, 0.1 * static_cast<double>(i % 7));
        for (const std::int64_t distance : {1, 37})
            if (i + distance < rows) matrix.add(i, i + distance, -1);
    }
    return matrix;
}

Hamiltonian made(legato_context* context, const kpm::CrsMatrix& crs) {
    const std::vector<std::int64_t> pointers(crs.row_pointers.begin(), crs.row_pointers.end());
    legato_kpm_hamiltonian* hamiltonian = nullptr;
    require(legato_kpm_matrix_create(context, crs.rows(), static_cast<std::int64_t>(crs.values.size()), crs.index_base,
                                     pointers.data(), crs.columns.data(), crs.values.data(), &hamiltonian));
    return Hamiltonian(hamiltonian);
}

Hamiltonian made(legato_context* context, const Matrix& of, int base = 0) {
    return made(context, of.crs(base));
}

const Matrix usual = scattered(3100);  // four segments

// Multiplies elements above the diagonal by i if the sum of their indices is odd, and those below it by -i.
Hamiltonian made_complex(legato_context* context, const Matrix& of) {
    const kpm::CrsMatrix crs = of.crs();
    std::vector<double> values(2 * crs.values.size());
    std::size_t k = 0;
    for (const auto& [at, value] : of.elements) {
        if ((at.first + at.second) % 2 == 1)
            values[2 * k + 1] = at.first < at.second ? value : -value;
        else
            values[2 * k] = value;
        ++k;
    }
    const std::vector<std::int64_t> pointers(crs.row_pointers.begin(), crs.row_pointers.end());
    legato_kpm_hamiltonian* hamiltonian = nullptr;
    require(legato_kpm_complex_matrix_create(context, crs.rows(), static_cast<std::int64_t>(k), 0, pointers.data(),
                                             crs.columns.data(), values.data(), &hamiltonian));
    return Hamiltonian(hamiltonian);
}

int fill_complex(void* user, std::int64_t sample, std::int64_t sites, double* vector) {
    return Source::fill(user, sample, 2 * sites, vector);
}

}  // namespace

// The product of a vector from the parts is that of the whole matrix.
BOOST_AUTO_TEST_CASE(parts_contain_the_matrix) {
    for (const Matrix& of : {usual, banded(2100), scattered(900)})
        for (const int base : {0, 1}) {
            const kpm::CrsMatrix crs = of.crs(base);
            const kpm::CrsView view = kpm::view_of(crs);
            std::vector<double> x(static_cast<std::size_t>(of.rows)), product(x.size()), expected(x.size());
            for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * i % 977);
            for (std::size_t i = 0; i < x.size(); ++i)
                for (std::size_t k = view.begin(i); k < view.end(i); ++k)
                    expected[i] += view.values[k] * x[static_cast<std::size_t>(view.column(k))];
            for (std::size_t count = 1; count <= 7; ++count) {
                const kpm::Slabs slabs(Backend::cpu, view, count);
                std::vector<kpm::MatrixPart> parts;
                for (std::size_t s = 0; s < slabs.count(); ++s) parts.push_back(kpm::part_of(view, slabs, s, 2));
                const kpm::Traffic largest = kpm::largest_traffic(view, slabs, 2);
                std::size_t halo = 0, sent = 0;
                for (std::size_t s = 0; s < parts.size(); ++s) {
                    const kpm::MatrixPart& part = parts[s];
                    std::vector<double> local(part.count() + part.halo);
                    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(part.first), part.count(), local.begin());
                    for (std::size_t other = 0; other < parts.size(); ++other) {
                        const auto& link = parts[other].links[s].sent;
                        BOOST_REQUIRE(link.size() == part.links[other].count);
                        for (std::size_t i = 0; i < link.size(); ++i)
                            local[part.count() + part.links[other].first + i] =
                                x[parts[other].first + static_cast<std::size_t>(link[i])];
                    }
                    const kpm::CrsView rows = kpm::view_of(part.rows);
                    for (std::size_t i = 0; i < part.count(); ++i) {
                        double sum = 0;
                        for (std::size_t k = rows.begin(i); k < rows.end(i); ++k)
                            sum += rows.values[k] * local[static_cast<std::size_t>(rows.column(k))];
                        product[part.first + i] = sum;
                    }
                    halo = std::max(halo, part.halo);
                    sent = std::max(sent, part.sent());
                }
                BOOST_TEST((product == expected));
                BOOST_TEST(largest.halo == halo);
                BOOST_TEST(largest.sent == sent);
            }
        }
}

// On-site energies that the library draws, and those of a callback, are those of the rows of each part. The callback is
// called in the thread of its rank.
BOOST_AUTO_TEST_CASE(disorder_has_the_same_moments) {
    struct Energies {
        std::thread::id thread = std::this_thread::get_id();
        bool in_another_thread = false;

        static int fill(void* user, std::int64_t realisation, std::int64_t sites, double* energies) {
            auto& source = *static_cast<Energies*>(user);
            source.in_another_thread |= std::this_thread::get_id() != source.thread;
            for (std::int64_t i = 0; i < sites; ++i)
                energies[i] = 0.01 * static_cast<double>((i * i + 31 * realisation) % 101);
            return 0;
        }
    };
    for (const int on_site : {LEGATO_KPM_ON_SITE_BOX, LEGATO_KPM_ON_SITE_NORMAL, LEGATO_KPM_ON_SITE_ENERGIES})
        for (const int format : {LEGATO_KPM_FORMAT_CRS, LEGATO_KPM_FORMAT_ELL})
            for (const int bounds : {LEGATO_KPM_BOUNDS_GERSHGORIN, LEGATO_KPM_BOUNDS_LANCZOS})
                BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                               const Hamiltonian matrix = made(context, banded(4200), 1);
                               Energies source;
                               require(on_site == LEGATO_KPM_ON_SITE_ENERGIES
                                           ? legato_kpm_matrix_set_energies(matrix.get(), 0, 1, Energies::fill, &source)
                                           : legato_kpm_matrix_set_disorder(matrix.get(), on_site, 0.8));
                               legato_kpm_params params = in_slabs(5, 3);
                               params.format = format;
                               params.bounds = bounds;
                               params.lanczos_steps = 20;
                               finish(random_vectors(context, params, matrix), results);
                               params.division = LEGATO_KPM_DIVISION_VECTORS;
                               finish(random_vectors(context, params, matrix), results);
                               results.add(std::int64_t{source.in_another_thread});
                           }) == "");
}

BOOST_AUTO_TEST_CASE(matrices_have_the_same_moments) {
    const std::vector<std::pair<Matrix, int>> matrices{{scattered(5300), LEGATO_KPM_FORMAT_CRS},
                                                       {banded(4200), LEGATO_KPM_FORMAT_CRS},
                                                       {banded(4200), LEGATO_KPM_FORMAT_ELL},
                                                       {scattered(1025), LEGATO_KPM_FORMAT_ELL},
                                                       {banded(7), LEGATO_KPM_FORMAT_AUTO}};
    for (const auto& [matrix, format] : matrices)
        BOOST_TEST(differences([&, &of = matrix, as = format](legato_context* context, int, Results& results) {
                       legato_kpm_params params = in_slabs(5);
                       params.format = as;
                       finish(random_vectors(context, params, made(context, of, 1)), results);
                   }) == "");
}

BOOST_AUTO_TEST_CASE(all_kinds_of_vectors_have_the_same_moments) {
    for (const auto& kind : {std::pair{LEGATO_KPM_PRECISION_DOUBLE, 1},
                             {LEGATO_KPM_PRECISION_DOUBLE, 11},
                             {LEGATO_KPM_PRECISION_SINGLE, 7}})
        BOOST_TEST(
            differences([&](legato_context* context, int, Results& results) {
                legato_kpm_params params = in_slabs(11);
                params.precision = kind.first;
                params.block_width = kind.second;
                params.start_vectors = LEGATO_KPM_START_VECTORS_GAUSSIAN;
                finish(random_vectors(context, params, made(context, usual)), results);
                Source source;
                finish(given_vectors(context, params, made(context, usual), source), results);
                results.add(source.samples);
                finish(local_moments(context, params, made(context, usual), {0, 1023, 1024, 1650, 3099}), results);
            }) == "");
}

BOOST_AUTO_TEST_CASE(complex_matrices_have_the_same_moments) {
    const Matrix regular = banded(4200);
    for (const auto& kind : {std::array<int, 3>{LEGATO_KPM_PRECISION_DOUBLE, 1, LEGATO_KPM_FORMAT_CRS},
                             {LEGATO_KPM_PRECISION_DOUBLE, 5, LEGATO_KPM_FORMAT_ELL},
                             {LEGATO_KPM_PRECISION_SINGLE, 3, LEGATO_KPM_FORMAT_CRS}})
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       legato_kpm_params params = in_slabs(5);
                       params.precision = kind[0];
                       params.block_width = kind[1];
                       params.format = kind[2];
                       params.start_vectors = LEGATO_KPM_START_VECTORS_PHASE;
                       params.bounds = LEGATO_KPM_BOUNDS_LANCZOS;
                       params.lanczos_steps = 20;
                       const Hamiltonian hamiltonian =
                           made_complex(context, kind[2] == LEGATO_KPM_FORMAT_ELL ? regular : usual);
                       finish(random_vectors(context, params, hamiltonian), results);
                       finish(local_moments(context, params, hamiltonian, {0, 1023, 1024, 1650, 3099}), results);
                       Source source;
                       legato_kpm* kpm = nullptr;
                       require(
                           legato_kpm_create_given(context, &params, hamiltonian.get(), fill_complex, &source, &kpm));
                       finish(Kpm(kpm), results);
                   }) == "");
}

// Each rank has whole vectors.
BOOST_AUTO_TEST_CASE(complex_vectors_are_divided_with_the_same_moments) {
    BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                   legato_kpm_params params = params_of(11);
                   params.division = LEGATO_KPM_DIVISION_VECTORS;
                   params.start_vectors = LEGATO_KPM_START_VECTORS_PHASE;
                   finish(random_vectors(context, params, made_complex(context, usual)), results);
               }) == "");
}

BOOST_AUTO_TEST_CASE(either_division_has_the_same_moments) {
    const auto program = [](int division) {
        return [division](legato_context* context, int, Results& results) {
            legato_kpm_params params = in_slabs();
            params.division = division;
            params.bounds = LEGATO_KPM_BOUNDS_LANCZOS;
            finish(random_vectors(context, params, made(context, usual)), results);
        };
    };
    const Results vectors = run_on({3, 1, 1}, program(LEGATO_KPM_DIVISION_VECTORS))[0].results;
    for (const Outcome& outcome : run_on({3, 1, 1}, program(LEGATO_KPM_DIVISION_LATTICE)))
        BOOST_TEST((outcome.results == vectors), outcome.message);
}

BOOST_AUTO_TEST_CASE(files_resume_on_any_number_of_ranks) {
    const std::string path = "ranks_kpm_rows_test.h5";
    const auto create = [](legato_context* context) {
        return random_vectors(context, in_slabs(7), made(context, usual));
    };
    const Results whole =
        run_on({}, [&](legato_context* context, int, Results& results) { finish(create(context), results); })[0]
            .results;
    run_on({4, 1, 1}, [&](legato_context* context, int, Results&) {
        const Kpm kpm = create(context);
        require(legato_kpm_advance(kpm.get(), 2, nullptr));
        require(legato_kpm_save(kpm.get(), path.c_str()));
    });
    for (const ranks::Division& resuming : {ranks::Division{1, 1, 1}, {1, 3, 1}, {3, 2, 1}})
        for (const Outcome& outcome : run_on(resuming, [&](legato_context*context, int, Results&results) {
                 legato_kpm* kpm = nullptr;
                 require(legato_kpm_resume(context, path.c_str(), made(context, usual).get(), nullptr, nullptr, &kpm));
                 finish(Kpm(kpm), results);
             })) {
            BOOST_TEST(outcome.message == "");
            BOOST_TEST((outcome.results == whole));
        }
    std::filesystem::remove(path);
}

BOOST_AUTO_TEST_CASE(failures_of_the_transport_are_noticed) {
    BOOST_TEST(unnoticed_failures([&](legato_context* context, int, Results& results) {
                   legato_kpm_params params = in_slabs(4);
                   params.moments = 9;
                   finish(random_vectors(context, params, made(context, usual)), results);
               }) == "");
}

// Two vectors of 40000 rows need 640000 bytes besides the sums.
BOOST_AUTO_TEST_CASE(auto_divides_a_matrix_if_a_vector_does_not_fit) {
    const Matrix large = banded(40000);
    const auto create = [&](legato_context* context, int division) {
        legato_kpm_params params = in_slabs(2);
        params.division = division;
        params.block_width = 0;
        params.memory_budget = 2'000'000;
        return random_vectors(context, params, made(context, large));
    };
    const auto status = [&](const ranks::Division& division, int divided) {
        return run_on(division, [&](legato_context* context, int, Results& results) {
            finish(create(context, divided), results);
        })[0];
    };
    BOOST_TEST(status({2, 1, 1}, LEGATO_KPM_DIVISION_VECTORS).status == LEGATO_STATUS_SUCCESS);
    kpm::Problem problem;
    const kpm::CrsMatrix crs = large.crs();
    const kpm::Hamiltonian view = kpm::view_of(crs);
    const auto needs = [&](std::size_t parts) {
        return memory_needs(Backend::cpu, problem, view, kpm::Format::crs, parts).each;
    };
    BOOST_TEST(needs(4) < needs(1) / 2);
    BOOST_TEST(choose_sharing(Backend::cpu, problem, view, kpm::Format::crs, 4, needs(1) - 1) == 4U);
    BOOST_TEST(choose_sharing(Backend::cpu, problem, view, kpm::Format::crs, 4, 2 * needs(1)) == 1U);
}

// The memory of a device for a part of the rows.
BOOST_AUTO_TEST_CASE(a_device_needs_memory_for_its_rows, *boost::unit_test::enable_if<with_cuda>()) {
    kpm::Problem problem;
    const kpm::CrsMatrix crs = banded(40000).crs();
    const kpm::Hamiltonian view = kpm::view_of(crs);
    for (const kpm::Format format : {kpm::Format::crs, kpm::Format::ell}) {
        const MemoryNeeds whole = memory_needs(Backend::cuda, problem, view, format),
                          part = memory_needs(Backend::cuda, problem, view, format, 4);
        BOOST_TEST(part.each < whole.each / 3);
        BOOST_TEST(part.fixed < whole.fixed);
        BOOST_TEST(choose_sharing(Backend::cuda, problem, view, format, 4, whole.bytes(1) - 1) == 4U);
        BOOST_TEST(choose_sharing(Backend::cuda, problem, view, format, 4, whole.bytes(1)) == 1U);
        kpm::Problem given = problem;
        given.start_vectors = kpm::StartVectors::caller;
        const std::int64_t bytes = memory_needs(Backend::cuda, given, view, format, 4).fixed - part.fixed;
        BOOST_TEST(bytes >= 8 * 10000);
        BOOST_TEST(bytes < 8 * 12000);
    }
}

// A device goes through the rows of this matrix as if they lay on a lattice, in three groups of planes.
BOOST_AUTO_TEST_CASE(planes_have_the_same_moments, *boost::unit_test::precondition([](boost::unit_test::test_unit_id) {
                         return boost::test_tools::assertion_result(ranks::backend == LEGATO_BACKEND_CUDA);
                     })) {
    kpm::Lattice lattice;
    lattice.extents = {64, 64, 40};
    lattice.on_site = kpm::OnSite::box;
    lattice.disorder = 2;
    const kpm::CrsMatrix crs = kpm::matrix_of(lattice, 1, 0);
    for (const int format : {LEGATO_KPM_FORMAT_CRS, LEGATO_KPM_FORMAT_ELL})
        BOOST_TEST(differences([&](legato_context* context, int, Results& results) {
                       legato_kpm_params params = in_slabs(5);
                       params.format = format;
                       finish(random_vectors(context, params, made(context, crs)), results);
                   }) == "");
}

// The timing trial measures some rows.
BOOST_AUTO_TEST_CASE(the_trial_measures_rows) {
    ContextOptions options;
    options.parts = 3;
    options.log_level = LogLevel::silent;
    const Context context(options);
    kpm::Problem problem;
    problem.division = kpm::Division::lattice;
    const kpm::CrsMatrix crs = banded(40000).crs();
    const kpm::Hamiltonian view = kpm::view_of(crs);
    const Trial trial = trial_of(context, problem, view);
    BOOST_TEST(trial.can(Backend::cpu));
    BOOST_TEST(trial.measure(Backend::cpu).each > 0);
    if (legato::device_count() > 0) BOOST_TEST(trial.measure(Backend::cuda).each > 0);
}
