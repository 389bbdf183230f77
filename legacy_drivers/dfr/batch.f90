! DFRATOM for those who may change a line: input and output of main.f90, but all atoms go to Legato in one call, which
! carries their fields side by side on all threads or on a GPU. Legato has its own extrapolation and its own thresholds;
! of $scf maxitr alone counts.
!
! An atom that cannot be had is told by name, and the others are computed. Exit status 0: all have converged; 1: not all, or
! an error.

program dfratom_batch
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
   use kinds
   use ctlpar
   use baspar
   use elconf
   use scfpar, only: maxitr
   use result
   use elements, only: element_name
   use messages
   use output
   use records
   use batch_options
   use batch_progress
   use legato
   implicit none

   interface
      subroutine intin(name, ierr)
         import :: ikind
         character(*), intent(in) :: name
         integer(ikind), intent(out) :: ierr
      end subroutine intin

      subroutine calc_parameters
      end subroutine calc_parameters
   end interface

   type job
      character(:), allocatable :: name
      type(atom_record) :: input
      integer(ikind) :: z = 0              ! of the basis library; 0: of an input
      integer :: list = 0                  ! which of the lists; 0: refused, and told why
      integer(c_int64_t) :: index = 0      ! where in it
      type(legato_dfr_atom) :: atom
   end type job

   type(options) :: given
   type(job), allocatable :: jobs(:)
   type(legato_context) :: context
   type(legato_dfr), allocatable :: lists(:)     ! the atoms of one speed of light and number of iterations each
   type(legato_dfr_params), allocatable :: params(:)
   character(:), allocatable :: not_in_library
   integer(ikind) :: ierr, i
   integer(lkind) :: began, ended, rate
   character(len=400) :: message
   integer :: stat

   call read_options(given, ierr)
   if (ierr < 0) stop
   call stop_on(ierr)
   lrel = given%relativistic
   call context%create(stat=stat, errmsg=message)
   call stop_on_library
   call system_clock(began, rate)
   not_in_library = ''
   if (size(given%elements) > 0) then
      call take_elements
   else
      call take_inputs
   end if
   call fill_lists
   do i = 1, size(lists)
      call lists(i)%run(show_progress, stat, message)
      call wipe_progress
      call stop_on_library
   end do
   call system_clock(ended)
   call collect
   call write_all
   call write_table
   call check_output(ierr)
   call stop_on(ierr)
   call stop_on(merge(0_ikind, 1_ikind, all(jobs%atom%status == LEGATO_DFR_CONVERGED)))

