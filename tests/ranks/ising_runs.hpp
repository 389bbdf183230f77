// Runs of ising for the tests with several ranks.
#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "divisions.hpp"

namespace ranks {

struct Job {
    legato_ising_params params;
    std::vector<double> betas{0.3, 0.5};
    std::vector<int64_t> seeds{5, -7};
};

// Numbers of blocks: 4 for each replica with Metropolis' algorithm and clusters, 4 for each 32 replicas with demons.
inline Job job(int32_t algorithm, int32_t replicas, int32_t dimension = 2) {
    Job job;
    legato_ising_params_init(&job.params);
    job.params.algorithm = algorithm;
    job.params.replicas = replicas;
    job.params.dimension = dimension;
    job.params.extents[0] = 12;
    job.params.extents[1] = 8;
    job.params.extents[2] = dimension == 3 ? 4 : 1;
    job.params.boundary[1] = LEGATO_ISING_BOUNDARY_ANTIPERIODIC;
    job.params.start = LEGATO_ISING_START_RANDOM;
    job.params.thermalisation = 7;
    job.params.sweeps_per_measurement = 2;
    job.params.measurements_per_bin = 6;
    job.params.bins = 3;
    job.params.refresh_interval = 3;
    job.params.time_series = job.params.correlations = 1;
    job.params.acceptance = algorithm == LEGATO_ISING_ALGORITHM_METROPOLIS ? 1 : 0;
    return job;
}

// A lattice at one temperature, so that all parts but one have no block.
inline Job single(int32_t algorithm) {
    Job one = job(algorithm, 1);
    one.betas = {0.4};
    one.seeds = {3};
    return one;
}

// Lattices that are fewer than parts, so that each is divided into slabs. Correlations would leave them whole.
inline Job in_slabs(int32_t dimension, std::array<int64_t, 3> extents, std::array<int, 3> antiperiodic, double field,
                    std::size_t lattices = 1) {
    Job slabs = single(LEGATO_ISING_ALGORITHM_METROPOLIS);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        slabs.params.extents[axis] = extents[axis];
        slabs.params.boundary[axis] =
            antiperiodic[axis] != 0 ? LEGATO_ISING_BOUNDARY_ANTIPERIODIC : LEGATO_ISING_BOUNDARY_PERIODIC;
    }
    slabs.params.dimension = dimension;
    slabs.params.field = field;
    slabs.params.correlations = 0;
    slabs.betas.resize(lattices, 0.5);
    return slabs;
}

inline std::vector<Job> jobs_in_slabs() {
    return {in_slabs(2, {12, 8, 1}, {0, 1, 0}, 0), in_slabs(2, {130, 14, 1}, {0, 0, 0}, 0.3, 2),
            in_slabs(3, {12, 8, 4}, {0, 0, 1}, 0, 2), in_slabs(3, {66, 4, 10}, {0, 0, 0}, -0.2)};
}

inline std::vector<Job> jobs() {
    std::vector<Job> all = jobs_in_slabs();
    const bool on_device =
        backend == LEGATO_BACKEND_CUDA;  // without Wolff's clusters, and correlations within clusters
    const int32_t last = on_device ? LEGATO_ISING_ALGORITHM_SWENDSEN_WANG : LEGATO_ISING_ALGORITHM_WOLFF;
    for (int32_t algorithm = 0; algorithm <= last; ++algorithm) {
        const bool has_demons =
            algorithm >= LEGATO_ISING_ALGORITHM_DEMON_NAIVE && algorithm <= LEGATO_ISING_ALGORITHM_DEMON_MICROCANONICAL;
        all.push_back(single(algorithm));
        all.push_back(job(algorithm, 3));
        all.push_back(job(algorithm, has_demons ? 35 : 5, 3));
        if (on_device && algorithm == LEGATO_ISING_ALGORITHM_SWENDSEN_WANG)
            for (std::size_t i = all.size() - 3; i < all.size(); ++i) all[i].params.correlations = 0;
    }
    all[jobs_in_slabs().size() + 1].params.field = 0.3;
    // Lattices that a device divides into tiles.
    all.push_back(job(LEGATO_ISING_ALGORITHM_SWENDSEN_WANG, 2));
    all.back().params.extents[0] = all.back().params.extents[1] = 64;
    all.back().params.correlations = on_device ? 0 : 1;
    return all;
}

// The handle of a run, as long as the object lives.
class Ising {
  public:
    Ising(legato_context* context, const Job& job) {
        require(legato_ising_create(context, &job.params, std::ssize(job.betas), job.betas.data(),
                                    std::ssize(job.seeds), job.seeds.data(), &handle_));
    }
    Ising(legato_context* context, const std::string& path) {
        require(legato_ising_resume(context, path.c_str(), &handle_));
    }
    Ising(const Ising&) = delete;
    Ising& operator=(const Ising&) = delete;
    ~Ising() { legato_ising_destroy(handle_); }
    operator legato_ising*() const { return handle_; }

  private:
    legato_ising* handle_ = nullptr;
};

template <class Struct>
Struct sized() {
    Struct made{};
    made.struct_size = sizeof(made);
    return made;
}

template <class Struct>
inline void add_struct(const Struct& read, Results& results) {
    const auto* const bytes = reinterpret_cast<const char*>(&read);
    results.add(std::string(bytes + sizeof(read.struct_size), sizeof(read) - sizeof(read.struct_size)));
}

inline void read_spins(legato_ising* ising, Results& results) {
    auto state = sized<legato_ising_state>();
    require(legato_ising_get_state(ising, &state));
    std::vector<int8_t> spins(static_cast<std::size_t>(state.sites));
    for (int64_t system = 0; system < state.systems; ++system) {
        require(legato_ising_spins(ising, system, state.sites, spins.data()));
        results.add(spins);
    }
}

// Reads all results that there are, with or without spins.
inline void read_all(legato_ising* ising, Results& results, bool with_spins = true) {
    auto state = sized<legato_ising_state>();
    auto params = sized<legato_ising_params>();
    require(legato_ising_get_state(ising, &state));
    require(legato_ising_get_params(ising, &params));
    add_struct(state, results);
    if (with_spins) read_spins(ising, results);
    const auto measurements = static_cast<std::size_t>(state.measurements_done);
    std::vector<double> mean(measurements), other(measurements);
    for (int64_t system = 0; system < state.systems; ++system) {
        require(legato_ising_time_series(ising, system, state.measurements_done, mean.data(), other.data()));
        results.add(mean);
        results.add(other);
    }
    if (params.acceptance != 0) {
        std::vector<int64_t> attempts(static_cast<std::size_t>(4 * params.dimension + 2)), flips(attempts.size());
        require(legato_ising_acceptance(ising, std::ssize(attempts), attempts.data(), flips.data()));
        results.add(attempts);
        results.add(flips);
    }
    if (state.bins_done == 0) return;
    for (int64_t beta = 0; beta < state.betas; ++beta) {
        auto averages = sized<legato_ising_averages>();
        require(legato_ising_result(ising, beta, &averages));
        add_struct(averages, results);
        for (int32_t axis = 0; axis < params.dimension && params.correlations != 0; ++axis) {
            const auto distances = static_cast<std::size_t>(params.extents[axis] / 2 + 1);
            mean.assign(distances, 0);
            other.assign(distances, 0);
            require(legato_ising_correlation_function(ising, beta, axis, std::ssize(mean), mean.data(), other.data()));
            results.add(mean);
            results.add(other);
        }
    }
}

inline std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace ranks
