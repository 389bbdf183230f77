// Warnings of what failed in a run, of which there may be millions: the first ten are named.
#pragma once

#include <string_view>

#include "core/context.hpp"

namespace legato {

class FailureWarnings {
  public:
    // "tmm", "points" and what to say of this one; `happened`: to the others.
    void add(const Context& context, std::string_view room, std::string_view what, std::string_view line,
             std::string_view happened = "failed") {
        constexpr int named = 10;
        if (++count_ <= named)
            context.log(LogLevel::warning, text(room, ": ", line));
        else if (count_ == named + 1)
            context.log(LogLevel::warning,
                        text(room, ": more than ", named, " ", what, " ", happened, "; the others are not named"));
    }

  private:
    int count_ = 0;
};

}  // namespace legato
