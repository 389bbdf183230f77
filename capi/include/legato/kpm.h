/** @file
 * The kernel polynomial method: Chebyshev moments of a sparse real symmetric Hamiltonian H of D sites,
 *
 *     mu_n = (1/D) Tr T_n(H~) ~ (1/(R S D)) sum_(s,r) <r| T_n(H~) |r>,    H~ = (H - centre) / half_width,
 *
 * by R random vectors for each of S realisations, or for given sites the local ones <i| T_n(H~) |i>; and what follows
 * from them: densities of states, Green's functions, electron numbers. Formulas: A. Weisse, G. Wellein, A. Alvermann
 * and H. Fehske, Rev. Mod. Phys. 78, 275 (2006). */
#ifndef LEGATO_KPM_H
#define LEGATO_KPM_H

#include <legato/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A Hamiltonian, of which any number of computations can be made. */
typedef struct legato_kpm_hamiltonian legato_kpm_hamiltonian;

/** A computation of moments. */
typedef struct legato_kpm legato_kpm;

/** On-site energies of a lattice. */
typedef enum legato_kpm_on_site {
    LEGATO_KPM_CONSTANT = 0, /**< energy */
    LEGATO_KPM_BOX = 1,      /**< uniform on energy +- disorder / 2 */
    LEGATO_KPM_NORMAL = 2,   /**< mean energy, standard deviation disorder */
    LEGATO_KPM_ENERGIES = 3  /**< the caller's, one for each site */
} legato_kpm_on_site;

/** Elements of the random vectors. */
typedef enum legato_kpm_start_vectors {
    LEGATO_KPM_SIGN = 0,     /**< elements +1 or -1: the least variance */
    LEGATO_KPM_GAUSSIAN = 1, /**< standard normal */
    LEGATO_KPM_UNIFORM = 2,  /**< uniform, of unit variance */
    LEGATO_KPM_SITES = 3, /**< one site each: what legato_kpm_get_params gives for legato_kpm_create_local, which alone
                               makes such a computation; legato_kpm_create refuses it */
    LEGATO_KPM_CALLER = 4 /**< the caller's vectors: the same for legato_kpm_create_given */
} legato_kpm_start_vectors;

/** How the interval of the spectrum is found. */
typedef enum legato_kpm_bounds {
    LEGATO_KPM_GERSHGORIN = 0, /**< circles of Gershgorin: safe */
    LEGATO_KPM_LANCZOS = 1,    /**< tighter: more resolution for each moment */
    LEGATO_KPM_INTERVAL = 2    /**< lowest .. highest */
} legato_kpm_bounds;

/** How the Hamiltonian is kept. */
typedef enum legato_kpm_format {
    LEGATO_KPM_FORMAT_AUTO = 0,   /**< what is faster, and fits */
    LEGATO_KPM_FORMAT_CRS = 1,    /**< compressed rows */
    LEGATO_KPM_FORMAT_ELL = 2,    /**< rows padded to the same length */
    LEGATO_KPM_FORMAT_STENCIL = 3 /**< no matrix: lattices only */
} legato_kpm_format;

/** Precision of the vectors. */
typedef enum legato_kpm_precision {
    LEGATO_KPM_DOUBLE = 0, /**< all in double precision */
    LEGATO_KPM_SINGLE = 1  /**< vectors of half the bytes, rounded at every step; all else stays double */
} legato_kpm_precision;

/** Factors g_n by which the moments are damped. */
typedef enum legato_kpm_kernel {
    LEGATO_KPM_JACKSON = 0,  /**< the least width of a positive kernel */
    LEGATO_KPM_LORENTZ = 1,  /**< with a parameter lambda, 1e-6..1e6, 3 to 5 in practice */
    LEGATO_KPM_FEJER = 2,    /**< 1 - n/N */
    LEGATO_KPM_DIRICHLET = 3 /**< 1: the cut series */
} legato_kpm_kernel;

/** A chain is {L, 1, 1}, a square lattice {L, M, 1}, a simple cubic one {L, M, N}. Site (x, y, z) has the number
 * x + L (y + M z), from 0. H_ij = -hopping for each bond; bonds join a site with the next in every direction of more
 * than one site, and where it is periodic the last with the first: an extent of 2 then has two bonds between the same
 * sites. */
typedef struct legato_kpm_lattice {
    size_t struct_size;  /**< set by legato_kpm_lattice_init */
    int64_t extents[3];  /**< 1.., at most 2^40 sites in all. Default 1 */
    int32_t periodic[3]; /**< 0: open. Default 1 */
    int32_t on_site;     /**< legato_kpm_on_site. Default CONSTANT */
    double hopping;      /**< |hopping| <= 10^6. Default 1 */
    double energy;       /**< mean on-site energy, the same range. Default 0 */
    double disorder;     /**< 0..10^6; drawn anew in every realisation. Default 0 */
} legato_kpm_lattice;

