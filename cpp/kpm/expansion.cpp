#include "kpm/expansion.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "core/validate.hpp"
#include "kpm/cosine_transform.hpp"
#include "kpm/problem.hpp"

namespace legato::kpm {
namespace {

using std::numbers::pi;
using Complex = std::complex<double>;

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr std::size_t fewest_points = 2048, most_points = std::size_t{2} * max_terms;

// Returns ln of Kapteyn's bound (s exp(w) / (1 + w))^n of |J_n(n s)|, with s = z / n < 1 and w = sqrt(1 - s^2).
double log_of_kapteyn(double z, double n) {
    const double w = std::sqrt((n - z) * (n + z)) / n;
    return n * (std::log(z / n) + w - std::log1p(w));
}

[[noreturn]] void fail_for_terms(double tolerance, const std::string& what) {
    fail(Status::invalid_argument, "kpm.function.tolerance: ", tolerance, " needs more than the ", max_terms,
         " terms that are allowed; ", what);
}

// Returns the number of leading terms after which the rest, `beyond` included, is at most `most`. Adds the rest to
// `beyond`.
std::size_t shortest(std::span<const double> sizes, double most, double& beyond) {
    std::size_t count = sizes.size();
    while (count > 1 && beyond + sizes[count - 1] <= most) beyond += sizes[--count];
    return count;
}

Expansion evolution(double t, const Rescaling& rescaling, double tolerance) {
    constexpr double negligible = 1e-20;
    const double z = std::abs(rescaling.half_width * t);
    const auto largest_z = static_cast<double>(max_terms);
    std::size_t end = max_terms + 1;
    for (std::size_t above = static_cast<std::size_t>(std::min(z, largest_z)) + 1; end > above;) {
        const std::size_t middle = above + (end - above) / 2;
        if (bessel_tail(z, middle) <= negligible)
            end = middle;
        else
            above = middle + 1;
    }
    if (end > max_terms)
        fail_for_terms(tolerance, text("kpm.function.first: ", t, " is too long; divide it into parts of about ",
                                       0.9 * largest_z / rescaling.half_width));
    const std::vector<double> bessel = bessel_functions(z, end);
    std::vector<double> sizes(end);
    for (std::size_t n = 0; n < end; ++n) sizes[n] = (n == 0 ? 1 : 2) * std::abs(bessel[n]);
    Expansion e;
    e.truncation = 2 * bessel_tail(z, end);
    const std::size_t terms = shortest(sizes, tolerance, e.truncation);
    e.real.assign(terms, 0.0);
    e.imaginary.assign(terms, 0.0);
    const double direction = t < 0 ? 1 : -1;
    for (std::size_t n = 0; n < terms; ++n) {
        const double c = (n == 0 ? 1 : 2) * bessel[n];
        if (n % 2 == 0)
            e.real[n] = n % 4 == 0 ? c : -c;
        else
            e.imaginary[n] = direction * (n % 4 == 1 ? c : -c);
    }
    if (terms == 1) e.imaginary.clear();
    const double phase = rescaling.centre * t;
    e.factor = phase == 0 ? 1 : std::polar(1.0, -phase);
    e.argument = eps * (2 * z + std::abs(phase));
    return e;
}

// Returns f at the nodes centre + half_width cos(pi (k + 1/2) / points).
std::vector<Complex> at_nodes(const EnergyFunction& f, const Rescaling& rescaling, std::size_t points) {
    std::vector<double> energies(points);
    for (std::size_t k = 0; k < points; ++k)
        energies[k] = rescaling.centre + rescaling.half_width * std::cos(pi * (static_cast<double>(k) + 0.5) /
                                                                         static_cast<double>(points));
    std::vector<Complex> values(points, Complex(std::numeric_limits<double>::quiet_NaN(), 0));
    f(energies, values);
    for (std::size_t k = 0; k < points; ++k)
        if (!(std::abs(values[k]) <= max_element))
            fail(Status::invalid_argument, "kpm.function: f(", energies[k], ") is ", values[k].real(), " + i ",
                 values[k].imag(), "; its size must be at most ", max_element, " within the energy interval ",
                 rescaling.centre - rescaling.half_width, " .. ", rescaling.centre + rescaling.half_width);
    return values;
}

// Returns c_n = (2 - delta_n0) / P sum_k f_k cos(n pi (k + 1/2) / P), n = 0 .. P - 1.
std::vector<Complex> coefficients(std::span<const Complex> f) {
    std::vector<double> real, imaginary;
    for (const Complex value : f) {
        real.push_back(value.real());
        imaginary.push_back(value.imag());
    }
    const std::vector<double> of_real = cosines_of(real), of_imaginary = cosines_of(imaginary);
    std::vector<Complex> c(f.size());
    for (std::size_t n = 0; n < c.size(); ++n) c[n] = {of_real[n], of_imaginary[n]};
    return c;
}

double largest_of(std::span<const Complex> values) {
    double largest = 0;
    for (const Complex value : values) largest = std::max(largest, std::abs(value));
    return largest;
}

Expansion without_rest(std::vector<Complex> c, double beyond, double most, double largest) {
    std::vector<double> sizes(c.size());
    std::transform(c.begin(), c.end(), sizes.begin(), [](Complex value) { return std::abs(value); });
    Expansion e;
    e.truncation = beyond;
    c.resize(shortest(sizes, most, e.truncation));
    const bool is_real = std::all_of(c.begin(), c.end(), [](Complex value) { return value.imag() == 0; });
    for (const Complex value : c) {
        e.real.push_back(value.real());
        if (!is_real) e.imaginary.push_back(value.imag());
    }
    e.largest = largest;
    e.argument = 4 * eps * largest;
    return e;
}

// Takes twice as many points until the second half of the coefficients is small, and those of twice as many points are
// the same. `points` is the number to begin with.
Expansion from_transform(const EnergyFunction& f, const Rescaling& rescaling, double tolerance, double points) {
    double best = std::numeric_limits<double>::infinity();
    std::vector<Complex> before;
    double rest_before = best;
    auto count = static_cast<std::size_t>(std::bit_ceil(
        static_cast<std::uint64_t>(std::clamp(points, double{fewest_points}, static_cast<double>(most_points)))));
    for (; count <= most_points; count *= 2) {
        const std::vector<Complex> values = at_nodes(f, rescaling, count);
        std::vector<Complex> c = coefficients(values);
        const double largest = largest_of(values);
        double rest = 0, changed = 0;
        for (std::size_t n = count / 2; n < count; ++n) rest += std::abs(c[n]);
        for (std::size_t n = 0; n < before.size(); ++n) changed += std::abs(c[n] - before[n]);
        const double least = rest_before + changed;
        if (!before.empty() && least <= tolerance * largest / 2)
            return without_rest(std::move(before), least, tolerance * largest, largest);
        best = std::min(best, largest > 0 ? 2 * least / largest : 0);
        before = std::move(c);
        rest_before = rest;
    }
    fail_for_terms(tolerance, text("about ", best, " can be reached for this function"));
}

// Returns f of a kind, except for the evolution.
EnergyFunction function_of(FunctionKind kind, double first, double second) {
    const auto each = [](auto g) -> EnergyFunction {
        return [g](std::span<const double> energies, std::span<Complex> values) {
            std::transform(energies.begin(), energies.end(), values.begin(), g);
        };
    };
    switch (kind) {
        case FunctionKind::boltzmann:
            return each([=](double e) -> Complex { return std::exp(-first * e); });
        case FunctionKind::fermi:
            return each([=](double e) -> Complex {
                const double x = (e - first) / second;
                return x > 0 ? std::exp(-x) / (1 + std::exp(-x)) : 1 / (1 + std::exp(x));
            });
        case FunctionKind::step:
            return each([=](double e) -> Complex { return std::erfc((e - first) / second) / 2; });
        case FunctionKind::gaussian:
            return each([=](double e) -> Complex {
                const double x = (e - first) / second;
                return std::exp(-x * x / 2);
            });
        case FunctionKind::square_root:
            return each([=](double e) -> Complex { return std::sqrt(std::max(e - first, 0.0)); });
        default:
            return each([=](double e) -> Complex { return 1.0 / Complex(first - e, second); });
    }
}

// Checks the arguments of a kind. The limits keep energies times inverse energies finite.
void validate(FunctionKind kind, double first, double second, const Rescaling& rescaling) {
    require_integer("kpm.function.kind", static_cast<int>(kind), 0, static_cast<int>(FunctionKind::resolvent));
    require_real("kpm.function.first", first, -max_element, max_element);
    if (kind == FunctionKind::fermi || kind == FunctionKind::step || kind == FunctionKind::gaussian) {
        if (second == 0)
            fail(Status::invalid_argument, "kpm.function.second: 0 is a step or a point, whose expansion does not ",
                 "converge; take a width above 0");
        require_real("kpm.function.second", second, 1 / max_element, max_element);
    } else if (kind == FunctionKind::resolvent) {
        require_real("kpm.function.second", second, -max_element, max_element);
        if (std::abs(second) < 1 / max_element)
            fail(Status::invalid_argument, "kpm.function.second: ", second,
                 " is 0 or too near to it, where the expansion of a resolvent does not converge");
    } else if (second != 0) {
        fail(Status::invalid_argument, "kpm.function.second: ", second, " must be 0, because kpm.function.kind ",
             static_cast<int>(kind), " does not use it");
    }
    const double lowest = rescaling.centre - rescaling.half_width;
    const double rounding = 4 * eps * (std::abs(rescaling.centre) + rescaling.half_width);
    if (kind == FunctionKind::square_root && first > lowest + rounding)
        fail(Status::invalid_argument, "kpm.function.first: ", first, " is above ", lowest,
             ", the lower end of the energy interval; if the spectrum lies above it, give bounds (kpm.params.lowest) ",
             "and kpm.params.margin 0");
}

void require_tolerance(double tolerance) {
    require_real("kpm.function.tolerance", tolerance, least_tolerance, 0.5);
}

}  // namespace

// The bounds of consecutive n have quotients of at most exp(-alpha), where cosh(alpha) = n / z.
double bessel_tail(double z, std::size_t first) {
    const auto n = static_cast<double>(first);
    if (z == 0) return first > 0 ? 0 : 1;
    if (!(n > z)) return std::numeric_limits<double>::infinity();
    const double alpha = std::acosh(n / z);
    return std::exp(log_of_kapteyn(z, n)) / -std::expm1(-alpha);
}

// Uses Miller's backward recurrence, with the sum of squares J_0^2 + 2 sum J_n^2 = 1, in which nothing cancels.
std::vector<double> bessel_functions(double z, std::size_t count) {
    std::vector<double> j(count);
    if (count == 0) return j;
    j[0] = 1;
    if (z < 1e-10) {  // the next terms of the power series are below rounding
        if (count > 1) j[1] = z / 2;
        if (count > 2) j[2] = z * z / 8;
        return j;
    }
    constexpr double tiny = 1e-100, huge = 1e100;
    std::size_t start = std::max(count, static_cast<std::size_t>(z)) + 10;
    while (bessel_tail(z, start) > 1e-20) start += 1 + static_cast<std::size_t>(std::cbrt(z));
    double above = 0, here = tiny, squares = 0;
    for (std::size_t n = start; n-- > 0;) {
        const double below = 2 * static_cast<double>(n + 1) / z * here - above;  // J_n from J_(n+1) and J_(n+2)
        above = here;
        here = below;
        if (n < count) j[n] = here;
        squares += (n == 0 ? 1 : 2) * here * here;
        if (std::abs(here) > huge) {
            const double scale = 1 / huge;
            above *= scale;
            here *= scale;
            squares *= scale * scale;
            for (std::size_t m = n; m < count; ++m) j[m] *= scale;
        }
    }
    for (double& value : j) value /= std::sqrt(squares);
    return j;
}

Expansion expansion_of(FunctionKind kind, double first, double second, const Rescaling& rescaling, double tolerance) {
    validate(kind, first, second, rescaling);
    require_tolerance(tolerance);
    if (kind == FunctionKind::evolution) return evolution(first, rescaling, tolerance);
    const double points = second != 0 ? 8 * rescaling.half_width / std::abs(second) : 0;  // so that no peak is missed
    constexpr double most = most_points / 2.0;
    if (points > most)
        fail(Status::invalid_argument, "kpm.function.second: ", second, " needs more than the ", max_terms,
             " terms that are allowed; take at least ", 8 * rescaling.half_width / most);
    return from_transform(function_of(kind, first, second), rescaling, tolerance, points);
}

Expansion expansion_of(const EnergyFunction& f, const Rescaling& rescaling, double tolerance) {
    require_tolerance(tolerance);
    return from_transform(f, rescaling, tolerance, 0);
}

double rounding_of(const Expansion& e, double largest_x, double step, double sum) {
    constexpr std::size_t points = 33;
    std::array<double, points> x;
    for (std::size_t k = 0; k < points; ++k) x[k] = largest_x * std::cos(pi * static_cast<double>(k) / (points - 1));
    const auto coefficient = [&](std::size_t n) {
        return Complex(e.real[n], e.imaginary.empty() ? 0 : e.imaginary[n]);
    };
    std::array<Complex, points> b{}, b_after{}, partial;
    std::array<double, points> t, t_before;
    double of_steps = 0, of_sums = 0;
    for (std::size_t n = e.terms(); n-- > 1;) {
        for (std::size_t k = 0; k < points; ++k)
            b_after[k] = std::exchange(b[k], coefficient(n) + 2 * x[k] * b[k] - b_after[k]);
        of_steps += largest_of(b);
    }
    partial.fill(coefficient(0));
    t.fill(1);
    t_before = x;  // T_(-1) = T_1
    for (std::size_t n = 1; n < e.terms(); ++n) {
        for (std::size_t k = 0; k < points; ++k) {
            t_before[k] = std::exchange(t[k], 2 * x[k] * t[k] - t_before[k]);
            partial[k] += coefficient(n) * t[k];
        }
        of_sums += largest_of(partial);
    }
    return step * of_steps + sum * (of_sums + 4 * e.largest) + e.argument;
}

}  // namespace legato::kpm
