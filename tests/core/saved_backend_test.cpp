// A state file names the backend of its run. AUTO continues on that backend, and a run that continues on the other one
// logs a warning.
#define BOOST_TEST_MODULE saved_backend
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "core/state_origin.hpp"
#include "dfr/configuration.hpp"
#include "dfr/elements.hpp"
#include "dfr/optimiser_state.hpp"
#include "dfr/pruner.hpp"
#include "kpm/solver.hpp"
#include "tmm/solver.hpp"
#include "vmc/solver.hpp"

using namespace legato;
namespace fs = std::filesystem;

namespace {

const fs::path path = fs::temp_directory_path() / ("legato_saved_backend_" + std::to_string(getpid()) + ".h5");

struct Host {
    explicit Host(Backend backend)
        : context({.backend = backend, .device = 0, .threads = 1, .log_level = LogLevel::warning}) {
        context.set_logger(LogLevel::warning, [this](LogLevel, std::string_view line) { log += line; });
    }

    std::string log;
    Context context;
};

bool warns(const Host& host) {
    return host.log.find("last digits may differ") != std::string::npos;
}

std::shared_ptr<const kpm::Hamiltonian> ring() {
    return kpm::prepared(
        kpm::Lattice{.extents = {300, 1, 1},
                     .boundary = {kpm::Boundary::periodic, kpm::Boundary::hard_wall, kpm::Boundary::hard_wall},
                     .energies = {}});
}

// Saves a run on one backend and resumes it on the same one, on AUTO and on the other one.
template <class Save, class Resume>
void check(const Save& save, const Resume& resume) {
    for (const Backend backend : {Backend::cpu, Backend::cuda}) {
        if (backend == Backend::cuda && device_count() == 0) continue;
        Host first(backend);
        save(first.context);
        for (const Backend asked : {Backend::auto_, Backend::cpu, Backend::cuda}) {
            if (asked == Backend::cuda && device_count() == 0) continue;
            Host host(asked);
            resume(host.context);
            const Backend taken = host.context.last_choice().backend;
            if (asked == Backend::auto_) BOOST_TEST(name(taken) == std::string(name(backend)));
            BOOST_TEST(warns(host) == (taken != backend));
        }
    }
    fs::remove(path);
}

}  // namespace

BOOST_AUTO_TEST_CASE(of_tmm) {
    tmm::Problem problem;
    problem.width = 6;
    const std::vector<tmm::Point> points{{0.1, 2}, {0.3, 3}};
    check(
        [&](Context& context) {
            tmm::Solver solver(context, problem, points);
            solver.advance(3);
            solver.save(path);
        },
        [](Context& context) { tmm::Solver::resume(context, path); });
}

BOOST_AUTO_TEST_CASE(of_kpm) {
    kpm::Problem problem;
    problem.moments = 20;
    problem.vectors = 3;
    problem.block_width = 2;
    check(
        [&](Context& context) {
            kpm::Solver solver(context, problem, ring());
            solver.advance();
            solver.save(path);
        },
        [](Context& context) { kpm::Solver::resume(context, path, ring()); });
}

BOOST_AUTO_TEST_CASE(of_vmc) {
    vmc::Problem problem;
    problem.lattice.length = 3;
    problem.electrons = vmc::electrons_at(problem.lattice, 0.2);
    check(
        [&](Context& context) {
            vmc::Solver solver(context, problem);
            solver.advance();
            solver.save(path);
        },
        [](Context& context) { vmc::Solver::resume(context, path); });
}

// These runs choose a backend twice, for the limit and for the energies, and not before they compute.
BOOST_AUTO_TEST_CASE(of_dfr_optimiser) {
    dfr::OptimiserProblem problem;
    problem.max_energies = 20;
    const dfr::Candidate helium{dfr::make_nucleus(2, dfr::NuclearModel::gaussian),
                                dfr::average_of_configuration(dfr::ground_configuration(2)),
                                {{dfr::WellTempered{0.1, 2.0, 4.5, 1.5}}, {0}, {{1, 8}}}};
    check(
        [&](Context& context) {
            dfr::Optimiser optimiser(context, problem, {helium});
            for (int i = 0; i < 3; ++i) optimiser.advance();
            optimiser.save(path);
        },
        [](Context& context) { dfr::Optimiser::resume(context, path)->advance(); });
}

BOOST_AUTO_TEST_CASE(of_dfr_pruner) {
    dfr::PrunerProblem problem;
    problem.field.kinetic_balance = dfr::KineticBalance::extended;
    const dfr::Candidate helium = dfr::start_of(problem.field, 2, dfr::NuclearModel::gaussian);
    check(
        [&](Context& context) {
            dfr::Pruner pruner(context, problem, {helium});
            for (int i = 0; i < 3; ++i) pruner.advance();
            pruner.save(path);
        },
        [](Context& context) { dfr::Pruner::resume(context, path)->advance(); });
}

// A run that has not begun keeps the backends of the state it was resumed from.
BOOST_AUTO_TEST_CASE(dfr_states_name_both_backends) {
    const dfr::Backends saved{Backend::cuda, Backend::cpu};
    StateWriter writer("demo", 1);
    dfr::put_backends(writer, saved);
    writer.commit(path);
    const dfr::Backends found = dfr::get_backends(StateReader(path, "demo", 1));
    BOOST_TEST((found.limits == saved.limits && found.energies == saved.energies));
    StateWriter("demo", 1).commit(path);
    const dfr::Backends none = dfr::get_backends(StateReader(path, "demo", 1));
    BOOST_TEST((!none.limits && !none.energies));
    for (const bool of_limits : {true, false}) {
        dfr::Backends on_device;
        (of_limits ? on_device.limits : on_device.energies) = Backend::cuda;
        const dfr::Candidate helium{dfr::make_nucleus(2, dfr::NuclearModel::gaussian),
                                    dfr::average_of_configuration(dfr::ground_configuration(2)),
                                    {{dfr::WellTempered{0.1, 2.0, 4.5, 1.5}}, {0}, {{1, 8}}}};
        Host first(Backend::cpu);
        dfr::Optimiser(first.context, {}, {helium}, {}, {}, on_device).save(path);
        Host host(Backend::cpu);
        const auto optimiser = dfr::Optimiser::resume(host.context, path);
        BOOST_TEST(!warns(host));
        optimiser->advance();
        BOOST_TEST(warns(host));
        BOOST_TEST((optimiser->backends().limits == Backend::cpu && optimiser->backends().energies == Backend::cpu));
    }
    fs::remove(path);
}

BOOST_AUTO_TEST_CASE(warnings_and_older_files) {
    for (const Backend saved : {Backend::cpu, Backend::cuda}) {
        StateWriter writer("demo", 1);
        put_backend(writer, saved);
        writer.commit(path);
        BOOST_TEST((saved_backend(StateReader(path, "demo", 1)) == saved));
        Host host(Backend::cpu);
        warn_of_other_backend(host.context, "demo", saved_backend(StateReader(path, "demo", 1)));
        BOOST_TEST(warns(host) == (saved == Backend::cuda));
    }
    StateWriter older("demo", 1);
    older.put("a", 1);
    older.commit(path);
    BOOST_TEST(!saved_backend(StateReader(path, "demo", 1)).has_value());
    StateWriter wrong("demo", 1);
    wrong.put("saved/backend", 0);
    wrong.commit(path);
    BOOST_CHECK_THROW(saved_backend(StateReader(path, "demo", 1)), Error);
    fs::remove(path);
}
