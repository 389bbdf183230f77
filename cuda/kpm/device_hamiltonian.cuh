// A Hamiltonian in device memory, and the launches of a step with it.
#pragma once

#include <cstdint>
#include <optional>

#include "core/upload.hpp"
#include "kpm/cell_steps.cuh"
#include "kpm/device_vacancies.cuh"
#include "kpm/drawn_energies.cuh"
#include "kpm/engine.hpp"
#include "kpm/lattice_steps.cuh"
#include "kpm/matrix_steps.cuh"
#include "kpm/recursion_kernels.cuh"

namespace legato::kpm {
inline namespace engine_parts {

template <class Element>
class DeviceHamiltonian {
  public:
    // `upload` copies matrices. It may be null with Format::stencil.
    DeviceHamiltonian(const Problem& problem, const Hamiltonian& hamiltonian, Format format, int device, int threads,
                      cuda::Upload* upload)
        : problem_(problem),
          hamiltonian_(hamiltonian),
          threads_(threads),
          upload_(upload),
          energies_(problem, disorder_of(hamiltonian), 0, sites_of(hamiltonian)),
          vacancies_(problem, hamiltonian) {
        const auto* lattice = std::get_if<Lattice>(&hamiltonian);
        if (lattice && format == Format::stencil) {
            lattice_.emplace(problem, *lattice, layout_of(*lattice), device);
        } else if (format == Format::stencil) {
            const auto& cells = std::get<CellLattice>(hamiltonian);
            const auto segments = static_cast<std::size_t>(cell_walk_of(cells).segment_count());
            cells_.emplace(problem, cells, SegmentRange{0, segments}, vacancies_.words(), device);
        } else {
            matrix_.emplace(format, walk_of(hamiltonian), longest_row(hamiltonian));
            if (const auto matrix = matrix_in(hamiltonian)) matrix_->use(*matrix, *upload_, threads_);
            matrix_->add_energies(energies_.data());
        }
    }

    // Returns the number of chunks, and that of a segment.
    std::int64_t chunks() const { return lattice_ ? lattice_->layout().chunks() : walk().chunks(); }
    std::int64_t chunks_of_segment() const {
        return lattice_ ? lattice_->layout().layers_of_segment * lattice_->layout().tiles()
                        : walk().chunks_of_segment();
    }
    std::int64_t widest_panel() const {
        return lattice_ ? widest_lattice_panel : cells_ ? cells_->widest_panel() : widest_matrix_panel<Element>;
    }
    // Returns the steps of a simple lattice with Format::stencil, or null.
    const LatticeSteps<Element>* lattice() const { return lattice_ ? &*lattice_ : nullptr; }

    // Sets the on-site energies and the vacancies to those of the block's realisation.
    void begin(const Block& block) {
        if (lattice_)
            lattice_->begin(block.realisation);
        else if (cells_)
            cells_->begin(block.realisation);
        else
            begin_matrix(block.realisation);
        energies_.begin(block);
        vacancies_.begin(block.realisation);
    }

    // Returns the set of the vacancies of the realisation, or null if there are none.
    const std::uint32_t* vacancies() const { return vacancies_.words(); }

    void launch(const DeviceStep<Element>& step, std::int64_t width) const {
        if (lattice_)
            lattice_->all(step, width, nullptr);
        else if (cells_)
            cells_->all(step, width, nullptr);
        else
            matrix_->all(step, width, nullptr);
    }

  private:
    const RowWalk& walk() const { return cells_ ? cells_->walk() : matrix_->walk(); }

    // Makes the matrix of a lattice.
    void begin_matrix(std::int64_t realisation) {
        if (!is_lattice(hamiltonian_) || realisation == realisation_ || (realisation_ >= 0 && !is_random(hamiltonian_)))
            return;
        const auto seed = static_cast<std::uint64_t>(problem_.seed);
        matrix_->use(view_of(matrix_of(hamiltonian_, seed, realisation, threads_)), *upload_, threads_);
        realisation_ = realisation;
    }

    const Problem& problem_;
    const Hamiltonian& hamiltonian_;
    int threads_;
    cuda::Upload* upload_;
    std::int64_t realisation_ = -1;
    RowEnergies energies_;  // of the disorder of a matrix
    DeviceVacancies vacancies_;
    // One of these: for a simple or a unit-cell lattice with Format::stencil, or for another format.
    std::optional<LatticeSteps<Element>> lattice_;
    std::optional<CellSteps<Element>> cells_;
    std::optional<MatrixSteps<Element>> matrix_;
};

}  // namespace engine_parts
}  // namespace legato::kpm
