! The command line of tmm_lengths.
module lengths_options
   use kinds
   use command_line
   use legato
   use messages
   implicit none
   private
   public :: options, read_options, setting, settings, settings_of

   ! Names of the library's enumerators, in their order from 0.
   character(len=14), parameter :: boundaries(0:2) = ['hard_wall     ', 'periodic      ', 'antiperiodic  '], &
      distributions(0:2) = ['uniform       ', 'uniform_scaled', 'gaussian      '], &
      models(0:4) = ['anderson      ', 'peierls       ', 'u1            ', 'su2           ', 'ando          '], &
      hopping_disorders(0:2) = ['none          ', 'uniform       ', 'logarithmic   ']
   integer, parameter :: most_values = 100000, settings = 17

   type options
      type(legato_tmm_params) :: params                   ! without the width, and with the seed as given
      real(rkind), allocatable :: widths(:)               ! M, whole numbers
      real(rkind), allocatable :: disorder(:), energy(:)  ! W and E of each point of a width
      logical :: by_energy = .false.                      ! the energies vary, not the disorder
      logical :: boundary_given = .false., spin_orbit_given = .false., hopping_width_given = .false.
      character(:), allocatable :: state                  ! beginning of the names of state files; unallocated: none
      real(rkind) :: seconds = huge(zero)                 ! time after which the program stops
   end type options

   ! An option and its value in words, or a parameter that each width has for itself.
   type setting
      character(len=24) :: name = '', text = ''
      logical :: counts = .true.    ! it is not one that only other models use
   end type setting

   character(*), parameter :: known(*) = [character(len=22) :: '--widths=', '--disorder=', '--energy=', '--dimension=', &
      '--boundary=', '--distribution=', '--hopping=', '--epsilon=', '--replicas=', '--n-ortho=', &
      '--max-multiplications=', '--seed=', '--state=', '--minutes=', '--model=', '--hopping-disorder=', &
      '--hopping-width=', '--anisotropy=', '--transverse-flux=', '--longitudinal-flux=', '--spin-orbit=']
   character(*), parameter :: help(*) = [character(len=107) :: &
      'usage: tmm_lengths --widths LIST --disorder LIST [OPTION]...', &
      '', &
      'Computes localisation lengths of the Anderson model on strips and bars of several widths M with', &
      'Legato, and prints a table of Lambda = localisation length / M for tmm_scaling. A LIST has numbers and', &
      'ranges FIRST:LAST:STEP with commas between them, such as 4:10:2 or 15,16:17:0.25.', &
      '', &
      '  --widths LIST         widths M in sites', &
      '  --disorder LIST       disorder strengths W', &
      '  --energy LIST         energies E, 0 by default; only one of disorder and energy may vary', &
      '  --dimension D         1, 2 or 3, the default', &
      '  --boundary NAME       periodic (the default), antiperiodic or hard_wall', &
      '  --distribution NAME   site energies: uniform on [-W/2, W/2] (the default), or uniform_scaled or gaussian', &
      '                        with the standard deviation W', &
      '  --hopping T           transverse hopping, 1 by default', &
      '  --model NAME          anderson (the default), peierls (a magnetic field), u1 (random phases), su2 (random', &
      '                        spin rotations) or ando (spin-orbit hopping)', &
      '  --longitudinal-flux F  flux of peierls through a unit cell along the bar, in flux quanta; 0 by default', &
      '  --transverse-flux F   the same through a unit cell of the cross-section', &
      '  --spin-orbit S        strength S of ando, 0.5 by default', &
      '  --hopping-disorder NAME  random moduli of the hopping: none (the default), uniform or logarithmic', &
      '  --hopping-width W     width of their distribution, 1 by default', &
      '  --anisotropy R        hopping in y direction over that in x direction, 1 by default', &
      '  --epsilon VALUE       relative error of each length, 0.005 by default', &
      '  --replicas R          independent sequences that are averaged at each point, 1 by default', &
      '  --n-ortho N           multiplications between two orthonormalisations, 10 by default', &
      '  --max-multiplications N  number after which a point ends without having converged, for each replica; 1e9', &
      '                        by default', &
      '  --seed N              seed of the random numbers, 1277 by default. Each width has numbers of its own, but', &
      '                        another table of the same widths is independent only with another seed', &
      '  --state NAME          save the run of each width in NAME-M.h5; go on from these files if they exist', &
      '  --minutes T           stop after about T minutes; the same command goes on later. Needs --state', &
      '', &
      'The exit status is 0 if all points have converged, 2 if the time was over before, and 1 otherwise or', &
      'after an error.']

