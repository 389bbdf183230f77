// This file is compiled with -ffp-contract=off; see cpu_kernels.hpp.
#include "kpm/cpu_kernels.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include <type_traits>

#include "core/lanes.hpp"

namespace legato::kpm {
namespace {

constexpr std::size_t least(std::size_t a, std::size_t b) {
    return a < b ? a : b;
}

// NOLINTBEGIN(modernize-use-using): GCC drops the attributes of an alias that depends on a template's arguments.
// A vector of numbers for the arithmetic.
template <std::size_t count>
struct Pack {
    typedef double Lanes __attribute__((vector_size(count * sizeof(double)), may_alias, aligned(8)));
};
template <>
struct Pack<1> {
    typedef double Lanes __attribute__((may_alias));
};

// A vector of numbers as they are stored. The compiler would convert even double to double lane by lane, which the
// specialisation for double avoids.
template <class Real, std::size_t count>
struct Stored {
    typedef Real Numbers __attribute__((vector_size(count * sizeof(Real)), may_alias, aligned(sizeof(Real))));
    using Lanes = typename Pack<count>::Lanes;

    static Lanes load(const Real* p) { return widened(p); }
    static void store(Real* p, Lanes lanes) {
        *reinterpret_cast<Numbers*>(p) = __builtin_convertvector(lanes, Numbers);
    }

  private:
    // Widens all lanes at once. The compiler's own conversion would take half of the lanes at a time.
    static Lanes widened(const Real* p) {
#if defined(__AVX512F__)
        if constexpr (count == 8) return _mm512_maskz_cvtps_pd(0xff, _mm256_loadu_ps(p));
#endif
#if defined(__AVX__)
        if constexpr (count == 4) return _mm256_cvtps_pd(_mm_loadu_ps(p));
#endif
#if defined(__SSE2__)
        if constexpr (count == 2) return _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadu_si64(p)));
#endif
        return __builtin_convertvector(*reinterpret_cast<const Numbers*>(p), Lanes);
    }
};
template <std::size_t count>
struct Stored<double, count> {
    using Lanes = typename Pack<count>::Lanes;

    static Lanes load(const double* p) { return *reinterpret_cast<const Lanes*>(p); }
    static void store(double* p, Lanes lanes) { *reinterpret_cast<Lanes*>(p) = lanes; }
};
template <>
struct Stored<float, 1> {
    static double load(const float* p) { return *p; }
    static void store(float* p, double number) { *p = static_cast<float>(number); }
};
template <>
struct Stored<double, 1> {
    static double load(const double* p) { return *p; }
    static void store(double* p, double number) { *p = number; }
};

// NOLINTEND(modernize-use-using)

template <class Real, std::size_t width, std::size_t near>
struct Stencil {
    // Lanes hold a part of one site, or several sites of a narrow panel.
    static constexpr std::size_t lanes = least(native_lanes, partial_sums* width);
    static constexpr std::size_t packs = partial_sums * width / lanes;  // number of packs for partial_sums sites
    // Prefetch distance. The rows are read from memory one after the other, but they are too short for the processor to
    // notice in time. On a Xeon 2 kB gained a tenth to a fifth, 4 kB no less, and 8 kB nothing.
    static constexpr std::size_t line = 64 / sizeof(Real), ahead = 32 * line;
    using Lanes = typename Pack<lanes>::Lanes;

    template <class Number>
    static Lanes load(const Number* p) {
        return Stored<Number, lanes>::load(p);
    }
    template <class Number>
    static void store(Number* p, Lanes numbers) {
        Stored<Number, lanes>::store(p, numbers);
    }

    // Returns the energies of the pack's sites, each for all vectors of its site.
    static Lanes energies(const double* first, std::size_t pack) {
        if constexpr (width >= lanes) {
            return first[pack * lanes / width] - Lanes{};
        } else if constexpr (width == 1) {
            return load(first + pack * lanes);
        } else {
            Lanes spread{};
            for (std::size_t l = 0; l < lanes; ++l) spread[l] = first[(pack * lanes + l) / width];
            return spread;
        }
    }

    // Computes y with the same operations in the same order for lanes and for one vector.
    template <class T>
    static T stepped(const StencilStep& step, T sum, T energy, T x, T y) {
        return step.hopping * sum + ((step.a * energy + step.b) * x + step.c * y);
    }

