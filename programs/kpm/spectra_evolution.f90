! The section [evolution]: wave packets that move according to exp(-i H t).
module spectra_evolution
   use, intrinsic :: ieee_arithmetic, only: ieee_is_nan, ieee_quiet_nan, ieee_value
   use, intrinsic :: iso_c_binding, only: c_double_complex
   use kinds
   use input_lines, only: refuse, refused
   use legato
   use library_errors
   use messages
   use run_control, only: stop_on
   use spectra_crystal
   use spectra_fields
   use spectra_method
   use spectra_tables
   implicit none
   private
   public :: evolution_task, take_evolution, check_evolution, write_evolution

   integer, parameter :: quantities = 3     ! return probability, squared distance, participation number
   real(rkind), parameter :: tolerance = 1.0e-11_rkind

   type evolution_task
      logical :: given = .false.
      integer(lkind) :: site = 0                   ! centre of the packet
      real(rkind) :: width = zero                  ! standard deviation of the position; 0: a single site
      real(rkind) :: wave(3) = zero                ! wave vector, in units of the reciprocal lattice vectors
      real(rkind), allocatable :: times(:)
   end type evolution_task

   ! A packet while it moves, and where it began.
   type packet
      complex(c_double_complex), allocatable :: start(:), now(:)
      real(rkind), allocatable :: squared_distance(:)     ! of each site from the centre; unallocated for a matrix
      real(rkind) :: bound = zero                         ! of the error of the vector
   end type packet

   character(:), allocatable, save :: progress_text

