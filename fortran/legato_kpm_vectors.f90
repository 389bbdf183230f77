!> Start vectors of the program, for the modules of the kernel polynomial method.
module legato_kpm_vectors_module
   use legato_c
   use legato_support, only: finish
   implicit none
   private

   public :: kpm_start_vector, kpm_stoppable_start_vector, kpm_complex_start_vector, kpm_stoppable_complex_start_vector
   public :: vector_user, forward_vector, user_of, wrong_vectors

   abstract interface
      !> Fills the start vector of a sample. Every call for the same sample must return the same vector. Its elements
      !! are within +-1e40, with LEGATO_KPM_PRECISION_SINGLE within +-1e30.
      subroutine kpm_start_vector(sample, vector)
         import :: c_int64_t, c_double
         integer(c_int64_t), intent(in) :: sample
         real(c_double), intent(out) :: vector(:)
      end subroutine kpm_start_vector

      !> Fills a start vector in the same way. If it returns true, the run stops with LEGATO_STATUS_CANCELLED.
      function kpm_stoppable_start_vector(sample, vector) result(cancel)
         import :: c_int64_t, c_double
         integer(c_int64_t), intent(in) :: sample
         real(c_double), intent(out) :: vector(:)
         logical :: cancel
      end function kpm_stoppable_start_vector

      !> Fills the start vector of a sample for a complex Hamiltonian. The limits hold for real and imaginary parts.
      subroutine kpm_complex_start_vector(sample, vector)
         import :: c_int64_t, c_double_complex
         integer(c_int64_t), intent(in) :: sample
         complex(c_double_complex), intent(out) :: vector(:)
      end subroutine kpm_complex_start_vector

      !> Fills such a vector in the same way. If it returns true, the run stops with LEGATO_STATUS_CANCELLED.
      function kpm_stoppable_complex_start_vector(sample, vector) result(cancel)
         import :: c_int64_t, c_double_complex
         integer(c_int64_t), intent(in) :: sample
         complex(c_double_complex), intent(out) :: vector(:)
         logical :: cancel
      end function kpm_stoppable_complex_start_vector
   end interface

   !> Data that the C callback receives as `user`. One of the pointers is associated.
   type :: vector_user
      procedure(kpm_start_vector), pointer, nopass :: call => null() !< real vectors
      procedure(kpm_stoppable_start_vector), pointer, nopass :: call_stoppable => null() !< real vectors
      procedure(kpm_complex_start_vector), pointer, nopass :: call_complex => null() !< complex vectors
      procedure(kpm_stoppable_complex_start_vector), pointer, nopass :: call_stoppable_complex => null() !< complex vectors
   end type vector_user

contains

   !> Returns the data for one procedure of the program, the one that is present.
   function user_of(start_vector, stoppable_start_vector, complex_start_vector, stoppable_complex_start_vector) &
      result(user)
      procedure(kpm_start_vector), optional :: start_vector
      procedure(kpm_stoppable_start_vector), optional :: stoppable_start_vector
      procedure(kpm_complex_start_vector), optional :: complex_start_vector
      procedure(kpm_stoppable_complex_start_vector), optional :: stoppable_complex_start_vector
      type(vector_user), pointer :: user

      allocate (user)
      if (present(start_vector)) user%call => start_vector
      if (present(stoppable_start_vector)) user%call_stoppable => stoppable_start_vector
      if (present(complex_start_vector)) user%call_complex => complex_start_vector
      if (present(stoppable_complex_start_vector)) user%call_stoppable_complex => stoppable_complex_start_vector
   end function user_of

   !> The C callback: calls the procedure of the program.
   function forward_vector(user, sample, sites, vector) bind(c, name='') result(stop)
      type(c_ptr), value :: user
      integer(c_int64_t), value :: sample, sites
      real(c_double), intent(inout), target :: vector(*)
      integer(c_int) :: stop
      type(vector_user), pointer :: program
      complex(c_double_complex), pointer, contiguous :: elements(:)
      type(c_ptr) :: first
      logical :: cancel

      call c_f_pointer(user, program)
      cancel = .false.
      if (associated(program%call)) then
         call program%call(sample + 1, vector(:sites))
      else if (associated(program%call_stoppable)) then
         cancel = program%call_stoppable(sample + 1, vector(:sites))
      else
         first = c_loc(vector)
         call c_f_pointer(first, elements, [sites])
         if (associated(program%call_complex)) then
            call program%call_complex(sample + 1, elements)
         else
            cancel = program%call_stoppable_complex(sample + 1, elements)
         end if
      end if
      stop = merge(1_c_int, 0_c_int, cancel)
   end function forward_vector

   !> Returns true and reports an error if the vectors of the program do not fit the Hamiltonian and the operators, whose
   !! handles are given. `given` says which arguments are present: sites, start_vector, stoppable_start_vector,
   !! complex_start_vector and stoppable_complex_start_vector. At most one of them is allowed, and vectors of the right
   !! type. `is_given` tells whether there are vectors.
   function wrong_vectors(procedure, operators, given, is_given, stat, errmsg)
      character(*), intent(in) :: procedure
      type(c_ptr), intent(in) :: operators(:)
      logical, intent(in) :: given(5)
      logical, intent(out) :: is_given
      integer, intent(out), optional :: stat
      character(*), intent(inout), optional :: errmsg
      logical :: wrong_vectors
      integer(c_int32_t) :: is_complex, one
      integer :: i
      character(:), allocatable :: message, whose

      is_given = any(given(2:))
      is_complex = 0
      if (is_given) then
         do i = 1, size(operators)
            ! Without a Hamiltonian the library reports the error.
            if (legato_kpm_hamiltonian_is_complex(operators(i), one) /= LEGATO_STATUS_SUCCESS) then
               is_complex = merge(1_c_int32_t, 0_c_int32_t, any(given(4:)))
               exit
            end if
            is_complex = max(is_complex, one)
         end do
      end if
      whose = 'the Hamiltonian is '
      if (size(operators) > 1 .and. is_complex == 1) whose = 'the Hamiltonian or an operator is '
      if (size(operators) > 1 .and. is_complex == 0) whose = 'the Hamiltonian and the operators are '
      if (count(given) > 1) then
         message = ': sites, start_vector, stoppable_start_vector and their complex forms exclude each other'
      else if (is_complex == 1 .and. any(given(2:3))) then
         message = ': '//whose//'complex, which needs complex_start_vector or stoppable_complex_start_vector'
      else if (is_complex == 0 .and. any(given(4:))) then
         message = ': '//whose//'real, which needs start_vector or stoppable_start_vector'
      end if
      wrong_vectors = allocated(message)
      if (wrong_vectors) call finish(int(LEGATO_STATUS_INVALID_ARGUMENT), procedure//message, stat, errmsg)
   end function wrong_vectors

end module legato_kpm_vectors_module
