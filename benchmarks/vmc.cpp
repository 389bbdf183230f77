// Microseconds for each sweep of a chain, with the energy after it, of variational Monte Carlo: serial Fortran, Legato
// on one thread, on all threads, and on the GPU with many chains; beside them the flops and bytes that the moves and
// energies of the same run need at least, and the part of a copy's bandwidth that these bytes are.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "common.hpp"
#include "kpm.hpp"

extern "C" void serial_vmc(int32_t length, double share, int32_t warm_up, int32_t sweeps, double* seconds,
                           double* energy, int32_t* failed);

using namespace benchmarks;

namespace {

// The seed's: x = 0.1, Delta = 1.5, mu = 0, t' = t'' = 0, J = 0.3.
struct Case {
    int length, electrons;
    double microseconds;      // for each sweep of the serial program, about: how many are run
    std::vector<int> crowds;  // chains that keep a GPU busy

    int sites() const { return length * length + 1; }
};

constexpr int warm_up = 50;
constexpr double seed_sweeps = 32 * 15000.0;  // 32 chains, 5000 and 10000 sweeps without null attempts

// Seconds for each sweep, the best of three stretches.
double serial_time(const Case& c, double share, double seconds) {
    const int sweeps = std::max(20, static_cast<int>(seconds * 1e6 / c.microseconds));
    double best = 0;
    for (int repeat = 0; repeat < 3; ++repeat) {
        double took = 0, energy[2];
        int32_t failed = 0;
        serial_vmc(c.length, share, warm_up, sweeps, &took, energy, &failed);
        if (failed) std::exit(1);
        if (repeat == 0 || took < best) best = took;
    }
    return best / sweeps;
}

struct Outcome {
    double seconds = 0;  // for each sweep of one chain
    legato_vmc_state state{};
    legato_vmc_averages averages{};
};

// The best of three bins; false, after a line, where this backend cannot run it.
bool library_time(const Case& c, double share, int32_t backend, int32_t threads, int chains, double sweeps,
                  Outcome& outcome) {
    legato_context* context = make_context(backend, threads);
    legato_vmc_params params;
    legato_vmc_params_init(&params);
    params.length = c.length;
    params.electrons = c.electrons;
    params.chains = chains;
    params.warm_up = warm_up;
    params.bins = 4;
    params.sweeps_per_bin = std::max<int64_t>(20, static_cast<int64_t>(sweeps));
    params.neighbour_share = share;
    params.seed = 13213;
    legato_vmc* vmc = nullptr;
    if (legato_vmc_create(context, &params, &vmc) != LEGATO_SUCCESS) {
        std::printf("%d chains of L = %d: %s\n", chains, c.length, legato_context_message(context));
        legato_context_destroy(context);
        return false;
    }
    require(context, legato_vmc_advance(vmc, 1, nullptr));
    double best = 0;
    for (int repeat = 0; repeat < 3; ++repeat) {
        const double start = now();
        require(context, legato_vmc_advance(vmc, 1, nullptr));
        const double took = now() - start;
        if (repeat == 0 || took < best) best = took;
    }
    outcome.seconds = best / (static_cast<double>(params.sweeps_per_bin) * chains);
    outcome.state.struct_size = sizeof outcome.state;
    outcome.averages.struct_size = sizeof outcome.averages;
    require(context, legato_vmc_get_state(vmc, &outcome.state));
    require(context, legato_vmc_result(vmc, &outcome.averages));
    legato_vmc_destroy(vmc);
    legato_context_destroy(context);
    return true;
}

struct Needs {
    double flops = 0, bytes = 0;
};

// What a sweep and its energy need at least, of Legato's algorithm with the counts of this run. Of an n x n inverse (n
// pairs and borders) and m = Ne / 2 rows of ratios below it:
// - the ratio of a hop takes 2 n flops and reads n numbers; that of an exchange 4 n and 2 n;
// - an accepted hop makes one row of ratios, 2 n^2, and takes a multiple of a row from all n + m, 2 n (n + m); an
//   exchange two multiples, whose factors are products, 6 n (n + m); either reads and writes all rows once;
// - the energy takes an exchange's ratio for each antiparallel bond, and a hop's for each bond of a hole and an
//   electron. Their numbers follow from <n_i n_j> and, in a singlet, from <S^z_i S^z_j> = <S_i.S_j> / 3;
// - the inverse anew, after every 20 sweeps: 2 n^3 and 2 n^2 m.
Needs needs(const Case& c, const Outcome& outcome) {
    const legato_vmc_state& s = outcome.state;
    const double n = c.electrons / 2.0 + s.borders, m = c.electrons / 2.0, sites = c.sites();
    const double sweeps = static_cast<double>(s.sweeps_done) * s.chains;
    const auto each = [&](const int64_t* counts) { return static_cast<double>(counts[0] + counts[1]) / sweeps; };
    const double hops = each(s.hops), exchanges = each(s.exchanges);
    const double hopped = each(s.hops_accepted), exchanged = each(s.exchanges_accepted);
    const double pairs = outcome.averages.density_density, holes = sites - c.electrons;
    const double antiparallel = sites * (pairs - 4 * outcome.averages.spin_spin / 3);
    const double open = 4 * holes - 2 * (4 * holes - 2 * sites * (1 - pairs));  // of the 2 sites bonds
    const double anew = 1 / static_cast<double>(s.recompute_interval);
    Needs needs;
    needs.flops = 2 * n * (hops + open) + 4 * n * (exchanges + antiparallel) + hopped * (2 * n * n + 2 * n * (n + m)) +
                  exchanged * 6 * n * (n + m) + anew * 2 * n * n * (n + m);
    needs.bytes =
        8 * n * (hops + open) + 16 * n * (exchanges + antiparallel) + 16 * n * (n + m) * (hopped + exchanged + anew);
    return needs;
}

// Bytes read and written a second by threads that copy within as much memory as a chain's rows take, the best of three.
double cached_copy_bandwidth(const Case& c, int threads) {
    const auto half = static_cast<std::size_t>(c.electrons) * static_cast<std::size_t>(c.electrons) / 4;
    const int repeats = static_cast<int>(50000000 / half);
    double best = 0;
    for (int attempt = 0; attempt < 3; ++attempt) {
        std::vector<std::vector<double>> arrays(static_cast<std::size_t>(threads), std::vector<double>(2 * half, 1.0));
        const double start = now();
        std::vector<std::thread> team;
        for (auto& array : arrays)
            team.emplace_back([&array, half, repeats] {
                for (int i = 0; i < repeats; ++i)
                    std::memcpy(array.data() + (i % 2 ? half : 0), array.data() + (i % 2 ? 0 : half),
                                half * sizeof(double));
            });
        for (std::thread& thread : team) thread.join();
        const double bytes = 16.0 * static_cast<double>(half) * repeats * threads;
        best = std::max(best, bytes / (now() - start));
    }
    return best;
}

class Table {
  public:
    explicit Table(std::FILE* json) : json_(json) {}

