! Written by tools/fortran_interfaces.py from capi/include/legato/dfr_steps.h. Change that instead.
module legato_c_dfr_steps
   use legato_c_context
   use, intrinsic :: iso_c_binding
   implicit none
   public

   interface
      ! Creates the object from the functions of one atom. n_species, n_functions[n_species] and exponents are as in
      ! legato_dfr_add_atom. `relativistic` is 1, or 0 for large components only.
      function legato_dfr_repulsion_create(context, relativistic, n_species, n_functions, exponents, repulsion) &
         bind(c) result(status)
         import
         type(c_ptr), value :: context
         integer(c_int32_t), value :: relativistic
         integer(c_int32_t), value :: n_species
         integer(c_int32_t), intent(in) :: n_functions(*)
         real(c_double), intent(in) :: exponents(*)
         type(c_ptr), intent(out) :: repulsion
         integer(c_int32_t) :: status
      end function legato_dfr_repulsion_create

      ! Destroys the object; NULL is allowed.
      function legato_dfr_repulsion_destroy(repulsion) bind(c) result(status)
         import
         type(c_ptr), value :: repulsion
         integer(c_int32_t) :: status
      end function legato_dfr_repulsion_destroy

      ! Computes mean repulsions of densities. Range of n_densities and n_targets: [1, 1000].
      !
      ! Density d, counted from 0, belongs to species density_species[d]. It has n_spinors[d] shells; n_spinors counts
      ! one radial spinor for each shell, not the 2 j + 1 spinors of the shell. Each shell a has one radial function
      ! with the vector of coefficients c_a, and the density is the sum of electrons[d] c_a c_a^T over its shells.
      ! electrons[d] is the number of electrons in each shell, 2 j + 1 if the shell is closed. `coefficients` contains
      ! the densities one after the other, and the radial functions of each density one after the other. A radial
      ! function has the coefficients of its large component, followed by those of its small component. These are
      ! order[s] = 2 n_functions[s] numbers, or n_functions[s] without relativity.
      !
      ! Repulsion t, counted from 0, belongs to species target_species[t]. It is the sum of factors[t][d] (J[d] - K[d])
      ! over all d. J[d] is the Coulomb matrix and K[d] the exchange matrix of density d. The repulsion is a symmetric
      ! matrix of order[target_species[t]] rows and columns. `matrices` receives the repulsions one after the other.
      function legato_dfr_repulsion_apply(repulsion, n_densities, density_species, n_spinors, electrons, &
         coefficients, n_targets, target_species, factors, matrices) bind(c) result(status)
         import
         type(c_ptr), value :: repulsion
         integer(c_int32_t), value :: n_densities
         integer(c_int32_t), intent(in) :: density_species(*)
         integer(c_int32_t), intent(in) :: n_spinors(*)
         real(c_double), intent(in) :: electrons(*)
         real(c_double), intent(in) :: coefficients(*)
         integer(c_int32_t), value :: n_targets
         integer(c_int32_t), intent(in) :: target_species(*)
         real(c_double), intent(in) :: factors(*)
         real(c_double), intent(inout) :: matrices(*)
         integer(c_int32_t) :: status
      end function legato_dfr_repulsion_apply
   end interface
end module legato_c_dfr_steps
