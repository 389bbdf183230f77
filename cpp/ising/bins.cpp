#include "ising/bins.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/parallel.hpp"
#include "ising/cluster_measurement.hpp"

namespace legato::ising {

BinnedValues::BinnedValues(const Model& model) {
    if (has_demons(model.problem.algorithm) || has_all_clusters(model.problem.algorithm)) count += 3;
    structure_factor = count;
    if (!model.problem.correlations) return;
    const std::size_t begin = model.values.correlations[0];
    for (std::size_t axis = 0; axis < 3; ++axis) correlations[axis] = model.values.correlations[axis] - begin + count;
    structure_factor = model.values.planes - begin + count;
    count = structure_factor + 1;
}

Bins::Bins(const Model& model) : model_(model), values_(model), sums_(model.systems() * values_.count) {
    done_.reserve(static_cast<std::size_t>(model.problem.bins) * sums_.size());
    if (model.problem.time_series)
        series_.reserve(2 * static_cast<std::size_t>(measurements_of(model.problem)) * model.systems());
    if (!model.problem.correlations) return;
    const std::size_t planes = model.values.count - model.values.planes;
    for (std::size_t i = 0; i < planes; ++i) {
        const double phase = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(planes);
        cosines_.push_back(std::cos(phase));
        sines_.push_back(std::sin(phase));
    }
}

void Bins::add(std::span<const std::int64_t> measured, std::int64_t first, Systems systems, int threads) {
    constexpr std::size_t at_once = 64;  // systems
    const std::size_t each = model_.values.count, count = systems.count(),
                      measurements = measured.size() / (count * each);
    in_parallel((count + at_once - 1) / at_once, threads, [&](std::size_t part) {
        const std::size_t begin = part * at_once, end = std::min(count, begin + at_once);
        for (std::size_t m = 0; m < measurements; ++m)
            for (std::size_t i = begin; i < end; ++i)
                add_system(measured.subspan((m * count + i) * each, each),
                           std::span(sums_).subspan((systems.first + i) * values_.count, values_.count));
    });
    if (model_.problem.time_series) keep_series(measured, first, systems, threads);
}

// Adds to the time series. If systems go by groups, the first group makes room for all systems.
void Bins::keep_series(std::span<const std::int64_t> measured, std::int64_t first, Systems systems, int threads) {
    const std::size_t each = model_.values.count, row = 2 * model_.systems();
    const std::size_t measurements = measured.size() / (systems.count() * each);
    const std::size_t end = (static_cast<std::size_t>(first) + measurements) * row;
    if (series_.size() < end) series_.resize(end);
    constexpr std::size_t at_once = 4096;  // values
    const std::size_t rows = std::max<std::size_t>(at_once / systems.count(), 1);
    in_parallel((measurements + rows - 1) / rows, threads, [&](std::size_t piece) {
        for (std::size_t m = piece * rows; m < std::min(measurements, (piece + 1) * rows); ++m) {
            const std::int64_t* from = measured.data() + m * systems.count() * each;
            std::int64_t* to = series_.data() + (static_cast<std::size_t>(first) + m) * row + 2 * systems.first;
            for (std::size_t system = 0; system < systems.count(); ++system, from += each) {
                *to++ = from[MeasuredValues::magnetisation];
                *to++ = from[MeasuredValues::bonds];
            }
        }
    });
}

void Bins::add_system(std::span<const std::int64_t> measured, std::span<double> sums) const {
    const auto sites = static_cast<double>(model_.sites());
    add_to_bin(static_cast<double>(measured[MeasuredValues::magnetisation]),
               static_cast<double>(measured[MeasuredValues::bonds]), sites, model_.problem.field, sums.data());
    const auto add = [&](std::size_t value, std::size_t from, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) sums[value + i] += static_cast<double>(measured[from + i]) / sites;
    };
    if (has_demons(model_.problem.algorithm)) add(values_.demons, model_.values.demons, 3);
    if (has_all_clusters(model_.problem.algorithm))
        add_clusters_to_bin(measured.subspan(model_.values.clusters), sites, sums.subspan(values_.clusters));
    if (!model_.problem.correlations) return;
    add(values_.correlations[0], model_.values.correlations[0], model_.values.planes - model_.values.correlations[0]);
    sums[values_.structure_factor] += structure_factor(measured.subspan(model_.values.planes));
}

double Bins::structure_factor(std::span<const std::int64_t> planes) const {
    double real = 0, imaginary = 0;
    for (std::size_t i = 0; i < planes.size(); ++i) {
        real += cosines_[i] * static_cast<double>(planes[i]);
        imaginary += sines_[i] * static_cast<double>(planes[i]);
    }
    return (real * real + imaginary * imaginary) / static_cast<double>(model_.sites());
}

void Bins::close(std::int64_t bin, Systems systems) {
    const std::size_t begin = static_cast<std::size_t>(bin) * sums_.size(), first = systems.first * values_.count,
                      count = systems.count() * values_.count;
    if (done_.size() < begin + sums_.size()) done_.resize(begin + sums_.size());
    std::copy_n(sums_.data() + first, count, done_.data() + begin + first);
    std::fill_n(sums_.data() + first, count, 0.0);
}

std::vector<double> Bins::means(std::size_t value, std::size_t beta) const {
    const std::size_t systems = systems_per_beta(model_.problem), bins = done_.size() / sums_.size();
    const auto count = static_cast<double>(model_.problem.measurements_per_bin);
    std::vector<double> means;
    means.reserve(systems * bins);
    for (std::size_t system = beta * systems; system < (beta + 1) * systems; ++system)
        for (std::size_t bin = 0; bin < bins; ++bin)
            means.push_back(done_[bin * sums_.size() + system * values_.count + value] / count);
    return means;
}

void Bins::restore(std::vector<double> done, std::vector<double> under_way, std::vector<std::int64_t> series) {
    done_.assign(done.begin(), done.end());
    sums_ = std::move(under_way);
    series_.assign(series.begin(), series.end());
}

}  // namespace legato::ising
