! Basis sets of several sizes for many elements. They are made at the same time. A run may be saved, stopped and
! resumed.
program dfr_basis
   use, intrinsic :: ieee_arithmetic, only: ieee_is_nan
   use kinds
   use basis_files
   use basis_options
   use basis_orbitals
   use basis_sets
   use command_line, only: refuse_same
   use legato
   use library_errors
   use messages
   use nuclei, only: nucleus_name
   use part_files
   use run_control
   use save_clocks
   implicit none

   type(options) :: given
   type(legato_context) :: context
   type(legato_dfr_pruner) :: pruner
   type(basis_set), allocatable :: sets(:)     ! those of all errors for the first element, then for the second one, ...
   integer(ikind) :: ierr
   integer :: i, n, stat
   character(len=400) :: message
   real(rkind) :: began

   began = clock()
   call begin_run('dfr_basis')
   call read_options(given, ierr)
   if (ierr < 0) stop
   call stop_on(ierr)
   if (allocated(given%output) .or. allocated(given%orbitals)) call open_outputs
   call context%create(stat=stat, errmsg=message)
   call stop_on_library(stat, message)
   call create_or_resume
   call run
   n = size(given%errors)
   allocate (sets(n * size(given%elements)))
   do i = 1, size(given%elements)
      call find_sets(context, pruner, int(i, lkind), int(given%elements(i)%z), given%errors, &
                     given%spinor_weight, sets(n * (i - 1) + 1:n * i))
   end do
   call find_errors(context, sets)
   call print_table
   if (allocated(given%output) .or. allocated(given%orbitals)) call write_outputs
   call stop_on_lost_output
   if (.not. all(sets%found)) then
      call complain(integer_text(count(.not. sets%found, kind=ikind)) // ' of ' // integer_text(size(sets, kind=ikind)) // &
                    ' sets are missing; the table says why in comments')
      call stop_on(1_ikind)
   end if
   if (any(ieee_is_nan(sets%collapse)) .or. .not. all(has_orbitals(sets))) call stop_on(1_ikind)

