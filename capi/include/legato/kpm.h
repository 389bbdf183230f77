/** @file
 * The kernel polynomial method: Chebyshev moments of a sparse real symmetric or complex Hermitian Hamiltonian H of D
 * sites,
 *
 *     mu_n = (1/D) Tr T_n(H~) ~ (1/(R S D)) sum_(s,r) <r| T_n(H~) |r>,    H~ = (H - centre) / half_width,
 *
 * The sum is over R random vectors |r> in each of S realisations s of the disorder. If sites i are given, their local
 * moments <i| T_n(H~) |i> are computed instead. If a crystal has vacancies (legato_kpm_cell_lattice_set_vacancies), D
 * is the number of the remaining sites of each realisation, and 1/D stands within the sum. Densities of states, Green's
 * functions and electron numbers follow from the moments. Formulas: A. Weisse, G. Wellein, A. Alvermann and H. Fehske,
 * Rev. Mod. Phys. 78, 275 (2006). */
#ifndef LEGATO_KPM_H
#define LEGATO_KPM_H

#include <legato/kpm_hamiltonian.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A computation of moments. */
typedef struct legato_kpm legato_kpm;

/** Distribution of the elements of the start vectors. */
typedef enum legato_kpm_start_vectors {
    LEGATO_KPM_START_VECTORS_SIGN = 0,     /**< +1 or -1: least variance of the moments */
    LEGATO_KPM_START_VECTORS_GAUSSIAN = 1, /**< standard normal */
    LEGATO_KPM_START_VECTORS_UNIFORM = 2,  /**< uniform, with unit variance */
    LEGATO_KPM_START_VECTORS_SITES = 3,    /**< one site each; set by legato_kpm_create_local, refused by
                                                legato_kpm_create */
    LEGATO_KPM_START_VECTORS_CALLER = 4,   /**< from a callback; set by legato_kpm_create_given, refused by
                                                legato_kpm_create */
    LEGATO_KPM_START_VECTORS_PHASE = 5,    /**< e^(2 pi i u) with uniform u, for complex Hamiltonians only: the
                                                variance of the moments does not depend on the phases of the basis.
                                                Since version 0.2. */
    LEGATO_KPM_START_VECTORS_WAVES = 6     /**< plane waves of a lattice; set by legato_kpm_create_waves, refused by
                                                legato_kpm_create. Since version 0.2. */
} legato_kpm_start_vectors;

/** Method that finds the bounds of the spectrum. */
typedef enum legato_kpm_bounds {
    LEGATO_KPM_BOUNDS_GERSHGORIN = 0, /**< Gershgorin's circles: the bounds always enclose the spectrum */
    LEGATO_KPM_BOUNDS_LANCZOS = 1,    /**< Lanczos recursion: the bounds are tighter, so that N moments give a better
                                           resolution */
    LEGATO_KPM_BOUNDS_INTERVAL = 2    /**< the interval [lowest, highest] of the parameters */
} legato_kpm_bounds;

/** Storage format of the Hamiltonian. */
typedef enum legato_kpm_format {
    LEGATO_KPM_FORMAT_AUTO = 0,   /**< the fastest format that fits into memory */
    LEGATO_KPM_FORMAT_CRS = 1,    /**< compressed row storage */
    LEGATO_KPM_FORMAT_ELL = 2,    /**< rows padded to the same length */
    LEGATO_KPM_FORMAT_STENCIL = 3 /**< matrix-free, for lattices only */
} legato_kpm_format;

/** Precision of the vectors of the recursion. */
typedef enum legato_kpm_precision {
    LEGATO_KPM_PRECISION_DOUBLE = 0, /**< double precision */
    LEGATO_KPM_PRECISION_SINGLE = 1  /**< vectors in single precision; sums and matrix in double. For lattices a GPU
                                          computes the whole step in single precision */
} legato_kpm_precision;

/** What is divided among the parts of all ranks. A part is a device, or a rank on the CPU. */
typedef enum legato_kpm_division {
    LEGATO_KPM_DIVISION_AUTO = 0,    /**< the vectors, unless one of them, or a block of the requested width, does not
                                          fit into the memory of a part: then the lattice or the matrix */
    LEGATO_KPM_DIVISION_VECTORS = 1, /**< each part has whole vectors */
    LEGATO_KPM_DIVISION_LATTICE = 2  /**< the parts share each vector: a lattice in slabs, with the format stencil; a
                                          matrix by rows */
} legato_kpm_division;

/** Kernel polynomial: the factors g_n by which the moments are damped. The names in this header use the short form
 * "kernel". */