    static void heading() {
        std::printf("%3s %5s %7s %-9s %10s %11s %8s %8s %8s %8s %9s\n", "L", "share", "chains", "by", "us", "sweeps/s",
                    "ratio", "Gflop/s", "GB/s", "traffic", "seed, s");
    }

    void row(const Case& c, double share, int chains, const char* by, double seconds, double ratio, const Needs& needs,
             double bandwidth, double seed) {
        std::printf("%3d %5.2f %7d %-9s %10.4f %11.0f %8.2f", c.length, share, chains, by, seconds * 1e6, 1 / seconds,
                    ratio);
        if (needs.flops > 0)
            std::printf(" %8.1f %8.1f", needs.flops / seconds / 1e9, needs.bytes / seconds / 1e9);
        else
            std::printf("        -        -");
        if (bandwidth > 0)
            std::printf(" %7.0f%%", 100 * needs.bytes / seconds / bandwidth);
        else
            std::printf("        -");
        std::printf(seed > 0 ? " %9.1f\n" : "         -\n", seed);
        std::fflush(stdout);
        if (!json_) return;
        std::fprintf(json_,
                     "%s\n  {\"length\": %d, \"neighbour_share\": %.2f, \"chains\": %d, \"by\": \"%s\", "
                     "\"microseconds\": %.5g, \"ratio\": %.4g, \"flops\": %.5g, \"bytes\": %.5g, "
                     "\"copy_bytes_per_second\": %.4g, \"seed_seconds\": %.5g}",
                     separator_, c.length, share, chains, by, seconds * 1e6, ratio, needs.flops, needs.bytes, bandwidth,
                     seed);
        separator_ = ",";
    }

