! TMSEXD - transfer-matrix method for the Anderson model with site-diagonal disorder in X dimensions.
!
! The program computes lists of widths and of disorder strengths or energies. At every point the transfer matrices of a bar are
! multiplied onto the unit matrix, with an orthonormalisation after every NOfOrtho multiplications. The point ends when
! the relative error of the smallest Lyapunov exponent is at most Epsilon.
!
! The columns psi_a and psi_b are passed from one routine to the next and never read here. The routines below and module
! RNG can therefore be replaced at link time by others, which may keep the columns elsewhere and may use either memory
! layout.
!
! tmsexd has no arguments. tmseXd.inp and the result files are in the current directory. The exit status is 0, or 1
! after an error.

program tmsexd
   use MyNumbers
   use IPara
   use DPara
   use RNG, only: SRANDOM
   use messages
   use InputFile
   use output
   use result_files
   use run_control
   implicit none

   interface
      subroutine TMMult2D(PSI_A, PSI_B, Ilayer, En, DiagDis, M)
         import :: ikind, rkind
         integer(ikind), intent(in) :: Ilayer, M
         real(rkind), intent(in) :: PSI_A(M, M), En, DiagDis
         real(rkind), intent(inout) :: PSI_B(M, M)
      end subroutine TMMult2D

      subroutine TMMult3D(PSI_A, PSI_B, Ilayer, En, DiagDis, M)
         import :: ikind, rkind
         integer(ikind), intent(in) :: Ilayer, M
         real(rkind), intent(in) :: PSI_A(M*M, M*M), En, DiagDis
         real(rkind), intent(inout) :: PSI_B(M*M, M*M)
      end subroutine TMMult3D

      subroutine ReNorm(PSI_A, PSI_B, GAMMA, GAMMA2, N)
         import :: ikind, rkind
         integer(ikind), intent(in) :: N
         real(rkind), intent(inout) :: PSI_A(N, N), PSI_B(N, N), GAMMA(N), GAMMA2(N)
      end subroutine ReNorm

      subroutine Swap(PSI_A, PSI_B, N)
         import :: ikind, rkind
         integer(ikind), intent(in) :: N
         real(rkind), intent(inout) :: PSI_A(N, N), PSI_B(N, N)
      end subroutine Swap
   end interface

   integer(lkind), parameter :: least_cycles = 3     ! the spread of two values says too little

   real(rkind), allocatable :: psi_a(:, :), psi_b(:, :), sum1(:), sum2(:)
   integer(lkind) :: fresh = 0, kept = 0, total
   integer(ikind) :: ierr, iwidth, stride
   real(rkind) :: began

   began = clock()
   call begin_run('tmsexd')
   call Input(ierr)
   call stop_on(ierr)
   stride = max(dWidth, 1_ikind)
   total = NumberOfPoints() * ((Width1 - Width0) / stride + 1)
   width_loop: do iwidth = Width0, Width1, stride
      call sweep(iwidth)
   end do width_loop