typedef enum legato_kpm_kernel {
    LEGATO_KPM_KERNEL_JACKSON = 0,  /**< Jackson kernel: the narrowest positive one */
    LEGATO_KPM_KERNEL_LORENTZ = 1,  /**< Lorentz kernel with a parameter lambda, 3 to 5 in practice; range [1e-6,
                                         1e6] */
    LEGATO_KPM_KERNEL_FEJER = 2,    /**< Fejer kernel, g_n = 1 - n / N */
    LEGATO_KPM_KERNEL_DIRICHLET = 3 /**< g_n = 1: the truncated series */
} legato_kpm_kernel;

/** Parameters of a computation of moments. */
typedef struct legato_kpm_params {
    size_t struct_size;    /**< Set by legato_kpm_params_init. */
    int32_t moments;       /**< Number N of moments mu_0 .. mu_(N-1). Range [2, 1048576], default 256. */
    int32_t start_vectors; /**< One of legato_kpm_start_vectors, default LEGATO_KPM_START_VECTORS_SIGN. */
    int32_t vectors; /**< Number R of start vectors for each realisation, not used with LEGATO_KPM_START_VECTORS_SITES
                          or LEGATO_KPM_START_VECTORS_WAVES.
                          Range [1, 1048576], default 16. */
    int32_t realisations;  /**< Number S of realisations. Each has its own vectors and, if there is disorder, its own
                                on-site energies. Range [1, 1048576], default 1. */
    int64_t seed;          /**< Seed of the random numbers. Any value, default 1. */
    int32_t bounds;        /**< One of legato_kpm_bounds, default LEGATO_KPM_BOUNDS_GERSHGORIN. */
    int32_t lanczos_steps; /**< Steps of the Lanczos recursion, used with LEGATO_KPM_BOUNDS_LANCZOS. Range [2, 1000],
                              default 60. */
    int32_t format;        /**< One of legato_kpm_format, default LEGATO_KPM_FORMAT_AUTO. */
    int32_t block_width; /**< Number of vectors that are multiplied at the same time. 0 chooses the largest power of two
                              that fits, up to 16 on the CPU (8 if the Hamiltonian is complex) and 32 on a GPU. Range
                              [0, 64], default 0. */
    double lowest;       /**< Lower bound of the spectrum, used with LEGATO_KPM_BOUNDS_INTERVAL. Range [-1e100, 1e100],
                              default 0. */
    double highest; /**< Upper bound of the spectrum, used with LEGATO_KPM_BOUNDS_INTERVAL. highest - lowest must be at
                       least 4e-12 max(abs(lowest), abs(highest)). Range [-1e100, 1e100], default 0. */
    double margin;  /**< Relative enlargement of the energy interval: half_width = (highest - lowest) / 2 * (1 +
                         margin). Range [0, 10], default 0.01. */
    int64_t memory_budget; /**< Bytes that vectors, sums and matrix may take; 0 allows all free memory. Range
                                [0, 9223372036854775807], default 0. */
    int32_t precision;     /**< One of legato_kpm_precision, default LEGATO_KPM_PRECISION_DOUBLE. */
    int32_t division;      /**< What is divided among the parts of all ranks. Since version 0.2. One of
                                legato_kpm_division, default LEGATO_KPM_DIVISION_AUTO. */
} legato_kpm_params;

/** The choices that a computation has made, and its progress. */
typedef struct legato_kpm_state {
    size_t struct_size;   /**< Set by the caller. */
    int32_t backend;      /**< One of legato_backend. */
    int32_t format;       /**< One of legato_kpm_format. */
    int32_t block_width;  /**< Number of vectors that are multiplied at the same time. */
    int32_t moments;      /**< Number N of moments. */
    int64_t sites;        /**< Number D of sites, vacancies included. */
    int64_t samples;      /**< Number of samples: R S, or S times the number of given sites or wave vectors. */
    int64_t samples_done; /**< Number of finished samples. */
    int64_t bytes;        /**< Bytes of vectors, sums and matrix. */
    double centre;        /**< Centre of the energy interval, which encloses the spectrum. */
    double half_width;    /**< Half width of the energy interval. */
} legato_kpm_state;

