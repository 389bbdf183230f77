/** @file
 * Hamiltonians of the kernel polynomial method: lattices, crystals with any unit cell, and sparse matrices. */
#ifndef LEGATO_KPM_HAMILTONIAN_H
#define LEGATO_KPM_HAMILTONIAN_H

#include <legato/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A Hamiltonian. Any number of computations can share it. */
typedef struct legato_kpm_hamiltonian legato_kpm_hamiltonian;

/** Boundary of a lattice along an axis. */
typedef enum legato_kpm_boundary {
    LEGATO_KPM_BOUNDARY_HARD_WALL = 0, /**< no neighbour across the edge */
    LEGATO_KPM_BOUNDARY_PERIODIC = 1   /**< a site at the opposite edge is the neighbour */
} legato_kpm_boundary;

/** Distribution of the on-site energies of a lattice. */
typedef enum legato_kpm_on_site {
    LEGATO_KPM_ON_SITE_CONSTANT = 0, /**< all equal to the member energy */
    LEGATO_KPM_ON_SITE_BOX = 1,      /**< uniform in [energy - disorder / 2, energy + disorder / 2] */
    LEGATO_KPM_ON_SITE_NORMAL = 2,   /**< normal, with mean energy and standard deviation disorder */
    LEGATO_KPM_ON_SITE_ENERGIES = 3, /**< given by the caller, one for each site */
    LEGATO_KPM_ON_SITE_BINARY = 4    /**< energy + disorder / 2 with the probability concentration, otherwise energy -
                                          disorder / 2 */
} legato_kpm_on_site;

/** A chain, a square or a simple cubic lattice, with hopping between nearest neighbours and on-site energies. A chain
 * has the extents {L, 1, 1}, a square lattice {L, M, 1} and a cubic one {L, M, N}. Site (x, y, z) has the number x + L
 * (y + M z), from 0. Each bond has the matrix element -hopping. Along a periodic direction a bond joins the last site
 * with the first; with an extent of 2, two bonds join the same two sites. */
typedef struct legato_kpm_lattice {
    size_t struct_size;   /**< Set by legato_kpm_lattice_init. */
    int64_t extents[3];   /**< Sites along each axis, at most 2^40 in all. Range [1, 1099511627776], default 1. */
    int32_t boundary[3];  /**< Boundary along each axis. One of legato_kpm_boundary, default
                               LEGATO_KPM_BOUNDARY_PERIODIC. */
    int32_t on_site;      /**< One of legato_kpm_on_site, default LEGATO_KPM_ON_SITE_CONSTANT. */
    double hopping;       /**< Matrix element of a bond, with the opposite sign. Range [-1e6, 1e6], default 1. */
    double energy;        /**< Mean on-site energy. Range [-1e6, 1e6], default 0. */
    double disorder;      /**< Width of the box of on-site energies, or their standard deviation, or the difference of
                               the two values. The energies are drawn anew in every realisation; used with
                               LEGATO_KPM_ON_SITE_BOX, LEGATO_KPM_ON_SITE_NORMAL and LEGATO_KPM_ON_SITE_BINARY. Range
                               [0, 1e6], default 0. */
    double concentration; /**< Probability of the upper one of two values, used with LEGATO_KPM_ON_SITE_BINARY. Since
                              version 0.2. Range [0, 1], default 0.5. */
} legato_kpm_lattice;

/** A crystal whose unit cell has several orbitals, with hoppings to the same and to other cells, a uniform magnetic
 * field and twisted boundaries. With the extents L, orbital o of cell (n_0, n_1, n_2) is the site o + orbitals (n_0 +
 * L_0 (n_1 + L_1 n_2)); all of them count from 0. Since version 0.2. */
