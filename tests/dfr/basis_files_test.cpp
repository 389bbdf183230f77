// Tests files of basis sets: round trips, samples of other programs, contractions by spinors, and hostile files.
#define BOOST_TEST_MODULE dfr_basis_files
#include "dfr/basis_files.hpp"

#include <unistd.h>
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>

#include "../core/folder.hpp"
#include "core/error.hpp"
#include "dfr/elements.hpp"
#include "hennessey.hpp"
#include "run.hpp"

using namespace legato;
using namespace legato::dfr;
namespace fs = std::filesystem;

namespace {

constexpr BasisFormat all_formats[] = {BasisFormat::bse_json, BasisFormat::nwchem, BasisFormat::gaussian94,
                                       BasisFormat::dirac};

// Returns the status and the message of the error that the action throws.
template <class Action>
std::pair<Status, std::string> error_of(const Action& action) {
    try {
        action();
    } catch (const Error& error) {
        return {error.status(), error.what()};
    }
    return {Status::success, "nothing thrown"};
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

std::string content_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// A file in a folder of its own.
struct File {
    explicit File(std::string_view content = {}) {
        std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
    }
    Folder folder;
    fs::path path = folder.path / "set";
};

// The functions of a set, as l, exponents and coefficients without zeros. Formats may divide functions into shells in
// different ways.
using Function = std::pair<int, std::vector<std::pair<double, double>>>;
std::vector<Function> functions_of(const BasisSet& set) {
    std::vector<Function> functions;
    for (const BasisShell& shell : set.shells)
        for (const auto& coefficients : shell.coefficients) {
            Function& function = functions.emplace_back(shell.l, std::vector<std::pair<double, double>>{});
            for (std::size_t p = 0; p < coefficients.size(); ++p)
                if (coefficients[p] != 0.0) function.second.emplace_back(shell.exponents[p], coefficients[p]);
            std::sort(function.second.begin(), function.second.end());
        }
    std::stable_sort(functions.begin(), functions.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    return functions;
}

// A single process.
const Context& alone() {
    static const Context context{ContextOptions{}};
    return context;
}

std::vector<BasisSet> round_trip(const std::vector<BasisSet>& sets, BasisFormat format) {
    const File file;
    write_basis_file(file.path, format, sets, {"a \"name\"", "a\ndescription"});
    return read_basis_file(alone(), file.path, format);
}

void check_round_trips(const std::vector<BasisSet>& sets) {
    for (const BasisFormat format : all_formats) {
        const std::vector<BasisSet> read = round_trip(sets, format);
        BOOST_REQUIRE(read.size() == sets.size());
        for (std::size_t i = 0; i < sets.size(); ++i) {
            BOOST_TEST(read[i].element == sets[i].element);
            BOOST_TEST((functions_of(read[i]) == functions_of(sets[i])), "format " << static_cast<int>(format));
            BOOST_TEST((exponents_of(read[i], "") == exponents_of(sets[i], "")));
        }
    }
}

// Sets with random bits in all exponents and coefficients.
BasisSet random_set(int element, std::mt19937_64& random) {
    std::uniform_real_distribution<double> ln_exponent(std::log(1e-8), std::log(1e20)), coefficient(-2.0, 2.0);
    BasisSet set{element, {}};
    for (int l = 0; l <= 6; ++l)
        for (int k = 0; k < 3; ++k) {
            BasisShell& shell = set.shells.emplace_back(BasisShell{l, 0, {}, {}});
            for (int p = 0; p <= 2 * k; ++p) shell.exponents.push_back(std::exp(ln_exponent(random)));
            for (int f = 0; f <= k; ++f) {
                auto& function = shell.coefficients.emplace_back();
                for (int p = 0; p <= 2 * k; ++p) function.push_back(p % (f + 1) == 0 ? coefficient(random) : 0.0);
            }
        }
    return set;
}

Atom library_point(int element) {
    return library_atom(element, NuclearModel::point);
}

// The overlap of two contracted functions.
double overlap(const BasisShell& shell, const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t p = 0; p < a.size(); ++p)
        for (std::size_t q = 0; q < b.size(); ++q) {
            const double x = shell.exponents[p], y = shell.exponents[q];
            sum += a[p] * b[q] * std::pow(4 * x * y / ((x + y) * (x + y)), (shell.l + 1.5) / 2);
        }
    return sum;
}

}  // namespace

BOOST_AUTO_TEST_CASE(uncontracted_round_trips) {
    const std::vector<BasisSet>& sets = hennessey();
    check_round_trips(sets);
    // Both j of an l have the library's exponents, and species are in the order of legato_dfr_add_atom.
    BOOST_TEST((exponents_of(sets.back(), "") == exponents_of(library_basis(86, 7))));
    for (const BasisFormat format : {BasisFormat::bse_json, BasisFormat::nwchem, BasisFormat::gaussian94})
        BOOST_TEST((round_trip(sets, format) == sets));
}

BOOST_AUTO_TEST_CASE(contracted_round_trips) {
    std::mt19937_64 random(7);
    check_round_trips({random_set(1, random), random_set(57, random), random_set(118, random)});
    // Primitives whose coefficients are not 1, and an l without functions.
    check_round_trips({{3, {{0, 0, {2.0}, {{0.5}}}, {0, 0, {3.0}, {{-1.0}}}, {2, 0, {0.7}, {{1.0}}}}}});
    const std::vector<BasisSet> sets{random_set(10, random)};
    for (const BasisFormat format : {BasisFormat::bse_json, BasisFormat::nwchem})
        BOOST_TEST((round_trip(sets, format) == sets));
}

BOOST_AUTO_TEST_CASE(a_file_is_replaced_only_when_complete) {
    const File file("old");
    const std::vector<BasisSet> sets{uncontracted_set(2, {{1.0, 2.0}})};
    fs::permissions(file.folder.path, fs::perms::owner_read | fs::perms::owner_exec);
    if (::geteuid() != 0) {
        const auto [status, message] = error_of([&] { write_basis_file(file.path, BasisFormat::nwchem, sets, {}); });
        BOOST_TEST((status == Status::io_error));
        BOOST_TEST(message.starts_with("basis file "));
    }
    fs::permissions(file.folder.path, fs::perms::owner_all);
    BOOST_TEST(content_of(file.path) == "old");
    const auto no_folder = error_of([&] { write_basis_file(file.path / "x", BasisFormat::dirac, sets, {}); });
    BOOST_TEST((no_folder.first == Status::io_error));
    const auto folder = error_of([&] { write_basis_file(file.folder.path, BasisFormat::dirac, sets, {}); });
    BOOST_TEST((folder.first == Status::io_error));
    BOOST_TEST(file.folder.entries() == 1);
    write_basis_file(file.path, BasisFormat::nwchem, sets, {});
    BOOST_TEST(content_of(file.path).starts_with("# "));
    BOOST_TEST((error_of([&] { read_basis_file(alone(), file.folder.path / "none", BasisFormat::dirac); }).first ==
                Status::io_error));
    BOOST_TEST(
        (error_of([&] { read_basis_file(alone(), file.folder.path, BasisFormat::dirac); }).first == Status::bad_file));
}

// Files that the Python package basis_set_exchange wrote (tests/dfr/basis/README.md). All formats have the same
// functions, and some of their numbers are known.
BOOST_AUTO_TEST_CASE(samples_of_the_basis_set_exchange) {
    const fs::path samples = fs::path(LEGATO_SOURCE_DIR) / "tests/dfr/basis";
    for (const char* const name : {"3-21g", "cc-pvdz", "ano-rcc"}) {
        const auto path = [&](const char* extension) { return samples / (std::string(name) + extension); };
        const auto json = read_basis_file(alone(), path(".json"), BasisFormat::bse_json);
        const auto same = [&](const std::vector<BasisSet>& other) {
            BOOST_REQUIRE(other.size() == json.size());
            for (std::size_t i = 0; i < json.size(); ++i) {
                BOOST_TEST(other[i].element == json[i].element);
                auto a = functions_of(other[i]), b = functions_of(json[i]);
                std::sort(a.begin(), a.end());
                std::sort(b.begin(), b.end());
                BOOST_TEST((a == b), name);
            }
        };
        same(read_basis_file(alone(), path(".nw"), BasisFormat::nwchem));
        same(read_basis_file(alone(), path(".gbs"), BasisFormat::gaussian94));
        same(read_basis_file(alone(), path(".dalton"), BasisFormat::dirac));
        check_round_trips(json);
    }
    const auto sets = read_basis_file(alone(), samples / "3-21g.json", BasisFormat::bse_json);
    BOOST_TEST(elements_of(sets) == "H, He, Ne");
    const auto neon = exponents_of(sets[2], "");
    BOOST_TEST(neon.size() == 3u);
    BOOST_TEST((neon[1] == std::vector{12.4830, 2.66451, 0.606250}));  // the functions of SP shells
    BOOST_TEST((neon[1] == neon[2]));
    BOOST_TEST(neon[0].size() == 6u);
    BOOST_TEST(exponents_of(sets[0], "").size() == 1u);
    const auto plain = read_basis_file(alone(), samples / "dirac-style.txt", BasisFormat::dirac);
    BOOST_TEST((exponents_of(plain[0], "")[2] == std::vector{1.2345678}));
    BOOST_TEST((exponents_of(plain[1], "")[0] ==
                std::vector{8123.4567, 1234.5678, 234.56789, 78.901234, 24.567890, 8.9012345}));
    BOOST_TEST(exponents_of(plain[1], "")[1].empty());
    BOOST_TEST((plain[1].shells.back() == BasisShell{2, 0, {43.210987}, {{0.5}, {0.25}}}));
}

// Without relativity both j have the same radial functions, so that the average is one of them, and the functions are
// orthonormal.
BOOST_AUTO_TEST_CASE(contraction_by_spinors) {
    Problem problem;
    problem.relativistic = false;
    const Atom atom = library_point(18);
    const AtomResult result = tests::run(problem, atom);
    const BasisSet by_l = contracted_set(18, atom, result, Contraction::l_averaged, 0, "field");
    const BasisSet by_j = contracted_set(18, atom, result, Contraction::j_adapted, 0, "field");
    BOOST_REQUIRE(by_l.shells.size() == 2u);
    BOOST_REQUIRE(by_j.shells.size() == 3u);
    BOOST_TEST(by_j.shells[1].twice_j == 1);
    BOOST_TEST(by_j.shells[2].twice_j == 3);
    BOOST_TEST(by_l.shells[0].coefficients.size() == 3u);
    BOOST_TEST(by_l.shells[1].coefficients.size() == 2u);
    BOOST_TEST((by_j.shells[0] == by_l.shells[0]));
    for (const BasisShell& shell : by_l.shells)
        for (std::size_t a = 0; a < shell.coefficients.size(); ++a)
            for (std::size_t b = 0; b < shell.coefficients.size(); ++b)
                BOOST_TEST(std::fabs(overlap(shell, shell.coefficients[a], shell.coefficients[b]) - (a == b)) < 1e-10);
    for (std::size_t n = 0; n < 2; ++n)
        for (std::size_t p = 0; p < by_l.shells[1].exponents.size(); ++p)
            BOOST_TEST(std::fabs(by_l.shells[1].coefficients[n][p] - by_j.shells[1].coefficients[n][p]) < 1e-6);
    check_round_trips({by_l});
    // Primitives are those with the smallest exponents.
    const BasisSet more = contracted_set(18, atom, result, Contraction::l_averaged, 2, "field");
    BOOST_TEST(more.shells.size() == 6u);
    BOOST_TEST((more.shells[2].exponents == std::vector{atom.exponents[0][0]}));
    BOOST_TEST((more.shells[1].exponents == std::vector{atom.exponents[0][1]}));
}

// The large components of p1/2 and p3/2 differ by relativity. The average lies between them.
BOOST_AUTO_TEST_CASE(contraction_of_a_heavy_atom) {
    const Atom atom = library_point(54);
    const AtomResult result = tests::run(Problem{}, atom);
    const BasisSet by_l = contracted_set(54, atom, result, Contraction::l_averaged, 0, "field");
    const BasisSet by_j = contracted_set(54, atom, result, Contraction::j_adapted, 0, "field");
    BOOST_REQUIRE(by_l.shells.size() == 3u);
    BOOST_REQUIRE(by_j.shells.size() == 5u);
    const BasisShell &mean = by_l.shells[1], &lower = by_j.shells[1], &upper = by_j.shells[2];
    const double to_lower = overlap(mean, mean.coefficients[0], lower.coefficients[0]),
                 to_upper = overlap(mean, mean.coefficients[0], upper.coefficients[0]),
                 between = overlap(mean, lower.coefficients[0], upper.coefficients[0]);
    BOOST_TEST(between < 0.9999);
    // mean = (2 lower + 4 upper) / |2 lower + 4 upper|
    const double norm = std::sqrt(4 + 16 + 16 * between);
    BOOST_TEST(std::fabs(to_lower - (2 + 4 * between) / norm) < 1e-12);
    BOOST_TEST(std::fabs(to_upper - (4 + 2 * between) / norm) < 1e-12);
    for (const BasisFormat format : all_formats) {
        const File file("old");
        const auto [status, message] = error_of([&] { write_basis_file(file.path, format, {by_j}, {}); });
        BOOST_TEST((status == Status::invalid_argument));
        BOOST_TEST(contains(message, "has no place for Xe's functions of p1/2"), message);
        BOOST_TEST(content_of(file.path) == "old");
    }
}

BOOST_AUTO_TEST_CASE(contractions_that_are_refused) {
    Atom boron = library_point(5);
    const AtomResult result = tests::run(Problem{}, boron);
    const auto message = [&](const Atom& atom, int primitives) {
        return error_of([&] { contracted_set(5, atom, result, Contraction::l_averaged, primitives, "a.b"); }).second;
    };
    BOOST_TEST(message(boron, 201) == "a.b.primitives: 201 is not in 0..200");
    BOOST_TEST(contains(message(boron, 100), "a.b.primitives: 100 is more than the "));
    Atom other = boron;
    other.exponents[2][0] *= 1.01;
    BOOST_TEST(contains(message(other, 0), "needs the same exponents for both j"));
    Atom one_j = boron;
    one_j.configuration.electrons[2] = 0;
    BOOST_TEST(contains(message(one_j, 0), "but p has 1 and 0"));
}

namespace {

struct Hostile {
    BasisFormat format;
    std::string content;
    std::string message;  // part of it
};

std::string json(std::string_view elements) {
    return "{\"elements\": " + std::string(elements) + "}";
}

std::string shell(std::string_view exponents, std::string_view coefficients, std::string_view l = "[0]",
                  std::string_view type = "gto") {
    return json("{\"2\": {\"electron_shells\": [{\"function_type\": \"" + std::string(type) +
                "\", \"angular_momentum\": " + std::string(l) + ", \"exponents\": " + std::string(exponents) +
                ", \"coefficients\": " + std::string(coefficients) + "}]}}");
}

std::vector<Hostile> hostile_files() {
    using enum BasisFormat;
    std::vector<Hostile> files{
        {bse_json, "", "parse error at line 1"},
        {bse_json, "[1, 2]", "an array of 2 values is not an object"},
        {bse_json, "{}", "\"elements\" is missing"},
        {bse_json, json("{}"), "there is no basis set"},
        {bse_json, json("{\"119\": {}}"), "elements: \"119\" is not an element in 1..118"},
        {bse_json, json("{\"He\": {}}"), "\"He\" is not an element"},
        {bse_json, json("{\"2\": {}}"), "elements.2: \"electron_shells\" is missing"},
        {bse_json, json("{\"2\": {\"electron_shells\": []}}"), "electron_shells: an array of 0 values is not a list"},
        {bse_json, json("{\"2\": {\"electron_shells\": [7]}}"), "electron_shells[0]: \"7\" is not an object"},
        {bse_json, json("{\"2\": {}, \"2\": {}}"), "the key \"2\" comes twice"},
        {bse_json, json("{\"2\": {\"electron_shells\": [], \"ecp_potentials\": []}}"), "ecp_potentials"},
        {bse_json, shell("[\"1.0\"]", "[[\"1.0\"]]").substr(0, 100), "parse error"},
        {bse_json, shell("[\"x\"]", "[[\"1.0\"]]"), "exponents[0]: \"x\" is not a number"},
        {bse_json, shell("[\"-1.0\"]", "[[\"1.0\"]]"), "exponent 1: -1 is not in [1e-08, 1e+20]"},
        {bse_json, shell("[\"nan\"]", "[[\"1.0\"]]"), "is not a number"},
        {bse_json, shell("[\"1e999\"]", "[[\"1.0\"]]"), "is not a number"},
        {bse_json, shell("[1e999]", "[[\"1.0\"]]"), "number overflow"},
        {bse_json, shell("[\"1.0\"]", "[[\"0.0\"]]"), "all coefficients of a function are 0"},
        {bse_json, shell("[\"1.0\"]", "[[\"1e200\"]]"), "coefficient: 1e+200 is not in"},
        {bse_json, shell("[\"1.0\"]", "[[\"1.0\", \"2.0\"]]"), "2 coefficients for 1 exponents"},
        {bse_json, shell("[\"1.0\"]", "[]"), "coefficients: an array of 0 values"},
        {bse_json, shell("[\"1.0\", \"1.0\"]", "[[1, 1]]"), "the exponent 1 comes twice"},
        {bse_json, shell("[\"1.0\"]", "[[\"1.0\"]]", "[7]"),
         "angular_momentum[0]: \"7\" is not an angular momentum in 0..6"},
        {bse_json, shell("[\"1.0\"]", "[[\"1.0\"]]", "[-1]"), "\"-1\" is not an angular momentum"},
        {bse_json, shell("[\"1.0\"]", "[[\"1.0\"]]", "[18446744073709551615]"), "is not an angular momentum"},
        {bse_json, shell("[\"1.0\"]", "[[\"1.0\"]]", "[0, 1]"), "is not a list of 2 lists"},
        {bse_json, shell("[\"1.0\"]", "[[\"1.0\"]]", "[2]", "gto_cartesian"), "\"gto_cartesian\" is not"},
        {bse_json, std::string(100000, '['), "more than 20 brackets are open"},
        {bse_json, json("{\"2\": 5}"), "elements.2: \"5\" is not an object"},
        {bse_json, json("{\"2\": {}} ]"), "parse error"},
        {nwchem, "", "there is no basis set"},
        {nwchem, "BASIS\n", "at the end of the file: expected END"},
        {nwchem, "BASIS\nEND\n", "there is no basis set"},
        {nwchem, "He S\n1 1\n", "line 1: found \"He S\", expected the directive BASIS"},
        {nwchem, "ECP\nHe nelec 2\nEND", "effective core potentials"},
        {nwchem, "BASIS\nXx S\n1 1\nEND", "line 2: found \"Xx S\", expected the symbol of an element"},
        {nwchem, "BASIS \"ao basis\"\nHe S\n1 1\nEND\nBASIS \"cd basis\"\nHe S\n2 1\nEND", "He already has a set"},
        {nwchem, "BASIS\nHe J\n1 1\nEND", "line 2: found \"He J\", expected letters"},
        {nwchem, "BASIS\nHe S\nEND", "line 3: found \"END\", expected an exponent and coefficients"},
        {nwchem, "BASIS\nHe S\n1\nEND", "line 3: found \"1\", expected an exponent and coefficients"},
        {nwchem, "BASIS\nHe S\n3 1\n2 1 1\nEND", "line 4: found \"2 1 1\", expected an exponent and 1 coefficients"},
        {nwchem, "BASIS\nHe SP\n3 1\nEND", "expected an exponent and 2 coefficients"},
        {nwchem, "BASIS\nHe S\n3 1.0.0\nEND", "line 3: \"1.0.0\" is not a number, expected a coefficient"},
        {nwchem, "BASIS\nHe S\n0x10 1\nEND", "\"0x10\" is not a number, expected an exponent"},
        {nwchem, "BASIS\nHe S\n1e-9 1\nEND", "line 2: exponent 1: 1e-09 is not in"},
        {nwchem, "BASIS CARTESIAN\nHe D\n1 1\nEND", "CARTESIAN"},
        {nwchem, "BASIS\nHe S\n1 1\nNe S\n1 1\nHe P\n1 1\nEND", "line 6: He already has a set"},
        {gaussian94, "He 0\n", "at the end of the file: expected ****"},
        {gaussian94, "He 0\n****\n", "He has no functions"},
        {gaussian94, "He 0\nS 2 1.0\n1 1\n****\n",
         "found \"****\", expected an exponent and 1 coefficients: row 2 of 2"},
        {gaussian94, "He 0\nS 1000000000 1.0\n1 1\n****\n", "\"1000000000\" is not the number of exponents"},
        {gaussian94, "He 0\nS 99999999999999999999 1.0\n", "is not the number of exponents"},
        {gaussian94, "He 0\nS -1 1.0\n", "\"-1\" is not the number of exponents"},
        {gaussian94, "He 0\nS 1\n1 1\n****", "expected the header of a shell"},
        {gaussian94, "He 0\nS 1 0\n1 1\n****", "exponent 1: 0 is not in"},
        {gaussian94, "He 0\nS 1 1\n1 1\n****\nHe 0\nS 1 1\n1 1\n****", "line 5: He already has a set"},
        {gaussian94, "NA-ECP GEN\n", "effective core potentials"},
        {dirac, "2 1 0\n", "line 1: found \"2 1 0\", expected the letter a"},
        {dirac, "a 0\n", "\"0\" is not the number of an element"},
        {dirac, "a 119\n", "expected an element in 1..118"},
        {dirac, "a 2\n", "He has no functions"},
        {dirac, "a 2\n1000000000 0 0\n", "\"1000000000\" is not the number of exponents"},
        {dirac, "a 2\n2 0 0\n1.0\n", "at the end of the file: expected an exponent and 0 coefficients"},
        {dirac, "a 2\n1 1 0\n1.0 1.0 1.0\n", "expected an exponent and 1 coefficients"},
        {dirac, "a 2\n1 0 0\n1.0\na 2\n1 0 0\n1.0", "line 4: He already has a set"},
        {dirac,
         "a 2\n" + std::string(8 * 8, '\n') +
             "1 0 0\n1\n1 0 0\n1\n1 0 0\n1\n1 0 0\n1\n1 0 0\n1\n1 0 0\n1\n1 0 0\n1\n1 0 0\n1\n",
         "expected the next element"},
    };
    std::string many = "BASIS\n";
    for (int k = 1; k <= 201; ++k) many += "He S\n" + std::to_string(k) + " 1.0\n";
    files.push_back({nwchem, many + "END", "He has more than 200 functions in s1/2"});
    return files;
}

}  // namespace

BOOST_AUTO_TEST_CASE(hostile_files_have_clear_messages) {
    for (const Hostile& hostile : hostile_files()) {
        const File file(hostile.content);
        const auto [status, message] = error_of([&] { read_basis_file(alone(), file.path, hostile.format); });
        BOOST_TEST((status == Status::bad_file), hostile.content.substr(0, 200));
        BOOST_TEST(message.starts_with("basis file " + file.path.string()), message);
        BOOST_TEST(contains(message, hostile.message), message << " <- " << hostile.content.substr(0, 200));
    }
}

// Every beginning of a good file is read, or refused with a message. Damaged bytes, too.
BOOST_AUTO_TEST_CASE(damaged_files) {
    std::mt19937 random(3);
    const std::vector<BasisSet> sets{uncontracted_set(2, {{1.5, 2.5}}), uncontracted_set(10, {{0.5}, {0.25}, {0.25}})};
    for (const BasisFormat format : all_formats) {
        const File good;
        write_basis_file(good.path, format, sets, {});
        const std::string content = content_of(good.path);
        const auto try_out = [&](const std::string& damaged) {
            const fs::path path = good.folder.path / "damaged";
            std::ofstream(path, std::ios::binary) << damaged;
            const auto [status, message] = error_of([&] { read_basis_file(alone(), path, format); });
            BOOST_TEST((status == Status::success || status == Status::bad_file), message);
        };
        for (std::size_t length = 0; length < content.size(); length += 3) try_out(content.substr(0, length));
        for (int k = 0; k < 300; ++k) {
            std::string damaged = content;
            for (int n = 0; n < 3; ++n) damaged[random() % damaged.size()] = static_cast<char>(random());
            try_out(damaged);
        }
    }
}

BOOST_AUTO_TEST_CASE(numbers_are_independent_of_their_spelling) {
    const File file("basis spherical\nhe s\n +1.5D+00 1.0 # comment\n 25d-1 .5\r\nend\n");
    const auto sets = read_basis_file(alone(), file.path, BasisFormat::nwchem);
    BOOST_TEST((sets[0].shells[0] == BasisShell{0, 0, {1.5, 2.5}, {{1.0, 0.5}}}));
    const File scaled("****\n-He 0\nS 1 2.0\n 1.5 1.0\n****\n");
    BOOST_TEST(read_basis_file(alone(), scaled.path, BasisFormat::gaussian94)[0].shells[0].exponents[0] == 6.0);
    const File split("a 2\nH 1 3 0\n 1.5 1.0\n 2.0 3.0\n");
    BOOST_TEST(read_basis_file(alone(), split.path, BasisFormat::dirac)[0].shells[0].coefficients.size() == 3u);
}

// Files of Psi4 say in their first line which functions they have.
BOOST_AUTO_TEST_CASE(files_of_psi4) {
    const std::string sets = "\n!a comment\n****\nHe 0\nS 1 1.0\n 1.5 1.0\n****\nNe 0\nP 1 1.0\n 2.5 1.0\n****\n";
    for (const char* line : {"spherical", "SPHERICAL", "Cartesian"}) {
        const File file(line + sets);
        const auto read = read_basis_file(alone(), file.path, BasisFormat::gaussian94);
        BOOST_REQUIRE(read.size() == 2u);
        BOOST_TEST((read[0] == uncontracted_set(2, {{1.5}})));
        BOOST_TEST(read[1].shells[0].exponents[0] == 2.5);
    }
    const File d("cartesian\n****\nHe 0\nD 1 1.0\n 1.5 1.0\n****\n"),
        pure("spherical\nHe 0\nD 1 1.0\n 1.5 1.0\n****\n");
    BOOST_TEST(read_basis_file(alone(), pure.path, BasisFormat::gaussian94)[0].shells[0].l == 2);
    const auto [status, message] = error_of([&] { read_basis_file(alone(), d.path, BasisFormat::gaussian94); });
    BOOST_TEST((status == Status::bad_file));
    BOOST_TEST(
        contains(message, "line 4: found \"D 1 1.0\", expected S or P, because an earlier line says \"cartesian\""),
        message);
}

BOOST_AUTO_TEST_CASE(libraries_are_found_by_name_and_error) {
    const Folder folder, second;
    const auto write = [](const fs::path& where, double exponent) {
        write_basis_file(where, BasisFormat::bse_json, {uncontracted_set(2, {{exponent}})}, {});
    };
    write(folder.path / "own.json", 1.0);
    write(folder.path / "own-1e-5.json", 5.0);
    write(folder.path / "own-1e-7.json", 7.0);
    write(second.path / "own.json", 2.0);
    write(second.path / "other.json", 3.0);
    const std::string path = "::" + folder.path.string() + ":" + second.path.string();
    ::setenv("LEGATO_BASIS_PATH", path.c_str(), 1);
    const auto exponent = [](std::string_view name, double error) {
        return read_basis_library(alone(), name, error)[0].shells[0].exponents[0];
    };
    BOOST_TEST(exponent("own", 0) == 1.0);
    BOOST_TEST(exponent("other", 0) == 3.0);
    BOOST_TEST(exponent("own-1e-7", 0) == 7.0);
    BOOST_TEST(exponent("own", 1e-2) == 5.0);
    BOOST_TEST(exponent("own", 1e-5) == 5.0);
    BOOST_TEST(exponent("own", 9e-6) == 7.0);
    const auto [status, message] = error_of([&] { read_basis_library(alone(), "own", 1e-8); });
    BOOST_TEST((status == Status::invalid_argument));
    BOOST_TEST(contains(message, "there is no library \"own\" with an error of at most 1e-08"), message);
    BOOST_TEST(contains(message, "other, own, own-1e-5, own-1e-7"), message);
    BOOST_TEST(contains(message, "in the folders " + folder.path.string() + ", " + second.path.string() + ", "),
               message);
    BOOST_TEST(contains(message, "share/legato/basis, where there are: hennessey, legato-"),
               message);  // of the build tree
    BOOST_TEST(contains(error_of([&] { read_basis_library(alone(), "../own", 0); }).second, "there is no library"));
    ::unsetenv("LEGATO_BASIS_PATH");
}
