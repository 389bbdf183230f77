! DFRATOM for users who can change the main program. Input and output are those of main.f90, but all atoms are passed to
! Legato in one call. Legato computes their fields in parallel, on all threads or on a GPU. Legato has its own
! extrapolation and its own thresholds; of $scf only maxitr is used. Basis sets to be optimised (jobtype = 'bsopt' or
! --optimise) or reduced are treated first.
!
! If an atom cannot be computed, its name is reported, and the other atoms are computed. The exit status is 0 if all
! atoms have converged, and 1 otherwise or after an error.

program dfratom_batch
   use kinds
   use ctlpar
   use elements, only: element_name
   use messages
   use records
   use batch_options
   use batch_jobs
   use batch_basis, only: in_basis, name_of_basis, open_basis
   use batch_starts, only: begin_with_element
   use batch_energies, only: calculate, write_vectors
   use batch_levels, only: write_levels
   use batch_optimisation, only: optimise, write_optimisations
   use batch_reduction, only: reduce, write_reductions
   use batch_output
   use run_control
   use legato
   implicit none
   save

   interface
      subroutine intin(name, ierr)
         import :: ikind
         character(*), intent(in) :: name
         integer(ikind), intent(out) :: ierr
      end subroutine intin
   end interface

   type(options) :: given
   type(job), allocatable :: jobs(:)
   type(legato_context) :: context
   type(library_status) :: outcome
   character(:), allocatable :: not_in_library
   integer(ikind) :: ierr, lost_files, lost_levels
   real(rkind) :: began, seconds

   call begin_run('dfratom_batch')
   call read_options(given, ierr)
   if (ierr < 0) stop
   call stop_on(ierr)
   lrel = given%relativistic
   call context%create(stat=outcome%stat, errmsg=outcome%message)
   call stop_on_library(outcome)
   not_in_library = ''
   if (size(given%elements) > 0) then
      call open_basis(context, given%basis)
      call list_elements
   else
      call list_inputs
   end if
   call check_names
   call try_files(given, jobs, ierr)
   call stop_on(ierr)
   began = clock()
   if (given%reduce) then
      call reduce(context, given, jobs)
   else
      call optimise(context, given, jobs, ierr)
      call stop_on(ierr)
   end if
   call calculate(context, given, jobs)
   seconds = clock() - began
   call write_all(given, jobs, lost_files)
   call write_vectors(given, jobs, lost_files)
   call write_table(given, jobs, seconds)
   lost_levels = 0
   if (given%levels) call write_levels(jobs, lost_levels)
   call write_optimisations(jobs)
   call write_reductions(jobs)
   if (len(not_in_library) > 0) call print_line(' Not in the basis library ' // name_of_basis // ':' // not_in_library)
   call stop_on_lost_output
   call stop_on(lost_files)
   call stop_on(lost_levels)
   if (.not. all(to_do(jobs) .and. jobs%atom%status == LEGATO_DFR_ATOM_STATUS_CONVERGED)) call stop_on(1_ikind)
   if (any(jobs%optimiser > 0 .and. &
      jobs%optimisation%status /= LEGATO_DFR_OPTIMISER_STATUS_CONVERGED)) call stop_on(1_ikind)

contains

   subroutine list_inputs
      character(:), allocatable :: file
      integer :: last, k

      allocate (jobs(size(given%inputs)))
      do k = 1, size(jobs)
         file = given%inputs(k)%text
         last = len(file)
         if (last > 4) last = last - merge(4, 0, file(last - 3:) == '.inp')
         jobs(k)%name = file(:last)
         call intin(file, ierr)
         jobs(k)%refused = ierr /= 0
         if (jobs(k)%refused) cycle
         if (given%c > zero) c = given%c
         if (lrel .and. nucmdl == 1 .and. znuc >= c) then
            call complain(file // ': znuc = ' // real_text(znuc) // ' is not below the speed of light')
            jobs(k)%refused = .true.
         end if
         jobs(k)%jobtype = trim(jobtype)
         call remember(jobs(k)%input)
      end do
   end subroutine list_inputs

   subroutine list_elements
      logical :: wanted(size(given%elements))
      integer :: k, n

      do k = 1, size(wanted)
         wanted(k) = given%elements(k)%by_name
         if (.not. wanted(k)) wanted(k) = in_basis(given%elements(k)%z)
         if (.not. wanted(k)) not_in_library = not_in_library // ' ' // trim(element_name(given%elements(k)%z))
      end do
      if (.not. any(wanted)) call complain('none of these elements is in the basis library ' // name_of_basis)
      if (.not. any(wanted)) call stop_on(1_ikind)
      allocate (jobs(count(wanted)))
      n = 0
      do k = 1, size(wanted)
         if (.not. wanted(k)) cycle
         n = n + 1
         jobs(n)%z = given%elements(k)%z
         jobs(n)%name = trim(element_name(jobs(n)%z))
         jobs(n)%jobtype = 'energy'
         if (given%optimise .or. given%reduce) call begin_with_element(context, given, jobs(n))
      end do
   end subroutine list_elements

   ! Stops the program if two atoms would have the same output file.
   subroutine check_names
      integer :: k, earlier

      if (.not. allocated(given%folder)) return
      do k = 1, size(jobs)
         do earlier = 1, k - 1
            if (output_name(given, jobs(earlier)%name) /= output_name(given, jobs(k)%name)) cycle
            call complain('two atoms would write ' // output_name(given, jobs(k)%name))
            call stop_on(1_ikind)
         end do
      end do
   end subroutine check_names

end program dfratom_batch
