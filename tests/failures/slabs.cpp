// Tests lattices and matrices that two parts share. The parts are engines of the CPU, or take turns with the devices.
#include <array>

#include "core/context.hpp"
#include "guard.hpp"
#include "scenario.hpp"

namespace legato::tests {
namespace {

using Hamiltonian = Owned<legato_kpm_hamiltonian, legato_kpm_hamiltonian_destroy>;
using Kpm = Owned<legato_kpm, legato_kpm_destroy>;
using Ising = Owned<legato_ising, legato_ising_destroy>;

// Gives the context two parts, between which the smallest lattices are divided.
void divide(Scenario& scenario) {
    const capi::Borrowed borrowed(scenario.context(), &capi::type_of<legato_context>);
    auto& object = *static_cast<capi::ContextObject*>(borrowed.object());
    ContextOptions options = object.context->options();
    options.parts = 2;
    options.fewest_words_of_slab = 1;
    options.log_level = LogLevel::silent;  // the logger of the scenario belongs to the old one
    object.context = std::make_unique<Context>(options);
}

int vector(void*, int64_t sample, int64_t sites, double* elements) {
    Scenario::throw_if_chosen("the callback for start vectors");
    for (int64_t i = 0; i < sites; ++i) elements[i] = static_cast<double>((i + sample) % 3) - 1;
    return 0;
}

// Runs in part, saves, runs to the end, and resumes.
void run(Scenario& scenario, const Hamiltonian& hamiltonian, bool given) {
    auto params = scenario.defaults("legato_kpm_params_init", legato_kpm_params_init);
    params.moments = 8;
    params.vectors = 3;
    params.block_width = 2;
    params.division = LEGATO_KPM_DIVISION_LATTICE;
    params.memory_budget = 1 << 30;  // fixed, because the free memory changes
    Kpm kpm, resumed;
    scenario.make("legato_kpm_create", kpm, [&](legato_kpm** made) {
        return given ? legato_kpm_create_given(scenario.context(), &params, hamiltonian.get(), vector, nullptr, made)
                     : legato_kpm_create(scenario.context(), &params, hamiltonian.get(), made);
    });
    scenario.step("legato_kpm_advance", [&] { return legato_kpm_advance(kpm.get(), 1, nullptr); });
    scenario.save("legato_kpm_save", "kpm.h5", [&] { return legato_kpm_save(kpm.get(), "kpm.h5"); });
    scenario.step("legato_kpm_run", [&] { return legato_kpm_run(kpm.get(), Scenario::progress, nullptr); });
    scenario.make("legato_kpm_resume", resumed, [&](legato_kpm** made) {
        return legato_kpm_resume(scenario.context(), "kpm.h5", hamiltonian.get(), given ? vector : nullptr, nullptr,
                                 made);
    });
    scenario.step("legato_kpm_run", [&] { return legato_kpm_run(resumed.get(), nullptr, nullptr); });
    for (legato_kpm* const each : {kpm.get(), resumed.get()}) {
        std::array<double, 8> mean, error;
        scenario.step("legato_kpm_moments", [&] { return legato_kpm_moments(each, 8, mean.data(), error.data()); });
        scenario.note(mean);
        scenario.note(error);
    }
}

// A lattice with several segments on the CPU and on a device.
void share_lattice(Scenario& scenario) {
    Hamiltonian hamiltonian;
    auto lattice = scenario.defaults("legato_kpm_lattice_init", legato_kpm_lattice_init);
    lattice.extents[0] = 4;
    lattice.extents[1] = 3;
    lattice.extents[2] = 40;
    lattice.on_site = LEGATO_KPM_ON_SITE_BOX;
    lattice.disorder = 2;
    scenario.make("legato_kpm_lattice_create", hamiltonian, [&](legato_kpm_hamiltonian** made) {
        return legato_kpm_lattice_create(scenario.context(), &lattice, 0, nullptr, made);
    });
    for (const bool given : {false, true}) run(scenario, hamiltonian, given);
}

// A crystal with several segments.
void share_crystal(Scenario& scenario) {
    Hamiltonian hamiltonian;
    auto lattice = scenario.defaults("legato_kpm_cell_lattice_init", legato_kpm_cell_lattice_init);
    lattice.extents[0] = 8;
    lattice.extents[1] = 6;
    lattice.extents[2] = 50;
    const std::array<int32_t, 3> orbitals{};
    const std::array<int32_t, 9> offsets{1, 0, 0, 0, 1, 0, 0, 0, 1};
    const std::array<double, 6> amplitudes{-1, 0, -1, 0, -1, 0};
    scenario.make("legato_kpm_cell_lattice_create", hamiltonian, [&](legato_kpm_hamiltonian** made) {
        return legato_kpm_cell_lattice_create(scenario.context(), &lattice, nullptr, nullptr, 3, orbitals.data(),
                                              orbitals.data(), offsets.data(), amplitudes.data(), 0, nullptr, made);
    });
    run(scenario, hamiltonian, false);
}

// A ring of two segments.
void share_matrix(Scenario& scenario) {
    constexpr int32_t sites = 1100;
    Hamiltonian hamiltonian;
    std::vector<int64_t> rows{0};
    std::vector<int32_t> columns;
    for (int32_t i = 0; i < sites; ++i) {
        columns.insert(columns.end(), {(i + sites - 1) % sites, (i + 1) % sites});
        rows.push_back(std::ssize(columns));
    }
    const std::vector<double> values(columns.size(), -1.0);
    scenario.make("legato_kpm_matrix_create", hamiltonian, [&](legato_kpm_hamiltonian** made) {
        return legato_kpm_matrix_create(scenario.context(), sites, std::ssize(columns), 0, rows.data(), columns.data(),
                                        values.data(), made);
    });
    run(scenario, hamiltonian, false);
}

void share_spins(Scenario& scenario) {
    auto params = scenario.defaults("legato_ising_params_init", legato_ising_params_init);
    params.extents[0] = 64;
    params.extents[1] = 12;
    params.thermalisation = 2;
    params.measurements_per_bin = 2;
    params.bins = 2;
    params.acceptance = 1;
    const double beta = 0.4;
    Ising ising, resumed;
    scenario.make("legato_ising_create", ising, [&](legato_ising** made) {
        return legato_ising_create(scenario.context(), &params, 1, &beta, 0, nullptr, made);
    });
    scenario.step("legato_ising_advance", [&] { return legato_ising_advance(ising.get(), 1, nullptr); });
    scenario.save("legato_ising_save", "ising.h5", [&] { return legato_ising_save(ising.get(), "ising.h5"); });
    scenario.make("legato_ising_resume", resumed,
                  [&](legato_ising** made) { return legato_ising_resume(scenario.context(), "ising.h5", made); });
    for (legato_ising* const each : {ising.get(), resumed.get()}) {
        legato_ising_averages averages{};
        averages.struct_size = sizeof averages;
        scenario.step("legato_ising_run", [&] { return legato_ising_run(each, Scenario::progress, nullptr); });
        scenario.step("legato_ising_result", [&] { return legato_ising_result(each, 0, &averages); });
        scenario.note(averages.energy);
    }
}

}  // namespace

void use_slabs(Scenario& scenario) {
    divide(scenario);
    share_lattice(scenario);
    share_crystal(scenario);
    share_matrix(scenario);
    share_spins(scenario);
}

}  // namespace legato::tests