    static void one_site(const StencilRow<Real>& row, const StencilStep& step, std::size_t site, const Real* left,
                         const Real* right, double* sums) {
        const std::size_t at = site * width, partial = (site + partial_sums - 1) % partial_sums * width;
        for (std::size_t v = 0; v < width; ++v) {
            double sum = double{left[v]} + right[v];
            if constexpr (near >= 2) sum += double{row.near[0][at + v]} + row.near[1][at + v];
            if constexpr (near >= 4) sum += double{row.near[2][at + v]} + row.near[3][at + v];
            const double x = row.x[at + v];
            const double y = stepped<double>(step, sum, row.energies[site], x, row.y[at + v]);
            row.y_new[at + v] = static_cast<Real>(y);
            sums[partial + v] += x * x;
            sums[partial_sums * width + partial + v] += y * x;
        }
    }

    // Processes as many whole groups of sites as there are from `site` on. Each site of them has both its neighbours in
    // the row. Returns the site that follows.
    static std::size_t whole_groups(const StencilRow<Real>& row, const StencilStep& step, std::size_t site,
                                    double* sums) {
        Lanes xx[packs], yx[packs];
        for (std::size_t p = 0; p < packs; ++p) {
            xx[p] = load(sums + p * lanes);
            yx[p] = load(sums + partial_sums * width + p * lanes);
        }
        for (; site + partial_sums < row.sites; site += partial_sums) {
            const std::size_t start = site * width;
#pragma GCC unroll 64
            for (std::size_t p = 0; p < packs; ++p) {
                const std::size_t at = start + p * lanes;
                if (p * lanes % line == 0) {
                    __builtin_prefetch(row.y + at + ahead, 1);
                    __builtin_prefetch((near ? row.near[near - 1] : row.x) + at + ahead);
                }
                Lanes sum = load(row.x + at - width) + load(row.x + at + width);
                if constexpr (near >= 2) sum += load(row.near[0] + at) + load(row.near[1] + at);
                if constexpr (near >= 4) sum += load(row.near[2] + at) + load(row.near[3] + at);
                const Lanes x = load(row.x + at);
                const Lanes y = stepped(step, sum, energies(row.energies + site, p), x, load(row.y + at));
                store(row.y_new + at, y);
                xx[p] += x * x;
                yx[p] += y * x;
            }
        }
        for (std::size_t p = 0; p < packs; ++p) {
            store(sums + p * lanes, xx[p]);
            store(sums + partial_sums * width + p * lanes, yx[p]);
        }
        return site;
    }

    static void go(const StencilRow<Real>& row, const StencilStep& step, double* sums) {
        const std::size_t last = row.sites - 1;
        one_site(row, step, 0, row.left, last ? row.x + width : row.right, sums);
        std::size_t site = whole_groups(row, step, 1, sums);
        for (; site < last; ++site)
            one_site(row, step, site, row.x + (site - 1) * width, row.x + (site + 1) * width, sums);
        if (last) one_site(row, step, last, row.x + (last - 1) * width, row.right, sums);
    }
};

// An element of a complex matrix.
struct Complex {
    double real, imaginary = 0;
};

// Returns i z for complex numbers z that consist of two lanes each.
template <std::size_t lanes>
typename Pack<lanes>::Lanes times_i(typename Pack<lanes>::Lanes z) {
    typename Pack<lanes>::Lanes swapped;
    if constexpr (lanes == 2)
        swapped = __builtin_shufflevector(z, z, 1, 0);
    else if constexpr (lanes == 4)
        swapped = __builtin_shufflevector(z, z, 1, 0, 3, 2);
    else
        swapped = __builtin_shufflevector(z, z, 1, 0, 3, 2, 5, 4, 7, 6);
    typename Pack<lanes>::Lanes signs{};
    for (std::size_t l = 0; l < lanes; ++l) signs[l] = l % 2 == 0 ? -1.0 : 1.0;
    return signs * swapped;
}

// Number of vectors whose sums fit in the registers. A wider panel goes through the rows several times.
constexpr std::size_t widest_group = 16;

