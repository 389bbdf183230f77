// Benchmarks of kpm: moments for lattices with box disorder, and for the same Hamiltonians as matrices of the caller.
// The unit of work is a site, vector and moment.
#include "kpm.hpp"

#include <array>
#include <memory>

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
    bool single = false;   // single precision of the vectors
    bool on_cpu = true;    // false: takes too long on the CPU
    double published = 0;  // Gflop/s of another program, with 18 flops for each site, vector and moment

    bool matrix() const { return format != Format::stencil; }
    double sites() const {
        return static_cast<double>(extents[0]) * static_cast<double>(extents[1]) * static_cast<double>(extents[2]);
    }
};

constexpr double disorder = 4;

// Returns a half width slightly larger than that of the spectrum.
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

// Returns the matrix of the lattice with box disorder. Indices count from 1, and columns ascend.
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

double serial_time(const Case& c) {
    const Matrix m = make_matrix(c);
    const int vectors = std::max(1, c.vectors / 8);
    std::vector<double> mu(static_cast<std::size_t>(c.moments) * static_cast<std::size_t>(vectors));
    const double seconds = best_of(2, [&] {
        int32_t failed = 0;
        const double took = seconds_of([&] {
            serial_kpm(static_cast<int32_t>(c.sites()), m.row_start.data(), m.column.data(), m.element.data(),
                       half_width(c), c.moments, vectors, mu.data(), &failed);
        });
        if (failed) fail("the serial recursion failed");
        return took;
    });
    return seconds / (c.sites() * vectors * c.moments);
}

// Returns the bytes for a site, vector and moment. A step gives two moments; it reads x and y and writes y. On-site
// energies or the matrix are read once for a block of `width` vectors. Several steps in one pass move fewer bytes.
Work least(const Case& c, double elements, int width) {
    const double shared = c.matrix() ? 12 * elements / c.sites() + 8 : 8;  // bytes of the Hamiltonian for each site
    return {0, ((c.single ? 12 : 24) + shared / width) / 2};
}

legato_kpm_hamiltonian* make_hamiltonian(const Case& c, const Matrix& m, legato_context* context) {
    legato_kpm_hamiltonian* hamiltonian = nullptr;
    if (c.matrix()) {
        require(context, legato_kpm_matrix_create(context, static_cast<int64_t>(m.row_start.size()) - 1,
                                                  static_cast<int64_t>(m.column.size()), 1, m.row_start.data(),
                                                  m.column.data(), m.element.data(), &hamiltonian));
    } else {
        legato_kpm_lattice lattice;
        legato_kpm_lattice_init(&lattice);
        std::copy(c.extents.begin(), c.extents.end(), lattice.extents);
        lattice.on_site = LEGATO_KPM_ON_SITE_BOX;
        lattice.disorder = disorder;
        require(context, legato_kpm_lattice_create(context, &lattice, 0, nullptr, &hamiltonian));
    }
    return hamiltonian;
}

// Measures a whole run, start vectors included. The better of two runs counts, as the first loads the device's kernels.
Timing library_time(const Case& c, const Place& place) {
    legato_context* const context = place.context;
    const Matrix m = c.matrix() ? make_matrix(c) : Matrix{};
    legato_kpm_hamiltonian* const hamiltonian = make_hamiltonian(c, m, context);
    legato_kpm_params params;
    legato_kpm_params_init(&params);
    params.moments = c.moments;
    params.vectors = c.vectors;
    params.bounds = LEGATO_KPM_BOUNDS_INTERVAL;
    params.lowest = -half_width(c);
    params.highest = half_width(c);
    params.margin = 0;
    if (c.matrix()) params.format = c.format == Format::crs ? LEGATO_KPM_FORMAT_CRS : LEGATO_KPM_FORMAT_ELL;
    if (c.single) params.precision = LEGATO_KPM_PRECISION_SINGLE;
    legato_kpm_state state{};
    state.struct_size = sizeof state;
    const double seconds = best_of(2, [&] {
        legato_kpm* kpm = nullptr;
        require(context, legato_kpm_create(context, &params, hamiltonian, &kpm));
        require(context, legato_kpm_get_state(kpm, &state));
        const double took = seconds_of([&] { require(context, legato_kpm_run(kpm, nullptr, nullptr)); });
        legato_kpm_destroy(kpm);
        return took;
    });
    legato_kpm_hamiltonian_destroy(hamiltonian);
    return {seconds / (c.sites() * c.vectors * c.moments),
            least(c, static_cast<double>(m.column.size()), state.block_width)};
}

Peer peer_of(const Case& c) {
    if (c.published > 0) return {"CuPy on an H100, published", [=] { return 18e-9 / c.published; }};
    if (c.format != Format::crs) return {};
    return {"cuSPARSE", [=] {
                const Matrix m = make_matrix(c);
                return cusparse_step(m.row_start, m.column, m.element, c.vectors) / 2 / (c.sites() * c.vectors);
            }};
}

std::string name_of(const Case& c) {
    std::string name = c.name;
    if (c.format == Format::crs) name += " as a matrix";
    if (c.format == Format::ell) name += " as a matrix, padded rows";
    if (c.single) name += ", single precision";
    return name + ", N = " + std::to_string(c.moments) + ", R = " + std::to_string(c.vectors);
}

}  // namespace

Method benchmarks::kpm_benchmark(const Options& options) {
    const auto cubic = [](int64_t extent) { return std::array<int64_t, 3>{extent, extent, extent}; };
    using enum Format;
    std::vector<Case> cases{{"64^3", cubic(64), stencil, 128, 16}, {"64^3", cubic(64), crs, 128, 16}};
    if (!options.quick)
        cases.insert(cases.end(), {{"128^3", cubic(128), stencil, 64, 16, false, true, 267},
                                   {"128^3", cubic(128), crs, 64, 16},
                                   {"128^3", cubic(128), stencil, 64, 16, true},
                                   {"128^3", cubic(128), stencil, 512, 32, false, false},
                                   {"128^3", cubic(128), crs, 512, 32, false, false},
                                   {"256^3", cubic(256), stencil, 512, 32, false, false},
                                   {"512^3", cubic(512), stencil, 128, 32, false, false},
                                   {"64^3", cubic(64), stencil, 512, 32, false, false},
                                   {"128^3", cubic(128), stencil, 512, 32, true, false},
                                   {"128^3", cubic(128), ell, 512, 32, false, false},
                                   {"128^3", cubic(128), ell, 512, 32, true, false}});
    cases.push_back({"512 x 512", {512, 512, 1}, stencil, 128, 16});
    cases.push_back({"chain of 262144", {1 << 18, 1, 1}, stencil, 128, 16});
    Method method{"kpm", "site, vector and moment", "ns", {}};
    for (const Case& c : cases)
        method.problems.push_back({name_of(c), c.on_cpu ? std::function([=] { return serial_time(c); }) : nullptr,
                                   [=](const Place& place) { return library_time(c, place); }, peer_of(c), c.on_cpu});
    return method;
}
