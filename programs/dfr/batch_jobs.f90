! The atoms of a batch, each from an input or from the basis library, and the arguments that they give to Legato.
module batch_jobs
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t, c_null_char
   use CStreams, only: file_exists, file_failed
   use kinds
   use ctlpar
   use limits, only: maxsym
   use baspar
   use elconf
   use messages
   use records
   use run_control, only: stop_on
   use save_clocks, only: save_clock
   use legato
   implicit none
   private
   public :: job, to_do, in_library_basis, has_result, take_input, take_start, atom_arrays, take_arrays, same_atom, &
      library_status, stop_on_library, refuse_or_stop, state_exists, save_if_due

   ! The arguments of add_atom.
   type atom_arrays
      type(legato_dfr_nucleus) :: nucleus
      integer, allocatable :: functions(:), closed(:)
      real(c_double), allocatable :: exponents(:), electrons(:), pairs(:, :)
   end type atom_arrays

   type job
      character(:), allocatable :: name
      type(atom_record) :: input               ! none for an element in the basis of its library
      character(:), allocatable :: jobtype     ! 'energy', 'bsopt'
      integer(ikind) :: z = 0                  ! element of a basis library; 0: from an input
      type(atom_arrays), allocatable :: of_element     ! of an optimisation: the atom, which has its basis in `input`
      logical :: refused = .false.             ! the reason has been printed
      type(atom_record) :: start               ! before an optimisation; `input` is then its result
      integer :: optimiser = 0                 ! number of its list of basis sets; 0: none
      integer(c_int64_t) :: basis = 0          ! position in it
      type(legato_dfr_optimisation) :: optimisation
      type(legato_dfr_reduction) :: reduction
      logical :: optimised = .false., failed = .false.     ! it has given a basis; it has failed
      integer :: list = 0                      ! number of its list of atoms
      integer(c_int64_t) :: index = 0          ! position in it
      type(legato_dfr_atom) :: atom
   end type job

   type library_status
      integer :: stat = 0
      character(len=400) :: message = ''
   end type library_status

   interface
      subroutine calc_parameters
      end subroutine calc_parameters
   end interface

