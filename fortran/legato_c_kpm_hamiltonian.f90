! Written by tools/fortran_interfaces.py from capi/include/legato/kpm_hamiltonian.h. Change that instead.
module legato_c_kpm_hamiltonian
   use legato_c_context
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! Boundary of a lattice along an axis.
   enum, bind(c)
      enumerator :: LEGATO_KPM_BOUNDARY_HARD_WALL = 0  ! no neighbour across the edge
      enumerator :: LEGATO_KPM_BOUNDARY_PERIODIC = 1  ! a site at the opposite edge is the neighbour
   end enum

   ! Distribution of the on-site energies of a lattice.
   enum, bind(c)
      enumerator :: LEGATO_KPM_ON_SITE_CONSTANT = 0  ! all equal to the member energy
      enumerator :: LEGATO_KPM_ON_SITE_BOX = 1  ! uniform in [energy - disorder / 2, energy + disorder / 2]
      enumerator :: LEGATO_KPM_ON_SITE_NORMAL = 2  ! normal, with mean energy and standard deviation disorder
      enumerator :: LEGATO_KPM_ON_SITE_ENERGIES = 3  ! given by the caller, one for each site
      ! energy + disorder / 2 with the probability concentration, otherwise energy - disorder / 2
      enumerator :: LEGATO_KPM_ON_SITE_BINARY = 4
   end enum

   ! A chain, a square or a simple cubic lattice, with hopping between nearest neighbours and on-site energies. A chain
   ! has the extents {L, 1, 1}, a square lattice {L, M, 1} and a cubic one {L, M, N}. Site (x, y, z) has the number x +
   ! L (y + M z), from 0. Each bond has the matrix element -hopping. Along a periodic direction a bond joins the last
   ! site with the first; with an extent of 2, two bonds join the same two sites.
   type, bind(c) :: legato_kpm_lattice
      integer(c_size_t) :: struct_size  ! Set by legato_kpm_lattice_init.
      ! Sites along each axis, at most 2^40 in all. Range [1, 1099511627776], default 1.
      integer(c_int64_t) :: extents(3)
      ! Boundary along each axis. One of legato_kpm_boundary, default LEGATO_KPM_BOUNDARY_PERIODIC.
      integer(c_int32_t) :: boundary(3)
      integer(c_int32_t) :: on_site  ! One of legato_kpm_on_site, default LEGATO_KPM_ON_SITE_CONSTANT.
      real(c_double) :: hopping  ! Matrix element of a bond, with the opposite sign. Range [-1e6, 1e6], default 1.
      real(c_double) :: energy  ! Mean on-site energy. Range [-1e6, 1e6], default 0.
      ! Width of the box of on-site energies, or their standard deviation, or the difference of the two values. The
      ! energies are drawn anew in every realisation; used with LEGATO_KPM_ON_SITE_BOX, LEGATO_KPM_ON_SITE_NORMAL and
      ! LEGATO_KPM_ON_SITE_BINARY. Range [0, 1e6], default 0.
      real(c_double) :: disorder
      ! Probability of the upper one of two values, used with LEGATO_KPM_ON_SITE_BINARY. Since version 0.2. Range [0,
      ! 1], default 0.5.
      real(c_double) :: concentration
   end type legato_kpm_lattice

   ! A crystal whose unit cell has several orbitals, with hoppings to the same and to other cells, a uniform magnetic
   ! field and twisted boundaries. With the extents L, orbital o of cell (n_0, n_1, n_2) is the site o + orbitals (n_0 +
   ! L_0 (n_1 + L_1 n_2)); all of them count from 0. Since version 0.2.
   type, bind(c) :: legato_kpm_cell_lattice
      integer(c_size_t) :: struct_size  ! Set by legato_kpm_cell_lattice_init.
      ! Cells along each axis. A computation takes at most 2147483647 sites in all. Range [1, 1099511627776], default 1.
      integer(c_int64_t) :: extents(3)
      ! Boundary along each axis. One of legato_kpm_boundary, default LEGATO_KPM_BOUNDARY_PERIODIC.
      integer(c_int32_t) :: boundary(3)
      integer(c_int32_t) :: orbitals  ! Orbitals in a cell. Range [1, 16], default 1.
      ! Disorder that is added to the energies of the orbitals. LEGATO_KPM_ON_SITE_CONSTANT adds nothing. One of
      ! legato_kpm_on_site, default LEGATO_KPM_ON_SITE_CONSTANT.
      integer(c_int32_t) :: on_site
      ! Phase in radians for crossing a periodic edge: a hopping that leads from the last cells of an axis to the first
      ! ones has the factor exp(i twist), in the other direction exp(-i twist). Wave vectors are k L = 2 pi m - twist.
      ! It must be 0 for a hard wall. Range [-1000, 1000], default 0.
      real(c_double) :: twist(3)
      ! Flux quanta of a uniform magnetic field through the faces of a cell: flux[0] through the face of a_1 and a_2,
      ! flux[1] through that of a_2 and a_0, flux[2] through that of a_0 and a_1. If both directions of a face are
      ! periodic and hoppings lead along both, the flux times one of the two extents must be an integer. Range [-1000,
      ! 1000], default 0.
      real(c_double) :: flux(3)
      ! Width, standard deviation or difference, as in legato_kpm_lattice; used with LEGATO_KPM_ON_SITE_BOX,
      ! LEGATO_KPM_ON_SITE_NORMAL and LEGATO_KPM_ON_SITE_BINARY. Range [0, 1e6], default 0.
      real(c_double) :: disorder
      ! Probability of the upper one of two values, used with LEGATO_KPM_ON_SITE_BINARY. Range [0, 1], default 0.5.
      real(c_double) :: concentration
      ! Probability that an orbital of a cell is a vacancy, for each orbital. The vacancies are drawn anew in every
      ! realisation. Elements beyond the orbitals are not used. Range [0, 0.999999], default 0.
      real(c_double) :: vacancy_concentration(16)
   end type legato_kpm_cell_lattice

   abstract interface
      ! Fills in the on-site energies[sites] of a realisation, which are added to the diagonal of a matrix. Realisations
      ! count from 0. Energies outside the range given to legato_kpm_matrix_set_energies, and NaN, end the call with
      ! LEGATO_STATUS_INVALID_ARGUMENT. The function is called in the thread that runs or creates the computation. It
      ! may be called again with the same number, and must then give the same energies, on every rank. A return value
      ! other than 0 stops the call with LEGATO_STATUS_CANCELLED.
      function legato_kpm_energy_callback(user, realisation, sites, energies) bind(c) result(stop)
         import
         type(c_ptr), value :: user
         integer(c_int64_t), value :: realisation
         integer(c_int64_t), value :: sites
         real(c_double), intent(inout) :: energies(*)
         integer(c_int) :: stop
      end function legato_kpm_energy_callback
   end interface

   interface
      ! Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
      ! legato_kpm_lattice_init.
      function legato_kpm_lattice_init_sized(lattice, struct_size) bind(c) result(status)
         import
         type(legato_kpm_lattice), intent(out) :: lattice
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_kpm_lattice_init_sized

      ! Fills in the defaults of a struct of struct_size bytes. It is for other languages; C programs call
      ! legato_kpm_cell_lattice_init. Since version 0.2.
      function legato_kpm_cell_lattice_init_sized(lattice, struct_size) bind(c) result(status)
         import
         type(legato_kpm_cell_lattice), intent(out) :: lattice
         integer(c_size_t), value :: struct_size
         integer(c_int32_t) :: status
      end function legato_kpm_cell_lattice_init_sized

      ! Creates the Hamiltonian of a lattice. With LEGATO_KPM_ON_SITE_ENERGIES, energies[n_energies] are the on-site
      ! energies, one for each site, and are copied. Otherwise n_energies is 0 and energies NULL.
      function legato_kpm_lattice_create(context, lattice, n_energies, energies, hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_kpm_lattice), intent(in) :: lattice
         integer(c_int64_t), value :: n_energies
         real(c_double), intent(in), optional :: energies(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_lattice_create

      ! Creates the Hamiltonian of a unit-cell lattice. All arrays are copied.
      !
      ! Hopping h is the matrix element amplitudes[2 h] + i amplitudes[2 h + 1] from orbital from[h] of each cell n to
      ! orbital to[h] of the cell n + offsets[3 h .. 3 h + 2]. Its Hermitian conjugate, in the other direction, is not
      ! given. Several hoppings between the same orbitals are added. Periodic directions wrap hoppings of any length.
      ! The ranges are [0, 1048576] of n_hoppings, [-4096, 4096] of an offset, and [-1e6, 1e6] of each part of an
      ! amplitude. A hopping from an orbital to itself is refused; it belongs to the energies.
      !
      ! positions[3 orbitals] are the orbitals' positions in the cell in units of the lattice vectors, in [-1000, 1000].
      ! They are used with a flux only; NULL stands for zeros. energies[orbitals] are the orbitals' energies, in [-1e6,
      ! 1e6]; NULL stands for zeros. With LEGATO_KPM_ON_SITE_ENERGIES, site_energies[n_site_energies], one for each
      ! site, are added to them. Otherwise n_site_energies is 0 and site_energies NULL. Since version 0.2.
      function legato_kpm_cell_lattice_create(context, lattice, positions, energies, n_hoppings, from, to, offsets, &
         amplitudes, n_site_energies, site_energies, hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_kpm_cell_lattice), intent(in) :: lattice
         real(c_double), intent(in), optional :: positions(*)
         real(c_double), intent(in), optional :: energies(*)
         integer(c_int64_t), value :: n_hoppings
         integer(c_int32_t), intent(in), optional :: from(*)
         integer(c_int32_t), intent(in), optional :: to(*)
         integer(c_int32_t), intent(in), optional :: offsets(*)
         real(c_double), intent(in), optional :: amplitudes(*)
         integer(c_int64_t), value :: n_site_energies
         real(c_double), intent(in), optional :: site_energies(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_cell_lattice_create

      ! Replaces the given vacancies of a unit-cell lattice, none at first: the sites vacancies[n_vacancies], from 0, in
      ! any order. A site that is named twice counts once. Random vacancies (vacancy_concentration) come in addition.
      ! The numbers are copied. At least one site must remain. Computations that exist already keep the earlier
      ! vacancies.
      !
      ! All hoppings from and to a vacancy are 0, and the site itself does not count: moments and densities are for each
      ! of the D' remaining sites of a realisation, mu_n = (1/D') Tr' T_n(H~), and then averaged over realisations.
      ! Start vectors are 0 at vacancies, also those of the caller, and so are vectors that a function is applied to.
      ! Vectors keep an element for every site. Local moments of a given vacancy are refused; those of a random vacancy
      ! are 0 in the realisations that have it. Since version 0.2.
      function legato_kpm_cell_lattice_set_vacancies(hamiltonian, n_vacancies, vacancies) bind(c) result(status)
         import
         type(c_ptr), value :: hamiltonian
         integer(c_int64_t), value :: n_vacancies
         integer(c_int64_t), intent(in), optional :: vacancies(*)
         integer(c_int32_t) :: status
      end function legato_kpm_cell_lattice_set_vacancies

      ! Creates the Hamiltonian from a real symmetric matrix in compressed row storage, which is copied. The elements of
      ! row i are row_pointers[i] .. row_pointers[i + 1] - 1 of columns[n_elements] and values[n_elements]; row_pointers
      ! has rows + 1 elements. Range of rows: [1, 2147483647]. Indices count from index_base, 0 or 1. Both triangles of
      ! the matrix are given. The elements of a row may have any order. Elements with the same row and column are added.
      !
      ! A matrix is refused if an index is out of range, if an element is outside [-1e100, 1e100], or if two transposed
      ! elements differ by more than rounding errors. The message names the row and the column.
      function legato_kpm_matrix_create(context, rows, n_elements, index_base, row_pointers, columns, values, &
         hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int64_t), value :: rows
         integer(c_int64_t), value :: n_elements
         integer(c_int32_t), value :: index_base
         integer(c_int64_t), intent(in) :: row_pointers(*)
         integer(c_int32_t), intent(in) :: columns(*)
         real(c_double), intent(in) :: values(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_matrix_create

      ! Does the same as legato_kpm_matrix_create, with row pointers of 32 bits.
      function legato_kpm_matrix_create_narrow(context, rows, n_elements, index_base, row_pointers, columns, &
         values, hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int64_t), value :: rows
         integer(c_int64_t), value :: n_elements
         integer(c_int32_t), value :: index_base
         integer(c_int32_t), intent(in) :: row_pointers(*)
         integer(c_int32_t), intent(in) :: columns(*)
         real(c_double), intent(in) :: values(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_matrix_create_narrow

      ! Does the same as legato_kpm_matrix_create without copying the arrays. The arrays must stay unchanged until the
      ! Hamiltonian and all computations made from it have been destroyed. If the columns of a row do not ascend, the
      ! matrix is copied nevertheless, and LEGATO_STATUS_OUT_OF_MEMORY is possible.
      function legato_kpm_matrix_borrow(context, rows, n_elements, index_base, row_pointers, columns, values, &
         hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int64_t), value :: rows
         integer(c_int64_t), value :: n_elements
         integer(c_int32_t), value :: index_base
         integer(c_int64_t), intent(in), target :: row_pointers(*)
         integer(c_int32_t), intent(in), target :: columns(*)
         real(c_double), intent(in), target :: values(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_matrix_borrow

      ! Creates the Hamiltonian from a complex Hermitian matrix, as legato_kpm_matrix_create does from a real one. The
      ! arguments are the same, but values[2 n_elements] has real and imaginary parts alternating.
      !
      ! A matrix is refused if an index is out of range, if a real or imaginary part is outside [-1e100, 1e100], if a
      ! diagonal element is not real, or if an element is not the complex conjugate of the transposed one. Both may
      ! deviate by rounding errors. The message names the row and the column. Since version 0.2.
      function legato_kpm_complex_matrix_create(context, rows, n_elements, index_base, row_pointers, columns, &
         values, hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int64_t), value :: rows
         integer(c_int64_t), value :: n_elements
         integer(c_int32_t), value :: index_base
         integer(c_int64_t), intent(in) :: row_pointers(*)
         integer(c_int32_t), intent(in) :: columns(*)
         real(c_double), intent(in) :: values(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_complex_matrix_create

      ! Does the same as legato_kpm_complex_matrix_create, with row pointers of 32 bits. Since version 0.2.
      function legato_kpm_complex_matrix_create_narrow(context, rows, n_elements, index_base, row_pointers, &
         columns, values, hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int64_t), value :: rows
         integer(c_int64_t), value :: n_elements
         integer(c_int32_t), value :: index_base
         integer(c_int32_t), intent(in) :: row_pointers(*)
         integer(c_int32_t), intent(in) :: columns(*)
         real(c_double), intent(in) :: values(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_complex_matrix_create_narrow

      ! Does the same as legato_kpm_complex_matrix_create without copying the arrays, as legato_kpm_matrix_borrow does.
      ! Since version 0.2.
      function legato_kpm_complex_matrix_borrow(context, rows, n_elements, index_base, row_pointers, columns, &
         values, hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int64_t), value :: rows
         integer(c_int64_t), value :: n_elements
         integer(c_int32_t), value :: index_base
         integer(c_int64_t), intent(in), target :: row_pointers(*)
         integer(c_int32_t), intent(in), target :: columns(*)
         real(c_double), intent(in), target :: values(*)
         type(c_ptr), intent(out) :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_complex_matrix_borrow

      ! Sets *is_complex to 1 if the elements of the Hamiltonian, and those of its vectors, are complex, and to 0
      ! otherwise. Since version 0.2.
      function legato_kpm_hamiltonian_is_complex(hamiltonian, is_complex) bind(c) result(status)
         import
         type(c_ptr), value :: hamiltonian
         integer(c_int32_t), intent(inout) :: is_complex
         integer(c_int32_t) :: status
      end function legato_kpm_hamiltonian_is_complex

      ! Replaces the values of a matrix. The elements are those with which the Hamiltonian was created, in the same
      ! order, and n_elements is their number. For a complex matrix, values[2 n_elements] has real and imaginary parts
      ! alternating, as for legato_kpm_complex_matrix_create. The values are copied, also if the arrays of the matrix
      ! are borrowed; the borrowed array of values is no longer used by later computations. The function checks the
      ! values as legato_kpm_matrix_create or legato_kpm_complex_matrix_create does, but neither copies nor checks the
      ! pattern. If it returns an error, the Hamiltonian is unchanged. Computations that exist already keep the earlier
      ! values. If no computation uses the earlier values, their memory is used again.
      function legato_kpm_matrix_set_values(hamiltonian, n_elements, values) bind(c) result(status)
         import
         type(c_ptr), value :: hamiltonian
         integer(c_int64_t), value :: n_elements
         real(c_double), intent(in) :: values(*)
         integer(c_int32_t) :: status
      end function legato_kpm_matrix_set_values

      ! Adds random on-site energies to the diagonal of a matrix. They are drawn anew in every realisation, as for a
      ! lattice with the mean energy 0. `on_site` is LEGATO_KPM_ON_SITE_BOX or LEGATO_KPM_ON_SITE_NORMAL, and `disorder`
      ! is the width of the box or the standard deviation. Range of `disorder`: [0, 1e100]. LEGATO_KPM_ON_SITE_CONSTANT,
      ! or `disorder` 0, removes the energies. The energies replace those of an earlier call of this function or of
      ! legato_kpm_matrix_set_energies. Computations that exist already keep theirs. The arrays of the matrix do not
      ! change.
      function legato_kpm_matrix_set_disorder(hamiltonian, on_site, disorder) bind(c) result(status)
         import
         type(c_ptr), value :: hamiltonian
         integer(c_int32_t), value :: on_site
         real(c_double), value :: disorder
         integer(c_int32_t) :: status
      end function legato_kpm_matrix_set_disorder

      ! Does the same with on-site energies from `callback`, other ones in every realisation. All energies must be in
      ! [lowest, highest], from which the bounds of the spectrum follow. Range of both: [-1e100, 1e100]. The callback is
      ! used until the Hamiltonian has other energies or is destroyed, and all computations made from it meanwhile have
      ! been destroyed.
      function legato_kpm_matrix_set_energies(hamiltonian, lowest, highest, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: hamiltonian
         real(c_double), value :: lowest
         real(c_double), value :: highest
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_kpm_matrix_set_energies

      ! Creates the velocity operator v = i [H, X] (hbar = 1) of a lattice along a direction, v_ij = i H_ij (x_j - x_i).
      ! It is a Hamiltonian of its own, with the same sites, for instance an operator of legato_kpm_correlation_create.
      ! components[d] is the component along the direction of lattice vector a_d, the step to the next cell or, for a
      ! legato_kpm_lattice, to the next site along axis d. Range [-1e6, 1e6]. Orbital o of cell n is at x = sum_d
      ! components[d] (n_d + position_d(o)), and a hopping across a periodic edge has the length of any other one.
      ! Twists and fluxes are those of the lattice; on-site energies and disorder do not matter. The velocity has no
      ! vacancies of its own: in a computation all vectors are 0 at those of its Hamiltonian. If amplitude times length
      ! of a hopping is outside [-1e6, 1e6], the call is refused. So is a matrix, whose sites have no positions. Since
      ! version 0.2.
      function legato_kpm_velocity_create(context, hamiltonian, components, velocity) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(c_ptr), value :: hamiltonian
         real(c_double), intent(in) :: components(*)
         type(c_ptr), intent(out) :: velocity
         integer(c_int32_t) :: status
      end function legato_kpm_velocity_create

      ! Creates the velocity operator of a matrix from positions[n_positions], one for each row, along a direction. If
      ! `period` is above 0, positions are periodic: the image with the shortest difference x_j - x_i counts. An element
      ! between two rows that are half a period apart is then refused, because its direction is not known. `period` 0
      ! stands for a finite system. The result is a complex matrix without the elements that are 0. Range of positions:
      ! [-1e100, 1e100], of period: [0, 1e100]. Since version 0.2.
      function legato_kpm_matrix_velocity_create(context, hamiltonian, n_positions, positions, period, velocity) &
         bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(c_ptr), value :: hamiltonian
         integer(c_int64_t), value :: n_positions
         real(c_double), intent(in) :: positions(*)
         real(c_double), value :: period
         type(c_ptr), intent(out) :: velocity
         integer(c_int32_t) :: status
      end function legato_kpm_matrix_velocity_create

      ! Destroys a Hamiltonian; NULL is allowed. Computations made from it remain valid.
      function legato_kpm_hamiltonian_destroy(hamiltonian) bind(c) result(status)
         import
         type(c_ptr), value :: hamiltonian
         integer(c_int32_t) :: status
      end function legato_kpm_hamiltonian_destroy
   end interface
end module legato_c_kpm_hamiltonian
