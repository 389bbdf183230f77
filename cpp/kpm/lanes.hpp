// Complex vectors in engines that know only real numbers.
//
// Moments of a Hermitian H are real: only the real part of <y|x> is needed, which is the sum of the products of the
// real and of the imaginary parts. An engine therefore stores a complex vector as two lanes side by side, its real and
// its imaginary part, and treats them as two real vectors. Only the product with an element of H joins the two lanes:
//     re' += h_re re - h_im im,    im' += h_re im + h_im re.
// An engine may give the products of both lanes together, as those of the first lane; those of the second are then 0.
#pragma once

#include <memory>

#include "kpm/engine.hpp"

namespace legato::kpm {

// Returns an engine that gives the products of vectors, from one that gives those of their lanes. If the Hamiltonian is
// real, this is the same engine.
std::unique_ptr<Engine> with_added_lanes(std::unique_ptr<Engine> engine, const Hamiltonian& hamiltonian);

}  // namespace legato::kpm
