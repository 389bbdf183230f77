// Files of basis sets that several ranks read.
#define BOOST_TEST_MODULE ranks_dfr_basis
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "divisions.hpp"

using namespace ranks;

// Rank 0 alone has the file. The other ranks have its sets, or its error.
BOOST_AUTO_TEST_CASE(one_rank_reads_files_of_basis_sets) {
    const auto read_by = [](int ranks, const char* text) {
        const std::string name = "ranks_dfr_" + std::to_string(ranks) + ".nw";
        if (text) std::ofstream(name) << text;
        const auto outcomes = run_on({ranks, 1, 1}, [&](legato_context* context, int rank, Results& results) {
            Owned<legato_dfr_basis_sets, legato_dfr_basis_sets_destroy> sets;
            require(legato_dfr_basis_sets_read(context, rank == 0 ? name.c_str() : "none",
                                               LEGATO_DFR_BASIS_FORMAT_NWCHEM, &sets.handle));
            int64_t index = -1;
            int32_t functions = 0;
            std::vector<double> exponents(2);
            require(legato_dfr_basis_sets_find(sets, 2, &index));
            require(legato_dfr_basis_sets_exponents(sets, index, nullptr, &functions, exponents.data()));
            results.add(functions);
            results.add(exponents);
        });
        std::remove(name.c_str());
        return outcomes;
    };
    Results expected;
    expected.add(2);
    expected.add(std::vector{0.3, 1.5});
    for (const auto& outcome : read_by(3, "BASIS\nHe S\n 0.3 1.0\nHe S\n 1.5 1.0\nEND\n"))
        BOOST_TEST((outcome.results == expected), outcome.message);
    for (const auto& outcome : read_by(3, "BASIS\nHe S\n 0.3 x\nEND\n")) {
        BOOST_TEST(outcome.status == LEGATO_STATUS_BAD_FILE);
        BOOST_TEST(outcome.message ==
                   "basis file ranks_dfr_3.nw, line 3: \"x\" is not a number, expected a coefficient");
    }
    for (const auto& outcome : read_by(3, nullptr)) {
        BOOST_TEST(outcome.status == LEGATO_STATUS_IO_ERROR);
        BOOST_TEST(outcome.message.find("basis file ranks_dfr_3.nw: cannot open") != std::string::npos,
                   outcome.message);
    }
}
