// The lines of a text file, divided into words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "dfr/basis_formats.hpp"

namespace legato::dfr::basis_formats {

// Returns true if the word is `lower_case` in any case.
bool same_word(std::string_view word, std::string_view lower_case);

class Lines {
  public:
    // A character of `comments` and what follows it in its line are ignored.
    Lines(std::string_view text, std::string_view file, std::string_view comments)
        : rest_(text), file_(file), comments_(comments) {
        advance();
    }

    // The words of the present line, which is not empty; none at the end of the file.
    const std::vector<std::string_view>& words() const { return words_; }
    bool at_end() const { return words_.empty(); }
    void advance();

    // The place of the present line: "basis file a.nw, line 3".
    std::string where() const {
        return at_end() ? text(file_, ", at the end of the file") : text(file_, ", line ", number_);
    }
    [[noreturn]] void refuse(std::string_view expected) const;

    // Returns the number that word `index` must be.
    double number(std::size_t index, std::string_view what) const;
    // Returns the count that word `index` must be.
    int count(std::size_t index, std::string_view what, int least) const;

  private:
    std::string_view rest_;
    std::string file_, comments_;
    std::vector<std::string_view> words_;
    int number_ = 0;
};

}  // namespace legato::dfr::basis_formats
