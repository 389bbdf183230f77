! The command line of dfratom_batch.
module batch_options
   use kinds
   use element_lists
   use messages
   use run_control, only: argument
   use batch_shells, only: shell_list, read_shells
   use command_line
   implicit none
   private
   public :: options, read_options, interactions

   type options
      type(text_item), allocatable :: inputs(:)
      type(wanted_element), allocatable :: elements(:)
      real(rkind) :: c = zero                     ! speed of light; 0: not given
      integer(ikind) :: nucmdl = 0                ! nuclear model; 0: not given
      integer(ikind) :: interaction = 0           ! number of LEGATO_DFR_INTERACTION_...
      logical :: relativistic = .true., verbose = .false., reduce = .false.
      real(rkind) :: accuracy = zero              ! accuracy of the reduction; 0: not given
      character(:), allocatable :: folder         ! folder of output files; unallocated: none
      character(:), allocatable :: state          ! file of optimisations; unallocated: none
      character(:), allocatable :: vectors        ! file of spinors; unallocated: none
      logical :: moments = .false.                ! write the moments of the spinors
      integer(lkind) :: radial = 0                ! points at which radial functions are written; 0: none
      type(shell_list), allocatable :: shells     ! of --elements; unallocated: ground configurations
      logical :: extended = .false.               ! extended kinetic balance
      logical :: levels = .false.                 ! print the levels of the open shells
      character(:), allocatable :: basis          ! file or library of basis sets; unallocated: the built-in library
   end type options

   character(*), parameter :: built_in_elements = '2-86', all_elements = '1-118'     ! default ranges
   ! The names of the interactions in the order of their numbers.
   character(*), parameter :: interactions(0:2) = [character(len=7) :: 'coulomb', 'gaunt', 'breit']

