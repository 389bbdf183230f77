// Saving and resuming. A state file of method "kpm", schema 1, with N moments of `done` samples has the entries
//     problem/<member of Problem>           scalars, but for sites [n_sites]
//     hamiltonian/sites, fingerprint        identify the Hamiltonian
//     rescaling/centre, half_width
//     samples/done, moments [done x N]
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/parameter.hpp"
#include "core/state_origin.hpp"
#include "kpm/solver.hpp"

namespace legato::kpm {
namespace {

// A hash of 64-bit words in their order. Each step is invertible, so that any single change is detected.
class Fingerprint {
  public:
    template <class T>
    void add(T value) {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
        std::uint64_t word = 0;
        std::memcpy(&word, &value, sizeof(T));
        hash_ = (hash_ ^ word) * 0x9e3779b97f4a7c15u;
        hash_ ^= hash_ >> 29;
    }
    template <class T>
    void add_all(const std::vector<T>& values) {
        add(values.size());
        for (const T value : values) add(value);
    }
    std::int64_t value() const { return static_cast<std::int64_t>(hash_); }

  private:
    std::uint64_t hash_ = 0x6b706d;
};

// Adds the matrix as if indices counted from 0 and no element were 0.
void add_matrix(Fingerprint& print, const CrsView& matrix) {
    const auto rows = static_cast<std::size_t>(matrix.rows), elements = static_cast<std::size_t>(matrix.elements);
    print.add(rows + 1);
    std::size_t count = 0;
    print.add(count);
    for (std::size_t row = 0; row < rows; ++row) {
        const auto zeros = std::count(matrix.values + matrix.begin(row), matrix.values + matrix.end(row), 0.0);
        count += matrix.end(row) - matrix.begin(row) - static_cast<std::size_t>(zeros);
        print.add(count);
    }
    print.add(count);
    for (std::size_t k = 0; k < elements; ++k)
        if (matrix.values[k] != 0) print.add(static_cast<std::int32_t>(matrix.column(k)));
    print.add(count);
    for (std::size_t k = 0; k < elements; ++k)
        if (matrix.values[k] != 0) print.add(matrix.values[k]);
}

std::int64_t fingerprint(const Hamiltonian& hamiltonian) {
    Fingerprint print;
    print.add(std::size_t{std::holds_alternative<Lattice>(hamiltonian) ? 0U : 1U});
    if (const auto* lattice = std::get_if<Lattice>(&hamiltonian)) {
        for (std::size_t d = 0; d < 3; ++d) {
            print.add(lattice->extents[d]);
            print.add(lattice->boundary[d] == Boundary::periodic);
        }
        print.add(lattice->hopping);
        print.add(static_cast<int>(lattice->on_site));
        print.add(lattice->energy);
        print.add(lattice->disorder);
        print.add_all(lattice->energies);
        return print.value();
    }
    add_matrix(print, *matrix_in(hamiltonian));
    return print.value();
}

void put_problem(StateWriter& writer, Problem problem) {
    if (problem.bounds != Bounds::interval) problem.lowest = problem.highest = 0;  // they may be out of range
    put_parameters(writer, problem);
    const PutFields put(writer);
    put("problem/sites", problem.sites);
}

Problem get_problem(const StateReader& reader, const Hamiltonian& hamiltonian) {
    Problem problem;
    get_parameters(reader, problem);
    const GetFields get(reader);
    get("problem/sites", problem.sites);
    reader.require_known("problem");
    reader.require_valid([&] { validate(problem, hamiltonian); });
    return problem;
}

void require_same(const StateReader& reader, const Hamiltonian& hamiltonian) {
    const std::int64_t sites = reader.get_int("hamiltonian/sites");
    if (sites != sites_of(hamiltonian))
        reader.refuse(text("it belongs to a Hamiltonian of ", sites, " sites, not of ", sites_of(hamiltonian)));
    if (reader.get_int("hamiltonian/fingerprint") != fingerprint(hamiltonian))
        reader.refuse("it belongs to another Hamiltonian");
}

Rescaling get_rescaling(const StateReader& reader) {
    const Rescaling rescaling{reader.get_real("rescaling/centre"), reader.get_real("rescaling/half_width")};
    if (!(rescaling.half_width > 0))
        reader.refuse(text("entry rescaling/half_width: found ", rescaling.half_width, ", expected more than 0"));
    return rescaling;
}

std::vector<double> get_moments(const StateReader& reader, std::int64_t count) {
    std::vector<double> moments = reader.get_reals("samples/moments", static_cast<std::size_t>(count));
    for (const double moment : moments)
        if (std::abs(moment) > max_element)
            reader.refuse(text("entry samples/moments: found ", moment, ", expected within +-", max_element));
    return moments;
}

}  // namespace

void Solver::write(StateWriter& writer) const {
    put_problem(writer, problem_);
    writer.put("hamiltonian/sites", sites_of(*hamiltonian_));
    writer.put("hamiltonian/fingerprint", fingerprint(*hamiltonian_));
    writer.put("rescaling/centre", rescaling_.centre);
    writer.put("rescaling/half_width", rescaling_.half_width);
    writer.put("samples/done", done_);
    writer.put("samples/moments",
               std::span(moments_).first(static_cast<std::size_t>(done_) * static_cast<std::size_t>(problem_.moments)));
    put_backend(writer, backend_.backend);
}

// Reads and checks the whole file before a backend is chosen and its memory is taken.
std::unique_ptr<Solver> Solver::read(Context& context, StateReader reader, std::shared_ptr<const Hamiltonian> prepared,
                                     StartVectorSource source) {
    require_same(reader, *prepared);
    const Problem problem = get_problem(reader, *prepared);
    const Saved saved{get_rescaling(reader), saved_backend(reader)};
    const std::int64_t done = reader.get_int("samples/done", 0, samples_of(problem));
    const std::vector<double> moments = get_moments(reader, done * problem.moments);
    reader.close();
    std::unique_ptr<Solver> solver(new Solver(context, problem, std::move(prepared), std::move(source), &saved));
    solver->moments_.assign(moments.begin(), moments.end());  // uses the memory reserved for all samples
    solver->done_ = done;
    solver->check_enclosure(moments, 0);  // versions before 0.2 did not look for them
    warn_of_other_backend(context, run_name, saved.backend);
    return solver;
}

}  // namespace legato::kpm
