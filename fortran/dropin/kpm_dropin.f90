! kpm_moments of kpmdos on Legato: compile this in place of the old source file, and link with Legato and its Fortran
! modules. The program's own start_vector makes the vectors, and must allow for it if several threads of the program call
! at the same time. LEGATO_BACKEND and LEGATO_LOG say where, as for every
! program that cannot pass options.
module legato_kpm_dropin
   use legato_c
   use legato_dropin, only: context, no_context, refused
   implicit none
   private
   public :: moments_of

   interface
      subroutine start_vector(realisation, vector, x)
         import :: c_int32_t, c_double
         integer(c_int32_t), intent(in) :: realisation, vector
         real(c_double), intent(out) :: x(*)
      end subroutine start_vector
   end interface

contains

   ! One computation for the vectors of a realisation. The matrix stays where the program has it.
   recursive subroutine moments_of(nsite, row_start, column, element, centre, half_width, nmom, nvec, realisation, mu, failed)
      integer(c_int32_t), intent(in) :: nsite, nmom, nvec, realisation
      integer(c_int64_t), intent(in), target :: row_start(nsite + 1_c_int64_t)
      integer(c_int32_t), intent(in), target :: column(*)
      real(c_double), intent(in), target :: element(*)
      real(c_double), intent(in) :: centre, half_width
      real(c_double), intent(out) :: mu(nmom, nvec)
      logical, intent(out) :: failed
      type(c_ptr) :: hamiltonian, kpm
      type(legato_kpm_params) :: params
      integer(c_int32_t) :: r, status
      integer(c_int32_t), target :: current_realisation     ! what the callback gets as `user`

      hamiltonian = c_null_ptr
      kpm = c_null_ptr
      failed = no_context()
      if (failed) return
      status = legato_kpm_params_init_sized(params, c_sizeof(params))
      params%moments = nmom
      params%vectors = nvec
      params%bounds = LEGATO_KPM_INTERVAL
      params%lowest = centre - half_width
      params%highest = centre + half_width
      params%margin = 0
      current_realisation = realisation
      failed = refused(legato_kpm_matrix_borrow(context(), int(nsite, c_int64_t), row_start(nsite + 1_c_int64_t) - 1, &
                                                1_c_int32_t, row_start, column, element, hamiltonian))
      if (.not. failed) failed = refused(legato_kpm_create_given(context(), params, hamiltonian, c_funloc(fill), &
                                                                 c_loc(current_realisation), kpm))
      if (.not. failed) failed = refused(legato_kpm_run(kpm, c_null_funptr, c_null_ptr))
      do r = 1, nvec
         if (.not. failed) failed = refused(legato_kpm_sample(kpm, r - 1_c_int64_t, nmom, mu(:, r)))
      end do
      status = legato_kpm_destroy(kpm)
      status = legato_kpm_hamiltonian_destroy(hamiltonian)
   end subroutine moments_of

   recursive function fill(user, sample, sites, vector) bind(c, name='') result(stop)
      type(c_ptr), value :: user
      integer(c_int64_t), value :: sample, sites
      real(c_double), intent(inout) :: vector(*)
      integer(c_int) :: stop
      integer(c_int32_t), pointer :: realisation

      call c_f_pointer(user, realisation)
      call start_vector(realisation, int(sample + 1, c_int32_t), vector(:sites))
      stop = 0
   end function fill

end module legato_kpm_dropin

! Moments mu(n, r) = <r|T_n(H~)|r> / nsite of the start vectors of a realisation, H~ = (H - centre) / half_width.
! ierr = 1: Legato refused, and said why.
recursive subroutine kpm_moments(nsite, row_start, column, element, centre, half_width, nmom, nvec, realisation, mu, ierr)
   use, intrinsic :: iso_c_binding, only: c_double, c_int32_t, c_int64_t
   use legato_kpm_dropin, only: moments_of
   implicit none
   integer(c_int32_t), intent(in) :: nsite, nmom, nvec, realisation
   integer(c_int64_t), intent(in) :: row_start(nsite + 1_c_int64_t)
   integer(c_int32_t), intent(in) :: column(*)
   real(c_double), intent(in) :: element(*), centre, half_width
   real(c_double), intent(out) :: mu(0:nmom - 1, nvec)
   integer(c_int32_t), intent(out) :: ierr
   logical :: failed

   call moments_of(nsite, row_start, column, element, centre, half_width, nmom, nvec, realisation, mu, failed)
   ierr = merge(1_c_int32_t, 0_c_int32_t, failed)
end subroutine kpm_moments
