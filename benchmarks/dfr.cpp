// Seconds from the input to the converged energy of an atom: serial Fortran, Legato on one thread, on all, and on the
// GPU. Then all elements of the basis library in one batch, and the optimisation of a basis set.
#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include "common.hpp"

extern "C" void serial_dfr(const char* name, int length, double* energy, int* iterations, double* seconds, int* failed);

using namespace benchmarks;

namespace {

struct Case {
    const char* input;  // of the serial program
    int element;
    int functions;  // of each of seven symmetries in an exponents' pool of its own, 0: the library's basis
};

struct Timing {
    double energy = 0, seconds = 0;
    int iterations = 0;
};

Timing serial(const std::string& inputs, const Case& c) {
    const std::string name = inputs + "/" + c.input + ".inp";
    Timing best;
    for (int repeat = 0; repeat < 3; ++repeat) {
        Timing t;
        int failed = 0;
        serial_dfr(name.data(), static_cast<int>(name.size()), &t.energy, &t.iterations, &t.seconds, &failed);
        if (failed) std::fprintf(stderr, "legato-bench: the serial program failed on %s\n", name.c_str()), std::exit(1);
        if (repeat == 0 || t.seconds < best.seconds) best = t;
    }
    return best;
}

// The thesis's profiling workload: radon, seven symmetries with the same exponents.
void add_profile(legato_context* context, legato_dfr* dfr, const Case& c) {
    std::vector<double> pool(static_cast<std::size_t>(c.functions)), exponents;
    require(context, legato_dfr_well_tempered(context, 6.87e-2, 1.83, 3.97, 0.78, c.functions, pool.data()));
    for (int s = 0; s < 7; ++s) exponents.insert(exponents.end(), pool.begin(), pool.end());
    const std::vector<int32_t> functions(7, c.functions);
    const int32_t closed[] = {6, 5, 5, 3, 3, 1, 1};
    const double electrons[7] = {};
    legato_dfr_nucleus nucleus{};
    nucleus.struct_size = sizeof nucleus;
    nucleus.model = LEGATO_DFR_POINT;
    nucleus.charge = c.element;
    require(context, legato_dfr_add_atom(dfr, &nucleus, 7, functions.data(), exponents.data(), closed, electrons,
                                         nullptr, nullptr));
}

legato_dfr* make_list(legato_context* context) {
    legato_dfr_params p;
    legato_dfr_params_init(&p);
    p.speed_of_light = 137.0359895;
    legato_dfr* dfr = nullptr;
    require(context, legato_dfr_create(context, &p, &dfr));
    return dfr;
}

// Best of three, from the empty list to the energies; the context is there before.
template <class Add>
Timing library(int32_t backend, int threads, Add add) {
    legato_context* context = make_context(backend, threads);
    Timing best;
    for (int repeat = 0; repeat < 4; ++repeat) {  // the first loads the library's kernels
        const double start = now();
        legato_dfr* dfr = make_list(context);
        add(context, dfr);
        require(context, legato_dfr_run(dfr, nullptr, nullptr));
        Timing t;
        t.seconds = now() - start;
        legato_dfr_atom atom{};
        atom.struct_size = sizeof atom;
        int64_t atoms = 0;
        require(context, legato_dfr_size(dfr, &atoms));
        for (int64_t i = atoms - 1; i >= 0; --i) {
            require(context, legato_dfr_result(dfr, i, &atom));
            if (atom.status != LEGATO_DFR_CONVERGED) std::fputs("legato-bench: not converged\n", stderr), std::exit(1);
        }
        t.energy = atom.energy;
        t.iterations = atom.iterations;
        legato_dfr_destroy(dfr);
        if (repeat <= 1 || t.seconds < best.seconds) best = t;
    }
    legato_context_destroy(context);
    return best;
}

void add_library(legato_context* context, legato_dfr* dfr) {
    int added = 0;
    for (int32_t element = 2; element <= 86; ++element)
        added += legato_dfr_add_element(dfr, element, LEGATO_DFR_POINT, nullptr) == LEGATO_SUCCESS;
    if (added < 75) require(context, LEGATO_INTERNAL_ERROR);
}

struct Optimisation {
    double seconds = 0;
    legato_dfr_optimisation result{};
};

// 200 energies of xenon from the library's basis, which was optimised for non-relativistic energies.
Optimisation optimise_xenon(int32_t backend, int threads) {
    legato_context* context = make_context(backend, threads);
    legato_dfr_params field;
    legato_dfr_params_init(&field);
    field.speed_of_light = 137.0359895;
    legato_dfr_optimiser_params p;
    legato_dfr_optimiser_params_init(&p);
    p.max_energies = 200;
    p.last_step = 1e-6;  // not before they are used up
    legato_dfr_optimiser* optimiser = nullptr;
    Optimisation best;
    const double start = now();
    require(context, legato_dfr_optimiser_create(context, &field, &p, &optimiser));
    require(context, legato_dfr_optimiser_add_element(optimiser, 54, LEGATO_DFR_POINT, nullptr));
    require(context, legato_dfr_optimiser_run(optimiser, nullptr, nullptr));
    best.seconds = now() - start;
    best.result.struct_size = sizeof best.result;
    require(context, legato_dfr_optimiser_result(optimiser, 0, &best.result));
    legato_dfr_optimiser_destroy(optimiser);
    legato_context_destroy(context);
    return best;
}

void print_optimisation(const char* where, const Optimisation& o) {
    const legato_dfr_optimisation& r = o.result;
    std::printf(
        "optimisation of Xe, %s: %.3f s for %lld energies (%lld collapsed); above the limit %.9f by %.3e at the "
        "start, by %.3e at the end, of which %.6f hartree gained\n",
        where, o.seconds, static_cast<long long>(r.energies), static_cast<long long>(r.collapsed), r.limit,
        1 - r.start_energy / r.limit, 1 - r.energy / r.limit, r.start_energy - r.energy);
}

}  // namespace