  private:
    std::FILE* json_;
    const char* separator_ = "";
};

// Seconds of the seed's run with no null attempts, where sites are proposed as it does.
double seed_seconds(double share, double seconds, const legato_vmc_state& state) {
    return share == 0 ? seed_sweeps * seconds / (1 - state.null_rate[0]) : 0.0;
}

void measure(const Case& c, double share, double seconds, bool gpu, Table& table) {
    const int threads = static_cast<int>(std::thread::hardware_concurrency()), chains = 4 * std::max(threads, 2);
    const double serial = serial_time(c, share, seconds), sweeps = seconds / serial / chains;
    Outcome one, all;
    if (!library_time(c, share, LEGATO_BACKEND_CPU, 1, chains, 3 * sweeps, one)) std::exit(1);
    table.row(c, share, 1, "serial", serial, 1, {}, 0, seed_seconds(share, serial, one.state));
    table.row(c, share, chains, "1 thread", one.seconds, serial / one.seconds, needs(c, one),
              cached_copy_bandwidth(c, 1), seed_seconds(share, one.seconds, one.state));
    if (!library_time(c, share, LEGATO_BACKEND_CPU, threads, chains, 3 * sweeps * threads, all)) std::exit(1);
    table.row(c, share, chains, "all", all.seconds, serial / all.seconds, needs(c, all),
              cached_copy_bandwidth(c, threads), seed_seconds(share, all.seconds, all.state));
    if (!gpu) return;
    for (const int crowd : c.crowds) {
        Outcome device;
        const double faster = std::min(crowd, 200);  // than the serial program, about
        if (!library_time(c, share, LEGATO_BACKEND_CUDA, threads, crowd, faster * seconds / serial / crowd, device))
            return;
        const double seed = crowd == 32 ? seed_seconds(share, device.seconds, device.state) : 0.0;
        table.row(c, share, crowd, "GPU", device.seconds, serial / device.seconds, needs(c, device),
                  device_copy_bandwidth(), seed);
    }
}

}  // namespace

int vmc_benchmark(int argc, char** argv) {
    const char* json_path = nullptr;
    double seconds = 1;
    for (int i = 1; i < argc; ++i) {
        if (!std::strcmp(argv[i], "--json") && i + 1 < argc)
            json_path = argv[++i];
        else if (!std::strcmp(argv[i], "--quick"))
            seconds = 0.1;
        else
            return std::fputs("usage: legato-bench vmc [--json FILE] [--quick]\n", stderr), 2;
    }
    const std::vector<Case> cases{
        {5, 24, 4.5, {32, 8448, 16896}}, {9, 74, 32, {32, 2112, 4224}}, {15, 204, 420, {32, 528, 1056}}};
    const bool gpu = has_device();
    const int threads = static_cast<int>(std::thread::hardware_concurrency());
    std::FILE* json = json_path ? std::fopen(json_path, "w") : nullptr;
    if (json_path && !json) return std::fprintf(stderr, "legato-bench: cannot write %s\n", json_path), 1;
    const std::string cpu = processor_name(), device = device_name();
    std::printf("legato %s, %s, %d threads, GPU: %s\n", legato_version(), cpu.c_str(), threads, device.c_str());
    std::puts(
        "us: for each sweep and energy of a chain; Gflop/s, GB/s: what these need at least over the time; traffic:"
        "\nGB/s over those of a copy, on the CPU within the cache; seed: its 32 chains of 15000 sweeps");
    if (json)
        std::fprintf(json, "{\"version\": \"%s\", \"cpu\": \"%s\", \"gpu\": \"%s\", \"threads\": %d, \"rows\": [",
                     legato_version(), cpu.c_str(), device.c_str(), threads);
    Table table(json);
    Table::heading();
    for (const double share : {0.0, 0.5})  // the seed's, and Legato's default
        for (const Case& c : cases) measure(c, share, seconds, gpu, table);
    if (json) {
        std::fputs("\n]}\n", json);
        if (std::fclose(json) != 0) return std::fprintf(stderr, "legato-bench: cannot write %s\n", json_path), 1;
    }
    return 0;
}
