! VMCRVB - energy of the t-t'-t''-J model in the projected d-wave BCS state, by Markov chains that visit configurations
! with a probability proportional to |Psi|^2 (A. Paramekanti, M. Randeria and N. Trivedi, Phys. Rev. B 70, 054504 (2004)).
!
! markov_chain runs one chain and may be replaced at link time.
!
! Usage: vmcrvb name.inp. Three files are written to the current directory. The exit status is 0, or 1 after an error.

program vmcrvb
   use, intrinsic :: ieee_arithmetic, only: ieee_is_finite
   use kinds
   use input, only: read_input
   use messages
   use observables, only: ncount, nvalue
   use output
   use part_files, only: close_files
   use result_files
   use results
   use run_control
   use vmcpar, only: nbins, nchain, npair
   implicit none

   interface
      subroutine markov_chain(chain, bins, sites, moves, ierr)
         use vmcpar, only: bins_each => nbins, pairs => npair
         import :: ikind, lkind, rkind, ncount, nvalue
         integer(ikind), intent(in) :: chain
         real(rkind), intent(out) :: bins(nvalue, bins_each)
         integer(ikind), intent(out) :: sites(2 * pairs)
         integer(lkind), intent(out) :: moves(ncount, 2)
         integer(ikind), intent(out) :: ierr
      end subroutine markov_chain
   end interface

   integer(ikind) :: ierr, chain
   integer(lkind) :: moves_each(ncount, 2)
   real(rkind) :: began, before, seconds_chains

   began = clock()
   call begin_run('vmcrvb')
   call read_input(input_argument(), ierr)
   call stop_on(ierr)
   call write_parameters
   call stop_on_lost_output
   call allocate_results
   call open_result_files(ierr)
   call stop_on(ierr)
   seconds_chains = zero
   do chain = 1, nchain
      before = clock()
      call markov_chain(chain, bins(:, :, chain), sites(:, chain), moves_each, ierr)
      call stop_on(ierr)
      call check_numbers(chain)
      moves = moves + moves_each
      seconds_chains = seconds_chains + (clock() - before)
      call write_chain(chain, bins(:, :, chain), clock() - before)
   end do
   call write_summary(bins, moves, seconds_chains, clock() - began)
   call stop_on_lost_output
   call write_result_files(bins, sites)
   call close_files(ierr)
   call stop_on(ierr)

contains

   subroutine allocate_results
      integer :: status
      integer(lkind) :: megabytes

      allocate (bins(nvalue, nbins, nchain), sites(2 * npair, nchain), moves(ncount, 2), stat=status)
      ierr = merge(0_ikind, 1_ikind, status == 0)
      megabytes = (8_lkind * nvalue * nbins + 8_lkind * npair) * nchain / 1000000
      if (ierr /= 0) call complain('not enough memory: ' // integer_text(nchain) // ' chains of ' // &
         integer_text(nbins) // ' bins need ' // integer_text(megabytes) // ' MB')
      call stop_on(ierr)
      moves = 0
   end subroutine allocate_results

   subroutine check_numbers(chain)
      integer(ikind), intent(in) :: chain

      if (all(ieee_is_finite(bins(:, :, chain)))) return
      call complain('chain ' // integer_text(chain) // ': its energy is not a finite number')
      call stop_on(1_ikind)
   end subroutine check_numbers

end program vmcrvb
