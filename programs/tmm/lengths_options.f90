! The command line of tmm_lengths.
module lengths_options
   use kinds
   use command_line
   use legato, only: legato_tmm_params, tmm_defaults
   use messages
   use run_control, only: argument
   implicit none
   private
   public :: options, read_options, boundaries, distributions

   ! Names of the library's enumerators, in their order from 0.
   character(len=14), parameter :: boundaries(0:2) = ['hard_wall     ', 'periodic      ', 'antiperiodic  '], &
      distributions(0:2) = ['uniform       ', 'uniform_scaled', 'gaussian      ']
   integer, parameter :: most_values = 100000

   type options
      type(legato_tmm_params) :: params                   ! without the width, and with the seed as given
      real(rkind), allocatable :: widths(:)               ! M, whole numbers
      real(rkind), allocatable :: disorder(:), energy(:)  ! W and E of each point of a width
      logical :: by_energy = .false.                      ! the energies vary, not the disorder
      logical :: boundary_given = .false.
      character(:), allocatable :: state                  ! beginning of the names of state files; unallocated: none
      real(rkind) :: seconds = huge(zero)                 ! time after which the program stops
   end type options

contains

   ! Reads the command line. ierr = 1: an error, which has been reported; -1: only the help was asked for.
   subroutine read_options(given, ierr)
      type(options), intent(out) :: given
      integer(ikind), intent(out) :: ierr
      integer :: i

      given%params = tmm_defaults()
      given%params%dimension = 3
      allocate (given%widths(0), given%disorder(0), given%energy(1))
      given%energy = zero
      ierr = 0
      i = 0
      do while (i < command_argument_count() .and. ierr == 0)
         i = i + 1
         call read_option(i, given, ierr)
      end do
      if (ierr == 0) call check_together(given, ierr)
      if (ierr == 0) call make_points(given)
   end subroutine read_options

   ! Reads the option at argument i, and its value at the next one, to which i advances.
   subroutine read_option(i, given, ierr)
      integer, intent(inout) :: i
      type(options), intent(inout) :: given
      integer(ikind), intent(inout) :: ierr
      character(:), allocatable :: option, value
      real(rkind) :: minutes

      option = argument(i)
      value = ''
      select case (option)
      case ('-h', '--help')
         call print_help
         ierr = -1
      case ('--widths', '--disorder', '--energy', '--dimension', '--boundary', '--distribution', '--hopping', '--epsilon', &
            '--replicas', '--n-ortho', '--max-multiplications', '--seed', '--state', '--minutes')
         call value_of(i, value, ierr)
      case default
         call refuse('there is no option ' // quoted(option) // '; see --help', ierr)
      end select
      if (ierr /= 0) return
      associate (params => given%params)
         select case (option)
         case ('--widths')
            call read_list(option, value, one, 4096.0_rkind, most_values, given%widths, ierr)
         case ('--disorder')
            call read_list(option, value, zero, 1.0e6_rkind, most_values, given%disorder, ierr)
         case ('--energy')
            call read_list(option, value, -1.0e6_rkind, 1.0e6_rkind, most_values, given%energy, ierr)
         case ('--dimension')
            call read_short(option, value, 1_lkind, 3_lkind, params%dimension, ierr)
         case ('--boundary')
            call read_name(option, value, boundaries, params%boundary, ierr)
            given%boundary_given = .true.
         case ('--distribution')
            call read_name(option, value, distributions, params%disorder, ierr)
         case ('--hopping')
            call read_real(option, value, -1.0e6_rkind, 1.0e6_rkind, params%hopping, ierr)
         case ('--epsilon')
            call read_real(option, value, 1.0e-15_rkind, one, params%epsilon, ierr)
         case ('--replicas')
            call read_whole(option, value, 1_lkind, 1000000_lkind, params%replicas, ierr)
         case ('--n-ortho')
            call read_whole(option, value, 1_lkind, 1000_lkind, params%n_ortho, ierr)
         case ('--max-multiplications')
            call read_whole(option, value, 1_lkind, 100000000000000000_lkind, params%max_multiplications, ierr)
         case ('--seed')
            call read_whole(option, value, 0_lkind, 1000000000000000_lkind, params%seed, ierr)
         case ('--state')
            given%state = value
         case ('--minutes')
            call read_real(option, value, zero, 1.0e7_rkind, minutes, ierr)
            if (ierr == 0) given%seconds = 60 * minutes
         end select
      end associate
   end subroutine read_option

   subroutine read_short(option, value, least, most, number, ierr)
      character(*), intent(in) :: option, value
      integer(lkind), intent(in) :: least, most
      integer(ikind), intent(inout) :: number
      integer(ikind), intent(inout) :: ierr
      integer(lkind) :: found

      found = number
      call read_whole(option, value, least, most, found, ierr)
      number = int(found, ikind)
   end subroutine read_short

   ! number becomes the index of the name.
   subroutine read_name(option, value, names, number, ierr)
      character(*), intent(in) :: option, value, names(0:)
      integer(ikind), intent(inout) :: number
      integer(ikind), intent(inout) :: ierr
      character(:), allocatable :: allowed
      integer(ikind) :: k

      allowed = ''
      do k = 0, int(size(names), ikind) - 1
         if (value == trim(names(k)) .and. len(value) == len_trim(value)) then
            number = k
            return
         end if
         if (k > 0) allowed = allowed // ', '
         allowed = allowed // trim(names(k))
      end do
      call refuse(option // ' ' // quoted(value) // ' (allowed: ' // allowed // ')', ierr)
   end subroutine read_name

   subroutine check_together(given, ierr)
      type(options), intent(inout) :: given
      integer(ikind), intent(inout) :: ierr

      if (given%params%dimension == 1) call check_chain(given, ierr)
      if (size(given%widths) == 0) then
         call refuse('--widths is missing; see --help', ierr)
      else if (size(given%disorder) == 0) then
         call refuse('--disorder is missing; see --help', ierr)
      else if (size(given%disorder) > 1 .and. size(given%energy) > 1) then
         call refuse('--disorder and --energy both have several values; a table has one control parameter', ierr)
      else if (given%seconds < huge(zero) .and. .not. allocated(given%state)) then
         call refuse('--minutes needs --state, which keeps what has been computed', ierr)
      end if
      call check_widths(given, ierr)
   end subroutine check_together

   ! A chain has a single width and a single boundary, which need not be given.
   subroutine check_chain(given, ierr)
      type(options), intent(inout) :: given
      integer(ikind), intent(inout) :: ierr

      if (size(given%widths) == 0) given%widths = [one]
      if (given%boundary_given .and. given%params%boundary /= 0) &
         call refuse('--boundary ' // trim(boundaries(given%params%boundary)) // &
                     ' (allowed with --dimension 1: hard_wall): a chain has no transverse boundary', ierr)
      given%params%boundary = 0
   end subroutine check_chain

   subroutine check_widths(given, ierr)
      type(options), intent(in) :: given
      integer(ikind), intent(inout) :: ierr
      integer, parameter :: most(3) = [1, 4096, 64]
      integer :: k

      associate (widths => given%widths, most_width => most(given%params%dimension))
         do k = 1, size(widths)
            if (ierr /= 0) return
            if (abs(widths(k) - anint(widths(k))) > zero) then
               call refuse('--widths: ' // real_text(widths(k)) // ' is not a whole number', ierr)
            else if (widths(k) > most_width) then
               call refuse('--widths: ' // integer_text(nint(widths(k))) // ' (allowed with --dimension ' // &
                           integer_text(given%params%dimension) // ': 1..' // integer_text(most_width) // ')', ierr)
            else if (any(abs(widths(:k - 1) - widths(k)) <= zero)) then
               call refuse('--widths: ' // integer_text(nint(widths(k))) // ' occurs twice', ierr)
            end if
         end do
      end associate
   end subroutine check_widths

   ! Gives each point its disorder and its energy.
   subroutine make_points(given)
      type(options), intent(inout) :: given

      given%by_energy = size(given%energy) > 1
      if (given%by_energy) then
         given%disorder = spread(given%disorder(1), 1, size(given%energy))
      else
         given%energy = spread(given%energy(1), 1, size(given%disorder))
      end if
   end subroutine make_points

   subroutine print_help
      call print_line('usage: tmm_lengths --widths LIST --disorder LIST [OPTION]...')
      call print_line('')
      call print_line('Computes localisation lengths of the Anderson model on strips and bars of several widths M with')
      call print_line('Legato, and prints a table of Lambda = localisation length / M for tmm_scaling. A LIST has numbers and')
      call print_line('ranges FIRST:LAST:STEP with commas between them, such as 4:10:2 or 15,16:17:0.25.')
      call print_line('')
      call print_line('  --widths LIST         widths M in sites')
      call print_line('  --disorder LIST       disorder strengths W')
      call print_line('  --energy LIST         energies E, 0 by default; only one of disorder and energy may vary')
      call print_line('  --dimension D         1, 2 or 3, the default')
      call print_line('  --boundary NAME       periodic (the default), antiperiodic or hard_wall')
      call print_line('  --distribution NAME   site energies: uniform on [-W/2, W/2] (the default), or uniform_scaled or gaussian')
      call print_line('                        with the standard deviation W')
      call print_line('  --hopping T           transverse hopping, 1 by default')
      call print_line('  --epsilon VALUE       relative error of each length, 0.005 by default')
      call print_line('  --replicas R          independent sequences that are averaged at each point, 1 by default')
      call print_line('  --n-ortho N           multiplications between two orthonormalisations, 10 by default')
      call print_line('  --max-multiplications N  number after which a point ends without having converged, for each replica; 1e9')
      call print_line('                        by default')
      call print_line('  --seed N              seed of the random numbers, 1277 by default. Each width has numbers of its own, but')
      call print_line('                        another table of the same widths is independent only with another seed')
      call print_line('  --state NAME          save the run of each width in NAME-M.h5; go on from these files if they exist')
      call print_line('  --minutes T           stop after about T minutes; the same command goes on later. Needs --state')
      call print_line('')
      call print_line('The exit status is 0 if all points have converged, 2 if the time was over before, and 1 otherwise or')
      call print_line('after an error.')
   end subroutine print_help

end module lengths_options
