! The command line of dfratom_batch.
module batch_options
   use kinds
   use element_lists
   use messages
   use batch_shells, only: shell_list, read_shells
   use command_line
   implicit none
   private
   public :: options, read_options, interactions

   type options
      type(text_item), allocatable :: inputs(:)
      type(wanted_element), allocatable :: elements(:)
      real(rkind) :: c = zero                     ! speed of light; 0: not given
      integer(ikind) :: nucmdl = 0                ! nuclear model of elements
      integer(ikind) :: interaction = 0           ! number of LEGATO_DFR_INTERACTION_...
      logical :: relativistic = .true., verbose = .false., optimise = .false., reduce = .false.
      real(rkind) :: accuracy = zero              ! accuracy of the reduction; 0: not given
      character(:), allocatable :: folder         ! folder of output files; unallocated: none
      character(:), allocatable :: state          ! file of optimisations; unallocated: none
      character(:), allocatable :: vectors        ! file of spinors; unallocated: none
      logical :: moments = .false.                ! write the moments of the spinors
      integer(lkind) :: radial = 0                ! points at which radial functions are written; 0: none
      type(shell_list), allocatable :: shells     ! of --elements; unallocated: ground configurations
      logical :: extended = .false.               ! extended kinetic balance
      logical :: levels = .false.                 ! print the levels of the open shells
      character(:), allocatable :: basis          ! file or library of basis sets; unallocated: the default
   end type options

   character(*), parameter :: all_elements = '1-118'     ! of --elements without a list
   ! The names of the interactions in the order of their numbers.
   character(*), parameter :: interactions(0:2) = [character(len=7) :: 'coulomb', 'gaunt', 'breit']

   character(*), parameter :: balances(0:1) = [character(len=10) :: 'restricted', 'extended']

   character(*), parameter :: known(*) = [character(len=17) :: '-v|--verbose', '--nonrelativistic', '--reduce', &
      '--optimise', '-o|--output=', '--state=', '--vectors=', '--moments', '--radial=', '--accuracy=', '--c=', '--nucmdl=', &
      '--interaction=', '--elements?', '--basis=', '--shells=', '--balance=', '--levels', 'NAME.inp']
   character(*), parameter :: help(*) = [character(len=106) :: &
      'usage: dfratom_batch [OPTION]... NAME.inp...', &
      '       dfratom_batch [OPTION]... --elements [LIST]', &
      '', &
      'Computes many Dirac-Fock-Roothaan atoms in one call of Legato: the inputs of dfratom, or elements', &
      'with the sets of a basis library. LIST: elements and ranges, such as Xe,Rn or He-Ne,54; by default all.', &
      'Basis sets of inputs with jobtype = ''bsopt'' are optimised at the same time.', &
      '', &
      '  -v, --verbose         print the results of each atom as dfratom does, and then the table', &
      '  -o, --output FOLDER   write the results of each atom to FOLDER/NAME.out', &
      '  --moments             with -o: also write FOLDER/NAME.moments, energies and <r^k> of all spinors,', &
      '                        k = -2..4', &
      '  --radial N            with -o: also write FOLDER/NAME.radial, density and P, Q of all spinors at N', &
      '                        radii', &
      '  --vectors FILE        write exponents, coefficients, energies and occupations of all atoms to FILE', &
      '                        in HDF5 format', &
      '  --c VALUE             speed of light; replaces that of the inputs, or 137.03599976', &
      '  --nucmdl 1|2|3|4      nuclei of --elements: points, uniform spheres, Gaussians, Fermi distributions. The', &
      '                        default is 3 with the sets legato-..., which were made for it, and 1 with others', &
      '  --interaction NAME    coulomb (the default), gaunt or breit', &
      '  --basis FILE|NAME     basis sets of --elements: a file, whose extension .json, .nw, .gbs or .dirac gives', &
      '                        its format, or an installed library: legato-1e-5, legato-1e-6, legato-1e-7,', &
      '                        legato-5e-9 (the default) or hennessey', &
      '  --shells LIST         shells of --elements instead of the ground configuration, such as "1s1 2s2 2p6";', &
      '                        2p-1 and 2p+4 have j = l - 1/2 and l + 1/2. Excludes -v and -o', &
      '  --balance NAME        kinetic balance: restricted (the default) or extended. Excludes -v and -o', &
      '  --levels              print the levels of the open shells, to first order', &
      '  --nonrelativistic     large components only: Hartree-Fock', &
      '  --state FILE          save optimisations in FILE; if FILE exists, resume them from it', &
      '  --optimise            optimise the well-tempered basis sets of --elements', &
      '  --reduce              make basis sets as small as --accuracy allows. Each input needs', &
      '                        jobtype = ''bsopt'', ngroup = 1, and the same nbs in all symmetries. The sets of', &
      '                        --elements are well-tempered', &
      '  --accuracy VALUE      largest (energy - limit) / |limit| that --reduce accepts; 5e-9 by default', &
      '', &
      'The exit status is 0 if all atoms and optimisations have converged, and 1 otherwise or after an error.']

