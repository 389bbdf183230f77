// Picoseconds for each spin that is updated in the Ising model: serial Fortran, Legato on one thread, on all threads,
// and on the GPU; beside them the bytes that an update moves at least, over those of a copy. Metropolis' algorithm: of
// 32 spins three words, own ones read and written and others read once. Demons: of 32 systems' spins the spin and three
// levels, read and written; other spins come from the cache. Last the engines with demons by themselves.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "common.hpp"
#include "ising.hpp"
#include "kpm.hpp"

extern "C" void serial_ising(int32_t dimension, int32_t length, int32_t demons, double beta, int64_t before,
                             int64_t sweeps, int64_t measure_every, double* seconds);

using namespace benchmarks;

namespace {

constexpr double square_critical = 0.44068679350977151, cubic_critical = 0.22165462;
constexpr double metropolis_bytes = 3.0 / 8;  // for each spin

struct Case {
    int dimension, length, replicas, algorithm;
    double beta;
    int64_t measure_every;  // sweeps, 0: never

    double spins() const {
        const double n = length;
        return (dimension == 3 ? n * n * n : n * n) * replicas;
    }
    bool canonical() const { return algorithm == LEGATO_ISING_DEMON_NAIVE || algorithm == LEGATO_ISING_DEMON_BINOMIAL; }
    // Drawing the canonical demons moves what the draw needs, which is not counted.
    double bytes() const {
        if (canonical()) return 0;
        return algorithm == LEGATO_ISING_METROPOLIS ? metropolis_bytes : demon_bytes;
    }
};

Case metropolis(int dimension, int length, int replicas, int64_t measure_every) {
    return {dimension,    length, replicas, LEGATO_ISING_METROPOLIS, dimension == 2 ? square_critical : cubic_critical,
            measure_every};
}

// Of so many spins at about this rate, a multiple of ten.
int64_t sweeps_in(double seconds, double seconds_each) {
    return 10 * std::max<int64_t>(1, static_cast<int64_t>(seconds / seconds_each / 10));
}

// Seconds for each spin, the best of three.
double serial_time(const Case& c, double seconds) {
    constexpr double about = 3e-9;
    const double spins = c.spins() / c.replicas;
    const int64_t sweeps = sweeps_in(seconds, about * spins);
    double best = 0;
    for (int repeat = 0; repeat < 3; ++repeat) {
        double took = 0;
        serial_ising(c.dimension, c.length, c.algorithm, c.beta, 2, sweeps, c.measure_every, &took);
        if (repeat == 0 || took < best) best = took;
    }
    return best / (static_cast<double>(sweeps) * spins);
}

// The best of some bins of so many sweeps; 0, after a line, where this backend cannot run it. Without measurements:
// with one, at the end of a bin.
double bin_time(const Case& c, int32_t backend, int32_t threads, int64_t sweeps, int repeats) {
    legato_context* context = make_context(backend, threads);
    legato_ising_params params;
    legato_ising_params_init(&params);
    params.dimensions = c.dimension;
    params.algorithm = c.algorithm;
    for (int axis = 0; axis < 3; ++axis) params.extents[axis] = axis < c.dimension ? c.length : 1;
    params.replicas = c.replicas;
    params.thermalisation = 1;
    params.sweeps_per_measurement = c.measure_every > 0 ? c.measure_every : sweeps;
    params.measurements_per_bin = sweeps / params.sweeps_per_measurement;
    params.bins = repeats + 1;
    legato_ising* ising = nullptr;
    if (legato_ising_create(context, &params, 1, &c.beta, 0, nullptr, &ising) != LEGATO_SUCCESS) {
        std::printf("%d^%d, %d replicas: %s\n", c.length, c.dimension, c.replicas, legato_context_message(context));
        legato_context_destroy(context);
        return 0;
    }
    double best = 0;
    require(context, legato_ising_advance(ising, 1, nullptr));
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const double start = now();
        require(context, legato_ising_advance(ising, 1, nullptr));
        const double took = now() - start;
        if (repeat == 0 || took < best) best = took;
    }
    legato_ising_destroy(ising);
    legato_context_destroy(context);
    return best;
}

