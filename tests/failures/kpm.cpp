// Tests Hamiltonians of every kind, runs with every kind of vectors, and quantities derived from their moments.
#include <array>
#include <string>
#include <utility>

#include "scenario.hpp"

namespace legato::tests {
namespace {

using Hamiltonian = Owned<legato_kpm_hamiltonian, legato_kpm_hamiltonian_destroy>;
using Kpm = Owned<legato_kpm, legato_kpm_destroy>;

constexpr int32_t moments = 8;

int vector(void*, int64_t sample, int64_t sites, double* elements) {
    Scenario::throw_if_chosen("the callback for start vectors");
    for (int64_t i = 0; i < sites; ++i) elements[i] = static_cast<double>((i + sample) % 3) - 1;
    return 0;
}

int complex_vector(void* user, int64_t sample, int64_t sites, double* numbers) {
    return vector(user, sample, 2 * sites, numbers);
}

constexpr std::array new_values{-2.0, 0.1, -2.0, 0.2, -1.0, -1.0, 0.3, -1.0, -1.0, 0.4};  // of make_matrix()

int energies(void*, int64_t realisation, int64_t sites, double* to) {
    Scenario::throw_if_chosen("the callback for on-site energies");
    for (int64_t i = 0; i < sites; ++i) to[i] = static_cast<double>((i + realisation) % 3 - 1);
    return 0;
}

legato_kpm_params params_of(Scenario& scenario) {
    auto params = scenario.defaults("legato_kpm_params_init", legato_kpm_params_init);
    params.moments = moments;
    params.vectors = 2;
    params.realisations = 2;
    params.block_width = 2;
    params.memory_budget = 1 << 30;  // fixed, because the free memory changes
    return params;
}

void make_lattice(Scenario& scenario, Hamiltonian& hamiltonian, int32_t on_site) {
    const std::vector<double> energies(60, 0.2);
    auto lattice = scenario.defaults("legato_kpm_lattice_init", legato_kpm_lattice_init);
    lattice.extents[0] = 5;
    lattice.extents[1] = 4;
    lattice.extents[2] = 3;
    lattice.on_site = on_site;
    lattice.disorder = on_site == LEGATO_KPM_ON_SITE_BOX || on_site == LEGATO_KPM_ON_SITE_NORMAL ? 2 : 0;
    const bool given = on_site == LEGATO_KPM_ON_SITE_ENERGIES;
    scenario.make("legato_kpm_lattice_create", hamiltonian, [&](legato_kpm_hamiltonian** made) {
        return legato_kpm_lattice_create(scenario.context(), &lattice, given ? 60 : 0,
                                         given ? energies.data() : nullptr, made);
    });
}

// Makes a ladder of 40 sites with energies of sites.
void make_cells(Scenario& scenario, Hamiltonian& hamiltonian) {
    const int32_t from[] = {0, 0, 1}, to[] = {1, 0, 1}, offsets[] = {0, 0, 0, 1, 0, 0, 1, 0, 0};
    const double amplitudes[] = {-1, 0, -0.5, 0, 0.25, 0}, positions[] = {0, 0, 0, 0, 0.5, 0}, energies[] = {0.1, -0.1};
    const std::vector<double> site_energies(40, 0.2);
    auto lattice = scenario.defaults("legato_kpm_cell_lattice_init", legato_kpm_cell_lattice_init);
    lattice.extents[0] = 20;
    lattice.orbitals = 2;
    lattice.on_site = LEGATO_KPM_ON_SITE_ENERGIES;
    lattice.vacancy_concentration[1] = 0.1;
    scenario.make("legato_kpm_cell_lattice_create", hamiltonian, [&](legato_kpm_hamiltonian** made) {
        return legato_kpm_cell_lattice_create(scenario.context(), &lattice, positions, energies, 3, from, to, offsets,
                                              amplitudes, 40, site_energies.data(), made);
    });
    const std::int64_t vacancies[] = {7, 30, 12};
    scenario.step("legato_kpm_cell_lattice_set_vacancies",
                  [&] { return legato_kpm_cell_lattice_set_vacancies(hamiltonian.get(), 3, vacancies); });
}

// Makes the matrix of a chain of four sites, from row pointers of either width.
template <class Index, class Create>
void make_matrix(Scenario& scenario, Hamiltonian& hamiltonian, const char* name, Create create) {
    const Index rows[] = {0, 2, 5, 8, 10};
    const int32_t columns[] = {1, 0, 0, 1, 2, 3, 2, 1, 2, 3};
    const double values[] = {-1, 0.1, -1, 0.2, -1, -1, 0.3, -1, -1, 0.4};
    scenario.make(name, hamiltonian, [&](legato_kpm_hamiltonian** made) {
        return create(scenario.context(), 4, 10, 0, rows, columns, values, made);
    });
}

// Makes the matrix of a ring of three sites with flux. The columns of the second row do not ascend.
template <class Index, class Create>
void make_complex_matrix(Scenario& scenario, Hamiltonian& hamiltonian, const char* name, Create create) {
    const Index rows[] = {0, 2, 4, 6};
    const int32_t columns[] = {1, 2, 2, 0, 0, 1};
    const double values[] = {0.6, 0.8, 0.6, -0.8, 0.6, 0.8, 0.6, -0.8, 0.6, 0.8, 0.6, -0.8};
    scenario.make(name, hamiltonian, [&](legato_kpm_hamiltonian** made) {
        return create(scenario.context(), 3, 6, 0, rows, columns, values, made);
    });
}

void run(Scenario& scenario, const legato_kpm_params& params, const Hamiltonian& hamiltonian) {
    Kpm kpm;
    scenario.make("legato_kpm_create", kpm, [&](legato_kpm** made) {
        return legato_kpm_create(scenario.context(), &params, hamiltonian.get(), made);
    });
    double mean[moments], error[moments];
    scenario.step("legato_kpm_run", [&] { return legato_kpm_run(kpm.get(), Scenario::progress, nullptr); });
    scenario.step("legato_kpm_moments", [&] { return legato_kpm_moments(kpm.get(), moments, mean, error); });
    scenario.note(mean);
    scenario.note(error);
}

void read(Scenario& scenario, legato_kpm* kpm) {
    const double energies[] = {-1, 0.5};
    double values[4], errors[4], nodes[16], density[16];
    scenario.step("legato_kpm_sample", [&] { return legato_kpm_sample(kpm, 1, 4, values); });
    scenario.note(values);
    const int32_t kernel = LEGATO_KPM_KERNEL_LORENTZ;
    scenario.step("legato_kpm_density_of_states",
                  [&] { return legato_kpm_density_of_states(kpm, -1, kernel, 4, 2, energies, values, errors); });
    scenario.step("legato_kpm_integrated_density", [&] {
        return legato_kpm_integrated_density(kpm, -1, kernel, 4, 2, energies, values + 2, errors + 2);
    });
    scenario.note(values);
    scenario.note(errors);
    scenario.step("legato_kpm_greens_function", [&] {
        return legato_kpm_greens_function(kpm, 0, LEGATO_KPM_KERNEL_JACKSON, 0, 2, energies, values, errors);
    });
    scenario.note(values);
    scenario.step("legato_kpm_density_at_nodes", [&] {
        return legato_kpm_density_at_nodes(kpm, -1, LEGATO_KPM_KERNEL_JACKSON, 0, 16, nodes, density, nullptr);
    });
    scenario.note(density);
    scenario.step("legato_kpm_electron_number", [&] {
        return legato_kpm_electron_number(kpm, -1, LEGATO_KPM_KERNEL_JACKSON, 0, 0.1, 0.2, values, errors);
    });
    scenario.step("legato_kpm_chemical_potential", [&] {
        return legato_kpm_chemical_potential(kpm, -1, LEGATO_KPM_KERNEL_JACKSON, 0, 0.4, 0.2, values + 1, errors + 1);
    });
    scenario.note(std::span<const double>(values).first(2));
    scenario.note(std::span<const double>(errors).first(2));
}

// Advances a run, saves it, runs it to its end, and resumes the saved state.
void finish(Scenario& scenario, Kpm& kpm, const Hamiltonian& hamiltonian, legato_kpm_vector_callback callback) {
    int64_t done = 0;
    scenario.step("legato_kpm_advance", [&] { return legato_kpm_advance(kpm.get(), 1, &done); });
    scenario.save("legato_kpm_save", "kpm.h5", [&] { return legato_kpm_save(kpm.get(), "kpm.h5"); });
    scenario.step("legato_kpm_run", [&] { return legato_kpm_run(kpm.get(), Scenario::progress, nullptr); });
    scenario.save("legato_kpm_save", "kpm.h5", [&] { return legato_kpm_save(kpm.get(), "kpm.h5"); });
    Kpm resumed;
    scenario.make("legato_kpm_resume", resumed, [&](legato_kpm** made) {
        return legato_kpm_resume(scenario.context(), "kpm.h5", hamiltonian.get(), callback, nullptr, made);
    });
    legato_kpm_params params{};
    params.struct_size = sizeof params;
    legato_kpm_state state{};
    state.struct_size = sizeof state;
    scenario.step("legato_kpm_get_params", [&] { return legato_kpm_get_params(resumed.get(), &params); });
    scenario.step("legato_kpm_get_state", [&] { return legato_kpm_get_state(resumed.get(), &state); });
    scenario.note(std::array{static_cast<double>(state.samples_done), state.centre, state.half_width});
    scenario.step("legato_kpm_run", [&] { return legato_kpm_run(resumed.get(), nullptr, nullptr); });
    read(scenario, resumed.get());
}

void compute_by_random_vectors(Scenario& scenario) {
    Hamiltonian box, normal, given, cells;
    make_lattice(scenario, box, LEGATO_KPM_ON_SITE_BOX);
    make_lattice(scenario, normal, LEGATO_KPM_ON_SITE_NORMAL);
    make_lattice(scenario, given, LEGATO_KPM_ON_SITE_ENERGIES);
    make_cells(scenario, cells);
    legato_kpm_params params = params_of(scenario);
    run(scenario, params, cells);
    run(scenario, params, normal);
    run(scenario, params, given);
    params.bounds = LEGATO_KPM_BOUNDS_LANCZOS;
    params.lanczos_steps = 5;
    for (const int32_t format : {LEGATO_KPM_FORMAT_CRS, LEGATO_KPM_FORMAT_ELL, LEGATO_KPM_FORMAT_STENCIL}) {
        params.format = format;
        params.precision = format == LEGATO_KPM_FORMAT_ELL ? LEGATO_KPM_PRECISION_SINGLE : LEGATO_KPM_PRECISION_DOUBLE;
        run(scenario, params, box);
    }
    Kpm kpm;
    scenario.make("legato_kpm_create", kpm,
                  [&](legato_kpm** made) { return legato_kpm_create(scenario.context(), &params, box.get(), made); });
    finish(scenario, kpm, box, nullptr);
}

void compute_by_other_vectors(Scenario& scenario) {
    Hamiltonian wide, narrow;
    make_matrix<int64_t>(scenario, wide, "legato_kpm_matrix_create", legato_kpm_matrix_create);
    make_matrix<int32_t>(scenario, narrow, "legato_kpm_matrix_create_narrow", legato_kpm_matrix_create_narrow);
    const legato_kpm_params params = params_of(scenario);
    const int64_t sites[] = {0, 2};
    Kpm local, given;
    scenario.make("legato_kpm_create_local", local, [&](legato_kpm** made) {
        return legato_kpm_create_local(scenario.context(), &params, wide.get(), 2, sites, made);
    });
    finish(scenario, local, wide, nullptr);
    scenario.make("legato_kpm_create_given", given, [&](legato_kpm** made) {
        return legato_kpm_create_given(scenario.context(), &params, narrow.get(), vector, nullptr, made);
    });
    finish(scenario, given, narrow, vector);
    scenario.step("legato_kpm_matrix_set_values",
                  [&] { return legato_kpm_matrix_set_values(wide.get(), new_values.size(), new_values.data()); });
    scenario.step("legato_kpm_matrix_set_disorder",
                  [&] { return legato_kpm_matrix_set_disorder(wide.get(), LEGATO_KPM_ON_SITE_BOX, 1); });
    run(scenario, params, wide);
    scenario.step("legato_kpm_matrix_set_energies",
                  [&] { return legato_kpm_matrix_set_energies(wide.get(), -1, 1, energies, nullptr); });
    run(scenario, params, wide);
}

void compute_with_complex_matrices(Scenario& scenario) {
    Hamiltonian wide, narrow, borrowed;
    make_complex_matrix<int64_t>(scenario, wide, "legato_kpm_complex_matrix_create", legato_kpm_complex_matrix_create);
    make_complex_matrix<int32_t>(scenario, narrow, "legato_kpm_complex_matrix_create_narrow",
                                 legato_kpm_complex_matrix_create_narrow);
    make_complex_matrix<int64_t>(scenario, borrowed, "legato_kpm_complex_matrix_borrow",
                                 legato_kpm_complex_matrix_borrow);
    int32_t is_complex = 0;
    scenario.step("legato_kpm_hamiltonian_is_complex",
                  [&] { return legato_kpm_hamiltonian_is_complex(wide.get(), &is_complex); });
    legato_kpm_params params = params_of(scenario);
    params.start_vectors = LEGATO_KPM_START_VECTORS_PHASE;
    params.format = LEGATO_KPM_FORMAT_ELL;
    run(scenario, params, wide);
    params.precision = LEGATO_KPM_PRECISION_SINGLE;
    run(scenario, params, narrow);
    Kpm given;
    scenario.make("legato_kpm_create_given", given, [&](legato_kpm** made) {
        return legato_kpm_create_given(scenario.context(), &params, borrowed.get(), complex_vector, nullptr, made);
    });
    finish(scenario, given, borrowed, complex_vector);
}

// Doubles energies, which is exact in every rounding mode of the program.
int twice(void*, int64_t n, const double energies[], double values[]) {
    Scenario::throw_if_chosen("the callback for functions");
    for (int64_t i = 0; i < n; ++i) {
        values[2 * i] = 2 * energies[i];
        values[2 * i + 1] = 0;
    }
    return 0;
}

void apply_functions(Scenario& scenario) {
    Hamiltonian box;
    make_lattice(scenario, box, LEGATO_KPM_ON_SITE_BOX);
    const legato_kpm_params params = params_of(scenario);
    std::vector<double> in(360), out(360);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<double>(i % 5) - 1;
    Owned<legato_kpm_function, legato_kpm_function_destroy> function;
    scenario.make("legato_kpm_function_create", function, [&](legato_kpm_function** made) {
        return legato_kpm_function_create(scenario.context(), &params, box.get(), 1, made);
    });
    int64_t terms = 0;
    double bound = 0;
    scenario.step("legato_kpm_function_set", [&] {
        return legato_kpm_function_set(function.get(), LEGATO_KPM_FUNCTION_KIND_EVOLUTION, 0.5, 0, 1e-6, &terms,
                                       &bound);
    });
    scenario.note(std::array{static_cast<double>(terms), bound});
    scenario.step("legato_kpm_function_apply", [&] {
        return legato_kpm_function_apply(function.get(), 3, in.data(), out.data(), Scenario::progress, nullptr);
    });
    scenario.note(out);
    scenario.step("legato_kpm_function_set_callback", [&] {
        return legato_kpm_function_set_callback(function.get(), twice, nullptr, 1e-6, &terms, &bound);
    });
    scenario.step("legato_kpm_function_apply_real", [&] {
        return legato_kpm_function_apply_real(function.get(), 2, in.data(), out.data(), nullptr, nullptr);
    });
    scenario.note(std::span<const double>(out).first(120));
    legato_kpm_state state{};
    state.struct_size = sizeof state;
    scenario.step("legato_kpm_function_get_state",
                  [&] { return legato_kpm_function_get_state(function.get(), &state); });
    scenario.note(std::array{static_cast<double>(state.samples_done), state.centre, state.half_width});
}

void compute_waves(Scenario& scenario) {
    Hamiltonian cells;
    make_cells(scenario, cells);
    const legato_kpm_params params = params_of(scenario);
    const double k[] = {0, 0, 0, 0.25, 0, 0}, energies[] = {-1.0, 0.5};
    Kpm kpm;
    scenario.make("legato_kpm_create_waves", kpm, [&](legato_kpm** made) {
        return legato_kpm_create_waves(scenario.context(), &params, cells.get(), 2, k, 0, nullptr, made);
    });
    finish(scenario, kpm, cells, nullptr);
    std::vector<double> values(2 * moments), errors(2 * moments), nodes(moments);
    scenario.step("legato_kpm_run", [&] { return legato_kpm_run(kpm.get(), nullptr, nullptr); });
    scenario.step("legato_kpm_local_moments",
                  [&] { return legato_kpm_local_moments(kpm.get(), 0, 2, moments, values.data(), errors.data()); });
    scenario.note(values);
    scenario.step("legato_kpm_local_densities", [&] {
        return legato_kpm_local_densities(kpm.get(), 0, 2, LEGATO_KPM_KERNEL_JACKSON, 0, 2, energies, values.data(),
                                          errors.data());
    });
    scenario.note(std::span<const double>(values).first(4));
    scenario.step("legato_kpm_local_densities_at_nodes", [&] {
        return legato_kpm_local_densities_at_nodes(kpm.get(), 0, 2, LEGATO_KPM_KERNEL_JACKSON, 0, moments, nodes.data(),
                                                   values.data(), nullptr);
    });
    scenario.note(values);
    scenario.step("legato_kpm_local_greens_functions", [&] {
        return legato_kpm_local_greens_functions(kpm.get(), 0, 2, LEGATO_KPM_KERNEL_JACKSON, 0, 2, energies,
                                                 values.data(), errors.data());
    });
    scenario.note(std::span<const double>(values).first(8));
}

void compute_greens_functions(Scenario& scenario) {
    Hamiltonian box;
    make_lattice(scenario, box, LEGATO_KPM_ON_SITE_BOX);
    legato_kpm_params params = params_of(scenario);
    const int64_t right[] = {0, 7};
    Owned<legato_kpm_green, legato_kpm_green_destroy> green, resumed;
    scenario.make("legato_kpm_green_create", green, [&](legato_kpm_green** made) {
        return legato_kpm_green_create(scenario.context(), &params, box.get(), 2, nullptr, 2, right, vector, nullptr,
                                       made);
    });
    int64_t done = 0;
    scenario.step("legato_kpm_green_advance", [&] { return legato_kpm_green_advance(green.get(), 1, &done); });
    scenario.save("legato_kpm_green_save", "green.h5", [&] { return legato_kpm_green_save(green.get(), "green.h5"); });
    scenario.make("legato_kpm_green_resume", resumed, [&](legato_kpm_green** made) {
        return legato_kpm_green_resume(scenario.context(), "green.h5", box.get(), vector, nullptr, made);
    });
    scenario.step("legato_kpm_green_run",
                  [&] { return legato_kpm_green_run(resumed.get(), Scenario::progress, nullptr); });
    legato_kpm_state state{};
    state.struct_size = sizeof state;
    scenario.step("legato_kpm_green_get_state", [&] { return legato_kpm_green_get_state(resumed.get(), &state); });
    scenario.step("legato_kpm_green_get_params", [&] { return legato_kpm_green_get_params(resumed.get(), &params); });
    scenario.note(std::array{static_cast<double>(state.samples_done), state.centre, state.half_width});
    std::vector<double> values(8 * moments), errors(8 * moments);
    scenario.step("legato_kpm_green_set_progress",
                  [&] { return legato_kpm_green_set_progress(resumed.get(), Scenario::progress, nullptr); });
    scenario.step("legato_kpm_green_moments", [&] {
        return legato_kpm_green_moments(resumed.get(), 0, 2, 0, 2, moments, values.data(), errors.data());
    });
    scenario.note(values);
    const double energy = 0.25;
    scenario.step("legato_kpm_green_functions", [&] {
        return legato_kpm_green_functions(resumed.get(), 0, 2, 0, 2, LEGATO_KPM_KERNEL_LORENTZ, 4, 1, &energy,
                                          values.data(), errors.data());
    });
    scenario.note(std::span<const double>(values).first(8));
}

// Saves a computation of double moments in the middle, and resumes it. The velocity is a complex matrix.
void compute_double_expansions(Scenario& scenario) {
    Hamiltonian h, v;
    constexpr std::int32_t sites = 40;
    std::vector<std::int64_t> rows{0};
    std::vector<std::int32_t> columns;
    std::vector<double> real, complex;
    for (std::int32_t i = 0; i < sites; ++i) {
        for (const std::int32_t by : {1, sites - 1}) {
            columns.push_back((i + by) % sites);
            real.push_back(1);
            complex.insert(complex.end(), {0.5, by == 1 ? 0.25 : -0.25});
        }
        rows.push_back(static_cast<std::int64_t>(columns.size()));
    }
    scenario.make("legato_kpm_matrix_create", h, [&](legato_kpm_hamiltonian** made) {
        return legato_kpm_matrix_create(scenario.context(), sites, rows.back(), 0, rows.data(), columns.data(),
                                        real.data(), made);
    });
    scenario.make("legato_kpm_complex_matrix_create", v, [&](legato_kpm_hamiltonian** made) {
        return legato_kpm_complex_matrix_create(scenario.context(), sites, rows.back(), 0, rows.data(), columns.data(),
                                                complex.data(), made);
    });
    legato_kpm_params params = params_of(scenario);
    params.moments = 6;
    Owned<legato_kpm_correlation, legato_kpm_correlation_destroy> correlation, resumed;
    scenario.make("legato_kpm_correlation_create", correlation, [&](legato_kpm_correlation** made) {
        return legato_kpm_correlation_create(scenario.context(), &params, h.get(), v.get(), v.get(), made);
    });
    int64_t done = 0;
    scenario.step("legato_kpm_correlation_advance",
                  [&] { return legato_kpm_correlation_advance(correlation.get(), 1, &done); });
    scenario.save("legato_kpm_correlation_save", "kpm_correlation.h5",
                  [&] { return legato_kpm_correlation_save(correlation.get(), "kpm_correlation.h5"); });
    scenario.make("legato_kpm_correlation_resume", resumed, [&](legato_kpm_correlation** made) {
        return legato_kpm_correlation_resume(scenario.context(), "kpm_correlation.h5", h.get(), v.get(), v.get(),
                                             nullptr, nullptr, made);
    });
    scenario.step("legato_kpm_correlation_run",
                  [&] { return legato_kpm_correlation_run(resumed.get(), Scenario::progress, nullptr); });
    std::vector<double> mean(72), error(72);
    scenario.step("legato_kpm_correlation_moments",
                  [&] { return legato_kpm_correlation_moments(resumed.get(), 6, mean.data(), error.data()); });
    scenario.note(mean);
    scenario.note(error);
}

// Computes with the velocities of a crystal, whose vectors are real, and with that of a matrix and the caller's
// vectors.
void compute_conductivities(Scenario& scenario) {
    Hamiltonian cells, chain, v, w;
    make_cells(scenario, cells);
    make_matrix<int64_t>(scenario, chain, "legato_kpm_matrix_create", legato_kpm_matrix_create);
    const double direction[] = {1, 0, 0}, positions[] = {0, 1, 2, 3}, energies[] = {-0.5, 0.25};
    scenario.make("legato_kpm_velocity_create", v, [&](legato_kpm_hamiltonian** made) {
        return legato_kpm_velocity_create(scenario.context(), cells.get(), direction, made);
    });
    scenario.make("legato_kpm_matrix_velocity_create", w, [&](legato_kpm_hamiltonian** made) {
        return legato_kpm_matrix_velocity_create(scenario.context(), chain.get(), 4, positions, 0, made);
    });
    legato_kpm_params params = params_of(scenario);
    params.moments = 4;
    Owned<legato_kpm_correlation, legato_kpm_correlation_destroy> crystal, given;
    scenario.make("legato_kpm_correlation_create", crystal, [&](legato_kpm_correlation** made) {
        return legato_kpm_correlation_create(scenario.context(), &params, cells.get(), v.get(), v.get(), made);
    });
    scenario.make("legato_kpm_correlation_create_given", given, [&](legato_kpm_correlation** made) {
        return legato_kpm_correlation_create_given(scenario.context(), &params, chain.get(), w.get(), w.get(),
                                                   complex_vector, nullptr, made);
    });
    double values[32], errors[4];
    for (legato_kpm_correlation* const one : {crystal.get(), given.get()}) {
        scenario.step("legato_kpm_correlation_run",
                      [&] { return legato_kpm_correlation_run(one, Scenario::progress, nullptr); });
        scenario.step("legato_kpm_correlation_sample",
                      [&] { return legato_kpm_correlation_sample(one, 1, 4, values); });
        scenario.note(values);
    }
    legato_kpm_state state{};
    state.struct_size = sizeof state;
    scenario.step("legato_kpm_correlation_get_state",
                  [&] { return legato_kpm_correlation_get_state(crystal.get(), &state); });
    scenario.note(std::array{static_cast<double>(state.samples_done), state.centre, state.half_width});
    scenario.step("legato_kpm_correlation_get_params",
                  [&] { return legato_kpm_correlation_get_params(crystal.get(), &params); });
    scenario.step("legato_kpm_correlation_set_progress",
                  [&] { return legato_kpm_correlation_set_progress(crystal.get(), Scenario::progress, nullptr); });
    const std::array<std::pair<const char*, decltype(&legato_kpm_conductivity_hall)>, 3> formulas{
        {{"legato_kpm_conductivity_greenwood", legato_kpm_conductivity_greenwood},
         {"legato_kpm_conductivity_hall", legato_kpm_conductivity_hall},
         {"legato_kpm_conductivity_bastin", legato_kpm_conductivity_bastin}}};
    for (const auto& [name, formula] : formulas) {
        scenario.step(name, [&, formula = formula] {
            return formula(crystal.get(), LEGATO_KPM_KERNEL_JACKSON, 0, 0.5, 2, energies, values, errors);
        });
        scenario.note(std::span<const double>(values).first(2));
    }
    scenario.step("legato_kpm_conductivity_optical", [&] {
        return legato_kpm_conductivity_optical(crystal.get(), LEGATO_KPM_KERNEL_JACKSON, 0, 0.1, 0.5, 1, energies + 1,
                                               values, errors);
    });
    scenario.note(std::span<const double>(values).first(1));
}

}  // namespace

void use_kpm(Scenario& scenario) {
    compute_by_random_vectors(scenario);
    compute_by_other_vectors(scenario);
    compute_with_complex_matrices(scenario);
    apply_functions(scenario);
    compute_double_expansions(scenario);
    compute_conductivities(scenario);
    compute_waves(scenario);
    compute_greens_functions(scenario);
}

}  // namespace legato::tests
