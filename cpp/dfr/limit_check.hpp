// Compares Dirac-Fock energies with the limit energy. A basis can give a lower energy than a complete one if
// species with kappa > 0 lack diffuse functions, or if functions near the nucleus are missing. Such an energy is not a
// valid result.
//
// The limit energy is approached by the energies in the bases of dfr/large_basis.hpp, from a coarse one to the largest.
// The energies in these bases are not below the limit energy. An energy above one of them is therefore not below it
// either. Most energies need only the coarse basis. The energies in the bases are kept until the process ends.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/context.hpp"
#include "dfr/fields.hpp"
#include "dfr/large_basis.hpp"
#include "dfr/problem.hpp"

namespace legato::dfr {

// Bases for the comparison, in this order. All have the diffuse functions of the largest one.
inline constexpr BasisTolerance limit_stages[] = {{1e-7, 2.2, 1e-11}, {1e-8, 2.0, 1e-11}, {}};

enum class Comparison : int {
    open = 0,
    above = 1,    // not below the limit
    below = 2,    // below the limit by more than the error of the limit
    unknown = 3,  // the energy in a large basis has not converged
};

struct ComparedEnergy {
    std::size_t atom = 0;  // index in the caller's list
    double energy = 0;
    Comparison outcome = Comparison::open;
    double limit = 0;  // energy of the last basis that it was compared with
};

class LimitCheck {
  public:
    // Nothing is logged to the context. `atoms` must outlive this object.
    LimitCheck(const Context& context, const Problem& problem, const std::vector<Atom>& atoms,
               std::vector<ComparedEnergy> energies);
    LimitCheck(const LimitCheck&) = delete;
    LimitCheck& operator=(const LimitCheck&) = delete;

    // Performs one more iteration in the large bases. Returns true when no comparison is open. A call that throws can
    // be repeated. Collective.
    bool advance();
    const std::vector<ComparedEnergy>& energies() const { return energies_; }

  private:
    // The energy of an atom in the large basis of a stage, if it is known.
    struct Limit {
        bool known = false;
        double energy = 0;  // NaN if it has not converged
        double rounding = 0;
    };

    void begin_stage();
    void begin_chunk();
    void end_chunk();
    void compare();

    Context context_;
    Problem problem_;
    const std::vector<Atom>& atoms_;
    std::vector<ComparedEnergy> energies_;
    std::size_t stage_ = 0;
    bool stage_has_begun_ = false;
    std::vector<Limit> limits_;       // [energies] of this stage
    std::vector<std::size_t> asked_;  // atoms whose limits are being computed
    std::unique_ptr<Fields> fields_;
};

// Forgets the energies in large bases that this process has calculated, for tests.
void forget_limits();

}  // namespace legato::dfr
