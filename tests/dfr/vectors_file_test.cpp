// Reads files of spinors with the HDF5 library, and evaluates the spinors by the formulas of docs/dfr.md.
#define BOOST_TEST_MODULE dfr_vectors_file
#include <hdf5.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "../core/folder.hpp"
#include "dfr/extended_balance.hpp"
#include "dfr/properties.hpp"
#include "dfr/shell_list.hpp"
#include "dfr/vectors_file.hpp"
#include "hennessey.hpp"
#include "run.hpp"

using namespace legato;
using namespace legato::dfr;

namespace {

class Hdf5File {
  public:
    explicit Hdf5File(const std::filesystem::path& path) : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {
        BOOST_REQUIRE(file_ >= 0);
    }
    ~Hdf5File() { H5Fclose(file_); }
    Hdf5File(const Hdf5File&) = delete;
    Hdf5File& operator=(const Hdf5File&) = delete;

    std::vector<double> reals(const std::string& name) const { return read<double>(name, H5T_NATIVE_DOUBLE); }
    double real(const std::string& name) const { return reals(name).at(0); }
    std::vector<long> integers(const std::string& name) const { return read<long>(name, H5T_NATIVE_LONG); }
    long integer(const std::string& name) const { return integers(name).at(0); }
    std::string text(const std::string& name) const {
        const hid_t set = H5Dopen2(file_, name.c_str(), H5P_DEFAULT), type = H5Dget_type(set);
        std::string value(H5Tget_size(type), '\0');
        BOOST_REQUIRE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value.data()) >= 0);
        H5Tclose(type);
        H5Dclose(set);
        return value.c_str();
    }
    bool has(const std::string& name) const { return H5Lexists(file_, name.c_str(), H5P_DEFAULT) > 0; }

  private:
    template <class T>
    std::vector<T> read(const std::string& name, hid_t type) const {
        const hid_t set = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
        BOOST_REQUIRE_MESSAGE(set >= 0, name);
        const hid_t space = H5Dget_space(set);
        std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
        BOOST_REQUIRE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
        H5Sclose(space);
        H5Dclose(set);
        return values;
    }

    hid_t file_;
};

// Returns g^L(r) and g^S(r), normalised by the integrals int r^(2m) exp(-2 zeta r^2) dr = Gamma(m + 1/2) / [2 (2
// zeta)^(m + 1/2)].
std::pair<double, double> functions(double zeta, int l, double kappa, double r) {
    const auto square = [&](int m) { return std::tgamma(m + 0.5) / (2 * std::pow(2 * zeta, m + 0.5)); };
    const double a = l + 1 + kappa, gaussian = std::exp(-zeta * r * r) * std::pow(r, l),
                 small = (a * a > 0 ? a * a * square(l) : 0) - 4 * a * zeta * square(l + 1) +
                         4 * zeta * zeta * square(l + 2);
    return {r * gaussian / std::sqrt(square(l + 1)), (a - 2 * zeta * r * r) * gaussian / std::sqrt(small)};
}

// Returns the integral of (P^2 + Q^2) r^power of a state in the file.
double moment(const Hdf5File& file, const std::string& of, std::size_t state, int power) {
    const auto zeta = file.reals(of + "exponents"), large = file.reals(of + "large"), small = file.reals(of + "small");
    const double kappa = static_cast<double>(file.integer(of + "kappa"));
    const int l = static_cast<int>(kappa > 0 ? kappa : -kappa - 1);
    const double step = 0.03;
    double sum = 0;
    for (double x = -22; x < 4.5; x += step) {
        const double r = std::exp(x);
        double p = 0, q = 0;
        for (std::size_t k = 0; k < zeta.size(); ++k) {
            const auto [g_large, g_small] = functions(zeta[k], l, kappa, r);
            p += large.at(state * zeta.size() + k) * g_large;
            if (!small.empty()) q += small.at(state * zeta.size() + k) * g_small;
        }
        sum += step * (p * p + q * q) * std::pow(r, power + 1);
    }
    return sum;
}

