! The command line of dfr_limits.
module limit_options
   use kinds
   use command_line
   use element_lists
   use legato
   use nuclei
   implicit none
   private
   public :: options, read_options

   type options
      type(wanted_element), allocatable :: elements(:)
      real(rkind), allocatable :: charges(:)     ! whole numbers
      integer :: nucleus = LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN
      real(rkind) :: c = zero                    ! speed of light; 0: not given
      logical :: relativistic = .true.
      character(:), allocatable :: orbitals      ! file of the spinors; unallocated: none
   end type options

   character(*), parameter :: known(*) = [character(len=17) :: '--nonrelativistic', '--elements=', '--charges=', &
      '--nucleus=', '--c=', '--orbitals=']
   character(*), parameter :: help(*) = [character(len=106) :: &
      'usage: dfr_limits --elements LIST [OPTION]...', &
      '', &
      'Computes limit energies, those of a complete basis, and estimates of their errors. They are extrapolated', &
      'from large bases whose energies are accurate to about 1e-9, 1e-10, 1e-11 and 1e-12 (relative).', &
      'LIST: elements and ranges, such as 1-118, Xe,Rn or He-Ne,54.', &
      '', &
      '  --charges LIST     charges of the ions, such as 0,1 or -1:4; 0 by default. Electrons are taken from the', &
      '                     ground configuration of the atom: first those with the largest n, and among these', &
      '                     those with the largest l. The electron of an anion is added to the subshell of which', &
      '                     the next element has more electrons. Ions without electrons are left out', &
      '  --nucleus NAME     point, sphere, gaussian (the default) or fermi', &
      '  --c VALUE          speed of light in atomic units, 137.03599976 by default', &
      '  --nonrelativistic  large components only: Hartree-Fock', &
      '  --orbitals FILE    write the limits of the energies and of <r^k>, k = -2..4, of all spinors to FILE,', &
      '                     with their errors', &
      '', &
      'The columns of the table: element, charge, limit energy and its error in hartree, functions of the largest', &
      'basis. The exit status is 1 if a limit is unknown (NaN), or after an error.']

contains

   ! Reads the command line. ierr = 1: an error, which has been reported; -1: only the help was asked for.
   subroutine read_options(given, ierr)
      type(options), intent(out) :: given
      integer(ikind), intent(out) :: ierr
      type(command) :: line

      allocate (given%elements(0))
      given%charges = [zero]
      ierr = 0
      do while (line%next(known, help, ierr))
         select case (line%option)
         case ('--nonrelativistic')
            given%relativistic = .false.
         case ('--elements')
            call read_elements(line%value, given%elements, ierr)
         case ('--charges')
            call read_list(line%option, line%value, -one, 117.0_rkind, 119, given%charges, ierr)
         case ('--nucleus')
            call read_nucleus(line%value, given%nucleus, ierr)
         case ('--c')
            call read_real(line%option, line%value, one, 1.0e5_rkind, given%c, ierr)
         case ('--orbitals')
            given%orbitals = line%value
         end select
      end do
      if (ierr /= 0) return
      if (size(given%elements) == 0) then
         call refuse('--elements is needed; see --help', ierr)
      else if (any(abs(given%charges - anint(given%charges)) > zero)) then
         call refuse('--charges: charges are whole numbers', ierr)
      else if (all(given%charges >= maxval(given%elements%z))) then
         call refuse('--charges: none of these ions has an electron', ierr)
      end if
   end subroutine read_options

end module limit_options
