/** @file
 * The transfer-matrix method: Lyapunov exponents and localisation lengths of the Anderson model on a bar. A slice is a
 * cross-section of the bar. It has 1 (1D), M (2D) or M x M (3D) sites. The wave function of a slice follows from those
 * of the two slices before it:
 *
 *     psi_{n+1}(i) = (E - V_n(i)) psi_n(i) - t sum_{nn i' of i} psi_n(i') - psi_{n-1}(i).
 *
 * V_n(i) is the random energy of site i in slice n, t is the transverse hopping, and i' are the nearest neighbours of i
 * in the slice. A run has a list of points, each an energy E and a disorder strength W. The number of columns psi
 * is the number of sites of a slice, and all columns are multiplied at the same time. A cycle is a number of
 * multiplications, n_ortho, followed by an orthonormalisation of the columns. Energies are in units of the longitudinal
 * hopping, lengths in lattice spacings. Formulas: A. MacKinnon and B. Kramer, Phys. Rev. Lett. 47, 1546 (1981); Z.
 * Phys. B 53, 1 (1983).
 *
 * legato_tmm_model has models of other symmetry classes, in which the hopping to a neighbour is a complex number of
 * modulus t, or t times a matrix of SU(2) that acts on the spin. hopping_disorder gives it random factors. With
 * legato_tmm_create_given the caller changes the slices or defines another lattice. */
#ifndef LEGATO_TMM_H
#define LEGATO_TMM_H

#include <legato/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A run over a list of points. */
typedef struct legato_tmm legato_tmm;

/** Transverse boundary. */
typedef enum legato_tmm_boundary {
    LEGATO_TMM_BOUNDARY_HARD_WALL = 0,   /**< no neighbour across the edge */
    LEGATO_TMM_BOUNDARY_PERIODIC = 1,    /**< a site at the opposite edge is the neighbour */
    LEGATO_TMM_BOUNDARY_ANTIPERIODIC = 2 /**< the neighbour across the edge counts with a minus sign */
} legato_tmm_boundary;

/** Distribution of the site energies V. */
typedef enum legato_tmm_disorder {
    LEGATO_TMM_DISORDER_UNIFORM = 0,        /**< V uniform on [-W/2, W/2] */
    LEGATO_TMM_DISORDER_UNIFORM_SCALED = 1, /**< V uniform with mean 0 and standard deviation W */
    LEGATO_TMM_DISORDER_GAUSSIAN = 2        /**< V normal with mean 0 and standard deviation W; with the lfsr113
                                                 streams, V is a sum of 20 uniform numbers */
} legato_tmm_disorder;

/** Random stream of the site energies. The numbers are the same on both backends. */
typedef enum legato_tmm_random_stream {
    LEGATO_TMM_RANDOM_STREAM_LFSR113 = 0,          /**< the stream of the older program TMSEXD, with bitwise identical
                                                        numbers; every point starts with the same seed */
    LEGATO_TMM_RANDOM_STREAM_LFSR113_PER_SITE = 1, /**< site i, counted from 1, has its own generator, seeded with 1276
                                                        + i */
    LEGATO_TMM_RANDOM_STREAM_PHILOX = 2            /**< Philox, a counter-based generator: the numbers of different
                                                        points, slices and sites are independent */
} legato_tmm_random_stream;

/** Rule for the start, the average, the error and the convergence of a point. */
typedef enum legato_tmm_rule {
    LEGATO_TMM_RULE_BLOCKS = 0, /**< The first columns are random and orthonormal. Consecutive cycles form blocks. The
                                     averages leave out the first burn_in cycles, or the first eighth of the run if this
                                     is longer. Errors follow from the spread of block averages and account for
                                     autocorrelation. A point can converge when at least min_blocks blocks are
                                     averaged */
    LEGATO_TMM_RULE_TMSEXD = 1  /**< The rule of the program TMSEXD. Numbers of cycles are the same as those of TMSEXD,
                                     and exponents agree with it to 1e-10. The first columns are the identity matrix,
                                     and no cycles are left out at the start. The error assumes independent cycles and
                                     can therefore be wrong: in five measured systems it is 0.86 to 4.5 times the true
                                     error. A point can converge from cycle max(3, M) on */
} legato_tmm_rule;

/** Model: the phases or spin rotations of the hopping. A hopping acts from a site on the neighbour with the smaller
 * coordinate; the hopping in the other direction is the adjoint. n, x and y are the coordinates along the bar and in
 * the slice, counted from 0. The computation uses a gauge in which the hopping along the bar is real. This changes no
 * exponent. With a spin, the exponents of a Kramers pair are equal, and a result lists them once. */
