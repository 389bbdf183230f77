// Prototype: Swendsen-Wang on the device with the functions of clusters.hpp. Usage: sw L sweeps
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <chrono>
#include "ising/clusters.hpp"
using namespace legato::ising; using u32 = std::uint32_t;
#define CK(x) do { cudaError_t e = (x); if (e) { printf("%s: %s\n", #x, cudaGetErrorString(e)); exit(1); } } while (0)
__device__ u32 root(const u32* l, u32 i) { for (u32 n; (n = __ldcg(l + i)) != i;) i = n; return i; }
__device__ void unite(u32* l, u32 a, u32 b) { a = root(l, a); b = root(l, b); while (a != b) { if (a < b) { u32 t = a; a = b; b = t; } u32 old = atomicCAS(l + a, a, b); if (old == a) return; a = root(l, old); } }
__global__ void init(u32* l, u32 n) { u32 i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) l[i] = i; }
__global__ void connect(Packing p, BondChance c, Stream s, long sweep, const u32* spins, u32* l) {
    u32 w = blockIdx.x * blockDim.x + threadIdx.x; if (w >= p.words()) return; Place at = place_of(p, w); u32 n[4]; neighbours_of<4>(p, spins + p.words(), 0, at, n);
    for (u32 d = 0; d < 4; ++d) { u32 cand = ~(spins[w] ^ n[d] ^ c.antiferromagnetic) & valid_bits(p, at.word); NeighbourSites t = neighbour_sites(p, at, d);
        for (u32 b = occupied_bonds(c, s, w, sweep, d, cand); b; b &= b - 1) { u32 k = lowest_bit(b); unite(l, 32 * w + k, t.of(k)); } } }
__global__ void turn(Packing p, Stream s, long sweep, u32* spins, const u32* l) { // thread per site
    u32 i = blockIdx.x * blockDim.x + threadIdx.x; u32 r = root(l, i); unsigned m = __ballot_sync(~0u, is_turned(p, s, sweep, r)); if (i % 32 == 0) { u32 w = i / 32; spins[w] ^= m & valid_bits(p, w % p.width); } }
// tile: TW words wide, TH rows of both colours; labels in shared memory are positions [colour][row][32 TW]
template <int TW, int TH> __global__ void tile(Packing p, BondChance c, Stream s, long sweep, const u32* spins, u32* l, u32* bonds) {
    constexpr u32 half = 32 * TW * TH; __shared__ u32 t[2 * half];
    u32 tx = p.width / TW, bx = blockIdx.x % tx * TW, by = blockIdx.x / tx * TH;
    for (u32 i = threadIdx.x; i < 2 * half; i += blockDim.x) t[i] = i;
    __syncthreads();
    for (u32 j = threadIdx.x; j < TW * TH * 4; j += blockDim.x) { u32 k = j / 4, d = j % 4, y = by + k / TW, w = y * p.width + bx + k % TW; Place at = place_of(p, w); u32 n[4]; neighbours_of<4>(p, spins + p.words(), 0, at, n);
        u32 nd = d == 0 ? n[0] : d == 1 ? n[1] : d == 2 ? n[2] : n[3];
        u32 cand = ~(spins[w] ^ nd ^ c.antiferromagnetic) & valid_bits(p, at.word), b = occupied_bonds(c, s, w, sweep, d, cand);
        u32 inside = ~0u; int off = 0; // offset of the neighbour's position from bit 0
        u32 here = half + 32 * k;
        if (d == 0) off = here; else if (d == 1) { if (is_odd(0, at.y, at.z)) { off = here + 1; if (k % TW == TW - 1) inside = 0x7fffffffu; } else { off = here - 1; if (k % TW == 0) inside = ~1u; } }
        else if (d == 2) { off = here - 32 * TW; if (k / TW == 0) inside = 0; } else { off = here + 32 * TW; if (k / TW == TH - 1) inside = 0; }
        bonds[w * 4 + d] = b & ~inside;
        for (b &= inside; b; b &= b - 1) { u32 x = lowest_bit(b); u32 a = 32 * k + x, e = off + x;
            volatile u32* v = t; auto find = [&](u32 i) { for (u32 m; (m = v[i]) != i;) i = m; return i; };
            a = find(a); e = find(e); while (a != e) { if (a < e) { u32 q = a; a = e; e = q; } u32 old = atomicCAS(t + a, a, e); if (old == a) break; a = find(old); } } }
    __syncthreads();
    for (u32 i = threadIdx.x; i < 2 * half; i += blockDim.x) { u32 r = i; while (t[r] != r) r = t[r]; u32 col = i / half, k = i % half, rc = r / half, rk = r % half;
        u32 g = 32 * (col * p.words() + (by + k / (32 * TW)) * p.width + bx) + k % (32 * TW), gr = 32 * (rc * p.words() + (by + rk / (32 * TW)) * p.width + bx) + rk % (32 * TW); l[g] = gr; } }
