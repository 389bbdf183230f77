// Vectors of a Hamiltonian that are kept in numbered slots, for everything that needs products of different vectors:
// double expansions, and Green's functions between different vectors.
//
// If one of the operators is complex, elements of all vectors are complex, with real and imaginary parts side by side
// (two lanes). A real operator multiplies both lanes alike.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/context.hpp"
#include "core/memory.hpp"
#include "kpm/engine.hpp"
#include "kpm/problem.hpp"

namespace legato::kpm {

// A number of slots one after the other.
struct SlotRange {
    std::size_t first = 0, count = 0;
};

// All results are bitwise identical in every run, with any number of threads, and however products are divided into
// ranges.
class Slots {
  public:
    virtual ~Slots() = default;

    // Sets the random on-site energies of the operators to those of a realisation. `energies` are those of all sites
    // from the source of a matrix's disorder, or null.
    virtual void begin(std::int64_t realisation, const double* energies) = 0;

    // These functions set a slot to random start vector number `vector` of all, to a vector with one element 1, or to
    // elements of the caller, two numbers for each element if vectors are complex. Elements at vacancies become 0.
    virtual void set_random(std::size_t slot, StartVectors kind, std::int64_t vector) = 0;
    virtual void set_site(std::size_t slot, std::int64_t site) = 0;
    virtual void set(std::size_t slot, std::span<const double> elements) = 0;

    // Computes slot `to` = a O x + b x + c y with operator number `op`, where x and y are slots. `to` may be y but not
    // x. If c is 0, y is not read. O is an operator as given to make_slots(). Elements at vacancies of the Hamiltonian
    // are 0 in all slots.
    virtual void apply(std::size_t op, const Step& step, std::size_t x, std::size_t y, std::size_t to) = 0;

    // Computes <l|r> = sum_i conj(l_i) r_i for all slots of two ranges, out[left][right].
    virtual void products(SlotRange left, SlotRange right, std::span<std::complex<double>> out) = 0;

    // Reads the elements of a slot at these sites, or at all sites.
    virtual void read(std::size_t slot, std::span<const std::int64_t> sites, std::span<std::complex<double>> out) = 0;
    virtual void read(std::size_t slot, std::span<double> elements) = 0;
};

// Returns the memory that slots need in all (the operators, sums) and for each slot.
MemoryNeeds slot_needs(Backend backend, const Problem& problem, std::span<const Hamiltonian* const> operators,
                       std::span<const Format> formats);

// Makes slots for operators with the same number of sites. The first operator is the Hamiltonian. All arguments but the
// spans must outlive the slots.
std::unique_ptr<Slots> make_slots(const Context& context, Backend backend, const Problem& problem,
                                  std::span<const Hamiltonian* const> operators, std::span<const Format> formats,
                                  std::size_t slots);
std::unique_ptr<Slots> make_cpu_slots(const Context& context, const Problem& problem,
                                      std::span<const Hamiltonian* const> operators, std::span<const Format> formats,
                                      std::size_t slots);
std::unique_ptr<Slots> make_cuda_slots(const Context& context, const Problem& problem,
                                       std::span<const Hamiltonian* const> operators, std::span<const Format> formats,
                                       std::size_t slots);

}  // namespace legato::kpm