contains

   ! Returns true if the energy of the job can be calculated.
   elemental logical function to_do(atom)
      type(job), intent(in) :: atom

      to_do = .not. atom%refused .and. .not. atom%failed
   end function to_do

   ! Returns true if the job takes an element and its basis as they are in the library.
   pure logical function in_library_basis(atom)
      type(job), intent(in) :: atom

      in_library_basis = atom%z > 0 .and. .not. allocated(atom%of_element)
   end function in_library_basis

   pure logical function has_result(atom)
      type(job), intent(in) :: atom

      has_result = to_do(atom) .and. &
         atom%atom%status >= LEGATO_DFR_ATOM_STATUS_CONVERGED .and. atom%atom%status /= LEGATO_DFR_ATOM_STATUS_FAILED
   end function has_result

   ! Copies the input into the modules, and calculates the quantities that follow from it.
   subroutine take_input(atom)
      type(job), intent(in) :: atom

      call recall(atom%input)
      call calc_parameters
   end subroutine take_input

   ! Does the same with the input as it was before its optimisation.
   subroutine take_start(atom)
      type(job), intent(in) :: atom

      call recall(atom%start)
      call calc_parameters
   end subroutine take_start

   subroutine take_arrays(atom, arrays)
      type(job), intent(in) :: atom
      type(atom_arrays), intent(out) :: arrays
      integer(ikind) :: l
      logical :: open(maxsym)

      call take_input(atom)
      if (allocated(atom%of_element)) arrays = atom%of_element
      arrays%functions = int(nbs(:nsym))
      arrays%exponents = [(zeta(:nbs(l), l), l = 1, nsym)]
      if (allocated(atom%of_element)) return
      select case (nucmdl)
      case (2)
         arrays%nucleus = dfr_nucleus(znuc, LEGATO_DFR_NUCLEAR_MODEL_SPHERE, radius=rnuc)
      case (3)
         arrays%nucleus = dfr_nucleus(znuc, LEGATO_DFR_NUCLEAR_MODEL_GAUSSIAN, exponent=alpha)
      case default
         arrays%nucleus = dfr_nucleus(znuc)
      end select
      open = nopen == 1
      allocate (arrays%closed, source=int(nclose(:nsym)))
      allocate (arrays%electrons, source=merge(qopen(:nsym), zero, open(:nsym)))
      allocate (arrays%pairs(nsym, nsym), source=zero)
      where (spread(open(:nsym), 1, int(nsym)) .and. spread(open(:nsym), 2, int(nsym))) arrays%pairs = one - vc(:nsym, :nsym)
   end subroutine take_arrays

   ! Returns true if the atom of a state file is that of the input.
   pure function same_atom(arrays, nucleus, closed, electrons, pairs)
      type(atom_arrays), intent(in) :: arrays
      type(legato_dfr_nucleus), intent(in) :: nucleus
      integer, intent(in) :: closed(:)
      real(c_double), intent(in) :: electrons(:), pairs(:, :)
      logical :: same_atom

      same_atom = size(closed) == size(arrays%closed) .and. nucleus%model == arrays%nucleus%model
      if (same_atom) same_atom = same(nucleus%charge, arrays%nucleus%charge) .and. &
         same(nucleus%radius, arrays%nucleus%radius) .and. same(nucleus%exponent, arrays%nucleus%exponent) .and. &
         all(closed == arrays%closed) .and. all(same(electrons, arrays%electrons)) .and. all(same(pairs, arrays%pairs))
   end function same_atom

   elemental logical function same(one_value, other)
      real(c_double), intent(in) :: one_value, other

      same = abs(one_value - other) <= 1.0e-13_rkind * abs(other)
   end function same

   subroutine stop_on_library(outcome)
      type(library_status), intent(in) :: outcome

      if (outcome%stat == LEGATO_STATUS_SUCCESS) return
      if (outcome%stat == LEGATO_STATUS_OUT_OF_MEMORY) then
         call complain('not enough memory: ' // trim(outcome%message))
      else
         call complain(trim(outcome%message))
      end if
      call stop_on(1_ikind)
   end subroutine stop_on_library

   ! Refuses a job if the library has refused its arguments. Any other error stops the program.
   subroutine refuse_or_stop(atom, outcome)
      type(job), intent(inout) :: atom
      type(library_status), intent(in) :: outcome

      atom%refused = outcome%stat == LEGATO_STATUS_INVALID_ARGUMENT
      if (atom%refused) then
         call complain(atom%name // ': ' // trim(outcome%message))
      else
         call stop_on_library(outcome)
      end if
   end subroutine refuse_or_stop

   ! Stops the program if it is unknown whether the file exists, because a new run would replace it.
   function state_exists(file)
      character(*), intent(in) :: file
      logical :: state_exists
      integer :: answer

      answer = file_exists(trim(file) // c_null_char)
      if (answer == file_failed) then
         call complain_of_c(file)
         call stop_on(1_ikind)
      end if
      state_exists = answer == 1
   end function state_exists

   ! Saves a run if this is due or if the run has ended. Without the name of a file nothing is saved.
   subroutine save_if_due(run, file, clock, ended)
      class(legato_resumable_run), intent(in) :: run
      character(:), allocatable, intent(in) :: file
      type(save_clock), intent(inout) :: clock
      logical, intent(in) :: ended
      type(library_status) :: outcome
      logical :: due

      if (.not. allocated(file)) return
      call clock%ask(due)
      if (.not. (due .or. ended)) return
      call run%save(file, outcome%stat, outcome%message)
      call stop_on_library(outcome)
      call clock%saved
   end subroutine save_if_due

end module batch_jobs
