// The message of an invalid argument, for Boost.Test.
#pragma once

#include <boost/test/unit_test.hpp>
#include <string>

#include "core/error.hpp"

namespace legato::dfr::tests {

// Returns the message of the error that the action throws, or "nothing thrown".
template <class Action>
std::string message_of(const Action& action) {
    try {
        action();
    } catch (const Error& error) {
        BOOST_TEST((error.status() == Status::invalid_argument));
        return error.what();
    }
    return "nothing thrown";
}

}  // namespace legato::dfr::tests
