! The matrix of the lattice, its site energies and an interval that encloses its spectrum.
module lattice
   use kinds
   use kpmpar
   use crsmat
   use messages
   use streams
   implicit none
   private
   public :: build_matrix, draw_site_energies, find_bounds

   integer(ikind), parameter :: longest_row = 7

contains

   ! Builds the matrix with zero site energies.
   subroutine build_matrix(ierr)
      integer(ikind), intent(out) :: ierr
      integer(ikind) :: i, x, y, z, number, columns(longest_row)
      real(rkind) :: elements(longest_row)
      integer(lkind) :: first
      integer :: status

      nsite = lx * ly * lz
      allocate (row_start(nsite + 1_lkind), diagonal(nsite), stat=status)
      if (status /= 0) call out_of_memory(16_lkind * nsite, ierr)
      if (status /= 0) return
      first = 1
      i = 0
      do z = 0, lz - 1
         do y = 0, ly - 1
            do x = 0, lx - 1
               i = i + 1
               row_start(i) = first
               call row_of(x, y, z, number, columns, elements)
               first = first + number
            end do
         end do
      end do
      row_start(nsite + 1_lkind) = first
      allocate (column(first - 1), element(first - 1), stat=status)
      if (status /= 0) call out_of_memory(16_lkind * nsite + 12 * (first - 1), ierr)
      if (status /= 0) return
      i = 0
      do z = 0, lz - 1
         do y = 0, ly - 1
            do x = 0, lx - 1
               i = i + 1
               first = row_start(i)
               call row_of(x, y, z, number, columns, elements)
               column(first:first + number - 1) = columns(:number)
               element(first:first + number - 1) = elements(:number)
               diagonal(i) = first - 1 + findloc(columns(:number), i, dim=1)
            end do
         end do
      end do
      ierr = 0
   end subroutine build_matrix

   subroutine out_of_memory(bytes, ierr)
      integer(lkind), intent(in) :: bytes
      integer(ikind), intent(out) :: ierr

      ierr = 1
      call complain('not enough memory: the matrix of ' // integer_text(nsite) // ' sites needs more than ' // &
         integer_text(bytes / 1000000) // ' MB')
   end subroutine out_of_memory

   ! Returns a row with ascending columns. Bonds between the same two sites, as in a ring of two, add up to one element.
   subroutine row_of(x, y, z, number, columns, elements)
      integer(ikind), intent(in) :: x, y, z
      integer(ikind), intent(out) :: number, columns(longest_row)
      real(rkind), intent(out) :: elements(longest_row)

      number = 0
      call insert(site(x, y, z), zero)
      if (has_bond(x, lx, periodic(1), -1_ikind)) call insert(site(modulo(x - 1, lx), y, z), -hopping)
      if (has_bond(x, lx, periodic(1), 1_ikind)) call insert(site(modulo(x + 1, lx), y, z), -hopping)
      if (has_bond(y, ly, periodic(2), -1_ikind)) call insert(site(x, modulo(y - 1, ly), z), -hopping)
      if (has_bond(y, ly, periodic(2), 1_ikind)) call insert(site(x, modulo(y + 1, ly), z), -hopping)
      if (has_bond(z, lz, periodic(3), -1_ikind)) call insert(site(x, y, modulo(z - 1, lz)), -hopping)
      if (has_bond(z, lz, periodic(3), 1_ikind)) call insert(site(x, y, modulo(z + 1, lz)), -hopping)

   contains

      subroutine insert(j, value)
         integer(ikind), intent(in) :: j
         real(rkind), intent(in) :: value
         integer(ikind) :: k

         do k = number, 1, -1
            if (columns(k) == j) elements(k) = elements(k) + value
            if (columns(k) == j) return
         end do
         do k = number, 1, -1
            if (columns(k) < j) exit
            columns(k + 1) = columns(k)
            elements(k + 1) = elements(k)
         end do
         columns(k + 1) = j
         elements(k + 1) = value
         number = number + 1_ikind
      end subroutine insert

   end subroutine row_of

   pure function site(x, y, z) result(i)
      integer(ikind), intent(in) :: x, y, z
      integer(ikind) :: i

      i = 1 + x + lx * (y + ly * z)
   end function site

   ! Returns true if there is a bond. A direction with a single site has none.
   pure function has_bond(x, extent, closed, step) result(answer)
      integer(ikind), intent(in) :: x, extent, step
      logical, intent(in) :: closed
      logical :: answer

      answer = extent > 1
      if (answer .and. .not. closed) answer = x + step >= 0 .and. x + step < extent
   end function has_bond

   ! Draws the site energies of a realisation, in the order of the sites.
   subroutine draw_site_energies(realisation)
      integer(ikind), intent(in) :: realisation
      integer(ikind) :: i
      real(rkind) :: x1, x2

      call start_stream(seed, realisation, 0_ikind)
      select case (onsite)
      case ('box')
         do i = 1, nsite
            element(diagonal(i)) = energy + strength * (draw_uniform() - half)
         end do
      case ('gaussian')
         do i = 1, nsite, 2
            call draw_gaussian(x1, x2)
            element(diagonal(i)) = energy + strength * x1
            if (i < nsite) element(diagonal(i + 1)) = energy + strength * x2
         end do
      case default
         do i = 1, nsite
            element(diagonal(i)) = energy
         end do
      end select
   end subroutine draw_site_energies

   ! Finds one interval for all realisations, because their moments are averaged. Gershgorin's circles are those of the
   ! extreme values of box disorder, and of the values that are drawn for Gaussian disorder.
   subroutine find_bounds(ierr)
      integer(ikind), intent(out) :: ierr
      integer(ikind) :: realisation

      if (method /= 'given') then
         lowest = huge(lowest)
         highest = -huge(highest)
         do realisation = 1, merge(nreal, 1_ikind, onsite == 'gaussian')
            call draw_site_energies(realisation)
            call widen_bounds
         end do
      end if
      centre = (highest + lowest) / 2
      half_width = (highest - lowest) / 2 * (1 + margin)
      ierr = 0
      if (half_width > 1.0e-10_rkind * max(abs(lowest), abs(highest))) return
      ierr = 1
      call complain('$bounds: ' // real_text(lowest) // '..' // real_text(highest) // &
         ' is not an interval for a spectrum: give method = ''given'' and a wider one')
   end subroutine find_bounds

   subroutine widen_bounds
      integer(ikind) :: i
      real(rkind) :: mid, radius
      logical :: box

      box = onsite == 'box'
      do i = 1, nsite
         mid = element(diagonal(i))
         radius = sum(abs(element(row_start(i):row_start(i + 1_lkind) - 1))) - abs(mid)
         if (box) then
            radius = radius + strength / 2
            mid = energy
         end if
         lowest = min(lowest, mid - radius)
         highest = max(highest, mid + radius)
      end do
   end subroutine widen_bounds

end module lattice
