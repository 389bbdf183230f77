#include "kpm/cell_lattice.hpp"

#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <utility>

#include "core/validate.hpp"
#include "kpm/disorder.hpp"
#include "kpm/hamiltonian.hpp"
#include "kpm/start_vectors.hpp"
#include "kpm/vacancies.hpp"

namespace legato::kpm {
namespace {

constexpr std::array<std::array<std::size_t, 2>, 3> faces{{{1, 2}, {2, 0}, {0, 1}}};  // of flux[face]

// Returns phase - round(phase) for phase = a m without rounding a m, in turns.
double turn_of(double a, std::int64_t m) {
    const auto factor = static_cast<double>(m);
    const double product = a * factor;
    return std::remainder(product, 1.0) + std::remainder(std::fma(a, factor, -product), 1.0);
}

// Returns exp(2 pi i turn). Quarters of a turn give exactly 1, i, -1 and -i.
std::complex<double> unit(double turn) {
    const double reduced = std::remainder(turn, 1.0);
    const long quarter = std::lround(4 * reduced);
    const double angle = 2 * std::numbers::pi * (reduced - 0.25 * static_cast<double>(quarter));
    const double c = std::cos(angle), s = std::sin(angle);
    switch ((quarter + 4) % 4) {
        case 0:
            return {c, s};
        case 1:
            return {-s, c};
        case 2:
            return {-c, -s};
        default:
            return {s, -c};
    }
}

bool is_real(double turn) {
    return std::remainder(2 * turn, 1.0) == 0;
}

// The vector potential of a flux quanta through the face of axes p and q: A_q = flux r_p in units of the lattice
// vectors. The phase of a hop from the orbital at tau in cell n to the orbital at tau' in cell n + d is 2 pi times
//     flux (n_p + (tau_p + tau'_p + d_p) / 2) (d_q + tau'_q - tau_q),
// the integral of A along the straight line. The gauge transformation exp(-2 pi i flux n_p tau_q) of each orbital turns
// it into
//     flux [n_p d_q + (tau_p + tau'_p + d_p) / 2 (d_q + tau'_q - tau_q) - d_p tau'_q].
// Only integers multiply n. The phases are therefore periodic in n_p if flux L_p is an integer.
struct Gauge {
    std::size_t p = 0, q = 1;
    double flux = 0;
    std::int64_t numerator = 0;  // of flux = numerator / L_p
    bool is_fraction = false;    // whether the flux is such a fraction
};

// Returns whether a hopping leads to another cell along the axis.
bool moves(const CellLattice& lattice, std::size_t axis) {
    for (const Hopping& hopping : lattice.hoppings)
        if (hopping.offset[axis] != 0) return true;
    return false;
}

// Returns whether the vector potential A_q = flux r_p must be periodic along p.
bool must_be_periodic(const CellLattice& lattice, std::size_t p, std::size_t q) {
    return lattice.boundary[p] == Boundary::periodic && moves(lattice, p) && moves(lattice, q);
}

// Makes the flux a multiple of 1 / L_p if it is one to rounding.
bool fits(const CellLattice& lattice, Gauge& gauge) {
    constexpr double rounding = 1e-12;
    const auto extent = static_cast<double>(lattice.extents[gauge.p]);
    const double numerator = std::round(gauge.flux * extent);
    if (!(std::abs(gauge.flux - numerator / extent) <= rounding)) return false;
    gauge.numerator = static_cast<std::int64_t>(numerator);
    gauge.flux = numerator / extent;
    gauge.is_fraction = true;
    return true;
}

// Returns the gauge of a face. The axis p is one along which the lattice need not be periodic, if there is one. If both
// are possible, it is the first one, so that the phases are the same in all planes of the slowest direction.
Gauge gauge_of(const CellLattice& lattice, std::size_t face) {
    const auto [a, b] = faces[face];
    const double flux = lattice.flux[face];
    std::array<Gauge, 2> gauges{Gauge{a, b, flux}, Gauge{b, a, -flux}};
    if (b < a) std::swap(gauges[0], gauges[1]);
    for (const Gauge& gauge : gauges)
        if (!must_be_periodic(lattice, gauge.p, gauge.q)) return gauge;
    for (Gauge& gauge : gauges)
        if (fits(lattice, gauge)) return gauge;
    const auto nearest = [&](std::size_t axis) {
        const std::int64_t extent = lattice.extents[axis];
        return text(std::llround(flux * static_cast<double>(extent)), '/', extent);
    };
    fail(Status::invalid_argument, "kpm.cell_lattice.flux[", face, "]: ", flux, " times kpm.cell_lattice.extents[", a,
         "] (", lattice.extents[a], ") or extents[", b, "] (", lattice.extents[b],
         ") must be an integer, because both directions are periodic; the nearest allowed values are ", nearest(a),
         " and ", nearest(b));
}

std::vector<Gauge> gauges_of(const CellLattice& lattice) {
    std::vector<Gauge> gauges;
    for (std::size_t face = 0; face < 3; ++face)
        if (lattice.flux[face] != 0) gauges.push_back(gauge_of(lattice, face));
    return gauges;
}

// Returns the amplitude of a hopping with the part of its phase that is the same for all cells.
std::complex<double> constant_part(const CellLattice& lattice, const std::vector<Gauge>& gauges,
                                   const Hopping& hopping) {
    const std::array<double, 3> origin{};
    const bool have = !lattice.positions.empty();
    const auto& from = have ? lattice.positions[static_cast<std::size_t>(hopping.from)] : origin;
    const auto& to = have ? lattice.positions[static_cast<std::size_t>(hopping.to)] : origin;
    double turn = 0;
    for (const auto& [p, q, flux, numerator, is_fraction] : gauges) {
        const auto dp = static_cast<double>(hopping.offset[p]), dq = static_cast<double>(hopping.offset[q]);
        turn += flux * ((from[p] + to[p] + dp) / 2 * (dq + to[q] - from[q]) - dp * to[q]);
    }
    const std::complex<double> phase = unit(turn), a = hopping.amplitude;
    return {a.real() * phase.real() - a.imag() * phase.imag(), a.real() * phase.imag() + a.imag() * phase.real()};
}

double twist_in_turns(const CellLattice& lattice, std::size_t axis) {
    return lattice.twist[axis] / (2 * std::numbers::pi);
}

// Returns whether an edge of the axis turns the phase of a hopping.
bool is_twisted(const CellLattice& lattice, std::size_t axis, const Hopping& hopping) {
    return lattice.twist[axis] != 0 && lattice.boundary[axis] == Boundary::periodic && hopping.offset[axis] != 0;
}

// The factors of a hopping along an axis, for each coordinate m of the cell where it starts: the part of the phase that
// is proportional to m, and the twist.
class Factors {
  public:
    Factors(const CellLattice& lattice, const std::vector<Gauge>& gauges, std::size_t axis, const Hopping& hopping)
        : lattice_(lattice), axis_(axis), offset_(hopping.offset[axis]) {
        for (const Gauge& gauge : gauges)
            if (gauge.p == axis && hopping.offset[gauge.q] != 0) terms_.push_back({gauge, hopping.offset[gauge.q]});
        twisted_ = is_twisted(lattice, axis, hopping);
    }