void check_atom(const Hdf5File& file, const std::string& of, const Atom& atom, const AtomResult& result) {
    BOOST_TEST(file.real(of + "nucleus/charge") == atom.nucleus.charge);
    BOOST_TEST(file.real(of + "nucleus/exponent") == atom.nucleus.exponent);
    BOOST_TEST(file.real(of + "nucleus/radius") == atom.nucleus.radius);
    BOOST_TEST(file.real(of + "nucleus/skin") == atom.nucleus.skin);
    BOOST_TEST(file.integer(of + "nucleus/model") == static_cast<int>(atom.nucleus.model));
    BOOST_TEST(file.integer(of + "status") == static_cast<int>(result.status));
    BOOST_TEST(file.real(of + "energy") == result.energy);
    BOOST_TEST(file.reals(of + "electrons") == atom.configuration.electrons);
    BOOST_TEST(file.reals(of + "pairs") == atom.configuration.pairs);
    BOOST_TEST(file.integer(of + "n_species") == static_cast<long>(atom.exponents.size()));
    for (int s = 0; s < static_cast<int>(atom.exponents.size()); ++s) {
        const std::string species = of + "species/" + std::to_string(s) + "/";
        BOOST_TEST(file.text(species + "name") == name_of(s));
        BOOST_TEST(file.integers(of + "closed").at(static_cast<std::size_t>(s)) ==
                   atom.configuration.closed[static_cast<std::size_t>(s)]);
        BOOST_TEST(file.integer(species + "functions") == static_cast<long>(file.reals(species + "exponents").size()));
        const auto energies = file.reals(species + "energies"), occupations = file.reals(species + "occupations");
        BOOST_TEST(energies == result.species[static_cast<std::size_t>(s)].orbital_energies);
        BOOST_TEST(file.integer(species + "states") == static_cast<long>(energies.size()));
        for (std::size_t a = 0; a < energies.size(); ++a) {
            BOOST_TEST(occupations.at(a) == occupation(atom.configuration, s, a));
            if (occupations[a] == 0.0) continue;
            BOOST_TEST(std::fabs(moment(file, species, a, 0) - 1) < 1e-9, species << a);
            const double r = radial_moment(atom, result, s, a, 1);
            BOOST_TEST(std::fabs(moment(file, species, a, 1) - r) < 1e-9 * r, species << a);
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(spinors) {
    const Folder folder;
    const auto path = folder.path / "vectors.h5";
    for (const bool relativistic : {true, false}) {
        Problem problem;
        problem.relativistic = relativistic;
        problem.kinetic_balance = relativistic ? KineticBalance::extended : KineticBalance::restricted;
        std::vector<Atom> atoms = {library_atom(10, NuclearModel::point), library_atom(24, NuclearModel::gaussian),
                                   library_atom(18, NuclearModel::fermi), library_atom(10, NuclearModel::point)};
        const std::vector<ShellElectrons> excited{{1, 0, 0, 1}, {2, 0, 0, 2}, {2, 1, 0, 6}, {4, 0, 0, 1}};
        atoms[3].configuration = average_of_shells(excited);
        const std::vector<AtomResult> results = tests::run(problem, atoms);
        for (Atom& atom : atoms) atom = balanced(problem, atom);
        write_vectors(problem, atoms, results, path);
        const Hdf5File file(path);
        BOOST_TEST(file.integer("relativistic") == relativistic);
        BOOST_TEST(file.real("speed_of_light") == problem.speed_of_light);
        BOOST_TEST(file.integer("kinetic_balance") == static_cast<int>(problem.kinetic_balance));
        BOOST_TEST(file.integer("interaction") == 0);
        BOOST_TEST(file.integer("n_atoms") == 4);
        BOOST_TEST(!file.has("atoms/2/open/species"));
        BOOST_TEST(file.integers("atoms/3/open/species") == (std::vector<long>{0, 0, 0}));
        BOOST_TEST(file.integers("atoms/3/open/index") == (std::vector<long>{0, 2, 3}));
        BOOST_TEST(file.reals("atoms/3/open/electrons") == (std::vector<double>{1, 0, 1}));
        for (std::size_t i = 0; i < atoms.size(); ++i)
            check_atom(file, "atoms/" + std::to_string(i) + "/", atoms[i], results[i]);
    }
}

BOOST_AUTO_TEST_CASE(no_result) {
    const Folder folder;
    const Atom atom = library_atom(2, NuclearModel::point);
    AtomResult failed;
    failed.status = AtomStatus::failed;
    write_vectors({}, {atom}, {failed}, folder.path / "vectors.h5");
    const Hdf5File file(folder.path / "vectors.h5");
    BOOST_TEST(file.integer("atoms/0/status") == 4);
    BOOST_TEST(file.integer("atoms/0/species/0/states") == 0);
    BOOST_TEST(!file.has("atoms/0/species/0/energies"));
}
