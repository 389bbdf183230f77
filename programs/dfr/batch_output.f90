! Output of dfratom_batch: that of dfratom for each atom, and the table.
module batch_output
   use, intrinsic :: iso_c_binding, only: c_double
   use kinds
   use ctlpar
   use baspar
   use elconf
   use result
   use messages
   use output
   use batch_jobs
   use command_line, only: refuse_same
   use batch_basis, only: exponents_of_element, name_of_basis
   use batch_energies, only: lists, speeds
   use batch_optimisation, only: write_energies
   use batch_options, only: options, interactions
   use batch_results
   use part_files
   use legato
   implicit none
   private
   public :: try_files, write_all, write_table, output_name

   interface
      subroutine calc_parameters
      end subroutine calc_parameters
   end interface

contains

   pure function output_name(given, name) result(file)
      type(options), intent(in) :: given
      character(*), intent(in) :: name
      character(:), allocatable :: file

      file = given%folder // '/' // name(index(name, '/', back=.true.) + 1:) // '.out'
   end function output_name

   ! Returns the names of the files of an atom: output, moments and radial functions. Files that are not wanted have blank
   ! names.
   pure function file_names(given, name) result(files)
      type(options), intent(in) :: given
      character(*), intent(in) :: name
      character(:), allocatable :: file, files(:)

      file = output_name(given, name)
      allocate (character(len(file) + 4) :: files(3))
      files = ''
      files(1) = file
      if (given%moments) files(2) = file(:len(file) - 3) // 'moments'
      if (given%radial > 0) files(3) = file(:len(file) - 3) // 'radial'
   end function file_names

   ! Checks before the calculation whether the files can be written. ierr = 1: one cannot, which has been reported.
   subroutine try_files(given, jobs, ierr)
      type(options), intent(in) :: given
      type(job), intent(in) :: jobs(:)
      integer(ikind), intent(out) :: ierr
      integer :: i, k

      ierr = 0
      if (allocated(given%vectors)) then
         call open_files([given%vectors], ierr)
         call leave_files
         if (ierr /= 0) return
      end if
      if (.not. allocated(given%folder)) return
      do k = 1, size(jobs)
         if (.not. to_do(jobs(k))) cycle
         associate (names => file_names(given, jobs(k)%name))
            do i = 1, size(names)
               call refuse_same(given%vectors, names(i), ierr)
               call refuse_same(given%state, names(i), ierr)
            end do
            if (ierr /= 0) return
         end associate
         call open_files(file_names(given, jobs(k)%name), ierr)
         call leave_files
         if (ierr /= 0) return
      end do
   end subroutine try_files

   ! Prints all atoms and writes their files. ierr = 1: a file is not complete, which has been reported.
   subroutine write_all(given, jobs, ierr)
      type(options), intent(in) :: given
      type(job), intent(in) :: jobs(:)
      integer(ikind), intent(out) :: ierr
      integer :: k

      ierr = 0
      do k = 1, size(jobs)
         if (given%verbose .and. to_do(jobs(k))) then
            call write_atom(given, jobs(k))
            call print_line('')
         end if
         if (allocated(given%folder)) call write_file(given, jobs(k), ierr)
      end do
   end subroutine write_all

   ! Writes the files of an atom. If the atom has no result, the files of an earlier run stay.
   subroutine write_file(given, atom, ierr)
      type(options), intent(in) :: given
      type(job), intent(in) :: atom
      integer(ikind), intent(inout) :: ierr
      character(:), allocatable :: file
      integer(ikind) :: failure
      logical :: there

      file = output_name(given, atom%name)
      if (.not. has_result(atom)) then
         inquire (file=file, exist=there)
         if (there) call complain(atom%name // ': there is no result; ' // file // ' still has that of an earlier run')
         return
      end if
      call open_files(file_names(given, atom%name), failure)
      if (failure == 0) then
         call print_to_part(1)
         call write_atom(given, atom)
         call end_part(1)
         if (given%moments) call write_moments(2, atom)
         if (given%radial > 0) call write_radial(3, int(given%radial), given%relativistic, atom)
         call close_files(failure)
      end if
      call leave_files
      ierr = max(ierr, failure)
   end subroutine write_file

   subroutine write_atom(given, atom)
      type(options), intent(in) :: given
      type(job), intent(in) :: atom

      if (in_library_basis(atom)) then
         call take_element(given, atom)
         call write_title
      else if (atom%optimised) then
         call take_start(atom)
         if (atom%z > 0) then
            title = title_of(given, atom)
            call write_title
            call print_line(' Parameters at the start')
            call write_parameters
            call write_ranges
         else
            call write_options
         end if
         call write_basis
         call print_line('')
         if (atom%optimiser > 0) then
            call write_energies(atom)
            call print_line('')
         end if
         call take_input(atom)
         call print_line(' Optimised parameters')
         call write_parameters
         if (atom%optimiser == 0) call write_ranges
      else
         call take_input(atom)
         call write_options
      end if
      call write_basis
      if (has_result(atom)) then
         if (atom%z > 0) call take_electrons(atom)
         call take_result(atom)
         call write_results
      else
         call print_line('')
         call print_line(' FAILED: no result')
      end if
   end subroutine write_atom

   function title_of(given, atom) result(words)
      type(options), intent(in) :: given
      type(job), intent(in) :: atom
      character(:), allocatable :: words
      character(*), parameter :: nuclei(4) = [character(len=14) :: 'point', 'uniform sphere', 'Gaussian', 'Fermi']

      words = atom%name // ', element ' // integer_text(atom%z) // ', basis ' // name_of_basis // '; nucleus: ' // &
         trim(nuclei(max(given%nucmdl, 1_ikind)))
      if (given%relativistic) then
         words = words // '; c = ' // real_text(speeds(atom%list))
         if (given%interaction > 0) words = words // '; interaction: ' // trim(interactions(given%interaction))
      else
         words = words // '; non-relativistic'
      end if
   end function title_of

   ! Fills the modules as an input of this element would do, as far as the printed results need them.
   subroutine take_element(given, atom)
      type(options), intent(in) :: given
      type(job), intent(in) :: atom
      type(library_status) :: outcome
      integer, allocatable :: functions(:)
      real(c_double), allocatable :: exponents(:)
      integer(ikind) :: l
      integer :: species, from

      title = title_of(given, atom)
      call lists(atom%list)%atom_size(atom%index, species)
      nsym = species
      ngroup = 1
      call exponents_of_element(atom%z, species, functions, exponents, outcome)
      call stop_on_library(outcome)
      nbs = 0
      nbs(:nsym) = functions
      from = 0
      do l = 1, nsym
         zeta(:nbs(l), l) = exponents(from + 1:from + nbs(l))
         from = from + nbs(l)
      end do
      nclose = 0
      nopen = 0
      nconf = 0
      call calc_parameters
   end subroutine take_element

   ! Fills the modules with the electrons of an element's shells.
   subroutine take_electrons(atom)
      type(job), intent(in) :: atom
      real(c_double), allocatable :: electrons(:)
      integer :: states
      integer(ikind) :: l

      do l = 1, nsym
         call lists(atom%list)%spinors(atom%index, int(l), states=states)
         if (allocated(electrons)) deallocate (electrons)
         allocate (electrons(states))
         call lists(atom%list)%spinors(atom%index, int(l), occupations=electrons)
         nclose(l) = count(electrons >= ndeg(l) - 1.0e-9_rkind, kind=ikind)
         nopen(l) = count(electrons > zero, kind=ikind) - nclose(l)
         if (nopen(l) > 0) qopen(l) = electrons(nclose(l) + 1)
      end do
   end subroutine take_electrons

   subroutine take_result(atom)
      type(job), intent(in) :: atom
      integer(ikind) :: l
      integer :: states, left_out

      etot = atom%atom%energy
      ecap = atom%atom%kinetic
      enuc = atom%atom%nuclear
      erep = atom%atom%repulsion
      niter = atom%atom%iterations
      lconv = atom%atom%status /= LEGATO_DFR_ATOM_STATUS_NOT_CONVERGED
      state = sound
      if (atom%atom%status == LEGATO_DFR_ATOM_STATUS_COLLAPSED) state = collapsed
      if (atom%atom%status == LEGATO_DFR_ATOM_STATUS_UNBOUND) state = unbound
      if (atom%atom%status == LEGATO_DFR_ATOM_STATUS_NOT_COMPARED) state = not_compared
      if (allocated(eig)) deallocate (eig, nroot, nposit)
      allocate (eig(nbsmax, nsym), nroot(nsym), nposit(nsym))
      nposit = 1
      do l = 1, nsym
         call lists(atom%list)%spinors(atom%index, int(l), states=states)
         call lists(atom%list)%spinors(atom%index, int(l), energies=eig(:states, l))
         call lists(atom%list)%left_out(atom%index, int(l), left_out)
         nroot(l) = 2 * nbs(l) - int(left_out, ikind)
      end do
   end subroutine take_result

   subroutine write_table(given, jobs, seconds)
      type(options), intent(in) :: given
      type(job), intent(in) :: jobs(:)
      real(rkind), intent(in) :: seconds
      character(len=300) :: line
      integer :: k, width

      width = 4
      do k = 1, size(jobs)
         width = max(width, min(len(jobs(k)%name), 60))
      end do
      write (line, '(1x,a,a20,a16,a12,2x,a)') padded('Atom', width), 'Energy', 'Virial ratio', 'Iterations', 'Status'
      call print_line(line)
      do k = 1, size(jobs)
         if (has_result(jobs(k))) then
            write (line, '(f20.9,f16.10,i12,2x,a)') jobs(k)%atom%energy, jobs(k)%atom%virial_ratio, jobs(k)%atom%iterations, &
               status_words(jobs(k))
         else
            write (line, '(a20,a16,a12,2x,a)') '-', '-', '-', status_words(jobs(k))
         end if
         call print_line(' ' // padded(jobs(k)%name, width) // line)
      end do
      call print_line('')
      write (line, '(1x,2(i0,a),f8.2,a)') size(jobs), ' atoms, ', count(converged(jobs)), ' converged,', seconds, ' s'
      call print_line(line)
      if (size(given%elements) > 0 .and. given%nucmdl <= 1) call write_worst_virial(jobs)
   end subroutine write_table

   elemental logical function converged(atom)
      type(job), intent(in) :: atom

      converged = to_do(atom) .and. atom%atom%status == LEGATO_DFR_ATOM_STATUS_CONVERGED
   end function converged

   function status_words(atom) result(words)
      type(job), intent(in) :: atom
      character(:), allocatable :: words

      if (atom%refused) then
         words = 'refused'
      else if (atom%failed) then
         words = 'failed'
      else if (atom%atom%status == LEGATO_DFR_ATOM_STATUS_CONVERGED) then
         words = 'converged'
      else if (atom%atom%status == LEGATO_DFR_ATOM_STATUS_NOT_CONVERGED) then
         words = 'not converged'
      else if (atom%atom%status == LEGATO_DFR_ATOM_STATUS_COLLAPSED) then
         words = 'below the limit'
      else if (atom%atom%status == LEGATO_DFR_ATOM_STATUS_UNBOUND) then
         words = 'not bound'
      else if (atom%atom%status == LEGATO_DFR_ATOM_STATUS_NOT_COMPARED) then
         words = 'not compared'
      else
         words = 'failed'
      end if
   end function status_words

   ! Prints the largest deviation of the virial ratio. With point nuclei the virial theorem holds in a complete basis.
   subroutine write_worst_virial(jobs)
      type(job), intent(in) :: jobs(:)
      character(len=120) :: line
      real(rkind) :: expected, off(size(jobs))
      integer :: worst

      expected = merge(one, two, lrel)
      off = merge(abs(jobs%atom%virial_ratio - expected), -one, converged(jobs))
      worst = maxloc(off, 1)
      if (off(worst) < zero) return
      write (line, '(1x,a,i0,a,es7.1,3a)') 'Virial ratio: off from ', nint(expected), ' by at most ', off(worst), &
         ' (', jobs(worst)%name, ')'
      call print_line(line)
   end subroutine write_worst_virial

   pure function padded(text, width) result(filled)
      character(*), intent(in) :: text
      integer, intent(in) :: width
      character(:), allocatable :: filled

      filled = text // repeat(' ', max(0, width - len(text)))
   end function padded

end module batch_output
