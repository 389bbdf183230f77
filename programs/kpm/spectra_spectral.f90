! The section [spectral]: the spectral function A(k, E) along a path in the Brillouin zone.
module spectra_spectral
   use kinds
   use command_line, only: append, text_item
   use expressions, only: is_name
   use input_lines, only: refuse, refused
   use legato
   use messages
   use spectra_crystal
   use spectra_curves
   use spectra_fields
   use spectra_method
   use spectra_runs
   use spectra_tables
   implicit none
   private
   public :: spectral_task, take_spectral, check_spectral, find_path, write_spectral

   integer, parameter :: most_points = 100, most_waves = 100000

   type spectral_task
      logical :: given = .false.
      type(text_item), allocatable :: names(:)       ! of the points of the path
      real(rkind) :: points(3, most_points) = zero   ! in units of the reciprocal lattice vectors
      integer(ikind) :: steps = 40                   ! wave vectors from each point to the next one
      type(energy_grid) :: grid
   end type spectral_task

contains

   subroutine take_spectral(this, line, lattice)
      type(spectral_task), intent(inout) :: this
      type(field), intent(in) :: line
      type(crystal), intent(in) :: lattice
      integer :: k

      if (.not. allocated(this%names)) allocate (this%names(0))
      select case (line%key)
      case ('point')
         if (allocated(lattice%matrix)) call refuse('[spectral] needs a crystal: a matrix has no wave vectors')
         call check_words(line, lattice%dimension + 1, lattice%dimension + 1, 'NAME, ' // integer_text(lattice%dimension) // &
                          ' components in units of the reciprocal lattice vectors')
         if (size(this%names) == most_points) call refuse('there are more than ' // integer_text(most_points) // ' points')
         if (refused) return
         if (.not. is_name(line%words(1)%text)) call refuse(line%text(1), 'a letter, then letters, digits and _')
         call append(this%names, line%words(1)%text)
         do k = 1, lattice%dimension
            call read_real(line, k + 1, -1000.0_rkind, 1000.0_rkind, this%points(k, size(this%names)))
         end do
      case ('steps')
         call check_words(line, 1, 1, 'a number of wave vectors')
         call read_short(line, 1, 1_lkind, 10000_lkind, this%steps)
      case ('energies')
         call take_energies(this%grid, line)
      case default
         call no_field(line, 'point, steps, energies')
      end select
   end subroutine take_spectral

   subroutine check_spectral(this)
      type(spectral_task), intent(in) :: this
      integer :: points

      if (.not. this%given) return
      points = 0
      if (allocated(this%names)) points = size(this%names)
      if (points == 0) then
         call refuse('[spectral] has no point')
      else if (int(points - 1, lkind) * this%steps >= most_waves) then
         call refuse('[spectral] has more than ' // integer_text(most_waves) // ' wave vectors')
      end if
   end subroutine check_spectral

   ! Finds all wave vectors of the path. A single point is one wave vector.
   subroutine find_path(this, waves)
      type(spectral_task), intent(in) :: this
      real(rkind), allocatable, intent(out) :: waves(:, :)
      integer :: legs, k, step, n

      legs = size(this%names) - 1
      allocate (waves(3, legs * this%steps + 1))
      n = 0
      do k = 1, legs
         do step = 0, this%steps - 1
            n = n + 1
            waves(:, n) = this%points(:, k) + (this%points(:, k + 1) - this%points(:, k)) * step / this%steps
         end do
      end do
      waves(:, n + 1) = this%points(:, legs + 1)
   end subroutine find_path

   ! Returns the distance of two wave vectors in Cartesian coordinates, with the factor 2 pi.
   function distance(lattice, k) result(length)
      type(crystal), intent(in) :: lattice
      real(rkind), intent(in) :: k(3)
      real(rkind) :: length, gram(3, 3), solution(3)
      integer :: d

      ! The vector is sum_d k_d b_d with b_i . a_j = 2 pi delta_ij, and |sum_d k_d b_d|^2 = 4 pi^2 k . G^-1 k, where
      ! G_ij = a_i . a_j.
      d = lattice%dimension
      gram = matmul(transpose(lattice%vectors), lattice%vectors)
      solution = zero
      call solve(gram(:d, :d), k(:d), solution(:d))
      length = 2 * pi * sqrt(max(zero, dot_product(k(:d), solution(:d))))
   end function distance

   ! Solves a positive definite system by elimination.
   pure subroutine solve(matrix, right, solution)
      real(rkind), intent(in) :: matrix(:, :), right(:)
      real(rkind), intent(out) :: solution(:)
      real(rkind) :: rest(size(right), size(right))
      integer :: i, j

      rest = matrix
      solution = right
      do i = 1, size(right)
         do j = i + 1, size(right)
            solution(j) = solution(j) - solution(i) * rest(j, i) / rest(i, i)
            rest(j, :) = rest(j, :) - rest(i, :) * (rest(j, i) / rest(i, i))
         end do
      end do
      do i = size(right), 1, -1
         solution(i) = (solution(i) - dot_product(rest(i, i + 1:), solution(i + 1:))) / rest(i, i)
      end do
   end subroutine solve

   ! Writes the table NAME.dat and the script NAME.gp, which have been opened.
   subroutine write_spectral(this, name, kpm, given, lattice)
      type(spectral_task), intent(in) :: this
      character(*), intent(in) :: name
      type(legato_kpm), intent(in) :: kpm
      type(method), intent(in) :: given
      type(crystal), intent(in) :: lattice
      real(rkind), allocatable :: waves(:, :), energies(:), density(:), error(:)
      real(rkind) :: length
      character(:), allocatable :: ticks
      integer :: i, k, d

      d = lattice%dimension
      call find_path(this, waves)
      call put_run(kpm, given)
      call put_text('Wave vectors are in units of the reciprocal lattice vectors, the length of the path is Cartesian. ' // &
                    'NaN: unknown.')
      call put_text('columns: length of the path, energy, spectral function per orbital, its error; a block for each ' // &
                    'wave vector')
      length = zero
      ticks = ''
      do i = 1, size(waves, 2)
         if (i > 1) length = length + distance(lattice, waves(:, i) - waves(:, i - 1))
         if (i > 1) call put_gap
         if (modulo(i - 1, this%steps) == 0) then
            if (i > 1) ticks = ticks // ', '
            ticks = ticks // '"' // this%names(1 + (i - 1) / this%steps)%text // '" ' // real_text(length)
         end if
         call put_text('k = ' // words_of(waves(:d, i)))
         call local_density_of(kpm, this%grid, given, i, energies, density, error)
         do k = 1, size(energies)
            call put_row([length, energies(k), density(k), error(k)])
         end do
      end do
      call begin_plot(name, '', 'energy')
      call put_plot('set xtics (' // ticks // ')')
      call put_plot('set cblabel "spectral function"')
      call put_plot('set view map')
      call put_plot('set style fill solid 1')
      call put_plot('set autoscale xfix')
      call put_plot('set autoscale yfix')
      call put_plot('set palette defined (0 "white", 0.2 "light-blue", 1 "dark-blue")')
      call put_plot('splot data using 1:2:3 with pm3d notitle')
   end subroutine write_spectral

   function words_of(numbers) result(text)
      real(rkind), intent(in) :: numbers(:)
      character(:), allocatable :: text
      integer :: k

      text = real_text(numbers(1))
      do k = 2, size(numbers)
         text = text // ' ' // real_text(numbers(k))
      end do
   end function words_of

end module spectra_spectral
