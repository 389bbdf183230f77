// Computations of the kernel polynomial method for the tests with several ranks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "divisions.hpp"

namespace ranks {

inline constexpr std::int64_t ring_sites = 90;

struct Destroy {
    void operator()(legato_kpm* kpm) const { legato_kpm_destroy(kpm); }
    void operator()(legato_kpm_hamiltonian* hamiltonian) const { legato_kpm_hamiltonian_destroy(hamiltonian); }
};
using Kpm = std::unique_ptr<legato_kpm, Destroy>;
using Hamiltonian = std::unique_ptr<legato_kpm_hamiltonian, Destroy>;

// 23 vectors: no number of parts above 1 divides them.
inline legato_kpm_params params_of(int vectors = 23, int realisations = 1) {
    legato_kpm_params params;
    legato_kpm_params_init(&params);
    params.moments = 21;
    params.vectors = vectors;
    params.realisations = realisations;
    params.block_width = 4;
    return params;
}

inline Hamiltonian lattice_of(legato_context* context, int on_site = LEGATO_KPM_ON_SITE_BOX, double disorder = 2) {
    legato_kpm_lattice lattice;
    legato_kpm_lattice_init(&lattice);
    lattice.extents[0] = 7;
    lattice.extents[1] = 5;
    lattice.extents[2] = 3;
    lattice.on_site = on_site;
    lattice.disorder = disorder;
    legato_kpm_hamiltonian* hamiltonian = nullptr;
    require(legato_kpm_lattice_create(context, &lattice, 0, nullptr, &hamiltonian));
    return Hamiltonian(hamiltonian);
}

// Returns graphene of 110 sites with given and random vacancies.
inline Hamiltonian with_vacancies(legato_context* context, std::int64_t given = 17) {
    const std::int32_t from[] = {1, 1, 1}, to[] = {0, 0, 0}, offsets[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const double hoppings[] = {-1, 0, -1, 0, -1, 0};
    legato_kpm_cell_lattice lattice;
    legato_kpm_cell_lattice_init(&lattice);
    lattice.extents[0] = 11;
    lattice.extents[1] = 5;
    lattice.orbitals = 2;
    lattice.vacancy_concentration[0] = 0.2;
    legato_kpm_hamiltonian* hamiltonian = nullptr;
    require(legato_kpm_cell_lattice_create(context, &lattice, nullptr, nullptr, 3, from, to, offsets, hoppings, 0,
                                           nullptr, &hamiltonian));
    Hamiltonian result(hamiltonian);
    require(legato_kpm_cell_lattice_set_vacancies(hamiltonian, 1, &given));
    return result;
}

inline Hamiltonian clean(legato_context* context) {
    return lattice_of(context, LEGATO_KPM_ON_SITE_CONSTANT, 0);
}

// A ring whose diagonal elements are not all alike.
inline Hamiltonian ring(legato_context* context, double last = 0.3) {
    std::vector<std::int64_t> rows{0};
    std::vector<std::int32_t> columns;
    std::vector<double> values;
    for (std::int64_t i = 0; i < ring_sites; ++i) {
        for (const std::int64_t j : {i - 1, i, i + 1}) {
            columns.push_back(static_cast<std::int32_t>((j + ring_sites) % ring_sites));
            values.push_back(i != j ? -1 : i + 1 == ring_sites ? last : 0.1 * static_cast<double>(i % 7));
        }
        rows.push_back(static_cast<std::int64_t>(columns.size()));
    }
    legato_kpm_hamiltonian* hamiltonian = nullptr;
    require(legato_kpm_matrix_create(context, ring_sites, rows.back(), 0, rows.data(), columns.data(), values.data(),
                                     &hamiltonian));
    return Hamiltonian(hamiltonian);
}

struct Shape {
    std::array<std::int64_t, 3> extents;
    std::array<int, 3> periodic{1, 1, 1};
    int on_site = LEGATO_KPM_ON_SITE_BOX;
};

inline Hamiltonian made(legato_context* context, const Shape& shape) {
    legato_kpm_lattice lattice;
    legato_kpm_lattice_init(&lattice);
    std::copy(shape.extents.begin(), shape.extents.end(), lattice.extents);
    std::copy(shape.periodic.begin(), shape.periodic.end(), lattice.boundary);
    lattice.on_site = shape.on_site;
    const bool is_random = shape.on_site == LEGATO_KPM_ON_SITE_BOX || shape.on_site == LEGATO_KPM_ON_SITE_NORMAL;
    lattice.disorder = is_random ? 2 : 0;
    std::vector<double> energies;
    if (shape.on_site == LEGATO_KPM_ON_SITE_ENERGIES) {
        energies.resize(static_cast<std::size_t>(shape.extents[0] * shape.extents[1] * shape.extents[2]));
        for (std::size_t i = 0; i < energies.size(); ++i) energies[i] = 0.01 * static_cast<double>(i * i % 101);
    }
    legato_kpm_hamiltonian* hamiltonian = nullptr;
    require(legato_kpm_lattice_create(context, &lattice, static_cast<std::int64_t>(energies.size()),
                                      energies.empty() ? nullptr : energies.data(), &hamiltonian));
    return Hamiltonian(hamiltonian);
}

// A crystal with random hoppings, which are complex if there is a twist.
struct Crystal {
    std::array<std::int64_t, 3> extents;
    int orbitals = 2;
    std::array<int, 3> periodic{1, 1, 1};
    int reach = 1;  // of the hoppings, in cells
    double twist = 0, vacancies = 0;
    int on_site = LEGATO_KPM_ON_SITE_CONSTANT;
};

inline Hamiltonian made_crystal(legato_context* context, const Crystal& crystal) {
    std::mt19937_64 random(static_cast<std::uint64_t>(crystal.extents[0]));
    const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    std::vector<std::int32_t> from, to, offsets;
    std::vector<double> amplitudes;
    for (int h = 0; h < 4 * crystal.orbitals; ++h) {
        from.push_back(pick(0, crystal.orbitals - 1));
        to.push_back(pick(0, crystal.orbitals - 1));
        for (int d = 0; d < 3; ++d) offsets.push_back(h == 0 ? crystal.reach : pick(-crystal.reach, crystal.reach));
        if (offsets[offsets.size() - 3] == 0) offsets[offsets.size() - 3] = 1;  // no orbital is joined with itself
        amplitudes.push_back(0.1 * pick(1, 10));
        amplitudes.push_back(crystal.twist != 0 ? 0.1 * pick(-10, 10) : 0);
    }
    legato_kpm_cell_lattice lattice;
    legato_kpm_cell_lattice_init(&lattice);
    std::copy(crystal.extents.begin(), crystal.extents.end(), lattice.extents);
    std::copy(crystal.periodic.begin(), crystal.periodic.end(), lattice.boundary);
    for (int d = 0; d < 3; ++d) lattice.twist[d] = crystal.periodic[d] ? crystal.twist : 0;
    std::fill_n(lattice.vacancy_concentration, crystal.orbitals, crystal.vacancies);
    lattice.orbitals = crystal.orbitals;
    lattice.on_site = crystal.on_site;
    lattice.disorder = 1;
    std::vector<double> energies;
    if (crystal.on_site == LEGATO_KPM_ON_SITE_ENERGIES)
        for (std::int64_t i = 0; i < crystal.orbitals * crystal.extents[0] * crystal.extents[1] * crystal.extents[2];
             ++i)
            energies.push_back(0.01 * static_cast<double>(i * i % 101));
    legato_kpm_hamiltonian* hamiltonian = nullptr;
    require(legato_kpm_cell_lattice_create(context, &lattice, nullptr, nullptr, 4 * crystal.orbitals, from.data(),
                                           to.data(), offsets.data(), amplitudes.data(),
                                           static_cast<std::int64_t>(energies.size()),
                                           energies.empty() ? nullptr : energies.data(), &hamiltonian));
    return Hamiltonian(hamiltonian);
}

// With one part this is a computation with whole vectors.
inline legato_kpm_params in_slabs(int vectors = 5, int realisations = 1) {
    legato_kpm_params params = params_of(vectors, realisations);
    params.block_width = 3;
    params.division = LEGATO_KPM_DIVISION_LATTICE;
    return params;
}

inline Kpm random_vectors(legato_context* context, const legato_kpm_params& params, const Hamiltonian& hamiltonian) {
    legato_kpm* kpm = nullptr;
    require(legato_kpm_create(context, &params, hamiltonian.get(), &kpm));
    return Kpm(kpm);
}

inline Kpm local_moments(legato_context* context, const legato_kpm_params& params, const Hamiltonian& hamiltonian,
                         const std::vector<std::int64_t>& sites) {
    legato_kpm* kpm = nullptr;
    require(legato_kpm_create_local(context, &params, hamiltonian.get(), static_cast<std::int64_t>(sites.size()),
                                    sites.data(), &kpm));
    return Kpm(kpm);
}

// The start vectors of a program, and the samples for which they were asked on one rank.
struct Source {
    std::thread::id thread = std::this_thread::get_id();
    std::vector<std::int64_t> samples;
    std::int64_t stops_at = -1;
    double factor = 1;  // of all elements
    bool in_another_thread = false;

    static int fill(void* user, std::int64_t sample, std::int64_t sites, double* vector) {
        auto& source = *static_cast<Source*>(user);
        source.in_another_thread |= std::this_thread::get_id() != source.thread;
        source.samples.push_back(sample);
        std::mt19937_64 random(static_cast<std::uint64_t>(sample));
        std::normal_distribution<double> normal;
        for (std::int64_t i = 0; i < sites; ++i) vector[i] = source.factor * normal(random);
        return sample == source.stops_at ? 1 : 0;
    }
};

inline Kpm given_vectors(legato_context* context, const legato_kpm_params& params, const Hamiltonian& hamiltonian,
                         Source& source) {
    legato_kpm* kpm = nullptr;
    require(legato_kpm_create_given(context, &params, hamiltonian.get(), Source::fill, &source, &kpm));
    return Kpm(kpm);
}

inline legato_kpm_state state_of(const Kpm& kpm) {
    legato_kpm_state state{};
    state.struct_size = sizeof state;
    require(legato_kpm_get_state(kpm.get(), &state));
    return state;
}

// Reads all that does not depend on the division, also after an error of the bounds.
inline void read(const Kpm& kpm, Results& results) {
    const legato_kpm_state state = state_of(kpm);
    results.add(state.samples_done);
    results.add(state.centre);
    results.add(state.half_width);
    std::vector<double> mean(static_cast<std::size_t>(state.moments)), error(mean.size());
    legato_kpm_moments(kpm.get(), state.moments, mean.data(), error.data());
    results.add(mean);
    results.add(error);
    for (std::int64_t sample = 0; sample < state.samples_done; ++sample) {
        legato_kpm_sample(kpm.get(), sample, state.moments, mean.data());
        results.add(mean);
    }
}

inline void finish(const Kpm& kpm, Results& results) {
    require(legato_kpm_run(kpm.get(), nullptr, nullptr));
    read(kpm, results);
}

inline std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::int64_t> some_sites() {
    std::vector<std::int64_t> sites(31);
    for (std::size_t i = 0; i < sites.size(); ++i) sites[i] = static_cast<std::int64_t>(i * i % 89);
    return sites;
}

}  // namespace ranks