contains

   subroutine take_inputs
      character(:), allocatable :: file
      integer :: last, k

      allocate (jobs(size(given%inputs)))
      allocate (params(0))
      do k = 1, size(jobs)
         file = given%inputs(k)%text
         last = len(file)
         if (last > 4) last = last - merge(4, 0, file(last - 3:) == '.inp')
         jobs(k)%name = file(:last)
         call check_name(k)
         call intin(file, ierr)
         if (ierr /= 0) cycle
         if (jobtype /= 'energy') then
            call complain(file // ': jobtype = ' // quoted(trim(jobtype)) // ' is for dfratom')
            cycle
         end if
         if (given%c > zero) c = given%c
         if (lrel .and. nucmdl == 1 .and. znuc >= c) then
            call complain(file // ': znuc = ' // real_text(znuc) // ' is not below the speed of light')
            cycle
         end if
         call remember(jobs(k)%input)
         jobs(k)%list = list_for(c, maxitr)
      end do
   end subroutine take_inputs

   ! Which list has these parameters; a new one if none has.
   function list_for(speed, iterations) result(list)
      real(rkind), intent(in) :: speed
      integer(ikind), intent(in) :: iterations
      integer :: list
      type(legato_dfr_params) :: wanted

      do list = 1, size(params)
         if (abs(params(list)%speed_of_light - speed) <= zero .and. params(list)%max_iterations == iterations) return
      end do
      wanted = dfr_defaults()
      wanted%speed_of_light = speed
      wanted%max_iterations = iterations
      wanted%relativistic = merge(1, 0, given%relativistic)
      params = [params, wanted]
   end function list_for

   subroutine take_elements
      type(legato_dfr) :: library
      type(legato_dfr_params) :: defaults
      logical :: there(size(given%elements))
      integer :: k, n

      call library%create(context, stat=stat, errmsg=message)
      call stop_on_library
      do k = 1, size(there)
         call library%add_element(int(given%elements(k)%z), stat=stat, errmsg=message)
         there(k) = stat /= LEGATO_INVALID_ARGUMENT
         if (there(k)) call stop_on_library
         if (.not. there(k) .and. .not. given%elements(k)%by_name) &
            not_in_library = not_in_library // ' ' // trim(element_name(given%elements(k)%z))
      end do
      defaults = dfr_defaults()
      allocate (params(0))
      allocate (jobs(count(there .or. given%elements%by_name)))
      n = 0
      do k = 1, size(there)
         if (.not. there(k) .and. .not. given%elements(k)%by_name) cycle
         n = n + 1
         jobs(n)%z = given%elements(k)%z
         jobs(n)%name = trim(element_name(jobs(n)%z))
         call check_name(n)
         jobs(n)%list = list_for(merge(given%c, defaults%speed_of_light, given%c > zero), defaults%max_iterations)
      end do
      if (n == 0) call complain('none of these elements is in the basis library')
      if (n == 0) call stop_on(1_ikind)
   end subroutine take_elements

   ! Two atoms cannot have one output file.
   subroutine check_name(k)
      integer, intent(in) :: k
      integer :: earlier

      if (.not. allocated(given%folder)) return
      do earlier = 1, k - 1
         if (base_name(jobs(earlier)%name) /= base_name(jobs(k)%name)) cycle
         call complain('two atoms would write ' // output_name(jobs(k)%name))
         call stop_on(1_ikind)
      end do
   end subroutine check_name

   pure function base_name(name) result(base)
      character(*), intent(in) :: name
      character(:), allocatable :: base

      base = name(index(name, '/', back=.true.) + 1:)
   end function base_name

   function output_name(name) result(file)
      character(*), intent(in) :: name
      character(:), allocatable :: file

      file = given%folder // '/' // base_name(name) // '.out'
   end function output_name

   subroutine fill_lists
      integer :: k

      allocate (lists(size(params)))
      do k = 1, size(lists)
         call lists(k)%create(context, params(k), stat, message)
         call stop_on_library
      end do
      do k = 1, size(jobs)
         if (jobs(k)%list == 0) cycle
         if (jobs(k)%z > 0) then
            call lists(jobs(k)%list)%add_element(int(jobs(k)%z), int(max(given%nucmdl, 1_ikind)), jobs(k)%index, stat, message)
         else
            call add_input(lists(jobs(k)%list), jobs(k))
         end if
         if (stat == LEGATO_INVALID_ARGUMENT) then
            call complain(jobs(k)%name // ': ' // trim(message))
            jobs(k)%list = 0
         else
            call stop_on_library
         end if
      end do
   end subroutine fill_lists

   subroutine add_input(list, atom)
      type(legato_dfr), intent(inout) :: list
      type(job), intent(inout) :: atom
      real(c_double), allocatable :: exponents(:)
      real(c_double) :: pairs(maxsym, maxsym)
      integer(ikind) :: l
      logical :: open(maxsym)

      call recall(atom%input)
      call calc_parameters
      exponents = [(zeta(:nbs(l), l), l = 1, nsym)]
      open = nopen == 1
      pairs = merge(one - vc, zero, spread(open, 1, maxsym) .and. spread(open, 2, maxsym))
      call list%add_atom(nucleus(), int(nbs(:nsym)), exponents, int(nclose(:nsym)), merge(qopen(:nsym), zero, open(:nsym)), &
         pairs(:nsym, :nsym), atom%index, stat, message)
   end subroutine add_input

   function nucleus()
      type(legato_dfr_nucleus) :: nucleus

      select case (nucmdl)
      case (2)
         nucleus = dfr_nucleus(znuc, LEGATO_DFR_SPHERE, radius=rnuc)
      case (3)
         nucleus = dfr_nucleus(znuc, LEGATO_DFR_GAUSSIAN, exponent=alpha)
      case default
         nucleus = dfr_nucleus(znuc)
      end select
   end function nucleus

   subroutine collect
      integer :: k

      do k = 1, size(jobs)
         jobs(k)%atom%status = LEGATO_DFR_FAILED
         if (jobs(k)%list == 0) cycle
         call lists(jobs(k)%list)%result(jobs(k)%index, jobs(k)%atom, stat, message)
         call stop_on_library
         if (jobs(k)%atom%status == LEGATO_DFR_NOT_CONVERGED) then
            call complain(jobs(k)%name // ': the SCF has not converged after ' // &
               integer_text(int(jobs(k)%atom%iterations, lkind)) // ' iterations; last energy ' // &
               energy_text(jobs(k)%atom%energy))
         else if (jobs(k)%atom%status /= LEGATO_DFR_CONVERGED) then
            call complain(jobs(k)%name // ': the SCF has failed: an iteration gave no number, or near linear ' // &
               'dependence left fewer functions than shells')
         end if
      end do
   end subroutine collect

   ! What dfratom prints, of each atom.
   subroutine write_all
      integer :: k

      if (.not. given%verbose .and. .not. allocated(given%folder)) return
      do k = 1, size(jobs)
         if (jobs(k)%list == 0) cycle
         if (jobs(k)%z > 0) then
            call take_shells(jobs(k))
         else
            call recall(jobs(k)%input)
            call calc_parameters
         end if
         if (has_result(jobs(k))) call take_result(jobs(k))
         if (given%verbose) then
            call write_atom(jobs(k))
            call print_line('')
         end if
         if (allocated(given%folder)) then
            call print_to_file(output_name(jobs(k)%name))
            call write_atom(jobs(k))
            call end_file
         end if
      end do
   end subroutine write_all

   pure logical function has_result(atom)
      type(job), intent(in) :: atom

      has_result = atom%atom%status == LEGATO_DFR_CONVERGED .or. atom%atom%status == LEGATO_DFR_NOT_CONVERGED
   end function has_result

   subroutine write_atom(atom)
      type(job), intent(in) :: atom

      if (atom%z > 0) then
         call write_title
      else
         call write_options
         call write_basis
      end if
      if (has_result(atom)) then
         call write_results
      else
         call print_line('')
         call print_line(' FAILED: no result')
      end if
   end subroutine write_atom

   ! The modules as an input of this element would have left them, as far as the results are printed from them.
   subroutine take_shells(atom)
      type(job), intent(in) :: atom
      character(*), parameter :: nuclei(3) = [character(len=14) :: 'point', 'uniform sphere', 'Gaussian']
      integer, allocatable :: functions(:)
      real(c_double), allocatable :: electrons(:)
      integer :: species, states
      integer(ikind) :: l

      title = atom%name // ', element ' // integer_text(int(atom%z, lkind)) // ' of the basis library; nucleus: ' // &
         trim(nuclei(max(given%nucmdl, 1_ikind))) // merge('; c = ' // real_text(params(atom%list)%speed_of_light), &
         repeat(' ', 6 + len(real_text(params(atom%list)%speed_of_light))), lrel)
      if (.not. lrel) title = trim(title) // '; non-relativistic'
      call lists(atom%list)%atom_size(atom%index, species, functions)
      nsym = species
      nbs = 0
      nbs(:nsym) = functions
      call calc_parameters
      nclose = 0
      nopen = 0
      qopen = zero
      if (.not. has_result(atom)) return
      do l = 1, nsym
         call lists(atom%list)%spinors(atom%index, int(l), states=states)
         if (allocated(electrons)) deallocate (electrons)
         allocate (electrons(states))
         call lists(atom%list)%spinors(atom%index, int(l), occupations=electrons)
         nclose(l) = count(electrons >= ndeg(l) - 1.0e-9_rkind, kind=ikind)
         nopen(l) = count(electrons > zero, kind=ikind) - nclose(l)
         if (nopen(l) > 0) qopen(l) = electrons(nclose(l) + 1)
      end do
   end subroutine take_shells

   subroutine take_result(atom)
      type(job), intent(in) :: atom
      integer(ikind) :: l
      integer :: states

      etot = atom%atom%energy
      ecap = atom%atom%kinetic
      enuc = atom%atom%nuclear
      erep = atom%atom%repulsion
      niter = atom%atom%iterations
      lconv = atom%atom%status == LEGATO_DFR_CONVERGED
      if (allocated(eig)) deallocate (eig, nroot, nposit)
      allocate (eig(nbsmax, nsym), nroot(nsym), nposit(nsym))
      nposit = 1
      do l = 1, nsym
         call lists(atom%list)%spinors(atom%index, int(l), states=states)
         call lists(atom%list)%spinors(atom%index, int(l), energies=eig(:states, l))
         nroot(l) = nbs(l) + states     ! as if no small component were left out: the library tells of the large ones
      end do
   end subroutine take_result

   subroutine write_table
      character(len=300) :: line
      character(:), allocatable :: words
      integer :: k, width

      width = 4
      do k = 1, size(jobs)
         width = max(width, min(len(jobs(k)%name), 60))
      end do
      write (line, '(1x,a,a20,a16,a12,2x,a)') padded('Atom', width), 'Energy', 'Virial ratio', 'Iterations', 'Status'
      call print_line(line)
      do k = 1, size(jobs)
         words = status_words(jobs(k))
         if (has_result(jobs(k))) then
            write (line, '(1x,a,f20.9,f16.10,i12,2x,a)') padded(jobs(k)%name, width), jobs(k)%atom%energy, &
               jobs(k)%atom%virial_ratio, jobs(k)%atom%iterations, words
         else
            write (line, '(1x,a,a20,a16,a12,2x,a)') padded(jobs(k)%name, width), '-', '-', '-', words
         end if
         call print_line(line)
      end do
      call print_line('')
      write (line, '(1x,2(i0,a),f8.2,a)') size(jobs), ' atoms, ', &
         count(jobs%atom%status == LEGATO_DFR_CONVERGED), ' converged,', real(ended - began, rkind) / rate, ' s'
      call print_line(line)
      if (size(given%elements) > 0 .and. given%nucmdl <= 1) call write_worst_virial
      if (len(not_in_library) > 0) call print_line(' Not in the basis library:' // not_in_library)
   end subroutine write_table

   function status_words(atom) result(words)
      type(job), intent(in) :: atom
      character(:), allocatable :: words

      if (atom%list == 0) then
         words = 'refused'
      else if (atom%atom%status == LEGATO_DFR_CONVERGED) then
         words = 'converged'
      else if (atom%atom%status == LEGATO_DFR_NOT_CONVERGED) then
         words = 'not converged'
      else
         words = 'failed'
      end if
   end function status_words

   ! With point nuclei the virial theorem holds in a complete basis.
   subroutine write_worst_virial
      character(len=120) :: line
      real(rkind) :: expected, off(size(jobs))
      integer :: worst

      expected = merge(one, two, lrel)
      off = merge(abs(jobs%atom%virial_ratio - expected), -one, jobs%atom%status == LEGATO_DFR_CONVERGED)
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

   function energy_text(energy) result(text)
      real(rkind), intent(in) :: energy
      character(:), allocatable :: text
      character(len=30) :: buffer

      write (buffer, '(f0.9)') energy
      text = trim(buffer)
   end function energy_text

   ! After a call that has set stat and message.
   subroutine stop_on_library
      if (stat == LEGATO_SUCCESS) return
      if (stat == LEGATO_OUT_OF_MEMORY) then
         call complain('not enough memory: ' // trim(message))
      else
         call complain(trim(message))
      end if
      call stop_on(1_ikind)
   end subroutine stop_on_library

   subroutine stop_on(ierr)
      integer(ikind), intent(in) :: ierr

      if (ierr /= 0) stop 1, quiet=.true.
   end subroutine stop_on

end program dfratom_batch
