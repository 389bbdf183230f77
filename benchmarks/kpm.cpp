// Nanoseconds for each site, vector and moment of the kernel polynomial method, for lattices and for a matrix in
// compressed rows: serial Fortran, Legato on one thread, on all threads, and on the GPU; beside them the seed's unit,
// 18 D R N flop / time, and the least traffic of a recursion over the machine's own copy bandwidth, measured in the
// same run.
#include "kpm.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "common.hpp"

extern "C" void serial_kpm(int32_t sites, const int64_t* row_start, const int32_t* column, const double* element,
                           double half_width, int32_t moments, int32_t vectors, double* mu, int32_t* failed);

using namespace benchmarks;

namespace {

enum class Format { stencil, crs, ell };

struct Case {
    const char* name;
    std::array<int64_t, 3> extents;
    Format format;
    int moments, vectors;
    bool gpu_only = false;  // too large to wait for the others
    bool single = false;    // precision of the vectors

    bool matrix() const { return format != Format::stencil; }

    double sites() const {
        return static_cast<double>(extents[0]) * static_cast<double>(extents[1]) * static_cast<double>(extents[2]);
    }
};

constexpr double disorder = 4;

// A bit more than a spectrum's.
double half_width(const Case& c) {
    const auto directions =
        std::count_if(c.extents.begin(), c.extents.end(), [](int64_t extent) { return extent > 1; });
    return 1.01 * (2 * static_cast<double>(directions) + disorder / 2);
}

struct Matrix {
    std::vector<int64_t> row_start{1};
    std::vector<int32_t> column;
    std::vector<double> element;
};

// The lattice with box disorder, counted from 1. Columns ascend.
Matrix make_matrix(const Case& c) {
    Matrix m;
    uint64_t state = 1;
    std::vector<std::pair<int32_t, double>> row;
    const int64_t lx = c.extents[0], ly = c.extents[1], lz = c.extents[2];
    for (int64_t z = 0; z < lz; ++z)
        for (int64_t y = 0; y < ly; ++y)
            for (int64_t x = 0; x < lx; ++x) {
                const auto number = [&](int64_t i, int64_t j, int64_t k) {
                    return static_cast<int32_t>(1 + (i + lx) % lx + lx * ((j + ly) % ly + ly * ((k + lz) % lz)));
                };
                state = state * 6364136223846793005u + 1442695040888963407u;
                row = {{number(x, y, z), disorder * (static_cast<double>(state >> 11) / 9007199254740992.0 - 0.5)}};
                if (lx > 1) row.insert(row.end(), {{number(x - 1, y, z), -1.0}, {number(x + 1, y, z), -1.0}});
                if (ly > 1) row.insert(row.end(), {{number(x, y - 1, z), -1.0}, {number(x, y + 1, z), -1.0}});
                if (lz > 1) row.insert(row.end(), {{number(x, y, z - 1), -1.0}, {number(x, y, z + 1), -1.0}});
                std::sort(row.begin(), row.end());
                for (const auto& [column, element] : row) {
                    m.column.push_back(column);
                    m.element.push_back(element);
                }
                m.row_start.push_back(static_cast<int64_t>(m.column.size()) + 1);
            }
    return m;
}

// Nanoseconds for each site, vector and moment.
double serial_time(const Case& c, const Matrix& m) {
    const int vectors = std::max(1, c.vectors / 8);
    std::vector<double> mu(static_cast<std::size_t>(c.moments) * static_cast<std::size_t>(vectors));
    int32_t failed = 0;
    const double start = now();
    serial_kpm(static_cast<int32_t>(c.sites()), m.row_start.data(), m.column.data(), m.element.data(), half_width(c),
               c.moments, vectors, mu.data(), &failed);
    if (failed) std::exit(1);
    return (now() - start) * 1e9 / (c.sites() * vectors * c.moments);
}

struct Time {
    double nanoseconds = 0;
    int width = 1;
};

Time library_time(const Case& c, const Matrix& m, int32_t backend, int32_t threads) {
    legato_context* context = make_context(backend, threads);
    legato_kpm_hamiltonian* hamiltonian = nullptr;
    if (c.matrix()) {
        require(context, legato_kpm_matrix_create(context, static_cast<int64_t>(m.row_start.size()) - 1,
                                                  static_cast<int64_t>(m.column.size()), 1, m.row_start.data(),
                                                  m.column.data(), m.element.data(), &hamiltonian));
    } else {
        legato_kpm_lattice lattice;
        legato_kpm_lattice_init(&lattice);
        std::copy(c.extents.begin(), c.extents.end(), lattice.extents);
        lattice.on_site = LEGATO_KPM_BOX;
        lattice.disorder = disorder;
        require(context, legato_kpm_lattice_create(context, &lattice, 0, nullptr, &hamiltonian));
    }
    legato_kpm_params params;
    legato_kpm_params_init(&params);
    params.moments = c.moments;
    params.vectors = c.vectors;
    params.bounds = LEGATO_KPM_INTERVAL;
    params.lowest = -half_width(c);
    params.highest = half_width(c);
    params.margin = 0;
    if (c.matrix()) params.format = c.format == Format::crs ? LEGATO_KPM_FORMAT_CRS : LEGATO_KPM_FORMAT_ELL;
    if (c.single) params.precision = LEGATO_KPM_SINGLE;
    legato_kpm* kpm = nullptr;
    require(context, legato_kpm_create(context, &params, hamiltonian, &kpm));
    legato_kpm_state state{};
    state.struct_size = sizeof state;
    require(context, legato_kpm_get_state(kpm, &state));
    const double start = now();
    require(context, legato_kpm_run(kpm, nullptr, nullptr));
    const double took = now() - start;
    legato_kpm_destroy(kpm);
    legato_kpm_hamiltonian_destroy(hamiltonian);
    legato_context_destroy(context);
    return {took * 1e9 / (c.sites() * c.vectors * c.moments), state.block_width};
}

// Least traffic for each site, vector and moment: a step gives two moments, and reads x and y and writes y; on-site
// energies or the matrix once for a block.
double least_bytes(const Case& c, const Matrix& m, int width) {
    const double shared =
        c.matrix() ? 12 * static_cast<double>(m.column.size()) / c.sites() + 8 : 8;  // of the Hamiltonian, each site
    return ((c.single ? 12 : 24) + shared / width) / 2;
}

// Bytes read and written a second by threads that copy, the best of three.
double copy_bandwidth(int threads) {
    constexpr std::size_t each = std::size_t{1} << 24;
    std::vector<double> from(each * static_cast<std::size_t>(threads), 1.0), to(from.size(), 2.0);
    double best = 0;
    for (int repeat = 0; repeat < 3; ++repeat) {
        const double start = now();
        std::vector<std::thread> team;
        team.reserve(static_cast<std::size_t>(threads));
        for (int t = 0; t < threads; ++t)
            team.emplace_back([&, first = each * static_cast<std::size_t>(t)] {
                std::memcpy(to.data() + first, from.data() + first, each * sizeof(double));
            });
        for (std::thread& thread : team) thread.join();
        best = std::max(best, 2 * static_cast<double>(from.size() * sizeof(double)) / (now() - start));
    }
    return best;
}

}  // namespace