typedef struct legato_kpm_cell_lattice {
    size_t struct_size;  /**< Set by legato_kpm_cell_lattice_init. */
    int64_t extents[3];  /**< Cells along each axis. A computation takes at most 2147483647 sites in all. Range [1,
                            1099511627776], default 1. */
    int32_t boundary[3]; /**< Boundary along each axis. One of legato_kpm_boundary, default
                              LEGATO_KPM_BOUNDARY_PERIODIC. */
    int32_t orbitals;    /**< Orbitals in a cell. Range [1, 16], default 1. */
    int32_t on_site;     /**< Disorder that is added to the energies of the orbitals. LEGATO_KPM_ON_SITE_CONSTANT adds
                              nothing. One of legato_kpm_on_site, default LEGATO_KPM_ON_SITE_CONSTANT. */
    double twist[3];     /**< Phase in radians for crossing a periodic edge: a hopping that leads from the last cells of
                              an axis to the first ones has the factor exp(i twist), in the other direction exp(-i
                              twist). Wave vectors are k L = 2 pi m - twist. It must be 0 for a hard wall. Range [-1000,
                              1000], default 0. */
    double flux[3];      /**< Flux quanta of a uniform magnetic field through the faces of a cell: flux[0] through the
                              face of a_1 and a_2, flux[1] through that of a_2 and a_0, flux[2] through that of a_0 and
                              a_1. If both directions of a face are periodic and hoppings lead along both, the flux times
                              one of the two extents must be an integer. Range [-1000, 1000], default 0. */
    double disorder;     /**< Width, standard deviation or difference, as in legato_kpm_lattice; used with
                              LEGATO_KPM_ON_SITE_BOX, LEGATO_KPM_ON_SITE_NORMAL and LEGATO_KPM_ON_SITE_BINARY. Range
                              [0, 1e6], default 0. */
    double concentration; /**< Probability of the upper one of two values, used with LEGATO_KPM_ON_SITE_BINARY. Range
                              [0, 1], default 0.5. */
    double vacancy_concentration[16]; /**< Probability that an orbital of a cell is a vacancy, for each orbital. The
                                           vacancies are drawn anew in every realisation. Elements beyond the orbitals
                                           are not used. Range [0, 0.999999], default 0. */
} legato_kpm_cell_lattice;

/** Fills in the on-site energies[sites] of a realisation, which are added to the diagonal of a matrix. Realisations
 * count from 0. Energies outside the range given to legato_kpm_matrix_set_energies, and NaN, end the call with
 * LEGATO_STATUS_INVALID_ARGUMENT. The function is called in the thread that runs or creates the computation. It may be
 * called again with the same number, and must then give the same energies, on every rank. A return value other than 0
 * stops the call with LEGATO_STATUS_CANCELLED. */
typedef int (*legato_kpm_energy_callback)(void* user, int64_t realisation, int64_t sites, double energies[]);

/** Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
 * legato_kpm_lattice_init. */
LEGATO_API int32_t legato_kpm_lattice_init_sized(legato_kpm_lattice* lattice, size_t struct_size);

/** Fills in the defaults. */
static inline int32_t legato_kpm_lattice_init(legato_kpm_lattice* lattice) {
    return legato_kpm_lattice_init_sized(lattice, sizeof *lattice);
}

/** Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
 * legato_kpm_cell_lattice_init. Since version 0.2. */
LEGATO_API int32_t legato_kpm_cell_lattice_init_sized(legato_kpm_cell_lattice* lattice, size_t struct_size);

/** Fills in the defaults. */
static inline int32_t legato_kpm_cell_lattice_init(legato_kpm_cell_lattice* lattice) {
    return legato_kpm_cell_lattice_init_sized(lattice, sizeof *lattice);
}

/** Creates the Hamiltonian of a lattice. With LEGATO_KPM_ON_SITE_ENERGIES, energies[n_energies] are the on-site
 * energies, one for each site, and are copied. Otherwise n_energies is 0 and energies NULL. */
LEGATO_API int32_t legato_kpm_lattice_create(legato_context* context, const legato_kpm_lattice* lattice,
                                             int64_t n_energies, LEGATO_NULLABLE const double energies[],
                                             legato_kpm_hamiltonian** hamiltonian);

/** Creates the Hamiltonian of a unit-cell lattice. All arrays are copied.
 *
 * Hopping h is the matrix element amplitudes[2 h] + i amplitudes[2 h + 1] from orbital from[h] of each cell n to
 * orbital to[h] of the cell n + offsets[3 h .. 3 h + 2]. Its Hermitian conjugate, in the other direction, is not given.
 * Several hoppings between the same orbitals are added. Periodic directions wrap hoppings of any length. The ranges are
 * [0, 1048576] of n_hoppings, [-4096, 4096] of an offset, and [-1e6, 1e6] of each part of an amplitude. A hopping from
 * an orbital to itself is refused; it belongs to the energies.
 *
 * positions[3 orbitals] are the orbitals' positions in the cell in units of the lattice vectors, in [-1000, 1000]. They
 * are used with a flux only; NULL stands for zeros. energies[orbitals] are the orbitals' energies, in [-1e6, 1e6]; NULL
 * stands for zeros. With LEGATO_KPM_ON_SITE_ENERGIES, site_energies[n_site_energies], one for each site, are added to
 * them. Otherwise n_site_energies is 0 and site_energies NULL. Since version 0.2. */
LEGATO_API int32_t legato_kpm_cell_lattice_create(
    legato_context* context, const legato_kpm_cell_lattice* lattice, LEGATO_NULLABLE const double positions[],
    LEGATO_NULLABLE const double energies[], int64_t n_hoppings, LEGATO_NULLABLE const int32_t from[],
    LEGATO_NULLABLE const int32_t to[], LEGATO_NULLABLE const int32_t offsets[],
    LEGATO_NULLABLE const double amplitudes[], int64_t n_site_energies, LEGATO_NULLABLE const double site_energies[],
    legato_kpm_hamiltonian** hamiltonian);

