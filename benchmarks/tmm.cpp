// Cycles a second of the transfer-matrix method (cycle = n_ortho multiplications and one orthonormalisation), for a
// grid of sizes and numbers of points: serial Fortran, Legato on one thread, on all threads, and on the GPU.
#include "common.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

extern "C" void serial_tmm_cycles(int dimension, int width, int boundary, double energy, double disorder, int n_ortho,
                                  int cycles, double* psi_a, double* psi_b, double* gamma, double* gamma2);

using namespace benchmarks;

namespace {

constexpr int n_ortho = 10;
constexpr int periodic = 1;

struct Case {
    int dimension, width, points;
    double disorder;

    int sites() const { return dimension == 3 ? width * width : width; }
    // Multiply-adds count as two. A slice: 2 + neighbours multiply-adds an element; Gram-Schmidt: 2 N^2 (2 N).
    double flops() const {
        const double n = sites();
        return n_ortho * n * n * 2 * (dimension == 3 ? 6 : 4) + 4 * n * n * n;
    }
    // Least traffic of a kernel that keeps nothing between cycles: the columns read and written once.
    double bytes() const { return 4.0 * sites() * sites() * sizeof(double); }
};

// Seconds for one call of work(n) per unit of n, n doubled until the call takes `least` seconds.
double seconds_each(double least, const std::function<void(int)>& work) {
    work(1);
    for (int n = 1;; n *= 2) {
        const double start = now();
        work(n);
        const double took = now() - start;
        if (took >= least || n > (1 << 28)) return took / n;
    }
}

double serial_rate(const Case& c, double least) {
    const auto n = static_cast<std::size_t>(c.sites());
    std::vector<double> a(n * n), b(n * n), gamma(n), gamma2(n);
    for (std::size_t i = 0; i < n; ++i) a[i * (n + 1)] = 1;
    return 1.0 / seconds_each(least, [&](int cycles) {
               serial_tmm_cycles(c.dimension, c.width, periodic, 0.5, c.disorder, n_ortho, cycles, a.data(), b.data(),
                                 gamma.data(), gamma2.data());
           });
}

// A run of the case, not begun.
legato_tmm* make_run(const Case& c, legato_context* context) {
    legato_tmm_params p;
    legato_tmm_params_init(&p);
    p.dimension = c.dimension;
    p.width = c.width;
    p.random_stream = LEGATO_TMM_LFSR113;
    p.epsilon = 1e-12;
    std::vector<double> energy, disorder;
    for (int i = 0; i < c.points; ++i) {
        energy.push_back(c.dimension == 2 && c.points > 1 ? -4.6 + 9.2 * i / (c.points - 1) : 0.5);
        disorder.push_back(c.disorder + 1e-3 * i * (c.dimension == 3));
    }
    legato_tmm* tmm = nullptr;
    require(context, legato_tmm_create(context, &p, c.points, energy.data(), disorder.data(), &tmm));
    return tmm;
}

// The backend that AUTO takes.
int32_t automatic_backend(const Case& c, int32_t threads) {
    legato_context* context = make_context(LEGATO_BACKEND_AUTO, threads);
    legato_tmm_destroy(make_run(c, context));
    int32_t backend = LEGATO_BACKEND_CPU;
    require(context, legato_context_backend(context, &backend, nullptr));
    legato_context_destroy(context);
    return backend;
}

// Cycles a second over all points.
double library_rate(const Case& c, int32_t backend, int32_t threads, double least) {
    legato_context* context = make_context(backend, threads);
    legato_tmm* tmm = make_run(c, context);
    const double each =
        seconds_each(least, [&](int cycles) { require(context, legato_tmm_advance(tmm, cycles, nullptr)); });
    legato_tmm_destroy(tmm);
    legato_context_destroy(context);
    // The CPU engine carries a part of the points at a time: its slots, at most 16 a thread.
    const int at_once = backend == LEGATO_BACKEND_CPU ? std::min(c.points, 16 * threads) : c.points;
    return at_once / each;
}

}  // namespace

