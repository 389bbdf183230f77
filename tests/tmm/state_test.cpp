// Tests state files whose checksums are right but whose contents are not.
#define BOOST_TEST_MODULE tmm_state
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <functional>

#include "core/state_file.hpp"
#include "runs.hpp"

using namespace legato;
using namespace legato::tmm;

namespace {

// The contents of a file: two points of a strip of two sites with Rule::tmsexd. The first has done four cycles, the
// second has not begun.
struct File {
    std::int64_t multiplications = 100;
    std::vector<std::int32_t> status{1, 0};
    std::vector<std::int64_t> cycles{4, 0}, slices{40, 0}, interval{10, 0};
    std::vector<double> log_norms{4, -4}, psi{1, 0, 0, 0, 0, 1, 0, 0};
    std::vector<std::uint32_t> random{2, 8, 16, 128};
};

void write(const File& f, const std::filesystem::path& path) {
    StateWriter writer("tmm", 2);
    writer.put("problem/dimension", 2);
    writer.put("problem/width", 2);
    writer.put("problem/boundary", 1);
    writer.put("problem/disorder", 0);
    writer.put("problem/random_stream", 0);
    writer.put("problem/seed", 1);
    writer.put("problem/hopping", 1.0);
    writer.put("problem/n_ortho", 10);
    writer.put("problem/max_growth", 0.0);
    writer.put("problem/max_multiplications", f.multiplications);
    writer.put("problem/epsilon", 0.01);
    writer.put("problem/rule", 1);
    writer.put("problem/min_blocks", 32);
    writer.put("problem/burn_in", 128);
    writer.put("points/count", 2);
    writer.put("points/energy", std::vector<double>{0.5, 0.6});
    writer.put("points/disorder", std::vector<double>{1, 2});
    writer.put("states/status", f.status);
    writer.put("states/cycles", f.cycles);
    writer.put("states/slices", f.slices);
    writer.put("states/interval", f.interval);
    writer.put("states/log_norms", f.log_norms);
    writer.put("states/log_norms2", f.log_norms);
    writer.put("states/blocks", std::vector<double>());
    writer.put("states/psi", f.psi);
    writer.put("states/random", f.random);
    writer.commit(path);
}

// Returns the message of an attempt to resume from such a file.
std::string message(const std::function<void(File&)>& change) {
    const std::filesystem::path path = "tmm_state_test.h5";
    File file;
    change(file);
    write(file, path);
    Context context = tests::make_context(Backend::cpu);
    try {
        Solver::resume(context, path);
    } catch (const Error& error) {
        std::filesystem::remove(path);
        BOOST_TEST((error.status() == Status::bad_file));
        return error.what();
    }
    std::filesystem::remove(path);
    return "resumed";
}

void found(const std::function<void(File&)>& change, const std::string& part) {
    const std::string words = message(change);
    BOOST_TEST(words.find(part) != std::string::npos, words << ", not " << part);
}

}  // namespace

BOOST_AUTO_TEST_CASE(files_that_make_no_sense) {
    found([](File&) {}, "resumed");
    found([](File& f) { f.cycles[0] = 11, f.slices[0] = 110; }, "states/cycles: found 11 at [0], expected 0..10");
    found([](File& f) { f.cycles[0] = -1, f.slices[0] = -10; }, "states/cycles: found -1 at [0]");
    found([](File& f) { f.cycles[1] = 1; }, "states/cycles: found 1 at [1], expected 0..0");
    found([](File& f) { f.slices[0] = 50; }, "states/slices: found 50 at [0], expected 40");
    found([](File& f) { f.slices[0] = 30; }, "states/slices: found 30 at [0]");
    found([](File& f) { f.slices[0] = 45, f.interval[0] = 5; }, "expected whole cycles of 10");
    found([](File& f) { f.slices[0] = 60, f.interval[0] = 5; }, "resumed");  // two cycles were lost
    found([](File& f) { f.status[0] = 6; }, "states/status: found 6 at [0], expected 0..5");
    found([](File& f) { f.interval[0] = 11; }, "states/interval: found 11 at [0], expected 1..10");
    found([](File& f) { f.interval[0] = 0; }, "states/interval: found 0 at [0], expected 1..10");
    found([](File& f) { f.log_norms.pop_back(); }, "states/log_norms");
    found([](File& f) { f.psi[3] = NAN; }, "states/psi");
    const std::uint32_t least[] = {2, 8, 16, 128};
    for (std::size_t i = 0; i < 4; ++i)
        found([&](File& f) { f.random[i] = least[i] - 1; }, "states/random: found " + std::to_string(least[i] - 1));
}
