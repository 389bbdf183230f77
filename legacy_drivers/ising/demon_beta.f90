! Beta as measured by the demons. It follows from their mean energy over the same bins that averages.f90 uses for the
! spins.
module demon_beta
   use kinds
   implicit none
   private
   public :: begin_energies, add_energy, beta_of_energies

   real(rkind), parameter :: no_error = -one     ! as in module estimates
   real(rkind), allocatable :: energies(:)     ! mean of each unit: a bin, or a lattice
   integer(lkind) :: measurements, in_unit     ! number so far, and in each unit

contains

   subroutine begin_energies(units, measurements_each, ierr)
      integer(lkind), intent(in) :: units, measurements_each
      integer(ikind), intent(out) :: ierr
      integer :: status

      status = 0
      if (allocated(energies)) deallocate (energies)
      allocate (energies(units), stat=status)
      ierr = merge(0_ikind, 1_ikind, status == 0)
      if (ierr == 0) energies = zero
      measurements = 0
      in_unit = measurements_each
   end subroutine begin_energies

   subroutine add_energy(energy)
      real(rkind), intent(in) :: energy
      integer(lkind) :: unit

      unit = measurements / in_unit + 1
      energies(unit) = energies(unit) + energy / in_unit
      measurements = measurements + 1
   end subroutine add_energy

   ! Returns beta and its error by the jackknife over units. Both are no_error if they are unknown.
   pure subroutine beta_of_energies(beta, error)
      real(rkind), intent(out) :: beta, error
      real(rkind) :: without(size(energies)), whole, n
      integer :: i

      n = size(energies, kind=lkind)
      whole = sum(energies)
      beta = no_error
      error = no_error
      if (.not. whole > zero) return
      beta = beta_of(whole / n)
      if (n < two) return
      if (any(whole - energies <= zero)) return
      do i = 1, size(energies)
         without(i) = beta_of((whole - energies(i)) / (n - one))
      end do
      error = sqrt((n - one) / n * sum((without - sum(without) / n)**2))
      if (error <= zero) error = no_error
   end subroutine beta_of_energies

   ! Returns beta for a mean energy of levels 4, 8 and 16 that are occupied with the probabilities 1 / (exp(beta E) +
   ! 1), by bisection.
   elemental function beta_of(energy) result(beta)
      real(rkind), intent(in) :: energy
      real(rkind) :: beta, low, high, there
      integer :: step, level

      low = -10
      high = 20
      do step = 1, 100
         beta = half * (low + high)
         there = zero
         do level = 2, 4
            there = there + 2**level / (exp(beta * 2**level) + one)
         end do
         if (there > energy) then
            low = beta
         else
            high = beta
         end if
      end do
   end function beta_of

end module demon_beta
