! Files with the spinors of an atom for other programs: moments <r^k>, and radial functions on a grid.
module batch_results
   use kinds
   use batch_energies, only: lists
   use batch_jobs, only: job
   use legato
   use library_errors
   use messages, only: integer_text
   use orbitals
   use part_files, only: put_line
   implicit none
   private
   public :: write_moments, write_radial

   integer, parameter :: width = 25     ! of a column

contains

   ! Writes energies and moments of all occupied spinors to open file `number`.
   subroutine write_moments(number, atom)
      integer, intent(in) :: number
      type(job), intent(in) :: atom
      type(orbital), allocatable :: list(:)
      character(len=300) :: line
      integer :: a, k

      call read_orbitals(lists(atom%list), atom%index, list)
      call put_line(number, '# ' // atom%name // ': occupied spinors; energies in hartree, <r^k> in bohr^k')
      write (line, '(a, 8a25)') '# spinor  kappa  electrons', adjustr([character(len=width) :: 'energy', &
         ('<r^' // integer_text(int(k, ikind)) // '>', k = first_power, last_power)])
      call put_line(number, line)
      do a = 1, size(list)
         write (line, '(2x, a8, i5, f11.6, 8es25.16e3)') list(a)%name, list(a)%kappa, list(a)%occupation, list(a)%energy, &
            list(a)%moment
         call put_line(number, line)
      end do
   end subroutine write_moments

   ! Writes the density, P and Q of all occupied spinors at `points` radii to open file `number`.
   subroutine write_radial(number, points, relativistic, atom)
      integer, intent(in) :: number, points
      logical, intent(in) :: relativistic
      type(job), intent(in) :: atom
      type(orbital), allocatable :: list(:)
      character(:), allocatable :: titles
      real(rkind) :: r(points), density(points)
      real(rkind), allocatable :: values(:, :)     ! P and Q of the first spinor, of the second one, ...
      integer :: a, columns, stat
      character(len=400) :: message

      call read_orbitals(lists(atom%list), atom%index, list)
      r = grid(list, points)
      call lists(atom%list)%radial_density(atom%index, r, density, stat, message)
      call stop_on_library(stat, message)
      columns = merge(2, 1, relativistic)
      allocate (values(points, columns * size(list)))
      titles = column('r') // column('4 pi r^2 rho')
      titles(1:1) = '#'
      do a = 1, size(list)
         call fill(lists(atom%list), atom%index, list(a), r, values(:, columns * (a - 1) + 1:columns * a))
         titles = titles // column('P ' // trim(list(a)%name))
         if (relativistic) titles = titles // column('Q ' // trim(list(a)%name))
      end do
      call put_line(number, '# ' // atom%name // ': radial functions; r in bohr, 4 pi r^2 rho in electrons per bohr, ' // &
                    'P and Q in bohr^(-1/2)')
      call put_line(number, titles)
      do a = 1, points
         call put_line(number, numbers([r(a), density(a), values(a, :)]))
      end do
   end subroutine write_radial

   ! Computes P, and Q if there is a second column.
   subroutine fill(atoms, index, of, r, values)
      type(legato_dfr), intent(in) :: atoms
      integer(lkind), intent(in) :: index
      type(orbital), intent(in) :: of
      real(rkind), intent(in) :: r(:)
      real(rkind), intent(inout), contiguous :: values(:, :)
      integer :: stat
      character(len=400) :: message

      if (size(values, 2) > 1) then
         call atoms%radial_functions(index, of%species, of%state, r, values(:, 1), values(:, 2), stat, message)
      else
         call atoms%radial_functions(index, of%species, of%state, r, values(:, 1), stat=stat, errmsg=message)
      end if
      call stop_on_library(stat, message)
   end subroutine fill

   ! Returns radii at equal distances in ln r. A function r exp(-k r) has <r^2> = 3/k^2, and is 4e-10 of its maximum at the
   ! last radius.
   function grid(list, points) result(r)
      type(orbital), intent(in) :: list(:)
      integer, intent(in) :: points
      real(rkind) :: r(points), first, last
      integer :: i

      first = 1.0e-5_rkind * minval(list%moment(1))
      last = 15 * maxval(sqrt(list%moment(2)))
      do i = 1, points
         r(i) = first * (last / first)**(real(i - 1, rkind) / (points - 1))
      end do
   end function grid

   pure function column(title)
      character(*), intent(in) :: title
      character(len=width) :: column

      column = adjustr(repeat(' ', width - len(title)) // title)
   end function column

   pure function numbers(values) result(line)
      real(rkind), intent(in) :: values(:)
      character(len=width * size(values)) :: line

      write (line, '(*(es25.16e3))') values
   end function numbers

end module batch_results