typedef enum legato_tmm_model {
    LEGATO_TMM_MODEL_ANDERSON = 0, /**< The hopping is real: the orthogonal class. */
    LEGATO_TMM_MODEL_PEIERLS = 1,  /**< A uniform magnetic field: the unitary class, or the orthogonal one if there is
                                        no flux. The hopping from x + 1 to x has the phase 2 pi longitudinal_flux n, and
                                        that from y + 1 to y has the phase 2 pi transverse_flux x. */
    LEGATO_TMM_MODEL_U1 = 2,       /**< The phases are independent and uniform: the unitary class. Those along the bar
                                        are removed by the gauge, and all others remain uniform. */
    LEGATO_TMM_MODEL_SU2 = 3,      /**< The spin rotations are independent and uniform in SU(2): the symplectic class
                                        (Y. Asada, K. Slevin and T. Ohtsuki, Phys. Rev. Lett. 89, 256601 (2002)). Those
                                        along the bar are removed by the gauge, and all others remain uniform. */
    LEGATO_TMM_MODEL_ANDO = 4      /**< Spin-orbit hopping: the symplectic class (2D: T. Ando, Phys. Rev. B 40, 5325
                                        (1989)). With S = spin_orbit, C = sqrt(1 - S^2) and the Pauli matrices s, the
                                        hopping is C + i S s_y along the bar, t (C - i S s_x) in x direction, and
                                        t (C + i S s_z) in y direction. */
} legato_tmm_model;

/** Random factors of the hopping, along the bar and across it. u is uniform on [-1/2, 1/2] and independent for each
 * pair of neighbours. With the hopping t_n along the bar, from slice n + 1 to slice n, t_n psi_{n+1} is then the
 * right-hand side of the equation at the top, with t_{n-1} psi_{n-1} in place of psi_{n-1}. */
typedef enum legato_tmm_hopping_disorder {
    LEGATO_TMM_HOPPING_DISORDER_NONE = 0,       /**< no factors: the hopping is 1 along the bar and t across it */
    LEGATO_TMM_HOPPING_DISORDER_UNIFORM = 1,    /**< factors 1 + hopping_width u; some are close to 0 if hopping_width
                                                     is 2 or more, and a point may then end as
                                                     LEGATO_TMM_POINT_STATUS_IMPRECISE */
    LEGATO_TMM_HOPPING_DISORDER_LOGARITHMIC = 2 /**< factors exp(hopping_width u) */
} legato_tmm_hopping_disorder;

/** Status of a point. */
typedef enum legato_tmm_point_status {
    LEGATO_TMM_POINT_STATUS_WAITING = 0,       /**< not begun */
    LEGATO_TMM_POINT_STATUS_RUNNING = 1,       /**< begun; the results so far can be read */
    LEGATO_TMM_POINT_STATUS_CONVERGED = 2,     /**< the relative error of the smallest exponent is at most epsilon, and
                                                    the conditions of the rule (legato_tmm_rule) are met */
    LEGATO_TMM_POINT_STATUS_NOT_CONVERGED = 3, /**< max_multiplications was reached first; or the error reached epsilon
                                                    while other exponents were still too close to the smallest one to be
                                                    distinguished from it. The second case occurs if the disorder is
                                                    very weak; with a smaller epsilon the point runs longer and can
                                                    distinguish them */
    LEGATO_TMM_POINT_STATUS_FAILED = 4,        /**< overflow or loss of rank between two orthonormalisations; the
                                                    results are those of the earlier cycles, if there are any, and a
                                                    warning is logged */
    LEGATO_TMM_POINT_STATUS_IMPRECISE = 5      /**< the columns grow apart by more than a factor of 1e10 within one
                                                    multiplication; the results are those of the earlier cycles, and a
                                                    warning is logged. The remedy is a smaller disorder, energy,
                                                    hopping or hopping_width */
} legato_tmm_point_status;