// Processes the rows first .. last - 1 for `group` vectors of a panel, from number `v` on. `elements(row, use)` calls
// use(column, value) for the elements of a row; columns count from `base`. A value is double, or Complex. Vectors then
// consist of two lanes each, which `width`, `group` and `v` count.
template <class Value, class Real, std::size_t width, std::size_t group, class Elements>
void rows_of_group(const MatrixStep<Real>& step, std::size_t first, std::size_t last, std::size_t v, double* sums,
                   std::int32_t base, const Elements& elements) {
    constexpr std::size_t lanes = least(native_lanes, group), packs = group / lanes;
    constexpr bool is_complex = std::is_same_v<Value, Complex>;
    using Lanes = typename Pack<lanes>::Lanes;
    const Real* const column_0 = step.x + v - static_cast<std::size_t>(base) * width;
    Lanes xx[packs], yx[packs];
#pragma GCC unroll 64
    for (std::size_t p = 0; p < packs; ++p) {
        xx[p] = Stored<double, lanes>::load(sums + v + p * lanes);
        yx[p] = Stored<double, lanes>::load(sums + width + v + p * lanes);
    }
    for (std::size_t row = first; row < last; ++row) {
        Lanes sum[packs] = {}, of_imaginary[is_complex ? packs : 1] = {};
        elements(
            row, [&](std::int32_t column, Value value) __attribute__((always_inline)) {
                const Real* const x = column_0 + std::ptrdiff_t{column} * static_cast<std::ptrdiff_t>(width);
#pragma GCC unroll 64
                for (std::size_t p = 0; p < packs; ++p) {
                    const Lanes other = Stored<Real, lanes>::load(x + p * lanes);
                    if constexpr (is_complex) {
                        sum[p] += value.real * other;
                        of_imaginary[p] += value.imaginary * other;
                    } else {
                        sum[p] += value * other;
                    }
                }
            });
        if constexpr (is_complex)
#pragma GCC unroll 64
            for (std::size_t p = 0; p < packs; ++p) sum[p] += times_i<lanes>(of_imaginary[p]);
        const double b = step.energies ? step.a * step.energies[row] + step.b : step.b;
#pragma GCC unroll 64
        for (std::size_t p = 0; p < packs; ++p) {
            const std::size_t at = v + p * lanes;
            const Lanes x = Stored<Real, lanes>::load(step.x + row * width + at);
            const Lanes old = Stored<Real, lanes>::load(step.y + row * width + at);
            const Lanes y = step.a * sum[p] + (b * x + step.c * old);
            Stored<Real, lanes>::store(step.y_new + (row - step.y_new_first) * width + at, y);
            xx[p] += x * x;
            yx[p] += y * x;
        }
    }
#pragma GCC unroll 64
    for (std::size_t p = 0; p < packs; ++p) {
        Stored<double, lanes>::store(sums + v + p * lanes, xx[p]);
        Stored<double, lanes>::store(sums + width + v + p * lanes, yx[p]);
    }
}

template <class Value, class Real, std::size_t width, class Elements>
void matrix_rows(const MatrixStep<Real>& step, std::size_t first, std::size_t last, double* sums, std::int32_t base,
                 const Elements& elements) {
    constexpr std::size_t group = least(width, widest_group);
    for (std::size_t v = 0; v < width; v += group)
        rows_of_group<Value, Real, width, group>(step, first, last, v, sums, base, elements);
}

template <class Value>
Value element(const double* values, std::size_t k) {
    if constexpr (std::is_same_v<Value, Complex>)
        return {values[2 * k], values[2 * k + 1]};
    else
        return values[k];
}

template <class Value, class Real, std::size_t width>
void crs(const CrsRows& matrix, const MatrixStep<Real>& step, std::size_t first, std::size_t last, double* sums) {
    matrix_rows<Value, Real, width>(step, first, last, sums, matrix.base, [&](std::size_t row, auto&& use) {
        const std::int64_t end = matrix.row_pointers[row + 1] - matrix.base;
        for (std::int64_t k = matrix.row_pointers[row] - matrix.base; k < end; ++k)
            use(matrix.columns[k], element<Value>(matrix.values, static_cast<std::size_t>(k)));
    });
}

template <class Value, class Real, std::size_t width>
void ell(const EllRows& matrix, const MatrixStep<Real>& step, std::size_t first, std::size_t last, double* sums) {
    matrix_rows<Value, Real, width>(step, first, last, sums, 0, [&](std::size_t row, auto&& use) {
        for (std::size_t k = 0; k < matrix.length; ++k)
            use(matrix.columns[k * matrix.rows + row], element<Value>(matrix.values, k * matrix.rows + row));
    });
}

