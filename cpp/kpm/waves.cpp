#include "kpm/waves.hpp"

#include <cmath>
#include <utility>

#include "core/validate.hpp"
#include "kpm/params.hpp"

namespace legato::kpm {
namespace {

void require_within(const char* field, const std::vector<double>& values, double most) {
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!(std::abs(values[i]) <= most)) require_real(text(field, '[', i, ']'), values[i], -most, most);
}

}  // namespace

Wave Waves::wave(std::size_t vector) const {
    const std::size_t each = vectors_each(), number = vector / each, rest = vector % each,
                      all = static_cast<std::size_t>(orbitals), both = static_cast<std::size_t>(parts);
    Wave wave{extents, orbitals, rest % both == 1, {k[3 * number], k[3 * number + 1], k[3 * number + 2]}, {}};
    const double norm = 1 / std::sqrt(static_cast<double>(extents[0] * extents[1] * extents[2]));
    if (amplitudes.empty()) {
        wave.amplitudes[rest / both] = {norm, 0};
        return wave;
    }
    for (std::size_t o = 0; o < all; ++o) {
        const double* const a = amplitudes.data() + 2 * (number * all + o);
        wave.amplitudes[o] = {norm * a[0], norm * a[1]};
    }
    return wave;
}

Waves waves_on(const Hamiltonian& hamiltonian, std::vector<double> k, std::vector<double> amplitudes) {
    Waves waves;
    waves.parts = is_complex(hamiltonian) ? 1 : 2;
    waves.k = std::move(k);
    waves.amplitudes = std::move(amplitudes);
    if (const auto* lattice = std::get_if<Lattice>(&hamiltonian)) {
        waves.extents = lattice->extents;
    } else if (const auto* cells = std::get_if<CellLattice>(&hamiltonian)) {
        waves.extents = cells->extents;
        waves.orbitals = cells->orbitals;
    } else {
        fail(Status::invalid_argument, "kpm.hamiltonian: plane waves need a lattice, and this is a matrix; give your ",
             "own start vectors by legato_kpm_create_given");
    }
    return waves;
}

void validate(const Waves& waves, const Hamiltonian& hamiltonian) {
    require_integer("kpm.n_k", static_cast<std::int64_t>(waves.count()), 1, max_vectors);
    require_within("kpm.k", waves.k, max_wave_number);
    require_within("kpm.amplitudes", waves.amplitudes, max_amplitude);
    const Waves expected = waves_on(hamiltonian, {}, {});
    const std::size_t elements = 2 * waves.count() * static_cast<std::size_t>(waves.orbitals);
    if (waves.extents != expected.extents || waves.orbitals != expected.orbitals || waves.parts != expected.parts ||
        waves.k.size() != 3 * waves.count() || (!waves.amplitudes.empty() && waves.amplitudes.size() != elements))
        fail(Status::invalid_argument, "kpm.k: the plane waves belong to another lattice");
}

}  // namespace legato::kpm