    bool are_one() const { return terms_.empty() && !twisted_; }
    bool are_complex() const {
        if (twisted_ && !is_real(twist_in_turns(lattice_, axis_))) return true;
        for (const auto& [gauge, steps] : terms_)
            if (!is_real(turn(gauge, steps, 1))) return true;
        return false;
    }

    // Tells factors apart that may differ: axis, offset and the steps along the other axes.
    std::array<std::int64_t, 5> key() const {
        std::array<std::int64_t, 5> key{static_cast<std::int64_t>(axis_), offset_};
        for (const auto& [gauge, steps] : terms_) key[2 + gauge.q] = steps;
        return key;
    }

    std::complex<double> at(std::int64_t m) const {
        double turns = 0;
        for (const auto& [gauge, steps] : terms_) turns += turn(gauge, steps, m);
        if (twisted_) turns += turn_of(twist_in_turns(lattice_, axis_), crossings(m));
        return unit(turns);
    }

  private:
    struct Term {
        Gauge gauge;
        std::int64_t steps;  // the hopping's d_q
    };

    // Returns flux d_q m, but for whole turns. Fractions are exact but for one rounding.
    double turn(const Gauge& gauge, std::int64_t steps, std::int64_t m) const {
        if (!gauge.is_fraction) return turn_of(gauge.flux, steps * m);
        const std::int64_t extent = lattice_.extents[axis_], factor = gauge.numerator % extent * steps % extent;
        return static_cast<double>(product_modulo(factor, m, extent)) / static_cast<double>(extent);
    }

    // Returns how often the hopping crosses the edge upwards, less how often it does so downwards.
    std::int64_t crossings(std::int64_t m) const {
        const std::int64_t extent = lattice_.extents[axis_], end = m + offset_;
        return end >= 0 ? end / extent : -((extent - 1 - end) / extent);
    }

    // Returns a b modulo n for n up to 2^40, without overflow.
    static std::int64_t product_modulo(std::int64_t a, std::int64_t b, std::int64_t n) {
        constexpr std::int64_t part = 1 << 20;
        return (a * (b / part) % n * part + a * (b % part)) % n;
    }