/** Fills start vector number `sample` (from 0, realisation by realisation) with `sites` elements. Their squares should
 * average to 1. The elements are vector[sites]. If the Hamiltonian is complex, they are vector[2 sites], real and
 * imaginary parts alternating. A number outside [-1e40, 1e40], or outside [-1e30, 1e30] with
 * LEGATO_KPM_PRECISION_SINGLE, ends the run with LEGATO_STATUS_INVALID_ARGUMENT. The function is called in the thread
 * that runs the computation. If several ranks share the work, each rank calls its function only for the vectors of its
 * share, or for all vectors if the ranks share each vector (legato_kpm_division). The elements must then be the same on
 * every rank. While devices compute whole vectors, legato_kpm_run asks for the vectors of the next round, as many as
 * fit into half of the free memory of the host. If a computation is resumed, the function may be called again with the
 * same number, and must then give the same elements. A return value other than 0 stops the run with
 * LEGATO_STATUS_CANCELLED, before the sample of this vector. */
typedef int (*legato_kpm_vector_callback)(void* user, int64_t sample, int64_t sites, double vector[]);

/** Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
 * legato_kpm_params_init. */
LEGATO_API int32_t legato_kpm_params_init_sized(legato_kpm_params* params, size_t struct_size);

/** Fills in the defaults. */
static inline int32_t legato_kpm_params_init(legato_kpm_params* params) {
    return legato_kpm_params_init_sized(params, sizeof *params);
}

/** Creates a computation with random start vectors; NULL for `params` stands for the defaults. The bounds of the
 * spectrum are found in this call. LEGATO_KPM_BOUNDS_LANCZOS runs its recursion in each realisation of the disorder.
 * With LEGATO_KPM_ON_SITE_NORMAL the call draws all on-site energies once to find the extreme ones, unless `bounds` is
 * LEGATO_KPM_BOUNDS_INTERVAL. Returns LEGATO_STATUS_OUT_OF_MEMORY if the given block_width does not fit into memory;
 * the message names a width that fits. Returns the same status if not even a single vector fits; the message then names
 * a format or a number of sites that would fit. */
LEGATO_API int32_t legato_kpm_create(legato_context* context, LEGATO_NULLABLE const legato_kpm_params* params,
                                     const legato_kpm_hamiltonian* hamiltonian, legato_kpm** kpm);

/** Creates a computation of the local moments of sites[n_sites], counted from 0. The sample of sites[i] in realisation
 * s has the number s * n_sites + i. The parameters start_vectors and vectors are ignored. */
LEGATO_API int32_t legato_kpm_create_local(legato_context* context, LEGATO_NULLABLE const legato_kpm_params* params,
                                           const legato_kpm_hamiltonian* hamiltonian, int64_t n_sites,
                                           const int64_t sites[], legato_kpm** kpm);

/** Creates a computation of the moments <k| T_n(H~) |k> of plane waves on a lattice of C cells with M orbitals each,
 * which is a legato_kpm_lattice (M = 1) or a legato_kpm_cell_lattice; a matrix is refused. Their density is the
 * spectral function A(k, E).
 *
 *     |k> = C^(-1/2) sum_(n,o) a_o exp(2 pi i k.n) |n, o>,    k.n = k_0 n_0 + k_1 n_1 + k_2 n_2
 *
 * with the coordinates n of the cells, from 0. Wave vector number i is k[3 i], k[3 i + 1], k[3 i + 2] in units of the
 * reciprocal lattice vectors. Range of n_k: [1, 1048576], of k: [-1000, 1000]. A wave fits periodic edges with a twist
 * if k_d = (m - twist_d / (2 pi)) / L_d with an integer m and L_d cells along direction d. Any other k is allowed. The
 * wave then has a jump at the edges, which broadens A(k, E) by about the distance of such k. In a magnetic field the
 * amplitudes, and A(k, E), depend on the gauge.
 *
 * The amplitudes a_o of wave vector i are amplitudes[2 (i M + o)] + i amplitudes[2 (i M + o) + 1]; range [-1e6, 1e6];
 * `orbitals` is M.
 * The integral of A over all energies is the sum of |a_o|^2, without the terms of vacancies. An orbital at a position r
 * in the cell has the phase exp(2 pi i k.r) if the wave vector is to refer to positions. NULL stands for the mean over
 * all orbitals: the trace over the cell divided by M, whose integral is 1, or with vacancies the share of the sites
 * that remain. Its mean over all k of the Brillouin zone is the density of states per site.
 *
 * The sample of wave vector i in realisation s has the number s * n_k + i. The parameters start_vectors and vectors are
 * ignored. With a real Hamiltonian, block_width counts real vectors, and a wave is two of them; without amplitudes each
 * orbital has vectors of its own. Since version 0.2. */
LEGATO_API int32_t legato_kpm_create_waves(legato_context* context, LEGATO_NULLABLE const legato_kpm_params* params,
                                           const legato_kpm_hamiltonian* hamiltonian, int64_t n_k, const double k[],
                                           int32_t orbitals, LEGATO_NULLABLE const double amplitudes[],
                                           legato_kpm** kpm);

