! The command line of kpm_spectra.
module spectra_options
   use kinds
   use command_line
   use legato, only: LEGATO_BACKEND_AUTO, LEGATO_BACKEND_CPU, LEGATO_BACKEND_CUDA
   use messages
   use spectra_fields, only: set_constant
   implicit none
   private
   public :: options, read_options

   type options
      character(:), allocatable :: input      ! path of the input file
      character(:), allocatable :: output     ! beginning of the names of tables
      character(:), allocatable :: state      ! beginning of the names of state files; unallocated: none
      real(rkind) :: seconds = huge(zero)     ! time after which the program stops
      integer :: backend = -1                 ! -1: that of the environment
      logical :: check = .false.              ! only read the input
   end type options

   character(len=4), parameter :: backends(0:2) = ['auto', 'cpu ', 'cuda']
   integer, parameter :: backend_values(0:2) = [LEGATO_BACKEND_AUTO, LEGATO_BACKEND_CPU, LEGATO_BACKEND_CUDA]
   character(*), parameter :: known(*) = [character(len=12) :: '-o|--output=', '--state=', '--minutes=', '--backend=', &
      '--set=', '--check', 'NAME.inp']
   character(*), parameter :: help(*) = [character(len=110) :: &
      'usage: kpm_spectra [OPTION]... NAME.inp', &
      '', &
      'Computes densities of states, numbers of electrons, local densities of states, spectral functions,', &
      'conductivities and the evolution of wave packets, of a crystal or a sparse matrix, with the kernel polynomial', &
      'method. NAME.inp describes the Hamiltonian and the tasks, for example:', &
      '', &
      '  [crystal]                            ! graphene', &
      '  vector = 1 0                         ! Cartesian lattice vectors', &
      '  vector = 1/2 sqrt(3)/2', &
      '  orbital = A 0 0                      ! name, position in units of the vectors, energy', &
      '  orbital = B 1/3 1/3', &
      '  hopping = A B  0  0  -1              ! from, to, cells between them, amplitude;', &
      '  hopping = A B -1  0  -1              ! the program adds the Hermitian conjugates', &
      '  hopping = A B  0 -1  -1', &
      '  cells = 128 128', &
      '  disorder = box 1                     ! random site energies in [-1/2, 1/2]', &
      '  [method]', &
      '  moments = 512', &
      '  realisations = 4', &
      '  [dos]', &
      '  energies = -4:4:0.01', &
      '  [ldos]', &
      '  site = A 0 0', &
      '  [conductivity]', &
      '  moments = 128', &
      '  potentials = -4:4:0.1', &
      '', &
      'Each task writes a table NAME-TASK.dat, with errors, and a script NAME-TASK.gp, with which gnuplot plots', &
      'the table. The README of the program describes all fields; ready-made inputs are in share/legato/lattices.', &
      '', &
      '  -o, --output NAME     beginning of the names of the tables; by default that of the input file', &
      '  --set NAME=VALUE,...  values of constants, instead of those in the section [constants]', &
      '  --check               only read the input and tell what it describes', &
      '  --state NAME          save the run of each task in NAME-TASK.h5; go on from these files if they exist', &
      '  --minutes T           stop after about T minutes; the same command goes on later. Needs --state', &
      '  --backend NAME        auto, cpu or cuda; by default that of LEGATO_BACKEND, otherwise auto', &
      '', &
      'The exit status is 0 if all tasks are complete, 2 if the time was over before, and 1 after an error.']

contains

   ! Reads the command line. ierr = 1: an error, which has been reported; -1: only the help was asked for.
   subroutine read_options(given, ierr)
      type(options), intent(out) :: given
      integer(ikind), intent(out) :: ierr
      type(command) :: line

      ierr = 0
      do while (line%next(known, help, ierr))
         call take(line%option, line%value, given, ierr)
      end do
      if (ierr /= 0) return
      if (.not. allocated(given%input)) then
         call refuse('the input file NAME.inp is missing; see --help', ierr)
      else if (given%seconds < huge(zero) .and. .not. allocated(given%state)) then
         call refuse('--minutes needs --state, which keeps what has been computed', ierr)
      else if (.not. allocated(given%output)) then
         given%output = base_of(given%input)
      end if
   end subroutine read_options

   ! Returns the name of the input file without folders and extension. The tables go to the current folder.
   function base_of(input) result(base)
      character(*), intent(in) :: input
      character(:), allocatable :: base

      base = input(index(input, '/', back=.true.) + 1:)
      if (index(base, '.', back=.true.) > 1) base = base(:index(base, '.', back=.true.) - 1)
   end function base_of

   subroutine take(option, value, given, ierr)
      character(*), intent(in) :: option, value
      type(options), intent(inout) :: given
      integer(ikind), intent(inout) :: ierr
      integer(ikind) :: number
      real(rkind) :: minutes

      select case (option)
      case ('')
         if (allocated(given%input)) call refuse('there are two input files, ' // quoted(given%input) // ' and ' // &
                                                 quoted(value), ierr)
         given%input = value
      case ('--output')
         given%output = value
         if (scan(value, '"\`' // achar(10)) > 0) &
            call refuse('--output ' // quoted(value) // ' has a character that gnuplot would not take as it is', ierr)
      case ('--state')
         given%state = value
      case ('--minutes')
         call read_real(option, value, zero, 1.0e7_rkind, minutes, ierr)
         if (ierr == 0) given%seconds = 60 * minutes
      case ('--backend')
         number = 0
         call read_name(option, value, backends, number, ierr)
         given%backend = backend_values(number)
      case ('--set')
         call take_constants(value, ierr)
      case ('--check')
         given%check = .true.
      end select
   end subroutine take

   subroutine take_constants(value, ierr)
      character(*), intent(in) :: value
      integer(ikind), intent(inout) :: ierr
      character(:), allocatable :: reason
      integer :: from, past

      from = 1
      do while (from <= len(value) + 1)
         past = from - 1 + index(value(from:) // ',', ',')
         call set_constant(value(from:past - 1), reason)
         if (allocated(reason)) call refuse('--set ' // quoted(value(from:past - 1)) // ': ' // reason, ierr)
         from = past + 1
      end do
   end subroutine take_constants

end module spectra_options
