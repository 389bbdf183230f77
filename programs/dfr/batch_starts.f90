! Optimisations and reductions of elements. The set of an element becomes an input, as if it had been read from a file.
module batch_starts
   use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
   use kinds
   use limits, only: maxbas, maxsym
   use ctlpar
   use baspar
   use elconf
   use scfpar
   use messages
   use output, only: symmetry_name
   use records
   use batch_basis, only: sets, name_of_basis, arrays_of_element
   use batch_jobs
   use batch_options, only: options
   use legato
   implicit none
   private
   public :: begin_with_element

   ! The pool of a reduction has so many functions for each one in the pool of s. The whole pool must be accurate enough,
   ! also if all species share it.
   real(rkind), parameter :: pool_growth = 1.2_rkind

   interface
      subroutine formbs(ierr)
         import :: ikind
         integer(ikind), intent(out) :: ierr
      end subroutine formbs
   end interface

contains

   ! Makes the input of a job from the set of its element. The job is refused if the set is not well-tempered.
   subroutine begin_with_element(context, given, atom)
      type(legato_context), intent(in) :: context
      type(options), intent(in) :: given
      type(job), intent(inout) :: atom
      type(library_status) :: outcome
      integer(ikind) :: failure

      atom%jobtype = 'bsopt'
      allocate (atom%of_element)
      call arrays_of_element(context, atom%z, int(given%nucmdl), atom%of_element, outcome)
      call refuse_or_stop(atom, outcome)
      if (atom%refused) return
      call take_groups(atom)
      if (atom%refused) return
      if (given%reduce) call take_whole_pool
      call set_defaults(given, atom)
      call formbs(failure)
      atom%refused = failure /= 0
      if (atom%refused) call complain(atom%name // ': the pool of exponents is out of range')
      if (.not. atom%refused) call remember(atom%input)
   end subroutine begin_with_element

   ! Copies the groups of the set into the modules.
   subroutine take_groups(atom)
      type(job), intent(inout) :: atom
      type(library_status) :: outcome
      integer, allocatable :: functions(:), first(:), group(:), forms(:)
      real(c_double), allocatable :: parameters(:)
      integer(c_int64_t) :: index

      call sets%find(int(atom%z), index, outcome%stat, outcome%message)
      if (outcome%stat == LEGATO_STATUS_SUCCESS) call sets%groups(index, size(atom%of_element%closed), functions, first, &
         group, forms, parameters, outcome%stat, outcome%message)
      call stop_on_library(outcome)
      atom%refused = any(forms /= LEGATO_DFR_GROUP_FORM_WELL_TEMPERED) .or. any(functions == 0)
      if (any(functions == 0)) then
         call complain(atom%name // ': the set in ' // name_of_basis // ' has no functions of ' // &
                       symmetry_name(findloc(functions, 0, dim=1, kind=ikind)))
      else if (atom%refused) then
         call complain(atom%name // ': the set in ' // name_of_basis // ' is not well-tempered; only well-tempered sets ' // &
                       'can be optimised and reduced')
      end if
      if (atom%refused) return
      nsym = size(functions, kind=ikind)
      ngroup = size(forms, kind=ikind)
      nbs = 0
      nbs(:nsym) = functions
      start = 1
      start(:nsym) = first
      groups = 1
      groups(:nsym) = group
      wtbspara = zero
      wtbspara(:4 * ngroup) = parameters
   end subroutine take_groups

   ! Gives all species one pool, as a reduction needs. It has more functions over about the range of that of s.
   subroutine take_whole_pool
      integer(ikind) :: of_s, functions

      of_s = maxval(start(:nsym) + nbs(:nsym) - 1, mask=groups(:nsym) == groups(1))
      functions = min(ceiling(pool_growth * of_s, ikind), maxbas)
      wtbspara(2) = wtbspara(2)**(real(of_s - 1, rkind) / (functions - 1))
      ngroup = 1
      groups = 1
      start = 1
      nbs(:nsym) = functions
   end subroutine take_whole_pool

   ! Everything else has the value that it has in an input by default.
   subroutine set_defaults(given, atom)
      type(options), intent(in) :: given
      type(job), intent(in) :: atom
      type(legato_dfr_params) :: field
      type(legato_dfr_optimiser_params) :: steps

      field = dfr_defaults()
      steps = dfr_optimiser_defaults()
      title = ''
      jobtype = atom%jobtype
      bastype = 'wtbs'
      c = merge(given%c, field%speed_of_light, given%c > zero)
      znuc = atom%z
      nucmdl = given%nucmdl
      rnuc = atom%of_element%nucleus%radius
      alpha = atom%of_element%nucleus%exponent
      rhobeg = steps%first_step
      rhoend = steps%last_step
      maxfun = int(steps%max_energies, ikind)
      iprint = 0
      maxitr = field%max_iterations
      zeta = zero
      nclose = 0
      nclose(:nsym) = atom%of_element%closed
      nopen = 0        ! the electrons in open shells are those of of_element
      freeel = 0
      autogen = .false.
      nconf = 0
      if (.not. allocated(occup)) allocate (occup(maxsym, 0))
      ixtrp = 0
      dfctr = zero
      thdll = zero
      thdsl = zero
      thdss = zero
   end subroutine set_defaults

end module batch_starts