int tmm_benchmark(int argc, char** argv) {
    const char* json_path = nullptr;
    double least = 0.3;
    bool quick = false;
    for (int i = 1; i < argc; ++i) {
        if (!std::strcmp(argv[i], "--json") && i + 1 < argc)
            json_path = argv[++i];
        else if (!std::strcmp(argv[i], "--seconds") && i + 1 < argc)
            least = std::atof(argv[++i]);
        else if (!std::strcmp(argv[i], "--quick"))
            quick = true;
        else
            return std::fputs("usage: legato-bench tmm [--json FILE] [--seconds S] [--quick]\n", stderr), 2;
    }
    std::vector<Case> cases;
    for (const int n : {1, 2, 4, 8, 16, 32, 64, 128}) cases.push_back({2, n, 1, 1.0});
    cases.push_back({2, 8, 1841, 1.0});
    cases.push_back({2, 16, 1841, 1.0});
    cases.push_back({2, 32, 512, 1.0});
    for (const int points : {1, 64}) cases.push_back({3, 10, points, 16.5});
    cases.push_back({3, 16, 1, 16.5});
    if (!quick)
        for (const int width : {24, 32}) cases.push_back({3, width, 1, 16.5});

    const bool gpu = has_device();
    const int threads = static_cast<int>(std::thread::hardware_concurrency());
    std::FILE* json = json_path ? std::fopen(json_path, "w") : nullptr;
    if (json_path && !json) return std::fprintf(stderr, "legato-bench: cannot write %s\n", json_path), 1;
    const std::string cpu = processor_name(), device = device_name();
    std::printf("legato %s, %s, %d threads, GPU: %s; cycles/s\n", legato_version(), cpu.c_str(), threads,
                device.c_str());
    std::printf("%2s %4s %5s %6s | %11s | %11s %6s %7s | %11s | %11s %8s %9s %8s | %s\n", "d", "M", "N", "points",
                "serial", "1 thread", "ratio", "Gflop/s", "all threads", "GPU", "ratio", "us/cycle", "Gflop/s", "AUTO");
    if (json)
        std::fprintf(json, "{\"version\": \"%s\", \"cpu\": \"%s\", \"gpu\": \"%s\", \"threads\": %d, \"rows\": [",
                     legato_version(), cpu.c_str(), device.c_str(), threads);
    bool first = true;
    for (const Case& c : cases) {
        const double serial = serial_rate(c, least);
        const double one = library_rate(c, LEGATO_BACKEND_CPU, 1, least);
        const double all = library_rate(c, LEGATO_BACKEND_CPU, threads, least);
        const double cuda = gpu ? library_rate(c, LEGATO_BACKEND_CUDA, 1, least) : 0.0;
        std::printf("%2d %4d %5d %6d | %11.5g | %11.5g %6.2f %7.2f | %11.5g |", c.dimension, c.width, c.sites(),
                    c.points, serial, one, one / serial, one * c.flops() * 1e-9, all);
        // What AUTO takes on all threads, as a part of the better backend's rate.
        const bool takes_gpu = automatic_backend(c, threads) == LEGATO_BACKEND_CUDA;
        const double automatic = (takes_gpu ? cuda : all) / std::max(cuda, all);
        if (gpu)
            std::printf(" %11.5g %8.1f %9.2f %8.1f | %4s %5.2f\n", cuda, cuda / serial, 1e6 * c.points / cuda,
                        cuda * c.flops() * 1e-9, takes_gpu ? "cuda" : "cpu", automatic);
        else
            std::printf(" %11s\n", "-");
        std::fflush(stdout);
        if (json)
            std::fprintf(json,
                         "%s\n  {\"dimension\": %d, \"width\": %d, \"points\": %d, \"flops_per_cycle\": %.6g, "
                         "\"bytes_per_cycle\": %.6g, \"serial\": %.6g, \"cpu_1\": %.6g, \"cpu_all\": %.6g, \"cuda\": "
                         "%.6g, \"auto\": %.4g}",
                         first ? "" : ",", c.dimension, c.width, c.points, c.flops(), c.bytes(), serial, one, all, cuda,
                         automatic);
        first = false;
    }
    if (json) {
        std::fputs("\n]}\n", json);
        std::fclose(json);
    }
    return 0;
}
