! Written by tools/fortran_interfaces.py from capi/include/legato/kpm_green.h. Change that instead.
module legato_c_kpm_green
   use legato_c_kpm
   use, intrinsic :: iso_c_binding
   implicit none
   public

   interface
      ! Creates a computation with the sites left[n_left] and right[n_right], counted from 0. NULL stands for vectors of
      ! the caller on this side, which `callback` gives: vector number v on the right as sample v, and vector number v
      ! on the left as sample n_right + v. If the Hamiltonian is real, so are the vectors. The callback may be called
      ! again for the same vector, and must then give the same elements; it is used until the computation is destroyed.
      ! It is NULL if both sides are sites. Range of n_left and n_right: [1, 1048576]. Sites that are given vacancies of
      ! a lattice are refused. Elements of vectors at vacancies count as 0: all moments of a random vacancy are 0 in the
      ! realisations that have it.
      !
      ! Each part keeps two vectors and the caller's vectors on the left in its memory; one product with H gives a
      ! moment of all pairs with a vector on the right. The moments of all pairs and realisations, 8 bytes each or 16 if
      ! the Hamiltonian is complex, are in the memory of the host. The parameters moments, realisations, seed, format,
      ! memory_budget and those of the bounds are used. LEGATO_KPM_PRECISION_SINGLE and LEGATO_KPM_DIVISION_LATTICE are
      ! refused.
      function legato_kpm_green_create(context, params, hamiltonian, n_left, left, n_right, right, callback, user, &
         green) bind(c) result(status)
         import
         type(c_ptr), value :: context
         type(legato_kpm_params), intent(in), optional :: params
         type(c_ptr), value :: hamiltonian
         integer(c_int64_t), value :: n_left
         integer(c_int64_t), intent(in), optional :: left(*)
         integer(c_int64_t), value :: n_right
         integer(c_int64_t), intent(in), optional :: right(*)
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         type(c_ptr), intent(out) :: green
         integer(c_int32_t) :: status
      end function legato_kpm_green_create

      ! Destroys a computation; NULL is allowed.
      function legato_kpm_green_destroy(green) bind(c) result(status)
         import
         type(c_ptr), value :: green
         integer(c_int32_t) :: status
      end function legato_kpm_green_destroy

      ! Runs until all samples are finished, as legato_kpm_run. `callback` may be NULL. It reports samples as points and
      ! moments of a sample as cycles.
      function legato_kpm_green_run(green, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: green
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_kpm_green_run

      ! Computes up to `rounds` more rounds: a sample of each part. *samples_done becomes the number of all finished
      ! samples.
      function legato_kpm_green_advance(green, rounds, samples_done) bind(c) result(status)
         import
         type(c_ptr), value :: green
         integer(c_int64_t), value :: rounds
         integer(c_int64_t), intent(inout), optional :: samples_done
         integer(c_int32_t) :: status
      end function legato_kpm_green_advance

      ! Reads the choices and the progress of a computation; block_width is 1.
      function legato_kpm_green_get_state(green, state) bind(c) result(status)
         import
         type(c_ptr), value :: green
         type(legato_kpm_state), intent(inout) :: state
         integer(c_int32_t) :: status
      end function legato_kpm_green_get_state

      ! Reads the first n moments of the vectors left_first .. left_first + left_count - 1 on the left with the vectors
      ! right_first .. right_first + right_count - 1 on the right, counted from 0, into
      ! mean[right_count][left_count][n][2], real and imaginary parts alternating, and their standard errors into
      ! error[right_count][left_count][n][2]. Means and errors are those of legato_kpm_green_functions. Range of n: [1,
      ! N].
      function legato_kpm_green_moments(green, left_first, left_count, right_first, right_count, n, mean, error) &
         bind(c) result(status)
         import
         type(c_ptr), value :: green
         integer(c_int64_t), value :: left_first
         integer(c_int64_t), value :: left_count
         integer(c_int64_t), value :: right_first
         integer(c_int64_t), value :: right_count
         integer(c_int32_t), value :: n
         real(c_double), intent(inout) :: mean(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_kpm_green_moments

      ! Computes the retarded Green's functions of the same vectors at energies[n] into
      ! value[right_count][left_count][n][2], real and imaginary parts alternating. They are means over the realisations
      ! in which the vector on the right is finished. error[right_count][left_count][n][2] receives the standard errors
      ! of the real and of the imaginary part, from the spread of the realisations. With a single realisation they are
      ! NaN if the disorder is random, and otherwise 0.
      !
      ! Kernel, lambda and energies are those of legato_kpm_greens_function. The function uses all threads of the
      ! context. The results are bitwise identical for any number of threads, and do not depend on the other pairs. The
      ! callback of legato_kpm_green_set_progress can stop it; some rows are then filled in, the others are unchanged.
      ! The advanced function is <l| G(E - i0) |r> = conj(<r| G(E + i0) |l>).
      function legato_kpm_green_functions(green, left_first, left_count, right_first, right_count, kernel, lambda, &
         n, energies, value, error) bind(c) result(status)
         import
         type(c_ptr), value :: green
         integer(c_int64_t), value :: left_first
         integer(c_int64_t), value :: left_count
         integer(c_int64_t), value :: right_first
         integer(c_int64_t), value :: right_count
         integer(c_int32_t), value :: kernel
         real(c_double), value :: lambda
         integer(c_int32_t), value :: n
         real(c_double), intent(in) :: energies(*)
         real(c_double), intent(inout) :: value(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_kpm_green_functions

      ! Sets the callback of legato_kpm_green_functions and legato_kpm_green_moments; NULL stands for none. It is called
      ! a few times a second, and reports pairs as points and as cycles. A return value other than 0 ends the function
      ! with LEGATO_STATUS_CANCELLED. The callback is used until another one is set or the computation is destroyed. It
      ! cannot call legato_kpm_green_run or legato_kpm_green_advance for the same computation.
      function legato_kpm_green_set_progress(green, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: green
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_kpm_green_set_progress

      ! Saves the finished samples to an HDF5 file, as legato_kpm_save.
      function legato_kpm_green_save(green, path) bind(c) result(status)
         import
         type(c_ptr), value :: green
         character(kind=c_char), intent(in) :: path(*)
         integer(c_int32_t) :: status
      end function legato_kpm_green_save

      ! Resumes a saved computation, as legato_kpm_resume. `callback` and `user` are those of legato_kpm_green_create.
      function legato_kpm_green_resume(context, path, hamiltonian, callback, user, green) bind(c) result(status)
         import
         type(c_ptr), value :: context
         character(kind=c_char), intent(in) :: path(*)
         type(c_ptr), value :: hamiltonian
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         type(c_ptr), intent(out) :: green
         integer(c_int32_t) :: status
      end function legato_kpm_green_resume

      ! Reads the parameters in use, for instance after legato_kpm_green_resume.
      function legato_kpm_green_get_params(green, params) bind(c) result(status)
         import
         type(c_ptr), value :: green
         type(legato_kpm_params), intent(inout) :: params
         integer(c_int32_t) :: status
      end function legato_kpm_green_get_params
   end interface
end module legato_c_kpm_green