// Seconds for each spin: a short bin tells how many sweeps fill the time.
double library_time(const Case& c, int32_t backend, int32_t threads, double seconds) {
    constexpr int64_t trial = 10;
    const double short_bin = bin_time(c, backend, threads, trial, 1);
    if (short_bin == 0) return 0;
    const int64_t sweeps = std::min<int64_t>(sweeps_in(seconds, short_bin / trial), 100000);
    return bin_time(c, backend, threads, sweeps, 3) / (static_cast<double>(sweeps) * c.spins());
}

// Bytes read and written a second by threads that copy what no cache holds, the best of three.
double host_copy_bandwidth(int threads) {
    constexpr std::size_t half = std::size_t{1} << 28;
    std::vector<char> from(half, 1), to(half, 2);
    const std::size_t part = half / static_cast<std::size_t>(threads);
    double best = 0;
    for (int repeat = 0; repeat < 3; ++repeat) {
        const double start = now();
        std::vector<std::thread> team;
        for (std::size_t t = 0; t < static_cast<std::size_t>(threads); ++t)
            team.emplace_back([&, t] { std::memcpy(to.data() + t * part, from.data() + t * part, part); });
        for (std::thread& thread : team) thread.join();
        best = std::max(best, 2.0 * static_cast<double>(part) * threads / (now() - start));
    }
    return best;
}

const char* name_of(int algorithm) {
    constexpr const char* names[] = {"Metropolis", "naive", "binomial", "microcan."};
    return names[algorithm];
}

class Table {
  public:
    explicit Table(std::FILE* json) : json_(json) {}

    static void heading() {
        std::printf("%-10s %9s %8s %7s %7s %-9s %10s %9s %8s %9s %8s\n", "algorithm", "lattice", "replicas", "beta",
                    "measure", "by", "ps", "spins/ns", "ratio", "GB/s", "copy");
    }

    void row(const Case& c, const char* by, double seconds, double serial, double bandwidth) {
        const std::string lattice = std::to_string(c.length) + "^" + std::to_string(c.dimension);
        const std::string measured = c.measure_every > 0 ? std::to_string(c.measure_every) : "-";
        std::printf("%-10s %9s %8d %7.4f %7s %-9s %10.4g %9.4g", name_of(c.algorithm), lattice.c_str(), c.replicas,
                    c.beta, measured.c_str(), by, seconds * 1e12, 1e-9 / seconds);
        if (serial > 0)
            std::printf(" %8.1f", serial / seconds);
        else
            std::printf("        -");
        if (bandwidth > 0 && c.bytes() > 0)
            std::printf(" %9.1f %7.1f%%\n", c.bytes() / seconds / 1e9, 100 * c.bytes() / seconds / bandwidth);
        else
            std::printf("         -        -\n");
        std::fflush(stdout);
        if (!json_) return;
        std::fprintf(
            json_,
            "%s\n  {\"algorithm\": \"%s\", \"dimension\": %d, \"length\": %d, \"replicas\": %d, \"beta\": %.8g, "
            "\"measure_every\": %lld, \"by\": \"%s\", \"picoseconds\": %.5g, \"ratio\": %.4g, \"bytes\": %.4g, "
            "\"copy_bytes_per_second\": %.4g}",
            separator_, name_of(c.algorithm), c.dimension, c.length, c.replicas, c.beta,
            static_cast<long long>(c.measure_every), by, seconds * 1e12, serial / seconds, c.bytes(), bandwidth);
        separator_ = ",";
    }

  private:
    std::FILE* json_;
    const char* separator_ = "";
};

struct Bandwidths {
    double one, all, device;
};