// Returns numbers of consecutive rows, each for all vectors of its row.
template <std::size_t lanes, std::size_t width>
typename Pack<lanes>::Lanes of_rows(const double* first) {
    const auto of_each = Stored<double, lanes / width>::load(first);
    if constexpr (width == 1)
        return of_each;
    else if constexpr (lanes == width)
        return of_each - typename Pack<lanes>::Lanes{};
    else if constexpr (lanes == 4)
        return __builtin_shufflevector(of_each, of_each, 0, 0, 1, 1);
    else if constexpr (width == 2)
        return __builtin_shufflevector(of_each, of_each, 0, 0, 1, 1, 2, 2, 3, 3);
    else
        return __builtin_shufflevector(of_each, of_each, 0, 0, 0, 0, 1, 1, 1, 1);
}

// Adds the products of rows to those of the rows before, in their order.
template <std::size_t lanes, std::size_t width>
void add_rows(typename Pack<lanes>::Lanes products, typename Pack<width>::Lanes& sum) {
    double numbers[lanes];
    Stored<double, lanes>::store(numbers, products);
#pragma GCC unroll 8
    for (std::size_t l = 0; l < lanes; l += width) sum += Stored<double, width>::load(numbers + l);
}

// Processes as many rows at a time as fill a register, while they have pattern number `pattern`. Returns the row that
// follows. The operations of a row, and the order in which rows are added, are those of rows_of_group.
template <class Real, std::size_t width>
std::size_t rows_alike(const PatternedRows& matrix, const MatrixStep<Real>& step, std::size_t row, std::size_t last,
                       double* sums) {
    constexpr std::size_t lanes = native_lanes, at_once = lanes / width;
    using Lanes = typename Pack<lanes>::Lanes;
    const std::uint16_t pattern = matrix.pattern[row];
    const std::int32_t begin = matrix.first[pattern], own = matrix.own[pattern], end = matrix.first[pattern + 1];
    const auto load = [](const Real* at) { return Stored<Real, lanes>::load(at); };
    auto xx = Stored<double, width>::load(sums), yx = Stored<double, width>::load(sums + width);
    for (; row + at_once <= last; row += at_once) {
        const Real* const here = step.x + row * width;
        Lanes sum{};
        const auto add = [&](std::int32_t k) {
            sum += matrix.values[k] * load(here + matrix.distances[k] * static_cast<std::ptrdiff_t>(width));
        };
        for (std::int32_t k = begin; k < own; ++k) add(k);
        if (own < end) sum += of_rows<lanes, width>(matrix.diagonal + row) * load(here);
        for (std::int32_t k = own + 1; k < end; ++k) add(k);
        const Lanes b = step.energies ? step.a * of_rows<lanes, width>(step.energies + row) + step.b : step.b - Lanes{};
        const Lanes x = load(here), y = step.a * sum + (b * x + step.c * load(step.y + row * width));
        Stored<Real, lanes>::store(step.y_new + (row - step.y_new_first) * width, y);
        add_rows<lanes, width>(x * x, xx);
        add_rows<lanes, width>(y * x, yx);
    }
    Stored<double, width>::store(sums, xx);
    Stored<double, width>::store(sums + width, yx);
    return row;
}

template <class Value, class Real, std::size_t width>
void patterned(const PatternedRows& matrix, const MatrixStep<Real>& step, std::size_t first, std::size_t last,
               double* sums) {
    const auto one_by_one = [&](std::size_t first_row, std::size_t last_row) {
        matrix_rows<Value, Real, width>(step, first_row, last_row, sums, 0, [&](std::size_t row, auto&& use) {
            const std::uint16_t pattern = matrix.pattern[row];
            const std::int32_t own = matrix.own[pattern], end = matrix.first[pattern + 1];
            const auto at = static_cast<std::int32_t>(row);
            const auto use_element = [&](std::int32_t k) __attribute__((always_inline)) {
                use(at + matrix.distances[k], element<Value>(matrix.values, static_cast<std::size_t>(k)));
            };
            for (std::int32_t k = matrix.first[pattern]; k < own; ++k) use_element(k);
            if (own < end) use(at, Value{matrix.diagonal[row]});
            for (std::int32_t k = own + 1; k < end; ++k) use_element(k);
        });
    };
    // Fewer than four rows at a time take longer than one after the other.
    if constexpr (std::is_same_v<Value, Complex> || 4 * width > native_lanes) {
        one_by_one(first, last);
    } else {
        for (std::size_t row = first; row < last;) {
            std::size_t end = row + 1;
            while (end < last && matrix.pattern[end] == matrix.pattern[row]) ++end;
            row = rows_alike<Real, width>(matrix, step, row, end, sums);
            one_by_one(row, end);
            row = end;
        }
    }
}

