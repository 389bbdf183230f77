! Written by tools/fortran_interfaces.py from capi/include/legato/kpm_correlation.h. Change that instead.
module legato_c_kpm_correlation
   use legato_c_kpm
   use, intrinsic :: iso_c_binding
   implicit none
   public

   interface
      ! Creates a computation with random start vectors. The Hermitian operators A and B are Hamiltonians with the same
      ! number of sites as `hamiltonian`: matrices or lattices of any kind. Random on-site energies are allowed only in
      ! an operator that is the same handle as `hamiltonian`. If `a` and `b` are the same handle, the operator is stored
      ! once. Vectors are complex if one of the three is, with one exception: random vectors other than phases remain
      ! real if the Hamiltonian is real and the elements of each operator are all real or all imaginary. The velocities
      ! of a real Hamiltonian are imaginary. NULL for `params` stands for the defaults.
      !
      ! Of the parameters, `moments` is the number N of orders on each side. The parameter format is for the
      ! Hamiltonian; that of the operators is chosen. start_vectors must not be LEGATO_KPM_START_VECTORS_SITES,
      ! LEGATO_KPM_START_VECTORS_CALLER or LEGATO_KPM_START_VECTORS_WAVES. LEGATO_KPM_START_VECTORS_PHASE needs a
      ! complex Hamiltonian or operator. Only LEGATO_KPM_PRECISION_DOUBLE is available, and each part has whole vectors:
      ! LEGATO_KPM_DIVISION_LATTICE is refused. The parameter block_width is ignored. The bounds of the spectrum are
      ! found in this call, as by legato_kpm_create.
      !
      ! The computation keeps N + min(N, 64) + 3 vectors in memory, or as many as fit into the free memory or
      ! memory_budget, but at least 6. With fewer vectors than that, some of them are computed several times. The
      ! results are bitwise identical in all these cases. The moments of each sample are kept, 16 N^2 bytes in the
      ! memory of the host. The work for each random vector grows with 8 N^2 D for complex vectors, and with 2 N^2 D for
      ! real ones. Returns LEGATO_STATUS_OUT_OF_MEMORY if the moments or 6 vectors do not fit.
      function legato_kpm_correlation_create(context, params, hamiltonian, a, b, correlation) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_kpm_params), intent(in), optional :: params
         type(c_ptr), value :: hamiltonian
         type(c_ptr), value :: a
         type(c_ptr), value :: b
         type(c_ptr), intent(out) :: correlation
         integer(c_int32_t) :: status
      end function legato_kpm_correlation_create

      ! Creates a computation with start vectors from `callback`, R for each of S realisations. They have 2 D numbers,
      ! real and imaginary parts alternating, if the Hamiltonian or an operator is complex, and D numbers otherwise. The
      ! parameter start_vectors is ignored. The callback is used until the computation is destroyed.
      function legato_kpm_correlation_create_given(context, params, hamiltonian, a, b, callback, user, correlation) &
         bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_kpm_params), intent(in), optional :: params
         type(c_ptr), value :: hamiltonian
         type(c_ptr), value :: a
         type(c_ptr), value :: b
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         type(c_ptr), intent(out) :: correlation
         integer(c_int32_t) :: status
      end function legato_kpm_correlation_create_given

      ! Destroys a computation; NULL is allowed.
      function legato_kpm_correlation_destroy(correlation) bind(c) result(status)
         import
         type(c_ptr), value :: correlation
         integer(c_int32_t) :: status
      end function legato_kpm_correlation_destroy

      ! Runs until all samples are finished. `callback` may be NULL. It reports samples as points and steps of the
      ! recursions as cycles. A stopped run continues with the next call, which begins the samples under way again.
      !
      ! The function returns LEGATO_STATUS_NUMERICAL_ERROR if a sample proves that the bounds do not enclose the
      ! spectrum, as legato_kpm_run does. The computation cannot continue after that, but the samples before this one
      ! can be read.
      function legato_kpm_correlation_run(correlation, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: correlation
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_kpm_correlation_run

      ! Computes up to `rounds` more random vectors. If several ranks or devices share the work, each of them computes a
      ! vector at the same time, and these count as one. *samples_done becomes the number of all finished samples.
      function legato_kpm_correlation_advance(correlation, rounds, samples_done) bind(c) result(status)
         import
         type(c_ptr), value :: correlation
         integer(c_int64_t), value :: rounds
         integer(c_int64_t), intent(inout), optional :: samples_done
         integer(c_int32_t) :: status
      end function legato_kpm_correlation_advance

      ! Reads the choices and the progress of a computation. The format is that of the Hamiltonian, and block_width the
      ! number of vectors on the left side, T_m(H~) A |r>, that are in memory at the same time.
      function legato_kpm_correlation_get_state(correlation, state) bind(c) result(status)
         import
         type(c_ptr), value :: correlation
         type(legato_kpm_state), intent(inout) :: state
         integer(c_int32_t) :: status
      end function legato_kpm_correlation_get_state

      ! Reads the moments mu_mn for m, n = 0 .. n_orders - 1, averaged over all finished samples, into mean[2 n_orders
      ! n_orders], and their standard errors into error[2 n_orders n_orders]. Real and imaginary part of mu_mn are at 2
      ! (m n_orders + n) and after it; their errors have the same places. Range of n_orders: [1, N].
      !
      ! If the disorder is random and two or more realisations are finished, the errors follow from the spread of the
      ! realisations' means, otherwise from the spread of the vectors. They are NaN with a single sample.
      function legato_kpm_correlation_moments(correlation, n_orders, mean, error) bind(c) result(status)
         import
         type(c_ptr), value :: correlation
         integer(c_int32_t), value :: n_orders
         real(c_double), intent(inout), optional :: mean(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_kpm_correlation_moments

      ! Reads the moments of one sample, <r| A T_m(H~) B T_n(H~) |r> / D, in the same order into moments[2 n_orders
      ! n_orders]. Samples count from 0, realisation by realisation.
      function legato_kpm_correlation_sample(correlation, sample, n_orders, moments) bind(c) result(status)
         import
         type(c_ptr), value :: correlation
         integer(c_int64_t), value :: sample
         integer(c_int32_t), value :: n_orders
         real(c_double), intent(inout) :: moments(*)
         integer(c_int32_t) :: status
      end function legato_kpm_correlation_sample

      ! Sets the callback of the functions that compute quantities from the moments, such as conductivities; NULL stands
      ! for none. It is used as that of legato_kpm_set_progress.
      function legato_kpm_correlation_set_progress(correlation, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: correlation
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_kpm_correlation_set_progress

      ! Saves the finished samples to an HDF5 file, as legato_kpm_save does. The Hamiltonian and the operators are not
      ! saved.
      function legato_kpm_correlation_save(correlation, path) bind(c) result(status)
         import
         type(c_ptr), value :: correlation
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_kpm_correlation_save

      ! Resumes a saved computation, as legato_kpm_resume does. A Hamiltonian or an operator that differs from that of
      ! the saved run is refused. `callback` and `user` are those of legato_kpm_correlation_create_given. They are NULL
      ! for any other computation.
      function legato_kpm_correlation_resume(context, path, hamiltonian, a, b, callback, user, correlation) bind(c) &
         result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), value :: hamiltonian
         type(c_ptr), value :: a
         type(c_ptr), value :: b
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         type(c_ptr), intent(out) :: correlation
         integer(c_int32_t) :: status
      end function legato_kpm_correlation_resume

      ! Reads the parameters in use, for instance after legato_kpm_correlation_resume.
      function legato_kpm_correlation_get_params(correlation, params) bind(c) result(status)
         import
         type(c_ptr), value :: correlation
         type(legato_kpm_params), intent(inout) :: params
         integer(c_int32_t) :: status
      end function legato_kpm_correlation_get_params
   end interface
end module legato_c_kpm_correlation
