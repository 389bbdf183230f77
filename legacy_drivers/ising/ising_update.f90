! ISING_UPDATE - does "sweeps" sweeps of a lattice: "replica", from 1 to replicas, at the temperature "number", from 1
! to nbeta. With first_sweep = 0 the lattice begins anew. Otherwise it is that of the last call and has done first_sweep
! sweeps. ISING_MEASURE - returns its magnetisation and energy per site. ISING_SPINS - returns its spins, +1 and -1, in
! the order of x, y, z. ISING_DEMONS - returns beta as measured by the demons of all lattices at a temperature, with its
! error.
!
! All four may be replaced at link time. The main program goes through temperatures and replicas in order. ierr = 1,
! after a message on standard error.
subroutine ising_update(number, replica, first_sweep, sweeps, ierr)
   use, intrinsic :: iso_fortran_env, only: int8
   use kinds
   use demon_beta, only: begin_energies
   use demons
   use generators, only: highest, start_generator, supply_words, taken, words
   use isipar
   use lattice
   use metropolis
   use numbered
   implicit none
   integer(ikind), intent(in) :: number, replica
   integer(lkind), intent(in) :: first_sweep, sweeps
   integer(ikind), intent(out) :: ierr

   integer(lkind) :: stream, sweep

   ierr = 0
   stream = int(number - 1, lkind) * replicas + replica - 1
   if (first_sweep == 0) call begin
   if (ierr /= 0) return
   do sweep = first_sweep, first_sweep + sweeps - 1
      if (has_demons) then
         call demon_sweep
         call draw_demons
      else if (by_philox) then
         call numbered_sweep(sweep, stream)
      else
         call metropolis_sweep
      end if
   end do

contains

   subroutine begin
      if (stream == 0) call start_generator(generator, seed)
      call allocate_spins(ierr)
      if (ierr == 0 .and. has_demons) call allocate_demons(ierr)
      if (ierr == 0 .and. has_demons .and. replica == 1) call begin_units
      if (ierr /= 0) return
      if (has_demons) then
         call set_occupations(betas(number))
      else if (by_philox) then
         call set_probabilities(betas(number))
      else
         call set_thresholds(betas(number))
      end if
      if (start == 'up') then
         call set_spins_up
      else if (by_philox) then
         call numbered_start(stream)
      else
         call random_start
      end if
   end subroutine begin

   ! Begins the units of the demons' energies: the bins of all lattices, or the lattices if these are microcanonical.
   subroutine begin_units
      if (canonical) then
         call begin_energies(int(bins, lkind) * replicas, int(measurements_per_bin, lkind), ierr)
      else
         call begin_energies(int(replicas, lkind), int(bins, lkind) * measurements_per_bin, ierr)
      end if
   end subroutine begin_units

   subroutine set_spins_up
      integer(ikind) :: colour

      do colour = 0, 1
         spin(1:row_length, 1:extents(2), 1:extents(3), colour) = 1
         call fill_margin(colour)
      end do
   end subroutine set_spins_up

   subroutine random_start
      integer(ikind) :: colour, y, z, k

      do colour = 0, 1
         do z = 1, extents(3)
            do y = 1, extents(2)
               do k = 1, row_length
                  call supply_words(1)
                  spin(k, y, z, colour) = merge(1_int8, -1_int8, words(taken) <= highest / 2)
                  taken = taken + 1
               end do
            end do
         end do
         call fill_margin(colour)
      end do
   end subroutine random_start

   ! Draws the demons at intervals. If they are drawn only until the end of the thermalisation, the run keeps its
   ! energy.
   subroutine draw_demons
      if (mod(sweep + 1, int(refresh_interval, lkind)) /= 0) return
      if (naive) then
         call draw_naive
      else if (canonical .or. sweep < thermalisation) then
         call draw_binomial
      end if
   end subroutine draw_demons

end subroutine ising_update

subroutine ising_measure(magnetisation, energy)
   use demon_beta, only: add_energy
   use demons, only: energy_of_demons
   use isipar, only: has_demons
   use kinds
   use lattice
   implicit none
   real(rkind), intent(out) :: magnetisation, energy

   magnetisation = magnetisation_of_spins()
   energy = energy_of_spins()
   if (has_demons) call add_energy(energy_of_demons())
end subroutine ising_measure

subroutine ising_spins(spins, ierr)
   use, intrinsic :: iso_fortran_env, only: int8
   use kinds
   use isipar, only: nsite
   use lattice
   implicit none
   integer(int8), intent(out) :: spins(nsite)
   integer(ikind), intent(out) :: ierr

   ierr = 0
   call write_spins(spins)
end subroutine ising_spins

! Is called after the last measurement of all lattices at this temperature.
subroutine ising_demons(number, beta, error)
   use demon_beta, only: beta_of_energies
   use isipar, only: nbeta
   use kinds
   implicit none
   integer(ikind), intent(in) :: number
   real(rkind), intent(out) :: beta, error

   beta = zero
   error = zero
   if (number >= 1 .and. number <= nbeta) call beta_of_energies(beta, error)
end subroutine ising_demons
