// Fuzzes files of basis sets with libFuzzer. The first byte of an input chooses the format; the rest is the file. A
// file is read or refused with a message, never with a crash, a report of a sanitizer or an error of another status.
// Sets that were read are written in every format and read again; exponents must stay the same bit for bit.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "dfr/basis_files.hpp"
#include "dfr/basis_formats.hpp"

using namespace legato;
using namespace legato::dfr;

namespace {

std::vector<BasisSet> read(std::size_t format, std::string_view text) {
    using namespace basis_formats;
    constexpr decltype(&read_json) readers[] = {read_json, read_nwchem, read_gaussian94, read_dirac};
    return readers[format](text, "file");
}

std::string written(std::size_t format, const std::vector<BasisSet>& sets) {
    using namespace basis_formats;
    constexpr std::string (*writers[])(const std::vector<BasisSet>&, const BasisTexts&) = {to_json, to_nwchem,
                                                                                           to_gaussian94, to_dirac};
    return writers[format](sets, {"name", "description"});
}

void check_round_trips(const std::vector<BasisSet>& sets) {
    for (std::size_t format = 0; format < 4; ++format) {
        const std::vector<BasisSet> again = read(format, written(format, sets));
        if (again.size() != sets.size()) std::abort();
        for (std::size_t i = 0; i < sets.size(); ++i) {
            auto a = exponents_of(sets[i], ""), b = exponents_of(again[i], "");
            // A function without some coefficients loses their exponents, where shells are divided into functions.
            for (std::size_t s = 0; s < b.size(); ++s)
                for (const double zeta : b[s])
                    if (std::find(a[s].begin(), a[s].end(), zeta) == a[s].end()) std::abort();
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    std::vector<BasisSet> sets;
    try {
        sets = read(data[0] % 4, text);
    } catch (const Error& error) {
        if (error.status() == Status::bad_file) return 0;
        std::fprintf(stderr, "status %d: %s\n", static_cast<int>(error.status()), error.what());
        std::abort();
    }
    check_round_trips(sets);
    return 0;
}
