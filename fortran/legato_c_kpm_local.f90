! Written by tools/fortran_interfaces.py from capi/include/legato/kpm_local.h. Change that instead.
module legato_c_kpm_local
   use legato_c_kpm
   use, intrinsic :: iso_c_binding
   implicit none
   public

   interface
      ! Reads the first n moments of each site or wave vector into mean[count][n], and their standard errors into
      ! error[count][n]. Range of n: [1, N].
      function legato_kpm_local_moments(kpm, first, count, n, mean, error) bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int64_t), value :: first
         integer(c_int64_t), value :: count
         integer(c_int32_t), value :: n
         real(c_double), intent(inout) :: mean(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_kpm_local_moments

      ! Computes the density of each site or wave vector at energies[n] into density[count][n].
      function legato_kpm_local_densities(kpm, first, count, kernel, lambda, n, energies, density, error) bind(c) &
         result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int64_t), value :: first
         integer(c_int64_t), value :: count
         integer(c_int32_t), value :: kernel
         real(c_double), value :: lambda
         integer(c_int32_t), value :: n
         real(c_double), intent(in) :: energies(*)
         real(c_double), intent(inout) :: density(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_kpm_local_densities

      ! Computes the density of each site or wave vector at n >= N Chebyshev nodes into density[count][n], by fast
      ! cosine transforms. energies[n] receives the nodes, as in legato_kpm_density_at_nodes.
      function legato_kpm_local_densities_at_nodes(kpm, first, count, kernel, lambda, n, energies, density, error) &
         bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int64_t), value :: first
         integer(c_int64_t), value :: count
         integer(c_int32_t), value :: kernel
         real(c_double), value :: lambda
         integer(c_int32_t), value :: n
         real(c_double), intent(inout) :: energies(*)
         real(c_double), intent(inout) :: density(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_kpm_local_densities_at_nodes

      ! Computes the Green's function G(E + i0) of each site or wave vector at energies[n] into green[count][n][2], real
      ! and imaginary parts alternating. An energy at an end of the energy interval is refused.
      function legato_kpm_local_greens_functions(kpm, first, count, kernel, lambda, n, energies, green, error) &
         bind(c) result(status)
         import
         type(c_ptr), value :: kpm
         integer(c_int64_t), value :: first
         integer(c_int64_t), value :: count
         integer(c_int32_t), value :: kernel
         real(c_double), value :: lambda
         integer(c_int32_t), value :: n
         real(c_double), intent(in) :: energies(*)
         real(c_double), intent(inout) :: green(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_kpm_local_greens_functions
   end interface
end module legato_c_kpm_local
