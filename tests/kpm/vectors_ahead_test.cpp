// Start vectors of the caller that are made ahead of their use.
#define BOOST_TEST_MODULE kpm_vectors_ahead
#include <boost/test/unit_test.hpp>
#include <limits>
#include <stdexcept>
#include <vector>

#include "kpm/vectors_ahead.hpp"

using namespace legato::kpm;

namespace {

constexpr std::int64_t sites = 5, no_limit = std::numeric_limits<std::int64_t>::max();

// Notes the samples that are asked for, and fails once for a chosen one.
struct Fixture {
    std::vector<std::int64_t> asked;
    std::int64_t fails_at = -1;
    StartVectorSource source = [this](std::int64_t sample, std::span<double> vector) {
        asked.push_back(sample);
        if (std::exchange(fails_at, sample == fails_at ? -1 : fails_at) == sample) throw std::runtime_error("source");
        for (double& element : vector) element = static_cast<double>(10 * sample + (&element - vector.data()));
    };
    VectorsAhead ahead{source, sites};
    std::vector<double> memory = std::vector<double>(sites);

    bool gives(std::int64_t sample) {
        const std::span<const double> vector = ahead.take(sample, memory);
        for (std::size_t i = 0; i < sites; ++i)
            if (vector[i] != static_cast<double>(10 * sample) + static_cast<double>(i)) return false;
        return vector.size() == sites;
    }
    void make(int count) {
        for (int i = 0; i < count; ++i) ahead.make_next();
    }
    bool were_asked(const std::vector<std::int64_t>& samples) const { return asked == samples; }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(every_vector_is_made_once_in_order, Fixture) {
    make(2);
    BOOST_TEST(gives(0));
    BOOST_TEST(gives(1));
    ahead.expect(2, 5, no_limit);
    make(2);
    for (std::int64_t sample = 2; sample < 5; ++sample) BOOST_TEST(gives(sample));
    ahead.expect(5, 7, no_limit);
    make(9);
    ahead.expect(5, 7, no_limit);  // a run that has been stopped goes on
    make(9);
    for (std::int64_t sample = 5; sample < 8; ++sample) BOOST_TEST(gives(sample));
    BOOST_TEST(were_asked({0, 1, 2, 3, 4, 5, 6, 7}));
}

BOOST_FIXTURE_TEST_CASE(no_more_are_made_than_fit, Fixture) {
    ahead.expect(0, 9, 3 * sites * 8 + 7);
    make(9);
    BOOST_TEST(were_asked({0, 1, 2}));
    ahead.expect(0, 9, 0);
    make(9);
    BOOST_TEST(were_asked({0, 1, 2}));
    BOOST_TEST(gives(1));
    ahead.expect(4, 9, 0);
    make(9);
    BOOST_TEST(were_asked({0, 1, 2}));
}

// The error belongs to the vector that is taken. Those before it are there, and the source is asked again.
BOOST_FIXTURE_TEST_CASE(an_error_is_kept_for_its_vector, Fixture) {
    fails_at = 4;
    ahead.expect(3, 6, no_limit);
    make(5);
    BOOST_TEST(were_asked({3, 4}));
    BOOST_TEST(gives(3));
    BOOST_TEST(gives(5));
    BOOST_CHECK_THROW(gives(4), std::runtime_error);
    BOOST_TEST(gives(4));
    BOOST_TEST(gives(5));
    fails_at = 7;
    ahead.expect(7, 9, no_limit);
    make(1);
    ahead.expect(8, 9, no_limit);  // sample 7 is no longer wanted
    BOOST_TEST(gives(8));
}