/** Parameters that all points of a run share. */
typedef struct legato_tmm_params {
    size_t struct_size;    /**< Set by legato_tmm_params_init. */
    int32_t dimension;     /**< Dimension of the lattice. Range [1, 3], default 2. */
    int32_t boundary;      /**< Transverse boundary. A chain (1D) has LEGATO_TMM_BOUNDARY_HARD_WALL only. One of
                                legato_tmm_boundary, default LEGATO_TMM_BOUNDARY_PERIODIC. */
    int32_t disorder;      /**< One of legato_tmm_disorder, default LEGATO_TMM_DISORDER_UNIFORM. */
    int32_t random_stream; /**< One of legato_tmm_random_stream, default LEGATO_TMM_RANDOM_STREAM_PHILOX. */
    int64_t width;         /**< Width M in sites: 1 in 1D, at most 4096 in 2D, at most 64 in 3D; less with some models
                                (see model). Range [1, 4096], default 1. */
    int64_t seed;    /**< Seed of the random numbers; LEGATO_TMM_RANDOM_STREAM_LFSR113_PER_SITE ignores it. Any value,
                          default 1277. */
    int64_t n_ortho; /**< Number of multiplications in a cycle, which ends with an orthonormalisation. Between two
                        orthonormalisations each column grows by a factor. Let G be the ratio of the largest of these
                        factors to the smallest. A cycle with G above 1e10 does not count. From the next cycle on, the
                        columns of this point are orthonormalised more often than once in a cycle, and a warning is
                        logged when the point ends. Range [1, 1000], default 10. */
    int64_t max_multiplications; /**< Number of multiplications after which a point ends as
                                    LEGATO_TMM_POINT_STATUS_NOT_CONVERGED. Range [1, 9223372036854775807], default
                                    1000000000. */
    double hopping;              /**< Transverse hopping t. Range [-1e6, 1e6], default 1. */
    double epsilon;              /**< Relative error of the smallest exponent at which a point converges.
                                      Range [1e-15, 1], default 0.005. */
    double max_growth;  /**< 0, or 10 to 1e8: value that the ratio G, defined at n_ortho, should not exceed. To this end
                             the columns are also orthonormalised within a cycle, as often as needed. With 0
                             this is done only for a point in which G has exceeded 1e10. Range [0, 1e8],
                             default 0. */
    int32_t rule;       /**< One of legato_tmm_rule, default LEGATO_TMM_RULE_BLOCKS. */
    int32_t min_blocks; /**< Number of blocks that must be averaged before a point can converge; used with
                             LEGATO_TMM_RULE_BLOCKS. Range [8, 48], default 32. */
    int64_t burn_in;  /**< Number of cycles to leave out at the start; used with LEGATO_TMM_RULE_BLOCKS. At most half of
                         the cycles of a point are left out. A point can converge only when burn_in cycles are left out;
                         it then has at least 2 * burn_in cycles. Range [0, 1000000000], default 128. */
    int64_t replicas; /**< Number R of independent sequences of each point. Replica r of point p has the random numbers
                         of point p R + r of a run without replicas. All replicas of a point have the same number of
                         cycles. Their block sums are averaged, and the exponents, errors and the convergence of the
                         point follow from these averages. The replicas are compared when their number of blocks is a
                         multiple of 4, and less often while the error is far above epsilon. max_multiplications,
                         min_blocks and burn_in are for each replica. More than one replica needs LEGATO_TMM_RULE_BLOCKS
                         and LEGATO_TMM_RANDOM_STREAM_PHILOX. The number of points times R is at most 10000000. Since
                         version 0.2. Range [1, 1000000], default 1. */
    int32_t model;    /**< All models except LEGATO_TMM_MODEL_ANDERSON need LEGATO_TMM_RANDOM_STREAM_PHILOX. A slice
                         may have 4096 sites with real hopping, half as many with a complex one, and a quarter with
                         spin. Since version 0.2. One of legato_tmm_model, default LEGATO_TMM_MODEL_ANDERSON. */
    int32_t hopping_disorder; /**< Needs LEGATO_TMM_RANDOM_STREAM_PHILOX. Since version 0.2. One of
                                   legato_tmm_hopping_disorder, default LEGATO_TMM_HOPPING_DISORDER_NONE. */
    double hopping_width;     /**< Width of the distribution of the factors of the hopping; not used without
                                 hopping_disorder. Since version 0.2. Range [0, 10], default 1. */
    double anisotropy;      /**< Hopping in y direction over that in x direction, for a bar (3D); not 0, because the bar
                               would then be M independent strips. Another value than 1 needs
                               LEGATO_TMM_RANDOM_STREAM_PHILOX. Since version 0.2. Range [-1e6, 1e6], default 1. */
    double transverse_flux; /**< Magnetic flux through a unit cell of the cross-section, in flux quanta, for
                                 LEGATO_TMM_MODEL_PEIERLS in 3D; the field is along the bar. Unless the boundary is
                                 LEGATO_TMM_BOUNDARY_HARD_WALL, transverse_flux times M must be an integer. Since
                                 version 0.2. Range [-1, 1], default 0. */
    double longitudinal_flux; /**< Magnetic flux through a unit cell along the bar and in x direction, in flux quanta,
                                   for LEGATO_TMM_MODEL_PEIERLS. Since version 0.2. Range [-1, 1], default 0. */
    double spin_orbit;        /**< Strength S of the spin-orbit hopping of LEGATO_TMM_MODEL_ANDO. Since version 0.2.
                                   Range [0, 1], default 0.5. */
} legato_tmm_params;

