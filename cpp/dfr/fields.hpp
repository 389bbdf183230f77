// The self-consistent fields of a list of atoms, which iterate at the same time. Each part (work_parts.hpp) does all
// the work of its own atoms. The other ranks are told the results.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/context.hpp"
#include "core/failures.hpp"
#include "core/work_parts.hpp"
#include "dfr/engine.hpp"
#include "dfr/gradient.hpp"
#include "dfr/problem.hpp"
#include "dfr/scf.hpp"

namespace legato::dfr {

// What the choice of the backend depends on, besides the list.
struct BackendWish {
    std::optional<Backend> saved_on;  // backend of the saved run that goes on; `auto` takes it again if it can
    bool gradients = false;           // exponent_gradients() will be called
};

class Fields {
  public:
    // What every rank reads of all fields. With `summaries`, the states of a field can be read where it is computed.
    enum class Reads { summaries, states };

    // Checks problem and atoms, and chooses the backend. The context must outlive this object. `starts` has a member
    // for each atom, or none. Logs a warning if the backend is not that of the saved run. Collective.
    Fields(Context& context, const Problem& problem, std::vector<Atom> atoms, Reads reads = Reads::summaries,
           const std::vector<Start>& starts = {}, const BackendWish& wish = {});
    Fields(const Fields&) = delete;  // the engines refer to its members
    Fields& operator=(const Fields&) = delete;

    // Begins again with another list of atoms, on the same backend; the engines keep their memory. Collective. After
    // an error this object cannot be used any more.
    void restart(std::vector<Atom> atoms, const std::vector<Start>& starts = {});

    const Problem& problem() const { return problem_; }
    // With KineticBalance::extended these are the atoms with more functions (extended_balance.hpp).
    const std::vector<Atom>& atoms() const { return atoms_; }
    const BackendChoice& backend() const { return backend_; }
    std::size_t size() const { return fields_.size(); }
    const SelfConsistentField& operator[](std::size_t atom) const { return *fields_[atom]; }

    bool finished() const { return unfinished() == 0; }

    // Performs one iteration of every unfinished field, and returns how many these are. Collective. All ranks can then
    // read the finished fields, and with `tell_running` also the others. Fields that are not told stay as they were.
    std::size_t advance(bool tell_running = false);

    // Returns dE / d ln zeta [species][function] of each atom (gradient.hpp). It is empty for fields that have not
    // converged. Collective.
    std::vector<ExponentGradient> exponent_gradients();

    // Logs a warning that names the atom, unless it is empty.
    void warn(FailureWarnings& warnings, std::size_t atom, const std::string& warning) const;

  private:
    // The work of one part.
    struct Share {
        std::vector<std::size_t> atoms;
        int threads = 1;
        Quadratures quadratures;
        std::unique_ptr<Engine> engine, derivatives_engine;  // null before they are needed
    };

    void take_atoms(std::vector<Atom> atoms);
    void require_host_memory() const;
    void begin(const std::vector<Start>& starts);
    void begin(std::size_t i, const std::vector<Start>& starts);
    void make_or_keep(std::unique_ptr<Engine>& engine, std::unique_ptr<Engine>* idle, const Context& context,
                      std::string_view who, std::span<const Atom> atoms) const;
    void require_device_memory(const Context& context, std::string_view who, const MemoryNeeds& needs) const;
    const Context& context_of(std::size_t i) const { return parts_->count() == 1 ? context_ : parts_->context(i); }
    void advance(Share& share, const std::vector<std::size_t>& orders);
    void add_gradients(std::size_t part, std::vector<ExponentGradient>& gradients);
    void gather_gradients(std::vector<ExponentGradient>& gradients) const;
    void tell(bool running);
    std::size_t unfinished() const;

    Context& context_;
    Problem problem_;
    std::vector<Atom> atoms_;
    Reads reads_;
    BackendChoice backend_;
    std::optional<WorkParts> parts_;
    std::vector<Share> shares_;                                 // [parts of this rank]
    std::vector<std::unique_ptr<SelfConsistentField>> fields_;  // [atoms]
    std::vector<bool> finished_;                                // [atoms] all ranks know the result
    bool reading_ = false;  // fields of other ranks are being read; it remains true after an error
};

}  // namespace legato::dfr