    const CellLattice& lattice_;
    std::size_t axis_;
    std::int64_t offset_;
    std::vector<Term> terms_;
    bool twisted_ = false;
};

// Collects the tables of all bonds; equal ones are made once.
class Tables {
  public:
    Tables(const CellLattice& lattice, std::vector<std::vector<std::complex<double>>>& tables)
        : lattice_(lattice), tables_(tables) {}

    // Returns the number of the table for the hopping itself or for its conjugate, or -1.
    int number(const Factors& factors, std::size_t axis, bool conjugate) {
        if (factors.are_one()) return -1;
        const auto [at, is_new] = known_.try_emplace({factors.key(), conjugate}, static_cast<int>(tables_.size()));
        if (is_new) tables_.push_back(table_of(factors, axis, factors.key()[1], conjugate));
        return at->second;
    }

  private:
    // The table counts the cells where the matrix element has its row. There the hopping ends, and its conjugate
    // starts.
    std::vector<std::complex<double>> table_of(const Factors& factors, std::size_t axis, std::int64_t offset,
                                               bool conjugate) const {
        const std::int64_t extent = lattice_.extents[axis];
        std::vector<std::complex<double>> table(static_cast<std::size_t>(extent));
        for (std::int64_t n = 0; n < extent; ++n) {
            const std::int64_t start = conjugate ? n : neighbour_cell(n, -offset, extent, lattice_.boundary[axis]);
            if (start < 0) continue;
            const std::complex<double> factor = factors.at(start);
            table[static_cast<std::size_t>(n)] = conjugate ? std::conj(factor) : factor;
        }
        return table;
    }

