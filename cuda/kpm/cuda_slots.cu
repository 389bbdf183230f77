// Slots in device memory. A slot is one vector whose elements follow each other.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/buffer.hpp"
#include "core/shared_memory.hpp"
#include "core/upload.hpp"
#include "kpm/device_hamiltonian.cuh"
#include "kpm/device_vectors.cuh"
#include "kpm/product_kernels.cuh"
#include "kpm/slot_layout.hpp"
#include "kpm/slots.hpp"

namespace legato::kpm {
inline namespace slot_parts {

// Vectors of a side whose products are computed by one launch.
constexpr std::size_t launch_left = 256, launch_right = 64;

inline std::int64_t sums_of_products(const SlotLayout& layout) {
    return chunks_of_numbers(static_cast<std::int64_t>(layout.count)) *
           static_cast<std::int64_t>(launch_left * launch_right * layout.lanes);
}

// Copies the elements of some sites, with their lanes side by side.
template <class Number>
__global__ void gather_elements(const Number* vector, const std::int64_t* sites, std::int64_t count, int lanes,
                                Number* to) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * fill_threads + threadIdx.x;
    if (i < count * lanes) to[i] = vector[sites[i / lanes] * lanes + i % lanes];
}

class CudaSlots final : public Slots {
  public:
    CudaSlots(const Context& context, const Problem& problem, std::span<const Hamiltonian* const> operators,
              std::span<const Format> formats, std::size_t slots);

    void begin(std::int64_t realisation, const double* energies) override;
    void set_random(std::size_t slot, StartVectors kind, std::int64_t vector) override;
    void set_site(std::size_t slot, std::int64_t site) override;
    void set(std::size_t slot, std::span<const double> elements) override;
    void remove_vacancies(std::size_t slot) override;
    void apply(std::size_t op, const Step& step, std::size_t x, std::size_t y, std::size_t to) override;
    void products(SlotRange left, SlotRange right, std::span<std::complex<double>> out) override;
    void read(std::size_t slot, std::span<const std::int64_t> sites, std::span<std::complex<double>> out) override;
    void read(std::size_t slot, std::span<double> elements) override;

  private:
    double* at(std::size_t slot) const { return vectors_.data() + slot * layout_.stride; }
    std::size_t numbers() const { return layout_.sites * layout_.lanes; }
    std::span<const double> products_of(const DeviceProducts& products);
    template <int lanes, class Tile>
    void launch(const DeviceProducts& products) const;

