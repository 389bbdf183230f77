! TMSEXD for users who can change the main program. Input and output are those of main.f90, but all points of a width
! are passed to Legato in one call. Legato computes them in parallel, on all threads or on a GPU.
!
! Points are written in the order of the list, each as soon as it and all points before it have ended.

program tmsexd_batch
   use, intrinsic :: ieee_arithmetic, only: ieee_is_finite
   use MyNumbers
   use IPara
   use DPara
   use messages
   use InputFile
   use output
   use result_files
   use run_control
   use legato
   use library_errors
   implicit none

   type(legato_context) :: context
   integer(lkind) :: fresh = 0, kept = 0, total
   integer(ikind) :: ierr, iwidth, stride
   real(rkind) :: began
   character(len=400) :: message
   integer :: stat

   began = clock()
   call begin_run('tmsexd_batch')
   call Input(ierr)
   call stop_on(ierr)
   call context%create(stat=stat, errmsg=message)
   call stop_on_library(stat, message)
   stride = max(dWidth, 1_ikind)
   total = NumberOfPoints() * ((Width1 - Width0) / stride + 1)
   width_loop: do iwidth = Width0, Width1, stride
      call sweep(iwidth)
   end do width_loop

contains

   subroutine sweep(M)
      integer(ikind), intent(in) :: M
      type(legato_tmm) :: tmm
      integer(lkind) :: kept_here, points, written, ended, chunk, cycles, start, finish, rate
      integer(ikind) :: N
      real(rkind), allocatable :: disorder(:), energy(:)

      N = merge(M * M, M, IDimenFlag == 3)
      call OpenOutputAvg(M, N, kept_here, ierr)
      call stop_on(ierr)
      kept = kept + kept_here
      points = NumberOfPoints() - kept_here
      if (points > 0) then
         call points_from(kept_here, points, disorder, energy)
         call tmm%create(context, parameters_of(M), energy, disorder, stat, message)
         call stop_on_library(stat, message)
         written = 0
         chunk = 4
         do while (written < points)
            call system_clock(start, rate)
            call tmm%advance(chunk, ended, stat, message)
            call stop_on_library(stat, message)
            call system_clock(finish)
            call write_ended(tmm, M, N, kept_here, written, cycles, disorder, energy)
            call ShowProgress(fresh, kept, total, cycles, clock() - began)
            ! The chunk is long enough to keep the device busy, and short enough for results to reach the disk soon. It
            ! is bounded: if all points end early, it would otherwise double until it overflows.
            if (finish - start < rate / 4) chunk = min(2 * chunk, 1000000000_lkind)
            if (finish - start > rate) chunk = max(chunk / 2, 1_lkind)
         end do
      end if
      call CloseOutputAvg(ierr)
      call stop_on(ierr)
   end subroutine sweep

   subroutine points_from(kept_here, points, disorder, energy)
      integer(lkind), intent(in) :: kept_here, points
      real(rkind), allocatable, intent(out) :: disorder(:), energy(:)
      integer(lkind) :: i

      allocate (disorder(points), energy(points))
      do i = 1, points
         call SweepPoint(kept_here + i, disorder(i), energy(i))
      end do
   end subroutine points_from

   function parameters_of(M) result(params)
      integer(ikind), intent(in) :: M
      type(legato_tmm_params) :: params

      params = tmm_defaults()
      params%dimension = IDimenFlag
      params%width = M
      params%boundary = IBCFlag
      params%disorder = IRNGFlag
      params%random_stream = LEGATO_TMM_RANDOM_STREAM_LFSR113
      params%seed = ISeed
      params%n_ortho = NOfOrtho
      params%max_multiplications = NOfIter
      params%hopping = Kappa
      params%epsilon = Epsilon
      params%rule = LEGATO_TMM_RULE_TMSEXD
   end function parameters_of

   ! Writes the points after `written` that have ended, up to the first that has not. `cycles` is the number of cycles
   ! of the last point that was examined.
   subroutine write_ended(tmm, M, N, kept_here, written, cycles, disorder, energy)
      type(legato_tmm), intent(in) :: tmm
      integer(ikind), intent(in) :: M, N
      integer(lkind), intent(in) :: kept_here
      integer(lkind), intent(inout) :: written
      integer(lkind), intent(out) :: cycles
      real(rkind), intent(in) :: disorder(:), energy(:)
      type(legato_tmm_point) :: point
      real(rkind) :: exponents(N), errors(N)
      logical :: converged

      cycles = 0
      do while (written < size(energy))
         call tmm%result(written + 1, point, exponents, errors)
         cycles = point%cycles
         if (point%status < LEGATO_TMM_POINT_STATUS_CONVERGED) return
         if (point%status == LEGATO_TMM_POINT_STATUS_FAILED) then
            call complain('the columns overflow or vanish within NOfOrtho multiplications: take a smaller NOfOrtho')
            call stop_on(1_ikind)
         end if
         if (point%status == LEGATO_TMM_POINT_STATUS_IMPRECISE) then
            call complain('the columns grow too far apart within one multiplication: double precision does not suffice')
            call stop_on(1_ikind)
         end if
         converged = point%status == LEGATO_TMM_POINT_STATUS_CONVERGED
         where (.not. ieee_is_finite(errors)) errors = zero     ! unknown: main.f90 writes 0
         if (ISortFlag == 1) call sort(exponents, errors)
         written = written + 1
         fresh = fresh + 1
         call WriteOutputAvg(kept_here + written, disorder(written), energy(written), exponents, errors, converged, ierr)
         call stop_on(ierr)
         call WriteEnd(M, point%cycles, disorder(written), energy(written), exponents(1), errors(1), converged)
         call stop_on_lost_output
      end do
   end subroutine write_ended

end program tmsexd_batch
