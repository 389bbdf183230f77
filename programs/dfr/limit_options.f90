! The command line of dfr_limits.
module limit_options
   use kinds
   use command_line
   use element_lists
   use legato
   use messages
   use nuclei
   use run_control, only: argument
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

contains

   ! Reads the command line. ierr = 1: an error, which has been reported; -1: only the help was asked for.
   subroutine read_options(given, ierr)
      type(options), intent(out) :: given
      integer(ikind), intent(out) :: ierr
      integer :: i

      allocate (given%elements(0))
      given%charges = [zero]
      ierr = 0
      i = 0
      do while (i < command_argument_count() .and. ierr == 0)
         i = i + 1
         call read_option(i, given, ierr)
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

   ! Reads the option at argument i, and its value at the next one, to which i advances.
   subroutine read_option(i, given, ierr)
      integer, intent(inout) :: i
      type(options), intent(inout) :: given
      integer(ikind), intent(inout) :: ierr
      character(:), allocatable :: option, value

      option = argument(i)
      select case (option)
      case ('-h', '--help')
         call print_help
         ierr = -1
         return
      case ('--nonrelativistic')
         given%relativistic = .false.
         return
      case ('--elements', '--charges', '--nucleus', '--c', '--orbitals')
         call value_of(i, value, ierr)
      case default
         call refuse('there is no option ' // quoted(option) // '; see --help', ierr)
      end select
      if (ierr /= 0) return
      select case (option)
      case ('--elements')
         call read_elements(value, given%elements, ierr)
      case ('--charges')
         call read_list(option, value, -one, 117.0_rkind, 119, given%charges, ierr)
      case ('--nucleus')
         call read_nucleus(value, given%nucleus, ierr)
      case ('--c')
         call read_real(option, value, one, 1.0e5_rkind, given%c, ierr)
      case ('--orbitals')
         given%orbitals = value
      end select
   end subroutine read_option

   subroutine print_help
      call print_line('usage: dfr_limits --elements LIST [OPTION]...')
      call print_line('')
      call print_line('Computes limit energies, those of a complete basis, and estimates of their errors. They are extrapolated')
      call print_line('from large bases whose energies are accurate to about 1e-9, 1e-10, 1e-11 and 1e-12 (relative).')
      call print_line('LIST: elements and ranges, such as 1-118, Xe,Rn or He-Ne,54.')
      call print_line('')
      call print_line('  --charges LIST     charges of the ions, such as 0,1 or -1:4; 0 by default. Electrons are taken from the')
      call print_line('                     ground configuration of the atom: first those with the largest n, and among these')
      call print_line('                     those with the largest l. The electron of an anion is added to the subshell of which')
      call print_line('                     the next element has more electrons. Ions without electrons are left out')
      call print_line('  --nucleus NAME     point, sphere, gaussian (the default) or fermi')
      call print_line('  --c VALUE          speed of light in atomic units, 137.03599976 by default')
      call print_line('  --nonrelativistic  large components only: Hartree-Fock')
      call print_line('  --orbitals FILE    write the limits of the energies and of <r^k>, k = -2..4, of all spinors to FILE,')
      call print_line('                     with their errors')
      call print_line('')
      call print_line('The columns of the table: element, charge, limit energy and its error in hartree, functions of the largest')
      call print_line('basis. The exit status is 1 if a limit is unknown (NaN), or after an error.')
   end subroutine print_help

end module limit_options
