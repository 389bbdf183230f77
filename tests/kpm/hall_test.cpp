// Computes Hall conductivities in gaps with random vectors, on lattices of up to 8192 sites, and compares them with the
// Chern numbers. With --log_level=message it prints the tables of docs/kpm-conductivity.md.
#define BOOST_TEST_MODULE kpm_hall
#include <boost/test/unit_test.hpp>
#include <iomanip>

#include "eigenstates.hpp"
#include "kpm/estimates.hpp"
#include "kpm/velocity.hpp"

using namespace legato;
using namespace legato::kpm;
using namespace legato::kpm::tests;

namespace {

Hermitian dense_of(const Hamiltonian& hamiltonian) {
    return dense_complex(matrix_of(hamiltonian, 1, 0, 1));
}

// A Fermi energy in a gap, and the conductivity there in e^2/h.
struct Gap {
    double energy, conductivity;
};

// Requires an accuracy of 1 %, or three standard errors where these are larger.
void require_quantised(const char* name, const CellLattice& lattice, int moments, int vectors,
                       const std::vector<Gap>& gaps) {
    Context context = make_context(2);
    Problem problem;
    problem.moments = moments;
    problem.vectors = lattice.on_site == OnSite::constant ? vectors : 1;
    problem.realisations = lattice.on_site == OnSite::constant ? 1 : vectors;
    problem.start_vectors = StartVectors::phase;
    problem.bounds = Bounds::lanczos;
    Correlation run(
        context, problem,
        {prepared(lattice), prepared(velocity_of(lattice, {1, 0, 0})), prepared(velocity_of(lattice, {0, 1, 0}))});
    while (!run.advance()) {
    }
    std::vector<double> energies;
    for (const Gap& gap : gaps) energies.push_back(gap.energy);
    const Estimate found =
        estimate(run, Kernel::jackson, 4, true, [&](const DoubleSpectrum& s) { return hall(s, energies, 0); });
    const double unit = 1 / (2 * pi * lattice.orbitals);  // e^2/h times the area of a site
    for (std::size_t k = 0; k < gaps.size(); ++k) {
        const double value = found.value[k] / unit, error = found.error[k] / unit, exact = gaps[k].conductivity;
        BOOST_TEST_MESSAGE(name << ", " << lattice.extents[0] << " x " << lattice.extents[1]
                                << " cells, N = " << moments << ", R = " << vectors << ", mu = " << energies[k]
                                << std::fixed << std::setprecision(4) << ": " << value << " +- " << error);
        BOOST_TEST(std::abs(value - exact) < std::max(0.01 * std::abs(exact), 3 * error));
        BOOST_TEST(error < 0.02 * std::abs(exact));
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(haldane_model) {
    CellLattice lattice = haldane(64, 64, 0.2, pi / 2, 0);
    require_quantised("Haldane", lattice, 512, 32, {{0, -1}});
    lattice.on_site = OnSite::box;
    lattice.disorder = 1;
    require_quantised("Haldane with disorder", lattice, 256, 64, {{0, -1}});
}

BOOST_AUTO_TEST_CASE(hofstadter_model) {
    CellLattice thirds = square(72, 72), fifths = square(80, 80);
    thirds.flux[2] = 1.0 / 3;
    fifths.flux[2] = 1.0 / 5;
    require_quantised("Hofstadter 1/3", thirds, 512, 64, {{-1.4, 1}, {1.4, -1}});
    require_quantised("Hofstadter 1/5", fifths, 1024, 32, {{-2.3, 1}, {-0.85, 2}});
}

// The deviation for N moments with the exact trace. With the Jackson kernel it is (pi half_width / (N d))^2, where d is
// the distance to the nearest band.
BOOST_AUTO_TEST_CASE(number_of_moments) {
    const CellLattice lattice = haldane(16, 16, 0.2, pi / 2, 0);
    const Response response(dense_of(lattice), dense_of(velocity_of(lattice, {1, 0, 0})),
                            dense_of(velocity_of(lattice, {0, 1, 0})));
    const std::vector<double> gap{0.0};
    const double exact = response.hall(0),
                 distance = std::min(response.states.energies[256], -response.states.energies[255]);
    for (const std::size_t count : {64, 128, 256, 512, 1024}) {
        const DoubleSpectrum s = response.spectrum(count, 0.01),
                             lorentz = response.spectrum(count, 0.01, Kernel::lorentz);
        const double deviation = hall(s, gap, 0)[0] / exact - 1, of_lorentz = hall(lorentz, gap, 0)[0] / exact - 1;
        BOOST_TEST_MESSAGE("N = " << count << std::setprecision(3) << std::defaultfloat << ": Jackson "
                                  << 100 * deviation << " %, Lorentz " << 100 * of_lorentz << " %");
        const double expected = std::pow(pi * s.half_width / (static_cast<double>(count) * distance), 2);
        BOOST_TEST(deviation > 0.9 * expected);
        BOOST_TEST(deviation < 1.2 * expected);
    }
}