/** Creates a computation with start vectors from `callback`, R for each of S realisations. The parameter start_vectors
 * is ignored. The callback is used until the computation is destroyed. */
LEGATO_API int32_t legato_kpm_create_given(legato_context* context, LEGATO_NULLABLE const legato_kpm_params* params,
                                           const legato_kpm_hamiltonian* hamiltonian,
                                           legato_kpm_vector_callback callback, void* user, legato_kpm** kpm);

/** Destroys a computation; NULL is allowed. */
LEGATO_API int32_t legato_kpm_destroy(legato_kpm* kpm);

/** Runs until all samples are finished. `callback` may be NULL. It reports samples as points and steps of the recursion
 * as cycles. A stopped run continues with the next call.
 *
 * The function returns LEGATO_STATUS_NUMERICAL_ERROR if the moments of a sample prove that the bounds do not enclose
 * the spectrum: |mu_n| exceeds mu_0, the density is negative with the Jackson kernel, or no density within the energy
 * interval has these moments. The message names the energy interval, the evidence and the remedy. A state just outside
 * the energy interval, by less than the resolution of N moments, cannot be detected.
 *
 * After such an error the computation cannot continue. Every function that reads its results then returns
 * LEGATO_STATUS_NUMERICAL_ERROR too, but still fills in the results of the samples before the one that proves it. These
 * samples can be saved. */
LEGATO_API int32_t legato_kpm_run(legato_kpm* kpm, legato_progress_callback callback, void* user);

/** Computes up to `blocks` more blocks of vectors. If several ranks or devices share the work, each of them computes a
 * block at the same time, and these blocks count as one; if they share each vector, they compute one block together.
 * *samples_done becomes the number of all finished samples. */
LEGATO_API int32_t legato_kpm_advance(legato_kpm* kpm, int64_t blocks, LEGATO_NULLABLE int64_t* samples_done);

/** Reads the choices and the progress of a computation. */
LEGATO_API int32_t legato_kpm_get_state(legato_kpm* kpm, legato_kpm_state* state);

/** Reads the first n moments, averaged over all finished samples, into mean[n], and their standard errors into
 * error[n]. Range of n: [1, N].
 *
 * If the disorder is random and two or more realisations are finished, the errors follow from the spread of the
 * realisations' means, also for sites and plane waves. Otherwise they follow from the spread of the random vectors. The
 * moments of sites and plane waves of one Hamiltonian without random disorder are exact, and their error is 0. The
 * error is NaN if it is unknown: with a single random vector, and for sites and plane waves with a single realisation
 * of random disorder. The errors of each site or wave vector are those of kpm_local.h. */
LEGATO_API int32_t legato_kpm_moments(legato_kpm* kpm, int32_t n, LEGATO_NULLABLE double mean[],
                                      LEGATO_NULLABLE double error[]);

/** Reads the first n moments of one sample into moments[n]: <r|T_n|r> / D, <i|T_n|i> for a local moment, or
 * <k|T_n|k> for a plane wave. Samples count from 0, realisation by realisation. */
LEGATO_API int32_t legato_kpm_sample(legato_kpm* kpm, int64_t sample, int32_t n, double moments[]);

/** @name Quantities that follow from moments
 * `sample` is the number of a sample, or -1 for the mean of all finished samples. lambda is used with
 * LEGATO_KPM_KERNEL_LORENTZ only. The number of energies has the range [1, 67108864], an energy the range
 * [-1e100, 1e100].
 *
 * `error` receives the standard errors. For the mean of all samples they follow from the same spread as the errors of
 * the moments (legato_kpm_moments), and are 0 or NaN if those are. For one sample they are 0 if it is a site or a
 * plane wave without random disorder, and NaN otherwise.
 *
 * The functions use all threads of the context for many energies. The results are bitwise identical for any number of
 * threads. legato_kpm_set_progress sets a callback that can stop them. */
/** @{ */
/** Sets the callback of the functions of this group; NULL stands for none. It is called a few times a second, and
 * reports spectra as points and as cycles: that of the mean, and those of the samples whose spread gives the error. A
 * return value other than 0 ends the function with LEGATO_STATUS_CANCELLED; its results are then not written. The
 * callback is used until another one is set or the computation is destroyed. It cannot call legato_kpm_run or
 * legato_kpm_advance for the same computation. */
LEGATO_API int32_t legato_kpm_set_progress(legato_kpm* kpm, legato_progress_callback callback, void* user);

