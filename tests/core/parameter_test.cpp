// Range checks and saved states of parameter structs, with a struct of the test's own.
#define BOOST_TEST_MODULE parameter
#include "core/parameter.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>

using namespace legato;
namespace fs = std::filesystem;

namespace demo {

enum class Mode : int { fast = 0, slow = 1 };

struct Params {
    int steps = 5;
    double width = 0.5;
    std::array<bool, 2> flags{true, false};
    Mode mode = Mode::fast;
    std::array<int, 2> sizes{3, 4};
    double later = 0.25;
};

template <class P, class Visit>
void for_each_parameter(P& p, const Visit& visit) {
    visit(p.steps, Range("steps", 1, 10, p.mode == Mode::slow));
    visit(p.width, Range("width", 0.0, 1.0));
    visit(p.flags, Range("flags", 0, 1));
    visit(p.mode, Range("mode", 0, 1));
    visit(p.sizes[0], Range("sizes[0]", 1, 9).saved_as("size_x"));
    visit(p.sizes[1], Range("sizes[1]", 1, 9).saved_as("size_y"));
    visit(p.later, Range("later", 0.0, 1.0).since_later());
}

}  // namespace demo

namespace {

const fs::path path = fs::temp_directory_path() / ("legato_parameter_" + std::to_string(getpid()) + ".h5");

// Returns the message of the refusal; empty if there is none.
std::string refusal(const demo::Params& params) {
    try {
        require_parameters("demo.params", params);
    } catch (const Error& error) {
        BOOST_TEST((error.status() == Status::invalid_argument));
        return error.what();
    }
    return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(ranges) {
    BOOST_TEST(refusal({}) == "");
    BOOST_TEST(refusal({.steps = 11, .mode = demo::Mode::slow}) == "demo.params.steps: 11 is not in 1..10");
    BOOST_TEST(refusal({.steps = 11}) == "");  // not used
    BOOST_TEST(refusal({.width = 1.5}) == "demo.params.width: 1.5 is not in [0, 1]");
    BOOST_TEST(refusal({.width = NAN}).find("demo.params.width: ") == 0u);
    BOOST_TEST(refusal({.mode = static_cast<demo::Mode>(2)}) == "demo.params.mode: 2 is not in 0..1");
    BOOST_TEST(refusal({.sizes = {3, 0}}) == "demo.params.sizes[1]: 0 is not in 1..9");
}

BOOST_AUTO_TEST_CASE(saved_states) {
    const demo::Params saved{
        .steps = 7, .width = 0.125, .flags = {false, true}, .mode = demo::Mode::slow, .sizes = {1, 2}, .later = 1};
    StateWriter writer("demo", 1);
    put_parameters(writer, saved);
    writer.commit(path);
    demo::Params read;
    const StateReader reader(path, "demo", 1);
    get_parameters(reader, read);
    BOOST_TEST(read.steps == 7);
    BOOST_TEST(read.width == 0.125);
    BOOST_TEST((read.flags == saved.flags));
    BOOST_TEST((read.mode == demo::Mode::slow));
    BOOST_TEST((read.sizes == saved.sizes));
    BOOST_TEST(reader.get_int("problem/size_y") == 2);
    BOOST_TEST(read.later == 1);
    fs::remove(path);
}

// A file without a new parameter is resumed with the default. One without another entry is refused, unless it is older.
BOOST_AUTO_TEST_CASE(missing_entries) {
    StateWriter writer("demo", 1);
    writer.put("problem/steps", 7);
    writer.put("problem/width", 0.125);
    writer.put("problem/flags", std::vector<std::int8_t>{0, 1});
    writer.put("problem/mode", 1);
    writer.put("problem/size_x", 1);
    writer.put("problem/size_y", 2);
    writer.commit(path);
    demo::Params read;
    get_parameters(StateReader(path, "demo", 1), read);
    BOOST_TEST(read.steps == 7);
    BOOST_TEST(read.later == 0.25);
    StateWriter shorter("demo", 1);
    shorter.put("problem/steps", 7);
    shorter.commit(path);
    BOOST_CHECK_EXCEPTION(get_parameters(StateReader(path, "demo", 1), read), Error, [](const Error& error) {
        return error.status() == Status::bad_file &&
               std::string(error.what()).find("problem/width") != std::string::npos;
    });
    demo::Params older;
    get_parameters(StateReader(path, "demo", 1), older, "problem", true);
    BOOST_TEST(older.steps == 7);
    BOOST_TEST(older.width == 0.5);
    fs::remove(path);
}
