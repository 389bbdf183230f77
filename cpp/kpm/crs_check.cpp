// All threads check the matrix together in one pass. A matrix that fails goes through the serial checks below. Their
// messages name the first error, and are therefore the same for any number of threads.
#include "kpm/crs_check.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <limits>
#include <mutex>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "core/validate.hpp"

namespace legato::kpm {
namespace {

constexpr double rounding = 1e-12;  // relative difference that an element and its partner may have

double magnitude(double value) {
    return std::abs(value);
}
double magnitude(std::complex<double> value) {
    return std::max(std::abs(value.real()), std::abs(value.imag()));
}
double conjugate(double value) {
    return value;
}
std::complex<double> conjugate(std::complex<double> value) {
    return std::conj(value);
}

template <class Value>
bool partners(Value here, Value there) {
    return magnitude(here - conjugate(there)) <= rounding * std::max(magnitude(here), magnitude(there));
}

// Results of the check of some rows. Elements are counted unless they are 0.
struct RowCheck {
    bool in_range = true, ascending = true, hermitian = true;
    std::int64_t above = 0, below = 0;  // numbers of elements above and below the diagonal
    std::int64_t longest_row = 0;

    void add(const RowCheck& other) {
        in_range &= other.in_range;
        ascending &= other.ascending;
        hermitian &= other.hermitian;
        above += other.above;
        below += other.below;
        longest_row = std::max(longest_row, other.longest_row);
    }
    // Returns true if every element above the diagonal has a partner, and no other elements are below it.
    bool is_valid() const { return in_range && ascending && hermitian && above == below; }
};

bool pointers_ascend(const CrsView& matrix, std::size_t first, std::size_t last) {
    bool ascend = true;
    for (std::size_t i = first; i < last; ++i) ascend &= matrix.row_pointers[i] <= matrix.row_pointers[i + 1];
    return ascend;
}

bool ends_are_right(const CrsView& matrix) {
    return matrix.row_pointers[0] == matrix.index_base &&
           matrix.row_pointers[matrix.rows] == matrix.elements + matrix.index_base;
}

bool elements_in_range(const CrsView& matrix, std::size_t begin, std::size_t end) {
    const auto rows = static_cast<std::uint32_t>(matrix.rows), base = static_cast<std::uint32_t>(matrix.index_base);
    bool all = true;
    for (std::size_t k = begin; k < end; ++k) all &= static_cast<std::uint32_t>(matrix.columns[k]) - base < rows;
    for (std::size_t i = begin * matrix.lanes(); i < end * matrix.lanes(); ++i)
        all &= std::abs(matrix.values[i]) <= max_element;
    return all;
}

// Returns the element of a row in this column, or 0 if there is none. The columns of the row must ascend.
template <class Value>
Value element(const CrsView& matrix, std::size_t row, std::int64_t column) {
    constexpr std::ptrdiff_t short_row = 16;
    const std::int64_t wanted = column + matrix.index_base;
    const std::int32_t *first = matrix.columns + matrix.begin(row), *const last = matrix.columns + matrix.end(row);
    if (last - first > short_row) first = std::lower_bound(first, last, wanted);
    while (first != last && *first < wanted) ++first;
    if (first == last || *first != wanted) return {};
    return value_at<Value>(matrix.values, static_cast<std::size_t>(first - matrix.columns));
}

template <class Value>
RowCheck check_rows(const CrsView& matrix, std::size_t first, std::size_t last) {
    RowCheck found;
    found.in_range = elements_in_range(matrix, matrix.begin(first), matrix.begin(last));
    if (!found.in_range) return found;
    for (std::size_t row = first; row < last; ++row) {
        const auto i = static_cast<std::int64_t>(row);
        std::int64_t before = -1;
        found.longest_row = std::max(found.longest_row, static_cast<std::int64_t>(matrix.end(row) - matrix.begin(row)));
        for (std::size_t k = matrix.begin(row); k < matrix.end(row); ++k) {
            const std::int64_t column = matrix.column(k);
            const auto value = value_at<Value>(matrix.values, k);
            found.ascending &= column > before;
            before = column;
            if (column < i) found.below += value != 0.0;
            if constexpr (!std::is_same_v<Value, double>)
                if (column == i) found.hermitian &= partners(value, value);
            if (column <= i) continue;
            found.above += value != 0.0;
            found.hermitian &= partners(value, element<Value>(matrix, static_cast<std::size_t>(column), i));
        }
    }
    return found;
}

// Returns true if the matrix needs no changes; the longest row is then known. Few rows are checked at a time, so that
// their elements are still in cache when their partners are looked up.
template <class Value>
bool is_valid(CrsView& matrix, int threads) {
    constexpr std::size_t at_a_time = 256;
    constexpr std::int64_t least_elements = 1 << 15;  // minimum for each thread
    if (!ends_are_right(matrix)) return false;
    std::atomic<bool> ascend = true;
    std::mutex mutex;
    RowCheck all;
    const auto team_size = std::clamp<std::int64_t>((matrix.rows + matrix.elements) / least_elements, 1, threads);
    in_team(static_cast<int>(team_size), [&](const Team& team) {
        const auto [begin, end] = team.share(static_cast<std::size_t>(matrix.rows));
        if (!pointers_ascend(matrix, begin, end)) ascend = false;
        team.wait();
        if (!ascend) return;
        RowCheck mine;
        for (std::size_t first = begin; first < end && mine.in_range && mine.ascending; first += at_a_time)
            mine.add(check_rows<Value>(matrix, first, std::min(first + at_a_time, end)));
        const std::lock_guard lock(mutex);
        all.add(mine);
    });
    matrix.longest_row = all.longest_row;
    return ascend && all.is_valid();
}

void validate_pointers(const CrsView& matrix) {
    const std::int64_t rows = matrix.rows, base = matrix.index_base, most = matrix.elements + base;
    for (std::int64_t i = 0; i <= rows; ++i) {
        const std::int64_t low = i == 0 ? base : matrix.row_pointers[i - 1], high = i == 0 ? base : most;
        if (matrix.row_pointers[i] < low || matrix.row_pointers[i] > high)
            require_integer(text("kpm.matrix.row_pointers[", i, "]"), matrix.row_pointers[i], low, high);
    }
    if (matrix.row_pointers[rows] != most)
        fail(Status::invalid_argument, "kpm.matrix.row_pointers[", rows, "]: ", matrix.row_pointers[rows], " is not ",
             most, ", the end of ", matrix.elements, " elements");
}

// All threads look for an error first. The loop that names it is serial.
void validate_elements(const CrsView& matrix, int threads) {
    std::atomic<bool> all = true;
    in_team(threads, [&](const Team& team) {
        const auto [first, last] = team.share(static_cast<std::size_t>(matrix.elements));
        if (!elements_in_range(matrix, first, last)) all = false;
    });
    if (all) return;
    const std::int64_t rows = matrix.rows, base = matrix.index_base;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::size_t k = matrix.begin(static_cast<std::size_t>(row)); k < matrix.end(static_cast<std::size_t>(row));
             ++k) {
            const std::int64_t column = matrix.column(k);
            if (column < 0 || column >= rows)
                require_integer(text("kpm.matrix.columns[", k, "] (row ", row + base, ")"), matrix.columns[k], base,
                                rows - 1 + base);
            for (std::size_t i = k * matrix.lanes(); i < (k + 1) * matrix.lanes(); ++i)
                if (!(std::abs(matrix.values[i]) <= max_element))
                    require_real(text("kpm.matrix.values[", i, "] (row ", row + base, ", column ", column + base, ")"),
                                 matrix.values[i], -max_element, max_element);
        }
}

bool is_less(double a, double b) {
    return a < b;
}
bool is_less(std::complex<double> a, std::complex<double> b) {
    return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
}

// An element of a row, and its number among the elements of the row as they were given.
template <class Value>
struct Element {
    std::int32_t column;
    Value value;
    std::size_t number;
};

// Orders by column, then by value, then by number.
template <class Value>
bool is_before(const Element<Value>& a, const Element<Value>& b) {
    if (a.column != b.column) return a.column < b.column;
    return a.value != b.value ? is_less(a.value, b.value) : a.number < b.number;
}

// Sorts short rows by insertion, which is faster.
template <class Value>
void sort(std::vector<Element<Value>>& elements) {
    constexpr std::size_t short_row = 24;
    if (elements.size() > short_row) return std::sort(elements.begin(), elements.end(), is_before<Value>);
    for (std::size_t i = 1; i < elements.size(); ++i) {
        const Element<Value> element = elements[i];
        std::size_t at = i;
        for (; at > 0 && is_before(element, elements[at - 1]); --at) elements[at] = elements[at - 1];
        elements[at] = element;
    }
}

// Returns the sum of value(item) in the order of the items, or 0 if they cancel except for rounding. Their partner has
// other terms and may cancel exactly.
template <class Value, class Items, class ValueOf>
Value sum_of(const Items& items, const ValueOf& value) {
    Value sum = 0;
    double sum_of_magnitudes = 0;
    for (const auto& item : items) {
        sum += value(item);
        sum_of_magnitudes += magnitude(value(item));
    }
    return magnitude(sum) <= 4 * std::numeric_limits<double>::epsilon() * sum_of_magnitudes ? Value{} : sum;
}

// Sorts the elements of one row by columns in place and adds up repeated columns. Their values are sorted too, so that
// partners with the same terms have the same sum. `places` gets the place of each element in the row. Returns the
// number of different columns.
template <class Value>
std::size_t sort_row(CrsMatrix& matrix, std::size_t begin, std::size_t end, std::vector<Element<Value>>& scratch,
                     std::uint32_t* places) {
    double* const values = matrix.values.data();
    scratch.clear();
    for (std::size_t k = begin; k < end; ++k)
        scratch.push_back({matrix.columns[k], value_at<Value>(values, k), k - begin});
    sort(scratch);
    std::size_t count = 0;
    for (auto first = scratch.begin(); first != scratch.end(); ++count) {
        auto last = first;
        for (; last != scratch.end() && last->column == first->column; ++last)
            places[last->number] = static_cast<std::uint32_t>(count);
        matrix.columns[begin + count] = first->column;
        set_value(values, begin + count,
                  sum_of<Value>(std::span(first, last), [](const Element<Value>& e) { return e.value; }));
        first = last;
    }
    return count;
}

// Removes the elements that are 0 from the first `count` elements of a row. Returns the number of those that remain.
template <class Value>
std::size_t remove_zeros(CrsMatrix& matrix, std::size_t begin, std::size_t count) {
    double* const values = matrix.values.data();
    std::size_t to = begin;
    for (std::size_t k = begin; k < begin + count; ++k) {
        const auto value = value_at<Value>(values, k);
        if (value == 0.0) continue;
        matrix.columns[to] = matrix.columns[k];
        set_value(values, to++, value);
    }
    return to - begin;
}

// Moves the first counts[row] elements of each row to the end of the row before it. Each thread does it for some rows.
// One thread then moves the rows of the others.
void close_gaps(CrsMatrix& matrix, const Pages<std::size_t>& counts, int threads) {
    struct Moved {
        std::size_t from = 0, count = 0;
    };
    const CrsView view = view_of(matrix);
    std::vector<Moved> moved(static_cast<std::size_t>(threads));
    const auto move = [&](std::size_t from, std::size_t count, std::size_t to) {
        if (from == to) return;
        std::copy_n(matrix.columns.data() + from, count, matrix.columns.data() + to);
        std::copy_n(matrix.values.data() + from * view.lanes(), count * view.lanes(),
                    matrix.values.data() + to * view.lanes());
    };
    in_team(threads, [&](const Team& team) {
        const auto [first, last] = team.share(counts.size());
        const std::size_t from = view.begin(first);
        std::size_t to = from;
        for (std::size_t row = first; row < last; ++row) {
            move(view.begin(row), counts[row], to);
            to += counts[row];
        }
        moved[team.rank] = {from, to - from};
    });
    std::size_t to = 0;
    for (const auto& [from, count] : moved) {
        move(from, count, to);
        to += count;
    }
    std::int64_t end = matrix.index_base;
    for (std::size_t row = 0; row < counts.size(); ++row) {
        end += static_cast<std::int64_t>(counts[row]);
        matrix.row_pointers[row + 1] = end;
    }
    matrix.columns.resize(to);
    matrix.values.resize(to * view.lanes());
}

// Calls work()(row) for all rows with all threads. work() is called once for some rows.
template <class Work>
void over_rows(std::size_t rows, int threads, const Work& work) {
    constexpr std::size_t at_a_time = 1024;
    in_parallel((rows + at_a_time - 1) / at_a_time, threads, [&](std::size_t piece) {
        auto work_on_row = work();
        for (std::size_t row = piece * at_a_time; row < std::min((piece + 1) * at_a_time, rows); ++row)
            work_on_row(row);
    });
}

// Sorts the rows, adds up repeated elements and removes zeros with all threads. The order of the elements is kept for
// new values.
template <class Value>
void sort_rows(CrsMatrix& matrix, int threads) {
    const CrsView view = view_of(matrix);
    const auto rows = static_cast<std::size_t>(view.rows);
    auto order = std::make_shared<RowOrder>();
    order->row_pointers = matrix.row_pointers;
    order->places.resize(matrix.columns.size());
    Pages<std::size_t> counts(rows);
    std::atomic<bool> any_zeros = false;
    over_rows(rows, threads, [&] {
        return [&, scratch = std::vector<Element<Value>>()](std::size_t row) mutable {
            const std::size_t begin = view.begin(row);
            counts[row] = sort_row(matrix, begin, view.end(row), scratch, order->places.data() + begin);
            for (std::size_t k = begin; k < begin + counts[row]; ++k)
                if (value_at<Value>(matrix.values.data(), k) == 0.0) any_zeros = true;
        };
    });
    close_gaps(matrix, counts, threads);
    if (any_zeros) {
        order->all_row_pointers = matrix.row_pointers;
        order->all_columns = matrix.columns;
        over_rows(rows, threads, [&] {
            return [&](std::size_t row) { counts[row] = remove_zeros<Value>(matrix, view.begin(row), counts[row]); };
        });
        close_gaps(matrix, counts, threads);
    }
    matrix.order = std::move(order);
}

double shown(double value) {
    return value;
}
std::string shown(std::complex<double> value) {
    return text('(', value.real(), ", ", value.imag(), ')');
}

template <class Value>
[[noreturn]] void fail_asymmetric(const CrsView& matrix, std::int64_t row, std::int64_t column, Value here,
                                  Value there) {
    const int base = matrix.index_base;
    if (row == column)
        fail(Status::invalid_argument, "kpm.matrix: the element in row ", row + base, " and column ", row + base,
             " is ", shown(here), ", which is not real; the matrix is not Hermitian");
    fail(Status::invalid_argument, "kpm.matrix: the element in row ", row + base, " and column ", column + base, " is ",
         shown(here), ", but that in row ", column + base, " and column ", row + base, " is ", shown(there),
         "; the matrix is not ", matrix.is_complex ? "Hermitian" : "symmetric");
}

// Checks the symmetry of a sorted matrix without zeros, or whether it is Hermitian. Each element beyond the diagonal is
// compared with the next element before the diagonal in the row of its column. Rows are visited in ascending order,
// which is the order of these elements in their row.
template <class Value>
void require_hermitian(const CrsView& matrix) {
    const auto rows = static_cast<std::size_t>(matrix.rows);
    const auto value = [&](std::size_t k) { return value_at<Value>(matrix.values, k); };
    std::vector<std::size_t> next(rows);
    for (std::size_t row = 0; row < rows; ++row) next[row] = matrix.begin(row);
    for (std::size_t row = 0; row < rows; ++row) {
        const auto i = static_cast<std::int64_t>(row);
        // An element left before the diagonal has no partner in the rows above.
        if (const std::size_t k = next[row]; k < matrix.end(row) && matrix.column(k) < i)
            fail_asymmetric(matrix, i, matrix.column(k), value(k), Value{});
        for (std::size_t k = next[row]; k < matrix.end(row); ++k) {
            const std::int64_t column = matrix.column(k);
            const Value here = value(k);
            if (column == i && !partners(here, here)) fail_asymmetric(matrix, i, i, here, here);
            if (column == i) continue;
            std::size_t& partner = next[static_cast<std::size_t>(column)];
            const bool any = partner < matrix.end(static_cast<std::size_t>(column));
            const std::int64_t found = any ? matrix.column(partner) : i + 1;
            if (found < i) fail_asymmetric(matrix, column, found, value(partner), Value{});
            const Value there = found == i ? value(partner) : Value{};
            if (!partners(here, there)) fail_asymmetric(matrix, i, column, here, there);
            ++partner;
        }
    }
}

void require_sizes(const CrsMatrix& matrix) {
    require_integer("kpm.matrix.rows", matrix.rows(), 1, max_rows);
    if (matrix.values.size() != matrix.columns.size() * matrix.lanes())
        fail(Status::invalid_argument, "kpm.matrix.values: ", matrix.values.size(), " values are not ",
             matrix.columns.size() * matrix.lanes(), matrix.is_complex ? ", two" : ", one",
             " for each of kpm.matrix.columns");
}

}  // namespace