contains

   subroutine take_evolution(this, line, lattice)
      type(evolution_task), intent(inout) :: this
      type(field), intent(in) :: line
      type(crystal), intent(in) :: lattice
      integer :: k

      select case (line%key)
      case ('site')
         if (this%site > 0) call refuse('[evolution] site is given twice')
         call read_site(lattice, line, this%site)
      case ('width')
         call check_words(line, 1, 1, 'a length')
         call read_real(line, 1, zero, 1.0e6_rkind, this%width)
      case ('wave')
         call check_words(line, lattice%dimension, lattice%dimension, &
                          'a wave vector in units of the reciprocal lattice vectors')
         do k = 1, min(lattice%dimension, size(line%words))
            call read_real(line, k, -1000.0_rkind, 1000.0_rkind, this%wave(k))
         end do
      case ('times')
         call read_list(line, zero, 1.0e9_rkind, this%times)
         if (.not. refused) then
            do k = 2, size(this%times)
               if (this%times(k) < this%times(k - 1)) call refuse('times: ' // real_text(this%times(k)) // ' follows ' // &
                  real_text(this%times(k - 1)), 'times that ascend')
            end do
         end if
      case default
         call no_field(line, 'site, width, wave, times')
      end select
   end subroutine take_evolution

   subroutine check_evolution(this, lattice)
      type(evolution_task), intent(in) :: this
      type(crystal), intent(in) :: lattice

      if (.not. this%given) return
      if (this%site == 0) call refuse('[evolution] has no site')
      if (.not. allocated(this%times)) call refuse('[evolution] has no times')
      if (allocated(lattice%matrix) .and. this%width > zero) call refuse('[evolution] has a width, but a matrix has no positions')
      if (this%width <= zero .and. any(abs(this%wave) > zero)) &
         call refuse('[evolution] has a wave vector, but the width is 0')
   end subroutine check_evolution

   ! Writes the table NAME.dat and the script NAME.gp, which have been opened.
   subroutine write_evolution(this, name, context, hamiltonian, given, lattice)
      type(evolution_task), intent(in) :: this
      character(*), intent(in) :: name
      type(legato_context), intent(in) :: context
      type(legato_kpm_hamiltonian), intent(in) :: hamiltonian
      type(method), intent(in) :: given
      type(crystal), intent(in) :: lattice
      real(rkind), allocatable :: mean(:, :), squares(:, :), values(:, :)
      real(rkind) :: bound
      integer :: realisation, count, k

      count = merge(given%params%realisations, 1, is_random(lattice))
      allocate (mean(quantities, size(this%times)), squares(quantities, size(this%times)), source=zero)
      bound = zero
      do realisation = 1, count
         progress_text = 'evolution: realisation ' // integer_text(realisation) // ' of ' // integer_text(count)
         call evolve(this, context, hamiltonian, given, lattice, realisation, values, bound)
         ! Welford's recursion of the mean and of the sum of squared deviations.
         values = values - mean
         mean = mean + values / realisation
         squares = squares + values**2 * (real(realisation - 1, rkind) / realisation)
      end do
      call wipe_progress_line
      if (count > 1) then
         squares = sqrt(squares / (real(count, rkind) * (count - 1)))
      else if (is_random(lattice)) then
         squares = ieee_value(zero, ieee_quiet_nan)
      end if
      call put_text('realisations ' // integer_text(count) // ', seed ' // integer_text(given%params%seed))
      call put_text('norm of the error of the vector: at most ' // real_text(bound))
      call put_text('status: complete')
      call put_text('columns: time, return probability, its error, mean squared distance from the start, its error, ' // &
                    'participation number, its error')
      call put_text('Times have the inverse unit of the hoppings (hbar = 1), distances that of the vectors. NaN: unknown.')
      do k = 1, size(this%times)
         call put_row([this%times(k), mean(1, k), squares(1, k), mean(2, k), squares(2, k), mean(3, k), squares(3, k)])
      end do
      if (allocated(lattice%matrix)) then
         call begin_plot(name, 'time', 'participation number')
         call put_plot('plot data using 1:6:7 with yerrorlines pt 7 ps 0.5 lc 1 notitle')
      else
         call begin_plot(name, 'time', 'mean squared distance')
         call put_plot('plot data using 1:4:5 with yerrorlines pt 7 ps 0.5 lc 1 notitle')
      end if
   end subroutine write_evolution

   ! Computes the quantities at all times in one realisation.
   subroutine evolve(this, context, hamiltonian, given, lattice, realisation, values, bound)
      type(evolution_task), intent(in) :: this
      type(legato_context), intent(in) :: context
      type(legato_kpm_hamiltonian), intent(in) :: hamiltonian
      type(method), intent(in) :: given
      type(crystal), intent(in) :: lattice
      integer, intent(in) :: realisation
      real(rkind), allocatable, intent(out) :: values(:, :)
      real(rkind), intent(inout) :: bound     ! largest one of all realisations
      type(legato_kpm_function) :: propagator
      type(legato_kpm_state) :: state
      type(packet) :: moving
      real(rkind) :: step, last_step, step_bound
      character(len=400) :: message
      integer :: stat, k

      message = ''
      call propagator%create(context, hamiltonian, given%params, int(realisation, lkind), stat, message)
      call stop_on_library(stat, message)
      call propagator%get_state(state)
      call begin_packet(this, lattice, state%sites, moving)
      allocate (values(quantities, size(this%times)))
      last_step = -one
      do k = 1, size(this%times)
         step = this%times(k)
         if (k > 1) step = step - this%times(k - 1)
         if (abs(step - last_step) > zero) then
            call propagator%set(LEGATO_KPM_FUNCTION_KIND_EVOLUTION, step, tolerance=tolerance, bound=step_bound, stat=stat, &
                                errmsg=message)
            call stop_on_library(stat, message)
         end if
         last_step = step
         call propagator%apply(moving%now, moving%now, show_progress, stat, message)
         call stop_on_library(stat, message)
         moving%bound = moving%bound + step_bound
         values(:, k) = quantities_of(moving)
         if (ieee_is_nan(values(1, k))) then
            call complain('[evolution] in realisation ' // integer_text(realisation) // ' the packet begins on vacancies only')
            call stop_on(1_ikind)
         end if
      end do
      bound = max(bound, moving%bound)
   end subroutine evolve

   ! Makes the packet of the time 0, which is not normalised.
   subroutine begin_packet(this, lattice, sites, moving)
      type(evolution_task), intent(in) :: this
      type(crystal), intent(in) :: lattice
      integer(lkind), intent(in) :: sites
      type(packet), intent(out) :: moving
      real(rkind) :: fraction(3), squared
      integer(lkind) :: site
      integer :: stat

      if (this%site > sites) then
         call complain('[evolution] site ' // integer_text(this%site) // ' (allowed: 1..' // integer_text(sites) // ')')
         call stop_on(1_ikind)
      end if
      allocate (moving%start(sites), source=(zero, zero), stat=stat)
      if (stat == 0 .and. .not. allocated(lattice%matrix)) allocate (moving%squared_distance(sites), stat=stat)
      if (stat == 0) allocate (moving%now(sites), stat=stat)
      if (stat /= 0) then
         call complain('[evolution] there is not enough memory for vectors of ' // integer_text(sites) // ' sites')
         call stop_on(1_ikind)
      end if
      moving%start(this%site) = one
      if (.not. allocated(lattice%matrix)) then
         do site = 1, sites
            fraction = displacement(lattice, this%site, site)
            squared = sum(matmul(lattice%vectors, fraction)**2)
            moving%squared_distance(site) = squared
            if (this%width > zero .and. modulo(site - this%site, size(lattice%names, kind=lkind)) == 0) moving%start(site) = &
               exp(cmplx(-squared / (4 * this%width**2), 2 * pi * dot_product(this%wave, fraction), rkind))
         end do
      end if
      moving%now = moving%start
   end subroutine begin_packet

   function quantities_of(moving) result(values)
      type(packet), intent(in) :: moving
      real(rkind) :: values(quantities), norm, overlap(2), weight, squared, fourth
      complex(rkind) :: product
      integer :: k

      norm = zero
      overlap = zero
      squared = zero
      fourth = zero
      do k = 1, size(moving%now)
         weight = moving%now(k)%re**2 + moving%now(k)%im**2
         norm = norm + weight
         fourth = fourth + weight**2
         if (allocated(moving%squared_distance)) squared = squared + weight * moving%squared_distance(k)
         product = conjg(moving%start(k)) * moving%now(k)
         overlap = overlap + [product%re, product%im]
      end do
      values = [sum(overlap**2) / norm**2, squared / norm, norm**2 / fourth]
      if (.not. allocated(moving%squared_distance)) values(2) = ieee_value(zero, ieee_quiet_nan)
   end function quantities_of

   logical function show_progress(progress) result(cancel)
      type(legato_progress), intent(in) :: progress

      cancel = .false.
      if (wants_progress()) call show_progress_line(progress_text // ', ' // integer_text(progress%cycles_done) // ' terms')
   end function show_progress

end module spectra_evolution