/** Computes the density of states per site at energies[n] into density[n]. It is 0 outside the energy interval. */
LEGATO_API int32_t legato_kpm_density_of_states(legato_kpm* kpm, int64_t sample, int32_t kernel, double lambda,
                                                int32_t n, const double energies[], double density[],
                                                LEGATO_NULLABLE double error[]);

/** Computes the density of states at n >= N Chebyshev nodes E_k = centre - half_width cos(pi (k + 1/2) / n) by a fast
 * cosine transform. energies[n] receives the nodes. The product of n and its largest prime factor is at most 2^33. */
LEGATO_API int32_t legato_kpm_density_at_nodes(legato_kpm* kpm, int64_t sample, int32_t kernel, double lambda,
                                               int32_t n, double energies[], double density[],
                                               LEGATO_NULLABLE double error[]);

/** Computes the Green's function G(E + i0) at energies[n] into green[2 n], real and imaginary parts alternating.
 * error[2 n] has the same order. The imaginary part is -pi rho(E). An energy at an end of the energy interval is
 * refused. */
LEGATO_API int32_t legato_kpm_greens_function(legato_kpm* kpm, int64_t sample, int32_t kernel, double lambda, int32_t n,
                                              const double energies[], double green[], LEGATO_NULLABLE double error[]);

/** Computes the number of states per site below energies[n] into states[n]. */
LEGATO_API int32_t legato_kpm_integrated_density(legato_kpm* kpm, int64_t sample, int32_t kernel, double lambda,
                                                 int32_t n, const double energies[], double states[],
                                                 LEGATO_NULLABLE double error[]);

/** Computes the number of electrons per site, with one electron in each state, at a chemical potential and a
 * temperature in units of energy. The temperature may be 0. */
LEGATO_API int32_t legato_kpm_electron_number(legato_kpm* kpm, int64_t sample, int32_t kernel, double lambda,
                                              double chemical_potential, double temperature, double* electrons,
                                              LEGATO_NULLABLE double* error);

/** Computes the chemical potential mu(n) of n electrons per site, and its error. Range of n: [0, m_0], where m_0 is the
 * moment of order 0; it is 1 for the density of states per site.
 *
 * The error is [mu(n + dn) - mu(n - dn)] / 2, where dn is the error of the electron number at mu(n). If the density of
 * states hardly varies between the two potentials, this is dn divided by the density of states. The quotients [mu(n + k
 * dn) - mu(n - k dn)] / (2 k) are also computed for k = 2, 3 and 4. If one of them exceeds 1.5 times the error, a gap
 * is near, and the largest quotient becomes the error.
 *
 * In the following, k is the number whose quotient became the error, or 1 if none did. If mu(n) lies in the lowest or
 * the highest quarter of the range mu(n - k dn) .. mu(n + k dn), a gap is assumed. The result is then the middle of
 * this range instead of mu(n). The error does not change; it is at least an eighth of the width of this range. If n - k
 * dn or n + k dn is outside [0, m_0], the range ends there at the lower or upper end of the energy interval. If the
 * error of the electron number is 0 or NaN, so is that of the chemical potential. */
LEGATO_API int32_t legato_kpm_chemical_potential(legato_kpm* kpm, int64_t sample, int32_t kernel, double lambda,
                                                 double electrons, double temperature, double* chemical_potential,
                                                 LEGATO_NULLABLE double* error);

/** @} */

/** Saves the finished samples to an HDF5 file. A temporary file beside `path` is renamed to `path` when it is complete.
 * The Hamiltonian is not saved. */
LEGATO_API int32_t legato_kpm_save(legato_kpm* kpm, const char* path);

/** Resumes a saved computation on the backend on which it ran. Its results are then bitwise identical to those of an
 * uninterrupted run. If the context requests the other backend, or if this machine does not have the earlier one, the
 * run continues on the other backend. A warning then says that the last digits may differ. A file is refused if it is
 * truncated, if it is not a saved computation, or if a newer version has written it. A Hamiltonian that differs from
 * the one of the saved run is also refused. `callback` and `user` are those of legato_kpm_create_given. They are NULL
 * for any other computation. */
LEGATO_API int32_t legato_kpm_resume(legato_context* context, const char* path,
                                     const legato_kpm_hamiltonian* hamiltonian, legato_kpm_vector_callback callback,
                                     void* user, legato_kpm** kpm);

/** Reads the parameters in use, for instance after legato_kpm_resume. Before the call, set struct_size to the size of
 * the struct, directly or by legato_kpm_params_init. */
LEGATO_API int32_t legato_kpm_get_params(legato_kpm* kpm, legato_kpm_params* params);

#ifdef __cplusplus
}
#endif

#endif