/** Replaces the given vacancies of a unit-cell lattice, none at first: the sites vacancies[n_vacancies], from 0, in any
 * order. A site that is named twice counts once. Random vacancies (vacancy_concentration) come in addition. The numbers
 * are copied. At least one site must remain. Computations that exist already keep the earlier vacancies.
 *
 * All hoppings from and to a vacancy are 0, and the site itself does not count: moments and densities are for each of
 * the D' remaining sites of a realisation, mu_n = (1/D') Tr' T_n(H~), and then averaged over realisations. Start
 * vectors are 0 at vacancies, also those of the caller, and so are vectors that a function is applied to. Vectors keep
 * an element for every site. Local moments of a given vacancy are refused; those of a random vacancy are 0 in the
 * realisations that have it. Since version 0.2. */
LEGATO_API int32_t legato_kpm_cell_lattice_set_vacancies(legato_kpm_hamiltonian* hamiltonian, int64_t n_vacancies,
                                                         LEGATO_NULLABLE const int64_t vacancies[]);

/** Creates the Hamiltonian from a real symmetric matrix in compressed row storage, which is copied. The elements of row
 * i are row_pointers[i] .. row_pointers[i + 1] - 1 of columns[n_elements] and values[n_elements]; row_pointers has rows
 * + 1 elements. Range of rows: [1, 2147483647]. Indices count from index_base, 0 or 1. Both triangles of the matrix are
 * given. The elements of a row may have any order. Elements with the same row and column are added.
 *
 * A matrix is refused if an index is out of range, if an element is outside [-1e100, 1e100], or if two transposed
 * elements differ by more than rounding errors. The message names the row and the column. */
LEGATO_API int32_t legato_kpm_matrix_create(legato_context* context, int64_t rows, int64_t n_elements,
                                            int32_t index_base, const int64_t row_pointers[], const int32_t columns[],
                                            const double values[], legato_kpm_hamiltonian** hamiltonian);

/** Does the same as legato_kpm_matrix_create, with row pointers of 32 bits. */
LEGATO_API int32_t legato_kpm_matrix_create_narrow(legato_context* context, int64_t rows, int64_t n_elements,
                                                   int32_t index_base, const int32_t row_pointers[],
                                                   const int32_t columns[], const double values[],
                                                   legato_kpm_hamiltonian** hamiltonian);

/** Does the same as legato_kpm_matrix_create without copying the arrays. The arrays must stay unchanged until the
 * Hamiltonian and all computations made from it have been destroyed. If the columns of a row do not ascend, the matrix
 * is copied nevertheless, and LEGATO_STATUS_OUT_OF_MEMORY is possible. */
LEGATO_API int32_t legato_kpm_matrix_borrow(legato_context* context, int64_t rows, int64_t n_elements,
                                            int32_t index_base, LEGATO_BORROWED const int64_t row_pointers[],
                                            LEGATO_BORROWED const int32_t columns[],
                                            LEGATO_BORROWED const double values[],
                                            legato_kpm_hamiltonian** hamiltonian);

/** Creates the Hamiltonian from a complex Hermitian matrix, as legato_kpm_matrix_create does from a real one. The
 * arguments are the same, but values[2 n_elements] has real and imaginary parts alternating.
 *
 * A matrix is refused if an index is out of range, if a real or imaginary part is outside [-1e100, 1e100], if a
 * diagonal element is not real, or if an element is not the complex conjugate of the transposed one. Both may deviate
 * by rounding errors. The message names the row and the column. Since version 0.2. */
LEGATO_API int32_t legato_kpm_complex_matrix_create(legato_context* context, int64_t rows, int64_t n_elements,
                                                    int32_t index_base, const int64_t row_pointers[],
                                                    const int32_t columns[], const double values[],
                                                    legato_kpm_hamiltonian** hamiltonian);

/** Does the same as legato_kpm_complex_matrix_create, with row pointers of 32 bits. Since version 0.2. */
LEGATO_API int32_t legato_kpm_complex_matrix_create_narrow(legato_context* context, int64_t rows, int64_t n_elements,
                                                           int32_t index_base, const int32_t row_pointers[],
                                                           const int32_t columns[], const double values[],
                                                           legato_kpm_hamiltonian** hamiltonian);

/** Does the same as legato_kpm_complex_matrix_create without copying the arrays, as legato_kpm_matrix_borrow does.
 * Since version 0.2. */
LEGATO_API int32_t legato_kpm_complex_matrix_borrow(legato_context* context, int64_t rows, int64_t n_elements,
                                                    int32_t index_base, LEGATO_BORROWED const int64_t row_pointers[],
                                                    LEGATO_BORROWED const int32_t columns[],
                                                    LEGATO_BORROWED const double values[],
                                                    legato_kpm_hamiltonian** hamiltonian);

