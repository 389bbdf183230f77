! Written by tools/fortran_interfaces.py from capi/include/legato/kpm_function.h. Change that instead.
module legato_c_kpm_function
   use legato_c_kpm
   use, intrinsic :: iso_c_binding
   implicit none
   public

   ! Function f(E) of the energy that a legato_kpm_function applies. It has up to two parameters, `first` and `second`;
   ! `second` is 0 if it is not named here.
   enum, bind(c)
      enumerator :: LEGATO_KPM_FUNCTION_KIND_EVOLUTION = 0  ! exp(-i E t), first = t
      enumerator :: LEGATO_KPM_FUNCTION_KIND_BOLTZMANN = 1  ! exp(-beta E), first = beta
      enumerator :: LEGATO_KPM_FUNCTION_KIND_FERMI = 2  ! 1 / (1 + exp((E - mu) / T)), first = mu, second = T, above 0
      enumerator :: LEGATO_KPM_FUNCTION_KIND_STEP = 3  ! erfc((E - mu) / w) / 2, first = mu, second = w, above 0
      enumerator :: LEGATO_KPM_FUNCTION_KIND_GAUSSIAN = 4  ! exp(-(E - E0)^2 / (2 w^2)), first = E0, second = w, above 0
      ! sqrt(E - E0), first = E0, at most the lower end of the interval
      enumerator :: LEGATO_KPM_FUNCTION_KIND_SQUARE_ROOT = 5
      enumerator :: LEGATO_KPM_FUNCTION_KIND_RESOLVENT = 6  ! 1 / (E0 + i eta - E), first = E0, second = eta, not 0
   end enum

   abstract interface
      ! Computes f at energies[n] into values[2 n], real and imaginary parts alternating. A return value other than 0
      ! stops the call with LEGATO_STATUS_CANCELLED.
      function legato_kpm_function_callback(user, n, energies, values) bind(c) result(stop)
         import
         type(c_ptr), value :: user
         integer(c_int64_t), value :: n
         real(c_double), intent(in) :: energies(*)
         real(c_double), intent(inout) :: values(*)
         integer(c_int) :: stop
      end function legato_kpm_function_callback
   end interface

   interface
      ! Creates a function of a Hamiltonian, or of its realisation number `realisation` if the lattice has random
      ! disorder. Range of realisation: [0, params.realisations - 1]; it has the on-site energies of a computation of
      ! moments with the same seed. The parameters moments, start_vectors and vectors are ignored. With a real
      ! Hamiltonian, block_width counts real vectors, and a complex vector is two of them. The bounds of the spectrum
      ! are found in this call, as by legato_kpm_create.
      function legato_kpm_function_create(context, params, hamiltonian, realisation, kpm_function) bind(c) &
         result(status)
         import
         type(c_ptr), value :: context
         type(legato_kpm_params), intent(in), optional :: params
         type(c_ptr), value :: hamiltonian
         integer(c_int64_t), value :: realisation
         type(c_ptr), intent(out) :: kpm_function
         integer(c_int32_t) :: status
      end function legato_kpm_function_create

      ! Destroys a function; NULL is allowed.
      function legato_kpm_function_destroy(kpm_function) bind(c) result(status)
         import
         type(c_ptr), value :: kpm_function
         integer(c_int32_t) :: status
      end function legato_kpm_function_destroy

      ! Sets f, one of legato_kpm_function_kind. Range of `first` and `second`: [-1e100, 1e100], and of a width or
      ! temperature [1e-100, 1e100]. If the call fails, the earlier function remains.
      !
      ! The truncation, which is the sum of |c_n| of all terms left out, is at most `tolerance` times the largest |f| in
      ! the energy interval. Range of tolerance: [1e-14, 0.5]. The truncation is a proven upper limit for
      ! LEGATO_KPM_FUNCTION_KIND_EVOLUTION, otherwise an estimate from a longer expansion. A function that needs more
      ! than 1048576 terms is refused.
      !
      ! *terms becomes the number of terms, *bound the bound of the error of f(H)|v>, relative to the norm of v: the
      ! truncation and an estimate of the largest possible rounding errors, because of which it can exceed the
      ! tolerance. It holds if the spectrum lies within the energy interval.
      function legato_kpm_function_set(kpm_function, kind, first, second, tolerance, terms, bound) bind(c) &
         result(status)
         import
         type(c_ptr), value :: kpm_function
         integer(c_int32_t), value :: kind
         real(c_double), value :: first
         real(c_double), value :: second
         real(c_double), value :: tolerance
         integer(c_int64_t), intent(inout), optional :: terms
         real(c_double), intent(inout), optional :: bound
         integer(c_int32_t) :: status
      end function legato_kpm_function_set

      ! Does the same for f from a callback, which is only used in this call, for 2048 or more energies. It gives finite
      ! values, |f| <= 1e100. Features of f that are narrower than a thousandth of the energy interval may be missed.
      function legato_kpm_function_set_callback(kpm_function, callback, user, tolerance, terms, bound) bind(c) &
         result(status)
         import
         type(c_ptr), value :: kpm_function
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         real(c_double), value :: tolerance
         integer(c_int64_t), intent(inout), optional :: terms
         real(c_double), intent(inout), optional :: bound
         integer(c_int32_t) :: status
      end function legato_kpm_function_set_callback

      ! Computes f(H)|v> for n_vectors complex vectors, 1 to 1048576. `in` and `out` have 2 n_vectors D elements: vector
      ! after vector, site after site, real and imaginary parts alternating. They may be the same array, but must not
      ! overlap otherwise. `callback` may be NULL. It reports vectors as points and terms of all blocks as cycles.
      !
      ! If the call does not succeed, vectors that are not finished are unchanged in `out`;
      ! legato_kpm_function_get_state tells how many are. The status is LEGATO_STATUS_NUMERICAL_ERROR if the recursion
      ! proves that the bounds do not enclose the spectrum. If several ranks share the work, all of them pass the same
      ! vectors and get all results.
      function legato_kpm_function_apply(kpm_function, n_vectors, in, out, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: kpm_function
         integer(c_int64_t), value :: n_vectors
         real(c_double), intent(in) :: in(*)
         real(c_double), intent(inout) :: out(*)
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_kpm_function_apply

      ! Does the same for real vectors of n_vectors D elements. A complex Hamiltonian or function is refused.
      function legato_kpm_function_apply_real(kpm_function, n_vectors, in, out, callback, user) bind(c) result(status)
         import
         type(c_ptr), value :: kpm_function
         integer(c_int64_t), value :: n_vectors
         real(c_double), intent(in) :: in(*)
         real(c_double), intent(inout) :: out(*)
         type(c_funptr), value :: callback
         type(c_ptr), value :: user
         integer(c_int32_t) :: status
      end function legato_kpm_function_apply_real

      ! Reads the choices of a function: `moments` is the number of terms or 0, `samples` the number of vectors of the
      ! last call that applied it, `samples_done` that of the finished ones.
      function legato_kpm_function_get_state(kpm_function, state) bind(c) result(status)
         import
         type(c_ptr), value :: kpm_function
         type(legato_kpm_state), intent(inout) :: state
         integer(c_int32_t) :: status
      end function legato_kpm_function_get_state
   end interface
end module legato_c_kpm_function