contains

   ! Reads the command line. ierr = 1: an error, which has been reported; -1: only the help was asked for.
   subroutine read_options(given, ierr)
      type(options), intent(out) :: given
      integer(ikind), intent(out) :: ierr
      character(:), allocatable :: text
      integer :: i
      logical :: only_inputs, any_element

      allocate (given%inputs(0), given%elements(0))
      ierr = 0
      any_element = .false.
      only_inputs = .false.
      i = 0
      do while (i < command_argument_count() .and. ierr == 0)
         i = i + 1
         text = argument(i)
         if (only_inputs .or. index(text, '-') /= 1) then
            call append(given%inputs, text)
         else if (text == '--') then
            only_inputs = .true.
         else
            call read_option(i, given, any_element, ierr)
         end if
      end do
      if (ierr == 0 .and. any_element) then
         if (allocated(given%basis)) then
            call read_elements(all_elements, given%elements, ierr)
         else
            call read_elements(built_in_elements, given%elements, ierr)
         end if
      end if
      if (ierr == 0) call check_together(given, ierr)
   end subroutine read_options

   ! Reads the option at argument i. If it has a value, i becomes the argument of the value. any_element becomes true if
   ! there is no list of elements.
   subroutine read_option(i, given, any_element, ierr)
      integer, intent(inout) :: i
      type(options), intent(inout) :: given
      logical, intent(inout) :: any_element
      integer(ikind), intent(inout) :: ierr
      character(:), allocatable :: text

      text = argument(i)
      select case (text)
      case ('-h', '--help')
         call print_help
         ierr = -1
      case ('-v', '--verbose')
         given%verbose = .true.
      case ('--nonrelativistic')
         given%relativistic = .false.
      case ('--reduce')
         given%reduce = .true.
      case ('-o', '--output')
         call value_of(i, given%folder, ierr)
      case ('--state')
         call value_of(i, given%state, ierr)
      case ('--vectors')
         call value_of(i, given%vectors, ierr)
      case ('--moments')
         given%moments = .true.
      case ('--radial')
         call value_of(i, text, ierr)
         if (ierr == 0) call read_whole('--radial', text, 2_lkind, 1000000_lkind, given%radial, ierr)
      case ('--accuracy')
         call value_of(i, text, ierr)
         if (ierr == 0) call read_real('--accuracy', text, 1.0e-12_rkind, one, given%accuracy, ierr)
      case ('--c')
         call value_of(i, text, ierr)
         if (ierr == 0) call read_real('--c', text, one, 1.0e5_rkind, given%c, ierr)
      case ('--nucmdl')
         call value_of(i, text, ierr)
         if (ierr == 0) call read_nuclear_model(text, given%nucmdl, ierr)
      case ('--interaction')
         call value_of(i, text, ierr)
         if (ierr == 0) call read_interaction(text, given%interaction, ierr)
      case ('--elements')
         text = ''
         if (i < command_argument_count()) then
            if (index(argument(i + 1), '-') /= 1) then
               call value_of(i, text, ierr)
               if (ierr == 0) call read_elements(text, given%elements, ierr)
            end if
         end if
         any_element = any_element .or. len(text) == 0
      case ('--shells')
         call value_of(i, text, ierr)
         if (ierr == 0 .and. .not. allocated(given%shells)) allocate (given%shells)
         if (ierr == 0) call read_shells(text, given%shells, ierr)
      case ('--balance')
         call value_of(i, text, ierr)
         given%extended = text == 'extended'
         if (ierr == 0 .and. .not. (given%extended .or. text == 'restricted')) &
            call refuse('--balance ' // quoted(text) // ' (allowed: restricted, extended)', ierr)
      case ('--levels')
         given%levels = .true.
      case ('--basis')
         call value_of(i, given%basis, ierr)
      case default
         call refuse('there is no option ' // quoted(text) // '; see --help', ierr)
      end select
   end subroutine read_option

   ! Refuses options that exclude each other.
   subroutine check_together(given, ierr)
      type(options), intent(in) :: given
      integer(ikind), intent(inout) :: ierr
      integer :: k

      call refuse_same(given%vectors, given%state, ierr)
      do k = 1, size(given%inputs)
         call refuse_same(given%vectors, given%inputs(k)%text, ierr)
         call refuse_same(given%vectors, given%inputs(k)%text // '.inp', ierr)
         call refuse_same(given%state, given%inputs(k)%text, ierr)
      end do
      if (ierr /= 0) return
      if (size(given%inputs) > 0 .eqv. size(given%elements) > 0) then
         call refuse('give either input files, name.inp, or --elements; see --help', ierr)
      else if (size(given%inputs) > 0 .and. given%nucmdl > 0) then
         call refuse('--nucmdl needs --elements; an input file has its own nucmdl', ierr)
      else if (size(given%inputs) > 0 .and. allocated(given%basis)) then
         call refuse('--basis needs --elements; an input file has its own basis', ierr)
      else if (size(given%inputs) > 0 .and. allocated(given%shells)) then
         call refuse('--shells needs --elements; an input file has its own configuration', ierr)
      else if (allocated(given%shells) .and. (given%verbose .or. allocated(given%folder))) then
         call refuse('--shells excludes --verbose and --output, whose format has no holes; see --vectors', ierr)
      else if (given%extended .and. (given%verbose .or. allocated(given%folder))) then
         call refuse('--balance extended excludes --verbose and --output, whose format has only the functions of the ' // &
                     'input', ierr)
      else if (given%extended .and. .not. given%relativistic) then
         call refuse('--balance extended excludes --nonrelativistic', ierr)
      else if (given%levels .and. given%interaction > 0) then
         call refuse('--levels excludes --interaction ' // trim(interactions(given%interaction)), ierr)
      else if (size(given%elements) > 0 .and. (given%reduce .or. allocated(given%state))) then
         call refuse('--reduce and --state need input files with jobtype = ''bsopt''', ierr)
      else if (given%interaction > 0 .and. .not. given%relativistic) then
         call refuse('--interaction ' // trim(interactions(given%interaction)) // ' excludes --nonrelativistic', ierr)
      else if ((given%moments .or. given%radial > 0) .and. .not. allocated(given%folder)) then
         call refuse('--moments and --radial need --output', ierr)
      else if (given%accuracy > zero .and. .not. given%reduce) then
         call refuse('--accuracy needs --reduce', ierr)
      else if (given%reduce .and. allocated(given%state) .and. size(given%inputs) > 1) then
         call refuse('--reduce with --state takes only one input file', ierr)
      end if
   end subroutine check_together

   subroutine read_nuclear_model(value, nucmdl, ierr)
      character(*), intent(in) :: value
      integer(ikind), intent(out) :: nucmdl
      integer(ikind), intent(inout) :: ierr

      nucmdl = index('1234', value, kind=ikind)
      if (len(value) == 1 .and. nucmdl > 0) return
      call refuse('--nucmdl ' // quoted(value) // ' (allowed: 1 point, 2 uniform sphere, 3 Gaussian, 4 Fermi)', ierr)
   end subroutine read_nuclear_model

   subroutine read_interaction(value, interaction, ierr)
      character(*), intent(in) :: value
      integer(ikind), intent(out) :: interaction
      integer(ikind), intent(inout) :: ierr

      do interaction = ubound(interactions, 1), 0, -1
         if (value == trim(interactions(interaction))) return
      end do
      interaction = 0
      call refuse('--interaction ' // quoted(value) // ' (allowed: coulomb, gaunt, breit)', ierr)
   end subroutine read_interaction

   subroutine print_help
      call print_line('usage: dfratom_batch [OPTION]... NAME.inp...')
      call print_line('       dfratom_batch [OPTION]... --elements [LIST]')
      call print_line('')
      call print_line('Computes many Dirac-Fock-Roothaan atoms in one call of Legato: the inputs of dfratom, or elements')
      call print_line('of the basis library. LIST: elements and ranges, such as Xe,Rn or He-Ne,54; by default all.')
      call print_line('Basis sets of inputs with jobtype = ''bsopt'' are optimised at the same time.')
      call print_line('')
      call print_line('  -v, --verbose         print the results of each atom as dfratom does, and then the table')
      call print_line('  -o, --output FOLDER   write the results of each atom to FOLDER/NAME.out')
      call print_line('  --moments             with -o: also write FOLDER/NAME.moments, energies and <r^k> of all spinors,')
      call print_line('                        k = -2..4')
      call print_line('  --radial N            with -o: also write FOLDER/NAME.radial, density and P, Q of all spinors at N')
      call print_line('                        radii')
      call print_line('  --vectors FILE        write exponents, coefficients, energies and occupations of all atoms to FILE')
      call print_line('                        in HDF5 format')
      call print_line('  --c VALUE             speed of light; replaces that of the inputs, or 137.03599976')
      call print_line('  --nucmdl 1|2|3|4      nuclei of --elements: points (the default), uniform spheres, Gaussians, Fermi')
      call print_line('                        distributions')
      call print_line('  --interaction NAME    coulomb (the default), gaunt or breit')
      call print_line('  --basis FILE|NAME     basis sets of --elements: a file, whose extension .json, .nw, .gbs or .dirac gives')
      call print_line('                        its format, or an installed library')
      call print_line('  --shells LIST         shells of --elements instead of the ground configuration, such as "1s1 2s2 2p6";')
      call print_line('                        2p-1 and 2p+4 have j = l - 1/2 and l + 1/2. Excludes -v and -o')
      call print_line('  --balance NAME        kinetic balance: restricted (the default) or extended. Excludes -v and -o')
      call print_line('  --levels              print the levels of the open shells, to first order')
      call print_line('  --nonrelativistic     large components only: Hartree-Fock')
      call print_line('  --state FILE          save optimisations in FILE; if FILE exists, resume them from it')
      call print_line('  --reduce              make basis sets as small as --accuracy allows. Each input needs')
      call print_line('                        jobtype = ''bsopt'', ngroup = 1, and the same nbs in all symmetries')
      call print_line('  --accuracy VALUE      largest (energy - limit) / |limit| that --reduce accepts; 5e-9 by default')
      call print_line('')
      call print_line('The exit status is 0 if all atoms and optimisations have converged, and 1 otherwise or after an error.')
   end subroutine print_help

end module batch_options