template <class Value, class Real, std::size_t width>
void cells(const CellRows& rows, const MatrixStep<Real>& step, std::size_t first, std::size_t last, double* sums) {
    constexpr bool is_complex = std::is_same_v<Value, Complex>;
    const auto value = [](double re, [[maybe_unused]] double im) -> Value {
        if constexpr (is_complex)
            return {re, im};
        else
            return re;
    };
    auto place = rows.place(static_cast<std::int64_t>(first));
    matrix_rows<Value, Real, width>(step, first, last, sums, 0, [&](std::size_t row, auto&& use) {
        if (row == first) place = rows.place(static_cast<std::int64_t>(row));  // of the next group of vectors
        const auto number = static_cast<std::int64_t>(row);
        if (!rows.is_empty(number)) {
            use(static_cast<std::int32_t>(row), value(rows.energy(number, place), 0));
            rows.for_each<is_complex>(number, place, rows.is_inside(place),
                                      [&](std::int64_t column, double re, double im) {
                                          use(static_cast<std::int32_t>(column), value(re, im));
                                      });
        }
        rows.advance(place);
    });
}

#define LEGATO_STENCIL_WIDTHS(f) \
    { f(1), f(2), f(4), f(8) }
#define LEGATO_ALL_WIDTHS(f) \
    { f(1), f(2), f(4), f(8), f(16), f(32), f(64) }
#define LEGATO_CHAIN(width) Stencil<Real, width, 0>::go
#define LEGATO_SQUARE(width) Stencil<Real, width, 2>::go
#define LEGATO_CUBIC(width) Stencil<Real, width, 4>::go
#define LEGATO_COMPLEX_WIDTHS(f) \
    { nullptr, f(2), f(4), f(8), f(16), f(32), f(64) }
#define LEGATO_CRS(width) crs<double, Real, width>
#define LEGATO_ELL(width) ell<double, Real, width>
#define LEGATO_COMPLEX_CRS(width) crs<Complex, Real, width>
#define LEGATO_COMPLEX_ELL(width) ell<Complex, Real, width>
#define LEGATO_PATTERNED(width) patterned<double, Real, width>
#define LEGATO_COMPLEX_PATTERNED(width) patterned<Complex, Real, width>
#define LEGATO_CELLS(width) cells<double, Real, width>
#define LEGATO_COMPLEX_CELLS(width) cells<Complex, Real, width>

template <class Real>
constexpr KernelsOf<Real> kernels_of{{{{LEGATO_STENCIL_WIDTHS(LEGATO_CHAIN)},
                                       {LEGATO_STENCIL_WIDTHS(LEGATO_SQUARE)},
                                       {LEGATO_STENCIL_WIDTHS(LEGATO_CUBIC)}}},
                                     {LEGATO_ALL_WIDTHS(LEGATO_CRS)},
                                     {LEGATO_ALL_WIDTHS(LEGATO_ELL)},
                                     {LEGATO_COMPLEX_WIDTHS(LEGATO_COMPLEX_CRS)},
                                     {LEGATO_COMPLEX_WIDTHS(LEGATO_COMPLEX_ELL)},
                                     {LEGATO_ALL_WIDTHS(LEGATO_PATTERNED)},
                                     {LEGATO_COMPLEX_WIDTHS(LEGATO_COMPLEX_PATTERNED)},
                                     {LEGATO_ALL_WIDTHS(LEGATO_CELLS)},
                                     {LEGATO_COMPLEX_WIDTHS(LEGATO_COMPLEX_CELLS)}};

constexpr CpuKernels table{kernels_of<double>, kernels_of<float>};

}  // namespace

const CpuKernels CpuKernels::LEGATO_CPU_LEVEL = table;

}  // namespace legato::kpm