/** What a computation is made of. */
typedef struct legato_kpm_params {
    size_t struct_size;    /**< set by legato_kpm_params_init */
    int32_t moments;       /**< N: mu_0 .. mu_(N-1), 2..1048576. Default 256 */
    int32_t start_vectors; /**< legato_kpm_start_vectors: SIGN, GAUSSIAN or UNIFORM. Default SIGN */
    int32_t vectors;       /**< R, 1..1048576. Default 16 */
    int32_t realisations;  /**< S, 1..1048576: vectors anew, and the disorder if there is any. Default 1 */
    int64_t seed;          /**< any. Default 1 */
    int32_t bounds;        /**< legato_kpm_bounds. Default GERSHGORIN */
    int32_t lanczos_steps; /**< 2..1000, for LANCZOS. Default 60 */
    int32_t format;        /**< legato_kpm_format. Default AUTO */
    int32_t block_width;   /**< vectors carried on together, 1..64; 0: chosen to fit. Default 0 */
    double lowest;         /**< of the spectrum, |lowest| <= 1e100, for INTERVAL. Default 0 */
    double highest;        /**< more than lowest, by 4e-12 of them at least, for INTERVAL. Default 0 */
    double margin;         /**< half_width = (highest - lowest) / 2 * (1 + margin); 0..10. Default 0.01 */
    int64_t memory_budget; /**< bytes for vectors, their sums and matrix; 0: what is free. Default 0 */
    int32_t precision;     /**< legato_kpm_precision of the vectors. Default DOUBLE */
    int32_t reserved;      /**< not used */
} legato_kpm_params;

/** What was chosen, and how far the computation is. */
typedef struct legato_kpm_state {
    size_t struct_size;   /**< set by the caller */
    int32_t backend;      /**< legato_backend */
    int32_t format;       /**< legato_kpm_format */
    int32_t block_width;  /**< vectors carried on together */
    int32_t moments;      /**< N */
    int64_t sites;        /**< D */
    int64_t samples;      /**< R S, or the number of sites asked for */
    int64_t samples_done; /**< finished */
    int64_t bytes;        /**< of vectors, their sums and matrix */
    double centre;        /**< of the rescaling */
    double half_width;    /**< of the rescaling */
} legato_kpm_state;

/** Fills vector number `sample` (from 0, realisation by realisation) of `sites` elements; their squares should be 1 in
 * the mean, and one that is not within +-1e40 (with LEGATO_KPM_SINGLE +-1e30) ends the run with
 * LEGATO_INVALID_ARGUMENT. Called in the calling thread, and again with the same number where a computation is taken up
 * again: the elements must then be the same. Non-zero stops the run with LEGATO_CANCELLED. */
typedef int (*legato_kpm_vector_callback)(void* user, int64_t sample, int64_t sites, double vector[]);

/** legato_kpm_lattice_init with the size of the struct that the caller knows, for other languages. */
LEGATO_API int32_t legato_kpm_lattice_init_sized(legato_kpm_lattice* lattice, size_t struct_size);

/** Fills in the defaults above. */
static inline int32_t legato_kpm_lattice_init(legato_kpm_lattice* lattice) {
    return legato_kpm_lattice_init_sized(lattice, sizeof *lattice);
}

/** legato_kpm_params_init with the size of the struct that the caller knows, for other languages. */
LEGATO_API int32_t legato_kpm_params_init_sized(legato_kpm_params* params, size_t struct_size);

/** Fills in the defaults above. */
static inline int32_t legato_kpm_params_init(legato_kpm_params* params) {
    return legato_kpm_params_init_sized(params, sizeof *params);
}

/** A lattice. n_energies on-site energies, copied, one for each site, with LEGATO_KPM_ENERGIES; 0 and NULL with any
 * other kind. */
LEGATO_API int32_t legato_kpm_lattice_create(legato_context* context, const legato_kpm_lattice* lattice,
                                             int64_t n_energies, LEGATO_NULLABLE const double energies[],
                                             legato_kpm_hamiltonian** hamiltonian);

/** A matrix of the caller's in compressed rows, copied: the elements of row i are row_pointers[i] .. row_pointers[i +
 * 1] - 1 of columns[n_elements] and values[n_elements]; row_pointers[rows + 1]. Indices count from index_base, 0 or 1.
 * Both halves of the symmetric matrix are there, in any order; elements of a column that is there twice add up. Refused
 * by row and column: an index out of range, an element that is not within +-1e100, one that differs from its partner
 * beyond rounding. rows 1..2147483647. */
LEGATO_API int32_t legato_kpm_matrix_create(legato_context* context, int64_t rows, int64_t n_elements,
                                            int32_t index_base, const int64_t row_pointers[], const int32_t columns[],
                                            const double values[], legato_kpm_hamiltonian** hamiltonian);