/** Current state of a point. */
typedef struct legato_tmm_point {
    size_t struct_size;         /**< Set by the caller. */
    int32_t status;             /**< One of legato_tmm_point_status. */
    int32_t reserved;           /**< Not used. */
    int64_t cycles;             /**< Number of cycles so far, without those that do not count (see n_ortho); with
                                     replicas, that of each replica when they were last compared. */
    double energy;              /**< Energy E. */
    double disorder;            /**< Disorder strength W. */
    double localisation_length; /**< Inverse of the smallest exponent; infinite if the exponent is 0, and 0 before the
                                     first cycle. */
    double relative_error;      /**< Relative standard error of the smallest exponent, which is also that of the
                                     localisation length. It is infinite if the exponent is 0, and NaN if it is unknown
                                     (see legato_tmm_result). */
} legato_tmm_point;

/** Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
 * legato_tmm_params_init. */
LEGATO_API int32_t legato_tmm_params_init_sized(legato_tmm_params* params, size_t struct_size);

/** Fills in the defaults. */
static inline int32_t legato_tmm_params_init(legato_tmm_params* params) {
    return legato_tmm_params_init_sized(params, sizeof *params);
}

/** Creates a run over n_points points (energy[i], disorder[i]) and chooses the backend. NULL for `params` stands for
 * the defaults. Range of n_points: [1, 10000000], range of energies: [-1e6, 1e6], range of disorder strengths:
 * [0, 1e6]. Returns LEGATO_STATUS_OUT_OF_MEMORY if not even one point fits into memory. */
LEGATO_API int32_t legato_tmm_create(legato_context* context, LEGATO_NULLABLE const legato_tmm_params* params,
                                     int64_t n_points, const double energy[], const double disorder[],
                                     legato_tmm** tmm);

/** Changes slice `slice` of replica `replica` of a point, all counted from 0. Before the call, the arrays have the
 * numbers of the model: on_site[sites] the energies V, hopping[links][components] the hopping to the first site of each
 * link from its second site, and along[sites] the hopping to the next slice, which must not become 0. The number of
 * real components of a hopping follows from the model: 1 for LEGATO_TMM_MODEL_ANDERSON; 2 (real and imaginary part) for
 * LEGATO_TMM_MODEL_PEIERLS and LEGATO_TMM_MODEL_U1; 4 with spin: h0, h1, h2, h3 stand for h0 - i (h1 s_x + h2 s_y +
 * h3 s_z) with the Pauli matrices s. The hopping in the other direction is the adjoint. The hopping to the first slice
 * from the one before it is that of the model.
 *
 * The callback is called in the thread that runs the computation. It may be called again with the same numbers, also
 * after legato_tmm_resume_given, and must then do the same. It may also be called for slices that no cycle needs in
 * the end, even beyond max_multiplications, because points and replicas end at different times. It must not advance its
 * own run; if the context has several ranks, it must make no collective calls. A return value other than 0 stops the
 * run with LEGATO_STATUS_CANCELLED before the cycles that need this slice; a number that is not finite stops it with
 * LEGATO_STATUS_INVALID_ARGUMENT. */
typedef int (*legato_tmm_slice_callback)(void* user, int64_t point, int64_t replica, int64_t slice, int64_t sites,
                                         int64_t links, int64_t components, double on_site[], double hopping[],
                                         double along[]);

