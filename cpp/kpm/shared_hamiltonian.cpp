#include "kpm/shared_hamiltonian.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "core/validate.hpp"
#include "kpm/crs_check.hpp"
#include "kpm/vacancies.hpp"

namespace legato::kpm {
namespace {

// Returns the pattern that has a place for every element that was given.
CrsView whole_pattern(const CrsView& pattern, const RowOrder* order) {
    if (!order || order->all_columns.empty()) return pattern;
    CrsView whole = pattern;
    whole.elements = static_cast<std::int64_t>(order->all_columns.size());
    whole.row_pointers = order->all_row_pointers.data();
    whole.columns = order->all_columns.data();
    whole.longest_row = 0;
    for (std::int64_t row = 0; row < whole.rows; ++row)
        whole.longest_row = std::max(whole.longest_row, whole.row_pointers[row + 1] - whole.row_pointers[row]);
    return whole;
}

// Throws for the first value that is out of range. `values` have the order in which they were given.
void require_range(std::span<const double> values, const CrsView& pattern, const RowOrder& order, int threads) {
    const std::size_t each = pattern.lanes();
    std::atomic<bool> all = true;
    in_team(threads, [&](const Team& team) {
        const auto [first, last] = team.share(values.size());
        bool here = true;
        for (std::size_t k = first; k < last; ++k) here &= std::abs(values[k]) <= max_element;
        if (!here) all = false;
    });
    if (all) return;
    const auto wrong =
        std::find_if(values.begin(), values.end(), [](double v) { return !(std::abs(v) <= max_element); });
    const auto number = static_cast<std::size_t>(wrong - values.begin()), k = number / each;
    const auto element = static_cast<std::int64_t>(k) + pattern.index_base;
    const auto row =
        static_cast<std::size_t>(std::upper_bound(order.row_pointers.begin(), order.row_pointers.end(), element) -
                                 order.row_pointers.begin() - 1);
    require_real(text("kpm.matrix.values[", number, "] (row ", row + static_cast<std::size_t>(pattern.index_base),
                      ", column ", pattern.columns[pattern.begin(row) + order.places[k]], ")"),
                 *wrong, -max_element, max_element);
}

// Returns the values in sorted rows, with the sums of repeated elements.
template <class Value>
Pages<double> in_order(std::span<const double> values, const CrsView& pattern, const RowOrder& order, int threads) {
    constexpr std::size_t at_a_time = 1024;
    Pages<double> sorted(static_cast<std::size_t>(pattern.elements) * pattern.lanes());
    const auto fill_row = [&](std::size_t row, std::vector<std::pair<std::uint32_t, std::size_t>>& scratch,
                              std::vector<Value>& terms) {
        const auto first = static_cast<std::size_t>(order.row_pointers[row] - pattern.index_base),
                   last = static_cast<std::size_t>(order.row_pointers[row + 1] - pattern.index_base);
        double* const to = sorted.data() + pattern.begin(row) * pattern.lanes();
        if (last - first == pattern.end(row) - pattern.begin(row)) {
            for (std::size_t k = first; k < last; ++k)
                set_value(to, order.places[k], value_at<Value>(values.data(), k));
            return;
        }
        scratch.clear();
        for (std::size_t k = first; k < last; ++k) scratch.emplace_back(order.places[k], k);
        std::sort(scratch.begin(), scratch.end());
        for (auto begin = scratch.begin(), end = begin; begin != scratch.end(); begin = end) {
            while (end != scratch.end() && end->first == begin->first) ++end;
            terms.clear();
            for (auto term = begin; term != end; ++term) terms.push_back(value_at<Value>(values.data(), term->second));
            set_value(to, begin->first, sum_of_repeated(terms));
        }
    };
    const auto rows = static_cast<std::size_t>(pattern.rows);
    in_parallel((rows + at_a_time - 1) / at_a_time, threads, [&](std::size_t piece) {
        std::vector<std::pair<std::uint32_t, std::size_t>> scratch;
        std::vector<Value> terms;
        for (std::size_t row = piece * at_a_time; row < std::min((piece + 1) * at_a_time, rows); ++row)
            fill_row(row, scratch, terms);
    });
    return sorted;
}

}  // namespace

SharedHamiltonian::SharedHamiltonian(Hamiltonian prepared) {
    if (auto* const own = std::get_if<CrsMatrix>(&prepared)) {
        auto values = std::make_shared<Pages<double>>(std::move(own->values));
        pattern_ = std::make_shared<const CrsMatrix>(std::move(*own));
        pattern_view_ = view_of(*pattern_);
        use(pattern_view_, std::move(values));
        return;
    }
    if (const auto* const view = std::get_if<CrsView>(&prepared)) pattern_view_ = *view;
    version_ = std::make_shared<const Version>(Version{nullptr, nullptr, std::move(prepared)});
}

SharedHamiltonian::operator std::shared_ptr<const Hamiltonian>() const {
    const std::lock_guard lock(mutex_);
    return {version_, &version_->hamiltonian};
}

// Makes a view with these values the present version.
void SharedHamiltonian::use(CrsView view, std::shared_ptr<Pages<double>> values) {
    if (values) view.values = values->data();
    version_ = std::make_shared<const Version>(Version{pattern_, std::move(values), view});
}

void SharedHamiltonian::require_matrix() const {
    if (pattern_view_.row_pointers) return;
    fail(Status::invalid_argument, "kpm.hamiltonian: it is a lattice, but this function is for a matrix");
}

std::int64_t SharedHamiltonian::elements_given() const {
    require_matrix();
    return pattern_ && pattern_->order ? static_cast<std::int64_t>(pattern_->order->places.size())
                                       : pattern_view_.elements;
}

std::int64_t SharedHamiltonian::values_given() const {
    return elements_given() * static_cast<std::int64_t>(pattern_view_.lanes());
}

// Returns whether the memory of the present values can be written again, because no computation uses them.
bool SharedHamiltonian::owns_values_alone() const {
    if (version_.use_count() > 1 || !version_->values || version_->values.use_count() > 1) return false;
    std::atomic_thread_fence(std::memory_order_acquire);  // the last computation no longer reads them
    return true;
}

void SharedHamiltonian::set_values(std::span<const double> values, int threads) {
    if (static_cast<std::int64_t>(values.size()) != values_given())
        fail(Status::invalid_argument, "kpm.matrix.values: ", values.size(), " values are not ", values_given(),
             ", those of ", elements_given(), " elements");
    const RowOrder* const order = pattern_ ? pattern_->order.get() : nullptr;
    CrsView view = whole_pattern(pattern_view_, order);
    view.disorder = std::get<CrsView>(version_->hamiltonian).disorder;
    if (order) {
        require_range(values, view, *order, threads);
        auto sorted = std::make_shared<Pages<double>>(with_value_type(
            view.is_complex, [&]<class Value>(Value) { return in_order<Value>(values, view, *order, threads); }));
        view.values = sorted->data();
        require_values(view, threads);
        const std::lock_guard lock(mutex_);
        return use(view, std::move(sorted));
    }
    view.values = values.data();
    require_values(view, threads);
    const std::lock_guard lock(mutex_);
    const bool again = owns_values_alone();
    const std::shared_ptr<Pages<double>> to = again ? version_->values : std::make_shared<Pages<double>>(values.size());
    in_team(threads, [&](const Team& team) {
        const auto [first, last] = team.share(values.size());
        std::copy(values.data() + first, values.data() + last, to->data() + first);
    });
    if (!again) use(view, to);
}

void SharedHamiltonian::set_disorder(const Disorder& disorder) {
    require_matrix();
    CrsView view = std::get<CrsView>(version_->hamiltonian);
    view.disorder = disorder;
    const std::lock_guard lock(mutex_);
    use(view, version_->values);
}

void SharedHamiltonian::set_vacancies(std::span<const std::int64_t> vacancies) {
    const auto* const present = std::get_if<CellLattice>(&version_->hamiltonian);
    if (!present)
        fail(Status::invalid_argument,
             "kpm.hamiltonian: it is not a unit-cell lattice, but this function is for unit-cell lattices");
    CellLattice lattice = *present;
    lattice.vacancies.assign(vacancies.begin(), vacancies.end());
    prepare_vacancies(lattice);
    auto version = std::make_shared<const Version>(Version{nullptr, nullptr, std::move(lattice)});
    const std::lock_guard lock(mutex_);
    version_ = std::move(version);
}

}  // namespace legato::kpm