    const CellLattice& lattice_;
    std::vector<std::vector<std::complex<double>>>& tables_;
    std::map<std::pair<std::array<std::int64_t, 5>, bool>, int> known_;
};

void validate_cell(const CellLattice& lattice) {
    const auto orbitals = static_cast<std::size_t>(lattice.orbitals);
    if (!lattice.positions.empty() && lattice.positions.size() != orbitals)
        fail(Status::invalid_argument, "kpm.positions: ", lattice.positions.size(), " positions are not ", orbitals,
             ", one for each orbital");
    for (std::size_t o = 0; o < lattice.positions.size(); ++o)
        for (std::size_t d = 0; d < 3; ++d)
            require_real(text("kpm.positions[", 3 * o + d, "]"), lattice.positions[o][d], -max_position, max_position);
    if (!lattice.energies.empty() && lattice.energies.size() != orbitals)
        fail(Status::invalid_argument, "kpm.energies: ", lattice.energies.size(), " values are not ", orbitals,
             ", one for each orbital");
    for (std::size_t o = 0; o < lattice.energies.size(); ++o)
        require_real(text("kpm.energies[", o, "]"), lattice.energies[o], -max_energy, max_energy);
}

void validate_hoppings(const CellLattice& lattice) {
    for (std::size_t h = 0; h < lattice.hoppings.size(); ++h) {
        const Hopping& hopping = lattice.hoppings[h];
        require_integer(text("kpm.from[", h, "]"), hopping.from, 0, lattice.orbitals - 1);
        require_integer(text("kpm.to[", h, "]"), hopping.to, 0, lattice.orbitals - 1);
        for (std::size_t d = 0; d < 3; ++d)
            require_integer(text("kpm.offsets[", 3 * h + d, "]"), hopping.offset[d], -max_offset, max_offset);
        for (std::size_t part = 0; part < 2; ++part)
            require_real([&] { return text("kpm.amplitudes[", 2 * h + part, "]"); },
                         part == 0 ? hopping.amplitude.real() : hopping.amplitude.imag(), -max_energy, max_energy);
        if (hopping.from == hopping.to && hopping.offset == std::array<std::int64_t, 3>{})
            fail(Status::invalid_argument, "kpm.to[", h, "]: hopping ", h, " joins orbital ", hopping.from,
                 " with itself in the same cell; give an on-site energy in kpm.energies instead");
    }
}

void validate_disorder(const CellLattice& lattice) {
    if (lattice.on_site == OnSite::energies) {
        const auto count = static_cast<std::int64_t>(lattice.site_energies.size());
        if (count != lattice.sites())
            fail(Status::invalid_argument, "kpm.site_energies: ", count, " values are not ", lattice.sites(),
                 ", one for each site");
        for (std::size_t i = 0; i < lattice.site_energies.size(); ++i)
            require_real([&] { return text("kpm.site_energies[", i, "]"); }, lattice.site_energies[i], -max_energy,
                         max_energy);
    } else if (lattice.on_site != OnSite::constant) {
        require_real("kpm.cell_lattice.disorder", lattice.disorder, 0.0, max_energy);
    }
    if (lattice.on_site == OnSite::binary)
        require_real("kpm.cell_lattice.concentration", lattice.concentration, 0.0, 1.0);
}

}  // namespace

Stencil stencil_of(const CellLattice& lattice) {
    Stencil stencil;
    Tables tables(lattice, stencil.tables);
    const std::vector<Gauge> gauges = gauges_of(lattice);
    for (int to = 0; to < lattice.orbitals; ++to)
        for (std::size_t h = 0; h < lattice.hoppings.size(); ++h) {
            const Hopping& hopping = lattice.hoppings[h];
            const std::complex<double> value = constant_part(lattice, gauges, hopping);
            for (const bool conjugate : {false, true}) {
                if ((conjugate ? hopping.from : hopping.to) != to) continue;
                Bond bond{to, conjugate ? hopping.to : hopping.from, h, hopping.offset,
                          conjugate ? std::conj(value) : value};
                for (std::size_t d = 0; d < 3; ++d) {
                    if (!conjugate) bond.offset[d] = -bond.offset[d];
                    bond.table[d] = tables.number(Factors(lattice, gauges, d, hopping), d, conjugate);
                }
                stencil.bonds.push_back(bond);
            }
        }
    stencil.is_complex = is_complex(lattice);
    return stencil;
}

bool is_complex(const CellLattice& lattice) {
    const std::vector<Gauge> gauges = gauges_of(lattice);
    for (const Hopping& hopping : lattice.hoppings) {
        if (constant_part(lattice, gauges, hopping).imag() != 0) return true;
        for (std::size_t d = 0; d < 3; ++d)
            if (Factors(lattice, gauges, d, hopping).are_complex()) return true;
    }
    return false;
}

std::int64_t factors_of(const CellLattice& lattice) {
    std::set<std::array<std::int64_t, 5>> known;
    std::int64_t count = 0;
    const std::vector<Gauge> gauges = gauges_of(lattice);
    for (const Hopping& hopping : lattice.hoppings)
        for (std::size_t d = 0; d < 3; ++d)
            if (const Factors factors(lattice, gauges, d, hopping); !factors.are_one())
                if (known.insert(factors.key()).second) count += 2 * lattice.extents[d];  // also for the conjugate
    return count;
}

bool has_random_energies(const CellLattice& lattice) {
    return is_random(lattice.on_site, lattice.disorder);
}

bool is_random(const CellLattice& lattice) {
    return has_random_energies(lattice) || has_random_vacancies(lattice);
}

void validate_extents(const CellLattice& lattice) {
    require_integer("kpm.cell_lattice.orbitals", lattice.orbitals, 1, max_orbitals);
    std::int64_t sites = lattice.orbitals;
    for (std::size_t d = 0; d < 3; ++d) {
        require_integer(text("kpm.cell_lattice.extents[", d, "]"), lattice.extents[d], 1, max_sites);
        if (__builtin_mul_overflow(sites, lattice.extents[d], &sites) || sites > max_sites)
            fail(Status::invalid_argument, "kpm.cell_lattice.extents: ", lattice.extents[0], " x ", lattice.extents[1],
                 " x ", lattice.extents[2], " cells of ", lattice.orbitals, " sites are not in 1..", max_sites);
        require_integer(text("kpm.cell_lattice.boundary[", d, "]"), static_cast<int>(lattice.boundary[d]), 0, 1);
        require_real(text("kpm.cell_lattice.twist[", d, "]"), lattice.twist[d], -max_twist, max_twist);
        if (lattice.twist[d] != 0 && lattice.boundary[d] == Boundary::hard_wall)
            fail(Status::invalid_argument, "kpm.cell_lattice.twist[", d, "]: ", lattice.twist[d],
                 " is not 0, but boundary[", d, "] is a hard wall");
        require_real(text("kpm.cell_lattice.flux[", d, "]"), lattice.flux[d], -max_flux, max_flux);
    }
    require_integer("kpm.cell_lattice.on_site", static_cast<int>(lattice.on_site), 0, 4);
}

void prepare(CellLattice& lattice) {
    validate_extents(lattice);
    validate_cell(lattice);
    validate_hoppings(lattice);
    gauges_of(lattice);
    validate_disorder(lattice);
    prepare_vacancies(lattice);
}

void draw_energies(const CellLattice& lattice, std::uint64_t seed, std::int64_t realisation, std::int64_t first,
                   std::span<double> energies) {
    const auto orbitals = static_cast<std::uint64_t>(lattice.orbitals);
    for (std::size_t i = 0; i < energies.size(); ++i) {
        const std::uint64_t site = static_cast<std::uint64_t>(first) + i;
        const double energy = lattice.energies.empty() ? 0.0 : lattice.energies[site % orbitals];
        energies[i] = lattice.on_site == OnSite::energies
                          ? energy + lattice.site_energies[site]
                          : on_site_energy(lattice.on_site, energy, lattice.disorder, lattice.concentration, seed,
                                           static_cast<std::uint64_t>(realisation), site);
    }
}

}  // namespace legato::kpm
