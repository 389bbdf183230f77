! The command line of dfr_basis.
module basis_options
   use kinds
   use basis_formats
   use command_line
   use element_lists
   use legato
   use messages
   use nuclei, only: read_nucleus
   implicit none
   private
   public :: options, read_options

   real(rkind), parameter :: least_error = 1.0e-9_rkind, largest_error = 1.0e-2_rkind
   integer, parameter :: most_errors = 20

   type options
      type(wanted_element), allocatable :: elements(:)
      integer :: nucleus = LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN
      real(rkind), allocatable :: errors(:)     ! descending
      real(rkind) :: spinor_weight = 0.01_rkind
      integer(lkind) :: seed = 0                 ! of the start
      character(:), allocatable :: state        ! state file; unallocated: none
      character(:), allocatable :: output       ! beginning of the names of files; unallocated: none
      character(:), allocatable :: orbitals     ! file of the errors of spinors; unallocated: none
      integer :: format = 1                     ! position in the lists of formats; 1 is the JSON of the Basis Set Exchange
      real(rkind) :: seconds = huge(zero)       ! time after which the program stops
   end type options

   character(*), parameter :: known(*) = [character(len=16) :: '--elements=', '--nucleus=', '--errors=', '--state=', &
      '--output=', '--format=', '--orbitals=', '--minutes=', '--spinor-weight=', '--seed=']
   character(*), parameter :: help(*) = [character(len=107) :: &
      'usage: dfr_basis --elements LIST [OPTION]...', &
      '', &
      'Makes Gaussian basis sets of several sizes for relativistic atoms in the average of their ground', &
      'configurations. Each begins with a large set, loses one function at a time, and is optimised again.', &
      'For each error the smallest set is printed that is accurate enough, in comparison with the energy', &
      'and the spinors of a complete basis. LIST: elements and ranges, such as 1-118, Xe,Rn or He-Ne,54.', &
      '', &
      '  --errors LIST    largest errors, descending, in 1e-9..1e-2; 1e-5,1e-6,1e-7,5e-9 by default', &
      '  --spinor-weight W  0..1e6, by default 0.01: the error of a set is the relative error of the energy, plus', &
      '                   W times the sum of the squared norms that the set misses of all occupied spinors', &
      '  --seed N         begin with other exponents, drawn at random with seed N; 0 (the default): usual ones', &
      '  --nucleus NAME   point, sphere, gaussian (the default) or fermi', &
      '  --output NAME    write the sets for each error to a file NAME-ERROR.json', &
      '  --format FORMAT  format of the files: bse-json (the default), nwchem, gaussian94 or dirac. Their', &
      '                   extensions are .json, .nw, .gbs and .dirac', &
      '  --orbitals FILE  write the errors of all spinors of all sets to FILE', &
      '  --state FILE     save the run in FILE; if FILE exists, go on from it', &
      '  --minutes M      stop after so many minutes, with exit status 2; needs --state', &
      '', &
      'The columns of the table: element, largest error, functions of s, p, d, ..., their number, error of', &
      'the energy, collapse, and energy. Collapse: how much lower the energy is with restricted kinetic', &
      'balance. Error and collapse are fractions of the limit energy. The next five columns are the largest', &
      'errors of all spinors with restricted balance, against a large basis: of the orbital energies e, in', &
      'hartree and divided by |e|, and the relative errors of <r>, <r^2> and <1/r>. The last column is the', &
      'sum of the squared norms that the set misses. The exit status is 1 if a set is missing or a number', &
      'is unknown (NaN), or after an error. Without weight the last column is always unknown.']

contains

   ! Reads the command line. ierr = 1: an error, which has been reported; -1: only the help was asked for.
   subroutine read_options(given, ierr)
      type(options), intent(out) :: given
      integer(ikind), intent(out) :: ierr
      type(command) :: line
      real(rkind) :: minutes

      allocate (given%elements(0))
      given%errors = [1.0e-5_rkind, 1.0e-6_rkind, 1.0e-7_rkind, 5.0e-9_rkind]
      ierr = 0
      do while (line%next(known, help, ierr))
         select case (line%option)
         case ('--elements')
            call read_elements(line%value, given%elements, ierr)
         case ('--nucleus')
            call read_nucleus(line%value, given%nucleus, ierr)
         case ('--errors')
            call read_list(line%option, line%value, least_error, largest_error, most_errors, given%errors, ierr)
         case ('--spinor-weight')
            call read_real(line%option, line%value, zero, 1.0e6_rkind, given%spinor_weight, ierr)
         case ('--seed')
            call read_whole(line%option, line%value, 0_lkind, 1000000_lkind, given%seed, ierr)
         case ('--state')
            given%state = line%value
         case ('--output')
            given%output = line%value
         case ('--orbitals')
            given%orbitals = line%value
         case ('--format')
            given%format = format_named(line%value)
            if (given%format == 0) call refuse('--format ' // quoted(line%value) // &
                                               ' is not one of bse-json, nwchem, gaussian94, dirac', ierr)
         case ('--minutes')
            call read_real(line%option, line%value, zero, 1.0e7_rkind, minutes, ierr)
            if (ierr == 0) given%seconds = 60 * minutes
         end select
      end do
      if (ierr /= 0) return
      if (size(given%elements) == 0) then
         call refuse('--elements is needed; see --help', ierr)
      else if (given%seconds < huge(zero) .and. .not. allocated(given%state)) then
         call refuse('--minutes needs --state', ierr)
      else if (any(given%errors(2:) >= given%errors(:size(given%errors) - 1))) then
         call refuse('--errors: each error must be smaller than the one before it', ierr)
      end if
      call refuse_same(given%state, given%orbitals, ierr)
   end subroutine read_options

end module basis_options
