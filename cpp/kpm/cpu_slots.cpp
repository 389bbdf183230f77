// Slots on the CPU. A slot is one vector whose elements follow each other.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "kpm/chunk_layout.hpp"
#include "kpm/cpu_sites.hpp"
#include "kpm/lattice_sites.hpp"
#include "kpm/pages.hpp"
#include "kpm/row_sites.hpp"
#include "kpm/slot_layout.hpp"
#include "kpm/slot_products.hpp"
#include "kpm/slots.hpp"
#include "kpm/start_vectors.hpp"
#include "kpm/vacancies.hpp"

namespace legato::kpm {
namespace {

std::unique_ptr<Sites<double>> sites_for(const Problem& problem, const Hamiltonian& hamiltonian, Format format,
                                         int threads) {
    if (const auto* lattice = std::get_if<Lattice>(&hamiltonian); lattice && format == Format::stencil)
        return std::make_unique<LatticeSites<double>>(problem, *lattice, ChunkLayout(*lattice), threads);
    return std::make_unique<RowSites<double>>(problem, hamiltonian, format, threads);
}

class CpuSlots final : public Slots {
  public:
    CpuSlots(const Context& context, const Problem& problem, std::span<const Hamiltonian* const> operators,
             std::span<const Format> formats, std::size_t slots)
        : problem_(problem), layout_(layout_of_slots(operators)), vectors_(slots * layout_.stride) {
        const int threads =
            threads_for(context, static_cast<std::int64_t>(layout_.sites), static_cast<int>(layout_.lanes));
        std::size_t chunks = 0;
        for (std::size_t op = 0; op < operators.size(); ++op) {
            operators_.push_back(sites_for(problem, *operators[op], formats[op], threads));
            chunks = std::max(chunks, operators_.back()->segments().back());
        }
        sums_.resize(chunks * 2 * layout_.lanes);
        const std::size_t used = layout_.sites * layout_.lanes;
        for (std::size_t slot = 0; slot < slots; ++slot) std::fill(at(slot) + used, at(slot) + layout_.stride, 0.0);
        products_.emplace(VectorArray{vectors_.data(), layout_.stride, layout_.count, layout_.lanes}, slots,
                          context.threads());
    }

    void begin(std::int64_t realisation, const double* energies) override {
        for (const auto& one : operators_) one->begin({.realisation = realisation, .energies = energies});
    }

    void set_random(std::size_t slot, StartVectors kind, std::int64_t vector) override {
        over_elements([&](std::size_t first, std::size_t last) {
            fill_random(kind, static_cast<std::uint64_t>(problem_.seed), static_cast<std::uint64_t>(vector), 1,
                        layout_.lanes, first, last, at(slot) + first * layout_.lanes);
            clear_vacancies(slot, first, last);
        });
    }

    void set_site(std::size_t slot, std::int64_t site) override {
        over_elements([&](std::size_t first, std::size_t last) {
            std::fill(at(slot) + first * layout_.lanes, at(slot) + last * layout_.lanes, 0.0);
        });
        at(slot)[static_cast<std::size_t>(site) * layout_.lanes] = is_vacancy(vacancies(), site) ? 0 : 1;
    }

    void set(std::size_t slot, std::span<const double> elements) override {
        over_elements([&](std::size_t first, std::size_t last) {
            std::copy(elements.data() + first * layout_.lanes, elements.data() + last * layout_.lanes,
                      at(slot) + first * layout_.lanes);
            clear_vacancies(slot, first, last);
        });
    }

    // The kernels read y even if its factor is 0. Infinite numbers in it would matter then, so that x takes its place.
    void apply(std::size_t op, const Step& step, std::size_t x, std::size_t y, std::size_t to) override {
        operators_[op]->sweep({layout_.lanes, at(x), at(step.c == 0 ? x : y), at(to), step, sums_.data()});
        if (op > 0 && vacancies())
            over_elements([&](std::size_t first, std::size_t last) { clear_vacancies(to, first, last); });
    }

    void products(SlotRange left, SlotRange right, std::span<std::complex<double>> out) override {
        (*products_)(left.first, left.count, right.first, right.count, out);
    }

    void read(std::size_t slot, std::span<const std::int64_t> sites, std::span<std::complex<double>> out) override {
        for (std::size_t i = 0; i < sites.size(); ++i) {
            const double* const element = at(slot) + static_cast<std::size_t>(sites[i]) * layout_.lanes;
            out[i] = {element[0], layout_.lanes == 2 ? element[1] : 0.0};
        }
    }

    void read(std::size_t slot, std::span<double> elements) override {
        over_elements([&](std::size_t first, std::size_t last) {
            std::copy(at(slot) + first * layout_.lanes, at(slot) + last * layout_.lanes,
                      elements.data() + first * layout_.lanes);
        });
    }

  private:
    const std::uint32_t* vacancies() const { return operators_[0]->vacancies(); }

    void clear_vacancies(std::size_t slot, std::size_t first, std::size_t last) {
        for (std::size_t site = first; vacancies() && site < last; ++site)
            if (is_vacancy(vacancies(), static_cast<std::int64_t>(site)))
                std::fill_n(at(slot) + site * layout_.lanes, layout_.lanes, 0.0);
    }

    double* at(std::size_t slot) { return vectors_.data() + slot * layout_.stride; }

    // Calls work(first, last) for ranges of sites, each by the thread that sweeps over them.
    void over_elements(const std::function<void(std::size_t, std::size_t)>& work) const {
        operators_[0]->over_sites(layout_.lanes, work);
    }

    const Problem& problem_;
    SlotLayout layout_;
    std::vector<std::unique_ptr<Sites<double>>> operators_;
    std::vector<double> sums_;  // of chunks; not used
    Pages<double> vectors_;     // [slots][stride]
    std::optional<SlotProducts> products_;
};

}  // namespace

std::unique_ptr<Slots> make_cpu_slots(const Context& context, const Problem& problem,
                                      std::span<const Hamiltonian* const> operators, std::span<const Format> formats,
                                      std::size_t slots) {
    return std::make_unique<CpuSlots>(context, problem, operators, formats, slots);
}

MemoryNeeds cpu_product_needs(const SlotLayout& layout) {
    return {static_cast<std::int64_t>(SlotProducts::bytes(layout.count, layout.lanes, SIZE_MAX)), 0};
}

}  // namespace legato::kpm
