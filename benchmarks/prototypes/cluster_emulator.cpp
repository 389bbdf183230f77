#include <bit>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>
#include <ucontext.h>
struct dim { unsigned x = 0, y = 0, z = 0; };
dim threadIdx, blockIdx, blockDim, gridDim;
using std::min; using std::max;
struct Fiber { ucontext_t c; std::vector<char> stack = std::vector<char>(131072); int state = 0, line = 0, seq = 0; };  // 0 ready 1 block 2 warp 3 done
std::vector<std::unique_ptr<Fiber>> fibers; ucontext_t home; int cur; unsigned long long warpbuf[2][1024]; std::function<void()> body;
std::mt19937_64 rng(1); std::string why; void failf(const std::string& s) { if (why.empty()) why = s; }
void yield_(int state, int line) { Fiber& f = *fibers[cur]; f.state = state; f.line = line; swapcontext(&f.c, &home); }
void maybe() { if (rng() % 4 == 0) yield_(0, 0); }
template <class T> T shfl(T v, int from, int tag) { Fiber& f = *fibers[cur]; int b = f.seq++ % 2, me = cur; unsigned long long w = 0; std::memcpy(&w, &v, sizeof v); warpbuf[b][me] = w; yield_(2, tag); if (from < me / 32 * 32 || from >= me / 32 * 32 + 32) from = me; T r; std::memcpy(&r, &warpbuf[b][from], sizeof r); return r; }
template <class T> T __shfl_down_sync(unsigned, T v, int by) { int t = cur % 32 + by; return shfl(v, t < 32 ? cur + by : cur, 1000 + by); }
template <class T> T __shfl_sync(unsigned, T v, int lane) { return shfl(v, cur / 32 * 32 + lane, 2000 + lane); }
unsigned __ballot_sync(unsigned, int p) { Fiber& f = *fibers[cur]; int b = f.seq++ % 2, me = cur; warpbuf[b][me] = p != 0; yield_(2, 3000); unsigned r = 0; for (int i = 0; i < 32; ++i) r |= (unsigned)warpbuf[b][me / 32 * 32 + i] << i; return r; }
void __syncwarp() { fibers[cur]->seq++; yield_(2, 4000); }
template <class T> T __reduce_add_sync(unsigned, T v) { T sum = 0; for (int l = 0; l < 32; ++l) sum += shfl(v, cur / 32 * 32 + l, 5000 + l); return sum; }
void __syncthreads() { fibers[cur]->seq++; yield_(1, 1); }
unsigned long long atomicAdd(unsigned long long* p, unsigned long long v) { unsigned long long o = *p; *p += v; return o; }
int __popc(unsigned x) { return __builtin_popcount(x); } int __popcll(long long x) { return __builtin_popcountll(x); } int __ffsll(long long x) { return __builtin_ffsll(x); }
std::uint32_t atomicCAS(std::uint32_t* p, std::uint32_t e, std::uint32_t v) { maybe(); std::uint32_t o = *p; if (o == e) *p = v; return o; }
template <class T> T atomicAdd(T* p, T v) { T o = *p; *p += v; return o; }
int atomicAdd(int* p, long v) { int o = *p; *p += v; return o; }
void tramp() { body(); fibers[cur]->state = 3; swapcontext(&fibers[cur]->c, &home); std::abort(); }
bool run_block(unsigned bx, unsigned by, unsigned threads) {
    blockIdx.x = bx; blockIdx.y = by; blockDim.x = threads;
    while (fibers.size() < threads) fibers.push_back(std::make_unique<Fiber>());
    std::vector<int> order(threads);
    for (unsigned t = 0; t < threads; ++t) { Fiber& f = *fibers[t]; f.state = 0; f.seq = 0; getcontext(&f.c); f.c.uc_stack.ss_sp = f.stack.data(); f.c.uc_stack.ss_size = f.stack.size(); f.c.uc_link = nullptr; makecontext(&f.c, tramp, 0); order[t] = t; }
    for (;;) {
        std::shuffle(order.begin(), order.end(), rng);
        bool any = false; unsigned done = 0;
        for (int t : order) if (fibers[t]->state == 0) { any = true; cur = t; threadIdx.x = t; swapcontext(&home, &fibers[t]->c); }
        for (unsigned w = 0; w < threads; w += 32) { bool all = true; for (unsigned t = w; t < w + 32; ++t) all &= fibers[t]->state == 2 && fibers[t]->line == fibers[w]->line && fibers[t]->seq == fibers[w]->seq; if (all) { for (unsigned t = w; t < w + 32; ++t) fibers[t]->state = 0; any = true; } }
        for (unsigned t = 0; t < threads; ++t) done += fibers[t]->state == 3;
        if (done == threads) return true;
        unsigned at = 0; for (unsigned t = 0; t < threads; ++t) at += fibers[t]->state == 1;
        if (at == threads) { for (unsigned t = 0; t < threads; ++t) fibers[t]->state = 0; any = true; }
        if (!any) { failf("deadlock"); return false; }
    }
}
#define __global__
#define __device__
#define __host__
#define __launch_bounds__(...)
#define __grid_constant__
#include "ising/engine.hpp"
#include "ising/solver.hpp"
namespace legato::ising { alignas(64) std::uint64_t cluster_memory[1 << 16]; }
#include "ising/cluster_kernels.cuh"
#include "ising/cluster_small.cuh"
using namespace legato; using namespace legato::ising;
constexpr auto P = Boundary::periodic, A = Boundary::antiperiodic;
long small_runs = 0;
template <int D> void test(const Problem& problem, std::int64_t first) {
    const Model model(problem); const Packing& p = model.packing; const std::size_t S = model.systems(), W = p.words(); const Tiles tiles = tiles_of(p);
    ContextOptions o; o.backend = Backend::cpu; o.threads = 2; o.log_level = LogLevel::error; Context context(o);
    auto e = make_cpu_engine(context, model); auto words = first_words(model, 1); e->load(words);
    const int sweeps = 3; std::vector<std::int64_t> cpu(sweeps * S * model.values.count); e->advance({first, sweeps, 1, true}, cpu); std::vector<std::uint32_t> after(words.size()); e->store(after);
    std::vector<BondChance> ch, cf; std::vector<Stream> st; for (std::size_t s = 0; s < S; ++s) { double b = problem.betas[model.beta_number(s)]; ch.emplace_back(b); cf.emplace_back(b * problem.field); st.push_back(model.stream(s)); }
    auto junk = [&](auto& v) { std::memset(v.data(), 0xA5, v.size() * sizeof v[0]); };
    std::vector<std::uint32_t> occ(S * W * 2 * D), leads(S * numbers_of_sites(p)); std::vector<std::uint64_t> along(S * W), firsts(S * W); std::vector<std::uint16_t> labels(S * tiles.count(p) * 2048); std::vector<std::int32_t> mag(leads.size());
    junk(occ); junk(leads); junk(along); junk(firsts); junk(labels); junk(mag);
    DeviceClusters d{p, tiles, problem.field != 0, ch.data(), cf.data(), st.data(), words.data(), occ.data(), along.data(), firsts.data(), labels.data(), leads.data(), mag.data()};
    const JoinWarps jw = join_warps(p, tiles, d.has_field); std::string bad;
    for (int s = 0; s < sweeps; ++s) {
        auto launch = [&](unsigned blocks, unsigned threads, auto&& f) { std::vector<unsigned> ord; for (unsigned b = 0; b < blocks * S; ++b) ord.push_back(b); std::shuffle(ord.begin(), ord.end(), rng); body = f; for (unsigned b : ord) if (!run_block(b % blocks, b / blocks, threads)) return; };
        const unsigned tb = (tiles.count(p) + warps_of_tiles - 1) / warps_of_tiles;
        launch(tb, 32 * warps_of_tiles, [&] { label_tiles<D>(d, first + s, true); });
        launch((32 * jw.count() + 255) / 256, 256, [&] { join_tiles<D>(d, jw, first + s); });
        launch(tb, 32 * warps_of_tiles, [&] { turn_tiles<D>(d, first + s); });
        launch(tb, 32 * warps_of_tiles, [&] { add_magnetisations<D>(d); });
        std::vector<std::int64_t> m(S * model.values.count);
        launch((W + 255) / 256, 256, [&] { measure_clusters<D>(d, model.values.count, model.values.clusters, m.data()); });
        for (std::size_t sy = 0; sy < S; ++sy) for (std::size_t i = 0; i < ClusterSums::count; ++i) if (m[sy * model.values.count + model.values.clusters + i] != cpu[(s * S + sy) * model.values.count + model.values.clusters + i]) bad = "sums " + std::to_string(i);
    }
    if (words != after) bad += " words";
    if (!why.empty()) bad += " " + why;
    if (SmallLattice<D>::bytes(p) <= sizeof cluster_memory) { // small
        std::vector<std::uint32_t> w2 = first_words(model, 1); d.spins = w2.data(); std::vector<std::int64_t> m(sweeps * S * model.values.count);
        ValuesLayout vl{}; vl.count = (int)model.values.count; vl.dimensions = D; SmallBatch b{first, sweeps, 1, vl, model.values.clusters, m.data()};
        for (unsigned sy = 0; sy < S; ++sy) { std::memset(cluster_memory, 0xA5, sizeof cluster_memory); blockIdx.x = sy; gridDim.x = S; body = [&] { advance_clusters<D>(d, b); }; unsigned th = std::min(256u, (unsigned)((W + 31) / 32 * 32)); if (!run_block(sy, 0, th)) break; }
        if (w2 != after) bad += " small words"; if (m != cpu) bad += " small values"; ++small_runs; }
    if (!why.empty()) bad += " " + why;
    auto& x = problem.lattice.extents; printf("%ld %ld %ld field %g: %s\n", x[0], x[1], x[2], problem.field, bad.empty() ? "ok" : bad.c_str()); fflush(stdout); why.clear();
}
int main(int c, char** v) { rng.seed(c > 1 ? atoi(v[1]) : 1);
    auto U = [&](int a, int b) { return a + (int)(rng() % (b - a + 1)); };
    for (int t = 0; t < (c > 2 ? atoi(v[2]) : 20); ++t) { Problem q; q.algorithm = Algorithm::swendsen_wang; int dd = U(2, 3); auto ext = [&](int big) { return 2L * (U(0, 2) == 0 ? U(1, 4) : U(1, big)); };
        q.lattice.dimension = dd; q.lattice.extents = {ext(100), ext(dd == 2 ? 60 : 12), dd == 3 ? ext(8) : 1}; for (int a = 0; a < dd; ++a) q.lattice.boundary[a] = U(0, 1) ? P : A;
        q.betas = {dd == 2 ? 0.44 : 0.22, U(0, 1) ? 0.6 : -0.3}; q.field = U(0, 1) ? 0 : U(0, 1) ? 0.05 : -0.02; q.start = U(0, 1) ? Start::random : Start::up; q.replicas = U(1, 2);
        std::int64_t first = U(0, 3) ? 5 : (1ll << 32) + 9; if (dd == 2) test<2>(q, first); else test<3>(q, first); } printf("small %ld\n", small_runs); }