    const Problem& problem_;
    int device_;
    SlotLayout layout_;
    std::int64_t chunks_;  // of products
    std::unique_ptr<cuda::Upload> upload_;
    std::vector<std::unique_ptr<DeviceHamiltonian<double>>> operators_;
    Buffer<double> sums_;          // of the chunks of steps; not used
    Buffer<double> product_sums_;  // [chunks][left][right][lanes]
    Buffer<double> products_;      // [left][right][lanes]
    Buffer<double> vectors_;       // [slots][stride]
    Buffer<std::int64_t> sites_;
    Buffer<double> elements_;
    std::vector<double> on_host_;
};

CudaSlots::CudaSlots(const Context& context, const Problem& problem, std::span<const Hamiltonian* const> operators,
                     std::span<const Format> formats, std::size_t slots)
    : problem_(problem),
      device_(context.options().device),
      layout_(layout_of_slots(operators)),
      chunks_(chunks_of_numbers(static_cast<std::int64_t>(layout_.count))) {
    std::size_t largest = numbers();
    for (std::size_t op = 0; op < operators.size(); ++op)
        if (formats[op] != Format::stencil)
            largest =
                std::max(largest, static_cast<std::size_t>(lanes_of(*operators[op]) * elements_of(*operators[op])));
    upload_ = std::make_unique<cuda::Upload>(context.threads(), sizeof(double) * largest);
    std::int64_t chunks = 0;
    for (std::size_t op = 0; op < operators.size(); ++op) {
        operators_.push_back(std::make_unique<DeviceHamiltonian<double>>(problem, *operators[op], formats[op], device_,
                                                                         context.threads(), upload_.get()));
        chunks = std::max(chunks, operators_.back()->chunks());
    }
    sums_ = Buffer<double>(static_cast<std::size_t>(chunks) * 2 * layout_.lanes);
    product_sums_ = Buffer<double>(static_cast<std::size_t>(sums_of_products(layout_)));
    products_ = Buffer<double>(launch_left * launch_right * layout_.lanes);
    vectors_ = Buffer<double>(slots * layout_.stride);
    cuda::allow_shared_memory(multiply_vectors<1, WideTile>, device_);
    cuda::allow_shared_memory(multiply_vectors<2, WideTile>, device_);
    cuda::allow_shared_memory(multiply_vectors<1, FlatTile>, device_);
    cuda::allow_shared_memory(multiply_vectors<2, FlatTile>, device_);
}

void CudaSlots::begin(std::int64_t realisation, const double* energies) {
    const cuda::DeviceScope scope(device_);
    for (const auto& one : operators_) one->begin({.realisation = realisation, .energies = energies});
}

void CudaSlots::set_random(std::size_t slot, StartVectors kind, std::int64_t vector) {
    const cuda::DeviceScope scope(device_);
    const auto sites = static_cast<std::int64_t>(layout_.sites);
    const auto lanes = static_cast<unsigned>(layout_.lanes);
    fill_vectors<<<dim3(blocks_for(sites, fill_threads), lanes), fill_threads>>>(
        kind, static_cast<std::uint64_t>(problem_.seed), static_cast<std::uint64_t>(vector),
        Panels{static_cast<std::int64_t>(lanes), 0, 1}, StoredSites{.count = sites, .lanes = static_cast<int>(lanes)},
        at(slot));
    check(cudaGetLastError(), "start vectors");
    remove_vacancies(slot);
}

void CudaSlots::set_site(std::size_t slot, std::int64_t site) {
    const cuda::DeviceScope scope(device_);
    check(cudaMemsetAsync(at(slot), 0, sizeof(double) * numbers()), "cudaMemset");
    const double one = 1;
    vectors_.upload({&one, 1}, slot * layout_.stride + static_cast<std::size_t>(site) * layout_.lanes);
    remove_vacancies(slot);
}

void CudaSlots::set(std::size_t slot, std::span<const double> elements) {
    const cuda::DeviceScope scope(device_);
    (*upload_)(elements.data(), elements.size(), at(slot));
}

void CudaSlots::remove_vacancies(std::size_t slot) {
    if (!operators_[0]->vacancies()) return;
    const cuda::DeviceScope scope(device_);
    const auto sites = static_cast<std::int64_t>(layout_.sites), lanes = static_cast<std::int64_t>(layout_.lanes);
    clear_vacancies<<<blocks_for(sites, fill_threads), fill_threads>>>(
        operators_[0]->vacancies(), Panels{lanes, 0, 1}, StoredSites{.count = sites, .lanes = static_cast<int>(lanes)},
        at(slot));
    check(cudaGetLastError(), "vacancies");
}

// The kernels overwrite y, which is therefore copied if the result goes elsewhere.
void CudaSlots::apply(std::size_t op, const Step& step, std::size_t x, std::size_t y, std::size_t to) {
    const cuda::DeviceScope scope(device_);
    if (step.c != 0 && y != to)
        check(cudaMemcpyAsync(at(to), at(y), sizeof(double) * numbers(), cudaMemcpyDeviceToDevice), "cudaMemcpy");
    const auto lanes = static_cast<std::int64_t>(layout_.lanes);
    operators_[op]->launch(
        {step.a, step.b, step.c, true, at(x), at(to), sums_.data(), static_cast<std::int64_t>(numbers()), 1}, lanes);
    check(cudaGetLastError(), "step");
    remove_vacancies(to);  // kernels leave out the rows of vacancies
}

template <int lanes, class Tile>
void CudaSlots::launch(const DeviceProducts& p) const {
    const std::int64_t tiles =
        std::int64_t{(p.lefts + Tile::left - 1) / Tile::left} * ((p.rights + Tile::right - 1) / Tile::right);
    multiply_vectors<lanes, Tile><<<static_cast<unsigned>(tiles * chunks_), product_threads, Tile::bytes>>>(p);
}

// Returns the products of up to launch_left x launch_right vectors, [left][right][lanes].
std::span<const double> CudaSlots::products_of(const DeviceProducts& p) {
    const bool is_flat = p.lefts <= FlatTile::left, is_complex = layout_.lanes == 2;
    if (is_complex)
        is_flat ? launch<2, FlatTile>(p) : launch<2, WideTile>(p);
    else
        is_flat ? launch<1, FlatTile>(p) : launch<1, WideTile>(p);
    const std::size_t count = static_cast<std::size_t>(p.lefts) * static_cast<std::size_t>(p.rights) * layout_.lanes;
    add_product_chunks<<<blocks_for(static_cast<std::int64_t>(count), product_sum_threads), product_sum_threads>>>(
        product_sums_.data(), chunks_, static_cast<std::int64_t>(count), products_.data());
    check(cudaGetLastError(), "products of vectors");
    on_host_.resize(count);
    products_.download(on_host_);
    return on_host_;
}

void CudaSlots::products(SlotRange left, SlotRange right, std::span<std::complex<double>> out) {
    const cuda::DeviceScope scope(device_);
    const auto count = static_cast<std::int64_t>(layout_.count);
    for (std::size_t i = 0; i < left.count; i += launch_left)
        for (std::size_t j = 0; j < right.count; j += launch_right) {
            const std::size_t lefts = std::min(launch_left, left.count - i),
                              rights = std::min(launch_right, right.count - j);
            const std::span<const double> some =
                products_of({vectors_.data(), static_cast<std::int64_t>(layout_.stride), count, numbers_of_chunk(count),
                             static_cast<int>(left.first + i), static_cast<int>(lefts),
                             static_cast<int>(right.first + j), static_cast<int>(rights), product_sums_.data()});
            for (std::size_t pair = 0; pair < lefts * rights; ++pair) {
                const double* const from = some.data() + pair * layout_.lanes;
                out[(i + pair / rights) * right.count + j + pair % rights] = {from[0],
                                                                              layout_.lanes == 2 ? from[1] : 0.0};
            }
        }
}

void CudaSlots::read(std::size_t slot, std::span<const std::int64_t> sites, std::span<std::complex<double>> out) {
    const cuda::DeviceScope scope(device_);
    const std::size_t count = sites.size() * layout_.lanes;
    if (count == 0) return;
    cuda::grow(sites_, sites.size());
    cuda::grow(elements_, count);
    sites_.upload(sites);
    gather_elements<<<blocks_for(static_cast<std::int64_t>(count), fill_threads), fill_threads>>>(
        at(slot), sites_.data(), static_cast<std::int64_t>(sites.size()), static_cast<int>(layout_.lanes),
        elements_.data());
    check(cudaGetLastError(), "elements of a vector");
    on_host_.resize(count);
    elements_.download(on_host_);
    for (std::size_t i = 0; i < sites.size(); ++i)
        out[i] = {on_host_[i * layout_.lanes], layout_.lanes == 2 ? on_host_[2 * i + 1] : 0.0};
}

void CudaSlots::read(std::size_t slot, std::span<double> elements) {
    const cuda::DeviceScope scope(device_);
    vectors_.download(elements, slot * layout_.stride);
}

}  // namespace slot_parts

MemoryNeeds cuda_product_needs(const SlotLayout& layout) {
    const auto products = static_cast<std::int64_t>(launch_left * launch_right * layout.lanes);
    return {static_cast<std::int64_t>(sizeof(double)) * (sums_of_products(layout) + products), 0};
}

std::unique_ptr<Slots> make_cuda_slots(const Context& context, const Problem& problem,
                                       std::span<const Hamiltonian* const> operators, std::span<const Format> formats,
                                       std::size_t slots) {
    const cuda::DeviceScope scope(context.options().device);
    return std::make_unique<CudaSlots>(context, problem, operators, formats, slots);
}

}  // namespace legato::kpm