contains

   subroutine open_outputs
      character(len=4096) :: names(size(given%errors) + 1)
      integer :: k

      names = ''
      do k = 1, size(given%errors)
         if (.not. allocated(given%output)) exit
         names(k) = file_name(given%output, given%errors(k), given%format)
         call refuse_same(trim(names(k)), given%state, ierr)
         call stop_on(ierr)
      end do
      if (allocated(given%orbitals)) names(size(names)) = given%orbitals
      call open_files(names, ierr)
      call stop_on(ierr)
   end subroutine open_outputs

   subroutine create_or_resume
      type(legato_dfr_pruner_params) :: params
      logical :: exists
      integer :: k

      exists = .false.
      if (allocated(given%state)) inquire (file=given%state, exist=exists)
      if (exists) then
         call pruner%resume(context, given%state, stat, message)
         call stop_on_library(stat, message)
         call check_same
         return
      end if
      params = dfr_pruner_defaults()
      params%largest_error = given%errors(1)
      params%spinor_weight = given%spinor_weight
      params%seed = given%seed
      call pruner%create(context, make_field(LEGATO_DFR_KINETIC_BALANCE_EXTENDED), params, stat, message)
      call stop_on_library(stat, message)
      do k = 1, size(given%elements)
         call pruner%add_element(int(given%elements(k)%z), given%nucleus, stat=stat, errmsg=message)
         call stop_on_library(stat, message)
      end do
   end subroutine create_or_resume

   ! Stops the program if the state file has another run.
   subroutine check_same
      type(legato_dfr_pruner_params) :: params
      type(legato_dfr_nucleus) :: nucleus, wanted
      integer, allocatable :: closed(:)
      real(rkind), allocatable :: electrons(:), pairs(:, :)
      integer(lkind) :: count, k

      call pruner%get_params(params=params)
      call compare('largest error', real_text(params%largest_error), real_text(given%errors(1)))
      call compare('weight of the spinors', real_text(params%spinor_weight), real_text(given%spinor_weight))
      call compare('seed', integer_text(params%seed), integer_text(given%seed))
      call pruner%size(count)
      call compare('number of elements', integer_text(count), integer_text(size(given%elements, kind=lkind)))
      do k = 1, count
         call pruner%atom(k, nucleus, closed, electrons, pairs)
         call dfr_element_nucleus(context, int(given%elements(k)%z), wanted, given%nucleus)
         call compare('charge of nucleus ' // integer_text(k), real_text(nucleus%charge), real_text(wanted%charge))
         call compare('model of nucleus ' // integer_text(k), integer_text(nucleus%model), integer_text(wanted%model))
      end do
   end subroutine check_same

   subroutine compare(what, found, wanted)
      character(*), intent(in) :: what, found, wanted

      if (found == wanted) return
      call complain(quoted(given%state) // ' has another run: ' // what // ' ' // found // ' there, ' // wanted // ' here')
      call stop_on(1_ikind)
   end subroutine compare

   ! Runs until all prunings have ended. Saves the state now and then, and at the end, if a file was given.
   subroutine run
      type(save_clock) :: saves
      integer(lkind) :: ended, elements, energies
      real(rkind) :: seconds
      logical :: due

      elements = size(given%elements, kind=lkind)
      energies = 0
      ended = 0
      do while (ended < elements)
         call pruner%advance(1_lkind, ended, stat, message)
         call stop_on_library(stat, message)
         energies = energies + 1
         seconds = clock() - began
         call saves%ask(due)
         if (allocated(given%state) .and. (due .or. ended == elements .or. seconds > given%seconds)) then
            call pruner%save(given%state, stat, message)
            call stop_on_library(stat, message)
            call saves%saved
         end if
         if (ended < elements .and. seconds > given%seconds) then
            call complain('the time is over: ' // integer_text(ended) // ' of ' // integer_text(elements) // &
                          ' elements are done; the same command goes on')
            call leave_files
            stop 2, quiet=.true.
         end if
         if (wants_progress()) call show_progress_line(integer_text(ended) // ' of ' // integer_text(elements) // &
            ' elements, ' // integer_text(energies) // ' energies of each, ' // integer_text(nint(seconds, lkind)) // ' s')
      end do
   end subroutine run

   subroutine print_table
      integer :: k

      call print_line('# dfr_basis: ' // conditions())
      call print_line('#     largest error  functions            sum      error   collapse     energy / hartree' // &
                      heading_of_errors // '    spinors')
      do k = 1, size(sets)
         call print_line(row(sets(k)))
      end do
   end subroutine print_table

   function row(set) result(line)
      type(basis_set), intent(in) :: set
      character(:), allocatable :: line
      character(len=120) :: buffer

      if (.not. set%found) then
         line = '# ' // trim(dfr_symbol(set%element)) // ' ' // real_text(set%allowed) // ': no set, because the first one '
         if (set%limit < zero) line = line // 'is less accurate or has no good energy'
         if (.not. set%limit < zero) line = line // 'cannot be judged: the limit energy has not converged'
         return
      end if
      write (buffer, '(a4, es14.1e2, 2x, a20, i4, es12.2e2, es11.1e2, f22.9)') trim(dfr_symbol(set%element)), set%allowed, &
         joined(set%functions), sum(set%functions), set%error, set%collapse, set%energy
      line = trim(buffer) // largest_errors(set)
      write (buffer, '(es11.1e2)') set%spinors
      line = line // trim(buffer)
   end function row

   ! Returns numbers with commas between them.
   function joined(numbers) result(text)
      integer, intent(in) :: numbers(:)
      character(len=20) :: text
      integer :: k

      text = integer_text(int(numbers(1), ikind))
      do k = 2, size(numbers)
         text = trim(text) // ',' // integer_text(int(numbers(k), ikind))
      end do
   end function joined

   function conditions() result(text)
      character(:), allocatable :: text

      text = 'nucleus ' // nucleus_name(given%nucleus) // ', spinor weight ' // real_text(given%spinor_weight)
   end function conditions

   ! A file that cannot be written does not keep the others from being written.
   subroutine write_outputs
      logical :: lost
      integer :: k

      call leave_files     ! they only showed that the files can be written
      lost = .false.
      do k = 1, n
         if (allocated(given%output)) call write_sets(context, file_name(given%output, given%errors(k), given%format), &
                                                      given%format, conditions(), sets(k::n), lost)
      end do
      ierr = 0
      if (allocated(given%orbitals)) then
         call open_files([given%orbitals], ierr)
         call stop_on(ierr)
         call write_orbitals(1, conditions(), sets)
         call close_files(ierr)
      end if
      if (lost) ierr = 1
      call stop_on(ierr)
   end subroutine write_outputs

end program dfr_basis