int dfr_benchmark(int argc, char** argv) {
    const char* json_path = nullptr;
    std::string inputs = LEGATO_DFR_INPUTS;
    for (int i = 1; i < argc; ++i) {
        if (!std::strcmp(argv[i], "--json") && i + 1 < argc)
            json_path = argv[++i];
        else if (!std::strcmp(argv[i], "--inputs") && i + 1 < argc)
            inputs = argv[++i];
        else
            return std::fputs("usage: legato-bench dfr [--json FILE] [--inputs FOLDER]\n", stderr), 2;
    }
    const Case cases[] = {{"he", 2, 0},
                          {"ne", 10, 0},
                          {"xe", 54, 0},
                          {"rn", 86, 0},
                          {"profile_rn_25", 86, 25},
                          {"profile_rn_35", 86, 35},
                          {"profile_rn_45", 86, 45}};
    const bool gpu = has_device();
    const int threads = static_cast<int>(std::thread::hardware_concurrency());
    std::FILE* json = json_path ? std::fopen(json_path, "w") : nullptr;
    if (json_path && !json) return std::fprintf(stderr, "legato-bench: cannot write %s\n", json_path), 1;
    std::printf("legato %s, %s, %d threads, GPU: %s; seconds\n", legato_version(), processor_name().c_str(), threads,
                device_name().c_str());
    std::printf("%-14s | %9s %4s | %9s %6s | %9s %6s | %9s %6s %4s | %s\n", "input", "serial", "it.", "1 thread",
                "ratio", "all", "ratio", "GPU", "ratio", "it.", "energy - serial");
    if (json)
        std::fprintf(json, "{\"version\": \"%s\", \"cpu\": \"%s\", \"gpu\": \"%s\", \"threads\": %d, \"rows\": [",
                     legato_version(), processor_name().c_str(), device_name().c_str(), threads);
    bool first = true;
    const auto row = [&](const char* name, const Timing& s, const auto& add) {
        const Timing one = library(LEGATO_BACKEND_CPU, 1, add), all = library(LEGATO_BACKEND_CPU, threads, add),
                     cuda = gpu ? library(LEGATO_BACKEND_CUDA, threads, add) : Timing{};
        std::printf("%-14s | %9.5f %4d | %9.5f %6.1f | %9.5f %6.1f | %9.5f %6.1f %4d | %.1e\n", name, s.seconds,
                    s.iterations, one.seconds, s.seconds / one.seconds, all.seconds, s.seconds / all.seconds,
                    cuda.seconds, gpu ? s.seconds / cuda.seconds : 0.0, (gpu ? cuda : all).iterations,
                    s.seconds > 0 ? (gpu ? cuda : all).energy - s.energy : 0.0);
        std::fflush(stdout);
        if (json)
            std::fprintf(
                json, "%s\n  {\"input\": \"%s\", \"serial\": %.6g, \"cpu_1\": %.6g, \"cpu_all\": %.6g, \"cuda\": %.6g}",
                first ? "" : ",", name, s.seconds, one.seconds, all.seconds, cuda.seconds);
        first = false;
    };
    for (const Case& c : cases)
        row(c.input, serial(inputs, c), [&](legato_context* context, legato_dfr* dfr) {
            if (c.functions > 0)
                add_profile(context, dfr, c);
            else
                require(context, legato_dfr_add_element(dfr, c.element, LEGATO_DFR_POINT, nullptr));
        });
    row("80 elements", {}, add_library);
    const Optimisation on_host = optimise_xenon(LEGATO_BACKEND_CPU, threads),
                       on_gpu = gpu ? optimise_xenon(LEGATO_BACKEND_CUDA, threads) : Optimisation{};
    print_optimisation("CPU", on_host);
    if (gpu) print_optimisation("GPU", on_gpu);
    if (json)
        std::fprintf(json,
                     ",\n  {\"input\": \"optimisation of Xe\", \"energies\": %lld, \"cpu_all\": %.6g, \"cuda\": %.6g}",
                     static_cast<long long>((gpu ? on_gpu : on_host).result.energies), on_host.seconds, on_gpu.seconds);
    if (json) {
        std::fputs("\n]}\n", json);
        std::fclose(json);
    }
    return 0;
}
