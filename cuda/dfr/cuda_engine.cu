// The CUDA engine. The tables of all atoms are in device memory. A call uploads its densities, and downloads its
// matrices, in one piece each. Buffers stay for later lists: pages of fresh host memory cost more time than the copies.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/buffer.hpp"
#include "core/eigensolver.hpp"
#include "core/parallel.hpp"
#include "core/upload.hpp"
#include "dfr/engine.hpp"
#include "dfr/repulsion_kernels.cuh"

namespace legato::dfr {
inline namespace engine_parts {

using cuda::Buffer;
using cuda::check;

// Offsets of the tables of one atom in the buffer of all atoms.
struct Tables {
    int points = 0;
    std::vector<std::size_t> large, small;  // [species]
    std::vector<int> functions;
};

class CudaEngine final : public Engine {
  public:
    explicit CudaEngine(const Context& context) : context_(context), device_(context.options().device) {}

    void load(const Quadratures& quadratures, int threads) override;
    void compute_repulsion(std::span<RepulsionJob> jobs) override;
    void solve(std::span<Eigenproblem* const> problems, std::span<const std::size_t> orders) override;

  private:
    // The layout of the data of a call: what is uploaded, what stays on the device, and what is downloaded.
    struct Layout {
        std::vector<double> up;
        std::size_t scratch = 0, down = 0;  // numbers of doubles
        std::vector<DeviceDensity> densities;
        std::vector<DeviceTarget> targets;
        int most_points = 0, most_functions = 0;
    };

    const double* phi(const std::vector<std::size_t>& offsets, int species) const {
        return offsets.empty() ? nullptr : data_.data() + offsets[static_cast<std::size_t>(species)];
    }
    void repel_together(std::span<RepulsionJob> jobs);
    void take(std::span<RepulsionJob> jobs, std::span<const double> from) const;
    bool solve_on_device(std::span<Eigenproblem* const> problems, std::size_t order);
    Layout lay_out(std::span<const RepulsionJob> jobs);
    void launch(const Layout& layout) const;

    const Context& context_;
    int device_, threads_ = 1, pairs_ = 1;
    bool has_magnetic_ = false;
    std::vector<Tables> tables_;
    std::unique_ptr<cuda::Upload> upload_;
    Buffer<double> data_;
    DeviceKernels kernels_{};
    Buffer<DeviceAtom> atoms_;
    Buffer<double> up_, scratch_, down_;  // data of a call; the buffers grow
    cuda::HostBuffer downloaded_;
    Buffer<DeviceDensity> densities_;
    Buffer<DeviceTarget> targets_;
    std::unique_ptr<cuda::Eigensolver> eigensolver_;  // created when it first pays off
    bool no_eigensolver_ = false;
};

void CudaEngine::load(const Quadratures& quadratures, int threads) {
    const cuda::DeviceScope scope(device_);
    threads_ = threads;
    pairs_ = quadratures.atoms.front().small.empty() ? 1 : 3;
    std::vector<const std::vector<double>*> parts;
    std::size_t size = 0, most = 0;
    const auto append = [&](const std::vector<double>& values) {
        parts.push_back(&values);
        most = std::max(most, values.size());
        return std::exchange(size, size + values.size());
    };
    const Kernels& kernels = quadratures.kernels;
    const std::size_t coulomb = append(kernels.coulomb), exchange = size;
    for (const auto& kernel : kernels.exchange) append(kernel);
    const std::size_t magnetic = size;
    for (const auto& of_pair : kernels.magnetic)
        for (const auto& kernel : of_pair) append(kernel);
    has_magnetic_ = kernels.has_magnetic();
    std::vector<std::size_t> radii;
    tables_.clear();
    for (const Quadrature& q : quadratures.atoms) {
        Tables tables;
        tables.points = static_cast<int>(q.grid.points);
        radii.push_back(append(q.inverse_root_radius));
        for (const Matrix& phi : q.large) {
            tables.functions.push_back(static_cast<int>(phi.columns));
            tables.large.push_back(append(phi.values));
        }
        for (const Matrix& phi : q.small) tables.small.push_back(append(phi.values));
        tables_.push_back(std::move(tables));
    }
    grow(data_, size);
    if (!upload_) upload_ = std::make_unique<cuda::Upload>(threads, sizeof(double) * most);
    double* to = data_.data();
    for (const std::vector<double>* part : parts) {
        (*upload_)(part->data(), part->size(), to);
        to += part->size();
    }
    kernels_ = {static_cast<int>(kernels.reach), kernels.species, data_.data() + coulomb, data_.data() + exchange,
                data_.data() + magnetic};
    std::vector<DeviceAtom> device_atoms;
    for (std::size_t a = 0; a < tables_.size(); ++a)
        device_atoms.push_back({tables_[a].points, data_.data() + radii[a]});
    grow(atoms_, device_atoms.size());
    atoms_.upload(device_atoms);
}

CudaEngine::Layout CudaEngine::lay_out(std::span<const RepulsionJob> jobs) {
    Layout layout;
    const auto append = [&layout](const std::vector<double>& values) {
        layout.up.insert(layout.up.end(), values.begin(), values.end());
        return layout.up.size() - values.size();
    };
    const auto take = [](std::size_t& counter, std::size_t size) { return std::exchange(counter, counter + size); };
    // The offsets are found first. Pointers are set when the buffers are large enough.
    struct Offsets {
        std::size_t up[2], scratch[3];
    };
    std::vector<Offsets> density_offsets, target_offsets;
    for (const RepulsionJob& job : jobs) {
        const Tables& tables = tables_[job.atom];
        const auto points = static_cast<std::size_t>(tables.points);
        const auto first = static_cast<int>(layout.densities.size());
        layout.most_points = std::max(layout.most_points, tables.points);
        for (const Density& d : job.densities) {
            const std::size_t values = points * d.large.columns;
            density_offsets.push_back(
                {{append(d.large.values), append(d.small.values)},
                 {take(layout.scratch, values), take(layout.scratch, values), take(layout.scratch, points)}});
            layout.densities.push_back({atoms_.data() + job.atom, d.species, static_cast<int>(d.large.rows),
                                        static_cast<int>(d.large.columns), phi(tables.large, d.species),
                                        phi(tables.small, d.species), nullptr, nullptr, nullptr, nullptr, nullptr});
        }
        for (const Target& t : job.targets) {
            const int functions = tables.functions[static_cast<std::size_t>(t.species)];
            const auto n = static_cast<std::size_t>(functions), order = pairs_ == 1 ? n : 2 * n;
            layout.most_functions = std::max(layout.most_functions, functions);
            target_offsets.push_back(
                {{append(t.factors), 0},
                 {take(layout.scratch, points), take(layout.scratch, static_cast<std::size_t>(pairs_) * points * n),
                  take(layout.down, order * order)}});
            layout.targets.push_back({atoms_.data() + job.atom, t.species, functions, first,
                                      static_cast<int>(job.densities.size()), nullptr, phi(tables.large, t.species),
                                      phi(tables.small, t.species), nullptr, nullptr, nullptr});
        }
    }
    grow(up_, layout.up.size());
    grow(scratch_, layout.scratch);
    grow(down_, layout.down);
    for (std::size_t d = 0; d < layout.densities.size(); ++d) {
        DeviceDensity& density = layout.densities[d];
        density.large = up_.data() + density_offsets[d].up[0];
        density.small = up_.data() + density_offsets[d].up[1];
        density.grid_large = scratch_.data() + density_offsets[d].scratch[0];
        density.grid_small = scratch_.data() + density_offsets[d].scratch[1];
        density.charge = scratch_.data() + density_offsets[d].scratch[2];
    }
    for (std::size_t t = 0; t < layout.targets.size(); ++t) {
        DeviceTarget& target = layout.targets[t];
        target.factors = up_.data() + target_offsets[t].up[0];
        target.potential = scratch_.data() + target_offsets[t].scratch[0];
        target.half = scratch_.data() + target_offsets[t].scratch[1];
        target.out = down_.data() + target_offsets[t].scratch[2];
    }
    return layout;
}

void CudaEngine::launch(const Layout& layout) const {
    const auto pieces = [](int size, int piece) { return static_cast<unsigned>((size + piece - 1) / piece); };
    const auto pairs = static_cast<unsigned>(pairs_), density_count = static_cast<unsigned>(layout.densities.size()),
               target_count = static_cast<unsigned>(layout.targets.size());
    const unsigned point_blocks = pieces(layout.most_points, point_threads);
    density_on_grid<<<dim3(point_blocks, density_count), point_threads>>>(densities_.data());
    coulomb_potential<<<dim3(point_blocks, target_count), point_threads,
                        sizeof(double) * static_cast<std::size_t>(layout.most_points)>>>(kernels_, targets_.data(),
                                                                                         densities_.data());
    const unsigned column_tiles = pieces(layout.most_functions, column_tile);
    const auto exchange = has_magnetic_ ? exchange_half<true> : exchange_half<false>;
    exchange<<<dim3(pieces(layout.most_points, tile) * column_tiles, pairs, target_count), exchange_threads>>>(
        kernels_, targets_.data(), densities_.data(), static_cast<int>(column_tiles));
    constexpr int warps = 8;
    finish_repulsion<<<dim3(pieces(layout.most_functions * layout.most_functions, warps), pairs, target_count),
                       32 * warps>>>(targets_.data(), pairs_ == 1 ? 1 : 2);
    check(cudaGetLastError(), "repulsion kernels");
}

// Returns how many of the first jobs one launch takes: their densities and their targets are at most 65535 each.
std::size_t jobs_of_a_launch(std::span<const RepulsionJob> jobs) {
    constexpr std::size_t most = 65535;
    std::size_t count = 0, densities = 0, targets = 0;
    for (; count < jobs.size(); ++count) {
        densities += jobs[count].densities.size();
        targets += jobs[count].targets.size();
        if (std::max(densities, targets) > most) break;
    }
    return std::max<std::size_t>(count, 1);
}

void CudaEngine::compute_repulsion(std::span<RepulsionJob> jobs) {
    const cuda::DeviceScope scope(device_);
    while (!jobs.empty()) {
        const std::size_t count = jobs_of_a_launch(jobs);
        repel_together(jobs.first(count));
        jobs = jobs.subspan(count);
    }
}

void CudaEngine::repel_together(std::span<RepulsionJob> jobs) {
    const Layout layout = lay_out(jobs);
    if (layout.targets.empty()) return;
    up_.upload(layout.up);
    grow(densities_, layout.densities.size());
    densities_.upload(layout.densities);
    grow(targets_, layout.targets.size());
    targets_.upload(layout.targets);
    launch(layout);
    grow(downloaded_, sizeof(double) * layout.down);
    const std::span<double> down(static_cast<double*>(downloaded_.data()), layout.down);
    down_.download(down);
    take(jobs, down);
}

// Copies the matrices of all targets, which follow one another in `from`.
void CudaEngine::take(std::span<RepulsionJob> jobs, std::span<const double> from) const {
    struct Part {
        Matrix* to;
        const double* from;
    };
    std::vector<Part> parts;
    const double* at = from.data();
    for (RepulsionJob& job : jobs) {
        job.repulsion.resize(job.targets.size());
        for (std::size_t t = 0; t < job.targets.size(); ++t) {
            const auto s = static_cast<std::size_t>(job.targets[t].species);
            const auto n = static_cast<std::size_t>(tables_[job.atom].functions[s]), order = pairs_ == 1 ? n : 2 * n;
            job.repulsion[t].rows = job.repulsion[t].columns = order;
            parts.push_back({&job.repulsion[t], at});
            at += order * order;
        }
    }
    in_parallel(parts.size(), threads_, [&](std::size_t i) {
        Matrix& v = *parts[i].to;
        v.values.assign(parts[i].from, parts[i].from + v.rows * v.columns);
    });
}

// Solves eigenproblems with cuSOLVER only if the host would be busy for long, because opening cuSOLVER takes some
// tenths of a second. The choice and the padded order change last digits. They are therefore made from the problems of
// all parts, and for a usual number of host threads instead of the actual one.
void CudaEngine::solve(std::span<Eigenproblem* const> problems, std::span<const std::size_t> orders) {
    constexpr double usual_threads = 4;
    const cuda::DeviceScope scope(device_);
    const double host = cuda::Eigensolver::host_seconds(orders) / usual_threads;
    const bool is_worth_while = host > 5e-3 && cuda::Eigensolver::device_seconds(orders) < 0.7 * host;
    if (!is_worth_while || !solve_on_device(problems, *std::max_element(orders.begin(), orders.end())))
        legato::solve(problems, threads_);
}

// Returns false if cuSOLVER cannot be opened or has too little memory, and always from then on. A lack of memory is
// worth a warning, because it may differ from run to run; the message has the size.
bool CudaEngine::solve_on_device(std::span<Eigenproblem* const> problems, std::size_t order) {
    if (no_eigensolver_) return false;
    std::string why;
    LogLevel level = LogLevel::info;
    try {
        if (!eigensolver_) {
            eigensolver_ = cuda::Eigensolver::make(why);
            if (eigensolver_) context_.log(LogLevel::info, "dfr: eigenproblems by cuSOLVER");
        }
        if (eigensolver_) {
            eigensolver_->solve(problems, order, threads_);
            return true;
        }
    } catch (const Error& error) {
        if (error.status() != Status::out_of_memory) throw;
        why = text(error.what(), "; this takes longer, and last digits may differ");
        level = LogLevel::warning;
        eigensolver_.reset();
    }
    no_eigensolver_ = true;
    context_.log(level, text("dfr: eigenproblems stay on the host: ", why));
    return false;
}

}  // namespace engine_parts

std::unique_ptr<Engine> make_cuda_engine(const Context& context) {
    return std::make_unique<CudaEngine>(context);
}

}  // namespace legato::dfr
