! KPMDOS - density of states of a tight-binding Hamiltonian by the kernel polynomial method: Chebyshev moments of the
! rescaled matrix from random vectors, summed up with a kernel (A. Weisse, G. Wellein, A. Alvermann and H. Fehske, Rev.
! Mod. Phys. 78, 275 (2006)).
!
! kpm_moments calculates the moments of all vectors of a realisation and may be replaced at link time. It gets its start
! vectors from start_vector, which is not replaced.
!
! Usage: kpmdos name.inp. moments.dat and dos.dat are written to the current directory. The exit status is 0, or 1 after
! an error.

program kpmdos
   use kinds
   use kpmpar
   use crsmat
   use averages
   use lattice
   use input, only: read_input
   use messages
   use output
   use part_files, only: close_files
   use result_files
   use run_control
   use samples
   use spectrum
   implicit none

   interface
      subroutine kpm_moments(nsite, row_start, column, element, centre, half_width, nmom, nvec, realisation, mu, ierr)
         import :: ikind, lkind, rkind
         integer(ikind), intent(in) :: nsite, nmom, nvec, realisation
         integer(lkind), intent(in) :: row_start(nsite + 1_lkind)
         integer(ikind), intent(in) :: column(*)
         real(rkind), intent(in) :: element(*), centre, half_width
         real(rkind), intent(out) :: mu(0:nmom - 1, nvec)
         integer(ikind), intent(out) :: ierr
      end subroutine kpm_moments
   end interface

   integer(ikind) :: ierr, realisation
   real(rkind) :: began, before, seconds_moments

   began = clock()
   call begin_run('kpmdos')
   call read_input(input_argument(), ierr)
   call stop_on(ierr)
   call write_parameters
   call stop_on_lost_output
   call allocate_results
   call open_result_files(ierr)
   call stop_on(ierr)
   call build_matrix(ierr)
   call stop_on(ierr)
   call find_bounds(ierr)
   call stop_on(ierr)
   call write_bounds
   call stop_on_lost_output
   seconds_moments = zero
   do realisation = 1, nreal
      call draw_site_energies(realisation)
      before = clock()
      call kpm_moments(nsite, row_start, column, element, centre, half_width, nmom, nvec, realisation, mu, ierr)
      call stop_on(ierr)
      seconds_moments = seconds_moments + (clock() - before)
      call write_realisation(realisation, clock() - before)
      call take_samples
   end do
   call check_density
   call write_summary(moments, powers, integral(), seconds_moments, clock() - began)
   call stop_on_lost_output
   call write_result_files(moments, density)
   call close_files(ierr)
   call stop_on(ierr)

contains

   subroutine allocate_results
      integer :: status

      allocate (mu(0:nmom - 1, nvec), curve(nenergy), stat=status)
      ierr = merge(0_ikind, 1_ikind, status == 0)
      if (ierr == 0) call start_average(moments, nmom, ierr)
      if (ierr == 0) call start_average(powers, int(energy_powers, ikind), ierr)
      if (ierr == 0) call start_average(density, nenergy, ierr)
      if (ierr == 0) call start_spectrum(ierr)
      if (ierr /= 0) call complain('not enough memory: ' // integer_text(nvec) // ' vectors of ' // &
         integer_text(nmom) // ' moments need ' // integer_text(8_lkind * nvec * nmom / 1000000) // ' MB')
      call stop_on(ierr)
   end subroutine allocate_results

   ! Adds the samples of a realisation. Vectors in one realisation of the disorder are independent samples of its trace,
   ! but not of the disorder. With several realisations a sample is therefore the mean over the vectors. The same holds
   ! with all sites, which are not random vectors.
   subroutine take_samples
      integer(ikind) :: r

      if (nreal > 1 .or. vectors == 'sites') then
         mu(:, 1) = sum(mu, dim=2) / nvec
         call take_sample(mu(:, 1))
      else
         do r = 1, nvec
            call take_sample(mu(:, r))
         end do
      end if
   end subroutine take_samples

   subroutine take_sample(values)
      real(rkind), intent(in) :: values(0:)

      call add_sample(moments, values)
      call add_sample(powers, energy_moments(values))
      call density_of_states(values, curve)
      call add_sample(density, curve)
   end subroutine take_sample

   ! Stops the program if the density is negative. With a positive kernel this happens only if states lie outside the
   ! interval, but too close to it for the moments to exceed mu_0.
   subroutine check_density
      integer(ikind) :: k
      real(rkind) :: most

      if (kernel == 'dirichlet') return
      most = zero
      do k = 1, nenergy
         most = max(most, density%mean(k) * node_weight(k))
      end do
      do k = 1, nenergy
         if (density%mean(k) * node_weight(k) >= -1.0e-9_rkind * most) cycle
         call complain('$bounds: ' // real_text(lowest) // '..' // real_text(highest) // &
            ' does not enclose the spectrum: the density of states is negative at the energy ' // real_text(node_energy(k)))
         call stop_on(1_ikind)
      end do
   end subroutine check_density

   function integral() result(total)
      real(rkind) :: total
      integer(ikind) :: k

      total = zero
      do k = 1, nenergy
         total = total + density%mean(k) * node_weight(k)
      end do
   end function integral

end program kpmdos