template <int TW, int TH> __global__ void __launch_bounds__(256) tile2(Packing p, BondChance c, Stream s, long sweep, const u32* spins, u32* l, u32* bonds) {
    constexpr u32 half = 32 * TW * TH; __shared__ u32 t[2 * half]; __shared__ u32 masks[4 * TW * TH];
    u32 tx = p.width / TW, bx = blockIdx.x % tx * TW, by = blockIdx.x / tx * TH;
    for (u32 i = threadIdx.x; i < 2 * half; i += blockDim.x) t[i] = i;
    for (u32 j = threadIdx.x; j < TW * TH * 4; j += blockDim.x) { u32 k = j / 4, d = j % 4, y = by + k / TW, w = y * p.width + bx + k % TW; Place at = place_of(p, w); u32 n[4]; neighbours_of<4>(p, spins + p.words(), 0, at, n);
        u32 nd = d == 0 ? n[0] : d == 1 ? n[1] : d == 2 ? n[2] : n[3];
        u32 cand = ~(spins[w] ^ nd ^ c.antiferromagnetic) & valid_bits(p, at.word), b = occupied_bonds(c, s, w, sweep, d, cand), inside = ~0u;
        if (d == 1) { if (is_odd(0, at.y, at.z)) { if (k % TW == TW - 1) inside = 0x7fffffffu; } else if (k % TW == 0) inside = ~1u; }
        else if ((d == 2 && k / TW == 0) || (d == 3 && k / TW == TH - 1)) inside = 0;
        bonds[w * 4 + d] = b & ~inside; masks[j] = b & inside; }
    __syncthreads();
    volatile u32* v = t; auto find = [&](u32 i) { for (u32 m; (m = v[i]) != i;) i = m; return i; };
    for (u32 j = threadIdx.x / 32; j < TW * TH * 4; j += blockDim.x / 32) { u32 k = j / 4, d = j % 4, x = threadIdx.x % 32; if ((masks[j] >> x & 1) == 0) continue;
        u32 y = by + k / TW; int off = half + 32 * k; if (d == 1) off += (y & 1) ? 1 : -1; else if (d == 2) off -= 32 * TW; else if (d == 3) off += 32 * TW;
        u32 a = find(32 * k + x), e = find(off + x); while (a != e) { if (a < e) { u32 q = a; a = e; e = q; } u32 old = atomicCAS(t + a, a, e); if (old == a) break; a = find(old); } }
    __syncthreads();
    for (u32 i = threadIdx.x; i < 2 * half; i += blockDim.x) { u32 r = i; while (t[r] != r) r = t[r]; u32 col = i / half, k = i % half, rc = r / half, rk = r % half;
        u32 g = 32 * (col * p.words() + (by + k / (32 * TW)) * p.width + bx) + k % (32 * TW), gr = 32 * (rc * p.words() + (by + rk / (32 * TW)) * p.width + bx) + rk % (32 * TW); l[g] = gr; } }
