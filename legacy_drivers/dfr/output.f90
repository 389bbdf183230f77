! Printed output: the options, the basis, the iterations and the results.
module output
   use kinds
   use limits, only: maxsym
   use messages, only: print_line, integer_text, real_text
   implicit none
   private
   public :: write_title, write_options, write_basis, write_iteration_head, write_iteration, write_results
   public :: write_parameters, write_ranges, write_times, symmetry_name, highest_occupied, lowest_occupied

   character(*), parameter :: symbols = 'spdfgh'

contains

   ! Returns the name of a symmetry, such as 'd3/2'.
   function symmetry_name(l) result(name)
      integer(ikind), intent(in) :: l
      character(:), allocatable :: name

      name = symbols(l/2 + 1:l/2 + 1) // integer_text(2 * ((l - 1) / 2) + 1) // '/2'
   end function symmetry_name

   subroutine line_integer(name, value)
      character(*), intent(in) :: name
      integer(ikind), intent(in) :: value
      character(len=120) :: line

      write (line, '(3x,a,t18,a,i0)') name, '= ', value
      call print_line(line)
   end subroutine line_integer

   subroutine line_integers(name, values)
      character(*), intent(in) :: name
      integer(ikind), intent(in) :: values(:)
      character(len=120) :: line

      write (line, '(3x,a,t18,a,*(i0,:,", "))') name, '= ', values
      call print_line(line)
   end subroutine line_integers

   subroutine line_real(name, value)
      character(*), intent(in) :: name
      real(rkind), intent(in) :: value

      call line_text(name, real_text(value))
   end subroutine line_real

   subroutine line_text(name, value)
      character(*), intent(in) :: name, value
      character(len=120) :: line

      write (line, '(3x,a,t18,2a)') name, '= ', value
      call print_line(line)
   end subroutine line_text

   subroutine write_title
      use ctlpar, only: title

      call print_line(' DFRATOM: Dirac-Fock-Roothaan calculation of an atom')
      call print_line(' ' // title)
      call print_line('')
   end subroutine write_title

   subroutine write_options
      use ctlpar
      use baspar
      use elconf
      use scfpar
      use elements, only: element_name
      character(len=400) :: line
      integer(ikind) :: k
      integer(lkind) :: pairs

      call write_title
      call print_line(' $contrl')
      call line_text('jobtype', trim(jobtype))
      call line_real('c', c)
      if (.not. lrel) call line_text('relativistic', '.false.')
      call print_line(' $nuc')
      call line_real('znuc', znuc)
      if (abs(znuc - nint(znuc)) < 1.0e-6_rkind) call line_text('element', element_name(nint(znuc, ikind)))
      call line_integer('nucmdl', nucmdl)
      if (nucmdl == 2) call line_real('rnuc', rnuc)
      if (nucmdl == 3) call line_real('alpha', alpha)
      call print_line(' $bas')
      call line_integer('nsym', nsym)
      call line_text('bastype', trim(bastype))
      if (bastype == 'wtbs') then
         call line_integer('ngroup', ngroup)
         call print_line(' $wtbs')
         call write_parameters
         call write_ranges
      else
         call line_integers('functions', nbs(:nsym))
      end if
      if (jobtype == 'bsopt') then
         call print_line(' $newuoa')
         call line_real('rhobeg', rhobeg)
         call line_real('rhoend', rhoend)
         call line_integer('iprint', iprint)
         call line_integer('maxfun', maxfun)
      end if
      call print_line(' $econfig')
      call line_integers('nclose', nclose(:nsym))
      call line_integers('nopen', nopen(:nsym))
      call line_integer('freeel', freeel)
      call line_text('autogen', merge('.true. ', '.false.', autogen))
      call line_integer('nconf', nconf)
      do k = 1, min(nconf, 100)
         write (line, '(6x,*(f6.1))') pack(occup(:nsym, k), nopen(:nsym) == 1)
         call print_line(line)
      end do
      if (nconf > 100) call print_line('      ... (the first 100)')
      call print_line(' $scf')
      call line_integer('maxitr', maxitr)
      call line_integer('ixtrp', ixtrp)
      if (ixtrp == 0) call line_real('dfctr', dfctr)
      call line_real('thdll', thdll)
      call line_real('thdsl', thdsl)
      call line_real('thdss', thdss)
      pairs = lpair(nsym + 1)
      call print_line('')
      call print_line(' Pairs of functions: ' // integer_text(pairs) // ', pairs of pairs: ' // &
         integer_text(pairs * (pairs + 1) / 2))
   end subroutine write_options

   ! Prints the parameters of the well-tempered basis, one line for each group.
   subroutine write_parameters
      use baspar
      character(len=120) :: line
      integer(ikind) :: igroup

      do igroup = 1, ngroup
         write (line, '(3x,a,t18,a,4es24.15)') 'wtbspara', '=', wtbspara(4*igroup - 3:4*igroup)
         call print_line(line)
      end do
   end subroutine write_parameters

   subroutine write_ranges
      use baspar

      call line_integers('nbs', nbs(:nsym))
      call line_integers('start', start(:nsym))
      call line_integers('groups', groups(:nsym))
   end subroutine write_ranges

   subroutine write_basis
      use baspar
      character(len=120) :: line
      integer(ikind) :: l, p

      call print_line('')
      call print_line(' Exponents')
      do l = 1, nsym
         write (line, '(3x,a,3x,i0,a)') symmetry_name(l), nbs(l), ' functions'
         call print_line(line)
         do p = 1, nbs(l), 4
            write (line, '(3x,4es24.15)') zeta(p:min(p + 3, nbs(l)), l)
            call print_line(line)
         end do
      end do
   end subroutine write_basis

   subroutine write_iteration_head
      call print_line('')
      call print_line(' Iteration              Energy   Change of the density: LL          SL          SS')
   end subroutine write_iteration_head

   subroutine write_iteration(iteration, energy, dll, dsl, dss)
      integer(ikind), intent(in) :: iteration
      real(rkind), intent(in) :: energy, dll, dsl, dss
      character(len=120) :: line

      write (line, '(i10,f20.9,14x,3es12.3)') iteration, energy, dll, dsl, dss
      call print_line(line)
   end subroutine write_iteration

   subroutine write_results
      use ctlpar, only: lrel
      use result
      character(:), allocatable :: kinetic
      character(len=120) :: line

      call print_line('')
      if (lconv .and. state == collapsed) then
         call print_line(' COLLAPSED, below the limit energy, after ' // integer_text(niter) // ' iterations: last values')
      else if (lconv .and. state == unbound) then
         call print_line(' NOT BOUND, by the basis alone, after ' // integer_text(niter) // ' iterations: last values')
      else if (lconv .and. state == dived) then
         call print_line(' IN THE CONTINUUM of negative energies after ' // integer_text(niter) // ' iterations: last values')
      else if (lconv .and. state == not_compared) then
         call print_line(' NOT COMPARED with the limit energy, after ' // integer_text(niter) // ' iterations: last values')
      else if (lconv) then
         call print_line(' Converged after ' // integer_text(niter) // ' iterations')
      else
         call print_line(' NOT CONVERGED after ' // integer_text(niter) // ' iterations: last values')
      end if
      call print_line('')
      kinetic = trim(merge('<c alpha.p>', '<p^2/2>    ', lrel))
      call energy_line('Total energy', etot)
      if (lrel) call energy_line('Kinetic energy, <c alpha.p + (beta - 1) c^2>', etot - enuc - erep)
      call energy_line('Potential energy', enuc + erep)
      call energy_line('   attraction of the nucleus', enuc)
      call energy_line('   repulsion of the electrons', erep)
      call energy_line(kinetic, ecap)
      write (line, '(1x,a,t48,f20.12)') 'Virial ratio, -potential energy / ' // kinetic, -(enuc + erep) / ecap
      call print_line(line)
      call write_orbitals

   contains

      subroutine energy_line(name, energy)
         character(*), intent(in) :: name
         real(rkind), intent(in) :: energy

         write (line, '(1x,a,t48,f20.9)') name, energy
         call print_line(line)
      end subroutine energy_line

   end subroutine write_results

   subroutine write_orbitals
      use baspar
      use elconf
      use result
      character(len=120) :: line
      integer(ikind) :: l, i
      real(rkind) :: electrons
      logical :: open_shell

      call print_line('')
      call print_line(' Spinor          Electrons      Orbital energy')
      do l = 1, nsym
         do i = 1, nclose(l) + nopen(l)
            open_shell = i > nclose(l)
            electrons = ndeg(l)
            if (open_shell) electrons = qopen(l)
            write (line, '(3x,a,t14,f14.6,f20.9,a)') integer_text(i + lqn(l)) // symmetry_name(l), electrons, &
               eig(nposit(l) + i - 1, l), trim(merge('   open', '       ', open_shell))
            call print_line(line)
         end do
      end do
      do l = 1, nsym
         if (nroot(l) < 2 * nbs(l)) call print_line(' ' // symmetry_name(l) // ': ' // &
            integer_text(2 * nbs(l) - nroot(l)) // ' combinations of functions left out as linearly dependent')
      end do
   end subroutine write_orbitals

   function lowest_occupied() result(energy)
      use baspar, only: nsym
      use elconf, only: nclose, nopen
      use result, only: eig, nposit
      real(rkind) :: energy
      integer(ikind) :: l

      energy = huge(energy)
      do l = 1, nsym
         if (nclose(l) + nopen(l) > 0) energy = min(energy, eig(nposit(l), l))
      end do
   end function lowest_occupied

   ! Returns the highest energy of an occupied spinor.
   function highest_occupied() result(energy)
      use baspar, only: nsym
      use elconf, only: nclose, nopen
      use result, only: eig, nposit
      real(rkind) :: energy
      integer(ikind) :: l

      energy = -huge(energy)
      do l = 1, nsym
         if (nclose(l) + nopen(l) > 0) energy = max(energy, maxval(eig(nposit(l):nposit(l) + nclose(l) + nopen(l) - 1, l)))
      end do
   end function highest_occupied

   ! Prints the wall-clock times of the routines.
   subroutine write_times(names, seconds)
      character(*), intent(in) :: names(:)
      real(rkind), intent(in) :: seconds(:)
      character(len=120) :: line
      integer(ikind) :: i

      call print_line('')
      do i = 1, size(names, kind=ikind)
         write (line, '(1x,a,t18,f12.4,a)') names(i), seconds(i), ' s'
         call print_line(line)
      end do
   end subroutine write_times

end module output