contains

   ! Reads the command line. ierr = 1: an error, which has been reported; -1: only the help was asked for.
   subroutine read_options(given, ierr)
      type(options), intent(out) :: given
      integer(ikind), intent(out) :: ierr
      type(command) :: line
      logical :: any_element

      allocate (given%inputs(0), given%elements(0))
      ierr = 0
      any_element = .false.
      do while (line%next(known, help, ierr))
         call take(line, given, any_element, ierr)
      end do
      if (ierr == 0 .and. any_element) call read_elements(all_elements, given%elements, ierr)
      if (ierr == 0) call check_together(given, ierr)
      if (size(given%elements) > 0 .and. given%nucmdl == 0) given%nucmdl = usual_nucleus(given%basis)
   end subroutine read_options

   ! any_element becomes true if there is no list of elements.
   subroutine take(line, given, any_element, ierr)
      type(command), intent(in) :: line
      type(options), intent(inout) :: given
      logical, intent(inout) :: any_element
      integer(ikind), intent(inout) :: ierr
      integer(ikind) :: balance

      select case (line%option)
      case ('')
         call append(given%inputs, line%value)
      case ('--verbose')
         given%verbose = .true.
      case ('--nonrelativistic')
         given%relativistic = .false.
      case ('--optimise')
         given%optimise = .true.
      case ('--reduce')
         given%reduce = .true.
      case ('--output')
         given%folder = line%value
      case ('--state')
         given%state = line%value
      case ('--vectors')
         given%vectors = line%value
      case ('--moments')
         given%moments = .true.
      case ('--radial')
         call read_whole(line%option, line%value, 2_lkind, 1000000_lkind, given%radial, ierr)
      case ('--accuracy')
         call read_real(line%option, line%value, 1.0e-12_rkind, one, given%accuracy, ierr)
      case ('--c')
         call read_real(line%option, line%value, one, 1.0e5_rkind, given%c, ierr)
      case ('--nucmdl')
         call read_nuclear_model(line%value, given%nucmdl, ierr)
      case ('--interaction')
         call read_name(line%option, line%value, interactions, given%interaction, ierr)
      case ('--elements')
         any_element = len(line%value) == 0
         if (.not. any_element) call read_elements(line%value, given%elements, ierr)
      case ('--shells')
         allocate (given%shells)
         call read_shells(line%value, given%shells, ierr)
      case ('--balance')
         call read_name(line%option, line%value, balances, balance, ierr)
         given%extended = balance == 1
      case ('--levels')
         given%levels = .true.
      case ('--basis')
         given%basis = line%value
      end select
   end subroutine take

   ! Returns the nuclear model for which the sets of a library were made; points for other sets.
   integer(ikind) function usual_nucleus(basis)
      character(:), allocatable, intent(in) :: basis
      integer(ikind), parameter :: point = 1, gaussian = 3

      usual_nucleus = gaussian
      if (allocated(basis)) usual_nucleus = merge(gaussian, point, index(basis, 'legato-') == 1)
   end function usual_nucleus

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
      else if (size(given%inputs) > 0 .and. given%optimise) then
         call refuse('--optimise needs --elements; an input file has jobtype = ''bsopt''', ierr)
      else if (given%optimise .and. given%reduce) then
         call refuse('--optimise excludes --reduce, which optimises, too', ierr)
      else if (size(given%elements) > 0 .and. allocated(given%state) .and. .not. (given%optimise .or. given%reduce)) then
         call refuse('--state needs --optimise, --reduce, or input files with jobtype = ''bsopt''', ierr)
      else if (size(given%inputs) > 0 .and. allocated(given%shells)) then
         call refuse('--shells needs --elements; an input file has its own configuration', ierr)
      else if (allocated(given%shells) .and. (given%verbose .or. allocated(given%folder))) then
         call refuse('--shells excludes --verbose and --output, whose format has no holes; see --vectors', ierr)
      else if (given%extended .and. (given%verbose .or. allocated(given%folder))) then
         call refuse('--balance extended excludes --verbose and --output, whose format has only the functions of the ' // &
                     'input', ierr)
      else if (given%extended .and. .not. given%relativistic) then
         call refuse('--balance extended excludes --nonrelativistic', ierr)
      else if ((allocated(given%shells) .or. given%levels) .and. (given%optimise .or. given%reduce)) then
         call refuse('--shells and --levels exclude --optimise and --reduce', ierr)
      else if (given%levels .and. given%interaction > 0) then
         call refuse('--levels excludes --interaction ' // trim(interactions(given%interaction)), ierr)
      else if (given%interaction > 0 .and. .not. given%relativistic) then
         call refuse('--interaction ' // trim(interactions(given%interaction)) // ' excludes --nonrelativistic', ierr)
      else if ((given%moments .or. given%radial > 0) .and. .not. allocated(given%folder)) then
         call refuse('--moments and --radial need --output', ierr)
      else if (given%accuracy > zero .and. .not. given%reduce) then
         call refuse('--accuracy needs --reduce', ierr)
      else if (given%reduce .and. allocated(given%state) .and. size(given%inputs) + size(given%elements) > 1) then
         call refuse('--reduce with --state takes only one input file or element', ierr)
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

end module batch_options