/** legato_kpm_matrix_create with row pointers of 32 bits. */
LEGATO_API int32_t legato_kpm_matrix_create_narrow(legato_context* context, int64_t rows, int64_t n_elements,
                                                   int32_t index_base, const int32_t row_pointers[],
                                                   const int32_t columns[], const double values[],
                                                   legato_kpm_hamiltonian** hamiltonian);

/** legato_kpm_matrix_create without the copy: the arrays must stay as they are until the Hamiltonian and all
 * computations made with it have been destroyed. If the columns of a row do not ascend, the matrix is copied
 * nevertheless, and LEGATO_OUT_OF_MEMORY is possible. */
LEGATO_API int32_t legato_kpm_matrix_borrow(legato_context* context, int64_t rows, int64_t n_elements,
                                            int32_t index_base, LEGATO_BORROWED const int64_t row_pointers[],
                                            LEGATO_BORROWED const int32_t columns[],
                                            LEGATO_BORROWED const double values[],
                                            legato_kpm_hamiltonian** hamiltonian);

/** Gives it back; NULL is allowed. Computations made with it keep what they need of it. */
LEGATO_API int32_t legato_kpm_hamiltonian_destroy(legato_kpm_hamiltonian* hamiltonian);

/** Moments of random vectors; `params` may be NULL for the defaults. The bounds are found here: by LANCZOS with as many
 * steps in each realisation of the disorder, and for LEGATO_KPM_NORMAL by drawing all on-site energies once.
 * LEGATO_OUT_OF_MEMORY where not even one vector at a time fits, or not as many as block_width asks for: the message
 * tells what would. */
LEGATO_API int32_t legato_kpm_create(legato_context* context, LEGATO_NULLABLE const legato_kpm_params* params,
                                     const legato_kpm_hamiltonian* hamiltonian, legato_kpm** kpm);

/** Local moments of sites[n_sites], from 0: sample s n_sites + i is that of sites[i] in realisation s. start_vectors
 * and vectors are not read. */
LEGATO_API int32_t legato_kpm_create_local(legato_context* context, LEGATO_NULLABLE const legato_kpm_params* params,
                                           const legato_kpm_hamiltonian* hamiltonian, int64_t n_sites,
                                           const int64_t sites[], legato_kpm** kpm);

/** Moments of the caller's vectors, R for each of S realisations. start_vectors is not read. `callback` is kept until
 * the computation is destroyed. */
LEGATO_API int32_t legato_kpm_create_given(legato_context* context, LEGATO_NULLABLE const legato_kpm_params* params,
                                           const legato_kpm_hamiltonian* hamiltonian,
                                           legato_kpm_vector_callback callback, void* user, legato_kpm** kpm);

/** Gives it back; NULL is allowed. */
LEGATO_API int32_t legato_kpm_destroy(legato_kpm* kpm);

/** Runs until all samples are finished. `callback` may be NULL; its points are samples, its cycles steps of a block. A
 * stopped run is taken up again by calling once more. LEGATO_NUMERICAL_ERROR if the moments of a sample prove that the
 * bounds do not enclose the spectrum: |mu_n| exceeds mu_0, the density is negative with Jackson's kernel, or no density
 * within the interval has these moments. The message names the interval, the evidence and the remedy. A state just
 * outside the interval, by less than the resolution of N moments, cannot be detected.
 *
 * After such an error the computation cannot be carried on, and every function that reads its results returns
 * LEGATO_NUMERICAL_ERROR too; it nevertheless fills in the results of the samples that were finished before. These can
 * be saved. */
LEGATO_API int32_t legato_kpm_run(legato_kpm* kpm, legato_progress_callback callback, void* user);

/** Carries up to `blocks` blocks of vectors to their end; *samples_done (may be NULL) counts all samples so far. */
LEGATO_API int32_t legato_kpm_advance(legato_kpm* kpm, int64_t blocks, LEGATO_NULLABLE int64_t* samples_done);

/** What was chosen, and how far the computation is. */
LEGATO_API int32_t legato_kpm_get_state(legato_kpm* kpm, legato_kpm_state* state);

/** mean[n] of all samples so far and their standard errors error[n] (either may be NULL); n at most N.
 *
 * If the disorder is random and two or more realisations are finished, the errors follow from the spread of the
 * realisations' means, for sites too; otherwise from the spread of the random vectors. Local moments of one
 * Hamiltonian, without random disorder, are exact: their error is 0. The error is unknown, and NaN, with a single
 * vector, and for local moments with a single realisation of random disorder. */
LEGATO_API int32_t legato_kpm_moments(legato_kpm* kpm, int32_t n, LEGATO_NULLABLE double mean[],
                                      LEGATO_NULLABLE double error[]);