CrsMatrix copy_of(const CrsView& view, int threads) {
    require_memory(text("kpm.matrix.rows: ", view.rows, " need"), 8 * (view.rows + 1), free_memory());
    require_memory(text("kpm.matrix.n_elements: ", view.elements, " need"),
                   (8 * static_cast<std::int64_t>(view.lanes()) + 4) * view.elements, free_memory());
    CrsMatrix matrix;
    matrix.index_base = view.index_base;
    matrix.is_complex = view.is_complex;
    matrix.row_pointers.resize(static_cast<std::size_t>(view.rows) + 1);
    matrix.columns.resize(static_cast<std::size_t>(view.elements));
    matrix.values.resize(matrix.columns.size() * view.lanes());
    in_team(threads, [&](const Team& team) {
        const auto share = [&](const auto* from, auto& to) {
            const auto [first, last] = team.share(to.size());
            std::copy(from + first, from + last, to.data() + first);
        };
        share(view.row_pointers, matrix.row_pointers);
        share(view.columns, matrix.columns);
        share(view.values, matrix.values);
    });
    return matrix;
}

namespace {

template <class Value>
void require_values_of(const CrsView& matrix, int threads) {
    CrsView checked = matrix;
    if (is_valid<Value>(checked, threads)) return;
    validate_elements(matrix, threads);
    CrsMatrix sorted = copy_of(matrix, threads);
    sort_rows<Value>(sorted, threads);
    require_hermitian<Value>(view_of(sorted));
}

template <class Value>
Value sum_of_sorted(std::span<Value> values) {
    std::sort(values.begin(), values.end(), [](Value a, Value b) { return is_less(a, b); });
    return sum_of<Value>(values, [](Value value) { return value; });
}

template <class Value>
void prepare_with(Hamiltonian& hamiltonian, int threads) {
    auto* own = std::get_if<CrsMatrix>(&hamiltonian);
    if (own) require_sizes(*own);
    CrsView matrix = *matrix_in(hamiltonian);
    require_integer("kpm.matrix.index_base", matrix.index_base, 0, 1);
    if (!is_valid<Value>(matrix, threads)) {
        validate_pointers(matrix);
        validate_elements(matrix, threads);
        if (!own) own = &hamiltonian.emplace<CrsMatrix>(copy_of(matrix, threads));
        sort_rows<Value>(*own, threads);
        matrix = view_of(*own);
        if (!is_valid<Value>(matrix, threads)) require_hermitian<Value>(matrix);
    }
    (own ? own->longest_row : std::get<CrsView>(hamiltonian).longest_row) = matrix.longest_row;
}

}  // namespace

void require_values(const CrsView& matrix, int threads) {
    with_value_type(matrix.is_complex, [&]<class Value>(Value) { require_values_of<Value>(matrix, threads); });
}

double sum_of_repeated(std::span<double> values) {
    return sum_of_sorted(values);
}

std::complex<double> sum_of_repeated(std::span<std::complex<double>> values) {
    return sum_of_sorted(values);
}

void prepare_matrix(Hamiltonian& hamiltonian, int threads) {
    with_value_type(matrix_in(hamiltonian)->is_complex,
                    [&]<class Value>(Value) { prepare_with<Value>(hamiltonian, threads); });
}

}  // namespace legato::kpm
