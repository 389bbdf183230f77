! Written by tools/fortran_interfaces.py from capi/include/legato/kpm_conductivity.h. Change that instead.
module legato_c_kpm_conductivity
   use legato_c_kpm_correlation
   use, intrinsic :: iso_c_binding
   implicit none
   public

   interface
      ! Computes the Kubo-Greenwood conductivity at chemical_potentials[n] into conductivity[n],
      !
      !     sigma(mu, 0) = pi Tr[A delta(mu - H) B delta(mu - H)] / D,    sigma(mu, T) = int dE [-df/dE] sigma(E, 0).
      !
      ! It is the symmetric part (sigma_AB + sigma_BA) / 2, and 0 outside the energy interval at T = 0. The integral
      ! takes so many Chebyshev nodes that its error is less than rounding, as long as -df/dE is negligible at the ends
      ! of the energy interval.
      function legato_kpm_conductivity_greenwood(correlation, kernel, lambda, temperature, n, chemical_potentials, &
         conductivity, error) bind(c) result(status)
         import
         type(c_ptr), value :: correlation
         integer(c_int32_t), value :: kernel
         real(c_double), value :: lambda
         real(c_double), value :: temperature
         integer(c_int32_t), value :: n
         real(c_double), intent(in) :: chemical_potentials(*)
         real(c_double), intent(inout) :: conductivity(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_kpm_conductivity_greenwood

      ! Computes the Hall conductivity (sigma_AB - sigma_BA) / 2, the antisymmetric part of the Kubo-Bastin formula. For
      ! A = v_x, B = v_y and the Fermi energy in a gap it is an integer times the area of a site divided by 2 pi: minus
      ! the sum of the Chern numbers (1 / 2 pi) int d^2k i [<d_x u|d_y u> - <d_y u|d_x u>] of the filled bands. In a
      ! weak field of b flux quanta for each site, n electrons for each site at the minimum of a band give the classical
      ! n / (2 pi b).
      !
      ! What the tails of the kernel give at the two ends of the energy interval, where there are no states, is
      ! subtracted.
      function legato_kpm_conductivity_hall(correlation, kernel, lambda, temperature, n, chemical_potentials, &
         conductivity, error) bind(c) result(status)
         import
         type(c_ptr), value :: correlation
         integer(c_int32_t), value :: kernel
         real(c_double), value :: lambda
         real(c_double), value :: temperature
         integer(c_int32_t), value :: n
         real(c_double), intent(in) :: chemical_potentials(*)
         real(c_double), intent(inout) :: conductivity(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_kpm_conductivity_hall

      ! Computes the Kubo-Bastin conductivity sigma_AB, the sum of both.
      function legato_kpm_conductivity_bastin(correlation, kernel, lambda, temperature, n, chemical_potentials, &
         conductivity, error) bind(c) result(status)
         import
         type(c_ptr), value :: correlation
         integer(c_int32_t), value :: kernel
         real(c_double), value :: lambda
         real(c_double), value :: temperature
         integer(c_int32_t), value :: n
         real(c_double), intent(in) :: chemical_potentials(*)
         real(c_double), intent(inout) :: conductivity(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_kpm_conductivity_bastin

      ! Computes the real part of the optical conductivity at frequencies[n] into conductivity[n],
      !
      !     sigma(omega) = (pi / omega) int dE [f(E) - f(E + omega)] Tr[A delta(E - H) B delta(E + omega - H)] / D.
      !
      ! Range of a frequency: [1e-100, 1e100]. At frequencies from the width of the energy interval on, it is 0. The
      ! rounding grows as 1e-16 half_width / omega; below 1e-7 half_width the result is the limit for omega = 0, the
      ! Kubo-Greenwood conductivity. 8 N^2 and 8 P^2 bytes of memory are used, where P is the power of two from 2 N on.
      function legato_kpm_conductivity_optical(correlation, kernel, lambda, chemical_potential, temperature, n, &
         frequencies, conductivity, error) bind(c) result(status)
         import
         type(c_ptr), value :: correlation
         integer(c_int32_t), value :: kernel
         real(c_double), value :: lambda
         real(c_double), value :: chemical_potential
         real(c_double), value :: temperature
         integer(c_int32_t), value :: n
         real(c_double), intent(in) :: frequencies(*)
         real(c_double), intent(inout) :: conductivity(*)
         real(c_double), intent(inout), optional :: error(*)
         integer(c_int32_t) :: status
      end function legato_kpm_conductivity_optical
   end interface
end module legato_c_kpm_conductivity