/** Sets *is_complex to 1 if the elements of the Hamiltonian, and those of its vectors, are complex, and to 0 otherwise.
 * Since version 0.2. */
LEGATO_API int32_t legato_kpm_hamiltonian_is_complex(legato_kpm_hamiltonian* hamiltonian, int32_t* is_complex);

/** Replaces the values of a matrix. The elements are those with which the Hamiltonian was created, in the same order,
 * and n_elements is their number. For a complex matrix, values[2 n_elements] has real and imaginary parts alternating,
 * as for legato_kpm_complex_matrix_create. The values are copied, also if the arrays of the matrix are borrowed; the
 * borrowed array of values is no longer used by later computations. The function checks the values as
 * legato_kpm_matrix_create or legato_kpm_complex_matrix_create does, but neither copies nor checks the pattern. If it
 * returns an error, the Hamiltonian is unchanged. Computations that exist already keep the earlier values. If no
 * computation uses the earlier values, their memory is used again. */
LEGATO_API int32_t legato_kpm_matrix_set_values(legato_kpm_hamiltonian* hamiltonian, int64_t n_elements,
                                                const double values[]);

/** Adds random on-site energies to the diagonal of a matrix. They are drawn anew in every realisation, as for a lattice
 * with the mean energy 0. `on_site` is LEGATO_KPM_ON_SITE_BOX or LEGATO_KPM_ON_SITE_NORMAL, and `disorder` is the width
 * of the box or the standard deviation. Range of `disorder`: [0, 1e100]. LEGATO_KPM_ON_SITE_CONSTANT, or `disorder` 0,
 * removes the energies. The energies replace those of an earlier call of this function or of
 * legato_kpm_matrix_set_energies. Computations that exist already keep theirs. The arrays of the matrix do not change.
 */
LEGATO_API int32_t legato_kpm_matrix_set_disorder(legato_kpm_hamiltonian* hamiltonian, int32_t on_site,
                                                  double disorder);

/** Does the same with on-site energies from `callback`, other ones in every realisation. All energies must be in
 * [lowest, highest], from which the bounds of the spectrum follow. Range of both: [-1e100, 1e100]. The callback is used
 * until the Hamiltonian has other energies or is destroyed, and all computations made from it meanwhile have been
 * destroyed. */
LEGATO_API int32_t legato_kpm_matrix_set_energies(legato_kpm_hamiltonian* hamiltonian, double lowest, double highest,
                                                  legato_kpm_energy_callback callback, void* user);

/** Creates the velocity operator v = i [H, X] (hbar = 1) of a lattice along a direction, v_ij = i H_ij (x_j - x_i). It
 * is a Hamiltonian of its own, with the same sites, for instance an operator of legato_kpm_correlation_create.
 * components[d] is the component along the direction of lattice vector a_d, the step to the next cell or, for a
 * legato_kpm_lattice, to the next site along axis d. Range [-1e6, 1e6]. Orbital o of cell n is at
 * x = sum_d components[d] (n_d + position_d(o)), and a hopping across a periodic edge has the length of any other one.
 * Twists and fluxes are those of the lattice; on-site energies and disorder do not matter. The velocity has no
 * vacancies of its own: in a computation all vectors are 0 at those of its Hamiltonian. If amplitude times length of
 * a hopping is outside [-1e6, 1e6], the call is refused. So is a matrix, whose sites have no positions. Since version
 * 0.2. */
LEGATO_API int32_t legato_kpm_velocity_create(legato_context* context, const legato_kpm_hamiltonian* hamiltonian,
                                              const double components[], legato_kpm_hamiltonian** velocity);

/** Creates the velocity operator of a matrix from positions[n_positions], one for each row, along a direction. If
 * `period` is above 0, positions are periodic: the image with the shortest difference x_j - x_i counts. An element
 * between two rows that are half a period apart is then refused, because its direction is not known. `period` 0 stands
 * for a finite system. The result is a complex matrix without the elements that are 0. Range of positions:
 * [-1e100, 1e100], of period: [0, 1e100]. Since version 0.2. */
LEGATO_API int32_t legato_kpm_matrix_velocity_create(legato_context* context, const legato_kpm_hamiltonian* hamiltonian,
                                                     int64_t n_positions, const double positions[], double period,
                                                     legato_kpm_hamiltonian** velocity);

/** Destroys a Hamiltonian; NULL is allowed. Computations made from it remain valid. */
LEGATO_API int32_t legato_kpm_hamiltonian_destroy(legato_kpm_hamiltonian* hamiltonian);

#ifdef __cplusplus
}
#endif

#endif
