! kpm_moments of kpmdos, computed by Legato. Compile this file in place of the old source file, and link with Legato and
! its Fortran modules. The program's own start_vector makes the vectors. It must be thread-safe if several threads of
! the program call kpm_moments at the same time. If LEGATO_CHECKPOINT is set, each realisation has a file. A resumed
! program makes all vectors again, so that its random number generator continues as before. The environment variables
! LEGATO_BACKEND and LEGATO_LOG set the backend and the log level, because the program cannot pass options.
module legato_kpm_dropin
   use, intrinsic :: iso_fortran_env, only: error_unit
   use legato_c
   use legato_dropin
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

   ! Data that the C callback receives as `user`.
   type :: vectors
      integer(c_int32_t) :: realisation = 0
      real(c_double), allocatable :: first(:)     ! the first vector, if it has been made already
   end type vectors

contains

   ! Computes the moments of all vectors of a realisation. The program's matrix is used in place.
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
      type(legato_checkpoint) :: checkpoint
      integer(c_int32_t) :: r, status
      type(vectors), target :: own_vectors

      hamiltonian = c_null_ptr
      kpm = c_null_ptr
      failed = no_context()
      if (failed) return
      status = legato_kpm_params_init_sized(params, c_sizeof(params))
      params%moments = nmom
      params%vectors = nvec
      params%bounds = LEGATO_KPM_BOUNDS_INTERVAL
      params%lowest = centre - half_width
      params%highest = centre + half_width
      params%margin = 0
      own_vectors%realisation = realisation
      call begin(nsite, row_start, column, element, params, own_vectors, checkpoint, failed)
      if (failed) return
      failed = refused(legato_kpm_matrix_borrow(context(), int(nsite, c_int64_t), row_start(nsite + 1_c_int64_t) - 1, &
                                                1_c_int32_t, row_start, column, element, hamiltonian))
      if (.not. failed .and. checkpoint%there /= 0) then
         call resume(checkpoint, nsite, params, hamiltonian, own_vectors, kpm, failed)
      else if (.not. failed) then
         failed = refused(legato_kpm_create_given(context(), params, hamiltonian, c_funloc(fill), c_loc(own_vectors), kpm))
      end if
      if (.not. failed) call compute(kpm, checkpoint, nvec, failed)
      do r = 1, nvec
         if (.not. failed) failed = refused(legato_kpm_sample(kpm, r - 1_c_int64_t, nmom, mu(:, r)))
      end do
      if (.not. failed) call legato_checkpoint_finished(checkpoint)
      status = legato_kpm_destroy(kpm)
      status = legato_kpm_hamiltonian_destroy(hamiltonian)
   end subroutine moments_of

   ! Names the checkpoint file, if one is wanted. The name contains a hash of everything on which the moments depend;
   ! the first vector represents all vectors.
   recursive subroutine begin(nsite, row_start, column, element, params, own_vectors, checkpoint, failed)
      integer(c_int32_t), intent(in) :: nsite
      integer(c_int64_t), intent(in), target :: row_start(nsite + 1_c_int64_t)
      integer(c_int32_t), intent(in), target :: column(*)
      real(c_double), intent(in), target :: element(*)
      type(legato_kpm_params), intent(in), target :: params
      type(vectors), intent(inout), target :: own_vectors
      type(legato_checkpoint), intent(out) :: checkpoint
      logical, intent(out) :: failed
      integer(c_int64_t) :: elements, hash
      integer :: status

      call want_checkpoint(checkpoint, failed)
      if (failed .or. checkpoint%wanted == 0) return
      elements = max(row_start(nsite + 1_c_int64_t) - row_start(1), 0_c_int64_t)
      allocate (own_vectors%first(nsite), stat=status)
      failed = status /= 0
      if (failed) write (error_unit, '(a,i0,a)') 'legato: not enough memory for a vector of ', nsite, ' sites'
      if (failed) return
      call start_vector(own_vectors%realisation, 1_c_int32_t, own_vectors%first)
      hash = legato_checkpoint_hash(0_c_int64_t, c_loc(params), c_sizeof(params))
      hash = legato_checkpoint_hash(hash, c_loc(own_vectors%realisation), c_sizeof(own_vectors%realisation))
      hash = legato_checkpoint_hash(hash, c_loc(own_vectors%first), 8_c_int64_t * nsite)
      hash = legato_checkpoint_hash(hash, c_loc(row_start), c_sizeof(row_start))
      hash = legato_checkpoint_hash(hash, c_loc(column), 4 * elements)
      hash = legato_checkpoint_hash(hash, c_loc(element), 8 * elements)
      call begin_checkpoint(checkpoint, 'kpm', hash, failed)
   end subroutine begin

   ! Resumes a computation. Vectors whose moments are in the file are made once more, to advance the program's
   ! generator.
   recursive subroutine resume(checkpoint, nsite, params, hamiltonian, own_vectors, kpm, failed)
      type(legato_checkpoint), intent(in) :: checkpoint
      integer(c_int32_t), intent(in) :: nsite
      type(legato_kpm_params), intent(in) :: params
      type(c_ptr), intent(in) :: hamiltonian
      type(vectors), intent(inout), target :: own_vectors
      type(c_ptr), intent(out) :: kpm
      logical, intent(out) :: failed
      type(legato_kpm_params) :: saved_params
      type(legato_kpm_state) :: state
      real(c_double), allocatable :: vector(:)
      integer(c_signed_char) :: byte(0)
      integer(c_int32_t) :: r

      failed = refused(legato_kpm_resume(context(), checkpoint%path, hamiltonian, c_funloc(fill), c_loc(own_vectors), kpm))
      if (failed) return
      saved_params = params
      failed = legato_kpm_get_params(kpm, saved_params) /= LEGATO_STATUS_SUCCESS
      saved_params%start_vectors = params%start_vectors     ! saved as LEGATO_KPM_START_VECTORS_CALLER
      if (.not. failed) failed = any(transfer(saved_params, byte) /= transfer(params, byte))
      if (failed) call refuse_checkpoint(checkpoint)
      if (failed) return
      state%struct_size = c_sizeof(state)
      failed = refused(legato_kpm_get_state(kpm, state))
      if (failed) return
      allocate (vector(nsite))
      do r = 2, int(state%samples_done, c_int32_t)
         call start_vector(own_vectors%realisation, r, vector)
      end do
   end subroutine resume

   ! Runs the computation. It saves at intervals, and also at the end, because a resumed program asks for all
   ! realisations again.
   recursive subroutine compute(kpm, checkpoint, nvec, failed)
      type(c_ptr), intent(in) :: kpm
      type(legato_checkpoint), intent(inout) :: checkpoint
      integer(c_int32_t), intent(in) :: nvec
      logical, intent(out) :: failed
      integer(c_int64_t) :: done

      if (checkpoint%wanted == 0) then
         failed = refused(legato_kpm_run(kpm, c_null_funptr, c_null_ptr))
         return
      end if
      failed = .false.
      done = 0
      do while (.not. failed .and. done < nvec)
         failed = refused(legato_kpm_advance(kpm, 1_c_int64_t, done))
         if (.not. failed .and. done == nvec) then
            if (is_worth_saving(checkpoint)) call saved(checkpoint, legato_kpm_save(kpm, checkpoint%path))
         else if (save_is_due(checkpoint)) then
            call saved(checkpoint, legato_kpm_save(kpm, checkpoint%path))
         end if
      end do
   end subroutine compute

   recursive function fill(user, sample, sites, vector) bind(c, name='') result(stop)
      type(c_ptr), value :: user
      integer(c_int64_t), value :: sample, sites
      real(c_double), intent(inout) :: vector(*)
      integer(c_int) :: stop
      type(vectors), pointer :: own_vectors

      call c_f_pointer(user, own_vectors)
      if (sample == 0 .and. allocated(own_vectors%first)) then
         vector(:sites) = own_vectors%first
      else
         call start_vector(own_vectors%realisation, int(sample + 1, c_int32_t), vector(:sites))
      end if
      stop = 0
   end function fill

end module legato_kpm_dropin

! Computes the moments mu(n, r) = <r|T_n(H~)|r> / nsite of the start vectors of a realisation, where
! H~ = (H - centre) / half_width. ierr = 1: Legato refused and printed the reason.
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