int kpm_benchmark(int argc, char** argv) {
    const char* json_path = nullptr;
    bool quick = false;
    for (int i = 1; i < argc; ++i) {
        if (!std::strcmp(argv[i], "--json") && i + 1 < argc)
            json_path = argv[++i];
        else if (!std::strcmp(argv[i], "--quick"))
            quick = true;
        else
            return std::fputs("usage: legato-bench kpm [--json FILE] [--quick]\n", stderr), 2;
    }
    const auto cubic = [](int64_t extent) { return std::array<int64_t, 3>{extent, extent, extent}; };
    using enum Format;
    std::vector<Case> cases{{"cubic", cubic(64), stencil, 128, 16},
                            {"square", {512, 512, 1}, stencil, 128, 16},
                            {"chain", {1 << 18, 1, 1}, stencil, 128, 16},
                            {"cubic CRS", cubic(64), crs, 128, 16}};
    if (!quick) {
        cases.push_back({"cubic", cubic(128), stencil, 64, 16});
        cases.push_back({"cubic, single", cubic(128), stencil, 64, 16, false, true});
        cases.push_back({"cubic CRS", cubic(128), crs, 64, 16});
        for (const int64_t extent : {64, 128, 256}) cases.push_back({"cubic", cubic(extent), stencil, 512, 32, true});
        cases.push_back({"cubic", cubic(512), stencil, 128, 32, true});
        cases.push_back({"cubic, single", cubic(128), stencil, 512, 32, true, true});
        cases.push_back({"cubic CRS", cubic(128), crs, 512, 32, true});
        cases.push_back({"cubic ELL", cubic(128), ell, 512, 32, true});
        cases.push_back({"ELL, single", cubic(128), ell, 512, 32, true, true});
    }
    const bool gpu = has_device();
    const int threads = static_cast<int>(std::thread::hardware_concurrency());
    std::FILE* json = json_path ? std::fopen(json_path, "w") : nullptr;
    if (json_path && !json) return std::fprintf(stderr, "legato-bench: cannot write %s\n", json_path), 1;
    const double copy[3] = {copy_bandwidth(1), copy_bandwidth(threads), gpu ? device_copy_bandwidth() : 0.0};
    const std::string cpu = processor_name(), device = device_name();
    std::printf("legato %s, %s, GPU: %s\n", legato_version(), cpu.c_str(), device.c_str());
    std::printf("copy bandwidth, GB/s: 1 thread %.1f, %d threads %.1f, GPU %.1f\n", copy[0] / 1e9, threads,
                copy[1] / 1e9, copy[2] / 1e9);
    std::puts(
        "ns: for each site, vector and moment; Gflop/s: 18 D R N / time; traffic: least bytes over copy bandwidth");
    std::printf("%-13s %15s %5s %4s %-9s %5s %8s %6s %8s %8s\n", "lattice", "sites", "N", "R", "by", "width", "ns",
                "ratio", "Gflop/s", "traffic");
    if (json)
        std::fprintf(json,
                     "{\"version\": \"%s\", \"cpu\": \"%s\", \"gpu\": \"%s\", \"threads\": %d, "
                     "\"copy_bytes_per_second\": [%.4g, %.4g, %.4g], \"rows\": [",
                     legato_version(), cpu.c_str(), device.c_str(), threads, copy[0], copy[1], copy[2]);
    const char* separator = "";
    for (const Case& c : cases) {
        if (c.gpu_only && !gpu) continue;
        const Matrix m = c.gpu_only && !c.matrix() ? Matrix{} : make_matrix(c);
        const double serial = c.gpu_only ? 0.0 : serial_time(c, m);
        const auto row = [&](const char* by, Time time, double bandwidth) {
            const double traffic =
                bandwidth > 0 ? least_bytes(c, m, time.width) / time.nanoseconds * 1e9 / bandwidth : 0.0;
            char size[32];
            std::snprintf(size, sizeof size, "%lldx%lldx%lld", static_cast<long long>(c.extents[0]),
                          static_cast<long long>(c.extents[1]), static_cast<long long>(c.extents[2]));
            std::printf("%-13s %15s %5d %4d %-9s %5d %8.4f", c.name, size, c.moments, c.vectors, by, time.width,
                        time.nanoseconds);
            std::printf(serial > 0 ? " %6.2f" : "      -", serial / time.nanoseconds);
            std::printf(" %8.2f", 18 / time.nanoseconds);
            std::printf(traffic > 0 ? " %7.0f%%\n" : "        -\n", 100 * traffic);
            std::fflush(stdout);
            if (json)
                std::fprintf(json,
                             "%s\n  {\"lattice\": \"%s\", \"sites\": %.0f, \"moments\": %d, \"vectors\": %d, "
                             "\"by\": \"%s\", \"width\": %d, \"ns\": %.4g, \"traffic\": %.4g}",
                             separator, c.name, c.sites(), c.moments, c.vectors, by, time.width, time.nanoseconds,
                             traffic);
            separator = ",";
        };
        if (!c.gpu_only) {
            row("serial", {serial, 1}, 0);
            row("1 thread", library_time(c, m, LEGATO_BACKEND_CPU, 1), copy[0]);
            row("all", library_time(c, m, LEGATO_BACKEND_CPU, threads), copy[1]);
        }
        if (gpu) {
            library_time(c, m, LEGATO_BACKEND_CUDA, threads);  // loads the kernels
            row("GPU", library_time(c, m, LEGATO_BACKEND_CUDA, threads), copy[2]);
        }
        // A step gives two moments.
        const double peer = gpu && c.format == crs ? cusparse_step(m.row_start, m.column, m.element, c.vectors) : 0;
        if (peer > 0) row("cuSPARSE", {peer / 2 * 1e9 / (c.sites() * c.vectors), c.vectors}, copy[2]);
    }
    if (json) {
        std::fputs("\n]}\n", json);
        if (std::fclose(json) != 0) return std::fprintf(stderr, "legato-bench: cannot write %s\n", json_path), 1;
    }
    return 0;
}