// marks the roots of turned clusters with the highest bit
__global__ void mark(Packing p, Stream s, long sweep, u32* l) { u32 i = blockIdx.x * blockDim.x + threadIdx.x, lane = i % 32; u32 roots = __ballot_sync(~0u, l[i] == i); if (!roots) return; u32 w = 0; if (lane == 0) { u32 word = i / 32, col = word >= p.words(); w = random_words(s, word - col * p.words(), sweep, col, cluster_draw)[0]; } w = __shfl_sync(~0u, w, 0); if ((roots & w) >> lane & 1) l[i] = i | 0x80000000u; }
__global__ void turn2(Packing p, u32* spins, const u32* l) { u32 i = blockIdx.x * blockDim.x + threadIdx.x; u32 r = __ldcg(l + i), at = i; bool turned; for (;;) { u32 n = r & 0x7fffffffu; if (n == at) { turned = r >> 31; break; } at = n; r = __ldcg(l + at); } unsigned m = __ballot_sync(~0u, turned); if (i % 32 == 0) { u32 w = i / 32; spins[w] ^= m & valid_bits(p, w % p.width); } }
__global__ void borders(Packing p, u32* l, const u32* bonds) { u32 j = blockIdx.x * blockDim.x + threadIdx.x; if (j >= 4 * p.words()) return; u32 b = bonds[j]; if (!b) return; u32 w = j / 4, d = j % 4; Place at = place_of(p, w); NeighbourSites t = neighbour_sites(p, at, d);
    for (; b; b &= b - 1) { u32 k = lowest_bit(b); unite(l, 32 * w + k, t.of(k)); } }
int main(int c, char** v) { u32 L = atoi(v[1]); int sweeps = atoi(v[2]); Packing p; p.bits = L / 2; p.width = p.bits / 32; p.rows_y = L; p.last_bits = 32; u32 words = p.words(), n = 64 * words; BondChance ch(0.44068679350977151);
    u32 *spins, *l, *bonds; CK(cudaMalloc(&spins, 8l * words)); CK(cudaMalloc(&l, 4l * n)); CK(cudaMalloc(&bonds, 16l * words)); std::vector<u32> h(2 * words, ~0u), out[5]; Stream s{1, 0};
    for (int which = 0; which < 5; ++which) { CK(cudaMemcpy(spins, h.data(), 8l * words, cudaMemcpyHostToDevice)); double best[6] = {}; cudaEvent_t e[5]; for (auto& x : e) cudaEventCreate(&x);
        auto t0 = std::chrono::steady_clock::now();
        for (int k = 0; k < sweeps; ++k) { cudaEventRecord(e[0]);
            if (which == 0) { init<<<(n + 255) / 256, 256>>>(l, n); cudaEventRecord(e[1]); connect<<<(words + 127) / 128, 128>>>(p, ch, s, k, spins, l); cudaEventRecord(e[2]); }
            else { if (which == 1) tile<2, 32><<<words / 64, 256>>>(p, ch, s, k, spins, l, bonds); else if (which == 2) tile2<2, 32><<<words / 64, 256>>>(p, ch, s, k, spins, l, bonds); else if (which == 3) tile2<1, 32><<<words / 32, 256>>>(p, ch, s, k, spins, l, bonds); else tile2<2, 64><<<words / 128, 256>>>(p, ch, s, k, spins, l, bonds); cudaEventRecord(e[1]); borders<<<(4 * words + 255) / 256, 256>>>(p, l, bonds); cudaEventRecord(e[2]); }
            if (which < 2) turn<<<n / 256, 256>>>(p, s, k, spins, l); else { mark<<<n / 256, 256>>>(p, s, k, l); turn2<<<n / 256, 256>>>(p, spins, l); } cudaEventRecord(e[3]); if (k == sweeps - 1) { CK(cudaDeviceSynchronize()); float a; for (int q = 0; q < 3; ++q) { cudaEventElapsedTime(&a, e[q], e[q + 1]); best[q] = a; } } }
        CK(cudaDeviceSynchronize()); double d = std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count(); out[which].resize(2 * words); CK(cudaMemcpy(out[which].data(), spins, 8l * words, cudaMemcpyDeviceToHost)); long up = 0; for (u32 x : out[which]) up += __builtin_popcount(x);
        printf("L %u version %d: %.1f spins/ns (last sweep: %.3f %.3f %.3f ms), m %.4f\n", L, which, (double)n * sweeps / d * 1e-9, best[0], best[1], best[2], 2. * up / n - 1); }
    printf("same bits: %d %d %d %d\n", out[0] == out[1], out[0] == out[2], out[0] == out[3], out[0] == out[4]); }
