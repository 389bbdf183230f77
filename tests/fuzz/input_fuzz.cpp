// libFuzzer: whatever the input file of a program holds, its Fortran parser accepts what can be computed or refuses it,
// and the Fortran library, which is told to check all it can (-fcheck=all), finds no error. parsers/ has what is called
// of each program.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

extern "C" int parse_input();

// Coverage of the Fortran: gfortran has a call in every branch, which libFuzzer has no use for. Linked with --wrap, it
// comes here; the counters, one for each place of the call by the last bits of its address, are libFuzzer's extra ones.
__attribute__((section("__libfuzzer_extra_counters"))) static std::uint8_t counters[1 << 16];
extern "C" void __wrap___sanitizer_cov_trace_pc() {
    ++counters[reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) % sizeof counters];
}
// Of what it calls at comparisons, libFuzzer has all but this.
extern "C" void __sanitizer_cov_trace_cmpd(double, double) {}

namespace {

void check(bool held) {
    if (!held) std::abort();
}

// The parser reads tmseXd.inp from the current folder: here a scratch folder with a link to a file in memory.
struct Scratch {
    std::string path = (std::filesystem::temp_directory_path() / "legato-fuzz-XXXXXX").string();
    int home = ::open(".", O_RDONLY | O_DIRECTORY);
    int input = ::memfd_create("tmseXd.inp", 0);

    Scratch() {
        check(::mkdtemp(path.data()) && home >= 0 && input >= 0);
        std::filesystem::create_symlink("/proc/self/fd/" + std::to_string(input), path + "/tmseXd.inp");
    }
    ~Scratch() { std::filesystem::remove_all(path); }

    int parse(const std::uint8_t* data, std::size_t size) const {
        const auto bytes = static_cast<ssize_t>(size);
        check(::ftruncate(input, 0) == 0 && ::pwrite(input, data, size, 0) == bytes && ::chdir(path.c_str()) == 0);
        const int outcome = parse_input();
        check(::fchdir(home) == 0);
        return outcome;
    }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Scratch scratch;
    check(scratch.parse(data, size) != 2);
    return 0;
}