/** The first n moments of one sample, from 0, realisation by realisation: <r|T_n|r> / D, or <i|T_n|i>. */
LEGATO_API int32_t legato_kpm_sample(legato_kpm* kpm, int64_t sample, int32_t n, double moments[]);

/** @name What follows from moments
 * `sample` is the number of one of them, for instance of a site, or -1 for the mean of all. lambda is read with
 * LEGATO_KPM_LORENTZ only. Energies: 1..67108864 of them, |E| <= 1e100.
 *
 * `error` (may be NULL) gets the standard errors. For the mean they follow from the same spread as those of the
 * moments, and are 0 or NaN where these are. For one sample they are 0 if it is a local moment of one Hamiltonian, and
 * NaN otherwise. */
/** @{ */
/** rho(E) for each site at energies[n], 0 beyond the interval. */
LEGATO_API int32_t legato_kpm_density_of_states(legato_kpm* kpm, int64_t sample, int32_t kernel, double lambda,
                                                int32_t n, const double energies[], double density[],
                                                LEGATO_NULLABLE double error[]);

/** legato_kpm_density_of_states at n >= N Chebyshev nodes E_k = centre - half_width cos(pi (k + 1/2) / n) by a fast
 * cosine transform; n times its largest prime factor is at most 2^33. */
LEGATO_API int32_t legato_kpm_density_at_nodes(legato_kpm* kpm, int64_t sample, int32_t kernel, double lambda,
                                               int32_t n, double energies[], double density[],
                                               LEGATO_NULLABLE double error[]);

/** G(E + i0), green[2 n]: real and imaginary part side by side, and so their errors, error[2 n]; the imaginary part is
 * -pi rho. An energy at an end of the interval is refused. */
LEGATO_API int32_t legato_kpm_greens_function(legato_kpm* kpm, int64_t sample, int32_t kernel, double lambda, int32_t n,
                                              const double energies[], double green[], LEGATO_NULLABLE double error[]);

/** States for each site below energies[n]. */
LEGATO_API int32_t legato_kpm_integrated_density(legato_kpm* kpm, int64_t sample, int32_t kernel, double lambda,
                                                 int32_t n, const double energies[], double states[],
                                                 LEGATO_NULLABLE double error[]);

/** Electrons for each site, one a state, at a chemical potential and temperature (in units of energy, 0 allowed); error
 * may be NULL. */
LEGATO_API int32_t legato_kpm_electron_number(legato_kpm* kpm, int64_t sample, int32_t kernel, double lambda,
                                              double chemical_potential, double temperature, double* electrons,
                                              LEGATO_NULLABLE double* error);

/** The chemical potential mu(n) of a number n of electrons for each site between 0 and mu_0, and its error, which may
 * be NULL. The error of mu(n) is [mu(n + dn) - mu(n - dn)] / 2, where dn is the error of the electron number at mu(n):
 * with many states within dn this is dn over the density of states. If [mu(n + k dn) - mu(n - k dn)] / (2 k) is larger
 * than that by more than a half for k = 2, 3 or 4, there is a gap near by, and the largest of these is the error. In a
 * gap, where mu(n) lies in an outer quarter of the interval mu(n - k dn) .. mu(n + k dn), the chemical potential is the
 * middle of this interval: the middle of the gap, with an error that covers it. The ends of the interval of the
 * spectrum stand in for what is not between 0 and mu_0. The error is 0 or NaN where that of the electron number is. */
LEGATO_API int32_t legato_kpm_chemical_potential(legato_kpm* kpm, int64_t sample, int32_t kernel, double lambda,
                                                 double electrons, double temperature, double* chemical_potential,
                                                 LEGATO_NULLABLE double* error);

/** @} */

/** Saves the finished samples to an HDF5 file, written beside `path` and renamed. The Hamiltonian is not in it. */
LEGATO_API int32_t legato_kpm_save(legato_kpm* kpm, const char* path);

/** Resumes a saved computation. It goes on with the backend of the saved run, and gives the same bits as an
 * uninterrupted one. If the context names the other backend, or if this machine lacks the saved one, a warning is
 * logged: the last digits may differ. A truncated, foreign or newer file is refused, and so is another Hamiltonian than
 * the one of before. `callback` and `user` are those of legato_kpm_create_given, and NULL for any other computation. */
LEGATO_API int32_t legato_kpm_resume(legato_context* context, const char* path,
                                     const legato_kpm_hamiltonian* hamiltonian, legato_kpm_vector_callback callback,
                                     void* user, legato_kpm** kpm);

/** The parameters in use, for instance after legato_kpm_resume. struct_size is set by the caller, as
 * legato_kpm_params_init does. */
LEGATO_API int32_t legato_kpm_get_params(legato_kpm* kpm, legato_kpm_params* params);

#ifdef __cplusplus
}
#endif

#endif