contains

   ! Computes all points of one width. If IKeepFlag is 1, points of an earlier run in the output file are kept.
   subroutine sweep(M)
      integer(ikind), intent(in) :: M
      integer(lkind) :: kept_here, ipoint, cycles
      integer(ikind) :: N
      real(rkind) :: disorder, energy
      real(rkind), allocatable :: exponents(:), errors(:)
      logical :: converged

      N = merge(M * M, M, IDimenFlag == 3)
      call allocate_arrays(N)
      call OpenOutputAvg(M, N, kept_here, ierr)
      call stop_on(ierr)
      kept = kept + kept_here

      flux_loop: do ipoint = kept_here + 1, NumberOfPoints()
         call SweepPoint(ipoint, disorder, energy)
         call propagate(M, N, disorder, energy, cycles, converged)
         call average(N, cycles, exponents, errors)
         call WriteOutputAvg(ipoint, disorder, energy, exponents, errors, converged, ierr)
         call stop_on(ierr)
         call WriteEnd(M, cycles, disorder, energy, exponents(1), errors(1), converged)
         call stop_on_lost_output
         fresh = fresh + 1
      end do flux_loop
      call CloseOutputAvg(ierr)
      call stop_on(ierr)
      deallocate (psi_a, psi_b, sum1, sum2)
   end subroutine sweep

   subroutine allocate_arrays(N)
      integer(ikind), intent(in) :: N
      integer :: status

      allocate (psi_a(N, N), psi_b(N, N), sum1(N), sum2(N), stat=status)
      if (status /= 0) call complain('not enough memory: the columns need ' // &
         integer_text(16_lkind * N * N / 1000000) // ' MB')
      call stop_on(int(status, ikind))
   end subroutine allocate_arrays

   ! Computes one point by cycles of NOfOrtho multiplications and an orthonormalisation. It ends when the point has
   ! converged or NOfIter multiplications are done.
   subroutine propagate(M, N, disorder, energy, cycles, converged)
      integer(ikind), intent(in) :: M, N
      real(rkind), intent(in) :: disorder, energy
      integer(lkind), intent(out) :: cycles
      logical, intent(out) :: converged
      integer(lkind) :: most_cycles, cycles_a_look
      real(rkind) :: error

      call SRANDOM(ISeed)
      call start_from_unity(N)
      most_cycles = max(NOfIter / NOfOrtho, 1_lkind)
      cycles_a_look = max(1024_lkind / N, 1_lkind)     ! interval of looks at the clock, for the progress line
      cycles = 0
      converged = .false.

      tmm_loop: do while (cycles < most_cycles .and. .not. converged)
         cycles = cycles + 1
         call multiply(M, N, disorder, energy)
         call ReNorm(psi_a, psi_b, sum1, sum2, N)
         call check_growth
         error = relative_error(sum1(N), sum2(N), cycles)
         converged = cycles >= M .and. cycles >= least_cycles .and. tiny <= error .and. error <= Epsilon

         if (IWriteFlag >= 1 .and. mod(cycles, int(NOfPrint, lkind)) == 0) then
            call WriteOutput(cycles, exponent_of(sum1(N), cycles), error)
            call stop_on_lost_output
         end if
         if (mod(cycles, cycles_a_look) == 0) call ShowProgress(fresh, kept, total, cycles, clock() - began)
      end do tmm_loop
   end subroutine propagate

   subroutine start_from_unity(N)
      integer(ikind), intent(in) :: N
      integer(ikind) :: i

      psi_a = zero
      psi_b = zero
      do i = 1, N
         psi_a(i, i) = one
      end do
      sum1 = zero
      sum2 = zero
   end subroutine start_from_unity

   ! Multiplies NOfOrtho times; the newest slice is in psi_a at the end.
   subroutine multiply(M, N, disorder, energy)
      integer(ikind), intent(in) :: M, N
      real(rkind), intent(in) :: disorder, energy
      integer(ikind) :: layer

      northo_loop: do layer = 1, NOfOrtho - 1, 2
         if (IDimenFlag == 3) then
            call TMMult3D(psi_a, psi_b, layer, energy, disorder, M)
            call TMMult3D(psi_b, psi_a, layer + 1_ikind, energy, disorder, M)
         else
            call TMMult2D(psi_a, psi_b, layer, energy, disorder, M)
            call TMMult2D(psi_b, psi_a, layer + 1_ikind, energy, disorder, M)
         end if
      end do northo_loop

      if (mod(NOfOrtho, 2_ikind) == 0) return
      if (IDimenFlag == 3) then
         call TMMult3D(psi_a, psi_b, NOfOrtho, energy, disorder, M)
      else
         call TMMult2D(psi_a, psi_b, NOfOrtho, energy, disorder, M)
      end if
      call Swap(psi_a, psi_b, N)
   end subroutine multiply

   ! Stops the program after an overflow between two orthonormalisations. All later numbers would be infinite or NaN,
   ! too.
   subroutine check_growth
      if (abs(sum(sum1)) <= huge(one)) return
      call complain('the columns overflow or vanish within NOfOrtho multiplications: take a smaller NOfOrtho')
      call stop_on(1_ikind)
   end subroutine check_growth

   ! Returns exponents, smallest first, and relative errors. The sums are ordered largest first.
   subroutine average(N, cycles, exponents, errors)
      integer(ikind), intent(in) :: N
      integer(lkind), intent(in) :: cycles
      real(rkind), allocatable, intent(out) :: exponents(:), errors(:)
      integer(ikind) :: i

      allocate (exponents(N), errors(N))
      do i = 1, N
         exponents(i) = exponent_of(sum1(N+1-i), cycles)
         errors(i) = relative_error(sum1(N+1-i), sum2(N+1-i), cycles)
      end do
      if (ISortFlag == 1) call sort(exponents, errors)
   end subroutine average

   function exponent_of(logarithms, cycles) result(exponent)
      real(rkind), intent(in) :: logarithms
      integer(lkind), intent(in) :: cycles
      real(rkind) :: exponent

      exponent = logarithms / (NOfOrtho * cycles)
   end function exponent_of

   ! Returns the standard error of the mean logarithm divided by this mean. It is 0 if the mean is exactly 0, as in a
   ! clean chain.
   function relative_error(logarithms, squares, cycles) result(error)
      real(rkind), intent(in) :: logarithms, squares
      integer(lkind), intent(in) :: cycles
      real(rkind) :: error, mean

      error = zero
      if (abs(logarithms) <= zero) return
      mean = logarithms / cycles
      error = sqrt(abs(squares / cycles - mean**2) / max(cycles - 1, 1_lkind)) / abs(mean)
   end function relative_error

end program tmsexd
