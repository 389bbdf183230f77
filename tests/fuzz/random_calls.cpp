// random_calls FIRST RUNS [CALLS]: does RUNS runs, beginning with number FIRST. Each run makes CALLS (2500) calls of
// all functions of the C interface in random order. Handles are valid, destroyed, of another type or arbitrary; values
// are valid or not. Every call must return a status, and never LEGATO_STATUS_INTERNAL_ERROR. Arrays are as long as a
// call says, since the library trusts these lengths.
#include <legato/legato.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "state_kinds.hpp"

namespace {

namespace fs = std::filesystem;

std::mt19937_64 random_bits;

std::size_t below(std::size_t n) {
    return random_bits() % n;
}

template <class T, std::size_t n>
T one_of(const T (&values)[n]) {
    return values[below(n)];
}

using HandleTypes =
    std::tuple<legato_context*, legato_tmm*, legato_tmm_propagation*, legato_dfr*, legato_dfr_optimiser*,
               legato_dfr_reducer*, legato_dfr_pruner*, legato_dfr_basis_sets*, legato_dfr_repulsion*,
               legato_kpm_hamiltonian*, legato_kpm*, legato_kpm_correlation*, legato_kpm_function*, legato_kpm_green*,
               legato_vmc*, legato_vmc_optimiser*, legato_ising*, legato_ising_reweighting*, legato_fss*>;
constexpr std::size_t handle_types = std::tuple_size_v<HandleTypes>;

template <class Handle, std::size_t i = 0>
constexpr std::size_t index_of() {
    if constexpr (i == handle_types)
        return handle_types;
    else if constexpr (std::is_same_v<Handle, std::tuple_element_t<i, HandleTypes>>)
        return i;
    else
        return index_of<Handle, i + 1>();
}

// All handles of this run, valid or not.
std::array<std::vector<void*>, handle_types> handles;
std::vector<std::string> paths;

void* any_handle(std::size_t type) {
    const std::vector<void*>& own = handles[type];
    const std::size_t chance = below(20);
    if (chance == 0) return nullptr;
    if (chance == 1)
        return reinterpret_cast<void*>(below(2) ? below(100) : random_bits());  // NOLINT(performance-no-int-to-ptr)
    if (chance == 2) type = below(handle_types);
    const std::vector<void*>& of = chance == 2 ? handles[type] : own;
    if (of.empty()) return nullptr;
    // The newest handle is chosen most often, because it is most often valid. Several arguments are often the same.
    static std::array<void*, handle_types> before;
    if (below(2) && std::find(of.begin(), of.end(), before[type]) != of.end()) return before[type];
    return before[type] = below(2) ? of.back() : of[below(of.size())];
}

const char* called = "";
std::map<std::string, long> successes;

constexpr std::size_t array_length = 1 << 24;  // psi of 64 x 64 sites
constexpr int most_length = 64;

// Returns whether the present call makes a matrix. Its arguments then often fit together.
bool makes_matrix() {
    const std::string_view name(called);
    return name.find("matrix_") != name.npos && name.find("_set_") == name.npos;
}

// Returns whether the present call makes a lattice, which often needs no on-site energies.
bool makes_lattice() {
    return std::string_view(called).ends_with("lattice_create");
}

// Returns a whole number that is a plausible length, count or index, or sometimes an impossible one.
template <class T>
T any_integer(bool extremes) {
    constexpr T usual[] = {0, 1, 1, 1, 2, 2, 3, 4, 8, 10, 16, most_length};
    constexpr T strange[] = {-1, std::numeric_limits<T>::min(), std::numeric_limits<T>::max(),
                             std::numeric_limits<T>::max() / 2};
    if (makes_matrix() && below(4) > 0) return one_of({T{1}, T{1}, T{2}, T{4}});
    if (makes_lattice() && below(2) > 0) return T{0};
    return below(20) > 0 ? one_of(usual) : extremes ? one_of(strange) : T{-1};
}

double any_real() {
    constexpr double usual[] = {0, 0.3, 0.5, 1, 1, 2, 3, 8, -1}, infinite = std::numeric_limits<double>::infinity();
    constexpr double strange[] = {1e-300, 1e300, -1e300, infinite, -infinite, std::numeric_limits<double>::quiet_NaN()};
    return below(20) > 0 ? one_of(usual) : one_of(strange);
}

template <class T>
T any_number() {
    if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(any_real());
    else
        return static_cast<T>(below(4) > 0 ? below(4) : static_cast<std::size_t>(any_integer<T>(true)));
}

// An array of zeros, which takes no memory before it is written to.
template <class T>
struct Array : std::unique_ptr<T, void (*)(void*)> {
    Array() : std::unique_ptr<T, void (*)(void*)>(static_cast<T*>(std::calloc(array_length, sizeof(T))), std::free) {}
};

// The arrays that Hamiltonians have borrowed. They stay unchanged until all handles have been destroyed.
std::vector<std::shared_ptr<void>> borrowed;

template <class T>
T* borrow(const T* array) {
    constexpr std::size_t length = 4 * most_length;
    const std::shared_ptr<T[]> copy(new T[length]);
    std::copy_n(array, length, copy.get());
    borrowed.push_back(copy);
    return copy.get();
}

// Returns an array. Arrays that are read are all ones, ascending or random. Arrays that are written to are separate.
template <class T>
T* any_array(bool is_read) {
    if (below(std::is_same_v<T, double> && makes_lattice() ? 3 : 20) == 0) return nullptr;
    static const std::array<Array<T>, 4> arrays;
    const auto& [ones, ascending, random, written] = arrays;
    if (!is_read) return written.get();
    const bool is_complex = std::is_same_v<T, double> && makes_matrix() && std::strstr(called, "complex");
    for (std::size_t i = 0; i < most_length; ++i) {
        ones.get()[i] = 1;
        ascending.get()[i] = is_complex && i % 2 == 1 ? T{0} : static_cast<T>(i + 1);
        random.get()[i] = any_number<T>();
    }
    T* const array = makes_matrix() && below(2) ? ascending.get() : one_of({ones.get(), ascending.get(), random.get()});
    return std::string_view(called).ends_with("_borrow") ? borrow(array) : array;
}

// These make runs small, so that many fit into a second.
template <class T>
void make_small(T&) {}
void make_small(legato_context_params& params) {
    params.threads = 1;
}
void make_small(legato_tmm_params& params) {
    params.width = 3;
    params.epsilon = 0.1;
}
void make_small(legato_kpm_params& params) {
    params.moments = 16;
    params.vectors = 2;
    params.memory_budget = 1 << 24;
}
void make_small(legato_kpm_lattice& lattice) {
    for (auto& extent : lattice.extents) extent = 4;
}
void make_small(legato_kpm_cell_lattice& lattice) {
    for (auto& extent : lattice.extents) extent = 3;
    lattice.orbitals = 2;
}
void make_small(legato_vmc_params& params) {
    params.length = 3;
    params.electrons = 8;
    params.chains = 2;
    params.thermalisation = 1;
    params.bins = 4;
    params.sweeps_per_bin = 2;
}
void make_small(legato_vmc_optimiser_params& params) {
    params.steps = 3;
}
void make_small(legato_ising_params& params) {
    params.extents[0] = params.extents[1] = 4;
    params.thermalisation = 2;
    params.measurements_per_bin = 2;
    params.bins = 3;
    params.time_series = static_cast<std::int32_t>(below(2));
}
void make_small(legato_fss_params& params) {
    params.relevant_order = params.relevant_expansion = 1;
    params.resamples = 2;
}
void make_small(legato_dfr_optimiser_params& params) {
    params.max_energies = 12;
}
void make_small(legato_dfr_pruner_params& params) {
    params.max_energies = 12;
}

#define LEGATO_INIT(type)                            \
    [[maybe_unused]] void initialise(type& params) { \
        type##_init(&params);                        \
    }
LEGATO_INIT(legato_context_params)
LEGATO_INIT(legato_tmm_params)
LEGATO_INIT(legato_kpm_params)
LEGATO_INIT(legato_kpm_lattice)
LEGATO_INIT(legato_kpm_cell_lattice)
LEGATO_INIT(legato_vmc_params)
LEGATO_INIT(legato_vmc_optimiser_params)
LEGATO_INIT(legato_ising_params)
LEGATO_INIT(legato_fss_params)
LEGATO_INIT(legato_dfr_params)
LEGATO_INIT(legato_dfr_optimiser_params)
LEGATO_INIT(legato_dfr_reducer_params)
LEGATO_INIT(legato_dfr_pruner_params)
template <class T>
void initialise(T& filled) {
    filled = {};
    filled.struct_size = sizeof filled;
}

// Returns a struct with free space behind it, because struct_size may be larger.
template <class T>
T* any_struct() {
    // An optimisation without run parameters would use the defaults, which take long.
    if (!std::is_same_v<T, legato_vmc_params> && below(20) == 0) return nullptr;
    alignas(T) static std::array<std::byte, 4096> rooms[4];
    static std::size_t next = 0;
    std::byte* const room = rooms[next++ % 4].data();
    T* const filled = new (room) T;
    initialise(*filled);
    make_small(*filled);
    for (std::size_t changes = below(3); changes > 0 && below(2); --changes) {
        const std::size_t at = below(sizeof(T) / 8) * 8;
        constexpr std::int64_t strange[] = {-1, std::numeric_limits<std::int64_t>::min(),
                                            std::numeric_limits<std::int64_t>::max()};
        const double real = any_real();
        const auto usual = static_cast<std::int32_t>(below(6));
        const std::int64_t none = one_of(strange);
        switch (below(4)) {  // large allowed values would take long
            case 0:
                std::memcpy(room + at, &real, sizeof real);
                break;
            case 1:
                std::memcpy(room + at, &none, sizeof none);
                break;
            default: {  // two 32-bit numbers, or the lower half of a 64-bit one
                std::int64_t both = 0;
                std::memcpy(&both, room + at, sizeof both);
                std::memcpy(room + at + (both >> 32 != 0 ? 4 * below(2) : 0), &usual, sizeof usual);
            }
        }
    }
    if (filled->struct_size > rooms[0].size()) filled->struct_size = sizeof(T);
    return filled;
}

// Returns a path, often of a state file that the present call can resume.
const char* any_path() {
    if (below(10) == 0) return nullptr;
    const auto own = std::find_if(paths.begin(), paths.end(), [](const std::string& path) {
        return called == "legato_" + fs::path(path).filename().string() + "_resume";
    });
    return own != paths.end() && below(2) ? own->c_str() : paths[below(paths.size())].c_str();
}

const char* words;
legato_tmm_step step;

int stop(void*, const legato_progress*) {
    return below(3) > 0;
}

void listen(void*, std::int32_t, const char*) {}

int vector(void*, std::int64_t, std::int64_t sites, double* elements) {
    for (std::int64_t i = 0; i < sites; ++i) elements[i] = i % 2 ? -1 : 1;
    return 0;
}

int site_energies(void*, std::int64_t, std::int64_t sites, double* energies) {
    for (std::int64_t i = 0; i < sites; ++i) energies[i] = any_real();
    return below(20) == 0;
}

int function_values(void*, std::int64_t n, const double* energies, double* values) {
    const double imaginary = below(100) == 0 ? any_real() : 0;
    for (std::int64_t i = 0; i < n; ++i) {
        values[2 * i] = energies[i];
        values[2 * i + 1] = imaginary;
    }
    return below(100) == 0;
}

int change_slice(void*, std::int64_t, std::int64_t, std::int64_t, std::int64_t sites, std::int64_t, std::int64_t,
                 double* on_site, double*, double* along) {
    on_site[0] = any_real();
    along[sites - 1] = 2;
    return below(100) == 0;
}

// The data of one rank, whatever the number of ranks is. The library must notice that the others are missing.
std::int32_t gather(void*, std::int64_t bytes, const void* mine, void* all) {
    std::memcpy(all, mine, static_cast<std::size_t>(bytes));
    return below(20) == 0;
}

std::int32_t exchange(void*, std::int32_t, std::int64_t, const void*, std::int32_t, std::int64_t, void*) {
    return below(20) == 0;
}

void release(void*) {}

template <class T>
struct AnyArgument {
    T value;
    explicit AnyArgument(bool extremes) {
        using To = std::remove_const_t<std::remove_pointer_t<T>>;
        if constexpr (std::is_same_v<T, legato_progress_callback>)
            value = stop;
        else if constexpr (std::is_same_v<T, legato_log_callback>)
            value = listen;
        else if constexpr (std::is_same_v<T, legato_gather_callback>)
            value = below(20) ? gather : nullptr;
        else if constexpr (std::is_same_v<T, legato_exchange_callback>)
            value = below(20) ? exchange : nullptr;
        else if constexpr (std::is_same_v<T, legato_release_callback>)
            value = below(2) ? release : nullptr;
        else if constexpr (std::is_same_v<T, legato_kpm_vector_callback>)
            value = below(2) ? vector : nullptr;
        else if constexpr (std::is_same_v<T, legato_kpm_energy_callback>)
            value = below(20) ? site_energies : nullptr;
        else if constexpr (std::is_same_v<T, legato_kpm_function_callback>)
            value = below(20) ? function_values : nullptr;
        else if constexpr (std::is_same_v<T, legato_tmm_slice_callback>)
            value = below(20) ? change_slice : nullptr;
        else if constexpr (std::is_same_v<T, legato_tmm_step*>)
            value = below(20) ? &step : nullptr;
        else if constexpr (std::is_same_v<T, void*>)
            value = nullptr;
        else if constexpr (std::is_same_v<T, std::size_t>)
            value = below(4096);
        else if constexpr (std::is_same_v<T, double>)
            value = any_real();
        else if constexpr (std::is_integral_v<T>)
            value = any_integer<T>(extremes);
        else if constexpr (std::is_same_v<T, const char*>)
            value = any_path();
        else if constexpr (std::is_same_v<T, const char**>)
            value = &words;
        else if constexpr (std::is_arithmetic_v<To>)
            value = any_array<To>(std::is_const_v<std::remove_pointer_t<T>>);
        else if constexpr (index_of<To*>() < handle_types)
            value = static_cast<T>(any_handle(index_of<To*>()));
        else
            value = any_struct<To>();
    }
};

// The address of a handle that a call may create.
template <class T>
requires(index_of<T*>() < handle_types) struct AnyArgument<T**> {
    T* made = nullptr;
    T** value = below(20) ? &made : nullptr;
    explicit AnyArgument(bool) {}
    ~AnyArgument() {
        if (made) handles[index_of<T*>()].push_back(made);
    }
    AnyArgument(const AnyArgument&) = delete;
    AnyArgument& operator=(const AnyArgument&) = delete;
};

// Returns whether an argument of type P may have extreme values.
template <class P>
bool extremes_for(bool extremes) {
    return extremes;
}

template <class... P>
void call(std::int32_t (*function)(P...)) {
    const bool advances = std::string_view(called).ends_with("_advance");  // extreme numbers of steps take for ever
    constexpr bool reads_arrays = ((std::is_pointer_v<P> && std::is_const_v<std::remove_pointer_t<P>> &&
                                    std::is_arithmetic_v<std::remove_pointer_t<P>>) ||
                                   ...);
    std::tuple<AnyArgument<P>...> arguments(extremes_for<P>(!reads_arrays && !advances)...);
    const std::int32_t status = std::apply([&](auto&... argument) { return function(argument.value...); }, arguments);
    successes[called] += status == LEGATO_STATUS_SUCCESS;
    if (status == LEGATO_STATUS_INTERNAL_ERROR || status < 0) {
        std::fprintf(stderr, "%s: status %d\n", called, status);
        for (void* const context : handles[0])
            std::fprintf(stderr, "%s\n", legato_context_message(static_cast<legato_context*>(context)));
        std::abort();
    }
}

template <class... P>
void call(const char* (*function)(P...)) {
    std::tuple<AnyArgument<P>...> arguments(extremes_for<P>(true)...);
    const char* const text = std::apply([&](auto&... argument) { return function(argument.value...); }, arguments);
    if (text && std::strlen(text) > 100000) std::abort();
}

struct Function {
    const char* name;
    void (*call)();
};

#define LEGATO_FUNCTION(name) Function{#name, [] { call(name); }},
constexpr Function functions[] = {
#include "functions.inc"
};

void destroy_all() {
#define LEGATO_DESTROY(type) \
    for (void* const handle : handles[index_of<type*>()]) type##_destroy(static_cast<type*>(handle));
    LEGATO_DESTROY(legato_tmm)
    LEGATO_DESTROY(legato_tmm_propagation)
    LEGATO_DESTROY(legato_dfr)
    LEGATO_DESTROY(legato_dfr_optimiser)
    LEGATO_DESTROY(legato_dfr_reducer)
    LEGATO_DESTROY(legato_dfr_pruner)
    LEGATO_DESTROY(legato_dfr_basis_sets)
    LEGATO_DESTROY(legato_dfr_repulsion)
    LEGATO_DESTROY(legato_kpm_hamiltonian)
    LEGATO_DESTROY(legato_kpm)
    LEGATO_DESTROY(legato_kpm_correlation)
    LEGATO_DESTROY(legato_kpm_function)
    LEGATO_DESTROY(legato_kpm_green)
    LEGATO_DESTROY(legato_vmc)
    LEGATO_DESTROY(legato_vmc_optimiser)
    LEGATO_DESTROY(legato_ising)
    LEGATO_DESTROY(legato_ising_reweighting)
    LEGATO_DESTROY(legato_fss)
    LEGATO_DESTROY(legato_context)
    for (auto& of_type : handles) of_type.clear();
    borrowed.clear();
}

template <class Handle, class Make>
Handle* make(const Make& call) {
    Handle* made = nullptr;
    if (call(&made) != LEGATO_STATUS_SUCCESS) std::abort();
    handles[index_of<Handle*>()].push_back(made);
    return made;
}

// Makes Hamiltonians of four sites and computations with them. Random arguments seldom fit together.
void make_computations() {
    const std::int64_t rows[] = {0, 2, 5, 8, 10}, sites[] = {0, 1, 2, 3};
    const std::int32_t columns[] = {0, 1, 0, 1, 2, 1, 2, 3, 2, 3}, from[] = {0}, to[] = {1}, offsets[] = {1, 0, 0};
    const double values[] = {0.1, -1, -1, 0.2, -1, -1, 0.3, -1, -1, 0.4}, amplitudes[] = {1, 0.5},
                 components[] = {1, 0, 0}, k[12] = {0, 0, 0, 0.25, 0, 0};
    auto context_params = legato_context_params{};
    legato_context_params_init(&context_params);
    context_params.threads = 1;
    auto* const context =
        make<legato_context>([&](legato_context** made) { return legato_context_create(&context_params, made); });
    auto lattice = legato_kpm_lattice{};
    legato_kpm_lattice_init(&lattice);
    lattice.extents[0] = 4;
    auto cells = legato_kpm_cell_lattice{};
    legato_kpm_cell_lattice_init(&cells);
    cells.extents[0] = cells.orbitals = 2;
    using Hamiltonian = legato_kpm_hamiltonian;
    auto* const chain = make<Hamiltonian>(
        [&](Hamiltonian** made) { return legato_kpm_lattice_create(context, &lattice, 0, nullptr, made); });
    auto* const velocity = make<Hamiltonian>(
        [&](Hamiltonian** made) { return legato_kpm_velocity_create(context, chain, components, made); });
    auto* const crystal = make<Hamiltonian>([&](Hamiltonian** made) {
        return legato_kpm_cell_lattice_create(context, &cells, nullptr, nullptr, 1, from, to, offsets, amplitudes, 0,
                                              nullptr, made);
    });
    auto* const matrix = make<Hamiltonian>(
        [&](Hamiltonian** made) { return legato_kpm_matrix_create(context, 4, 10, 0, rows, columns, values, made); });
    auto params = legato_kpm_params{};
    legato_kpm_params_init(&params);
    make_small(params);
    params.vectors = 1 + static_cast<std::int32_t>(below(3));
    auto* const waves = make<legato_kpm>(
        [&](legato_kpm** made) { return legato_kpm_create_waves(context, &params, crystal, 4, k, 0, nullptr, made); });
    auto* const correlation = make<legato_kpm_correlation>([&](legato_kpm_correlation** made) {
        return legato_kpm_correlation_create(context, &params, chain, velocity, below(2) ? velocity : matrix, made);
    });
    auto* const green = make<legato_kpm_green>([&](legato_kpm_green** made) {
        return legato_kpm_green_create(context, &params, below(2) ? matrix : crystal, 4, sites, 4, sites, nullptr,
                                       nullptr, made);
    });
    auto* const function = make<legato_kpm_function>(
        [&](legato_kpm_function** made) { return legato_kpm_function_create(context, &params, matrix, 0, made); });
    const std::int32_t kind = below(2) ? LEGATO_KPM_FUNCTION_KIND_EVOLUTION : LEGATO_KPM_FUNCTION_KIND_GAUSSIAN;
    if (legato_kpm_advance(waves, 4, nullptr) != LEGATO_STATUS_SUCCESS ||
        legato_kpm_correlation_advance(correlation, 2, nullptr) != LEGATO_STATUS_SUCCESS ||
        legato_kpm_green_advance(green, 4, nullptr) != LEGATO_STATUS_SUCCESS ||
        legato_kpm_function_set(function, kind, 0.5, kind == LEGATO_KPM_FUNCTION_KIND_GAUSSIAN, 1e-6, nullptr,
                                nullptr) != LEGATO_STATUS_SUCCESS)
        std::abort();
}

void run(std::uint64_t number, int calls) {
    random_bits.seed(number);
    for (const std::string& path : paths)
        if (fs::path(path).filename() == "new") fs::remove(path);
    for (int i = 0; i < calls; ++i) {
        if (i % 100 == 0) make_computations();
        // Few functions create a context or a Hamiltonian, and all other objects depend on them. The others of these
        // seldom succeed. A run can be resumed while the newest Hamiltonian is its own.
        constexpr const char* often[] = {"legato_context_create",
                                         "legato_kpm_resume",
                                         "legato_kpm_correlation_resume",
                                         "legato_kpm_matrix_set_values",
                                         "legato_kpm_local_densities_at_nodes",
                                         "legato_kpm_lattice_create",
                                         "legato_kpm_cell_lattice_create"};
        const std::string_view name = i % 100 < std::ssize(often) ? often[i % 100] : "";
        const Function* const wanted =
            std::find_if(std::begin(functions), std::end(functions), [&](const Function& f) { return f.name == name; });
        const Function& function = wanted != std::end(functions) ? *wanted : functions[below(std::size(functions))];
        called = function.name;
        ::alarm(60);
        function.call();
    }
    ::alarm(0);
    destroy_all();
}

void too_long(int) {
    const char words[] = " has not returned within a minute\n";
    [[maybe_unused]] const auto written = ::write(2, called, std::strlen(called)) + ::write(2, words, sizeof words - 1);
    std::abort();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    const std::uint64_t first = std::strtoull(argv[1], nullptr, 10), runs = std::strtoull(argv[2], nullptr, 10);
    const int calls = argc > 3 ? std::atoi(argv[3]) : 2500;
    std::signal(SIGALRM, too_long);
    for (const auto& [name, value] :
         {std::pair{"LEGATO_BACKEND", "cpu"}, {"LEGATO_LOG", "silent"}, {"LEGATO_NUM_THREADS", "1"}})
        ::setenv(name, value, 1);
    std::string folder = (fs::temp_directory_path() / "legato-calls-XXXXXX").string();
    if (!::mkdtemp(folder.data())) return 1;
    for (const legato::fuzz::StateKind& kind : legato::fuzz::state_kinds()) {
        paths.push_back(folder + "/" + kind.method);
        kind.save(1, paths.back().c_str());
    }
    paths.push_back(folder + "/new");
    paths.push_back(folder + "/none/new");
    for (std::uint64_t i = 0; i < runs; ++i) {
        std::printf("run %llu\n", static_cast<unsigned long long>(first + i));
        std::fflush(stdout);
        run(first + i, calls);
    }
    long total = 0;
    for (const auto& [name, count] : successes) {
        total += count;
        if (count == 0) std::printf("%s has never succeeded\n", name.c_str());
    }
    std::printf("%ld calls have succeeded\n", total);
    fs::remove_all(folder);
    // Calls that are all refused would test little.
    return total * 20 > static_cast<long>(runs) * calls ? 0 : 1;
}
