// Warnings of failures in a run. There may be millions of them; only the first ten are logged one by one.
#pragma once

#include <string_view>

#include "core/context.hpp"

namespace legato {

class FailureWarnings {
  public:
    // Counts a failure. Logs `line` for each of the first ten, and one line for the others, which says what happened to
    // them: "more than 10 points failed". `method` is its name ("tmm"), `what` the things that are counted ("points").
    void add(const Context& context, std::string_view method, std::string_view what, std::string_view line,
             std::string_view happened = "failed") {
        constexpr int named = 10;
        if (++count_ <= named)
            context.log(LogLevel::warning, text(method, ": ", line));
        else if (count_ == named + 1)
            context.log(LogLevel::warning,
                        text(method, ": more than ", named, " ", what, " ", happened, "; the others are not named"));
    }

  private:
    int count_ = 0;
};

}  // namespace legato
