#include "dfr/fields.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "core/parallel.hpp"
#include "core/ranks.hpp"
#include "core/state_origin.hpp"
#include "core/validate.hpp"
#include "dfr/division.hpp"
#include "dfr/extended_balance.hpp"
#include "dfr/trial.hpp"

namespace legato::dfr {
namespace {

constexpr const char* chosen_earlier =
    "the backend was chosen before (LEGATO_BACKEND or context.params.backend is auto), and a run keeps it, so that its "
    "results do not depend on the free memory; the call can be repeated: it then goes on with the CPU, and last digits "
    "may differ";

}  // namespace

Fields::Fields(Context& context, const Problem& problem, std::vector<Atom> atoms, Reads reads,
               const std::vector<Start>& starts, const BackendWish& wish)
    : context_(context), problem_(problem), reads_(reads) {
    validate(problem_);
    take_atoms(std::move(atoms));
    backend_ = context.choose_backend(trial_of(context, problem_, atoms_, wish.gradients), wish.saved_on);
    warn_of_other_backend(context, "dfr", wish.saved_on);
    if (backend_.backend == Backend::cuda) require_host_memory();  // more than with the CPU
    parts_.emplace(context, backend_.backend);
    shares_.resize(parts_->here());
    begin(starts);
}

void Fields::restart(std::vector<Atom> atoms, const std::vector<Start>& starts) {
    take_atoms(std::move(atoms));
    begin(starts);
}

// Checks the atoms.
void Fields::take_atoms(std::vector<Atom> atoms) {
    require_integer("dfr.n_atoms", static_cast<std::int64_t>(atoms.size()), 1, max_atoms);
    for (std::size_t i = 0; i < atoms.size(); ++i) validate(problem_, atoms[i], text("dfr.atoms[", i, "]"));
    for (Atom& atom : atoms) atom = balanced(problem_, atom);
    fields_.clear();  // they refer to atoms_
    for (Share& share : shares_) share.quadratures = {};
    atoms_ = std::move(atoms);
    require_host_memory();
}

void Fields::begin(const std::vector<Start>& starts) {
    fields_.resize(atoms_.size());
    finished_.assign(atoms_.size(), false);
    for (Share& share : shares_) share.atoms.clear();
    const std::vector<std::size_t> part_of = divide(problem_, atoms_, parts_->count());
    const std::size_t first = parts_->range(parts_->count(), 0).first;  // number of this rank's first part
    for (std::size_t i = 0; i < atoms_.size(); ++i)
        if (part_of[i] >= first && part_of[i] < first + shares_.size())
            shares_[part_of[i] - first].atoms.push_back(i);
        else
            fields_[i] = std::make_unique<SelfConsistentField>(problem_, atoms_[i]);
    parts_->side_by_side([&](std::size_t i) { begin(i, starts); });
    tell(false);
}

// The need is the same on every rank.
void Fields::require_host_memory() const {
    MemoryNeeds needs = host_needs_of_rank(context_, backend_.backend, problem_, atoms_);
    if (context_.ranks() > 1) needs.fixed += result_needs(problem_, atoms_).fixed;
    require_memory(text("dfr.n_atoms: ", atoms_.size(), " need"), needs, 1, free_memory(context_, Backend::cpu));
}

// Makes the engine and the fields of part `i`.
void Fields::begin(std::size_t i, const std::vector<Start>& starts) {
    Share& share = shares_[i];
    if (share.atoms.empty()) return;
    std::vector<Atom> atoms;
    for (const std::size_t atom : share.atoms) atoms.push_back(atoms_[atom]);
    const Context& context = context_of(i);
    share.threads = useful_threads(context, problem_, atoms);
    make_or_keep(share.engine, &share.derivatives_engine, context, text("dfr.n_atoms: ", atoms.size(), " need"), atoms);
    share.quadratures = make_quadratures(problem_, atoms, share.threads);
    share.engine->load(share.quadratures, share.threads);
    in_parallel(atoms.size(), share.threads, [&](std::size_t j) {
        const std::size_t atom = share.atoms[j];
        fields_[atom] = std::make_unique<SelfConsistentField>(problem_, atoms_[atom], share.quadratures.atoms[j], j,
                                                              share.threads, starts.empty() ? Start() : starts[atom]);
    });
}

// Makes an engine for these atoms. Engines of an earlier list stay if there is memory for both lists: `engine` and the
// idle one, which may be null.
void Fields::make_or_keep(std::unique_ptr<Engine>& engine, std::unique_ptr<Engine>* idle, const Context& context,
                          std::string_view who, std::span<const Atom> atoms) const {
    const Backend backend = backend_.backend;
    if (backend == Backend::cuda) {
        const MemoryNeeds needs = memory_needs(backend, problem_, atoms);
        if (needs.bytes(1) > free_memory(context, backend).bytes) {
            engine.reset();
            if (idle) idle->reset();
        }
        if (!engine) require_device_memory(context, who, needs);
    }
    if (!engine) engine = make_engine(context, backend);
}

// A run stays on the backend that `auto` has chosen. Otherwise its bits would depend on the free memory of the device.
void Fields::require_device_memory(const Context& context, std::string_view who, const MemoryNeeds& needs) const {
    try {
        require_memory(who, needs, 1, free_memory(context, Backend::cuda));
    } catch (const Error& error) {
        if (context_.options().backend != Backend::auto_) throw;
        fail(error.status(), error.what(), "; ", chosen_earlier);
    }
}

std::size_t Fields::unfinished() const {
    return static_cast<std::size_t>(std::count(finished_.begin(), finished_.end(), false));
}

std::size_t Fields::advance(bool tell_running) {
    if (reading_)
        fail(Status::numerical_error, "dfr: an error has ended this run while it read the fields of other ranks: it ",
             "cannot be continued; the fields that have finished before can be read");
    const std::size_t busy = unfinished();
    if (busy == 0) return 0;
    std::vector<std::size_t> orders;
    for (std::size_t i = 0; i < atoms_.size(); ++i)
        for (std::size_t s = 0; !finished_[i] && s < atoms_[i].exponents.size(); ++s)
            orders.push_back(largest_order(problem_, atoms_[i], s));
    parts_->side_by_side([&](std::size_t i) { advance(shares_[i], orders); });
    tell(tell_running);
    return busy;
}

// Threads share the atoms and also the species, because a list has many atoms, and a heavy atom
// has many species.
void Fields::advance(Share& share, const std::vector<std::size_t>& orders) {
    std::vector<SelfConsistentField*> fields;
    std::vector<std::pair<SelfConsistentField*, std::size_t>> species;  // (field, species)
    for (const std::size_t atom : share.atoms) {
        SelfConsistentField* const field = fields_[atom].get();
        if (field->finished()) continue;
        fields.push_back(field);
        for (std::size_t s = 0; s < field->species(); ++s) species.emplace_back(field, s);
    }
    if (fields.empty()) return;
    std::vector<Eigenproblem*> problems;
    for (const auto& [field, s] : species)
        if (!field->has_spinors()) problems.push_back(&field->eigenproblem(s));
    in_parallel(species.size(), share.threads, [&](std::size_t i) {
        if (!species[i].first->has_spinors()) species[i].first->pose_eigenproblem(species[i].second);
    });
    share.engine->solve(problems, orders);
    in_parallel(fields.size(), share.threads, [&](std::size_t i) { fields[i]->make_job(); });
    std::erase_if(fields, [](const auto* field) { return field->finished(); });
    std::erase_if(species, [](const auto& one) { return one.first->finished(); });
    std::vector<RepulsionJob> jobs;
    jobs.reserve(fields.size());
    for (SelfConsistentField* const field : fields) jobs.push_back(std::move(field->job()));
    share.engine->compute_repulsion(jobs);
    for (std::size_t i = 0; i < fields.size(); ++i) fields[i]->job() = std::move(jobs[i]);
    in_parallel(species.size(), share.threads,
                [&](std::size_t i) { species[i].first->take_repulsion(species[i].second); });
    in_parallel(fields.size(), share.threads, [&](std::size_t i) { fields[i]->close_iteration(); });
}

// Computes the gradients of the atoms of one part. Its engine has a basis that is twice as large.
void Fields::add_gradients(std::size_t part, std::vector<ExponentGradient>& gradients) {
    Share& share = shares_[part];
    std::vector<std::size_t> converged, places;  // of these atoms, in the list and in the share
    std::vector<Atom> larger;
    for (std::size_t place = 0; place < share.atoms.size(); ++place) {
        const std::size_t atom = share.atoms[place];
        if (fields_[atom]->summary().status != AtomStatus::converged) continue;
        converged.push_back(atom);
        places.push_back(place);
        larger.push_back(with_derivatives(atoms_[atom]));
    }
    if (converged.empty()) return;
    make_or_keep(share.derivatives_engine, nullptr, context_of(part),
                 text("dfr: the derivatives of ", converged.size(), " atoms need"), larger);
    Quadratures quadratures{std::vector<Quadrature>(converged.size()), share.quadratures.kernels};
    in_parallel(converged.size(), share.threads, [&](std::size_t j) {
        quadratures.atoms[j] = share.quadratures.atoms[places[j]];
        append_derivatives(quadratures.atoms[j], atoms_[converged[j]]);
    });
    std::vector<RepulsionJob> jobs;
    for (std::size_t j = 0; j < converged.size(); ++j) jobs.push_back(derivative_job(*fields_[converged[j]], j));
    share.derivatives_engine->load(quadratures, share.threads);
    share.derivatives_engine->compute_repulsion(jobs);
    in_parallel(converged.size(), share.threads, [&](std::size_t j) {
        ExponentGradient& gradient = gradients[converged[j]];
        const Atom& atom = atoms_[converged[j]];
        for (std::size_t s = 0; s < atom.exponents.size(); ++s)
            gradient.push_back(exponent_gradient(problem_, atom, *fields_[converged[j]], jobs[j], s));
    });
}

std::vector<ExponentGradient> Fields::exponent_gradients() {
    std::vector<ExponentGradient> gradients(atoms_.size());
    parts_->side_by_side([&](std::size_t i) { add_gradients(i, gradients); });
    if (context_.ranks() > 1) gather_gradients(gradients);
    for (std::size_t i = 0; i < atoms_.size(); ++i)
        if (!gradients[i].empty() && !atoms_[i].only_small.empty())
            gradients[i] = restricted_gradient(atoms_[i], gradients[i]);
    return gradients;
}

// Reads the gradients of the fields of other ranks. Every rank tells the number and the gradient of each of its atoms;
// a field that has not converged has none.
void Fields::gather_gradients(std::vector<ExponentGradient>& gradients) const {
    std::vector<double> mine;
    for (const Share& share : shares_)
        for (const std::size_t atom : share.atoms) {
            if (gradients[atom].empty()) continue;
            mine.push_back(static_cast<double>(atom));
            for (const auto& species : gradients[atom]) mine.insert(mine.end(), species.begin(), species.end());
        }
    const std::vector<double> all = gather_list<double>(context_, mine);
    for (auto at = all.begin(); at != all.end();) {
        const auto atom = static_cast<std::size_t>(*at++);
        gradients[atom].clear();
        for (const auto& exponents : atoms_[atom].exponents) {
            const auto end = at + std::ssize(exponents);
            gradients[atom].emplace_back(at, end);
            at = end;
        }
    }
}

// Tells all ranks the fields of this rank that have finished since the last call, and with `running` also the others.
void Fields::tell(bool running) {
    if (context_.ranks() > 1) {
        const bool with_states = reads_ == Reads::states;
        std::vector<std::byte> mine;
        for (const Share& share : shares_)
            for (const std::size_t atom : share.atoms) {
                if (finished_[atom] || (!running && !fields_[atom]->finished())) continue;
                const auto number = std::as_bytes(std::span(&atom, 1));
                mine.insert(mine.end(), number.begin(), number.end());
                fields_[atom]->write_record(mine, with_states);
            }
        const std::vector<std::byte> all = gather_list<std::byte>(context_, mine);
        reading_ = true;
        for (std::span<const std::byte> rest(all); !rest.empty();) {
            std::size_t atom = 0;
            std::copy_n(rest.begin(), sizeof(atom), reinterpret_cast<std::byte*>(&atom));
            rest = rest.subspan(sizeof(atom));
            fields_[atom]->read_record(rest, with_states);
        }
        reading_ = false;
    }
    for (std::size_t i = 0; i < fields_.size(); ++i) finished_[i] = fields_[i]->finished();
}

void Fields::warn(FailureWarnings& warnings, std::size_t atom, const std::string& warning) const {
    if (!warning.empty())
        warnings.add(context_, "dfr", "atoms",
                     text("atom ", atom, " (Z = ", atoms_[atom].nucleus.charge, "): ", warning));
}

}  // namespace legato::dfr
