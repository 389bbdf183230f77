// The CUDA engine of the algorithms with demons. A launch updates a colour of all blocks of systems.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/buffer.hpp"
#include "core/parallel.hpp"
#include "core/shared_memory.hpp"
#include "ising/demon_small.cuh"
#include "ising/engine.hpp"

namespace legato::ising {
inline namespace demon_parts {

using cuda::Buffer;
using cuda::check;

std::uint32_t divided_up(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint32_t>((a + b - 1) / b);
}

std::size_t small_bytes(std::uint32_t sites) {
    return std::size_t{16} * sites + sizeof(SmallBlock);
}

class CudaDemons final : public Engine {
  public:
    CudaDemons(const Context& context, const Model& model);

    void load(std::span<const std::uint32_t> words) override {
        const cuda::DeviceScope scope(device_);
        words_.upload(words);
    }
    void store(std::span<std::uint32_t> words) const override {
        const cuda::DeviceScope scope(device_);
        words_.download(words);
    }
    AcceptanceCounts advance(const Batch& batch, std::span<std::int64_t> measured) override;

  private:
    std::uint64_t threads_of_device() const {
        return std::uint64_t{2048} *
               static_cast<std::uint32_t>(cuda::attribute(cudaDevAttrMultiProcessorCount, device_));
    }
    // Returns true if demons are so few that the teams that draw them count them faster than another launch would.
    bool teams_count() const { return std::uint64_t{d_.sites} * d_.blocks <= 1 << 15; }
    std::uint32_t team_for(std::uint32_t sites, std::uint32_t blocks) const;
    std::uint32_t words_of_demon_chunk() const;
    void upload_tables();
    void choose_kernel();
    template <int Dimensions, int Width, bool Divided>
    void use_kernel();

    void advance_piece(const Batch& piece);
    void advance_in_shared_memory(const Batch& piece);
    void exchange(std::int64_t sweep);
    void measure_spins(CountsAt at);
    void measure_and_draw(std::int64_t sweep, bool measures, bool draws, CountsAt measurement);
    void copy_measurements(std::size_t measurements, std::span<std::int64_t> measured) const;

    // Launches `chunks` blocks of threads for each block of systems.
    template <class Kernel, class... Arguments>
    void launch(Kernel kernel, std::uint32_t chunks, std::uint32_t y, std::uint32_t threads,
                Arguments... arguments) const {
        launch_(kernel, {dim3(chunks * d_.blocks, y), threads}, arguments...);
    }
    CountsAt measurement(std::size_t number) const {
        const auto of_block = static_cast<std::uint32_t>(32 * model_.values.count);
        return {measured_.data() + number * d_.blocks * of_block, of_block};
    }

    const Model& model_;
    int device_, threads_;
    cuda::DependentLaunch launch_;
    std::vector<CountMeaning> meanings_;
    Buffer<std::uint32_t> words_;
    Buffer<Stream> streams_;
    Buffer<DemonLevel> level_draws_;
    Buffer<std::uint64_t> thresholds_;
    Buffer<unsigned long long> counts_, measured_;  // [blocks][3][32] to draw by; [measurements][blocks][values][32]
    DemonBlocks d_{};
    DemonLevels levels_{};
    Tiling tiling_;
    std::uint32_t team_;
    void (*exchange_)(const DemonBlocks, const Tiling, std::uint32_t, std::int64_t) = nullptr;
    void (*small_)(const DemonBlocks, const DemonLevels, const SmallBatch) = nullptr;  // kernel for small lattices
    std::uint32_t small_threads_ = 0;
    void (*count_spins_)(const DemonBlocks, const CountsAt, std::uint32_t) = nullptr;
};

CudaDemons::CudaDemons(const Context& context, const Model& model)
    : model_(model),
      device_(context.options().device),
      threads_(context.threads()),
      launch_(context.options().device),
      meanings_(count_meanings(model)),
      tiling_(model.parts.packing, 1) {
    const auto sites = static_cast<std::uint32_t>(model.sites());
    const auto blocks = static_cast<std::uint32_t>(model.blocks());
    words_ = Buffer<std::uint32_t>(model.blocks() * model.block_words());
    streams_ = Buffer<Stream>(blocks);
    counts_ = Buffer<unsigned long long>(std::size_t{blocks} * demon_levels * 32);
    std::vector<Stream> streams;
    for (std::size_t block = 0; block < blocks; ++block) streams.push_back(model.stream(block));
    streams_.upload(streams);
    const auto replicas = static_cast<std::uint32_t>(model.problem.replicas);
    d_ = {model.parts,
          model.parts.sites(),
          sites,
          blocks,
          replicas,
          std::min(replicas, model.parts.systems()),
          static_cast<std::uint32_t>(model.blocks_per_seed()),
          static_cast<std::uint32_t>(model.first_block),
          words_.data(),
          streams_.data()};
    upload_tables();
    choose_kernel();
    team_ = team_for(sites, blocks);
}

// Returns the number of threads in a team. About N^(2/3) proposals decide a rare level, two for each thread. They are
// made at once if the device has enough threads.
std::uint32_t CudaDemons::team_for(std::uint32_t sites, std::uint32_t blocks) const {
    const double enough = std::pow(sites, 2.0 / 3) / 2,
                 there = static_cast<double>(threads_of_device()) / (d_.systems * demon_levels) / blocks,
                 wanted = std::min(enough, std::max(enough / 8, there));
    std::uint32_t team = teams_count() ? 1024 : 32;
    while (team < 1024 && team < wanted) team *= 2;
    return team;
}

void CudaDemons::upload_tables() {
    std::vector<DemonLevel> levels;
    std::vector<std::uint64_t> thresholds;
    for (const double beta : model_.problem.betas) {
        for (int level = 0; level < demon_levels; ++level) {
            const double p = demon_probability(beta, level);
            const BinomialTable table = binomial_table(model_.sites(), p);
            levels.push_back({level_probability(beta, level), table.first,
                              static_cast<std::uint32_t>(thresholds.size()),
                              static_cast<std::uint32_t>(table.thresholds.size()), is_rare(model_.sites(), p)});
            thresholds.insert(thresholds.end(), table.thresholds.begin(), table.thresholds.end());
        }
    }
    level_draws_ = Buffer<DemonLevel>(levels.size());
    level_draws_.upload(levels);
    thresholds_ = Buffer<std::uint64_t>(thresholds.size());
    thresholds_.upload(thresholds);
    levels_ = {level_draws_.data(), thresholds_.data(), static_cast<std::uint32_t>(model_.blocks_per_beta()),
               d_.first_block};
}

template <int Dimensions, int Width, bool Divided>
void CudaDemons::use_kernel() {
    exchange_ = exchange_energies<Dimensions, Width, Divided>;
    count_spins_ = count_spins<Dimensions>;
    tiling_ = Tiling(model_.parts.packing, Width);
    const auto most = static_cast<std::size_t>(cuda::attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device_));
    const std::size_t bytes = small_bytes(d_.sites);
    if (model_.problem.correlations || d_.sites > most_small_sites || bytes > most) return;
    small_ = advance_in_shared<Dimensions, Width, Divided>;
    small_threads_ = std::clamp(d_.sites / 2 / Width / 32 * 32, 128u, most_small_threads);
    cuda::allow_shared_memory(small_, device_);
}

void CudaDemons::choose_kernel() {
    const bool divided = model_.parts.count() > 1;
    const auto use = [&]<int Dimensions, int Width>(std::integer_sequence<int, Dimensions, Width>) {
        divided ? use_kernel<Dimensions, Width, true>() : use_kernel<Dimensions, Width, false>();
    };
    const bool in_fours = model_.parts.packing.bits % 4 == 0;
    if (model_.parts.packing.cubic)
        in_fours ? use(std::integer_sequence<int, 3, 4>()) : use(std::integer_sequence<int, 3, 1>());
    else
        in_fours ? use(std::integer_sequence<int, 2, 4>()) : use(std::integer_sequence<int, 2, 1>());
}

// Makes the batch in pieces whose measurements fit into device memory.
AcceptanceCounts CudaDemons::advance(const Batch& batch, std::span<std::int64_t> measured) {
    const cuda::DeviceScope scope(device_);
    const std::size_t of_all = d_.blocks * 32 * model_.values.count,
                      of_systems = model_.systems() * model_.values.count;
    const auto at_once = static_cast<std::int64_t>(std::max<std::size_t>(most_values / of_all, 1));
    Batch piece = batch;
    for (std::int64_t left = batch.sweeps; left > 0; left -= piece.sweeps, piece.first_sweep += piece.sweeps) {
        piece.sweeps = left;
        std::size_t measurements = 0;
        if (batch.measure_every > 0) {
            piece.sweeps = std::min(left, at_once * batch.measure_every);
            measurements = static_cast<std::size_t>(piece.sweeps / batch.measure_every);
            grow(measured_, measurements * of_all);
            check(cudaMemsetAsync(measured_.data(), 0, measurements * of_all * sizeof(unsigned long long)),
                  "cudaMemset");
        }
        if (small_ != nullptr)
            advance_in_shared_memory(piece);
        else
            advance_piece(piece);
        copy_measurements(measurements, measured.first(measurements * of_systems));
        measured = measured.subspan(measurements * of_systems);
    }
    check(cudaDeviceSynchronize(), "sweeps with demons");
    return {};
}

void CudaDemons::advance_in_shared_memory(const Batch& piece) {
    const SmallBatch batch{piece.first_sweep,
                           piece.sweeps,
                           piece.measure_every,
                           model_.problem.refresh_interval,
                           piece.draw_demons,
                           model_.problem.algorithm != Algorithm::demon_naive,
                           measured_.data(),
                           static_cast<std::uint32_t>(model_.values.count),
                           static_cast<std::uint32_t>(model_.values.demons)};
    small_<<<d_.blocks, small_threads_, small_bytes(d_.sites)>>>(d_, levels_, batch);
    check(cudaGetLastError(), "a launch of the engine with demons");
}

void CudaDemons::advance_piece(const Batch& piece) {
    std::size_t measured = 0;
    for (std::int64_t s = 0; s < piece.sweeps; ++s) {
        const std::int64_t number = piece.first_sweep + s;
        exchange(number);
        const bool measures = piece.measure_every > 0 && (s + 1) % piece.measure_every == 0;
        const bool draws = piece.draw_demons && (number + 1) % model_.problem.refresh_interval == 0;
        measure_and_draw(number, measures, draws, measurement(measured));
        if (measures) ++measured;
    }
}

void CudaDemons::exchange(std::int64_t sweep) {
    for (std::uint32_t colour = 0; colour < 2; ++colour)
        launch(exchange_, tiling_.tiles, 1, sweep_threads, d_, tiling_, colour, sweep);
}

// Makes a measurement and draws the demons. The demons' counts serve both.
void CudaDemons::measure_and_draw(std::int64_t sweep, bool measures, bool draws, CountsAt measurement) {
    const bool by_numbers = draws && model_.problem.algorithm != Algorithm::demon_naive;
    CountsAt demons{counts_.data(), demon_levels * 32};
    CountState counts = teams_count() ? CountState::none : CountState::to_be_cleared;
    if (measures) {
        measure_spins(measurement);
        demons = {measurement.counts + 32 * model_.values.demons, measurement.of_block};
        counts = CountState::to_be_kept;
    }
    if (measures || (by_numbers && counts != CountState::none)) {
        const std::uint32_t of_chunk = words_of_demon_chunk(), chunks = divided_up(d_.sites, of_chunk);
        launch(count_demons, chunks, demon_levels, count_threads, d_, demons, chunks, of_chunk, measures, by_numbers,
               levels_);
    }
    if (by_numbers) {
        launch(draw_numbers, d_.systems * demon_levels, 1, team_, d_, levels_, demons, counts, sweep);
    } else if (draws) {
        const std::uint32_t chunks = divided_up(d_.sites, naive_threads);
        launch(draw_one_by_one, chunks, 1, naive_threads, d_, levels_, chunks, sweep);
    }
}

// Returns the number of words in a chunk such that each multiprocessor has a block.
std::uint32_t CudaDemons::words_of_demon_chunk() const {
    const std::uint64_t words = std::uint64_t{demon_levels} * d_.sites * d_.blocks;
    const std::uint32_t each = std::min(divided_up(words, threads_of_device() / 8), words_of_thread);
    return count_threads * ((each + 7) / 8 * 8);
}

void CudaDemons::measure_spins(CountsAt at) {
    constexpr std::uint32_t most = 65535;  // largest number of blocks of threads along y
    const std::uint32_t chunks = divided_up(d_.sites / 2, sites_of_chunk);
    launch(count_spins_, chunks, 1, count_threads, d_, at, chunks);
    if (!model_.problem.correlations) return;
    const Lattice& lattice = model_.problem.lattice;
    const std::uint32_t of_all = divided_up(d_.sites, words_of_chunk);
    for (int axis = 0; axis < lattice.dimension; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        const auto distances = static_cast<std::uint32_t>(lattice.extents[a] / 2);
        const CountsAt pairs{at.counts + 32 * model_.values.correlations[a], at.of_block};
        launch(count_pairs, of_all, std::min(distances, most), count_threads, d_, pairs, of_all, axis, distances);
    }
    const Packing& part = model_.parts.packing;
    const std::uint32_t planes = part.cubic ? part.rows_z : part.rows_y;
    const std::uint32_t of_plane = divided_up(d_.sites / 2 / planes, words_of_chunk);
    launch(count_planes, of_plane, std::min(planes, most), count_threads, d_,
           CountsAt{at.counts + 32 * model_.values.planes, at.of_block}, planes, of_plane);
}

void CudaDemons::copy_measurements(std::size_t measurements, std::span<std::int64_t> measured) const {
    if (measurements == 0) return;
    const std::size_t of_block = 32 * model_.values.count, of_systems = model_.systems() * model_.values.count;
    std::vector<unsigned long long> counts(measurements * d_.blocks * of_block);
    measured_.download(counts);
    in_parallel(d_.blocks, threads_, [&](std::size_t block) {
        for (std::size_t m = 0; m < measurements; ++m)
            put_counts(model_, meanings_, block,
                       std::span(counts).subspan((m * d_.blocks + block) * of_block, of_block),
                       measured.subspan(m * of_systems, of_systems));
    });
}

}  // namespace demon_parts

std::unique_ptr<Engine> make_cuda_demons(const Context& context, const Model& model) {
    return std::make_unique<CudaDemons>(context, model);
}

}  // namespace legato::ising
