// Fuzzes the input file of a program with libFuzzer. The Fortran parser accepts what can be computed and refuses the
// rest. The Fortran code is compiled with all run-time checks (-fcheck=all), which must find no error. The folder
// parsers/ contains the routine that is called for each program.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

extern "C" int parse_input();

// Measures the coverage of the Fortran code. gfortran inserts a call into every branch, which libFuzzer does not use.
// The linker option --wrap directs it to this function. libFuzzer reads the counters as extra ones; the last bits of
// the address of the call select a counter.
__attribute__((section("__libfuzzer_extra_counters"))) static std::uint8_t counters[1 << 16];
extern "C" void __wrap___sanitizer_cov_trace_pc() {
    ++counters[reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) % sizeof counters];
}
// gfortran also inserts calls at comparisons. libFuzzer defines all of them but this one.
extern "C" void __sanitizer_cov_trace_cmpd(double, double) {}

namespace {

void check(bool held) {
    if (!held) std::abort();
}

// Scratch folder for the parser, which reads tmseXd.inp from the current folder. It contains a link to a file in
// memory.
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