// On the CPU where the lattices are not too large for it, on the GPU if there is one.
void measure(const Case& c, double seconds, bool gpu, const Bandwidths& copy, Table& table) {
    constexpr double most_on_cpu = 1e8;
    const int threads = static_cast<int>(std::thread::hardware_concurrency());
    double serial = 0;
    if (c.spins() <= most_on_cpu) {
        serial = serial_time(c, seconds);
        table.row(c, "serial", serial, serial, 0);
        const double one = library_time(c, LEGATO_BACKEND_CPU, 1, seconds);
        if (one > 0) table.row(c, "1 thread", one, serial, copy.one);
        const double all = threads > 1 ? library_time(c, LEGATO_BACKEND_CPU, threads, seconds) : 0;
        if (all > 0) table.row(c, "all", all, serial, copy.all);
    }
    const double device = gpu ? library_time(c, LEGATO_BACKEND_CUDA, threads, seconds) : 0;
    if (device > 0) table.row(c, "GPU", device, serial, copy.device);
}

std::vector<Case> cases_of_metropolis() {
    std::vector<Case> cases;
    for (const int64_t measure_every : {0, 10}) {
        for (const int length : {65536, 8192, 2048}) cases.push_back(metropolis(2, length, 1, measure_every));
        for (const int replicas : {1024, 16}) cases.push_back(metropolis(2, 128, replicas, measure_every));
        for (const int length : {512, 128}) cases.push_back(metropolis(3, length, 1, measure_every));
    }
    return cases;
}

std::vector<Case> cases_of_demons() {
    std::vector<Case> cases;
    for (const int length : {8192, 2048, 512})
        cases.push_back({2, length, 32, LEGATO_ISING_DEMON_MICROCANONICAL, square_critical, 0});
    for (const int length : {512, 1024})
        for (const int algorithm : {LEGATO_ISING_DEMON_NAIVE, LEGATO_ISING_DEMON_BINOMIAL})
            for (const double beta : {0.1, 0.2, 0.4, 0.8}) cases.push_back({2, length, 32, algorithm, beta, 0});
    return cases;
}

}  // namespace

int ising_benchmark(int argc, char** argv) {
    const char* json_path = nullptr;
    double seconds = 0.3;
    for (int i = 1; i < argc; ++i) {
        if (!std::strcmp(argv[i], "--json") && i + 1 < argc)
            json_path = argv[++i];
        else if (!std::strcmp(argv[i], "--quick"))
            seconds = 0.05;
        else
            return std::fputs("usage: legato-bench ising [--json FILE] [--quick]\n", stderr), 2;
    }
    setenv("LEGATO_LOG", "error", 0);  // short bins are meant
    const bool gpu = has_device();
    const int threads = static_cast<int>(std::thread::hardware_concurrency());
    std::FILE* json = json_path ? std::fopen(json_path, "w") : nullptr;
    if (json_path && !json) return std::fprintf(stderr, "legato-bench: cannot write %s\n", json_path), 1;
    const std::string cpu = processor_name(), device = device_name();
    std::printf("legato %s, %s, %d threads, GPU: %s\n", legato_version(), cpu.c_str(), threads, device.c_str());
    std::puts(
        "ps: for each spin and sweep; measure: every so many sweeps; GB/s: what is moved at least; copy: over a "
        "copy's");
    if (json)
        std::fprintf(json, "{\"version\": \"%s\", \"cpu\": \"%s\", \"gpu\": \"%s\", \"threads\": %d, \"rows\": [",
                     legato_version(), cpu.c_str(), device.c_str(), threads);
    const Bandwidths copy{host_copy_bandwidth(1), host_copy_bandwidth(threads), gpu ? device_copy_bandwidth() : 0};
    Table table(json);
    Table::heading();
    for (const Case& c : cases_of_metropolis()) measure(c, seconds, gpu, copy, table);
    for (const Case& c : cases_of_demons()) measure(c, seconds, gpu, copy, table);
    if (json) std::fputs("\n], \"demon_engines\": [", json);
    measure_demon_engines(json, seconds, copy.all, copy.device);
    if (json) {
        std::fputs("\n]}\n", json);
        if (std::fclose(json) != 0) return std::fprintf(stderr, "legato-bench: cannot write %s\n", json_path), 1;
    }
    return 0;
}