contains

   ! What the parameters of a run are in terms of the options.
   function settings_of(params) result(list)
      type(legato_tmm_params), intent(in) :: params
      type(setting) :: list(settings)
      integer :: count

      count = 0
      call add('M', integer_text(params%width), .false.)
      call add('dimension', integer_text(params%dimension))
      call add('boundary', boundaries(params%boundary))
      call add('distribution', distributions(params%disorder))
      call add('hopping', real_text(params%hopping))
      call add('epsilon', real_text(params%epsilon))
      call add('replicas', integer_text(params%replicas))
      call add('n-ortho', integer_text(params%n_ortho))
      call add('max-multiplications', integer_text(params%max_multiplications))
      call add('seed', seed_text(params))
      call add('model', models(params%model))
      call add('longitudinal-flux', real_text(params%longitudinal_flux), params%model == LEGATO_TMM_MODEL_PEIERLS)
      call add('transverse-flux', real_text(params%transverse_flux), params%model == LEGATO_TMM_MODEL_PEIERLS)
      call add('spin-orbit', real_text(params%spin_orbit), params%model == LEGATO_TMM_MODEL_ANDO)
      call add('hopping-disorder', hopping_disorders(params%hopping_disorder))
      call add('hopping-width', real_text(params%hopping_width), &
               params%hopping_disorder /= LEGATO_TMM_HOPPING_DISORDER_NONE)
      call add('anisotropy', real_text(params%anisotropy), params%dimension == 3)

   contains

      subroutine add(name, text, counts)
         character(*), intent(in) :: name, text
         logical, intent(in), optional :: counts

         count = count + 1
         list(count)%name = name
         list(count)%text = text
         if (present(counts)) list(count)%counts = counts
      end subroutine add

   end function settings_of

   ! The seed as on the command line, if the run has one of tmm_lengths.
   function seed_text(params) result(text)
      type(legato_tmm_params), intent(in) :: params
      character(:), allocatable :: text
      integer(lkind) :: rest

      rest = params%seed - params%width + 1
      if (rest >= 0 .and. mod(rest, 4096_lkind) == 0) then
         text = integer_text(rest / 4096)
      else
         text = 'of another program'
      end if
   end function seed_text

   ! Reads the command line. ierr = 1: an error, which has been reported; -1: only the help was asked for.
   subroutine read_options(given, ierr)
      type(options), intent(out) :: given
      integer(ikind), intent(out) :: ierr
      type(command) :: line

      given%params = tmm_defaults()
      given%params%dimension = 3
      allocate (given%widths(0), given%disorder(0), given%energy(1))
      given%energy = zero
      ierr = 0
      do while (line%next(known, help, ierr))
         call take(line%option, line%value, given, ierr)
      end do
      if (ierr == 0) call check_together(given, ierr)
      if (ierr == 0) call make_points(given)
   end subroutine read_options

   subroutine take(option, value, given, ierr)
      character(*), intent(in) :: option, value
      type(options), intent(inout) :: given
      integer(ikind), intent(inout) :: ierr
      real(rkind) :: minutes

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
         case ('--model')
            call read_name(option, value, models, params%model, ierr)
         case ('--hopping-disorder')
            call read_name(option, value, hopping_disorders, params%hopping_disorder, ierr)
         case ('--hopping-width')
            call read_real(option, value, zero, 10.0_rkind, params%hopping_width, ierr)
            given%hopping_width_given = .true.
         case ('--anisotropy')
            call read_real(option, value, -1.0e6_rkind, 1.0e6_rkind, params%anisotropy, ierr)
         case ('--transverse-flux')
            call read_real(option, value, -one, one, params%transverse_flux, ierr)
         case ('--longitudinal-flux')
            call read_real(option, value, -one, one, params%longitudinal_flux, ierr)
         case ('--spin-orbit')
            call read_real(option, value, zero, one, params%spin_orbit, ierr)
            given%spin_orbit_given = .true.
         case ('--state')
            given%state = value
         case ('--minutes')
            call read_real(option, value, zero, 1.0e7_rkind, minutes, ierr)
            if (ierr == 0) given%seconds = 60 * minutes
         end select
      end associate
   end subroutine take

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
      call check_model(given, ierr)
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
      integer, parameter :: components(0:4) = [1, 2, 2, 4, 4]    ! real numbers at a site, by model
      integer :: most(3), sites, k

      sites = 4096 / components(given%params%model)
      most = [1, sites, int(sqrt(real(sites, rkind)))]
      associate (widths => given%widths, most_width => most(given%params%dimension))
         do k = 1, size(widths)
            if (ierr /= 0) return
            if (abs(widths(k) - anint(widths(k))) > zero) then
               call refuse('--widths: ' // real_text(widths(k)) // ' is not a whole number', ierr)
            else if (widths(k) > most_width) then
               call refuse('--widths: ' // integer_text(nint(widths(k))) // ' (allowed with --dimension ' // &
                           integer_text(given%params%dimension) // ' --model ' // trim(models(given%params%model)) // &
                           ': 1..' // integer_text(most_width) // ')', ierr)
            else if (any(abs(widths(:k - 1) - widths(k)) <= zero)) then
               call refuse('--widths: ' // integer_text(nint(widths(k))) // ' occurs twice', ierr)
            end if
         end do
      end associate
   end subroutine check_widths

   ! Refuses options that would have no effect, and what the library would refuse at a later width.
   subroutine check_model(given, ierr)
      type(options), intent(in) :: given
      integer(ikind), intent(inout) :: ierr
      logical :: field
      integer :: k

      associate (params => given%params)
         field = params%model == LEGATO_TMM_MODEL_PEIERLS
         call needs(given%spin_orbit_given, params%model == LEGATO_TMM_MODEL_ANDO, '--spin-orbit', '--model ando', ierr)
         call needs(given%hopping_width_given, params%hopping_disorder /= LEGATO_TMM_HOPPING_DISORDER_NONE, &
                    '--hopping-width', '--hopping-disorder', ierr)
         call needs(abs(params%longitudinal_flux) > zero, field .and. params%dimension > 1, '--longitudinal-flux', &
                    '--model peierls in 2 or 3 dimensions', ierr)
         call needs(abs(params%transverse_flux) > zero, field .and. params%dimension == 3, '--transverse-flux', &
                    '--model peierls in 3 dimensions', ierr)
         call needs(field, abs(params%longitudinal_flux) + abs(params%transverse_flux) > zero, '--model peierls', &
                    '--longitudinal-flux or --transverse-flux', ierr)
         call needs(abs(params%anisotropy - 1) > zero, params%dimension == 3, '--anisotropy', '--dimension 3', ierr)
         if (ierr == 0 .and. abs(params%anisotropy) <= zero) &
            call refuse('--anisotropy 0: a bar would be independent strips; compute them with --dimension 2', ierr)
         do k = 1, size(given%widths)
            if (ierr == 0 .and. params%boundary /= LEGATO_TMM_BOUNDARY_HARD_WALL .and. &
                .not. is_whole(params%transverse_flux * given%widths(k))) &
               call refuse('--transverse-flux ' // real_text(params%transverse_flux) // ' times the width ' // &
                           integer_text(nint(given%widths(k))) // ' is not a whole number (allowed with --boundary hard_wall)', &
                           ierr)
         end do
      end associate
   end subroutine check_model

   elemental logical function is_whole(value)
      real(rkind), intent(in) :: value

      is_whole = abs(value - anint(value)) <= 1.0e-9_rkind
   end function is_whole

   subroutine needs(used, allowed, option, what, ierr)
      logical, intent(in) :: used, allowed
      character(*), intent(in) :: option, what
      integer(ikind), intent(inout) :: ierr

      if (ierr == 0 .and. used .and. .not. allowed) call refuse(option // ' needs ' // what, ierr)
   end subroutine needs

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

end module lengths_options