/** Creates a run with slices that the caller changes or defines, for instance with correlated disorder or for another
 * lattice. Without links (n_links = 0, NULL) the lattice is that of the parameters. Link i is then from the next site
 * in x direction to site i, and in 3D link N + i is from the next site in y direction to site i; N is the number of
 * sites of a slice. A link across a hard wall has hopping 0. With links the slice has `width` sites, dimension is 2,
 * boundary is not used, and link l is between sites first[l] and second[l], both in the range [0, width - 1]; the
 * hopping of the model is then t, with random phases or spin rotations for LEGATO_TMM_MODEL_U1 and
 * LEGATO_TMM_MODEL_SU2. Links between the same sites add up, and a link of a site with itself adds its hopping and the
 * adjoint. If parts of the lattice are not linked, LEGATO_TMM_RULE_BLOCKS gives the exponents of all parts together,
 * and LEGATO_TMM_RULE_TMSEXD gives them in the wrong order. Range of n_links: [0, 1048576], with at most 64 at a site.
 * A device computes lattices of at most four links at each site. random_stream must be LEGATO_TMM_RANDOM_STREAM_PHILOX.
 * The callback is used until the run is destroyed. Since version 0.2. */
LEGATO_API int32_t legato_tmm_create_given(legato_context* context, LEGATO_NULLABLE const legato_tmm_params* params,
                                           int64_t n_links, LEGATO_NULLABLE const int64_t first[],
                                           LEGATO_NULLABLE const int64_t second[], legato_tmm_slice_callback callback,
                                           void* user, int64_t n_points, const double energy[], const double disorder[],
                                           legato_tmm** tmm);

/** Destroys a run; NULL is allowed. */
LEGATO_API int32_t legato_tmm_destroy(legato_tmm* tmm);

/** Runs until all points have ended. `callback` may be NULL. In its legato_progress, points_done counts the points that
 * have ended, and cycles_done counts the cycles of all points and replicas. A stopped run continues with the next
 * call. */
LEGATO_API int32_t legato_tmm_run(legato_tmm* tmm, legato_progress_callback callback, void* user);

/** Advances each running point, or each replica of it, by up to `cycles` cycles. The backend works on a limited number
 * of points at a time. The other points begin in later calls, as soon as earlier points have ended. *finished becomes
 * the number of points that have ended. */
LEGATO_API int32_t legato_tmm_advance(legato_tmm* tmm, int64_t cycles, LEGATO_NULLABLE int64_t* finished);

/** Reads the number of points, and the number of exponents of each point, which is the number of sites of a slice: 1, M
 * or M^2. Each exponent is listed once, also if it belongs to a Kramers pair. */
LEGATO_API int32_t legato_tmm_size(legato_tmm* tmm, LEGATO_NULLABLE int64_t* points,
                                   LEGATO_NULLABLE int64_t* exponents);

/** Reads the current state of point `index`, counted from 0. exponents[n] receives the Lyapunov exponents per slice,
 * smallest first, and errors[n] their relative standard errors; n is at most the number of exponents. Exponents are 0
 * before the first cycle.
 *
 * An error is NaN if too few values can be averaged: fewer than 8 blocks with LEGATO_TMM_RULE_BLOCKS (up to cycle 14
 * with the default burn_in), fewer than 2 cycles with LEGATO_TMM_RULE_TMSEXD. */
LEGATO_API int32_t legato_tmm_result(legato_tmm* tmm, int64_t index, LEGATO_NULLABLE legato_tmm_point* point, int64_t n,
                                     LEGATO_NULLABLE double exponents[], LEGATO_NULLABLE double errors[]);

/** Saves the run to an HDF5 file. A temporary file beside `path` is renamed to `path` when it is complete. */
LEGATO_API int32_t legato_tmm_save(legato_tmm* tmm, const char* path);

/** Resumes a saved run on the backend on which it ran. Its results are then bitwise identical to those of an
 * uninterrupted run. If the context requests the other backend, or if this machine does not have the earlier one, the
 * run continues on the other backend. A warning then says that the last digits may differ. A file is refused if it is
 * truncated, if it is not a saved run of this method, or if a newer version has written it. A run that version 0.1 has
 * saved continues with LEGATO_TMM_RULE_TMSEXD, the only rule of that version. */
LEGATO_API int32_t legato_tmm_resume(legato_context* context, const char* path, legato_tmm** tmm);

/** Resumes a run of legato_tmm_create_given in the same way. The links are in the file. legato_tmm_resume refuses such
 * a run, and this function any other. Since version 0.2. */
LEGATO_API int32_t legato_tmm_resume_given(legato_context* context, const char* path,
                                           legato_tmm_slice_callback callback, void* user, legato_tmm** tmm);

/** Reads the parameters in use, for instance after legato_tmm_resume. Before the call, set struct_size to the size of
 * the struct, directly or by legato_tmm_params_init. */
LEGATO_API int32_t legato_tmm_get_params(legato_tmm* tmm, legato_tmm_params* params);

#ifdef __cplusplus
}
#endif

#endif
