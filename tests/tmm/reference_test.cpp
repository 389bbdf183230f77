// Compares with trajectories of the TMSEXD lineage. The number of iterations must be exactly equal, exponents and
// errors to 1e-10 relative in 2D. The bars are strongly disordered, and their columns grow apart by up to 1e8 within a
// cycle. Rounding in any other order of summation then appears at 1e-10. Two independent programs agree to 4e-11
// absolute; the test requires 1e-9 relative.
#define BOOST_TEST_MODULE tmm_reference
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "runs.hpp"

using namespace legato;
using namespace legato::tmm;

namespace {

struct Row {
    int dimension, width;
    Boundary boundary;
    double disorder, energy;
    std::int64_t cycles;
    std::vector<double> exponents, errors;  // the smallest first, as many as are known
};

const std::vector<Row> rows{
    {2,
     8,
     Boundary::hard_wall,
     1.0,
     -4.4,
     87,
     {0.6903391874515408, 0.8942998546975196, 1.1186642812021563, 1.3283302125256677, 1.5062708533323739,
      1.6462610422183266, 1.7472802762947170, 1.8078261101891431},
     {0.0049631051954528, 0.0038063645489832, 0.0021315025999525, 0.0009823527773635}},
    {2,
     8,
     Boundary::hard_wall,
     1.0,
     4.2,
     185,
     {0.5400947444821721, 0.7878168555965021, 1.0438577706564247, 1.2720943829977946},
     {0.0049729825198525, 0.0025994219743476}},
    {2,
     8,
     Boundary::periodic,
     1.0,
     -4.4,
     92,
     {0.6021509376472962, 0.9475211366762315, 0.9497596902805892, 1.4220323995051229},
     {0.0049527184515946, 0.0023883308008240}},
    {2,
     8,
     Boundary::periodic,
     1.0,
     4.2,
     335,
     {0.4149939651281186, 0.8507658164497096, 0.8548307284758755, 1.3706493300390286},
     {0.0049919200595169, 0.0013753584336378}},
    {3,
     4,
     Boundary::periodic,
     15.0,
     0.0,
     10006,
     {0.3649300293472575, 0.5914608607675442, 0.7511096833187888, 0.8743133230892712},
     {0.0049999541116361}},
    {3,
     4,
     Boundary::periodic,
     16.5,
     0.0,
     8461,
     {0.4257571546491429, 0.6708737325147088, 0.8353806059120744, 0.9599413353140717},
     {0.0049998831502384}},
    {3,
     4,
     Boundary::periodic,
     18.0,
     0.0,
     6942,
     {0.4901942813932960, 0.7460157368720842, 0.9148908848869579, 1.0403378459508996},
     {0.0049997973614030}},
};

void agree(double value, double reference, double tolerance) {
    BOOST_TEST(std::fabs(value / reference - 1) <= tolerance,
               "off by " << value / reference - 1 << " from " << reference);
}

}  // namespace

BOOST_AUTO_TEST_CASE(short_trajectories) {
    Context context = tests::make_context(Backend::cpu);
    for (const Row& row : rows) {
        Solver solver(context, tests::legacy_problem(row.dimension, row.width, row.boundary),
                      {{row.energy, row.disorder}});
        solver.run({});
        const PointResult result = solver.result(0);
        const double tolerance = row.dimension == 2 ? 1e-10 : 1e-9;
        BOOST_TEST(static_cast<int>(result.status) == static_cast<int>(PointStatus::converged));
        BOOST_TEST(result.cycles == row.cycles);
        for (std::size_t i = 0; i < row.exponents.size(); ++i) agree(result.exponents[i], row.exponents[i], tolerance);
        for (std::size_t i = 0; i < row.errors.size(); ++i) agree(result.errors[i], row.errors[i], tolerance);
    }
}
